// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import { createSettingsStore, SettingsScreen } from '../../../renderer/features/settings/index.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { createFakeHost } from '../fakeHost.ts';
import { button, click, field, happen, pageText, render, type, unmountAll } from '../render.tsx';
import { appInfo, settings, sha } from '../samples.ts';

afterEach(unmountAll);

async function open(handlers: Partial<Handlers> = {}) {
  let kept = settings();
  const host = createFakeHost({
    'settings.get': () => kept,
    'settings.set': (patch) => (kept = settings({ ...kept, ...patch } as Partial<typeof kept>)),
    'app.info': () => appInfo(),
    'basemap.get': () => null,
    ...handlers,
  });
  const store = createSettingsStore(host);
  await render(<SettingsScreen store={store} />, { host });
  return { host, store };
}

describe('settings', () => {
  it('keeps the investigator’s name; an emptied one is none', async () => {
    const { host } = await open();
    await type(field('Name'), ' A. Jansen ');
    await click(saveOf('Name'));
    expect(host.asked).toContainEqual({ name: 'settings.set', input: { actorName: 'A. Jansen' } });
    await type(field('Name'), '');
    await click(saveOf('Name'));
    expect(host.asked).toContainEqual({ name: 'settings.set', input: { actorName: null } });
  });

  it('says that online tiles are off, and why an address is refused', async () => {
    await open({
      'settings.set': () => {
        throw new AppError('invalid_input', 'The tile address needs {z}, {x} and {y}.');
      },
    });
    expect(pageText()).toContain('Off: no network requests');
    expect(pageText()).toContain('the provider sees which places you look at');
    await type(field('Tile address'), 'https://tiles.example/');
    await click(saveOf('Tile address'));
    expect(pageText()).toContain('The tile address needs {z}, {x} and {y}.');
    expect(field('Tile address').value).toBe('https://tiles.example/');
  });

  it('asks for a reload when a tile address is new to this page, not when it was there already', async () => {
    const { store } = await open();
    await happen(() => store.update({ onlineTileUrl: 'https://tiles.example/{z}/{x}/{y}.png' }));
    expect(pageText()).toContain('Online tiles appear after a reload.');
    await happen(() => store.update({ onlineTileUrl: null }));
    expect(pageText()).not.toContain('Online tiles appear after a reload.');
  });

  it('shows the seal’s fingerprint to be given away, and does not call a weak store safe', async () => {
    await open({
      'app.info': () =>
        appInfo({
          sealFingerprint: sha('d'),
          sealPublicKeyPem: '-----BEGIN PUBLIC KEY-----',
          abilities: { host: 'electron', canRevealInFolder: true, canPickFiles: true, secretStore: 'weak' },
        }),
    });
    expect(pageText()).toContain('dddd dddd dddd');
    expect(button('Save as PEM')).toBeTruthy();
    expect(pageText()).toContain('stored under a fixed password');
  });

  it('follows a change that another window made', async () => {
    const { host } = await open();
    await happen(() => host.emit('settings.changed', settings({ organization: 'Fleet BV' })));
    expect(field('Organisation').value).toBe('Fleet BV');
  });

  it('keeps showing a basemap that was picked while an older answer was on its way', async () => {
    const basemap = { fileName: 'town.pmtiles', sizeBytes: 4000, mediaPath: 'media/basemap/a' };
    let answer: (value: null) => void = () => {};
    const { store } = await open({
      'basemap.get': () => new Promise<null>((resolve) => (answer = resolve)),
      'basemap.set': () => basemap,
    });
    const file = new File(['PMTiles'], 'town.pmtiles');
    await happen(() => store.setBasemap(file, () => {}, new AbortController().signal));
    await happen(() => answer(null));
    expect(pageText()).toContain('town.pmtiles');
  });

  it('keeps what was chosen while an older answer was on its way', async () => {
    let answer: (info: ReturnType<typeof appInfo>) => void = () => undefined;
    const slow = new Promise<ReturnType<typeof appInfo>>((resolve) => (answer = resolve));
    const { store } = await open({ 'app.info': () => slow });
    await happen(() => store.update({ theme: 'light' }));
    await happen(() => answer(appInfo()));
    expect(store.store.getState().settings.theme).toBe('light');
    expect(store.store.getState().info).not.toBeNull();
  });

  it('explains settings that can’t be read and tries again', async () => {
    let isBroken = true;
    await open({
      'settings.get': () => {
        if (isBroken) throw new AppError('cache_corrupt', 'The cache is damaged.');
        return settings();
      },
    });
    expect(pageText()).toContain('The cache is damaged.');
    isBroken = false;
    await click(button('Try again'));
    expect(pageText()).toContain('Investigator');
  });
});

/** The Save button beside a field. */
function saveOf(label: string): HTMLElement {
  const save = field(label).closest('form')?.querySelector<HTMLElement>('button[type="submit"]');
  if (!save) throw new Error(`No Save beside ${label}`);
  return save;
}

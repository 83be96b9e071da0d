// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import { createCaseStore } from '../../../renderer/features/library/caseStore.ts';
import type { ReviewLinks } from '../../../renderer/features/review/links.ts';
import type { Review } from '../../../renderer/features/review/model.ts';
import { distanceText } from '../../../renderer/features/review/NearbyChooser.tsx';
import { openReview } from '../../../renderer/features/review/reviewStore.ts';
import { SceneBar } from '../../../renderer/features/review/SceneBar.tsx';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { ReviewScene, SceneRequest } from '../../../shared/contract/review.ts';
import type { CaseId, ClipId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import {
  button,
  click,
  field,
  happen,
  pageText,
  press,
  render,
  settle,
  type,
  unmountAll,
} from '../render.tsx';
import { caseFile } from '../samples.ts';
import { channel, frontId, scene, secondId, segment, startMs } from './aReview.ts';
import { sceneHandlers } from './aScene.ts';

const opened: Review[] = [];
afterEach(async () => {
  await unmountAll();
  for (const review of opened.splice(0)) review.close();
});

async function open(shown: ReviewScene, handlers: Partial<Handlers> = {}) {
  const host = createFakeHost(sceneHandlers({ 'review.scene': () => shown, ...handlers }));
  const review = await openReview(host, { kind: 'clip', clipId: frontId }, { zone: 'utc' });
  opened.push(review);
  const gone: { request: SceneRequest | null; atMs: number | null }[] = [];
  const cards: { psn: string; atMs: number | null }[] = [];
  const links: ReviewLinks = {
    hrefOf: () => '#/review',
    go: (request, atMs) => gone.push({ request, atMs }),
    openCard: (psn, atMs) => cards.push({ psn, atMs }),
    openCameras: () => undefined,
    openCase: () => undefined,
    importFiles: () => undefined,
    settings: { onlineTileUrl: null, onlineTileAttribution: null },
  };
  await render(
    <SceneBar
      review={review}
      cases={createCaseStore(host.client)}
      links={links}
      areNotesShown={false}
      onNotes={() => undefined}
    />,
    { host, localZone: 'Europe/Amsterdam' },
  );
  return { host, review, gone, cards };
}
const checkbox = (label: RegExp) =>
  [...document.querySelectorAll<HTMLInputElement>('input[type=checkbox]')].find((box) =>
    label.test(box.labels?.[0]?.textContent ?? ''),
  )!;
const item = (name: RegExp) =>
  [...document.querySelectorAll<HTMLElement>('[role=menuitem]')].find((one) =>
    name.test(one.textContent ?? ''),
  )!;

describe('the scene bar', () => {
  it('names what is open, and its notes', async () => {
    const { gone } = await open(scene({ title: 'Van 07, 14 March', notes: ['One clip was left out.'] }));
    expect(pageText()).toContain('Van 07, 14 March');
    expect(button('1 note')).toBeTruthy();
    await click(button('Open…'));
    expect(gone).toEqual([{ request: null, atMs: null }]);
  });

  it('switches the zone of every time; the vehicle’s only where it is known', async () => {
    const { review } = await open(scene({ utcOffsetMin: null }));
    const radios = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')];
    expect(radios.map(({ value, disabled }) => [value, disabled])).toEqual([
      ['local', false],
      ['utc', false],
      ['vehicle', true],
    ]);
    await click(radios[0]!);
    expect(review.store.getState().zone).toBe('local');
  });

  it('offers no time of day where no clock is known', async () => {
    await open(scene({ timebase: 'elapsed', fromMs: 0, toMs: 20_000, focusMs: 0 }));
    expect(pageText()).toContain('elapsed time');
    expect(document.querySelector('input[type=radio]')).toBeNull();
    expect(document.querySelector('[aria-label="Find this moment on the card"]')).toBeNull();
  });

  it('gives panes to at most four lenses, and always to one', async () => {
    const letters = ['a', 'b', 'c', 'd', 'e'];
    const { review } = await open(
      scene({
        channels: letters.map((letter) =>
          channel({
            channelId: letter,
            cameraName: `Cam ${letter}`,
            psn: 'P07',
            segments: [segment({ clipId: `clip_${letter}` as ClipId })],
          }),
        ),
      }),
    );
    await click(button('2 of 5 shown'));
    await click(checkbox(/Cam c/));
    await click(checkbox(/Cam d/));
    expect(review.store.getState().shown).toEqual(['a', 'b', 'c', 'd']);
    expect(checkbox(/Cam e/).disabled).toBe(true);
    await happen(() => review.store.setState({ enlarged: 'b' }));
    for (const one of [/Cam b/, /Cam c/, /Cam d/]) await click(checkbox(one));
    expect(review.store.getState()).toMatchObject({ shown: ['a'], enlarged: null });
    expect(checkbox(/Cam a/).disabled).toBe(true);
  });

  it('offers clips nearby with their distance, and adds one to what is open at the same time', async () => {
    const near = {
      clipId: secondId,
      fileName: 'x.mp4',
      psn: 'P12',
      cameraName: 'Van 12',
      direction: 'front',
      startMs,
      endMs: startMs + 60_000,
      distanceM: 35.4,
    };
    const { review, gone } = await open(
      scene({ nearby: [{ ...near, clipId: 'clip_far' as ClipId, distanceM: null }, near] }),
    );
    await happen(() => review.clock.seek(startMs + 4000));
    await click(button('Nearby 2'));
    expect(pageText()).toContain('at least 35 m away · 16:32:00–16:33:00 UTC');
    expect(pageText()).toContain('distance not known');
    const [first] = [
      ...document.querySelectorAll<HTMLElement>('[aria-label="Add Van 12 front to the scene"]'),
    ];
    await click(first!);
    expect(gone).toEqual([
      { request: { kind: 'clips', clipIds: [frontId, secondId] }, atMs: startMs + 4000 },
    ]);
  });

  it('leads to the card at the moment that is shown', async () => {
    const { review, cards } = await open(scene());
    await happen(() => review.clock.seek(startMs + 1234.4));
    await click(button('Find this moment on the card'));
    expect(cards).toEqual([{ psn: 'P07', atMs: startMs + 1234 }]);
  });

  it('chooses and makes the case that marks go to, and puts the scene’s clips into it', async () => {
    const { host, review } = await open(scene(), {
      'cases.list': () => [caseFile({ name: 'Biltstraat' })],
      'cases.add': () => caseFile({ name: 'Biltstraat', exhibits: 1 }),
      'cases.create': ({ name }) => caseFile({ caseId: 'case_new' as CaseId, name }),
    });
    await click(button('Case that marks go to: none'));
    await settle();
    await click(item(/Biltstraat/));
    expect(review.store.getState().caseId).toBe(caseFile().caseId);
    await click(button('Case that marks go to: Biltstraat'));
    await settle();
    await click(item(/Add the scene’s 1 clip/));
    expect(host.asked).toContainEqual({
      name: 'cases.add',
      input: { caseId: caseFile().caseId, refs: [{ kind: 'clip', clipId: frontId }] },
    });
    await click(button('Case that marks go to: Biltstraat'));
    await settle();
    await click(item(/New case…/));
    await type(field('Name of the case'), 'Collision');
    await click(button('Create case'));
    expect(review.store.getState().caseId).toBe('case_new');
    await press(document.body, 'Escape');
  });
});

describe('a distance', () => {
  it('is said in metres, then kilometres, and never made up', () => {
    expect([null, 0.2, 35.4, 999, 1500, 12_345].map(distanceText)).toEqual([
      'distance not known',
      'in the same area',
      'at least 35 m away',
      'at least 999 m away',
      'at least 1.5 km away',
      'at least 12 km away',
    ]);
  });
});

// @vitest-environment jsdom
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CasesScreen,
  createCaseStore,
  type CaseLinks,
  type CaseTab,
} from '../../../renderer/features/cases/index.ts';
import type { CaseFile } from '../../../shared/contract/cases.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { CaseId, ClipId, ExhibitId, NoteId, SourceId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { button, click, field, happen, pageText, render, type, unmountAll } from '../render.tsx';
import { atMs, caseFile, clip, custodyEntry, derived, exhibit, source, trip } from '../samples.ts';

afterEach(unmountAll);
const links: CaseLinks = {
  openSourceReport: () => undefined,
  openLibrary: () => undefined,
  reviewClip: () => undefined,
  importInto: () => undefined,
  review: () => undefined,
  packageTab: () => null,
};
const noteId = 'note_1' as NoteId;
const camera = {
  psn: 'P12',
  name: 'Van 12',
  trips: 1,
  points: 2,
  firstMs: atMs,
  lastMs: atMs,
  distanceM: 1,
};

/** The Cases screen over one case that the handlers change, as the core would. */
async function open(
  start: CaseFile | null,
  tab: CaseTab = 'exhibits',
  handlers: Partial<Handlers> = {},
  leading: CaseLinks = links,
) {
  let file = start;
  const now = (): CaseFile => {
    if (!file) throw new AppError('not_found', 'There is no such case any more.');
    return file;
  };
  const set = (patch: Partial<CaseFile>): CaseFile => (file = caseFile({ ...now(), ...patch }));
  const host = createFakeHost({
    'cases.list': () => (file ? [file] : []),
    'cases.get': now,
    'cases.create': ({ name }) => (file = caseFile({ name })),
    'cases.rename': ({ name }) => set({ name }),
    'cases.remove': () => {
      file = null;
      return null;
    },
    'cases.removeExhibit': ({ exhibitId }) =>
      set({ exhibitList: now().exhibitList.filter((one) => one.exhibitId !== exhibitId) }),
    'cases.add': ({ refs }) =>
      set({
        exhibitList: [
          ...now().exhibitList,
          ...refs.map((ref, index) => exhibit({ ref, exhibitId: `exhibit_new${index}` as ExhibitId })),
        ],
      }),
    'cases.setRange': ({ fromMs, toMs }) => set({ range: { fromMs, toMs } }),
    'cases.addNote': ({ text }) => set({ noteList: [{ noteId, text, writtenAtMs: atMs, editedAtMs: null }] }),
    'cases.editNote': ({ text }) =>
      set({ noteList: [{ noteId, text, writtenAtMs: atMs, editedAtMs: atMs + 1 }] }),
    'cases.removeNote': () => set({ noteList: [] }),
    'trips.get': () => trip(),
    ...handlers,
  });
  const store = createCaseStore(host);
  function Place() {
    const [at, setAt] = useState<{ caseId: CaseId | null; tab: CaseTab }>({
      caseId: start?.caseId ?? null,
      tab,
    });
    return (
      <CasesScreen
        store={store}
        caseId={at.caseId}
        tab={at.tab}
        onOpen={(caseId, next) => setAt({ caseId, tab: next })}
        links={leading}
      />
    );
  }
  await render(<Place />, { host });
  return { host, store };
}

describe('cases', () => {
  it('begins with what a case is for, and opens the one that is created', async () => {
    await open(null);
    expect(pageText()).toContain('No cases yet');
    await click(button('New case…'));
    await type(field('Name of the case'), '  Keizersgracht  ');
    await click(button('Create case'));
    expect(document.querySelector('h2')?.textContent).toBe('Keizersgracht');
    expect(pageText()).toContain('Nothing in this case yet');
  });

  it('keeps the dialogue open with the reason when the name is taken', async () => {
    await open(null, 'exhibits', {
      'cases.create': () => {
        throw new AppError('already_exists', 'There is a case of that name.', { remedy: 'Choose another.' });
      },
    });
    await click(button('New case…'));
    await type(field('Name of the case'), 'keizersgracht');
    await click(button('Create case'));
    expect(pageText()).toContain('There is a case of that name.');
    expect((field('Name of the case') as HTMLInputElement).value).toBe('keizersgracht');
  });

  it('removes an exhibit at once and brings it back on Undo', async () => {
    await open(caseFile({ exhibitList: [exhibit()] }));
    await click(button(/^Remove Van 12.* from the case$/));
    expect(pageText()).toContain('Nothing in this case yet');
    await click(button('Undo'));
    expect(pageText()).not.toContain('Nothing in this case yet');
    expect(pageText()).toContain('Van 12, trip 414');
  });

  it('lists clips, stills and trims with their facts, and opens them in Review', async () => {
    const opened: unknown[] = [];
    const exhibits = [
      exhibit({ ref: { kind: 'clip', clipId: clip().clipId }, title: 'P12, front, 2026-03-14 16:02:11 UTC' }),
      exhibit({
        exhibitId: 'exhibit_2' as ExhibitId,
        ref: { kind: 'derived', derivedId: derived().derivedId },
        title: derived().fileName,
      }),
    ];
    await open(
      caseFile({ exhibitList: exhibits }),
      'exhibits',
      {
        'clips.get': () => ({ ...clip(), facts: null }),
        'derived.list': () => [derived()],
        'cameras.list': () => [camera],
      },
      { ...links, reviewClip: (clipId, at) => opened.push([clipId, at]) },
    );
    expect(pageText()).toContain('Van 12 · 20260314_170211_EF.mp4 · 1 min · low resolution · 4.2 MB');
    expect(pageText()).toContain('Still at 12.033 s · 1920 × 1080 · 2.1 MB');
    const picture = document.querySelector('img');
    expect(picture?.getAttribute('src')).toBe('/media/derived/derived_1');
    await click(button('Review P12, front, 2026-03-14 16:02:11 UTC'));
    await click(button(`Review ${derived().fileName}`));
    expect(opened).toEqual([
      ['clip_1', null],
      ['clip_1', atMs + 12_033],
    ]);
  });

  it('offers clips, stills and trims, and no clip a second time as a whole source', async () => {
    const { host } = await open(caseFile(), 'exhibits', {
      'trips.list': () => [trip()],
      'sources.list': () => [
        source(),
        source({ sourceId: 'src_2' as SourceId, kind: 'clip', fileName: 'x.mp4' }),
      ],
      'clips.list': () => [
        clip(),
        clip({ clipId: 'clip_2' as ClipId, directionCode: 'O', startUtcMs: null }),
      ],
      'derived.list': () => [derived()],
      'cameras.list': () => [camera],
    });
    await click(button('Add exhibits…'));
    await click(field('Clips'));
    expect(pageText()).toContain('Van 12, front');
    expect(pageText()).toContain('Van 12, option');
    await click(field('Van 12, option, no times'));
    await click(field('Stills and trims'));
    await click(field(`${derived().fileName}, 14 Mar 2026, 16:02:23 UTC`));
    await click(field('Whole sources'));
    expect(pageText()).toContain('export.zip');
    expect(pageText()).not.toContain('x.mp4');
    await click(button('Add 2 exhibits'));
    expect(host.asked.filter((one) => one.name === 'cases.add').map((one) => one.input)).toEqual([
      {
        caseId: 'case_1',
        refs: [
          { kind: 'clip', clipId: 'clip_2' },
          { kind: 'derived', derivedId: 'derived_1' },
        ],
      },
    ]);
  });

  it('asks before removing a case, saying what stays', async () => {
    const { host } = await open(caseFile());
    await click(button('Remove the case'));
    expect(pageText()).toContain('every custody entry including this removal');
    expect(host.asked.some((one) => one.name === 'cases.remove')).toBe(false);
    await click(button('Remove case'));
    expect(pageText()).toContain('No cases yet');
  });

  it('takes the range from the exhibits, to whole seconds, the last point included', async () => {
    const { host } = await open(caseFile({ exhibitList: [exhibit()] }));
    await click(button('Use the exhibits’ extent'));
    expect(host.asked).toContainEqual({
      name: 'cases.setRange',
      input: { caseId: 'case_1', fromMs: atMs, toMs: atMs + 601_000 },
    });
    expect((field('From') as HTMLInputElement).value).toBe('2026-03-14 16:02:11');
    expect(pageText()).toContain('Lasts 10 min 1 s · times in UTC');
  });

  it('takes typed times and refuses an end before the start', async () => {
    const { host } = await open(caseFile());
    await type(field('From'), '2026-03-14 17:00');
    await type(field('To (not included)'), '2026-03-14 16:00');
    expect(pageText()).toContain('Must be after the start');
    expect(button('Set range').hasAttribute('disabled')).toBe(true);
    await type(field('To (not included)'), '2026-03-14 18:00');
    await click(button('Set range'));
    expect(host.asked).toContainEqual({
      name: 'cases.setRange',
      input: { caseId: 'case_1', fromMs: Date.UTC(2026, 2, 14, 17), toMs: Date.UTC(2026, 2, 14, 18) },
    });
  });

  it('adds, edits and removes notes, the last only after a question', async () => {
    await open(caseFile(), 'notes');
    await type(field('Text of the new note'), 'He stopped.');
    await click(button('Add note'));
    expect(pageText()).toContain('He stopped.');
    await click(button('Edit this note'));
    await type(field('Text of the note'), 'He did not stop.');
    await click(button('Save note'));
    expect(pageText()).toContain('He did not stop.');
    expect(pageText()).toContain('edited');
    await click(button('Remove this note'));
    await click(button('Remove note'));
    expect(pageText()).not.toContain('He did not stop.');
  });

  it('keeps a note’s text on screen when it could not be written', async () => {
    await open(caseFile(), 'notes', {
      'cases.addNote': () => {
        throw new AppError('disk_full', 'The disk is full.');
      },
    });
    await type(field('Text of the new note'), 'A long note');
    await click(button('Add note'));
    expect(pageText()).toContain('The disk is full.');
    expect(field('Text of the new note').value).toBe('A long note');
  });

  it('shows the custody log as sentences with the raw entry one click away, and a broken chain as such', async () => {
    await open(caseFile({ exhibitList: [exhibit()] }), 'custody', {
      'custody.list': () => ({
        entries: [
          custodyEntry(),
          custodyEntry({
            seq: 2,
            action: 'exhibit.add',
            subject: { kind: 'trip', id: 'trip_1', sha256: null },
            detail: {},
          }),
          custodyEntry({
            seq: 3,
            action: 'future.action',
            subject: { kind: 'clip', id: 'clip_9', sha256: null },
          }),
        ],
        total: 3,
        isChainWhole: false,
      }),
    });
    expect(pageText()).toContain('Chain broken');
    expect(pageText()).toContain('Created the case “Keizersgracht”');
    expect(pageText()).toContain('Added trip “Van 12, trip 414, 2026-03-14 16:02:11 UTC” as an exhibit');
    expect(pageText()).toContain('future.action: clip clip_9');
    await click(button(/Created the case/));
    expect(pageText()).toContain('"action": "case.create"');
  });

  it('says in words what was done with clips, marks and clocks', async () => {
    const entries: [string, Partial<Parameters<typeof custodyEntry>[0]>, string][] = [
      ['derive.still', { detail: { kind: 'still', fileName: 'a.png' } }, 'Took a still “a.png”'],
      ['derive.trim', { detail: { fileName: 'a.mp4' } }, 'Cut a trim without loss “a.mp4”'],
      ['derived.remove', { detail: { fileName: 'a.mp4' } }, 'Took “a.mp4” away; its file is kept'],
      ['mark.add', { detail: { kind: 'range' } }, 'Made a range'],
      ['mark.remove', { detail: { kind: 'bookmark' } }, 'Took a bookmark away'],
      [
        'clock.set',
        { detail: { source: 'P12, front', reason: 'by the lights' } },
        'Set the clock of “P12, front” by hand, because: by the lights',
      ],
      [
        'clip.receive',
        { subject: { kind: 'clip', id: 'P12/x_EF.mp4/sub', sha256: 'c'.repeat(64) } },
        'Received x_EF.mp4 (low resolution) of camera P12, SHA-256 cccc',
      ],
      [
        'clip.order',
        { subject: { kind: 'recording', id: 'P12/x_EF.mp4/main', sha256: null }, detail: {} },
        'Ordered the recall of x_EF.mp4 (full resolution) of camera P12',
      ],
    ];
    await open(caseFile(), 'custody', {
      'custody.list': () => ({
        entries: entries.map(([action, patch], i) => custodyEntry({ ...patch, action, seq: i + 1 })),
        total: entries.length,
        isChainWhole: true,
      }),
    });
    for (const [, , sentence] of entries) expect(pageText()).toContain(sentence);
  });

  it('reads the case again when somebody else changes it, and says so when it is gone', async () => {
    let name = 'Keizersgracht';
    let isGone = false;
    const { host } = await open(caseFile(), 'exhibits', {
      'cases.get': () => {
        if (isGone) throw new AppError('not_found', 'There is no such case any more.');
        return caseFile({ name });
      },
    });
    name = 'Prinsengracht';
    await happen(() => host.emit('cases.changed', { caseId: 'case_1' as CaseId }));
    expect(document.querySelector('h2')?.textContent).toBe('Prinsengracht');
    isGone = true;
    await happen(() => host.emit('cases.changed', { caseId: null }));
    expect(pageText()).toContain('There is no such case any more.');
  });
});

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClipRepository } from '../../main/cache/clipRepository.ts';
import { createLibraryRepository } from '../../main/cache/libraryRepository.ts';
import { createCustodyRepository } from '../../main/cache/custodyRepository.ts';
import { createCaseHandlers } from '../../main/desk/cases.ts';
import { openCache, type EvidenceCache } from '../../main/cache/openCache.ts';
import type { CaseId, DerivedId, ExhibitId, NoteId, SourceId, TripId } from '../../shared/ids.ts';
import { aClip, aDerived, clipBytes, clipName } from '../evidence/clipSupport.ts';
import { aCase, openWorld, startMs, type World } from '../evidence/support.ts';

let world: World;
let cases: World['cases'];
const custodyActions = (): string[] =>
  createCustodyRepository(world.cache.db)
    .list()
    .map((entry) => entry.action);

beforeEach(() => {
  world = openWorld();
  cases = world.cases;
});
afterEach(() => world.close());

describe('cases', () => {
  it('are created, renamed and listed newest first, with a custody entry for each change', async () => {
    const first = await cases['cases.create']({ name: 'Crossing' });
    const second = await cases['cases.create']({ name: 'Yard' });
    expect(first).toMatchObject({ name: 'Crossing', exhibits: 0, notes: 0, packages: 0, exhibitList: [] });
    expect(first.range).toEqual({ fromMs: null, toMs: null });
    await cases['cases.rename']({ caseId: second.caseId, name: 'Depot' });
    expect((await cases['cases.list']({})).map((one) => one.name)).toEqual(['Depot', 'Crossing']);
    const { entries, total, isChainWhole } = await cases['custody.list']({ caseId: second.caseId });
    expect(entries.map((entry) => [entry.action, entry.detail])).toEqual([
      ['case.create', { name: 'Yard' }],
      ['case.rename', { from: 'Yard', to: 'Depot' }],
    ]);
    expect([total, isChainWhole]).toEqual([2, true]);
  });

  it('have names of their own, letter case and composition aside', async () => {
    const { caseId } = await cases['cases.create']({ name: 'Überfahrt' });
    const other = await cases['cases.create']({ name: 'Other' });
    for (const name of ['ÜBERFAHRT', 'u\u0308berfahrt', 'Überfahrt']) {
      expect(() => cases['cases.create']({ name })).toThrow(
        expect.objectContaining({ code: 'already_exists' }),
      );
      expect(() => cases['cases.rename']({ caseId: other.caseId, name })).toThrow('already');
    }
    // Its own name in another spelling is no other case's.
    expect((await cases['cases.rename']({ caseId, name: 'ÜBERFAHRT' })).name).toBe('ÜBERFAHRT');
    expect(custodyActions()).toEqual(['case.create', 'case.create', 'case.rename']);
  });

  it('hold trips and sources once each, titled so that people know them', async () => {
    const { caseId, sourceId } = await aCase(world);
    const [tripId] = world.tripIds(sourceId);
    const refs = [
      { kind: 'trip' as const, tripId: tripId! },
      { kind: 'source' as const, sourceId },
    ];
    const before = custodyActions().length;
    const file = await cases['cases.add']({ caseId, refs });
    expect(await cases['cases.add']({ caseId, refs })).toEqual(file);
    expect(file.exhibitList.map((one) => one.title)).toEqual([
      'export.zip',
      expect.stringMatching(/^(=Van 7, trip 1|Bus "Ö", 2, trip 4), 2026-03-02 08:00:00 UTC$/),
    ]);
    expect(file.exhibitList.every((one) => one.sha256 === file.exhibitList[0]!.sha256)).toBe(true);
    expect(custodyActions().slice(before)).toEqual(['exhibit.add']);
    const exhibit = file.exhibitList[1]!;
    const after = await cases['cases.removeExhibit']({ caseId, exhibitId: exhibit.exhibitId });
    expect(after.exhibits).toBe(1);
    const [added, removed] = createCustodyRepository(world.cache.db).list({ caseId }).slice(-2);
    expect(removed!.subject).toEqual(added!.subject);
    expect(removed!.subject).toEqual({ kind: 'trip', id: tripId, sha256: exhibit.sha256 });
  });

  it('hold clips, stills and trims, a clip by its source too, each with custody of its own file', async () => {
    const { caseId } = await cases['cases.create']({ name: 'Crossing' });
    const bytes = clipBytes();
    const clipId = await aClip(world, clipName(), bytes);
    const { sourceId } = createClipRepository(world.cache.db).get(clipId);
    const [first] = (await cases['cases.add']({ caseId, refs: [{ kind: 'source', sourceId }] })).exhibitList;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(first).toMatchObject({
      ref: { kind: 'clip', clipId },
      title: 'P1, front, 2026-03-14 22:32:10 UTC',
      sha256,
    });
    const again = await cases['cases.add']({ caseId, refs: [{ kind: 'clip', clipId }] });
    expect(again.exhibits).toBe(1);
    const still = await aDerived(world, caseId, clipId, 'still', Buffer.from('PNG'));
    const [, second] = (await cases['cases.get']({ caseId })).exhibitList;
    expect(second).toMatchObject({
      ref: { kind: 'derived', derivedId: still.derivedId },
      title: still.fileName,
      sha256: still.sha256,
    });
    expect(
      createCustodyRepository(world.cache.db)
        .list({ caseId })
        .filter((entry) => entry.action === 'exhibit.add')
        .map((entry) => entry.subject),
    ).toEqual([
      { kind: 'clip', id: clipId, sha256 },
      { kind: 'derived', id: still.derivedId, sha256: still.sha256 },
    ]);
    // What a case holds of a clip keeps its original in the library: the clip itself, and what was made from it.
    const library = createLibraryRepository(world.cache.db);
    expect(library.casesHolding(sourceId)).toEqual(['Crossing']);
    await cases['cases.removeExhibit']({ caseId, exhibitId: first!.exhibitId });
    expect(library.casesHolding(sourceId)).toEqual(['Crossing']);
    await cases['cases.removeExhibit']({ caseId, exhibitId: second!.exhibitId });
    expect(library.casesHolding(sourceId)).toEqual([]);
    const gone = { kind: 'derived' as const, derivedId: 'derived_none' as DerivedId };
    expect(() => cases['cases.add']({ caseId, refs: [gone] })).toThrow('no still or trim derived_none');
  });

  it('name clips of no camera by their file, and clips of unknown time so', async () => {
    const { caseId } = await cases['cases.create']({ name: 'Crossing' });
    const bytes = clipBytes({ hasTelemetry: false });
    const clipId = await aClip(world, 'from a stick.mp4', bytes, null);
    const other = await aClip(world, clipName(), clipBytes({ hasTelemetry: false, tag: '2' }));
    const refs = [clipId, other].map((id) => ({ kind: 'clip' as const, clipId: id }));
    const { exhibitList } = await cases['cases.add']({ caseId, refs });
    expect(exhibitList.map((one) => one.title)).toEqual(['from a stick.mp4', 'P1, front, time unknown']);
  });

  it('add all of what is asked or nothing', async () => {
    const { caseId, sourceId } = await aCase(world);
    const [tripId] = world.tripIds(sourceId);
    const refs = [
      { kind: 'trip' as const, tripId: tripId! },
      { kind: 'trip' as const, tripId: 'trip_none' as TripId },
    ];
    const before = custodyActions();
    expect(() => cases['cases.add']({ caseId, refs })).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
    const unknown = [{ kind: 'source' as const, sourceId: 'src_none' as SourceId }];
    expect(() => cases['cases.add']({ caseId, refs: unknown })).toThrow('no source src_none');
    expect((await cases['cases.get']({ caseId })).exhibits).toBe(1);
    expect(custodyActions()).toEqual(before);
  });

  it('keep notes, their times, and in custody only their hashes', async () => {
    const { caseId } = await cases['cases.create']({ name: 'Crossing' });
    const [note] = (await cases['cases.addNote']({ caseId, text: 'Secret words' })).noteList;
    expect(note).toMatchObject({ text: 'Secret words', editedAtMs: null });
    const noteId = note!.noteId;
    const edited = await cases['cases.editNote']({ caseId, noteId, text: 'Other words' });
    expect(edited.noteList[0]!.editedAtMs).toBeGreaterThan(note!.writtenAtMs);
    expect((await cases['cases.removeNote']({ caseId, noteId })).noteList).toEqual([]);
    const log = createCustodyRepository(world.cache.db).list({ caseId });
    expect(log.map((entry) => entry.action)).toEqual(['case.create', 'note.add', 'note.edit', 'note.remove']);
    expect(JSON.stringify(log)).not.toContain('words');
    expect(log[2]!.detail.sha256Before).toBe(log[1]!.subject.sha256);
    expect(() => cases['cases.editNote']({ caseId, noteId, text: 'x' })).toThrow('does not hold this note');
    expect(() => cases['cases.removeNote']({ caseId, noteId: 'n' as NoteId })).toThrow(
      'does not hold this note',
    );
  });

  it('keep a range that makes sense', async () => {
    const { caseId } = await cases['cases.create']({ name: 'Crossing' });
    const range = { fromMs: startMs, toMs: startMs + 60_000 };
    expect((await cases['cases.setRange']({ caseId, ...range })).range).toEqual(range);
    await cases['cases.setRange']({ caseId, ...range });
    for (const bad of [
      { fromMs: 5, toMs: 5 },
      { fromMs: 9e15, toMs: null },
    ]) {
      expect(() => cases['cases.setRange']({ caseId, ...bad })).toThrow(
        expect.objectContaining({ code: 'invalid_input' }),
      );
    }
    await cases['cases.setRange']({ caseId, fromMs: null, toMs: null });
    const ranges = createCustodyRepository(world.cache.db)
      .list({ caseId })
      .filter((entry) => entry.action === 'case.range');
    expect(ranges.map((entry) => entry.detail)).toEqual([
      { from: '2026-03-02T08:00:00.000Z', to: '2026-03-02T08:01:00.000Z' },
      { from: null, to: null },
    ]);
  });

  it('are removed with their notes; the library and the custody log keep what they have', async () => {
    const { caseId, sourceId } = await aCase(world);
    const before = custodyActions().length;
    expect(await cases['cases.remove']({ caseId })).toBeNull();
    expect(await cases['cases.list']({})).toEqual([]);
    expect(world.tripIds(sourceId)).toHaveLength(2);
    expect(custodyActions()).toHaveLength(before + 1);
    expect((await cases['custody.list']({ caseId })).entries.at(-1)).toMatchObject({
      action: 'case.remove',
      detail: { name: 'Crossing 12/3: claim', exhibits: 1, notes: 1 },
    });
    expect((await cases['cases.create']({ name: 'Crossing 12/3: claim' })).notes).toBe(0);
  });

  it('that are not there are not found, whatever is asked of them', () => {
    const caseId = 'case_none' as CaseId;
    const calls = [
      () => cases['cases.get']({ caseId }),
      () => cases['cases.rename']({ caseId, name: 'x' }),
      () => cases['cases.addNote']({ caseId, text: 'x' }),
      () => cases['cases.setRange']({ caseId, fromMs: null, toMs: null }),
      () => cases['cases.removeExhibit']({ caseId, exhibitId: 'e' as ExhibitId }),
      () => cases['cases.remove']({ caseId }),
    ];
    for (const call of calls) expect(call).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(custodyActions()).toEqual([]);
  });

  it('tell front ends of a change only once it is kept', async () => {
    const heard: unknown[] = [];
    const folder = path.join(world.folder, 'second');
    const cache: EvidenceCache = openCache({ folder });
    const handlers = createCaseHandlers({
      cache,
      now: Date.now,
      actor: () => 'x',
      emit: (name, payload) => heard.push([name, payload]),
    });
    const { caseId } = await handlers['cases.create']({ name: 'a' });
    expect(() => handlers['cases.create']({ name: 'A' })).toThrow();
    await handlers['cases.addNote']({ caseId, text: 'x' });
    await handlers['cases.remove']({ caseId });
    cache.close();
    fs.rmSync(folder, { recursive: true });
    expect(heard).toEqual([
      ['cases.changed', { caseId }],
      ['cases.changed', { caseId }],
      ['cases.changed', { caseId: null }],
    ]);
  });

  it('show in the custody list that the chain was broken', async () => {
    await cases['cases.create']({ name: 'a' });
    world.cache.db.exec("DROP TRIGGER custody_no_update; UPDATE custody_entry SET actor = 'x'");
    expect((await cases['custody.list']({})).isChainWhole).toBe(false);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf } from '../../shared/contract/index.ts';
import type { CaseId, ClipId, MarkId } from '../../shared/ids.ts';
import { box, clip, vendorFree } from '../media/telemetry/clipWriter.ts';
import { aDesk, aFile, aPlace, type Place } from './aDesk.ts';

let place: Place;
let desk: Awaited<ReturnType<typeof aDesk>>;
let clock: number;
beforeEach(async () => {
  place = aPlace();
  clock = Date.UTC(2026, 2, 20, 9);
  desk = await aDesk(place, { now: () => clock++ });
});
afterEach(async () => {
  await desk.close();
  expect(desk.bugs).toEqual([]);
  place.remove();
});

const at = Date.UTC(2026, 2, 14, 16, 32, 13);
const words = { title: 'Impact', note: 'Brake lights of the van', tags: ['impact'] };
const bookmark = { kind: 'bookmark', caseId: null, fromMs: at, toMs: null, uncertaintyMs: 1000, from: null, to: null, ...words } as const; // prettier-ignore

const add = (changes: Partial<InputOf<'marks.add'>> = {}) =>
  desk.client.invoke('marks.add', { ...bookmark, tags: [...bookmark.tags], ...changes });
const list = (filter: InputOf<'marks.list'> = {}) => desk.client.invoke('marks.list', filter);
const custody = async () =>
  (await desk.client.invoke('custody.list', {})).entries.filter(({ subject }) => subject.kind === 'mark');
async function aCase(name = 'Case 1'): Promise<CaseId> {
  return (await desk.client.invoke('cases.create', { name })).caseId;
}
async function aClip(): Promise<{ clipId: ClipId; sha256: string }> {
  await desk.importFiles([aFile(place, 'a.mp4', clip(vendorFree(box('cprt', 'Maker\0'))))]);
  return (await desk.client.invoke('clips.list', {}))[0]!;
}

describe('marks', () => {
  it('keeps a bookmark as it was made, over a restart, with who and when', async () => {
    const { clipId, sha256 } = await aClip();
    const caseId = await aCase();
    const heard: unknown[] = [];
    desk.client.on('marks.changed', (payload) => heard.push(payload));
    const mark = await add({ caseId, from: { clipId, clipS: 4.033 } });
    expect(mark).toMatchObject({ ...words, kind: 'bookmark', caseId, fromMs: at, editedAtMs: null });
    expect(mark.from).toEqual({ clipId, clipS: 4.033 });
    expect(mark.actor).not.toBe('');
    expect(heard).toEqual([{ caseId }]);
    const [entry] = await custody();
    expect(entry).toMatchObject({
      action: 'mark.add',
      subject: { kind: 'mark', id: mark.markId },
      detail: {
        kind: 'bookmark',
        caseId,
        from: '2026-03-14T16:32:13Z',
        to: null,
        clips: [{ clipId, sha256 }],
      },
    });
    expect(entry!.subject.sha256).toMatch(/^[0-9a-f]{64}$/);
    // The log goes into packages whole: it says what happened, not what was written.
    expect(JSON.stringify(entry)).not.toContain('Brake lights');
    await desk.close();
    desk = await aDesk(place);
    expect(await list()).toEqual([mark]);
  });

  it('edits words and places, with the hash of before', async () => {
    const mark = await add();
    const caseId = await aCase();
    const edited = await desk.client.invoke('marks.edit', {
      markId: mark.markId,
      title: 'First contact',
      tags: ['Impact', 'impact', 'front'],
      caseId,
    });
    expect(edited).toEqual({
      ...mark,
      title: 'First contact',
      tags: ['Impact', 'front'],
      caseId,
      editedAtMs: edited.editedAtMs,
    });
    expect(edited.editedAtMs).toBeGreaterThan(mark.madeAtMs);
    expect(await list()).toEqual([edited]);
    const [added, entry] = await custody();
    expect(entry).toMatchObject({
      action: 'mark.edit',
      detail: { sha256Before: added!.subject.sha256, caseIdBefore: null, caseId },
    });
    expect(entry!.subject.sha256).not.toBe(added!.subject.sha256);
    // An edit that changes nothing is no edit.
    expect(await desk.client.invoke('marks.edit', { markId: mark.markId, title: 'First contact' })).toEqual(
      edited,
    );
    expect(await custody()).toHaveLength(2);
  });

  it('takes a mark away and brings it back as it was', async () => {
    const mark = await add();
    await desk.client.invoke('marks.remove', { markId: mark.markId });
    expect(await list()).toEqual([]);
    for (const request of ['marks.remove', 'marks.edit'] as const) {
      await expect(desk.client.invoke(request, { markId: mark.markId })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    expect(await desk.client.invoke('marks.restore', { markId: mark.markId })).toEqual(mark);
    // Twice is once.
    expect(await desk.client.invoke('marks.restore', { markId: mark.markId })).toEqual(mark);
    expect(await list()).toEqual([mark]);
    const entries = await custody();
    expect(entries.map(({ action }) => action)).toEqual(['mark.add', 'mark.remove', 'mark.restore']);
    expect(new Set(entries.map(({ subject }) => subject.sha256)).size).toBe(1);
  });

  it('lists by case, clip and time, in order of time with unknown times last', async () => {
    const { clipId } = await aClip();
    const caseId = await aCase();
    const late = await add({ fromMs: at + 60_000 });
    const unknown = await add({ fromMs: null, from: { clipId, clipS: 1 } });
    const range = await add({ kind: 'range', caseId, fromMs: at - 5000, toMs: at + 5000 });
    expect(await list()).toEqual([range, late, unknown]);
    expect(await list({ caseId })).toEqual([range]);
    expect(await list({ caseId: null })).toEqual([late, unknown]);
    expect(await list({ clipIds: [clipId] })).toEqual([unknown]);
    expect(await list({ clipIds: [] })).toEqual([]);
    // A range counts wherever a part of it lies inside.
    expect(await list({ fromMs: at, toMs: at + 1 })).toEqual([range]);
    expect(await list({ fromMs: at + 6000 })).toEqual([late]);
    expect(await list({ toMs: at + 60_000 })).toEqual([range]);
  });

  it('refuses what is no moment and no range, and changes nothing', async () => {
    const { clipId } = await aClip();
    const anchor = (clipS: number) => ({ clipId, clipS });
    const refused: Partial<InputOf<'marks.add'>>[] = [
      { fromMs: null },
      { toMs: at },
      { kind: 'range' },
      { kind: 'range', toMs: at - 1 },
      { kind: 'range', fromMs: null, from: anchor(5), to: anchor(4) },
      { fromMs: 9e15 },
    ];
    for (const changes of refused) {
      await expect(add(changes)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    const missing: Partial<InputOf<'marks.add'>>[] = [
      { caseId: 'case_gone' as CaseId },
      { from: { clipId: 'clip_gone' as ClipId, clipS: 0 } },
    ];
    for (const changes of missing) await expect(add(changes)).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      desk.client.invoke('marks.restore', { markId: 'mark_gone' as MarkId }),
    ).rejects.toMatchObject({ code: 'not_found' });
    const range = await add({ kind: 'range', toMs: at });
    await expect(
      desk.client.invoke('marks.edit', { markId: range.markId, toMs: at - 1 }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await list()).toEqual([range]);
    expect(await custody()).toHaveLength(1);
  });

  it('goes with its case, and the log stays', async () => {
    const caseId = await aCase();
    await add({ caseId });
    const free = await add();
    await desk.client.invoke('cases.remove', { caseId });
    expect(await list()).toEqual([free]);
    expect(await custody()).toHaveLength(2);
    expect((await desk.client.invoke('custody.list', {})).isChainWhole).toBe(true);
  });
});

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDerivedRepository } from '../../main/cache/derivedRepository.ts';
import { openCache } from '../../main/cache/openCache.ts';
import type { Clip } from '../../shared/contract/clips.ts';
import type { Derived } from '../../shared/contract/derived.ts';
import type { CaseId, DerivedId, UploadId } from '../../shared/ids.ts';
import {
  box,
  clip as withTelemetry,
  motionRecord,
  rmc,
  u64,
  vendorFree,
} from '../media/telemetry/clipWriter.ts';
import { aPng } from '../media/derive/pngWriter.ts';
import { aDesk, aFile, anUpload, aPlace, endOf, type Place } from './aDesk.ts';

/** 160 x 120, 25 frames a second, a key frame each second, B-frames, sound. */
const fixture = fs.readFileSync(path.join(import.meta.dirname, '../media/derive/fixtures/bframes.mp4'));
const name = '20260314_173209_EF.mp4';

let place: Place;
let desk: Awaited<ReturnType<typeof aDesk>>;
let clip: Clip;
beforeEach(async () => {
  place = aPlace();
  desk = await aDesk(place);
  await desk.importFiles([aFile(place, name, fixture)]);
  clip = (await desk.client.invoke('clips.list', {}))[0]!;
});
afterEach(async () => {
  await desk.close();
  expect(desk.bugs).toEqual([]);
  place.remove();
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const list = (filter: { caseId?: CaseId | null } = {}) => desk.client.invoke('derived.list', filter);
const custody = async (prefix = 'deriv') =>
  (await desk.client.invoke('custody.list', {})).entries.filter(({ action }) => action.startsWith(prefix));
const aCase = async (title = 'Case 1'): Promise<CaseId> =>
  (await desk.client.invoke('cases.create', { name: title })).caseId;
const exhibitsOf = async (caseId: CaseId) => (await desk.client.invoke('cases.get', { caseId })).exhibitList;
const png = (tone = 0) => anUpload(place, 'still.png', aPng(160, 120, tone));
const blobs = () =>
  fs
    .readdirSync(path.join(place.dataFolder, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile());
/** What lies about while nothing is under way. */
const leftOver = () =>
  fs
    .readdirSync(path.join(place.dataFolder, 'partial'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

async function still(
  options: {
    caseId?: CaseId | null;
    stamp?: string | null;
    frameS?: number;
    tone?: number;
    uploadId?: UploadId;
  } = {},
): Promise<Derived> {
  const { caseId = null, stamp = null, frameS = 1.24, tone = 0 } = options;
  const uploadId = options.uploadId ?? (await png(tone));
  return desk.client.invoke('derived.still', { clipId: clip.clipId, frameS, uploadId, caseId, stamp });
}
async function trim(fromS: number, toS: number, caseId: CaseId | null = null): Promise<Derived> {
  const { jobId } = await desk.client.invoke('derived.trim', { clipId: clip.clipId, fromS, toS, caseId });
  const job = await endOf(desk, jobId);
  if (job.state.status !== 'done' || job.state.result.kind !== 'trim')
    throw new Error(JSON.stringify(job.state));
  const { derivedId } = job.state.result;
  return (await list()).find((one) => one.derivedId === derivedId)!;
}

describe('stills', () => {
  it('keeps the picture to the bit, with frame, time and clock in its recipe and in custody', async () => {
    const startUtcMs = Date.UTC(2026, 2, 14, 16, 32, 9);
    await desk.client.invoke('review.setClipStart', {
      clipId: clip.clipId,
      startUtcMs,
      reason: 'Radio clock',
    });
    const bytes = aPng(160, 120);
    const made = await still();
    // Frame 31 is shown from 1.24 to 1.28 s.
    expect(made).toMatchObject({
      kind: 'still',
      clipId: clip.clipId,
      caseId: null,
      fileName: '20260314_173209_EF_f000031_2026-03-14T163210.240Z.png',
      sha256: sha256(bytes),
      sizeBytes: bytes.length,
      recipe: {
        schemaVersion: 1,
        kind: 'still',
        source: { clipId: clip.clipId, fileName: name, sha256: clip.sha256 },
        requestedS: { from: 1.24, to: 1.24 },
        frameIndex: 31,
        startUtcMs: startUtcMs + 1240,
        tool: { name: 'Evidence Desk', version: '1.2.3' },
        output: { sha256: sha256(bytes), widthPx: 160, heightPx: 120 },
        stamp: null,
      },
    });
    expect(made.recipe.actualS.from).toBeCloseTo(1.24, 9);
    expect(made.recipe.actualS.to).toBeCloseTo(1.28, 9);
    expect(made.recipe.clockHow).not.toBeNull();
    expect(made.recipe.lost).not.toEqual([]);
    const file = desk.mediaFile(`media/derived/${made.derivedId}`)!;
    expect(file).toMatchObject({ contentType: 'image/png', downloadName: made.fileName });
    expect(fs.readFileSync(file.path).equals(bytes)).toBe(true);
    expect(await custody()).toMatchObject([
      {
        action: 'derive.still',
        subject: { kind: 'derived', id: made.derivedId, sha256: made.sha256 },
        detail: { clipId: clip.clipId, sourceSha256: clip.sha256, from: '2026-03-14T16:32:10.240Z' },
      },
    ]);
    expect(leftOver()).toEqual([]);
    await desk.close();
    desk = await aDesk(place);
    expect(await list()).toEqual([made]);
  });

  it('says that the clock is unknown rather than guessing a time', async () => {
    const made = await still();
    expect(made.fileName).toBe('20260314_173209_EF_f000031_clock-unknown.png');
    expect(made.recipe).toMatchObject({
      startUtcMs: null,
      endUtcMs: null,
      uncertaintyMs: null,
      clockHow: null,
    });
  });

  it('keeps a stamped copy beside, and says what was burned in', async () => {
    const plain = await still();
    const stamped = await still({ stamp: 'FRONT 17:32:10 UTC+1', tone: 9 });
    expect(stamped).toMatchObject({
      kind: 'stamped-still',
      fileName: '20260314_173209_EF_f000031_clock-unknown_stamped.png',
      recipe: { stamp: 'FRONT 17:32:10 UTC+1' },
    });
    expect(stamped.recipe.lost.length).toBeGreaterThan(plain.recipe.lost.length);
    expect(await list()).toHaveLength(2);
    // The same frame once more is the same file.
    expect(await still()).toEqual(plain);
    expect(await custody()).toHaveLength(2);
  });

  it('tells two moments of one picture apart, and the same moment by another clock', async () => {
    const caseId = await aCase();
    const first = await still({ caseId, frameS: 1.24 });
    const second = await still({ caseId, frameS: 3.2 });
    expect(second.sha256).toBe(first.sha256);
    expect([first, second].map((one) => one.recipe.frameIndex)).toEqual([31, 80]);
    const startUtcMs = Date.UTC(2026, 2, 14, 16, 32, 9);
    await desk.client.invoke('review.setClipStart', {
      clipId: clip.clipId,
      startUtcMs,
      reason: 'Radio clock',
    });
    expect((await still({ caseId, frameS: 3.2 })).recipe.startUtcMs).toBe(startUtcMs + 3200);
    expect(await list({ caseId })).toHaveLength(3);
    expect(await exhibitsOf(caseId)).toHaveLength(3);
  });

  it('is an exhibit again when it is taken again after it was taken out of the case', async () => {
    const caseId = await aCase();
    const made = await still({ caseId });
    const [exhibit] = await exhibitsOf(caseId);
    await desk.client.invoke('cases.removeExhibit', { caseId, exhibitId: exhibit!.exhibitId });
    expect(await still({ caseId })).toEqual(made);
    expect(await exhibitsOf(caseId)).toMatchObject([{ ref: { derivedId: made.derivedId } }]);
  });

  it.each<[number, number]>([
    [0, 0],
    [1.2399999, 31],
    [1.2795, 32],
    [1.26, 31],
    [4.2, 99],
  ])('counts the frame at %f s as %i', async (frameS, index) => {
    expect((await still({ frameS })).recipe.frameIndex).toBe(index);
  });

  it('refuses what is no full-size picture of the clip, and leaves nothing', async () => {
    const refused: [Partial<Parameters<typeof still>[0]>, string][] = [
      [{ uploadId: await anUpload(place, 'a.png', aPng(80, 60)) }, 'invalid_input'],
      [{ uploadId: await anUpload(place, 'a.png', '<html></html>') }, 'invalid_input'],
      [{ uploadId: await anUpload(place, 'a.png', Buffer.alloc(2 ** 21)) }, 'invalid_input'],
      [{ frameS: 60 }, 'invalid_input'],
      [{ uploadId: 'up_00000000000000000000000000000000' as UploadId }, 'not_found'],
      [{ caseId: 'case_gone' as CaseId }, 'not_found'],
    ];
    for (const [options, code] of refused) await expect(still(options)).rejects.toMatchObject({ code });
    expect(await list()).toEqual([]);
    expect(await custody()).toEqual([]);
    expect(blobs()).toHaveLength(1);
    expect(leftOver()).toEqual([]);
  });
});

describe('trims', () => {
  it('previews where a cut really begins and ends', async () => {
    const preview = await desk.client.invoke('derived.trimPreview', {
      clipId: clip.clipId,
      fromS: 1.5,
      toS: 2.3,
    });
    expect(preview).toMatchObject({ fromS: 1 });
    expect(preview!.toS).toBeGreaterThan(2.3);
    expect(preview!.toS).toBeLessThan(2.6);
    const made = await trim(1.5, 2.3);
    expect(made.recipe.actualS).toEqual({ from: preview!.fromS, to: preview!.toS });
    expect(Math.abs(made.sizeBytes - preview!.approximateBytes)).toBeLessThan(4000);
    const junk = aFile(place, 'b.mp4', fixture.subarray(0, 20_000));
    await desk.importFiles([junk]);
    const other = (await desk.client.invoke('clips.list', {})).find(({ fileName }) => fileName === 'b.mp4')!;
    expect(
      await desk.client.invoke('derived.trimPreview', { clipId: other.clipId, fromS: 0, toS: 1 }),
    ).toBeNull();
  });

  it('cuts as a job, with recipe, custody and exhibit, and serves the file as video', async () => {
    const caseId = await aCase();
    const made = await trim(1.5, 2.3, caseId);
    expect(made).toMatchObject({ kind: 'trim', caseId, clipId: clip.clipId });
    expect(made.fileName).toMatch(/^20260314_173209_EF_1\.000s-2\.\d{3}s_clock-unknown\.mp4$/);
    expect(made.recipe).toMatchObject({
      requestedS: { from: 1.5, to: 2.3 },
      frameIndex: null,
      output: { fileName: made.fileName, sha256: made.sha256, widthPx: 160, heightPx: 120 },
    });
    const file = desk.mediaFile(`media/derived/${made.derivedId}`)!;
    expect(file).toMatchObject({ contentType: 'video/mp4', downloadName: made.fileName });
    expect(sha256(fs.readFileSync(file.path))).toBe(made.sha256);
    expect(await exhibitsOf(caseId)).toMatchObject([
      { ref: { kind: 'derived', derivedId: made.derivedId }, title: made.fileName, sha256: made.sha256 },
    ]);
    const actions = (await desk.client.invoke('custody.list', { caseId })).entries.map(
      ({ action }) => action,
    );
    expect(actions).toEqual(['case.create', 'derive.trim', 'exhibit.add']);
    expect(leftOver()).toEqual([]);
    // The same cut again is the same file.
    expect((await trim(1.5, 2.3, caseId)).derivedId).toBe(made.derivedId);
  });

  it('leaves nothing of a canceled cut', async () => {
    const { jobId } = await desk.client.invoke('derived.trim', {
      clipId: clip.clipId,
      fromS: 0,
      toS: 4,
      caseId: null,
    });
    await desk.client.invoke('jobs.cancel', { jobId });
    expect((await endOf(desk, jobId)).state.status).toBe('canceled');
    expect(await list()).toEqual([]);
    expect(leftOver()).toEqual([]);
    expect(blobs()).toHaveLength(1);
  });

  it('says why a clip can not be cut', async () => {
    for (const [fromS, toS] of [
      [2, 1],
      [60, 61],
    ] as const) {
      await expect(trim(fromS, toS)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    const fragmented = fs.readFileSync(
      path.join(import.meta.dirname, '../media/derive/fixtures/fragmented.mp4'),
    );
    await desk.importFiles([aFile(place, 'f.mp4', fragmented)]);
    const other = (await desk.client.invoke('clips.list', {})).find(({ fileName }) => fileName === 'f.mp4')!;
    const { jobId } = await desk.client.invoke('derived.trim', {
      clipId: other.clipId,
      fromS: 0,
      toS: 1,
      caseId: null,
    });
    expect((await endOf(desk, jobId)).state).toMatchObject({
      status: 'failed',
      error: { code: 'unsupported_format', message: /fragments/ },
    });
  });
});

describe('taking away and bringing back', () => {
  it('takes a file out of its case and of the lists, and back as it was', async () => {
    const caseId = await aCase();
    const heard: unknown[] = [];
    desk.client.on('marks.changed', (payload) => heard.push(payload));
    const made = await still({ caseId });
    await desk.client.invoke('derived.remove', { derivedId: made.derivedId });
    expect(await list()).toEqual([]);
    expect(await exhibitsOf(caseId)).toEqual([]);
    expect(desk.mediaFile(`media/derived/${made.derivedId}`)).toBeNull();
    await expect(desk.client.invoke('derived.remove', { derivedId: made.derivedId })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await desk.client.invoke('derived.restore', { derivedId: made.derivedId })).toEqual(made);
    expect(await list({ caseId })).toEqual([made]);
    expect(await exhibitsOf(caseId)).toMatchObject([{ ref: { derivedId: made.derivedId } }]);
    expect((await custody()).map(({ action }) => action)).toEqual([
      'derive.still',
      'derived.remove',
      'derived.restore',
    ]);
    expect(heard).toEqual([{ caseId }, { caseId }, { caseId }]);
    await expect(
      desk.client.invoke('derived.restore', { derivedId: 'derived_gone' as DerivedId }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('does not make an exhibit again of what was taken out of the case before', async () => {
    const caseId = await aCase();
    const made = await still({ caseId });
    const [exhibit] = await exhibitsOf(caseId);
    await desk.client.invoke('cases.removeExhibit', { caseId, exhibitId: exhibit!.exhibitId });
    await desk.client.invoke('derived.remove', { derivedId: made.derivedId });
    await desk.client.invoke('derived.restore', { derivedId: made.derivedId });
    expect(await exhibitsOf(caseId)).toEqual([]);
  });

  it('keeps what another case holds, and lists it there too', async () => {
    const other = await aCase('Other');
    const made = await still();
    const ref = { kind: 'derived', derivedId: made.derivedId } as const;
    await desk.client.invoke('cases.add', { caseId: other, refs: [ref] });
    expect(await list({ caseId: other })).toEqual([made]);
    await expect(desk.client.invoke('derived.remove', { derivedId: made.derivedId })).rejects.toMatchObject({
      code: 'busy',
      message: /"Other"/,
    });
    expect(await list({ caseId: null })).toEqual([made]);
  });

  it('outlives its case, and goes with its clip', async () => {
    const caseId = await aCase();
    const made = await still({ caseId });
    await expect(desk.client.invoke('sources.remove', { sourceId: clip.sourceId })).rejects.toMatchObject({
      code: 'busy',
    });
    await desk.client.invoke('cases.remove', { caseId });
    expect(await list()).toEqual([{ ...made, caseId: null }]);
    await desk.client.invoke('sources.remove', { sourceId: clip.sourceId });
    expect(await list()).toEqual([]);
    expect(blobs()).toEqual([]);
  });

  it('keeps the bytes of a trim when the same file, imported from outside, is removed', async () => {
    const made = await trim(1, 2);
    const { path: file } = desk.mediaFile(`media/derived/${made.derivedId}`)!;
    const { sources } = await desk.importFiles([aFile(place, 'again.mp4', fs.readFileSync(file))]);
    await desk.client.invoke('sources.remove', { sourceId: sources[0]!.sourceId! });
    expect(fs.existsSync(file)).toBe(true);
  });

  it('takes back a file whose row never came, and keeps one whose row did', async () => {
    const made = await still();
    await desk.close();
    const orphan = sha256(Buffer.from('orphan'));
    const cache = openCache({ folder: place.dataFolder });
    for (const [hash, bytes] of [
      [orphan, Buffer.from('orphan')],
      [made.sha256, null],
    ] as const) {
      if (bytes) {
        const staged = path.join(place.dataFolder, 'partial', 'staged');
        fs.writeFileSync(staged, bytes);
        cache.blobs.adopt(staged, hash);
      } else fs.writeFileSync(path.join(place.dataFolder, 'partial', 'adopting', hash), '');
    }
    expect(createDerivedRepository(cache.db).isBlobUsed(made.sha256)).toBe(true);
    cache.close();
    desk = await aDesk(place);
    expect(fs.existsSync(desk.mediaFile(`media/derived/${made.derivedId}`)!.path)).toBe(true);
    expect(blobs().map((entry) => entry.name)).not.toContain(orphan);
  });
});

describe('telemetry as text', () => {
  it('gives the CSV of a clip or of a stretch of it, and null without telemetry', async () => {
    const { invoke } = desk.client;
    expect(await invoke('derived.telemetryCsv', { clipId: clip.clipId })).toBeNull();
    const startMs = Date.UTC(2026, 2, 14, 16, 32, 9);
    const bytes = withTelemetry(
      vendorFree(
        box('sttm', u64(startMs)),
        box('gps ', `[${startMs}]${rmc(startMs, { latDeg: 41.5, lngDeg: -87.25, knots: 10 })}`),
        box('3gf ', motionRecord(110, 128, 0, 0), motionRecord(220, 128, 256, 0)),
      ),
    );
    const { sources } = await desk.importFiles([aFile(place, 'c.mp4', bytes)]);
    const { clipId } = (await invoke('clips.list', {})).find(
      ({ sourceId }) => sourceId === sources[0]!.sourceId,
    )!;
    const rows = (text: string | null) => text!.split('\r\n').filter((line) => /^(gps|g-sensor),/.test(line));
    const whole = await invoke('derived.telemetryCsv', { clipId });
    expect(rows(whole).map((line) => line.split(',').slice(0, 3))).toEqual([
      ['gps', '0', '2026-03-14T16:32:09.000Z'],
      ['g-sensor', '0.11', '2026-03-14T16:32:09.110Z'],
      ['g-sensor', '0.22', '2026-03-14T16:32:09.220Z'],
    ]);
    expect(whole).toContain(sha256(bytes));
    expect(rows(await invoke('derived.telemetryCsv', { clipId, fromS: 0.1, toS: 0.2 }))).toHaveLength(1);
    // Moved against the pictures by hand: said so, and the slice is by the pictures.
    const subject = { kind: 'telemetry', clipId } as const;
    await invoke('review.shiftClock', { subject, shiftMs: 90, reason: 'Brake lights' });
    const moved = await invoke('derived.telemetryCsv', { clipId, fromS: 0.1, toS: 0.3 });
    expect(rows(moved).map((line) => line.split(',')[2])).toEqual(['2026-03-14T16:32:09.200Z']);
    expect(moved).toContain('Brake lights');
  });
});

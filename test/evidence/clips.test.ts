import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMarkRepository } from '../../main/cache/markRepository.ts';
import { createClockRepository } from '../../main/cache/clockRepository.ts';
import { createClocksInUse } from '../../main/desk/sealClocks.ts';
import { prepareClips } from '../../main/desk/sealClips.ts';
import { readSealFacts } from '../../main/evidence/sealFacts.ts';
import { verifyPackage } from '../../main/evidence/verifier.ts';
import type { Mark } from '../../shared/contract/marks.ts';
import type { CaseId, ClipId, MarkId } from '../../shared/ids.ts';
import {
  addClips,
  closeClipCase,
  folderOf,
  frontBytes,
  jsonOf,
  openClipCase,
  optionBytes,
  sealedFiles,
  type ClipCase,
} from './clipCase.ts';
import { aClip, aDerived, clipBytes, clipName, clipStartMs } from './clipSupport.ts';
import { failures, sha256, unpacked } from './forgery.ts';
import { run, type World } from './support.ts';

let bench: ClipCase;
let world: World;
let out: string;
let caseId: CaseId;
let front: ClipId;
let option: ClipId;
const laterMs = clipStartMs + 20_000;

beforeEach(async () => {
  bench = await openClipCase();
  ({ world, out, caseId, front, option } = bench);
});
afterEach(() => closeClipCase(bench));

const add = (...clipIds: readonly ClipId[]): Promise<void> => addClips(world, caseId, ...clipIds);
const sealed = (choice: Parameters<World['seal']>[2] = {}): Promise<Map<string, Buffer>> =>
  sealedFiles({ world, out, caseId }, choice);

describe('a package with clips', () => {
  it('holds them bit for bit by camera, with their telemetry, and standard tools agree with verify', async () => {
    const file = path.join(out, 'bag.zip');
    await world.seal(caseId, file);
    const content = unpacked(file, path.join(out, 'x'));
    expect(folderOf(content, 'clips')).toEqual([
      'data/clips/P1/20260314_173210_EF.mp4',
      'data/clips/P1/20260314_173210_EO.mp4',
    ]);
    expect(content.get('data/clips/P1/20260314_173210_EF.mp4')!.equals(frontBytes)).toBe(true);
    expect(content.get('data/clips/P1/20260314_173210_EO.mp4')!.equals(optionBytes)).toBe(true);
    expect(folderOf(content, 'sources')).toEqual([]);
    const csv = content.get('data/telemetry/20260314_173210_EF.mp4.csv')!.toString();
    expect(csv).toContain(sha256(frontBytes));
    expect(csv.split('\r\n').filter((line) => line.startsWith('gps,'))).toHaveLength(20);
    expect(csv.split('\r\n').filter((line) => line.startsWith('g-sensor,'))).toHaveLength(200);
    const bag = path.join(out, 'x', 'bag');
    for (const [program, list] of [
      ['sha256sum', 'manifest-sha256.txt'],
      ['sha512sum', 'manifest-sha512.txt'],
    ] as const) {
      expect(run(program, ['-c', list], bag)).toContain('data/clips/P1/20260314_173210_EO.mp4: OK');
    }
    const key = ['-pubin', '-inkey', 'signature/public-key.pem', '-in', 'tagmanifest-sha256.txt'];
    const said = run(
      'openssl',
      ['pkeyutl', '-verify', '-rawin', ...key, '-sigfile', 'signature/tagmanifest.sig'],
      bag,
    );
    expect(said).toContain('Signature Verified Successfully');
    expect(failures(await verifyPackage(file))).toBe('');
    expect(
      fs.readdirSync(path.join(world.folder, 'partial')).filter((name) => name.startsWith('seal-')),
    ).toEqual([]);
  });

  it('says what the clips are, how their clocks are known and what each stream covers', async () => {
    const content = await sealed();
    const evidence = jsonOf(content, 'evidence.json');
    expect(evidence.schemaVersion).toBe(2);
    expect(evidence.nothingLeftOut).toBe(true);
    expect(evidence.clips[0]).toMatchObject({
      clipId: front,
      fileName: clipName(),
      sha256: sha256(frontBytes),
      sizeBytes: frontBytes.length,
      psn: 'P1',
      direction: 'front',
      start: '2026-03-14T22:32:10Z',
      end: '2026-03-14T22:32:30Z',
      durationSeconds: 20,
      video: { codec: 'avc1.64001f', frames: 600 },
      hasAudio: false,
      damage: [],
      telemetry: {
        positions: { withFix: 20, withoutFix: 0 },
        gSensor: { samples: 200, peakG: expect.any(Number) },
      },
    });
    const { path: csvPath, sha256: csvHash } = evidence.clips[0].telemetry;
    expect(sha256(content.get(csvPath)!)).toBe(csvHash);
    const [camera] = evidence.coverage.clips;
    expect(camera).toMatchObject({
      psn: 'P1',
      clips: 2,
      from: '2026-03-14T22:32:10Z',
      to: '2026-03-14T22:32:30Z',
    });
    expect(
      camera.streams.map((one: { stream: string; statement: string }) => [one.stream, one.statement]),
    ).toEqual([
      ['front', 'none missing'],
      ['option', 'none missing'],
      ['gps', 'none missing'],
      ['g-sensor', 'none missing'],
    ]);
    const clock = jsonOf(content, 'clock.json');
    expect(clock.clips[0]).toMatchObject({
      clipId: front,
      cameraWallClock: '2026-03-14T17:32:10',
      utcOffsetMinutes: -300,
      start: '2026-03-14T22:32:10Z',
      origin: 'clip-gps',
      inTheClipItself: { source: 'rmc+sttm', gpsPairs: 20, spreadSeconds: 0 },
      uncertaintySeconds: 1,
      utcSecondsPerClipSecond: 1,
      shiftSeconds: null,
      setBy: null,
      setAt: null,
    });
    expect(clock.clips[0].howFound).toMatch(/20 GPS times/);
  });

  it('states the gaps of each stream in seconds over the range', async () => {
    const gapMs = 60_000;
    const nextMs = laterMs + gapMs;
    await add(
      await aClip(world, clipName(nextMs), clipBytes({ startMs: nextMs, tag: 'next', fixes: [0, 1] })),
    );
    const { coverage } = jsonOf(await sealed({ fromMs: clipStartMs - 30_000 }), 'evidence.json');
    const streams = new Map<string, { gaps: { seconds: number }[]; missingSeconds: number }>(
      coverage.clips[0].streams.map((one: { stream: string }) => [one.stream, one]),
    );
    expect(streams.get('front')!.gaps.map((gap) => gap.seconds)).toEqual([30, 60]);
    expect(streams.get('option')!.missingSeconds).toBe(30 + 60 + 20);
    // Its last fix is 19 s into the first clip; of the second clip only the first second has one.
    expect(streams.get('gps')!.gaps.map((gap) => gap.seconds)).toEqual([30, 61, 19]);
    expect(streams.get('g-sensor')!.gaps.map((gap) => gap.seconds)).toEqual([30, 60.1]);
  });

  it('counts the pictures that a file lost when it was cut short as missing', async () => {
    const cutMs = laterMs;
    await add(
      await aClip(world, clipName(cutMs), clipBytes({ startMs: cutMs, tag: 'cut', picturesEndS: 7 })),
    );
    const { clips, coverage } = jsonOf(await sealed(), 'evidence.json');
    expect(clips.map((one: { damage: { code: string }[] }) => one.damage.map(({ code }) => code))).toContainEqual(['truncated']); // prettier-ignore
    const [front] = coverage.clips[0].streams;
    expect(front).toMatchObject({ stream: 'front', missingSeconds: 13, statement: '1 gap, 13 s missing' });
    expect(front.gaps).toMatchObject([{ from: new Date(cutMs + 7000).toISOString().replace('.000', '') }]);
  });

  it('takes clips that touch the range whole, leaves out those beside it, and says both', async () => {
    const later = await aClip(world, clipName(laterMs), clipBytes({ startMs: laterMs, tag: 'later' }));
    await add(later);
    const range = { fromMs: clipStartMs + 5000, toMs: clipStartMs + 8000 };
    const content = await sealed(range);
    expect(folderOf(content, 'clips')).toHaveLength(2);
    const evidence = jsonOf(content, 'evidence.json');
    expect(evidence.leftOut).toEqual([
      { what: `clip "${clipName(laterMs)}"`, why: expect.stringContaining('outside the range') },
    ]);
    expect(evidence.range.note).toContain('never cut');
    const { warnings } = await factsOf(range);
    expect(warnings).toContain('2 clips reach beyond the range and go in whole: originals are never cut.');
    expect(warnings.join('\n')).toMatch(/^1 clip holds sound/m);
  });

  it('without originals holds what was derived, and says which clips it was derived from', async () => {
    const still = await aDerived(world, caseId, front, 'still', Buffer.from('PNG'));
    const content = await sealed({ originals: 'none' });
    expect(folderOf(content, 'clips')).toEqual([]);
    expect(folderOf(content, 'telemetry')).toHaveLength(2);
    expect(folderOf(content, 'snapshots')).toHaveLength(2);
    const evidence = jsonOf(content, 'evidence.json');
    expect(evidence.clips[0]).toMatchObject({ path: null, sha256: sha256(frontBytes) });
    expect(evidence.derived[0]).toMatchObject({ derivedId: still.derivedId, source: { isInPackage: false } });
    expect(evidence.leftOut).toHaveLength(2);
  });

  it('is the same byte for byte whatever the order in which clips came into the case', async () => {
    await aDerived(world, caseId, front, 'trim', Buffer.from('trim'));
    const one = await sealed();
    const two = await sealed();
    expect(two.get('manifest-sha512.txt')).toEqual(one.get('manifest-sha512.txt'));
    const other = await world.cases['cases.create']({ name: 'Crossing, again' });
    await world.cases['cases.add']({
      caseId: other.caseId,
      refs: [option, front].map((clipId) => ({ kind: 'clip', clipId })),
    });
    const folder = fs.mkdtempSync(path.join(out, 'again-'));
    await world.seal(other.caseId, path.join(folder, 'bag.zip'));
    const three = unpacked(path.join(folder, 'bag.zip'), path.join(folder, 'x'));
    for (const name of [...folderOf(one, 'clips'), ...folderOf(one, 'telemetry')]) {
      expect(three.get(name)).toEqual(one.get(name));
    }
    expect(jsonOf(three, 'clock.json')).toEqual(jsonOf(one, 'clock.json'));
  });

  it('holds a clip once, also where the case has its source too', async () => {
    const before = await world.cases['cases.get']({ caseId });
    const sourceId = world.cache.db
      .prepare('SELECT source_id FROM clip WHERE clip_id = ?')
      .pluck()
      .get(front);
    const after = await world.cases['cases.add']({
      caseId,
      refs: [{ kind: 'source', sourceId: sourceId as never }],
    });
    expect(after.exhibitList).toEqual(before.exhibitList);
    // As a case of an earlier version has it.
    world.cache.db
      .prepare("INSERT INTO exhibit VALUES ('exhibit_old', ?, 'source', ?, 0)")
      .run(caseId, sourceId);
    expect(folderOf(await sealed(), 'clips')).toHaveLength(2);
  });

  it('goes with clips of unknown time, of no camera, and of one name', async () => {
    const silent = clipBytes({ tag: 'silent', hasTelemetry: false });
    const named = await aClip(world, 'copied by hand.mp4', silent, null);
    const twin = await aClip(world, clipName(), clipBytes({ tag: 'another vehicle' }), 'P2');
    const again = await aClip(
      world,
      'Copied by hand.MP4',
      clipBytes({ tag: 'x', hasTelemetry: false }),
      null,
    );
    await add(named, twin, again);
    const content = await sealed({ fromMs: clipStartMs });
    const clips = folderOf(content, 'clips');
    expect(clips).toHaveLength(5);
    expect(clips.filter((name) => name.startsWith('data/clips/unknown-camera/'))).toHaveLength(2);
    expect(folderOf(content, 'telemetry')).toHaveLength(3);
    const { clips: clocks } = jsonOf(content, 'clock.json');
    expect(clocks.find((one: { clipId: string }) => one.clipId === named)).toMatchObject({
      start: null,
      origin: 'unknown',
      uncertaintySeconds: null,
    });
    const evidence = jsonOf(content, 'evidence.json');
    expect(evidence.clips.find((one: { clipId: string }) => one.clipId === named)).toMatchObject({
      telemetry: null,
      telemetryStatement: 'no telemetry found',
    });
    const unknown = evidence.coverage.clips.find((one: { psn: string | null }) => one.psn === null);
    expect(unknown.streams[0].statement).toMatch(/unknown time/);
    const { warnings } = await factsOf({ fromMs: clipStartMs });
    expect(warnings.join('\n')).toMatch(/Of 2 clips the time is unknown, so nobody can tell/);
  });

  it('gives clips with hostile names, and cameras that differ in case alone, portable places', async () => {
    const bytes = (tag: string): Buffer => clipBytes({ tag, seconds: 1 });
    await add(
      await aClip(world, 'Ünï\u202Ecode; rm -rf.mp4', bytes('a'), '../../etc/passwd'),
      await aClip(world, 'con.mp4', bytes('b'), 'CON'),
      await aClip(world, `${'x'.repeat(150)}.mp4`, bytes('c'), 'p1'),
    );
    const content = await sealed();
    const clips = folderOf(content, 'clips');
    expect(clips).toHaveLength(5);
    for (const name of content.keys()) {
      expect(name).toMatch(/^[A-Za-z0-9 ._()+=/-]+$/);
      expect(name.length).toBeLessThan(200);
    }
    expect(new Set(clips.map((name) => name.split('/')[2])).size).toBe(3);
    const { clips: stated } = jsonOf(content, 'evidence.json');
    expect(stated.map((one: { fileName: string }) => one.fileName)).toContain('Ünï\u202Ecode; rm -rf.mp4');
  });

  it('states clocks that were set by hand, with who, when and why', async () => {
    const settings = createClockRepository(world.cache.db);
    const set = { startUtcMs: null, reason: 'by the traffic light', actor: 'Inge', setAtMs: clipStartMs };
    settings.set({ kind: 'clip', clipId: front }, { ...set, shiftMs: 1500 });
    settings.set({ kind: 'telemetry', clipId: option }, { ...set, shiftMs: -250 });
    const content = await sealed();
    const { clips } = jsonOf(content, 'clock.json');
    const clockOf = (clipId: ClipId) => clips.find((one: { clipId: string }) => one.clipId === clipId);
    expect(clockOf(front)).toMatchObject({
      start: '2026-03-14T22:32:11.500Z',
      shiftSeconds: 1.5,
      setBy: 'Inge',
      setAt: '2026-03-14T22:32:10Z',
      reason: 'by the traffic light',
      inTheClipItself: { start: '2026-03-14T22:32:10Z' },
      telemetrySetByHand: null,
    });
    expect(clockOf(option).telemetrySetByHand).toMatchObject({ shiftSeconds: -0.25, setBy: 'Inge' });
    const csv = content.get('data/telemetry/20260314_173210_EF.mp4.csv')!.toString();
    expect(csv).toContain('by the traffic light');
    expect((await factsOf()).warnings.join('\n')).toMatch(/clock of 2 clips was set by hand/);
  });

  it('says so where the lengths of two lenses of one recording drifted apart', async () => {
    const other = await world.cases['cases.create']({ name: 'Drift' });
    const [a, b] = [
      await aClip(world, clipName(), clipBytes({ tag: 'long', seconds: 100 }), 'P3'),
      await aClip(
        world,
        clipName(clipStartMs, 'EO'),
        clipBytes({ tag: 'short', seconds: 100, frames: 2995 }),
        'P3',
      ),
    ];
    await world.cases['cases.add']({
      caseId: other.caseId,
      refs: [a, b].map((clipId) => ({ kind: 'clip', clipId })),
    });
    caseId = other.caseId;
    const { clips } = jsonOf(await sealed(), 'clock.json');
    expect(clips[0]).toMatchObject({ utcSecondsPerClipSecond: 1, driftNote: null });
    expect(clips[1]).toMatchObject({
      utcSecondsPerClipSecond: 3000 / 2995,
      driftNote: expect.stringContaining('drifted apart'),
    });
  });

  it('holds marks with their words and where on which clip they are', async () => {
    const marks = createMarkRepository(world.cache.db);
    const mark: Mark = {
      markId: 'mark_1' as MarkId,
      caseId,
      kind: 'range',
      fromMs: clipStartMs + 4000,
      toMs: clipStartMs + 6000,
      uncertaintyMs: 1000,
      from: { clipId: front, clipS: 4 },
      to: { clipId: front, clipS: 6 },
      title: 'Impact',
      note: 'The van brakes.',
      tags: ['impact'],
      actor: 'Inge',
      madeAtMs: clipStartMs,
      editedAtMs: null,
    };
    marks.insert(mark);
    marks.insert({
      ...mark,
      markId: 'mark_2' as MarkId,
      fromMs: laterMs + 9e6,
      toMs: null,
      kind: 'bookmark',
    });
    const evidence = jsonOf(await sealed({ toMs: laterMs }), 'evidence.json');
    expect(evidence.marks).toMatchObject([
      {
        markId: 'mark_1',
        kind: 'range',
        from: '2026-03-14T22:32:14Z',
        to: '2026-03-14T22:32:16Z',
        uncertaintySeconds: 1,
        onClip: { clipId: front, seconds: 4 },
        title: 'Impact',
        note: 'The van brakes.',
        tags: ['impact'],
        madeBy: 'Inge',
      },
    ]);
    expect(evidence.leftOut[0].what).toBe('1 bookmark or range of the case');
  });

  it('takes a clip that nobody can read, as it is', async () => {
    const broken = Buffer.concat([frontBytes.subarray(0, 600), Buffer.from('cut off')]);
    const clipId = await aClip(world, clipName(laterMs), broken);
    await add(clipId);
    const content = await sealed();
    expect(content.get(`data/clips/P1/${clipName(laterMs)}`)!.equals(broken)).toBe(true);
    const evidence = jsonOf(content, 'evidence.json');
    expect(evidence.clips.find((one: { clipId: string }) => one.clipId === clipId).damage).not.toEqual([]);
    expect((await factsOf()).warnings.join('\n')).toMatch(/1 clip is damaged/);
  });

  it('is not made when a clip is gone from the cache, is another, or came in while it was prepared', async () => {
    const blob = world.cache.blobs.pathOf(sha256(optionBytes));
    fs.chmodSync(blob, 0o600);
    fs.writeFileSync(blob, Buffer.concat([optionBytes.subarray(0, -1), Buffer.from('X')]));
    await expect(sealed()).rejects.toMatchObject({ code: 'blob_changed' });
    fs.rmSync(blob);
    await expect(sealed()).rejects.toMatchObject({ code: 'blob_missing' });
    fs.writeFileSync(blob, optionBytes);
    const { prepared, discard } = await prepare();
    await add(await aClip(world, clipName(laterMs), clipBytes({ startMs: laterMs, tag: 'later' })));
    expect(() => readSealFacts(world.cache, { caseId, originals: 'whole' }, prepared)).toThrow(
      expect.objectContaining({ code: 'busy' }),
    );
    discard();
    expect(fs.readdirSync(out).filter((name) => name.endsWith('.zip'))).toEqual([]);
  });
});

async function prepare() {
  return prepareClips(world.cache, caseId, createClocksInUse(world.cache), {
    signal: new AbortController().signal,
    progress: () => {},
  });
}
async function factsOf(range: { fromMs?: number; toMs?: number } = {}) {
  const { prepared, discard } = await prepare();
  try {
    return readSealFacts(world.cache, { caseId, originals: 'whole', ...range }, prepared);
  } finally {
    discard();
  }
}

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  cutClipHere,
  previewCutHere,
  shapeOfHere,
  type CutResult,
} from '../../../main/media/derive/cutClip.ts';
import { readClipHere } from '../../../main/media/telemetry/clipReading.ts';
import { box, ClipFolder, clip, fileType, movie, track, u32, vendorFree } from '../telemetry/clipWriter.ts';
import { readMp4, type ReadTrack } from './readMp4.ts';

const files = new ClipFolder();
afterAll(() => files.remove());

const fixtureFolder = path.join(import.meta.dirname, 'fixtures');
const simulated = path.join(import.meta.dirname, '../../simulator/clips');
const fixture = (name: string): string => path.join(fixtureFolder, `${name}.mp4`);
/** What makes a cut hard, each in one clip (makeFixtures.mjs), and what cameras of the simulator record. */
const whole = ['bframes', 'vfr', 'opengop', 'hevc', 'turned'].map(fixture);
const recorded = fs
  .readdirSync(simulated)
  .filter((name) => name.endsWith('.mp4'))
  .map((name) => path.join(simulated, name));

let cuts = 0;
function cut(file: string, fromS: number, toS: number): { result: CutResult; bytes: Buffer; out: string } {
  const out = path.join(files.folder, `cut-${++cuts}.mp4`);
  const result = cutClipHere(file, path.basename(file), { fromS, toS }, out);
  return { result, bytes: fs.readFileSync(out), out };
}
const video = (tracks: readonly ReadTrack[]): ReadTrack => tracks.find(({ type }) => type === 'video')!;
const sound = (tracks: readonly ReadTrack[]): ReadTrack | undefined =>
  tracks.find(({ type }) => type === 'audio');

/** Where the samples of the cut lie among those of the original. */
function placeIn(original: ReadTrack, part: ReadTrack): number {
  const first = part.samples[0]!.bytes;
  const starts = original.samples.flatMap((sample, i) => (sample.bytes.equals(first) ? [i] : []));
  return starts.find((start) => part.samples.every((one, i) => original.samples[start + i]?.bytes.equals(one.bytes))) ?? -1; // prettier-ignore
}

/** Everything that a lossless cut promises, by an independent reading of both files. */
function expectLossless(file: string, fromS: number, toS: number): CutResult {
  const original = readMp4(fs.readFileSync(file));
  const { result, bytes } = cut(file, fromS, toS);
  const made = readMp4(bytes);
  const [before, after] = [video(original), video(made)];
  expect(result.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(result.sizeBytes).toBe(bytes.length);

  // The same samples, with the same descriptions and clock, beginning with a key frame.
  const start = placeIn(before, after);
  expect(start).toBeGreaterThanOrEqual(0);
  expect(after.samples[0]!.isKey).toBe(true);
  expect(after.description.equals(before.description)).toBe(true);
  const { codec, timescale, widthPx, matrix, language } = before;
  expect(after).toMatchObject({ codec, timescale, widthPx, matrix, language });
  after.samples.forEach((sample, i) => {
    const from = before.samples[start + i]!;
    expect([sample.isKey, sample.lengthTicks]).toEqual([from.isKey, from.lengthTicks]);
    // Each frame is shown exactly as long after the first as in the original.
    expect(sample.shownS).toBeCloseTo(from.shownS - result.fromS, 6);
  });

  // It begins with the last key frame at or before what was asked for, and holds all that is shown until then.
  const keys = before.samples.filter((sample) => sample.isKey && sample.shownS <= fromS + 1e-6);
  const latest = keys.length > 0 ? Math.max(...keys.map(({ shownS }) => shownS)) : before.samples[0]!.shownS;
  expect(result.fromS).toBeCloseTo(Math.max(0, latest), 6);
  const shown = after.samples.filter((sample) => sample.isShown).map(({ shownS }) => shownS);
  const wanted = before.samples
    .filter(({ shownS, isShown }) => isShown && shownS >= result.fromS - 1e-6 && shownS < result.toS - 1e-6)
    .map(({ shownS }) => shownS - result.fromS);
  expect(shown.length).toBe(result.frames);
  expect([...shown].sort((a, b) => a - b).map((s) => s.toFixed(4))).toEqual(
    wanted.sort((a, b) => a - b).map((s) => s.toFixed(4)),
  );
  const last = Math.max(...before.samples.map(({ shownS }) => shownS));
  expect(result.toS).toBeGreaterThan(Math.min(toS, last));

  const [heard, kept] = [sound(original), sound(made)];
  if (heard) {
    const at = placeIn(heard, kept!);
    expect(at).toBeGreaterThanOrEqual(0);
    expect(kept!.description.equals(heard.description)).toBe(true);
    // In step with the pictures, to half a tick of the sound.
    kept!.samples.forEach((sample, i) => {
      expect(Math.abs(sample.shownS + result.fromS - heard.samples[at + i]!.shownS)).toBeLessThan(1 / heard.timescale); // prettier-ignore
    });
    const inside = heard.samples.filter(
      ({ shownS, isShown, lengthTicks }) =>
        isShown && shownS < result.toS - 1e-3 && shownS + lengthTicks / heard.timescale > result.fromS + 1e-3,
    );
    expect(kept!.samples.length).toBeGreaterThanOrEqual(inside.length);
    expect(kept!.samples.length).toBeLessThanOrEqual(inside.length + 3);
  }
  return result;
}

describe('a lossless cut', () => {
  it.each([...whole, ...recorded].map((file) => [path.basename(file), file] as const))(
    'keeps every sample of %s and its time',
    (_, file) => {
      const { durationS } = readClipHere(file).facts;
      for (const [from, to] of [
        [0, durationS!],
        [0.3, 0.5],
        [durationS! * 0.4, durationS! * 0.7],
        [durationS! - 0.05, durationS! + 5],
      ] as const)
        expectLossless(file, from, to);
    },
  );

  it('does so wherever it is asked to cut', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.double({ min: 0, max: 4.2, noNaN: true }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (file, fromS, lengthS) => void expectLossless(file, fromS, fromS + lengthS),
      ),
      { numRuns: 60 },
    );
  });

  it('gives the same file for the same cut, and previews what it gives', () => {
    for (const file of whole) {
      const [first, second] = [cut(file, 1.2, 2.6), cut(file, 1.2, 2.6)];
      expect(first.bytes.equals(second.bytes)).toBe(true);
      const { fromS, toS, frames } = first.result;
      const preview = previewCutHere(file, 'a.mp4', { fromS: 1.2, toS: 2.6 })!;
      expect(preview).toMatchObject({ fromS, toS, frames });
      expect(Math.abs(preview.approximateBytes - first.bytes.length)).toBeLessThan(4000);
    }
  });

  it('can be cut again, and is read as any clip is', () => {
    const { out, result } = cut(fixture('bframes'), 1.5, 3.5);
    const again = expectLossless(out, 1.2, 1.6);
    expect(again.fromS).toBeCloseTo(1, 6);
    const { facts, frames } = readClipHere(out, { wantsFrames: true });
    expect(facts).toMatchObject({ damage: [], hasAudio: true, isFragmented: false });
    expect(frames!.timesS.length).toBe(result.frames);
    expect(frames!.timesS[0]).toBe(0);
  });

  it('says what is not in it', () => {
    const bytes = fs.readFileSync(fixture('bframes'));
    const camera = files.write(Buffer.concat([bytes, vendorFree(box('cprt', 'Maker\0'))]));
    const { result } = cut(camera, 0, 1);
    expect(result.lost.join()).toMatch(/"free".*telemetry .* CSV/);
    expect(cut(fixture('opengop'), 2, 3).result.lost.join()).toMatch(/One frame .* hidden/);
    expect(cut(fixture('hevc'), 2, 3).result.lost.join()).toMatch(/"sdtp"/);
  });

  it('cuts what is there of a file that is cut short, and says so', () => {
    // With its index in front, as every cut has it.
    const { bytes } = cut(fixture('bframes'), 0, 10);
    const short = files.write(bytes.subarray(0, Math.floor(bytes.length * 0.6)));
    const { result, bytes: made } = cut(short, 0, 4);
    expect(result.toS).toBeGreaterThan(1);
    expect(result.toS).toBeLessThan(3.5);
    expect(result.lost.join()).toMatch(/ends sooner than asked for/);
    const samples = video(readMp4(made)).samples;
    expect(samples.every((one, i) => one.bytes.equals(video(readMp4(bytes)).samples[i]!.bytes))).toBe(true);
    expect(() => cut(short, 3.9, 4)).not.toThrow(); // from the last key frame that is there
  });

  it('knows the size in which pictures are shown, and when each is', () => {
    expect(shapeOfHere(fixture('turned'), 't.mp4').sizes).toEqual([{ width: 120, height: 160 }]);
    const { frames, endS, sizes } = shapeOfHere(fixture('vfr'), 'v.mp4');
    expect(sizes).toEqual([{ width: 160, height: 120 }]);
    expect(frames).toEqual(readClipHere(fixture('vfr'), { wantsFrames: true }).frames);
    expect(endS).toBeGreaterThan(frames!.timesS.at(-1)!);
    const { width, height } = { width: 720, height: 480 };
    const anamorphic = clip(box('free'));
    expect(shapeOfHere(files.write(anamorphic), 'a.mp4').sizes).toEqual([{ width: 1920, height: 1080 }]);
    const entry = box('avc1', Buffer.alloc(24), Buffer.from([width >> 8, width & 255, height >> 8, height & 255]), Buffer.alloc(50), box('pasp', u32(40), u32(33))); // prettier-ignore
    const wide = files.write(
      Buffer.concat([fileType, movie(track({ entry })), box('mdat', Buffer.alloc(64))]),
    );
    expect(shapeOfHere(wide, 'w.mp4').sizes).toEqual([
      { width, height },
      { width: 873, height },
    ]);
  });

  it('refuses what can not be cut without loss, each with its reason', () => {
    const refused = (file: string) => {
      try {
        cut(file, 0, 1);
      } catch (thrown) {
        return thrown;
      }
      return null;
    };
    expect(refused(fixture('fragmented'))).toMatchObject({
      code: 'unsupported_format',
      message: /fragments/,
    });
    expect(previewCutHere(fixture('fragmented'), 'f.mp4', { fromS: 0, toS: 1 })).toBeNull();
    const encrypted = Buffer.concat([fileType, movie(track({ format: 'encv' })), box('mdat')]);
    expect(refused(files.write(encrypted))).toMatchObject({
      code: 'unsupported_format',
      message: /encrypted/,
    });
    for (const bytes of [
      Buffer.concat([fileType, box('mdat', Buffer.alloc(100))]),
      Buffer.concat([fileType, movie(track({ handler: 'soun' })), box('mdat')]),
      Buffer.concat([fileType, movie(track({ times: [] })), box('mdat')]),
    ]) {
      expect(refused(files.write(bytes))).toMatchObject({ code: 'entry_damaged' });
    }
    // An index that names the same bytes over and over: a gigabyte out of a few.
    const sizesBytes = Array<number>(1000).fill(1_000_000);
    const bomb = Buffer.concat([
      fileType,
      movie(
        track({
          times: [[1000, 1000]],
          sizesBytes,
          samplesPerChunk: 1,
          chunkOffsets: Array<number>(1000).fill(0),
        }),
      ),
      box('mdat', Buffer.alloc(1_200_000)),
    ]);
    expect(refused(files.write(bomb))).toMatchObject({ code: 'entry_damaged', message: /more media/ });
    expect(refused(path.join(files.folder, 'missing.mp4'))).toMatchObject({ code: 'file_unreadable' });
  });
});

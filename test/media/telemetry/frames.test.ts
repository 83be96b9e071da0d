import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readClipHere } from '../../../main/media/telemetry/clipReading.ts';
import { box, ClipFolder, fileType, movie, movieHeader, track, u32 } from './clipWriter.ts';

const files = new ClipFolder();
afterAll(() => files.remove());
const framesOf = (options: Parameters<typeof track>[0]) =>
  readClipHere(
    files.write(Buffer.concat([fileType, movie(track({ timescale: 1000, ...options })), box('mdat')])),
    { wantsFrames: true },
  ).frames!;

describe('the frames of a clip', () => {
  it('have the times and the key frames of a real encoder’s file', () => {
    const file = path.join(import.meta.dirname, '../../simulator/clips/drive-front-main.mp4');
    const { timesS, isKeyFrame } = readClipHere(file, { wantsFrames: true }).frames!;
    expect(timesS).toHaveLength(600);
    timesS.forEach((time, i) => expect(time).toBeCloseTo(i / 30, 9));
    expect([...isKeyFrame]).toEqual(Array.from({ length: 600 }, (_, i) => (i % 30 === 0 ? 1 : 0)));
    expect(readClipHere(file).frames).toBeNull();
  });

  it('follow a varying rate', () => {
    expect([...framesOf({ times: [[2, 40], [1, 100], [2, 10]] }).timesS]).toEqual([0, 0.04, 0.08, 0.18, 0.19]); // prettier-ignore
  });

  it('come in the order of showing where frames are decoded in another', () => {
    // I P B B: decoded 0 1 2 3, shown 0 3 1 2, moved by one frame so that none is shown before it is decoded.
    const frames = framesOf({ times: [[4, 40]], shifts: [[1, 40], [1, 120], [2, 0]], edits: [[160, 40]], keyFrames: [1, 2] }); // prettier-ignore
    expect([...frames.timesS].map((time) => Math.round(time * 1000))).toEqual([0, 40, 80, 120]);
    expect([...frames.isKeyFrame]).toEqual([1, 0, 0, 1]);
  });

  it('begin where the edit list begins, after what it leaves empty', () => {
    expect([...framesOf({ times: [[4, 40]], edits: [[100, 0xffff_ffff], [80, 80]] }).timesS]).toEqual([0.1, 0.14]); // prettier-ignore
  });

  it('are all key frames without a table of them', () => {
    expect([...framesOf({ times: [[3, 40]], keyFrames: null }).isKeyFrame]).toEqual([1, 1, 1]);
    expect([...framesOf({ times: [[3, 40]], keyFrames: [0, 2, 9_999_999] }).isKeyFrame]).toEqual([0, 1, 0]);
  });

  it('are none where the file has not a byte for each', () => {
    const lie = box(
      'stbl',
      box('stts', u32(0), u32(1), u32(0xffff_ffff), u32(1)),
      box('stsz', u32(0), u32(1), u32(0xffff_ffff)),
    );
    const bytes = Buffer.concat([fileType, movie(track({ stbl: lie })), box('mdat')]);
    const { frames, facts } = readClipHere(files.write(bytes), { wantsFrames: true });
    expect(frames).toBeNull();
    expect(facts.video).toMatchObject({ frames: 0, keyFrames: 0, fps: null });
    expect(facts.damage.map(({ code }) => code)).toEqual(['damaged-index', 'no-frames']);
  });
});

describe('the frames of a fragmented file', () => {
  const fixture = (name: string): string => path.join(import.meta.dirname, `../derive/fixtures/${name}.mp4`);
  const empty = track({ timescale: 1000, times: [], sizesBytes: [], chunkOffsets: [] });
  const defaults = (duration: number, flags = 0) => box('mvex', box('trex', u32(0), u32(1), u32(1), u32(duration), u32(1), u32(flags))); // prettier-ignore
  const moof = (...runs: Buffer[]) => box('moof', box('mfhd', u32(0), u32(1)), ...runs);
  const fragmented = (index: Buffer, ...fragments: Buffer[]) =>
    Buffer.concat([fileType, box('moov', movieHeader(1000, 0), index, empty), ...fragments, box('mdat', Buffer.alloc(64))]); // prettier-ignore
  const read = (bytes: Buffer) => readClipHere(files.write(bytes), { wantsFrames: true });
  const rounded = (times: Float64Array): number[] => [...times].map((time) => Math.round(time * 1e6) / 1e6);

  it('are those of the same recording in one piece, as a real encoder writes both', () => {
    const whole = readClipHere(fixture('bframes'), { wantsFrames: true });
    const pieces = readClipHere(fixture('fragmented'), { wantsFrames: true });
    // Without an edit list the 80 ms by which frames are decoded early stay in front.
    expect(rounded(pieces.frames!.timesS)).toEqual(rounded(whole.frames!.timesS.map((time) => time + 0.08)));
    expect([...pieces.frames!.isKeyFrame]).toEqual([...whole.frames!.isKeyFrame]);
    expect(pieces.facts).toMatchObject({ isFragmented: true, damage: [], video: whole.facts.video });
    expect(pieces.facts.durationS).toBeCloseTo(whole.facts.durationS!, 3);
  });

  it('follow the defaults of index and fragment, the run, and the decoding time', () => {
    const { facts, frames } = read(
      fragmented(
        defaults(40, 0x10000),
        // The index's defaults; the first frame with flags of its own.
        moof(box('traf', box('tfhd', u32(0), u32(1)), box('trun', u32(0x4), u32(3), u32(0)))),
        // A length of the fragment's, after a gap.
        moof(box('traf', box('tfhd', u32(0x8), u32(1), u32(50)), box('tfdt', u32(0), u32(1000)), box('trun', u32(0), u32(2)))), // prettier-ignore
        // Lengths, flags and moves of each frame; and another track's fragment.
        moof(box('traf', box('tfhd', u32(0), u32(1)), box('trun', u32(0x0100_0d00), u32(2), u32(10), u32(0), u32(10), u32(20), u32(0x10000), u32(-10))), box('traf', box('tfhd', u32(0), u32(2)), box('trun', u32(0), u32(9)))), // prettier-ignore
      ),
    );
    expect(rounded(frames!.timesS)).toEqual([0, 0.04, 0.08, 1, 1.05, 1.1, 1.11]);
    expect([...frames!.isKeyFrame]).toEqual([1, 0, 0, 0, 0, 0, 1]);
    expect(facts).toMatchObject({ durationS: 0.25, damage: [], video: { frames: 7, keyFrames: 2, isConstantRate: false } }); // prettier-ignore
  });

  it('come after those that the index names itself', () => {
    const index = box(
      'moov',
      movieHeader(1000, 0),
      defaults(50),
      track({ timescale: 1000, times: [[2, 40]] }),
    );
    const run = moof(box('traf', box('tfhd', u32(0), u32(1)), box('trun', u32(0), u32(2))));
    const { facts, frames } = read(Buffer.concat([fileType, index, box('mdat', Buffer.alloc(300)), run, box('mdat')])); // prettier-ignore
    expect(rounded(frames!.timesS)).toEqual([0, 0.04, 0.08, 0.13]);
    expect(facts).toMatchObject({ durationS: 0.18, damage: [], video: { frames: 4 } });
  });

  it('that claim more than there is are not believed', () => {
    const huge = moof(box('traf', box('tfhd', u32(0), u32(1)), box('trun', u32(0), u32(0xffff_ffff))));
    expect(read(fragmented(defaults(40), huge))).toMatchObject({ frames: null, facts: { damage: [{ code: 'damaged-index' }, { code: 'no-frames' }] } }); // prettier-ignore
    const short = moof(box('traf', box('tfhd', u32(0), u32(1)), box('trun', u32(0x100), u32(9), u32(40), u32(40)))); // prettier-ignore
    expect(read(fragmented(defaults(40), short))).toMatchObject({ facts: { video: { frames: 2 }, damage: [{ code: 'damaged-index' }] } }); // prettier-ignore
    expect(read(fragmented(defaults(40), moof(box('traf'))))).toMatchObject({ frames: null });
  });

  it('are said to end where the bytes of a file that is cut short end', () => {
    const whole = fs.readFileSync(
      path.join(import.meta.dirname, '../../simulator/clips/drive-front-main.mp4'),
    );
    const endS = (length: number) => read(whole.subarray(0, length)).facts.picturesEndS;
    expect(endS(whole.length)).toBeNull();
    expect(endS(whole.length - 1)).toBeCloseTo(599 / 30, 6);
    const ends = [0.4, 0.6, 0.8].map((share) => endS(Math.floor(whole.length * share))!);
    expect(ends).toEqual([...ends].sort((a, b) => a - b));
    expect(ends[0]).toBeGreaterThan(0);
    expect(ends[2]).toBeLessThan(19);
  });

  it('stay up to where the file is cut short', () => {
    const bytes = fs.readFileSync(fixture('fragmented'));
    const { facts, frames } = read(bytes.subarray(0, Math.floor(bytes.length * 0.6)));
    expect(facts.damage).toMatchObject([{ code: 'truncated' }]);
    expect(frames!.timesS.length).toBeGreaterThan(20);
    expect(frames!.timesS.length).toBeLessThan(100);
    for (let length = 8; length < bytes.length; length += 97)
      expect(read(bytes.subarray(0, length)).facts.damage.length, `${length} bytes`).toBeGreaterThanOrEqual(
        0,
      );
  });
});

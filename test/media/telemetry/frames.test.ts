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

  it('are unknown in a fragmented file, and bounded in a lying one', () => {
    const fragmented = box('moov', movieHeader(), box('mvex'), track({ times: [], sizesBytes: [] }));
    const read = (moov: Buffer) =>
      readClipHere(files.write(Buffer.concat([fileType, moov, box('mdat')])), { wantsFrames: true }).frames;
    expect(read(fragmented)).toBeNull();
    const lie = box(
      'stbl',
      box('stts', u32(0), u32(1), u32(0xffff_ffff), u32(1)),
      box('stsz', u32(0), u32(1), u32(0xffff_ffff)),
    );
    expect(read(movie(track({ stbl: lie })))!.timesS.length).toBe(2_000_000);
  });
});

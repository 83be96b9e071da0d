import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReviewSegment } from '../../../../shared/contract/review.ts';
import type { ClipId, SourceId } from '../../../../shared/ids.ts';
import {
  constantFrameTimes,
  frameIndexesOf,
  middleOfFrame,
  toFrameTimes,
} from '../../../../renderer/features/review/player/frameTimes.ts';
import { createFakeHost } from '../../fakeHost.ts';

/** Gaps between frames of 2 ms to 2 s, as seconds from 0. */
const clips = fc.array(fc.integer({ min: 2, max: 2000 }), { minLength: 1, maxLength: 200 }).map((gapsMs) => {
  let atMs = 0;
  const times = gapsMs.map((gapMs) => {
    const startMs = atMs;
    atMs += gapMs;
    return startMs / 1000;
  });
  return { times: Float64Array.from(times), durationS: atMs / 1000 };
});

describe('frame times', () => {
  it('find each frame by its start, by its middle and by a time that a UTC clock rounded', () => {
    fc.assert(
      fc.property(clips, fc.integer({ min: 0, max: 4e12 }), ({ times, durationS }, startMs) => {
        const frames = toFrameTimes(times, durationS)!;
        for (let i = 0; i < frames.count; i += 1) {
          expect(frames.indexAt(times[i]!)).toBe(i);
          expect(frames.indexAt(middleOfFrame(frames, i))).toBe(i);
          // The way over scene time, which is where a step goes.
          const sceneMs = startMs + times[i]! * 1000;
          expect(frames.indexAt((sceneMs - startMs) / 1000)).toBe(i);
        }
        expect(frames.startS(frames.count)).toBe(durationS);
        expect(frames.indexAt(-1)).toBe(0);
        expect(frames.indexAt(durationS + 5)).toBe(frames.count - 1);
      }),
    );
  });

  it('give the last frame a length where the clip claims to end before it', () => {
    const frames = toFrameTimes(Float64Array.of(0, 0.04, 0.08), 0.05)!;
    expect(frames.startS(3)).toBeCloseTo(0.12);
    expect(toFrameTimes(new Float64Array(), 3)).toBe(null);
  });

  it('are a constant rate where the index can’t be read, without claiming frame numbers', () => {
    const frames = constantFrameTimes(30, 2);
    expect(frames).toMatchObject({ count: 60, isExact: false });
    expect(frames.indexAt(1 / 30)).toBe(1);
    expect(frames.indexAt(99)).toBe(59);
    expect(constantFrameTimes(null, 1).count).toBe(25);
  });
});

const segment: ReviewSegment = {
  clipId: 'clip_a' as ClipId,
  sourceId: 'src_a' as SourceId,
  fileName: 'a.mp4',
  sha256: 'aa',
  quality: 'main',
  alternatives: [],
  startMs: 0,
  endMs: 1000,
  rate: 1,
  durationS: 1,
  joinsPrevious: false,
  typeCode: null,
  video: { codec: 'avc1.64', isH265: false, width: 320, height: 180, fps: 10, isConstantRate: true },
  hasAudio: false,
  damage: [],
  hasGps: false,
  hasGSensor: false,
  hasMetadata: false,
};

describe('frame indexes of a host', () => {
  it('are asked for once, and a constant rate stands in until they are here', async () => {
    const timesS = Float64Array.of(0, 0.5, 0.9);
    const host = createFakeHost({ 'clips.frames': async () => ({ timesS, isKeyFrame: new Uint8Array(3) }) });
    const indexes = frameIndexesOf(host);
    expect(indexes.now(segment, segment.clipId)).toMatchObject({ isExact: false, count: 10 });
    expect((await indexes.read(segment, segment.clipId)).count).toBe(3);
    expect(indexes.now(segment, segment.clipId)).toMatchObject({ isExact: true, count: 3 });
    expect(frameIndexesOf(host)).toBe(indexes);
    expect(host.asked).toHaveLength(1);
  });

  it('are asked for again after a failure, which fails nobody', async () => {
    let answers = 0;
    const host = createFakeHost({
      'clips.frames': async () => {
        answers += 1;
        if (answers === 1) throw new Error('the core is gone');
        return { timesS: Float64Array.of(0, 0.5), isKeyFrame: new Uint8Array(2) };
      },
    });
    const indexes = frameIndexesOf(host);
    expect((await indexes.read(segment, segment.clipId)).isExact).toBe(false);
    expect((await indexes.read(segment, segment.clipId)).isExact).toBe(true);
  });
});

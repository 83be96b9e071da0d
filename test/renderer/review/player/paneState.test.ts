import { describe, expect, it } from 'vitest';
import type {
  OnCardRecording,
  ReviewChannel,
  ReviewScene,
  ReviewSegment,
} from '../../../../shared/contract/review.ts';
import type { ClipId, SourceId } from '../../../../shared/ids.ts';
import {
  brokenFromS,
  brokenPictures,
  gapAt,
  isWithoutPicture,
  knownProblem,
  mergedProblem,
  problemOf,
  stoppedPictures,
} from '../../../../renderer/features/review/player/paneState.ts';
import { gapStarts, nextOf } from '../../../../renderer/features/review/player/jumps.ts';

function aSegment(startMs: number, endMs: number, more: Partial<ReviewSegment> = {}): ReviewSegment {
  return {
    clipId: `clip_${startMs}` as ClipId,
    sourceId: 'src' as SourceId,
    fileName: `${startMs}.mp4`,
    sha256: 'aa',
    quality: 'main',
    alternatives: [],
    startMs,
    endMs,
    rate: 1,
    durationS: (endMs - startMs) / 1000,
    joinsPrevious: false,
    typeCode: 'N',
    video: { codec: 'avc1.64', isH265: false, width: 320, height: 180, fps: 30, isConstantRate: true },
    hasAudio: false,
    damage: [],
    hasGps: false,
    hasGSensor: false,
    hasMetadata: false,
    ...more,
  };
}
const front: ReviewChannel = {
  channelId: 'P/F',
  psn: 'P',
  cameraName: 'Van',
  direction: 'front',
  directionCode: 'F',
  segments: [aSegment(1000, 2000), aSegment(2000, 3000, { joinsPrevious: true }), aSegment(5000, 6000)],
};
const onCard = (directionCode: string, startMs: number): OnCardRecording => ({
  psn: 'P',
  filename: 'x.mp4',
  direction: null,
  directionCode,
  typeCode: 'N',
  startMs,
  endMs: startMs + 1000,
  uncertaintyMs: null,
  listedAtMs: 0,
});
const scene: ReviewScene = {
  title: '',
  timebase: 'utc',
  fromMs: 0,
  toMs: 8000,
  focusMs: 0,
  utcOffsetMin: null,
  channels: [front],
  tracks: [],
  onCard: [onCard('F', 3500), onCard('O', 3500), onCard('F', 4600)],
  nearby: [],
  clocks: [],
  caseId: null,
  notes: [],
};

describe('gaps', () => {
  it('say from when to when, and what the card has of this lens', () => {
    expect(gapAt(scene, front, 3600)).toMatchObject({
      fromMs: 3000,
      toMs: 5000,
      onCard: [{ directionCode: 'F' }],
    });
    expect(gapAt(scene, front, 3600).onCard).toHaveLength(1);
    expect(gapAt(scene, front, 3200).onCard).toEqual([]);
    expect(gapAt(scene, front, 500)).toMatchObject({ fromMs: null, toMs: 1000 });
    expect(gapAt(scene, front, 7000)).toMatchObject({ fromMs: 6000, toMs: null });
  });

  it('begin where a view ends and nothing joins it; joins are none', () => {
    expect(gapStarts(scene, ['P/F'])).toEqual([0, 3000, 6000]);
    expect(gapStarts(scene, [])).toEqual([]);
    const cut = {
      ...front,
      segments: [aSegment(1000, 2000, { picturesEndMs: 1500 }), ...front.segments.slice(1)],
    };
    expect(gapStarts({ ...scene, channels: [cut] }, ['P/F'])).toEqual([0, 1500, 3000, 6000]);
    expect(nextOf([0, 3000, 6000], 3000, 1)).toBe(6000);
    expect(nextOf([6000, 0, 3000], 3000, -1)).toBe(0);
    expect(nextOf([0, 3000], 3020, 1)).toBe(null);
  });
});

const failed = { isDecodeError: false, atS: 0, shownS: null, soughtS: null, isOwnFile: true };
const h265 = aSegment(0, 1000, {
  video: { codec: 'hvc1.1', isH265: true, width: 1, height: 1, fps: 30, isConstantRate: true },
});

describe('why there is no picture', () => {
  it('is known of files without a video track before they are tried', () => {
    expect(knownProblem(aSegment(0, 1))).toBe(null);
    expect(knownProblem(aSegment(0, 1, { video: null, hasAudio: true }))).toEqual({ kind: 'sound-only' });
    expect(knownProblem(aSegment(0, 1, { video: null }))).toEqual({ kind: 'unreadable' });
  });

  it('is the host, the cache, the decoder or the file', () => {
    expect(problemOf(h265, failed, null, false)).toEqual({ kind: 'host' });
    expect(problemOf(h265, failed, 503, false)).toEqual({ kind: 'host' });
    expect(problemOf(h265, failed, 404, false)).toEqual({ kind: 'missing' });
    expect(problemOf(h265, failed, 206, false)).toEqual({ kind: 'no-decoder', isSaidToBeSupported: false });
    const noIndex = aSegment(0, 1, { damage: [{ code: 'no-moov', message: '' }] });
    expect(problemOf(noIndex, failed, 206, true)).toEqual({ kind: 'unreadable' });
    const cut = aSegment(0, 10_000, { damage: [{ code: 'truncated', message: '' }] });
    const atDamage = { isDecodeError: true, atS: 5.46, shownS: 5.56, soughtS: null, isOwnFile: true };
    expect(problemOf(cut, atDamage, 206, true)).toEqual({
      kind: 'ends-early',
      playedToS: 5.56,
      nothingFromS: Infinity,
    });
    expect(problemOf(cut, { ...atDamage, soughtS: 7 }, 206, true)).toMatchObject({ nothingFromS: 7 });
  });

  it('leaves the frames behind the place where playing failed to be tried one by one', () => {
    const problem = { kind: 'ends-early', playedToS: 5.5, nothingFromS: 7 } as const;
    expect(isWithoutPicture(problem, 6, true)).toBe(true);
    expect(isWithoutPicture(problem, 6, false)).toBe(false);
    expect(isWithoutPicture(problem, 7, false)).toBe(true);
    expect(isWithoutPicture(problem, 5, true)).toBe(false);
    expect(isWithoutPicture({ kind: 'host' }, 0, false)).toBe(true);
    const later = { kind: 'ends-early', playedToS: Infinity, nothingFromS: 6.5 } as const;
    expect(mergedProblem(problem, later)).toEqual({ kind: 'ends-early', playedToS: 5.5, nothingFromS: 6.5 });
    expect(mergedProblem(problem, { kind: 'no-decoder', isSaidToBeSupported: true })).toBe(problem);
    expect(mergedProblem(problem, { kind: 'host' })).toEqual({ kind: 'host' });
  });

  it('blames the file only where its facts say that bytes are missing', () => {
    const whole = aSegment(0, 10_000);
    const sought = { isDecodeError: true, atS: 5.55, shownS: null, soughtS: 5.55, isOwnFile: true };
    expect(problemOf(whole, sought, 206, true)).toMatchObject({
      kind: 'decoder-fails',
      isFileKnown: true,
      playedToS: Infinity,
      soughtS: [5.55],
    });
    for (const code of ['truncated', 'damaged-index'] as const) {
      const damaged = aSegment(0, 10_000, { damage: [{ code, message: '' }] });
      expect(problemOf(damaged, sought, 206, true).kind).toBe('ends-early');
      // Damage of the segment's own file says nothing of another quality of it.
      expect(problemOf(damaged, { ...sought, isOwnFile: false }, 206, true)).toMatchObject({
        kind: 'decoder-fails',
        isFileKnown: false,
      });
    }
    const bytesBehind = aSegment(0, 10_000, { damage: [{ code: 'foreign-bytes', message: '' }] });
    expect(problemOf(bytesBehind, sought, 206, true).kind).toBe('decoder-fails');
  });

  it('leaves every other place to be tried where the decoder failed', () => {
    const whole = aSegment(0, 10_000);
    const sought = stoppedPictures(whole, true, { playedToS: Infinity, nothingFromS: 5.55 });
    expect(isWithoutPicture(sought, 5.55, false)).toBe(true);
    expect(isWithoutPicture(sought, 5.6, false)).toBe(false);
    expect(isWithoutPicture(sought, 5.5, false)).toBe(false);
    expect(isWithoutPicture(sought, 9, false)).toBe(false);
    // Playing over it does not load the file anew for every frame.
    expect(isWithoutPicture(sought, 6, true)).toBe(true);
    expect(isWithoutPicture(sought, 7, true)).toBe(false);
    expect(isWithoutPicture(sought, 5, true)).toBe(false);
    const played = stoppedPictures(whole, true, { playedToS: 2, nothingFromS: Infinity });
    expect(isWithoutPicture(played, 2.5, true)).toBe(true);
    expect(isWithoutPicture(played, 2.5, false)).toBe(false);
    const both = mergedProblem(sought, played);
    expect(both).toMatchObject({ kind: 'decoder-fails', playedToS: 2, soughtS: [5.55] });
    expect(brokenFromS(brokenPictures(both)!)).toBe(2);
    expect(brokenPictures({ kind: 'host' })).toBe(null);
    // A decoder that takes the file no more at all is said to be that: it is not tried for ever.
    const none = { kind: 'no-decoder', isSaidToBeSupported: true } as const;
    expect(mergedProblem(sought, none)).toBe(none);
  });
});

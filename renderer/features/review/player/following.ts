import type { ReviewSegment } from '../../../../shared/contract/review.ts';
import { middleOfFrame, type FrameTimes } from './frameTimes.ts';
import { steer, toPlaybackRate } from './steering.ts';
import type { VideoSlot } from './videoSlot.ts';

/** How far a video is with what was asked of it. */
export type Progress =
  | 'ready'
  /** On its way. */
  | 'waiting'
  /** Nothing comes: the file has no picture there. */
  | 'nothing-there';

/** How long after the end of a seek its picture may still come. */
const pictureGraceMs = 250;
/** A file that ends this much before its index says so has lost pictures. */
const lostS = 0.5;
/**
 * A picture may be this late (of the window's time) before it is fetched by a seek while clock and views wait: with its
 * own duration it stays within one sample of the G-sensor (about 110 ms) of cursor and marker. Fast forward may lag
 * further, since each seek costs more pictures than it saves.
 */
const latestS = (rate: number) => (rate <= 2 ? 0.06 * Math.max(1, rate) : 0.15 * rate);

/** How long the next picture is overdue, seconds on the clip. Pure. */
export function latenessOf(times: FrameTimes, shownS: number, clipS: number): number {
  return Math.max(0, clipS - times.startS(times.indexAt(shownS) + 1));
}

/** Playing forward at `rate` scene seconds per second: keeps the video in step with the clock, or brings it there. */
export function runWith(
  slot: VideoSlot,
  segment: ReviewSegment,
  times: FrameTimes,
  clipS: number,
  rate: number,
  isHeld: boolean,
): Progress {
  const { video } = slot;
  const wanted = rate / segment.rate;
  if (video.ended && !slot.isSeeking) {
    const lastS = slot.pictureS() ?? 0;
    if (clipS < lastS) {
      slot.seek(clipS);
      return 'waiting';
    }
    // The last picture stays to the end of the clip, unless the index promised more.
    return times.startS(times.count - 1) - lastS > lostS && clipS > lastS + lostS ? 'nothing-there' : 'ready';
  }
  if (slot.isSeeking || video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) {
    if (!slot.isSeeking && Math.abs(video.currentTime - clipS) > 0.15) slot.seek(clipS);
    if (isHeld) slot.pause();
    return 'waiting';
  }
  const steering = steer(video.currentTime - clipS, wanted, video.playbackRate);
  if (steering.kind === 'seek') {
    slot.pause();
    slot.seek(clipS);
    return 'waiting';
  }
  if (isHeld) {
    slot.pause();
    return 'ready';
  }
  if (video.paused) {
    video.playbackRate = toPlaybackRate(wanted);
    slot.play();
    return 'ready';
  }
  const pictureS = slot.pictureS();
  if (pictureS !== null && latenessOf(times, pictureS, clipS) > latestS(wanted)) {
    // The decoder can't keep up: its backlog is dropped.
    slot.pause();
    slot.seek(clipS);
    return 'waiting';
  }
  if (steering.kind === 'rate') video.playbackRate = steering.playbackRate;
  return 'ready';
}

/** Paused, or running backwards: shows exactly the frame of this second. */
export function standAt(
  slot: VideoSlot,
  segment: ReviewSegment,
  times: FrameTimes,
  clipS: number,
  nowMs: number,
): Progress {
  slot.pause();
  const index = times.indexAt(clipS);
  // The middle of the frame; of a last frame, a point that surely lies on the clip.
  const startS = times.startS(index);
  const targetS = Math.min(middleOfFrame(times, index), Math.max(startS, segment.durationS - 0.002));
  const pictureS = slot.pictureS();
  const isShown = pictureS !== null && times.indexAt(pictureS) === index;
  if (!slot.isSeeking && isShown) return 'ready';
  if (slot.targetS !== targetS || slot.settledAtMs === null) {
    slot.seek(targetS);
    return 'waiting';
  }
  if (slot.isSeeking || slot.video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return 'waiting';
  if (nowMs - slot.settledAtMs < pictureGraceMs) return 'waiting';
  // The seek ended, and another picture or none stands there.
  return slot.video.ended && (pictureS === null || startS - pictureS > lostS) ? 'nothing-there' : 'ready';
}

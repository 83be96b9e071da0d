import type { Mark } from '../../../../shared/contract/marks.ts';
import type { ReviewScene, ReviewSegment } from '../../../../shared/contract/review.ts';
import { eventStarts } from '../charts/coverage.ts';
import { markersOf } from '../charts/markers.ts';
import { segmentAt } from '../model.ts';

/** Nearer than this is where the clock stands already: one frame of a slow camera. */
const hereMs = 40;
/** Clips of one recording may be this far apart without anything missing. */
const breakMs = 200;

/**
 * What a channel shows at a scene time: its segment there, and at the very end of the scene, which lies in no segment,
 * the one that ends there. Null in a gap. Pure.
 */
export function shownSegment(
  scene: Pick<ReviewScene, 'toMs'>,
  segments: readonly ReviewSegment[],
  sceneMs: number,
): ReviewSegment | null {
  const found = segmentAt(segments, sceneMs);
  if (found || sceneMs < scene.toMs) return found;
  return segments.findLast(({ endMs }) => endMs >= scene.toMs) ?? null;
}

/** The first time after (before, for -1) `nowMs`; null without one. `times` need not be in order. Pure. */
export function nextOf(times: Iterable<number>, nowMs: number, direction: 1 | -1): number | null {
  let best: number | null = null;
  for (const ms of times) {
    if ((ms - nowMs) * direction <= hereMs) continue;
    if (best === null || (ms - best) * direction < 0) best = ms;
  }
  return best;
}

/** Where a shown channel has nothing to show any more, and the scene goes on. Pure. */
export function gapStarts(scene: ReviewScene, shown: readonly string[]): readonly number[] {
  const starts: number[] = [];
  for (const { channelId, segments } of scene.channels) {
    if (!shown.includes(channelId)) continue;
    if (segments[0] && segments[0].startMs - scene.fromMs > breakMs) starts.push(scene.fromMs);
    segments.forEach(({ endMs, picturesEndMs = endMs }, i) => {
      const next = segments[i + 1];
      const untilMs = next ? next.startMs : scene.toMs;
      const isJoined = next?.joinsPrevious === true && picturesEndMs === endMs;
      if (!isJoined && untilMs - picturesEndMs > breakMs) starts.push(picturesEndMs);
    });
  }
  return starts;
}

/** Bookmarks, both ends of ranges, and events of the scene's own camera. Pure. */
export function markTimes(scene: ReviewScene, marks: readonly Mark[]): readonly number[] {
  return markersOf(scene, marks, [], eventStarts(scene)).flatMap(({ ms, toMs }) =>
    toMs === null ? [ms] : [ms, toMs],
  );
}

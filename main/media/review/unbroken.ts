import type { ClipDetail } from '../../../shared/contract/clips.ts';
import { bboxDistanceM } from './boxDistance.ts';

/** A clip on some clock: UTC, or the camera's wall clock. */
export interface TimedClip {
  readonly clip: ClipDetail;
  readonly startMs: number;
  readonly endMs: number;
}

/** Clips within this of each other were recorded without a break. */
const breakMs = 3000;

/** What may be of one vehicle: of one camera, or of unknown camera without anything that contradicts. */
function mayBeOneCamera(a: ClipDetail, b: ClipDetail, apartMs: number): boolean {
  if (a.psn !== b.psn) return false;
  if (a.psn !== null) return true;
  const makers = [a.facts?.makerText ?? null, b.facts?.makerText ?? null];
  if (makers[0] !== null && makers[1] !== null && makers[0] !== makers[1]) return false;
  // 70 m/s is faster than any road allows.
  return a.bbox === null || b.bbox === null || bboxDistanceM(a.bbox, b.bbox) <= 500 + 0.07 * apartMs;
}

/**
 * The clips around one that were recorded without a break before and after it, its other lenses and qualities
 * included, in order of time. `isCapped`: it goes on beyond `reachMs`.
 */
export function unbrokenAround(
  centre: TimedClip,
  clips: readonly TimedClip[],
  reachMs: number,
): { readonly clips: readonly TimedClip[]; readonly isCapped: boolean } {
  const line = clips
    .filter(({ clip, startMs }) => mayBeOneCamera(centre.clip, clip, Math.abs(startMs - centre.startMs)))
    .sort((a, b) => a.startMs - b.startMs);
  const taken = new Set<TimedClip>();
  let isCapped = false;
  let endMs = centre.endMs;
  for (const one of line) {
    if (one.startMs < centre.startMs) continue;
    if (one.startMs > endMs + breakMs) break;
    if (one.startMs > centre.endMs + reachMs) {
      isCapped = true;
      break;
    }
    taken.add(one);
    endMs = Math.max(endMs, one.endMs);
  }
  let startMs = centre.startMs;
  // By end, so that a long clip reaches the stretch before short ones that began later.
  for (const one of [...line].sort((a, b) => b.endMs - a.endMs)) {
    if (one.startMs >= centre.startMs) continue;
    if (one.endMs < startMs - breakMs) break;
    if (one.endMs < centre.startMs - reachMs) {
      isCapped = true;
      break;
    }
    taken.add(one);
    startMs = Math.min(startMs, one.startMs);
  }
  return { clips: line.filter((one) => taken.has(one)), isCapped };
}

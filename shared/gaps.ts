/**
 * The one rule of what a gap in recording is, for lines, timelines, passes and coverage tables: a step between
 * two points that is longer than ten seconds and longer than five times the trip's usual (median) step. A
 * camera that records every second has a gap after 10 s of silence, one that records every minute after 5 min.
 */
export const shortestGapMs = 10_000;
const usualSteps = 5;

/**
 * The step above which the trip with these times has a gap. Absent times (NaN) and backward or equal times make
 * no step; without two usable times the shortest gap counts.
 */
export function gapThresholdMs(timesMs: Float64Array, count = timesMs.length): number {
  let steps = 0;
  let short = 0;
  for (let i = 1; i < count; i++) {
    const step = timesMs[i]! - timesMs[i - 1]!;
    if (!(step > 0)) continue;
    steps++;
    if (step * usualSteps <= shortestGapMs) short++;
  }
  // With half of the steps this short the median can't raise the threshold: no need to sort.
  if (steps === 0 || short * 2 > steps) return shortestGapMs;
  const all = new Float64Array(steps);
  let at = 0;
  for (let i = 1; i < count; i++) {
    const step = timesMs[i]! - timesMs[i - 1]!;
    if (step > 0) all[at++] = step;
  }
  all.sort();
  const middle = steps >> 1;
  const median = steps % 2 === 1 ? all[middle]! : (all[middle - 1]! + all[middle]!) / 2;
  return Math.max(shortestGapMs, usualSteps * median);
}

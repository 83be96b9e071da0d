import { keepSpeedChanges } from './speedVertices.ts';

/**
 * Line simplification for the map: which recorded points of a track are worth drawing at which zoom level.
 * Douglas-Peucker in Web-Mercator pixels, run once to the finest level asked for; each point gets the coarsest
 * level at which it is still needed, so that levels nest and one run serves them all. Points are kept or left
 * out, never moved: whatever is drawn was recorded.
 */

/**
 * A left-out point lies at most this far from the line of the shape's points, in pixels of its level; at most twice
 * as far from the drawn line, to which the points where speed changes are added.
 */
export const tolerancePixels = 0.5;
/** Level of a point that no level up to the one asked for needs. */
export const unneeded = 255;

const tilePixels = 256;
const widestLatDeg = 85.051128779806;
/**
 * Longest run that is simplified as one; its ends are kept. Douglas-Peucker may need the square of a run's
 * length (a spiral does): this bounds a hostile track of a million points to a few seconds.
 */
const longestRun = 4096;

/**
 * Returns for each point the coarsest level (0 to `finestLevel`) that needs it, or `unneeded`. `isBreak[i]` is 1
 * where the line from point i - 1 to i is a gap in recording: both its ends are kept at every level. With speeds
 * (km/h, NaN absent) the points at which the colour of the line changes are kept too, where that can be seen.
 */
export function pointLevels(
  latDeg: Float64Array,
  lngDeg: Float64Array,
  isBreak: Uint8Array,
  finestLevel: number,
  speedKmh: Float64Array | null = null,
): Uint8Array {
  const count = latDeg.length;
  const levels = new Uint8Array(count).fill(unneeded);
  if (count === 0) return levels;
  // Pixels of level 0, so that a level's tolerance is tolerancePixels / 2 ** level. Longitudes are unrolled: a
  // track across the 180th meridian goes on instead of jumping round the world.
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  let turns = 0;
  for (let i = 0; i < count; i++) {
    if (i > 0) {
      const step = lngDeg[i]! - lngDeg[i - 1]!;
      if (step > 180) turns--;
      else if (step < -180) turns++;
    }
    x[i] = ((lngDeg[i]! + 180) / 360 + turns) * tilePixels;
    const sine = Math.sin((Math.min(widestLatDeg, Math.max(-widestLatDeg, latDeg[i]!)) * Math.PI) / 180);
    y[i] = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * tilePixels;
  }
  let start = 0;
  levels[0] = 0;
  for (let i = 1; i <= count; i++) {
    const isEnd = i === count || isBreak[i] === 1;
    if (!isEnd && i - start < longestRun) continue;
    const last = isEnd ? i - 1 : i;
    levels[last] = 0;
    simplifyRun(x, y, start, last, finestLevel, levels);
    start = i;
    if (i < count) levels[i] = 0;
  }
  if (speedKmh !== null) keepSpeedChanges(x, y, isBreak, speedKmh, finestLevel, levels);
  return levels;
}

// Grown on demand and reused: a stack entry is (first, last, level of the parent).
const stack: number[] = [];

function simplifyRun(
  x: Float64Array,
  y: Float64Array,
  first: number,
  last: number,
  finestLevel: number,
  levels: Uint8Array,
): void {
  const finestTolerance = tolerancePixels / 2 ** finestLevel;
  const finestSquared = finestTolerance * finestTolerance;
  stack.length = 0;
  stack.push(first, last, 0);
  while (stack.length > 0) {
    const parentLevel = stack.pop()!;
    const to = stack.pop()!;
    const from = stack.pop()!;
    if (to - from < 2) continue;
    const x0 = x[from]!;
    const y0 = y[from]!;
    const dx = x[to]! - x0;
    const dy = y[to]! - y0;
    const lengthSquared = dx * dx + dy * dy;
    const inverse = lengthSquared === 0 ? 0 : 1 / lengthSquared;
    let farthest = -1;
    let farthestSquared = finestSquared;
    for (let i = from + 1; i < to; i++) {
      const px = x[i]! - x0;
      const py = y[i]! - y0;
      // Distance to the segment, not to its endless line: a turn back must not vanish.
      let along = (px * dx + py * dy) * inverse;
      if (along < 0) along = 0;
      else if (along > 1) along = 1;
      const ex = px - along * dx;
      const ey = py - along * dy;
      const squared = ex * ex + ey * ey;
      if (squared > farthestSquared) {
        farthestSquared = squared;
        farthest = i;
      }
    }
    if (farthest < 0) continue;
    // The coarsest level whose tolerance is below the distance, and never coarser than the parent's: a child is
    // reached only where its parent was kept.
    let level = parentLevel;
    let tolerance = tolerancePixels / 2 ** level;
    while (tolerance * tolerance >= farthestSquared && level < finestLevel) {
      level++;
      tolerance /= 2;
    }
    levels[farthest] = level;
    stack.push(from, farthest, level, farthest, to, level);
  }
}

import { speedClass } from '../../../shared/speedClasses.ts';

/** A stretch in one class of speed shows from this length on, in pixels of its level: about a line's width. */
export const shortestStretchPixels = 3;

/**
 * Makes coloured lines true. A drawn segment has the colour of the point that it ends at, so a stretch in one class
 * of speed (or without speed) is right when its last point and the point before its first are kept. Both get the
 * coarsest level at which the stretch is long enough to be seen. Where the line's shape keeps a point inside of a
 * stretch, the point before the stretch is kept at that level as well: else the colour of a short stretch would run
 * back over all that was left out before it.
 *
 * `x` and `y` are pixels of level 0; `levels` (see pointLevels) is changed in place, only towards coarser levels.
 */
export function keepSpeedChanges(
  x: Float64Array,
  y: Float64Array,
  isBreak: Uint8Array,
  speedKmh: Float64Array,
  finestLevel: number,
  levels: Uint8Array,
): void {
  const count = levels.length;
  let first = 0;
  while (first < count) {
    const stretchClass = speedClass(speedKmh[first]!);
    const before = first > 0 && isBreak[first] !== 1 ? first - 1 : first;
    const x0 = x[before]!;
    const y0 = y[before]!;
    let farthestSquared = 0;
    let shapeLevel = 255;
    let next = first;
    do {
      const dx = x[next]! - x0;
      const dy = y[next]! - y0;
      const squared = dx * dx + dy * dy;
      if (squared > farthestSquared) farthestSquared = squared;
      if (levels[next]! < shapeLevel) shapeLevel = levels[next]!;
      next++;
    } while (next < count && isBreak[next] !== 1 && speedClass(speedKmh[next]!) === stretchClass);
    const last = next - 1;
    let level = 0;
    let leastSquared = shortestStretchPixels * shortestStretchPixels;
    while (leastSquared > farthestSquared && level <= finestLevel) {
      level++;
      leastSquared /= 4;
    }
    if (level <= finestLevel) {
      if (level < levels[before]!) levels[before] = level;
      if (level < levels[last]!) levels[last] = level;
    }
    if (before < first && shapeLevel <= finestLevel && shapeLevel < levels[before]!) {
      levels[before] = shapeLevel;
    }
    first = next;
  }
}

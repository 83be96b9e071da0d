/**
 * Lowest and highest values of a series at every coarseness, so that drawing any stretch costs what is on screen and
 * not what was recorded: a day of G is 800,000 samples, an extreme of one of them must still be seen. NaN is absent.
 */
export interface Pyramid {
  readonly values: Float64Array;
  /** Level l holds the extremes of `step`^l values each; level 0 is the values. NaN where all are absent. */
  readonly low: readonly Float64Array[];
  readonly high: readonly Float64Array[];
}
export interface Extremes {
  low: number;
  high: number;
}

const shift = 4;
const step = 1 << shift;

export function createPyramid(values: Float64Array): Pyramid {
  const low = [values];
  const high = [values];
  for (let below = values.length; below > step; below = low[low.length - 1]!.length) {
    const [lowBelow, highBelow] = [low[low.length - 1]!, high[high.length - 1]!];
    const count = Math.ceil(below / step);
    const lows = new Float64Array(count);
    const highs = new Float64Array(count);
    for (let i = 0, at = 0; i < count; i++) {
      let lowest = Infinity;
      let highest = -Infinity;
      for (const end = Math.min(at + step, below); at < end; at++) {
        // A comparison with NaN is false: absent values change nothing.
        if (lowBelow[at]! < lowest) lowest = lowBelow[at]!;
        if (highBelow[at]! > highest) highest = highBelow[at]!;
      }
      lows[i] = lowest <= highest ? lowest : NaN;
      highs[i] = lowest <= highest ? highest : NaN;
    }
    low.push(lows);
    high.push(highs);
  }
  return { values, low, high };
}

const known = new WeakMap<Float64Array, Pyramid>();
/** The pyramid of a column, kept for as long as the column is. */
export function pyramidOf(values: Float64Array): Pyramid {
  let found = known.get(values);
  if (!found) known.set(values, (found = createPyramid(values)));
  return found;
}

/** Writes the extremes of values[from, to) into `into`; NaN in both without any value. */
export function extremesOf({ low, high }: Pyramid, from: number, to: number, into: Extremes): Extremes {
  let lowest = Infinity;
  let highest = -Infinity;
  const look = (level: number, at: number): void => {
    const l = low[level]![at]!;
    const h = high[level]![at]!;
    if (l < lowest) lowest = l;
    if (h > highest) highest = h;
  };
  let a = from;
  let b = to;
  for (let level = 0; a < b; level++) {
    const isTop = level === low.length - 1;
    while (a < b && (isTop || a % step !== 0)) look(level, a++);
    while (a < b && b % step !== 0) look(level, --b);
    a >>= shift;
    b >>= shift;
  }
  into.low = lowest <= highest ? lowest : NaN;
  into.high = lowest <= highest ? highest : NaN;
  return into;
}

/** First index in [from, to) with a value; `to` without one. Absent stretches are skipped by the level. */
export function firstValue({ values, low }: Pyramid, from: number, to: number): number {
  let at = from;
  while (at < to) {
    if (!Number.isNaN(values[at]!)) return at;
    at += skip(low, at, 1);
  }
  return to;
}

/** Last index in [from, to) with a value; from − 1 without one. */
export function lastValue({ values, low }: Pyramid, from: number, to: number): number {
  let at = to - 1;
  while (at >= from) {
    if (!Number.isNaN(values[at]!)) return at;
    at -= skip(low, at, -1);
  }
  return from - 1;
}

/** How far the absent value at `at` lets one go: over the largest block that begins (or ends) there and is empty. */
function skip(low: readonly Float64Array[], at: number, direction: 1 | -1): number {
  let size = 1;
  const edge = direction > 0 ? at : at + 1;
  for (let level = 1; level < low.length && edge % (size * step) === 0; level++) {
    const block = Math.floor(at / (size * step));
    if (!Number.isNaN(low[level]![block]!)) break;
    size *= step;
  }
  return size;
}

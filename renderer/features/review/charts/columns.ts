import type { SceneSpan } from '../model.ts';
import { firstAfter } from './mergeTelemetry.ts';
import { extremesOf, firstValue, lastValue, type Pyramid } from './pyramid.ts';

/**
 * What of a series is to be drawn: for each pixel column with samples their extremes, and where a line enters and
 * leaves it. Arrays are reused between frames; only the first `count` entries hold.
 */
export interface Columns {
  count: number;
  /** Samples that they stand for; as many as `count` means one each. */
  samples: number;
  /** Pixels from the left of the view to the first and last sample; beyond the edges for the neighbours outside. */
  firstX: Float64Array;
  lastX: Float64Array;
  first: Float64Array;
  last: Float64Array;
  low: Float64Array;
  high: Float64Array;
  /** 1: a line leads here from the entry before. 0: there is a gap, or an absent value, between. */
  isLinked: Uint8Array;
  /** Number of the pixel column since the beginning of time at this zoom: holds still while the view moves. */
  column: Float64Array;
}

export function createColumns(): Columns {
  return { count: 0, samples: 0, ...arraysOf(0) };
}

const arraysOf = (size: number) => ({
  firstX: new Float64Array(size),
  lastX: new Float64Array(size),
  first: new Float64Array(size),
  last: new Float64Array(size),
  low: new Float64Array(size),
  high: new Float64Array(size),
  isLinked: new Uint8Array(size),
  column: new Float64Array(size),
});

const extremes = { low: NaN, high: NaN };

/**
 * Fills `into` with the columns of `view` at `widthPx` pixels, at a cost by width and not by samples. Columns are cut
 * at multiples of a pixel's time, not at the view's edge, so that a picture that is moved does not shimmer. A step of
 * more than `gapMs` is a gap. The nearest samples outside of the view come along, so that lines run to its edge.
 */
export function fillColumns(
  into: Columns,
  timesMs: Float64Array,
  pyramid: Pyramid,
  view: SceneSpan,
  widthPx: number,
  gapMs: number,
): Columns {
  into.count = 0;
  into.samples = 0;
  const perPx = (view.toMs - view.fromMs) / widthPx;
  if (!(perPx > 0) || timesMs.length === 0) return into;
  if (into.low.length < widthPx + 4) Object.assign(into, arraysOf(Math.ceil(widthPx) + 4));

  const start = firstAtOrAfter(timesMs, view.fromMs, 0);
  const end = firstAfter(timesMs, view.toMs);
  let lastIndex = -1;
  const push = (from: number, to: number, column: number): void => {
    const first = firstValue(pyramid, from, to);
    if (first >= to) return;
    const last = lastValue(pyramid, first, to);
    extremesOf(pyramid, first, last + 1, extremes);
    const at = into.count++;
    into.firstX[at] = (timesMs[first]! - view.fromMs) / perPx;
    into.lastX[at] = (timesMs[last]! - view.fromMs) / perPx;
    into.first[at] = pyramid.values[first]!;
    into.last[at] = pyramid.values[last]!;
    into.low[at] = extremes.low;
    into.high[at] = extremes.high;
    into.isLinked[at] =
      first === lastIndex + 1 && first > 0 && timesMs[first]! - timesMs[lastIndex]! <= gapMs ? 1 : 0;
    into.column[at] = column;
    into.samples += last - first + 1;
    lastIndex = last;
  };

  if (start > 0) push(start - 1, start, Math.floor(timesMs[start - 1]! / perPx));
  // The neighbour outside has nothing before it that is looked at.
  if (into.count > 0) into.isLinked[0] = 0;
  for (let at = start; at < end;) {
    const column = Math.floor(timesMs[at]! / perPx);
    const next = Math.max(at + 1, firstAtOrAfter(timesMs, (column + 1) * perPx, at, end));
    push(at, next, column);
    at = next;
  }
  if (end < timesMs.length) push(end, end + 1, Math.floor(timesMs[end]! / perPx));
  return into;
}

/** First index from `from` whose time is at or after `ms`, found by strides from there: neighbours are near. */
function firstAtOrAfter(timesMs: Float64Array, ms: number, from: number, to = timesMs.length): number {
  let low = from;
  let stride = 1;
  while (low + stride < to && timesMs[low + stride]! < ms) {
    low += stride;
    stride *= 2;
  }
  let high = Math.min(to, low + stride);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timesMs[middle]! < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Extremes of the values within a view, for the scale; NaN without any. */
export function extremesInView(
  timesMs: Float64Array,
  pyramid: Pyramid,
  view: SceneSpan,
): { low: number; high: number } {
  const into = { low: NaN, high: NaN };
  return extremesOf(pyramid, firstAtOrAfter(timesMs, view.fromMs, 0), firstAfter(timesMs, view.toMs), into);
}

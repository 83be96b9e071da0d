import type { TrackSeries } from '../../../shared/contract/trips.ts';
import { recordedStretches } from './lanes.ts';

/** Values of several cameras on one list of times. `undefined`: this camera has no sample here; null: a gap or absent. */
export type PlotValues = (number | null | undefined)[];
export interface PlotData {
  readonly timesMs: number[];
  readonly speedKmh: readonly PlotValues[];
  readonly headingDeg: readonly PlotValues[];
}

/**
 * Brings cameras onto one time list as the chart wants it. NaN becomes null (not drawn, not zero); a gap is filled
 * with null from edge to edge, so that no line bridges it. Pure.
 */
export function toPlotData(series: readonly TrackSeries[]): PlotData {
  const all: number[] = [];
  for (const one of series) {
    for (const ms of one.timesMs) all.push(ms);
    for (let i = 0; i + 1 < one.gapsMs.length; i += 2) all.push(...gapEdges(one.gapsMs, i));
  }
  const sorted = Float64Array.from(all).sort();
  const timesMs: number[] = [];
  for (const ms of sorted) if (timesMs.length === 0 || ms !== timesMs[timesMs.length - 1]) timesMs.push(ms);
  const place = (one: TrackSeries, values: Float64Array): PlotValues => {
    const placed: PlotValues = new Array<number | null | undefined>(timesMs.length).fill(undefined);
    let at = 0;
    for (let i = 0; i < one.timesMs.length; i++) {
      const ms = one.timesMs[i] ?? 0;
      while ((timesMs[at] ?? Infinity) < ms) at++;
      const value = values[i] ?? NaN;
      placed[at] = Number.isNaN(value) ? null : value;
    }
    at = 0;
    for (let i = 0; i + 1 < one.gapsMs.length; i += 2) {
      const [from, to] = gapEdges(one.gapsMs, i);
      while ((timesMs[at] ?? Infinity) < from) at++;
      while ((timesMs[at] ?? Infinity) <= to) placed[at++] = null;
    }
    return placed;
  };
  return {
    timesMs,
    speedKmh: series.map((one) => place(one, one.speedKmh)),
    headingDeg: series.map((one) => place(one, one.headingDeg)),
  };
}

/** Just inside the gap on both sides: what lies between, of any camera's times, is nothing for this camera. */
function gapEdges(gaps: Float64Array, i: number): [from: number, to: number] {
  const from = gaps[i] ?? 0;
  const to = gaps[i + 1] ?? 0;
  const inset = Math.min(1, (to - from) / 4);
  return [from + inset, to - inset];
}

/**
 * Values that stand alone: nothing was recorded right before and after. A line can't show them, a dot must.
 * Times of other cameras in between (`undefined`) are looked past. Pure.
 */
export function isolatedPoints(
  values: ArrayLike<number | null | undefined>,
  from: number,
  to: number,
): number[] {
  const found: number[] = [];
  let last: { at: number; isAfterNothing: boolean } | null = null;
  let isAfterNothing = true;
  for (let i = from; i <= to; i++) {
    const value = values[i];
    if (value === undefined) continue;
    if (value === null) {
      if (last?.isAfterNothing) found.push(last.at);
      last = null;
      isAfterNothing = true;
    } else {
      last = { at: i, isAfterNothing };
      isAfterNothing = false;
    }
  }
  if (last?.isAfterNothing) found.push(last.at);
  return found;
}

/** First and last instant of all series; null without any. Pure. */
export function timeSpan(series: readonly TrackSeries[]): { fromMs: number; toMs: number } | null {
  let fromMs = Infinity;
  let toMs = -Infinity;
  for (const { timesMs } of series) {
    if (timesMs.length === 0) continue;
    fromMs = Math.min(fromMs, timesMs[0] ?? Infinity);
    toMs = Math.max(toMs, timesMs[timesMs.length - 1] ?? -Infinity);
  }
  return fromMs <= toMs ? { fromMs, toMs } : null;
}

/** Stretches of a range in which no camera recorded anything, as [from, to] pairs. Pure. */
export function commonGaps(series: readonly TrackSeries[], fromMs: number, toMs: number): [number, number][] {
  const recorded: [number, number][] = [];
  for (const one of series) recorded.push(...recordedStretches(one));
  recorded.sort((a, b) => a[0] - b[0]);
  const gaps: [number, number][] = [];
  let reach = fromMs;
  for (const [from, to] of recorded) {
    if (from > reach && from > fromMs) gaps.push([reach, Math.min(from, toMs)]);
    reach = Math.max(reach, to);
    if (reach >= toMs) break;
  }
  if (reach < toMs) gaps.push([reach, toMs]);
  return gaps.filter(([from, to]) => to > from);
}

/** What a camera recorded at an instant. */
export type SeriesReading =
  | {
      readonly kind: 'recorded';
      readonly timeMs: number;
      readonly speedKmh: number | null;
      readonly headingDeg: number | null;
    }
  | { readonly kind: 'gap' };

/** The sample nearest to an instant; a gap when nothing was recorded around it. Pure. */
export function readSeries(series: TrackSeries, atMs: number): SeriesReading {
  const { timesMs, gapsMs } = series;
  const last = timesMs.length - 1;
  if (last < 0 || atMs < (timesMs[0] ?? 0) || atMs > (timesMs[last] ?? 0)) return { kind: 'gap' };
  for (let i = 0; i + 1 < gapsMs.length; i += 2) {
    if (atMs > (gapsMs[i] ?? 0) && atMs < (gapsMs[i + 1] ?? 0)) return { kind: 'gap' };
  }
  let low = 0;
  let high = last;
  while (low < high) {
    const half = (low + high) >> 1;
    if ((timesMs[half] ?? 0) < atMs) low = half + 1;
    else high = half;
  }
  const before = Math.max(0, low - 1);
  const nearest =
    Math.abs((timesMs[before] ?? 0) - atMs) <= Math.abs((timesMs[low] ?? 0) - atMs) ? before : low;
  const value = (column: Float64Array) => {
    const read = column[nearest] ?? NaN;
    return Number.isNaN(read) ? null : read;
  };
  return {
    kind: 'recorded',
    timeMs: timesMs[nearest] ?? 0,
    speedKmh: value(series.speedKmh),
    headingDeg: value(series.headingDeg),
  };
}

/** The range after turning the wheel at an instant: it stays under the pointer. `factor` < 1 goes nearer. Pure. */
export function zoomRange(
  range: { fromMs: number; toMs: number },
  atMs: number,
  factor: number,
  limits: { fromMs: number; toMs: number },
): { fromMs: number; toMs: number } {
  const leastMs = 2_000;
  const span = Math.max(leastMs, (range.toMs - range.fromMs) * factor);
  if (span >= limits.toMs - limits.fromMs) return limits;
  const share = (atMs - range.fromMs) / (range.toMs - range.fromMs);
  const fromMs = Math.max(limits.fromMs, Math.min(limits.toMs - span, atMs - span * share));
  return { fromMs, toMs: fromMs + span };
}

/** The range after a turn of the wheel: sideways (or with shift) it moves, else it zooms at `atMs`. Pure. */
export function wheelRange(
  turn: { readonly deltaX: number; readonly deltaY: number; readonly shiftKey: boolean },
  range: { fromMs: number; toMs: number },
  atMs: number,
  limits: { fromMs: number; toMs: number },
): { fromMs: number; toMs: number } {
  const { deltaX, deltaY, shiftKey } = turn;
  if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) {
    const shift = ((deltaX || deltaY) / 600) * (range.toMs - range.fromMs);
    return zoomRange({ fromMs: range.fromMs + shift, toMs: range.toMs + shift }, atMs + shift, 1, limits);
  }
  return zoomRange(range, atMs, Math.exp(Math.max(-120, Math.min(120, deltaY)) / 300), limits);
}

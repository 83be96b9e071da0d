import type { TrackSeries } from '../../../shared/contract/trips.ts';
import type { TripId } from '../../../shared/ids.ts';

export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}
/** A chosen trip on the time axis. */
export interface LaneTrip extends TimeSpan {
  readonly tripId: TripId;
}
/** What one camera recorded: its trips by start, and its speeds once they are read. */
export interface Lane {
  readonly key: string;
  readonly label: string;
  /** The camera's number on the map; null for the unknown camera. */
  readonly number: string | null;
  readonly color: string;
  readonly trips: readonly LaneTrip[];
  readonly series: TrackSeries | null;
}

/** Stretches that a camera recorded without a gap, as [from, to] pairs in order. Pure. */
export function recordedStretches({
  timesMs,
  gapsMs,
}: Pick<TrackSeries, 'timesMs' | 'gapsMs'>): [number, number][] {
  if (timesMs.length === 0) return [];
  const stretches: [number, number][] = [];
  let start = timesMs[0] ?? 0;
  const end = timesMs[timesMs.length - 1] ?? 0;
  for (let i = 0; i + 1 < gapsMs.length; i += 2) {
    const [gapFrom, gapTo] = [gapsMs[i] ?? 0, gapsMs[i + 1] ?? 0];
    if (gapFrom > start && gapFrom <= end) stretches.push([start, gapFrom]);
    if (gapTo > start) start = gapTo;
  }
  if (start <= end) stretches.push([start, end]);
  return stretches;
}

/** The trip at an instant, or the nearest one within `toleranceMs`; null without one. Pure. */
export function tripAt(lane: Lane, atMs: number, toleranceMs: number): LaneTrip | null {
  let best: LaneTrip | null = null;
  let bestMs = toleranceMs;
  for (const trip of lane.trips) {
    const away = Math.max(0, trip.fromMs - atMs, atMs - trip.toMs);
    if (away > bestMs || (away === bestMs && best !== null)) continue;
    best = trip;
    bestMs = away;
  }
  return best;
}

/** Cameras whose speeds can be told apart in one chart. */
const mostChartCameras = 2;
/** A chart that is emptier than this is mostly gap: slivers that nobody can read. */
const leastChartShare = 0.3;

/**
 * How a stretch of time is shown best: a chart of speed and heading for few cameras that recorded much of it, else a
 * lane for each camera. Pure.
 */
export function bestLayout(lanes: readonly Lane[], range: TimeSpan): 'chart' | 'lanes' {
  let trips = 0;
  let cameras = 0;
  const spans: [number, number][] = [];
  for (const lane of lanes) {
    const before = trips;
    for (const { fromMs, toMs } of lane.trips) {
      if (toMs < range.fromMs || fromMs > range.toMs) continue;
      trips++;
      spans.push([Math.max(fromMs, range.fromMs), Math.min(toMs, range.toMs)]);
    }
    if (trips > before) cameras++;
  }
  if (trips <= 1) return 'chart';
  if (cameras > mostChartCameras) return 'lanes';
  spans.sort((a, b) => a[0] - b[0]);
  let covered = 0;
  let reach = -Infinity;
  for (const [from, to] of spans) {
    covered += Math.max(0, to - Math.max(from, reach));
    reach = Math.max(reach, to);
  }
  return covered >= leastChartShare * (range.toMs - range.fromMs) ? 'chart' : 'lanes';
}

/** All trips by start: the order in which "previous" and "next" go. Pure. */
export function tripsInOrder(lanes: readonly Lane[]): LaneTrip[] {
  return lanes
    .flatMap((lane) => lane.trips)
    .sort((a, b) => a.fromMs - b.fromMs || a.toMs - b.toMs || (a.tripId < b.tripId ? -1 : 1));
}

/**
 * The trip before (-1) or after (+1) the one in focus; without one, the last that starts before what is shown, or
 * the first that starts in or after it. Null at either end. Pure.
 */
export function neighbourTrip(
  order: readonly LaneTrip[],
  focused: TripId | null,
  shown: TimeSpan | null,
  step: -1 | 1,
): LaneTrip | null {
  const at = focused === null ? -1 : order.findIndex((trip) => trip.tripId === focused);
  if (at >= 0) return order[at + step] ?? null;
  const from = shown?.fromMs ?? -Infinity;
  if (step === 1) return order.find((trip) => trip.fromMs >= from) ?? null;
  return order.findLast((trip) => trip.fromMs < from) ?? null;
}

/** A trip with a little room on both sides. Pure. */
export function aroundTrip({ fromMs, toMs }: TimeSpan): TimeSpan {
  const roomMs = Math.max(5_000, (toMs - fromMs) * 0.03);
  return { fromMs: fromMs - roomMs, toMs: toMs + roomMs };
}

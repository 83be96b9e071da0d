import type { TrackLines } from '../../../shared/contract/trips.ts';
import type { TripId } from '../../../shared/ids.ts';
import { wrapLngDeg } from './projection.ts';

/** What was recorded at one point; null is "not recorded", never zero. */
export interface PointReading {
  readonly tripId: TripId;
  /** Position in the trip's points. */
  readonly pointIndex: number;
  readonly timeMs: number | null;
  readonly speedKmh: number | null;
  readonly headingDeg: number | null;
  readonly latDeg: number;
  readonly lngDeg: number;
}

/** Columns of recorded points, of a whole trip or of its drawn line; NaN is absent. */
export interface ReadableColumns {
  readonly latDeg: ArrayLike<number>;
  readonly lngDeg: ArrayLike<number>;
  readonly timesMs: ArrayLike<number>;
  readonly speedKmh: ArrayLike<number>;
  readonly headingDeg: ArrayLike<number>;
}

/** NaN of a column as null. */
export function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** The recorded point of a trip that lies nearest to a place; null for a trip without points. Pure. */
export function nearestPoint(
  tripId: TripId,
  points: ReadableColumns,
  latDeg: number,
  lngDeg: number,
): PointReading | null {
  const squeeze = Math.cos((latDeg * Math.PI) / 180);
  let best = -1;
  let bestDistance = Infinity;
  for (let i = 0; i < points.latDeg.length; i++) {
    const dy = (points.latDeg[i] ?? NaN) - latDeg;
    const dx = wrapLngDeg((points.lngDeg[i] ?? NaN) - lngDeg) * squeeze;
    const distance = dx * dx + dy * dy;
    if (distance < bestDistance) {
      bestDistance = distance;
      best = i;
    }
  }
  return best < 0 ? null : readPoint(tripId, points, best);
}

/** The recorded point number `index` of a trip. Pure. */
export function readPoint(tripId: TripId, points: ReadableColumns, index: number): PointReading {
  return {
    tripId,
    pointIndex: index,
    timeMs: orNull(points.timesMs[index]),
    speedKmh: orNull(points.speedKmh[index]),
    headingDeg: orNull(points.headingDeg[index]),
    latDeg: points.latDeg[index] ?? 0,
    lngDeg: points.lngDeg[index] ?? 0,
  };
}

/** Where a vehicle was at the timeline's cursor: on its drawn line, between two recorded points. */
export interface CursorPosition {
  readonly tripId: TripId;
  readonly latDeg: number;
  readonly lngDeg: number;
  /** Direction of the recording, else of the line; null when neither is known. */
  readonly headingDeg: number | null;
}

/**
 * Places on drawn lines at an instant, one for each trip that was recording then. Nothing during a gap: nobody knows
 * where the vehicle was. Pure.
 */
export function positionsAt(lines: TrackLines, atMs: number): CursorPosition[] {
  const found: CursorPosition[] = [];
  const { offsets, timesMs, latDeg, lngDeg } = lines;
  for (let trip = 0; trip + 1 < offsets.length; trip++) {
    const from = offsets[trip] ?? 0;
    const to = offsets[trip + 1] ?? 0;
    const tripId = lines.tripIds[trip];
    if (to <= from || tripId === undefined) continue;
    if (!((timesMs[from] ?? NaN) <= atMs && atMs <= (timesMs[to - 1] ?? NaN))) continue;
    const after = firstAtOrAfter(timesMs, from, to, atMs);
    const before = timesMs[after] === atMs ? after : Math.max(from, after - 1);
    if (after !== before && lines.isGap[after] === 1) continue;
    const start = timesMs[before] ?? 0;
    const span = (timesMs[after] ?? 0) - start;
    const share = span > 0 ? (atMs - start) / span : 0;
    const dLng = wrapLngDeg((lngDeg[after] ?? 0) - (lngDeg[before] ?? 0));
    found.push({
      tripId,
      latDeg: (latDeg[before] ?? 0) + ((latDeg[after] ?? 0) - (latDeg[before] ?? 0)) * share,
      lngDeg: wrapLngDeg((lngDeg[before] ?? 0) + dLng * share),
      headingDeg: orNull(lines.headingDeg[share < 0.5 ? before : after]),
    });
  }
  return found;
}

/** Index of the first time >= atMs in from..to-1 (to-1 when none). Times are taken as ascending. Pure. */
function firstAtOrAfter(timesMs: Float64Array, from: number, to: number, atMs: number): number {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesMs[middle] ?? 0) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** "52.104213, 4.301177": as other programs take it, to about 0.1 m. */
export function coordinateText(latDeg: number, lngDeg: number): string {
  return `${latDeg.toFixed(6)}, ${lngDeg.toFixed(6)}`;
}

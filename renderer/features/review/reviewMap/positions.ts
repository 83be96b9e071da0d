import { gapThresholdMs } from '../../../../shared/gaps.ts';
import type { TrackLines } from '../../../../shared/contract/trips.ts';
import type { TripId } from '../../../../shared/ids.ts';
import { wrapLngDeg } from '../../map/projection.ts';
import type { SceneTelemetry } from '../model.ts';

/** Between samples further apart than this nobody knows how it drove: no place in between is drawn. */
export const longestStepMs = 5_000;
/** A sample stands for this long after it where no other follows. */
export const longestAgeMs = 2_000;

/** Places in order of time; NaN is absent. */
export interface TimedPlaces {
  readonly timesMs: Float64Array;
  readonly latDeg: Float64Array;
  readonly lngDeg: Float64Array;
  readonly headingDeg: ArrayLike<number>;
}
/** Where something was at an instant. */
export interface PlaceAt {
  readonly latDeg: number;
  readonly lngDeg: number;
  readonly headingDeg: number | null;
  /** The recorded sample at or before the instant. */
  readonly index: number;
  /** True: drawn between two samples, for the eye only. */
  readonly isBetween: boolean;
}

/** The last index in from..to-1 whose time is at or before `atMs`; from-1 when there is none. Pure. */
export function indexAt(timesMs: Float64Array, from: number, to: number, atMs: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timesMs[middle]! <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Where the samples from..to-1 place a vehicle at an instant. Between two samples close in time the place is drawn
 * between them; over a longer step, without a fix or past the last sample there is none: null. Pure.
 */
export function placeAt(
  places: TimedPlaces,
  atMs: number,
  from = 0,
  to = places.timesMs.length,
): PlaceAt | null {
  const index = indexAt(places.timesMs, from, to, atMs);
  if (index < from) return null;
  const lat = places.latDeg[index]!;
  const lng = places.lngDeg[index]!;
  if (!Number.isFinite(lat) || !Number.isFinite(lng)) return null;
  const startMs = places.timesMs[index]!;
  const heading = places.headingDeg[index] ?? NaN;
  const next = index + 1;
  const stepMs = next < to ? places.timesMs[next]! - startMs : Infinity;
  const isReached = next < to && Number.isFinite(places.latDeg[next]!) && stepMs <= longestStepMs;
  if (!isReached) {
    if (atMs - startMs > longestAgeMs) return null;
    return { latDeg: lat, lngDeg: lng, headingDeg: orNull(heading), index, isBetween: false };
  }
  const share = stepMs > 0 ? (atMs - startMs) / stepMs : 0;
  return {
    latDeg: lat + (places.latDeg[next]! - lat) * share,
    lngDeg: wrapLngDeg(lng + wrapLngDeg(places.lngDeg[next]! - lng) * share),
    headingDeg: headingBetween(heading, places.headingDeg[next] ?? NaN, share),
    index,
    isBetween: share > 0,
  };
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** A direction between two, the shorter way round; the one that is known where only one is. Pure. */
export function headingBetween(fromDeg: number, toDeg: number, share: number): number | null {
  if (!Number.isFinite(fromDeg)) return orNull(toDeg);
  if (!Number.isFinite(toDeg)) return fromDeg;
  const turn = ((((toDeg - fromDeg + 180) % 360) + 360) % 360) - 180;
  return (((fromDeg + turn * share) % 360) + 360) % 360;
}

/** Stands for the scene's own positions among lines that are trips. */
export const trailId = 'trail' as TripId; // the brand has no runtime form

/** The scene's own positions as a line, and which sample each vertex is. */
export interface Trail {
  readonly lines: TrackLines;
  readonly sampleOf: Uint32Array;
}

/** The positions of a scene's telemetry as a line. Rows without a fix, and silence, are gaps. Pure. */
export function toTrail(gps: NonNullable<SceneTelemetry['gps']>): Trail {
  const { timesMs, latDeg, lngDeg, speedKmh, headingDeg } = gps;
  const samples = new Uint32Array(timesMs.length);
  let count = 0;
  for (let i = 0; i < timesMs.length; i++) {
    if (Number.isFinite(latDeg[i]!) && Number.isFinite(lngDeg[i]!)) samples[count++] = i;
  }
  const sampleOf = samples.slice(0, count);
  const longestMs = gapThresholdMs(timesMs);
  const lines = {
    level: 20,
    tripIds: [trailId],
    offsets: Uint32Array.of(0, count),
    latDeg: new Float64Array(count),
    lngDeg: new Float64Array(count),
    timesMs: new Float64Array(count),
    speedKmh: new Float32Array(count),
    headingDeg: new Float32Array(count),
    isGap: new Uint8Array(count),
  };
  for (let vertex = 0; vertex < count; vertex++) {
    const sample = sampleOf[vertex]!;
    lines.latDeg[vertex] = latDeg[sample]!;
    lines.lngDeg[vertex] = lngDeg[sample]!;
    lines.timesMs[vertex] = timesMs[sample]!;
    lines.speedKmh[vertex] = speedKmh[sample]!;
    lines.headingDeg[vertex] = headingDeg[sample]!;
    if (vertex === 0) continue;
    const before = sampleOf[vertex - 1]!;
    if (sample - before > 1 || timesMs[sample]! - timesMs[before]! > longestMs) lines.isGap[vertex] = 1;
  }
  return { lines, sampleOf };
}

/**
 * Lines moved to the scene's time (`shiftMs` by trip) and cut to what was recorded from `fromMs` to `toMs`. Trips with
 * nothing then, or hidden ones, are left out. Pure.
 */
export function cropLines(
  lines: TrackLines,
  shiftMs: ReadonlyMap<TripId, number>,
  fromMs: number,
  toMs: number,
  isHidden: (tripId: TripId) => boolean,
): TrackLines {
  const kept: { tripId: TripId; from: number; to: number; shift: number }[] = [];
  lines.tripIds.forEach((tripId, trip) => {
    const shift = shiftMs.get(tripId);
    if (shift === undefined || isHidden(tripId)) return;
    const end = lines.offsets[trip + 1] ?? 0;
    let from = -1;
    let to = -1;
    for (let v = lines.offsets[trip] ?? 0; v < end; v++) {
      const at = lines.timesMs[v]! + shift;
      if (!(at >= fromMs && at <= toMs)) continue;
      if (from < 0) from = v;
      to = v + 1;
    }
    if (from >= 0) kept.push({ tripId, from, to, shift });
  });
  // Stretches are copied whole: a day of many vehicles is millions of points.
  const count = kept.reduce((sum, { from, to }) => sum + to - from, 0);
  const cut: TrackLines = {
    level: lines.level,
    tripIds: kept.map(({ tripId }) => tripId),
    offsets: new Uint32Array(kept.length + 1),
    latDeg: new Float64Array(count),
    lngDeg: new Float64Array(count),
    timesMs: new Float64Array(count),
    speedKmh: new Float32Array(count),
    headingDeg: new Float32Array(count),
    isGap: new Uint8Array(count),
  };
  let at = 0;
  kept.forEach(({ from, to, shift }, trip) => {
    cut.latDeg.set(lines.latDeg.subarray(from, to), at);
    cut.lngDeg.set(lines.lngDeg.subarray(from, to), at);
    cut.speedKmh.set(lines.speedKmh.subarray(from, to), at);
    cut.headingDeg.set(lines.headingDeg.subarray(from, to), at);
    cut.isGap.set(lines.isGap.subarray(from, to), at);
    for (let v = from; v < to; v++) cut.timesMs[at + v - from] = lines.timesMs[v]! + shift;
    at += to - from;
    cut.offsets[trip + 1] = at;
  });
  return cut;
}

/** Where a drawn vehicle was at an instant; `isOld`: at its last recorded point, some time before. */
export interface VehicleAt {
  readonly tripId: TripId;
  readonly place: PlaceAt;
  readonly isOld: boolean;
}

/**
 * Every vehicle of the lines that was recording at an instant. Between points too far apart to draw a place between
 * them it stands, told apart, at the last one; in a gap nobody knows, and it is left out. Pure.
 */
export function vehiclesAt(lines: TrackLines, atMs: number): readonly VehicleAt[] {
  const found: VehicleAt[] = [];
  lines.tripIds.forEach((tripId, trip) => {
    const from = lines.offsets[trip] ?? 0;
    const to = lines.offsets[trip + 1] ?? 0;
    const place = placeAt(lines, atMs, from, to);
    const index = place ? place.index : indexAt(lines.timesMs, from, to, atMs);
    if (index < from) return;
    const isBeforeGap = index + 1 >= to || lines.isGap[index + 1] === 1;
    if (place && !(place.isBetween && isBeforeGap)) found.push({ tripId, place, isOld: false });
    else if (!isBeforeGap) {
      const old: PlaceAt = {
        latDeg: lines.latDeg[index]!,
        lngDeg: lines.lngDeg[index]!,
        headingDeg: orNull(lines.headingDeg[index]!),
        index,
        isBetween: false,
      };
      found.push({ tripId, place: old, isOld: true });
    }
  });
  return found;
}

import type { TrackLines } from '../../../shared/contract/trips.ts';
import type { TripId } from '../../../shared/ids.ts';

/** Lines of trips given as [latitude, longitude] points; times, speeds and headings absent unless given. */
export function linesOf(
  trips: readonly (readonly (readonly [number, number])[])[],
  values: { speedKmh?: readonly number[]; timesMs?: readonly number[] } = {},
): TrackLines {
  const points = trips.flat();
  const column = (given: readonly number[] | undefined) => given ?? points.map(() => NaN);
  const offsets = [0];
  for (const trip of trips) offsets.push(offsets.at(-1)! + trip.length);
  return {
    level: 10,
    tripIds: trips.map((_, i) => `trip_${i}` as TripId),
    offsets: Uint32Array.from(offsets),
    latDeg: Float64Array.from(points, ([lat]) => lat),
    lngDeg: Float64Array.from(points, ([, lng]) => lng),
    timesMs: Float64Array.from(column(values.timesMs)),
    speedKmh: Float32Array.from(column(values.speedKmh)),
    headingDeg: Float32Array.from(column(undefined)),
    isGap: new Uint8Array(points.length),
  };
}

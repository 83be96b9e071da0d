import type { TrackColumns } from '../../shared/track.ts';
import {
  ABSENT,
  ALTITUDE,
  HEADING,
  LAT,
  LITERAL,
  LNG,
  POW10,
  SPEED,
  TIME,
  type PointColumns,
} from './trackCodec.ts';

/** The unit in which a trip's packed speeds are: km/h (CSV) or metres per second (GPX). */
export type SpeedUnit = 'kmh' | 'ms';

/**
 * One packed column as doubles, NaN where absent. The value is multiplied by `multiplier / 10 ** shift` in one
 * rounding, so that 12.34 m/s is exactly 44.424 km/h.
 */
export function columnNumbers(points: PointColumns, column: number, multiplier = 1, shift = 0): Float64Array {
  const out = new Float64Array(points.count);
  const values = points.values[column]!;
  const decimals = points.decimals[column]!;
  for (let i = 0; i < points.count; i++) {
    const places = decimals[i]!;
    if (places === ABSENT) out[i] = NaN;
    else if (places === LITERAL) {
      const scaled = points.numberAt(column, i) * multiplier;
      out[i] = shift < 0 ? scaled * POW10[-shift]! : scaled / POW10[shift]!;
    } else {
      const divisor = places + shift;
      // Powers of ten beyond 1e22 are not exact; no source writes so many places.
      out[i] =
        divisor < 0
          ? values[i]! * multiplier * POW10[-divisor]!
          : (values[i]! * multiplier) / (POW10[divisor] ?? 10 ** divisor);
    }
  }
  return out;
}

/** Times as UTC milliseconds. */
export const timesMsOf = (points: PointColumns): Float64Array => columnNumbers(points, TIME, 1, -3);
export const latitudesOf = (points: PointColumns): Float64Array => columnNumbers(points, LAT);
export const longitudesOf = (points: PointColumns): Float64Array => columnNumbers(points, LNG);
export const headingsOf = (points: PointColumns): Float64Array => columnNumbers(points, HEADING);
export const speedsKmhOf = (points: PointColumns, unit: SpeedUnit): Float64Array =>
  unit === 'kmh' ? columnNumbers(points, SPEED) : columnNumbers(points, SPEED, 36, 1);

/** All columns as numbers for drawing and computing. */
export function toTrackColumns(points: PointColumns, unit: SpeedUnit): TrackColumns {
  return {
    count: points.count,
    timesMs: timesMsOf(points),
    latDeg: latitudesOf(points),
    lngDeg: longitudesOf(points),
    headingDeg: headingsOf(points),
    speedKmh: speedsKmhOf(points, unit),
    altitudeM: columnNumbers(points, ALTITUDE),
  };
}

import { distanceM } from '../../../../shared/geometry.ts';
import { wrapLngDeg } from '../../map/projection.ts';

/** A point that the user measures from or to. */
export interface MeasurePoint {
  readonly latDeg: number;
  readonly lngDeg: number;
}

/** Metres along the points, and of each leg, on the WGS 84 ellipsoid. Pure. */
export function measure(points: readonly MeasurePoint[]): {
  readonly legsM: readonly number[];
  readonly totalM: number;
} {
  const legsM = points.slice(1).map((to, index) => {
    const from = points[index]!;
    return distanceM(from.latDeg, wrapLngDeg(from.lngDeg), to.latDeg, wrapLngDeg(to.lngDeg));
  });
  return { legsM, totalM: legsM.reduce((sum, leg) => sum + leg, 0) };
}

/** "12.4 m", "1.284 km": as fine as a map can be pointed at. Pure. */
export function metresText(metres: number): string {
  if (metres < 100) return `${metres.toFixed(1)} m`;
  return metres < 10_000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(2)} km`;
}

import L from 'leaflet';
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

/** Draws the measured line. */
export function attachMeasureLine(map: L.Map): {
  show(points: readonly MeasurePoint[]): void;
  remove(): void;
} {
  const renderer = L.svg({ padding: 0.5 });
  const group = L.layerGroup().addTo(map);
  return {
    show(points) {
      group.clearLayers();
      const places = points.map(({ latDeg, lngDeg }) => L.latLng(latDeg, lngDeg));
      if (places.length > 1) {
        L.polyline(places, { renderer, interactive: false, className: 'desk-measure', weight: 2 }).addTo(
          group,
        );
      }
      for (const place of places) {
        L.circleMarker(place, {
          renderer,
          interactive: false,
          className: 'desk-measure-point',
          radius: 4,
          weight: 2,
        }).addTo(group);
      }
    },
    remove: () => void group.remove(),
  };
}

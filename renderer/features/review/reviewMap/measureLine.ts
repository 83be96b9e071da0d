import L from 'leaflet';
import type { MeasurePoint } from './distances.ts';

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

import L from 'leaflet';
import { kindName } from '../marks/markItems.ts';
import type { ChartMark } from '../marks/markItems.ts';
import type { PlaceAt } from './positions.ts';

/** A mark with the place where the vehicle was then. */
export interface PlacedMark {
  readonly mark: ChartMark;
  readonly latDeg: number;
  readonly lngDeg: number;
}

/** Marks on the map: those made while a position was recorded; the others have no place. Pure. */
export function placeMarks(
  marks: readonly ChartMark[],
  placeOf: (sceneMs: number) => Pick<PlaceAt, 'latDeg' | 'lngDeg'> | null,
): readonly PlacedMark[] {
  return marks.flatMap((mark) => {
    const place = placeOf(mark.fromMs);
    return place ? [{ mark, latDeg: place.latDeg, lngDeg: place.lngDeg }] : [];
  });
}

/** Flags at the places of marks; each can be focused, and choosing one goes to its time. */
export function attachMarkLayer(
  map: L.Map,
  className: string,
  onChoose: (sceneMs: number) => void,
): { show(marks: readonly PlacedMark[]): void; remove(): void } {
  const group = L.layerGroup().addTo(map);
  return {
    show(marks) {
      group.clearLayers();
      for (const { mark, latDeg, lngDeg } of marks) {
        const name = `${kindName(mark.kind)}: ${mark.label}`;
        const icon = L.divIcon({ className: `${className} desk-mark-${mark.kind}`, iconSize: [12, 12] });
        L.marker([latDeg, lngDeg], { icon, title: name, alt: name, keyboard: true, riseOnHover: true })
          .on('click', () => onChoose(mark.fromMs))
          .on('add', (event) => {
            const element = (event.target as L.Marker).getElement();
            element?.setAttribute('aria-label', `Go to ${name}`);
            element?.setAttribute('data-testid', 'review-map-mark');
            // Leaflet lets a marker be focused, and does nothing with its keys.
            element?.addEventListener('keydown', (key) => {
              if (key.key !== 'Enter') return;
              key.preventDefault();
              key.stopPropagation();
              onChoose(mark.fromMs);
            });
          })
          .addTo(group);
      }
    },
    remove: () => void group.remove(),
  };
}

import type L from 'leaflet';
import type { PlaceAt } from './positions.ts';

/** The scene's own vehicle: an arrow that moves with the clock, by a transform alone. */
export interface VehicleMarker {
  /** `sceneMs`: the time that is drawn; `sampleMs`: of the recorded sample behind it. Null place: hidden. */
  show(sceneMs: number, place: PlaceAt | null, sampleMs: number | null): void;
  remove(): void;
}

const arrow =
  'M0 -13 L9 10 L0 5.2 L-9 10 Z'; /* nose up: headings are clockwise from north, as rotations are */

/** Puts the marker on the map; `className` names its look. */
export function attachVehicleMarker(map: L.Map, className: string): VehicleMarker {
  const pane = map.createPane('desk-vehicle');
  pane.style.zIndex = '660';
  pane.style.pointerEvents = 'none';
  const element = document.createElement('div');
  element.className = `leaflet-zoom-hide ${className}`;
  element.dataset['testid'] = 'review-map-marker';
  element.hidden = true;
  const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  picture.setAttribute('viewBox', '-16 -16 32 32');
  picture.setAttribute('width', '32');
  picture.setAttribute('height', '32');
  picture.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  picture.append(shape);
  element.append(picture);
  pane.append(element);
  let place: PlaceAt | null = null;
  let shownHeading: number | null | undefined;

  function put(): void {
    if (!place) return;
    // The copy of the world that is nearest to the middle of the view.
    const turns = Math.round((map.getCenter().lng - place.lngDeg) / 360);
    // Not rounded to pixels, as Leaflet does: a slow vehicle would jerk.
    const at = map.project([place.latDeg, place.lngDeg + turns * 360]).subtract(map.getPixelOrigin());
    element.style.transform = `translate3d(${(at.x - 16).toFixed(2)}px, ${(at.y - 16).toFixed(2)}px, 0)`;
  }
  map.on('zoomend viewreset', put);
  return {
    show(sceneMs, next, sampleMs) {
      place = next;
      element.dataset['sceneMs'] = String(sceneMs);
      if (!next || sampleMs === null) {
        delete element.dataset['sampleMs'];
        element.hidden = true;
        return;
      }
      element.dataset['sampleMs'] = String(sampleMs);
      if (next.headingDeg !== shownHeading) {
        shownHeading = next.headingDeg;
        // Without a heading there is nothing to point with: a disc.
        shape.setAttribute('d', next.headingDeg === null ? 'M-7 0 A7 7 0 1 0 7 0 A7 7 0 1 0 -7 0 Z' : arrow);
        shape.setAttribute('transform', next.headingDeg === null ? '' : `rotate(${next.headingDeg})`);
      }
      put();
      element.hidden = false;
    },
    remove() {
      map.off('zoomend viewreset', put);
      element.remove();
    },
  };
}

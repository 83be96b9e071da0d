import L from 'leaflet';
import type { Circle } from '../../../shared/contract/trips.ts';
import { distanceM, wrapLngDeg } from './projection.ts';

/** Smallest circle that a drag draws; a click without a drag draws this one. Metres. */
const clickRadiusM = 50;

/** Lets the user draw a circle by dragging from its middle, and shows one. */
export function attachCircleTool(
  map: L.Map,
  onCircle: (circle: Circle) => void,
): { setOn(isOn: boolean): void; isOn(): boolean; show(circle: Circle | null): void; remove(): void } {
  let isOn = false;
  let shown: L.Circle | null = null;
  let middle: L.LatLng | null = null;
  const renderer = L.svg({ padding: 0.5 });

  function draw(center: L.LatLng, radiusM: number): void {
    if (shown) {
      shown.setLatLng(center).setRadius(radiusM);
      return;
    }
    shown = L.circle(center, {
      radius: radiusM,
      renderer,
      interactive: false,
      className: 'desk-circle',
      weight: 2,
      dashArray: '6 4',
    }).addTo(map);
  }
  const start = (event: L.LeafletMouseEvent) => {
    if (!isOn) return;
    middle = event.latlng;
    map.dragging.disable();
    draw(middle, 1);
  };
  const radiusTo = (at: L.LatLng) =>
    middle ? Math.min(1_000_000, Math.max(1, distanceM(middle.lat, middle.lng, at.lat, at.lng))) : 1;
  const move = (event: L.LeafletMouseEvent) => {
    if (isOn && middle) draw(middle, radiusTo(event.latlng));
  };
  const end = (event: L.LeafletMouseEvent) => {
    if (!isOn || !middle) return;
    const metres = radiusTo(event.latlng);
    const radiusM = metres < 5 ? clickRadiusM : Math.round(metres);
    const circle = { latDeg: middle.lat, lngDeg: wrapLngDeg(middle.lng), radiusM };
    draw(middle, radiusM);
    middle = null;
    onCircle(circle);
  };
  map.on('mousedown', start);
  map.on('mousemove', move);
  map.on('mouseup', end);
  return {
    isOn: () => isOn,
    setOn(next) {
      isOn = next;
      middle = null;
      map.getContainer().classList.toggle('desk-drawing', next);
      if (next) map.dragging.disable();
      else map.dragging.enable();
    },
    show(circle) {
      if (circle) draw(L.latLng(circle.latDeg, circle.lngDeg), circle.radiusM);
      else {
        shown?.remove();
        shown = null;
      }
    },
    remove() {
      map.off('mousedown', start);
      map.off('mousemove', move);
      map.off('mouseup', end);
      shown?.remove();
    },
  };
}

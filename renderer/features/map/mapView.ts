import L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import type { Circle, TrackLines } from '../../../shared/contract/trips.ts';
import type { TripId } from '../../../shared/ids.ts';
import type { Bbox } from '../../../shared/track.ts';
import { attachCircleTool } from './circleTool.ts';
import type { LineHit } from './lineGeometry.ts';
import { attachMarks, type MapMark } from './marks.ts';
import { toLatDeg, toLngDeg, toWorldX, toWorldY, worldSizePx } from './projection.ts';
import { createTrackPainter } from './trackPainter.ts';
import type { TrackStyle, TripLooks } from './trackPaint.ts';
import { PaintedLayer } from './paintedLayer.ts';

export interface MapCallbacks {
  /** The map rests at a new zoom or place. Edges are unwrapped degrees. */
  readonly onWindow: (window: { level: number; bbox: Bbox }) => void;
  /** A drawn line is under the pointer (null: none). */
  readonly onHover: (at: { tripId: TripId; latDeg: number; lngDeg: number } | null) => void;
  readonly onClick: () => void;
  /** The circle tool drew or changed a circle. */
  readonly onCircle: (circle: Circle) => void;
}

/** A place on a drawn line. */
export interface LinePick {
  readonly tripId: TripId;
  readonly vertex: number;
  readonly latDeg: number;
  readonly lngDeg: number;
}

/** A map that is on screen. `remove` takes it away with all its threads and listeners. */
export interface MapView {
  setLines(lines: TrackLines | null, looks: TripLooks): void;
  setStyle(style: TrackStyle): void;
  setMarks(marks: readonly MapMark[]): void;
  /** Fits a box (unwrapped, see unionBbox) into the window; no closer than `maxZoom` (17). */
  fit(bbox: Bbox, maxZoom?: number): void;
  /** Brings a place into the middle of what is left of the map beside a panel `coveredPx` wide on its right. */
  panTo(latDeg: number, lngDeg: number, zoom: number, coveredPx: number): void;
  setCircle(circle: Circle | null): void;
  /** While on, a drag draws a circle instead of moving the map. */
  setCircleTool(isOn: boolean): void;
  /** The drawn line nearest to a place, within reach of the pointer; `vertex` is counted within its trip. */
  pick(at: L.LatLng): Promise<LinePick | null>;
  /** Layers under the lines come from the caller (offline basemap, PMTiles, online tiles). */
  readonly map: L.Map;
  /** Edges of what is shown, unwrapped degrees. */
  bounds(): Bbox;
  remove(): void;
}

const pickRadiusPx = 12;

/** What a painter's `pick` takes for a place of the map: world units of the first world, and the pointer's reach. */
export function pickArguments(map: L.Map, at: L.LatLng): [x: number, y: number, tolerance: number] {
  const x = toWorldX(at.lng);
  return [x - Math.floor(x), toWorldY(at.lat), pickRadiusPx / worldSizePx(map.getZoom())];
}

/** A painter's hit in terms of the lines that it drew. */
export function pickedOf(lines: Pick<TrackLines, 'tripIds' | 'offsets'>, hit: LineHit): LinePick | null {
  const tripId = lines.tripIds[hit.trip];
  if (tripId === undefined) return null;
  const vertex = hit.vertex - (lines.offsets[hit.trip] ?? 0);
  return { tripId, vertex, latDeg: toLatDeg(hit.y), lngDeg: toLngDeg(hit.x) };
}

/** Puts a map into an element. */
export function attachMap(element: HTMLElement, callbacks: MapCallbacks): MapView {
  const map = L.map(element, {
    center: [30, 5],
    zoom: 2,
    minZoom: 2,
    maxZoom: 20,
    zoomSnap: 0.5,
    wheelPxPerZoomLevel: 90,
    worldCopyJump: false,
    attributionControl: false,
    zoomControl: false,
    fadeAnimation: false,
    keyboard: true,
  });
  L.control.zoom({ position: 'topleft' }).addTo(map);
  L.control.scale({ position: 'bottomleft', imperial: true, maxWidth: 120 }).addTo(map);
  L.control.attribution({ position: 'bottomright', prefix: false }).addTo(map);
  const pane = map.createPane('desk-tracks');
  pane.style.zIndex = '420';
  pane.style.pointerEvents = 'none';
  const painter = createTrackPainter();
  const layer = new PaintedLayer(painter.paint, { pane: 'desk-tracks', className: 'desk-track-canvas' });
  layer.addTo(map);
  const marks = attachMarks(map);
  const circleTool = attachCircleTool(map, callbacks.onCircle);
  let drawn: TrackLines | null = null;

  const bounds = (): Bbox => {
    const box = map.getBounds();
    return [box.getWest(), Math.max(-90, box.getSouth()), box.getEast(), Math.min(90, box.getNorth())];
  };
  const tellWindow = () => {
    const size = map.getSize();
    if (size.x === 0 || size.y === 0) return;
    callbacks.onWindow({ level: Math.max(0, Math.min(20, Math.round(map.getZoom()))), bbox: bounds() });
  };
  map.on('moveend zoomend resize', tellWindow);

  async function pick(at: L.LatLng): Promise<LinePick | null> {
    const lines = drawn;
    const hit = lines && (await painter.pick(...pickArguments(map, at)));
    return hit && lines === drawn ? pickedOf(lines, hit) : null;
  }

  let isPicking = false;
  let wanted: L.LatLng | null = null;
  async function pickNext(): Promise<void> {
    isPicking = true;
    while (wanted) {
      const at = wanted;
      wanted = null;
      if (!drawn) break;
      callbacks.onHover(await pick(at));
    }
    isPicking = false;
  }
  map.on('mousemove', (event) => {
    if (circleTool.isOn()) return;
    wanted = event.latlng;
    if (!isPicking) void pickNext();
  });
  map.on('mouseout', () => {
    wanted = null;
    callbacks.onHover(null);
  });
  map.on('click', () => {
    if (!circleTool.isOn()) callbacks.onClick();
  });

  // The panes of the screen are resizable: the map follows its element, not only the window.
  const observer = new ResizeObserver(() => map.invalidateSize({ animate: false, pan: false }));
  observer.observe(element);
  map.whenReady(tellWindow);

  return {
    map,
    bounds,
    pick,
    setLines(lines, looks) {
      drawn = lines;
      painter.setLines(lines, looks);
      layer.invalidate();
    },
    setStyle(style) {
      painter.setStyle(style);
      marks.setScheme(style.scheme);
      layer.invalidate();
    },
    setMarks: (next) => marks.set(next),
    fit([west, south, east, north], maxZoom = 17) {
      const box = L.latLngBounds([south, west], [north, east]);
      map.fitBounds(box, { padding: [28, 28], maxZoom, animate: false });
    },
    panTo(latDeg, lngDeg, zoom, coveredPx) {
      const at = map.project([latDeg, lngDeg], zoom).add([coveredPx / 2, 0]);
      map.setView(map.unproject(at, zoom), zoom, { animate: false });
    },
    setCircle: (circle) => circleTool.show(circle),
    setCircleTool: (isOn) => circleTool.setOn(isOn),
    remove() {
      observer.disconnect();
      circleTool.remove();
      marks.remove();
      map.remove();
      painter.remove();
    },
  };
}

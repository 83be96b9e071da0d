import L from 'leaflet';
import { createBasemapPainter } from './basemapPainter.ts';
import type { Scheme } from './colors.ts';
import { PaintedLayer } from './paintedLayer.ts';

export interface BasemapOptions {
  readonly scheme: Scheme;
  /** A PMTiles file that the user picked, served with byte ranges; null without one. */
  readonly detail: { readonly url: string; readonly name: string } | null;
  /** Tiles from the network; null (the default) asks the network for nothing. */
  readonly online: { readonly url: string; readonly attribution: string | null } | null;
}

const outlinesEndAtZoom = 10;

/** The offline map under the lines, and what the user put over it. Returns the function that takes it away. */
export function attachBasemap(map: L.Map, options: BasemapOptions): () => void {
  const pane = map.getPane('desk-basemap') ?? map.createPane('desk-basemap');
  pane.style.zIndex = '150';
  pane.style.pointerEvents = 'none';
  const painter = createBasemapPainter(options.scheme, options.detail !== null || options.online !== null);
  const ground = new PaintedLayer(painter.paint, { pane: 'desk-basemap', className: 'desk-basemap-canvas' });
  const hasDetail = options.detail !== null || options.online !== null;
  const credits = {
    far: 'Map: Natural Earth',
    // Where the outline map has nothing more to show, it says so instead of looking broken.
    near: 'Outline map (Natural Earth). For streets choose a PMTiles file in Settings',
  };
  let credit = '';
  const writeCredit = () => {
    const next = !hasDetail && map.getZoom() >= outlinesEndAtZoom ? credits.near : credits.far;
    if (next === credit) return;
    map.attributionControl.removeAttribution(credit).addAttribution(next);
    credit = next;
  };
  writeCredit();
  map.on('zoomend', writeCredit);
  ground.addTo(map);
  let isGone = false;
  const layers: L.Layer[] = [ground];
  if (options.online) {
    const { url, attribution } = options.online;
    layers.push(
      L.tileLayer(url, { attribution: attribution ?? '', maxZoom: 20, maxNativeZoom: 19 }).addTo(map),
    );
  }
  if (options.detail) {
    const { url, name } = options.detail;
    // 200 kB of renderer: loaded only by those who picked a file.
    void import('./pmtilesLayer.ts').then(({ createPmtilesLayer }) => {
      if (isGone) return;
      layers.push(createPmtilesLayer(url, name, options.scheme).addTo(map));
    });
  }
  return () => {
    isGone = true;
    map.off('zoomend', writeCredit);
    map.attributionControl.removeAttribution(credit);
    for (const layer of layers) layer.remove();
    painter.remove();
  };
}

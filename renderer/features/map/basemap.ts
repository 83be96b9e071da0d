import L from 'leaflet';
import { createBasemapPainter } from './basemapPainter.ts';
import type { Scheme } from './colors.ts';
import { creditText } from './credit.ts';
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
  // A file of the user's draws over the bundled names where it has something; tiles may be clear and name things twice.
  const painter = createBasemapPainter(options.scheme, options.online !== null);
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
  let trouble: string | null = null;
  const layers: L.Layer[] = [ground];
  if (options.online) {
    const { url, attribution } = options.online;
    layers.push(
      L.tileLayer(url, {
        // Whose tiles these are is never left open.
        attribution: creditText(attribution?.trim() ? '' : `Tiles: ${new URL(url).host}`, attribution ?? ''),
        maxZoom: 20,
        maxNativeZoom: 19,
      }).addTo(map),
    );
  }
  if (options.detail) {
    const { url, name } = options.detail;
    // 200 kB of renderer: loaded only by those who picked a file.
    void import('./pmtilesLayer.ts')
      .then(({ createPmtilesLayer }) => createPmtilesLayer(url, name, options.scheme))
      .then(
        (layer) => {
          if (!isGone) layers.push(layer.addTo(map));
        },
        () => {
          if (isGone) return;
          trouble = creditText(`Detail: ${name} can’t be read. Choose it again in Settings`, '');
          map.attributionControl.addAttribution(trouble);
        },
      );
  }
  return () => {
    isGone = true;
    map.off('zoomend', writeCredit);
    map.attributionControl.removeAttribution(credit);
    if (trouble !== null) map.attributionControl.removeAttribution(trouble);
    for (const layer of layers) layer.remove();
    painter.remove();
  };
}

import L from 'leaflet';
import type { BasemapPart } from './basemapMessages.ts';
import { createBasemapPainter } from './basemapPainter.ts';
import type { Scheme } from './colors.ts';
import { creditText } from './credit.ts';
import { attachGrid } from './gridLayer.ts';
import { PaintedLayer } from './paintedLayer.ts';

export interface BasemapOptions {
  readonly scheme: Scheme;
  /** A PMTiles file that the user picked, served with byte ranges; null without one. */
  readonly detail: { readonly url: string; readonly name: string } | null;
  /** Tiles from the network; null (the default) asks the network for nothing. */
  readonly online: { readonly url: string; readonly attribution: string | null } | null;
}

/** The offline map under the lines, and what the user put over it. Returns the function that takes it away. */
export function attachBasemap(map: L.Map, options: BasemapOptions): () => void {
  const hasDetail = options.detail !== null || options.online !== null;
  const painter = createBasemapPainter(options.scheme);
  const freeSnap = map.options.zoomSnap ?? 1;
  if (hasDetail) {
    // Tiles between two levels would be blurred and show their seams.
    map.options.zoomSnap = 1;
    if (!Number.isInteger(map.getZoom())) map.setZoom(Math.floor(map.getZoom()), { animate: false });
  }
  const layerOf = (part: BasemapPart, name: string, zIndex: string) => {
    const pane = map.getPane(name) ?? map.createPane(name);
    pane.style.zIndex = zIndex;
    pane.style.pointerEvents = 'none';
    return new PaintedLayer((view) => painter.paint(part, view), { pane: name, className: `${name}-canvas` });
  };
  // Names lie over the lines, unless a file of the user's brings its own: where it has something, it covers them.
  // Tiles may be clear: names under them would be read twice.
  const layers: L.Layer[] = hasDetail
    ? [layerOf(options.online ? 'ground' : 'all', 'desk-basemap', '150')]
    : [layerOf('ground', 'desk-basemap', '150'), layerOf('names', 'desk-names', '430')];
  for (const layer of layers) layer.addTo(map);
  let credit = '';
  let cell: string | null = null;
  const writeCredit = () => {
    const names = options.online ? '' : ' · names: own list, ±1 km';
    // Where the outline map has nothing more to show, it says so instead of looking broken.
    const next =
      cell === null
        ? `Land, borders, lakes: Natural Earth${names}`
        : `Natural Earth${names} · grid ${cell} · streets: PMTiles file in Settings`;
    if (next === credit) return;
    map.attributionControl.removeAttribution(credit).addAttribution(next);
    credit = next;
  };
  writeCredit();
  const removeGrid = hasDetail
    ? null
    : attachGrid(map, options.scheme, (next) => {
        cell = next;
        writeCredit();
      });
  let isGone = false;
  let trouble: string | null = null;
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
    const tell = (text: string) => {
      if (isGone || trouble !== null) return;
      trouble = creditText(text, '');
      map.attributionControl.addAttribution(trouble);
    };
    const onBadTile = () => tell(`Parts of ${name} can’t be read: choose a whole copy in Settings`);
    void import('./pmtilesLayer.ts')
      .then(({ createPmtilesLayer }) => createPmtilesLayer(url, name, options.scheme, onBadTile))
      .then(
        (layer) => {
          if (!isGone) layers.push(layer.addTo(map));
        },
        () => tell(`${name} can’t be read: choose it again in Settings`),
      );
  }
  return () => {
    isGone = true;
    map.options.zoomSnap = freeSnap;
    removeGrid?.();
    map.attributionControl.removeAttribution(credit);
    if (trouble !== null) map.attributionControl.removeAttribution(trouble);
    for (const layer of layers) layer.remove();
    painter.remove();
  };
}

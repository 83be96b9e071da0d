import type L from 'leaflet';
import { leafletLayer } from 'protomaps-leaflet';
import type { Scheme } from './colors.ts';

/** Streets and names from the PMTiles file that the user picked, read by byte ranges from the app itself. */
export function createPmtilesLayer(url: string, fileName: string, scheme: Scheme): L.Layer {
  // protomaps-leaflet extends Leaflet's GridLayer but declares its own looser type.
  return leafletLayer({
    url,
    flavor: scheme,
    lang: 'en',
    attribution: `Detail: ${fileName}`,
  }) as unknown as L.Layer;
}

import type L from 'leaflet';
import { PMTiles } from 'pmtiles';
import { leafletLayer } from 'protomaps-leaflet';
import type { Scheme } from './colors.ts';
import { creditText } from './credit.ts';

/**
 * Streets and names from the PMTiles file that the user picked, read by byte ranges from the app itself. Rejects
 * when the file's header can't be read. Outside of what the file covers the layer is clear: the bundled map shows;
 * so it does where a tile can't be read, of which `onBadTile` hears.
 */
export async function createPmtilesLayer(
  url: string,
  fileName: string,
  scheme: Scheme,
  onBadTile: () => void,
): Promise<L.Layer> {
  // An archive, not its address: the library takes an address without ".pmtiles" for a tile server.
  const archive = new PMTiles(url);
  const header = await archive.getHeader();
  const getTile = archive.getZxy.bind(archive);
  archive.getZxy = async (...at) => {
    try {
      return await getTile(...at);
    } catch (error) {
      // Given up by the layer itself when the zoom has moved on.
      if (error instanceof Error && error.name === 'AbortError') throw error;
      onBadTile();
      return undefined;
    }
  };
  const attribution = await archive.getMetadata().then(
    (metadata) => (metadata as { attribution?: unknown } | null)?.attribution,
    () => undefined, // what can't be read can't be credited; the tiles may be fine
  );
  const { minLon, minLat, maxLon, maxLat } = header;
  type Options = NonNullable<Parameters<typeof leafletLayer>[0]>;
  const layer = leafletLayer({
    // Declared as the class of an older copy of pmtiles that protomaps-leaflet brings; only getZxy is called.
    url: archive as unknown as NonNullable<Options['url']>,
    flavor: scheme,
    lang: 'en',
    // Deeper zooms enlarge the last level; asked for, they would be empty.
    maxDataZoom: header.maxZoom,
    ...(maxLon > minLon && maxLat > minLat
      ? {
          bounds: [
            [minLat, minLon],
            [maxLat, maxLon],
          ],
        }
      : {}),
    attribution: creditText(`Detail: ${fileName}`, typeof attribution === 'string' ? attribution : ''),
  });
  // The style would paint every tile's ground, over the bundled map where the file has nothing.
  layer.backgroundColor = undefined;
  // protomaps-leaflet extends Leaflet's GridLayer but declares its own looser type.
  return layer as unknown as L.Layer;
}

import type L from 'leaflet';
import type { TrackLines } from '../../../../shared/contract/trips.ts';
import type { Scheme } from '../../map/colors.ts';
import { pickArguments, pickedOf, type LinePick } from '../../map/mapView.ts';
import { PaintedLayer } from '../../map/paintedLayer.ts';
import { createTrackPainter } from '../../map/trackPainter.ts';

/** Lines of other vehicles, by camera, under the scene's own trail and drawn by a thread of their own. */
export interface LineLayer {
  show(lines: TrackLines, colorIndex: Int16Array): void;
  setScheme(scheme: Scheme): void;
  pick(at: L.LatLng): Promise<LinePick | null>;
  remove(): void;
}

export function attachLineLayer(map: L.Map): LineLayer {
  const pane = map.createPane('desk-overlays');
  pane.style.zIndex = '410';
  pane.style.pointerEvents = 'none';
  const painter = createTrackPainter();
  const layer = new PaintedLayer(painter.paint, { pane: 'desk-overlays', className: 'desk-overlay-canvas' });
  layer.addTo(map);
  let drawn: TrackLines | null = null;
  return {
    show(lines, colorIndex) {
      drawn = lines;
      painter.setLines(lines, { colorIndex, isShapeOnly: new Uint8Array(lines.tripIds.length) });
      layer.invalidate();
    },
    setScheme(scheme) {
      painter.setStyle({ mode: 'camera', scheme, focused: null });
      layer.invalidate();
    },
    async pick(at) {
      const lines = drawn;
      if (!lines || lines.tripIds.length === 0) return null;
      const hit = await painter.pick(...pickArguments(map, at));
      return hit && lines === drawn ? pickedOf(lines, hit) : null;
    },
    remove() {
      layer.remove();
      painter.remove();
    },
  };
}

import L from 'leaflet';
import { toWorldX, toWorldY, worldSizePx } from './projection.ts';
import type { PaintView } from './trackPaint.ts';

/** Draws a view somewhere else (a worker) and hands back the picture; null when there is nothing to show. */
export type Paint = (view: PaintView) => Promise<ImageBitmap | null>;

/** The picture reaches this share of the window beyond each edge, so that a drag shows no blank border. */
const margin = 0.35;

/**
 * A Leaflet layer that shows pictures painted elsewhere. While the map moves, the last picture moves and scales with
 * it (a transform, nothing is drawn); a new one is asked for when the view has left it or come to rest. At most one
 * painting is under way; only the newest view is painted next.
 */
export class PaintedLayer extends L.Layer {
  private readonly canvas = document.createElement('canvas');
  private readonly paint: Paint;
  private readonly paneName: string;
  private shown: { view: PaintView; zoom: number } | null = null;
  private isPainting = false;
  private isStale = false;

  constructor(paint: Paint, options: { pane: string; className: string }) {
    super({ pane: options.pane });
    this.paneName = options.pane;
    this.paint = paint;
    this.canvas.className = `leaflet-zoom-animated ${options.className}`;
    this.canvas.setAttribute('aria-hidden', 'true');
    this.canvas.style.position = 'absolute';
    this.canvas.style.pointerEvents = 'none';
  }

  override onAdd(map: L.Map): this {
    map.getPane(this.paneName)?.appendChild(this.canvas);
    this.invalidate();
    return this;
  }

  override onRemove(): this {
    this.canvas.remove();
    this.shown = null;
    return this;
  }

  override getEvents(): Record<string, L.LeafletEventHandlerFn> {
    return {
      zoomanim: (event) => {
        const { center, zoom } = event as L.ZoomAnimEvent;
        this.place(center, zoom);
      },
      zoom: () => this.place(),
      viewreset: () => this.place(),
      move: () => {
        if (!this.isCovered()) this.invalidate();
      },
      moveend: () => this.invalidate(),
      zoomend: () => this.invalidate(),
      resize: () => this.invalidate(),
    };
  }

  /** Asks for a new picture of the current view. */
  invalidate(): void {
    this.isStale = true;
    if (!this.isPainting) void this.paintNext();
  }

  private async paintNext(): Promise<void> {
    this.isPainting = true;
    try {
      while (this.isStale && this.map()) {
        this.isStale = false;
        const view = this.currentView();
        const bitmap = view && (await this.paint(view.view));
        if (!this.map()) bitmap?.close();
        else if (bitmap && view) this.show(bitmap, view);
      }
    } finally {
      this.isPainting = false;
    }
  }

  private map(): L.Map | null {
    // `_map` is how Leaflet itself tells that a layer is on a map; undefined after removal.
    return (this as unknown as { _map?: L.Map | null })._map ?? null;
  }

  private currentView(): { view: PaintView; zoom: number } | null {
    const map = this.map();
    if (!map) return null;
    const size = map.getSize();
    if (size.x === 0 || size.y === 0) return null;
    const zoom = map.getZoom();
    const worldPx = worldSizePx(zoom);
    const center = map.getCenter();
    const widthPx = Math.ceil(size.x * (1 + 2 * margin));
    const heightPx = Math.ceil(size.y * (1 + 2 * margin));
    const view: PaintView = {
      west: toWorldX(center.lng) - widthPx / 2 / worldPx,
      north: toWorldY(center.lat) - heightPx / 2 / worldPx,
      widthPx,
      heightPx,
      worldPx,
      pixelRatio: Math.min(2, window.devicePixelRatio || 1),
    };
    return { view, zoom };
  }

  private show(bitmap: ImageBitmap, painted: { view: PaintView; zoom: number }): void {
    const { canvas } = this;
    if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
    if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
    canvas.style.width = `${painted.view.widthPx}px`;
    canvas.style.height = `${painted.view.heightPx}px`;
    canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
    this.shown = painted;
    this.place();
  }

  /** Puts the picture where its part of the world is, now or (during the zoom animation) then. */
  private place(center?: L.LatLng, zoom?: number): void {
    const map = this.map();
    if (!map || !this.shown) return;
    const atZoom = zoom ?? map.getZoom();
    const worldPx = worldSizePx(atZoom);
    // The pixel origin of the view that the animation leads to, as Leaflet's own canvas renderer asks for it.
    const origin = center
      ? (map as unknown as { _getNewPixelOrigin(c: L.LatLng, z: number): L.Point })._getNewPixelOrigin(
          center,
          atZoom,
        )
      : map.getPixelOrigin();
    const { view } = this.shown;
    const offset = L.point(view.west * worldPx - origin.x, view.north * worldPx - origin.y);
    L.DomUtil.setTransform(this.canvas, offset, worldPx / view.worldPx);
  }

  private isCovered(): boolean {
    const map = this.map();
    if (!map || !this.shown) return false;
    const { view } = this.shown;
    const worldPx = worldSizePx(map.getZoom());
    if (Math.abs(Math.log2(worldPx / view.worldPx)) > 0.6) return false;
    const size = map.getSize();
    const center = map.getCenter();
    const west = toWorldX(center.lng) - size.x / 2 / worldPx;
    const north = toWorldY(center.lat) - size.y / 2 / worldPx;
    return (
      west >= view.west &&
      north >= view.north &&
      west + size.x / worldPx <= view.west + view.widthPx / view.worldPx &&
      north + size.y / worldPx <= view.north + view.heightPx / view.worldPx
    );
  }
}

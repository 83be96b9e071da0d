import type { BasemapFiles, BasemapPart, BasemapReply, BasemapRequest } from './basemapMessages.ts';
import type { Scheme } from './colors.ts';
import type { PaintView } from './trackPaint.ts';

/** Addresses of the bundled files, served by the app itself. */
export const basemapFiles: BasemapFiles = {
  coarse: new URL('../../../assets/basemap/outlines-110m.bin', import.meta.url).href,
  medium: new URL('../../../assets/basemap/outlines-50m.bin', import.meta.url).href,
  fine: new URL('../../../assets/basemap/outlines-10m.bin', import.meta.url).href,
  lakes: new URL('../../../assets/basemap/lakes.json', import.meta.url).href,
  labels: new URL('../../../assets/basemap/labels.json', import.meta.url).href,
};

/** The window's end of the thread that draws the offline map. */
export function createBasemapPainter(scheme: Scheme): {
  paint(part: BasemapPart, view: PaintView): Promise<ImageBitmap | null>;
  remove(): void;
} {
  const worker = new Worker(new URL('./basemapWorker.ts', import.meta.url), {
    type: 'module',
    name: 'basemap',
  });
  const waiting = new Map<number, (bitmap: ImageBitmap | null) => void>();
  let nextId = 1;
  const giveUp = () => {
    for (const resolve of waiting.values()) resolve(null);
    waiting.clear();
  };
  worker.onmessage = ({ data }: MessageEvent<BasemapReply>) => {
    const resolve = waiting.get(data.id);
    waiting.delete(data.id);
    if (resolve) resolve(data.bitmap);
    else data.bitmap?.close();
  };
  worker.onerror = (event) => {
    console.error('The thread that draws the offline map failed:', event.message);
    giveUp();
  };
  return {
    paint(part, view) {
      const id = nextId++;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        const request: BasemapRequest = { id, view, scheme, part, files: basemapFiles };
        worker.postMessage(request);
      });
    },
    remove() {
      worker.terminate();
      giveUp();
    },
  };
}

import type { TrackLines } from '../../../shared/contract/trips.ts';
import type { LineHit } from './lineGeometry.ts';
import type { TrackReply, TrackRequest } from './trackMessages.ts';
import type { PaintView, TrackStyle, TripLooks } from './trackPaint.ts';

export interface TrackPainter {
  setLines(lines: TrackLines | null, looks: TripLooks): void;
  setStyle(style: TrackStyle): void;
  paint(view: PaintView): Promise<ImageBitmap | null>;
  pick(x: number, y: number, tolerance: number): Promise<LineHit | null>;
  remove(): void;
}

/** The window's end of the thread that draws lines (trackWorker.ts). */
export function createTrackPainter(): TrackPainter {
  const worker = new Worker(new URL('./trackWorker.ts', import.meta.url), {
    type: 'module',
    name: 'track-lines',
  });
  let nextId = 1;
  const waiting = new Map<number, (reply: TrackReply | null) => void>();
  const send = (message: TrackRequest) => worker.postMessage(message);
  function ask(build: (id: number) => TrackRequest): Promise<TrackReply | null> {
    const id = nextId++;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      send(build(id));
    });
  }
  worker.onmessage = ({ data }: MessageEvent<TrackReply>) => {
    const resolve = waiting.get(data.id);
    waiting.delete(data.id);
    if (resolve) resolve(data);
    else if (data.kind === 'painted') data.bitmap.close();
  };
  const giveUp = () => {
    for (const resolve of waiting.values()) resolve(null);
    waiting.clear();
  };
  worker.onerror = (event) => {
    console.error('The thread that draws tracks failed:', event.message);
    giveUp();
  };
  return {
    setLines(lines, looks) {
      send({
        kind: 'lines',
        lines: {
          offsets: lines?.offsets ?? new Uint32Array(1),
          latDeg: lines?.latDeg ?? new Float64Array(0),
          lngDeg: lines?.lngDeg ?? new Float64Array(0),
          speedKmh: lines?.speedKmh ?? new Float32Array(0),
          isGap: lines?.isGap ?? new Uint8Array(0),
        },
        looks,
      });
    },
    setStyle: (style) => send({ kind: 'style', style }),
    async paint(view) {
      const reply = await ask((id) => ({ kind: 'paint', id, view }));
      return reply?.kind === 'painted' ? reply.bitmap : null;
    },
    async pick(x, y, tolerance) {
      const reply = await ask((id) => ({ kind: 'pick', id, x, y, tolerance }));
      return reply?.kind === 'picked' ? reply.hit : null;
    },
    remove() {
      worker.terminate();
      giveUp();
    },
  };
}

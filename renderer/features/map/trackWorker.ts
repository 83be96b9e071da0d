/**
 * The thread that draws track lines and finds the line under the pointer. The window's thread only shows finished
 * pictures and moves them, so a million points never cost it a frame.
 */
import { buildLineGeometry, pickLine } from './lineGeometry.ts';
import type { TrackReply, TrackRequest } from './trackMessages.ts';
import { paintTracks, type TrackStyle, type TripLooks } from './trackPaint.ts';

const emptyLines = {
  offsets: new Uint32Array(1),
  latDeg: new Float64Array(0),
  lngDeg: new Float64Array(0),
  speedKmh: new Float32Array(0),
  isGap: new Uint8Array(0),
};
let geometry = buildLineGeometry(emptyLines);
let looks: TripLooks = { colorIndex: new Int16Array(0), isShapeOnly: new Uint8Array(0) };
let style: TrackStyle = { mode: 'camera', scheme: 'light', focused: null };
let canvas: OffscreenCanvas | null = null;

/** `self` as the DOM library types it is a window; this file runs as a worker and uses only these two. */
const port = self as unknown as {
  postMessage(message: TrackReply, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<TrackRequest>) => void) | null;
};

port.onmessage = ({ data }) => {
  switch (data.kind) {
    case 'lines':
      geometry = buildLineGeometry(data.lines);
      looks = data.looks;
      return;
    case 'style':
      style = data.style;
      return;
    case 'pick':
      port.postMessage(
        { kind: 'picked', id: data.id, hit: pickLine(geometry, data.x, data.y, data.tolerance) },
        [],
      );
      return;
    case 'paint': {
      const width = Math.max(1, Math.round(data.view.widthPx * data.view.pixelRatio));
      const height = Math.max(1, Math.round(data.view.heightPx * data.view.pixelRatio));
      canvas ??= new OffscreenCanvas(width, height);
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no 2d context in the drawing thread');
      const drawn = paintTracks(context, geometry, looks, data.view, style);
      const bitmap = canvas.transferToImageBitmap();
      port.postMessage({ kind: 'painted', id: data.id, bitmap, ...drawn }, [bitmap]);
    }
  }
};

import type { Mark } from '../../../../shared/contract/marks.ts';
import type { ReviewScene } from '../../../../shared/contract/review.ts';
import type { HarshMoment } from '../../../../shared/harshMoments.ts';
import { sceneMsOf } from '../marks/anchors.ts';
import type { EventStart } from './coverage.ts';
import { chartInks } from './inks.ts';
import { prepareCanvas } from './lanePaint.ts';
import type { Frame } from './stageParts.ts';

/** Something at a time that can be gone to; `toMs` for ranges. */
export interface Marker {
  readonly kind: 'bookmark' | 'range' | 'harsh' | 'event';
  readonly ms: number;
  readonly toMs: number | null;
  readonly text: string;
  /** Of harsh moments, g. */
  readonly valueG: number;
}

export const markerPx = 18;
const reachPx = 6;

/** All markers of the scene in order of time. Marks go by their clip where it is here: it holds when a clock is set anew. Pure. */
export function markersOf(
  scene: ReviewScene,
  marks: readonly Mark[],
  harsh: readonly HarshMoment[],
  events: readonly EventStart[],
): Marker[] {
  const placeOf = (anchor: Mark['from'], utcMs: number | null): number | null =>
    (anchor && sceneMsOf(scene, anchor)) ?? (scene.timebase === 'utc' ? utcMs : null);
  const markers: Marker[] = [];
  for (const mark of marks) {
    const ms = placeOf(mark.from, mark.fromMs);
    if (ms === null) continue;
    const toMs = mark.kind === 'range' ? placeOf(mark.to, mark.toMs) : null;
    const text = mark.title || (mark.kind === 'range' ? 'range without a title' : 'bookmark without a title');
    markers.push({ kind: mark.kind, ms, toMs, text: `${mark.kind}: ${text}`, valueG: NaN });
  }
  for (const { timeMs, valueG, kind, axisName } of harsh) {
    const what = kind === 'axis' ? axisName : kind;
    markers.push({
      kind: 'harsh',
      ms: timeMs,
      toMs: null,
      text: `${valueG.toFixed(2)} g without gravity, ${what}`,
      valueG,
    });
  }
  for (const { ms, word } of events)
    markers.push({ kind: 'event', ms, toMs: null, text: `event recording: ${word}`, valueG: NaN });
  return markers.sort((a, b) => a.ms - b.ms);
}

/** The marker nearest to a time within reach of the pointer; marks of the user win over what was found. Pure. */
export function markerNear(markers: readonly Marker[], ms: number, msPerPx: number): Marker | null {
  const rank = { bookmark: 0, range: 1, event: 2, harsh: 3 } as const;
  let best: Marker | null = null;
  for (const marker of markers) {
    const awayMs = Math.abs(marker.ms - ms);
    if (awayMs > reachPx * msPerPx) continue;
    const isBetter =
      best === null ||
      rank[marker.kind] < rank[best.kind] ||
      (rank[marker.kind] === rank[best.kind] && awayMs < Math.abs(best.ms - ms));
    if (isBetter) best = marker;
  }
  return best;
}

/** Bookmarks as flags, ranges as brackets, harsh moments as triangles, events as diamonds; the strongest with its value. */
export function paintMarkers(canvas: HTMLCanvasElement, markers: readonly Marker[], frame: Frame): void {
  const { plotPx, view, ratio, scheme } = frame;
  const context = prepareCanvas(canvas, plotPx, markerPx, ratio);
  if (!context) return;
  const ink = chartInks[scheme];
  const xOf = (ms: number) => ((ms - view.fromMs) / (view.toMs - view.fromMs)) * plotPx;
  let strongest: Marker | null = null;
  let lastHarshX = -Infinity;
  for (const marker of markers) {
    const x = xOf(marker.ms);
    const endX = marker.toMs === null ? x : xOf(marker.toMs);
    if (endX < -8 || x > plotPx + 8) continue;
    if (marker.kind === 'harsh') {
      if (!strongest || marker.valueG > strongest.valueG) strongest = marker;
      // A day has more of them than pixels.
      if (x - lastHarshX < 3) continue;
      lastHarshX = x;
      context.fillStyle = ink.warn;
      triangle(context, x, 6, 4);
    } else if (marker.kind === 'event') {
      context.fillStyle = ink.bad;
      context.beginPath();
      context.moveTo(x, 3);
      context.lineTo(x + 4.5, 9);
      context.lineTo(x, 15);
      context.lineTo(x - 4.5, 9);
      context.fill();
    } else {
      context.fillStyle = ink.mark;
      context.fillRect(x - 0.75, 2, 1.5, markerPx - 2);
      if (marker.kind === 'bookmark') {
        context.beginPath();
        context.moveTo(x, 2);
        context.lineTo(x + 9, 5.5);
        context.lineTo(x, 9);
        context.fill();
      } else {
        context.fillRect(x, 2, Math.max(3, endX - x), 2);
        context.fillRect(endX - 0.75, 2, 1.5, markerPx - 2);
      }
    }
  }
  if (!strongest) return;
  const x = xOf(strongest.ms);
  // The curves have gravity in them unless the user took it out: the figure here is another one.
  const label = `${strongest.valueG.toFixed(2)} g without gravity`;
  context.font = '600 10px system-ui, sans-serif';
  context.textBaseline = 'middle';
  const width = context.measureText(label).width;
  const left = x + 7 + width > plotPx ? x - 7 - width : x + 7;
  context.fillStyle = ink.ground;
  context.fillRect(left - 2, 3, width + 4, 13);
  context.fillStyle = ink.warn;
  context.textAlign = 'left';
  context.fillText(label, left, 10);
  triangle(context, x, 5, 5);
}

function triangle(context: CanvasRenderingContext2D, x: number, top: number, half: number): void {
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x + half, top + half * 2);
  context.lineTo(x - half, top + half * 2);
  context.fill();
}

import {
  southernEnd,
  type BasemapLabel,
  type BasemapLake,
  type BasemapOutlines,
  type BasemapRing,
} from './basemapData.ts';
import type { Scheme } from './colors.ts';
import { boxMeets } from './lineGeometry.ts';
import type { PaintView } from './trackPaint.ts';

/** Quiet colours: the map is the ground on which the lines are read. */
const inks = {
  light: {
    water: '#dbe6ec',
    land: '#f6f5f1',
    coast: '#a9bcc6',
    border: '#b7aeb9',
    country: '#8a8591',
    place: '#4f5560',
    waterText: '#6d8fa3',
    halo: 'rgba(246,245,241,0.9)',
    waterHalo: 'rgba(219,230,236,0.9)',
  },
  dark: {
    water: '#0f171d',
    land: '#1c242a',
    coast: '#3b4b56',
    border: '#4a4653',
    country: '#7d7a88',
    place: '#a4adb6',
    waterText: '#4f7388',
    halo: 'rgba(28,36,42,0.9)',
    waterHalo: 'rgba(15,23,29,0.9)',
  },
} as const;

type Context = OffscreenCanvasRenderingContext2D;

/** Draws land, lakes and borders. */
export function paintGround(
  context: Context,
  outlines: BasemapOutlines,
  lakes: readonly BasemapLake[],
  view: PaintView,
  scheme: Scheme,
): void {
  const ink = inks[scheme];
  context.fillStyle = ink.water;
  context.fillRect(0, 0, view.widthPx, view.heightPx);
  const edge = 4 / view.worldPx;
  const east = view.west + view.widthPx / view.worldPx;
  const south = view.north + view.heightPx / view.worldPx;
  // One world more on each side: outlines over the 180th meridian reach into it.
  for (let turn = Math.floor(view.west) - 1; turn <= Math.floor(east) + 1; turn++) {
    const window: Window = {
      west: view.west - turn - edge,
      north: view.north - edge,
      east: east - turn + edge,
      south: south + edge,
      view,
      turn,
    };
    context.fillStyle = ink.land;
    context.strokeStyle = ink.coast;
    context.lineWidth = 0.8;
    outlines.polygons.forEach((rings, polygon) => {
      if (!boxMeets(outlines.polygonBoxes, polygon, window.west, window.north, window.east, window.south))
        return;
      context.beginPath();
      for (const ring of rings) traceRing(context, outlines, ring, window);
      context.fill('evenodd');
      context.stroke();
    });
    paintLakes(context, lakes, window, ink);
    context.strokeStyle = ink.border;
    context.lineWidth = 1;
    context.setLineDash([5, 3]);
    context.beginPath();
    for (const arc of outlines.borders) traceArc(context, outlines, arc, 0, window, true);
    context.stroke();
    context.setLineDash([]);
  }
}

interface Window {
  readonly west: number;
  readonly north: number;
  readonly east: number;
  readonly south: number;
  readonly view: PaintView;
  readonly turn: number;
}

/** The lakes are drawn from far off only: near by, their coarse shores would put streets under water. */
const lakesUntilZoom = 7.5;

function paintLakes(
  context: Context,
  lakes: readonly BasemapLake[],
  window: Window,
  ink: (typeof inks)[Scheme],
): void {
  const { view, turn } = window;
  if (Math.log2(view.worldPx / 256) > lakesUntilZoom) return;
  context.fillStyle = ink.water;
  context.strokeStyle = ink.coast;
  context.lineWidth = 0.8;
  for (const { shore, box } of lakes) {
    if (!boxMeets(box, 0, window.west, window.north, window.east, window.south)) continue;
    context.beginPath();
    for (let i = 0; i + 1 < shore.length; i += 2) {
      context.lineTo(
        ((shore[i] ?? 0) + turn - view.west) * view.worldPx,
        ((shore[i + 1] ?? 0) - view.north) * view.worldPx,
      );
    }
    context.closePath();
    context.fill();
    context.stroke();
  }
}

function traceRing(context: Context, outlines: BasemapOutlines, ring: BasemapRing, window: Window): void {
  ring.arcs.forEach((arc, i) => traceArc(context, outlines, arc, ring.shifts[i] ?? 0, window, i === 0));
  if (ring.turn !== 0) {
    // Around the pole: down beyond the edge of the map, back one world, and up to the start.
    const first = ring.arcs[0] ?? 0;
    const start =
      outlines.x[
        (first < 0 ? (outlines.arcOffsets[~first + 1] ?? 0) - 1 : outlines.arcOffsets[first]) ?? 0
      ] ?? 0;
    const { view, turn } = window;
    const screenX = (x: number) => (x + turn - view.west) * view.worldPx;
    const bottom = (southernEnd - view.north) * view.worldPx;
    context.lineTo(screenX(start + ring.turn), bottom);
    context.lineTo(screenX(start), bottom);
  }
  context.closePath();
}

/**
 * Adds an arc, shifted by whole worlds, to the path. A block out of view is replaced by its end point: the chord stays inside the block's box,
 * which does not meet the view, so nothing visible changes.
 */
function traceArc(
  context: Context,
  outlines: BasemapOutlines,
  arc: number,
  shift: number,
  window: Window,
  isStart: boolean,
): void {
  const { x, y, blockFirst, blockLast, blockBoxes } = outlines;
  const { view } = window;
  const turn = window.turn + shift;
  const [west, east] = [window.west - shift, window.east - shift];
  const isReverse = arc < 0;
  const index = isReverse ? ~arc : arc;
  const from = outlines.blockOffsets[index] ?? 0;
  const to = outlines.blockOffsets[index + 1] ?? 0;
  const screenX = (i: number) => ((x[i] ?? 0) + turn - view.west) * view.worldPx;
  const screenY = (i: number) => ((y[i] ?? 0) - view.north) * view.worldPx;
  const begin = isReverse ? (blockLast[to - 1] ?? 0) : (blockFirst[from] ?? 0);
  if (isStart) context.moveTo(screenX(begin), screenY(begin));
  for (let step = 0; step < to - from; step++) {
    const block = isReverse ? to - 1 - step : from + step;
    const a = blockFirst[block] ?? 0;
    const b = blockLast[block] ?? 0;
    const isIn = boxMeets(blockBoxes, block, west, window.north, east, window.south);
    const sizePx =
      Math.max(
        (blockBoxes[block * 4 + 2] ?? 0) - (blockBoxes[block * 4] ?? 0),
        (blockBoxes[block * 4 + 3] ?? 0) - (blockBoxes[block * 4 + 1] ?? 0),
      ) * view.worldPx;
    if (!isIn || sizePx < 0.7) {
      const end = isReverse ? a : b;
      context.lineTo(screenX(end), screenY(end));
    } else if (isReverse) for (let i = b - 1; i >= a; i--) context.lineTo(screenX(i), screenY(i));
    else for (let i = a + 1; i <= b; i++) context.lineTo(screenX(i), screenY(i));
  }
}

/** Zoom from which a rank is named. */
const zoomOfRank = {
  sea: [2, 3, 4.5, 6, 7, 8],
  country: [1.9, 3.2, 4.2, 5, 5.8, 6.6],
  lake: [5, 6, 7, 8, 9, 10],
  place: [3.6, 4.6, 5.6, 6.6, 7.6, 8.6],
} as const;
const countryNamesUntilZoom = 8;

/** Writes names with a halo that keeps them readable over lines; of names that would overlap, the larger stays. */
export function paintNames(
  context: Context,
  labels: readonly BasemapLabel[],
  view: PaintView,
  scheme: Scheme,
): void {
  const ink = inks[scheme];
  const zoom = Math.log2(view.worldPx / 256);
  const taken: [number, number, number, number][] = [];
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  for (const label of labels) {
    const from = zoomOfRank[label.kind][label.rank] ?? 9;
    if (zoom < from || (label.kind === 'country' && zoom > countryNamesUntilZoom)) continue;
    const isWater = label.kind === 'sea' || label.kind === 'lake';
    const isPlace = label.kind === 'place';
    const size = label.kind === 'country' ? 12 : isPlace ? (label.rank <= 1 ? 12.5 : 11.5) : 11.5;
    context.font = `${isWater ? 'italic ' : ''}${label.kind === 'country' ? '600 ' : ''}${size}px system-ui, sans-serif`;
    const text = label.kind === 'country' ? label.name.toUpperCase() : label.name;
    const width = context.measureText(text).width;
    for (
      let turn = Math.floor(view.west);
      turn <= Math.floor(view.west + view.widthPx / view.worldPx);
      turn++
    ) {
      const px = (label.x + turn - view.west) * view.worldPx;
      const py = (label.y - view.north) * view.worldPx;
      if (px < -width || py < -20 || px > view.widthPx + width || py > view.heightPx + 20) continue;
      const textX = isPlace ? px + width / 2 + 6 : px;
      const box: [number, number, number, number] = [
        textX - width / 2 - 4,
        py - 9,
        textX + width / 2 + 4,
        py + 9,
      ];
      if (
        taken.some(
          (other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1],
        )
      )
        continue;
      taken.push(box);
      if (isPlace) {
        context.beginPath();
        context.arc(px, py, label.rank <= 1 ? 2.6 : 2, 0, Math.PI * 2);
        context.lineWidth = 2.5;
        context.strokeStyle = ink.halo;
        context.stroke();
        context.fillStyle = ink.place;
        context.fill();
      }
      context.lineWidth = 4;
      context.strokeStyle = isWater ? ink.waterHalo : ink.halo;
      context.strokeText(text, textX, py);
      context.fillStyle = isWater ? ink.waterText : label.kind === 'country' ? ink.country : ink.place;
      context.fillText(text, textX, py);
    }
  }
}

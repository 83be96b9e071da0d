import type { TrackLines } from '../../../shared/contract/trips.ts';
import { toWorldX, toWorldY } from './projection.ts';

/** Vertices that share one bounding box, for culling and for finding what is under the pointer. */
const blockSize = 64;

/**
 * Track lines projected once. Block b holds the segments that end at vertices blockFirst[b] + 1 .. blockLast[b];
 * its box (world units: west, north, east, south) encloses them.
 */
export interface LineGeometry {
  readonly tripCount: number;
  readonly offsets: Uint32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly speedKmh: Float32Array;
  readonly isGap: Uint8Array;
  readonly tripBoxes: Float64Array;
  /** Trip i owns blocks blockOffsets[i] .. blockOffsets[i + 1] - 1. */
  readonly blockOffsets: Uint32Array;
  readonly blockFirst: Uint32Array;
  readonly blockLast: Uint32Array;
  readonly blockBoxes: Float64Array;
}

/** Projects lines and builds the boxes. Jumps of more than half the globe go the short way (180th meridian). Pure. */
export function buildLineGeometry(
  lines: Pick<TrackLines, 'offsets' | 'latDeg' | 'lngDeg' | 'speedKmh' | 'isGap'>,
): LineGeometry {
  const { offsets, latDeg, lngDeg } = lines;
  const tripCount = Math.max(0, offsets.length - 1);
  const x = new Float64Array(latDeg.length);
  const y = new Float64Array(latDeg.length);
  const tripBoxes = new Float64Array(tripCount * 4);
  const blockOffsets = new Uint32Array(tripCount + 1);
  const first: number[] = [];
  const last: number[] = [];
  for (let trip = 0; trip < tripCount; trip++) {
    const from = offsets[trip] ?? 0;
    const to = offsets[trip + 1] ?? from;
    let turn = 0;
    let previous = 0;
    for (let v = from; v < to; v++) {
      const wrapped = toWorldX(lngDeg[v] ?? NaN);
      if (v > from) {
        if (wrapped - previous > 0.5) turn -= 1;
        else if (previous - wrapped > 0.5) turn += 1;
      }
      previous = wrapped;
      x[v] = wrapped + turn;
      y[v] = toWorldY(latDeg[v] ?? NaN);
    }
    blockOffsets[trip] = first.length;
    let v = from;
    while (v < to) {
      const end = Math.min(v + blockSize, to - 1);
      first.push(v);
      last.push(end);
      if (end >= to - 1) break;
      v = end;
    }
  }
  blockOffsets[tripCount] = first.length;
  const blockBoxes = new Float64Array(first.length * 4);
  for (let trip = 0; trip < tripCount; trip++) {
    const tripBox: Box = [Infinity, Infinity, -Infinity, -Infinity];
    const blockEnd = blockOffsets[trip + 1] ?? 0;
    for (let block = blockOffsets[trip] ?? 0; block < blockEnd; block++) {
      const box: Box = [Infinity, Infinity, -Infinity, -Infinity];
      const end = last[block] ?? 0;
      for (let v = first[block] ?? 0; v <= end; v++) grow(box, x[v] ?? 0, y[v] ?? 0);
      blockBoxes.set(box, block * 4);
      grow(tripBox, box[0], box[1]);
      grow(tripBox, box[2], box[3]);
    }
    tripBoxes.set(tripBox, trip * 4);
  }
  return {
    tripCount,
    offsets,
    x,
    y,
    speedKmh: lines.speedKmh,
    isGap: lines.isGap,
    tripBoxes,
    blockOffsets,
    blockFirst: Uint32Array.from(first),
    blockLast: Uint32Array.from(last),
    blockBoxes,
  };
}

type Box = [west: number, north: number, east: number, south: number];
function grow(box: Box, x: number, y: number): void {
  if (x < box[0]) box[0] = x;
  if (y < box[1]) box[1] = y;
  if (x > box[2]) box[2] = x;
  if (y > box[3]) box[3] = y;
}

/** Whether box number `index` of `boxes` meets the world rectangle. Pure. */
export function boxMeets(
  boxes: Float64Array,
  index: number,
  west: number,
  north: number,
  east: number,
  south: number,
): boolean {
  const at = index * 4;
  return (
    (boxes[at] ?? Infinity) <= east &&
    (boxes[at + 2] ?? -Infinity) >= west &&
    (boxes[at + 1] ?? Infinity) <= south &&
    (boxes[at + 3] ?? -Infinity) >= north
  );
}

export interface LineHit {
  readonly trip: number;
  /** The recorded point (vertex) next to the place, on its line. */
  readonly vertex: number;
  /** Nearest place on the line, world units. */
  readonly x: number;
  readonly y: number;
  readonly distance: number;
}

/**
 * The drawn line nearest to a place, within a tolerance (world units); null when there is none. Gaps don't count:
 * nobody drove there. Skips all blocks whose box is farther away than the best so far. Pure.
 */
export function pickLine(
  geometry: LineGeometry,
  atX: number,
  atY: number,
  tolerance: number,
): LineHit | null {
  const { x, y, isGap } = geometry;
  let best: LineHit | null = null;
  // The world repeats: a line unwrapped over the 180th meridian may lie one world beside the pointer's.
  for (const turn of [0, 1, -1]) {
    const px = atX + turn;
    let reach: number = best?.distance ?? tolerance;
    for (let trip = 0; trip < geometry.tripCount; trip++) {
      if (!boxMeets(geometry.tripBoxes, trip, px - reach, atY - reach, px + reach, atY + reach)) continue;
      const blockEnd = geometry.blockOffsets[trip + 1] ?? 0;
      for (let block = geometry.blockOffsets[trip] ?? 0; block < blockEnd; block++) {
        if (!boxMeets(geometry.blockBoxes, block, px - reach, atY - reach, px + reach, atY + reach)) continue;
        const from = geometry.blockFirst[block] ?? 0;
        const to = geometry.blockLast[block] ?? 0;
        for (let v = from; v <= to; v++) {
          const bx = x[v] ?? 0;
          const by = y[v] ?? 0;
          let nearX = bx;
          let nearY = by;
          let vertex = v;
          if (v > from && isGap[v] !== 1) {
            const ax = x[v - 1] ?? 0;
            const ay = y[v - 1] ?? 0;
            const dx = bx - ax;
            const dy = by - ay;
            const length = dx * dx + dy * dy;
            const share =
              length === 0 ? 1 : Math.max(0, Math.min(1, ((px - ax) * dx + (atY - ay) * dy) / length));
            nearX = ax + dx * share;
            nearY = ay + dy * share;
            vertex = share < 0.5 ? v - 1 : v;
          }
          const distance = Math.hypot(px - nearX, atY - nearY);
          if (distance < reach || (best === null && distance <= reach)) {
            reach = distance;
            best = { trip, vertex, x: nearX, y: nearY, distance };
          }
        }
      }
    }
  }
  return best;
}

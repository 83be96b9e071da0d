import type { Bbox } from '../../../shared/track.ts';
import { wrapLngDeg } from './projection.ts';

/**
 * The smallest box around boxes, going round the globe the shorter way. Unwrapped: `east` may exceed 180 so that
 * west < east always holds and a map can fit it. Null without boxes. Pure.
 */
export function unionBbox(boxes: readonly Bbox[]): Bbox | null {
  if (boxes.length === 0) return null;
  let south = 90;
  let north = -90;
  // Longitude intervals on a circle: sort by start, find the widest stretch that none of them covers.
  const spans: [number, number][] = [];
  for (const [w, s, e, n] of boxes) {
    south = Math.min(south, s);
    north = Math.max(north, n);
    spans.push([w, e < w ? e + 360 : e]);
  }
  spans.sort((a, b) => a[0] - b[0]);
  let reach = -Infinity;
  for (const [, e] of spans) reach = Math.max(reach, e - 360); // what wraps round covers the beginning
  let widest = -1;
  let west = spans[0]?.[0] ?? 0;
  let east = west;
  for (const [w, e] of spans) {
    if (reach > -Infinity && w - reach > widest) {
      widest = w - reach;
      west = w;
      east = reach;
    }
    reach = Math.max(reach, e);
  }
  if (widest <= 0) return [-180, south, 180, north];
  while (east < west) east += 360;
  return [west, south, east, north];
}

/** A box of the contract (-180..180, west > east over the 180th meridian) from unwrapped edges; null is all round. */
export function toContractBbox(west: number, south: number, east: number, north: number): Bbox | null {
  if (east - west >= 360) return null;
  const clampLat = (lat: number) => Math.max(-90, Math.min(90, lat));
  return [wrapLngDeg(west), clampLat(south), wrapLngDeg(east), clampLat(north)];
}

/** Whether the inner box lies wholly in the outer; both of unwrapped edges. */
export function containsBox(outer: Bbox, inner: Bbox): boolean {
  return outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];
}

/**
 * Whether a trip's box can't be taken at its word: the core keeps plain minimum and maximum, so a trip over the 180th
 * meridian has a box around the world. Nobody drives half way round the globe in one trip. Pure.
 */
export function isAroundTheWorld([west, , east]: Bbox): boolean {
  return east - west > 180;
}

/** The box of one drawn line, going the short way over the 180th meridian (west > east then); null without points. Pure. */
export function boxOfLine(
  lines: { readonly offsets: Uint32Array; readonly latDeg: Float64Array; readonly lngDeg: Float64Array },
  index: number,
): Bbox | null {
  const from = lines.offsets[index] ?? 0;
  const to = lines.offsets[index + 1] ?? 0;
  if (to <= from) return null;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let unwrapped = lines.lngDeg[from] ?? 0;
  for (let v = from; v < to; v++) {
    unwrapped += wrapLngDeg((lines.lngDeg[v] ?? 0) - unwrapped);
    west = Math.min(west, unwrapped);
    east = Math.max(east, unwrapped);
    south = Math.min(south, lines.latDeg[v] ?? 0);
    north = Math.max(north, lines.latDeg[v] ?? 0);
  }
  return [wrapLngDeg(west), south, wrapLngDeg(east), north];
}

/** Whether a box lies in the view and is large enough there to be read. Unwrapped degrees. Pure. */
export function isWellInView(view: Bbox, box: Bbox): boolean {
  for (const turn of [-360, 0, 360]) {
    const [west, south, east, north] = [box[0] + turn, box[1], box[2] + turn, box[3]];
    if (west >= view[0] && east <= view[2] && south >= view[1] && north <= view[3]) {
      const share = Math.max((east - west) / (view[2] - view[0]), (north - south) / (view[3] - view[1]));
      return share > 0.25;
    }
  }
  return false;
}

import { bboxesOverlap, distanceM, splitBbox } from '../../../shared/geometry.ts';
import type { Bbox } from '../../../shared/track.ts';

/**
 * Metres between two boxes (0 where they touch); either may cross the 180th meridian. Meant for boxes up to some tens
 * of kilometres apart: further away the nearest points of two boxes are others than those on the map.
 */
export function bboxDistanceM(a: Bbox, b: Bbox): number {
  if (bboxesOverlap(a, b)) return 0;
  let nearest = Infinity;
  for (const one of splitBbox(a))
    for (const other of splitBbox(b)) {
      for (const turn of [-360, 0, 360]) nearest = Math.min(nearest, planeGapM(one, other, turn));
    }
  return nearest;
}

/** The gap between two boxes on the map, the second turned by whole circles, measured on the ground. */
function planeGapM(a: Bbox, b: Bbox, turn: number): number {
  const [west, south, east, north] = [b[0] + turn, b[1], b[2] + turn, b[3]];
  const latA = Math.min(Math.max(a[1], south), a[3]);
  const latB = Math.min(Math.max(latA, south), north);
  const lngA = Math.min(Math.max(a[0], west), a[2]);
  const lngB = Math.min(Math.max(lngA, west), east);
  return distanceM(latA, lngA, latB, lngB);
}

/** The box around boxes; null without any. Boxes that cross the 180th meridian make it span all longitudes. */
export function unionBbox(boxes: readonly Bbox[]): Bbox | null {
  if (boxes.length === 0) return null;
  const crosses = boxes.some(([west, , east]) => west > east);
  return [
    crosses ? -180 : Math.min(...boxes.map((box) => box[0])),
    Math.min(...boxes.map((box) => box[1])),
    crosses ? 180 : Math.max(...boxes.map((box) => box[2])),
    Math.max(...boxes.map((box) => box[3])),
  ];
}

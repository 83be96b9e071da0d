import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bboxesOverlap, distanceM, wrapLongitude } from '../../../shared/geometry.ts';
import type { Bbox } from '../../../shared/track.ts';
import { bboxDistanceM, unionBbox } from '../../../main/media/review/boxDistance.ts';

/** Boxes of two vehicles' minutes, some kilometres apart, also over the 180th meridian. */
const boxes = fc
  .record({
    west: fc.double({ min: -180, max: 180, noNaN: true }),
    south: fc.double({ min: -80, max: 80, noNaN: true }),
    sizes: fc.tuple(...Array.from({ length: 4 }, () => fc.double({ min: 0, max: 0.05, noNaN: true }))),
    apart: fc.tuple(...Array.from({ length: 2 }, () => fc.double({ min: -0.2, max: 0.2, noNaN: true }))),
  })
  .map(({ west, south, sizes, apart }): [Bbox, Bbox] => {
    const boxAt = (w: number, s: number, width: number, height: number): Bbox => [
      wrapLongitude(w),
      s,
      wrapLongitude(w + width),
      s + height,
    ];
    const [widthA, heightA, widthB, heightB] = sizes as [number, number, number, number]; // as many as made
    const [east, north] = apart as [number, number]; // as above
    return [boxAt(west, south, widthA, heightA), boxAt(west + east, south + north, widthB, heightB)];
  });

it('is zero where boxes meet, the same both ways, and no longer than from corner to corner', () => {
  fc.assert(
    fc.property(boxes, ([a, b]) => {
      const metres = bboxDistanceM(a, b);
      expect(metres).toBeCloseTo(bboxDistanceM(b, a), 0);
      if (bboxesOverlap(a, b)) expect(metres).toBe(0);
      expect(metres).toBeLessThanOrEqual(distanceM(a[1], a[0], b[1], b[0]) * 1.0001 + 1);
    }),
    { numRuns: 2000 },
  );
});

it('measures over the 180th meridian, not around the globe', () => {
  const west: Bbox = [179.99, 0, 179.995, 0.001];
  const east: Bbox = [-179.995, 0, -179.99, 0.001];
  expect(bboxDistanceM(west, east)).toBeGreaterThan(1000);
  expect(bboxDistanceM(west, east)).toBeLessThan(1200);
  expect(bboxDistanceM([179.9, 0, -179.99, 1], east)).toBe(0);
});

it('gathers boxes; one over the 180th meridian spans all longitudes', () => {
  expect(unionBbox([])).toBeNull();
  expect(unionBbox([[4, 52, 5, 53], [3, 52.5, 4.5, 54]])).toEqual([3, 52, 5, 54]); // prettier-ignore
  expect(unionBbox([[4, 52, 5, 53], [179, 1, -179, 2]])).toEqual([-180, 1, 180, 53]); // prettier-ignore
});

import fc from 'fast-check';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { boxOfLine, containsBox, toContractBbox, unionBbox } from '../../../renderer/features/map/bounds.ts';
import { decodeLabels, decodeLakes, decodeOutlines } from '../../../renderer/features/map/basemapData.ts';
import { cameraColor, speedClassLabel, speedColor } from '../../../renderer/features/map/colors.ts';
import { createLatestOnly } from '../../../renderer/features/map/latestOnly.ts';
import { buildLineGeometry, pickLine } from '../../../renderer/features/map/lineGeometry.ts';
import {
  distanceM,
  toLatDeg,
  toLngDeg,
  toWorldX,
  toWorldY,
} from '../../../renderer/features/map/projection.ts';
import { visibleTrips } from '../../../renderer/features/map/trackPaint.ts';
import { coordinateText, nearestPoint, positionsAt } from '../../../renderer/features/map/trackReading.ts';
import type { TripId } from '../../../shared/ids.ts';
import { speedClass } from '../../../shared/speedClasses.ts';
import { linesOf } from './lines.ts';

describe('projection', () => {
  it('gives back any place that the map can show', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -85, max: 85, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        (lat, lng) => {
          expect(toLatDeg(toWorldY(lat))).toBeCloseTo(lat, 8);
          expect(toLngDeg(toWorldX(lng))).toBeCloseTo(lng, 8);
        },
      ),
    );
  });
  it('measures about 111.2 km for a degree of latitude', () => {
    expect(distanceM(52, 4, 53, 4) / 1000).toBeCloseTo(111.2, 1);
  });
});

describe('boxes', () => {
  it('go round the short way over the 180th meridian', () => {
    expect(
      unionBbox([
        [179, -18, -179, -16],
        [178, -17, 179.5, -15],
      ]),
    ).toEqual([178, -18, 181, -15]);
  });
  it('stay as they are elsewhere', () => {
    expect(
      unionBbox([
        [4, 51, 5, 52],
        [6, 50, 7, 53],
      ]),
    ).toEqual([4, 50, 7, 53]);
    expect(unionBbox([])).toBeNull();
  });
  it('enclose every box they are made of', () => {
    const box = fc
      .tuple(
        fc.integer({ min: -180, max: 180 }),
        fc.integer({ min: -80, max: 80 }),
        fc.integer({ min: 0, max: 90 }),
      )
      .map(([west, south, width]): [number, number, number, number] => {
        const east = west + width;
        return [west, south, east > 180 ? east - 360 : east, south + 1];
      });
    fc.assert(
      fc.property(fc.array(box, { minLength: 1, maxLength: 6 }), (boxes) => {
        const all = unionBbox(boxes)!;
        for (const [w, s, e, n] of boxes) {
          const right = e < w ? e + 360 : e;
          const isIn = [-360, 0, 360].some((turn) => containsBox(all, [w + turn, s, right + turn, n]));
          expect(isIn).toBe(true);
        }
      }),
    );
  });
  it('of what the map shows cross the 180th meridian as the contract says it', () => {
    expect(toContractBbox(179, -20, 182, -15)).toEqual([179, -20, -178, -15]);
    expect(toContractBbox(-200, -80, 200, 80)).toBeNull();
  });
  it('of a line over the 180th meridian are narrow', () => {
    const lines = linesOf([
      [
        [-17, 179.8],
        [-17, -179.9],
      ],
    ]);
    expect(boxOfLine(lines, 0)).toEqual([179.8, -17, expect.closeTo(-179.9, 9), -17]);
  });
});

describe('lines under the pointer', () => {
  const pick = (lines: ReturnType<typeof linesOf>, lat: number, lng: number, tolerance = 1e-4) =>
    pickLine(buildLineGeometry(lines), toWorldX(lng), toWorldY(lat), tolerance);

  it('are found between recorded points, with the nearer of the two', () => {
    const hit = pick(
      linesOf([
        [
          [52, 4],
          [52, 4.1],
        ],
      ]),
      52,
      4.08,
    );
    expect(hit).toMatchObject({ trip: 0, vertex: 1 });
    expect(toLngDeg(hit!.x)).toBeCloseTo(4.08, 6);
  });
  it('are not found in a gap: nobody knows that it was driven', () => {
    const lines = linesOf([
      [
        [52, 4],
        [52, 4.1],
      ],
    ]);
    lines.isGap[1] = 1;
    expect(pick(lines, 52, 4.05)).toBeNull();
    expect(pick(lines, 52, 4.1)).toMatchObject({ vertex: 1 });
  });
  it('are found on both sides of the 180th meridian', () => {
    const lines = linesOf([
      [
        [-17, 179.99],
        [-17, -179.99],
      ],
    ]);
    expect(pick(lines, -17, 179.995)).not.toBeNull();
    expect(pick(lines, -17, -179.995)).not.toBeNull();
    expect(pick(lines, -17, 0)).toBeNull();
  });
  it('are the same ones as a search through every segment finds', () => {
    const point = fc.tuple(
      fc.double({ min: 50, max: 53, noNaN: true }),
      fc.double({ min: 3, max: 6, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(point, { minLength: 1, maxLength: 200 }), { minLength: 1, maxLength: 4 }),
        point,
        (trips, at) => {
          const lines = linesOf(trips);
          const hit = pick(lines, at[0], at[1], 1);
          let best = Infinity;
          const [px, py] = [toWorldX(at[1]), toWorldY(at[0])];
          for (const trip of trips) {
            trip.forEach(([lat, lng], i) => {
              const [bx, by] = [toWorldX(lng), toWorldY(lat)];
              const [ax, ay] = i === 0 ? [bx, by] : [toWorldX(trip[i - 1]![1]), toWorldY(trip[i - 1]![0])];
              const length = (bx - ax) ** 2 + (by - ay) ** 2;
              const share =
                length === 0
                  ? 0
                  : Math.max(0, Math.min(1, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length));
              best = Math.min(best, Math.hypot(px - ax - share * (bx - ax), py - ay - share * (by - ay)));
            });
          }
          expect(hit!.distance).toBeCloseTo(best, 12);
        },
      ),
      { numRuns: 60 },
    );
  });
  it('are drawn once for each world copy in view, and not at all out of it', () => {
    const geometry = buildLineGeometry(
      linesOf([
        [
          [52, 4],
          [52, 4.1],
        ],
      ]),
    );
    const view = { north: 0, widthPx: 512, heightPx: 256, worldPx: 256, pixelRatio: 1 };
    expect(visibleTrips(geometry, { ...view, west: 0 })).toHaveLength(2);
    expect(visibleTrips(geometry, { ...view, west: 0.6, widthPx: 64 })).toHaveLength(0);
  });
});

describe('readings', () => {
  const tripId = 'trip_1' as TripId;
  it('keep absent apart from zero', () => {
    const lines = linesOf(
      [
        [
          [52, 4],
          [52, 4.1],
          [52, 4.2],
        ],
      ],
      { speedKmh: [0, NaN, 50], timesMs: [1000, 2000, NaN] },
    );
    expect(nearestPoint(tripId, lines, 52, 4.01)).toMatchObject({ pointIndex: 0, speedKmh: 0, timeMs: 1000 });
    expect(nearestPoint(tripId, lines, 52, 4.09)).toMatchObject({ pointIndex: 1, speedKmh: null });
    expect(nearestPoint(tripId, lines, 52, 4.3)).toMatchObject({ pointIndex: 2, timeMs: null });
  });
  it('put the cursor between two recorded points, over the 180th meridian too', () => {
    const lines = linesOf(
      [
        [
          [-17, 179.9],
          [-17, -179.9],
        ],
      ],
      { timesMs: [0, 1000] },
    );
    const [at] = positionsAt(lines, 250);
    expect(at!.lngDeg).toBeCloseTo(179.95, 6);
    expect(positionsAt(lines, 750)[0]!.lngDeg).toBeCloseTo(-179.95, 6);
  });
  it('put no cursor into a gap, before the start, after the end or on a shape without times', () => {
    const lines = linesOf(
      [
        [
          [52, 4],
          [52, 4.1],
          [52, 4.2],
        ],
      ],
      { timesMs: [0, 1000, 60_000] },
    );
    lines.isGap[2] = 1;
    expect(positionsAt(lines, 500)).toHaveLength(1);
    expect(positionsAt(lines, 30_000)).toHaveLength(0);
    expect(positionsAt(lines, 60_000)).toHaveLength(1);
    expect(positionsAt(lines, -1)).toHaveLength(0);
    expect(positionsAt(lines, 60_001)).toHaveLength(0);
    expect(
      positionsAt(
        linesOf([
          [
            [52, 4],
            [52, 4.1],
          ],
        ]),
        0,
      ),
    ).toHaveLength(0);
  });
  it('are copied with six decimals', () => {
    expect(coordinateText(52.1, -4.3)).toBe('52.100000, -4.300000');
  });
});

describe('colours', () => {
  it('have a class of their own for "no speed recorded"', () => {
    expect(speedClass(NaN)).toBe(-1);
    expect(speedClass(0)).toBe(0);
    expect(speedClass(130)).toBe(7);
    expect(speedClassLabel(7)).toBe('130+');
    expect(speedColor(-1, 'light')).not.toBe(speedColor(0, 'light'));
  });
  it('do not give a known camera the colour of the unknown one', () => {
    for (let i = 0; i < 20; i++) expect(cameraColor(i, 'dark')).not.toBe(cameraColor(-1, 'dark'));
  });
});

describe('requests of which only the newest counts', () => {
  it('run one at a time and skip what was overtaken', async () => {
    const started: number[] = [];
    const seen: number[] = [];
    const release = new Map<number, () => void>();
    const latest = createLatestOnly<number, number>({
      run: (input) => {
        started.push(input);
        return new Promise((resolve) => release.set(input, () => resolve(input)));
      },
      onValue: (value) => seen.push(value),
      onError: () => expect.unreachable(),
    });
    latest.ask(1);
    latest.ask(2);
    latest.ask(3);
    release.get(1)!();
    await new Promise((resolve) => setImmediate(resolve));
    release.get(3)!();
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toEqual([1, 3]);
    expect(seen).toEqual([3]);
  });
});

describe('the bundled map', () => {
  const folder = path.resolve(import.meta.dirname, '../../../assets/basemap');
  const bytesOf = (name: string) => {
    const file = fs.readFileSync(path.join(folder, name));
    return file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer;
  };
  it.each(['110m', '50m', '10m'])('has closed outlines of land at 1:%s', (level) => {
    const map = decodeOutlines(bytesOf(`outlines-${level}.bin`));
    expect(map.polygons.length).toBeGreaterThan(100);
    expect(map.borders.length).toBeGreaterThan(100);
    const end = (arc: number, isLast: boolean) => {
      const index = arc < 0 ? ~arc : arc;
      const at = isLast === arc >= 0 ? map.arcOffsets[index + 1]! - 1 : map.arcOffsets[index]!;
      return [map.x[at]!, map.y[at]!] as const;
    };
    for (const ring of map.polygons.flat()) {
      ring.arcs.forEach((arc, i) => {
        const next = (i + 1) % ring.arcs.length;
        const [x, y] = end(arc, true);
        const [nextX, nextY] = end(ring.arcs[next]!, false);
        const turn = next === 0 ? ring.turn : 0;
        expect(x + ring.shifts[i]!).toBeCloseTo(nextX + ring.shifts[next]! + turn, 4);
        expect(y).toBeCloseTo(nextY, 4);
      });
    }
    // Only the land around the south pole ends one world beside its start.
    expect(map.polygons.filter((rings) => rings.some((ring) => ring.turn !== 0))).toHaveLength(1);
  });
  it('names places and draws lakes', () => {
    const labels = decodeLabels(JSON.parse(fs.readFileSync(path.join(folder, 'labels.json'), 'utf8')));
    expect(labels.find((label) => label.name === 'Amsterdam')).toMatchObject({ kind: 'place' });
    for (const label of labels) {
      expect(label.x).toBeGreaterThanOrEqual(0);
      expect(label.x).toBeLessThanOrEqual(1);
      expect(label.rank).toBeLessThanOrEqual(5);
    }
    expect(decodeLakes(JSON.parse(fs.readFileSync(path.join(folder, 'lakes.json'), 'utf8')))).toHaveLength(
      25,
    );
  });
  it('is refused when it is cut off or something else', () => {
    expect(() => decodeOutlines(new ArrayBuffer(100))).toThrow('not a basemap file');
    expect(() => decodeOutlines(bytesOf('outlines-110m.bin').slice(0, 20_000))).toThrow('cut off');
  });
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCache, type EvidenceCache } from '../../main/cache/openCache.ts';
import { shortestStretchPixels } from '../../main/desk/tracks/speedVertices.ts';
import { createTripHandlers } from '../../main/desk/trips.ts';
import type { Pass, TrackLines } from '../../shared/contract/trips.ts';
import { createGroundCircle } from '../../shared/geometry.ts';
import type { TripId } from '../../shared/ids.ts';
import { speedClass } from '../../shared/speedClasses.ts';
import { seedSource, toColumns, type SeedPoint } from '../cache/seedTrips.ts';
import { generateTrips } from '../bench/generate.ts';

const id = (text: string): TripId => text as TripId;
const start = 1_741_000_000;
const startMs = start * 1000;
/** Degrees of latitude per metre, near enough for fixtures. */
const degreesPerM = 1 / 111_195;

let folder: string;
let cache: EvidenceCache;
let desk: ReturnType<typeof createTripHandlers>;
const depsOf = (runner: 'inline' | 'worker') => ({
  cache,
  runner,
  actor: () => 'tester',
  now: () => startMs,
});
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tracks-'));
  cache = openCache({ folder });
  desk = createTripHandlers(depsOf('inline'));
});
afterEach(() => {
  cache.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Northwards along longitude 0 over the equator, a point every `everyM` metres and `everyS` seconds. */
function north(count: number, everyM: number, everyS = 1, atS = start): SeedPoint[] {
  return Array.from({ length: count }, (_, i) => ({
    t: atS + i * everyS,
    lat: (i - (count - 1) / 2) * everyM * degreesPerM,
    lng: 0,
    speed: 10 + i,
    heading: 0,
  }));
}
const near = async (circle: { latDeg?: number; lngDeg?: number; radiusM: number }, range = {}) =>
  desk['tracks.near']({ circle: { latDeg: 0, lngDeg: 0, ...circle }, ...range });

describe('who passed here', () => {
  it('names the first and last recorded moment inside, and the closest approach', async () => {
    seedSource(cache, 'src', [{ tripId: 'a', psn: 'P1', cameraName: 'Van', points: north(101, 10) }]);
    const [pass, ...others] = await near({ radiusM: 25 });
    expect(others).toEqual([]);
    expect(pass).toMatchObject({
      tripId: 'a',
      psn: 'P1',
      cameraName: 'Van',
      enteredAtMs: startMs + 48_000,
      leftAtMs: startMs + 52_000,
      closestAtMs: startMs + 50_000,
      pointsInside: 5,
      isClosestInterpolated: false,
    });
    expect(pass!.closestM).toBeCloseTo(0, 3);
  });

  it('measures to the line between points, and says that the moment is interpolated', async () => {
    // 40 m apart, nearest points 10 and 30 m away; the line goes by at 5 m.
    seedSource(cache, 'src', [{ tripId: 'a', points: north(50, 40) }]);
    const [pass] = await near({ latDeg: 10 * degreesPerM, lngDeg: 5 * degreesPerM, radiusM: 20 });
    expect(pass!.closestM).toBeCloseTo(5, 1);
    expect(pass).toMatchObject({ isClosestInterpolated: true, pointsInside: 1 });
    expect(pass!.closestAtMs! % 1000).not.toBe(0);
    expect(pass!.closestLatDeg / degreesPerM).toBeCloseTo(10, 0);
  });

  it('sees a fast vehicle whose recorded points all lie outside a small circle', async () => {
    seedSource(cache, 'src', [{ tripId: 'a', points: north(50, 40) }]); // points 20 m before and after the centre
    const [pass] = await near({ radiusM: 8 });
    expect(pass).toMatchObject({ pointsInside: 0, isClosestInterpolated: true });
    expect(pass!.enteredAtMs).toBe(pass!.closestAtMs);
    expect(pass!.closestAtMs).toBeCloseTo(startMs + 24_500, -1);
  });

  it('counts each visit, and orders them by time', async () => {
    const there = north(101, 10);
    const back = north(101, 10, 1, start + 101).map((p, i, all) => ({ ...p, lat: all[100 - i]!.lat }));
    seedSource(cache, 'src', [
      { tripId: 'late', points: north(101, 10, 1, start + 1000) },
      { tripId: 'twice', points: [...there, ...back] },
      { tripId: 'shape', points: there.map(({ lat, lng }) => ({ lat, lng })) },
    ]);
    const passes = await near({ radiusM: 25 });
    expect(passes.map((p) => p.tripId)).toEqual(['twice', 'twice', 'late', 'shape']);
    expect(passes[3]).toMatchObject({
      enteredAtMs: null,
      leftAtMs: null,
      closestAtMs: null,
      pointsInside: 5,
    });
  });

  it('draws no line across a gap in recording', async () => {
    const before = north(10, 10).map((p) => ({ ...p, lat: p.lat - 100 * degreesPerM }));
    const after = north(10, 10, 1, start + 300).map((p) => ({ ...p, lat: p.lat + 100 * degreesPerM }));
    seedSource(cache, 'src', [{ tripId: 'a', points: [...before, ...after] }]);
    expect(await near({ radiusM: 30 })).toEqual([]);
    // Nine seconds of silence are no gap: the line is driven.
    const soon = after.map((p, i) => ({ ...p, t: start + 18 + i }));
    seedSource(cache, 'src_2', [{ tripId: 'b', points: [...before, ...soon] }]);
    expect(await near({ radiusM: 30 })).toMatchObject([{ tripId: 'b', pointsInside: 0 }]);
  });

  it('asks the whole trip for its usual step, also when it looks at a part of it', async () => {
    // A point a minute, but around the circle a point a second, with 200 s between its two sides: for a trip
    // that mostly records every minute that is no gap, however it looks from the two chunks near the circle.
    const far = (i: number, lat: number): SeedPoint => ({ t: start + i * 60, lat, lng: 0 });
    const quick = Array.from({ length: 12 }, (_, i) => ({
      t: start + 3600 + i + (i < 6 ? 0 : 200),
      lat: (i < 6 ? -100 + i * 10 : i * 10) * degreesPerM,
      lng: 0,
    }));
    const points = [
      ...Array.from({ length: 30 }, (_, i) => far(i, -1)),
      ...quick,
      ...Array.from({ length: 30 }, (_, i) => far(i + 70, 1)),
    ];
    seedSource(cache, 'src', [{ tripId: 'a', points, chunkPoints: 6 }]);
    expect(await near({ radiusM: 5 })).toMatchObject([{ tripId: 'a', pointsInside: 0 }]);
  });

  it('keeps passes that overlap the range, whole, and those without a time', async () => {
    seedSource(cache, 'src', [
      { tripId: 'a', points: north(101, 10) },
      { tripId: 'shape', points: [{ lat: 0, lng: 0 }] },
      { tripId: 'other_day', points: [{ lat: 0, lng: 0 }], beginMs: startMs - 9e7, endMs: startMs - 8e7 },
    ]);
    const ids = async (fromS: number, toS: number): Promise<string[]> =>
      (await near({ radiusM: 25 }, { fromMs: startMs + fromS * 1000, toMs: startMs + toS * 1000 })).map(
        (p: Pass) => p.tripId,
      );
    expect(await ids(52, 60)).toEqual(['a', 'shape']);
    expect(await ids(53, 60)).toEqual(['shape']);
    expect(await ids(40, 48)).toEqual(['shape']);
    const [whole] = await near({ radiusM: 25 }, { fromMs: startMs + 50_000, toMs: startMs + 51_000 });
    expect(whole).toMatchObject({ enteredAtMs: startMs + 48_000, leftAtMs: startMs + 52_000 });
  });

  it('works across the 180th meridian and at the pole', async () => {
    const across = Array.from({ length: 21 }, (_, i) => {
      const lng = 179.999 + i * 0.0001;
      return { t: start + i, lat: 10, lng: lng >= 180 ? lng - 360 : lng };
    });
    const overPole = Array.from({ length: 21 }, (_, i) => ({
      t: start + i,
      lat: 90 - Math.abs(i - 10) * 0.0001,
      lng: i <= 10 ? 30 : -150,
    }));
    seedSource(cache, 'src', [
      { tripId: 'across', points: across },
      { tripId: 'pole', points: overPole },
    ]);
    expect(await near({ latDeg: 10, lngDeg: -180, radiusM: 15 })).toMatchObject([
      { tripId: 'across', pointsInside: 3, closestAtMs: startMs + 10_000 },
    ]);
    expect(await near({ latDeg: 89.99995, lngDeg: 120, radiusM: 20 })).toMatchObject([{ tripId: 'pole' }]);
  });

  it('finds the same passes however the points are cut into chunks', async () => {
    const [made] = [...generateTrips({ points: 700, cameras: 1, days: 1, seed: 3 })];
    const points: SeedPoint[] = Array.from({ length: made!.count }, (_, i) => ({
      t: made!.startedAtS + i,
      lat: made!.latE6[i]! / 1e6,
      lng: made!.lngE6[i]! / 1e6,
    }));
    seedSource(cache, 'src', [{ tripId: 'whole', points }]);
    for (const size of [1, 2, 7, 64]) {
      seedSource(cache, `src_${size}`, [{ tripId: `cut_${size}`, points, chunkPoints: size }]);
    }
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: points.length - 1 }),
        fc.double({ min: -0.001, max: 0.001, noNaN: true }),
        fc.double({ min: 2, max: 200, noNaN: true }),
        async (at, aside, radiusM) => {
          const circle = { latDeg: points[at]!.lat + aside, lngDeg: points[at]!.lng - aside, radiusM };
          const passes = await near(circle);
          const of = (tripId: string): unknown[] =>
            passes.filter((p) => p.tripId === tripId).map((p) => ({ ...p, tripId: '' }));
          for (const size of [1, 2, 7, 64]) expect(of(`cut_${size}`)).toEqual(of('whole'));
          // Every recorded point inside belongs to exactly one pass.
          const ground = createGroundCircle(circle);
          const inside = points.filter((p) => ground.contains(p.lat, p.lng)).length;
          const counted = passes
            .filter((p) => p.tripId === 'whole')
            .reduce((sum, p) => sum + p.pointsInside, 0);
          expect(counted).toBe(inside);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('lines for the map', () => {
  const lines = async (level: number, tripIds: string[], bbox?: [number, number, number, number]) =>
    desk['tracks.lines']({ tripIds: tripIds.map(id), level, ...(bbox ? { bbox } : {}) });
  const verticesOf = (all: TrackLines, trip: number): [number, number][] =>
    [...all.latDeg.subarray(all.offsets[trip], all.offsets[trip + 1])].map((lat, i) => [
      lat,
      all.lngDeg[all.offsets[trip]! + i]!,
    ]);

  function seedDrive(points = 900): SeedPoint[] {
    const made = [...generateTrips({ points, cameras: 1, days: 1, seed: 5, tripPoints: points })][0]!;
    const drive: SeedPoint[] = Array.from({ length: made.count }, (_, i) => ({
      t: made.startedAtS + i,
      lat: made.latE6[i]! / 1e6,
      lng: made.lngE6[i]! / 1e6,
      speed: made.speedE1[i]! / 10,
      heading: made.headingDeg[i]!,
    }));
    seedSource(cache, 'src', [{ tripId: 'drive', points: drive }]);
    return drive;
  }
  const pixelsOf = ([lat, lng]: readonly [number, number], level: number): [number, number] => {
    const sine = Math.sin((lat * Math.PI) / 180);
    const size = 256 * 2 ** level;
    return [((lng + 180) / 360) * size, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size];
  };
  const distanceTo = (p: [number, number], a: [number, number], b: [number, number]): number => {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const squared = dx * dx + dy * dy;
    const f =
      squared === 0 ? 0 : Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / squared));
    return Math.hypot(p[0] - a[0] - f * dx, p[1] - a[1] - f * dy);
  };

  it('keep recorded points, in order, and stay within a pixel of those left out, at every level', async () => {
    const drive = seedDrive();
    let fewer = 0;
    for (let level = 0; level <= 20; level++) {
      const all = await lines(level, ['drive']);
      const kept = [...all.timesMs].map((ms) => ms / 1000 - drive[0]!.t!);
      expect(kept[0]).toBe(0);
      expect(kept.at(-1)).toBe(drive.length - 1);
      expect(kept.length).toBeGreaterThanOrEqual(fewer);
      fewer = kept.length;
      kept.forEach((index, v) => {
        expect([all.latDeg[v], all.lngDeg[v]]).toEqual([drive[index]!.lat, drive[index]!.lng]);
        expect(all.speedKmh[v]).toBeCloseTo(drive[index]!.speed!, 4);
        if (v === 0) return;
        const a = pixelsOf([drive[kept[v - 1]!]!.lat, drive[kept[v - 1]!]!.lng], level);
        const b = pixelsOf([drive[index]!.lat, drive[index]!.lng], level);
        for (let between = kept[v - 1]! + 1; between < index; between++) {
          const p = pixelsOf([drive[between]!.lat, drive[between]!.lng], level);
          expect(distanceTo(p, a, b)).toBeLessThanOrEqual(1.0001);
        }
      });
    }
    expect(fewer).toBe(drive.length);
    expect((await lines(4, ['drive'])).latDeg.length).toBeLessThan(10);
  });

  it('are the same from the cache as when first computed', async () => {
    seedDrive();
    for (const level of [3, 9, 13, 18]) {
      const first = await lines(level, ['drive']);
      expect(cache.db.prepare('SELECT count(*) FROM trip_line').pluck().get()).toBeGreaterThan(0);
      expect(await lines(level, ['drive'])).toEqual(first);
    }
  });

  it('are computed anew when what was kept is damaged', async () => {
    seedDrive();
    const first = await lines(9, ['drive']);
    cache.db.exec(`UPDATE trip_line SET data = x'01ff000000'`);
    expect(await lines(9, ['drive'])).toEqual(first);
  });

  it('of an older layout are never read, but computed anew', async () => {
    seedDrive();
    const first = await lines(9, ['drive']);
    cache.db.exec(`UPDATE trip_line SET data = CAST(x'01' || substr(data, 2) AS BLOB)`);
    expect(cache.db.prepare(`SELECT hex(substr(data, 1, 1)) FROM trip_line`).pluck().get()).toBe('01');
    desk = createTripHandlers(depsOf('inline')); // an update of the app begins with nothing in memory
    expect(await lines(9, ['drive'])).toEqual(first);
    expect(cache.db.prepare(`SELECT hex(substr(data, 1, 1)) FROM trip_line`).pluck().get()).not.toBe('01');
  });

  it('have on a straight road the colour of every stretch that can be seen, also of none', async () => {
    // Eastwards along the equator, so that only speed makes a vertex.
    const stretches = fc.array(
      fc.record({
        speed: fc.constantFrom(null, 0, 5, 12, 45, 80, 125, 160),
        points: fc.integer({ min: 1, max: 60 }),
      }),
      { minLength: 1, maxLength: 25 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(stretches, fc.constantFrom(12, 15, 18), async (parts, level) => {
        const stepDeg = 0.0002;
        const points: SeedPoint[] = parts
          .flatMap(({ speed, points }) => Array.from({ length: points }, () => speed))
          .map((speed, i) => ({
            t: start + i,
            lat: 0,
            lng: i * stepDeg,
            ...(speed === null ? {} : { speed }),
          }));
        const tripId = `straight_${run++}_`;
        seedSource(cache, tripId, [{ tripId, points }]);
        const all = await lines(level, [tripId]);
        const kept = [...all.timesMs].map((ms) => ms / 1000 - start);
        const classOf = (i: number) => speedClass(points[i]!.speed ?? NaN);
        const pixelsOfStep = (stepDeg / 360) * 256 * 2 ** level;
        // Each recorded step has the class of the point that it ends at; what is drawn has that of its last point.
        for (let from = 1; from < points.length;) {
          let to = from;
          while (to + 1 < points.length && classOf(to + 1) === classOf(from)) to++;
          if ((to - from + 1) * pixelsOfStep > shortestStretchPixels) {
            for (let step = from; step <= to; step++) {
              expect(classOf(kept.find((vertex) => vertex >= step)!)).toBe(classOf(from));
            }
          }
          from = to + 1;
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keep both sides of a gap at every level, and mark it', async () => {
    const before = north(20, 10);
    const after = north(20, 10, 1, start + 600).map((p) => ({ ...p, lat: p.lat + 0.01 }));
    seedSource(cache, 'src', [{ tripId: 'a', points: [...before, ...after] }]);
    for (const level of [0, 12, 20]) {
      const all = await lines(level, ['a']);
      const gap = all.isGap.indexOf(1);
      expect(all.isGap.reduce((sum, one) => sum + one, 0)).toBe(1);
      expect([all.timesMs[gap - 1], all.timesMs[gap]]).toEqual([startMs + 19_000, startMs + 600_000]);
    }
  });

  it('keep absent apart from zero', async () => {
    seedSource(cache, 'src', [
      {
        tripId: 'a',
        points: [
          { lat: 0, lng: 0 },
          { lat: 1, lng: 1, t: start, speed: 0, heading: 0 },
        ],
      },
    ]);
    const all = await lines(10, ['a']);
    expect([...all.timesMs]).toEqual([NaN, startMs]);
    expect([...all.speedKmh]).toEqual([NaN, 0]);
    expect([...all.headingDeg]).toEqual([NaN, 0]);
  });

  it('go by start, skip trips that are gone, and those outside the box', async () => {
    seedSource(cache, 'src', [
      { tripId: 'second', points: north(5, 10, 1, start + 50) },
      { tripId: 'first', points: north(5, 10) },
      { tripId: 'far', points: [{ lat: 50, lng: 50 }] },
    ]);
    const all = await lines(10, ['second', 'first', 'far', 'gone']);
    expect(all.tripIds).toEqual(['first', 'second', 'far']);
    expect(all.offsets.length).toBe(4);
    expect((await lines(10, ['second', 'first', 'far'], [-1, -1, 1, 1])).tripIds).toEqual([
      'first',
      'second',
    ]);
    expect((await lines(10, [])).offsets).toEqual(Uint32Array.of(0));
  });

  it.each([16, 20])('with a box have all detail inside it and little outside, at level %i', async (level) => {
    const drive = seedDrive(1500);
    const middle = drive[750]!;
    const box: [number, number, number, number] = [
      middle.lng - 0.002,
      middle.lat - 0.002,
      middle.lng + 0.002,
      middle.lat + 0.002,
    ];
    const whole = verticesOf(await lines(level, ['drive']), 0);
    const boxed = verticesOf(await lines(level, ['drive'], box), 0);
    const isInside = ([lat, lng]: [number, number]): boolean =>
      lng >= box[0] && lng <= box[2] && lat >= box[1] && lat <= box[3];
    expect(boxed.filter(isInside)).toEqual(whole.filter(isInside));
    expect(boxed.length).toBeLessThan(whole.length / 2);
    expect(boxed[0]).toEqual(whole[0]);
    expect(boxed.at(-1)).toEqual(whole.at(-1));
  });

  it('with a box have both ends of whatever crosses it', async () => {
    // A long straight leg whose ends are far outside of the box, after a wiggle that only fine levels need.
    const wiggle = Array.from({ length: 30 }, (_, i) => ({
      t: start + i,
      lat: (i % 2) * 0.0001,
      lng: i * 0.0001,
    }));
    const points = [...wiggle, { t: start + 30, lat: 0.0001, lng: 1 }, { t: start + 31, lat: 1, lng: 1 }];
    seedSource(cache, 'src', [{ tripId: 'a', points }]);
    const boxed = verticesOf(await lines(16, ['a'], [0.5, -0.1, 0.6, 0.1]), 0);
    const at = boxed.findIndex(([, lng]) => lng === 1);
    expect(boxed[at - 1]).toEqual([0.0001, 0.0029]);
    expect(boxed.length).toBeLessThan(10);
  });

  it('do not turn round the world at the 180th meridian', async () => {
    const across = Array.from({ length: 41 }, (_, i) => {
      const lng = 179.8 + i * 0.01;
      return { t: start + i, lat: 10, lng: lng >= 180 ? lng - 360 : lng };
    });
    seedSource(cache, 'src', [{ tripId: 'a', points: across }]);
    expect((await lines(10, ['a'])).latDeg.length).toBe(2);
  });

  it('of a hostile spiral take bounded time', async () => {
    const spiral = toColumns(
      Array.from({ length: 20_000 }, (_, i) => ({
        t: start + i,
        lat: 0.00002 * i * Math.cos(i / 3000),
        lng: 0.00002 * i * Math.sin(i / 3000),
      })),
    );
    seedSource(cache, 'src', [{ tripId: 'a', points: spiral }]);
    const all = await lines(18, ['a']);
    expect(all.latDeg.length).toBeLessThanOrEqual(20_000);
  });
});

describe('values over time', () => {
  const series = async (tripIds: string[], buckets: number, range: { fromMs?: number; toMs?: number } = {}) =>
    desk['tracks.series']({ tripIds: tripIds.map(id), buckets, ...range });

  it('come as they are when there is room, one series for each camera', async () => {
    seedSource(cache, 'src', [
      { tripId: 'b', psn: 'P2', points: north(3, 10) },
      { tripId: 'a', psn: 'P1', cameraName: 'Van', points: north(3, 10) },
      { tripId: 'u', points: north(3, 10) },
      { tripId: 'shape', psn: 'P3', points: [{ lat: 0, lng: 0 }] },
    ]);
    const all = await series(['a', 'b', 'u', 'shape'], 100);
    expect(all.map((one) => [one.psn, one.cameraName])).toEqual([
      ['P1', 'Van'],
      ['P2', null],
      [null, null],
    ]);
    expect([...all[0]!.timesMs]).toEqual([startMs, startMs + 1000, startMs + 2000]);
    expect([...all[0]!.speedKmh]).toEqual([10, 11, 12]);
    expect([...all[0]!.headingDeg]).toEqual([0, 0, 0]);
    expect(all[0]!.gapsMs.length).toBe(0);
  });

  it("keep each step's lowest and highest recorded value at its own time", async () => {
    const points: SeedPoint[] = Array.from({ length: 1000 }, (_, i) => ({
      t: start + i,
      lat: 0,
      lng: 0,
      speed: i === 333 ? 180 : i === 666 ? 0 : 50 + (i % 7),
    }));
    seedSource(cache, 'src', [{ tripId: 'a', points }]);
    const [one] = await series(['a'], 10);
    expect(one!.timesMs.length).toBeLessThanOrEqual(22);
    const at = (speed: number): number => one!.timesMs[one!.speedKmh.indexOf(speed)]!;
    expect(at(180)).toBe(startMs + 333_000);
    expect(at(0)).toBe(startMs + 666_000);
    one!.timesMs.forEach((ms, i) => {
      expect(one!.speedKmh[i]).toBe(points[ms / 1000 - start]!.speed);
      if (i > 0) expect(ms).toBeGreaterThan(one!.timesMs[i - 1]!);
    });
  });

  it('show silence as a gap, also one that is narrower than a step', async () => {
    const points = [...north(100, 10), ...north(100, 10, 1, start + 120)];
    seedSource(cache, 'src', [{ tripId: 'a', points }]);
    const [one] = await series(['a'], 10, { fromMs: startMs - 500_000, toMs: startMs + 5_000_000 });
    expect([...one!.gapsMs]).toEqual([
      startMs - 500_000,
      startMs,
      startMs + 99_000,
      startMs + 120_000,
      startMs + 219_000,
      startMs + 5_000_000,
    ]);
    const breaks = [...one!.timesMs].filter((_, i) => Number.isNaN(one!.speedKmh[i]));
    expect(breaks).toEqual([startMs + 109_500]);
  });

  it('keep an absent speed absent, between values and for whole steps', async () => {
    const points: SeedPoint[] = Array.from({ length: 1000 }, (_, i) => ({
      t: start + i,
      lat: 0,
      lng: 0,
      heading: 90,
      ...(i === 50 || i >= 500 ? {} : { speed: i % 2 }),
    }));
    seedSource(cache, 'src', [{ tripId: 'a', points }]);
    const [one] = await series(['a'], 10);
    const absentAt = [...one!.timesMs].filter((_, i) => Number.isNaN(one!.speedKmh[i]));
    expect(absentAt).toContain(startMs + 50_000);
    expect(absentAt.length).toBeGreaterThan(5);
    expect([...one!.headingDeg].every((heading) => heading === 90)).toBe(true);
    expect(one!.speedKmh.includes(0)).toBe(true);
  });

  it('are in order of time, whatever the order of trips and points, and inside the half-open range', async () => {
    seedSource(cache, 'src', [
      { tripId: 'b', psn: 'P', points: north(10, 10, 2, start + 1) },
      { tripId: 'a', psn: 'P', points: north(10, 10, 2).reverse() },
    ]);
    const [one] = await series(['b', 'a'], 1000, { fromMs: startMs + 3000, toMs: startMs + 7000 });
    expect([...one!.timesMs]).toEqual([3000, 4000, 5000, 6000].map((ms) => startMs + ms));
  });

  it('of a camera with nothing in the range are empty, with the range as their gap', async () => {
    seedSource(cache, 'src', [{ tripId: 'a', psn: 'P', points: north(10, 10) }]);
    const [one] = await series(['a'], 10, { fromMs: 0, toMs: 1000 });
    expect(one!.timesMs.length).toBe(0);
    expect([...one!.gapsMs]).toEqual([0, 1000]);
  });
});

describe('lines of an overview', () => {
  const keptLines = (): unknown => cache.db.prepare('SELECT count(*) FROM trip_line').pluck().get();

  it('are made in the background under a window once trips were listed, and only those missing', async () => {
    seedSource(cache, 'src', [
      { tripId: 'a', points: north(50, 40) },
      { tripId: 'b', points: north(50, 40) },
    ]);
    await desk['tracks.lines']({ tripIds: [id('a')], level: 9 });
    cache.db.exec(`UPDATE trip_line SET data = x'00'`);
    let later: (() => void) | null = null;
    const windowed = createTripHandlers(depsOf('worker'), (work) => {
      later = work;
      return () => (later = null);
    });
    await windowed['trips.list']({ psns: [null] });
    expect(later).toBeNull();
    await windowed['trips.list']({});
    later!();
    await new Promise((resolve) => setImmediate(resolve));
    expect(keptLines()).toBe(2);
    expect(cache.db.prepare(`SELECT count(*) FROM trip_line WHERE data = x'00'`).pluck().get()).toBe(1);
  });

  it('are not asked of a cache that was closed meanwhile, nor made by a command', async () => {
    seedSource(cache, 'src', [{ tripId: 'a', points: north(50, 40) }]);
    const works: (() => void)[] = [];
    const defer = (work: () => void) => {
      works.push(work);
      return () => undefined;
    };
    await createTripHandlers(depsOf('inline'), defer)['trips.list']({});
    expect(works).toEqual([]);
    await createTripHandlers(depsOf('worker'), defer)['trips.list']({});
    cache.close();
    for (const work of works) expect(work).not.toThrow();
    cache = openCache({ folder });
    expect(keptLines()).toBe(0);
  });
});

describe('other requests', () => {
  it('are answered while a long one is at work', async () => {
    const made = [...generateTrips({ points: 150_000, cameras: 2, days: 1 })];
    seedSource(
      cache,
      'src',
      made.map((trip, n) => ({
        tripId: `trip_${n}`,
        points: toColumns(
          Array.from({ length: trip.count }, (_, i) => ({
            t: trip.startedAtS + i,
            lat: trip.latE6[i]! / 1e6,
            lng: trip.lngE6[i]! / 1e6,
          })),
        ),
      })),
    );
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await desk['tracks.lines']({ tripIds: made.map((_, n) => id(`trip_${n}`)), level: 18 });
    isDone = true;
    expect(turns).toBeGreaterThan(1);
  });
});

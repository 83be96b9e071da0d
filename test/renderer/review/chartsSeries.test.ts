import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createColumns,
  extremesInView,
  fillColumns,
} from '../../../renderer/features/review/charts/columns.ts';
import { runningMean, sensorGapMs, shownG } from '../../../renderer/features/review/charts/gShown.ts';
import {
  createPyramid,
  extremesOf,
  firstValue,
  lastValue,
} from '../../../renderer/features/review/charts/pyramid.ts';
import { altitudeScale, gScale, speedScale } from '../../../renderer/features/review/charts/scales.ts';
import {
  axisTicks,
  keptWithin,
  pannedView,
  viewWith,
  zoomedView,
} from '../../../renderer/features/review/charts/timeAxis.ts';
import type { MomentZone } from '../../../renderer/features/review/marks/momentText.ts';

/** Values of which some are absent; long enough for three levels. */
const values = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.double({ min: -9, max: 9, noNaN: true }) },
      { weight: 1, arbitrary: fc.constant(NaN) },
    ),
    { maxLength: 700 },
  )
  .map((list) => Float64Array.from(list));
const rangeIn = (length: number) =>
  fc.tuple(fc.nat(length), fc.nat(length)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
const present = (list: Float64Array) => [...list].filter((value) => !Number.isNaN(value));

describe('the pyramid', () => {
  it('gives the very extremes of any range, and NaN where nothing is', () => {
    fc.assert(
      fc.property(
        values.chain((all) => fc.tuple(fc.constant(all), rangeIn(all.length))),
        ([all, [from, to]]) => {
          const { low, high } = extremesOf(createPyramid(all), from, to, { low: 0, high: 0 });
          const inside = present(all.slice(from, to));
          expect(low).toBe(inside.length === 0 ? NaN : Math.min(...inside));
          expect(high).toBe(inside.length === 0 ? NaN : Math.max(...inside));
        },
      ),
    );
  });

  it('finds the first and last value of any range over stretches of nothing', () => {
    const sparse = fc
      .tuple(fc.integer({ min: 0, max: 1500 }), fc.array(fc.nat(1499), { maxLength: 4 }))
      .map(([length, at]) => {
        const all = new Float64Array(length).fill(NaN);
        for (const i of at) if (i < length) all[i] = i;
        return all;
      });
    fc.assert(
      fc.property(
        fc.oneof(values, sparse).chain((all) => fc.tuple(fc.constant(all), rangeIn(all.length))),
        ([all, [from, to]]) => {
          const pyramid = createPyramid(all);
          const inside = [...all.keys()].filter((i) => i >= from && i < to && !Number.isNaN(all[i]!));
          expect(firstValue(pyramid, from, to)).toBe(inside[0] ?? to);
          expect(lastValue(pyramid, from, to)).toBe(inside.at(-1) ?? from - 1);
        },
      ),
    );
  });

  it('looks at a few hundred values for a range of 800,000', () => {
    const all = Float64Array.from({ length: 800_000 }, (_, i) => Math.sin(i));
    const pyramid = createPyramid(all);
    let looks = 0;
    const counted = {
      ...pyramid,
      low: pyramid.low.map(
        (level) => new Proxy(level, { get: (of, key) => (looks++, Reflect.get(of, key)) }),
      ),
    };
    extremesOf(counted, 17, 799_983, { low: 0, high: 0 });
    expect(looks).toBeLessThan(400);
  });
});

/** A series with uneven steps, some of them gaps, and absent values. */
const series = fc
  .array(
    fc.tuple(
      fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 1, max: 300 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1001, max: 9000 }) },
      ),
      fc.oneof(
        { weight: 5, arbitrary: fc.double({ min: -9, max: 9, noNaN: true }) },
        { weight: 1, arbitrary: fc.constant(NaN) },
      ),
    ),
    { maxLength: 400 },
  )
  .map((steps) => {
    let ms = 1_700_000_000_000;
    return {
      timesMs: Float64Array.from(steps, ([step]) => (ms += step)),
      values: Float64Array.from(steps, ([, value]) => value),
    };
  });
const view = fc
  .tuple(fc.integer({ min: -5000, max: 60_000 }), fc.integer({ min: 200, max: 90_000 }))
  .map(([from, span]) => ({ fromMs: 1_700_000_000_000 + from, toMs: 1_700_000_000_000 + from + span }));
const gapMs = 1000;

describe('columns', () => {
  it('lose no extreme and draw nothing that was not recorded, at any zoom', () => {
    fc.assert(
      fc.property(
        series,
        view,
        fc.integer({ min: 1, max: 300 }),
        ({ timesMs, values: all }, range, widthPx) => {
          const columns = fillColumns(createColumns(), timesMs, createPyramid(all), range, widthPx, gapMs);
          const inside = [...all].filter(
            (value, i) => !Number.isNaN(value) && timesMs[i]! >= range.fromMs && timesMs[i]! <= range.toMs,
          );
          let low = Infinity;
          let high = -Infinity;
          for (let i = 0; i < columns.count; i++) {
            expect(Number.isNaN(columns.low[i]!)).toBe(false);
            if (columns.firstX[i]! < 0 || columns.lastX[i]! > widthPx) continue; // neighbours outside
            low = Math.min(low, columns.low[i]!);
            high = Math.max(high, columns.high[i]!);
          }
          const isOf = (value: number) => inside.includes(value);
          if (inside.length > 0) expect([low, high]).toEqual([Math.min(...inside), Math.max(...inside)]);
          if (inside.length > 0) expect([low, high].every(isOf)).toBe(true);
          expect(columns.count).toBeLessThanOrEqual(widthPx + 4);
        },
      ),
    );
  });

  it('link neighbours, and only neighbours: no line crosses a gap or an absent value', () => {
    fc.assert(
      fc.property(
        series,
        view,
        fc.integer({ min: 1, max: 300 }),
        ({ timesMs, values: all }, range, widthPx) => {
          const columns = fillColumns(createColumns(), timesMs, createPyramid(all), range, widthPx, gapMs);
          const perPx = (range.toMs - range.fromMs) / widthPx;
          const indexAt = (x: number, value: number) =>
            timesMs.findIndex((ms, i) => Math.abs(ms - range.fromMs - x * perPx) < 0.5 && all[i] === value);
          for (let i = 0; i < columns.count; i++) {
            const first = indexAt(columns.firstX[i]!, columns.first[i]!);
            expect(first).toBeGreaterThanOrEqual(0);
            if (i === 0) {
              expect(columns.isLinked[i]).toBe(0);
              continue;
            }
            const before = indexAt(columns.lastX[i - 1]!, columns.last[i - 1]!);
            const isNeighbour = first === before + 1 && timesMs[first]! - timesMs[before]! <= gapMs;
            expect(columns.isLinked[i]).toBe(isNeighbour ? 1 : 0);
          }
        },
      ),
    );
  });

  it('stay where they are while the view moves by less than a column', () => {
    const timesMs = Float64Array.from({ length: 5000 }, (_, i) => 1_700_000_000_000 + i * 10);
    const pyramid = createPyramid(timesMs.map((_, i) => Math.sin(i)));
    const shape = (fromMs: number) => {
      const columns = fillColumns(
        createColumns(),
        timesMs,
        pyramid,
        { fromMs, toMs: fromMs + 20_000 },
        100,
        gapMs,
      );
      return new Map([...columns.column.slice(5, 90)].map((column, i) => [column, columns.high[i + 5]]));
    };
    const a = shape(1_700_000_010_000);
    const b = shape(1_700_000_010_070);
    for (const [column, high] of a) if (b.has(column)) expect(b.get(column)).toBe(high);
  });

  it('give the scale the extremes of what is in sight only', () => {
    const timesMs = Float64Array.from([0, 1000, 2000, 3000]);
    const pyramid = createPyramid(Float64Array.from([50, 1, 2, 99]));
    expect(extremesInView(timesMs, pyramid, { fromMs: 500, toMs: 2500 })).toEqual({ low: 1, high: 2 });
    expect(extremesInView(timesMs, pyramid, { fromMs: 4000, toMs: 5000 })).toEqual({ low: NaN, high: NaN });
  });
});

describe('what G is drawn with', () => {
  const gSensor = {
    timesMs: Float64Array.from({ length: 100 }, (_, i) => i * 110),
    axisNames: ['vertical', 'lateral', 'longitudinal'] as [string, string, string],
    axesG: [1, 0, 0].map((g) => new Float64Array(100).fill(g)) as [Float64Array, Float64Array, Float64Array],
  };
  it('is gravity included and not smoothed unless asked: the samples themselves', () => {
    const { axesG, magnitudeG } = shownG(gSensor, { isGravityRemoved: false, smoothingMs: 0 });
    expect(axesG).toBe(gSensor.axesG);
    expect(magnitudeG[50]).toBe(1);
    expect(shownG(gSensor, { isGravityRemoved: true, smoothingMs: 0 }).magnitudeG[50]).toBe(0);
  });
  it('is smoothed by a mean that never reaches across a gap and leaves absent samples absent', () => {
    const timesMs = Float64Array.from([0, 100, 200, 5000, 5100]);
    const all = Float64Array.from([1, 2, 6, 100, 300]);
    expect([...runningMean(timesMs, all, 200, 1000)]).toEqual([1.5, 3, 4, 200, 200]);
    expect([...runningMean(timesMs, Float64Array.from([1, NaN, 3, NaN, 5]), 200, 1000)]).toEqual([
      1,
      NaN,
      3,
      NaN,
      5,
    ]);
  });
  it('calls five usual steps a gap, and never less than a second', () => {
    expect(sensorGapMs(gSensor.timesMs)).toBe(1000);
    expect(sensorGapMs(Float64Array.from([0, 1000, 2000, 3000]))).toBe(5000);
    expect(sensorGapMs(new Float64Array(0))).toBe(1000);
  });
});

describe('scales', () => {
  it('hold what they are made for, from a standing car to strays', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -40, max: 2000, noNaN: true }),
        fc.double({ min: 0, max: 900, noNaN: true }),
        (low, span) => {
          for (const scale of [
            gScale(low, low + span),
            altitudeScale(low, low + span),
            speedScale(0, low + span),
          ]) {
            expect(scale.max).toBeGreaterThanOrEqual(low + span - 1e-9);
            expect(scale.splits.length).toBeGreaterThanOrEqual(2);
            expect(scale.splits.length).toBeLessThanOrEqual(200);
            for (const split of scale.splits) expect(split).toBeLessThanOrEqual(scale.max + 1e-9);
          }
          expect(altitudeScale(low, low + span).min).toBeLessThanOrEqual(low + 1e-9);
        },
      ),
    );
    expect(speedScale(NaN, NaN)).toMatchObject({ min: 0, max: 40 });
    expect(gScale(NaN, NaN).max).toBeGreaterThan(0);
  });
});

describe('the time axis', () => {
  const scene = { fromMs: 1_700_000_000_000, toMs: 1_700_086_400_000 };
  const zones: readonly MomentZone[] = [
    { kind: 'zone', zone: 'Europe/Amsterdam' },
    { kind: 'offset', offsetMin: 345 },
    { kind: 'elapsed' },
  ];
  it('has a few ticks at round times from 0.2 s to a day, in each kind of zone', () => {
    for (const zone of zones)
      for (const span of [200, 1000, 7000, 60_000, 900_000, 7_200_000, 86_400_000]) {
        const ticks = axisTicks(
          { fromMs: scene.fromMs + 12_345, toMs: scene.fromMs + 12_345 + span },
          8,
          zone,
        );
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(9);
      }
  });
  it("counts in the zone's clock, also where it is 5:45 ahead, and from the start where no clock is known", () => {
    const hour = { fromMs: Date.UTC(2026, 2, 14, 16, 0), toMs: Date.UTC(2026, 2, 14, 18, 0) };
    expect(axisTicks(hour, 3, { kind: 'offset', offsetMin: 345 })[0]).toEqual({
      ms: Date.UTC(2026, 2, 14, 16, 15),
      label: '22:00\nSat 14 Mar',
    });
    const fine = axisTicks({ fromMs: hour.fromMs, toMs: hour.fromMs + 1000 }, 5, {
      kind: 'zone',
      zone: 'UTC',
    });
    expect(fine.map(({ label }) => label)).toEqual([
      '16:00:00.0',
      '16:00:00.2',
      '16:00:00.4',
      '16:00:00.6',
      '16:00:00.8',
      '16:00:01.0',
    ]);
    expect(axisTicks({ fromMs: 0, toMs: 120_000 }, 4, { kind: 'elapsed' }).map(({ label }) => label)).toEqual(
      ['0:00', '0:30', '1:00', '1:30', '2:00'],
    );
  });
  it('zooms about a point and never leaves the scene', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 50, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: -1e8, max: 1e8 }),
        (factor, share, byMs) => {
          const first = { fromMs: scene.fromMs + 1_000_000, toMs: scene.fromMs + 9_000_000 };
          const around = first.fromMs + share * 8_000_000;
          for (const next of [zoomedView(first, factor, around, scene), pannedView(first, byMs, scene)]) {
            expect(next.fromMs).toBeGreaterThanOrEqual(scene.fromMs);
            expect(next.toMs).toBeLessThanOrEqual(scene.toMs + 1e-3);
            expect(next.toMs - next.fromMs).toBeGreaterThanOrEqual(199.9);
          }
        },
      ),
    );
    const closer = zoomedView(
      { fromMs: scene.fromMs, toMs: scene.toMs },
      0.5,
      scene.fromMs + 43_200_000,
      scene,
    );
    expect(closer).toEqual({ fromMs: scene.fromMs + 21_600_000, toMs: scene.fromMs + 64_800_000 });
    expect(keptWithin({ fromMs: -Infinity, toMs: 5e12 }, scene)).toEqual(scene);
  });
  it('brings a time into view only where it is not', () => {
    const first = { fromMs: scene.fromMs, toMs: scene.fromMs + 60_000 };
    expect(viewWith(first, scene.fromMs + 30_000, 0.5, scene)).toBe(first);
    expect(viewWith(first, scene.fromMs + 600_000, 0.5, scene)).toEqual({
      fromMs: scene.fromMs + 570_000,
      toMs: scene.fromMs + 630_000,
    });
  });
});

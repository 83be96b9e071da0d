import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compassPoint,
  formatClock,
  offsetLabel,
  tickLabels,
  timeTicks,
  zoneLabel,
} from '../../../renderer/features/timeline/clock.ts';
import {
  commonGaps,
  isolatedPoints,
  readSeries,
  timeSpan,
  toPlotData,
  zoomRange,
} from '../../../renderer/features/timeline/plotData.ts';
import type { TrackSeries } from '../../../shared/contract/trips.ts';

const at = (text: string) => Date.parse(text);
const series = (timesMs: number[], speedKmh: number[], gapsMs: number[] = []): TrackSeries => ({
  psn: 'P1',
  cameraName: null,
  timesMs: Float64Array.from(timesMs),
  speedKmh: Float64Array.from(speedKmh),
  headingDeg: Float64Array.from(timesMs, () => NaN),
  gapsMs: Float64Array.from(gapsMs),
});

describe('times of day', () => {
  it('are those of the zone, before and after the clock is put forward', () => {
    expect(formatClock(at('2025-03-30T00:59:59Z'), 'Europe/Amsterdam')).toBe('01:59:59');
    expect(formatClock(at('2025-03-30T01:00:00Z'), 'Europe/Amsterdam')).toBe('03:00:00');
    expect(zoneLabel(at('2025-01-01T00:00:00Z'), 'Europe/Amsterdam')).toBe('CET');
    expect(zoneLabel(at('2025-07-01T00:00:00Z'), 'Europe/Amsterdam')).toBe('CEST');
    expect(offsetLabel(at('2025-07-01T00:00:00Z'), 'Asia/Kathmandu')).toBe('UTC+5:45');
    expect(formatClock(at('2025-07-01T10:00:00.733Z'), 'UTC')).toBe('10:00:00.733');
  });
  it('stand on round hours of the zone on an axis, also across a change of the clock', () => {
    const ticks = timeTicks(at('2025-03-29T12:00:00Z'), at('2025-03-31T12:00:00Z'), 10, 'Europe/Amsterdam');
    expect(
      ticks
        .map((ms) => formatClock(ms, 'Europe/Amsterdam'))
        .filter((text) => !/^(00|06|12|18):00:00$/.test(text)),
    ).toEqual([]);
    expect(ticks.length).toBeGreaterThan(4);
  });
  it('are never more on an axis than asked, ascending and in the range', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2e12 }),
        fc.integer({ min: 1, max: 1e11 }),
        fc.integer({ min: 1, max: 20 }),
        (from, span, most) => {
          const ticks = timeTicks(from, from + span, most, 'America/New_York');
          expect(ticks.length).toBeLessThanOrEqual(most + 1);
          ticks.forEach((ms, i) => {
            expect(ms).toBeGreaterThanOrEqual(from);
            expect(ms).toBeLessThanOrEqual(from + span);
            if (i > 0) expect(ms).toBeGreaterThan(ticks[i - 1]!);
          });
        },
      ),
    );
  });
  it('show the date where it changes', () => {
    expect(
      tickLabels([at('2025-03-14T22:00:00Z'), at('2025-03-15T00:00:00Z'), at('2025-03-15T02:00:00Z')], 'UTC'),
    ).toEqual(['22:00\nFri 14 Mar', '00:00\nSat 15 Mar', '02:00']);
  });
  it('name the direction of a heading', () => {
    expect([0, 44, 180, 359, 337].map(compassPoint)).toEqual(['N', 'NE', 'S', 'N', 'NW']);
  });
});

describe('the chart', () => {
  it('draws neither absent speeds nor gaps as zero, and does not break one camera for another’s times', () => {
    const first = series([0, 1000, 2000, 60_000], [10, NaN, 0, 20], [2000, 60_000]);
    const second = series([1500, 30_000], [50, 60]);
    const data = toPlotData([first, second]);
    const values = (i: number) => new Map(data.timesMs.map((ms, at) => [ms, data.speedKmh[i]![at]]));
    expect(values(0).get(1000)).toBeNull();
    expect(values(0).get(2000)).toBe(0);
    expect(values(0).get(1500)).toBeUndefined();
    // The other camera's sample lies in the first one's gap: nothing is drawn there.
    expect(values(0).get(30_000)).toBeNull();
    expect(values(0).get(60_000)).toBe(20);
    expect(values(1).get(2000)).toBeUndefined();
  });
  it('marks a speed that stands alone between absent ones, past the times of other cameras', () => {
    expect(isolatedPoints([null, 5, undefined, null, 6, undefined, 7, null, 8], 0, 8)).toEqual([1, 8]);
    expect(isolatedPoints([1, 2, 3], 0, 2)).toEqual([]);
    expect(isolatedPoints([], 0, -1)).toEqual([]);
  });
  it('shades only what no camera recorded', () => {
    const first = series([0, 100], [1, 1], [20, 60]);
    const second = series([50, 200], [1, 1]);
    expect(commonGaps([first], 0, 100)).toEqual([[20, 60]]);
    expect(commonGaps([first, second], 0, 250)).toEqual([
      [20, 50],
      [200, 250],
    ]);
    expect(commonGaps([], 0, 10)).toEqual([[0, 10]]);
    expect(timeSpan([first, second])).toEqual({ fromMs: 0, toMs: 200 });
    expect(timeSpan([])).toBeNull();
  });
  it('reads what was recorded nearest to the cursor, and says when nothing was', () => {
    const one = series([0, 1000, 60_000], [10, NaN, 30], [1000, 60_000]);
    expect(readSeries(one, 300)).toMatchObject({ kind: 'recorded', timeMs: 0, speedKmh: 10 });
    expect(readSeries(one, 900)).toMatchObject({ kind: 'recorded', timeMs: 1000, speedKmh: null });
    expect(readSeries(one, 30_000)).toEqual({ kind: 'gap' });
    expect(readSeries(one, 70_000)).toEqual({ kind: 'gap' });
  });
  it('keeps the instant under the pointer when zooming, within all that there is', () => {
    const limits = { fromMs: 0, toMs: 1_000_000 };
    expect(zoomRange(limits, 250_000, 0.5, limits)).toEqual({ fromMs: 125_000, toMs: 625_000 });
    expect(zoomRange({ fromMs: 0, toMs: 100_000 }, 0, 100, limits)).toEqual(limits);
    expect(zoomRange(limits, 0, 0, limits)).toEqual({ fromMs: 0, toMs: 2000 });
  });
});

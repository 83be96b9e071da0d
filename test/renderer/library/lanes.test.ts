import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aroundTrip,
  bestLayout,
  neighbourTrip,
  recordedStretches,
  tripAt,
  tripsInOrder,
  type Lane,
  type LaneTrip,
} from '../../../renderer/features/timeline/lanes.ts';
import { msAt, topSpeedKmh, xOf } from '../../../renderer/features/timeline/lanePaint.ts';
import { wheelRange } from '../../../renderer/features/timeline/plotData.ts';
import type { TripId } from '../../../shared/ids.ts';

const trip = (name: string, fromMs: number, toMs: number): LaneTrip => ({
  tripId: name as TripId,
  fromMs,
  toMs,
});
const lane = (key: string, ...trips: LaneTrip[]): Lane => ({
  key,
  label: key,
  number: '1',
  color: '#000',
  trips,
  series: null,
});

describe('what a camera recorded', () => {
  it('is all between its gaps', () => {
    const of = (timesMs: number[], gapsMs: number[]) =>
      recordedStretches({ timesMs: Float64Array.from(timesMs), gapsMs: Float64Array.from(gapsMs) });
    expect(of([], [0, 100])).toEqual([]);
    expect(of([10, 50], [])).toEqual([[10, 50]]);
    expect(of([10, 20, 40, 50], [0, 10, 20, 40, 50, 90])).toEqual([
      [10, 20],
      [40, 50],
    ]);
  });
});

describe('the layout of the timeline', () => {
  const hour = 3_600_000;
  it('is a chart for one trip and for a full stretch of few cameras', () => {
    expect(bestLayout([lane('a', trip('1', 0, 10))], { fromMs: 0, toMs: 10 })).toBe('chart');
    const two = [lane('a', trip('1', 0, hour)), lane('b', trip('2', hour / 2, 2 * hour))];
    expect(bestLayout(two, { fromMs: 0, toMs: 2 * hour })).toBe('chart');
  });
  it('is lanes where a chart would be slivers between gaps, or a tangle of cameras', () => {
    const far = [lane('a', trip('1', 0, hour), trip('2', 40 * hour, 41 * hour))];
    expect(bestLayout(far, { fromMs: 0, toMs: 41 * hour })).toBe('lanes');
    const many = ['a', 'b', 'c'].map((key) => lane(key, trip(key, 0, hour)));
    expect(bestLayout(many, { fromMs: 0, toMs: hour })).toBe('lanes');
    expect(bestLayout(far, { fromMs: 0, toMs: hour })).toBe('chart');
  });
});

describe('going from trip to trip', () => {
  const lanes = [lane('a', trip('1', 0, 10), trip('3', 40, 50)), lane('b', trip('2', 20, 30))];
  const order = tripsInOrder(lanes);
  const nameOf = (found: LaneTrip | null) => found?.tripId ?? null;
  it('goes by time over all cameras, and stops at both ends', () => {
    expect(order.map(nameOf)).toEqual(['1', '2', '3']);
    expect(nameOf(neighbourTrip(order, '1' as TripId, null, 1))).toBe('2');
    expect(nameOf(neighbourTrip(order, '1' as TripId, null, -1))).toBeNull();
    expect(nameOf(neighbourTrip(order, '3' as TripId, null, 1))).toBeNull();
  });
  it('begins at what is shown', () => {
    expect(nameOf(neighbourTrip(order, null, null, 1))).toBe('1');
    expect(nameOf(neighbourTrip(order, null, { fromMs: 15, toMs: 60 }, 1))).toBe('2');
    expect(nameOf(neighbourTrip(order, null, { fromMs: 15, toMs: 60 }, -1))).toBe('1');
  });
  it('finds the trip under the pointer, or a sliver just beside it', () => {
    expect(nameOf(tripAt(lanes[0]!, 5, 0))).toBe('1');
    expect(nameOf(tripAt(lanes[0]!, 38, 3))).toBe('3');
    expect(tripAt(lanes[0]!, 20, 3)).toBeNull();
  });
  it('shows a trip with room on both sides', () => {
    const around = aroundTrip(trip('1', 1_000_000, 2_000_000));
    expect(around).toEqual({ fromMs: 970_000, toMs: 2_030_000 });
  });
});

describe('the lanes’ axis', () => {
  it('reads back the instant that it drew', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2e12 }),
        fc.integer({ min: 1000, max: 1e10 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (fromMs, span, share) => {
          const frame = { widthPx: 1100, labelPx: 140, lanePx: 14, range: { fromMs, toMs: fromMs + span } };
          const ms = fromMs + share * span;
          expect(Math.abs(msAt(frame, xOf(frame, ms)) - ms)).toBeLessThan(1);
        },
      ),
    );
  });
  it('has one scale of speed for all lanes, absent speeds aside', () => {
    const series = (speeds: number[]) => ({
      psn: 'P',
      cameraName: null,
      timesMs: Float64Array.from(speeds, (_, i) => i),
      speedKmh: Float64Array.from(speeds),
      headingDeg: Float64Array.from(speeds, () => NaN),
      gapsMs: new Float64Array(0),
    });
    expect(topSpeedKmh([{ ...lane('a'), series: series([NaN, 61.2]) }, lane('b')])).toBe(70);
    expect(topSpeedKmh([lane('b')])).toBe(0);
  });
  it('zooms under the pointer and moves with a sideways turn, within its limits', () => {
    const limits = { fromMs: 0, toMs: 1_000_000 };
    const range = { fromMs: 400_000, toMs: 600_000 };
    const near = wheelRange({ deltaX: 0, deltaY: -100, shiftKey: false }, range, 450_000, limits);
    expect(near.toMs - near.fromMs).toBeLessThan(200_000);
    expect((450_000 - near.fromMs) / (near.toMs - near.fromMs)).toBeCloseTo(0.25);
    const moved = wheelRange({ deltaX: 0, deltaY: 300, shiftKey: true }, range, 450_000, limits);
    expect(moved).toEqual({ fromMs: 500_000, toMs: 700_000 });
    expect(wheelRange({ deltaX: 9e9, deltaY: 0, shiftKey: false }, range, 450_000, limits).toMs).toBe(
      1_000_000,
    );
  });
});

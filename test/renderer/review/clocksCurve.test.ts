import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inverseOf, movementOf, moveBy } from '../../../renderer/features/review/clocks/clockChange.ts';
import {
  curveChoices,
  nearestSampleMs,
  pathOf,
  rangeOf,
  readCurves,
  type Curve,
} from '../../../renderer/features/review/clocks/curve.ts';
import { startFromFrame } from '../../../renderer/features/review/clocks/frameShown.ts';
import type { ClipTelemetry } from '../../../shared/contract/clips.ts';
import type { SourceClock } from '../../../shared/contract/review.ts';
import { createFakeHost } from '../fakeHost.ts';
import { aReview, channel, frame, frontId, scene, segment, sourceClock, startMs, tripId } from './aReview.ts';

const set = (shiftMs: number | null): SourceClock['manual'] => ({
  shiftMs,
  reason: 'seen',
  actor: 'A. Jansen',
  setAtMs: startMs,
});
const curve = (values: readonly number[], stepMs = 100): Curve => ({
  name: 'test',
  unit: 'g',
  timesMs: Float64Array.from(values, (_, i) => i * stepMs),
  values: Float64Array.from(values),
});

describe('moving a clock', () => {
  it('adds to a shift that was set before, since a shift counts from what was found', () => {
    expect(moveBy(sourceClock(), 250)).toEqual({ kind: 'shift', shiftMs: 250 });
    expect(moveBy(sourceClock({ manual: set(1000) }), -250)).toEqual({ kind: 'shift', shiftMs: 750 });
  });

  it('sets the start of a clip anew where its start was set by hand, and moves no unknown clip', () => {
    const byHand = sourceClock({ origin: 'manual', manual: set(null) });
    expect(moveBy(byHand, 40)).toEqual({ kind: 'start', startUtcMs: startMs + 40 });
    expect(moveBy(sourceClock({ startUtcMs: null, origin: 'unknown' }), 40)).toBeNull();
  });

  it('is taken back to exactly what was before', () => {
    expect(inverseOf(sourceClock())).toEqual({ kind: 'reset' });
    expect(inverseOf(sourceClock({ manual: set(1000) }))).toEqual({ kind: 'shift', shiftMs: 1000 });
    expect(inverseOf(sourceClock({ manual: set(null) }))).toEqual({ kind: 'start', startUtcMs: startMs });
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.integer({ min: -1e9, max: 1e9 }),
        (before, delta) => {
          const clock = sourceClock({ manual: set(before) });
          const change = moveBy(clock, delta)!;
          expect(movementOf(clock, change)).toBe(delta);
        },
      ),
    );
  });

  it('finds a clip’s first frame from a frame whose time is known, drift included', () => {
    const state = {
      ...aReview().review.store.getState(),
      scene: scene({ channels: [channel({ segments: [segment({ rate: 1.001 })] })] }),
    };
    expect(startFromFrame(state, frame({ clipS: 10 }), startMs + 60_000)).toBeCloseTo(startMs + 49_990, 6);
  });
});

describe('curves', () => {
  const telemetry: ClipTelemetry = {
    gps: {
      clipMs: Float64Array.of(0, 1000, NaN, 2000),
      utcMs: new Float64Array(4),
      cameraLocalMs: new Float64Array(4),
      latDeg: new Float64Array(4),
      lngDeg: new Float64Array(4),
      speedKmh: Float64Array.of(10, 20, 99, 30),
      headingDeg: new Float64Array(4),
      altitudeM: new Float64Array(4),
    },
    gSensor: {
      clipMs: Float64Array.of(0, 100, 200, 300, 400),
      axisNames: ['x', 'y', 'z'],
      axesG: [Float64Array.of(0, 0, 3, 0, 0), Float64Array.of(0, 0, 4, 0, 0), Float64Array.of(1, 1, 1, 1, 1)],
    },
  };

  it('lie where the source’s clock and the shift in use place them', async () => {
    const host = createFakeHost({ 'clips.telemetry': () => telemetry });
    const shown = scene({
      channels: [channel({ segments: [segment({ rate: 1.5 })] })],
      clocks: [sourceClock({ subject: { kind: 'telemetry', clipId: frontId }, manual: set(7) })],
    });
    const { curves, peak } = await readCurves({ host }, shown, { kind: 'telemetry', clipId: frontId });
    expect(curves.map(({ name, unit }) => `${name} (${unit})`)).toEqual([
      '|a|, camera frame, gravity included (g)',
      'Speed, recorded (km/h)',
    ]);
    expect([...curves[1]!.timesMs]).toEqual([startMs + 7, startMs + 1507, startMs + 3007]);
    expect([...curves[1]!.values]).toEqual([10, 20, 30]);
    // Gravity, the constant 1 g of an axis, is no part of the peak.
    expect(peak).toEqual({ timeMs: startMs + 307, valueG: 5 });
  });

  it('of tracks keep the shift that is in use', async () => {
    const columns = {
      count: 2,
      timesMs: Float64Array.of(startMs, startMs + 1000),
      speedKmh: Float64Array.of(1, 2),
    };
    const host = createFakeHost({ 'trips.points': () => columns as never });
    const track = { tripId, shiftMs: -500, isOwn: true, cameraName: 'Van 07', fileName: 'a.gpx' };
    const shown = scene({ tracks: [track as never] });
    const { curves, peak } = await readCurves({ host }, shown, { kind: 'trip', tripId });
    expect([...curves[0]!.timesMs]).toEqual([startMs - 500, startMs + 500]);
    expect(peak).toBeNull();
    // For a clip, what is embedded moves along: only another source can tell where it belongs.
    expect(curveChoices(shown, sourceClock())).toEqual([
      { subject: { kind: 'trip', tripId }, label: 'Track of Van 07, a.gpx', sign: -1 },
    ]);
    expect(curveChoices(scene(), sourceClock())).toEqual([]);
  });

  it('are drawn with every peak, whatever the number of samples, and never over a break', () => {
    const values = new Array<number>(10_000).fill(1);
    values[4321] = 9;
    const dense = curve(values, 1);
    const path = pathOf(dense, { fromMs: 0, toMs: 10_000 }, [0, 10], { width: 600, height: 96 });
    const lowestY = Math.min(...[...path.matchAll(/ (\d+\.\d)/g)].map(([, y]) => Number(y)));
    expect(lowestY).toBeCloseTo(96 - 3 - 0.9 * 90, 1);
    expect(path.length).toBeLessThan(600 * 2 * 2 * 14);
    const broken = { ...curve([1, 2, 3, 4]), timesMs: Float64Array.of(0, 100, 9_000, 9_100) };
    const pieces = pathOf(broken, { fromMs: 0, toMs: 10_000 }, [0, 5], { width: 600, height: 96 });
    expect(pieces.match(/M/g)).toHaveLength(2);
    expect(
      pathOf(broken, { fromMs: 20_000, toMs: 30_000 }, [0, 5], { width: 600, height: 96 }),
    ).not.toContain('L');
  });

  it('know their range and their nearest sample, and say when there is none', () => {
    const some = curve([1, NaN, 5, 2]);
    expect(rangeOf(some, 0, 1000)).toEqual([1, 5]);
    expect(rangeOf(some, 100, 150)).toBeNull();
    expect(rangeOf(curve([2, 2]), 0, 1000)).toEqual([1.5, 2.5]);
    expect(nearestSampleMs(some, 240, 100)).toBe(200);
    expect(nearestSampleMs(some, 260, 100)).toBe(300);
    expect(nearestSampleMs(some, 5000, 100)).toBeNull();
  });
});

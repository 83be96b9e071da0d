import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areAxesNamed,
  findHarshMoments,
  magnitudeOf,
  strongestMoment,
  withoutGravity,
  type GSamples,
} from '../../shared/harshMoments.ts';

const cameraAxes = ['vertical', 'lateral', 'longitudinal'] as const;

/** Samples nine times a second with gravity on the vertical axis; `at` adds to [vertical, lateral, longitudinal]. */
function aDrive(
  count: number,
  at: (i: number) => readonly [number, number, number] = () => [0, 0, 0],
  axisNames: GSamples['axisNames'] = cameraAxes,
): GSamples {
  const timesMs = Float64Array.from({ length: count }, (_, i) => 1_700_000_000_000 + i * 110);
  const added = Array.from({ length: count }, (_, i) => at(i));
  return {
    timesMs,
    axisNames,
    axesG: [
      Float64Array.from(added, ([vertical]) => 1.02 + vertical),
      Float64Array.from(added, ([, lateral]) => 0.05 + lateral),
      Float64Array.from(added, ([, , longitudinal]) => -0.03 + longitudinal),
    ],
  };
}
const find = (samples: GSamples, options: Partial<Parameters<typeof findHarshMoments>[2]> = {}) =>
  findHarshMoments(samples, withoutGravity(samples), {
    measure: 'magnitude',
    thresholdG: 0.4,
    refractoryMs: 2000,
    ...options,
  });

describe('gravity', () => {
  it('is taken out of a camera at rest, however it hangs, and leaves a peak as high as it was', () => {
    const samples = aDrive(600, (i) => (i === 300 ? [0, 0, -0.8] : [0, 0, 0]));
    const [vertical, lateral, longitudinal] = withoutGravity(samples);
    expect(vertical[10]).toBeCloseTo(0, 12);
    expect(lateral[10]).toBeCloseTo(0, 12);
    expect(longitudinal[300]).toBeCloseTo(-0.8, 12);
  });

  it('changes no difference between neighbours where the camera hangs still, whatever constant lies on an axis', () => {
    const value = fc.double({ min: -4, max: 4, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 200 }), value, (values, constant) => {
        const plain = aDrive(values.length, (i) => [values[i]!, 0, 0]);
        const moved = aDrive(values.length, (i) => [values[i]! + constant, 0, 0]);
        const [a] = withoutGravity(plain);
        const [b] = withoutGravity(moved);
        a.forEach((one, i) => expect(b[i]).toBeCloseTo(one, 9));
      }),
    );
  });

  it('follows a camera that was turned in the course of minutes, without a step where stretches meet', () => {
    const samples = aDrive(3300, (i) => [0, 0, (i / 3300) * 0.3]);
    const [, , longitudinal] = withoutGravity(samples);
    for (let i = 1; i < longitudinal.length; i++)
      expect(Math.abs(longitudinal[i]! - longitudinal[i - 1]!)).toBeLessThan(0.002);
    // But for the outer halves of the first and last stretch all of the drift is gone.
    expect(Math.max(...longitudinal.slice(400, -400).map(Math.abs))).toBeLessThan(0.01);
  });

  it('keeps absent samples absent and is not misled by them', () => {
    const samples = aDrive(100);
    samples.axesG[0].fill(NaN, 20, 60);
    samples.axesG[1].fill(NaN);
    const [vertical, lateral] = withoutGravity(samples);
    expect(vertical[30]).toBeNaN();
    expect(vertical[70]).toBeCloseTo(0, 12);
    expect(lateral.every(Number.isNaN)).toBe(true);
    expect(withoutGravity(aDrive(0))[0]).toHaveLength(0);
  });

  it('is a median: the same as sorting would give', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -8, max: 8, noNaN: true }), { minLength: 1, maxLength: 80 }),
        (values) => {
          const timesMs = Float64Array.from(values, (_, i) => i * 100);
          const axis = Float64Array.from(values);
          const [level] = withoutGravity({ timesMs, axesG: [axis, axis, axis] });
          const sorted = [...values].sort((a, b) => a - b);
          const half = sorted.length >> 1;
          const median = sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
          expect(level[0]).toBeCloseTo(values[0]! - median, 9);
        },
      ),
    );
  });
});

describe('harsh moments', () => {
  it('finds an impact once, with its value, axis and time', () => {
    const impact = [0.3, 0.9, 2.6, 1.1, 0.2];
    const samples = aDrive(600, (i) => [0, 0, i >= 300 && i < 305 ? -impact[i - 300]! : 0]);
    expect(find(samples)).toEqual([
      {
        timeMs: samples.timesMs[302],
        valueG: expect.closeTo(2.6, 9),
        magnitudeG: expect.closeTo(2.6, 9),
        kind: 'braking',
        axisName: 'longitudinal',
        axisG: expect.closeTo(-2.6, 9),
        fromMs: samples.timesMs[301],
        toMs: samples.timesMs[303],
      },
    ]);
  });

  it('tells braking, acceleration and turns apart by axis and sign', () => {
    const shapes: readonly (readonly [readonly [number, number, number], string])[] = [
      [[0, 0, -0.6], 'braking'],
      [[0, 0, 0.6], 'acceleration'],
      [[0, 0.6, 0], 'right turn'],
      [[0, -0.6, 0], 'left turn'],
      [[0.6, 0, 0.2], 'vertical'],
    ];
    for (const [shape, kind] of shapes)
      expect(find(aDrive(400, (i) => (i === 200 ? shape : [0, 0, 0]))).map((one) => one.kind)).toEqual([
        kind,
      ]);
  });

  it('holds only the asked axis against the threshold, and only in the asked direction', () => {
    const samples = aDrive(900, (i) =>
      i === 200 ? [0, 0, -0.5] : i === 400 ? [0, 0, 0.6] : i === 600 ? [0, -0.7, 0] : [0, 0, 0],
    );
    const times = (measure: 'braking' | 'acceleration' | 'cornering' | 'vertical') =>
      find(samples, { measure }).map((one) => samples.timesMs.indexOf(one.timeMs));
    expect(times('braking')).toEqual([200]);
    expect(times('acceleration')).toEqual([400]);
    expect(times('cornering')).toEqual([600]);
    expect(times('vertical')).toEqual([]);
  });

  it('does not say braking where the format leaves open how the camera was turned', () => {
    const samples = aDrive(300, (i) => (i === 100 ? [0, 0, -0.9] : [0, 0, 0]), ['x', 'y', 'z']);
    expect(areAxesNamed(samples.axisNames)).toBe(false);
    expect(find(samples, { measure: 'braking' })).toEqual([]);
    expect(find(samples)).toMatchObject([{ kind: 'axis', axisName: 'z', valueG: expect.closeTo(0.9, 9) }]);
  });

  it('joins what the pause does not part, and parts the rest', () => {
    const samples = aDrive(900, (i) => [0, 0, i === 100 || i === 110 || i === 400 ? -0.8 : 0]);
    expect(find(samples).map(({ fromMs, toMs }) => (toMs - fromMs) / 110)).toEqual([10, 0]);
    expect(find(samples, { refractoryMs: 500 })).toHaveLength(3);
  });

  it('loses no sample over the threshold, invents none, and gives each moment its highest', () => {
    const g = fc.double({ min: -2, max: 2, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(g, g, g), { maxLength: 150 }),
        fc.double({ min: 0.1, max: 3, noNaN: true }),
        fc.integer({ min: 0, max: 3000 }),
        (values, thresholdG, refractoryMs) => {
          const samples = aDrive(values.length, (i) => values[i]!);
          const strength = magnitudeOf(withoutGravity(samples));
          const moments = find(samples, { thresholdG, refractoryMs });
          strength.forEach((value, i) => {
            const holders = moments.filter(
              ({ fromMs, toMs }) => samples.timesMs[i]! >= fromMs && samples.timesMs[i]! <= toMs,
            );
            if (value >= thresholdG) expect(holders).toHaveLength(1);
            for (const { valueG } of holders) expect(valueG).toBeGreaterThanOrEqual(value);
          });
          moments.forEach((moment, at) => {
            expect(moment.valueG).toBeGreaterThanOrEqual(thresholdG);
            expect(moment.valueG).toBe(strength[samples.timesMs.indexOf(moment.timeMs)]);
            if (at > 0) expect(moment.fromMs - moments[at - 1]!.toMs).toBeGreaterThan(refractoryMs);
          });
        },
      ),
    );
  });

  it('names the strongest of all, or nothing where nothing was recorded', () => {
    const samples = aDrive(900, (i) => [0, i === 300 ? 0.7 : 0, i === 600 ? -3.1 : 0]);
    expect(strongestMoment(samples, withoutGravity(samples))).toMatchObject({
      timeMs: samples.timesMs[600],
      valueG: expect.closeTo(3.1, 9),
      kind: 'braking',
    });
    const absent = aDrive(50);
    for (const axis of absent.axesG) axis.fill(NaN);
    expect(strongestMoment(absent, withoutGravity(absent))).toBeNull();
    expect(find(absent)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { gapThresholdMs } from '../../shared/gaps.ts';

const times = (...seconds: number[]): Float64Array => Float64Array.from(seconds, (s) => s * 1000);

describe('the gap rule', () => {
  it('takes ten seconds for a camera that records every second', () => {
    expect(gapThresholdMs(times(0, 1, 2, 3, 100, 101))).toBe(10_000);
  });

  it('takes five usual steps for a camera that records every minute', () => {
    expect(gapThresholdMs(times(0, 60, 120, 180, 3600))).toBe(300_000);
  });

  it('takes the middle of an even number of steps', () => {
    expect(gapThresholdMs(times(0, 4, 12))).toBe(30_000);
  });

  it('passes over absent, equal and backward times', () => {
    expect(gapThresholdMs(Float64Array.of(NaN, 0, NaN, 60_000, 60_000, 120_000, 90_000, 150_000))).toBe(
      300_000,
    );
    expect(gapThresholdMs(Float64Array.of(NaN, NaN))).toBe(10_000);
    expect(gapThresholdMs(new Float64Array(0))).toBe(10_000);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  joinStarts,
  joinToleranceMs,
  maxDepartureMs,
  type OwnStart,
} from '../../../main/media/review/joinStarts.ts';

const minuteMs = 60_000;
const plain = { isPrecise: false, isFixed: false };

/** A day of recordings of about a minute, with clocks that are off by up to a second each. */
const aDay = fc
  .record({
    durations: fc.array(fc.integer({ min: 59_900, max: 60_100 }), { minLength: 1440, maxLength: 1440 }),
    jitters: fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 1440, maxLength: 1440 }),
    /** Frames lost between two files. */
    lostMs: fc.integer({ min: 0, max: 300 }),
    /** Real gaps after some recordings. */
    gaps: fc.array(fc.tuple(fc.integer({ min: 0, max: 1438 }), fc.integer({ min: 5000, max: 900_000 })), {
      maxLength: 5,
    }),
  })
  .map(({ durations, jitters, lostMs, gaps }) => {
    const gapAfter = new Map(gaps);
    let atMs = Date.UTC(2026, 2, 14);
    return durations.map((durationMs, i): OwnStart => {
      const startMs = atMs + jitters[i]!;
      atMs += durationMs + lostMs + (gapAfter.get(i) ?? 0);
      return { startMs, durationMs, ...plain };
    });
  });

describe('a day of recordings whose clocks jitter', () => {
  it('keeps each recording within the stated distance of its own clock, and in order', () => {
    fc.assert(
      fc.property(aDay, (recordings) => {
        const starts = joinStarts(recordings);
        expect(starts).toHaveLength(recordings.length);
        starts.forEach((ms, i) => {
          expect(Math.abs(ms - recordings[i]!.startMs)).toBeLessThanOrEqual(maxDepartureMs + 1e-6);
          if (i > 0) expect(ms).toBeGreaterThan(starts[i - 1]!);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('does not let small differences add up: the last recording of the day is as near as the first', () => {
    fc.assert(
      fc.property(fc.integer({ min: -40, max: 40 }), (longerMs) => {
        // Every file is a little longer (or shorter) than the step of the clock: half a minute over the day.
        const recordings = Array.from({ length: 1440 }, (_, i): OwnStart => ({
          startMs: i * minuteMs,
          durationMs: minuteMs + longerMs,
          ...plain,
        }));
        const starts = joinStarts(recordings);
        expect(Math.abs(starts[1439]! - 1439 * minuteMs)).toBeLessThanOrEqual(maxDepartureMs);
        const steps = starts.slice(1).map((ms, i) => ms - starts[i]!);
        // Nowhere a jump: the difference is spread over the files.
        expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(60);
      }),
    );
  });

  it('shows gaps that are longer than clocks of whole seconds can be wrong', () => {
    fc.assert(
      fc.property(aDay, (recordings) => {
        const starts = joinStarts(recordings);
        for (let i = 1; i < recordings.length; i++) {
          const before = recordings[i - 1]!;
          const ownGapMs = recordings[i]!.startMs - before.startMs - before.durationMs;
          if (ownGapMs < 5000) continue;
          expect(starts[i]! - starts[i - 1]! - before.durationMs).toBeGreaterThan(
            ownGapMs - 2 * maxDepartureMs - 1,
          );
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('recordings without a break', () => {
  const own = (...startsMs: number[]): OwnStart[] =>
    startsMs.map((startMs) => ({ startMs, durationMs: minuteMs, ...plain }));

  it('are laid end to end where their clocks show whole seconds', () => {
    const starts = joinStarts(own(0, 60_900, 120_100, 180_800));
    for (let i = 1; i < 4; i++) expect(starts[i]! - starts[i - 1]!).toBeCloseTo(minuteMs, 6);
  });

  it('are two where the clocks are further apart than the tolerance', () => {
    expect(joinStarts(own(0, minuteMs + joinToleranceMs + 1))).toEqual([0, minuteMs + joinToleranceMs + 1]);
    const precise = own(0, minuteMs + 400).map((one) => ({ ...one, isPrecise: true }));
    expect(joinStarts(precise)).toEqual([0, minuteMs + 400]);
  });

  it('leave what was set by hand exactly where it was set', () => {
    const recordings = own(0, 60_400, 120_000);
    recordings[1] = { ...recordings[1]!, isFixed: true };
    expect(joinStarts(recordings)[1]).toBe(60_400);
  });

  it('follow a clock that was set during the drive: each part by its own clock', () => {
    // Six minutes, then the camera's clock jumps by 1.4 s at every file for a while: more than can be shared out.
    const recordings = own(0, 60_000, 120_000, 181_400, 242_800, 304_200, 364_200, 424_200);
    const starts = joinStarts(recordings);
    starts.forEach((ms, i) =>
      expect(Math.abs(ms - recordings[i]!.startMs)).toBeLessThanOrEqual(maxDepartureMs),
    );
  });

  it('do not swap places when files are shorter than the tolerance', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 3000 })), {
          maxLength: 60,
        }),
        (steps) => {
          let atMs = 0;
          const recordings = steps.map(([stepMs, durationMs]): OwnStart => {
            atMs += stepMs;
            return { startMs: atMs, durationMs, ...plain };
          });
          const starts = joinStarts(recordings);
          for (let i = 1; i < starts.length; i++) expect(starts[i]!).toBeGreaterThan(starts[i - 1]!);
          starts.forEach((ms, i) =>
            expect(Math.abs(ms - recordings[i]!.startMs)).toBeLessThanOrEqual(maxDepartureMs + 1e-6),
          );
        },
      ),
    );
  });
});

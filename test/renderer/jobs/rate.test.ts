import { describe, expect, it } from 'vitest';
import { addSample, rateOf, type Samples } from '../../../renderer/features/jobs/index.ts';
import { progress } from '../samples.ts';

describe('the rate of a job', () => {
  it('is told from the last seconds, with the time left', () => {
    let samples: Samples = [];
    for (let second = 0; second <= 4; second += 1) {
      samples = addSample(samples, progress({ done: second * 100, points: second * 50 }), second * 1000);
    }
    expect(rateOf(samples)).toEqual({ perSecond: 100, pointsPerSecond: 50, leftMs: 6_000 });
  });

  it('is unknown while it is too early to say', () => {
    const samples = addSample(addSample([], progress({ done: 1 }), 0), progress({ done: 90 }), 300);
    expect(rateOf(samples)).toEqual({ perSecond: null, pointsPerSecond: null, leftMs: null });
  });

  it('starts afresh with a new stage', () => {
    const samples = addSample([], progress({ done: 900 }), 0);
    expect(addSample(samples, progress({ stage: 'committing', done: 950 }), 1_000)).toHaveLength(1);
    expect(addSample(samples, progress({ done: 10 }), 1_000)).toHaveLength(1);
  });

  it('names no time left while the end is unknown or nothing moves', () => {
    const unknown = addSample(
      addSample([], progress({ total: null }), 0),
      progress({ total: null, done: 9 }),
      1_000,
    );
    expect(rateOf(unknown)).toMatchObject({ perSecond: 9, leftMs: null });
    const still = addSample(addSample([], progress({ done: 5 }), 0), progress({ done: 5 }), 1_000);
    expect(rateOf(still)).toMatchObject({ perSecond: 0, leftMs: null });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { steer } from '../../../../renderer/features/review/player/steering.ts';

const rates = fc.double({ min: 0.1, max: 8, noNaN: true });

describe('steering a video to the clock', () => {
  it('leaves alone what is in step at the right rate', () => {
    fc.assert(
      fc.property(rates, fc.double({ min: -0.9, max: 0.9, noNaN: true }), (rate, share) => {
        expect(steer(share * 0.0015 * rate, rate, rate)).toEqual({ kind: 'keep' });
      }),
    );
  });

  it('slows down what is ahead and hurries what is behind, by a fifth at most, and seeks when it is far off', () => {
    fc.assert(
      fc.property(rates, fc.double({ min: -3, max: 3, noNaN: true }), (rate, aheadS) => {
        const steering = steer(aheadS, rate, rate);
        if (steering.kind !== 'rate') return;
        expect(Math.sign(steering.playbackRate - rate)).toBe(-Math.sign(aheadS));
        expect(Math.abs(steering.playbackRate / rate - 1)).toBeLessThanOrEqual(0.2 + 1e-9);
      }),
    );
    expect(steer(0.2, 1, 1)).toMatchObject({ kind: 'rate' });
    expect(steer(0.4, 1, 1)).toEqual({ kind: 'seek' });
    expect(steer(-0.4, 0.25, 0.25)).toEqual({ kind: 'seek' });
    expect(steer(1, 8, 8)).toMatchObject({ kind: 'rate' });
  });

  it('brings any error that it steers to nothing, and then runs at exactly the rate', () => {
    fc.assert(
      fc.property(rates, fc.double({ min: -0.14, max: 0.14, noNaN: true }), (rate, startS) => {
        let aheadS = startS;
        let playbackRate = rate;
        for (let frame = 0; frame < 600; frame += 1) {
          const steering = steer(aheadS, rate, playbackRate);
          expect(steering.kind).not.toBe('seek');
          if (steering.kind === 'rate') playbackRate = steering.playbackRate;
          aheadS += (playbackRate - rate) / 60;
        }
        // Slow motion takes its time: a fifth of little is less.
        if (rate >= 0.25) expect(Math.abs(aheadS)).toBeLessThan(0.005 * Math.max(1, rate));
      }),
    );
  });
});

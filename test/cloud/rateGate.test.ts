import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateGate } from '../../main/cloud/rateGate.ts';
import { virtualTiming } from './virtualTiming.ts';

describe('the rate gate', () => {
  it('never lets more through than burst plus rate allow, in any window', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ limitRps: fc.integer({ min: 1, max: 30 }), burst: fc.integer({ min: 1, max: 60 }) }),
        fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 60 }),
        async (rate, pausesMs) => {
          const timing = virtualTiming();
          const gate = new RateGate(timing, rate);
          const passedMs: number[] = [];
          for (const pauseMs of pausesMs) {
            if (pauseMs > 1500) await timing.wait(pauseMs, undefined);
            await gate.enter();
            passedMs.push(timing.now());
          }
          // A server's bucket of the same rate must never run dry.
          let tokens = rate.burst;
          let atMs = passedMs[0] ?? 0;
          for (const nowMs of passedMs) {
            tokens = Math.min(rate.burst, tokens + ((nowMs - atMs) / 1000) * rate.limitRps) - 1;
            atMs = nowMs;
            expect(tokens).toBeGreaterThanOrEqual(-1e-9);
          }
        },
      ),
    );
  });

  it('lets calls through in the order they came, and a canceled one does not block the rest', async () => {
    const gate = new RateGate(virtualTiming(), { limitRps: 1, burst: 1 });
    const order: string[] = [];
    const abort = new AbortController();
    const first = gate.enter().then(() => order.push('first'));
    const canceled = gate.enter(abort.signal).then(
      () => order.push('canceled'),
      () => order.push('rejected'),
    );
    const last = gate.enter().then(() => order.push('last'));
    abort.abort();
    await Promise.all([first, canceled, last]);
    expect(order).toEqual(['first', 'rejected', 'last']);
  });

  it('holds back after the server refused for rate', async () => {
    const timing = virtualTiming();
    const gate = new RateGate(timing, { limitRps: 10, burst: 25 });
    gate.drain();
    await gate.enter();
    expect(timing.waits).toEqual([100]);
  });
});

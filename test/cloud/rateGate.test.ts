import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateGate, systemTiming, TurnTimeout } from '../../main/cloud/rateGate.ts';
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

  it('refuses at once a call whose turn can not come before its deadline, and keeps the others in order', async () => {
    const timing = virtualTiming();
    const gate = new RateGate(timing, { limitRps: 1, burst: 1 });
    const startMs = timing.now();
    const passed: number[] = [];
    const enter = (endMs: number) =>
      gate.enter(undefined, endMs).then(() => void passed.push(endMs - startMs));
    const calls = [60_000, 60_001, 1_500, 60_002].map((ms) => enter(startMs + ms));
    const results = await Promise.allSettled(calls);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect((results[2] as PromiseRejectedResult).reason).toBeInstanceOf(TurnTimeout);
    expect(passed).toEqual([60_000, 60_001, 60_002]);
    expect(timing.now() - startMs).toBe(2000);
  });

  it('lets a canceled call go at once, wherever it stands in the queue', async () => {
    const gate = new RateGate(systemTiming, { limitRps: 0.001, burst: 1 });
    await gate.enter();
    const abort = new AbortController();
    const waiting = [gate.enter(abort.signal), gate.enter(abort.signal)];
    const reason = new Error('canceled');
    abort.abort(reason);
    await expect(Promise.allSettled(waiting)).resolves.toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
  });
});

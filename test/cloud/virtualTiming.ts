import type { Timing } from '../../main/cloud/rateGate.ts';

/** A clock that moves only by waiting: no test sleeps. */
export function virtualTiming(startMs = Date.UTC(2026, 2, 14)): Timing & { readonly waits: number[] } {
  let nowMs = startMs;
  const waits: number[] = [];
  return {
    waits,
    now: () => nowMs,
    async wait(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      nowMs += ms;
    },
  };
}

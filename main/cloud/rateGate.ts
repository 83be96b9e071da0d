/** Rates of each tier (specification, 8.1). */
export const tierRates: Readonly<Record<string, { readonly limitRps: number; readonly burst: number }>> = {
  free: { limitRps: 1, burst: 2 },
  starter: { limitRps: 1, burst: 3 },
  standard: { limitRps: 3, burst: 6 },
  pro: { limitRps: 10, burst: 25 },
  enterprise: { limitRps: 25, burst: 50 },
};

/** The clock and the waiting of a client; tests pass a virtual one. */
export interface Timing {
  now(): number;
  /** Resolves after `ms`, rejects with the signal's reason when it is aborted first. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  wait(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  },
};

/**
 * Lets calls through no faster than the tier allows: a bucket of `burst` that refills at `limitRps`. In order
 * of asking. Half a call is kept in hand, because the server's bucket and ours do not tick together.
 */
export class RateGate {
  private tokens: number;
  private filledAtMs: number;
  private turn: Promise<void> = Promise.resolve();
  private readonly timing: Timing;
  private limitRps: number;
  private burst: number;

  constructor(timing: Timing, rate: { readonly limitRps: number; readonly burst: number }) {
    this.timing = timing;
    this.limitRps = rate.limitRps;
    this.burst = rate.burst;
    this.tokens = Math.max(1, rate.burst - 0.5);
    this.filledAtMs = timing.now();
  }

  /** Takes over what the server says of this key's rate (2.11 `rate`), or a tier's. */
  setRate(rate: { readonly limitRps: number; readonly burst: number }): void {
    if (!(rate.limitRps > 0) || !(rate.burst >= 1)) return;
    this.refill();
    this.limitRps = rate.limitRps;
    this.burst = rate.burst;
    this.tokens = Math.min(this.tokens, Math.max(1, rate.burst - 0.5));
  }

  /** The server refused for rate: whatever we thought was left is not there. */
  drain(): void {
    this.refill();
    this.tokens = Math.min(this.tokens, 0);
  }

  /** Resolves when a call may be sent. */
  enter(signal?: AbortSignal): Promise<void> {
    const mine = this.turn.then(() => this.take(signal));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private refill(): void {
    const nowMs = this.timing.now();
    const gained = (Math.max(0, nowMs - this.filledAtMs) / 1000) * this.limitRps;
    this.tokens = Math.min(Math.max(1, this.burst - 0.5), this.tokens + gained);
    this.filledAtMs = nowMs;
  }

  private async take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.refill();
    while (this.tokens < 1) {
      await this.timing.wait(Math.ceil(((1 - this.tokens) / this.limitRps) * 1000), signal);
      this.refill();
    }
    this.tokens -= 1;
  }
}

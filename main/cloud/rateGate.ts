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

/** One call that waits for its turn. */
interface Waiter {
  readonly endMs: number;
  readonly pass: () => void;
  readonly fail: (reason: unknown) => void;
}

/** What a call is refused with when its time is over before its turn. */
export class TurnTimeout extends Error {}

/**
 * Lets calls through no faster than the tier allows: a bucket of `burst` that refills at `limitRps`. In order
 * of asking. Half a call is kept in hand, because the server's bucket and ours do not tick together.
 */
export class RateGate {
  private tokens: number;
  private filledAtMs: number;
  private readonly queue: Waiter[] = [];
  private isPumping = false;
  private pause: AbortController | null = null;
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

  /**
   * Resolves when a call may be sent. Rejects at once with the signal's reason when it is aborted, wherever in the
   * queue the call stands, and with TurnTimeout once its turn can't come before `endMs`.
   */
  enter(signal?: AbortSignal, endMs = Infinity): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => {
        this.leave(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        endMs,
        pass: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        fail: (reason) => {
          signal?.removeEventListener('abort', onAbort);
          reject(reason);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.queue.push(waiter);
      if (!this.isPumping) void this.pump();
    });
  }

  private leave(waiter: Waiter): void {
    const index = this.queue.indexOf(waiter);
    if (index >= 0) this.queue.splice(index, 1);
    // Nobody waits any more: no timer may keep a finished command alive.
    if (this.queue.length === 0) this.pause?.abort();
  }

  private refill(): void {
    const nowMs = this.timing.now();
    const gained = (Math.max(0, nowMs - this.filledAtMs) / 1000) * this.limitRps;
    this.tokens = Math.min(Math.max(1, this.burst - 0.5), this.tokens + gained);
    this.filledAtMs = nowMs;
  }

  /** When the waiter at a place of the queue gets its turn, if nobody before it leaves. */
  private turnAtMs(place: number): number {
    const missing = place + 1 - this.tokens;
    return this.timing.now() + Math.max(0, Math.ceil((missing / this.limitRps) * 1000));
  }

  private async pump(): Promise<void> {
    this.isPumping = true;
    try {
      while (this.queue.length > 0) {
        this.refill();
        for (let place = 0; place < this.queue.length;) {
          const waiter = this.queue[place]!;
          if (this.turnAtMs(place) < waiter.endMs) place++;
          else {
            this.queue.splice(place, 1);
            waiter.fail(new TurnTimeout());
          }
        }
        if (this.queue.length === 0) return;
        if (this.tokens >= 1) {
          this.tokens -= 1;
          this.queue.shift()!.pass();
          continue;
        }
        this.pause = new AbortController();
        const waitMs = this.turnAtMs(0) - this.timing.now();
        await this.timing.wait(waitMs, this.pause.signal).catch(() => undefined);
      }
    } finally {
      this.pause = null;
      this.isPumping = false;
    }
  }
}

import { AppError } from '../../../shared/errors.ts';

export type ContactPriority = 'recall' | 'user' | 'background';
const rank: Readonly<Record<ContactPriority, number>> = { recall: 0, user: 1, background: 2 };

export interface ContactOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: ContactPriority;
  /** Meant to stop a transfer: passes while one is held. */
  readonly mayInterrupt?: boolean;
  /**
   * Once the camera is asked, an abort frees the caller at once, and the camera only when it is through: it knows
   * nothing of callers that left, and would be asked for two things at once.
   */
  readonly mayLeave?: boolean;
}

interface Waiter {
  readonly rank: number;
  readonly mayInterrupt: boolean;
  readonly pass: () => void;
}
interface Device {
  /** What the call that is out does. */
  active: string | null;
  /** Transfers of ours under way; the camera answers nothing else meanwhile (3.4). */
  readonly holds: Set<symbol>;
  readonly waiters: Waiter[];
}

/**
 * The only way to a camera: one call at a time for each, whoever in this app wants it, and none but a cancellation
 * while a transfer of ours runs (it would only be answered `device_busy`).
 */
export interface DeviceGate {
  /** Runs `work` when it is this call's turn. Rejects with the signal's reason when aborted before. */
  contact<T>(psn: string, what: string, work: () => Promise<T>, options?: ContactOptions): Promise<T>;
  /** A transfer began: others wait until the returned function is called. */
  hold(psn: string): () => void;
  isHeld(psn: string): boolean;
  /** Calls that are out right now. */
  current(): readonly { readonly psn: string; readonly what: string }[];
}

export function createDeviceGate(): DeviceGate {
  const devices = new Map<string, Device>();

  function deviceOf(psn: string): Device {
    const known = devices.get(psn) ?? { active: null, holds: new Set<symbol>(), waiters: [] };
    devices.set(psn, known);
    return known;
  }

  function pump(device: Device): void {
    if (device.active !== null) return;
    const isOpen = (waiter: Waiter): boolean => waiter.mayInterrupt || device.holds.size === 0;
    let best = -1;
    device.waiters.forEach((waiter, i) => {
      if (isOpen(waiter) && (best < 0 || waiter.rank < device.waiters[best]!.rank)) best = i;
    });
    if (best >= 0) device.waiters.splice(best, 1)[0]!.pass();
  }

  return {
    async contact(psn, what, work, options = {}) {
      const { signal } = options;
      signal?.throwIfAborted();
      const device = deviceOf(psn);
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          device.waiters.splice(device.waiters.indexOf(waiter), 1);
          reject(signal?.reason ?? new AppError('canceled', 'Canceled.'));
        };
        const waiter: Waiter = {
          rank: options.mayInterrupt === true ? -1 : rank[options.priority ?? 'user'],
          mayInterrupt: options.mayInterrupt === true,
          pass() {
            signal?.removeEventListener('abort', onAbort);
            device.active = what;
            resolve();
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        device.waiters.push(waiter);
        pump(device);
      });
      const working = (async () => {
        try {
          return await work();
        } finally {
          device.active = null;
          pump(device);
        }
      })();
      return options.mayLeave === true && signal
        ? Promise.race([working, whenAborted(signal, working)])
        : working;
    },
    hold(psn) {
      const device = deviceOf(psn);
      const mark = Symbol(psn);
      device.holds.add(mark);
      return () => {
        if (device.holds.delete(mark)) pump(device);
      };
    },
    isHeld: (psn) => (devices.get(psn)?.holds.size ?? 0) > 0,
    current: () =>
      [...devices].flatMap(([psn, { active }]) => (active === null ? [] : [{ psn, what: active }])),
  };
}

/** Rejects when the signal aborts before the work has settled. */
function whenAborted(signal: AbortSignal, working: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    const forget = (): void => signal.removeEventListener('abort', leave);
    working.then(forget, forget);
  });
}

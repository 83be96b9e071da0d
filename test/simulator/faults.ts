/** Faults that tests inject through the control interface; documented in docs/simulator.md. */
import type { RequestRecord } from './requestLog.ts';

export type FaultEffect =
  /** A problem body of section 7; `before` handling unless said otherwise. */
  | {
      kind: 'problem';
      code: string;
      status?: number;
      detail?: string;
      retryAfterSeconds?: number;
      extensions?: Record<string, unknown>;
      isEdge?: boolean;
    }
  /** Any status with any text: HTML from a proxy, an empty body, broken JSON. */
  | { kind: 'raw'; status: number; body: string; contentType?: string; headers?: Record<string, string> }
  /** The JSON of the real answer, cut short but well-formed as HTTP. */
  | { kind: 'cut'; bytes: number }
  /** The connection is destroyed after this many bytes of the body; with `bytes: 0` before the headers. */
  | { kind: 'drop'; bytes: number }
  /** The headers or the body come late, in real milliseconds. */
  | { kind: 'delay'; delayMs: number }
  /** The body trickles, in real time. */
  | { kind: 'slow'; bytesPerSecond: number }
  /** No answer ever; ends when the client gives up. */
  | { kind: 'hang' }
  /** Links only: */
  | { kind: 'expired' }
  | { kind: 'ignoreRange' }
  | { kind: 'wrongRange' }
  | { kind: 'wrongLength'; deltaBytes: number }
  | { kind: 'changedEtag' }
  | { kind: 'redirectLoop' };

export interface FaultMatch {
  readonly method?: string;
  /** A regular expression for the path. */
  readonly path?: string;
  readonly keyId?: string;
  readonly surface?: 'api' | 'link';
}

export interface Fault {
  readonly effect: FaultEffect;
  readonly match?: FaultMatch;
  /** How many requests it hits; forever when absent. */
  readonly times?: number;
  /** How many matching requests pass first. */
  readonly skip?: number;
  /** True: the call has its effect and only the answer is lost or spoilt. Default for cut, drop, delay, slow. */
  readonly isAfterHandling?: boolean;
}

export interface FaultBook {
  add(fault: Fault): void;
  /** The effect for this request, if any; uses one of the fault's `times`. */
  take(record: RequestRecord): { effect: FaultEffect; isAfterHandling: boolean } | null;
  clear(): void;
  pending(): number;
}

const lateKinds: readonly string[] = [
  'cut',
  'drop',
  'delay',
  'slow',
  'ignoreRange',
  'wrongRange',
  'wrongLength',
  'changedEtag',
];

function isMatch(match: FaultMatch | undefined, record: RequestRecord): boolean {
  if (!match) return record.surface === 'api';
  if (match.surface !== undefined && match.surface !== record.surface) return false;
  if (match.method !== undefined && match.method !== record.method) return false;
  if (match.keyId !== undefined && match.keyId !== record.keyId) return false;
  return match.path === undefined || new RegExp(match.path).test(record.path);
}

export function createFaultBook(): FaultBook {
  let faults: { fault: Fault; seen: number; used: number }[] = [];
  return {
    add(fault) {
      faults.push({ fault, seen: 0, used: 0 });
    },
    take(record) {
      for (const entry of faults) {
        if (!isMatch(entry.fault.match, record)) continue;
        entry.seen += 1;
        if (entry.seen <= (entry.fault.skip ?? 0)) continue;
        if (entry.fault.times !== undefined && entry.used >= entry.fault.times) continue;
        entry.used += 1;
        const effect = entry.fault.effect;
        record.fault = effect.kind;
        return { effect, isAfterHandling: entry.fault.isAfterHandling ?? lateKinds.includes(effect.kind) };
      }
      return null;
    },
    clear() {
      faults = [];
    },
    pending: () =>
      faults.filter((entry) => entry.fault.times === undefined || entry.used < entry.fault.times).length,
  };
}

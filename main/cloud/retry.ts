import type { CloudCode } from '../../shared/cloudProblem.ts';
import type { CloudProblem } from './problem.ts';

/**
 * What is tried again, in one table (specification, section 7 "Retry rules" and 4.1 rule 11).
 * - `wait`: after Retry-After, or the default given, until the caller's deadline.
 * - `backoff`: a few times, exponentially with jitter; the service may have failed before or after acting.
 * - absent: never. 4xx means the request must change; quota_exceeded and monthly_limit_exceeded are hard stops;
 *   query_timeout would only time out again; 501 and configuration_error do not mend themselves in seconds.
 */
const rules: Partial<
  Record<
    CloudCode,
    | { readonly kind: 'wait'; readonly defaultMs: number }
    | { readonly kind: 'backoff'; readonly leastMs?: number }
  >
> = {
  rate_limited: { kind: 'wait', defaultMs: 1000 },
  device_busy: { kind: 'wait', defaultMs: 5000 },
  internal_error: { kind: 'backoff' },
  delegate_failed: { kind: 'backoff' },
  upstream_unavailable: { kind: 'backoff' },
  // The camera was asked and did not answer: asking again at once would only hammer it.
  command_timeout: { kind: 'backoff', leastMs: 5000 },
  connection_lost: { kind: 'backoff' },
  address_unreachable: { kind: 'backoff' },
  answer_malformed: { kind: 'backoff' },
};

/** Codes whose status family decides when the code itself says nothing. */
function ruleOf(problem: CloudProblem) {
  // A proxy that wants a password will want it again, and may lock the user out.
  if (problem.status === 407) return undefined;
  const rule = rules[problem.code];
  if (rule) return rule;
  const isPlain5xx = problem.status >= 500 && problem.status !== 501 && problem.status < 600;
  return problem.code === 'unknown' && isPlain5xx ? ({ kind: 'backoff' } as const) : undefined;
}

export const backoffTries = 4;
const backoffBaseMs = 500;
const backoffCapMs = 8000;
/** A Retry-After of 0, or a date that has passed by this machine's clock, is no leave to hammer. */
const leastWaitMs = 1000;

/**
 * How long to wait before the same call is sent again, or null for never. `attempt` counts from 1; `hasSideEffects`
 * calls (playback, recall, reboot, creation) are repeated only when it is known that nothing happened;
 * `random` in [0, 1) spreads callers (full jitter).
 */
export function retryDelayMs(
  problem: CloudProblem,
  call: { readonly hasSideEffects: boolean; readonly attempt: number; readonly random: number },
): number | null {
  const rule = ruleOf(problem);
  if (!rule) return null;
  if (call.hasSideEffects && !problem.isKnownNotDone) return null;
  if (rule.kind === 'wait') return Math.max(leastWaitMs, problem.retryAfterMs ?? rule.defaultMs);
  if (call.attempt >= backoffTries) return null;
  const ceilingMs = Math.min(backoffCapMs, backoffBaseMs * 2 ** (call.attempt - 1));
  const leastMs = 'leastMs' in rule ? (rule.leastMs ?? 0) : 0;
  return Math.max(problem.retryAfterMs ?? 0, leastMs, Math.round(ceilingMs * (0.5 + call.random / 2)));
}

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
  Record<CloudCode, { readonly kind: 'wait'; readonly defaultMs: number } | { readonly kind: 'backoff' }>
> = {
  rate_limited: { kind: 'wait', defaultMs: 1000 },
  device_busy: { kind: 'wait', defaultMs: 5000 },
  internal_error: { kind: 'backoff' },
  delegate_failed: { kind: 'backoff' },
  upstream_unavailable: { kind: 'backoff' },
  command_timeout: { kind: 'backoff' },
  connection_lost: { kind: 'backoff' },
  address_unreachable: { kind: 'backoff' },
  answer_malformed: { kind: 'backoff' },
};

/** Codes whose status family decides when the code itself says nothing. */
function ruleOf(problem: CloudProblem) {
  const rule = rules[problem.code];
  if (rule) return rule;
  const isPlain5xx = problem.status >= 500 && problem.status !== 501 && problem.status < 600;
  return problem.code === 'unknown' && isPlain5xx ? ({ kind: 'backoff' } as const) : undefined;
}

export const backoffTries = 4;
const backoffBaseMs = 500;
const backoffCapMs = 8000;

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
  if (rule.kind === 'wait') return problem.retryAfterMs ?? rule.defaultMs;
  if (call.attempt >= backoffTries) return null;
  const ceilingMs = Math.min(backoffCapMs, backoffBaseMs * 2 ** (call.attempt - 1));
  return Math.max(problem.retryAfterMs ?? 0, ceilingMs * (0.5 + call.random / 2));
}

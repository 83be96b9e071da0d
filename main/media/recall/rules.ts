import type { CloudCode } from '../../../shared/cloudProblem.ts';
import type { RecallState } from '../../../shared/contract/recalls.ts';
import type { CloudProblem } from '../../cloud/problem.ts';

export interface Pause {
  readonly for: Extract<RecallState, { status: 'waiting' }>['for'];
  readonly waitMs: number;
  /** The camera may have accepted although the answer says otherwise: the job list decides before it is asked again. */
  readonly isOutcomeOpen: boolean;
  /** Tries after which it is given up even without a deadline; null: never. */
  readonly maxTries: number | null;
}

const defaultBusyMs = 5000;
const offlineMs = 30_000;

/** After 1, 2, 3 … failures in a row: 5, 10, 20, 40, then 60 s. */
function backoffMs(tries: number): number {
  return Math.min(60_000, 5000 * 2 ** Math.max(0, tries - 1));
}

const networkCodes: ReadonlySet<CloudCode> = new Set(['address_unreachable', 'connection_lost', 'deadline_exceeded', 'not_the_service']); // prettier-ignore
const serviceCodes: ReadonlySet<CloudCode> = new Set(['upstream_unavailable', 'delegate_failed', 'internal_error', 'answer_malformed', 'rate_limited']); // prettier-ignore

/**
 * How long a recall waits after its request failed (4.1 rule 11, section 7), or null when it stops for good: every
 * other 4xx means that asking again would be answered the same way.
 */
export function pauseAfter(problem: CloudProblem, tries: number): Pause | null {
  const isOutcomeOpen = !problem.isKnownNotDone;
  switch (problem.code) {
    case 'device_busy':
      return {
        for: 'device_busy',
        waitMs: Math.max(1000, problem.retryAfterMs ?? defaultBusyMs),
        isOutcomeOpen: false,
        maxTries: null,
      };
    case 'device_offline':
      return { for: 'device_offline', waitMs: offlineMs, isOutcomeOpen: false, maxTries: null };
    case 'command_timeout':
      return { for: 'device_answer', waitMs: backoffMs(tries), isOutcomeOpen: true, maxTries: 20 };
    default:
      break;
  }
  if (networkCodes.has(problem.code))
    return { for: 'network', waitMs: backoffMs(tries), isOutcomeOpen, maxTries: null };
  const isService =
    serviceCodes.has(problem.code) ||
    (problem.code === 'unknown' && problem.status >= 500 && problem.status !== 501);
  if (isService)
    return {
      for: 'service',
      waitMs: Math.max(backoffMs(tries), problem.retryAfterMs ?? 0),
      isOutcomeOpen,
      maxTries: 20,
    };
  return null;
}

/** What a cancellation reaches, said before it is done (3.1). */
export const abortWarning =
  'Canceling tells the camera to stop whatever it is uploading at the moment, even if someone else asked for that. ' +
  'What was counted toward the month’s allowance stays counted. Nothing is deleted from the card.';

import { describe, expect, it } from 'vitest';
import { cloudProblemCodes, type CloudCode } from '../../shared/cloudProblem.ts';
import { CloudProblem } from '../../main/cloud/problem.ts';
import { backoffTries, retryDelayMs } from '../../main/cloud/retry.ts';

function problemOf(
  code: CloudCode,
  over: { status?: number; retryAfterMs?: number; isKnownNotDone?: boolean } = {},
) {
  return new CloudProblem({
    code,
    sentCode: null,
    status: over.status ?? 500,
    title: '',
    detail: '',
    requestId: null,
    operation: 'x',
    extensions: {},
    retryAfterMs: over.retryAfterMs ?? null,
    isKnownNotDone: over.isKnownNotDone ?? false,
  });
}
const read = { hasSideEffects: false, attempt: 1, random: 0.5 };
const act = { hasSideEffects: true, attempt: 1, random: 0.5 };

describe('what is tried again', () => {
  it('is exactly this list of codes', () => {
    const retried = cloudProblemCodes.filter((code) => retryDelayMs(problemOf(code), read) !== null);
    expect(retried.sort()).toEqual(
      [
        'command_timeout',
        'delegate_failed',
        'device_busy',
        'internal_error',
        'rate_limited',
        'upstream_unavailable',
      ].sort(),
    );
  });

  it('never is a hard stop, whatever its status', () => {
    for (const code of ['quota_exceeded', 'monthly_limit_exceeded', 'query_timeout'] as const) {
      for (const status of [403, 429, 504])
        expect(retryDelayMs(problemOf(code, { status, retryAfterMs: 1000 }), read)).toBeNull();
    }
  });

  it('waits as long as the service asks, and 5 s for a busy device that does not say', () => {
    expect(retryDelayMs(problemOf('device_busy', { retryAfterMs: 7000 }), read)).toBe(7000);
    expect(retryDelayMs(problemOf('device_busy'), read)).toBe(5000);
    expect(retryDelayMs(problemOf('rate_limited'), read)).toBe(1000);
  });

  it('backs off longer each time, and gives up', () => {
    const waits = [1, 2, 3].map((attempt) =>
      retryDelayMs(problemOf('internal_error'), { ...read, attempt })!,
    );
    expect(waits[1]).toBeGreaterThan(waits[0]!);
    expect(waits[2]).toBeGreaterThan(waits[1]!);
    expect(retryDelayMs(problemOf('internal_error'), { ...read, attempt: backoffTries })).toBeNull();
  });

  it('leaves a call with side effects alone unless it is known that nothing happened', () => {
    expect(retryDelayMs(problemOf('internal_error'), act)).toBeNull();
    expect(retryDelayMs(problemOf('connection_lost'), act)).toBeNull();
    expect(retryDelayMs(problemOf('command_timeout'), act)).toBeNull();
    expect(retryDelayMs(problemOf('address_unreachable', { isKnownNotDone: true }), act)).not.toBeNull();
    expect(retryDelayMs(problemOf('device_busy', { isKnownNotDone: true }), act)).toBe(5000);
  });

  it('decides by the status where there is no code', () => {
    expect(retryDelayMs(problemOf('unknown', { status: 599 }), read)).not.toBeNull();
    expect(retryDelayMs(problemOf('unknown', { status: 501 }), read)).toBeNull();
    expect(retryDelayMs(problemOf('unknown', { status: 404 }), read)).toBeNull();
  });

  it('never hammers: not on a Retry-After of nothing, not a camera that does not answer', () => {
    expect(retryDelayMs(problemOf('device_busy', { retryAfterMs: 0 }), read)).toBe(1000);
    expect(retryDelayMs(problemOf('command_timeout'), read)).toBe(5000);
  });

  it('does not ask a proxy again that wants a password', () => {
    expect(retryDelayMs(problemOf('address_unreachable', { status: 407 }), read)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import {
  cloudProblemCodes,
  cloudTransportCodes,
  explainProblem,
  type CloudProblemData,
} from '../../shared/cloudProblem.ts';
import { parseRetryAfter, toProblem, type RawAnswer } from '../../main/cloud/problem.ts';

const nowMs = Date.UTC(2026, 2, 14, 16, 0, 0);
const answer = (status: number, body: string, headers: Record<string, string> = {}): RawAnswer => ({
  status,
  statusText: 'Status Text',
  headers,
  body,
});

describe('what the service answers when it refuses', () => {
  it('keeps code, request id and every extension field of a problem body', () => {
    const body = JSON.stringify({
      type: 'https://errors.example/quota_exceeded',
      title: 'Forbidden',
      status: 403,
      code: 'quota_exceeded',
      detail: 'no more',
      requestId: 'req_1',
      bucket: 'transfer_bytes',
      limit: 10,
      used: 9,
      somethingNew: { deep: [1] },
    });
    const problem = toProblem('sdFiles.playback', answer(403, body), nowMs);
    expect(problem.toData()).toEqual({
      code: 'quota_exceeded',
      sentCode: null,
      status: 403,
      title: 'Forbidden',
      detail: 'no more',
      requestId: 'req_1',
      operation: 'sdFiles.playback',
      extensions: { bucket: 'transfer_bytes', limit: 10, used: 9, somethingNew: { deep: [1] } },
    });
  });

  it('reads edge errors sent as application/json the same way, and the request id from the header', () => {
    const problem = toProblem(
      'usage.get',
      answer(429, '{"code":"quota_exceeded"}', { 'x-request-id': 'req_h' }),
      nowMs,
    );
    expect(problem).toMatchObject({ code: 'quota_exceeded', requestId: 'req_h', extensions: {} });
  });

  it('passes a code it does not know through', () => {
    expect(toProblem('usage.get', answer(418, '{"code":"brand_new"}'), nowMs)).toMatchObject({
      code: 'unknown',
      sentCode: 'brand_new',
    });
  });

  it.each([
    ['a plain message without a code', 413, '{"message":"too large"}', 'unknown'],
    ['HTML of a proxy', 502, '<html>Bad gateway</html>', 'upstream_unavailable'],
    ['nothing at all', 401, '', 'unauthorized'],
    ['JSON that was cut off', 500, '{"code":"internal_er', 'unknown'],
    ['a list where an object belongs', 503, '[]', 'upstream_unavailable'],
    ['a redirect', 302, '', 'not_the_service'],
    ['a code that is no text', 500, '{"code":500}', 'internal_error'],
  ])('falls back to the status for %s', (_, status, body, code) => {
    expect(toProblem('usage.get', answer(status, body), nowMs).code).toBe(code);
  });

  it('reads Retry-After in seconds and as an HTTP date, and nothing else', () => {
    expect(parseRetryAfter('5', nowMs)).toBe(5000);
    expect(parseRetryAfter('Sat, 14 Mar 2026 16:00:30 GMT', nowMs)).toBe(30_000);
    expect(parseRetryAfter('Sat, 14 Mar 2026 15:00:00 GMT', nowMs)).toBe(0);
    for (const odd of [undefined, '', 'soon', '-1', '1.5', '99999999999'])
      expect(parseRetryAfter(odd, nowMs)).toBeNull();
  });
});

describe('what the person at the desk is told', () => {
  const codes = [...cloudProblemCodes, ...cloudTransportCodes, 'unknown'] as const;
  it.each(codes)('%s: a sentence that says what happened, and one that says what to do', (code) => {
    const bare: CloudProblemData = {
      code,
      sentCode: null,
      status: 400,
      title: 'Title',
      detail: 'detail',
      requestId: null,
      operation: 'usage.get',
      extensions: {},
    };
    for (const extensions of [
      {},
      { psn: 'P1', limit: 0, used: 1, allowed: ['a', 'b'], psns: ['P1', 'P2'] },
    ]) {
      const { what, todo } = explainProblem({ ...bare, extensions });
      expect(what).toMatch(/^[A-Z].{10,}[.]$/s);
      expect(todo).toMatch(/^[A-Z].{8,}[.]$/s);
      expect(what + todo).not.toMatch(/undefined|null|\[object/);
    }
  });
});

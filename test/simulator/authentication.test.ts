import { describe, expect, it } from 'vitest';
import { clientFor, dayMs, minuteMs, secondMs, send, setUp } from './testing.ts';

describe('authentication', async () => {
  const { simulator, enterprise } = await setUp();
  const { baseUrl, keys, control } = simulator;

  it('answers 401 to a missing, malformed or unknown key, whatever the path', async () => {
    const headers: Record<string, string>[] = [
      {},
      { Authorization: 'Bearer nonsense' },
      { Authorization: keys.enterprise },
      { Authorization: `Basic ${keys.enterprise}` },
      { Authorization: `Bearer fdc_live_${'0'.repeat(40)}` },
    ];
    for (const header of headers) {
      for (const path of ['/v1/devices', '/v1/no-such-route', '/somewhere']) {
        const answer = await send(
          `${baseUrl}${path}`,
          'POST',
          { ...header, 'Content-Type': 'text/plain' },
          'not json',
        );
        expect(answer.status).toBe(401);
        expect(answer.body.code).toBe('unauthorized');
      }
    }
  });

  it('sends edge errors as application/json and API errors as application/problem+json', async () => {
    const edge = await send(`${baseUrl}/v1/devices`, 'GET', {});
    expect(edge.headers.get('content-type')).toBe('application/json');
    expect(edge.body).toMatchObject({ code: 'unauthorized', status: 401, title: 'Unauthorized' });
    const api = await enterprise.get('/v1/devices/NOPE');
    expect(api.headers.get('content-type')).toBe('application/problem+json');
    expect(api.body.type).toMatch(/\/device_not_found$/);
  });

  it('answers 403 unauthorized at the edge to a key that is not enabled yet', async () => {
    const key = control.createKey({ organisation: 'enterprise', label: 'early', isEnabled: false });
    const answer = await clientFor(simulator, key).get('/v1/devices');
    expect(answer.status).toBe(403);
    expect(answer.body.code).toBe('unauthorized');
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  it('answers route_not_found to unknown paths and methods only after the key is valid', async () => {
    for (const [method, path] of [
      ['GET', '/v1/nope'],
      ['PATCH', '/v1/devices'],
      ['GET', '/v2/devices'],
      ['GET', '/v1/devices/'],
    ]) {
      const answer = await send(`${baseUrl}${path}`, method ?? 'GET', {
        Authorization: `Bearer ${keys.enterprise}`,
      });
      expect(answer.status).toBe(404);
      expect(answer.body.code).toBe('route_not_found');
    }
  });

  it('repeats the request id of the header in the problem body, and sends it on every response', async () => {
    const failed = await enterprise.get('/v1/devices/NOPE');
    expect(failed.body.requestId).toBe(failed.headers.get('x-request-id'));
    const succeeded = await enterprise.get('/v1/groups');
    expect(succeeded.headers.get('x-request-id')).toMatch(/^req_/);
    expect(succeeded.headers.get('access-control-expose-headers')).toContain('Retry-After');
  });

  it('refuses an oversized body with a plain message and no code', async () => {
    const answer = await enterprise.post('/v1/webhooks', `"${'x'.repeat(1_100_000)}"`);
    expect(answer.status).toBe(413);
    expect(Object.keys(answer.body)).toEqual(['message']);
  });

  it('answers invalid_body to a body that is not JSON', async () => {
    for (const body of ['{', 'psn=1', '']) {
      const answer = await enterprise.post('/v1/media/recall-jobs', body);
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe('invalid_body');
    }
  });
});

describe('tiers and scopes', async () => {
  const { simulator, enterprise, pro, standard, starter, free } = await setUp();
  const { control } = simulator;

  it('answers insufficient_scope with requiredScope for what the tier does not offer', async () => {
    const cases = [
      [standard, '/v1/media/recall-jobs', 'media:read'],
      [standard, '/v1/gps/export-jobs', 'gps:export'],
      [standard, '/v1/webhooks', 'webhooks:manage'],
      [pro, '/v1/audit-logs', 'audit:read'],
      [free, '/v1/usage', 'usage:read'],
    ] as const;
    for (const [client, path, requiredScope] of cases) {
      const answer = await client.get(path);
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ code: 'insufficient_scope', requiredScope });
    }
    const deletion = await pro.delete('/v1/devices/FD2E26000001/sd-files/20260101_000000_NF.mp4');
    expect(deletion.body).toMatchObject({ code: 'insufficient_scope', requiredScope: 'media:write' });
  });

  it('offers usage to every paid tier and audit logs to enterprise', async () => {
    for (const client of [starter, standard, pro, enterprise])
      expect((await client.get('/v1/usage')).status).toBe(200);
    expect((await enterprise.get('/v1/audit-logs')).status).toBe(200);
  });

  it('never lets a key with an explicit scope list gain a scope', async () => {
    const key = control.createKey({
      organisation: 'enterprise',
      label: 'reader',
      scopes: ['devices:read', 'media:read'],
    });
    const client = clientFor(simulator, key);
    expect((await client.get('/v1/devices')).status).toBe(200);
    expect((await client.get('/v1/usage')).body).toMatchObject({
      code: 'insufficient_scope',
      requiredScope: 'usage:read',
    });
  });

  it('answers tier_invalid for a key of a retired tier', async () => {
    const key = control.createKey({ organisation: 'pro', label: 'old', isTierRetired: true });
    expect((await clientFor(simulator, key).get('/v1/devices')).body.code).toBe('tier_invalid');
  });
});

describe('plan changes', async () => {
  const { simulator, enterprise, pro, free, sandbox } = await setUp();
  const { control } = simulator;

  it('applies scopes and seats within five minutes and volume quotas on the next call', async () => {
    control.setPlan('enterprise', { tier: 'starter', cameraLimit: 1 });
    const during = await enterprise.get('/v1/usage');
    expect(during.body.data.tier).toBe('enterprise');
    expect(during.body.data.volumeQuotas[0].limit).toBe(0);
    expect(during.body.data.apiCalls.limit).toBe(500 + 3000);
    await control.advance(5 * minuteMs);
    const after = await enterprise.get('/v1/usage');
    expect(after.body.data).toMatchObject({
      tier: 'starter',
      cameraLimit: 1,
      rate: { limitRps: 1, burst: 3 },
    });
    expect((await enterprise.get('/v1/audit-logs')).body.code).toBe('insufficient_scope');
    control.setPlan('enterprise', { tier: 'enterprise', cameraLimit: 16, isImmediate: true });
    expect((await enterprise.get('/v1/audit-logs')).status).toBe(200);
  });

  it('answers subscription_inactive with its reason within five minutes of a lapse, and resumes with the same key', async () => {
    control.setPlan('pro', { inactiveReason: 'no_active_subscription' });
    expect((await pro.get('/v1/devices')).status).toBe(200);
    await control.advance(5 * minuteMs);
    expect((await pro.get('/v1/devices')).body).toMatchObject({
      code: 'subscription_inactive',
      status: 403,
      reason: 'no_active_subscription',
    });
    control.setPlan('pro', { inactiveReason: null });
    await control.advance(5 * minuteMs);
    expect((await pro.get('/v1/devices')).status).toBe(200);
  });

  it('never applies a lapse to sandbox and free-tier keys', async () => {
    for (const organisation of ['sandbox', 'free']) {
      control.setPlan(organisation, { inactiveReason: 'plan_not_eligible', isImmediate: true });
    }
    expect((await sandbox.get('/v1/devices')).status).toBe(200);
    expect((await free.get('/v1/devices')).status).toBe(200);
  });

  it('locks nothing when the subscription could not be resolved', async () => {
    control.setPlan('enterprise', { cameraLimit: null, isImmediate: true });
    const { body } = await enterprise.get('/v1/devices');
    expect(body.cameras).toEqual({ limit: null, registered: 17, overLimit: 0 });
    control.setPlan('enterprise', { cameraLimit: 16, isImmediate: true });
  });
});

describe('rate and monthly limits', async () => {
  const limited = await setUp({ isRateLimited: true });
  const { simulator, standard, enterprise } = limited;
  const { control } = simulator;

  it('lets a burst through, then answers rate_limited with Retry-After 1, and refills at rps', async () => {
    const statuses = [];
    for (let index = 0; index < 7; index += 1) statuses.push((await standard.get('/v1/groups')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
    const refused = await standard.get('/v1/groups');
    expect(refused.body.code).toBe('rate_limited');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('content-type')).toBe('application/json');
    await control.advance(secondMs);
    const refilled = [];
    for (let index = 0; index < 4; index += 1) refilled.push((await standard.get('/v1/groups')).status);
    expect(refilled).toEqual([200, 200, 200, 429]);
  });

  it('shares the rate of an organisation between its keys', async () => {
    const other = clientFor(simulator, control.createKey({ organisation: 'standard', label: 'second' }));
    await control.advance(10 * secondMs);
    for (let index = 0; index < 6; index += 1) await standard.get('/v1/groups');
    expect((await other.get('/v1/groups')).status).toBe(429);
  });

  it('answers monthly_limit_exceeded beyond the cap until 00:00 UTC on the 1st', async () => {
    control.setUsage('enterprise', { callsLeft: 1 });
    expect((await enterprise.get('/v1/groups')).status).toBe(200);
    const refused = await enterprise.get('/v1/groups');
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      code: 'monthly_limit_exceeded',
      limit: 240_500,
      resetsAt: '2026-04-01T00:00:00.000Z',
    });
    const secondsLeft = Math.ceil((Date.parse('2026-04-01T00:00:00Z') - control.now()) / 1000);
    expect(Number(refused.headers.get('retry-after'))).toBe(secondsLeft);
    await control.advance(secondsLeft * 1000);
    expect((await enterprise.get('/v1/groups')).status).toBe(200);
  });

  it('counts every authenticated request of the organisation, failed ones too', async () => {
    const before = (await enterprise.get('/v1/usage')).body.data.apiCalls.used;
    await enterprise.get('/v1/nope');
    await enterprise.get('/v1/devices/NOPE');
    expect((await enterprise.get('/v1/usage')).body.data.apiCalls.used).toBe(before + 3);
  });

  it('emits quota_exceeded with status 429 and no extension fields from the edge', async () => {
    control.setUsage('enterprise', { isEdgeQuotaSpent: true });
    await control.advance(dayMs);
    const { status, body, headers } = await enterprise.get('/v1/groups');
    expect(status).toBe(429);
    expect(headers.get('content-type')).toBe('application/json');
    expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'requestId', 'status', 'title', 'type']);
    control.setUsage('enterprise', { isEdgeQuotaSpent: false });
  });

  it('has the caps of each tier: 300 for free, 500 plus calls per camera for paid plans', async () => {
    const limits = [];
    for (const client of [limited.starter, standard, limited.pro, enterprise]) {
      limits.push((await client.get('/v1/usage')).body.data.apiCalls.limit);
    }
    expect(limits).toEqual([500 + 3000, 500 + 5 * 7000, 500 + 8 * 10_000, 500 + 16 * 15_000]);
    control.setUsage('free', { callsLeft: 300 });
    expect(control.state('free')['calls']).toBe(0);
  });
});

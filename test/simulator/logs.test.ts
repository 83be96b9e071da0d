import { describe, expect, it } from 'vitest';
import { allPages, clientFor, dayMs, hourMs, secondMs, send, setUp, type Json } from './testing.ts';

describe('API logs', async () => {
  const { simulator, enterprise, pro } = await setUp({ isRateLimited: true });
  const { control, keys, baseUrl } = simulator;
  const rows = async (query = '') => (await enterprise.get(`/v1/api-logs?${query}`)).body.data as Json[];

  it('records the route template, never the path, with status, class, code and key', async () => {
    const failed = await enterprise.get('/v1/devices/SECRET-PSN?q=secret');
    const [row] = await rows('limit=1');
    expect(row).toMatchObject({
      id: failed.headers.get('x-request-id'),
      method: 'GET',
      route: '/v1/devices/{psn}',
      status: 404,
      statusClass: '4xx',
      errorCode: 'device_not_found',
      keyId: 'key_enterprise',
      ip: '127.0.0.1',
    });
    expect(JSON.stringify(await rows())).not.toMatch(/secret/i);
  });

  it('leaves out what the edge rejected', async () => {
    await control.advance(10 * secondMs);
    const before = (await rows()).length;
    await send(`${baseUrl}/v1/devices`, 'GET', {});
    await enterprise.get('/v1/nope');
    for (let index = 0; index < 60; index += 1) await enterprise.get('/v1/nope');
    await control.advance(10 * secondMs);
    expect((await rows()).length).toBe(before + 1);
  });

  it('records monthly_limit_exceeded', async () => {
    control.setUsage('pro', { callsLeft: 0 });
    await pro.get('/v1/devices');
    control.setUsage('pro', { callsLeft: 1000 });
    const [, row] = (await pro.get('/v1/api-logs')).body.data as Json[];
    expect((await pro.get('/v1/api-logs')).body.data.map((one: Json) => one.errorCode)).toContain(
      'monthly_limit_exceeded',
    );
    expect(row === undefined || row.keyId === 'key_pro').toBe(true);
  });

  it('filters by status, class, method, route prefix and key', async () => {
    const second = control.createKey({ organisation: 'enterprise', label: 'log-reader' });
    await clientFor(simulator, second).get('/v1/events/feed?limit=1');
    await enterprise.get('/v1/events?limit=1');
    await enterprise.post('/v1/webhooks', {});
    expect((await rows('status=422')).every((row) => row.status === 422)).toBe(true);
    expect((await rows('status=4xx')).length).toBeGreaterThan((await rows('status=422')).length);
    expect((await rows('method=POST')).map((row) => row.route)).toEqual(['/v1/webhooks']);
    expect(new Set((await rows('route=/v1/events')).map((row) => row.route))).toEqual(
      new Set(['/v1/events', '/v1/events/feed']),
    );
    expect((await rows('route=/v1/event')).length).toBe(0);
    const [own] = await rows('route=/v1/events/feed');
    expect((await rows(`keyId=${own.keyId}`)).every((row) => row.keyId === own.keyId)).toBe(true);
    for (const query of ['status=9xx', 'method=HEAD', 'from=yesterday', 'limit=201']) {
      expect((await enterprise.get(`/v1/api-logs?${query}`)).body.code).toBe('invalid_parameter');
    }
  });

  it('shows the last 24 hours by default, at most 30 days at once, and truncates the user agent', async () => {
    await send(`${baseUrl}/v1/groups`, 'GET', {
      Authorization: `Bearer ${keys.enterprise}`,
      'User-Agent': 'x'.repeat(400),
    });
    expect((await rows('limit=1'))[0].userAgent).toBe('x'.repeat(256));
    await control.advance(25 * hourMs);
    expect(await rows()).toHaveLength(0);
    const from = new Date(control.now() - 26 * hourMs).toISOString();
    expect((await rows(`from=${from}`)).length).toBeGreaterThan(0);
    const tooFar = new Date(control.now() - 31 * dayMs).toISOString();
    expect((await enterprise.get(`/v1/api-logs?from=${tooFar}`)).body.code).toBe('invalid_parameter');
    const { rows: all } = await allPages(enterprise, `/v1/api-logs?limit=7&from=${from}`);
    expect(new Set(all.map((row) => row.id)).size).toBe(all.length);
    expect(all.map((row) => row.at)).toEqual(
      all
        .map((row) => row.at)
        .sort()
        .reverse(),
    );
  });
});

describe('audit logs', async () => {
  const { simulator, enterprise, sandbox } = await setUp();
  const { story } = simulator;
  const entries = async (query = '') =>
    (await enterprise.get(`/v1/audit-logs?limit=200&${query}`)).body.data as Json[];

  it('records what changes or commands something, and no plain read', async () => {
    await enterprise.get('/v1/devices');
    await enterprise.get('/v1/events?limit=1');
    expect(await entries()).toEqual([]);
    const psn = story.ordinaryPsn;
    const fence = (
      await enterprise.post('/v1/geofences', {
        name: 'A',
        shape: { type: 'circle', center: { latitude: 1, longitude: 2 }, radiusM: 5 },
      })
    ).body.data;
    await enterprise.put(`/v1/geofences/${fence.geofenceId}`, { name: 'B' });
    await enterprise.delete(`/v1/geofences/${fence.geofenceId}`);
    const webhook = (
      await enterprise.post('/v1/webhooks', { url: 'https://example.com/h', events: ['safety_event'] })
    ).body.data;
    await enterprise.post(`/v1/webhooks/${webhook.webhookId}/rotate-secret`);
    await enterprise.delete(`/v1/webhooks/${webhook.webhookId}`);
    await enterprise.put(`/v1/devices/${psn}`, { name: 'Renamed' });
    const list = (await enterprise.get(`/v1/devices/${psn}/sd-files?perPage=1`)).body.data;
    await enterprise.get(`/v1/devices/${psn}/sd-files/${list[0].filename}/metadata`);
    await enterprise.delete(`/v1/devices/${psn}/sd-files/${list[0].filename}`);
    await enterprise.post(`/v1/devices/${psn}/reboot`);
    const exportJob = (
      await enterprise.post('/v1/gps/export-jobs', {
        from: '2026-03-12T00:00:00Z',
        to: '2026-03-12T00:00:00Z',
        format: 'csv',
      })
    ).body.data;
    await enterprise.delete(`/v1/gps/export-jobs/${exportJob.jobId}`);
    const all = await entries();
    expect(all.map((entry) => entry.eventType).sort()).toEqual([
      'auth.webhook_create',
      'auth.webhook_delete',
      'auth.webhook_rotate_secret',
      'device.device_reboot',
      'device.device_update',
      'export.job_cancel',
      'export.job_create',
      'geofence.create',
      'geofence.delete',
      'geofence.update',
      'video.sd_file_delete',
      'video.sd_list',
      'video.sd_metadata',
    ]);
    expect(all.find((entry) => entry.eventType === 'export.job_create')).toMatchObject({
      actorType: 'api_key',
      actorId: 'key_enterprise',
      target: exportJob.jobId,
      status: 'request',
    });
  });

  it('filters by actor, category, words and time', async () => {
    expect((await entries('category=geofence')).length).toBe(3);
    expect((await entries('actor=key_other')).length).toBe(0);
    expect((await entries('actor=key_enterprise')).length).toBe(13);
    expect((await entries('q=reboot')).length).toBe(1);
    expect((await entries('from=2030-01-01T00:00:00Z')).length).toBe(0);
  });

  it('records nothing of a sandbox key', async () => {
    await sandbox.post('/v1/geofences', {
      name: 'A',
      shape: {
        type: 'polyline',
        points: [
          { latitude: 1, longitude: 2 },
          { latitude: 1, longitude: 3 },
        ],
      },
    });
    expect((await sandbox.get('/v1/audit-logs')).body.data).toEqual([]);
  });
});

describe('usage', async () => {
  const { simulator, enterprise } = await setUp();
  const { control, story } = simulator;
  const usage = async () => (await enterprise.get('/v1/usage')).body;

  it('always lists the three buckets with their units', async () => {
    const { data } = await usage();
    expect(data.volumeQuotas.map((quota: Json) => [quota.bucket, quota.unit])).toEqual([
      ['transfer_bytes', 'bytes'],
      ['export_job', 'count'],
      ['export_concurrent', 'count'],
    ]);
    expect(data).toMatchObject({
      period: '2026-03',
      tier: 'enterprise',
      cameraLimit: 16,
      rate: { limitRps: 25, burst: 50 },
    });
  });

  it('names the over-limit cameras beside data', async () => {
    expect((await usage()).cameras).toEqual({
      limit: 16,
      registered: 17,
      overLimit: 1,
      overLimitPsns: [story.overLimitPsn],
    });
  });

  it('lists only finished days that have a rollup, and computes ratios over exactly those', async () => {
    const { callHistory, statusBreakdown } = (await usage()).data;
    expect(callHistory.days.length).toBeLessThan(30);
    expect(callHistory.aggregatedDays).toBe(callHistory.days.length);
    expect(callHistory.days.every((day: Json) => day.date < '2026-03-14')).toBe(true);
    const total = callHistory.days.reduce((sum: number, day: Json) => sum + day.calls, 0);
    expect(statusBreakdown.total).toBe(total);
    const ratios = statusBreakdown.classes.reduce((sum: number, row: Json) => sum + row.ratio, 0);
    expect(ratios).toBeCloseTo(1, 2);
  });

  it('rolls real calls up on the day after, and leaves days without calls absent', async () => {
    await control.advance(3 * dayMs);
    const { callHistory } = (await usage()).data;
    const dates = callHistory.days.map((day: Json) => day.date);
    expect(dates).toContain('2026-03-14');
    expect(dates).not.toContain('2026-03-15');
  });

  it('has null figures when the rollup is unavailable', async () => {
    control.setModes({ isMinimal: true });
    expect((await usage()).data).toMatchObject({ callHistory: null, statusBreakdown: null });
    control.setModes({ isMinimal: false });
  });
});

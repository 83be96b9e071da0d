import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { statusByCode } from './http/problem.ts';
import { clientFor, send, setUp, type Json } from './testing.ts';

describe('faults', async () => {
  const { simulator, enterprise } = await setUp();
  const { control } = simulator;

  it('can answer with every error code of section 7, in its status and media type', async () => {
    for (const [code, status] of Object.entries(statusByCode)) {
      control.addFault({ times: 1, effect: { kind: 'problem', code } });
      const answer = await enterprise.get('/v1/groups');
      expect([answer.status, answer.body.code, answer.body.type.endsWith(`/${code}`)]).toEqual([
        status,
        code,
        true,
      ]);
    }
    expect((await enterprise.get('/v1/groups')).status).toBe(200);
  });

  it('matches by method, path, key and position, a given number of times', async () => {
    control.addFault({
      match: { path: '^/v1/devices' },
      skip: 1,
      times: 2,
      effect: { kind: 'problem', code: 'upstream_unavailable' },
    });
    const statuses = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await enterprise.get('/v1/devices')).status);
    expect(statuses).toEqual([200, 503, 503, 200]);
    expect((await enterprise.get('/v1/groups')).status).toBe(200);
  });

  it('sends HTML, empty, cut and broken bodies', async () => {
    control.addFault({ times: 1, effect: { kind: 'raw', status: 502, body: '<html>Bad Gateway</html>' } });
    const html = await enterprise.get('/v1/groups');
    expect([html.status, html.headers.get('content-type'), html.body]).toEqual([
      502,
      'text/html',
      '<html>Bad Gateway</html>',
    ]);
    control.addFault({
      times: 1,
      effect: { kind: 'raw', status: 200, body: '', contentType: 'application/json' },
    });
    expect((await enterprise.get('/v1/groups')).body).toBe('');
    control.addFault({ times: 1, effect: { kind: 'cut', bytes: 20 } });
    await expect(enterprise.get('/v1/groups')).rejects.toThrow(SyntaxError);
  });

  it('can lose the answer of a call that had its effect, or drop a call before it has one', async () => {
    const jobs = async () => (await enterprise.get('/v1/webhooks')).body.pagination.total;
    const body = { url: 'https://example.com/h', events: ['safety_event'] };
    control.addFault({ match: { method: 'POST' }, times: 1, effect: { kind: 'drop', bytes: 0 } });
    await expect(enterprise.post('/v1/webhooks', body)).rejects.toThrow();
    expect(await jobs()).toBe(1);
    control.addFault({
      match: { method: 'POST' },
      times: 1,
      isAfterHandling: false,
      effect: { kind: 'drop', bytes: 0 },
    });
    await expect(enterprise.post('/v1/webhooks', body)).rejects.toThrow();
    expect(await jobs()).toBe(1);
    control.addFault({
      match: { method: 'POST' },
      times: 1,
      isAfterHandling: true,
      effect: { kind: 'problem', code: 'internal_error' },
    });
    expect((await enterprise.post('/v1/webhooks', body)).status).toBe(500);
    expect(await jobs()).toBe(2);
  });

  it('takes a hang as long as the client waits', async () => {
    control.addFault({ times: 1, effect: { kind: 'hang' } });
    const abort = new AbortController();
    const waiting = fetch(`${simulator.baseUrl}/v1/groups`, {
      headers: { Authorization: `Bearer ${simulator.keys.enterprise}` },
      signal: abort.signal,
    });
    while (!control.requests().some((record) => record.fault === 'hang'))
      await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await expect(waiting).rejects.toThrow();
  });
});

describe('modes', async () => {
  const { simulator, enterprise } = await setUp();
  const { control, story } = simulator;

  it('adds fields, enum values and headers everywhere in additive mode', async () => {
    control.setModes({ isAdditive: true });
    const { body, headers } = await enterprise.get('/v1/events?limit=20');
    expect(headers.get('x-added-later')).toBe('yes');
    expect(body.addedLater).toBeDefined();
    expect(body.data.every((row: Json) => row.addedLater !== undefined)).toBe(true);
    expect(body.data.map((row: Json) => row.type)).toContain('future_type');
    const order = {
      from: '2026-03-12T00:00:00Z',
      to: '2026-03-12T00:00:00Z',
      format: 'csv',
      psns: [story.ordinaryPsn],
    };
    expect((await enterprise.post('/v1/gps/export-jobs', order)).body.data.addedLater).toBeDefined();
    control.reset();
  });

  it('leaves out every optional field in minimal mode', async () => {
    control.setModes({ isMinimal: true });
    const [device] = (await enterprise.get('/v1/devices')).body.data;
    expect(Object.keys(device)).not.toContain('model');
    const busy = story.ordinaryPsn;
    control.setDevice({ psn: busy, busyForSeconds: 60 });
    const refused = await enterprise.get(`/v1/devices/${busy}/sd-files`);
    expect([refused.body.code, refused.headers.get('retry-after')]).toEqual(['device_busy', null]);
    const path_ = `/v1/devices/${story.collision.psn}/sd-files/${story.collision.frontFilename}/video`;
    expect((await enterprise.get(path_)).body.data).toMatchObject({
      sizeBytes: null,
      expiresAt: null,
      receivedBytes: null,
    });
    const jobs = (await enterprise.get('/v1/media/recall-jobs')).body.data;
    expect(jobs[0]).not.toHaveProperty('receivedBytes');
    control.reset();
  });
});

describe('control interface', async () => {
  const { simulator, enterprise } = await setUp();
  const { control, story, baseUrl } = simulator;
  const over = (name: string, body: unknown = {}) => send(`${baseUrl}/__control/${name}`, 'POST', {}, body);

  it('does over HTTP what it does as functions', async () => {
    const before = (await over('now')).body.nowMs;
    expect((await over('advance', { ms: 5000 })).body.nowMs).toBe(before + 5000);
    await over('fault', { times: 1, effect: { kind: 'problem', code: 'internal_error' } });
    expect((await enterprise.get('/v1/groups')).status).toBe(500);
    await over('device', { psn: story.ordinaryPsn, hasCard: false });
    expect((await enterprise.get(`/v1/devices/${story.ordinaryPsn}/sd-files`)).body.code).toBe(
      'sd_card_absent',
    );
    await over('usage', { organisation: 'enterprise', change: { callsLeft: 0 } });
    expect((await enterprise.get('/v1/groups')).body.code).toBe('monthly_limit_exceeded');
    await over('usage', { organisation: 'enterprise', change: { callsLeft: 1000 } });
    await over('plan', { organisation: 'enterprise', change: { cameraLimit: 20, isImmediate: true } });
    expect((await enterprise.get('/v1/devices')).body.cameras.overLimit).toBe(0);
    const { key } = (await over('create-key', { organisation: 'enterprise', label: 'http', scopes: [] }))
      .body;
    expect((await clientFor(simulator, key).get('/v1/groups')).body.code).toBe('insufficient_scope');
    expect((await over('counters')).body.requests).toBeGreaterThan(4);
    expect((await over('requests')).body.requests[0]).toMatchObject({
      method: 'GET',
      route: '/v1/groups',
      fault: 'problem',
    });
    expect((await over('state', { organisation: 'enterprise' })).body.seats.registered).toBe(17);
    await over('reset');
    expect((await enterprise.get(`/v1/devices/${story.ordinaryPsn}/sd-files`)).status).toBe(200);
    expect((await over('nonsense')).status).toBe(500);
  });

  it('sends the virtual time in the Date header', async () => {
    const { headers } = await enterprise.get('/v1/groups');
    expect(Date.parse(headers.get('date') ?? '')).toBe(Math.floor(control.now() / 1000) * 1000);
  });

  it('counts the most requests of a key within a second', async () => {
    control.clearLog();
    await Promise.all(Array.from({ length: 8 }, () => enterprise.get('/v1/groups')));
    expect(control.counters()['peakRequestsPerSecondByKey']).toEqual({ key_enterprise: 8 });
  });

  it('keeps the control interface away from the API: no key is needed, and /v1 does not know it', async () => {
    expect((await enterprise.get('/v1/__control/now')).body.code).toBe('route_not_found');
    expect((await over('now')).status).toBe(200);
  });
});

describe('the simulator command', () => {
  const script = path.join(import.meta.dirname, '..', '..', 'scripts', 'simulator.mjs');

  it('prints one JSON line with the address and the keys, and stops on SIGTERM', async () => {
    const child = spawn(process.execPath, [script, '--scenario', 'minimal', '--seed', '7'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    chunks.push(first);
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const { baseUrl, keys } = JSON.parse(first.toString()) as {
      baseUrl: string;
      keys: Record<string, string>;
    };
    expect(Object.keys(keys)).toEqual(['enterprise', 'pro', 'standard', 'starter', 'free', 'sandbox']);
    const answer = await send(`${baseUrl}/v1/groups`, 'GET', {
      Authorization: `Bearer ${keys['enterprise']}`,
    });
    expect(answer.status).toBe(200);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(Buffer.concat(chunks).toString().trim().split('\n')).toHaveLength(1);
    expect(child.exitCode).toBe(0);
  });

  it('refuses wrong arguments with exit code 2', async () => {
    for (const wrong of [['--scenario', 'nope'], ['--port', 'x'], ['--what']]) {
      const child = spawn(process.execPath, [script, ...wrong], { stdio: 'ignore' });
      await once(child, 'exit');
      expect(child.exitCode).toBe(2);
    }
  });
});

describe('the request log', async () => {
  const { simulator, enterprise } = await setUp();
  const { control, story } = simulator;

  it('tells how often an export job was looked up, and how far a slow upload is', async () => {
    const order = {
      from: '2026-03-12T00:00:00Z',
      to: '2026-03-12T00:00:00Z',
      format: 'csv',
      psns: [story.ordinaryPsn],
    };
    const { jobId } = (await enterprise.post('/v1/gps/export-jobs', order)).body.data;
    await enterprise.get(`/v1/gps/export-jobs/${jobId}`);
    expect(control.counters()['shortestExportPollMs']).toBeNull();
    await control.advance(5000);
    await enterprise.get(`/v1/gps/export-jobs/${jobId}`);
    expect(control.counters()['shortestExportPollMs']).toBe(5000);
    control.setDevice({ psn: story.collision.psn, uploadBytesPerSecond: 1000 });
    const recall = { psn: story.collision.psn, filename: story.collision.frontFilename };
    const job = (await enterprise.post('/v1/media/recall-jobs', recall)).body.data;
    await control.advance(3000);
    expect((await enterprise.get(`/v1/media/recall-jobs/${job.jobId}`)).body.data.receivedBytes).toBe(3000);
    control.setDevice({ psn: story.collision.psn, isWedged: true });
    await control.advance(3000);
    expect((await enterprise.get(`/v1/media/recall-jobs/${job.jobId}`)).body.data.receivedBytes).toBe(3000);
  });
});

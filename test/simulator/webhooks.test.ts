import { createHmac } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs, secondMs, setUp, startReceiver, type Json } from './testing.ts';

const path = '/v1/webhooks';
const sign = (secret: string, timestamp: string, text: string): string =>
  `v1=${createHmac('sha256', secret).update(`v1:${timestamp}:${text}`).digest('hex')}`;

describe('webhook subscriptions', async () => {
  const { simulator, enterprise, sandbox } = await setUp({ areLoopbackWebhooksAllowed: true });
  const { control } = simulator;
  const receiver = await startReceiver();
  afterAll(() => receiver.stop());
  beforeEach(() => receiver.received.splice(0));
  const create = async (fields: Record<string, unknown> = {}) =>
    (await enterprise.post(path, { url: receiver.url, events: ['safety_event'], ...fields })).body.data;

  it('returns the secret, 64 hex characters, only by create and rotate-secret', async () => {
    const webhook = await create();
    expect(webhook.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(webhook).toMatchObject({ status: 'active', suspendedAt: null, previousSecretExpiresAt: null });
    expect((await enterprise.get(`${path}/${webhook.webhookId}`)).body.data).not.toHaveProperty('secret');
    const { body } = await enterprise.get(path);
    expect(body.data.every((row: Json) => !('secret' in row))).toBe(true);
    const rotated = (await enterprise.post(`${path}/${webhook.webhookId}/rotate-secret`)).body.data;
    expect(rotated.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(rotated.secret).not.toBe(webhook.secret);
  });

  it('refuses a url that is not https and events outside the five types, with the allowed ones', async () => {
    const strict = await setUp();
    for (const url of ['http://127.0.0.1:1/x', 'ftp://example.com', 'https://', 7, undefined]) {
      expect((await strict.enterprise.post(path, { url, events: ['safety_event'] })).body.code).toBe(
        'invalid_field',
      );
    }
    expect(
      (await strict.enterprise.post(path, { url: 'https://example.com/h', events: ['safety_event'] })).status,
    ).toBe(201);
    for (const events of [['other'], [], 'safety_event', undefined]) {
      const { body } = await enterprise.post(path, { url: receiver.url, events });
      expect(body).toMatchObject({ code: 'invalid_field', status: 422 });
      expect(body.allowed).toEqual([
        'safety_event',
        'geofence_enter',
        'geofence_exit',
        'device_disconnected',
        'export_completed',
      ]);
    }
  });

  it('deletes a subscription', async () => {
    const webhook = await create();
    expect((await enterprise.delete(`${path}/${webhook.webhookId}`)).status).toBe(204);
    for (const answer of [
      await enterprise.get(`${path}/${webhook.webhookId}`),
      await enterprise.delete(`${path}/${webhook.webhookId}`),
      await enterprise.post(`${path}/${webhook.webhookId}/test`),
      await enterprise.get(`${path}/${webhook.webhookId}/deliveries`),
    ]) {
      expect(answer.body.code).toBe('webhook_not_found');
    }
  });

  it('sends a test delivery with header event test and body event safety_event, and returns the signature it sent', async () => {
    const webhook = await create();
    expect((await enterprise.get(`${path}/${webhook.webhookId}/deliveries`)).body.data).toEqual([]);
    const { data } = (await enterprise.post(`${path}/${webhook.webhookId}/test`)).body;
    const [delivery] = receiver.received;
    expect(delivery?.headers['x-service-event']).toBe('test');
    expect(delivery?.body.event).toBe('safety_event');
    expect(delivery?.headers['content-type']).toBe('application/json');
    const timestamp = String(delivery?.headers['x-service-timestamp']);
    expect(Number(timestamp)).toBe(Math.floor(control.now() / 1000));
    expect(delivery?.headers['x-service-signature']).toBe(
      sign(webhook.secret, timestamp, delivery?.text ?? ''),
    );
    expect(data).toMatchObject({
      delivered: true,
      signatureHeader: delivery?.headers['x-service-signature'],
    });
    const records = (await enterprise.get(`${path}/${webhook.webhookId}/deliveries`)).body.data;
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      test: true,
      attempts: 1,
      delivered: true,
      statusCode: 200,
      eventId: delivery?.body.data.eventId,
    });
    expect(records[0]).not.toHaveProperty('url');
  });

  it('tries a test delivery once and never counts it', async () => {
    const webhook = await create();
    receiver.answers.push(500);
    const { data } = (await enterprise.post(`${path}/${webhook.webhookId}/test`)).body;
    expect(data).toMatchObject({ delivered: false, statusCode: 500 });
    await control.advance(20 * minuteMs);
    expect(receiver.received).toHaveLength(1);
    const own = (control.state('enterprise')['webhooks'] as Json[]).find(
      (row) => row.webhookId === webhook.webhookId,
    );
    expect(own.failureCount).toBe(0);
  });

  it('sends nothing for a sandbox key, but signs, answers and records the attempt', async () => {
    const { data: webhook } = (await sandbox.post(path, { url: receiver.url, events: ['safety_event'] }))
      .body;
    const answer = await sandbox.post(`${path}/${webhook.webhookId}/test`);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ delivered: false, sandbox: true, error: expect.any(String) });
    expect(answer.body.data.signatureHeader).toMatch(/^v1=[0-9a-f]{64}$/);
    expect(receiver.received).toEqual([]);
    const { body } = await sandbox.get(`${path}/${webhook.webhookId}/deliveries`);
    expect(body.data[0]).toMatchObject({ test: true, delivered: false, statusCode: null });
    await control.advance(dayMs);
    expect((await sandbox.get(`${path}/${webhook.webhookId}`)).body.code).toBe('webhook_not_found');
  });

  it('signs with the new and then the previous secret during the grace window, and with at most two', async () => {
    const webhook = await create();
    const rotate = async (body?: unknown) =>
      (await enterprise.post(`${path}/${webhook.webhookId}/rotate-secret`, body)).body.data;
    const signatures = async () => {
      receiver.received.splice(0);
      await enterprise.post(`${path}/${webhook.webhookId}/test`);
      const [delivery] = receiver.received;
      const timestamp = String(delivery?.headers['x-service-timestamp']);
      return {
        header: delivery?.headers['x-service-signature'],
        of: (secret: string) => sign(secret, timestamp, delivery?.text ?? ''),
      };
    };
    const second = await rotate({ graceSeconds: 600 });
    expect(Date.parse(second.previousSecretExpiresAt) - control.now()).toBeLessThanOrEqual(600_000);
    let sent = await signatures();
    expect(sent.header).toBe(`${sent.of(second.secret)},${sent.of(webhook.secret)}`);
    const third = await rotate();
    sent = await signatures();
    expect(sent.header).toBe(`${sent.of(third.secret)},${sent.of(second.secret)}`);
    await control.advance(86_400 * secondMs);
    sent = await signatures();
    expect(sent.header).toBe(sent.of(third.secret));
    const fourth = await rotate({ graceSeconds: 0 });
    expect(fourth.previousSecretExpiresAt).toBeNull();
    sent = await signatures();
    expect(sent.header).toBe(sent.of(fourth.secret));
    for (const graceSeconds of [-1, 86_401, 1.5, '60']) {
      const { body } = await enterprise.post(`${path}/${webhook.webhookId}/rotate-secret`, { graceSeconds });
      expect(body).toMatchObject({ code: 'invalid_field', min: 0, max: 86_400 });
    }
  });

  it('answers webhook_not_suspended to the reactivation of an active subscription', async () => {
    const webhook = await create();
    const { status, body } = await enterprise.post(`${path}/${webhook.webhookId}/reactivate`);
    expect([status, body.code, body.subscriptionStatus]).toEqual([409, 'webhook_not_suspended', 'active']);
  });
});

describe('webhook delivery', async () => {
  const { simulator, enterprise } = await setUp({ areLoopbackWebhooksAllowed: true, webhookTimeoutMs: 150 });
  const { control, story } = simulator;
  const receiver = await startReceiver();
  afterAll(() => receiver.stop());
  let webhook: Json;
  let eventNumber = 0;
  const emit = async () => {
    eventNumber += 1;
    await control.emit('enterprise', 'safety_event', {
      eventId: `whe_${eventNumber}`,
      type: 'safety_event',
      subType: 'harsh_braking',
      psn: story.ordinaryPsn,
      deviceName: 'Van 08',
      occurredAt: new Date(control.now()).toISOString(),
    });
  };
  const records = async () =>
    (await enterprise.get(`${path}/${webhook.webhookId}/deliveries?perPage=100`)).body.data as Json[];
  const detail = async () => (await enterprise.get(`${path}/${webhook.webhookId}`)).body.data;

  beforeEach(async () => {
    receiver.received.splice(0);
    receiver.answers.splice(0);
    for (const old of (await enterprise.get(path)).body.data)
      await enterprise.delete(`${path}/${old.webhookId}`);
    const fields = { url: receiver.url, events: ['safety_event', 'export_completed'] };
    webhook = (await enterprise.post(path, fields)).body.data;
  });

  it('wraps the data in the envelope, with headers equal to its fields', async () => {
    await emit();
    const [delivery] = receiver.received;
    expect(Object.keys(delivery?.body).sort()).toEqual(['at', 'data', 'deliveryId', 'event', 'eventKey']);
    expect(delivery?.headers['x-service-event']).toBe(delivery?.body.event);
    expect(delivery?.headers['x-service-delivery']).toBe(delivery?.body.deliveryId);
    expect(delivery?.headers['x-service-event-key']).toBe(delivery?.body.eventKey);
    expect(Date.parse(delivery?.body.at)).toBe(control.now());
    expect(await records()).toMatchObject([{ delivered: true, attempts: 1, test: false, error: null }]);
  });

  it('tries up to three times within a burst after 5xx: at once, after 0.5 s, after 1.5 s', async () => {
    receiver.answers.push(500, 503, 200);
    await emit();
    expect(receiver.received).toHaveLength(1);
    await control.advance(499);
    expect(receiver.received).toHaveLength(1);
    await control.advance(1);
    expect(receiver.received).toHaveLength(2);
    await control.advance(1000);
    expect(receiver.received).toHaveLength(3);
    expect(await records()).toMatchObject([{ delivered: true, attempts: 3, statusCode: 200 }]);
    expect(new Set(receiver.received.map((one) => one.body.deliveryId)).size).toBe(1);
  });

  it('redelivers about 60 s later as a new burst with the same event key', async () => {
    receiver.answers.push(500, 500, 500);
    await emit();
    await control.advance(2 * secondMs);
    expect(await records()).toMatchObject([{ delivered: false, attempts: 3, statusCode: 500 }]);
    await control.advance(minuteMs);
    const all = await records();
    expect(all).toHaveLength(2);
    expect(all[0]).toMatchObject({ delivered: true, attempts: 1 });
    expect(all[0].deliveryId).not.toBe(all[1].deliveryId);
    expect(all[0].eventKey).toBe(all[1].eventKey);
  });

  it('gives up after five bursts and parks the event in the dead-letter store for 14 days', async () => {
    receiver.answers.push(...new Array<number>(15).fill(503));
    await emit();
    await control.advance(10 * minuteMs);
    expect(await records()).toHaveLength(5);
    expect(receiver.received).toHaveLength(15);
    const [letter] = (control.state('enterprise')['deadLetters'] as Json[]).slice(-1);
    expect(letter.eventKey).toBe(receiver.received[0]?.body.eventKey);
    expect(letter.expiresAtMs - letter.parkedAtMs).toBe(14 * dayMs);
  });

  it('treats a time-out and a broken connection as retryable, with the reason in the record', async () => {
    receiver.answers.push('hang', 200);
    await emit();
    await control.advance(500);
    expect(await records()).toMatchObject([{ delivered: true, attempts: 2 }]);
    await enterprise.delete(`${path}/${webhook.webhookId}`);
    const fields = { url: 'http://127.0.0.1:1/closed', events: ['safety_event'] };
    webhook = (await enterprise.post(path, fields)).body.data;
    await emit();
    await control.advance(2 * secondMs);
    expect(await records()).toMatchObject([
      { delivered: false, statusCode: null, attempts: 3, error: expect.any(String) },
    ]);
  });

  it('ends at a 4xx, which is not queued again, and does not follow a redirect', async () => {
    receiver.answers.push(404);
    await emit();
    await control.advance(10 * minuteMs);
    expect(await records()).toMatchObject([{ delivered: false, statusCode: 404, attempts: 1 }]);
    receiver.answers.push({ status: 302, headers: { Location: receiver.url } });
    await emit();
    await control.advance(10 * minuteMs);
    expect(receiver.received).toHaveLength(2);
    expect((await records())[0]).toMatchObject({ delivered: false, statusCode: 302 });
  });

  it('does not retry 408 and 429 in the burst, and waits Retry-After beyond 60 s, capped at 5 minutes', async () => {
    const waits = [
      [{ status: 429, headers: {} }, 60],
      [{ status: 408, headers: { 'Retry-After': '30' } }, 60],
      [{ status: 429, headers: { 'Retry-After': '120' } }, 120],
      [{ status: 429, headers: { 'Retry-After': new Date(control.now() + 3_600_000).toUTCString() } }, 300],
    ] as const;
    for (const [answer, seconds] of waits) {
      receiver.received.splice(0);
      receiver.answers.push(answer);
      await emit();
      expect((await records())[0]).toMatchObject({ delivered: false, attempts: 1 });
      await control.advance(seconds * secondMs - 1);
      expect(receiver.received).toHaveLength(1);
      await control.advance(1);
      expect(receiver.received).toHaveLength(2);
    }
  });

  it('redelivers to every subscription that received the event, also to those that answered 2xx', async () => {
    const other = await startReceiver();
    await enterprise.post(path, { url: other.url, events: ['safety_event'] });
    receiver.answers.push(429);
    await emit();
    await control.advance(minuteMs);
    expect(other.received).toHaveLength(2);
    expect(other.received[0]?.body.eventKey).toBe(other.received[1]?.body.eventKey);
    expect(other.received[0]?.body.deliveryId).not.toBe(other.received[1]?.body.deliveryId);
    await other.stop();
  });

  it('suspends only after ten failed events and fifteen minutes, audits it, and delivers nothing any more', async () => {
    receiver.answers.push(...new Array<number>(40).fill(410));
    for (let index = 0; index < 12; index += 1) await emit();
    expect((await detail()).status).toBe('active');
    await control.advance(15 * minuteMs);
    await emit();
    const suspended = await detail();
    expect(suspended).toMatchObject({ status: 'suspended', suspendedAt: expect.any(String) });
    const audits = (await enterprise.get('/v1/audit-logs?q=webhook.suspended')).body.data;
    expect(audits[0]).toMatchObject({
      actorType: 'system',
      eventType: 'webhook.suspended',
      target: webhook.webhookId,
    });
    const count = receiver.received.length;
    const letters = (control.state('enterprise')['deadLetters'] as Json[]).length;
    await emit();
    expect(receiver.received).toHaveLength(count);
    expect(control.state('enterprise')['deadLetters']).toHaveLength(letters + 1);
    const reactivated = await enterprise.post(`${path}/${webhook.webhookId}/reactivate`);
    expect(reactivated.status).toBe(200);
    expect(reactivated.body.data).toMatchObject({ status: 'active', suspendedAt: null, url: receiver.url });
    receiver.answers.splice(0);
    await emit();
    expect(receiver.received).toHaveLength(count + 1);
    expect(receiver.received[count]?.headers['x-service-signature']).toBe(
      sign(
        webhook.secret,
        String(receiver.received[count]?.headers['x-service-timestamp']),
        receiver.received[count]?.text ?? '',
      ),
    );
  });

  it('does not suspend when a success came in between, nor for nine events over an hour', async () => {
    receiver.answers.push(...new Array<number>(9).fill(400), 200, ...new Array<number>(9).fill(400));
    for (let index = 0; index < 19; index += 1) {
      await emit();
      await control.advance(4 * minuteMs);
    }
    expect((await detail()).status).toBe('active');
  });

  it('counts a failing event once, on its first burst, however often it is redelivered', async () => {
    receiver.answers.push(...new Array<number>(100).fill(503));
    for (let index = 0; index < 4; index += 1) {
      await emit();
      await control.advance(6 * minuteMs);
    }
    expect((await records()).length).toBe(20);
    expect((await detail()).status).toBe('active');
    receiver.answers.splice(0);
  });

  it('delivers export_completed with the download, and without it when there is no data', async () => {
    const order = {
      from: '2026-03-12T00:00:00Z',
      to: '2026-03-13T00:00:00Z',
      format: 'csv',
      psns: [story.ordinaryPsn],
    };
    const { jobId } = (await enterprise.post('/v1/gps/export-jobs', order)).body.data;
    await control.advance(minuteMs);
    expect(receiver.received[0]?.body).toMatchObject({
      event: 'export_completed',
      data: {
        jobId,
        partial: false,
        format: 'csv',
        packaging: 'single',
        cameraCount: 1,
        downloadUrlExpiresIn: 3600,
      },
    });
    const size = Number(
      (await fetch(receiver.received[0]?.body.data.downloadUrl, { method: 'HEAD' })).headers.get(
        'content-length',
      ),
    );
    expect(receiver.received[0]?.body.data.sizeBytes).toBe(size);
    control.setNextExport('empty');
    await enterprise.post('/v1/gps/export-jobs', order);
    await control.advance(minuteMs);
    expect(receiver.received[1]?.body.data).not.toHaveProperty('downloadUrl');
  });

  it('keeps thirty days of delivery history, newest first, filtered by test', async () => {
    await emit();
    await control.advance(secondMs);
    await enterprise.post(`${path}/${webhook.webhookId}/test`);
    const all = await records();
    expect(all.map((row) => row.test)).toEqual([true, false]);
    const filtered = (await enterprise.get(`${path}/${webhook.webhookId}/deliveries?test=false`)).body;
    expect(filtered.data).toHaveLength(1);
    expect(filtered.pagination).toMatchObject({ perPage: 20 });
    expect((await enterprise.get(`${path}/${webhook.webhookId}/deliveries?perPage=101`)).body.code).toBe(
      'invalid_parameter',
    );
    expect((await enterprise.get(`${path}/${webhook.webhookId}/deliveries?test=maybe`)).body.allowed).toEqual(
      ['true', 'false'],
    );
    await control.advance(30 * dayMs);
    expect(await records()).toEqual([]);
  });
});

describe('live events', async () => {
  it('pushes the safety events of the moving world, without calling, smoking and geofence types', async () => {
    const { simulator, enterprise } = await setUp({
      areLoopbackWebhooksAllowed: true,
      areLiveEventsOn: true,
      startAt: '2026-03-12T12:00:00Z',
    });
    const receiver = await startReceiver();
    await enterprise.post(path, { url: receiver.url, events: ['safety_event'] });
    await simulator.control.advance(14 * 60 * minuteMs);
    const types = new Set(receiver.received.map((one) => one.body.data.subType as string));
    expect(receiver.received.length).toBeGreaterThan(10);
    for (const type of ['calling', 'smoking', 'geofence_enter', 'geofence_pass'])
      expect(types.has(type)).toBe(false);
    const violation = receiver.received.find((one) => one.body.data.subType === 'speed_limit')?.body.data;
    expect(violation.speedLimit).toMatchObject({ limitKmh: expect.any(Number), overKmh: expect.any(Number) });
    expect(Object.keys(violation.location)).toEqual(['speedKmh']);
    const listed = (await enterprise.get('/v1/events?limit=200')).body.data as Json[];
    expect(listed.map((event) => event.eventId)).not.toContain(receiver.received[0]?.body.data.eventId);
    await receiver.stop();
  });
});

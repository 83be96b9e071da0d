import { expect } from 'vitest';
import type { OperationInput, OperationName } from '../../main/cloud/operations.ts';
import type { CloudProblemCode } from '../../shared/cloudProblem.ts';
import type { SimulatorKeys } from '../simulator/simulator.ts';
import type { Cloud } from './aCloud.ts';

/** JSON of any form: the cases look into it and assert what they find. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;
type Prepare = (cloud: Cloud) => Promise<unknown> | unknown;

/** One of an operation's own error codes, as the specification has it. */
export interface Refusal {
  readonly code: CloudProblemCode;
  readonly status: number;
  readonly input: OperationInput | ((cloud: Cloud) => Promise<OperationInput>);
  /** Extension fields that must have come through. */
  readonly extensions?: Record<string, unknown>;
  readonly key?: keyof SimulatorKeys;
  /** A key with these properties instead. */
  readonly keyOrder?: { readonly scopes?: readonly string[]; readonly groupIds?: readonly string[] };
  readonly before?: Prepare;
}
export interface OperationCase {
  readonly input: OperationInput | ((cloud: Cloud) => Promise<OperationInput>);
  readonly before?: Prepare;
  readonly key?: keyof SimulatorKeys;
  readonly shows: (body: Json, cloud: Cloud) => unknown;
  readonly refusals: readonly Refusal[];
  /** How to have several pages: what is there, and a page size below that. */
  readonly pages?: {
    readonly input: OperationInput | ((cloud: Cloud) => Promise<OperationInput>);
    readonly size: number;
    readonly before?: Prepare;
  };
}

const collision = 'FD1E26000001';
const ordinary = 'FD1E26000002';
const offline = 'FD1E26000014';
const noCard = 'FD1E26000015';
const unsupported = 'FD1E26000016';
const overLimit = 'FD1E26000017';
const wifi = 'FD1E26000018';
const clip = '20260313_173158_EF.mp4';
const optionClip = '20260313_173158_EO.mp4';
const missingClip = '20200101_000000_NF.mp4';
const range = { from: '2026-03-12T00:00:00Z', to: '2026-03-13T00:00:00Z' };
const hook = { url: 'https://receiver.example/hook', events: ['safety_event'] };
const circle = { type: 'circle', center: { latitude: 41.88, longitude: -87.63 }, radiusM: 100 };
const fence = { name: 'Yard', shape: circle };

const data = async (cloud: Cloud, name: OperationName, input: OperationInput): Promise<Json> =>
  ((await cloud.client().call(name, input)).body as { data: Json }).data;
const aWebhook = async (cloud: Cloud) => {
  const { webhookId } = await data(cloud, 'webhooks.create', { body: hook });
  return { webhookId: webhookId as string };
};
const anExport = async (cloud: Cloud) => {
  const body = { ...range, format: 'csv', psns: [ordinary] };
  return { jobId: (await data(cloud, 'gpsExports.create', { body })).jobId as string };
};
const finished = (cloud: Cloud) => cloud.simulator.control.advance(60_000);
const anEvent = async (cloud: Cloud, query: OperationInput = {}) => {
  // A page may be empty while there is more (4.6): the rows are walked to the first.
  const wanted = { psn: collision, type: 'driving_impact', ...query };
  for await (const event of cloud.client().rows<Json>('events.list', wanted))
    return { eventId: event.eventId as string };
  throw new Error('there is no such event');
};
const withClip = ['harsh_braking', 'harsh_acceleration', 'sharp_turn', 'overspeed', 'manual'];
/** An event that the service judged itself: no camera recorded it. */
const aViolation = async (cloud: Cloud) => {
  for await (const event of cloud.client().rows<Json>('events.list', { type: 'speed_limit' }))
    return { eventId: event.eventId as string };
  throw new Error('the fleet has no violation');
};
const aRecall = async (cloud: Cloud) => {
  const body = { psn: collision, filename: clip, quality: 'sub' };
  return { jobId: (await data(cloud, 'recallJobs.create', { body })).jobId as string };
};
const several = (count: number, make: (cloud: Cloud) => Promise<unknown>) => async (cloud: Cloud) => {
  for (let i = 0; i < count; i++) await make(cloud);
};
const spent = (cloud: Cloud) => cloud.simulator.control.setUsage('enterprise', { transferBytesLeft: 0 });
const refuses = (
  code: CloudProblemCode,
  status: number,
  input: Refusal['input'],
  more: Partial<Refusal> = {},
): Refusal => ({ code, status, input, ...more });
const noDevice = (input: OperationInput = {}) =>
  refuses('device_not_found', 404, { ...input, psn: 'NOPE00' });

/** What every call that contacts the camera may be told (4.1). */
const deviceRefusals = (input: OperationInput, hasCard = true): Refusal[] => [
  noDevice(input),
  refuses('cloud_only', 422, { ...input, psn: wifi }, { extensions: { psn: wifi, category: 'wifi' } }),
  refuses('unsupported_device', 422, { ...input, psn: unsupported }, { extensions: { psn: unsupported } }),
  refuses(
    'camera_limit_exceeded',
    403,
    { ...input, psn: overLimit },
    { extensions: { cameraLimit: 16, registeredCameras: 17, psn: overLimit, cameraPosition: 17 } },
  ),
  refuses('device_offline', 409, { ...input, psn: offline }),
  ...(hasCard ? [refuses('sd_card_absent', 409, { ...input, psn: noCard })] : []),
  refuses(
    'device_busy',
    409,
    { ...input, psn: ordinary },
    {
      extensions: { psn: ordinary },
      before: ({ simulator }) => simulator.control.setDevice({ psn: ordinary, busyForSeconds: 900 }),
    },
  ),
  refuses(
    'command_timeout',
    504,
    { ...input, psn: ordinary },
    {
      extensions: { psn: ordinary },
      before: ({ simulator }) => simulator.control.setDevice({ psn: ordinary, isUnresponsive: true }),
    },
  ),
];
const inBody = (refusals: Refusal[]): Refusal[] =>
  refusals.map((refusal) => ({ ...refusal, input: { body: refusal.input as OperationInput } })); // none of them is a function

/** Every operation: what success looks like, its own error codes (4.1 to 4.7, 7), and how it pages. */
export const operationCases: Readonly<Record<OperationName, OperationCase>> = {
  'devices.list': {
    input: { category: 'cloud', perPage: 100 },
    shows: (body) => {
      expect(body.data).toHaveLength(17);
      expect(body.cameras).toEqual({ limit: 16, registered: 17, overLimit: 1 });
      expect(body.data.find((d: Json) => d.psn === overLimit).entitlement).toBe('over_limit');
    },
    refusals: [
      refuses(
        'invalid_parameter',
        400,
        { status: 'flying' },
        { extensions: { allowed: ['driving', 'parked', 'offline'] } },
      ),
      refuses('invalid_parameter', 400, { perPage: 101 }),
      refuses('invalid_parameter', 400, { groupId: 'north' }),
      refuses('group_not_found', 404, { groupId: 'grp_nowhere' }),
      refuses('group_not_allowed', 403, { groupId: 'grp_south' }, { keyOrder: { groupIds: ['grp_north'] } }),
    ],
    pages: { input: {}, size: 7 },
  },
  'devices.get': {
    input: { psn: overLimit },
    shows: ({ data: d }) =>
      expect(d).toMatchObject({ psn: overLimit, cameraPosition: 17, requiredCameraLimit: 17 }),
    refusals: [noDevice()],
  },
  'devices.register': {
    before: ({ simulator }) =>
      simulator.control.setPlan('enterprise', { cameraLimit: 30, isImmediate: true }),
    input: {
      body: {
        devices: [{ psn: 'NEW000001', name: 'Van' }, { psn: 12 }, { psn: ordinary }, { psn: 'BAD000001' }],
      },
    },
    shows: ({ data: d }) => {
      expect(d.registered.map((r: Json) => r.psn)).toEqual(['NEW000001']);
      expect(d.failed.map((f: Json) => f.code)).toEqual(['invalid_psn', 'duplicated', 'blacklisted']);
    },
    refusals: [
      refuses(
        'camera_limit_exceeded',
        403,
        { body: { devices: [{ psn: 'NEW000001' }] } },
        { extensions: { psns: ['NEW000001'], remainingSeats: 0 } },
      ),
      refuses('invalid_field', 422, { body: {} }),
      refuses(
        'insufficient_scope',
        403,
        { body: {} },
        { key: 'free', extensions: { requiredScope: 'devices:write' } },
      ),
    ],
  },
  'devices.update': {
    input: { psn: ordinary, body: { name: 'Van 99', vehicle: { plate: 'AB 12' } } },
    shows: ({ data: d }) => expect(d).toMatchObject({ psn: ordinary, name: 'Van 99' }),
    refusals: [
      noDevice({ body: {} }),
      refuses('invalid_field', 422, { psn: ordinary, body: { vehicle: { tag: 'x' } } }),
    ],
  },
  'devices.reboot': {
    input: { psn: ordinary },
    shows: (_, { simulator }) =>
      expect(JSON.stringify(simulator.control.requests().at(-1))).toContain('reboot'),
    refusals: deviceRefusals({}, false),
  },
  'devices.firmware': {
    input: { psn: ordinary },
    shows: ({ data: d }) => expect(d.fwVersion).toMatch(/^\d/),
    refusals: [noDevice()],
  },
  'devices.battery': {
    input: { psn: ordinary },
    shows: ({ data: d }) => expect(d.voltage).toBeGreaterThan(10),
    refusals: [noDevice()],
  },
  'sdFiles.list': {
    input: { psn: collision, type: 'driving_impact' },
    shows: ({ data: rows }) => {
      expect(rows.map((r: Json) => r.filename)).toEqual(expect.arrayContaining([clip, optionClip]));
      expect(rows[0]).toMatchObject({ type: 'driving_impact', typeCode: 'E', stream: 'main' });
    },
    refusals: [
      ...deviceRefusals({}),
      refuses(
        'invalid_parameter',
        400,
        { psn: ordinary, type: 'impact' },
        { extensions: { allowed: expect.arrayContaining(['driving_impact', 'parking_impact']) } },
      ),
      refuses('invalid_parameter', 400, { psn: ordinary, perPage: 201 }),
    ],
    pages: { input: { psn: collision, from: '2026-03-13T00:00:00', to: '2026-03-13T23:59:59' }, size: 60 },
  },
  'sdFiles.metadata': {
    input: { psn: collision, filename: clip, include: ['thumbnail', 'gps'] },
    shows: ({ data: d }) => {
      expect(Buffer.from(d.thumbnail, 'base64').subarray(0, 2).toString('hex')).toBe('ffd8');
      expect(d.gps.length).toBeGreaterThan(5);
      expect(d.gsensor).toBeUndefined();
    },
    refusals: [
      ...deviceRefusals({ filename: clip }),
      refuses('file_not_found', 404, { psn: ordinary, filename: missingClip }),
      refuses('invalid_field', 422, { psn: ordinary, filename: '20260313_173158_EFS.mp4' }),
      refuses(
        'invalid_parameter',
        400,
        { psn: ordinary, filename: clip, include: 'sound' },
        { extensions: { allowed: expect.arrayContaining(['thumbnail', 'gps']) } },
      ),
    ],
  },
  'sdFiles.playback': {
    input: { psn: collision, filename: clip, quality: 'sub' },
    shows: ({ data: d }) => {
      expect(d.jobId).toMatch(/^mrcl_/);
      expect(d).toMatchObject({ quality: 'sub', sizeBytes: expect.any(Number) });
    },
    refusals: [
      ...deviceRefusals({ filename: missingClip }, false).filter((r) => r.code !== 'device_busy'),
      refuses(
        'invalid_parameter',
        400,
        { psn: collision, filename: clip, quality: 'best' },
        { extensions: { allowed: ['main', 'sub'] } },
      ),
      refuses('invalid_field', 422, { psn: collision, filename: '20260313_173158_EFS.mp4' }),
      refuses('file_not_found', 404, { psn: collision, filename: missingClip }),
      refuses(
        'quota_exceeded',
        403,
        { psn: collision, filename: clip },
        { before: spent, extensions: { bucket: 'transfer_bytes' } },
      ),
      refuses(
        'insufficient_scope',
        403,
        { psn: collision, filename: clip },
        { key: 'standard', extensions: { requiredScope: 'media:recall' } },
      ),
    ],
  },
  'sdFiles.delete': {
    input: { psn: collision, filename: optionClip },
    shows: async (_, cloud) =>
      expect(
        (await data(cloud, 'sdFiles.list', { psn: collision, type: 'driving_impact' })).map(
          (r: Json) => r.filename,
        ),
      ).not.toContain(optionClip),
    refusals: [
      ...deviceRefusals({ filename: clip }),
      refuses('file_not_found', 404, { psn: collision, filename: missingClip }),
      refuses(
        'insufficient_scope',
        403,
        { psn: collision, filename: clip },
        { key: 'pro', extensions: { requiredScope: 'media:write' } },
      ),
    ],
  },
  'recallJobs.create': {
    input: { body: { psn: collision, filename: clip } },
    shows: ({ data: d }) =>
      expect(d).toMatchObject({
        jobId: expect.stringMatching(/^mrcl_/),
        status: 'ready',
        downloadUrl: expect.any(String),
      }),
    refusals: [
      ...inBody(deviceRefusals({ filename: missingClip }, false).filter((r) => r.code !== 'device_busy')),
      refuses(
        'invalid_field',
        422,
        { body: { psn: collision, filename: clip, quality: 'best' } },
        { extensions: { allowed: ['main', 'sub'] } },
      ),
      refuses('file_not_found', 404, { body: { psn: collision, filename: missingClip } }),
      refuses(
        'quota_exceeded',
        403,
        { body: { psn: collision, filename: clip } },
        { before: spent, extensions: { bucket: 'transfer_bytes' } },
      ),
    ],
  },
  'recallJobs.get': {
    input: aRecall,
    shows: ({ data: d }) => expect(d.status).toBe('ready'),
    refusals: [refuses('job_not_found', 404, { jobId: 'mrcl_none' })],
  },
  'recallJobs.list': {
    before: aRecall,
    input: {},
    shows: ({ data: rows }) => expect(rows).toHaveLength(1),
    refusals: [refuses('invalid_parameter', 400, { perPage: 201 })],
    pages: {
      input: {},
      size: 1,
      before: several(3, async (cloud) => {
        await aRecall(cloud);
        await cloud.simulator.control.advance(600_000);
      }),
    },
  },
  'recallJobs.cancel': {
    input: aRecall,
    shows: async (_, cloud) => expect((await data(cloud, 'recallJobs.list', {}))[0].status).toBe('canceled'),
    refusals: [refuses('job_not_found', 404, { jobId: 'mrcl_none' })],
  },
  'gpsExports.create': {
    input: { body: { ...range, format: 'gpx', psns: [ordinary] } },
    shows: ({ data: d }) =>
      expect(d).toMatchObject({ status: 'queued', estimatedPoints: expect.any(Number) }),
    refusals: [
      refuses(
        'invalid_field',
        422,
        { body: { from: '2026-01-01T00:00:00Z', to: '2026-04-02T00:00:00Z', format: 'csv' } },
        { extensions: { maxRangeDays: 90, rangeDays: 91 } },
      ),
      refuses(
        'invalid_field',
        422,
        { body: { ...range, format: 'xlsx' } },
        { extensions: { allowed: expect.arrayContaining(['csv', 'gpx', 'kml']) } },
      ),
      refuses(
        'unknown_psn',
        422,
        { body: { ...range, format: 'csv', psns: ['NOPE00'] } },
        { extensions: { psns: ['NOPE00'] } },
      ),
      refuses(
        'cloud_only',
        422,
        { body: { ...range, format: 'csv', psns: [wifi] } },
        { extensions: { psns: [wifi], category: 'wifi' } },
      ),
      refuses(
        'no_scoped_devices',
        422,
        { body: { ...range, format: 'csv' } },
        { keyOrder: { groupIds: ['grp_empty'] } },
      ),
      refuses(
        'export_in_progress',
        409,
        { body: { ...range, format: 'csv' } },
        {
          before: anExport,
          extensions: { activeJobId: expect.stringMatching(/^gpsexp_/), activeStatus: 'queued' },
        },
      ),
      refuses(
        'concurrency_limit_exceeded',
        409,
        { body: { ...range, format: 'csv' } },
        {
          key: 'pro',
          before: (cloud) =>
            cloud.client('pro').call('gpsExports.create', { body: { ...range, format: 'csv' } }),
          extensions: { limit: 1, active: 1 },
        },
      ),
      refuses(
        'quota_exceeded',
        403,
        { body: { ...range, format: 'csv' } },
        {
          before: ({ simulator }) => simulator.control.setUsage('enterprise', { exportJobsLeft: 0 }),
          extensions: { bucket: 'export_job', limit: 800, used: 800 },
        },
      ),
    ],
  },
  'gpsExports.get': {
    input: anExport,
    shows: ({ data: d }) =>
      expect(d).toMatchObject({ status: 'queued', progress: 0, from: '2026-03-12T00:00:00Z' }),
    refusals: [refuses('job_not_found', 404, { jobId: 'gpsexp_none' })],
  },
  'gpsExports.list': {
    before: anExport,
    input: { status: 'queued' },
    shows: ({ data: rows }) => expect(rows[0].expiresAt).toMatch(/^2026-03-21/),
    refusals: [
      refuses('invalid_parameter', 400, { status: 'lost' }),
      refuses('invalid_cursor', 400, { after: 'x' }),
    ],
    pages: {
      input: {},
      size: 1,
      before: several(3, async (cloud) => {
        await anExport(cloud);
        await finished(cloud);
      }),
    },
  },
  'gpsExports.cancel': {
    input: anExport,
    shows: async (_, cloud) => expect((await data(cloud, 'gpsExports.list', {}))[0].status).toBe('canceled'),
    refusals: [
      refuses(
        'job_already_completed',
        409,
        async (cloud) => {
          const order = await anExport(cloud);
          await finished(cloud);
          return order;
        },
        { extensions: { jobId: expect.stringMatching(/^gpsexp_/) } },
      ),
      refuses('job_not_found', 404, { jobId: 'gpsexp_none' }),
    ],
  },
  'webhooks.create': {
    input: { body: hook },
    shows: ({ data: d }) =>
      expect(d).toMatchObject({ status: 'active', secret: expect.stringMatching(/^[0-9a-f]{64}$/) }),
    refusals: [
      refuses('invalid_field', 422, { body: { ...hook, url: 'http://receiver.example' } }),
      refuses(
        'invalid_field',
        422,
        { body: { ...hook, events: ['rain'] } },
        { extensions: { allowed: expect.arrayContaining(['export_completed']) } },
      ),
    ],
  },
  'webhooks.list': {
    before: aWebhook,
    input: {},
    shows: ({ data: rows }) => expect(rows[0].secret).toBeUndefined(),
    refusals: [refuses('invalid_parameter', 400, { page: 0 })],
    pages: { input: {}, size: 2, before: several(5, aWebhook) },
  },
  'webhooks.get': {
    input: aWebhook,
    shows: ({ data: d }) =>
      expect(d).toMatchObject({ url: hook.url, suspendedAt: null, previousSecretExpiresAt: null }),
    refusals: [refuses('webhook_not_found', 404, { webhookId: 'wh_none' })],
  },
  'webhooks.delete': {
    input: aWebhook,
    shows: async (_, cloud) => expect(await data(cloud, 'webhooks.list', {})).toEqual([]),
    refusals: [refuses('webhook_not_found', 404, { webhookId: 'wh_none' })],
  },
  'webhooks.test': {
    key: 'sandbox',
    input: async (cloud) => {
      const { body } = await cloud.client('sandbox').call('webhooks.create', { body: hook });
      return { webhookId: (body as Json).data.webhookId };
    },
    shows: ({ data: d }) =>
      expect(d).toMatchObject({
        delivered: false,
        sandbox: true,
        signatureHeader: expect.stringMatching(/^v1=[0-9a-f]{64}$/),
      }),
    refusals: [refuses('webhook_not_found', 404, { webhookId: 'wh_none' })],
  },
  'webhooks.deliveries': {
    input: aWebhook,
    shows: ({ data: rows }) => expect(rows).toEqual([]),
    refusals: [
      refuses('webhook_not_found', 404, { webhookId: 'wh_none' }),
      refuses('invalid_parameter', 400, { webhookId: 'wh_none', perPage: 101 }),
    ],
    pages: {
      size: 2,
      input: async (cloud) => {
        const call = { body: { ...hook, url: 'http://127.0.0.1:9/closed' } };
        const { webhookId } = await data(cloud, 'webhooks.create', call);
        for (let i = 0; i < 5; i++) await cloud.client().call('webhooks.test', { webhookId });
        return { webhookId, test: true };
      },
    },
  },
  'webhooks.reactivate': {
    input: async (cloud) => {
      const created = await aWebhook(cloud);
      const state = cloud.simulator.control.state('enterprise') as Json;
      state.webhooks[0].suspendedAtMs = cloud.simulator.control.now();
      return created;
    },
    shows: ({ data: d }) => expect(d).toMatchObject({ status: 'active', suspendedAt: null }),
    refusals: [
      refuses('webhook_not_suspended', 409, aWebhook, { extensions: { subscriptionStatus: 'active' } }),
      refuses('webhook_not_found', 404, { webhookId: 'wh_none' }),
    ],
  },
  'webhooks.rotateSecret': {
    input: async (cloud) => ({ ...(await aWebhook(cloud)), body: { graceSeconds: 60 } }),
    shows: ({ data: d }) =>
      expect(d).toMatchObject({
        secret: expect.any(String),
        previousSecretExpiresAt: '2026-03-14T18:01:00Z',
      }),
    refusals: [
      refuses(
        'invalid_field',
        422,
        async (cloud) => ({ ...(await aWebhook(cloud)), body: { graceSeconds: 86401 } }),
        {
          extensions: { min: 0, max: 86400 },
        },
      ),
      refuses('webhook_not_found', 404, { webhookId: 'wh_none' }),
    ],
  },
  'apiLogs.list': {
    before: several(3, (cloud) => cloud.client().call('groups.list')),
    input: { status: '2xx', method: 'GET' },
    shows: ({ data: rows }) =>
      expect(rows[0]).toMatchObject({ route: '/v1/groups', statusClass: '2xx', errorCode: null }),
    refusals: [
      refuses('invalid_parameter', 400, { method: 'BREW' }),
      refuses('invalid_parameter', 400, { limit: 201 }),
      refuses('invalid_cursor', 400, { after: 'x' }),
    ],
    pages: {
      input: { route: '/v1/groups' },
      size: 2,
      before: several(5, (cloud) => cloud.client().call('groups.list')),
    },
  },
  'usage.get': {
    input: {},
    shows: (body) => {
      expect(body.data).toMatchObject({
        tier: 'enterprise',
        rate: { limitRps: 25, burst: 50 },
        period: '2026-03',
      });
      expect(body.data.volumeQuotas.map((q: Json) => q.bucket)).toEqual([
        'transfer_bytes',
        'export_job',
        'export_concurrent',
      ]);
      expect(body.cameras.overLimitPsns).toEqual([overLimit]);
    },
    refusals: [
      refuses('insufficient_scope', 403, {}, { key: 'free', extensions: { requiredScope: 'usage:read' } }),
    ],
  },
  'auditLogs.list': {
    before: aWebhook,
    input: { category: 'auth' },
    shows: ({ data: rows }) =>
      expect(rows[0]).toMatchObject({ eventType: 'auth.webhook_create', actorType: 'api_key' }),
    refusals: [
      refuses('insufficient_scope', 403, {}, { key: 'pro', extensions: { requiredScope: 'audit:read' } }),
      refuses('invalid_cursor', 400, { after: 'x' }),
    ],
    pages: { input: { category: 'auth' }, size: 2, before: several(5, aWebhook) },
  },
  'events.list': {
    input: { psn: collision, type: ['driving_impact', 'speed_limit'] },
    shows: ({ data: rows }) =>
      expect(rows.some((e: Json) => e.type === 'driving_impact' && e.hasVideo)).toBe(true),
    refusals: [
      refuses(
        'invalid_parameter',
        400,
        { type: 'rain' },
        { extensions: { allowed: expect.arrayContaining(['speed_limit']) } },
      ),
      refuses('not_found', 404, { psn: 'NOPE00' }),
      refuses('invalid_cursor', 400, { after: 'x' }),
    ],
    pages: { input: { from: '2026-03-13T00:00:00Z' }, size: 10 },
  },
  'events.feed': {
    input: { start: 'latest' },
    shows: (body) => {
      expect(body.data).toEqual([]);
      expect(body.pagination).toMatchObject({ hasMore: false, nextCursor: expect.any(String) });
    },
    refusals: [
      refuses('invalid_parameter', 400, { start: 'now' }),
      refuses('invalid_cursor', 400, { after: 'x' }),
    ],
    pages: { input: { psn: collision }, size: 60 },
  },
  'events.get': {
    input: (cloud) => anEvent(cloud),
    shows: ({ data: d }) =>
      expect(d).toMatchObject({ type: 'driving_impact', channels: ['front', 'option'] }),
    refusals: [refuses('event_not_found', 404, { eventId: 'evt_none' })],
  },
  'events.video': {
    input: (cloud) => anEvent(cloud),
    shows: ({ data: d }, { simulator }) => {
      expect(d.url).toMatch(/^http/);
      expect(simulator.control.state('enterprise').transferUsedBytes).toBe(6 * 2 ** 20);
    },
    refusals: [
      refuses('video_not_available', 404, aViolation),
      refuses(
        'camera_limit_exceeded',
        403,
        async (cloud) => anEvent(cloud, { psn: overLimit, type: withClip }),
        {
          extensions: { psn: overLimit, cameraLimit: 16 },
        },
      ),
      refuses('quota_exceeded', 403, (cloud) => anEvent(cloud), {
        before: spent,
        extensions: { bucket: 'transfer_bytes' },
      }),

      refuses('event_not_found', 404, { eventId: 'evt_none' }),
      refuses(
        'insufficient_scope',
        403,
        { eventId: 'evt_none' },
        { key: 'free', extensions: { requiredScope: 'events:video' } },
      ),
    ],
  },
  'events.thumbnail': {
    input: (cloud) => anEvent(cloud),
    shows: ({ data: d }) => expect(d.url).toMatch(/^http/),
    refusals: [
      refuses('video_not_available', 404, aViolation),
      refuses('event_not_found', 404, { eventId: 'evt_none' }),
    ],
  },
  'safetyEvents.stats': {
    input: { from: '2026-03-10T00:00:00Z', tz: 'America/Chicago' },
    shows: ({ data: d }) => {
      expect(d.hourTz).toBe('America/Chicago');
      expect(d.kpi.totalEvents).toBeGreaterThan(0);
    },
    refusals: [
      refuses('invalid_parameter', 400, { tz: '+09:00' }),
      refuses('query_timeout', 504, { from: '2024-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' }),
    ],
  },
  'reports.ranking': {
    input: { from: '2026-03-08', to: '2026-03-14' },
    shows: ({ data: rows }) => expect(rows).toHaveLength(16),
    refusals: [
      refuses('invalid_parameter', 400, { from: '2025-01-01', to: '2026-03-14' }),
      refuses('invalid_cursor', 400, { after: 'x' }),
    ],
    pages: { input: { entitlement: 'all' }, size: 5 },
  },
  'reports.device': {
    input: { psn: collision, date: '2026-03-13' },
    shows: ({ data: d }) => expect(d.counts.driving_impact).toBe(1),
    refusals: [noDevice(), refuses('invalid_parameter', 400, { psn: collision, from: '2026-03-13' })],
  },
  'fleet.summary': {
    input: { entitlement: 'all' },
    shows: ({ data: d }) => expect(d.totalDevices).toBe(17),
    refusals: [refuses('invalid_parameter', 400, { entitlement: 'some' })],
  },
  'fleet.locations': {
    input: {},
    shows: ({ data: rows }) => expect(rows).toHaveLength(17),
    refusals: [
      refuses('group_not_found', 404, { groupId: 'grp_nowhere' }),
      refuses('invalid_cursor', 400, { after: 'x' }),
    ],
    pages: { input: {}, size: 5 },
  },
  'fleet.locationsFeed': {
    input: { limit: 500 },
    shows: ({ data: rows }) => expect(rows.length).toBeGreaterThan(100),
    refusals: [
      refuses('invalid_parameter', 400, { limit: 501 }),
      refuses('invalid_cursor', 400, { after: 'x' }),
    ],
    pages: { input: { psn: ordinary }, size: 100 },
  },
  'trips.list': {
    input: { psn: ordinary, from: '2026-03-12T00:00:00Z', to: '2026-03-14T00:00:00Z' },
    shows: ({ data: rows }) =>
      expect(rows[0]).toMatchObject({ psn: ordinary, startLocation: { latitude: expect.any(Number) } }),
    refusals: [
      noDevice(),
      refuses('invalid_parameter', 400, {
        psn: ordinary,
        from: '2026-03-14T00:00:00Z',
        to: '2026-03-12T00:00:00Z',
      }),
    ],
    pages: { input: { psn: ordinary }, size: 10 },
  },
  'trips.track': {
    input: async ({ simulator }) => ({ tripId: simulator.story.collision.tripId }),
    shows: ({ data: d }) => expect(d.points.length).toBeGreaterThan(50),
    refusals: [refuses('trip_not_found', 404, { tripId: 'trip_none' })],
  },
  'geofences.list': {
    input: {},
    shows: ({ data: rows }) => expect(rows.map((r: Json) => r.geofenceId)).toContain('gf_depot'),
    refusals: [refuses('invalid_parameter', 400, { perPage: 0 })],
    pages: { input: {}, size: 2 },
  },
  'geofences.get': {
    input: { geofenceId: 'gf_depot' },
    shows: ({ data: d }) => expect(d.shape.type).toBe('circle'),
    refusals: [refuses('geofence_not_found', 404, { geofenceId: 'gf_none' })],
  },
  'geofences.create': {
    input: { body: fence },
    shows: ({ data: d }) => expect(d.style).toEqual({ color: '#6B2FD9', opacity: 0.24 }),
    refusals: [refuses('invalid_field', 422, { body: { ...fence, shape: { type: 'star' } } })],
  },
  'geofences.update': {
    input: { geofenceId: 'gf_depot', body: { recordingEvents: { speed: true } } },
    shows: ({ data: d }) => expect(d.recordingEvents).toMatchObject({ enter: true, speed: true }),
    refusals: [
      refuses('geofence_not_found', 404, { geofenceId: 'gf_none', body: {} }),
      refuses('geofence_unsupported_shape', 409, { geofenceId: 'gf_legacy', body: { name: 'New' } }),
    ],
  },
  'geofences.delete': {
    input: { geofenceId: 'gf_quarter' },
    shows: async (_, cloud) => expect(await data(cloud, 'geofences.list', {})).toHaveLength(2),
    refusals: [refuses('geofence_not_found', 404, { geofenceId: 'gf_none' })],
  },
  'geofenceAlerts.list': {
    input: { type: 'geofence_enter' },
    shows: ({ data: rows }) => expect(rows[0].type).toBe('geofence_enter'),
    refusals: [refuses('not_found', 404, { psn: 'NOPE00' }), refuses('invalid_cursor', 400, { after: 'x' })],
    pages: { input: { psn: ordinary }, size: 5 },
  },
  'groups.list': {
    input: {},
    shows: (body) => {
      expect(body.data.map((g: Json) => g.groupId)).toContain('grp_north');
      expect(body.pagination).toBeUndefined();
    },
    refusals: [
      refuses(
        'insufficient_scope',
        403,
        {},
        { keyOrder: { scopes: [] }, extensions: { requiredScope: 'groups:read' } },
      ),
    ],
  },
};

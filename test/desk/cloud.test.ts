import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountId } from '../../shared/ids.ts';
import { apiRequests } from '../cloud/aCloud.ts';
import { addAccount, aCloudDesk, errorOf, orderThat, type CloudDesk, type OpenDesk } from './aCloudDesk.ts';

let bench: CloudDesk;
let desk: OpenDesk;
beforeEach(async () => {
  bench = await aCloudDesk();
  desk = await bench.open();
});
afterEach(() => bench.end());

const accountsFile = () => path.join(bench.place.dataFolder, 'accounts.json');
const test = (over: { baseUrl?: string; apiKey?: string } = {}) =>
  desk.client.invoke('accounts.test', {
    baseUrl: bench.simulator.baseUrl,
    apiKey: bench.simulator.keys.pro,
    ...over,
  });

describe('trying an address and key', () => {
  it('tells tier, seats, scopes and what the missing ones turn off, and stores nothing', async () => {
    const report = await test();
    expect(report).toMatchObject({
      isWorking: true,
      baseUrl: bench.simulator.baseUrl,
      tier: 'pro',
      seats: { limit: expect.any(Number), registered: 7, overLimit: 0 },
      clockSkewMs: 0,
      problem: null,
    });
    const states = Object.fromEntries(report.scopes.map((scope) => [scope.scope, scope.state]));
    expect(states).toMatchObject({
      'gps:export': 'granted',
      'audit:read': 'missing',
      'media:recall': 'unknown',
    });
    expect(report.scopes.every((scope) => scope.turnsOff.length > 3)).toBe(true);
    expect(existsSync(accountsFile())).toBe(false);
    expect(await desk.client.invoke('accounts.list', {})).toEqual([]);
    // Reads only: nothing is charged, no camera is woken.
    expect(apiRequests(bench.simulator).every((r) => r.method === 'GET' && r.deviceContact === null)).toBe(
      true,
    );
  });

  it('takes an address with /v1 once or twice, with slashes and spaces', async () => {
    for (const tail of ['/v1', '/v1/', '/v1/v1', '/', '  '])
      expect(await test({ baseUrl: `${bench.simulator.baseUrl}${tail}` })).toMatchObject({
        isWorking: true,
        baseUrl: bench.simulator.baseUrl,
      });
  });

  it('shows how far this machine’s clock is off', async () => {
    const simulator = bench.simulator;
    const timing = {
      now: () => simulator.control.now() + 7_200_000,
      wait: (ms: number) => simulator.control.advance(ms),
    };
    await desk.close();
    desk = await bench.open({ timing });
    const { clockSkewMs } = await test();
    expect(Math.abs(clockSkewMs! - 7_200_000)).toBeLessThan(1000);
  });

  it.each([
    ['a wrong key', () => ({ apiKey: 'fdc_live_wrong' }), 'unauthorized'],
    ['a key with a line break', () => ({ apiKey: 'a\nb' }), 'unauthorized'],
    ['an address of nobody', () => ({ baseUrl: 'http://127.0.0.1:9' }), 'address_unreachable'],
    ['an address without encryption', () => ({ baseUrl: 'http://fleet.example' }), 'address_invalid'],
    ['no address at all', () => ({ baseUrl: 'https://' }), 'address_invalid'],
    [
      'a path that is not the service’s',
      () => ({ baseUrl: `${bench.simulator.baseUrl}/api` }),
      'route_not_found',
    ],
    [
      'an address that speaks no TLS',
      () => ({ baseUrl: bench.simulator.baseUrl.replace('http:', 'https:') }),
      'tls_failed',
    ],
  ])('says what is wrong with %s and what to do, and stores nothing', async (_, over, code) => {
    const report = await test(over());
    expect(report).toMatchObject({ isWorking: false, problem: { code } });
    const given = {
      label: 'x',
      baseUrl: bench.simulator.baseUrl,
      apiKey: bench.simulator.keys.pro,
      ...over(),
    };
    const error = await errorOf(desk.client.invoke('accounts.add', given));
    expect(error).toMatchObject({ code: 'cloud_problem', details: { problem: { code } } });
    expect(error.remedy?.length).toBeGreaterThan(10);
    expect(existsSync(accountsFile())).toBe(false);
  });

  it.each([
    ['a web page', '<html>Welcome</html>'],
    ['some other JSON', '{"ok":true}'],
    ['nothing', ''],
  ])('is not deceived by a server that answers 200 with %s', async (_, body) => {
    const server = http.createServer((_request, response) => response.end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // listens on TCP
    const report = await test({ baseUrl: `http://127.0.0.1:${port}` });
    expect(report).toMatchObject({ isWorking: false, problem: { code: 'not_the_service' } });
    server.close();
  });
});

describe('accounts', () => {
  it('are added, renamed, activated and removed, with what they showed', async () => {
    const pro = await addAccount(bench, desk, 'pro');
    const enterprise = await addAccount(bench, desk, 'enterprise');
    await desk.client.invoke('cloudDevices.list', { isFresh: true });
    await desk.client.invoke('accounts.rename', { accountId: pro.accountId, label: 'North' });
    await desk.client.invoke('accounts.activate', { accountId: pro.accountId });
    const listed = await desk.client.invoke('accounts.list', {});
    expect(listed).toMatchObject([
      { label: 'North', tier: 'pro', isActive: true },
      { label: 'enterprise', tier: 'enterprise', isActive: false },
    ]);
    await desk.client.invoke('accounts.remove', { accountId: pro.accountId });
    expect(await desk.client.invoke('accounts.list', {})).toMatchObject([
      { accountId: enterprise.accountId, isActive: true },
    ]);
    await desk.client.invoke('accounts.remove', { accountId: enterprise.accountId });
    expect(await errorOf(desk.client.invoke('cloudDevices.list', {}))).toMatchObject({ code: 'no_account' });
    expect(desk.bugs).toEqual([]);
  });

  it('follow their plan when they are checked', async () => {
    const { accountId } = await addAccount(bench, desk, 'enterprise');
    bench.simulator.control.setPlan('enterprise', { tier: 'standard', isImmediate: true });
    const report = await desk.client.invoke('accounts.check', { accountId });
    expect(report).toMatchObject({ isWorking: true, tier: 'standard' });
    expect(report.scopes.find((s) => s.scope === 'gps:export')?.state).toBe('missing');
    expect((await desk.client.invoke('accounts.list', {}))[0]?.tier).toBe('standard');
  });

  it('survive a restart, and are only readable with this machine’s secret store', async () => {
    await addAccount(bench, desk);
    await desk.close();
    expect(readFileSync(accountsFile(), 'utf8')).not.toContain(bench.simulator.keys.enterprise);
    desk = await bench.open();
    expect((await desk.client.invoke('cloudDevices.list', { isFresh: true })).devices).toHaveLength(20);
  });

  it('of the environment override the stored ones, and are changed only there', async () => {
    await addAccount(bench, desk, 'enterprise');
    await desk.close();
    const { baseUrl, keys } = bench.simulator;
    const environment = { FLEET_DASHCAM_BASE_URL: `${baseUrl}/v1`, FLEET_DASHCAM_API_KEY: keys.pro };
    desk = await bench.open({ environment });
    const [first, second] = await desk.client.invoke('accounts.list', {});
    expect(first).toMatchObject({ isFromEnvironment: true, isActive: true, baseUrl });
    expect(second).toMatchObject({ isActive: false });
    expect((await desk.client.invoke('usage.read', { isFresh: true }))?.usage.tier).toBe('pro');
    for (const name of ['accounts.remove', 'accounts.rename'] as const) {
      const work = desk.client.invoke(name, { accountId: first!.accountId, label: 'x' } as never);
      expect((await errorOf(work)).code).toBe('invalid_input');
    }
    expect((await desk.client.invoke('accounts.activate', { accountId: first!.accountId })).isActive).toBe(
      true,
    );
  });

  it('that are not there are not there', async () => {
    const error = await errorOf(desk.client.invoke('accounts.check', { accountId: 'acc_none' as AccountId }));
    expect(error.code).toBe('not_found');
  });

  it('are never mixed up with the demo fleet, even where the environment names a real account', async () => {
    await desk.close();
    const { baseUrl, keys } = bench.simulator;
    desk = await bench.open({
      environment: { FLEET_DASHCAM_BASE_URL: baseUrl, FLEET_DASHCAM_API_KEY: keys.pro },
    });
    const demo = await desk.client.invoke('demo.start', {});
    expect(demo).toMatchObject({ isDemo: true, isActive: true });
    const { devices } = await desk.client.invoke('cloudDevices.list', { isFresh: true });
    expect(devices).toHaveLength(20);
    expect(apiRequests(bench.simulator)).toEqual([]);
    await desk.client.invoke('demo.stop', {});
    expect(await desk.client.invoke('accounts.list', {})).toMatchObject([
      { isFromEnvironment: true, isActive: true },
    ]);
    expect(desk.bugs).toEqual([]);
  });
});

describe('usage', () => {
  it('is set against the app’s own ledger, to the call, the byte and the job', async () => {
    await addAccount(bench, desk);
    const cloud = await desk.cloud();
    const { psn, frontFilename } = bench.simulator.story.collision;
    await cloud.call('sdFiles.playback', { psn, filename: frontFilename, quality: 'sub' });
    bench.simulator.control.setModes({ isNullSizes: true });
    const second = { psn: 'FD1E26000002', filename: '' };
    const files = (await cloud.call('sdFiles.list', { psn: second.psn, perPage: 1 })).body as {
      data: { filename: string }[];
    };
    await cloud.call('recallJobs.create', { body: { ...second, filename: files.data[0]?.filename } });
    await cloud.call('gpsExports.create', {
      body: { from: '2026-03-12T00:00:00Z', to: '2026-03-12T00:00:00Z', format: 'csv' },
    });
    await cloud.call('devices.get', { psn: 'NOPE00' }).catch(() => undefined);
    const report = await desk.client.invoke('usage.read', { isFresh: true });
    for (const sum of report!.ledger) expect({ ...sum, spent: sum.serverUsed }).toEqual(sum);
    expect(report!.ledger.map((sum) => sum.bucket)).toEqual(['transfer_bytes', 'export_job', 'api_calls']);
    expect(report!.ledger[0]!.spent).toBeGreaterThan(150 * 2 ** 20);
    expect(report!.recent.map((entry) => entry.operation)).toEqual([
      'gpsExports.create',
      'recallJobs.create',
      'sdFiles.playback',
    ]);
    expect(report!.cameras).toMatchObject({ overLimit: 1 });
  });

  it('of last month is not set against this month’s spending', async () => {
    await addAccount(bench, desk);
    const march = await desk.client.invoke('usage.read', { isFresh: true });
    await bench.simulator.control.advance(30 * 86_400_000);
    const april = await desk.client.invoke('usage.read', {});
    expect(april?.ledger).toEqual(march?.ledger);
    const fresh = await desk.client.invoke('usage.read', { isFresh: true });
    expect(fresh?.ledger.find((sum) => sum.bucket === 'api_calls')).toMatchObject({
      spent: 1,
      serverUsed: 1,
    });
  });

  it('leaves absent days absent', async () => {
    await addAccount(bench, desk);
    const report = await desk.client.invoke('usage.read', { isFresh: true });
    const history = report!.usage.callHistory!;
    expect(history.days.length).toBeLessThan(30);
    expect(history.days).toHaveLength(history.aggregatedDays as number);
  });
});

describe('the list of cameras', () => {
  it('is there without the service, with its age and the reason', async () => {
    await addAccount(bench, desk);
    const fresh = await desk.client.invoke('cloudDevices.list', { isFresh: true });
    expect(fresh).toMatchObject({ fetchedAtMs: bench.simulator.control.now(), problem: null });
    await bench.simulator.stop();
    const stale = await desk.client.invoke('cloudDevices.list', { isFresh: true });
    expect(stale).toEqual({ ...fresh, problem: expect.objectContaining({ code: 'address_unreachable' }) });
    expect(await desk.client.invoke('cloudDevices.list', {})).toEqual(fresh);
  });
});

describe.each(['isAdditive', 'isMinimal'] as const)('a service that is %s', (mode) => {
  it('is worked with from the first trial to the imported export', async () => {
    bench.simulator.control.setModes({ [mode]: true });
    const account = await addAccount(bench, desk);
    expect(account.tier).toBe('enterprise');
    const { devices } = await desk.client.invoke('cloudDevices.list', { isFresh: true });
    expect(devices).toHaveLength(20);
    if (mode === 'isAdditive') expect(devices[0]).toHaveProperty('addedLater');
    const usage = await desk.client.invoke('usage.read', { isFresh: true });
    expect(usage?.ledger.find((sum) => sum.bucket === 'api_calls')?.serverUsed).toBeGreaterThan(0);
    if (mode === 'isMinimal') expect(usage?.usage.callHistory).toBeNull();
    for (const format of ['csv', 'gpx', 'kml'] as const) {
      const { job } = await desk.client.invoke('exports.order', {
        fromDay: '2026-03-13',
        toDay: '2026-03-13',
        format,
        psns: ['FD1E26000002'],
        shouldImport: true,
      });
      await orderThat(desk, job.jobId, (order) => order.delivery.status === 'imported');
    }
    const listed = await desk.client.invoke('exports.list', { isFresh: true });
    expect(listed.orders).toHaveLength(3);
    expect(await desk.client.invoke('sources.list', {})).toHaveLength(3);
    const busy = { psn: 'FD1E26000003', busyForSeconds: 8 };
    bench.simulator.control.setDevice(busy);
    const cloud = await desk.cloud();
    const { data } = await cloud.callAll('sdFiles.list', { psn: busy.psn });
    expect(data.length).toBeGreaterThan(100);
    const events = await cloud.callAll('events.list', { from: '2026-03-13T00:00:00Z' });
    expect(events.data.length).toBeGreaterThan(5);
    expect(desk.bugs).toEqual([]);
  });
});

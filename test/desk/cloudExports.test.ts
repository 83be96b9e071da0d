import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExportOrder } from '../../shared/contract/cloud.ts';
import { CloudClient } from '../../main/cloud/client.ts';
import { apiRequests } from '../cloud/aCloud.ts';
import { addAccount, aCloudDesk, errorOf, orderThat, stoppedTiming, type CloudDesk } from './aCloudDesk.ts';

let bench: CloudDesk;
beforeEach(async () => {
  bench = await aCloudDesk();
});
afterEach(() => bench.end());

const range = { fromDay: '2026-03-12', toDay: '2026-03-13', format: 'csv' as const };
const one = { ...range, psns: ['FD1E26000002'], shouldImport: true };
const isImported = (order: ExportOrder) => order.delivery.status === 'imported';
const posts = () => apiRequests(bench.simulator).filter((request) => request.method === 'POST');

/** An order that somebody else of the organization made. */
async function orderElsewhere(tier: 'enterprise' | 'pro' = 'enterprise'): Promise<string> {
  const { baseUrl, keys } = bench.simulator;
  const client = new CloudClient({ baseUrl, apiKey: keys[tier], userAgent: 'else', tier });
  const days = { from: '2026-03-12T00:00:00Z', to: '2026-03-12T00:00:00Z' };
  return (await client.createExport({ ...days, format: 'csv' })).jobId;
}

describe('an export', () => {
  it('is ordered, watched no faster than every 5 s, downloaded and imported', async () => {
    const desk = await bench.open();
    await addAccount(bench, desk);
    const ordered = await desk.client.invoke('exports.order', one);
    expect(ordered).toMatchObject({
      isOurs: true,
      job: { status: 'queued' },
      delivery: { status: 'waiting' },
    });
    const done = await orderThat(desk, ordered.job.jobId, isImported);
    expect(done.job).toMatchObject({ status: 'completed', progress: 100 });
    const [source] = await desk.client.invoke('sources.list', {});
    expect(done.delivery).toMatchObject({ sourceId: source?.sourceId, sha256: source?.sha256 });
    const trips = await desk.client.invoke('trips.list', {});
    expect(trips.length).toBeGreaterThan(0);
    expect(trips.reduce((sum, trip) => sum + trip.points, 0)).toBe(done.job.estimatedPoints);
    const counters = bench.simulator.control.counters();
    expect(counters.shortestExportPollMs).toBeGreaterThanOrEqual(0);
    const looks = apiRequests(bench.simulator)
      .filter((request) => request.route === '/v1/gps/export-jobs/{jobId}')
      .map((request) => request.atMs);
    // The last look is the one that makes the download's link.
    const polls = looks.slice(0, -1);
    for (const [index, atMs] of polls.slice(1).entries())
      expect(atMs - polls[index]!).toBeGreaterThanOrEqual(5000);
    expect(counters.linkRequestsWithKey).toBe(0);
    expect(readdirSync(path.join(bench.place.dataFolder, 'downloads'))).toEqual([]);
    expect(desk.bugs).toEqual([]);
  });

  it('survives that the app is closed while the service works on it', async () => {
    const first = await bench.open({ timing: stoppedTiming(bench.simulator) });
    await addAccount(bench, first);
    const { job } = await first.client.invoke('exports.order', one);
    await first.close();
    expect(first.bugs).toEqual([]);
    const second = await bench.open();
    await second.cloud();
    await orderThat(second, job.jobId, isImported);
    expect(posts()).toHaveLength(1);
    expect(second.bugs).toEqual([]);
  });

  it('survives that the app is closed in the middle of the download, and goes on from there', async () => {
    const { control } = bench.simulator;
    const first = await bench.open();
    await addAccount(bench, first);
    control.addFault({
      match: { surface: 'link' },
      times: 1,
      effect: { kind: 'slow', bytesPerSecond: 40_000 },
    });
    const { job } = await first.client.invoke('exports.order', {
      ...one,
      toDay: '2026-03-14',
      format: 'gpx',
    });
    const begun = Promise.withResolvers<void>();
    first.client.on('jobs.changed', ({ state }) => {
      if (state.status === 'running' && state.progress.stage === 'downloading' && state.progress.done > 0)
        begun.resolve();
    });
    await begun.promise;
    await first.close();
    expect(first.bugs).toEqual([]);
    control.clearLog();
    const second = await bench.open();
    await second.cloud();
    await orderThat(second, job.jobId, isImported);
    const links = control.requests().filter((request) => request.surface === 'link');
    expect(links.map((request) => request.range)).toEqual([expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    expect(posts()).toEqual([]);
  });

  it('goes on with its own account although another one is active', async () => {
    const desk = await bench.open();
    await addAccount(bench, desk, 'pro');
    const { job } = await desk.client.invoke('exports.order', { ...range, shouldImport: true });
    const imported = new Promise<ExportOrder>((resolve) =>
      desk.client.on('exports.changed', (order) => void (isImported(order) && resolve(order))),
    );
    await addAccount(bench, desk, 'enterprise');
    expect((await imported).job.jobId).toBe(job.jobId);
    expect((await desk.client.invoke('exports.list', {})).orders).toEqual([]);
    expect(desk.bugs).toEqual([]);
  });

  it('is canceled on the service, and nothing is brought in', async () => {
    const desk = await bench.open({ timing: stoppedTiming(bench.simulator) });
    await addAccount(bench, desk);
    const { job } = await desk.client.invoke('exports.order', one);
    const canceled = await desk.client.invoke('exports.cancel', { jobId: job.jobId });
    expect(canceled.job.status).toBe('canceled');
    expect(bench.simulator.control.state('enterprise').exportJobs).toMatchObject([{ status: 'canceled' }]);
    await desk.client.invoke('exports.order', one);
  });

  it('that was completed before the cancel came says so, and shows it', async () => {
    const desk = await bench.open({ timing: stoppedTiming(bench.simulator) });
    await addAccount(bench, desk);
    const { job } = await desk.client.invoke('exports.order', { ...one, shouldImport: false });
    await bench.simulator.control.advance(60_000);
    const error = await errorOf(desk.client.invoke('exports.cancel', { jobId: job.jobId }));
    expect(error).toMatchObject({
      code: 'cloud_problem',
      details: { problem: { code: 'job_already_completed' } },
    });
    const { orders } = await desk.client.invoke('exports.list', {});
    expect(orders[0]?.job.status).toBe('completed');
  });

  it('shows what the service could only do in part, not at all, or without data', async () => {
    const desk = await bench.open();
    await addAccount(bench, desk);
    const { control } = bench.simulator;
    control.setNextExport('partial');
    const partial = await desk.client.invoke('exports.order', {
      ...range,
      psns: ['FD1E26000002', 'FD1E26000003'],
      shouldImport: true,
    });
    expect((await orderThat(desk, partial.job.jobId, isImported)).job.partial).toBe(true);
    control.setNextExport('failed');
    const failed = await desk.client.invoke('exports.order', one);
    expect((await orderThat(desk, failed.job.jobId, (o) => o.job.status === 'failed')).delivery.status).toBe(
      'waiting',
    );
    control.setNextExport('empty');
    const empty = await desk.client.invoke('exports.order', one);
    await orderThat(desk, empty.job.jobId, (o) => o.delivery.status === 'empty');
    const error = await errorOf(desk.client.invoke('exports.fetch', { jobId: empty.job.jobId }));
    expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining('no data') });
    expect(desk.bugs).toEqual([]);
  });

  it('is fetched once, however often it is asked for at the same time', async () => {
    const desk = await bench.open();
    await addAccount(bench, desk);
    const { job } = await desk.client.invoke('exports.order', { ...one, shouldImport: false });
    await orderThat(desk, job.jobId, (order) => order.job.status === 'completed');
    const fetches = await Promise.all(
      [1, 2, 3].map(() => desk.client.invoke('exports.fetch', { jobId: job.jobId })),
    );
    expect(new Set(fetches.map((fetched) => fetched.jobId)).size).toBe(1);
    await orderThat(desk, job.jobId, isImported);
    expect(bench.simulator.control.requests().filter((request) => request.surface === 'link')).toHaveLength(
      1,
    );
  });

  it('is no longer asked about after a hard stop, and asked ever less often while the service is away', async () => {
    const desk = await bench.open();
    await addAccount(bench, desk);
    const { control } = bench.simulator;
    const at = { path: '/export-jobs/' };
    control.addFault({ match: at, times: 30, effect: { kind: 'problem', code: 'upstream_unavailable' } });
    control.addFault({
      match: at,
      times: 1,
      effect: { kind: 'problem', code: 'monthly_limit_exceeded', status: 429, retryAfterSeconds: 5 },
    });
    const { job } = await desk.client.invoke('exports.order', one);
    const stopped = await orderThat(desk, job.jobId, (o) => o.problem?.code === 'monthly_limit_exceeded');
    expect(stopped.job.status).toBe('queued');
    const count = apiRequests(bench.simulator).length;
    await control.advance(600_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(apiRequests(bench.simulator)).toHaveLength(count);
    // Asked again by the user, it goes on.
    await desk.client.invoke('exports.list', { isFresh: true });
    await orderThat(desk, job.jobId, isImported);
  });
});

describe('before anything is sent', () => {
  it('the 90-day rule and the calendar are checked', async () => {
    const desk = await bench.open();
    await addAccount(bench, desk);
    const before = apiRequests(bench.simulator).length;
    const order = (fromDay: string, toDay: string) =>
      errorOf(desk.client.invoke('exports.order', { ...one, fromDay, toDay }));
    expect(await order('2026-01-01', '2026-04-02')).toMatchObject({
      code: 'invalid_input',
      details: { maxRangeDays: 90, rangeDays: 91 },
      remedy: expect.any(String),
    });
    expect(await order('2026-02-30', '2026-03-02')).toMatchObject({ code: 'invalid_input' });
    expect(await order('2026-03-02', '2026-03-01')).toMatchObject({ code: 'invalid_input' });
    expect(apiRequests(bench.simulator)).toHaveLength(before);
    await desk.client.invoke('exports.order', { ...one, fromDay: '2026-01-01', toDay: '2026-04-01' });
  });

  it('the one-job rule is checked, with the job that runs', async () => {
    const desk = await bench.open({ timing: stoppedTiming(bench.simulator) });
    await addAccount(bench, desk);
    const { job } = await desk.client.invoke('exports.order', one);
    const error = await errorOf(desk.client.invoke('exports.order', one));
    expect(error).toMatchObject({
      code: 'busy',
      details: { activeJobId: job.jobId, activeStatus: 'queued' },
    });
    expect(error.message).toContain(job.jobId);
    expect(posts()).toHaveLength(1);
  });
});

describe('a job of somebody else', () => {
  it('is named when the service refuses a second one', async () => {
    const desk = await bench.open();
    await addAccount(bench, desk);
    const active = await orderElsewhere();
    const error = await errorOf(desk.client.invoke('exports.order', one));
    expect(error).toMatchObject({
      code: 'cloud_problem',
      remedy: 'Wait for it, or cancel it.',
      details: { problem: { code: 'export_in_progress' }, activeJobId: active, activeStatus: 'queued' },
    });
    expect(error.message).toContain(active);
  });

  it('is looked for and named when the plan allows no second one', async () => {
    const desk = await bench.open();
    await addAccount(bench, desk, 'pro');
    const active = await orderElsewhere('pro');
    const error = await errorOf(desk.client.invoke('exports.order', range));
    expect(error).toMatchObject({
      details: {
        problem: { code: 'concurrency_limit_exceeded' },
        activeJobId: active,
        activeStatus: 'queued',
      },
    });
    expect(error.message).toContain(active);
    // It can be canceled from here.
    expect((await desk.client.invoke('exports.cancel', { jobId: active })).job.status).toBe('canceled');
  });

  it('is in the list with its expiry, and the list is there without the service', async () => {
    const desk = await bench.open();
    await addAccount(bench, desk);
    const active = await orderElsewhere();
    const fresh = await desk.client.invoke('exports.list', { isFresh: true });
    expect(fresh).toMatchObject({ fetchedAtMs: bench.simulator.control.now(), problem: null });
    expect(fresh.orders).toMatchObject([
      { isOurs: false, job: { jobId: active, expiresAt: '2026-03-21T18:00:00Z' } },
    ]);
    await bench.simulator.stop();
    const stale = await desk.client.invoke('exports.list', { isFresh: true });
    expect(stale.orders).toHaveLength(1);
    expect(stale).toMatchObject({ fetchedAtMs: fresh.fetchedAtMs, problem: { code: 'address_unreachable' } });
  });

  it('a plan without exports is told from a plan that is busy', async () => {
    const desk = await bench.open();
    await addAccount(bench, desk);
    bench.simulator.control.setPlan('enterprise', { tier: 'starter' });
    const error = await errorOf(desk.client.invoke('exports.order', one));
    expect(error.message).toBe('The plan does not include GPS export.');
    expect(existsSync(path.join(bench.place.dataFolder, 'downloads'))).toBe(false);
  });
});

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { download } from '../../main/cloud/download.ts';
import type { OperationInput, OperationName } from '../../main/cloud/operations.ts';
import { CloudProblem } from '../../main/cloud/problem.ts';
import type { Fault, FaultEffect } from '../simulator/faults.ts';
import { createRandom } from '../simulator/random.ts';
import type { RequestRecord } from '../simulator/requestLog.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { aCloud, apiRequests, withCloud, type Cloud } from './aCloud.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'evidence-desk-faults-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const clip = '20260313_173158_EF.mp4';
const cameras = { enterprise: 'FD1E26000001', pro: 'FD2E26000001' };
const exportBody = {
  from: '2026-03-13T00:00:00Z',
  to: '2026-03-13T00:00:00Z',
  format: 'csv',
  psns: ['FD1E26000002'],
};
const hardStops = ['quota_exceeded', 'monthly_limit_exceeded', 'query_timeout', 'insufficient_scope'];

const problem = (code: string, status?: number) => (retryAfterSeconds: number | undefined) =>
  ({
    kind: 'problem',
    code,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }) satisfies FaultEffect;
const retryAfter = fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined });
const passing = fc
  .constantFrom(
    'rate_limited',
    'device_busy',
    'internal_error',
    'upstream_unavailable',
    'delegate_failed',
    'command_timeout',
  )
  .chain((code) => retryAfter.map(problem(code)));
const final = fc
  .constantFrom(...hardStops)
  .chain((code) =>
    retryAfter.map(problem(code, code === 'quota_exceeded' || code.startsWith('monthly') ? 429 : undefined)),
  );
const spoilt = fc.oneof(
  fc.record({
    kind: fc.constant('raw' as const),
    status: fc.constantFrom(200, 302, 404, 429, 500, 502, 503),
    body: fc.constantFrom('', '<html>proxy</html>', '{"message":"x"}', '{"code":"never_heard_of"', '[]'),
  }),
  fc.record({ kind: fc.constant('cut' as const), bytes: fc.integer({ min: 0, max: 300 }) }),
  fc.record({ kind: fc.constant('drop' as const), bytes: fc.integer({ min: 0, max: 300 }) }),
);
const lostCursor = fc.constant(problem('invalid_cursor')(undefined));
const apiFault: fc.Arbitrary<Fault> = fc
  .record({
    effect: fc.oneof(
      { weight: 5, arbitrary: passing },
      { weight: 5, arbitrary: spoilt },
      { weight: 2, arbitrary: lostCursor },
      { weight: 1, arbitrary: final },
    ),
    skip: fc.integer({ min: 0, max: 8 }),
    times: fc.integer({ min: 1, max: 2 }),
    isAfterHandling: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(({ isAfterHandling, ...fault }) => ({
    ...fault,
    match: { surface: 'api' },
    // These two say that nothing was done (3.4, 7): after an effect they would be a lie that nobody can see through.
    ...(isAfterHandling === undefined || isBeforeActing(fault.effect) ? {} : { isAfterHandling }),
  }));
function isBeforeActing(effect: FaultEffect): boolean {
  return effect.kind === 'problem' && (effect.code === 'rate_limited' || effect.code === 'device_busy');
}
const linkEffect: fc.Arbitrary<FaultEffect> = fc.oneof(
  fc.record({ kind: fc.constant('drop' as const), bytes: fc.integer({ min: 0, max: 40_000 }) }),
  fc.constantFrom<FaultEffect>(
    { kind: 'expired' },
    { kind: 'ignoreRange' },
    { kind: 'wrongRange' },
    { kind: 'changedEtag' },
    { kind: 'problem', code: 'upstream_unavailable' },
  ),
);
const linkFault: fc.Arbitrary<Fault> = fc
  .record({ effect: linkEffect, skip: fc.integer({ min: 0, max: 2 }), times: fc.integer({ min: 1, max: 2 }) })
  .map((fault) => ({ ...fault, match: { surface: 'link' } }));

type Action = 'cursor' | 'offset' | 'playback' | 'export';
const scene = fc.record({
  tier: fc.constantFrom('enterprise' as const, 'enterprise' as const, 'pro' as const),
  actions: fc.array(fc.constantFrom<Action>('cursor', 'cursor', 'offset', 'offset', 'playback', 'export'), {
    minLength: 1,
    maxLength: 3,
  }),
  pageSize: fc.integer({ min: 3, max: 9 }),
  hasEmptyPages: fc.boolean(),
  faults: fc.array(apiFault, { maxLength: 6 }),
  linkFaults: fc.array(linkFault, { maxLength: 4 }),
});

/** All rows of a list, each once, or the problem that ended the walk; never something in between. */
async function walk(cloud: Cloud, tier: 'enterprise' | 'pro', name: OperationName, input: OperationInput) {
  const seen: string[] = [];
  const rows = cloud.client(tier).rows<{ psn: string }>(name, input, { deadlineMs: 30_000 });
  for await (const row of rows) {
    expect(seen).not.toContain(row.psn);
    seen.push(row.psn);
  }
  return seen;
}

async function exportTo(cloud: Cloud, tier: 'enterprise' | 'pro', file: string): Promise<void> {
  const client = cloud.client(tier);
  const psns = [tier === 'pro' ? 'FD2E26000002' : 'FD1E26000002'];
  const job = await client.createExport({ ...exportBody, psns });
  for (;;) {
    const now = await client.exportJob(job.jobId);
    if (now.status === 'completed') {
      if (now.downloadUrl === undefined) return;
      const done = await download({
        url: now.downloadUrl,
        path: file,
        expectedBytes: null,
        userAgent: 'EvidenceDesk/test',
        timing: cloud.timing,
        freshLink: async () => (await client.exportJob(job.jobId)).downloadUrl ?? null,
      });
      cloud.simulator.control.clearFaults();
      const { downloadUrl } = await client.exportJob(job.jobId);
      const whole = Buffer.from(await (await fetch(downloadUrl ?? '')).arrayBuffer());
      expect(done).toMatchObject({ sha256: sha256Of(whole), sizeBytes: whole.length });
      expect(sha256Of(readFileSync(file))).toBe(done.sha256);
      return;
    }
    if (now.status === 'failed' || now.status === 'canceled') return;
    await cloud.timing.wait(5000, undefined);
  }
}

function checkAction(records: readonly RequestRecord[]): void {
  const api = records.filter((record) => record.surface === 'api');
  // A hard stop that reached the client ends the call: nothing is sent after it.
  const stop = api.findIndex(
    (record) => record.code !== null && hardStops.includes(record.code) && record.fault === 'problem',
  );
  if (stop >= 0) expect(api.slice(stop + 1).map((record) => record.path)).toEqual([]);
  // Recalls and export orders have their effect once at most.
  expect(api.filter((record) => record.recalled !== null).length).toBeLessThanOrEqual(1);
  const orders = api.filter((r) => r.method === 'POST' && r.path === '/v1/gps/export-jobs');
  expect(orders.filter((record) => record.status === 201).length).toBeLessThanOrEqual(1);
}

describe('random faults', () => {
  it('never lose or double a page, send the key to a link, repeat a hard stop or an effect, or exceed the rate', async () => {
    let runs = 0;
    const finished = { cursor: 0, offset: 0, playback: 0, export: 0 };
    let faults = 0;
    await fc.assert(
      fc.asyncProperty(scene, async (given) => {
        const cloud = await aCloud();
        const { control } = cloud.simulator;
        const list = { enterprise: await walkPlain(cloud, 'enterprise'), pro: await walkPlain(cloud, 'pro') };
        control.clearLog();
        control.setModes({ isEmptyPages: given.hasEmptyPages });
        for (const fault of [...given.faults, ...given.linkFaults]) control.addFault(fault);
        try {
          for (const [index, action] of given.actions.entries()) {
            const before = control.requests().length;
            try {
              if (action === 'cursor')
                expect(await walk(cloud, given.tier, 'fleet.locations', { limit: given.pageSize })).toEqual(
                  list[given.tier].cursor,
                );
              if (action === 'offset')
                expect(await walk(cloud, given.tier, 'devices.list', { perPage: given.pageSize })).toEqual(
                  list[given.tier].offset,
                );
              if (action === 'playback')
                await cloud.client(given.tier).playback(cameras[given.tier], clip, 'sub');
              if (action === 'export')
                await exportTo(cloud, given.tier, path.join(folder, `${runs}-${index}.zip`));
              finished[action]++;
            } catch (thrown) {
              if (!(thrown instanceof CloudProblem)) throw thrown;
            }
            checkAction(control.requests().slice(before));
          }
          runs++;
          faults += control.requests().filter((record) => record.fault !== null).length;
          const counters = control.counters();
          expect(counters.violations).toEqual([]);
          expect(control.requests().filter((r) => r.surface === 'link' && r.hasAuthorization)).toEqual([]);
          // Refused for rate by the service's own bucket, not by a fault of ours.
          expect(
            apiRequests(cloud.simulator).filter((r) => r.code === 'rate_limited' && r.fault === null),
          ).toEqual([]);
        } finally {
          await cloud.simulator.stop();
        }
      }),
      { seed: 20_260_314, numRuns: 1000 },
    );
    // The faults bite, and the client gets over most of them.
    expect(runs).toBe(1000);
    expect(faults).toBeGreaterThan(1000);
    for (const times of Object.values(finished)) expect(times).toBeGreaterThan(150);
  });
});

const plain = new Map<string, { cursor: string[]; offset: string[] }>();
/** What the lists hold, read without faults; the same in every fresh simulation. */
async function walkPlain(cloud: Cloud, tier: 'enterprise' | 'pro') {
  const known = plain.get(tier);
  if (known) return known;
  const psnsOf = async (route: string): Promise<string[]> => {
    const answer = await fetch(`${cloud.simulator.baseUrl}${route}`, {
      headers: { Authorization: `Bearer ${cloud.simulator.keys[tier]}` },
    });
    const body = (await answer.json()) as { data: { psn: string }[] };
    return body.data.map((row) => row.psn);
  };
  const rows = {
    cursor: await psnsOf('/v1/fleet/locations?limit=200'),
    offset: await psnsOf('/v1/devices?perPage=100'),
  };
  expect(rows.cursor.length).toBeGreaterThan(2);
  plain.set(tier, rows);
  return rows;
}

describe('an export that is dropped on its way', () => {
  it('ends in the right file after 50 breaks at random bytes', () =>
    withCloud(async (cloud) => {
      const { control } = cloud.simulator;
      const client = cloud.client();
      const { jobId } = await client.createExport({ ...exportBody, format: 'gpx' });
      await control.advance(60_000);
      const { downloadUrl: url = '' } = await client.exportJob(jobId);
      const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
      const random = createRandom(50, 'breaks');
      const most = Math.floor(whole.length / 50);
      for (let i = 0; i < 50; i++) {
        const effect = { kind: 'drop', bytes: random.integer(1, most) } as const;
        control.addFault({ match: { surface: 'link' }, times: 1, effect });
      }
      control.clearLog();
      const done = await download({
        url,
        path: path.join(folder, 'export.zip'),
        expectedBytes: whole.length,
        userAgent: 'EvidenceDesk/test',
        timing: cloud.timing,
      });
      expect(done).toMatchObject({ sha256: sha256Of(whole), sizeBytes: whole.length });
      expect(readFileSync(done.path).equals(whole)).toBe(true);
      const links = control.requests().filter((record) => record.surface === 'link');
      expect(links.filter((record) => record.fault === 'drop')).toHaveLength(50);
      // Nothing was fetched twice.
      expect(links.reduce((sum, record) => sum + record.bytesSent, 0)).toBeLessThanOrEqual(whole.length + 50);
      expect(control.counters().linkRequestsWithKey).toBe(0);
    }));
});

describe('many calls at once', () => {
  it('keep to the rate of the tier as the service counts it, in real time', async () => {
    const simulator = await startSimulator({ clock: 'ticking' });
    try {
      const { CloudClient } = await import('../../main/cloud/client.ts');
      const client = new CloudClient({
        baseUrl: simulator.baseUrl,
        apiKey: simulator.keys.standard,
        tier: 'standard',
        userAgent: 'EvidenceDesk/test',
      });
      await Promise.all(Array.from({ length: 12 }, () => client.call('groups.list')));
      const statuses = apiRequests(simulator).map((request) => request.status);
      expect(statuses).toEqual(Array.from({ length: 12 }, () => 200));
    } finally {
      await simulator.stop();
    }
  });
});

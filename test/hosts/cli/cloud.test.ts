import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import { aDesk } from '../../desk/aDesk.ts';
import { CliBench, type Ran } from './runProcess.ts';

let simulator: Simulator;
let bench: CliBench;
/** The demo takes its time (a fleet that lives by the real clock): it runs beside the other tests. */
let demo: Promise<Ran>;
/** What the environment names while the demo runs: nothing of it may reach this service. */
let real: Simulator;
const demoBench = new CliBench();
beforeAll(async () => {
  simulator = await startSimulator({ clock: 'ticking' });
  real = await startSimulator({ clock: 'ticking' });
  vi.stubEnv('FLEET_DASHCAM_BASE_URL', real.baseUrl);
  vi.stubEnv('FLEET_DASHCAM_API_KEY', real.keys.enterprise);
  demo = demoBench.run('demo', '--json');
});
afterAll(async () => {
  await demo;
  demoBench.remove();
  await simulator.stop();
  await real.stop();
});
beforeEach(() => {
  bench = new CliBench();
  vi.stubEnv('FLEET_DASHCAM_BASE_URL', `${simulator.baseUrl}/v1`);
  vi.stubEnv('FLEET_DASHCAM_API_KEY', simulator.keys.enterprise);
  simulator.control.reset();
});
afterEach(() => {
  bench.remove();
  vi.unstubAllEnvs();
});

/** Everything of the runs of a test; the key must not be in it. */
async function run(...args: string[]): Promise<Ran> {
  const ran = await bench.run(...args);
  expect(ran.stdout + ran.stderr).not.toContain(simulator.keys.enterprise);
  return ran;
}
const apiCount = (): number => simulator.control.requests().filter((r) => r.surface === 'api').length;

/** The names of command-line.md, "Operations of `cloud`". */
const operationNames = [
  ...['list', 'get', 'register', 'update', 'reboot', 'firmware', 'battery'].map((name) => `devices.${name}`),
  ...['list', 'metadata', 'playback', 'delete'].map((name) => `sdFiles.${name}`),
  ...['create', 'get', 'list', 'cancel'].map((name) => `recallJobs.${name}`),
  ...['create', 'get', 'list', 'cancel'].map((name) => `gpsExports.${name}`),
  ...['create', 'list', 'get', 'delete', 'test', 'deliveries', 'reactivate', 'rotateSecret'].map(
    (name) => `webhooks.${name}`,
  ),
  ...['apiLogs.list', 'usage.get', 'auditLogs.list'],
  ...['list', 'feed', 'get', 'video', 'thumbnail'].map((name) => `events.${name}`),
  ...['safetyEvents.stats', 'reports.ranking', 'reports.device'],
  ...['fleet.summary', 'fleet.locations', 'fleet.locationsFeed', 'trips.list', 'trips.track'],
  ...['list', 'get', 'create', 'update', 'delete'].map((name) => `geofences.${name}`),
  ...['geofenceAlerts.list', 'groups.list'],
];

describe('cloud', () => {
  it('--list names every operation of the command line’s description, and needs no account', async () => {
    vi.stubEnv('FLEET_DASHCAM_API_KEY', '');
    const ran = await run('cloud', '--list', '--json');
    expect(ran.code).toBe(0);
    const { operations } = ran.json<{ operations: { name: string; path: string }[] }>();
    expect(operations.map((operation) => operation.name).sort()).toEqual([...operationNames].sort());
    expect(apiCount()).toBe(0);
  });

  it('carries out an operation and prints the body as it came', async () => {
    const { psn } = simulator.story.collision;
    const ran = await run('cloud', 'devices.get', JSON.stringify({ psn }), '--json');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.json()).toMatchObject({ data: { psn, entitlement: 'covered' } });
  });

  it('--all follows the pages to their end', async () => {
    const ran = await run('cloud', 'fleet.locations', '{"limit":5}', '--all', '--json');
    const { data, pages } = ran.json<{ data: { psn: string }[]; pages: number }>();
    expect(new Set(data.map((row) => row.psn)).size).toBe(17);
    expect(pages).toBe(4);
  });

  it('fails with the service’s own code, request id and extensions, and exit code 1', async () => {
    const ran = await run('cloud', 'sdFiles.list', '{"psn":"FD1E26000001","type":"impact"}', '--json');
    expect(ran.code).toBe(1);
    const { error } = ran.json<{ error: Record<string, unknown> }>();
    const sent = simulator.control.requests().findLast((request) => request.surface === 'api');
    expect(error).toMatchObject({
      code: 'invalid_parameter',
      requestId: sent?.requestId,
      status: 400,
      extensions: { allowed: expect.arrayContaining(['driving_impact']) },
    });
    expect(ran.stderr).toContain('driving_impact');
  });

  it('--deadline ends the waiting for a busy camera with what the camera said', async () => {
    const psn = simulator.story.ordinaryPsn;
    simulator.control.setDevice({ psn, busyForSeconds: 3600 });
    const ran = await run('cloud', 'sdFiles.list', JSON.stringify({ psn }), '--deadline', '2', '--json');
    expect(ran.code).toBe(1);
    expect(ran.json()).toMatchObject({ error: { code: 'device_busy', extensions: { psn } } });
  });

  it.each([
    ['an unknown operation', ['devices.fly']],
    ['no operation', []],
    ['parameters that are no JSON', ['devices.get', '{psn:1}']],
    ['a parameter that is missing', ['devices.get']],
    ['a body where none goes', ['devices.list', '{"body":{}}']],
    ['--all without pages', ['usage.get', '--all']],
    ['a deadline that is none', ['usage.get', '--deadline', 'soon']],
    ['something too much', ['usage.get', '{}', '{}']],
  ])('refuses %s with exit code 2, before anything is sent', async (_, args) => {
    const ran = await run('cloud', ...args, '--json');
    expect(ran.code).toBe(2);
    expect(ran.json()).toMatchObject({ error: { code: 'invalid_input' } });
    expect(apiCount()).toBe(0);
  });

  it('says what to set when there is no account', async () => {
    vi.stubEnv('FLEET_DASHCAM_API_KEY', '');
    const ran = await run('cloud', 'usage.get', '--json');
    expect(ran.code).toBe(1);
    expect(ran.json()).toMatchObject({
      error: { code: 'no_account', detail: expect.stringContaining('FLEET_DASHCAM_API_KEY') },
    });
  });

  it('works beside a running window, without the ledger, and says so', async () => {
    const window = await aDesk({
      root: bench.folder,
      dataFolder: bench.dataFolder,
      configFolder: bench.file('config'),
      remove: () => undefined,
    });
    try {
      const ran = await run('cloud', 'groups.list', '--all', '--json');
      expect(ran.code).toBe(0);
      expect(ran.stderr).toContain('not in its ledger');
      expect(ran.json<{ data: unknown[] }>().data.length).toBeGreaterThan(0);
      const refused = await run('cloud', 'devices.get', '{"psn":"NOPE00"}', '--json', '--quiet');
      expect(refused.json()).toMatchObject({ error: { code: 'device_not_found' } });
      vi.stubEnv('FLEET_DASHCAM_API_KEY', '');
      const locked = await run('cloud', 'groups.list', '--json');
      expect(locked.json()).toMatchObject({ error: { code: 'cache_locked' } });
    } finally {
      await window.close();
    }
  });
});

describe('cloud verify-signature', () => {
  it('is 0 for a good delivery, 4 for one that is not, and 2 where something is missing', async () => {
    const secret = 'a'.repeat(64);
    const body = '{"event":"safety_event","n": 1.0}';
    writeFileSync(bench.file('body.json'), body);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const digest = createHmac('sha256', secret).update(`v1:${timestamp}:${body}`).digest('hex');
    const check = (signature: string, at = timestamp, ...more: string[]) =>
      run(
        ...['cloud', 'verify-signature', '--secret', secret, '--timestamp', at, '--signature', signature],
        ...['--body-file', bench.file('body.json'), '--json', ...more],
      );
    const results = await Promise.all([
      check(`v1=${digest}`),
      check(`v1=${'0'.repeat(64)},v1=${digest}`),
      check(`v1=${'0'.repeat(64)}`),
      check(`v1=${digest}`, '1000000000'),
      run('cloud', 'verify-signature', '--secret', secret, '--json'),
    ]);
    expect(results.map((ran) => ran.code)).toEqual([0, 0, 4, 4, 2]);
    expect(results[3]!.json()).toEqual({ ok: false, reason: 'timestamp_outside_tolerance' });
    expect(existsSync(bench.dataFolder)).toBe(false);
  });
});

describe('export-gps', () => {
  const args = ['export-gps', '--from', '2026-03-12', '--to', '2026-03-13', '--format', 'csv', '--json'];
  /** Lets the service work through the order while its answer is on the way: no test waits for it. */
  async function hurried(...more: string[]): Promise<Ran> {
    const match = { method: 'POST', path: '/export-jobs$' };
    simulator.control.addFault({ match, times: 1, effect: { kind: 'delay', delayMs: 300 } });
    const timer = setInterval(() => {
      if (simulator.control.requests().some((r) => r.method === 'POST' && r.status === 201)) {
        clearInterval(timer);
        void simulator.control.advance(60_000);
      }
    }, 20);
    return run(...args, ...more).finally(() => clearInterval(timer));
  }

  it('orders, waits, downloads, hashes and imports', async () => {
    const ran = await hurried(
      '--psn',
      'FD1E26000002',
      '--psn',
      'FD1E26000003',
      '--packaging',
      'perDevice',
      '--import',
    );
    expect(ran.code).toBe(0);
    const done = ran.json<{
      path: string;
      sha256: string;
      sizeBytes: number;
      job: { estimatedPoints: number };
      import: { sources: { sha256: string; points: number }[] };
    }>();
    expect(done.import.sources[0]?.points).toBe(done.job.estimatedPoints);
    expect(done.import.sources[0]?.sha256).toBe(done.sha256);
    expect(readFileSync(done.path)).toHaveLength(done.sizeBytes);
    expect(execFileSync('unzip', ['-Z1', done.path], { encoding: 'utf8' }).trim().split('\n')).toHaveLength(
      2,
    );
    const trips = (await run('trips', '--json')).json<{ trips: { psn: string }[] }>().trips;
    expect(new Set(trips.map((trip) => trip.psn))).toEqual(new Set(['FD1E26000002', 'FD1E26000003']));
  });

  it('is 3 for a partial export and for one without data, and 1 for one that failed', async () => {
    const codes: (number | null)[] = [];
    for (const outcome of ['partial', 'empty', 'failed'] as const) {
      simulator.control.reset();
      simulator.control.setNextExport(outcome);
      codes.push((await hurried()).code);
    }
    expect(codes).toEqual([3, 3, 1]);
  });

  it('refuses more than 90 days before anything is sent', async () => {
    const ran = await run(
      'export-gps',
      '--from',
      '2026-01-01',
      '--to',
      '2026-04-02',
      '--format',
      'gpx',
      '--json',
    );
    expect(ran.code).toBe(1);
    expect(ran.json()).toMatchObject({ error: { extensions: { maxRangeDays: 90, rangeDays: 91 } } });
    expect(apiCount()).toBe(0);
  });
});

describe('demo', () => {
  it('does the main job end to end on the built-in fleet, and leaves the account of the environment alone', async () => {
    const ran = await demo;
    expect(ran.stderr).not.toContain('Error');
    expect(ran.code).toBe(0);
    const done = ran.json<{
      verify: { ok: boolean };
      package: { path: string };
      import: { sources: { points: number }[] };
      clips: { filename: string; path: string }[];
    }>();
    // Both views of the collision are in the package, bit for bit.
    expect(done.clips).toHaveLength(2);
    const sealed = readFileSync(done.package.path);
    for (const { filename, path: kept } of done.clips) {
      expect(sealed.includes(readFileSync(kept)), filename).toBe(true);
      expect(sealed.includes(`/${filename}`), filename).toBe(true);
      expect(sealed.includes(`telemetry/${filename}.csv`), filename).toBe(true);
    }
    expect(done.verify.ok).toBe(true);
    expect(done.import.sources[0]?.points).toBeGreaterThan(1000);
    expect(real.control.requests()).toEqual([]);
    const verify = await run('verify', done.package.path, '--json');
    expect(verify.code).toBe(0);
  });
});

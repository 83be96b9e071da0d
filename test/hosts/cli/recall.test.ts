import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import { CliBench } from './runProcess.ts';

let simulator: Simulator;
let bench: CliBench;
beforeAll(async () => {
  simulator = await startSimulator({ clock: 'ticking' });
});
afterAll(() => simulator.stop());
beforeEach(() => {
  bench = new CliBench();
  vi.stubEnv('FLEET_DASHCAM_BASE_URL', simulator.baseUrl);
  vi.stubEnv('FLEET_DASHCAM_API_KEY', simulator.keys.enterprise);
  simulator.control.reset();
});
afterEach(() => {
  bench.remove();
  vi.unstubAllEnvs();
});

const link = { surface: 'link' } as const;
const recalls = (): Record<string, number> =>
  simulator.control.counters()['recalls'] as Record<string, number>;
const used = (): number => simulator.control.state('enterprise')['transferUsedBytes'] as number;

interface RecallDocument {
  filename: string;
  quality: string;
  jobId: string;
  sizeBytes: number;
  sha256: string;
  path: string;
  chargedBytes: number;
  budget: { limit: number; usedBefore: number; usedAfter: number };
}

describe('cards and recalls on the command line', () => {
  it('lists cameras and a card, reads metadata and the budget, each with its time', async () => {
    const { psn, frontFilename } = simulator.story.collision;
    const devices = (await bench.run('devices', '--json')).json<{
      data: { psn: string }[];
      fetchedAt: string;
    }>();
    expect(devices.data.map((device) => device.psn)).toContain(psn);
    expect(Date.parse(devices.fetchedAt)).not.toBeNaN();
    const listed = (await bench.run('sd-list', psn, '--type', 'driving_impact', '--json')).json<{
      data: { filename: string; mainSizeBytes: number }[];
    }>();
    expect(listed.data.map((one) => one.filename)).toContain(frontFilename);
    const { data } = (await bench.run('metadata', psn, frontFilename, '--json')).json<{
      data: { thumbnail: string; gps: unknown[] };
    }>();
    expect(Buffer.from(data.thumbnail, 'base64')[0]).toBe(0xff);
    expect(data.gps.length).toBeGreaterThan(5);
    const budget = (await bench.run('budget', '--json')).json<{
      data: { limit: number; used: number; left: number };
    }>();
    expect(budget.data).toMatchObject({ used: used(), left: budget.data.limit - used() });
  });

  it('gives the service’s own code where a card can’t be listed', async () => {
    const ran = await bench.run('sd-list', simulator.story.wifiPsn, '--json');
    expect(ran.code).toBe(1);
    expect(ran.json()).toMatchObject({ error: { code: 'cloud_only' } });
  });

  it('recalls a clip, says what it cost, and never asks again for what it has', async () => {
    const { psn, frontFilename } = simulator.story.collision;
    const before = used();
    const ran = await bench.run('recall', psn, frontFilename, '--yes', '--json');
    expect(ran.code).toBe(0);
    const document = ran.json<RecallDocument>();
    expect(document).toMatchObject({
      filename: frontFilename,
      quality: 'sub',
      chargedBytes: document.sizeBytes,
      budget: { usedBefore: before, usedAfter: before + document.sizeBytes },
    });
    expect(used()).toBe(before + document.sizeBytes);
    const bytes = fs.readFileSync(document.path);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(document.sha256);
    const again = (await bench.run('recall', psn, frontFilename, '--json')).json<RecallDocument>();
    expect(again).toMatchObject({ sha256: document.sha256, chargedBytes: 0 });
    expect(recalls()).toEqual({ [`${psn}/${frontFilename}/sub`]: 1 });
    const jobs = (await bench.run('jobs', '--json')).json<{ data: { jobId: string }[] }>();
    expect(jobs.data.map((job) => job.jobId)).toContain(document.jobId);
    const canceled = (await bench.run('cancel', document.jobId, '--json')).json();
    expect(canceled).toMatchObject({ data: { jobId: document.jobId, status: 'canceled' } });
  });

  it('refuses a byte too much without asking the camera, and needs an answer to the price', async () => {
    const { psn, optionFilename } = simulator.story.collision;
    await bench.run('sd-list', psn, '--type', 'driving_impact');
    const asked = await bench.run('recall', psn, optionFilename, '--json');
    expect(asked.code).toBe(2);
    simulator.control.setUsage('enterprise', { transferBytesLeft: 1000 });
    simulator.control.clearLog();
    const ran = await bench.run('recall', psn, optionFilename, '--yes', '--json');
    expect(ran.code).toBe(1);
    expect(ran.json()).toMatchObject({ error: { code: 'over_budget' } });
    expect(simulator.control.counters()['deviceContacts']).toEqual({});
    simulator.control.setUsage('enterprise', { transferBytesLeft: 2 ** 36 });
  });

  it('killed in mid-transfer, goes on where it stood: the right file, one charge', async () => {
    const { psn, optionFilename } = simulator.story.collision;
    simulator.control.clearLog();
    simulator.control.addFault({ effect: { kind: 'slow', bytesPerSecond: 40_000 }, match: link, times: 1 });
    const child = bench.start('recall', psn, optionFilename, '--quality', 'main', '--yes', '--json');
    const parts = `${bench.dataFolder}/partial/recalls`;
    const isUnderWay = (): boolean =>
      fs.existsSync(parts) &&
      fs
        .readdirSync(parts)
        .some((name) => name.endsWith('.part') && fs.statSync(`${parts}/${name}`).size > 0);
    while (!isUnderWay()) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGKILL');
    await once(child, 'close');
    const ran = await bench.run('recall', psn, optionFilename, '--quality', 'main', '--yes', '--json');
    expect(ran.code).toBe(0);
    const document = ran.json<RecallDocument>();
    expect(recalls()).toEqual({ [`${psn}/${optionFilename}/main`]: 1 });
    const { baseUrl } = simulator;
    const job = (await (
      await fetch(`${baseUrl}/v1/media/recall-jobs/${document.jobId}`, {
        headers: { Authorization: `Bearer ${simulator.keys.enterprise}` },
      })
    ).json()) as { data: { downloadUrl: string } };
    const whole = Buffer.from(await (await fetch(job.data.downloadUrl)).arrayBuffer());
    expect(createHash('sha256').update(whole).digest('hex')).toBe(document.sha256);
    const second = simulator.control.requests().filter((request) => request.surface === 'link')[1];
    expect(second?.range).toMatch(/^bytes=[1-9]/);
  });
});

describe('what the command line says when it can’t go on', () => {
  const nextFiles = async (psn: string): Promise<string[]> =>
    (await bench.run('sd-list', psn, '--direction', 'front', '--json'))
      .json<{ data: { filename: string }[] }>()
      .data.map((one) => one.filename);

  it('a camera that is away: its last listing with its age and why; without one, the reason alone', async () => {
    const psn = simulator.story.ordinaryPsn;
    simulator.control.setDevice({ psn, offlineForSeconds: 3600 });
    const nothing = await bench.run('sd-list', psn, '--json');
    expect(nothing.code).toBe(1);
    expect(nothing.json()).toMatchObject({ error: { code: 'device_offline' } });

    simulator.control.setDevice({ psn, offlineForSeconds: 0 });
    const fresh = (await bench.run('sd-list', psn, '--json')).json<{ data: unknown[]; fetchedAt: string }>();
    expect(fresh).not.toHaveProperty('problem');
    simulator.control.setDevice({ psn, offlineForSeconds: 3600 });
    const stored = await bench.run('sd-list', psn, '--json');
    expect(stored.code).toBe(3);
    const document = stored.json<{ data: unknown[]; fetchedAt: string }>();
    expect(document).toMatchObject({ problem: { code: 'device_offline' } });
    // When the last page of it came.
    expect(document.fetchedAt >= fresh.fetchedAt).toBe(true);
    expect(Date.parse(document.fetchedAt)).toBeLessThan(Date.now());
    expect(document.data).toHaveLength(fresh.data.length);
    expect(stored.stderr).toContain(document.fetchedAt);
    const filtered = await bench.run('sd-list', psn, '--type', 'driving_impact', '--json');
    expect(filtered.code).toBe(3);
    // An answer of the service is no absence of one.
    simulator.control.setDevice({ psn, offlineForSeconds: 0 });
    const wrong = await bench.run('sd-list', psn, '--type', 'impact', '--json');
    expect([wrong.code, wrong.json<{ error: { code: string } }>().error.code]).toEqual([
      1,
      'invalid_parameter',
    ]);
    const { filename } = fresh.data[0] as { filename: string };
    const told = (await bench.run('metadata', psn, filename, '--json')).json<{ fetchedAt: string }>();
    simulator.control.setDevice({ psn, offlineForSeconds: 3600 });
    const remembered = await bench.run('metadata', psn, filename, '--json');
    expect(remembered.code).toBe(3);
    expect(remembered.json()).toMatchObject({ ...told, problem: { code: 'device_offline' } });
    expect(filtered.json<{ data: { type: string }[] }>().data.every((one) => one.type === 'driving_impact')).toBe(true); // prettier-ignore
  });

  it('Ctrl+C in mid-transfer: what goes on, what is kept, and how to go on or to stop it', async () => {
    const psn = simulator.story.ordinaryPsn;
    const filename = (await nextFiles(psn))[3]!;
    simulator.control.clearLog();
    simulator.control.addFault({ effect: { kind: 'slow', bytesPerSecond: 4000 }, match: link, times: 1 });
    const child = bench.start('recall', psn, filename, '--quality', 'main', '--yes', '--json');
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    const parts = `${bench.dataFolder}/partial/recalls`;
    const isUnderWay = (): boolean =>
      fs.existsSync(parts) && fs.readdirSync(parts).some((name) => name.endsWith('.part') && fs.statSync(`${parts}/${name}`).size > 0); // prettier-ignore
    while (!isUnderWay()) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code).toBe(1);
    const { error } = JSON.parse(stdout) as {
      error: { code: string; title: string; detail: string; extensions: { jobId: string } };
    };
    expect(error.code).toBe('canceled');
    expect(error.title).toContain('goes on uploading');
    expect(error.detail).not.toContain('Nothing was left behind');
    expect(error.detail).toContain(`cancel ${error.extensions.jobId}`);
    expect(fs.readdirSync(parts).some((name) => name.endsWith('.part'))).toBe(true);
    // As it said: the same command goes on, and costs nothing more.
    const again = await bench.run('recall', psn, filename, '--quality', 'main', '--json');
    expect(again.code).toBe(0);
    expect(recalls()).toEqual({ [`${psn}/${filename}/main`]: 1 });
  });

  it('Ctrl+C while the camera is busy: the order is kept, nothing is charged', async () => {
    const psn = simulator.story.ordinaryPsn;
    const filename = (await nextFiles(psn))[4]!;
    simulator.control.clearLog();
    simulator.control.setDevice({ psn, busyForSeconds: 600 });
    const child = bench.start('recall', psn, filename, '--yes', '--json');
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    while (!stderr.includes('Waiting (device_busy)')) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    await once(child, 'close');
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'canceled', title: expect.stringContaining('nothing is charged') as string },
    });
    expect(recalls()).toEqual({});
  });

  it('a link that ran out: says what going on costs, and goes on only when that is agreed to', async () => {
    const psn = simulator.story.ordinaryPsn;
    const filename = (await nextFiles(psn))[5]!;
    simulator.control.clearLog();
    simulator.control.addFault({ effect: { kind: 'drop', bytes: 20_000 }, match: link, times: 1 });
    simulator.control.addFault({ effect: { kind: 'expired' }, match: link, times: 4 });
    const expired = await bench.run('recall', psn, filename, '--quality', 'main', '--yes', '--json');
    expect(expired.code).toBe(1);
    expect(expired.json()).toMatchObject({ error: { code: 'reason_needed' } });
    expect(expired.json<{ error: { detail: string } }>().error.detail).toContain('--yes');
    simulator.control.clearFaults();
    expect(recalls()).toEqual({ [`${psn}/${filename}/main`]: 1 });
    const unasked = await bench.run('recall', psn, filename, '--quality', 'main', '--json');
    expect(unasked.code).toBe(1);
    expect(recalls()).toEqual({ [`${psn}/${filename}/main`]: 1 });
    const agreed = await bench.run('recall', psn, filename, '--quality', 'main', '--yes', '--json');
    expect(agreed.code).toBe(0);
    const document = agreed.json<RecallDocument>();
    expect(document.chargedBytes).toBe(2 * document.sizeBytes);
    expect(recalls()).toEqual({ [`${psn}/${filename}/main`]: 2 });
  });
});

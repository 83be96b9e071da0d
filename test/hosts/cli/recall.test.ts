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

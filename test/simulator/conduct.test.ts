import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { isGoodConduct, sumConduct } from './sumConduct.ts';
import { startSimulator, type Simulator } from './simulator.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'conduct-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A service whose count goes where only this test looks: what it provokes is no part of the run's. */
async function aService(
  name: string,
): Promise<{ simulator: Simulator; sum: () => ReturnType<typeof sumConduct> }> {
  const conductFolder = path.join(folder, name);
  const simulator = await startSimulator({
    clock: 'frozen',
    isRateLimited: false,
    deviceLatencyMs: 30,
    conductFolder,
    nominalSizes: { main: 40_000, sub: 20_000 },
  });
  return { simulator, sum: () => sumConduct(conductFolder) };
}

const agent = 'EvidenceDesk/9.9.9';
function ask(
  simulator: Simulator,
  route: string,
  userAgent = agent,
  signal?: AbortSignal,
): Promise<Response> {
  const { psn } = simulator.story.collision;
  return fetch(`${simulator.baseUrl}/v1/devices/${psn}/sd-files${route}`, {
    headers: { Authorization: `Bearer ${simulator.keys.enterprise}`, 'User-Agent': userAgent },
    ...(signal ? { signal } : {}),
  });
}

it('counts two calls to one camera at once, whoever else calls beside', async () => {
  const { simulator, sum } = await aService('overlap');
  await (await ask(simulator, '')).text();
  expect(sum()).toMatchObject({ contacts: 1, overlapping: 0 });
  await Promise.all([ask(simulator, ''), ask(simulator, '', 'somebody else/1')]);
  expect(sum()).toMatchObject({ contacts: 2, overlapping: 0 });
  await Promise.all([ask(simulator, ''), ask(simulator, '')]);
  expect(sum()).toMatchObject({ contacts: 4, overlapping: 1 });
  expect(isGoodConduct(sum())).toBe(false);
  await simulator.stop();
});

it('a caller that leaves does not end what the camera does', async () => {
  const { simulator, sum } = await aService('leaving');
  const gone = new AbortController();
  const left = ask(simulator, '', agent, gone.signal).catch(() => null);
  while (simulator.control.conduct().length === 0) await new Promise((resolve) => setImmediate(resolve));
  gone.abort();
  await left;
  await (await ask(simulator, '')).text();
  expect(sum()).toMatchObject({ contacts: 2, overlapping: 1 });
  await simulator.stop();
});

it('counts a playback call for a clip that went to its caller whole, in that quality, and not before', async () => {
  const { simulator, sum } = await aService('held');
  const { frontFilename } = simulator.story.collision;
  const play = async (quality: string): Promise<string> => {
    const answer = await ask(simulator, `/${frontFilename}/video?quality=${quality}`);
    const { data } = (await answer.json()) as { data: { url: string } };
    await simulator.control.advance(60_000);
    return data.url;
  };
  const half = await fetch(await play('sub'), { headers: { 'User-Agent': agent, Range: 'bytes=0-9999' } });
  await half.arrayBuffer();
  const url = await play('sub');
  expect(sum()).toMatchObject({ playbacks: 2, forHeld: 0 });
  await (await fetch(url, { headers: { 'User-Agent': agent } })).arrayBuffer();
  await play('main');
  expect(sum()).toMatchObject({ playbacks: 3, forHeld: 0 });
  expect(isGoodConduct(sum())).toBe(true);
  await play('sub');
  expect(sum()).toMatchObject({ playbacks: 4, forHeld: 1 });
  simulator.control.forgetDownloads(frontFilename, 'taken out of the library');
  await play('sub');
  expect(sum()).toMatchObject({ playbacks: 5, forHeld: 1, excuses: { 'taken out of the library': 1 } });
  await simulator.stop();
});

it('a run in which nothing was counted is not a good one', () => {
  expect(isGoodConduct(sumConduct(path.join(folder, 'nowhere')))).toBe(false);
});

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Recall } from '../../../shared/contract/recalls.ts';
import { createCloudRepository } from '../../../main/cache/cloudRepository.ts';
import type { AccountId } from '../../../shared/ids.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { aRecallDesk, listCard, temporaryFolder, type RecallDesk } from './aRecallDesk.ts';

const simulator = await startSimulator({
  clock: 'frozen',
  isRateLimited: false,
  nominalSizes: { main: 800_000, sub: 60_000 },
});
const { control } = simulator;
const psn = simulator.story.collision.psn;
const ask = { path: '/video$', surface: 'api' } as const;
const link = { surface: 'link' } as const;
let folder: string;
let desk: RecallDesk;
let files: string[];

beforeEach(async () => {
  folder = temporaryFolder();
  desk = aRecallDesk(simulator, folder);
  const { rows } = await listCard(desk, psn, { type: 'normal', direction: 'front' });
  files = rows.map((row) => row.parts[0]!.filename);
  control.clearLog();
});
afterEach(async () => {
  await desk.close();
  expect(desk.bugs).toEqual([]);
  control.reset();
  control.setDevice({ psn, uploadBytesPerSecond: 10_000_000, offlineForSeconds: 0 });
  await control.advance(10 * 60_000);
  fs.rmSync(folder, { recursive: true, force: true });
});
afterAll(() => simulator.stop());

let taken = 0;
const nextFile = (): string => files[taken++]!;
const charges = (): number => Object.values(desk.counters().recalls).reduce((sum, count) => sum + count, 0);

/** Closes the app where it stands and starts it again on the same folder; it goes on by itself. */
async function restart(recall: Recall): Promise<Recall> {
  await desk.close();
  expect(desk.bugs).toEqual([]);
  desk = aRecallDesk(simulator, folder);
  return desk.ended(recall);
}

describe('a recall goes on after a restart', () => {
  it('while it waits for a busy camera', async () => {
    control.setDevice({ psn, busyForSeconds: 300 });
    const order = await desk.order(psn, nextFile(), 'sub');
    await desk.until(order.recallId, ({ state }) => state.status === 'waiting');
    expect((await restart(order)).state.status).toBe('done');
    expect(charges()).toBe(1);
  });

  it('behind another one of the same camera', async () => {
    control.setDevice({ psn, uploadBytesPerSecond: 20_000 });
    const first = await desk.order(psn, nextFile(), 'main');
    const second = await desk.order(psn, nextFile(), 'sub');
    await desk.until(first.recallId, ({ state }) => state.status === 'transferring');
    await restart(second);
    const list = await desk.client.invoke('recalls.list', {});
    expect(list.map((recall) => recall.state.status)).toEqual(['done', 'done']);
    expect(charges()).toBe(2);
  });

  it('when the app went away between the request and its answer', async () => {
    // The camera accepts, and the answer never comes.
    control.addFault({ effect: { kind: 'hang' }, match: ask, times: 1, isAfterHandling: true });
    const order = await desk.order(psn, nextFile(), 'sub');
    while (charges() === 0) await new Promise((resolve) => setImmediate(resolve));
    const done = await restart(order);
    expect(done.state.status).toBe('done');
    expect(charges()).toBe(1);
    expect(done.chargedBytes).toBe(done.sizeBytes);
    const spent = createCloudRepository(desk.cache.db).spent('acc_environment' as AccountId, 0, Infinity);
    expect(spent.get('transfer_bytes')).toBe(done.sizeBytes);
  });

  it('in mid-transfer, with the bytes that are here', async () => {
    control.setDevice({ psn, uploadBytesPerSecond: 10_000 });
    const order = await desk.order(psn, nextFile(), 'main');
    await desk.until(
      order.recallId,
      ({ state }) => state.status === 'transferring' && state.receivedBytes > 50_000,
    );
    const done = await restart(order);
    expect(done.state.status).toBe('done');
    expect(charges()).toBe(1);
    const ranges = control
      .requests()
      .flatMap((request) => (request.surface === 'link' ? [request.range] : []));
    expect(ranges.at(-1)).toMatch(/^bytes=[1-9]/);
  });

  it('not by itself when it would be charged again', async () => {
    control.addFault({ effect: { kind: 'drop', bytes: 1000 }, match: link, times: 1 });
    control.addFault({ effect: { kind: 'expired' }, match: link, times: 1 });
    const asks = await desk.recall(psn, nextFile(), 'main');
    expect(asks.state.status).toBe('needs_consent');
    expect((await restart(asks)).state.status).toBe('needs_consent');
    expect(charges()).toBe(1);
  });
});

it('a recall composed without a network waits for it, and goes on by itself', async () => {
  const gone = await startSimulator({ clock: 'ticking', isRateLimited: false });
  const { baseUrl } = gone;
  await gone.stop();
  const offlineFolder = temporaryFolder();
  const offline = aRecallDesk(simulator, offlineFolder, { baseUrl });
  const { recallId } = await offline.order(psn, simulator.story.collision.frontFilename, 'sub');
  const waiting = await offline.until(recallId, ({ state }) => state.status === 'waiting');
  expect(waiting.state).toMatchObject({ for: 'network', problem: { code: 'address_unreachable' } });
  const back = await startSimulator({
    clock: 'ticking',
    isRateLimited: false,
    port: Number(new URL(baseUrl).port),
  });
  const done = await offline.ended({ recallId });
  expect(done.state.status).toBe('done');
  expect(Object.values(back.control.counters()['recalls'] as Record<string, number>)).toEqual([1]);
  await offline.close();
  await back.stop();
  fs.rmSync(offlineFolder, { recursive: true, force: true });
});

describe('canceling', () => {
  it('a recall that only waits needs no question, and costs nothing', async () => {
    control.setDevice({ psn, busyForSeconds: 300 });
    const order = await desk.order(psn, nextFile(), 'sub');
    await desk.until(order.recallId, ({ state }) => state.status === 'waiting');
    const { recallId } = order;
    const canceled = await desk.client.invoke('recalls.cancel', { recallId });
    expect(canceled).toMatchObject({ status: 'canceled', recall: { state: { status: 'canceled' } } });
    expect(charges()).toBe(0);
    expect(desk.counters().deviceContacts[psn]?.kinds).not.toContain('abort');
  });

  it('an upload explains what the abort reaches, asks, and then stops it', async () => {
    control.setDevice({ psn, uploadBytesPerSecond: 10_000 });
    const { recallId } = await desk.order(psn, nextFile(), 'main');
    await desk.until(recallId, ({ state }) => state.status === 'transferring' && state.receivedBytes > 0);
    const asked = await desk.client.invoke('recalls.cancel', { recallId });
    expect(asked).toMatchObject({ status: 'needs_confirmation' });
    if (asked.status === 'needs_confirmation') expect(asked.what).toContain('whatever it is uploading');
    const canceled = await desk.client.invoke('recalls.cancel', { recallId, isConfirmed: true });
    expect(canceled).toMatchObject({ status: 'canceled', recall: { state: { status: 'canceled' } } });
    expect(desk.counters().deviceContacts[psn]).toMatchObject({ overlaps: 0 });
    expect(desk.counters().deviceContacts[psn]?.kinds).toContain('abort');
    expect(fs.readdirSync(path.join(folder, 'data', 'partial', 'recalls'))).toEqual([]);
    await desk.client.invoke('recalls.dismiss', { recallId });
    expect(await desk.client.invoke('recalls.list', {})).toEqual([]);
  });
});

it('ordering a clip again that stopped with a link that lives goes on for free', async () => {
  const filename = nextFile();
  control.addFault({ effect: { kind: 'wrongLength', deltaBytes: -777 }, match: link });
  const stopped = await desk.recall(psn, filename, 'main');
  expect(stopped.state).toMatchObject({ status: 'stopped', retryChargeBytes: 0 });
  control.clearFaults();
  const price = await desk.client.invoke('recalls.price', { items: [{ psn, filename }] });
  expect(price.items[0]!.main).toMatchObject({ chargeBytes: 0, queuedRecallId: stopped.recallId });
  const again = await desk.recall(psn, filename, 'main');
  expect(again).toMatchObject({ recallId: stopped.recallId, requests: 1, state: { status: 'done' } });
  expect(charges()).toBe(1);
});

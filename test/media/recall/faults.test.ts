import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SdRecording } from '../../../shared/cloudResources.ts';
import type { Recall } from '../../../shared/contract/recalls.ts';
import { createRandom } from '../../simulator/random.ts';
import { aFleet } from './aRecallDesk.ts';

const { simulator, desk, folder, end } = await aFleet({
  nominalSizes: { main: 2_500_000, sub: 400_000 },
});
afterAll(end);
const { control } = simulator;
const psn = simulator.story.collision.psn;
const { data } = await desk.cloud.callAll('sdFiles.list', { psn, type: 'normal' });
const files = (data as SdRecording[]).map((recording) => recording.filename);
/** Each test takes files that no other test touches. */
const nextFile = (): string => files.shift()!;

const link = { surface: 'link' } as const;
const ask = { path: '/video$', surface: 'api' } as const;

beforeEach(() => control.clearLog());
afterEach(async () => {
  control.reset();
  control.setDevice({ psn, uploadBytesPerSecond: 10_000_000, offlineForSeconds: 0 });
  await control.advance(120_000);
  expect(desk.bugs.splice(0)).toEqual([]);
});

/** What the service has of a recall's clip, by a link of its own. */
async function referenceSha256(recall: Recall): Promise<string> {
  const { body } = await desk.cloud.call('recallJobs.get', { jobId: recall.jobId! });
  const { downloadUrl } = (body as { data: { downloadUrl: string } }).data;
  const answer = await fetch(downloadUrl);
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
}
async function expectWhole(recall: Recall): Promise<void> {
  expect(recall.state).toMatchObject({ status: 'done', wasHeld: false });
  if (recall.state.status !== 'done') return;
  expect(recall.state.sha256).toBe(await referenceSha256(recall));
  const blob = fs.readFileSync(desk.cache.blobs.pathOf(recall.state.sha256));
  expect(createHash('sha256').update(blob).digest('hex')).toBe(recall.state.sha256);
}
const charges = (): number => Object.values(desk.counters().recalls).reduce((sum, count) => sum + count, 0);
const problemCode = (recall: Recall): unknown =>
  recall.state.status === 'stopped'
    ? ((recall.state.error.details?.problem as { code?: string } | undefined)?.code ??
      recall.state.error.code)
    : recall.state.status;

describe('the link', () => {
  it('breaks at random bytes, 50 times: the right hash in the end, and no second charge', async () => {
    const random = createRandom(7, 'drops');
    for (let i = 0; i < 50; i++) {
      const bytes = random.integer(0, 399_999);
      control.addFault({ effect: { kind: 'drop', bytes }, match: link, times: 1 });
      if (i % 5 === 0)
        control.addFault({
          effect: { kind: 'drop', bytes: random.integer(0, 50_000) },
          match: link,
          times: 2,
        });
      const recall = await desk.recall(psn, nextFile(), 'sub');
      control.clearFaults();
      await expectWhole(recall);
      expect(recall.chargedBytes).toBe(recall.sizeBytes);
      expect(recall.requests).toBe(1);
    }
    expect(charges()).toBe(50);
  });

  it('is served by a media server that ignores ranges', async () => {
    control.addFault({ effect: { kind: 'drop', bytes: 1_000_000 }, match: link, times: 1 });
    control.addFault({ effect: { kind: 'ignoreRange' }, match: link });
    await expectWhole(await desk.recall(psn, nextFile(), 'main'));
    expect(charges()).toBe(1);
  });

  it('runs out in mid-download: asks before it is charged again, and goes on when the user agrees', async () => {
    control.addFault({ effect: { kind: 'drop', bytes: 1_000_000 }, match: link, times: 1 });
    control.addFault({ effect: { kind: 'expired' }, match: link, times: 3 });
    const recall = await desk.recall(psn, nextFile(), 'main');
    expect(recall.state).toMatchObject({ status: 'needs_consent', chargeBytes: recall.sizeBytes });
    expect(charges()).toBe(1);
    await control.advance(60_000);
    const { recallId } = recall;
    await expect(desk.client.invoke('recalls.retry', { recallId })).rejects.toMatchObject({
      code: 'reason_needed',
    });
    expect(charges()).toBe(1);
    control.clearFaults();
    await desk.client.invoke('recalls.retry', { recallId, isCostAccepted: true });
    const done = await desk.ended(recall);
    await expectWhole(done);
    expect(done.chargedBytes).toBe(2 * done.sizeBytes!);
    expect(charges()).toBe(2);
  });

  it('stops a file that is longer than announced', async () => {
    control.addFault({ effect: { kind: 'wrongLength', deltaBytes: 777 }, match: link });
    const recall = await desk.recall(psn, nextFile(), 'sub');
    expect(problemCode(recall)).toBe('download_damaged');
    expect(charges()).toBe(1);
  });

  it('stops a file that stays shorter than announced, and takes the right one later for free', async () => {
    control.addFault({ effect: { kind: 'wrongLength', deltaBytes: -777 }, match: link });
    const recall = await desk.recall(psn, nextFile(), 'sub');
    expect(problemCode(recall)).toBe('download_damaged');
    control.clearFaults();
    await desk.client.invoke('recalls.retry', { recallId: recall.recallId });
    await expectWhole(await desk.ended(recall));
    expect(charges()).toBe(1);
  });

  it('follows an upload that is slower than the download', async () => {
    control.setDevice({ psn, uploadBytesPerSecond: 20_000 });
    const recall = await desk.recall(psn, nextFile(), 'main');
    await expectWhole(recall);
    const seen = desk.events.flatMap(({ name, payload }) =>
      name === 'recalls.changed' && (payload as Recall).recallId === recall.recallId
        ? [(payload as Recall).state]
        : [],
    );
    const server = seen.flatMap((state) =>
      state.status === 'transferring' && state.serverBytes !== null ? [state.serverBytes] : [],
    );
    expect(server.length).toBeGreaterThan(10);
    expect(server).toEqual([...server].sort((a, b) => a - b));
  });

  it('needs no probe: without receivedBytes everything works', async () => {
    control.setModes({ isProbeDead: true, isNullExpiry: true });
    control.setDevice({ psn, uploadBytesPerSecond: 100_000 });
    control.addFault({ effect: { kind: 'drop', bytes: 300_000 }, match: link, times: 1 });
    await expectWhole(await desk.recall(psn, nextFile(), 'main'));
  });

  it('brings a clip of unknown size whole', async () => {
    control.setModes({ isNullSizes: true });
    control.setDevice({ psn, uploadBytesPerSecond: 100_000 });
    control.addFault({ effect: { kind: 'drop', bytes: 300_000 }, match: link, times: 1 });
    const recall = await desk.recall(psn, nextFile(), 'sub');
    await expectWhole(recall);
    expect(recall.chargedBytes).toBe(8 * 2 ** 20);
  });
});

describe('the camera', () => {
  it('is busy for less than the deadline: waited for with a countdown', async () => {
    control.setDevice({ psn, busyForSeconds: 42 });
    const order = await desk.order(psn, nextFile(), 'sub', { deadlineSeconds: 300 });
    const waiting = await desk.until(order.recallId, (recall) => recall.state.status === 'waiting');
    expect(waiting.state).toMatchObject({ for: 'device_busy' });
    if (waiting.state.status === 'waiting')
      expect(waiting.state.untilMs - control.now()).toBeLessThanOrEqual(5000);
    await expectWhole(await desk.ended(order));
    expect(charges()).toBe(1);
  });

  it('is busy for longer than the deadline: given up with the reason, nothing charged', async () => {
    control.setDevice({ psn, busyForSeconds: 600 });
    const beganMs = control.now();
    const recall = await desk.recall(psn, nextFile(), 'sub', { deadlineSeconds: 60 });
    expect(problemCode(recall)).toBe('device_busy');
    expect(control.now() - beganMs).toBeLessThanOrEqual(61_000);
    expect(recall.chargedBytes).toBe(0);
    expect(charges()).toBe(0);
  });

  it('is offline: waited for without a deadline, given up at one', async () => {
    control.setDevice({ psn, offlineForSeconds: 900 });
    const late = await desk.recall(psn, nextFile(), 'sub', { deadlineSeconds: 120 });
    expect(problemCode(late)).toBe('device_offline');
    const { cameras } = await desk.client.invoke('cards.cameras', {});
    expect(cameras.find(({ device }) => device.psn === psn)?.obstacle?.reason).toBe('offline');
    await expectWhole(await desk.recall(psn, nextFile(), 'sub'));
    expect(charges()).toBe(1);
  });

  it('comes back just before the deadline: asked once more at it, not given up a pause earlier', async () => {
    control.setDevice({ psn, offlineForSeconds: 15 });
    await expectWhole(await desk.recall(psn, nextFile(), 'sub', { deadlineSeconds: 20 }));
    expect(charges()).toBe(1);
  });

  it('goes offline in mid-upload: the recall stops, and would be charged again only with consent', async () => {
    control.setDevice({ psn, uploadBytesPerSecond: 10_000 });
    const order = await desk.order(psn, nextFile(), 'main');
    await desk.until(
      order.recallId,
      ({ state }) => state.status === 'transferring' && state.receivedBytes > 0,
    );
    control.setDevice({ psn, offlineForSeconds: 3600 });
    const recall = await desk.ended(order);
    expect(recall.state).toMatchObject({ status: 'stopped', retryChargeBytes: recall.priceBytes });
    await expect(desk.client.invoke('recalls.retry', { recallId: order.recallId })).rejects.toThrow();
    expect(charges()).toBe(1);
  });

  it('did not answer in time, but had accepted: its job is taken up, no second request', async () => {
    control.addFault({
      effect: { kind: 'problem', code: 'command_timeout' },
      match: ask,
      times: 1,
      isAfterHandling: true,
    });
    const recall = await desk.recall(psn, nextFile(), 'sub');
    await expectWhole(recall);
    expect(charges()).toBe(1);
    expect(recall).toMatchObject({ chargedBytes: recall.sizeBytes, requests: 1 });
  });

  it('did not answer in time and had not accepted: asked again', async () => {
    control.addFault({ effect: { kind: 'problem', code: 'command_timeout' }, match: ask, times: 2 });
    await expectWhole(await desk.recall(psn, nextFile(), 'sub', { deadlineSeconds: 600 }));
    expect(charges()).toBe(1);
  });

  it('accepted and the answer was lost on the way: taken up, no second charge', async () => {
    control.addFault({ effect: { kind: 'drop', bytes: 0 }, match: ask, times: 1 });
    await expectWhole(await desk.recall(psn, nextFile(), 'sub'));
    expect(charges()).toBe(1);
  });

  it('has no such recording: stops with the reason, nothing charged', async () => {
    const recall = await desk.recall(psn, '20200101_000000_NF.mp4', 'sub');
    expect(problemCode(recall)).toBe('file_not_found');
    expect(charges()).toBe(0);
  });
});

describe('this machine', () => {
  it('sleeps an hour in mid-transfer: asks before it pays twice, and then goes on from the server’s copy', async () => {
    control.setDevice({ psn, uploadBytesPerSecond: 50_000 });
    // The connection does not live through it.
    control.addFault({ effect: { kind: 'drop', bytes: 200_000 }, match: link, times: 1 });
    control.addFault({ effect: { kind: 'drop', bytes: 0 }, match: link });
    const order = await desk.order(psn, nextFile(), 'main');
    await desk.until(
      order.recallId,
      ({ state }) => state.status === 'transferring' && state.receivedBytes > 0,
    );
    desk.timing.jumpMs = 3_600_000;
    while (desk.timing.jumpMs > 0) await new Promise((resolve) => setImmediate(resolve));
    control.clearFaults();
    const recall = await desk.ended(order);
    // The upload went on without this machine, and the link ran out meanwhile: all of it waits at the service.
    expect(recall.state).toMatchObject({ status: 'needs_consent', isCopyLikely: true });
    expect(charges()).toBe(1);
    await desk.client.invoke('recalls.retry', { recallId: order.recallId, isCostAccepted: true });
    await expectWhole(await desk.ended(order));
    expect(charges()).toBe(2);
  });

  it('sleeps an hour, and the connection lives through it: goes on, and pays once', async () => {
    control.setDevice({ psn, uploadBytesPerSecond: 50_000 });
    const order = await desk.order(psn, nextFile(), 'main');
    await desk.until(
      order.recallId,
      ({ state }) => state.status === 'transferring' && state.receivedBytes > 0,
    );
    desk.timing.jumpMs = 3_600_000;
    const recall = await desk.ended(order);
    expect(recall.state).toMatchObject({ status: 'done', sizeBytes: recall.sizeBytes, wasHeld: false });
    expect(charges()).toBe(1);
  });

  it('sleeps an hour while it waits for a busy camera: the deadline has passed', async () => {
    control.setDevice({ psn, busyForSeconds: 7200 });
    const order = await desk.order(psn, nextFile(), 'sub', { deadlineSeconds: 600 });
    await desk.until(order.recallId, ({ state }) => state.status === 'waiting');
    desk.timing.jumpMs = 3_600_000;
    expect(problemCode(await desk.ended(order))).toBe('device_busy');
    expect(charges()).toBe(0);
  });

  it('has a full disk: stops and says so; goes on for free once there is room', async () => {
    control.setDevice({ psn, busyForSeconds: 8 });
    const order = await desk.order(psn, nextFile(), 'sub');
    const part = path.join(folder, 'data', 'partial', 'recalls', `${order.recallId}.mp4.part`);
    fs.mkdirSync(path.dirname(part), { recursive: true });
    fs.symlinkSync('/dev/full', part);
    const recall = await desk.ended(order);
    expect(problemCode(recall)).toBe('disk_full');
    expect(recall.state).toMatchObject({ retryChargeBytes: 0 });
    fs.unlinkSync(part);
    await desk.client.invoke('recalls.retry', { recallId: order.recallId });
    await expectWhole(await desk.ended(order));
    expect(charges()).toBe(1);
  });

  it('has no network when the recall is composed: it waits, and goes on by itself', async () => {
    control.addFault({ effect: { kind: 'drop', bytes: 0 }, match: { surface: 'api', path: '/video$|recall-jobs|usage' }, times: 9 }); // prettier-ignore
    control.addFault({ effect: { kind: 'problem', code: 'upstream_unavailable' }, match: ask, times: 2 });
    const order = await desk.order(psn, nextFile(), 'sub');
    const done = await desk.ended(order);
    await expectWhole(done);
    expect(charges()).toBe(1);
  });
});

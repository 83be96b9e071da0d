import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { SdRecording } from '../../../shared/cloudResources.ts';
import { createCloudRepository } from '../../../main/cache/cloudRepository.ts';
import { createCustodyRepository } from '../../../main/cache/custodyRepository.ts';
import { aFleet, listCard } from './aRecallDesk.ts';

const { simulator, desk, end } = await aFleet({ nominalSizes: { main: 700_000, sub: 9_000_000 } });
afterAll(end);
const { control } = simulator;
const psn = simulator.story.collision.psn;
const listing = await listCard(desk, psn, { type: 'normal', direction: 'front' });
const recordings = listing.rows.flatMap((row) => row.parts.map((part): SdRecording => part.raw));
const files = recordings.map((recording) => recording.filename);
const sizes = new Map(recordings.map((recording) => [recording.filename, recording]));
const repository = createCloudRepository(desk.cache.db);
const accountId = desk.cloud.media.queue.list()[0]?.accountId ?? ('acc_environment' as never);

const serverUsed = (): number => control.state('enterprise')['transferUsedBytes'] as number;
function ledgerOfMonth(): number {
  const now = new Date(control.now());
  const fromMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  return repository.spent(accountId, fromMs, Infinity).get('transfer_bytes') ?? 0;
}
const deviceCalls = (): readonly string[] =>
  control
    .requests()
    .filter((request) => request.deviceContact !== null)
    .map((request) => `${request.method} ${request.path}`);

describe('the month’s allowance', () => {
  beforeEach(() => control.clearLog());

  it('one byte less than the file: refused before any camera is contacted', async () => {
    const filename = files.shift()!;
    const size = sizes.get(filename)!.subSizeBytes!;
    control.setUsage('enterprise', { transferBytesLeft: size - 1 });
    await expect(desk.order(psn, filename, 'sub', { reason: 'needed' })).rejects.toMatchObject({
      code: 'over_budget',
    });
    const price = await desk.client.invoke('recalls.price', { items: [{ psn, filename }] });
    expect(price.sub).toMatchObject({ level: 'refused', chargeBytes: size });
    expect(price.budget.leftBytes).toBe(size - 1);
    expect(deviceCalls()).toEqual([]);
    expect(desk.cloud.media.queue.list()).toEqual([]);
  });

  it('exactly enough: allowed with a reason, and the ledger equals what the service counted', async () => {
    const filename = files.shift()!;
    const size = sizes.get(filename)!.subSizeBytes!;
    control.setUsage('enterprise', { transferBytesLeft: size });
    const before = { server: serverUsed(), ledger: ledgerOfMonth() };
    await expect(desk.order(psn, filename, 'sub')).rejects.toMatchObject({ code: 'reason_needed' });
    expect(deviceCalls()).toEqual([]);
    const recall = await desk.recall(psn, filename, 'sub', { reason: 'The only clip of the impact.' });
    expect(recall.state.status).toBe('done');
    expect(serverUsed() - before.server).toBe(size);
    expect(ledgerOfMonth() - before.ledger).toBe(size);
    const budget = await desk.client.invoke('recalls.budget', { isFresh: true });
    expect(budget.leftBytes).toBe(0);
    const order = createCustodyRepository(desk.cache.db)
      .list()
      .findLast((entry) => entry.action === 'clip.order');
    expect(order?.detail).toMatchObject({ reason: 'The only clip of the impact.', level: 'red' });
  });

  it('counts what waits in the queue before it is charged', async () => {
    const [one, two] = [files.shift()!, files.shift()!];
    const size = sizes.get(one)!.subSizeBytes!;
    control.setUsage('enterprise', { transferBytesLeft: size + 1000 });
    control.setDevice({ psn, busyForSeconds: 5 });
    const first = await desk.order(psn, one, 'sub', { reason: 'first' });
    await expect(desk.order(psn, two, 'sub', { reason: 'second' })).rejects.toMatchObject({
      code: 'over_budget',
    });
    expect((await desk.ended(first)).state.status).toBe('done');
  });

  it('warns where the service checks a first recall against its flat figure, and stops when it refuses', async () => {
    const filename = files.shift()!;
    const size = sizes.get(filename)!.mainSizeBytes!;
    control.setUsage('enterprise', { transferBytesLeft: size + 1 });
    const price = await desk.client.invoke('recalls.price', { items: [{ psn, filename }], isFresh: true });
    expect(price.items[0]!.main).toMatchObject({ chargeBytes: size, mayBeRefusedByService: true });
    const recall = await desk.recall(psn, filename, 'main', { reason: 'try' });
    expect(recall.state).toMatchObject({ status: 'stopped' });
    expect(recall.chargedBytes).toBe(0);
    expect(deviceCalls()).toEqual([]);
  });

  it('refuses at the turn of a recall whose allowance others used up while it waited', async () => {
    const filename = files.shift()!;
    const size = sizes.get(filename)!.subSizeBytes!;
    control.setUsage('enterprise', { transferBytesLeft: size });
    control.setDevice({ psn, busyForSeconds: 600 });
    const order = await desk.order(psn, filename, 'sub', { reason: 'wait' });
    await desk.until(order.recallId, ({ state }) => state.status === 'waiting');
    control.setUsage('enterprise', { transferBytesLeft: size - 1 });
    const recall = await desk.ended(order);
    expect(recall.state).toMatchObject({ status: 'stopped', error: { code: 'over_budget' } });
    expect(recall.chargedBytes).toBe(0);
    control.setDevice({ psn, busyForSeconds: 0 });
  });

  it('says levels, shares, the reset and the time that earlier transfers let expect', async () => {
    control.setUsage('enterprise', { transferBytesLeft: 100 * 2 ** 30 });
    const filename = files[0]!;
    const price = await desk.client.invoke('recalls.price', { items: [{ psn, filename }], isFresh: true });
    expect(price.sub.level).toBe('green');
    expect(price.sub.shareOfMonth).toBeCloseTo(price.sub.chargeBytes / price.budget.limitBytes!);
    expect(price.budget.daysToReset).toBe(18);
    expect(price.sub.expectedSeconds).toBeGreaterThan(0);
    expect(price.items[0]!.sub.sizeFrom).toBe('listing');
    const unknown = { psn, filename: '20260101_000000_NF.mp4' };
    const guess = await desk.client.invoke('recalls.price', { items: [unknown] });
    expect(guess.items[0]).toMatchObject({
      sub: { sizeBytes: 8 * 2 ** 20, sizeFrom: 'estimate' },
      main: { sizeBytes: 150 * 2 ** 20, sizeFrom: 'estimate' },
    });
  });
});

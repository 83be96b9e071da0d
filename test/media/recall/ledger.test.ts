import { afterAll, expect, it } from 'vitest';
import { createCloudRepository } from '../../../main/cache/cloudRepository.ts';
import type { AccountId } from '../../../shared/ids.ts';
import { createRandom } from '../../simulator/random.ts';
import { aFleet, listCard } from './aRecallDesk.ts';

const { simulator, desk, end } = await aFleet({ nominalSizes: { main: 200_000, sub: 50_000 } });
afterAll(end);
const { control } = simulator;
const psn = simulator.story.collision.psn;
const repository = createCloudRepository(desk.cache.db);
const accountId = 'acc_environment' as AccountId; // the account that the environment names

/** As if the user had taken the clips of a recording out of the library. */
function forget(filename: string): void {
  const { db } = desk.cache;
  db.prepare('DELETE FROM clip WHERE main_name = ?').run(filename);
  db.prepare('DELETE FROM source WHERE file_name = ?').run(filename);
  db.prepare('UPDATE recall SET sha256 = NULL WHERE filename = ?').run(filename);
  control.forgetDownloads(
    filename,
    'the ledger’s sequences take clips out of the library, to ask for them again',
  );
}

const serverUsed = (): number => control.state('enterprise')['transferUsedBytes'] as number;
function ledgerOfMonth(): number {
  const now = new Date(control.now());
  const fromMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  return repository.spent(accountId, fromMs, Infinity).get('transfer_bytes') ?? 0;
}

it('keeps the ledger equal to the service’s figure over 200 random sequences', async () => {
  const random = createRandom(42, 'ledger');
  const { rows } = await listCard(desk, psn, { type: 'driving_impact' });
  const pool = rows.flatMap((row) => row.parts.map((part) => part.filename)).slice(0, 6);
  expect(pool.length).toBeGreaterThan(1);
  const ask = { path: '/video$', surface: 'api' } as const;
  const statuses = new Map<string, number>();
  let months = 0;
  control.setUsage('enterprise', { transferBytesLeft: 100 * 2 ** 30 });
  let offset = serverUsed() - ledgerOfMonth();
  let month = new Date(control.now()).getUTCMonth();
  for (let sequence = 0; sequence < 200; sequence++) {
    control.clearFaults();
    control.setModes({ isNullSizes: random.chance(0.2) });
    for (let step = random.integer(1, 2); step > 0; step--) {
      const filename = pool[random.integer(0, pool.length - 1)]!;
      const quality = random.chance(0.15) ? 'sub' : 'main';
      // As if the clip had been lost: otherwise a repeat would never reach the service.
      forget(filename);
      const fault = random.integer(0, 9);
      if (fault === 0) control.addFault({ effect: { kind: 'problem', code: 'command_timeout' }, match: ask, times: 1, isAfterHandling: true }); // prettier-ignore
      if (fault === 1) control.addFault({ effect: { kind: 'drop', bytes: 0 }, match: ask, times: 1 });
      if (fault === 2) control.addFault({ effect: { kind: 'problem', code: 'upstream_unavailable' }, match: ask, times: 1 }); // prettier-ignore
      if (fault === 3) control.setDevice({ psn, busyForSeconds: random.integer(1, 40) });
      if (fault === 4) control.addFault({ effect: { kind: 'cut', bytes: 20 }, match: ask, times: 1 });
      const order = await desk.order(psn, filename, quality, { deadlineSeconds: 3600 });
      if (random.chance(0.3)) {
        const stage = random.chance(0.5) ? 'starting' : 'transferring';
        await desk.until(order.recallId, ({ state }) => state.status !== 'queued' && (state.status === stage || state.status !== 'starting')); // prettier-ignore
        await desk.client.invoke('recalls.cancel', { recallId: order.recallId, isConfirmed: true });
      }
      const ended = await desk.ended(order);
      statuses.set(ended.state.status, (statuses.get(ended.state.status) ?? 0) + 1);
    }
    // Now and then hours, days, or the end of the month go by.
    if (random.chance(0.2)) await control.advance(random.integer(1, 60) * 3_600_000);
    const nowMonth = new Date(control.now()).getUTCMonth();
    if (nowMonth !== month) {
      month = nowMonth;
      months++;
      offset = 0;
    }
    expect({ sequence, used: serverUsed() }).toEqual({ sequence, used: offset + ledgerOfMonth() });
    const budget = await desk.client.invoke('recalls.budget', { isFresh: true });
    expect(budget.leftBytes).toBe(budget.limitBytes! - serverUsed());
  }
  expect(months).toBeGreaterThan(0);
  expect(statuses.get('done')).toBeGreaterThan(50);
  expect(statuses.get('canceled')).toBeGreaterThan(20);
  expect(desk.bugs).toEqual([]);
});

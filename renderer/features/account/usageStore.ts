import { createStore } from 'zustand/vanilla';
import type { UsageReport } from '../../../shared/contract/cloud.ts';
import { AppError } from '../../../shared/errors.ts';
import { onReconnected, type Host } from '../../app/client/index.ts';
import { activeAccount, type AccountStore } from './accountStore.ts';
import { isOldMs } from './freshness.ts';
import { createKeptReader, nothingKept, type Kept } from './kept.ts';

export interface UsageState {
  readonly report: Kept<UsageReport>;
}

/** Usage of the active account with the app's own ledger beside it. */
export function createUsageStore(host: Host, accounts: AccountStore, nowMs: () => number = Date.now) {
  const { client } = host;
  const store = createStore<UsageState>(() => ({ report: nothingKept }));
  const report = createKeptReader<UsageReport>(
    () => store.getState().report,
    (next) => store.setState({ report: next }),
  );
  let isOpened = false;

  const read = (isFresh: boolean) =>
    report.read(async () => {
      const answer = await client.invoke('usage.read', { isFresh });
      if (answer === null) {
        throw new AppError('not_found', 'No figures were fetched yet.', { remedy: 'Refresh.' });
      }
      return answer;
    });

  /** What is on this machine first, then the service where that is old. */
  async function open(): Promise<void> {
    isOpened = true;
    if (activeAccount(accounts.store.getState()) === null) return;
    await read(false);
    const { value } = store.getState().report;
    if (value && isOldMs(value.fetchedAtMs, nowMs())) await read(true);
  }

  onReconnected(host.connection, () => {
    if (isOpened) void open();
  });
  accounts.onActiveChanged(() => report.forget());
  client.on('usage.changed', ({ accountId }) => {
    const shown = store.getState().report;
    // Another window fetched it; a read of this one's own is on its way to show it.
    if (isOpened && !shown.isReading && activeAccount(accounts.store.getState())?.accountId === accountId) {
      void read(false);
    }
  });

  return {
    store,
    open,
    /** Asks the service: one API call. */
    refresh: () => read(true),
  };
}
export type UsageStore = ReturnType<typeof createUsageStore>;

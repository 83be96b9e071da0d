import { createStore } from 'zustand/vanilla';
import type { CloudAccount, ConnectionReport } from '../../../shared/contract/cloud.ts';
import type { AccountId } from '../../../shared/ids.ts';
import { onReconnected, type Host } from '../../app/client/index.ts';
import { createReader, loading, type Loadable } from '../../ui/index.ts';

export interface AccountsState {
  readonly list: Loadable<readonly CloudAccount[]>;
}

/** The account that everything of the cloud runs on; null without one, and until the list was read. */
export function activeAccount({ list }: AccountsState): CloudAccount | null {
  return list.status === 'ready' ? (list.value.find((account) => account.isActive) ?? null) : null;
}

/**
 * The accounts, kept the same as the core's. A key passes through `test` and `add` and is kept nowhere here. Nothing is
 * read before `refresh`: the core loads its way to the cloud at the first question.
 */
export function createAccountStore(host: Host) {
  const { client } = host;
  const store = createStore<AccountsState>(() => ({ list: loading }));
  const read = createReader<readonly CloudAccount[]>((list) => store.setState({ list }));
  let isAsked = false;
  const refresh = () => {
    isAsked = true;
    return read(() => client.invoke('accounts.list', {}));
  };
  /** A change is shown at once, without waiting for the event. */
  async function thenRefresh<T>(act: Promise<T>): Promise<T> {
    const result = await act;
    await refresh();
    return result;
  }

  client.on('accounts.changed', () => void refresh());
  onReconnected(host.connection, () => {
    if (isAsked) void refresh();
  });

  return {
    store,
    refresh,
    /** Tries an address and key; stores nothing. Rejects with AppError; a problem of the service is in the report. */
    test: (baseUrl: string, apiKey: string): Promise<ConnectionReport> =>
      client.invoke('accounts.test', { baseUrl, apiKey }),
    /** Tries a stored account; its tier may be newly known afterwards. */
    check: (accountId: AccountId): Promise<ConnectionReport> =>
      thenRefresh(client.invoke('accounts.check', { accountId })),
    add: (account: { label: string; baseUrl: string; apiKey: string }): Promise<CloudAccount> =>
      thenRefresh(client.invoke('accounts.add', account)),
    rename: (accountId: AccountId, label: string): Promise<CloudAccount> =>
      thenRefresh(client.invoke('accounts.rename', { accountId, label })),
    activate: (accountId: AccountId): Promise<CloudAccount> =>
      thenRefresh(client.invoke('accounts.activate', { accountId })),
    remove: (accountId: AccountId): Promise<null> =>
      thenRefresh(client.invoke('accounts.remove', { accountId })),
    /** Starts the simulated fleet on this machine and makes it the active account. */
    startDemo: (): Promise<CloudAccount> => thenRefresh(client.invoke('demo.start', {})),
    stopDemo: (): Promise<null> => thenRefresh(client.invoke('demo.stop', {})),
    /** Calls `listener` when another account (or none) became the active one. */
    onActiveChanged(listener: (accountId: AccountId | null) => void): () => void {
      let before = activeAccount(store.getState())?.accountId ?? null;
      return store.subscribe((state) => {
        if (state.list.status !== 'ready') return;
        const now = activeAccount(state)?.accountId ?? null;
        if (now === before) return;
        before = now;
        listener(now);
      });
    },
  };
}
export type AccountStore = ReturnType<typeof createAccountStore>;

import { createStore } from 'zustand/vanilla';
import type { DeviceListing, ExportOrder } from '../../../shared/contract/cloud.ts';
import type { InputOf, OutputOf } from '../../../shared/contract/index.ts';
import type { JobId } from '../../../shared/ids.ts';
import { onReconnected, type Host } from '../../app/client/index.ts';
import { activeAccount, type AccountStore } from './accountStore.ts';
import { isOldMs } from './freshness.ts';
import { createKeptReader, nothingKept, type Kept } from './kept.ts';

export type ExportListing = OutputOf<'exports.list'>;

export interface ExportsState {
  readonly listing: Kept<ExportListing>;
  readonly devices: Kept<DeviceListing>;
}

/** Newest first; orders without a stated time come first: they were made just now. */
export function byNewest(orders: readonly ExportOrder[]): readonly ExportOrder[] {
  const at = ({ job }: ExportOrder) => {
    const ms = Date.parse(job.createdAt ?? '');
    return Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms;
  };
  return [...orders].sort((a, b) => at(b) - at(a) || (a.job.jobId < b.job.jobId ? 1 : -1));
}

/** GPS exports and cameras of the active account; follows the core's events and the change of accounts. */
export function createExportStore(host: Host, accounts: AccountStore, nowMs: () => number = Date.now) {
  const { client } = host;
  const store = createStore<ExportsState>(() => ({ listing: nothingKept, devices: nothingKept }));
  const listing = createKeptReader<ExportListing>(
    () => store.getState().listing,
    (next) => store.setState({ listing: next }),
  );
  const devices = createKeptReader<DeviceListing>(
    () => store.getState().devices,
    (next) => store.setState({ devices: next }),
  );
  let isOpened = false;

  const readListing = (isFresh: boolean) =>
    listing.read(async () => {
      const answer = await client.invoke('exports.list', { isFresh });
      return { ...answer, orders: byNewest(answer.orders) };
    });
  const readDevices = (isFresh: boolean) =>
    devices.read(() => client.invoke('cloudDevices.list', { isFresh }));

  function take(order: ExportOrder): void {
    const { value } = store.getState().listing;
    if (activeAccount(accounts.store.getState())?.accountId !== order.accountId || value === null) return;
    const others = value.orders.filter((known) => known.job.jobId !== order.job.jobId);
    store.setState({
      listing: {
        ...store.getState().listing,
        value: { ...value, orders: byNewest([order, ...others]) },
      },
    });
  }

  /** What is on this machine first, then the service where that is old. */
  async function open(): Promise<void> {
    isOpened = true;
    if (activeAccount(accounts.store.getState()) === null) return;
    await Promise.all([
      readListing(false).then(() => {
        const { value } = store.getState().listing;
        if (value && isOldMs(value.fetchedAtMs, nowMs())) return readListing(true);
        return undefined;
      }),
      readDevices(false),
    ]);
  }

  client.on('exports.changed', take);
  onReconnected(host.connection, () => {
    if (isOpened) void open();
  });
  accounts.onActiveChanged(() => {
    listing.forget();
    devices.forget();
  });

  return {
    store,
    open,
    /** The cameras alone, for a screen that wants their names. */
    openDevices: async (): Promise<void> => {
      if (store.getState().devices.value === null) await readDevices(false);
    },
    /** Asks the service for the list of exports. */
    refresh: () => readListing(true),
    refreshDevices: () => readDevices(true),
    /** Orders an export. Rejects with AppError; both 409 codes leave the list showing the job in the way. */
    async order(input: InputOf<'exports.order'>): Promise<ExportOrder> {
      try {
        const order = await client.invoke('exports.order', input);
        take(order);
        return order;
      } catch (error) {
        // Refused or not, what the service says now is what the user needs to see beside the reason.
        void readListing(true);
        throw error;
      }
    },
    async cancel(jobId: string): Promise<ExportOrder> {
      const order = await client.invoke('exports.cancel', { jobId });
      take(order);
      return order;
    },
    /** Downloads and imports a completed export as a job of the tray. */
    async fetch(jobId: string): Promise<JobId> {
      const { jobId: trayJobId } = await client.invoke('exports.fetch', { jobId });
      return trayJobId;
    },
  };
}
export type ExportStore = ReturnType<typeof createExportStore>;

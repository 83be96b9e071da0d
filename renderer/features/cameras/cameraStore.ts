import { createStore } from 'zustand/vanilla';
import type { CameraEntry, CameraGroup, CameraListing } from '../../../shared/contract/cards.ts';
import { onReconnected, type Host } from '../../app/client/index.ts';
import { activeAccount, type AccountStore } from '../account/index.ts';
import { createKeptReader, nothingKept, type Kept } from '../account/kept.ts';

export interface CamerasState {
  readonly listing: Kept<CameraListing>;
  /** Of the listing: null is the whole organization. */
  readonly groupId: string | null;
  readonly groups: readonly CameraGroup[];
  readonly text: string;
}

/** What a text search looks at. */
function wordsOf({ device }: CameraEntry): string {
  const vehicle = Object.values(vehicleOf(device)).filter((value) => value !== null);
  return [device.name ?? '', device.psn, ...vehicle].join(' ').toLowerCase();
}

/** The vehicle of a camera as far as the service said it; its fields may be missing or of another kind. */
export function vehicleOf(device: CameraEntry['device']): {
  readonly plate: string | null;
  readonly maker: string | null;
  readonly model: string | null;
  readonly year: string | null;
} {
  const { vehicle } = device;
  const fields = typeof vehicle === 'object' && vehicle !== null ? (vehicle as Record<string, unknown>) : {};
  const read = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' && value !== ''
      ? value
      : typeof value === 'number'
        ? String(value)
        : null;
  };
  return { plate: read('plate'), maker: read('maker'), model: read('model'), year: read('year') };
}

/** Cameras whose name, serial, plate or vehicle holds every word. */
export function filterCameras(cameras: readonly CameraEntry[], text: string): readonly CameraEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return cameras;
  return cameras.filter((camera) => {
    const all = wordsOf(camera);
    return words.every((word) => all.includes(word));
  });
}

/** The active account's cameras and groups. Reads what is on this machine first; the service where asked to. */
export function createCameraStore(host: Host, accounts: AccountStore) {
  const { client } = host;
  const store = createStore<CamerasState>(() => ({
    listing: nothingKept,
    groupId: null,
    groups: [],
    text: '',
  }));
  const listing = createKeptReader<CameraListing>(
    () => store.getState().listing,
    (next) => store.setState({ listing: next }),
  );
  let isOpened = false;

  const read = (isFresh: boolean) => {
    const { groupId } = store.getState();
    return listing.read(() =>
      client.invoke('cards.cameras', { isFresh, ...(groupId === null ? {} : { groupId }) }),
    );
  };
  /** Groups only narrow the list: without them it works all the same. */
  const readGroups = (isFresh: boolean) =>
    client.invoke('groups.list', { isFresh }).then(
      ({ groups }) => store.setState({ groups }),
      () => undefined,
    );

  async function open(): Promise<void> {
    isOpened = true;
    if (activeAccount(accounts.store.getState()) === null) return;
    await Promise.all([
      read(false).then(() => {
        // Never listed on this machine: there is nothing to show until the service is asked.
        const { value } = store.getState().listing;
        return value !== null && value.fetchedAtMs === null && value.problem === null
          ? read(true)
          : undefined;
      }),
      store.getState().groups.length === 0 ? readGroups(false) : undefined,
    ]);
  }

  onReconnected(host.connection, () => {
    if (isOpened) void open();
  });
  accounts.onActiveChanged(() => {
    listing.forget();
    store.setState({ groupId: null, groups: [], text: '' });
    if (isOpened) void open();
  });

  return {
    store,
    open,
    /** Asks the service. */
    async refresh(): Promise<void> {
      await Promise.all([read(true), readGroups(true)]);
    },
    async setGroup(groupId: string | null): Promise<void> {
      store.setState({ groupId });
      await read(false);
    },
    setText: (text: string) => store.setState({ text }),
    /** What is known of one camera; null before the list was read or when it is not of this account. */
    find(psn: string): CameraEntry | null {
      return store.getState().listing.value?.cameras.find(({ device }) => device.psn === psn) ?? null;
    },
  };
}
export type CameraStore = ReturnType<typeof createCameraStore>;

import { createStore } from 'zustand/vanilla';
import type {
  CardClock,
  CardListing,
  CardPage,
  Deletion,
  MomentReport,
  Reboot,
  RecordingMetadata,
  RecordingRow,
} from '../../../shared/contract/cards.ts';
import type { CaseId } from '../../../shared/ids.ts';
import { onReconnected, type Host } from '../../app/client/index.ts';
import { createLookQueue } from './lookQueue.ts';
import { filterRows, isFiltering, noFilter, toCardFilters, type RecordingFilter } from './recordingFilter.ts';

/** A recording that was looked at: its metadata and the address of its thumbnail, or why not. */
export type Look =
  | { readonly status: 'found'; readonly metadata: RecordingMetadata; readonly imageUrl: string | null }
  | { readonly status: 'failed'; readonly error: unknown };

export interface CardState {
  /** The latest answer without its rows; null before the first. */
  readonly listing: Omit<CardListing, 'rows'> | null;
  /** All that is known of the card, newest first. */
  readonly rows: readonly RecordingRow[];
  /** Those that the filter lets through. */
  readonly shown: readonly RecordingRow[];
  readonly filter: RecordingFilter;
  /** Why the latest listing failed altogether. */
  readonly error: unknown;
  readonly isReading: boolean;
  readonly focusId: string | null;
  readonly chosen: ReadonlySet<string>;
  readonly looks: ReadonlyMap<string, Look>;
  /** Why thumbnails don't come at the moment; null while they may. */
  readonly lookPause: unknown;
  readonly moment: MomentReport | null;
  /** Scopes that the service said the key lacks; what they turn on is not offered. */
  readonly missingScopes: readonly string[];
}

const start: CardState = {
  listing: null,
  rows: [],
  shown: [],
  filter: noFilter,
  error: null,
  isReading: false,
  focusId: null,
  chosen: new Set(),
  looks: new Map(),
  lookPause: null,
  moment: null,
  missingScopes: [],
};

/** More looks than fit on many screens; the oldest are dropped, they are stored by the core anyway. */
const mostLooks = 500;
/** Clips and clock change in bursts while a card is being learnt. */
const rereadAfterMs = 1500;

function byNewest(a: RecordingRow, b: RecordingRow): number {
  const one = a.recordedAtLocal ?? '';
  const other = b.recordedAtLocal ?? '';
  return one === other ? (a.rowId < b.rowId ? -1 : a.rowId > b.rowId ? 1 : 0) : one < other ? 1 : -1;
}

/** Rows by id: later ones replace earlier ones. */
export function mergeRows(known: readonly RecordingRow[], more: readonly RecordingRow[]): RecordingRow[] {
  const byId = new Map(known.map((row) => [row.rowId, row]));
  for (const row of more) byId.set(row.rowId, row);
  return [...byId.values()].sort(byNewest);
}

/** The images that the window draws from bytes; their addresses are given back. */
export interface ImageUrls {
  make(jpeg: Uint8Array): string;
  free(url: string): void;
}
export const blobUrls: ImageUrls = {
  make: (jpeg) => URL.createObjectURL(new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' })),
  free: (url) => URL.revokeObjectURL(url),
};

/** One card as it is browsed: listing, filter, selection, thumbnails in sight. `close` it when it is left. */
export function createCardStore(host: Host, psn: string, images: ImageUrls = blobUrls) {
  const { client } = host;
  const store = createStore<CardState>(() => start);
  let latestRead = 0;
  let isClosed = false;
  let reread: ReturnType<typeof setTimeout> | null = null;
  /** Pages that overtook the answer which names their listing. */
  let early: CardPage[] = [];

  function setRows(rows: readonly RecordingRow[], patch: Partial<CardState> = {}): void {
    const before = store.getState();
    const shown = filterRows(rows, patch.filter ?? before.filter);
    const hasFocus = shown.some((row) => row.rowId === before.focusId);
    store.setState({
      ...patch,
      rows,
      shown,
      focusId: hasFocus ? before.focusId : (shown[0]?.rowId ?? null),
      chosen: prune(before.chosen, rows),
    });
  }

  async function read(options: { isFresh: boolean; filter?: RecordingFilter }): Promise<void> {
    const mine = ++latestRead;
    store.setState({ isReading: true });
    try {
      const filters = options.filter ? toCardFilters(options.filter) : {};
      const { rows, ...listing } = await client.invoke('cards.listing', {
        psn,
        ...(Object.keys(filters).length === 0 ? {} : { filters }),
        isFresh: options.isFresh,
      });
      if (mine !== latestRead || isClosed) return;
      // What the whole card said replaces everything; a first page or a part of it only adds.
      const isWhole = !listing.isLoading && Object.keys(listing.filters).length === 0;
      const all =
        isWhole && listing.problem === null
          ? [...rows].sort(byNewest)
          : mergeRows(store.getState().rows, rows);
      setRows(all, { listing, error: null, isReading: false });
      const overtaking = early.filter((page) => page.listingId === listing.listingId);
      early = [];
      for (const page of overtaking) takePage(page);
      // Of a part that was asked for, what is stored now is the whole again.
      if (!isWhole && !store.getState().listing?.isLoading && listing.isFromCard)
        await read({ isFresh: false });
    } catch (error) {
      if (mine === latestRead && !isClosed) store.setState({ error, isReading: false });
    }
  }

  function takePage(page: CardPage): void {
    const { listing, rows } = store.getState();
    if (page.psn !== psn) return;
    if (listing === null || page.listingId !== listing.listingId) {
      if (store.getState().isReading) early.push(page);
      return;
    }
    setRows(mergeRows(rows, page.rows), {
      listing: {
        ...listing,
        recordings: Math.max(listing.recordings, page.recordings),
        total: page.total,
        isLoading: !page.isLast,
        fetchedAtMs: page.fetchedAtMs,
        problem: page.problem,
      },
    });
    // The stored listing is what the card holds: rows that no page named are gone from it.
    if (page.isLast) void read({ isFresh: false });
  }

  function noteChange(): void {
    reread ??= setTimeout(() => {
      reread = null;
      const { listing } = store.getState();
      // A listing under way would be ended by asking; it is read again when it is through.
      if (!isClosed && listing !== null && !listing.isLoading) void read({ isFresh: false });
    }, rereadAfterMs);
  }

  function setLook(filename: string, look: Look): void {
    const looks = new Map(store.getState().looks);
    drop(looks, filename);
    looks.set(filename, look);
    for (const oldest of looks.keys()) {
      if (looks.size <= mostLooks) break;
      drop(looks, oldest);
      queue.forget(oldest);
    }
    store.setState({ looks });
  }
  function drop(looks: Map<string, Look>, filename: string): void {
    const look = looks.get(filename);
    if (look?.status === 'found' && look.imageUrl !== null) images.free(look.imageUrl);
    looks.delete(filename);
  }

  /** Not knowing is no obstacle: the service has the last word anyway. */
  function readRights(): void {
    client.invoke('cards.rights', {}).then(
      ({ missingScopes }) => !isClosed && store.setState({ missingScopes }),
      () => undefined,
    );
  }

  const queue = createLookQueue<RecordingMetadata>({
    ask: (filename) => client.invoke('cards.metadata', { psn, filename }),
    cancel: (filename) =>
      void client.invoke('cards.cancelMetadata', { psn, filenames: [filename] }).catch(() => undefined),
    onFound: (filename, metadata) =>
      setLook(filename, {
        status: 'found',
        metadata,
        imageUrl: metadata.thumbnail === null ? null : images.make(metadata.thumbnail),
      }),
    onFailed: (filename, error) => setLook(filename, { status: 'failed', error }),
    onPaused: (lookPause) => store.setState({ lookPause }),
    later: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });

  const ends = [
    client.on('cards.page', takePage),
    client.on('cards.changed', (changed) => {
      if (changed.psn === psn) noteChange();
    }),
    onReconnected(host.connection, () => void read({ isFresh: false })),
  ];

  const setClock = (clock: CardClock): CardClock => {
    const { listing } = store.getState();
    if (listing !== null) store.setState({ listing: { ...listing, clock } });
    noteChange();
    return clock;
  };

  return {
    psn,
    store,
    /** What is stored; a card never listed is asked. Coming back to a listing under way does not end it. */
    open: async (): Promise<void> => {
      readRights();
      if (!store.getState().listing?.isLoading) await read({ isFresh: false });
    },
    /** Asks the card, with the filter that is set: `isWhole` asks for everything. */
    refresh(isWhole: boolean): Promise<void> {
      const { filter } = store.getState();
      return read({ isFresh: true, ...(isWhole || !isFiltering(filter) ? {} : { filter }) });
    },
    async stop(): Promise<void> {
      await client.invoke('cards.stopListing', { psn });
      const { listing } = store.getState();
      if (listing !== null) store.setState({ listing: { ...listing, isLoading: false } });
    },
    setFilter(patch: Partial<RecordingFilter>): void {
      const { rows, filter } = store.getState();
      setRows(rows, { filter: { ...filter, ...patch } });
    },
    focus: (focusId: string | null) => store.setState({ focusId }),
    /** Makes a row the focus even if the filter hides it. */
    reveal(rowId: string): void {
      const { shown, rows } = store.getState();
      if (!shown.some((row) => row.rowId === rowId)) setRows(rows, { filter: noFilter });
      store.setState({ focusId: rowId });
    },
    choose(rowIds: readonly string[], isChosen: boolean): void {
      const chosen = new Set(store.getState().chosen);
      for (const rowId of rowIds) {
        if (isChosen) chosen.add(rowId);
        else chosen.delete(rowId);
      }
      store.setState({ chosen });
    },
    /** Files whose thumbnails are in sight, most wanted first. */
    want: queue.want,
    lookAgain: queue.retry,
    /** Recordings of a moment in the stored listing; the best match becomes the focus. */
    async findMoment(utcMs: number): Promise<MomentReport> {
      const moment = await client.invoke('cards.findMoment', { psn, utcMs });
      store.setState({ moment });
      const [best] = moment.matches;
      if (best) {
        const { rows } = store.getState();
        if (!rows.some((row) => row.rowId === best.row.rowId)) setRows(mergeRows(rows, [best.row]));
        const { shown } = store.getState();
        if (!shown.some((row) => row.rowId === best.row.rowId))
          setRows(store.getState().rows, { filter: noFilter });
        store.setState({
          focusId: best.row.rowId,
          chosen: new Set(moment.matches.filter(({ fit }) => fit === 'covers').map(({ row }) => row.rowId)),
        });
      }
      return moment;
    },
    forgetMoment: () => store.setState({ moment: null }),
    /** Fetches the metadata of some clips, so that the clock is known. */
    learnClock: async (): Promise<CardClock> =>
      setClock(await client.invoke('cards.clock', { psn, shouldLearn: true })),
    setClockByHand: async (offsetMinutes: number | null, reason: string): Promise<CardClock> =>
      setClock(await client.invoke('cards.setClock', { psn, offsetMinutes, reason })),
    wantedBy: async (filename: string): Promise<readonly CaseId[]> =>
      (await client.invoke('cards.wantedBy', { psn, filename })).caseIds,
    /** First without a token: it asks. Then with the token and the typed name. */
    async deleteRecording(input: {
      filename: string;
      reason: string;
      token?: string;
      typedFilename?: string;
    }): Promise<Deletion> {
      const deletion = await client.invoke('cards.deleteRecording', { psn, ...input }).finally(readRights);
      if (deletion.status === 'deleted') await read({ isFresh: false });
      return deletion;
    },
    reboot: (reason?: string): Promise<Reboot> =>
      client
        .invoke('cards.reboot', {
          psn,
          ...(reason === undefined ? {} : { isConfirmed: true, reason }),
        })
        .finally(readRights),
    /** Ends everything that is under way for it. */
    close(): void {
      isClosed = true;
      queue.close();
      if (reread !== null) clearTimeout(reread);
      for (const end of ends) end();
      const { listing, looks } = store.getState();
      if (listing?.isLoading) void client.invoke('cards.stopListing', { psn }).catch(() => undefined);
      for (const look of looks.values()) {
        if (look.status === 'found' && look.imageUrl !== null) images.free(look.imageUrl);
      }
    },
  };
}
export type CardStore = ReturnType<typeof createCardStore>;

function prune(chosen: ReadonlySet<string>, rows: readonly RecordingRow[]): ReadonlySet<string> {
  if (chosen.size === 0) return chosen;
  const known = new Set(rows.map((row) => row.rowId));
  const kept = [...chosen].filter((rowId) => known.has(rowId));
  return kept.length === chosen.size ? chosen : new Set(kept);
}

/** The card that is open, one at a time: going to another ends what was under way for the one before. */
export function createCardOpener(host: Host) {
  let open: CardStore | null = null;
  return {
    of(psn: string): CardStore {
      if (open?.psn !== psn) {
        open?.close();
        open = createCardStore(host, psn);
      }
      return open;
    },
    /** Another account: nothing of the old card may stay. */
    forget(): void {
      open?.close();
      open = null;
    },
  };
}
export type CardOpener = ReturnType<typeof createCardOpener>;

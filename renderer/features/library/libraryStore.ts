import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { Camera, Source } from '../../../shared/contract/sources.ts';
import type { Circle, Trip } from '../../../shared/contract/trips.ts';
import type { TripId } from '../../../shared/ids.ts';
import type { Bbox } from '../../../shared/track.ts';
import { createReader, loading, type Loadable } from '../../ui/index.ts';
import { emptySelection, keepExisting, type Selection } from './selection.ts';
import {
  cameraIndexes,
  matchesFilter,
  noFilter,
  sortTrips,
  type LibraryFilter,
  type Sort,
} from './tripRows.ts';

/** What is in the library, read in one go so that its parts fit together. */
export interface LibraryContent {
  readonly trips: readonly Trip[];
  readonly tripById: ReadonlyMap<TripId, Trip>;
  readonly sources: readonly Source[];
  readonly cameras: readonly Camera[];
  /** Palette position and number (minus 1) of each camera key. */
  readonly cameraIndex: ReadonlyMap<string, number>;
}

/** A place to narrow the table to: a circle, or what the map showed. */
export type Place =
  { readonly kind: 'circle'; readonly circle: Circle } | { readonly kind: 'view'; readonly bbox: Bbox };

export interface LibraryState {
  readonly content: Loadable<LibraryContent>;
  readonly filter: LibraryFilter;
  readonly place: Place | null;
  readonly placeTrips: Loadable<ReadonlySet<TripId>> | null;
  readonly sort: Sort;
  /** Trips of the table: filtered and sorted. */
  readonly rows: readonly Trip[];
  readonly rowIds: readonly TripId[];
  readonly selection: Selection;
}

export interface LibraryStore extends StoreApi<LibraryState> {
  /** Reads the library again; what is shown stays until the answer is here. */
  refresh(): void;
  setFilter(change: Partial<Omit<LibraryFilter, 'tripIdsAtPlace'>>): void;
  setPlace(place: Place | null): void;
  clearFilters(): void;
  sortBy(column: Sort['column']): void;
  select(change: (selection: Selection, rowIds: readonly TripId[]) => Selection): void;
  /** Starts listening to changes of the library; returns the function that ends it. */
  attach(): () => void;
}

const none: readonly never[] = [];

/** The trips, sources and cameras of the library, what narrows them, and which are chosen. */
export function createLibraryStore(client: DeskClient): LibraryStore {
  const store = createStore<LibraryState>(() => ({
    content: loading,
    filter: noFilter,
    place: null,
    placeTrips: null,
    sort: { column: 'start', isDescending: false },
    rows: none,
    rowIds: none,
    selection: emptySelection,
  }));

  /** Every change of content, filter or sort goes through here, so that rows never disagree with them. */
  function update(change: Partial<LibraryState>): void {
    const next = { ...store.getState(), ...change };
    const content = next.content.status === 'ready' ? next.content.value : null;
    const rows = content
      ? sortTrips(
          content.trips.filter((trip) => matchesFilter(trip, next.filter)),
          next.sort,
        )
      : none;
    store.setState({ ...next, rows, rowIds: rows.map((trip) => trip.tripId) });
  }

  const readContent = createReader<LibraryContent>((content) => {
    const before = store.getState();
    // A failed re-read must not take away what the user is looking at; only a first read has nothing to keep.
    if (content.status === 'failed' && before.content.status === 'ready') return;
    if (content.status !== 'ready') return update({ content });
    update({
      content,
      selection: keepExisting(before.selection, (id) => content.value.tripById.has(id)),
    });
  });

  const readPlace = createReader<ReadonlySet<TripId>>((placeTrips) => {
    const tripIdsAtPlace = placeTrips.status === 'ready' ? placeTrips.value : new Set<TripId>();
    update({ placeTrips, filter: { ...store.getState().filter, tripIdsAtPlace } });
  });

  function askPlace(place: Place | null): void {
    if (!place) return;
    const filter = place.kind === 'circle' ? { place: place.circle } : { bbox: place.bbox };
    void readPlace(async () => {
      const trips = await client.invoke('trips.list', {
        ...('place' in filter ? { place: filter.place } : { bbox: [...filter.bbox] }),
      });
      return new Set(trips.map((trip) => trip.tripId));
    });
  }

  function refresh(): void {
    void readContent(async () => {
      const [trips, sources, cameras] = await Promise.all([
        client.invoke('trips.list', {}),
        client.invoke('sources.list', {}),
        client.invoke('cameras.list', {}),
      ]);
      return {
        trips,
        sources,
        cameras,
        tripById: new Map(trips.map((trip) => [trip.tripId, trip])),
        cameraIndex: cameraIndexes(cameras),
      };
    });
    askPlace(store.getState().place);
  }

  return {
    ...store,
    refresh,
    setFilter(change) {
      update({ filter: { ...store.getState().filter, ...change } });
    },
    setPlace(place) {
      if (place) {
        update({ place, placeTrips: loading });
        askPlace(place);
      } else {
        void readPlace(() => new Promise(() => {})); // an answer still under way is stale now
        update({ place, placeTrips: null, filter: { ...store.getState().filter, tripIdsAtPlace: null } });
      }
    },
    clearFilters() {
      void readPlace(() => new Promise(() => {}));
      update({ filter: noFilter, place: null, placeTrips: null });
    },
    sortBy(column) {
      const { sort } = store.getState();
      update({ sort: { column, isDescending: sort.column === column ? !sort.isDescending : false } });
    },
    select(change) {
      const { selection, rowIds } = store.getState();
      const next = change(selection, rowIds);
      if (next !== selection) store.setState({ selection: next });
    },
    attach() {
      refresh();
      return client.on('library.changed', refresh);
    },
  };
}

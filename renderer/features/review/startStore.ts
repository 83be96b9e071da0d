import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { ReviewMoment } from '../../../shared/contract/review.ts';
import type { Camera } from '../../../shared/contract/sources.ts';
import { createReader, loading, type Loadable } from '../../ui/index.ts';

/** As many as one request gives; more is said, and narrowed by camera or day. */
export const mostMoments = 2000;

export interface StartState {
  readonly moments: Loadable<readonly ReviewMoment[]>;
  /** Cameras of the library, for the search by camera and time. */
  readonly cameras: readonly Camera[];
  /** Undefined: every camera; null: the clips of no known camera. */
  readonly psn: string | null | undefined;
}
export interface StartStore extends Pick<StoreApi<StartState>, 'getState' | 'subscribe' | 'getInitialState'> {
  choose(psn: string | null | undefined): void;
  refresh(): void;
  /** Reads, and reads again when something came in or a clock was set. Returns the end of it. */
  attach(): () => void;
}

/** What the start page lists. */
export function createStartStore(client: DeskClient): StartStore {
  const store = createStore<StartState>(() => ({ moments: loading, cameras: [], psn: undefined }));
  const read = createReader<readonly ReviewMoment[]>((moments) => store.setState({ moments }));
  const refresh = () => {
    const { psn } = store.getState();
    void read(() =>
      client.invoke('review.moments', { limit: mostMoments, ...(psn === undefined ? {} : { psns: [psn] }) }),
    );
    client.invoke('cameras.list', {}).then(
      (cameras) => store.setState({ cameras }),
      () => undefined, // The clips name their cameras too.
    );
  };
  return {
    getState: store.getState,
    subscribe: store.subscribe,
    getInitialState: store.getInitialState,
    choose(psn) {
      store.setState({ psn });
      refresh();
    },
    refresh,
    attach() {
      refresh();
      const ends = [client.on('library.changed', refresh), client.on('review.clockChanged', refresh)];
      return () => ends.forEach((end) => end());
    },
  };
}

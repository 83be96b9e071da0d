import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { Circle, Pass } from '../../../shared/contract/trips.ts';
import { createReader, type Loadable } from '../../ui/index.ts';

/** "Who passed here?": a circle, an optional time range, and the passes through it. */
export interface NearState {
  readonly isOpen: boolean;
  /** The next drag on the map draws the circle. */
  readonly isDrawing: boolean;
  readonly circle: Circle | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly passes: Loadable<readonly Pass[]> | null;
  readonly chosen: Pass | null;
}
export interface NearStore extends StoreApi<NearState> {
  open(): void;
  close(): void;
  setDrawing(isDrawing: boolean): void;
  setCircle(circle: Circle): void;
  setRange(fromMs: number | null, toMs: number | null): void;
  choose(pass: Pass | null): void;
  retry(): void;
}

/** Asks who passed a circle; an answer that was overtaken by a newer question is dropped. */
export function createNearStore(client: DeskClient): NearStore {
  const closed: NearState = {
    isOpen: false,
    isDrawing: false,
    circle: null,
    fromMs: null,
    toMs: null,
    passes: null,
    chosen: null,
  };
  const store = createStore<NearState>(() => closed);
  const read = createReader<readonly Pass[]>((passes) => store.setState({ passes }));
  function ask(): void {
    const { circle, fromMs, toMs } = store.getState();
    if (!circle) return;
    store.setState({ passes: { status: 'loading' }, chosen: null });
    void read(() =>
      client.invoke('tracks.near', {
        circle,
        ...(fromMs === null ? {} : { fromMs }),
        ...(toMs === null ? {} : { toMs }),
      }),
    );
  }
  return {
    ...store,
    open: () => store.setState({ isOpen: true, isDrawing: store.getState().circle === null }),
    close() {
      void read(() => new Promise(() => {})); // what is still under way is stale
      store.setState(closed);
    },
    setDrawing: (isDrawing) => store.setState({ isDrawing }),
    setCircle(circle) {
      store.setState({ circle, isDrawing: false });
      ask();
    },
    setRange(fromMs, toMs) {
      store.setState({ fromMs, toMs });
      ask();
    },
    choose: (chosen) => store.setState({ chosen }),
    retry: ask,
  };
}

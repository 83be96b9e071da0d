import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Basemap } from '../../../shared/contract/app.ts';
import type { DeskClient } from '../../../shared/contract/client.ts';

export interface BasemapState {
  /** The PMTiles file that the user picked; null while unknown or when there is none. */
  readonly basemap: Basemap | null;
}
export interface BasemapStore extends StoreApi<BasemapState> {
  attach(): () => void;
}

/** Which detailed basemap the user picked. Without an answer the bundled map stands alone. */
export function createBasemapStore(client: DeskClient): BasemapStore {
  const store = createStore<BasemapState>(() => ({ basemap: null }));
  const read = () =>
    client.invoke('basemap.get', {}).then(
      (basemap) => store.setState({ basemap }),
      () => store.setState({ basemap: null }),
    );
  return {
    ...store,
    attach() {
      void read();
      const end = client.on('settings.changed', () => void read());
      return () => {
        end();
        // While nobody listens the file may go: what was known must not be asked for again.
        store.setState({ basemap: null });
      };
    },
  };
}

import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Settings } from '../../../shared/contract/app.ts';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { Trip } from '../../../shared/contract/trips.ts';
import type { CaseId, SourceId } from '../../../shared/ids.ts';
import { Failure, Loading } from '../../ui/index.ts';
import { createBasemapStore } from './basemapStore.ts';
import { createCaseStore } from './caseStore.ts';
import { createLibraryStore } from './libraryStore.ts';
import { LibraryToolbar } from './LibraryToolbar.tsx';
import { MapPane } from './MapPane.tsx';
import type { MomentLinks } from './MomentActs.tsx';
import { createNearStore } from './nearStore.ts';
import { Splits } from './Splits.tsx';
import { TimelinePane } from './TimelinePane.tsx';
import { createTrackStore } from './trackStore.ts';
import { TripMenu, type TripMenuAt } from './TripMenu.tsx';
import { TripTable } from './TripTable.tsx';
import { useLibraryZone } from './useLibraryZone.ts';
import { useTurns } from './useTurns.ts';
import classes from './library.module.css';

export interface LibraryScreenProps {
  readonly client: DeskClient;
  /** Address of a media path of the contract, for the basemap file that the user picked. */
  readonly mediaUrl: (mediaPath: string) => string;
  readonly settings: Pick<Settings, 'onlineTileUrl' | 'onlineTileAttribution'>;
  /** Shown instead of the screen while the library holds nothing. */
  readonly emptyState: ReactNode;
  readonly openSourceReport: (sourceId: SourceId) => void;
  readonly openCase: (caseId: CaseId) => void;
  readonly moments: MomentLinks;
}

/** Everything that the screen knows; one set for each client. */
function createStores(client: DeskClient) {
  return {
    library: createLibraryStore(client),
    tracks: createTrackStore(client),
    near: createNearStore(client),
    cases: createCaseStore(client),
    basemap: createBasemapStore(client),
  };
}
export type LibraryStores = ReturnType<typeof createStores>;

/** Stores outlive the screen: whoever comes back from a case finds the trips chosen as they were. */
const storesOf = new WeakMap<DeskClient, LibraryStores>();
function storesFor(client: DeskClient): LibraryStores {
  let stores = storesOf.get(client);
  if (!stores) {
    stores = createStores(client);
    storesOf.set(client, stores);
  }
  return stores;
}

/** Imported tracks: table, map and timeline of one selection. */
export function LibraryScreen(props: LibraryScreenProps) {
  const { client } = props;
  const stores = storesFor(client);
  const scheme = useComputedColorScheme('light');
  const content = useStore(stores.library, (state) => state.content);
  const zone = useLibraryZone(stores.library);
  const [menu, setMenu] = useState<TripMenuAt | null>(null);
  const [fitRequest, setFitRequest] = useState(0);
  const isEmpty =
    content.status === 'ready' && content.value.trips.length === 0 && content.value.sources.length === 0;
  const turns = useTurns(content.status === 'ready' && !isEmpty ? 3 : 0);

  useEffect(() => {
    const ends = [stores.library.attach(), stores.cases.attach(), stores.basemap.attach()];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      clearTimeout(timer);
      timer = undefined;
      stores.tracks.setTrips([...stores.library.getState().selection.ids]);
    };
    const endSelection = stores.library.subscribe((now, before) => {
      if (now.selection.ids === before.selection.ids) return;
      // The table answers the click first: map and timeline follow in tasks of their own.
      clearTimeout(timer);
      timer = setTimeout(follow);
    });
    return () => {
      [...ends, endSelection].forEach((end) => end());
      // Not lost with the screen: the stores outlive it.
      if (timer !== undefined) follow();
    };
  }, [stores]);

  if (content.status === 'loading') return <Loading label="Reading the library" />;
  if (content.status === 'failed') {
    return (
      <Failure
        error={content.error}
        meaning="Nothing is lost: the library could not be read just now."
        onRetry={stores.library.refresh}
      />
    );
  }
  if (isEmpty) return <>{props.emptyState}</>;
  const openMenu = (trip: Trip, at: { x: number; y: number }) => setMenu({ trip, ...at });
  return (
    <div className={classes.screen}>
      <LibraryToolbar
        stores={stores}
        content={content.value}
        zone={zone}
        openSourceReport={props.openSourceReport}
        openCase={props.openCase}
      />
      <Splits
        left={
          turns > 0 && (
            <TripTable
              store={stores.library}
              zoneOf={zone.zoneOfTrip}
              onMenu={openMenu}
              onFit={() => setFitRequest((count) => count + 1)}
            />
          )
        }
        right={
          turns > 1 && (
            <MapPane
              stores={stores}
              content={content.value}
              scheme={scheme}
              zone={zone}
              settings={props.settings}
              mediaUrl={props.mediaUrl}
              fitRequest={fitRequest}
              moments={props.moments}
            />
          )
        }
        below={
          turns > 2 && <TimelinePane stores={stores} content={content.value} scheme={scheme} zone={zone} />
        }
      />
      <TripMenu
        at={menu}
        stores={stores}
        onClose={() => setMenu(null)}
        onFit={() => setFitRequest((count) => count + 1)}
        openSourceReport={props.openSourceReport}
        openCase={props.openCase}
        moments={props.moments}
      />
    </div>
  );
}

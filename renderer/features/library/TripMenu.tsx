import { Menu } from '@mantine/core';
import {
  IconCopy,
  IconDeviceSdCard,
  IconFileDescription,
  IconFocusCentered,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { Trip } from '../../../shared/contract/trips.ts';
import type { CaseId, SourceId } from '../../../shared/ids.ts';
import { formatCounted } from '../../ui/index.ts';
import { useAddToCase } from './AddToCase.tsx';
import type { LibraryStores } from './LibraryScreen.tsx';
import type { MomentLinks } from './MomentActs.tsx';
import classes from './library.module.css';

export interface TripMenuAt {
  readonly trip: Trip;
  readonly x: number;
  readonly y: number;
}

/** The menu of a row: acts on all chosen trips, its report and copying on the row itself. */
export function TripMenu({
  at,
  stores,
  onClose,
  onFit,
  openSourceReport,
  openCase,
  moments,
}: {
  at: TripMenuAt | null;
  stores: LibraryStores;
  onClose: () => void;
  onFit: () => void;
  openSourceReport: (sourceId: SourceId) => void;
  openCase: (caseId: CaseId) => void;
  moments: MomentLinks;
}) {
  const ids = useStore(stores.library, (state) => state.selection.ids);
  const add = useAddToCase({
    cases: stores.cases,
    refs: () => [...ids].map((tripId) => ({ kind: 'trip', tripId }) as const),
    what: formatCounted(ids.size, 'trip'),
    openCase,
  });
  const pinned = useStore(stores.tracks, (state) => state.pinned);
  const trip = at?.trip ?? null;
  const pinnedMs = trip && pinned?.tripId === trip.tripId ? pinned.timeMs : null;
  const psn = trip?.psn ?? null;
  return (
    <>
      <Menu opened={at !== null} onClose={onClose} position="bottom-start" shadow="md">
        <Menu.Target>
          <span className={classes.menuAnchor} style={{ left: at?.x ?? 0, top: at?.y ?? 0 }} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFocusCentered size={14} />} rightSection="Enter" onClick={onFit}>
            Show on the map
          </Menu.Item>
          {at && (
            <>
              <Menu.Item
                leftSection={<IconPlayerPlay size={14} />}
                onClick={() => moments.review(at.trip.tripId, pinnedMs)}
              >
                {pinnedMs === null ? 'Review' : 'Review the fixed moment'}
              </Menu.Item>
              {psn !== null && (pinnedMs ?? at.trip.startedAtMs) !== null && (
                <Menu.Item
                  leftSection={<IconDeviceSdCard size={14} />}
                  onClick={() => moments.findOnCard(psn, pinnedMs ?? at.trip.startedAtMs ?? 0)}
                >
                  {pinnedMs === null ? 'Find its beginning on the card' : 'Find the fixed moment on the card'}
                </Menu.Item>
              )}
              <Menu.Item
                leftSection={<IconFileDescription size={14} />}
                onClick={() => openSourceReport(at.trip.sourceId)}
              >
                Import report of its source
              </Menu.Item>
              <Menu.Item
                leftSection={<IconCopy size={14} />}
                onClick={() => void navigator.clipboard.writeText(at.trip.tripId)}
              >
                Copy trip id
              </Menu.Item>
            </>
          )}
          <Menu.Divider />
          {add.items}
        </Menu.Dropdown>
      </Menu>
      {add.dialog}
    </>
  );
}

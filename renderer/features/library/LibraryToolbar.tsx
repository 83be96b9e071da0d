import { ActionIcon, Button, CloseButton, Menu, NumberInput, TextInput, Tooltip } from '@mantine/core';
import { IconFilterOff, IconFolderPlus, IconRadar, IconSearch } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { CaseId, SourceId } from '../../../shared/ids.ts';
import { formatCount, formatCounted } from '../../ui/index.ts';
import { useAddToCase } from './AddToCase.tsx';
import { CameraFilter, DateFilter, PlaceFilter, SourceFilter } from './filters.tsx';
import type { LibraryContent } from './libraryStore.ts';
import type { LibraryStores } from './LibraryScreen.tsx';
import { hasFilter, totals } from './tripRows.ts';
import type { LibraryZone } from './useLibraryZone.ts';
import classes from './library.module.css';

/** What narrows the table, and the counts of what is left. */
export function LibraryToolbar({
  stores,
  content,
  zone,
  openSourceReport,
  openCase,
}: {
  stores: LibraryStores;
  content: LibraryContent;
  zone: LibraryZone;
  openSourceReport: (sourceId: SourceId) => void;
  openCase: (caseId: CaseId) => void;
}) {
  const { filter, rows, selection } = useStore(stores.library);
  const isNearOpen = useStore(stores.near, (state) => state.isOpen);
  const shown = totals(rows);
  const all = totals(content.trips);
  const isNarrowed = hasFilter(filter);
  const chosen = selection.ids.size;
  const add = useAddToCase({
    cases: stores.cases,
    refs: () => [...selection.ids].map((tripId) => ({ kind: 'trip', tripId }) as const),
    what: formatCounted(chosen, 'trip'),
    openCase,
  });
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="Filters and acts of the library">
      <SourceFilter
        stores={stores}
        content={content}
        openSourceReport={openSourceReport}
        openCase={openCase}
      />
      <CameraFilter stores={stores} content={content} />
      <DateFilter stores={stores} zone={zone} />
      <PlaceFilter stores={stores} />
      <NumberInput
        size="xs"
        className={classes.speedInput}
        aria-label="Top speed at least, km/h"
        placeholder="Top speed ≥"
        suffix=" km/h"
        min={0}
        max={400}
        step={10}
        value={filter.minSpeedKmh ?? ''}
        onChange={(value) =>
          stores.library.setFilter({ minSpeedKmh: typeof value === 'number' ? value : null })
        }
      />
      <TextInput
        size="xs"
        className={classes.textFilter}
        aria-label="Find trips by camera, serial, name or trip number"
        placeholder="Find camera, trip…"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.text}
        rightSection={
          filter.text === '' ? null : (
            <CloseButton
              size="xs"
              aria-label="Clear the search"
              onClick={() => stores.library.setFilter({ text: '' })}
            />
          )
        }
        onChange={(event) => stores.library.setFilter({ text: event.currentTarget.value })}
      />
      {isNarrowed && (
        <Tooltip label="Clear all filters">
          <ActionIcon aria-label="Clear all filters" onClick={stores.library.clearFilters}>
            <IconFilterOff size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      <span
        className={classes.counts}
        role="status"
        title={`${(shown.distanceM / 1000).toFixed(0)} km in the trips shown`}
      >
        {isNarrowed
          ? `${formatCount(shown.trips)} of ${formatCounted(all.trips, 'trip')} · ${formatCount(shown.points)} points`
          : `${formatCounted(all.trips, 'trip')} · ${formatCounted(all.points, 'point')}`}
      </span>
      <Button
        variant={isNearOpen ? 'light' : 'default'}
        aria-pressed={isNearOpen}
        leftSection={<IconRadar size={15} />}
        onClick={isNearOpen ? stores.near.close : stores.near.open}
      >
        Who passed here?
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" disabled={chosen === 0} leftSection={<IconFolderPlus size={15} />}>
            Add to case
          </Button>
        </Menu.Target>
        <Menu.Dropdown>{add.items}</Menu.Dropdown>
      </Menu>
      {add.dialog}
    </div>
  );
}

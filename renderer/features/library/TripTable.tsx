import { Button, Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import { useStore } from 'zustand';
import type { Trip } from '../../../shared/contract/trips.ts';
import type { TripId } from '../../../shared/ids.ts';
import { formatCount } from '../../ui/index.ts';
import { formatDayMinute, zoneLabel } from '../timeline/clock.ts';
import { CameraMark } from './CameraMark.tsx';
import type { LibraryStore } from './libraryStore.ts';
import { moveFocus, selectAll, selectOne, selectRange, toggleOne, emptySelection } from './selection.ts';
import { cameraKey, cameraLabel, durationMs, type SortColumn } from './tripRows.ts';
import classes from './library.module.css';

const rowHeightPx = 27;
const columns: readonly { key: SortColumn; label: string; isNumber: boolean; title: string }[] = [
  { key: 'camera', label: 'Camera', isNumber: false, title: 'Camera of the trip' },
  { key: 'start', label: 'Start', isNumber: false, title: 'First recorded point' },
  { key: 'duration', label: 'Dur.', isNumber: true, title: 'First to last recorded point, hours:minutes' },
  { key: 'distance', label: 'km', isNumber: true, title: 'Sum of the distances between recorded points' },
  { key: 'maxSpeed', label: 'Max', isNumber: true, title: 'Highest recorded speed, km/h' },
  { key: 'points', label: 'Points', isNumber: true, title: 'Recorded points' },
];

/** "0:41" from milliseconds; seconds below a minute. */
function shortDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return `${Math.round(ms / 1000)} s`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

export interface TripTableProps {
  readonly store: LibraryStore;
  /** Zone that a trip's times are shown in. */
  readonly zoneOf: (trip: Trip) => string;
  readonly onMenu: (trip: Trip, at: { x: number; y: number }) => void;
  readonly onFit: () => void;
}

/** All trips that the filter lets through; only the rows in view exist. Works as a grid with the keyboard. */
export function TripTable({ store, zoneOf, onMenu, onFit }: TripTableProps) {
  const { rows, rowIds, sort, selection, content, placeTrips } = useStore(store);
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing of the virtualizer is memoized or handed on
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
  });
  const cameraIndex = content.status === 'ready' ? content.value.cameraIndex : null;
  const focusAt = selection.focus === null ? -1 : rowIds.indexOf(selection.focus);

  useEffect(() => {
    if (focusAt >= 0) virtual.scrollToIndex(focusAt, { align: 'auto' });
    // Only a move of the focus scrolls; a re-render of the virtualizer must not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [focusAt]);

  const onRowClick = (event: MouseEvent, id: TripId) => {
    store.select((now, ids) => {
      if (event.shiftKey) return selectRange(now, ids, id, event.ctrlKey || event.metaKey);
      if (event.ctrlKey || event.metaKey) return toggleOne(now, id);
      return selectOne(id);
    });
    scroller.current?.focus();
  };

  const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 300) / rowHeightPx) - 2);
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: pageRows,
    PageUp: -pageRows,
    Home: -1e9,
    End: 1e9,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const isControl = event.ctrlKey || event.metaKey;
    if (step !== undefined) {
      store.select((now, ids) => {
        const next = moveFocus(now, ids, step);
        if (next === null) return now;
        if (event.shiftKey) return selectRange(now, ids, next);
        if (isControl) return { ...now, focus: next };
        return selectOne(next);
      });
    } else if (event.key === ' ') {
      store.select((now) => (now.focus === null ? now : toggleOne(now, now.focus)));
    } else if (isControl && event.key.toLowerCase() === 'a') {
      store.select(selectAll);
    } else if (event.key === 'Escape') {
      store.select((now) => ({ ...emptySelection, focus: now.focus }));
    } else if (event.key === 'Enter') {
      onFit();
    } else if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      const trip = rows[focusAt];
      const box = scroller.current?.getBoundingClientRect();
      if (trip && box) onMenu(trip, { x: box.left + 40, y: Math.min(box.bottom - 20, box.top + 40) });
    } else return;
    event.preventDefault();
  };

  const isNothingFound = rows.length === 0 && content.status === 'ready' && content.value.trips.length > 0;
  const chosenRows = rowIds.reduce((count, id) => (selection.ids.has(id) ? count + 1 : count), 0);
  return (
    <div
      className={classes.tableFrame}
      role="grid"
      aria-label="Trips"
      aria-rowcount={rows.length + 1}
      aria-multiselectable
    >
      <div className={classes.tableHead} role="row" aria-rowindex={1}>
        <div role="columnheader" className={classes.checkCell}>
          <Checkbox
            aria-label="Select all trips shown"
            checked={rows.length > 0 && chosenRows === rows.length}
            indeterminate={chosenRows > 0 && chosenRows < rows.length}
            onChange={() =>
              store.select((now, ids) =>
                chosenRows === rows.length ? { ...emptySelection, focus: now.focus } : selectAll(now, ids),
              )
            }
          />
        </div>
        {columns.map((column) => (
          <div
            key={column.key}
            role="columnheader"
            aria-sort={sort.column === column.key ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}
            className={column.isNumber ? classes.numberCell : classes.textCell}
          >
            <button
              type="button"
              className={classes.sortButton}
              title={column.title}
              onClick={() => store.sortBy(column.key)}
            >
              {column.label}
              {sort.column === column.key &&
                (sort.isDescending ? (
                  <IconArrowDown size={12} aria-hidden />
                ) : (
                  <IconArrowUp size={12} aria-hidden />
                ))}
            </button>
          </div>
        ))}
      </div>
      <div
        ref={scroller}
        className={classes.tableBody}
        role="rowgroup"
        tabIndex={0}
        aria-label="Trips"
        aria-activedescendant={focusAt >= 0 ? `trip-row-${focusAt}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const trip = rows[item.index];
            if (!trip) return null;
            const zone = zoneOf(trip);
            const duration = durationMs(trip);
            const isChosen = selection.ids.has(trip.tripId);
            return (
              <div
                key={trip.tripId}
                id={`trip-row-${item.index}`}
                role="row"
                aria-rowindex={item.index + 2}
                aria-selected={isChosen}
                data-focus={item.index === focusAt || undefined}
                className={classes.row}
                style={{ transform: `translateY(${item.start}px)`, height: rowHeightPx }}
                onClick={(event) => onRowClick(event, trip.tripId)}
                onDoubleClick={onFit}
                onContextMenu={(event) => {
                  event.preventDefault();
                  if (!isChosen) store.select(() => selectOne(trip.tripId));
                  onMenu(trip, { x: event.clientX, y: event.clientY });
                }}
              >
                <div role="gridcell" className={classes.checkCell}>
                  <Checkbox
                    tabIndex={-1}
                    aria-label={`Select ${cameraLabel(trip)}`}
                    checked={isChosen}
                    onClick={(event) => event.stopPropagation()}
                    onChange={() => store.select((now) => toggleOne(now, trip.tripId))}
                  />
                </div>
                <div role="gridcell" className={classes.textCell} title={cameraTitle(trip)}>
                  <CameraMark index={cameraIndex?.get(cameraKey(trip.psn)) ?? -1} />
                  <span className={classes.ellipsis}>{cameraLabel(trip)}</span>
                  {trip.isPsnAssigned && <span className={classes.tag}>assigned</span>}
                  {!trip.hasPointTimes && (
                    <span className={classes.tag} title="Shape only: the points carry no time">
                      shape
                    </span>
                  )}
                </div>
                <div role="gridcell" className={classes.textCell}>
                  {trip.startedAtMs === null ? (
                    <span className={classes.dim}>no time</span>
                  ) : (
                    <time
                      dateTime={new Date(trip.startedAtMs).toISOString()}
                      title={new Date(trip.startedAtMs).toISOString()}
                    >
                      {formatDayMinute(trip.startedAtMs, zone)}{' '}
                      <span className={classes.dim}>{zoneLabel(trip.startedAtMs, zone)}</span>
                    </time>
                  )}
                </div>
                <div role="gridcell" className={classes.numberCell}>
                  {duration === null ? '–' : shortDuration(duration)}
                </div>
                <div role="gridcell" className={classes.numberCell}>
                  {(trip.distanceM / 1000).toFixed(1)}
                </div>
                <div
                  role="gridcell"
                  className={classes.numberCell}
                  title={trip.maxSpeedKmh === null ? 'no speed recorded' : undefined}
                >
                  {trip.maxSpeedKmh === null ? '–' : trip.maxSpeedKmh.toFixed(0)}
                </div>
                <div role="gridcell" className={classes.numberCell}>
                  {formatCount(trip.points)}
                </div>
              </div>
            );
          })}
        </div>
      </div>
      {rows.length === 0 && (
        <div className={classes.tableEmpty} role="status">
          {isNothingFound ? (
            placeTrips?.status === 'loading' ? (
              'Looking for trips at this place…'
            ) : (
              <>
                No trip matches the filters.
                <Button variant="default" onClick={store.clearFilters}>
                  Clear the filters
                </Button>
              </>
            )
          ) : (
            'The sources of the library hold no trips. Their import reports say why.'
          )}
        </div>
      )}
    </div>
  );
}

function cameraTitle(trip: Trip): string {
  const parts = [cameraLabel(trip)];
  if (trip.psn !== null) parts.push(`serial ${trip.psn}${trip.isPsnAssigned ? ' (assigned by hand)' : ''}`);
  if (trip.driveNo !== null) parts.push(`trip ${trip.driveNo}`);
  if (trip.name !== null) parts.push(trip.name);
  return parts.join(' · ');
}

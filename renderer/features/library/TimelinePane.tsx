import { Button, SegmentedControl, Tooltip } from '@mantine/core';
import { IconZoomReset } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Failure } from '../../ui/index.ts';
import { cameraColor, type Scheme } from '../map/colors.ts';
import {
  compassPoint,
  formatClock,
  formatDay,
  offsetLabel,
  zoneLabel,
  type ZoneKind,
} from '../timeline/clock.ts';
import { readSeries } from '../timeline/plotData.ts';
import { attachTimeline, type TimeSpan, type TimelineView } from '../timeline/timelineView.ts';
import { CameraMark } from './CameraMark.tsx';
import type { LibraryContent } from './libraryStore.ts';
import type { LibraryStores } from './LibraryScreen.tsx';
import { cameraKey, cameraLabel } from './tripRows.ts';
import type { LibraryZone } from './useLibraryZone.ts';
import classes from './library.module.css';

/** Speed and heading of the chosen trips over absolute time, its cursor tied to the map's. */
export function TimelinePane({
  stores,
  content,
  scheme,
  zone,
}: {
  stores: LibraryStores;
  content: LibraryContent;
  scheme: Scheme;
  zone: LibraryZone;
}) {
  const { tracks, library } = stores;
  const element = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<TimelineView | null>(null);
  const { series, seriesRange, seriesError, isReadingSeries } = useStore(tracks);
  const selection = useStore(library, (state) => state.selection.ids);

  useEffect(() => {
    if (!element.current) return;
    const made = attachTimeline(element.current, {
      onCursor: tracks.setCursor,
      onRange: tracks.setSeriesRange,
      onWidth: tracks.setBuckets,
    });
    setView(made);
    return () => {
      setView(null);
      made.remove();
    };
  }, [tracks]);

  const limits = useMemo((): TimeSpan | null => {
    let fromMs = Infinity;
    let toMs = -Infinity;
    for (const id of selection) {
      const trip = content.tripById.get(id);
      if (!trip?.hasPointTimes || trip.startedAtMs === null || trip.endedAtMs === null) continue;
      fromMs = Math.min(fromMs, trip.startedAtMs);
      toMs = Math.max(toMs, trip.endedAtMs);
    }
    return fromMs <= toMs ? { fromMs, toMs } : null;
  }, [selection, content]);

  const indexes = useMemo(
    () => series.map((one) => content.cameraIndex.get(cameraKey(one.psn)) ?? -1),
    [series, content],
  );
  const shown = series.length > 0 && limits !== null;
  useEffect(() => {
    view?.show({
      series: shown ? series : [],
      colors: indexes.map((index) => cameraColor(index, scheme)),
      zone: zone.zone,
      scheme,
      range: seriesRange,
      limits,
    });
  }, [view, series, shown, indexes, zone.zone, scheme, seriesRange, limits]);

  useEffect(() => {
    if (!view) return;
    return tracks.subscribe((now, before) => {
      // Only what comes from the map: the chart's own cursor is where the pointer is.
      if (now.cursorMs !== before.cursorMs && (now.hovered || before.hovered)) view.setCursor(now.cursorMs);
    });
  }, [view, tracks]);

  const someMs = limits?.fromMs ?? 0;
  return (
    <section className={classes.timeline} aria-label="Timeline: speed and heading">
      <div className={classes.timelineHead}>
        <CursorReading stores={stores} content={content} zone={zone} />
        <span className={classes.spacer} />
        {isReadingSeries && <span className={classes.dim}>reading…</span>}
        {seriesRange && (
          <Button
            variant="subtle"
            leftSection={<IconZoomReset size={14} />}
            onClick={() => tracks.setSeriesRange(null)}
          >
            Whole selection
          </Button>
        )}
        {zone.kind === 'vehicle' && zone.vehicleZones.length > 1 && (
          <Tooltip
            label={`The selection drove in ${zone.vehicleZones.join(', ')}; the axis is in the first.`}
          >
            <span className={classes.dim}>{zone.vehicleZones.length} zones</span>
          </Tooltip>
        )}
        <span className={classes.dim}>
          {zone.zone === 'UTC' ? 'UTC' : `${zone.zone}, ${offsetLabel(someMs, zone.zone)}`}
        </span>
        <SegmentedControl
          aria-label="Zone of the time axis and the table"
          value={zone.kind}
          onChange={(value) => zone.setKind(value as ZoneKind)} // one of the three values below
          data={[
            { value: 'utc', label: 'UTC' },
            { value: 'local', label: 'Local' },
            { value: 'vehicle', label: 'Vehicle' },
          ]}
        />
      </div>
      <div ref={element} className={classes.chart} data-testid="library-timeline" />
      {!shown && seriesError === null && (
        <div className={classes.timelineEmpty}>
          {selection.size === 0
            ? 'Speed and heading of the trips you choose appear here.'
            : limits === null
              ? 'The chosen trips carry no times: only their shape is known.'
              : 'Reading speeds…'}
        </div>
      )}
      {seriesError !== null && (
        <div className={classes.timelineEmpty}>
          <Failure
            error={seriesError}
            meaning="The timeline could not be read."
            onRetry={tracks.retry}
            isInline
          />
        </div>
      )}
    </section>
  );
}

const maxReadings = 4;

/** Time and values at the cursor, always with its zone and UTC. */
function CursorReading({
  stores,
  content,
  zone,
}: {
  stores: LibraryStores;
  content: LibraryContent;
  zone: LibraryZone;
}) {
  const cursorMs = useStore(stores.tracks, (state) => state.cursorMs);
  const series = useStore(stores.tracks, (state) => state.series);
  if (cursorMs === null) {
    return (
      <span className={classes.dim}>
        {series.length > 0 ? 'Drag to zoom, wheel to zoom, double click for all' : 'Timeline'}
      </span>
    );
  }
  const at = Math.round(cursorMs / 1000) * 1000;
  const shownZone = zone.zone === 'UTC' ? zone.localZone : zone.zone;
  const readings = series
    .map((one) => ({ one, reading: readSeries(one, cursorMs) }))
    .filter(({ reading }) => series.length === 1 || reading.kind === 'recorded');
  return (
    <div className={classes.cursorReading} data-testid="timeline-reading">
      <span className={classes.cursorTime}>
        {formatDay(at, shownZone)} {formatClock(at, shownZone)} {zoneLabel(at, shownZone)}
        <span className={classes.dim}> ({formatClock(at, 'UTC')} UTC)</span>
      </span>
      {readings.slice(0, maxReadings).map(({ one, reading }) => (
        <span key={one.psn ?? ''} className={classes.cursorValue}>
          <CameraMark index={content.cameraIndex.get(cameraKey(one.psn)) ?? -1} />
          {series.length <= 2 && <span className={classes.ellipsis}>{cameraLabel(one)}</span>}
          {reading.kind === 'gap' ? (
            <span className={classes.dim}>gap, nothing recorded</span>
          ) : (
            <>
              {reading.speedKmh === null ? (
                <span className={classes.dim}>no speed</span>
              ) : (
                `${reading.speedKmh.toFixed(1)} km/h`
              )}
              <span className={classes.dim}>
                {reading.headingDeg === null
                  ? 'no heading'
                  : `${reading.headingDeg.toFixed(0)}° ${compassPoint(reading.headingDeg)}`}
              </span>
            </>
          )}
        </span>
      ))}
      {readings.length > maxReadings && (
        <span className={classes.dim}>and {readings.length - maxReadings} more</span>
      )}
    </div>
  );
}

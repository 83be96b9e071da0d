import { Button, SegmentedControl, Tooltip } from '@mantine/core';
import { IconZoomReset } from '@tabler/icons-react';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { TrackSeries } from '../../../shared/contract/trips.ts';
import type { TripId } from '../../../shared/ids.ts';
import { Failure } from '../../ui/index.ts';
import { cameraColor, type Scheme } from '../map/colors.ts';
import { offsetLabel, type ZoneKind } from '../timeline/clock.ts';
import {
  aroundTrip,
  bestLayout,
  tripsInOrder,
  type Lane,
  type LaneTrip,
  type TimeSpan,
} from '../timeline/lanes.ts';
import { attachLanes, type LaneView } from '../timeline/laneView.ts';
import { attachTimeline, type TimelineView } from '../timeline/timelineView.ts';
import type { LibraryContent } from './libraryStore.ts';
import type { LibraryStores } from './LibraryScreen.tsx';
import { TimelineReading } from './TimelineReading.tsx';
import { cameraKey, cameraLabel } from './tripRows.ts';
import { TripSteps } from './TripSteps.tsx';
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
  const [chart, setChart] = useState<TimelineView | null>(null);
  const [laneView, setLaneView] = useState<LaneView | null>(null);
  const { series, seriesRange, seriesError, isReadingSeries, focusedTripId } = useStore(tracks);
  // Deferred: a click on a thousand trips is answered in the table before this is drawn anew, in slices.
  const selection = useDeferredValue(useStore(library, (state) => state.selection.ids));
  /** What the user chose instead of what suits the range; asked anew with every selection. */
  const [chosenLayout, setChosenLayout] = useState<{ for: unknown; layout: Layout } | null>(null);

  const lanes = useMemo(
    () => toLanes(content, selection, series, scheme),
    [content, selection, series, scheme],
  );
  const order = useMemo(() => tripsInOrder(lanes), [lanes]);
  const limits = useMemo((): TimeSpan | null => {
    const first = order[0];
    if (!first) return null;
    return {
      fromMs: first.fromMs,
      toMs: order.reduce((latest, trip) => Math.max(latest, trip.toMs), first.toMs),
    };
  }, [order]);
  const focused = useMemo(
    () => order.find((trip) => trip.tripId === focusedTripId) ?? null,
    [order, focusedTripId],
  );
  const range = seriesRange ?? limits;
  const layout = useMemo((): Layout => {
    if (chosenLayout?.for === selection) return chosenLayout.layout;
    if (!range || isLookedAt(focused, range)) return 'chart';
    return bestLayout(lanes, range);
  }, [chosenLayout, selection, range, focused, lanes]);

  const goToTrip = useCallback((trip: LaneTrip) => tracks.focusTrip(trip.tripId, aroundTrip(trip)), [tracks]);
  const tripById = useRef(new Map<TripId, LaneTrip>());
  useEffect(() => {
    tripById.current = new Map(order.map((trip) => [trip.tripId, trip]));
  }, [order]);

  const pinAt = useRef<(ms: number) => void>(() => undefined);
  useEffect(() => {
    pinAt.current = (ms) => {
      const trip =
        focused && focused.fromMs <= ms && ms <= focused.toMs
          ? focused
          : order.find(({ fromMs, toMs }) => fromMs <= ms && ms <= toMs);
      if (trip) tracks.pinAt(trip.tripId, ms);
    };
  }, [focused, order, tracks]);

  useEffect(() => {
    if (!element.current) return;
    const callbacks = {
      onClick: (ms: number) => pinAt.current(ms),
      onCursor: tracks.setCursor,
      onRange: tracks.setSeriesRange,
      onWidth: tracks.setBuckets,
    };
    if (layout === 'chart') {
      const made = attachTimeline(element.current, callbacks);
      setChart(made);
      return () => {
        setChart(null);
        made.remove();
      };
    }
    const made = attachLanes(element.current, {
      ...callbacks,
      onTrip: (tripId) => {
        const trip = tripById.current.get(tripId);
        if (trip) goToTrip(trip);
      },
    });
    setLaneView(made);
    return () => {
      setLaneView(null);
      made.remove();
    };
  }, [tracks, layout, goToTrip]);

  const indexes = useMemo(
    () => series.map((one) => content.cameraIndex.get(cameraKey(one.psn)) ?? -1),
    [series, content],
  );
  const hasChart = series.length > 0 && limits !== null;
  const shown = layout === 'lanes' ? lanes.length > 0 : hasChart;
  useEffect(() => {
    const key = cameraKey(focused ? (content.tripById.get(focused.tripId)?.psn ?? null) : null);
    const at = series.findIndex((one) => cameraKey(one.psn) === key);
    chart?.show({
      series: hasChart ? series : [],
      colors: indexes.map((index) => cameraColor(index, scheme)),
      focused: focused && at >= 0 && series.length > 1 ? at : null,
      zone: zone.zone,
      scheme,
      range: seriesRange,
      limits,
    });
  }, [chart, series, hasChart, indexes, zone.zone, scheme, seriesRange, limits, focused, content]);
  useEffect(() => {
    laneView?.show({ lanes, zone: zone.zone, scheme, range: seriesRange, limits });
  }, [laneView, lanes, zone.zone, scheme, seriesRange, limits]);

  useEffect(() => {
    const view = chart ?? laneView;
    if (!view) return;
    return tracks.subscribe((now, before) => {
      // Only what comes from the map: the chart's own cursor is where the pointer is.
      if (now.cursorMs !== before.cursorMs && (now.hovered || before.hovered)) view.setCursor(now.cursorMs);
    });
  }, [chart, laneView, tracks]);

  const someMs = limits?.fromMs ?? 0;
  return (
    <section className={classes.timeline} aria-label="Timeline: speed and heading">
      <div className={classes.timelineHead}>
        <TimelineReading
          stores={stores}
          content={content}
          zone={zone}
          hint={
            layout === 'lanes'
              ? 'Click a trip to look at it; drag or wheel to zoom, double click for all'
              : 'Click to fix a moment; drag or wheel to zoom, double click for all'
          }
        />
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
        {order.length > 1 && (
          <>
            <TripSteps order={order} focused={focusedTripId} shown={seriesRange} onTrip={goToTrip} />
            <SegmentedControl
              aria-label="How the timeline is shown"
              value={layout}
              onChange={(value) => setChosenLayout({ for: selection, layout: value as Layout })} // one of the two below
              data={[
                { value: 'lanes', label: 'Lanes' },
                { value: 'chart', label: 'Chart' },
              ]}
            />
          </>
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

type Layout = 'chart' | 'lanes';

/** Whether the time axis shows a trip and little else. */
function isLookedAt(trip: LaneTrip | null, range: TimeSpan): boolean {
  if (!trip || trip.toMs < range.fromMs || trip.fromMs > range.toMs) return false;
  return range.toMs - range.fromMs <= 8 * Math.max(60_000, trip.toMs - trip.fromMs);
}

/** The chosen trips with times by camera, in the order of the cameras' numbers; the unknown camera last. */
function toLanes(
  content: LibraryContent,
  selection: ReadonlySet<TripId>,
  series: readonly TrackSeries[],
  scheme: Scheme,
): Lane[] {
  const byKey = new Map<string, { label: string; trips: LaneTrip[] }>();
  for (const trip of content.trips) {
    if (!selection.has(trip.tripId) || !trip.hasPointTimes) continue;
    if (trip.startedAtMs === null || trip.endedAtMs === null) continue;
    const key = cameraKey(trip.psn);
    const lane = byKey.get(key) ?? { label: cameraLabel(trip), trips: [] };
    lane.trips.push({ tripId: trip.tripId, fromMs: trip.startedAtMs, toMs: trip.endedAtMs });
    byKey.set(key, lane);
  }
  const seriesOf = new Map(series.map((one) => [cameraKey(one.psn), one]));
  const lanes = [...byKey].map(([key, { label, trips }]) => {
    const index = content.cameraIndex.get(key) ?? -1;
    const lane: Lane = {
      key,
      label,
      number: index < 0 ? null : String(index + 1),
      color: cameraColor(index, scheme),
      trips: trips.sort((a, b) => a.fromMs - b.fromMs),
      series: seriesOf.get(key) ?? null,
    };
    return { index: index < 0 ? Infinity : index, lane };
  });
  return lanes.sort((a, b) => a.index - b.index).map(({ lane }) => lane);
}

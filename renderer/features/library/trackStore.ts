import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { TrackLines, TrackSeries } from '../../../shared/contract/trips.ts';
import type { TripId } from '../../../shared/ids.ts';
import type { Bbox, TrackColumns } from '../../../shared/track.ts';
import { containsBox, toContractBbox } from '../map/bounds.ts';
import { createLatestOnly } from '../map/latestOnly.ts';
import { nearestPoint, readPoint, type PointReading } from '../map/trackReading.ts';

/** What the map shows: its zoom and its edges (unwrapped degrees). */
export interface MapWindow {
  readonly level: number;
  readonly bbox: Bbox;
}

export interface SeriesRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface TrackState {
  readonly lines: TrackLines | null;
  readonly isReadingLines: boolean;
  readonly linesError: unknown;
  readonly series: readonly TrackSeries[];
  readonly isReadingSeries: boolean;
  readonly seriesError: unknown;
  /** The part of the time axis that the user zoomed to; null is all of the selection. */
  readonly seriesRange: SeriesRange | null;
  /** The one of the chosen trips that is looked at; the others stay as its background. */
  readonly focusedTripId: TripId | null;
  /** Point under the pointer on the map. */
  readonly hovered: PointReading | null;
  /** Point that a click fixed. */
  readonly pinned: PointReading | null;
  /** Instant under the pointer, on the timeline or the map. */
  readonly cursorMs: number | null;
}

export interface TrackStore extends StoreApi<TrackState> {
  setTrips(tripIds: readonly TripId[]): void;
  setWindow(window: MapWindow): void;
  /** Null goes back to the whole selection, and lets go of the trip in focus. */
  setSeriesRange(range: SeriesRange | null): void;
  /** Looks at one of the chosen trips: the time axis goes to `range`. */
  focusTrip(tripId: TripId, range: SeriesRange): void;
  setBuckets(buckets: number): void;
  retry(): void;
  /** The line of a trip near a place is under the pointer; null: nothing is. */
  hover(at: { tripId: TripId; latDeg: number; lngDeg: number } | null): void;
  /** Fixes what is hovered; with nothing hovered, lets go. */
  pin(): void;
  unpin(): void;
  /** Fixes the recorded point of a trip that is nearest in time, and puts it on the map. */
  pinAt(tripId: TripId, atMs: number): void;
  setCursor(ms: number | null): void;
  /** What the map shows, as the contract takes a box; null while there is no map or it shows the whole world. */
  windowBbox(): Bbox | null;
  /** Where the map was left. */
  lastWindow(): MapWindow | null;
}

/** Below this zoom a selection is drawn whole, so that panning asks for nothing. */
const firstCulledLevel = 11;
const keptTrips = 24;
const nothing: readonly never[] = [];

/** Lines and series of the chosen trips, and what is read off them. */
export function createTrackStore(client: DeskClient): TrackStore {
  const store = createStore<TrackState>(() => ({
    lines: null,
    isReadingLines: false,
    linesError: null,
    series: nothing,
    isReadingSeries: false,
    seriesError: null,
    seriesRange: null,
    focusedTripId: null,
    hovered: null,
    pinned: null,
    cursorMs: null,
  }));
  let tripIds: readonly TripId[] = [];
  let mapWindow: MapWindow | null = null;
  let askedLines: { level: number; bbox: Bbox | null } | null = null;
  let buckets = 600;

  const lines = createLatestOnly({
    run: (ask: { level: number; bbox: Bbox | null }) => {
      const bbox = ask.bbox && toContractBbox(...ask.bbox);
      return client.invoke('tracks.lines', {
        tripIds: [...tripIds],
        level: ask.level,
        ...(bbox ? { bbox: [...bbox] } : {}),
      });
    },
    onValue: (value) => store.setState({ lines: value, isReadingLines: false, linesError: null }),
    onError: (error) => store.setState({ isReadingLines: false, linesError: error }),
  });
  const series = createLatestOnly({
    run: (range: SeriesRange | null) =>
      client.invoke('tracks.series', { tripIds: [...tripIds], buckets, ...range }),
    onValue: (value) => store.setState({ series: value, isReadingSeries: false, seriesError: null }),
    onError: (error) => store.setState({ isReadingSeries: false, seriesError: error }),
  });

  function askLines(isForced: boolean): void {
    if (tripIds.length === 0 || !mapWindow) return;
    const { bbox, level } = mapWindow;
    const isCulled = mapWindow.level >= firstCulledLevel;
    const isEnough =
      askedLines?.level === level &&
      (askedLines.bbox === null || (isCulled && containsBox(askedLines.bbox, bbox)));
    if (isEnough && !isForced) return;
    askedLines = { level, bbox: isCulled ? widen(bbox) : null };
    store.setState({ isReadingLines: true });
    lines.ask(askedLines);
  }
  function askSeries(): void {
    if (tripIds.length === 0) return;
    store.setState({ isReadingSeries: true });
    series.ask(store.getState().seriesRange);
  }

  const pointsOfTrip = new Map<TripId, Promise<TrackColumns>>();
  function pointsOf(tripId: TripId): Promise<TrackColumns> {
    let found = pointsOfTrip.get(tripId);
    if (found) pointsOfTrip.delete(tripId);
    else {
      found = client.invoke('trips.points', { tripId });
      found.catch(() => pointsOfTrip.delete(tripId));
    }
    pointsOfTrip.set(tripId, found);
    for (const oldest of pointsOfTrip.keys()) {
      if (pointsOfTrip.size <= keptTrips) break;
      pointsOfTrip.delete(oldest);
    }
    return found;
  }
  let hoverGeneration = 0;

  return {
    ...store,
    setTrips(next) {
      tripIds = next;
      hoverGeneration++;
      if (next.length === 0) {
        lines.cancel();
        series.cancel();
        askedLines = null;
        store.setState({ ...store.getInitialState() });
        return;
      }
      const { pinned } = store.getState();
      const isPinKept = pinned !== null && next.includes(pinned.tripId);
      store.setState({
        hovered: null,
        pinned: isPinKept ? pinned : null,
        cursorMs: null,
        seriesRange: null,
        focusedTripId: null,
      });
      askLines(true);
      askSeries();
    },
    setWindow(next) {
      mapWindow = next;
      askLines(false);
    },
    setSeriesRange(range) {
      store.setState(range ? { seriesRange: range } : { seriesRange: null, focusedTripId: null });
      askSeries();
    },
    focusTrip(tripId, range) {
      store.setState({ seriesRange: range, focusedTripId: tripId });
      askSeries();
    },
    setBuckets(next) {
      // Resizing by a few pixels is no reason to ask again.
      if (Math.abs(next - buckets) < buckets / 4) return;
      buckets = next;
      askSeries();
    },
    retry() {
      store.setState({ linesError: null, seriesError: null });
      askLines(true);
      askSeries();
    },
    hover(at) {
      const mine = ++hoverGeneration;
      if (!at) {
        if (store.getState().hovered) store.setState({ hovered: null, cursorMs: null });
        return;
      }
      // The drawn line is simplified; the reading comes from all recorded points of the trip.
      pointsOf(at.tripId).then(
        (columns) => {
          if (mine !== hoverGeneration) return;
          const hovered = nearestPoint(at.tripId, columns, at.latDeg, at.lngDeg);
          store.setState({ hovered, cursorMs: hovered?.timeMs ?? null });
        },
        () => {}, // the same request fails visibly for lines and series; a reading is asked for again on the next move
      );
    },
    pin() {
      store.setState({ pinned: store.getState().hovered });
    },
    unpin: () => store.setState({ pinned: null }),
    pinAt(tripId, atMs) {
      const mine = ++hoverGeneration;
      pointsOf(tripId).then(
        (columns) => {
          const index = nearestInTime(columns.timesMs, atMs);
          if (mine !== hoverGeneration || index === null) return;
          store.setState({ pinned: readPoint(tripId, columns, index), hovered: null });
        },
        () => {}, // as for a reading on the map: asked for again with the next click
      );
    },
    windowBbox: () => mapWindow && toContractBbox(...mapWindow.bbox),
    lastWindow: () => mapWindow,
    setCursor(ms) {
      if (ms !== store.getState().cursorMs) store.setState({ cursorMs: ms });
    },
  };
}

/** The point whose time is nearest; null where none has a time. Times need not be in order. Pure. */
export function nearestInTime(timesMs: ArrayLike<number>, atMs: number): number | null {
  let best: number | null = null;
  let bestMs = Infinity;
  for (let i = 0; i < timesMs.length; i++) {
    const awayMs = Math.abs((timesMs[i] ?? NaN) - atMs);
    if (awayMs < bestMs) [best, bestMs] = [i, awayMs];
  }
  return best;
}

/** The window and as much again on each side: small pans need no new answer. */
function widen([west, south, east, north]: Bbox): Bbox {
  const x = east - west;
  const y = north - south;
  return [west - x, Math.max(-90, south - y), east + x, Math.min(90, north + y)];
}

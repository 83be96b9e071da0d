import type { Camera } from '../../../shared/contract/sources.ts';
import type { Trip } from '../../../shared/contract/trips.ts';
import type { SourceId, TripId } from '../../../shared/ids.ts';

/** What the toolbar narrows the table to. Empty sets and nulls let everything through. */
export interface LibraryFilter {
  readonly text: string;
  readonly sourceIds: ReadonlySet<SourceId>;
  /** Camera keys, see `cameraKey`. */
  readonly cameraKeys: ReadonlySet<string>;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly minSpeedKmh: number | null;
  /** Trips that the core found at the place asked for; null when no place is asked for. */
  readonly tripIdsAtPlace: ReadonlySet<TripId> | null;
}

export const noFilter: LibraryFilter = {
  text: '',
  sourceIds: new Set(),
  cameraKeys: new Set(),
  fromMs: null,
  toMs: null,
  minSpeedKmh: null,
  tripIdsAtPlace: null,
};

export function hasFilter(filter: LibraryFilter): boolean {
  return (
    filter.text.trim() !== '' ||
    filter.sourceIds.size > 0 ||
    filter.cameraKeys.size > 0 ||
    filter.fromMs !== null ||
    filter.toMs !== null ||
    filter.minSpeedKmh !== null ||
    filter.tripIdsAtPlace !== null
  );
}

export const sortColumns = ['camera', 'start', 'duration', 'distance', 'maxSpeed', 'points'] as const;
export type SortColumn = (typeof sortColumns)[number];
export interface Sort {
  readonly column: SortColumn;
  readonly isDescending: boolean;
}

/** One key for each camera; the unknown camera has its own. */
export function cameraKey(psn: string | null): string {
  return psn ?? '';
}

export function cameraLabel(camera: Pick<Trip, 'psn' | 'cameraName'>): string {
  return camera.cameraName ?? camera.psn ?? 'unknown camera';
}

/** Number and palette position of each camera, stable while cameras are only added. -1: unknown camera. */
export function cameraIndexes(cameras: readonly Pick<Camera, 'psn' | 'name'>[]): ReadonlyMap<string, number> {
  const known = cameras
    .filter((camera) => camera.psn !== null)
    .toSorted(
      (a, b) =>
        collator.compare(a.name ?? a.psn ?? '', b.name ?? b.psn ?? '') ||
        (a.psn ?? '').localeCompare(b.psn ?? ''),
    );
  const indexes = new Map<string, number>(known.map((camera, index) => [cameraKey(camera.psn), index]));
  indexes.set(cameraKey(null), -1);
  return indexes;
}

/** "Van 2" before "Van 10". */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Milliseconds from first to last point; null without times. */
export function durationMs(trip: Trip): number | null {
  return trip.startedAtMs === null || trip.endedAtMs === null ? null : trip.endedAtMs - trip.startedAtMs;
}

export function matchesFilter(trip: Trip, filter: LibraryFilter): boolean {
  if (filter.sourceIds.size > 0 && !filter.sourceIds.has(trip.sourceId)) return false;
  if (filter.cameraKeys.size > 0 && !filter.cameraKeys.has(cameraKey(trip.psn))) return false;
  if (filter.fromMs !== null && (trip.endedAtMs === null || trip.endedAtMs < filter.fromMs)) return false;
  if (filter.toMs !== null && (trip.startedAtMs === null || trip.startedAtMs >= filter.toMs)) return false;
  // A trip without any speed has no known top speed: it can't be said to have reached the asked one.
  if (filter.minSpeedKmh !== null && (trip.maxSpeedKmh === null || trip.maxSpeedKmh < filter.minSpeedKmh))
    return false;
  if (filter.tripIdsAtPlace !== null && !filter.tripIdsAtPlace.has(trip.tripId)) return false;
  const text = filter.text.trim().toLowerCase();
  if (text === '') return true;
  return [
    trip.cameraName,
    trip.psn,
    trip.name,
    trip.tripId,
    trip.driveNo === null ? null : String(trip.driveNo),
  ].some((field) => field?.toLowerCase().includes(text));
}

function sortValue(trip: Trip, column: SortColumn): number | null {
  switch (column) {
    case 'camera':
      return null;
    case 'start':
      return trip.startedAtMs;
    case 'duration':
      return durationMs(trip);
    case 'distance':
      return trip.distanceM;
    case 'maxSpeed':
      return trip.maxSpeedKmh;
    case 'points':
      return trip.points;
  }
}

/** Sorted copy. What is not known goes last in both directions; equal rows keep to start, then id. */
export function sortTrips(trips: readonly Trip[], sort: Sort): readonly Trip[] {
  const sign = sort.isDescending ? -1 : 1;
  const byKey = (a: Trip, b: Trip): number => {
    if (sort.column === 'camera') {
      if ((a.psn === null) !== (b.psn === null)) return a.psn === null ? 1 : -1;
      return sign * collator.compare(cameraLabel(a), cameraLabel(b));
    }
    const left = sortValue(a, sort.column);
    const right = sortValue(b, sort.column);
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
    return sign * (left - right);
  };
  return trips.toSorted(
    (a, b) =>
      byKey(a, b) ||
      (a.startedAtMs ?? Infinity) - (b.startedAtMs ?? Infinity) ||
      (a.tripId < b.tripId ? -1 : 1),
  );
}

/** Sums of the rows shown, for the toolbar's count. */
export function totals(trips: readonly Trip[]): {
  readonly trips: number;
  readonly points: number;
  readonly distanceM: number;
} {
  let points = 0;
  let distanceM = 0;
  for (const trip of trips) {
    points += trip.points;
    distanceM += trip.distanceM;
  }
  return { trips: trips.length, points, distanceM };
}

import { describe, expect, it } from 'vitest';
import { parsePlace } from '../../../renderer/features/library/place.ts';
import {
  emptySelection,
  keepExisting,
  moveFocus,
  selectAll,
  selectOne,
  selectRange,
  toggleOne,
} from '../../../renderer/features/library/selection.ts';
import { librarySplits } from '../../../renderer/features/library/Splits.tsx';
import { parseSplitShares } from '../../../renderer/ui/index.ts';
import {
  cameraIndexes,
  hasFilter,
  matchesFilter,
  noFilter,
  sortTrips,
  totals,
} from '../../../renderer/features/library/tripRows.ts';
import type { Trip } from '../../../shared/contract/trips.ts';
import type { SourceId, TripId } from '../../../shared/ids.ts';

const trip = (id: string, change: Partial<Trip> = {}): Trip => ({
  tripId: id as TripId,
  sourceId: 'src_1' as SourceId,
  psn: 'P1',
  isPsnAssigned: false,
  cameraName: 'Van 1',
  driveNo: 7,
  name: null,
  startedAtMs: 1000,
  endedAtMs: 5000,
  points: 10,
  hasPointTimes: true,
  distanceM: 100,
  maxSpeedKmh: 50,
  bbox: [4, 52, 5, 53],
  ...change,
});
const ids = (trips: readonly Trip[]) => trips.map((one) => one.tripId);

describe('the filter', () => {
  it('does not count an unknown top speed as slow or fast', () => {
    expect(matchesFilter(trip('a', { maxSpeedKmh: null }), { ...noFilter, minSpeedKmh: 0 })).toBe(false);
    expect(matchesFilter(trip('a', { maxSpeedKmh: 0 }), { ...noFilter, minSpeedKmh: 0 })).toBe(true);
  });
  it('lets trips through that overlap the range; the end is exclusive', () => {
    const one = trip('a');
    expect(matchesFilter(one, { ...noFilter, fromMs: 5000 })).toBe(true);
    expect(matchesFilter(one, { ...noFilter, fromMs: 5001 })).toBe(false);
    expect(matchesFilter(one, { ...noFilter, toMs: 1000 })).toBe(false);
    expect(
      matchesFilter(trip('b', { startedAtMs: null, endedAtMs: null }), { ...noFilter, toMs: 9e15 }),
    ).toBe(false);
  });
  it('finds by name, serial and trip number, and keeps the unknown camera apart', () => {
    expect(matchesFilter(trip('a'), { ...noFilter, text: ' van 1' })).toBe(true);
    expect(matchesFilter(trip('a', { psn: 'BB007F' }), { ...noFilter, text: 'b007' })).toBe(true);
    expect(matchesFilter(trip('a'), { ...noFilter, text: 'nobody' })).toBe(false);
    expect(matchesFilter(trip('a', { psn: null }), { ...noFilter, cameraKeys: new Set(['P1']) })).toBe(false);
    expect(matchesFilter(trip('a', { psn: null }), { ...noFilter, cameraKeys: new Set(['']) })).toBe(true);
    expect(hasFilter(noFilter)).toBe(false);
    expect(hasFilter({ ...noFilter, tripIdsAtPlace: new Set() })).toBe(true);
  });
});

describe('the order of rows', () => {
  it('counts numbers in names and puts the unknown last in both directions', () => {
    const trips = [
      trip('a', { cameraName: 'Van 10', psn: 'P10' }),
      trip('b', { cameraName: 'Van 2', psn: 'P2' }),
      trip('c', { cameraName: null, psn: null }),
    ];
    expect(ids(sortTrips(trips, { column: 'camera', isDescending: false }))).toEqual(['b', 'a', 'c']);
    expect(ids(sortTrips(trips, { column: 'camera', isDescending: true }))).toEqual(['a', 'b', 'c']);
    const speeds = [
      trip('a', { maxSpeedKmh: null }),
      trip('b', { maxSpeedKmh: 0 }),
      trip('c', { maxSpeedKmh: 9 }),
    ];
    expect(ids(sortTrips(speeds, { column: 'maxSpeed', isDescending: false }))).toEqual(['b', 'c', 'a']);
    expect(ids(sortTrips(speeds, { column: 'maxSpeed', isDescending: true }))).toEqual(['c', 'b', 'a']);
  });
  it('numbers cameras in the order of their names', () => {
    const camera = (psn: string | null, name: string | null) => ({ psn, name });
    const indexes = cameraIndexes([camera('P10', 'Van 10'), camera(null, null), camera('P2', 'Van 2')]);
    expect([indexes.get('P2'), indexes.get('P10'), indexes.get('')]).toEqual([0, 1, -1]);
  });
  it('sums what is shown', () => {
    expect(totals([trip('a'), trip('b')])).toEqual({ trips: 2, points: 20, distanceM: 200 });
  });
});

describe('the selection', () => {
  const rows = ['a', 'b', 'c', 'd'] as TripId[];
  it('extends from the first row clicked, forward and back', () => {
    const one = selectOne(rows[1]!);
    expect([...selectRange(one, rows, rows[3]!).ids]).toEqual(['b', 'c', 'd']);
    expect([...selectRange(selectRange(one, rows, rows[3]!), rows, rows[0]!).ids]).toEqual(['a', 'b']);
    expect([...selectRange(toggleOne(one, rows[3]!), rows, rows[2]!, true).ids].toSorted()).toEqual([
      'b',
      'c',
      'd',
    ]);
  });
  it('moves with the keyboard and stays in the list', () => {
    expect(moveFocus(emptySelection, rows, 1)).toBe('a');
    expect(moveFocus(emptySelection, rows, -1)).toBe('d');
    expect(moveFocus(selectOne(rows[0]!), rows, 1e9)).toBe('d');
    expect(moveFocus(selectOne(rows[0]!), [], 1)).toBeNull();
  });
  it('drops rows that have left the library', () => {
    const kept = keepExisting(selectAll(emptySelection, rows), (id) => id !== 'a');
    expect([...kept.ids]).toEqual(['b', 'c', 'd']);
    expect(kept.focus).toBeNull();
  });
});

describe('what is typed and kept', () => {
  it('reads coordinates as people paste them', () => {
    const place = { latDeg: 52.1042, lngDeg: 4.3012 };
    for (const text of [
      '52.1042, 4.3012',
      '52.1042 4.3012',
      ' 52,1042; 4,3012 ',
      '52.1042N 4.3012E',
      '52.1042° 4.3012°',
    ]) {
      expect(parsePlace(text)).toEqual(place);
    }
    expect(parsePlace('33.9S, 18.4E')).toEqual({ latDeg: -33.9, lngDeg: 18.4 });
    for (const text of ['', '52.1', '91, 4', '52, 181', 'here', '1e3, 4', '52.1, 4.3, 5'])
      expect(parsePlace(text)).toBeNull();
  });
  it('takes only usable pane sizes from storage', () => {
    expect(parseSplitShares(librarySplits, '{"table":0.3,"timeline":0.2}')).toEqual({
      table: 0.3,
      timeline: 0.2,
    });
    expect(parseSplitShares(librarySplits, '{"table":99,"timeline":"x"}').table).toBe(0.75);
    expect(parseSplitShares(librarySplits, 'garbage')).toEqual(parseSplitShares(librarySplits, null));
  });
});

import { describe, expect, it } from 'vitest';
import {
  daysOf,
  lanePath,
  lanesIn,
  lanesOf,
  nearestMark,
  panRange,
  rangeOfDay,
  rangeOfLanes,
  ticksOf,
  zoomRange,
} from '../../../renderer/features/cameras/lanes.ts';
import {
  directionsOf,
  filterRows,
  noFilter,
  parseWallClock,
  toCardFilters,
  typesOf,
} from '../../../renderer/features/cameras/recordingFilter.ts';
import { part, row } from './samples.ts';

const rows = [
  row('2026-03-14T17:32:10', { type: 'driving_impact', typeCode: 'E' }),
  row('2026-03-14T17:32:00'),
  row('2026-03-14T17:31:00'),
  row('2026-03-13T22:00:00', { type: 'unknown', typeCode: 'Z', parts: [part('20260313_220000_ZF.mp4')] }),
];

describe('the card’s lanes', () => {
  it('are one for each camera and letter, front and driving first', () => {
    expect(lanesOf(rows).map((lane) => `${lane.direction} ${lane.letter} ${lane.marks.length}`)).toEqual([
      'front N 2',
      'front E 1',
      'front Z 1',
      'option N 2',
      'option E 1',
    ]);
    expect(daysOf(rows)).toEqual([
      { day: '2026-03-14', count: 3 },
      { day: '2026-03-13', count: 1 },
    ]);
    const lanes = lanesOf(rows);
    expect(lanesIn(lanes, rangeOfDay('2026-03-13')).map(({ letter }) => letter)).toEqual(['Z']);
  });

  it('draw recordings that follow each other as one, others apart', () => {
    const lane = lanesOf(rows)[0];
    const range = rangeOfDay('2026-03-14');
    expect(lanePath(lane?.marks ?? [], range, 86_400, 4)).toBe('M63060.0 0H63124.0V1H63060.0Z');
    expect(lanePath(lane?.marks ?? [], range, 86_400, 4, 10_000)).toBe(
      'M63060.0 0H63064.0V1H63060.0ZM63120.0 0H63124.0V1H63120.0Z',
    );
    expect(lanePath(lane?.marks ?? [], rangeOfDay('2026-03-15'), 100, 4)).toBe('');
  });

  it('zoom and pan stay on the card', () => {
    const outer = rangeOfLanes(lanesOf(rows));
    if (!outer) throw new Error('no range');
    const day = rangeOfDay('2026-03-14');
    const near = zoomRange(day, 0.5, day.fromMs, outer);
    expect([near.fromMs - day.fromMs, near.toMs - near.fromMs]).toEqual([0, 43_200_000]);
    expect(zoomRange(day, 100, day.fromMs, outer)).toEqual(outer);
    expect(zoomRange(day, 0, day.fromMs, outer).toMs - day.fromMs).toBe(300_000);
    expect(panRange(day, 5, outer)).toEqual(day);
    expect(panRange(day, -5, outer)).toEqual(rangeOfDay('2026-03-13'));
    expect(ticksOf(day, 8).length).toBeLessThanOrEqual(9);
  });

  it('a click takes the nearest recording within reach', () => {
    const marks = lanesOf(rows)[0]?.marks ?? [];
    const at = Date.UTC(2026, 2, 14, 17, 31, 55);
    expect(nearestMark(marks, at, 10_000)?.rowId).toBe('20260314_173200_N');
    expect(nearestMark(marks, at - 20_000, 1_000)).toBeNull();
  });
});

describe('the filter', () => {
  it('narrows by type, letter of an unknown type, camera, stream and camera clock', () => {
    const count = (patch: Partial<typeof noFilter>) => filterRows(rows, { ...noFilter, ...patch }).length;
    expect(filterRows(rows, noFilter)).toBe(rows);
    expect(count({ type: 'driving_impact' })).toBe(1);
    expect(count({ type: 'unknown:Z' })).toBe(1);
    expect(count({ type: 'unknown:Q' })).toBe(0);
    expect(count({ direction: 'option' })).toBe(3);
    expect(count({ from: '2026-03-14T17:32:00' })).toBe(2);
    expect(count({ to: '2026-03-14T17:31:59' })).toBe(2);
    const withoutSub = [row('2026-03-14T01:00:00', { parts: [part('aF.mp4', { sub: null })] })];
    expect(filterRows(withoutSub, { ...noFilter, stream: 'sub' })).toEqual([]);
    expect(filterRows(withoutSub, { ...noFilter, stream: 'main' })).toEqual(withoutSub);
    const sized = (mainSizeBytes?: number) => {
      const raw = { filename: 'bF.mp4', ...(mainSizeBytes === undefined ? {} : { mainSizeBytes }) };
      return row('2026-03-14T02:00:00', { parts: [part('bF.mp4', { raw })] });
    };
    // A stated 0 is no stream; no stated size hides nothing.
    expect(filterRows([sized(0)], { ...noFilter, stream: 'main' })).toEqual([]);
    expect(filterRows([sized(), sized(1)], { ...noFilter, stream: 'main' })).toHaveLength(2);
    expect(typesOf(rows).map(({ value, count: n }) => `${value} ${n}`)[0]).toBe('normal 2');
    expect(directionsOf(rows)).toEqual(['front', 'option']);
  });

  it('is sent as the service knows it', () => {
    expect(toCardFilters(noFilter)).toEqual({});
    expect(
      toCardFilters({ ...noFilter, type: 'unknown:Z', stream: 'sub', from: '2026-03-14T00:00:00' }),
    ).toEqual({
      type: 'unknown',
      stream: 'sub',
      from: '2026-03-14T00:00:00',
    });
  });

  it('reads typed camera times, a bare day as the whole of it', () => {
    expect(parseWallClock('2026-03-14 7:05')).toBe('2026-03-14T07:05:00');
    expect(parseWallClock('2026-03-14', true)).toBe('2026-03-14T23:59:59');
    expect(parseWallClock('2026-02-30')).toBeNull();
    expect(parseWallClock('14 March')).toBeNull();
  });

  it('goes through ten thousand rows', () => {
    const many = Array.from({ length: 10_000 }, (_, i) =>
      row(new Date(Date.UTC(2026, 2, 1) + i * 20_000).toISOString().slice(0, 19)),
    );
    const found = filterRows(many, {
      ...noFilter,
      type: 'normal',
      direction: 'front',
      from: '2026-03-02T00:00:00',
    });
    expect(found.length).toBe(10_000 - 4_320);
    expect(lanesOf(many)[0]?.marks).toHaveLength(10_000);
  });
});

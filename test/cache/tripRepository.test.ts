import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLineRepository, lineSql } from '../../main/cache/lineRepository.ts';
import { openCache, openCacheConnection, type EvidenceCache } from '../../main/cache/openCache.ts';
import { ABSENT, LITERAL, PointColumns } from '../../main/cache/trackCodec.ts';
import { createTripRepository, type TripRepository } from '../../main/cache/tripRepository.ts';
import { listSql, tripSql } from '../../main/cache/tripSql.ts';
import type { SourceId, TripId } from '../../shared/ids.ts';
import { idsOf, seedSource, type SeedPoint } from './seedTrips.ts';

const id = (text: string): TripId => text as TripId;
const start = 1_741_000_000;

/** A straight drive: a point a second, `step` degrees east each. */
function drive(lat: number, lng: number, count: number, atS = start, speed?: number): SeedPoint[] {
  return Array.from({ length: count }, (_, i) => ({
    t: atS + i,
    lat,
    lng: lng + i * 0.0001,
    ...(speed === undefined ? {} : { speed }),
  }));
}

let folder: string;
let cache: EvidenceCache;
let trips: TripRepository;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trips-'));
  cache = openCache({ folder });
  trips = createTripRepository(cache.db);
});
afterEach(() => {
  cache.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('listing trips', () => {
  beforeEach(() => {
    seedSource(cache, 'src_a', [
      { tripId: 'late', psn: 'P1', cameraName: 'Van 1', points: drive(52, 4, 10, start + 1000, 80) },
      { tripId: 'early', psn: 'P2', points: drive(52.5, 4.5, 10, start, 30) },
      { tripId: 'nameless', points: drive(53, 5, 10, start + 500) },
    ]);
    seedSource(cache, 'src_b', [
      {
        tripId: 'shape',
        points: [
          { lat: 52, lng: 4.0005 },
          { lat: 52.1, lng: 4.0005 },
        ],
      },
      {
        tripId: 'assigned',
        assignedPsn: 'P1',
        assignedName: 'Van one',
        points: drive(-10, 179.9995, 10, start + 2000),
      },
    ]);
  });

  it('goes by start, those without a time last', () => {
    expect(idsOf(trips.list({}))).toEqual(['early', 'nameless', 'late', 'assigned', 'shape']);
  });

  it('takes the camera that the source named or a user assigned', () => {
    expect(idsOf(trips.list({ psns: ['P1'] }))).toEqual(['late', 'assigned']);
    expect(idsOf(trips.list({ psns: [null] }))).toEqual(['nameless', 'shape']);
    expect(idsOf(trips.list({ psns: ['P2', null] }))).toEqual(['early', 'nameless', 'shape']);
    expect(trips.list({ psns: [] })).toEqual([]);
    expect(trips.get(id('assigned'))).toMatchObject({
      psn: 'P1',
      cameraName: 'Van one',
      isPsnAssigned: true,
    });
    expect(trips.get(id('late'))).toMatchObject({ psn: 'P1', cameraName: 'Van 1', isPsnAssigned: false });
  });

  it('keeps absent apart from zero', () => {
    expect(trips.get(id('nameless'))).toMatchObject({ maxSpeedKmh: null, psn: null, driveNo: null });
    expect(trips.get(id('shape'))).toMatchObject({
      startedAtMs: null,
      endedAtMs: null,
      hasPointTimes: false,
    });
  });

  it('by source', () => {
    expect(idsOf(trips.list({ sourceId: 'src_b' as SourceId }))).toEqual(['assigned', 'shape']);
  });

  it('by overlap with a range whose end is outside of it', () => {
    const at = (seconds: number): number => (start + seconds) * 1000;
    expect(idsOf(trips.list({ fromMs: at(9), toMs: at(1000) }))).toEqual(['early', 'nameless']);
    expect(idsOf(trips.list({ fromMs: at(9.5) }))).toEqual(['nameless', 'late', 'assigned']);
    expect(idsOf(trips.list({ toMs: at(0) }))).toEqual([]);
  });

  it('by top speed, of which a trip without speeds has none', () => {
    expect(idsOf(trips.list({ minSpeedKmh: 30 }))).toEqual(['early', 'late']);
    expect(idsOf(trips.list({ minSpeedKmh: 30.1 }))).toEqual(['late']);
    expect(idsOf(trips.list({ minSpeedKmh: 0 }))).toEqual(['early', 'late']);
  });

  it('by a box that holds a recorded point, not only by the bounds', () => {
    expect(idsOf(trips.list({ bbox: [4, 51, 4.001, 52.05] }))).toEqual(['late', 'shape']);
    // Within the bounds of the two-point shape, but no point of it is there.
    expect(idsOf(trips.list({ bbox: [4.0001, 52.02, 4.1, 52.05] }))).toEqual([]);
  });

  it('by a box across the 180th meridian', () => {
    expect(idsOf(trips.list({ bbox: [179, -11, -179, -9] }))).toEqual(['assigned']);
    expect(idsOf(trips.list({ bbox: [-179, -11, 179, -9] }))).toEqual([]);
  });

  it('by a circle that holds a recorded point', () => {
    expect(idsOf(trips.list({ place: { latDeg: 52, lngDeg: 4.0005, radiusM: 5 } }))).toEqual([
      'late',
      'shape',
    ]);
    expect(idsOf(trips.list({ place: { latDeg: 52, lngDeg: 4.002, radiusM: 50 } }))).toEqual([]);
    expect(idsOf(trips.list({ psns: [null], place: { latDeg: 52, lngDeg: 4, radiusM: 5000 } }))).toEqual([
      'shape',
    ]);
  });
});

describe('points', () => {
  it('come back with the digits of their source, chunk by chunk or all at once', () => {
    const columns = new PointColumns(8);
    columns.add(start * 10, 1, 52_100_000, 6, 41, 1, 0, ABSENT, 0, 1, 0, ABSENT);
    const at = columns.add(start * 10 + 5, 1, 0, LITERAL, 42, 1, 90, 0, 0, ABSENT, -5, 1);
    columns.setLiteral(1, at, '52.12345678901234567890');
    columns.add(start + 1, 0, 53, 0, 4, 0, 0, 0, 1234, 2, 0, ABSENT);
    seedSource(cache, 'src_a', [{ tripId: 'exact', points: columns, chunkPoints: 2, speedUnit: 'ms' }]);

    const whole = trips.columnsOf(id('exact'));
    expect([0, 1, 2].map((i) => whole.textAt(1, i))).toEqual(['52.100000', '52.12345678901234567890', '53']);
    expect([0, 1, 2].map((i) => whole.textAt(4, i))).toEqual(['0.0', null, '12.34']);
    const pieces = [...trips.chunksOf(id('exact'))];
    expect(pieces.map((piece) => piece.count)).toEqual([2, 1]);
    expect(pieces[0]!.textAt(1, 1)).toBe('52.12345678901234567890');

    const numbers = trips.points(id('exact'));
    expect([...numbers.speedKmh]).toEqual([0, NaN, 44.424]);
    expect([...numbers.timesMs]).toEqual([start * 1000, start * 1000 + 500, start * 1000 + 1000]);
    expect([...numbers.latDeg]).toEqual([52.1, Number('52.12345678901234567890'), 53]);
    expect([...numbers.headingDeg]).toEqual([NaN, 90, 0]);
    expect([...numbers.altitudeM]).toEqual([NaN, -0.5, NaN]);
  });

  it('of a trip that is not there are refused by name', () => {
    expect(() => trips.points(id('trip_none'))).toThrowError(expect.objectContaining({ code: 'not_found' }));
    expect(() => trips.columnsOf(id('trip_none'))).toThrowError(
      expect.objectContaining({ code: 'not_found' }),
    );
    expect(() => trips.get(id('trip_none'))).toThrowError(/trip_none/);
  });

  it('of a damaged chunk are an error with a remedy, not a crash or a wrong place', () => {
    seedSource(cache, 'src_a', [{ tripId: 'torn', points: drive(52, 4, 10) }]);
    cache.db.exec('UPDATE trip_chunk SET data = substr(data, 1, 20)');
    expect(() => trips.points(id('torn'))).toThrowError(
      expect.objectContaining({ code: 'cache_corrupt', remedy: expect.stringContaining('import') }),
    );
  });

  it('can be read while the connection writes between two chunks', () => {
    seedSource(cache, 'src_a', [{ tripId: 'long', points: drive(52, 4, 10), chunkPoints: 4 }]);
    for (const piece of trips.chunksOf(id('long'))) {
      cache.db.exec(`INSERT OR REPLACE INTO setting VALUES ('seen', '${piece.count}')`);
    }
    expect(cache.db.prepare('SELECT value FROM setting').pluck().get()).toBe('2');
  });
});

describe('cameras', () => {
  it('are gathered by who they are now, the unknown ones last', () => {
    seedSource(cache, 'src_a', [
      { tripId: 'a', psn: 'P2', cameraName: 'old name', points: drive(52, 4, 10) },
      { tripId: 'b', psn: 'P2', cameraName: 'new name', points: drive(52, 4, 5, start + 100) },
      { tripId: 'c', points: drive(52, 4, 3) },
      { tripId: 'd', assignedPsn: 'P1', points: drive(52, 4, 2) },
    ]);
    const cameras = trips.cameras();
    expect(cameras.map(({ psn, name, trips: count, points }) => [psn, name, count, points])).toEqual([
      ['P1', null, 1, 2],
      ['P2', 'new name', 2, 15],
      [null, null, 1, 3],
    ]);
    expect(cameras[1]).toMatchObject({ firstMs: start * 1000, lastMs: (start + 104) * 1000 });
  });
});

describe('chunks that a place question must look at', () => {
  it('include the neighbours of a hit, and pairs whose joining line may cross the box', () => {
    const points = [
      ...drive(52, 4, 4), // chunk 0, far west
      ...drive(52, 5, 4, start + 4), // chunk 1, in the box
      ...drive(52, 6, 4, start + 8), // chunk 2
      ...drive(52, 7, 4, start + 12), // chunk 3: the line from 2 to 3 passes 6.5
    ];
    seedSource(cache, 'src_a', [{ tripId: 'long', points, chunkPoints: 4 }]);
    const ordinals = (west: number, east: number): number[] =>
      trips.candidates([[west, 51.9, east, 52.1]]).flatMap((c) => c.chunks.map((chunk) => chunk.ordinal));
    expect(ordinals(4.9, 5.1)).toEqual([0, 1, 2]);
    expect(ordinals(6.5, 6.6)).toEqual([2, 3]);
    expect(ordinals(8, 9)).toEqual([]);
  });
});

describe('the use of indexes', () => {
  const planOf = (sql: string, parameters: object | unknown[]): string =>
    cache.db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...(Array.isArray(parameters) ? parameters : [parameters]))
      .map((row) => row.detail)
      .join('\n');
  const box = { west: 4, south: 52, east: 5, north: 53 };

  it('finds chunks by their place in the R*Tree', () => {
    const plan = planOf(tripSql.chunksInBox, box);
    expect(plan).toMatch(/SCAN i VIRTUAL TABLE INDEX/);
    expect(plan).toMatch(/SEARCH c USING INTEGER PRIMARY KEY/);
  });

  it('finds joints by key once the trip is known', () => {
    const plan = planOf(tripSql.jointsInBox, box);
    expect(plan).toMatch(/SEARCH a USING (COVERING )?INDEX sqlite_autoindex_trip_chunk_1 \(trip_key=\?\)/);
    expect(plan).toMatch(
      /SEARCH b USING (COVERING )?INDEX sqlite_autoindex_trip_chunk_1 \(trip_key=\? AND ordinal=\?\)/,
    );
  });

  it('finds a trip, its chunks, and the trips of a camera, a source or a time without reading them all', () => {
    expect(planOf(tripSql.one, ['x'])).toMatch(/SEARCH t USING INDEX .*\(trip_id=\?\)/);
    expect(planOf(tripSql.many, ['[]'])).toMatch(/SEARCH t USING INDEX .*\(trip_id=\?\)/);
    expect(planOf(tripSql.inRange, { tripKeys: '[]', fromMs: null, toMs: null })).toMatch(
      /SEARCH t USING INTEGER PRIMARY KEY/,
    );
    expect(planOf(tripSql.chunks, [1])).toMatch(/SEARCH trip_chunk USING COVERING INDEX .*\(trip_key=\?\)/);
    expect(planOf(tripSql.chunk, [1])).toMatch(/USING INTEGER PRIMARY KEY/);
    const byCamera = listSql({ psns: ['P1'] });
    expect(planOf(byCamera.sql, byCamera.parameters)).toMatch(/SEARCH t USING INDEX trip_by_camera/);
    const bySource = listSql({ sourceId: 'src_a' as SourceId });
    expect(planOf(bySource.sql, bySource.parameters)).toMatch(/SEARCH t USING INDEX trip_by_source/);
    const byTime = listSql({ toMs: 5 });
    expect(planOf(byTime.sql, byTime.parameters)).toMatch(/SEARCH t USING INDEX trip_by_start/);
    expect(planOf(lineSql.many, { tripKeys: '[]', level: 6 })).toMatch(
      /SEARCH l USING .*\(trip_key=\? AND level=\?\)/,
    );
  });
});

describe('kept lines', () => {
  it('come back by trip and level, and go with their trip', () => {
    seedSource(cache, 'src_a', [{ tripId: 'a', points: drive(52, 4, 3) }]);
    const lines = createLineRepository(cache.db);
    const tripKey = cache.db.prepare<[], number>('SELECT trip_key FROM trip').pluck().get()!;
    const line = { tripKey, tripId: id('a'), level: 10, data: Uint8Array.of(1, 2, 3) };
    expect(lines.keep([line])).toBe(true);
    expect([...lines.find([tripKey, 99], 10).values()].map((data) => [...data])).toEqual([[1, 2, 3]]);
    expect(lines.find([tripKey], 14).size).toBe(0);
    cache.db.exec('DELETE FROM trip');
    expect(cache.db.prepare('SELECT count(*) FROM trip_line').pluck().get()).toBe(0);
    expect(cache.db.prepare('SELECT count(*) FROM chunk_index').pluck().get()).toBe(0);
  });

  it('are not kept for a trip that took over the key of a removed one', () => {
    seedSource(cache, 'src_a', [{ tripId: 'new', points: drive(52, 4, 3) }]);
    const lines = createLineRepository(cache.db);
    const tripKey = cache.db.prepare<[], number>('SELECT trip_key FROM trip').pluck().get()!;
    lines.keep([{ tripKey, tripId: id('removed'), level: 10, data: Uint8Array.of(1) }]);
    expect(lines.find([tripKey], 10).size).toBe(0);
  });

  it('are let go, without waiting, while another thread is writing', () => {
    seedSource(cache, 'src_a', [{ tripId: 'a', points: drive(52, 4, 3) }]);
    const importer = openCacheConnection(folder, 'write');
    importer.db.exec('BEGIN IMMEDIATE');
    const lines = createLineRepository(cache.db);
    const waitMs = cache.db.pragma('busy_timeout', { simple: true });
    expect(lines.keep([{ tripKey: 1, tripId: id('a'), level: 10, data: Uint8Array.of(1) }])).toBe(false);
    expect(cache.db.pragma('busy_timeout', { simple: true })).toBe(waitMs);
    importer.db.exec('ROLLBACK');
    importer.close();
    expect(lines.keep([{ tripKey: 1, tripId: id('a'), level: 10, data: Uint8Array.of(1) }])).toBe(true);
  });
});

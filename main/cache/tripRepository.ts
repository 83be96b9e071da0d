import type { Camera } from '../../shared/contract/sources.ts';
import type { Trip, TripFilter } from '../../shared/contract/trips.ts';
import { AppError } from '../../shared/errors.ts';
import { createGroundCircle, isInBbox, splitBbox } from '../../shared/geometry.ts';
import type { SourceId, TripId } from '../../shared/ids.ts';
import type { Bbox, TimeRange, TrackColumns } from '../../shared/track.ts';
import type { ReadableDb } from './database.ts';
import { chunkPoints, decodeChunk, LAT, LNG, PointColumns } from './trackCodec.ts';
import { toTrackColumns, type SpeedUnit } from './trackColumns.ts';

interface TripRow {
  trip_key: number;
  trip_id: string;
  source_id: string;
  psn: string | null;
  assigned_psn: string | null;
  camera_name: string | null;
  drive_no: number | null;
  name: string | null;
  started_at_ms: number | null;
  ended_at_ms: number | null;
  points: number;
  has_point_times: number;
  speed_unit: SpeedUnit;
  distance_m: number;
  max_speed_kmh: number | null;
  west: number;
  south: number;
  east: number;
  north: number;
}
interface CameraRow {
  psn: string | null;
  trips: number;
  points: number;
  first_ms: number | null;
  last_ms: number | null;
  distance_m: number;
}

/** A trip with what only the core needs: its key in the cache and the unit of its packed speeds. */
export interface StoredTrip extends Trip {
  readonly tripKey: number;
  readonly speedUnit: SpeedUnit;
}

/** Chunks of one trip that may matter to a question about a place, in order. */
export interface CandidateChunks {
  readonly tripKey: number;
  readonly chunks: readonly { readonly chunkKey: number; readonly ordinal: number }[];
}

export type TripRepository = ReturnType<typeof createTripRepository>;

const tripColumns = `t.trip_key, t.trip_id, t.source_id, coalesce(t.assigned_psn, t.psn) AS psn, t.assigned_psn,
  coalesce(t.assigned_name, t.camera_name) AS camera_name, t.drive_no, t.name, t.started_at_ms, t.ended_at_ms,
  t.points, t.has_point_times, t.speed_unit, t.distance_m, t.max_speed_kmh, t.west, t.south, t.east, t.north`;
const byStart = 'ORDER BY t.started_at_ms IS NULL, t.started_at_ms, t.trip_key';

/** SQL of the questions about trips; exported so that a test can look at their query plans. */
export const tripSql = {
  one: `SELECT ${tripColumns} FROM trip t WHERE t.trip_id = ?`,
  many: `SELECT ${tripColumns} FROM json_each(?) j JOIN trip t ON t.trip_id = j.value ${byStart}`,
  inRange: `SELECT ${tripColumns} FROM json_each(@tripKeys) j JOIN trip t ON t.trip_key = j.value
    WHERE (@fromMs IS NULL OR t.ended_at_ms IS NULL OR t.ended_at_ms >= @fromMs)
      AND (@toMs IS NULL OR t.started_at_ms IS NULL OR t.started_at_ms < @toMs)`,
  chunks: 'SELECT chunk_key FROM trip_chunk WHERE trip_key = ? ORDER BY ordinal',
  chunk: 'SELECT data FROM trip_chunk WHERE chunk_key = ?',
  chunksInBox: `SELECT c.trip_key, c.chunk_key, c.ordinal FROM chunk_index i
    JOIN trip_chunk c ON c.chunk_key = i.chunk_key
    WHERE i.west <= @east AND i.east >= @west AND i.south <= @north AND i.north >= @south`,
  /**
   * Neighbouring chunks whose joining line may cross the box although neither chunk reaches it. CROSS JOIN keeps
   * the order: trips far away are passed over before their chunks are looked up.
   */
  jointsInBox: `SELECT a.trip_key, a.chunk_key, a.ordinal, b.chunk_key AS next_chunk_key
    FROM trip t
    CROSS JOIN trip_chunk a ON a.trip_key = t.trip_key
    JOIN trip_chunk b ON b.trip_key = a.trip_key AND b.ordinal = a.ordinal + 1
    JOIN chunk_index ia ON ia.chunk_key = a.chunk_key
    JOIN chunk_index ib ON ib.chunk_key = b.chunk_key
    WHERE t.south <= @north AND t.north >= @south
      AND (t.west > t.east OR t.east - t.west > 180 OR (t.west <= @east AND t.east >= @west))
      AND min(ia.south, ib.south) <= @north AND max(ia.north, ib.north) >= @south
      AND (max(ia.east, ib.east) - min(ia.west, ib.west) > 180
        OR (min(ia.west, ib.west) <= @east AND max(ia.east, ib.east) >= @west))`,
  cameras: `SELECT coalesce(assigned_psn, psn) AS psn, count(*) AS trips, sum(points) AS points,
      min(started_at_ms) AS first_ms, max(ended_at_ms) AS last_ms, sum(distance_m) AS distance_m
    FROM trip GROUP BY coalesce(assigned_psn, psn)
    ORDER BY coalesce(assigned_psn, psn) IS NULL, coalesce(assigned_psn, psn)`,
  /** The name that the latest trip of each camera carries. SQLite takes bare columns from the row of max(). */
  cameraNames: `SELECT coalesce(assigned_psn, psn) AS psn, coalesce(assigned_name, camera_name) AS name,
      max(coalesce(started_at_ms, -8.64e15)) AS latest
    FROM trip
    WHERE coalesce(assigned_name, camera_name) IS NOT NULL AND coalesce(assigned_psn, psn) IS NOT NULL
    GROUP BY coalesce(assigned_psn, psn)`,
} as const;

/** The SQL of a filter (without its exact tests on points), with its parameters by name. */
export function listSql(filter: TripFilter): { sql: string; parameters: Record<string, unknown> } {
  const where: string[] = [];
  const parameters: Record<string, unknown> = {};
  if (filter.psns !== undefined) {
    where.push(
      `(coalesce(t.assigned_psn, t.psn) IN (SELECT value FROM json_each(@psns))${
        filter.psns.includes(null) ? ' OR coalesce(t.assigned_psn, t.psn) IS NULL' : ''
      })`,
    );
    parameters.psns = JSON.stringify(filter.psns.filter((psn) => psn !== null));
  }
  if (filter.sourceId !== undefined) {
    where.push('t.source_id = @sourceId');
    parameters.sourceId = filter.sourceId;
  }
  if (filter.fromMs !== undefined) {
    where.push('t.ended_at_ms >= @fromMs');
    parameters.fromMs = filter.fromMs;
  }
  if (filter.toMs !== undefined) {
    where.push('t.started_at_ms < @toMs');
    parameters.toMs = filter.toMs;
  }
  if (filter.minSpeedKmh !== undefined) {
    where.push('t.max_speed_kmh >= @minSpeedKmh');
    parameters.minSpeedKmh = filter.minSpeedKmh;
  }
  const condition = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
  return { sql: `SELECT ${tripColumns} FROM trip t${condition} ${byStart}`, parameters };
}

/**
 * All SQL about trips, their points and cameras. Times are UTC milliseconds, positions WGS 84 degrees. A
 * camera is the one the source named or else the one a user assigned. Chunks that can't be unpacked raise
 * AppError('cache_corrupt').
 */
export function createTripRepository(db: ReadableDb) {
  const selectOne = db.prepare<[string], TripRow>(tripSql.one);
  const selectMany = db.prepare<[string], TripRow>(tripSql.many);
  const selectInRange = db.prepare<[object], TripRow>(tripSql.inRange);
  const selectChunks = db.prepare<[number], { chunk_key: number }>(tripSql.chunks);
  const selectChunk = db.prepare<[number], { data: Buffer }>(tripSql.chunk);
  const selectInBox = db.prepare<[object], { trip_key: number; chunk_key: number; ordinal: number }>(
    tripSql.chunksInBox,
  );
  const selectJoints = db.prepare<
    [object],
    { trip_key: number; chunk_key: number; ordinal: number; next_chunk_key: number }
  >(tripSql.jointsInBox);
  const selectCameras = db.prepare<[], CameraRow>(tripSql.cameras);
  const selectNames = db.prepare<[], { psn: string; name: string }>(tripSql.cameraNames);
  const scratch = new PointColumns(chunkPoints);

  function unpack(chunkKey: number, into: PointColumns): PointColumns {
    const row = selectChunk.get(chunkKey);
    if (!row) return into; // its source was removed between two questions
    try {
      return decodeChunk(row.data, into);
    } catch (cause) {
      throw new AppError('cache_corrupt', `Part ${chunkKey} of a track in the evidence cache is damaged.`, {
        remedy: 'Remove the source of the track from the library and import its file again.',
        details: { chunkKey },
        cause,
      });
    }
  }

  function rowOf(tripId: TripId): TripRow {
    const row = selectOne.get(tripId);
    if (!row) {
      throw new AppError('not_found', `There is no trip ${tripId} in the library.`, {
        remedy: 'List the trips again: its source may have been removed.',
        details: { tripId },
      });
    }
    return row;
  }

  function columnsOfKey(tripKey: number, points = chunkPoints): PointColumns {
    const all = new PointColumns(Math.max(points, 1));
    for (const { chunk_key } of selectChunks.all(tripKey)) unpack(chunk_key, all);
    return all;
  }

  /** Trips with a recorded point for which `isInside` holds; whole chunks are skipped by their bounds. */
  function tripsWithPoint(
    boxes: readonly Bbox[],
    isInside: (latDeg: number, lngDeg: number) => boolean,
    isWanted: (tripKey: number) => boolean,
  ): ReadonlySet<number> {
    const found = new Set<number>();
    for (const [west, south, east, north] of boxes) {
      for (const chunk of selectInBox.all({ west, south, east, north })) {
        if (found.has(chunk.trip_key) || !isWanted(chunk.trip_key)) continue;
        scratch.clear();
        unpack(chunk.chunk_key, scratch);
        for (let i = 0; i < scratch.count; i++) {
          if (!isInside(scratch.numberAt(LAT, i), scratch.numberAt(LNG, i))) continue;
          found.add(chunk.trip_key);
          break;
        }
      }
    }
    return found;
  }

  return {
    /**
     * Trips by start (those without a time last). `fromMs`/`toMs` ask for an overlap and leave out trips without
     * a time; `bbox` and `place` ask for a recorded point inside, edges included.
     */
    list(filter: TripFilter): readonly Trip[] {
      const { sql, parameters } = listSql(filter);
      let rows = db.prepare<[object], TripRow>(sql).all(parameters);
      if (filter.bbox !== undefined && rows.length > 0) {
        const box = filter.bbox;
        const [west, south, east, north] = box;
        // A trip whose bounds lie within the box needs no look at its points. Bounds are plain minimum and maximum.
        const isWithin = (row: TripRow): boolean =>
          west <= east && row.west >= west && row.east <= east && row.south >= south && row.north <= north;
        const open = new Set(rows.filter((row) => !isWithin(row)).map((row) => row.trip_key));
        const touching = tripsWithPoint(
          splitBbox(box),
          (latDeg, lngDeg) => isInBbox(box, latDeg, lngDeg),
          (tripKey) => open.has(tripKey),
        );
        rows = rows.filter((row) => !open.has(row.trip_key) || touching.has(row.trip_key));
      }
      if (filter.place !== undefined && rows.length > 0) {
        const circle = createGroundCircle(filter.place);
        const wanted = new Set(rows.map((row) => row.trip_key));
        const touching = tripsWithPoint(circle.boxes, circle.contains, (tripKey) => wanted.has(tripKey));
        rows = rows.filter((row) => touching.has(row.trip_key));
      }
      return rows.map(toTrip);
    },

    /** AppError('not_found') for a trip that is not there. */
    get: (tripId: TripId): Trip => toTrip(rowOf(tripId)),

    /** The trips that are there, by start; ids of others are passed over. */
    stored: (tripIds: readonly TripId[]): readonly StoredTrip[] =>
      selectMany.all(JSON.stringify(tripIds)).map(toStoredTrip),

    /** Of the trips with these keys, those whose time overlaps the range and those without a time, by key. */
    storedInRange(tripKeys: readonly number[], range: TimeRange): ReadonlyMap<number, StoredTrip> {
      const { fromMs, toMs } = range;
      const rows = selectInRange.all({ tripKeys: JSON.stringify(tripKeys), fromMs, toMs });
      return new Map(rows.map((row) => [row.trip_key, toStoredTrip(row)]));
    },

    /** Every point of a trip with the digits of its source, in the order of the source. */
    columnsOf(tripId: TripId): PointColumns {
      const row = rowOf(tripId);
      return columnsOfKey(row.trip_key, row.points);
    },

    /** The same, a few thousand points at a time; each piece is the caller's to keep. */
    *chunksOf(tripId: TripId): Generator<PointColumns, void, undefined> {
      // Keys first: an open cursor would keep the connection busy while the caller works.
      for (const { chunk_key } of selectChunks.all(rowOf(tripId).trip_key)) {
        yield unpack(chunk_key, new PointColumns(chunkPoints));
      }
    },

    /** Every point of a trip as numbers: NaN where absent, speed in km/h whatever the source's unit. */
    points(tripId: TripId): TrackColumns {
      const row = rowOf(tripId);
      return toTrackColumns(columnsOfKey(row.trip_key, row.points), row.speed_unit);
    },

    /** As `columnsOf`, for a trip whose key is known; empty when it is gone. */
    columnsOfKey,

    /**
     * As `columnsOfKey`, into columns that are used again: for many trips in a row (ten thousand short trips take
     * half the time). What was in `into` is gone; it is returned.
     */
    readInto(tripKey: number, into: PointColumns): PointColumns {
      into.clear();
      for (const { chunk_key } of selectChunks.all(tripKey)) unpack(chunk_key, into);
      return into;
    },

    /** Unpacks one chunk, appending to `into`. */
    unpack,

    /**
     * For each trip, the chunks that a place question must look at: those whose bounds meet a box, and pairs
     * whose joining line may cross one (which brings in the neighbours of the former: the line goes on there).
     */
    candidates(boxes: readonly Bbox[]): readonly CandidateChunks[] {
      const hits = new Map<number, Map<number, number>>();
      for (const [west, south, east, north] of boxes) {
        const box = { west, south, east, north };
        for (const { trip_key, chunk_key, ordinal } of selectInBox.all(box)) {
          chunksByOrdinal(hits, trip_key).set(ordinal, chunk_key);
        }
        for (const joint of selectJoints.all(box)) {
          const byOrdinal = chunksByOrdinal(hits, joint.trip_key);
          byOrdinal.set(joint.ordinal, joint.chunk_key);
          byOrdinal.set(joint.ordinal + 1, joint.next_chunk_key);
        }
      }
      return [...hits].map(([tripKey, byOrdinal]) => ({
        tripKey,
        chunks: [...byOrdinal]
          .map(([ordinal, chunkKey]) => ({ ordinal, chunkKey }))
          .sort((a, b) => a.ordinal - b.ordinal),
      }));
    },

    /** One row for each camera; trips of no known camera are gathered under psn null, last. */
    cameras(): readonly Camera[] {
      const names = new Map(selectNames.all().map((row) => [row.psn, row.name]));
      return selectCameras.all().map((row) => ({
        psn: row.psn,
        name: row.psn === null ? null : (names.get(row.psn) ?? null),
        trips: row.trips,
        points: row.points,
        firstMs: row.first_ms,
        lastMs: row.last_ms,
        distanceM: row.distance_m,
      }));
    },
  };
}

function chunksByOrdinal(hits: Map<number, Map<number, number>>, tripKey: number): Map<number, number> {
  let byOrdinal = hits.get(tripKey);
  if (!byOrdinal) hits.set(tripKey, (byOrdinal = new Map()));
  return byOrdinal;
}

function toTrip(row: TripRow): Trip {
  return {
    tripId: row.trip_id as TripId, // written by the importer, which makes the ids
    sourceId: row.source_id as SourceId, // as above
    psn: row.psn,
    isPsnAssigned: row.assigned_psn !== null,
    cameraName: row.camera_name,
    driveNo: row.drive_no,
    name: row.name,
    startedAtMs: row.started_at_ms,
    endedAtMs: row.ended_at_ms,
    points: row.points,
    hasPointTimes: row.has_point_times === 1,
    distanceM: row.distance_m,
    maxSpeedKmh: row.max_speed_kmh,
    bbox: [row.west, row.south, row.east, row.north],
  };
}

function toStoredTrip(row: TripRow): StoredTrip {
  return { ...toTrip(row), tripKey: row.trip_key, speedUnit: row.speed_unit };
}

import type { Camera } from '../../shared/contract/sources.ts';
import type { Trip, TripFilter } from '../../shared/contract/trips.ts';
import { AppError } from '../../shared/errors.ts';
import { createGroundCircle, isInBbox, splitBbox } from '../../shared/geometry.ts';
import type { SourceId, TripId } from '../../shared/ids.ts';
import type { Bbox, TimeRange, TrackColumns } from '../../shared/track.ts';
import type { ReadableDb } from './database.ts';
import { chunkPoints, decodeChunk, LAT, LNG, PointColumns } from './trackCodec.ts';
import { toTrackColumns, type SpeedUnit } from './trackColumns.ts';
import { listSql, tripSql } from './tripSql.ts';

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

/**
 * Trips, their points and cameras (the SQL is in tripSql.ts). Times are UTC milliseconds, positions WGS 84 degrees. A
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

import type { SourceId, TripId } from '../../shared/ids.ts';
import type { WritableDb } from './database.ts';

/** A trip about to be committed. Times are UTC milliseconds, null where unknown; bounds are WGS 84 degrees. */
export interface NewTrip {
  readonly tripId: TripId;
  readonly sourceId: SourceId;
  readonly entryOrdinal: number;
  readonly psn: string | null;
  readonly cameraName: string | null;
  readonly driveNo: number | null;
  readonly name: string | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly points: number;
  readonly hasPointTimes: boolean;
  readonly speedUnit: 'kmh' | 'ms';
  readonly distanceM: number;
  readonly maxSpeedKmh: number | null;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** One packed chunk of a trip (trackCodec) with its bounds. */
export interface NewChunk {
  readonly points: number;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly data: Uint8Array;
}

/** Upper end of an unknown time in `chunk_index`, seconds. */
const endOfTimeS = 1e12;

/** Bulk insertion of trips; to be called inside the transaction that inserts their source. */
export function createImportRepository(db: WritableDb) {
  const insertTrip = db.prepare<(string | number | null)[]>(
    `INSERT INTO trip (trip_id, source_id, entry_ordinal, psn, camera_name, drive_no, name, started_at_ms,
       ended_at_ms, points, has_point_times, speed_unit, distance_m, max_speed_kmh, west, south, east, north)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertChunk = db.prepare<[number | bigint, number, number, number | null, number | null, Uint8Array]>(
    'INSERT INTO trip_chunk (trip_key, ordinal, points, from_ms, to_ms, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const indexChunk = db.prepare<(number | bigint)[]>(
    'INSERT INTO chunk_index (chunk_key, west, east, south, north, from_s, to_s) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return {
    /** `chunks` in the order of the points; each is asked for when its turn comes. */
    addTrip(trip: NewTrip, chunks: Iterable<NewChunk>): void {
      const { lastInsertRowid: tripKey } = insertTrip.run(
        trip.tripId,
        trip.sourceId,
        trip.entryOrdinal,
        trip.psn,
        trip.cameraName,
        trip.driveNo,
        trip.name,
        trip.startedAtMs,
        trip.endedAtMs,
        trip.points,
        trip.hasPointTimes ? 1 : 0,
        trip.speedUnit,
        trip.distanceM,
        trip.maxSpeedKmh,
        trip.west,
        trip.south,
        trip.east,
        trip.north,
      );
      let ordinal = 0;
      for (const chunk of chunks) {
        const { points, fromMs, toMs, data } = chunk;
        const { lastInsertRowid: chunkKey } = insertChunk.run(tripKey, ordinal, points, fromMs, toMs, data);
        indexChunk.run(
          chunkKey,
          chunk.west,
          chunk.east,
          chunk.south,
          chunk.north,
          fromMs === null ? 0 : fromMs / 1000,
          toMs === null ? endOfTimeS : toMs / 1000,
        );
        ordinal++;
      }
    },
  };
}
export type ImportRepository = ReturnType<typeof createImportRepository>;

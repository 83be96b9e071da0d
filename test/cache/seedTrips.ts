import { AppError } from '../../shared/errors.ts';
import { distanceM } from '../../shared/geometry.ts';
import type { TripId } from '../../shared/ids.ts';
import type { EvidenceCache } from '../../main/cache/openCache.ts';
import { ABSENT, chunkPoints, encodeChunk, PointColumns } from '../../main/cache/trackCodec.ts';

/** A point as a test states it: seconds since 1970, degrees; undefined is absent. */
export interface SeedPoint {
  readonly t?: number;
  readonly lat: number;
  readonly lng: number;
  readonly heading?: number;
  readonly speed?: number;
}
export interface SeedTrip {
  readonly tripId: string;
  readonly psn?: string | null;
  readonly assignedPsn?: string;
  readonly cameraName?: string | null;
  readonly assignedName?: string;
  readonly driveNo?: number;
  readonly speedUnit?: 'kmh' | 'ms';
  readonly points: readonly SeedPoint[] | PointColumns;
  readonly beginMs?: number;
  readonly endMs?: number;
  /** Points in a chunk, to get several chunks from few points. */
  readonly chunkPoints?: number;
}

/** Six decimals, as exports write coordinates. */
export function toColumns(points: readonly SeedPoint[]): PointColumns {
  const columns = new PointColumns(Math.max(points.length, 1));
  const coded = (value: number | undefined, decimals: number): [number, number] =>
    value === undefined ? [0, ABSENT] : [Math.round(value * 10 ** decimals), decimals];
  for (const point of points) {
    columns.add(
      ...coded(point.t, 3),
      ...coded(point.lat, 6),
      ...coded(point.lng, 6),
      ...coded(point.heading, 0),
      ...coded(point.speed, 1),
      0,
      ABSENT,
    );
  }
  return columns;
}

/** Writes a source with trips straight into the cache, as the importer does, without an archive to read. */
export function seedSource(cache: EvidenceCache, sourceId: string, trips: readonly SeedTrip[]): void {
  const { db } = cache;
  db.prepare(
    `INSERT INTO source (source_id, sha256, size_bytes, file_name, kind, imported_at_ms, reader_version, trips, points, skipped_rows)
     VALUES (?, ?, 1, ?, 'export-zip', 0, '1', ?, 0, 0)`,
  ).run(sourceId, sourceId.padEnd(64, '0').slice(0, 64), `${sourceId}.zip`, trips.length);
  const insertTrip = db.prepare(
    `INSERT INTO trip (trip_id, source_id, entry_ordinal, psn, assigned_psn, camera_name, assigned_name, drive_no,
       started_at_ms, ended_at_ms, points, has_point_times, speed_unit, distance_m, max_speed_kmh, west, south, east, north)
     VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertChunk = db.prepare(
    'INSERT INTO trip_chunk (trip_key, ordinal, points, from_ms, to_ms, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertIndex = db.prepare('INSERT INTO chunk_index VALUES (?, ?, ?, ?, ?, ?, ?)');
  db.transaction(() => {
    for (const trip of trips) {
      const columns = trip.points instanceof PointColumns ? trip.points : toColumns(trip.points);
      const all = rangesOf(columns, 0, columns.count);
      let length = 0;
      for (let i = 1; i < columns.count; i++) {
        length += distanceM(
          columns.numberAt(1, i - 1),
          columns.numberAt(2, i - 1),
          columns.numberAt(1, i),
          columns.numberAt(2, i),
        );
      }
      const unit = trip.speedUnit ?? 'kmh';
      const hasTimes = Number.isFinite(all.fromS);
      const { lastInsertRowid } = insertTrip.run(
        trip.tripId,
        sourceId,
        trip.psn ?? null,
        trip.assignedPsn ?? null,
        trip.cameraName ?? null,
        trip.assignedName ?? null,
        trip.driveNo ?? null,
        trip.beginMs ?? (hasTimes ? all.fromS * 1000 : null),
        trip.endMs ?? (hasTimes ? all.toS * 1000 : null),
        columns.count,
        hasTimes ? 1 : 0,
        unit,
        length,
        Number.isFinite(all.maxSpeed) ? all.maxSpeed * (unit === 'ms' ? 3.6 : 1) : null,
        all.west,
        all.south,
        all.east,
        all.north,
      );
      const size = trip.chunkPoints ?? chunkPoints;
      for (let from = 0, ordinal = 0; from < columns.count; from += size, ordinal++) {
        const to = Math.min(from + size, columns.count);
        const part = rangesOf(columns, from, to);
        const isTimed = Number.isFinite(part.fromS);
        const chunk = insertChunk.run(
          lastInsertRowid,
          ordinal,
          to - from,
          isTimed ? part.fromS * 1000 : null,
          isTimed ? part.toS * 1000 : null,
          encodeChunk(columns, from, to),
        );
        insertIndex.run(
          chunk.lastInsertRowid,
          part.west,
          part.east,
          part.south,
          part.north,
          isTimed ? part.fromS : 0,
          isTimed ? part.toS : 1e12,
        );
      }
    }
  })();
}

function rangesOf(columns: PointColumns, from: number, to: number) {
  const out = {
    fromS: Infinity,
    toS: -Infinity,
    south: Infinity,
    north: -Infinity,
    west: Infinity,
    east: -Infinity,
    maxSpeed: -Infinity,
  };
  for (let i = from; i < to; i++) {
    const [time, lat, lng, , speed] = [0, 1, 2, 3, 4].map((column) => columns.numberAt(column, i));
    if (lat === undefined || lng === undefined) throw new AppError('internal', 'a seed point has a place');
    if (!Number.isNaN(time)) {
      out.fromS = Math.min(out.fromS, time!);
      out.toS = Math.max(out.toS, time!);
    }
    if (!Number.isNaN(speed)) out.maxSpeed = Math.max(out.maxSpeed, speed!);
    out.south = Math.min(out.south, lat);
    out.north = Math.max(out.north, lat);
    out.west = Math.min(out.west, lng);
    out.east = Math.max(out.east, lng);
  }
  return out;
}

/** Ids of trips, for comparing lists. */
export const idsOf = (trips: readonly { readonly tripId: TripId }[]): string[] => trips.map((t) => t.tripId);

import type { TripFilter } from '../../shared/contract/trips.ts';

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

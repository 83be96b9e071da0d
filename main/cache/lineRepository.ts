import type { TripId } from '../../shared/ids.ts';
import { codeOf, isDiskFull, transact, type WritableDb } from './database.ts';

/** A simplified line as it is kept: its trip, its level and its packed vertices (main/desk/tracks/lineCodec.ts). */
export interface StoredLine {
  readonly tripKey: number;
  /** Guards against a key that was given to another trip while the line was being computed. */
  readonly tripId: TripId;
  readonly level: number;
  readonly data: Uint8Array;
}

export type LineRepository = ReturnType<typeof createLineRepository>;

/** SQL of the lines; exported so that a test can look at the query plan. */
export const lineSql = {
  many: `SELECT l.trip_key AS tripKey, l.data FROM json_each(@tripKeys) j
    JOIN trip_line l ON l.trip_key = j.value AND l.level = @level`,
  missing: `SELECT j.value AS tripKey FROM json_each(@tripKeys) j
    LEFT JOIN trip_line l ON l.trip_key = j.value AND l.level = @level WHERE l.trip_key IS NULL`,
  one: `INSERT OR REPLACE INTO trip_line (trip_key, level, data)
    SELECT trip_key, @level, @data FROM trip WHERE trip_key = @tripKey AND trip_id = @tripId`,
} as const;

/** Simplified lines of trips: a cache inside the cache, gone with their trip and computed again at need. */
export function createLineRepository(db: WritableDb) {
  const selectMany = db.prepare<[object], { tripKey: number; data: Buffer }>(lineSql.many);
  const selectMissing = db.prepare<[object], { tripKey: number }>(lineSql.missing);
  return {
    /** Which of the trips have no line of the level. */
    missing(tripKeys: readonly number[], level: number): ReadonlySet<number> {
      const rows = selectMissing.all({ tripKeys: JSON.stringify(tripKeys), level });
      return new Set(rows.map((row) => row.tripKey));
    },

    /** The lines of one level that are there, by trip key. */
    find(tripKeys: readonly number[], level: number): ReadonlyMap<number, Uint8Array> {
      const rows = selectMany.all({ tripKeys: JSON.stringify(tripKeys), level });
      return new Map(rows.map((row) => [row.tripKey, row.data]));
    },

    /**
     * Keeps lines in one transaction; those of trips that are gone are passed over. Returns false, with nothing
     * kept, while another thread is writing or the disk is full: lines can be computed again, and the window
     * must not wait for an import.
     */
    keep(lines: readonly StoredLine[]): boolean {
      const insert = db.prepare<[StoredLine]>(lineSql.one);
      const waitMs = Number(db.pragma('busy_timeout', { simple: true }));
      db.pragma('busy_timeout = 0');
      try {
        transact(db, () => {
          for (const line of lines) insert.run(line);
        });
        return true;
      } catch (thrown) {
        if (isDiskFull(thrown) || /^SQLITE_(BUSY|LOCKED)/.test(codeOf(thrown))) return false;
        throw thrown;
      } finally {
        db.pragma(`busy_timeout = ${waitMs}`);
      }
    },
  };
}

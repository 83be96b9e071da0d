import type { Clip, ClipDetail, ClipFacts, ClipFilter } from '../../shared/contract/clips.ts';
import { AppError } from '../../shared/errors.ts';
import type { ClipId, SourceId } from '../../shared/ids.ts';
import type { WritableDb } from './database.ts';

/** A clip about to be committed, in the transaction that inserts its source. */
export interface NewClip {
  readonly sourceId: SourceId;
  readonly sha256: string;
  readonly origin: Clip['origin'];
  readonly psn: string | null;
  /** As stated by who brought it; null: by its name. */
  readonly quality: Clip['quality'];
  /** The same: null goes by the facts. */
  readonly mainName: string | null;
  /** `undefined`: not read yet (see `unread`); null: can't be read. */
  readonly facts: ClipFacts | null | undefined;
}

interface ClipRow {
  clip_id: string;
  source_id: string;
  file_name: string;
  sha256: string;
  size_bytes: number;
  imported_at_ms: number;
  origin: Clip['origin'];
  psn: string | null;
  main_name: string | null;
  quality: Clip['quality'];
  type_code: string | null;
  direction_code: string | null;
  recorded_at_local: string | null;
  start_utc_ms: number | null;
  end_utc_ms: number | null;
  duration_s: number | null;
  west: number | null;
  south: number | null;
  east: number | null;
  north: number | null;
  facts: string | null;
  is_read: number;
}

/** The id of the clip with these bytes. */
export const clipIdOf = (sha256: string): ClipId => `clip_${sha256.slice(0, 16)}` as ClipId; // the brand has no runtime form

function toClip(row: ClipRow): Clip {
  const { west, south, east, north } = row;
  const isPlaced = west !== null && south !== null && east !== null && north !== null;
  return {
    clipId: row.clip_id as ClipId, // the column holds nothing else
    sourceId: row.source_id as SourceId, // as above
    fileName: row.file_name,
    sha256: row.sha256,
    sizeBytes: row.size_bytes,
    importedAtMs: row.imported_at_ms,
    origin: row.origin,
    psn: row.psn,
    mainName: row.main_name,
    quality: row.quality,
    typeCode: row.type_code,
    directionCode: row.direction_code,
    recordedAtLocal: row.recorded_at_local,
    startUtcMs: row.start_utc_ms,
    endUtcMs: row.end_utc_ms,
    durationS: row.duration_s,
    bbox: isPlaced ? [west, south, east, north] : null,
    isRead: row.is_read === 1,
  };
}

// Facts are written by `insert` or `saveFacts`.
const toDetail = (row: ClipRow): ClipDetail => ({
  ...toClip(row),
  facts: row.facts === null ? null : (JSON.parse(row.facts) as ClipFacts),
});

/** All SQL about clips. Times are UTC milliseconds, null where unknown. */
export function createClipRepository(db: WritableDb) {
  const columns = `c.clip_id, c.source_id, s.file_name, s.sha256, s.size_bytes, s.imported_at_ms, c.origin, c.psn,
    c.main_name, c.quality, c.type_code, c.direction_code, c.recorded_at_local, c.start_utc_ms, c.end_utc_ms,
    c.duration_s, c.west, c.south, c.east, c.north, c.is_read`;
  const from = 'FROM clip c JOIN source s ON s.source_id = c.source_id';
  const selectOne = db.prepare<[string], ClipRow>(`SELECT ${columns}, c.facts ${from} WHERE c.clip_id = ?`);
  const selectMany = db.prepare<[string], ClipRow>(
    `SELECT ${columns}, c.facts FROM json_each(?) j JOIN clip c ON c.clip_id = j.value
     JOIN source s ON s.source_id = c.source_id`,
  );
  const selectUnread = db.prepare<[], ClipRow>(
    `SELECT ${columns}, NULL AS facts ${from} WHERE c.is_read = 0 ORDER BY c.clip_id`,
  );
  const selectNamed = db.prepare<[string, string], ClipRow>(
    `SELECT ${columns}, NULL AS facts ${from} WHERE c.main_name = ? AND c.quality = ? ORDER BY c.clip_id`,
  );
  const insertClip = db.prepare<(string | number | null)[]>(
    `INSERT INTO clip (clip_id, source_id, origin, psn, quality, main_name, type_code, direction_code,
       recorded_at_local, start_utc_ms, end_utc_ms, duration_s, west, south, east, north, facts, is_read)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateFacts = db.prepare<(string | number | null)[]>(
    `UPDATE clip SET quality = coalesce(quality, ?), main_name = coalesce(?, main_name), type_code = ?,
       direction_code = ?, recorded_at_local = ?, start_utc_ms = ?, end_utc_ms = ?, duration_s = ?, west = ?,
       south = ?, east = ?, north = ?, facts = ?, is_read = 1 WHERE clip_id = ?`,
  );
  const updateSpan = db.prepare<[number | null, number | null, string]>(
    'UPDATE source SET from_ms = ?, to_ms = ? WHERE source_id = (SELECT source_id FROM clip WHERE clip_id = ?)',
  );
  const updateCamera = db.prepare<[string, string | null, string]>(
    `UPDATE clip SET psn = ?, quality = coalesce(?, quality) WHERE clip_id = ?`,
  );

  return {
    insert(clip: NewClip): void {
      insertClip.run(
        clipIdOf(clip.sha256),
        clip.sourceId,
        clip.origin,
        clip.psn,
        clip.quality ?? clip.facts?.name?.stream ?? null,
        clip.mainName ?? clip.facts?.name?.mainName ?? null,
        ...columnsOf(clip.facts ?? null),
        clip.facts ? JSON.stringify(clip.facts) : null,
        clip.facts === undefined ? 0 : 1,
      );
    },
    /** Keeps what reading a clip brought, for its source too; null: it can't be read. Call inside a transaction. */
    saveFacts(clipId: ClipId, facts: ClipFacts | null): void {
      updateFacts.run(
        facts?.name?.stream ?? null,
        facts?.name?.mainName ?? null,
        ...columnsOf(facts),
        facts ? JSON.stringify(facts) : null,
        clipId,
      );
      const { startMs, endMs } = spanOf(facts);
      updateSpan.run(startMs, endMs ?? startMs, clipId);
    },
    /** Says whose a clip is, when a recall brings bytes that were imported by hand before. */
    saveCamera(clipId: ClipId, psn: string, quality: Clip['quality']): void {
      updateCamera.run(psn, quality, clipId);
    },
    find(clipId: ClipId): Clip | null {
      const row = selectOne.get(clipId);
      return row ? toClip(row) : null;
    },
    /** Throws AppError not_found. */
    get(clipId: ClipId): ClipDetail {
      const row = selectOne.get(clipId);
      if (!row) {
        throw new AppError('not_found', 'There is no such clip in the library (any more).', {
          details: { clipId },
        });
      }
      return toDetail(row);
    },
    /** The clips that are there, in no order; ids of others are passed over. */
    details: (clipIds: readonly ClipId[]): readonly ClipDetail[] =>
      selectMany.all(JSON.stringify(clipIds)).map(toDetail),
    /** Clips whose files wait to be read. */
    unread: (): readonly Clip[] => selectUnread.all().map(toClip),
    /** Clips with a camera's name for a recording: of which camera, only `psn` tells. */
    named: (mainName: string, quality: 'main' | 'sub'): readonly Clip[] =>
      selectNamed.all(mainName, quality).map(toClip),
    /** By start; those of unknown time last, by name. */
    list(filter: ClipFilter): readonly Clip[] {
      const { where, values } = whereOf(filter);
      const rows = db
        .prepare<unknown[], ClipRow>(
          `SELECT ${columns}, NULL AS facts ${from} ${where}
           ORDER BY c.start_utc_ms IS NULL, c.start_utc_ms, s.file_name, c.clip_id`,
        )
        .all(...values);
      return rows.map(toClip);
    },
  };
}
export type ClipRepository = ReturnType<typeof createClipRepository>;

function spanOf(facts: ClipFacts | null): { startMs: number | null; endMs: number | null } {
  const startMs = facts?.clock.startUtcMs ?? null;
  const durationS = facts?.durationS ?? null;
  return { startMs, endMs: startMs === null || durationS === null ? null : startMs + durationS * 1000 };
}

/** type_code to north, in the order of the statements above. */
function columnsOf(facts: ClipFacts | null): (string | number | null)[] {
  const { startMs, endMs } = spanOf(facts);
  return [
    facts?.name?.typeCode ?? null,
    facts?.name?.directionCode ?? null,
    facts?.recordedAtLocal ?? null,
    startMs,
    endMs,
    facts?.durationS ?? null,
    ...(facts?.gps?.bbox ?? [null, null, null, null]),
  ];
}

function whereOf(filter: ClipFilter): { where: string; values: unknown[] } {
  const terms: string[] = [];
  const values: unknown[] = [];
  const add = (term: string, ...bound: unknown[]): void => {
    terms.push(term);
    values.push(...bound);
  };
  if (filter.psns !== undefined) {
    const named = filter.psns.filter((psn) => psn !== null);
    const unnamed = named.length < filter.psns.length ? 'c.psn IS NULL' : '0';
    add(`(c.psn IN (SELECT value FROM json_each(?)) OR ${unnamed})`, JSON.stringify(named));
  }
  if (filter.toMs !== undefined) add('c.start_utc_ms < ?', filter.toMs);
  if (filter.fromMs !== undefined) add('coalesce(c.end_utc_ms, c.start_utc_ms) >= ?', filter.fromMs);
  if (filter.mainName !== undefined) add('c.main_name = ?', filter.mainName);
  if (filter.bbox !== undefined) {
    const [west, south, east, north] = filter.bbox;
    const meets = west <= east ? 'c.west <= ? AND c.east >= ?' : '(c.west <= ? OR c.east >= ?)';
    add(`${meets} AND c.south <= ? AND c.north >= ?`, east, west, north, south);
  }
  return { where: terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : '', values };
}

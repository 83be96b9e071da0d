import type { Mark, MarkAnchor } from '../../shared/contract/marks.ts';
import type { CaseId, ClipId, MarkId } from '../../shared/ids.ts';
import type { WritableDb } from './database.ts';

export interface MarkFilter {
  /** Null: marks of no case. */
  readonly caseId?: CaseId | null | undefined;
  /** Anchored on one of these. */
  readonly clipIds?: readonly ClipId[] | undefined;
  /** Marks that touch [fromMs, toMs); those of unknown time are left out then. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

interface MarkRow {
  mark_id: string;
  case_id: string | null;
  kind: Mark['kind'];
  from_ms: number | null;
  to_ms: number | null;
  uncertainty_ms: number | null;
  from_clip_id: string | null;
  from_clip_s: number | null;
  to_clip_id: string | null;
  to_clip_s: number | null;
  title: string;
  note: string;
  tags: string;
  actor: string;
  made_at_ms: number;
  edited_at_ms: number | null;
  removed_at_ms: number | null;
}

/** A mark that is there, or that was taken away and can come back. */
export interface StoredMark {
  readonly mark: Mark;
  readonly isRemoved: boolean;
}

/** All SQL about marks. Checks nothing and records nothing: main/desk/marks.ts does. */
export function createMarkRepository(db: WritableDb) {
  const selectOne = db.prepare<[string], MarkRow>('SELECT * FROM mark WHERE mark_id = ?');
  const insertMark = db.prepare<(string | number | null)[]>(
    `INSERT INTO mark (mark_id, case_id, kind, from_ms, to_ms, uncertainty_ms, from_clip_id, from_clip_s,
       to_clip_id, to_clip_s, title, note, tags, actor, made_at_ms, edited_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateMark = db.prepare<(string | number | null)[]>(
    `UPDATE mark SET case_id = ?, from_ms = ?, to_ms = ?, from_clip_id = ?, from_clip_s = ?, to_clip_id = ?,
       to_clip_s = ?, title = ?, note = ?, tags = ?, edited_at_ms = ? WHERE mark_id = ?`,
  );
  const updateRemoved = db.prepare<[number | null, string]>(
    'UPDATE mark SET removed_at_ms = ? WHERE mark_id = ?',
  );

  return {
    /** Taken away or not; null when there is none. */
    find(markId: MarkId): StoredMark | null {
      const row = selectOne.get(markId);
      return row ? { mark: toMark(row), isRemoved: row.removed_at_ms !== null } : null;
    },
    /** Those that are there, by time; those of unknown time last, as they were made. */
    list(filter: MarkFilter): readonly Mark[] {
      const { where, values } = whereOf(filter);
      return db
        .prepare<unknown[], MarkRow>(
          `SELECT * FROM mark WHERE ${where} ORDER BY from_ms IS NULL, from_ms, made_at_ms, mark_id`,
        )
        .all(...values)
        .map(toMark);
    },
    insert(mark: Mark): void {
      insertMark.run(
        mark.markId,
        mark.caseId,
        mark.kind,
        mark.fromMs,
        mark.toMs,
        mark.uncertaintyMs,
        ...anchorColumns(mark),
        mark.title,
        mark.note,
        JSON.stringify(mark.tags),
        mark.actor,
        mark.madeAtMs,
        mark.editedAtMs,
      );
    },
    /** Writes what an edit may change. */
    update(mark: Mark): void {
      updateMark.run(
        mark.caseId,
        mark.fromMs,
        mark.toMs,
        ...anchorColumns(mark),
        mark.title,
        mark.note,
        JSON.stringify(mark.tags),
        mark.editedAtMs,
        mark.markId,
      );
    },
    /** Null brings it back. */
    setRemoved(markId: MarkId, removedAtMs: number | null): void {
      updateRemoved.run(removedAtMs, markId);
    },
  };
}

function anchorColumns({ from, to }: Mark): (string | number | null)[] {
  return [from?.clipId ?? null, from?.clipS ?? null, to?.clipId ?? null, to?.clipS ?? null];
}

function toMark(row: MarkRow): Mark {
  return {
    markId: row.mark_id as MarkId, // the brands have no runtime form
    caseId: row.case_id as CaseId | null,
    kind: row.kind,
    fromMs: row.from_ms,
    toMs: row.to_ms,
    uncertaintyMs: row.uncertainty_ms,
    from: toAnchor(row.from_clip_id, row.from_clip_s),
    to: toAnchor(row.to_clip_id, row.to_clip_s),
    title: row.title,
    note: row.note,
    tags: JSON.parse(row.tags) as string[], // `insert` or `update` wrote it
    actor: row.actor,
    madeAtMs: row.made_at_ms,
    editedAtMs: row.edited_at_ms,
  };
}

function toAnchor(clipId: string | null, clipS: number | null): MarkAnchor | null {
  return clipId === null || clipS === null ? null : { clipId: clipId as ClipId, clipS };
}

function whereOf(filter: MarkFilter): { where: string; values: unknown[] } {
  const terms = ['removed_at_ms IS NULL'];
  const values: unknown[] = [];
  const add = (term: string, ...bound: unknown[]): void => {
    terms.push(term);
    values.push(...bound);
  };
  if (filter.caseId === null) add('case_id IS NULL');
  else if (filter.caseId !== undefined) add('case_id = ?', filter.caseId);
  if (filter.clipIds !== undefined) {
    const ids = JSON.stringify(filter.clipIds);
    const among = 'IN (SELECT value FROM json_each(?))';
    add(`(from_clip_id ${among} OR to_clip_id ${among})`, ids, ids);
  }
  if (filter.toMs !== undefined) add('from_ms < ?', filter.toMs);
  if (filter.fromMs !== undefined) add('coalesce(to_ms, from_ms) >= ?', filter.fromMs);
  return { where: terms.join(' AND '), values };
}

import type { ClockSubject } from '../../shared/contract/review.ts';
import type { WritableDb } from './database.ts';

/** What a user set about a clock: exactly one of `shiftMs` and `startUtcMs` is given. */
export interface ClockSetting {
  /** Added to what was found, ms. */
  readonly shiftMs: number | null;
  /** UTC of a clip's first frame. */
  readonly startUtcMs: number | null;
  readonly reason: string;
  readonly actor: string;
  readonly setAtMs: number;
}

interface SettingRow {
  subject_kind: string;
  subject_id: string;
  shift_ms: number | null;
  start_utc_ms: number | null;
  reason: string;
  actor: string;
  set_at_ms: number;
}

/** The id behind a subject: of its clip or its trip. */
export const subjectIdOf = (subject: ClockSubject): string =>
  subject.kind === 'trip' ? subject.tripId : subject.clipId;

/** All SQL about clocks set by hand. Records nothing in custody: main/desk/review.ts does. */
export function createClockRepository(db: WritableDb) {
  const columns = 'subject_kind, subject_id, shift_ms, start_utc_ms, reason, actor, set_at_ms';
  const selectOne = db.prepare<[string, string], SettingRow>(
    `SELECT ${columns} FROM clock_setting WHERE subject_kind = ? AND subject_id = ?`,
  );
  const selectKind = db.prepare<[string], SettingRow>(
    `SELECT ${columns} FROM clock_setting WHERE subject_kind = ?`,
  );
  const upsert = db.prepare<[string, string, number | null, number | null, string, string, number]>(
    `INSERT INTO clock_setting (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (subject_kind, subject_id) DO UPDATE SET shift_ms = excluded.shift_ms,
       start_utc_ms = excluded.start_utc_ms, reason = excluded.reason, actor = excluded.actor,
       set_at_ms = excluded.set_at_ms`,
  );
  const remove = db.prepare<[string, string]>(
    'DELETE FROM clock_setting WHERE subject_kind = ? AND subject_id = ?',
  );

  return {
    /** Null: the clock is as found. */
    find(subject: ClockSubject): ClockSetting | null {
      const row = selectOne.get(subject.kind, subjectIdOf(subject));
      return row ? toSetting(row) : null;
    },
    /** Everything that was set for one kind of subject, by the subject's id. */
    ofKind: (kind: ClockSubject['kind']): ReadonlyMap<string, ClockSetting> =>
      new Map(selectKind.all(kind).map((row) => [row.subject_id, toSetting(row)])),
    /** Takes the place of what was set before. */
    set(subject: ClockSubject, setting: ClockSetting): void {
      const { shiftMs, startUtcMs, reason, actor, setAtMs } = setting;
      upsert.run(subject.kind, subjectIdOf(subject), shiftMs, startUtcMs, reason, actor, setAtMs);
    },
    remove(subject: ClockSubject): void {
      remove.run(subject.kind, subjectIdOf(subject));
    },
  };
}
export type ClockRepository = ReturnType<typeof createClockRepository>;

function toSetting(row: SettingRow): ClockSetting {
  return {
    shiftMs: row.shift_ms,
    startUtcMs: row.start_utc_ms,
    reason: row.reason,
    actor: row.actor,
    setAtMs: row.set_at_ms,
  };
}

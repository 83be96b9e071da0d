import type { CaseFile, CaseSummary, Exhibit, Note } from '../../shared/contract/cases.ts';
import { refIdOf, toExhibitRef, type ExhibitRef } from '../../shared/contract/exhibitRef.ts';
import type { CaseId, ClipId, ExhibitId, NoteId } from '../../shared/ids.ts';
import type { TimeRange } from '../../shared/track.ts';
import type { WritableDb } from './database.ts';

interface CaseRow {
  case_id: string;
  name: string;
  created_at_ms: number;
  from_ms: number | null;
  to_ms: number | null;
  exhibits: number;
  notes: number;
  packages: number;
}
interface ExhibitRow {
  exhibit_id: string;
  kind: string;
  ref_id: string;
  added_at_ms: number;
  file_name: string | null;
  sha256: string | null;
  camera: string | null;
  direction: string | null;
  started_at_ms: number | null;
  drive_no: number | null;
  /** Of a clip, also where the exhibit names the clip's source. */
  clip_id: string | null;
}
interface NoteRow {
  note_id: string;
  text: string;
  written_at_ms: number;
  edited_at_ms: number | null;
}

/** All SQL about cases, their exhibits and notes. Checks nothing and records nothing: main/desk/cases.ts does. */
export function createCaseRepository(db: WritableDb) {
  const summaryColumns = `
    c.case_id, c.name, c.created_at_ms, c.from_ms, c.to_ms,
    (SELECT count(*) FROM exhibit e WHERE e.case_id = c.case_id) AS exhibits,
    (SELECT count(*) FROM note n WHERE n.case_id = c.case_id) AS notes,
    (SELECT count(*) FROM sealed_package p WHERE p.case_id = c.case_id) AS packages`;
  const selectCases = db.prepare<[], CaseRow>(
    `SELECT ${summaryColumns} FROM case_file c ORDER BY c.created_at_ms DESC, c.case_id`,
  );
  const selectCase = db.prepare<[string], CaseRow>(
    `SELECT ${summaryColumns} FROM case_file c WHERE c.case_id = ?`,
  );
  const selectNames = db.prepare<[], { case_id: string; name: string }>(
    'SELECT case_id, name FROM case_file',
  );
  const selectExhibits = db.prepare<[string], ExhibitRow>(
    `SELECT e.exhibit_id, e.kind, e.ref_id, e.added_at_ms,
            coalesce(d.file_name, s.file_name) AS file_name, coalesce(d.sha256, s.sha256) AS sha256,
            coalesce(t.assigned_name, t.camera_name, t.assigned_psn, t.psn, c.psn) AS camera,
            json_extract(c.facts, '$.name.direction') AS direction,
            coalesce(t.started_at_ms, c.start_utc_ms) AS started_at_ms, t.drive_no, c.clip_id
     FROM exhibit e
     LEFT JOIN trip t ON e.kind = 'trip' AND t.trip_id = e.ref_id
     LEFT JOIN clip c ON c.clip_id = CASE e.kind WHEN 'clip' THEN e.ref_id
       WHEN 'source' THEN (SELECT o.clip_id FROM clip o WHERE o.source_id = e.ref_id) END
     LEFT JOIN derived d ON e.kind = 'derived' AND d.derived_id = e.ref_id
     LEFT JOIN source s ON s.source_id =
       CASE e.kind WHEN 'trip' THEN t.source_id WHEN 'clip' THEN c.source_id ELSE e.ref_id END
     WHERE e.case_id = ? ORDER BY e.added_at_ms, e.rowid`,
  );
  const selectNotes = db.prepare<[string], NoteRow>(
    'SELECT note_id, text, written_at_ms, edited_at_ms FROM note WHERE case_id = ? ORDER BY written_at_ms, rowid',
  );
  const insertCase = db.prepare('INSERT INTO case_file (case_id, name, created_at_ms) VALUES (?, ?, ?)');
  const updateName = db.prepare('UPDATE case_file SET name = ? WHERE case_id = ?');
  const updateRange = db.prepare('UPDATE case_file SET from_ms = ?, to_ms = ? WHERE case_id = ?');
  const deleteCase = db.prepare('DELETE FROM case_file WHERE case_id = ?');
  const insertExhibit = db.prepare(
    `INSERT INTO exhibit (exhibit_id, case_id, kind, ref_id, added_at_ms) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (case_id, kind, ref_id) DO NOTHING`,
  );
  const deleteExhibit = db.prepare('DELETE FROM exhibit WHERE case_id = ? AND exhibit_id = ?');
  const selectClipOfSource = db
    .prepare<[string], string>('SELECT clip_id FROM clip WHERE source_id = ?')
    .pluck();
  const selectHeldBySource = db
    .prepare<[string, string], number>(
      `SELECT 1 FROM exhibit e JOIN clip c ON c.source_id = e.ref_id
       WHERE e.case_id = ? AND e.kind = 'source' AND c.clip_id = ?`,
    )
    .pluck();
  const insertNote = db.prepare(
    'INSERT INTO note (note_id, case_id, text, written_at_ms) VALUES (?, ?, ?, ?)',
  );
  const updateNote = db.prepare(
    'UPDATE note SET text = ?, edited_at_ms = ? WHERE case_id = ? AND note_id = ?',
  );
  const deleteNote = db.prepare('DELETE FROM note WHERE case_id = ? AND note_id = ?');
  const selectSha256 = {
    trip: db.prepare<[string], { sha256: string }>(
      'SELECT s.sha256 FROM trip t JOIN source s ON s.source_id = t.source_id WHERE t.trip_id = ?',
    ),
    source: db.prepare<[string], { sha256: string }>('SELECT sha256 FROM source WHERE source_id = ?'),
    clip: db.prepare<[string], { sha256: string }>(
      'SELECT s.sha256 FROM clip c JOIN source s ON s.source_id = c.source_id WHERE c.clip_id = ?',
    ),
    derived: db.prepare<[string], { sha256: string }>(
      'SELECT sha256 FROM derived WHERE derived_id = ? AND removed_at_ms IS NULL',
    ),
  };

  return {
    /** Newest first. */
    list(): CaseSummary[] {
      return selectCases.all().map(toSummary);
    },

    /** With exhibits and notes in the order they were added; undefined when there is no such case. */
    find(caseId: CaseId): CaseFile | undefined {
      const row = selectCase.get(caseId);
      if (!row) return undefined;
      return {
        ...toSummary(row),
        exhibitList: selectExhibits.all(caseId).map(toExhibit),
        noteList: selectNotes.all(caseId).map(toNote),
      };
    },

    /** The case of that name, letter case and Unicode composition aside. */
    idOfName(name: string): CaseId | undefined {
      const wanted = foldName(name);
      const row = selectNames.all().find((one) => foldName(one.name) === wanted);
      return row && (row.case_id as CaseId);
    },

    create(caseId: CaseId, name: string, createdAtMs: number): void {
      insertCase.run(caseId, name, createdAtMs);
    },
    rename(caseId: CaseId, name: string): void {
      updateName.run(name, caseId);
    },
    setRange(caseId: CaseId, range: TimeRange): void {
      updateRange.run(range.fromMs, range.toMs, caseId);
    },
    remove(caseId: CaseId): void {
      deleteCase.run(caseId);
    },

    /** SHA-256 of the file behind an exhibit; undefined when the library has no such thing (any more). */
    sha256Of(ref: ExhibitRef): string | undefined {
      return selectSha256[ref.kind].get(refIdOf(ref))?.sha256;
    },
    /** A source that is a video file is an exhibit as the clip that it holds; any other reference is as given. */
    named(ref: ExhibitRef): ExhibitRef {
      const clipId = ref.kind === 'source' ? selectClipOfSource.get(ref.sourceId) : undefined;
      return clipId === undefined ? ref : { kind: 'clip', clipId: clipId as ClipId }; // the column holds nothing else
    },
    /** False when the case holds it already. */
    addExhibit(caseId: CaseId, exhibitId: ExhibitId, ref: ExhibitRef, addedAtMs: number): boolean {
      // Clips that came into a case before they had a kind of their own are there by their source.
      if (ref.kind === 'clip' && selectHeldBySource.get(caseId, ref.clipId) !== undefined) return false;
      return insertExhibit.run(exhibitId, caseId, ref.kind, refIdOf(ref), addedAtMs).changes > 0;
    },
    removeExhibit(caseId: CaseId, exhibitId: ExhibitId): void {
      deleteExhibit.run(caseId, exhibitId);
    },

    addNote(caseId: CaseId, noteId: NoteId, text: string, writtenAtMs: number): void {
      insertNote.run(noteId, caseId, text, writtenAtMs);
    },
    editNote(caseId: CaseId, noteId: NoteId, text: string, editedAtMs: number): void {
      updateNote.run(text, editedAtMs, caseId, noteId);
    },
    removeNote(caseId: CaseId, noteId: NoteId): void {
      deleteNote.run(caseId, noteId);
    },
  };
}
export type CaseRepository = ReturnType<typeof createCaseRepository>;

/** SQLite's NOCASE knows only ASCII; two names that a reader can't tell apart are one name. */
function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function toSummary(row: CaseRow): CaseSummary {
  return {
    caseId: row.case_id as CaseId,
    name: row.name,
    createdAtMs: row.created_at_ms,
    exhibits: row.exhibits,
    notes: row.notes,
    range: { fromMs: row.from_ms, toMs: row.to_ms },
    packages: row.packages,
  };
}

function toExhibit(row: ExhibitRow): Exhibit {
  return {
    exhibitId: row.exhibit_id as ExhibitId,
    ref: row.clip_id === null ? toExhibitRef(row.kind, row.ref_id) : toExhibitRef('clip', row.clip_id),
    title: titleOf(row),
    sha256: row.sha256 ?? '',
    addedAtMs: row.added_at_ms,
  };
}

function titleOf(row: ExhibitRow): string {
  if (row.kind === 'trip') {
    const drive = row.drive_no === null ? '' : `, trip ${row.drive_no}`;
    return `${row.camera ?? 'Unknown camera'}${drive}, ${startText(row.started_at_ms)}`;
  }
  if (row.clip_id !== null && row.camera !== null) {
    const direction = row.direction === null ? '' : `, ${row.direction}`;
    return `${row.camera}${direction}, ${startText(row.started_at_ms)}`;
  }
  return row.file_name ?? row.ref_id;
}

function startText(startedAtMs: number | null): string {
  if (startedAtMs === null) return 'time unknown';
  const start = new Date(startedAtMs).toISOString();
  return `${start.slice(0, 10)} ${start.slice(11, 19)} UTC`;
}

function toNote(row: NoteRow): Note {
  return {
    noteId: row.note_id as NoteId,
    text: row.text,
    writtenAtMs: row.written_at_ms,
    editedAtMs: row.edited_at_ms,
  };
}

import type { EntryReport } from '../../shared/contract/imports.ts';
import type { Source, SourceKind, SourceReport } from '../../shared/contract/sources.ts';
import type { SourceId } from '../../shared/ids.ts';
import type { WritableDb } from './database.ts';

/** A source about to be committed, with what became of each of its entries. */
export interface NewSource {
  readonly sourceId: SourceId;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly fileName: string;
  readonly kind: SourceKind;
  readonly importedAtMs: number;
  readonly readerVersion: string;
  readonly trips: number;
  readonly points: number;
  readonly skippedRows: number;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly entries: readonly EntryReport[];
}

interface SourceRow {
  source_id: string;
  sha256: string;
  size_bytes: number;
  file_name: string;
  kind: string;
  imported_at_ms: number;
  reader_version: string;
  trips: number;
  points: number;
  skipped_rows: number;
  from_ms: number | null;
  to_ms: number | null;
  unknown_camera_trips: number;
}

function toSource(row: SourceRow): Source {
  return {
    sourceId: row.source_id as SourceId, // the column holds nothing else
    fileName: row.file_name,
    kind: row.kind as SourceKind, // as above
    sha256: row.sha256,
    sizeBytes: row.size_bytes,
    importedAtMs: row.imported_at_ms,
    trips: row.trips,
    points: row.points,
    skippedRows: row.skipped_rows,
    fromMs: row.from_ms,
    toMs: row.to_ms,
    unknownCameraTrips: row.unknown_camera_trips,
  };
}

/** All SQL about sources and the reports of their entries. Times are UTC milliseconds. */
export function createSourceRepository(db: WritableDb) {
  const columns = `s.*, (SELECT count(*) FROM trip t WHERE t.source_id = s.source_id
    AND coalesce(t.assigned_psn, t.psn) IS NULL) AS unknown_camera_trips`;
  const selectAll = db.prepare<[], SourceRow>(
    `SELECT ${columns} FROM source s ORDER BY s.imported_at_ms DESC, s.source_id`,
  );
  const selectOne = db.prepare<[string], SourceRow>(`SELECT ${columns} FROM source s WHERE s.source_id = ?`);
  const selectBySha256 = db.prepare<[string], SourceRow>(
    `SELECT ${columns} FROM source s WHERE s.sha256 = ?`,
  );
  const selectEntries = db
    .prepare<[string], string>('SELECT report FROM source_entry WHERE source_id = ? ORDER BY ordinal')
    .pluck();
  const insertSource = db.prepare<(string | number | null)[]>(
    `INSERT INTO source (source_id, sha256, size_bytes, file_name, kind, imported_at_ms, reader_version,
       trips, points, skipped_rows, from_ms, to_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertEntry = db.prepare<[string, number, string, string]>(
    'INSERT INTO source_entry (source_id, ordinal, name, report) VALUES (?, ?, ?, ?)',
  );
  const remove = db.prepare<[string]>('DELETE FROM source WHERE source_id = ?');
  return {
    /** Latest import first. */
    list: (): readonly Source[] => selectAll.all().map(toSource),
    get(sourceId: SourceId): Source | null {
      const row = selectOne.get(sourceId);
      return row ? toSource(row) : null;
    },
    /** The source with these very bytes: an import of them again is its duplicate. */
    findBySha256(sha256: string): Source | null {
      const row = selectBySha256.get(sha256);
      return row ? toSource(row) : null;
    },
    report(sourceId: SourceId): SourceReport | null {
      const row = selectOne.get(sourceId);
      if (!row) return null;
      const entries = selectEntries.all(sourceId).map((text) => JSON.parse(text) as EntryReport); // `insert` wrote it
      return { ...toSource(row), readerVersion: row.reader_version, entries };
    },
    /** Call inside the transaction that also inserts its trips. Throws the driver's UNIQUE error for known bytes. */
    insert(source: NewSource): void {
      insertSource.run(
        source.sourceId,
        source.sha256,
        source.sizeBytes,
        source.fileName,
        source.kind,
        source.importedAtMs,
        source.readerVersion,
        source.trips,
        source.points,
        source.skippedRows,
        source.fromMs,
        source.toMs,
      );
      source.entries.forEach((entry, ordinal) =>
        insertEntry.run(source.sourceId, ordinal, entry.name, JSON.stringify(entry)),
      );
    },
    /** Takes away the source with its entries, trips, chunks and lines. The blob is the caller's affair. */
    remove(sourceId: SourceId): boolean {
      return remove.run(sourceId).changes > 0;
    },
  };
}
export type SourceRepository = ReturnType<typeof createSourceRepository>;

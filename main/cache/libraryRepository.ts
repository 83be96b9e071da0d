import type { SourceId } from '../../shared/ids.ts';
import type { WritableDb } from './database.ts';

/** SQL about the library as a whole: which cases hold a source, whose the tracks of unknown cameras are. */
export function createLibraryRepository(db: WritableDb) {
  const selectHolders = db
    .prepare<[string, string, string, string], string>(
      `SELECT DISTINCT c.name FROM exhibit e JOIN case_file c ON c.case_id = e.case_id
       WHERE (e.kind = 'source' AND e.ref_id = ?)
          OR (e.kind = 'clip' AND e.ref_id IN (SELECT clip_id FROM clip WHERE source_id = ?))
          OR (e.kind = 'derived' AND e.ref_id IN (SELECT d.derived_id FROM derived d
                JOIN clip o ON o.clip_id = d.clip_id WHERE o.source_id = ?))
          OR (e.kind = 'trip' AND e.ref_id IN (SELECT trip_id FROM trip WHERE source_id = ?))
       ORDER BY c.name`,
    )
    .pluck();
  const selectOrdinals = db
    .prepare<[string, string], number>('SELECT ordinal FROM source_entry WHERE source_id = ? AND name = ?')
    .pluck();
  const assignAll = db.prepare<[string | null, string | null, string]>(
    'UPDATE trip SET assigned_psn = ?, assigned_name = ? WHERE source_id = ? AND psn IS NULL',
  );
  const assignEntry = db.prepare<[string | null, string | null, string, number]>(
    `UPDATE trip SET assigned_psn = ?, assigned_name = ?
     WHERE source_id = ? AND psn IS NULL AND entry_ordinal = ?`,
  );

  return {
    /** Names of the cases that hold the source, its clip, what was made from that, or one of its trips. */
    casesHolding: (sourceId: SourceId): readonly string[] =>
      selectHolders.all(sourceId, sourceId, sourceId, sourceId),
    /** Ordinals of the entries of that name; empty when there is none. */
    entryOrdinals: (sourceId: SourceId, name: string): readonly number[] =>
      selectOrdinals.all(sourceId, name),
    /**
     * Says whose the trips are whose source named no camera (of one entry, or of all with null); psn null takes
     * it back. Returns how many trips it was said of.
     */
    assignCamera(
      sourceId: SourceId,
      entryOrdinal: number | null,
      camera: { readonly psn: string | null; readonly name: string | null },
    ): number {
      const name = camera.psn === null ? null : camera.name;
      if (entryOrdinal === null) return assignAll.run(camera.psn, name, sourceId).changes;
      return assignEntry.run(camera.psn, name, sourceId, entryOrdinal).changes;
    },
  };
}
export type LibraryRepository = ReturnType<typeof createLibraryRepository>;

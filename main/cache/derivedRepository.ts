import type { Derived, Recipe } from '../../shared/contract/derived.ts';
import type { CaseId, ClipId, DerivedId, SourceId } from '../../shared/ids.ts';
import type { WritableDb } from './database.ts';

interface DerivedRow {
  derived_id: string;
  clip_id: string;
  case_id: string | null;
  kind: Derived['kind'];
  file_name: string;
  sha256: string;
  size_bytes: number;
  recipe: string;
  actor: string;
  made_at_ms: number;
  removed_at_ms: number | null;
}

/** A derived file that is there, or that was taken away and can come back. */
export interface StoredDerived {
  readonly derived: Derived;
  readonly isRemoved: boolean;
}

/** All SQL about stills and trims. Checks nothing and records nothing: main/desk/derived.ts does. */
export function createDerivedRepository(db: WritableDb) {
  const selectOne = db.prepare<[string], DerivedRow>('SELECT * FROM derived WHERE derived_id = ?');
  const insertDerived = db.prepare<(string | number | null)[]>(
    `INSERT INTO derived (derived_id, clip_id, case_id, kind, file_name, sha256, size_bytes, recipe, actor, made_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateRemoved = db.prepare<[number | null, string]>(
    'UPDATE derived SET removed_at_ms = ? WHERE derived_id = ?',
  );
  const updateCase = db.prepare<[string | null, string]>(
    'UPDATE derived SET case_id = ? WHERE derived_id = ?',
  );
  const selectHolders = db.prepare<[string], { case_id: string; exhibit_id: string; name: string }>(
    `SELECT e.case_id, e.exhibit_id, c.name FROM exhibit e JOIN case_file c ON c.case_id = e.case_id
     WHERE e.kind = 'derived' AND e.ref_id = ? ORDER BY c.name`,
  );
  const selectHashes = db
    .prepare<[string], string>(
      `SELECT DISTINCT d.sha256 FROM derived d JOIN clip c ON c.clip_id = d.clip_id WHERE c.source_id = ?`,
    )
    .pluck();
  const selectUser = db
    .prepare<[string, string], number>(
      'SELECT 1 FROM derived WHERE sha256 = ? UNION ALL SELECT 1 FROM source WHERE sha256 = ? LIMIT 1',
    )
    .pluck();

  return {
    /** Taken away or not; null when there is none. */
    find(derivedId: DerivedId): StoredDerived | null {
      const row = selectOne.get(derivedId);
      return row ? { derived: toDerived(row), isRemoved: row.removed_at_ms !== null } : null;
    },
    /** Those that are there, newest first. A case has those made for it and those that are exhibits of it. */
    list(filter: { caseId?: CaseId | null | undefined; clipId?: ClipId | undefined }): readonly Derived[] {
      const terms = ['removed_at_ms IS NULL'];
      const values: string[] = [];
      if (filter.caseId === null) terms.push('case_id IS NULL');
      else if (filter.caseId !== undefined) {
        terms.push(
          `(case_id = ? OR derived_id IN (SELECT ref_id FROM exhibit WHERE case_id = ? AND kind = 'derived'))`,
        );
        values.push(filter.caseId, filter.caseId);
      }
      if (filter.clipId !== undefined) {
        terms.push('clip_id = ?');
        values.push(filter.clipId);
      }
      return db
        .prepare<string[], DerivedRow>(
          `SELECT * FROM derived WHERE ${terms.join(' AND ')} ORDER BY made_at_ms DESC, derived_id`,
        )
        .all(...values)
        .map(toDerived);
    },
    insert(derived: Derived): void {
      insertDerived.run(
        derived.derivedId,
        derived.clipId,
        derived.caseId,
        derived.kind,
        derived.fileName,
        derived.sha256,
        derived.sizeBytes,
        JSON.stringify(derived.recipe),
        derived.actor,
        derived.madeAtMs,
      );
    },
    /** Null brings it back. */
    setRemoved(derivedId: DerivedId, removedAtMs: number | null): void {
      updateRemoved.run(removedAtMs, derivedId);
    },
    setCase(derivedId: DerivedId, caseId: CaseId | null): void {
      updateCase.run(caseId, derivedId);
    },
    /** The cases of which it is an exhibit, by name. */
    holders: (derivedId: DerivedId) =>
      selectHolders
        .all(derivedId)
        .map((row) => ({ caseId: row.case_id as CaseId, exhibitId: row.exhibit_id, name: row.name })),
    /** Hashes of everything that was made from a source's clip, taken away or not. */
    ofSource: (sourceId: SourceId): readonly string[] => selectHashes.all(sourceId),
    /** Whether a source or a derived file (taken away or not) has these bytes. */
    isBlobUsed: (sha256: string): boolean => selectUser.get(sha256, sha256) !== undefined,
  };
}
export type DerivedRepository = ReturnType<typeof createDerivedRepository>;

function toDerived(row: DerivedRow): Derived {
  return {
    derivedId: row.derived_id as DerivedId, // the brands have no runtime form
    clipId: row.clip_id as ClipId,
    kind: row.kind,
    fileName: row.file_name,
    sha256: row.sha256,
    sizeBytes: row.size_bytes,
    caseId: row.case_id as CaseId | null,
    actor: row.actor,
    madeAtMs: row.made_at_ms,
    recipe: JSON.parse(row.recipe) as Recipe, // `insert` wrote it
  };
}

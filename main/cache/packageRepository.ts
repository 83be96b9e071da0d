import { existsSync } from 'node:fs';
import type { SealedPackage } from '../../shared/contract/packages.ts';
import type { CaseId, PackageId } from '../../shared/ids.ts';
import type { WritableDb } from './database.ts';

interface PackageRow {
  package_id: string;
  case_id: string;
  file_name: string;
  path: string;
  sha256: string;
  size_bytes: number;
  files: number;
  sealed_at_ms: number;
  signed_by: string;
  custody_head: string;
  from_ms: number | null;
  to_ms: number | null;
}

/** A sealed package and where it was put: paths stay on this side of the contract. */
export interface StoredPackage {
  readonly sealed: SealedPackage;
  readonly path: string;
}

/** All SQL about sealed packages. */
export function createPackageRepository(db: WritableDb) {
  const insert = db.prepare(
    `INSERT INTO sealed_package (package_id, case_id, file_name, path, sha256, size_bytes, files,
       sealed_at_ms, signed_by, custody_head, from_ms, to_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const selectAll = db.prepare<[], PackageRow>(
    'SELECT * FROM sealed_package ORDER BY sealed_at_ms DESC, package_id',
  );
  const selectOfCase = db.prepare<[string], PackageRow>(
    'SELECT * FROM sealed_package WHERE case_id = ? ORDER BY sealed_at_ms DESC, package_id',
  );
  const selectOne = db.prepare<[string], PackageRow>('SELECT * FROM sealed_package WHERE package_id = ?');

  return {
    add(sealed: Omit<SealedPackage, 'isPresent'>, path: string): void {
      insert.run(
        sealed.packageId,
        sealed.caseId,
        sealed.fileName,
        path,
        sealed.sha256,
        sealed.sizeBytes,
        sealed.files,
        sealed.sealedAtMs,
        sealed.signedBy,
        sealed.custodyHead,
        sealed.range.fromMs,
        sealed.range.toMs,
      );
    },
    /** Newest first; of one case when given (the packages of removed cases stay in the list). */
    list(caseId?: CaseId): StoredPackage[] {
      const rows = caseId === undefined ? selectAll.all() : selectOfCase.all(caseId);
      return rows.map(toStored);
    },
    find(packageId: PackageId): StoredPackage | undefined {
      const row = selectOne.get(packageId);
      return row && toStored(row);
    },
  };
}
export type PackageRepository = ReturnType<typeof createPackageRepository>;

function toStored(row: PackageRow): StoredPackage {
  return {
    path: row.path,
    sealed: {
      packageId: row.package_id as PackageId,
      caseId: row.case_id as CaseId,
      fileName: row.file_name,
      sha256: row.sha256,
      sizeBytes: row.size_bytes,
      files: row.files,
      sealedAtMs: row.sealed_at_ms,
      signedBy: row.signed_by,
      custodyHead: row.custody_head,
      range: { fromMs: row.from_ms, toMs: row.to_ms },
      isPresent: existsSync(row.path),
    },
  };
}

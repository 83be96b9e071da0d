import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { applicationId, corruptCache, transact, type WritableDb } from './database.ts';
import { syncFolder } from './durable.ts';
import { backupFolderOf, cacheFileOf } from './folders.ts';

/** The version that a database file says it has; 0 is a file without tables. */
export function versionOf(db: WritableDb): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/**
 * Refuses what this program must not touch: a cache of a newer version (`cache_newer`), a database of some
 * other program (`cache_corrupt`). Changes nothing.
 */
export function checkVersion(db: WritableDb, folder: string, steps: readonly string[]): void {
  const version = versionOf(db);
  if (version > steps.length) {
    throw new AppError(
      'cache_newer',
      `The evidence cache in ${folder} was made by a newer Evidence Desk (version ${version}, this one knows ${steps.length}).`,
      {
        remedy: 'Update Evidence Desk, or choose another folder with --data-dir. The cache was not changed.',
        details: { folder, found: version, known: steps.length },
      },
    );
  }
  const owner = Number(db.pragma('application_id', { simple: true }));
  const tables = Number(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
  const isOurs = owner === applicationId ? version > 0 : owner === 0 && version === 0 && tables === 0;
  if (!isOurs) throw corruptCache(cacheFileOf(folder), 'the file is a database of another program');
}

/**
 * Brings the cache to the current version. Each step commits together with its version number, so a kill in
 * the middle leaves the step before whole; a fresh cache takes all steps in one commit. A cache that holds
 * something is copied to `backup/` first.
 */
export function migrate(db: WritableDb, folder: string, steps: readonly string[], now: () => number): void {
  const from = versionOf(db);
  if (from === steps.length) return;
  if (from > 0) backUp(db, folder, from, now());
  else transact(db, () => takeSteps(db, folder, steps, 0));
  takeSteps(db, folder, steps, versionOf(db));
}

function takeSteps(db: WritableDb, folder: string, steps: readonly string[], from: number): void {
  for (let version = from + 1; version <= steps.length; version++) {
    transact(db, () => {
      db.exec(steps[version - 1]!);
      const broken = db.pragma('foreign_key_check') as unknown[];
      if (broken.length > 0) throw corruptCache(cacheFileOf(folder), 'rows point to rows that are not there');
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${version}`);
    });
  }
}

/** A whole copy (the write-ahead log included) under a name that says version and time. */
function backUp(db: WritableDb, folder: string, version: number, nowMs: number): void {
  const backups = backupFolderOf(folder);
  fs.mkdirSync(backups, { recursive: true, mode: 0o700 });
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  const file = path.join(backups, `cache-v${version}-${stamp}.sqlite`);
  const unfinished = `${file}.partial`;
  fs.rmSync(unfinished, { force: true });
  try {
    db.prepare('VACUUM INTO ?').run(unfinished);
    const descriptor = fs.openSync(unfinished, 'r+');
    fs.fsyncSync(descriptor);
    fs.closeSync(descriptor);
    fs.renameSync(unfinished, file);
    syncFolder(backups);
  } catch (thrown) {
    fs.rmSync(unfinished, { force: true });
    throw thrown;
  }
}

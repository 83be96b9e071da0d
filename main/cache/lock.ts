import path from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../shared/errors.ts';
import { codeOf } from './database.ts';

/** Held until `release()` or the end of the process, whatever ends it. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes the data folder for this process. The lock is SQLite's own exclusive file lock on the empty file
 * `lock`, not a file with a process number in it: the operating system lets go of it at the very moment the
 * process ends (kill -9, power loss), on Windows, macOS and Linux alike, so it can neither go stale nor be
 * taken by a process that got the same number. Nothing is ever written to the file, so it works on a full
 * disk. Throws `cache_locked`; other errors are the driver's (see toCacheError).
 */
export function lockFolder(folder: string): FolderLock {
  const db = new Database(path.join(folder, 'lock'), { timeout: 0 });
  try {
    db.pragma('journal_mode = MEMORY'); // no journal file beside it: there is nothing to roll back
    db.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    db.close();
    if (!/^SQLITE_(BUSY|LOCKED)/.test(codeOf(thrown))) throw thrown;
    throw new AppError('cache_locked', `The data folder ${folder} is in use by another Evidence Desk.`, {
      remedy: 'Close the other window or command first, or choose another folder with --data-dir.',
      details: { folder },
      cause: thrown,
    });
  }
  return {
    release() {
      if (db.open) db.close();
    },
  };
}

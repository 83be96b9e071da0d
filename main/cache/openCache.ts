import fs from 'node:fs';
import path from 'node:path';
import { createBlobStore, takeBackUnsettled, type BlobStore } from './blobStore.ts';
import {
  codeOf,
  corruptCache,
  isCorruption,
  isDiskFull,
  openDatabase,
  toCacheError,
  type WritableDb,
} from './database.ts';
import { makeFolder, syncFolder } from './durable.ts';
import { blobFolderOf, cacheFileOf, partialFolderOf, recallFolderOf, uploadFolderOf } from './folders.ts';
import { layBallast, releaseBallast } from './freeSpace.ts';
import { lockFolder } from './lock.ts';
import { checkVersion, migrate, versionOf } from './migrate.ts';
import { migrations } from './migrations/index.ts';

/** An open data folder: its database connection and its blobs. */
export interface EvidenceCache {
  readonly folder: string;
  readonly db: WritableDb;
  readonly blobs: BlobStore;
  close(): void;
}

export interface OpenCacheOptions {
  readonly folder: string;
  readonly now?: () => number;
  /** Other migrations than the released ones, for tests of upgrades. */
  readonly migrations?: readonly string[];
}

/** A cache up to this size is looked through at every start (measured: 20 ms for 32 MB); larger ones after a crash. */
const alwaysCheckedBytes = 32 * 1024 * 1024;

/**
 * Opens (or makes) the data folder for this process alone: lock, check, backup, migration, sweep of what a
 * crash left. Throws AppError cache_locked | cache_newer | cache_corrupt | no_permission | disk_full; the
 * folder's contents are then as they were.
 */
export function openCache(options: OpenCacheOptions): EvidenceCache {
  const folder = path.resolve(options.folder);
  const now = options.now ?? Date.now;
  const steps = options.migrations ?? migrations;
  return guarded(folder, () => {
    makeFolder(folder);
    const lock = lockFolder(folder);
    try {
      const db = openChecked(folder, steps, now);
      try {
        sweep(folder, db);
        fs.mkdirSync(blobFolderOf(folder), { recursive: true, mode: 0o700 });
        fs.mkdirSync(uploadFolderOf(folder), { recursive: true, mode: 0o700 });
      } catch (thrown) {
        db.close();
        throw thrown;
      }
      layBallast(folder);
      return toCache(folder, db, () => lock.release());
    } catch (thrown) {
      lock.release();
      throw thrown;
    }
  });
}

/** A further connection for a thread of the process that holds the folder: no lock, no migration, no sweep. */
export function openCacheConnection(folder: string, mode: 'read' | 'write'): EvidenceCache {
  return guarded(folder, () => toCache(folder, openDatabase(cacheFileOf(folder), mode), () => {}));
}

/**
 * The user's way out of `cache_corrupt`: moves the database (with its write-ahead log) to `cache-damaged-…`
 * beside it, so that the next openCache starts a fresh one. Nothing is erased; blobs and backups stay.
 * Returns the new name of the damaged file. Throws cache_locked | no_permission.
 */
export function setAsideCorruptCache(folder: string, now: () => number = Date.now): string {
  return guarded(folder, () => {
    const lock = lockFolder(folder);
    try {
      const stamp = new Date(now()).toISOString().replaceAll(/[:.]/g, '-');
      const aside = path.join(folder, `cache-damaged-${stamp}.sqlite`);
      // The log goes first: a kill in between leaves a damaged database, never a fresh one with a foreign log.
      for (const suffix of ['-wal', '-shm', '']) {
        const file = cacheFileOf(folder) + suffix;
        if (fs.existsSync(file)) fs.renameSync(file, aside + suffix);
      }
      syncFolder(folder);
      return aside;
    } finally {
      lock.release();
    }
  });
}

function toCache(folder: string, db: WritableDb, release: () => void): EvidenceCache {
  return {
    folder,
    db,
    blobs: createBlobStore(folder),
    close() {
      if (db.open) db.close();
      release();
    },
  };
}

function guarded<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw toCacheError(thrown, folder);
  }
}

/** A database that is whole, ours and of the current version. On a full disk the ballast is let go first. */
function openChecked(folder: string, steps: readonly string[], now: () => number): WritableDb {
  const attempt = (): WritableDb => {
    const file = cacheFileOf(folder);
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    // A clean close removes the log; finding one means that the last run was killed.
    const wasKilled = fs.existsSync(`${file}-wal`);
    if (size === 0 && fs.existsSync(file) && hasEntries(blobFolderOf(folder))) {
      throw corruptCache(file, 'the file is empty while blobs/ is not');
    }
    const db = openDatabase(file, 'create', (unchanged) => checkVersion(unchanged, folder, steps));
    try {
      if (process.platform !== 'win32') fs.chmodSync(file, 0o600);
      const isUpgrade = versionOf(db) > 0 && versionOf(db) < steps.length;
      if (size > 0 && (wasKilled || isUpgrade || size <= alwaysCheckedBytes)) checkWhole(db, folder);
      migrate(db, folder, steps, now);
      return db;
    } catch (thrown) {
      db.close();
      throw thrown;
    }
  };
  try {
    return attempt();
  } catch (thrown) {
    if (!isDiskFull(thrown) || !releaseBallast(folder)) throw thrown;
    return attempt();
  }
}

function checkWhole(db: WritableDb, folder: string): void {
  let finding: string;
  try {
    finding = String(db.prepare('PRAGMA quick_check(1)').pluck().get());
  } catch (thrown) {
    if (!isCorruption(thrown)) throw thrown;
    finding = codeOf(thrown);
  }
  if (finding !== 'ok') throw corruptCache(cacheFileOf(folder), finding);
}

function hasEntries(folder: string): boolean {
  return fs.existsSync(folder) && fs.readdirSync(folder).length > 0;
}

/** Takes away what an earlier run left: blobs of imports that never committed, drafts of packages, uploads, staging files. */
function sweep(folder: string, db: WritableDb): void {
  const claimed = db
    .prepare<[string, string, string], number>(
      `SELECT 1 FROM source WHERE sha256 = ? UNION ALL SELECT 1 FROM recall WHERE sha256 = ?
       UNION ALL SELECT 1 FROM derived WHERE sha256 = ?`,
    )
    .pluck();
  takeBackUnsettled(folder, (sha256) => claimed.get(sha256, sha256, sha256) !== undefined);
  const packages = path.join(folder, 'packages');
  for (const name of fs.existsSync(packages) ? fs.readdirSync(packages) : []) {
    // The draft of a seal that was killed.
    if (/\.zip\.partial-[0-9a-f]{8}$/.test(name)) fs.rmSync(path.join(packages, name), { force: true });
  }
  const partial = partialFolderOf(folder);
  if (!fs.existsSync(partial)) return;
  for (const name of fs.readdirSync(partial)) {
    // Half a recalled clip was paid for: the queue goes on with it, and sweeps its folder itself.
    if (name !== path.basename(recallFolderOf(folder)))
      fs.rmSync(path.join(partial, name), { recursive: true, force: true });
  }
}

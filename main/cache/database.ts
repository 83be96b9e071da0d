import Database from 'better-sqlite3';
import { AppError } from '../../shared/errors.ts';
import { codeOf } from './errorCode.ts';

export { codeOf };

/**
 * The only door to SQLite. A `ReadableDb` is for queries; a `WritableDb` also changes rows, and is accepted
 * wherever a ReadableDb is asked for. Each thread opens its own connection.
 */
declare const readable: unique symbol;
declare const writable: unique symbol;
export type ReadableDb = Database.Database & { readonly [readable]: true };
export type WritableDb = ReadableDb & { readonly [writable]: true };

/** Marks a SQLite file as an evidence cache ('EvDc'): another program's database is never "migrated". */
export const applicationId = 0x45764463;

/** How long a connection waits for another thread's write before it reports `busy`. */
const busyTimeoutMs = 10_000;

/** Page size of a new database. */
const pageBytes = 16_384;

/**
 * Opens a connection with the settings that the promises of the cache rest on, and reads them back:
 * better-sqlite3 opens WAL databases with synchronous=NORMAL, where a commit can vanish on power loss.
 * `inspect` sees the file before anything is written to it, and refuses it by throwing. Throws the driver's
 * error; callers translate it with `toCacheError`.
 */
export function openDatabase(
  file: string,
  mode: 'read' | 'write' | 'create',
  inspect: (db: WritableDb) => void = () => {},
): WritableDb {
  const raw = new Database(file, {
    readonly: mode === 'read',
    fileMustExist: mode !== 'create',
    timeout: busyTimeoutMs,
  });
  try {
    inspect(raw as WritableDb); // the brand has no runtime form
    // Heard only while the file is empty. A packed chunk fits one such page instead of three: a third less time to commit.
    if (mode === 'create') raw.pragma(`page_size = ${pageBytes}`);
    if (mode !== 'read') raw.pragma('journal_mode = WAL');
    raw.pragma('synchronous = FULL');
    raw.pragma('foreign_keys = ON');
    if (process.platform === 'darwin') {
      raw.pragma('fullfsync = ON');
      raw.pragma('checkpoint_fullfsync = ON');
    }
    const settings = {
      journal: raw.pragma('journal_mode', { simple: true }),
      synchronous: raw.pragma('synchronous', { simple: true }),
      foreignKeys: raw.pragma('foreign_keys', { simple: true }),
    };
    if (settings.journal !== 'wal' || settings.synchronous !== 2 || settings.foreignKeys !== 1) {
      throw new AppError('cache_corrupt', `The cache ${file} can't be opened safely here.`, {
        remedy: 'Choose a data folder on a local disk.',
        details: settings,
      });
    }
  } catch (thrown) {
    raw.close();
    throw thrown;
  }
  compileAtFirstUse(raw);
  return raw as WritableDb; // the brand has no runtime form
}

/**
 * Repositories name all their statements when they are made, of which a run uses a few: compiling each at its first
 * use takes some 10 ms off every start.
 */
function compileAtFirstUse(db: Database.Database): void {
  const compile = db.prepare.bind(db) as (sql: string) => Database.Statement;
  db.prepare = ((sql: string) =>
    new LateStatement(() => compile(sql))) as unknown as Database.Database['prepare']; // has what is used of a statement
}

/** A statement that is compiled when it is run; offers what repositories use. */
class LateStatement {
  #compile: (() => Database.Statement) | null;
  #compiled: Database.Statement | null = null;
  #isPlucked = false;

  constructor(compile: () => Database.Statement) {
    this.#compile = compile;
  }

  get #statement(): Database.Statement {
    if (this.#compiled) return this.#compiled;
    const compiled = this.#compile!(); // given up only below
    if (this.#isPlucked) compiled.pluck();
    this.#compile = null;
    return (this.#compiled = compiled);
  }

  /** Rows are their first column alone. Call it before the statement is run. */
  pluck(): this {
    this.#isPlucked = true;
    return this;
  }
  run(...values: unknown[]): Database.RunResult {
    return this.#statement.run(...values);
  }
  get(...values: unknown[]): unknown {
    return this.#statement.get(...values);
  }
  all(...values: unknown[]): unknown[] {
    return this.#statement.all(...values);
  }
  iterate(...values: unknown[]): IterableIterator<unknown> {
    return this.#statement.iterate(...values);
  }
}

/**
 * Runs `work` in one transaction that takes the write lock at once, so that it can't fail half-way on another
 * writer. A full disk makes SQLite roll back by itself, hence the look at `inTransaction` before ROLLBACK.
 * Inside a transaction already, `work` simply joins it.
 */
export function transact<T>(db: WritableDb, work: () => T): T {
  if (db.inTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (thrown) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw thrown;
  }
}

/** True for a constraint that says "there already": two jobs that import the same file meet here. */
export function isUniqueViolation(thrown: unknown): boolean {
  return ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(codeOf(thrown));
}

/** What SQLite and the file system report when no room is left; SHMSIZE is WAL's first need on a full disk. */
export function isDiskFull(thrown: unknown): boolean {
  if (thrown instanceof AppError) return thrown.code === 'disk_full';
  return ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_IOERR_SHMOPEN'].includes(
    codeOf(thrown),
  );
}

/** True when the database file itself can't be trusted any more. */
export function isCorruption(thrown: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(thrown));
}

/** Gives file and SQLite errors of the cache their name, place and remedy; anything else comes back as it is. */
export function toCacheError(thrown: unknown, folder: string): unknown {
  if (thrown instanceof AppError) return thrown;
  const code = codeOf(thrown);
  const options = { details: { folder, cause: code }, cause: thrown };
  if (isDiskFull(thrown)) return diskFull(folder, null, null, thrown);
  if (isCorruption(thrown)) return corruptCache(`${folder}/cache.sqlite`, code, thrown);
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new AppError('busy', 'The evidence cache is being written by another task.', {
      ...options,
      remedy: 'Try again in a moment.',
    });
  }
  if (
    /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(code) ||
    ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOENT', 'ELOOP', 'ENAMETOOLONG'].includes(
      code,
    )
  ) {
    return new AppError(
      'no_permission',
      `Evidence Desk can't write in its data folder ${folder} (${code}).`,
      {
        ...options,
        remedy: 'Give your account write permission on the folder, or choose another one with --data-dir.',
      },
    );
  }
  if (code === 'EIO' || code.startsWith('SQLITE_IOERR')) {
    return new AppError('file_unreadable', `The disk that holds ${folder} reports an error (${code}).`, {
      ...options,
      remedy: 'Check the disk and its cable, copy the data folder to another disk, and try again.',
    });
  }
  return thrown;
}

/** `neededBytes` and `freeBytes` are named where they are known. */
export function diskFull(
  folder: string,
  neededBytes: number | null,
  freeBytes: number | null,
  cause?: unknown,
): AppError {
  const amounts =
    neededBytes === null
      ? ''
      : `: ${inMegabytes(neededBytes)} are needed${freeBytes === null ? '' : `, ${inMegabytes(freeBytes)} are free`}`;
  return new AppError('disk_full', `The disk that holds ${folder} has no room for this${amounts}.`, {
    remedy: 'Free some space on that disk and try again; nothing was changed.',
    details: { folder, neededBytes, freeBytes },
    ...(cause === undefined ? {} : { cause }),
  });
}

export function corruptCache(file: string, finding: string, cause?: unknown): AppError {
  return new AppError('cache_corrupt', `The evidence cache ${file} is damaged.`, {
    remedy:
      'Nothing was changed. Put back a copy from the backup/ folder, or set the damaged file aside and start with a fresh cache (serve --set-aside-damaged; the originals in blobs/ stay).',
    details: { file, finding },
    ...(cause === undefined ? {} : { cause }),
  });
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`;
}

import fs from 'node:fs';
import { open } from 'node:fs/promises';
import Database from 'better-sqlite3';

/** Calls that touch the disk, as the cache and the importer use them. */
const fileCalls = [
  'openSync',
  'closeSync',
  'readSync',
  'writeSync',
  'fsyncSync',
  'fstatSync',
  'statSync',
  'renameSync',
  'mkdirSync',
  'writeFileSync',
  'chmodSync',
  'rmSync',
  'read',
] as const;
const handleCalls = ['read', 'write', 'sync', 'stat', 'close'] as const;
const statementCalls = ['run', 'get', 'all'] as const;

type Callable = (...args: unknown[]) => unknown;
type Patchable = Record<string, Callable>;

/** Counts calls and fails the n-th. */
export interface Faults {
  /** Runs `work` with the n-th file or SQL call failing; returns whether a call failed. */
  during(n: number, code: 'EIO' | 'ENOSPC', work: () => Promise<unknown>): Promise<boolean>;
}

/** Fault injection below everything under test: the file system module and SQLite's statements of this process. */
export async function createFaults(): Promise<Faults> {
  const handle = await open(import.meta.filename, 'r');
  const handlePrototype = Object.getPrototypeOf(handle) as Patchable;
  await handle.close();
  const db = new Database(':memory:');
  const statementPrototype = Object.getPrototypeOf(db.prepare('SELECT 1')) as Patchable;
  db.close();
  const databasePrototype = Database.prototype as unknown as Patchable;
  const targets: [Patchable, readonly string[]][] = [
    [fs as unknown as Patchable, fileCalls],
    [handlePrototype, handleCalls],
    [statementPrototype, statementCalls],
    [databasePrototype, ['exec']],
  ];
  return {
    async during(n, code, work) {
      let left = n;
      const undo: (() => void)[] = [];
      for (const [target, names] of targets) {
        for (const name of names) {
          const real = target[name]!;
          undo.push(() => (target[name] = real));
          const isSql = target === statementPrototype || target === databasePrototype;
          target[name] = function (this: unknown, ...args: unknown[]) {
            // Closing and rolling back are how a program recovers: they fail after having done their work.
            if (--left !== 0) return real.apply(this, args);
            const sqlCode = code === 'EIO' ? 'SQLITE_IOERR_WRITE' : 'SQLITE_FULL';
            const error = Object.assign(new Error(`injected at ${name}`), { code: isSql ? sqlCode : code });
            if (name === 'close') void (real.apply(this, args) as Promise<unknown>).catch(() => {});
            if (name === 'closeSync') real.apply(this, args);
            if (name === 'exec' && args[0] === 'ROLLBACK') real.apply(this, args);
            if (name === 'read' && target === (fs as unknown as Patchable)) {
              process.nextTick(args.at(-1) as Callable, error);
              return undefined;
            }
            if (target === handlePrototype) return Promise.reject(error);
            throw error;
          };
        }
      }
      try {
        await work();
      } finally {
        for (const one of undo) one();
      }
      return left <= 0;
    },
  };
}

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UploadId } from '../../shared/ids.ts';
import { createBlobStore } from '../../main/cache/blobStore.ts';
import { transact } from '../../main/cache/database.ts';
import {
  openCache,
  openCacheConnection,
  setAsideCorruptCache,
  type EvidenceCache,
} from '../../main/cache/openCache.ts';
import { migrations } from '../../main/cache/migrations/index.ts';
import { createSettingRepository } from '../../main/cache/settingRepository.ts';
import { createSourceRepository } from '../../main/cache/sourceRepository.ts';
import type { SourceId } from '../../shared/ids.ts';

let root: string;
let folder: string;
let open: EvidenceCache[];
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'cache-'));
  folder = path.join(root, 'data');
  open = [];
});
afterEach(() => {
  for (const cache of open) cache.close();
  fs.rmSync(root, { recursive: true, force: true });
});

function opened(options: Partial<Parameters<typeof openCache>[0]> = {}): EvidenceCache {
  const cache = openCache({ folder, ...options });
  open.push(cache);
  return cache;
}
const file = (): string => path.join(folder, 'cache.sqlite');
const failure = (work: () => unknown): unknown => {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error('it did not fail');
};

/** A process of its own that opens the folder and holds it (see holder.ts). */
async function holder(...args: string[]): Promise<ChildProcess> {
  const child = fork(new URL('./holder.ts', import.meta.url), [folder, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}
async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

describe('a data folder', () => {
  it('is made for this user alone, with durable settings on every connection', () => {
    const cache = opened();
    const isWindows = process.platform === 'win32';
    if (!isWindows) expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    if (!isWindows) expect(fs.statSync(file()).mode & 0o777).toBe(0o600);
    for (const one of [cache, openCacheConnection(folder, 'write'), openCacheConnection(folder, 'read')]) {
      open.push(one);
      expect(one.db.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(one.db.pragma('synchronous', { simple: true })).toBe(2);
      expect(one.db.pragma('foreign_keys', { simple: true })).toBe(1);
      expect(Number(one.db.pragma('busy_timeout', { simple: true }))).toBeGreaterThan(1000);
    }
    expect(failure(() => open[3]!.db.exec("INSERT INTO setting VALUES ('a', '1')"))).toMatchObject({
      code: 'SQLITE_READONLY',
    });
  });

  it('keeps what was written over a restart', () => {
    createSettingRepository(opened().db).set('theme', { mode: 'dark' });
    open.pop()!.close();
    expect(createSettingRepository(opened().db).get('theme')).toEqual({ mode: 'dark' });
  });

  it('is refused while another process has it, and free at the moment that process is killed', async () => {
    const child = await holder();
    expect(failure(() => openCache({ folder }))).toMatchObject({
      code: 'cache_locked',
      message: expect.stringContaining(folder) as string,
      remedy: expect.stringMatching(/Close/) as string,
    });
    await killed(child);
    opened();
  });

  it('is refused to a second owner in the same process', () => {
    opened();
    expect(failure(() => openCache({ folder }))).toMatchObject({ code: 'cache_locked' });
  });

  it('is free again after close', () => {
    opened().close();
    opened();
  });

  it('is not locked by the old file of a process that is gone', () => {
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'lock'), '');
    opened();
  });

  it('loses uploads and staging of an earlier run at the start, and nothing else', () => {
    opened().close();
    fs.mkdirSync(path.join(folder, 'partial', 'uploads'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'partial', 'uploads', 'up_1'), 'half');
    fs.writeFileSync(path.join(folder, 'partial', 'staging-1'), 'half');
    const other = path.join(folder, 'packages', 'case.zip');
    fs.mkdirSync(path.dirname(other));
    fs.writeFileSync(other, 'sealed');
    const outside = path.join(root, 'outside');
    fs.writeFileSync(outside, 'mine');
    fs.symlinkSync(root, path.join(folder, 'partial', 'link'));
    opened();
    expect(fs.readdirSync(path.join(folder, 'partial'))).toEqual(['uploads']);
    expect(fs.readdirSync(path.join(folder, 'partial', 'uploads'))).toEqual([]);
    expect(fs.readFileSync(other, 'utf8')).toBe('sealed');
    expect(fs.readFileSync(outside, 'utf8')).toBe('mine');
  });

  it('takes back a blob whose import never committed, and keeps one whose source is there', () => {
    const cache = opened();
    const put = (sha256: string): void => {
      const staged = path.join(folder, 'partial', `x${sha256[0]}`);
      fs.writeFileSync(staged, 'bytes');
      cache.blobs.adopt(staged, sha256);
    };
    const [lost, kept, settled] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [
      string,
      string,
      string,
    ];
    for (const sha256 of [lost, kept, settled]) put(sha256);
    createSourceRepository(cache.db).insert({
      sourceId: 'src_b' as SourceId,
      sha256: kept,
      sizeBytes: 5,
      fileName: 'f',
      kind: 'csv',
      importedAtMs: 0,
      readerVersion: '1',
      trips: 0,
      points: 0,
      skippedRows: 0,
      fromMs: null,
      toMs: null,
      entries: [],
    });
    cache.blobs.settle(settled);
    cache.close();
    const { blobs } = opened();
    expect([lost, kept, settled].map((sha256) => blobs.has(sha256))).toEqual([false, true, true]);
  });

  it('keeps a ballast for a full disk', () => {
    opened();
    expect(fs.statSync(path.join(folder, 'ballast')).size).toBe(4 * 1024 * 1024);
  });
});

describe('a folder that cannot be used', () => {
  it('is named when part of its path is a file', () => {
    fs.writeFileSync(path.join(root, 'file'), '');
    const inFile = path.join(root, 'file', 'data');
    expect(failure(() => openCache({ folder: inFile }))).toMatchObject({
      code: 'no_permission',
      message: expect.stringContaining(inFile) as string,
    });
  });

  it('is named when it is a file', () => {
    fs.writeFileSync(folder, 'a file');
    expect(failure(() => openCache({ folder }))).toMatchObject({ code: 'no_permission' });
    expect(fs.readFileSync(folder, 'utf8')).toBe('a file');
  });

  it.skipIf(process.platform !== 'linux')('is named where the system makes no folders', () => {
    const nowhere = '/proc/no/data';
    expect(failure(() => openCache({ folder: nowhere }))).toMatchObject({
      code: 'no_permission',
      message: expect.stringContaining(nowhere) as string,
    });
  });

  it.skipIf(process.platform === 'win32')('is named when this user may not write there', async () => {
    opened().close();
    fs.chmodSync(root, 0o755);
    for (const name of fs.readdirSync(folder)) fs.chmodSync(path.join(folder, name), 0o755);
    fs.chmodSync(folder, 0o555);
    // Root may write everywhere: the child gives that up first.
    const child = fork(new URL('./holder.ts', import.meta.url), [folder, 'as-nobody'], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [said] = (await once(child, 'message')) as [{ code: string; message: string; remedy: string }];
    await once(child, 'exit');
    fs.chmodSync(folder, 0o700);
    expect(said).toMatchObject({ code: 'no_permission', message: expect.stringContaining(folder) as string });
    expect(said.remedy).toMatch(/--data-dir/);
  });
});

describe('a cache of another version', () => {
  it('is refused untouched when it is newer', () => {
    opened().close();
    const db = new Database(file());
    db.pragma(`user_version = ${migrations.length + 1}`);
    db.close();
    const before = fs.readFileSync(file());
    expect(failure(() => openCache({ folder }))).toMatchObject({
      code: 'cache_newer',
      remedy: expect.stringMatching(/Update/) as string,
    });
    expect(fs.readFileSync(file()).equals(before)).toBe(true);
    expect(fs.existsSync(path.join(folder, 'backup'))).toBe(false);
  });

  it('is refused untouched when the file belongs to another program', () => {
    fs.mkdirSync(folder);
    const db = new Database(file());
    db.exec('CREATE TABLE other (a)');
    db.close();
    const before = fs.readFileSync(file());
    expect(failure(() => openCache({ folder }))).toMatchObject({ code: 'cache_corrupt' });
    expect(fs.readFileSync(file()).equals(before)).toBe(true);
  });

  const next = 'CREATE TABLE novelty (a INTEGER) STRICT; INSERT INTO novelty VALUES (42);';

  it('is copied to backup/ before it is upgraded', () => {
    createSettingRepository(opened().db).set('name', 'before');
    open.pop()!.close();
    const cache = opened({ migrations: [...migrations, next], now: () => Date.UTC(2026, 0, 2, 3, 4, 5) });
    expect(cache.db.prepare('SELECT a FROM novelty').pluck().get()).toBe(42);
    expect(createSettingRepository(cache.db).get('name')).toBe('before');
    const [backup, ...others] = fs.readdirSync(path.join(folder, 'backup'));
    expect(others).toEqual([]);
    expect(backup).toBe(`cache-v${migrations.length}-2026-01-02T03-04-05-000Z.sqlite`);
    const copy = new Database(path.join(folder, 'backup', backup!), { readonly: true });
    expect(copy.pragma('user_version', { simple: true })).toBe(migrations.length);
    expect(copy.prepare("SELECT value FROM setting WHERE key = 'name'").pluck().get()).toBe('"before"');
    copy.close();
  });

  it('stays at the step before when a step fails in its middle', () => {
    createSettingRepository(opened().db).set('name', 'before');
    open.pop()!.close();
    expect(() => openCache({ folder, migrations: [...migrations, `${next} SELECT nonsense;`] })).toThrow(
      /nonsense/,
    );
    const cache = opened();
    expect(createSettingRepository(cache.db).get('name')).toBe('before');
    expect(cache.db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'novelty'").pluck().get()).toBe(
      0,
    );
  });

  it('is upgraded by the next start when the upgrade was killed', async () => {
    createSettingRepository(opened().db).set('name', 'before');
    open.pop()!.close();
    await killed(await holder('stop-in-migration'));
    const db = new Database(file());
    expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
    db.close();
    const cache = opened({ migrations: [...migrations, next] });
    expect(cache.db.prepare('SELECT a FROM novelty').pluck().get()).toBe(42);
    expect(createSettingRepository(cache.db).get('name')).toBe('before');
  });

  it('is made by the next start when its very first making was killed', async () => {
    await killed(await holder('stop-in-first-migration'));
    opened();
    expect(open[0]!.db.pragma('user_version', { simple: true })).toBe(migrations.length);
  });
});

describe('a damaged cache', () => {
  function damage(change: (bytes: Buffer) => Buffer): void {
    const cache = opened();
    const settings = createSettingRepository(cache.db);
    transact(cache.db, () => {
      for (let i = 0; i < 500; i++) settings.set(`key ${i}`, 'x'.repeat(200));
    });
    fs.mkdirSync(path.join(folder, 'blobs', 'aa'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'blobs', 'aa', 'a'.repeat(64)), 'original');
    open.pop()!.close();
    fs.writeFileSync(file(), change(fs.readFileSync(file())));
  }

  it.each([
    [
      'no database at all',
      () => Buffer.from('this is not a database, it is a poem of some length\n'.repeat(100)),
    ],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 6000)],
    ['cut to nothing', () => Buffer.alloc(0)],
    [
      'overwritten in the middle',
      (bytes: Buffer) =>
        Buffer.concat([bytes.subarray(0, 40_000), Buffer.alloc(60_000, 0xaa), bytes.subarray(100_000)]),
    ],
    ['zeros at the start', (bytes: Buffer) => Buffer.concat([Buffer.alloc(4096), bytes.subarray(4096)])],
  ])('is refused, not erased, when it is %s; set aside, a fresh one opens beside it', (_, change) => {
    damage(change);
    const damaged = fs.readFileSync(file());
    expect(failure(() => openCache({ folder }))).toMatchObject({
      code: 'cache_corrupt',
      message: expect.stringContaining(file()) as string,
      remedy: expect.stringMatching(/set the damaged file aside/) as string,
    });
    expect(fs.readFileSync(file()).equals(damaged)).toBe(true);
    const aside = setAsideCorruptCache(folder, () => Date.UTC(2026, 0, 1));
    expect(path.basename(aside)).toBe('cache-damaged-2026-01-01T00-00-00-000Z.sqlite');
    expect(fs.readFileSync(aside).equals(damaged)).toBe(true);
    const cache = opened();
    expect(createSettingRepository(cache.db).all()).toEqual({});
    expect(createBlobStore(folder).has('a'.repeat(64))).toBe(true);
  });

  it('is not set aside under a running instance', () => {
    opened();
    expect(failure(() => setAsideCorruptCache(folder))).toMatchObject({ code: 'cache_locked' });
  });
});

it('does not confuse an upload id with a path', async () => {
  opened();
  const { findUpload } = await import('../../main/cache/uploads.ts');
  for (const id of ['../../cache.sqlite', 'up_../x', '/etc/passwd', 'up_1']) {
    expect(failure(() => findUpload(folder, id as UploadId))).toMatchObject({ code: 'not_found' });
  }
});

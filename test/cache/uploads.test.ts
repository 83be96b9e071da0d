import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBlobStore } from '../../main/cache/blobStore.ts';
import { openCache, type EvidenceCache } from '../../main/cache/openCache.ts';
import { discardUpload, findUpload, receiveUpload, stageFile } from '../../main/cache/uploads.ts';

let root: string;
let folder: string;
let cache: EvidenceCache;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'cache-'));
  folder = path.join(root, 'data');
  cache = openCache({ folder });
});
afterEach(() => {
  cache.close();
  fs.rmSync(root, { recursive: true, force: true });
});
const staged = (): string[] => fs.readdirSync(path.join(folder, 'partial', 'uploads'));
const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('a file that is received', () => {
  it.each([1, 1000, 1 << 20, 5_000_000])('is kept whole and hashed, in pieces of %i bytes', async (size) => {
    const bytes = randomBytes(size === 1 ? 3000 : 3_500_000);
    const totals: number[] = [];
    const upload = await receiveUpload(folder, 'export.zip', pieces(bytes, size), {
      onBytes: (total) => totals.push(total),
    });
    expect(fs.readFileSync(upload.path).equals(bytes)).toBe(true);
    expect(upload).toMatchObject({
      fileName: 'export.zip',
      sha256: sha256Of(bytes),
      sizeBytes: bytes.length,
    });
    expect(totals.at(-1)).toBe(bytes.length);
    expect(findUpload(folder, upload.uploadId)).toEqual(upload);
    discardUpload(folder, upload.uploadId);
    expect(staged()).toEqual([]);
    expect(() => findUpload(folder, upload.uploadId)).toThrow(/not there any more/);
  });

  it.each(['../../evil.zip', 'C:\\evil.zip', '/etc/passwd', 'a\0b', '..', 'x'.repeat(5000)])(
    'never uses its name %j as a path',
    async (name) => {
      const upload = await receiveUpload(folder, name, pieces(Buffer.from('x'), 1));
      expect(path.dirname(upload.path)).toBe(path.join(folder, 'partial', 'uploads'));
      expect(path.basename(upload.path)).toMatch(/^up_[0-9a-f]{32}$/);
      expect(upload.fileName).not.toMatch(/[\\/]/);
      expect(fs.readdirSync(root)).toEqual(['data']);
    },
  );

  it('is refused when it is empty', async () => {
    await expect(receiveUpload(folder, 'a.zip', pieces(Buffer.alloc(0), 1))).rejects.toMatchObject({
      code: 'file_empty',
    });
    expect(staged()).toEqual([]);
  });

  it('leaves nothing when its sender breaks off, or on cancel', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(100_000);
      throw new Error('connection lost');
    }
    await expect(receiveUpload(folder, 'a.zip', broken())).rejects.toThrow('connection lost');
    const cancel = new AbortController();
    const canceled = receiveUpload(folder, 'a.zip', pieces(Buffer.alloc(1_000_000), 1000), {
      signal: cancel.signal,
      onBytes: (total) => {
        if (total > 500_000) cancel.abort();
      },
    });
    await expect(canceled).rejects.toMatchObject({ code: 'canceled' });
    expect(staged()).toEqual([]);
  });
});

describe("a file of the user's", () => {
  const put = (bytes: Buffer | string, name = 'export.csv'): string => {
    const file = path.join(root, name);
    fs.writeFileSync(file, bytes);
    return file;
  };

  it('is copied and hashed, and is not touched', async () => {
    const bytes = randomBytes(2_500_001);
    const file = put(bytes, 'my – export.zip');
    fs.chmodSync(file, 0o444);
    const before = fs.statSync(file);
    const upload = await stageFile(folder, file);
    expect(upload).toMatchObject({
      fileName: 'my – export.zip',
      sha256: sha256Of(bytes),
      sizeBytes: bytes.length,
    });
    expect(fs.readFileSync(upload.path).equals(bytes)).toBe(true);
    const after = fs.statSync(file);
    expect([after.size, after.mtimeMs, after.ino, after.mode]).toEqual([
      before.size,
      before.mtimeMs,
      before.ino,
      before.mode,
    ]);
  });

  it.each([
    ['is not there', () => path.join(root, 'gone.zip'), 'file_vanished'],
    ['is a folder', () => root, 'file_unreadable'],
    ['is empty', () => put(''), 'file_empty'],
    ['is a device', () => '/dev/zero', 'file_unreadable'],
    ['lies in a file', () => path.join(put('x'), 'y.zip'), 'file_unreadable'],
  ])('is refused by name when it %s', async (_, make, code) => {
    const file = make();
    await expect(stageFile(folder, file)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(path.basename(file)) as string,
    });
    expect(staged()).toEqual([]);
  });

  it.each([
    ['grows', (file: string) => fs.appendFileSync(file, 'more'), 'file_changed'],
    ['shrinks', (file: string) => fs.truncateSync(file, 1_500_000), 'file_changed'],
    [
      'changes in place',
      (file: string) => {
        const descriptor = fs.openSync(file, 'r+');
        fs.writeSync(descriptor, 'X', 5_000_000);
        fs.closeSync(descriptor);
      },
      'file_changed',
    ],
    [
      'is replaced by another one',
      (file: string) => {
        fs.writeFileSync(`${file}.new`, randomBytes(8_000_000));
        fs.renameSync(`${file}.new`, file);
      },
      'file_changed',
    ],
    ['vanishes', (file: string) => fs.unlinkSync(file), 'file_vanished'],
  ])('is refused when it %s while it is read', async (_, change, code) => {
    const file = put(randomBytes(8_000_000));
    let isDone = false;
    const staging = stageFile(folder, file, {
      onBytes: () => {
        if (!isDone) change(file);
        isDone = true;
      },
    });
    await expect(staging).rejects.toMatchObject({ code });
    expect(staged()).toEqual([]);
  });

  it('is not begun when the disk has no room for it, and the need is named', async () => {
    const file = put(randomBytes(3_000_000));
    const staging = stageFile(folder, file, { freeBytes: () => 1_000_000 });
    await expect(staging).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/3 MB are needed, 1 MB are free/) as string,
    });
    expect(staged()).toEqual([]);
  });
});

describe('the blob store', () => {
  const stage = (text: string): Promise<{ path: string; sha256: string }> =>
    receiveUpload(folder, 'x', pieces(Buffer.from(text), 100));

  it('moves a staged file in under its hash, read-only', async () => {
    const upload = await stage('hello');
    expect(cache.blobs.has(upload.sha256)).toBe(false);
    expect(cache.blobs.adopt(upload.path, upload.sha256)).toBe(true);
    const file = cache.blobs.pathOf(upload.sha256);
    expect(file).toBe(path.join(folder, 'blobs', upload.sha256.slice(0, 2), upload.sha256));
    expect(fs.readFileSync(file, 'utf8')).toBe('hello');
    expect(fs.statSync(file).mode & 0o222).toBe(0);
    expect(fs.existsSync(upload.path)).toBe(false);
  });

  it('leaves a blob that is there alone', async () => {
    const [first, second] = [await stage('hello'), await stage('hello')];
    cache.blobs.adopt(first.path, first.sha256);
    const { ino } = fs.statSync(cache.blobs.pathOf(first.sha256));
    expect(cache.blobs.adopt(second.path, second.sha256)).toBe(false);
    expect(fs.statSync(cache.blobs.pathOf(first.sha256)).ino).toBe(ino);
    expect(fs.existsSync(second.path)).toBe(true);
  });

  it('sets a damaged blob aside when the whole one comes again', async () => {
    const upload = await stage('hello');
    const file = cache.blobs.pathOf(upload.sha256);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, 'hel');
    cache.blobs.adopt(upload.path, upload.sha256);
    expect(fs.readFileSync(file, 'utf8')).toBe('hello');
    expect(fs.readdirSync(path.dirname(file)).filter((name) => name.includes('damaged'))).toHaveLength(1);
  });

  it.each(['', '../x', 'ABCDEF', `${'a'.repeat(63)}/`, 'g'.repeat(64)])('refuses the name %j', (name) => {
    expect(() => createBlobStore(folder).pathOf(name)).toThrow(/hex digits/);
  });

  it("refuses to take a file of the user's away", () => {
    const file = path.join(root, 'mine.csv');
    fs.writeFileSync(file, 'mine');
    for (const name of [file, path.join(folder, 'partial', '..', '..', 'mine.csv')]) {
      expect(() => cache.blobs.adopt(name, 'a'.repeat(64))).toThrow(/staged/);
    }
    expect(fs.readFileSync(file, 'utf8')).toBe('mine');
  });
});

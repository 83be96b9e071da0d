import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { syncFile, syncFolder } from './durable.ts';
import { adoptingFolderOf, blobFolderOf, partialFolderOf } from './folders.ts';

/** Originals by content: `blobs/<first two hex>/<sha256>`. A blob is written once and never changed. */
export interface BlobStore {
  /** Where the blob lies (or would); `sha256` is 64 lower-case hex digits. */
  pathOf(sha256: string): string;
  has(sha256: string): boolean;
  /**
   * Moves a staged file (one under `partial/`) to its place: fsync, rename, folder fsync. Returns false and
   * leaves the staged file alone when the blob is there already. Until `settle`, the next start takes the
   * blob away again if no source claims it.
   */
  adopt(stagedPath: string, sha256: string): boolean;
  /** The blob's source is committed: it stays. */
  settle(sha256: string): void;
  /** Removes a blob that no source needs any more; nothing happens when it is not there. */
  remove(sha256: string): void;
}

/** Blobs of a data folder. File errors are the system's own (see toCacheError). */
export function createBlobStore(folder: string): BlobStore {
  const root = blobFolderOf(folder);
  const partial = path.resolve(partialFolderOf(folder));
  const adopting = adoptingFolderOf(folder);
  const pathOf = (sha256: string): string => {
    if (!isSha256(sha256))
      throw new AppError('invalid_input', 'A blob is named by 64 lower-case hex digits.');
    return path.join(root, sha256.slice(0, 2), sha256);
  };
  return {
    pathOf,
    has: (sha256) => fs.statSync(pathOf(sha256), { throwIfNoEntry: false })?.isFile() ?? false,
    adopt(stagedPath, sha256) {
      const target = pathOf(sha256);
      if (!path.resolve(stagedPath).startsWith(partial + path.sep)) {
        throw new AppError('invalid_input', 'Only a file staged in the data folder can become a blob.');
      }
      const staged = fs.statSync(stagedPath);
      const there = fs.statSync(target, { throwIfNoEntry: false });
      if (there?.size === staged.size) return false;
      const mark = path.join(adopting, sha256);
      let isMoved = false;
      try {
        syncFile(stagedPath);
        const shelf = path.dirname(target);
        fs.mkdirSync(shelf, { recursive: true, mode: 0o700 });
        fs.mkdirSync(adopting, { recursive: true, mode: 0o700 });
        fs.writeFileSync(mark, '', { mode: 0o600 });
        // A blob of another size under this name is damaged: set aside, not erased.
        if (there) fs.renameSync(target, `${target}.damaged-${Math.trunc(there.mtimeMs)}`);
        fs.renameSync(stagedPath, target);
        isMoved = true;
        if (process.platform !== 'win32') fs.chmodSync(target, 0o400);
        syncFolder(shelf);
        syncFolder(root);
        return true;
      } catch (thrown) {
        // Where this fails too, the mark is still there for the next start.
        if (isMoved) fs.rmSync(target, { force: true });
        fs.rmSync(mark, { force: true });
        throw thrown;
      }
    },
    settle(sha256) {
      fs.rmSync(path.join(adopting, path.basename(pathOf(sha256))), { force: true });
    },
    remove(sha256) {
      fs.rmSync(pathOf(sha256), { force: true });
      fs.rmSync(path.join(adopting, sha256), { force: true });
    },
  };
}

/** Takes back blobs whose import never committed. Only blobs marked by `adopt` are looked at, so nothing else can go. */
export function takeBackUnsettled(folder: string, isClaimed: (sha256: string) => boolean): void {
  const blobs = createBlobStore(folder);
  let names: string[];
  try {
    names = fs.readdirSync(adoptingFolderOf(folder));
  } catch {
    return; // no such folder: no import was under way
  }
  for (const name of names) {
    if (isSha256(name) && !isClaimed(name)) blobs.remove(name);
  }
}

export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

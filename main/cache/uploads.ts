import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { UploadId } from '../../shared/ids.ts';
import { codeOf, diskFull, isDiskFull, toCacheError } from './database.ts';
import { uploadFolderOf } from './folders.ts';
import { freeBytesOf } from './freeSpace.ts';

/** A file that came in whole and lies, hashed, in `partial/uploads`. It is gone after the next start. */
export interface StagedUpload {
  readonly uploadId: UploadId;
  /** Made from the id, never from the name that the file came with. */
  readonly path: string;
  /** As the sender named it, without folders; for showing only. */
  readonly fileName: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface StagingOptions {
  readonly signal?: AbortSignal;
  /** Total bytes so far, after each piece. */
  readonly onBytes?: (total: number) => void;
  /** For tests of a full disk; the disk's own answer otherwise. */
  readonly freeBytes?: (folder: string) => number;
}

/**
 * Receives a file as a stream (a browser's upload), hashing on the way; on return its bytes are on the disk for
 * good. Nothing stays after a failure. Throws AppError file_empty | disk_full | canceled | no_permission.
 */
export async function receiveUpload(
  folder: string,
  fileName: string,
  bytes: AsyncIterable<Uint8Array>,
  options: StagingOptions = {},
): Promise<StagedUpload> {
  return await writeUpload(folder, lastSegment(fileName, /[\\/]/), options, async (sink) => {
    for await (const piece of bytes) {
      if (piece.length > 0) await sink.write(piece);
    }
  });
}

/** Two reads ahead of the hash and one write behind it. */
const ringSize = 3;
const pieceBytes = 1024 * 1024;

/**
 * Copies a file of the user's into the staging area, hashing on the way, so that nothing that happens to it
 * later can matter. It is opened for reading only. Throws AppError file_vanished (no such file, or gone while
 * it was read), file_changed (size, time or identity changed meanwhile), file_unreadable (no permission, a
 * folder, a device, a bad disk), file_empty, disk_full, canceled.
 */
export async function stageFile(
  folder: string,
  filePath: string,
  options: StagingOptions = {},
): Promise<StagedUpload> {
  const input = await openInput(filePath);
  try {
    const before = await statOf(input, filePath);
    if (!before.isFile())
      throw unreadable(filePath, before.isDirectory() ? 'it is a folder' : 'it is not a file');
    if (before.size === 0n) throw emptyFile(filePath);
    const size = Number(before.size);
    const free = (options.freeBytes ?? freeBytesOf)(folder);
    if (free < size) throw diskFull(folder, size, free);
    return await writeUpload(folder, path.basename(filePath), options, async (sink) => {
      await copyInto(sink, input, filePath);
      const after = await statOf(input, filePath);
      const now = await statOf({ stat: (options) => fs.promises.stat(filePath, options) }, filePath);
      const isSame = (other: fs.BigIntStats): boolean =>
        other.size === before.size &&
        other.mtimeNs === before.mtimeNs &&
        other.ino === before.ino &&
        other.dev === before.dev;
      if (!isSame(after) || !isSame(now) || sink.total !== size) throw changedFile(filePath);
    });
  } finally {
    await input.close().catch(() => {}); // it was only read: what closing says changes nothing
  }
}

async function statOf(
  file: { stat(options: { bigint: true }): Promise<fs.BigIntStats> },
  filePath: string,
): Promise<fs.BigIntStats> {
  try {
    return await file.stat({ bigint: true });
  } catch (thrown) {
    throw inputError(filePath, thrown);
  }
}

/** Finds a staged upload by its id. Throws AppError not_found. */
export function findUpload(folder: string, uploadId: UploadId): StagedUpload {
  const missing = (): AppError =>
    new AppError('not_found', 'The uploaded file is not there any more.', {
      remedy: 'Choose the file again.',
    });
  if (!isUploadId(uploadId)) throw missing();
  const file = path.join(uploadFolderOf(folder), uploadId);
  try {
    // Our own writing, below: one JSON object of these three fields.
    const noted = JSON.parse(fs.readFileSync(`${file}.json`, 'utf8')) as Omit<
      StagedUpload,
      'uploadId' | 'path'
    >;
    if (fs.statSync(file).size !== noted.sizeBytes) throw missing();
    return {
      uploadId,
      path: file,
      fileName: noted.fileName,
      sha256: noted.sha256,
      sizeBytes: noted.sizeBytes,
    };
  } catch {
    throw missing();
  }
}

/** Forgets a staged upload; nothing happens when it is gone or was adopted as a blob. */
export function discardUpload(folder: string, uploadId: UploadId): void {
  if (!isUploadId(uploadId)) return;
  const file = path.join(uploadFolderOf(folder), uploadId);
  fs.rmSync(file, { force: true });
  fs.rmSync(`${file}.json`, { force: true });
}

const isUploadId = (text: string): boolean => /^up_[0-9a-f]{32}$/.test(text);

/** Where `writeUpload`'s filler puts the bytes. A piece may be reused by its owner only after the next call. */
interface HashingSink {
  readonly total: number;
  /** Hashes at once, writes behind: resolves when the piece before this one is written. */
  write(piece: Uint8Array): Promise<void>;
}

async function writeUpload(
  folder: string,
  fileName: string,
  options: StagingOptions,
  fill: (sink: HashingSink) => Promise<void>,
): Promise<StagedUpload> {
  const uploadId = `up_${randomUUID().replaceAll('-', '')}` as UploadId; // the brand has no runtime form
  const uploads = uploadFolderOf(folder);
  const file = path.join(uploads, uploadId);
  const hash = createHash('sha256');
  let total = 0;
  let output: FileHandle | null = null;
  let pending: Promise<unknown> = Promise.resolve();
  try {
    fs.mkdirSync(uploads, { recursive: true, mode: 0o700 });
    const out = (output = await open(file, 'wx', 0o600));
    throwIfCanceled(options.signal);
    await fill({
      get total() {
        return total;
      },
      async write(piece) {
        throwIfCanceled(options.signal);
        const before = pending;
        // Hashed here while libuv's threads write the piece before and read the next.
        hash.update(piece);
        await before;
        const at = total;
        total += piece.length;
        pending = writeWhole(out, piece, at);
        // Looked at by the next write or by the end; until then a failure must not count as unhandled.
        pending.catch(() => {});
        options.onBytes?.(total);
      },
    });
    await pending;
    throwIfCanceled(options.signal);
    if (total === 0) throw emptyFile(fileName);
    await output.sync();
    await output.close();
    output = null;
    const sha256 = hash.digest('hex');
    fs.writeFileSync(`${file}.json`, JSON.stringify({ fileName, sha256, sizeBytes: total }), { mode: 0o600 });
    return { uploadId, path: file, fileName, sha256, sizeBytes: total };
  } catch (thrown) {
    await pending.catch(() => {});
    await output?.close().catch(() => {});
    discardUpload(folder, uploadId);
    if (options.signal?.aborted) throw canceled();
    if (isDiskFull(thrown) && !(thrown instanceof AppError)) {
      throw diskFull(folder, null, freeBytesOf(folder), thrown);
    }
    throw toCacheError(thrown, folder);
  }
}

async function writeWhole(out: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < piece.length;) {
    const { bytesWritten } = await out.write(piece, done, piece.length - done, position + done);
    done += bytesWritten;
  }
}

/** Reads the next piece while this one is hashed and the last one is written. */
async function copyInto(sink: HashingSink, input: FileHandle, filePath: string): Promise<void> {
  const ring = Array.from({ length: ringSize }, () => Buffer.allocUnsafe(pieceBytes));
  let position = 0;
  const read = (slot: number): Promise<number> =>
    input.read(ring[slot % ringSize]!, 0, pieceBytes, position).then(
      ({ bytesRead }) => bytesRead,
      (thrown: unknown) => {
        throw inputError(filePath, thrown);
      },
    );
  let next = read(0);
  next.catch(() => {});
  for (let slot = 0; ; slot++) {
    const length = await next;
    if (length === 0) return;
    position += length;
    next = read(slot + 1);
    next.catch(() => {}); // awaited in the next turn; a failing write must not leave it unhandled
    try {
      await sink.write(ring[slot % ringSize]!.subarray(0, length));
    } catch (thrown) {
      await next.catch(() => {}); // the descriptor must not be closed under a running read
      throw thrown;
    }
  }
}

async function openInput(filePath: string): Promise<FileHandle> {
  try {
    // Not blocking: opening a named pipe would otherwise wait for ever for somebody to write.
    return await open(filePath, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  } catch (thrown) {
    throw inputError(filePath, thrown);
  }
}

function inputError(filePath: string, thrown: unknown): unknown {
  const code = codeOf(thrown);
  if (code === 'ENOENT') {
    return new AppError('file_vanished', `There is no file ${filePath} (any more).`, {
      remedy: 'Check the name, or connect the disk it lies on, and try again.',
      details: { file: filePath },
      cause: thrown,
    });
  }
  return code === '' ? thrown : unreadable(filePath, code, thrown);
}

function unreadable(filePath: string, finding: string, cause?: unknown): AppError {
  return new AppError('file_unreadable', `The file ${filePath} can't be read (${finding}).`, {
    remedy: 'Check that your account may read it and that its disk is in order, then try again.',
    details: { file: filePath, finding },
    ...(cause === undefined ? {} : { cause }),
  });
}

function changedFile(filePath: string): AppError {
  return new AppError('file_changed', `The file ${filePath} changed while it was being read.`, {
    remedy: 'Wait until the download or copy that writes it has ended, then try again.',
    details: { file: filePath },
  });
}

function emptyFile(fileName: string): AppError {
  return new AppError('file_empty', `The file ${fileName} is empty.`, {
    remedy: 'Download it again.',
    details: { file: fileName },
  });
}

export function canceled(): AppError {
  return new AppError('canceled', 'Canceled.');
}

export function throwIfCanceled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw canceled();
}

function lastSegment(name: string, separators: RegExp): string {
  return (name.split(separators).at(-1) ?? '').slice(0, 1000) || 'unnamed';
}

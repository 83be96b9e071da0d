import fs from 'node:fs';
import type { JobProgress } from '../../shared/contract/jobs.ts';
import { AppError } from '../../shared/errors.ts';
import { codeOf } from '../cache/database.ts';
import { throwIfCanceled } from '../cache/uploads.ts';
import {
  bagInfoText,
  bagitText,
  hashesOf,
  howToVerifyText,
  manifestText,
  type BagFacts,
  type ListedFile,
} from './bagFiles.ts';
import { createContainerWriter } from './containerWriter.ts';
import type { PackagePart } from './parts/part.ts';
import { createReadBackInline, createReadBackThread, type Digest, type ReadBack } from './readBack.ts';

export interface BagOptions {
  /** The one folder inside the zip. */
  readonly name: string;
  readonly facts: BagFacts;
  readonly publicKeyPem: string;
  readonly controls: {
    sign(bytes: Uint8Array): Promise<Uint8Array>;
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: ((progress: JobProgress) => void) | undefined;
  };
}

/** Digests of a file of the bag, computed from the zip's own bytes after they were written. */
export interface ReadBackDigests {
  readonly sha256: string;
  readonly sha512: string;
  readonly crc: number;
}

export interface WrittenBag {
  /** Of the whole zip. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Of the originals, by path in the bag: the check that follows need not read them a third time. */
  readonly readBack: ReadonlyMap<string, ReadBackDigests>;
}

/** Above this much of originals, hashing in threads is worth starting them. */
const threadsFromBytes = 32 << 20;
const yieldEveryBytes = 8 << 20;
const flushEveryBytes = 64 << 20;

/**
 * Writes the bag into the empty zip file behind `descriptor` (whose name is `file`). Originals are copied and
 * hashed from what was written, while the next blocks are copied: SHA-512 is the slowest link, so it has a
 * thread of its own; SHA-256 with the checksum, and the hash of the zip, have theirs.
 */
export async function writeBag(
  descriptor: number,
  file: string,
  parts: readonly PackagePart[],
  options: BagOptions,
): Promise<WrittenBag> {
  const { controls } = options;
  const container = createContainerWriter(descriptor);
  const originalBytes = parts.reduce(
    (sum, { content }) => sum + (content.kind === 'original' ? content.sizeBytes : 0),
    0,
  );
  const open = (digests: readonly Digest[]): ReadBack =>
    originalBytes >= threadsFromBytes
      ? createReadBackThread(file, digests)
      : createReadBackInline(file, digests);
  const longHash = open(['sha512']);
  const shortHash = open(['sha256', 'crc32']);
  const wholeHash = open(['sha256']);
  const pace = createPace(parts, controls);
  const flush = createFlush(descriptor);
  const inBag = (path: string): string => `${options.name}/${path}`;
  let hashedTo = 0;
  const hashWhole = (): void => {
    wholeHash.extend(hashedTo, container.position - hashedTo);
    hashedTo = container.position;
  };

  const packed: { path: string; hash: string }[] = [];
  const readBack = new Map<string, ReadBackDigests>();
  const listed: (ListedFile | Promise<ListedFile>)[] = [];

  async function addOriginal(bagPath: string, part: Extract<PackagePart['content'], { kind: 'original' }>) {
    const blob = openBlob(part.blobPath, part.fileName);
    try {
      const size = fs.fstatSync(blob).size;
      if (size !== part.sizeBytes) throw blobChanged(part.fileName);
      const entry = await container.copy(
        inBag(bagPath),
        part.sizeBytes,
        (into) => fs.readSync(blob, into, 0, into.length, null),
        async (offset, length) => {
          longHash.extend(offset, length);
          shortHash.extend(offset, length);
          flush.wrote(length);
          await pace(length);
        },
      );
      const longDone = longHash.finish();
      longDone.catch(() => {}); // awaited below; until then a failure must not count as unhandled
      const { sha256, crc32 } = await shortHash.finish();
      if (sha256 !== part.sha256) throw blobChanged(part.fileName);
      const crc = parseInt(crc32!, 16);
      container.sealStored(entry, crc);
      const done = longDone.then(({ sha512 }) => {
        readBack.set(bagPath, { sha256, sha512: sha512!, crc });
        return { path: bagPath, sha256, sha512: sha512!, sizeBytes: entry.size };
      });
      done.catch(() => {}); // as above
      listed.push(done);
    } finally {
      fs.closeSync(blob);
    }
  }

  async function addText(bagPath: string, pieces: Iterable<string>, mode: 'deflate' | 'store', most: number) {
    const written = await container.text(inBag(bagPath), pieces, mode, most, pace);
    hashWhole();
    if (written.packedSha256 !== null) packed.push({ path: bagPath, hash: written.packedSha256 });
    return { path: bagPath, ...written };
  }

  try {
    for (const { path, content } of parts) {
      throwIfCanceled(controls.signal);
      const bagPath = `data/${path}`;
      if (content.kind === 'original') {
        await addOriginal(bagPath, content);
        hashWhole();
      } else listed.push(await addText(bagPath, content.pieces(), 'deflate', content.mostBytes));
    }
    const payload = await Promise.all(listed);

    // Tag files are stored as they are: each of their bytes then matters to one of the checks.
    const tags: ListedFile[] = [];
    const addTag = async (path: string, text: string): Promise<void> => {
      await addText(path, [text], 'store', 0);
      tags.push({ path, ...hashesOf(text), sizeBytes: Buffer.byteLength(text) });
    };
    const sha256List = payload.map(({ path, sha256 }) => ({ path, hash: sha256 }));
    const sha512List = payload.map(({ path, sha512 }) => ({ path, hash: sha512 }));
    await addTag('HOW-TO-VERIFY.txt', howToVerifyText(options.name, options.facts.fingerprint));
    await addTag('bag-info.txt', bagInfoText(options.facts, payload));
    await addTag('bagit.txt', bagitText);
    await addTag('manifest-sha256.txt', manifestText(sha256List));
    await addTag('manifest-sha512.txt', manifestText(sha512List));
    await addTag('zip-compressed-sha256.txt', manifestText(packed));
    const tagManifest = manifestText(tags.map(({ path, sha256 }) => ({ path, hash: sha256 })));
    await addText('tagmanifest-sha256.txt', [tagManifest], 'store', 0);
    const signature = await controls.sign(Buffer.from(tagManifest, 'utf8'));
    container.bytes(inBag('signature/tagmanifest.sig'), signature);
    await addText('signature/public-key.pem', [options.publicKeyPem], 'store', 0);
    container.end();
    hashWhole();
    const { sha256 } = await wholeHash.finish();
    return { sha256: sha256!, sizeBytes: container.position, readBack };
  } finally {
    await Promise.all([longHash.close(), shortHash.close(), wholeHash.close(), flush.settled()]);
  }
}

/**
 * Sends what was written to the disk while hashing goes on, so that the sync at the end has little left to do.
 * Its failures are of no account: that last sync meets them again.
 */
function createFlush(descriptor: number) {
  let waiting = 0;
  let running: Promise<void> | null = null;
  return {
    wrote(bytes: number): void {
      waiting += bytes;
      if (running || waiting < flushEveryBytes) return;
      waiting = 0;
      running = new Promise((resolve) => {
        fs.fdatasync(descriptor, () => {
          running = null;
          resolve();
        });
      });
    },
    /** Call before the descriptor is closed. */
    settled: async (): Promise<void> => void (await running),
  };
}

/** Reports progress, lets other work of the thread happen now and then, and stops on a cancel. */
function createPace(parts: readonly PackagePart[], controls: BagOptions['controls']) {
  // Texts are as long as they turn out; the bar must not jump back, so it waits at its end.
  const total = parts.reduce((sum, { sizeBytes, content }) => {
    if (content.kind === 'original') return sum + content.sizeBytes;
    return sum + (sizeBytes ?? content.mostBytes / 3);
  }, 0);
  let done = 0;
  let sinceYield = 0;
  return async (bytes: number): Promise<void> => {
    throwIfCanceled(controls.signal);
    done += bytes;
    sinceYield += bytes;
    controls.onProgress?.({
      stage: 'packing',
      done: Math.min(done, Math.ceil(total)),
      total: Math.ceil(total),
      unit: 'bytes',
      points: null,
    });
    if (sinceYield < yieldEveryBytes) return;
    sinceYield = 0;
    await new Promise((resolve) => setImmediate(resolve));
    throwIfCanceled(controls.signal);
  };
}

function openBlob(blobPath: string, fileName: string): number {
  try {
    return fs.openSync(blobPath, 'r');
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause;
    throw new AppError(
      'blob_missing',
      `The original file "${fileName}" is no longer in the evidence cache.`,
      {
        remedy: 'Put the data folder back from a backup, or seal without originals.',
        cause,
      },
    );
  }
}

function blobChanged(fileName: string): AppError {
  return new AppError(
    'blob_changed',
    `The original file "${fileName}" in the evidence cache is not what was imported: its hash is another.`,
    { remedy: 'Put the data folder back from a backup; nothing was sealed.', details: { file: fileName } },
  );
}

import { createHash, type Hash } from 'node:crypto';
import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { workerUrl } from '../cache/workerUrl.ts';

export type Digest = 'sha256' | 'sha512' | 'crc32';
/** Hex of the hashes asked for; the checksum as eight hex digits. */
export type Digests = Partial<Record<Digest, string>>;

/**
 * Hashes stretches of a file that is being written, by reading them back from it: what is hashed is what lies
 * in the file, not what was meant to. `extend` adds a stretch, `finish` gives the digests of all stretches
 * since the last and starts over.
 */
export interface ReadBack {
  extend(offset: number, length: number): void;
  finish(): Promise<Digests>;
  close(): Promise<void>;
}

const blockBytes = 1 << 20;

/** The work itself, in whatever thread. Throws when the file is shorter than said. */
export function createReadBackHere(file: string, digests: readonly Digest[]) {
  const descriptor = fs.openSync(file, 'r');
  const block = Buffer.allocUnsafe(blockBytes);
  let hashes = new Map<Digest, Hash>();
  let crc = 0;
  const reset = (): void => {
    hashes = new Map(digests.filter((name) => name !== 'crc32').map((name) => [name, createHash(name)]));
    crc = 0;
  };
  reset();
  return {
    extend(offset: number, length: number): void {
      for (let at = 0; at < length;) {
        const got = fs.readSync(descriptor, block, 0, Math.min(blockBytes, length - at), offset + at);
        if (got === 0) throw new Error('the file being sealed became shorter');
        const bytes = block.subarray(0, got);
        for (const hash of hashes.values()) hash.update(bytes);
        if (digests.includes('crc32')) crc = crc32(bytes, crc);
        at += got;
      }
    },
    finish(): Digests {
      const result: Digests = {};
      for (const [name, hash] of hashes) result[name] = hash.digest('hex');
      if (digests.includes('crc32')) result.crc32 = crc.toString(16).padStart(8, '0');
      reset();
      return result;
    },
    close(): void {
      fs.closeSync(descriptor);
    },
  };
}

/** In this thread: for packages too small to be worth a thread's start. */
export function createReadBackInline(file: string, digests: readonly Digest[]): ReadBack {
  const here = createReadBackHere(file, digests);
  return {
    extend: here.extend,
    finish: async () => here.finish(),
    close: async () => here.close(),
  };
}

/** In a thread of its own, running behind the writer: hashing is slower than writing. */
export function createReadBackThread(file: string, digests: readonly Digest[]): ReadBack {
  const worker = new Worker(workerUrl(import.meta.url, 'readBackWorker'), { workerData: { file, digests } });
  let failure: unknown = null;
  const waiting: { resolve(result: Digests): void; reject(thrown: unknown): void }[] = [];
  worker.on('message', (result: Digests) => waiting.shift()?.resolve(result));
  worker.on('error', (thrown) => {
    failure = thrown;
    for (const one of waiting.splice(0)) one.reject(thrown);
  });
  return {
    extend(offset, length) {
      worker.postMessage({ offset, length });
    },
    finish() {
      if (failure !== null) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.postMessage('finish');
      });
    },
    async close() {
      await worker.terminate();
    },
  };
}

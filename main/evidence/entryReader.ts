import fs from 'node:fs';
import { constants, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { PackedEntry } from './containerReader.ts';

/** Why the content of an entry can't be had; `message` is a clause that follows the entry's name. */
export class EntryFault extends Error {}

const blockBytes = 1 << 20;
/** Entries up to these sizes are inflated in one call. */
const smallPacked = 1 << 20;
const smallSize = 8 << 20;
/** Our own texts stay below 50:1; only a bomb passes this beyond the first 64 MB. */
const mostRatio = 200;
const ratioFromBytes = 64 << 20;

export interface EntrySinks {
  /** Bytes as they lie in the zip. */
  packed?(bytes: Uint8Array): void;
  /** Bytes of the file. */
  plain(bytes: Uint8Array): void;
}

/**
 * Streams an entry through the sinks in memory that does not depend on its size. What comes out is counted,
 * never believed: one byte more than declared ends it. `onBlock` may throw to stop. Throws EntryFault.
 */
export async function streamEntry(
  descriptor: number,
  entry: PackedEntry,
  sinks: EntrySinks,
  onBlock: (packedBytes: number) => Promise<void>,
): Promise<void> {
  if (entry.method === 0) {
    if (entry.packedSize !== entry.size) throw new EntryFault('is stored with two different sizes');
    for (const block of blocksOf(descriptor, entry)) {
      sinks.packed?.(block);
      sinks.plain(block);
      await onBlock(block.length);
    }
    return;
  }
  if (entry.packedSize <= smallPacked && entry.size <= smallSize) {
    const packed = Buffer.concat([...blocksOf(descriptor, entry)].map((block) => Buffer.from(block)));
    sinks.packed?.(packed);
    sinks.plain(inflateSmall(packed, entry.size));
    await onBlock(packed.length);
    return;
  }
  await inflateLarge(descriptor, entry, sinks, onBlock);
}

function* blocksOf(descriptor: number, entry: PackedEntry): Generator<Buffer> {
  const block = Buffer.allocUnsafe(Math.min(blockBytes, Math.max(1, entry.packedSize)));
  for (let at = 0; at < entry.packedSize;) {
    const most = Math.min(block.length, entry.packedSize - at);
    const got = fs.readSync(descriptor, block, 0, most, entry.dataOffset + at);
    if (got === 0) throw new EntryFault('is cut off');
    at += got;
    yield block.subarray(0, got);
  }
}

function inflateSmall(packed: Buffer, size: number): Buffer {
  try {
    // `info` adds how much of the input was used; the type declarations do not know it.
    const result = inflateRawSync(packed, { maxOutputLength: size + 1, info: true } as object) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (result.buffer.length !== size) throw new EntryFault('is not as long as the zip says');
    if (result.engine.bytesWritten !== packed.length)
      throw new EntryFault('has bytes after its compressed end');
    return result.buffer;
  } catch (thrown) {
    if (thrown instanceof EntryFault) throw thrown;
    throw new EntryFault('has damaged compressed data, or more of it than the zip says');
  }
}

async function inflateLarge(
  descriptor: number,
  entry: PackedEntry,
  sinks: EntrySinks,
  onBlock: (packedBytes: number) => Promise<void>,
): Promise<void> {
  const inflater = createInflateRaw({ chunkSize: 1 << 18, finishFlush: constants.Z_FINISH });
  let plainBytes = 0;
  let packedBytes = 0;
  let fault: Error | null = null;
  let isEnded = false;
  const over = new Promise<void>((resolve) => {
    const stop = (thrown?: Error): void => {
      fault ??= thrown ?? null;
      isEnded = true;
      resolve();
    };
    inflater.on('error', () => stop(new EntryFault('has damaged compressed data')));
    inflater.on('end', () => stop());
    inflater.on('close', () => stop());
  });
  inflater.on('data', (bytes: Buffer) => {
    if (fault) return;
    plainBytes += bytes.length;
    if (plainBytes > entry.size) fault = new EntryFault('holds more than the zip says');
    else if (plainBytes > ratioFromBytes && plainBytes > entry.packedSize * mostRatio) {
      fault = new EntryFault('unpacks to a size that only a zip bomb has');
    } else sinks.plain(bytes);
    if (fault) inflater.destroy();
  });
  try {
    for (const block of blocksOf(descriptor, entry)) {
      if (isEnded) break;
      packedBytes += block.length;
      sinks.packed?.(block);
      const written = new Promise<void>((resolve) => inflater.write(Buffer.from(block), () => resolve()));
      await Promise.race([written, over]);
      await onBlock(block.length);
    }
    if (!isEnded) inflater.end();
    await over;
    if (fault) throw fault as Error;
    if (plainBytes !== entry.size) throw new EntryFault('is not as long as the zip says');
    if (packedBytes !== entry.packedSize || inflater.bytesWritten !== entry.packedSize) {
      throw new EntryFault('has bytes after its compressed end');
    }
  } finally {
    inflater.destroy();
  }
}

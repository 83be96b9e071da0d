import fs from 'node:fs';
import { constants, crc32, createInflateRaw } from 'node:zlib';
import { codeOf } from '../cache/errorCode.ts';
import type { EntryData } from './archive.ts';

/** The bytes of an entry are not what its headers say; nothing of it may be kept. */
export class EntryDamage extends Error {}

/**
 * A piece of the file, packed or inflated: small enough to stay in the processor's cache while it is parsed. Under
 * the 128 KB at which the C library begins to map memory for a block, and then learns to keep ever larger ones:
 * 30 MB of holes at 5 M points.
 */
export const pieceBytes = 120 * 1024;
/** Inflated in advance, so that libuv's thread works while a piece is parsed. */
const aheadBytes = 8 * pieceBytes;

/** Told the position in the file, for progress. */
export type OnPosition = (position: number) => void;

/** The bytes of a whole file, the next piece being read while one is parsed. A piece is gone when the next is asked for. */
export async function* fileBytes(
  descriptor: number,
  fileSize: number,
  onPosition: OnPosition,
): AsyncGenerator<Buffer> {
  for await (const piece of rangeBytes(descriptor, 0, fileSize, onPosition)) {
    yield piece;
    free(piece);
  }
}

/**
 * The inflated bytes of an entry. Counts and sums them as they pass: stops one byte past the declared size, and
 * throws EntryDamage at the end when size or CRC-32 are other than declared. A piece is gone when the next is
 * asked for.
 */
export async function* entryBytes(
  descriptor: number,
  entry: EntryData,
  onPosition: OnPosition,
): AsyncGenerator<Buffer> {
  const packed = rangeBytes(descriptor, entry.start, entry.packedBytes, onPosition);
  let total = 0;
  let sum = 0;
  for await (const piece of entry.isDeflated ? inflated(packed, entry.packedBytes) : packed) {
    total += piece.length;
    if (total > entry.sizeBytes) {
      throw new EntryDamage(`it unpacks to more than the ${entry.sizeBytes} bytes it declares`);
    }
    sum = crc32(piece, sum);
    yield piece;
    free(piece);
  }
  if (total !== entry.sizeBytes) {
    throw new EntryDamage(`it unpacks to ${total} bytes instead of the ${entry.sizeBytes} it declares`);
  }
  if (sum !== entry.crc32)
    throw new EntryDamage('its checksum (CRC-32) does not match: its bytes were changed');
}

/**
 * Gives a parsed piece's memory back at once. The garbage collector would come for it seldom, going by the small
 * objects that it can see. A buffer that holds further pieces stays until its last.
 */
function free(piece: Buffer): void {
  const { buffer, byteOffset, length } = piece;
  const isOwn = buffer.byteLength >= ownBufferBytes && byteOffset + length === buffer.byteLength;
  if (isOwn && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
/** Smaller buffers may be cut from one that is Node's own. */
const ownBufferBytes = 100 * 1024;

async function* rangeBytes(
  descriptor: number,
  start: number,
  length: number,
  onPosition: OnPosition,
): AsyncGenerator<Buffer> {
  const end = start + length;
  let position = start;
  const read = (): Promise<Buffer> => {
    const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, end - position));
    if (piece.length === 0) return Promise.resolve(piece);
    return new Promise((resolve, reject) => {
      fs.read(descriptor, piece, 0, piece.length, position, (thrown, count) => {
        if (thrown) reject(thrown);
        else if (count === 0) reject(new EntryDamage('the file ends before the entry does'));
        else {
          position += count;
          resolve(piece.subarray(0, count));
        }
      });
    });
  };
  let next = read();
  try {
    for (;;) {
      const piece = await next;
      if (piece.length === 0) return;
      onPosition(position);
      next = read();
      next.catch(() => {}); // awaited in the next turn, or in `finally`
      yield piece;
    }
  } finally {
    await next.catch(() => {}); // the descriptor is closed by its owner right after
  }
}

/**
 * Inflates raw deflate data in libuv's threads. Pieces are queued as they come instead of being parsed in the
 * stream's own event: zlib starts on the next piece only when that event returns.
 */
async function* inflated(packed: AsyncIterable<Buffer>, packedBytes: number): AsyncGenerator<Buffer> {
  const stream = createInflateRaw({ chunkSize: pieceBytes, finishFlush: constants.Z_SYNC_FLUSH });
  const queue: Buffer[] = [];
  let queued = 0;
  let isEnded = false;
  let failure: unknown = null;
  let wake: () => void = () => {};
  stream.on('data', (piece: Buffer) => {
    queue.push(piece);
    queued += piece.length;
    if (queued >= aheadBytes) stream.pause();
    wake();
  });
  stream.on('end', () => {
    isEnded = true;
    wake();
  });
  stream.on('error', (thrown) => {
    failure = /^Z_/.test(codeOf(thrown))
      ? new EntryDamage(`its packed data are damaged (${thrown.message})`)
      : thrown;
    wake();
  });
  let resumeFeeding: () => void = () => {};
  for (const event of ['drain', 'end', 'error', 'close']) stream.on(event, () => resumeFeeding());
  const feeding = (async () => {
    for await (const piece of packed) {
      if (failure !== null || isEnded || stream.destroyed) return;
      if (stream.write(piece)) continue;
      await new Promise<void>((resolve) => {
        resumeFeeding = resolve;
      });
    }
    stream.end();
  })();
  feeding.catch((thrown: unknown) => {
    failure ??= thrown;
    wake();
  });
  try {
    for (;;) {
      const piece = queue.shift();
      if (piece) {
        queued -= piece.length;
        if (stream.isPaused() && queued < aheadBytes / 2) stream.resume();
        yield piece;
      } else if (failure !== null) throw failure;
      else if (isEnded) break;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    if (stream.bytesWritten !== packedBytes) {
      throw new EntryDamage('its packed data end before their declared size');
    }
  } finally {
    stream.destroy();
    await feeding.catch(() => {});
  }
}

import fs from 'node:fs';
import { createHash } from 'node:crypto';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';

/**
 * Writes the one form of zip that a package may have: entries back to back from the first byte, each with its
 * size and checksum in the local header (no data descriptors), UTF-8 names, no comments, no extra fields but
 * ZIP64's, 1980-01-01 as every time. With nothing left to choose, every byte of a package can be checked.
 * `yazl` is not used: it writes data descriptors and the machine's local time.
 */
export interface ContainerEntry {
  readonly path: string;
  readonly method: 0 | 8;
  readonly offset: number;
  readonly isLarge: boolean;
  crc: number;
  packedSize: number;
  size: number;
}

/** What a text was, and what it became. */
export interface WrittenText {
  readonly sha256: string;
  readonly sha512: string;
  readonly sizeBytes: number;
  /** SHA-256 of the deflated bytes; null where the text is stored as it is. */
  readonly packedSha256: string | null;
}

const dosDate = 0x0021; // 1980-01-01, the first that the format knows
const utf8Flag = 0x0800;
const limit32 = 0xffffffff;
const blockBytes = 1 << 20;
/** Texts up to this are packed in one call; longer ones stream. */
const smallText = 1 << 18;

export type ContainerWriter = ReturnType<typeof createContainerWriter>;

/** `descriptor` is an empty file open for writing; its owner syncs and closes it. */
export function createContainerWriter(descriptor: number) {
  const entries: ContainerEntry[] = [];
  let position = 0;

  function put(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      at += fs.writeSync(descriptor, bytes, at, bytes.length - at, position + at);
    }
    position += bytes.length;
  }

  function begin(path: string, method: 0 | 8, mostBytes: number): ContainerEntry {
    const isLarge = mostBytes >= limit32;
    const entry: ContainerEntry = { path, method, offset: position, isLarge, crc: 0, packedSize: 0, size: 0 };
    entries.push(entry);
    put(localHeader(entry));
    return entry;
  }

  /** Sizes and checksum are known now: the header is written over. */
  function seal(entry: ContainerEntry): void {
    if (!entry.isLarge && (entry.size >= limit32 || entry.packedSize >= limit32)) {
      throw new RangeError(`${entry.path} is longer than was said`);
    }
    const header = localHeader(entry);
    fs.writeSync(descriptor, header, 0, header.length, entry.offset);
  }

  return {
    /** Bytes written so far. */
    get position(): number {
      return position;
    },

    /**
     * Copies `size` bytes that `read` supplies (a block into the buffer; 0 at the end), stored as they are.
     * Returns the entry without its checksum: see `sealStored`. `onBlock` may throw to stop.
     */
    async copy(
      path: string,
      size: number,
      read: (into: Buffer) => number,
      onBlock: (offset: number, length: number) => void | Promise<void>,
    ): Promise<ContainerEntry> {
      const entry = begin(path, 0, size);
      const block = Buffer.allocUnsafe(blockBytes);
      for (;;) {
        const length = read(block);
        if (length === 0) break;
        const offset = position;
        put(length === block.length ? block : block.subarray(0, length));
        entry.size += length;
        entry.packedSize += length;
        await onBlock(offset, length);
      }
      return entry;
    },
    /** Stores a few bytes. */
    bytes(path: string, bytes: Uint8Array): void {
      const entry = begin(path, 0, bytes.length);
      put(bytes);
      entry.crc = crc32(bytes);
      entry.size = bytes.length;
      entry.packedSize = bytes.length;
      seal(entry);
    },
    sealStored(entry: ContainerEntry, crc: number): void {
      entry.crc = crc;
      seal(entry);
    },

    /** Writes a text, deflated or as it is. `onBytes` hears of the bytes taken and may throw to stop. */
    async text(
      path: string,
      pieces: Iterable<string>,
      mode: 'deflate' | 'store',
      mostBytes: number,
      onBytes: (bytes: number) => void | Promise<void>,
    ): Promise<WrittenText> {
      const entry = begin(path, mode === 'deflate' ? 8 : 0, mostBytes);
      const sha256 = createHash('sha256');
      const sha512 = createHash('sha512');
      const packedSha256 = createHash('sha256');
      const take = async (piece: Buffer): Promise<void> => {
        sha256.update(piece);
        sha512.update(piece);
        entry.crc = crc32(piece, entry.crc);
        entry.size += piece.length;
        await onBytes(piece.length);
      };
      const putPacked = (bytes: Uint8Array): void => {
        packedSha256.update(bytes);
        entry.packedSize += bytes.length;
        put(bytes);
      };
      if (mode === 'store') {
        for await (const piece of toBlocks(pieces)) {
          await take(piece);
          putPacked(piece);
        }
      } else await deflate(toBlocks(pieces), take, putPacked);
      seal(entry);
      return {
        sha256: sha256.digest('hex'),
        sha512: sha512.digest('hex'),
        sizeBytes: entry.size,
        packedSha256: mode === 'store' ? null : packedSha256.digest('hex'),
      };
    },

    /** Writes the directory. Nothing may follow. */
    end(): void {
      const start = position;
      const records = entries.map(centralRecord);
      put(Buffer.concat(records));
      put(endRecords(entries.length, start, position - start));
    },
  };
}

/** Text as UTF-8 in blocks of a size that is worth a call. */
function* toBlocks(pieces: Iterable<string>): Generator<Buffer> {
  let held: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    held.push(piece);
    length += piece.length;
    if (length < smallText) continue;
    yield Buffer.from(held.join(''), 'utf8');
    held = [];
    length = 0;
  }
  if (length > 0) yield Buffer.from(held.join(''), 'utf8');
}

async function deflate(
  blocks: Generator<Buffer>,
  take: (piece: Buffer) => Promise<void>,
  putPacked: (bytes: Uint8Array) => void,
): Promise<void> {
  const first = blocks.next();
  const second = first.done ? first : blocks.next();
  if (second.done) {
    const only = first.value ?? Buffer.alloc(0);
    await take(only);
    putPacked(deflateRawSync(only, { level: 6 }));
    return;
  }
  // Level 4: a third faster than 6 on GPX for a tenth more bytes.
  const packer = createDeflateRaw({ level: 4, chunkSize: smallText });
  const draining = (async () => {
    for await (const bytes of packer) putPacked(bytes as Buffer); // a byte stream yields Buffers
  })();
  // A failure to write (a full disk) must also end a wait for room; it is reported by the await below.
  let wake = (): void => {};
  draining.catch(() => wake());
  packer.on('drain', () => wake());
  try {
    for (let next = first; !next.done; next = next === first ? second : blocks.next()) {
      await take(next.value);
      if (packer.destroyed) break;
      const isDrained = new Promise<void>((resolve) => (wake = resolve));
      if (!packer.write(next.value)) await isDrained;
    }
    packer.end();
    await draining;
  } finally {
    packer.destroy();
  }
}

function localHeader(entry: ContainerEntry): Buffer {
  const name = Buffer.from(entry.path, 'utf8');
  const extra = entry.isLarge ? zip64Extra([entry.size, entry.packedSize]) : Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(entry.isLarge ? 45 : 20, 4);
  writeCommon(header, 6, entry, entry.isLarge);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

function centralRecord(entry: ContainerEntry): Buffer {
  const name = Buffer.from(entry.path, 'utf8');
  const isLarge = entry.isLarge || entry.offset >= limit32;
  const extra = isLarge ? zip64Extra([entry.size, entry.packedSize, entry.offset]) : Buffer.alloc(0);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE((3 << 8) | 45, 4); // made on Unix, so that the mode below counts
  record.writeUInt16LE(isLarge ? 45 : 20, 6);
  writeCommon(record, 8, entry, isLarge);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE((0o100644 << 16) >>> 0, 38);
  record.writeUInt32LE(isLarge ? limit32 : entry.offset, 42);
  return Buffer.concat([record, name, extra]);
}

/** Flags to sizes: the 20 bytes that both headers share. */
function writeCommon(into: Buffer, at: number, entry: ContainerEntry, isLarge: boolean): void {
  into.writeUInt16LE(utf8Flag, at);
  into.writeUInt16LE(entry.method, at + 2);
  into.writeUInt16LE(0, at + 4);
  into.writeUInt16LE(dosDate, at + 6);
  into.writeUInt32LE(entry.crc, at + 8);
  into.writeUInt32LE(isLarge ? limit32 : entry.packedSize, at + 12);
  into.writeUInt32LE(isLarge ? limit32 : entry.size, at + 16);
}

function zip64Extra(numbers: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + numbers.length * 8);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(numbers.length * 8, 2);
  numbers.forEach((number, i) => extra.writeBigUInt64LE(BigInt(number), 4 + i * 8));
  return extra;
}

function endRecords(count: number, start: number, size: number): Buffer {
  const isLarge = count >= 0xffff || start >= limit32 || size >= limit32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(isLarge ? 0xffff : count, 8);
  end.writeUInt16LE(isLarge ? 0xffff : count, 10);
  end.writeUInt32LE(isLarge ? limit32 : size, 12);
  end.writeUInt32LE(isLarge ? limit32 : start, 16);
  if (!isLarge) return end;
  const large = Buffer.alloc(56 + 20);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE((3 << 8) | 45, 12);
  large.writeUInt16LE(45, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(size), 40);
  large.writeBigUInt64LE(BigInt(start), 48);
  large.writeUInt32LE(0x07064b50, 56);
  large.writeBigUInt64LE(BigInt(start + size), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}

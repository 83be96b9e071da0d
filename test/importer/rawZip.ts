import { crc32, deflateRawSync } from 'node:zlib';

/** One header's fields; what is left out is stated truthfully. */
export interface RawHeader {
  readonly name?: string | Buffer;
  readonly method?: number;
  readonly flags?: number;
  readonly crc32?: number;
  readonly packedBytes?: number;
  readonly sizeBytes?: number;
  readonly extra?: Buffer;
}

export interface RawEntry {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  /** 8 (deflate) unless said otherwise; with any other number `data` is stored as it is. */
  readonly method?: number;
  readonly flags?: number;
  /** Instead of the packed form of `data`. */
  readonly packed?: Buffer;
  /** Lies of one header. */
  readonly local?: RawHeader;
  readonly central?: RawHeader & {
    readonly offset?: number;
    readonly versionMadeBy?: number;
    readonly attributes?: number;
  };
  /** Not written at all, only listed: its data are those of an earlier entry. */
  readonly isListedOnly?: boolean;
}

export interface RawEnd {
  readonly entries?: number;
  readonly entriesHere?: number;
  readonly size?: number;
  readonly offset?: number;
  readonly disk?: number;
  readonly directoryDisk?: number;
  readonly comment?: Buffer;
  readonly commentLength?: number;
}

export interface RawZipOptions {
  readonly end?: RawEnd;
  /** Adds the ZIP64 records; the plain end record then holds the marks 0xffff and 0xffffffff. */
  readonly zip64?: {
    readonly entries?: bigint;
    readonly size?: bigint;
    readonly offset?: bigint;
    readonly at?: bigint;
    readonly disks?: number;
  };
  readonly beforeDirectory?: Buffer;
  readonly afterDirectory?: Buffer;
}

/** Writes a zip byte by byte, with any lie asked for: the hostile archives of the tests are made with it. */
export function rawZip(entries: readonly RawEntry[], options: RawZipOptions = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  const put = (part: Buffer): void => {
    parts.push(part);
    at += part.length;
  };
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? '');
    const method = entry.method ?? 8;
    const packed = entry.packed ?? (method === 8 ? deflateRawSync(data) : data);
    const truth: Required<RawHeader> = {
      name: entry.name,
      method,
      flags: entry.flags ?? 0x800,
      crc32: crc32(data),
      packedBytes: packed.length,
      sizeBytes: data.length,
      extra: Buffer.alloc(0),
    };
    const offset = at;
    if (!entry.isListedOnly) {
      put(localHeader({ ...truth, ...entry.local }));
      put(packed);
    }
    directory.push(centralHeader({ ...truth, ...entry.central }, entry.central, offset));
  }
  if (options.beforeDirectory) put(options.beforeDirectory);
  const offset = at;
  for (const part of directory) put(part);
  const size = at - offset;
  if (options.afterDirectory) put(options.afterDirectory);
  const { zip64, end = {} } = options;
  if (zip64) {
    const record = Buffer.alloc(56);
    record.writeUInt32LE(0x06064b50, 0);
    record.writeBigUInt64LE(44n, 4);
    record.writeUInt16LE(45, 12);
    record.writeUInt16LE(45, 14);
    record.writeBigUInt64LE(zip64.entries ?? BigInt(entries.length), 24);
    record.writeBigUInt64LE(zip64.entries ?? BigInt(entries.length), 32);
    record.writeBigUInt64LE(zip64.size ?? BigInt(size), 40);
    record.writeBigUInt64LE(zip64.offset ?? BigInt(offset), 48);
    const recordAt = at;
    put(record);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(zip64.at ?? BigInt(recordAt), 8);
    locator.writeUInt32LE(zip64.disks ?? 1, 16);
    put(locator);
  }
  const comment = end.comment ?? Buffer.alloc(0);
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(end.disk ?? 0, 4);
  record.writeUInt16LE(end.directoryDisk ?? 0, 6);
  record.writeUInt16LE(end.entriesHere ?? end.entries ?? (zip64 ? 0xffff : entries.length), 8);
  record.writeUInt16LE(end.entries ?? (zip64 ? 0xffff : entries.length), 10);
  record.writeUInt32LE(end.size ?? (zip64 ? 0xffffffff : size), 12);
  record.writeUInt32LE(end.offset ?? (zip64 ? 0xffffffff : offset), 16);
  record.writeUInt16LE(end.commentLength ?? comment.length, 20);
  put(record);
  put(comment);
  return Buffer.concat(parts);
}

function localHeader(header: Required<RawHeader>): Buffer {
  const name = Buffer.from(header.name);
  const bytes = Buffer.alloc(30);
  bytes.writeUInt32LE(0x04034b50, 0);
  bytes.writeUInt16LE(20, 4);
  writeCommon(bytes, 6, header, name);
  return Buffer.concat([bytes, name, header.extra]);
}

function centralHeader(header: Required<RawHeader>, lies: RawEntry['central'], offset: number): Buffer {
  const name = Buffer.from(header.name);
  const bytes = Buffer.alloc(46);
  bytes.writeUInt32LE(0x02014b50, 0);
  bytes.writeUInt16LE(lies?.versionMadeBy ?? 0x031e, 4);
  bytes.writeUInt16LE(20, 6);
  writeCommon(bytes, 8, header, name);
  bytes.writeUInt32LE(lies?.attributes ?? 0o100644 * 0x10000, 38);
  bytes.writeUInt32LE(lies?.offset ?? offset, 42);
  return Buffer.concat([bytes, name, header.extra]);
}

function writeCommon(bytes: Buffer, at: number, header: Required<RawHeader>, name: Buffer): void {
  bytes.writeUInt16LE(header.flags, at);
  bytes.writeUInt16LE(header.method, at + 2);
  bytes.writeUInt32LE(header.crc32, at + 8);
  bytes.writeUInt32LE(header.packedBytes, at + 12);
  bytes.writeUInt32LE(header.sizeBytes, at + 16);
  bytes.writeUInt16LE(name.length, at + 20);
  bytes.writeUInt16LE(header.extra.length, at + 22);
}

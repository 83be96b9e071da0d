import fs from 'node:fs';

/**
 * Reads the directory of a package's zip as hostile input, and holds every byte that is not file content
 * against the one form that a sealed package has. Independent of the writer on purpose: it builds the expected
 * bytes from the numbers it finds and compares. Nothing is unpacked here, and no name is used as a path.
 */
export interface PackedEntry {
  /** As stored, decoded; safe to show and to compare, never used as a path. */
  readonly path: string;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly dataOffset: number;
}

export interface Container {
  /** Entries whose content can be read without doubt where it lies, in file order. */
  readonly entries: readonly PackedEntry[];
  /** What is not as sealed, each naming the entry or the place. Empty: every byte around the contents is right. */
  readonly problems: readonly string[];
}

interface Directory {
  readonly start: number;
  readonly size: number;
  readonly count: number;
  /** The end records as they should be, and where they begin. */
  readonly endOffset: number;
}

interface Found {
  readonly path: string;
  readonly nameBytes: Buffer;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
  readonly record: Buffer;
  readonly isSafe: boolean;
}

const limit32 = 0xffffffff;
const mostDirectoryBytes = 128 << 20;
const mostNameBytes = 1000;
/** A million files are a directory of 100 MB and more; each takes memory here. */
const mostFiles = 1_000_000;
/** Nobody reads on after so many, and a hostile directory has several for each of its records. */
const mostProblems = 1000;

/** The first problems found, in words. */
class Problems {
  readonly list: string[] = [];

  add(problem: string): void {
    if (this.list.length < mostProblems) this.list.push(problem);
  }
}

/** Never throws for what is in the file; system errors of reading it pass through. */
export function readContainer(descriptor: number, fileSize: number): Container {
  const problems = new Problems();
  const directory = findDirectory(descriptor, fileSize, problems);
  if (!directory) return { entries: [], problems: problems.list };
  const found = readRecords(readAt(descriptor, directory.start, directory.size), directory, problems);
  nameProblems(found, problems);
  return { entries: placeEntries(descriptor, found, directory, problems), problems: problems.list };
}

function readAt(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let at = 0;
  while (at < length) {
    const got = fs.readSync(descriptor, bytes, at, length - at, offset + at);
    if (got === 0) return bytes.subarray(0, at);
    at += got;
  }
  return bytes;
}

function findDirectory(descriptor: number, fileSize: number, problems: Problems): Directory | null {
  const tail = readAt(descriptor, Math.max(0, fileSize - 65_557), Math.min(fileSize, 65_557));
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== 0x06054b50) at--;
  if (at < 0) {
    problems.add('it is no zip file, or its end is cut off: there is no end record');
    return null;
  }
  if (at !== tail.length - 22) {
    problems.add(`${tail.length - 22 - at} bytes follow the end record of the zip`);
  }
  const end = tail.subarray(at, at + 22);
  const endOffset = fileSize - tail.length + at;
  let count = end.readUInt16LE(10);
  let size = end.readUInt32LE(12);
  let start = end.readUInt32LE(16);
  let recordsOffset = endOffset;
  if (count === 0xffff || size === limit32 || start === limit32) {
    const large = endOffset >= 76 ? readAt(descriptor, endOffset - 76, 76) : Buffer.alloc(0);
    if (large.length < 76 || large.readUInt32LE(0) !== 0x06064b50) {
      problems.add('the 64-bit end record of the zip is missing');
      return null;
    }
    count = Number(large.readBigUInt64LE(32));
    size = Number(large.readBigUInt64LE(40));
    start = Number(large.readBigUInt64LE(48));
    recordsOffset = endOffset - 76;
  }
  if (!(start + size <= recordsOffset) || count * 46 > size) {
    problems.add('the end record of the zip points to places that are not there');
    return null;
  }
  if (size > mostDirectoryBytes || count > mostFiles) {
    problems.add(`the zip states more files than any package holds: ${count}`);
    return null;
  }
  const isAsSealed = readAt(descriptor, recordsOffset, fileSize - recordsOffset).equals(
    expectedEnd(count, start, size),
  );
  if (!isAsSealed) problems.add('the end record of the zip is not as sealed');
  if (start + size !== recordsOffset) problems.add('bytes lie between the directory of the zip and its end');
  return { start, size, count, endOffset: recordsOffset };
}

function readRecords(bytes: Buffer, directory: Directory, problems: Problems): readonly Found[] {
  const found: Found[] = [];
  let at = 0;
  for (let i = 0; i < directory.count; i++) {
    const next = readRecord(bytes, at);
    if (!next) {
      problems.add(`the directory of the zip is damaged at its record ${i + 1}${after(found)}`);
      return found;
    }
    found.push(next);
    at += next.record.length;
  }
  if (at !== bytes.length) problems.add(`the directory of the zip holds bytes that belong to no file`);
  return found;
}

function after(found: readonly Found[]): string {
  const last = found.at(-1);
  return last ? `, after ${shown(last.path)}` : '';
}

function readRecord(bytes: Buffer, at: number): Found | null {
  if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) return null;
  const nameLength = bytes.readUInt16LE(at + 28);
  const extraLength = bytes.readUInt16LE(at + 30);
  const end = at + 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32);
  if (end > bytes.length) return null;
  const nameBytes = bytes.subarray(at + 46, at + 46 + nameLength);
  const extra = bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
  let packedSize = bytes.readUInt32LE(at + 20);
  let size = bytes.readUInt32LE(at + 24);
  let offset = bytes.readUInt32LE(at + 42);
  if ([packedSize, size, offset].includes(limit32)) {
    if (extra.length !== 28 || extra.readUInt16LE(0) !== 1) return null;
    [size, packedSize, offset] = [4, 12, 20].map((place) => Number(extra.readBigUInt64LE(place))) as [
      number,
      number,
      number,
    ];
    if (![size, packedSize, offset].every(Number.isSafeInteger)) return null; // no file is so large
  }
  const path = nameBytes.toString('utf8');
  return {
    path,
    nameBytes,
    method: bytes.readUInt16LE(at + 10),
    crc: bytes.readUInt32LE(at + 16),
    packedSize,
    size,
    offset,
    record: bytes.subarray(at, end),
    isSafe: isSafePath(path) && Buffer.from(path, 'utf8').equals(nameBytes) && nameLength <= mostNameBytes,
  };
}

/** A relative path with plain segments: nothing in it can lead out of the folder it is unpacked into. */
export function isSafePath(path: string): boolean {
  if (path === '' || /[\p{Cc}\p{Cf}\p{Cs}\\:]/u.test(path)) return false;
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/** Control and direction characters made visible. */
export function shown(path: string): string {
  const short = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return short.toWellFormed().replace(/[\p{Cc}\p{Cf}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}

function nameProblems(found: readonly Found[], problems: Problems): void {
  const seen = new Map<string, string>();
  for (const { path, isSafe } of found) {
    if (!isSafe) problems.add(`the name of ${shown(path)} may lead out of the package or can't be shown`);
    const folded = path.normalize('NFKC').toLowerCase();
    const twin = seen.get(folded);
    if (twin === path) problems.add(`there are two files ${shown(path)}`);
    else if (twin !== undefined)
      problems.add(`${shown(path)} and ${shown(twin)} are one name on many systems`);
    seen.set(folded, path);
  }
}

/** Holds headers and positions against the sealed form. On an overlap no content is read at all. */
function placeEntries(
  descriptor: number,
  found: readonly Found[],
  directory: Directory,
  problems: Problems,
): readonly PackedEntry[] {
  const entries: PackedEntry[] = [];
  let expected = 0;
  let isOverlapping = false;
  const inOrder = [...found].sort((a, b) => a.offset - b.offset);
  if (inOrder.some((one, i) => one !== found[i]))
    problems.add('the directory of the zip is in another order');
  for (const one of inOrder) {
    const name = shown(one.path);
    const header = readAt(descriptor, one.offset, Math.max(0, Math.min(30, directory.start - one.offset)));
    const extraLength = header.length === 30 ? header.readUInt16LE(28) : 0;
    const isLarge = extraLength === 20;
    const headerSize = 30 + one.nameBytes.length + (isLarge ? 20 : 0);
    const dataOffset = one.offset + headerSize;
    if (one.offset > expected) {
      problems.add(`${one.offset - expected} bytes lie before ${name} that belong to no file`);
    }
    if (one.offset < expected) {
      isOverlapping = true;
      problems.add(`${name} overlaps the file before it`);
    }
    if (!(dataOffset + one.packedSize <= directory.start)) {
      problems.add(`${name} is cut off`);
      continue;
    }
    const local = readAt(descriptor, one.offset, headerSize);
    if (!local.equals(expectedLocal(one, isLarge))) {
      problems.add(`the local header of ${name} is not as sealed or not the same as in the directory`);
    }
    if (!one.record.equals(expectedCentral(one, isLarge))) {
      problems.add(`${name} has a directory record that is not as sealed${reasonOf(one)}`);
    }
    expected = dataOffset + one.packedSize;
    const { path, method, crc, packedSize, size, isSafe } = one;
    if (isSafe && (method === 0 || method === 8))
      entries.push({ path, method, crc, packedSize, size, dataOffset });
  }
  if (expected < directory.start && !isOverlapping) {
    problems.add(`${directory.start - expected} bytes lie before the directory that belong to no file`);
  }
  return isOverlapping ? [] : entries;
}

function reasonOf({ record, method }: Found): string {
  const mode = record.readUInt16LE(40) & 0o170000;
  if (mode === 0o120000) return ': it is a symbolic link';
  if (record.readUInt16LE(8) & 1) return ': it is encrypted';
  if (method !== 0 && method !== 8) return `: its compression method ${method} is unknown`;
  if (record.readUInt16LE(32) > 0) return ': it has a comment';
  return '';
}

function expectedLocal(one: Found, isLarge: boolean): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(isLarge ? 45 : 20, 4);
  expectedMiddle(header, 6, one, isLarge);
  header.writeUInt16LE(one.nameBytes.length, 26);
  const extra = isLarge ? expectedExtra([one.size, one.packedSize]) : Buffer.alloc(0);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, one.nameBytes, extra]);
}

function expectedCentral(one: Found, isLargeLocal: boolean): Buffer {
  const isLarge = isLargeLocal || one.offset >= limit32;
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(0x032d, 4);
  record.writeUInt16LE(isLarge ? 45 : 20, 6);
  expectedMiddle(record, 8, one, isLarge);
  const extra = isLarge ? expectedExtra([one.size, one.packedSize, one.offset]) : Buffer.alloc(0);
  record.writeUInt16LE(one.nameBytes.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(0x81a40000, 38); // a plain file, rw-r--r--
  record.writeUInt32LE(isLarge ? limit32 : one.offset, 42);
  return Buffer.concat([record, one.nameBytes, extra]);
}

function expectedMiddle(into: Buffer, at: number, one: Found, isLarge: boolean): void {
  into.writeUInt16LE(0x0800, at);
  into.writeUInt16LE(one.method === 8 ? 8 : 0, at + 2);
  into.writeUInt16LE(0x0021, at + 6);
  into.writeUInt32LE(one.crc, at + 8);
  into.writeUInt32LE(isLarge ? limit32 : toUint32(one.packedSize), at + 12);
  into.writeUInt32LE(isLarge ? limit32 : toUint32(one.size), at + 16);
}

/** A size that needs 64 bits in a record that has none is not as sealed; any number that differs will do. */
function toUint32(number: number): number {
  return number >= 0 && number < limit32 ? number : 0;
}

function expectedExtra(numbers: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + numbers.length * 8);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(numbers.length * 8, 2);
  numbers.forEach((number, i) => extra.writeBigUInt64LE(BigInt(number), 4 + i * 8));
  return extra;
}

function expectedEnd(count: number, start: number, size: number): Buffer {
  const isLarge = count >= 0xffff || start >= limit32 || size >= limit32;
  const end = Buffer.alloc(isLarge ? 98 : 22);
  const at = isLarge ? 76 : 0;
  if (isLarge) {
    end.writeUInt32LE(0x06064b50, 0);
    end.writeBigUInt64LE(44n, 4);
    end.writeUInt16LE(0x032d, 12);
    end.writeUInt16LE(45, 14);
    for (const place of [24, 32]) end.writeBigUInt64LE(BigInt(count), place);
    end.writeBigUInt64LE(BigInt(size), 40);
    end.writeBigUInt64LE(BigInt(start), 48);
    end.writeUInt32LE(0x07064b50, 56);
    end.writeBigUInt64LE(BigInt(start + size), 64);
    end.writeUInt32LE(1, 72);
  }
  end.writeUInt32LE(0x06054b50, at);
  for (const place of [8, 10]) end.writeUInt16LE(isLarge ? 0xffff : count, at + place);
  end.writeUInt32LE(isLarge ? limit32 : size, at + 12);
  end.writeUInt32LE(isLarge ? limit32 : start, at + 16);
  return end;
}

import fs from 'node:fs';
import { AppError } from '../../shared/errors.ts';

/** Where the central directory lies and what it claims to hold, after all claims were held against each other. */
export interface CentralDirectory {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly entryCount: number;
}

const endMark = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const centralSignature = 0x02014b50;
const endBytes = 22;
const longestComment = 0xffff;
const locatorSignature = 0x07064b50;
const locatorBytes = 20;
const end64Signature = 0x06064b50;
const end64Bytes = 56;

/** A zip that lies about itself, or that readers could understand in two ways. Nothing of it is read. */
export function refusedArchive(finding: string, details: Readonly<Record<string, unknown>> = {}): AppError {
  return new AppError('archive_refused', `The archive is refused: ${finding}.`, {
    remedy: 'Download the export again from its source. If it is refused again, do not trust the file.',
    details: { finding, ...details },
  });
}

/** A zip that is incomplete or broken as a whole. */
export function damagedArchive(finding: string, cause?: unknown): AppError {
  return new AppError('archive_damaged', `The archive is damaged: ${finding}.`, {
    remedy: 'Download the export again: the file is incomplete or was changed on its way.',
    details: { finding },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Reads exactly `length` bytes at `position`; a shorter file is a damaged archive. */
export function readExactly(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const count = fs.readSync(descriptor, bytes, done, length - done, position + done);
    if (count === 0) throw damagedArchive('it ends in the middle of a record');
    done += count;
  }
  return bytes;
}

/**
 * Finds the one end record and checks it (with its ZIP64 part) against the file: one coherent record at the
 * very end, one part, directory directly before it, room for as many entries as it claims. Reads 64 KiB and
 * allocates nothing by what the file claims. Throws archive_damaged | archive_refused.
 */
export function readEndRecord(descriptor: number, fileSize: number): CentralDirectory {
  if (fileSize < endBytes) throw damagedArchive('it is too short for a zip file');
  const tailStart = Math.max(0, fileSize - endBytes - longestComment);
  const tail = readExactly(descriptor, tailStart, fileSize - tailStart);
  let end = -1;
  let strays = 0;
  for (let next = tail.length - endBytes; next >= 0;) {
    const at = tail.lastIndexOf(endMark, next);
    if (at < 0) break;
    next = at - 1;
    if (at + endBytes + tail.readUInt16LE(at + 20) === tail.length) {
      if (end >= 0) throw refusedArchive('it has two end records');
      end = at;
    } else if (pointsToDirectory(descriptor, tail, at, tailStart + at)) strays++;
  }
  if (end < 0) {
    if (strays > 0) throw refusedArchive('bytes follow its end record');
    const isZip = readExactly(descriptor, 0, 2).toString('latin1') === 'PK';
    throw damagedArchive(isZip ? 'it has no end record, so its last part is missing' : 'it is no zip file');
  }
  if (strays > 0) throw refusedArchive('it has two end records');

  const disks = [tail.readUInt16LE(end + 4), tail.readUInt16LE(end + 6)];
  const short = {
    entriesHere: tail.readUInt16LE(end + 8),
    entries: tail.readUInt16LE(end + 10),
    size: tail.readUInt32LE(end + 12),
    offset: tail.readUInt32LE(end + 16),
  };
  const endAt = tailStart + end;
  const long = readEnd64(descriptor, endAt);
  if (long === null) {
    if (disks.some((disk) => disk !== 0) || short.entriesHere !== short.entries) throw multiPart();
    return checkedDirectory(short.offset, short.size, short.entries, endAt);
  }
  if (disks.some((disk) => disk !== 0 && disk !== 0xffff)) throw multiPart();
  const agrees = (value: number, mark: number, real: number): boolean => value === mark || value === real;
  if (
    !agrees(short.entries, 0xffff, long.entries) ||
    !agrees(short.entriesHere, 0xffff, long.entries) ||
    !agrees(short.size, 0xffffffff, long.size) ||
    !agrees(short.offset, 0xffffffff, long.offset)
  ) {
    throw refusedArchive('its two end records (ZIP64 and plain) contradict each other');
  }
  return checkedDirectory(long.offset, long.size, long.entries, long.at);
}

function checkedDirectory(offset: number, size: number, entries: number, end: number): CentralDirectory {
  if (offset + size !== end) {
    throw offset + size > end
      ? refusedArchive('its directory is said to lie past its end')
      : refusedArchive('there are bytes between its directory and its end that nothing accounts for');
  }
  if (entries * 46 > size) throw refusedArchive('its directory is too small for the entries it claims');
  return { offset, sizeBytes: size, entryCount: entries };
}

function multiPart(): AppError {
  return new AppError('archive_refused', 'The archive is one part of an archive in several parts.', {
    remedy: 'Join the parts into one zip file first, then import that.',
  });
}

interface End64 {
  readonly at: number;
  readonly entries: number;
  readonly size: number;
  readonly offset: number;
}

function readEnd64(descriptor: number, endAt: number): End64 | null {
  const locatorAt = endAt - locatorBytes;
  if (locatorAt < 0) return null;
  const locator = readExactly(descriptor, locatorAt, locatorBytes);
  if (locator.readUInt32LE(0) !== locatorSignature) return null;
  if (locator.readUInt32LE(4) !== 0 || locator.readUInt32LE(16) > 1) throw multiPart();
  const at = safeInteger(locator.readBigUInt64LE(8));
  if (at === null || at + end64Bytes > locatorAt)
    throw refusedArchive('its ZIP64 end record is not where it says');
  const record = readExactly(descriptor, at, end64Bytes);
  const length = safeInteger(record.readBigUInt64LE(4));
  if (record.readUInt32LE(0) !== end64Signature || length === null || at + 12 + length !== locatorAt) {
    throw refusedArchive('its ZIP64 end record is not where it says');
  }
  if (record.readUInt32LE(16) !== 0 || record.readUInt32LE(20) !== 0) throw multiPart();
  const [here, entries, size, offset] = [24, 32, 40, 48].map((place) =>
    safeInteger(record.readBigUInt64LE(place)),
  );
  if (entries == null || size == null || offset == null) {
    throw refusedArchive('its ZIP64 end record holds impossible numbers');
  }
  if (here !== entries) throw multiPart();
  return { at, entries, size, offset };
}

function safeInteger(value: bigint): number | null {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null;
}

/** True when a record that is not at the file's end would be taken for the end by a reader that looks elsewhere. */
function pointsToDirectory(descriptor: number, tail: Buffer, at: number, position: number): boolean {
  const size = tail.readUInt32LE(at + 12);
  const offset = tail.readUInt32LE(at + 16);
  if (offset + size > position) return false;
  if (tail.readUInt16LE(at + 10) === 0) return size === 0;
  return size >= 46 && readExactly(descriptor, offset, 4).readUInt32LE(0) === centralSignature;
}

import fs from 'node:fs';
import {
  fromRandomAccessReader,
  RandomAccessReader,
  type Entry,
  type LocalFileHeader,
  type ZipFile,
} from 'yauzl';
import { AppError } from '../../shared/errors.ts';
import { codeOf, diskFull } from '../cache/database.ts';
import { damagedArchive, readEndRecord, refusedArchive, type CentralDirectory } from './endRecord.ts';
import { contextOfName, decodeEntryName, formatOfName, nameProblem, shownName } from './entryName.ts';
import type { ReaderContext } from './reader.ts';

/** What the importer will do with one entry, decided before anything is inflated. */
export type PlannedEntry = {
  readonly ordinal: number;
  /** Escaped, for showing. */ readonly name: string;
} & (
  | {
      readonly action: 'read';
      readonly format: 'csv' | 'gpx' | 'kml';
      readonly context: ReaderContext;
      readonly data: EntryData;
    }
  | { readonly action: 'skip'; readonly reason: string }
  | { readonly action: 'refuse'; readonly reason: string; readonly isEncrypted: boolean }
);

/** Where an entry's bytes lie and what they must turn out to be. */
export interface EntryData {
  readonly start: number;
  readonly packedBytes: number;
  /** As declared; counted again while inflating, never believed. */
  readonly sizeBytes: number;
  readonly crc32: number;
  readonly isDeflated: boolean;
}

/** Bounds of reliability.md, "Import attacks". */
export const archiveLimits = {
  entries: 10_000,
  /** A real GPX packs 15:1, deflate ends at 1032:1. */
  ratio: 200,
  ratioCountsFromBytes: 64 * 1024 * 1024,
  totalBytes: 20 * 1024 ** 3,
  /** Stays free on the disk. */
  reserveBytes: 1024 ** 3,
} as const;

/**
 * Reads an archive's directory, holds every entry's two headers against each other and decides what to do with
 * each: nothing is inflated. Throws when the archive as a whole can't be trusted or taken: archive_refused |
 * archive_damaged | archive_too_large | archive_encrypted | disk_full. One bad entry of a sound archive is
 * planned as `refuse`, with the others still read.
 */
export async function inspectArchive(
  descriptor: number,
  fileSize: number,
  freeBytes: number,
): Promise<readonly PlannedEntry[]> {
  const directory = readEndRecord(descriptor, fileSize);
  if (directory.entryCount > archiveLimits.entries) {
    throw tooLarge(
      `it holds ${directory.entryCount.toLocaleString('en-US')} files, more than ${archiveLimits.entries.toLocaleString('en-US')}`,
    );
  }
  const zip = await openDirectory(descriptor, fileSize, directory);
  const plan: PlannedEntry[] = [];
  const spans: Span[] = [];
  const names = new Set<string>();
  let directoryBytes = 0;
  for await (const entry of entriesOf(zip)) {
    const ordinal = plan.length;
    directoryBytes += 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    const raw = decodeEntryName(entry.fileNameRaw);
    const name = shownName(raw);
    if (names.has(name)) throw refusedArchive(`it has two entries named ${name}`);
    names.add(name);
    requirePlainFile(entry, name);
    const local = await readLocalHeader(zip, entry, name);
    requireSameHeaders(entry, local, name);
    const end = local.fileDataStart + entry.compressedSize;
    spans.push({ start: entry.relativeOffsetOfLocalHeader, end, name });
    plan.push(planEntry(ordinal, raw, name, entry, local.fileDataStart));
  }
  if (directoryBytes !== directory.sizeBytes) throw refusedArchive('its directory is not as long as it says');
  requireApart(spans, directory.offset);
  requireRoom(plan, freeBytes);
  return plan;
}

function tooLarge(finding: string): AppError {
  return new AppError('archive_too_large', `The archive is too large: ${finding}.`, {
    remedy: 'Export a shorter range or fewer cameras at a time, and import the parts.',
    details: { finding },
  });
}

/** A stretch of the file in memory. */
interface Window {
  bytes: Buffer;
  start: number;
}

/** Serves yauzl's many small reads from two windows, so that 10,000 entries don't cost 40,000 system calls. */
class WindowReader extends RandomAccessReader {
  private readonly descriptor: number;
  private readonly fileSize: number;
  private readonly directoryOffset: number;
  /** The directory is read in order: a large window. Local headers lie far apart: a small one. */
  private readonly directory: Window = { bytes: Buffer.alloc(0), start: 0 };
  private readonly headers: Window = { bytes: Buffer.alloc(0), start: 0 };

  constructor(descriptor: number, fileSize: number, directoryOffset: number) {
    super();
    this.descriptor = descriptor;
    this.fileSize = fileSize;
    this.directoryOffset = directoryOffset;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    let count: number;
    try {
      count = this.readNow(buffer, offset, length, position);
    } catch (thrown) {
      callback(thrown as Error); // fs throws nothing else
      return;
    }
    callback(null, count);
  }

  private readNow(buffer: Buffer, offset: number, length: number, position: number): number {
    if (position < 0 || position + length > this.fileSize) return 0;
    const isDirectory = position >= this.directoryOffset;
    const window = isDirectory ? this.directory : this.headers;
    if (position < window.start || position + length > window.start + window.bytes.length) {
      const size = Math.min(Math.max(isDirectory ? 256 * 1024 : 512, length), this.fileSize - position);
      const bytes = Buffer.allocUnsafe(size);
      window.bytes = bytes.subarray(0, fs.readSync(this.descriptor, bytes, 0, size, position));
      window.start = position;
    }
    const from = position - window.start;
    return window.bytes.copy(buffer, offset, from, from + length);
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null); // the descriptor is the caller's
  }
}

function openDirectory(descriptor: number, fileSize: number, directory: CentralDirectory): Promise<ZipFile> {
  const reader = new WindowReader(descriptor, fileSize, directory.offset);
  return new Promise((resolve, reject) => {
    fromRandomAccessReader(
      reader,
      fileSize,
      { autoClose: false, lazyEntries: true, decodeStrings: false, validateEntrySizes: false },
      (thrown, zip) => {
        if (thrown) reject(fromYauzl(thrown));
        else if (zip.entryCount !== directory.entryCount)
          reject(refusedArchive('it can be read in two ways'));
        else resolve(zip);
      },
    );
  });
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  let settle: { resolve(entry: Entry | null): void; reject(reason: unknown): void } | null = null;
  zip.on('entry', (entry: Entry) => settle?.resolve(entry));
  zip.on('end', () => settle?.resolve(null));
  zip.on('error', (thrown: Error) => settle?.reject(fromYauzl(thrown)));
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      settle = { resolve, reject };
      zip.readEntry();
    });
    if (entry === null) return;
    yield entry;
  }
}

/** A failing disk is no fault of the archive: its errors stay as they are. */
function fromYauzl(thrown: Error): Error {
  if (thrown instanceof AppError || isDiskError(thrown)) return thrown;
  if (/encrypt/.test(thrown.message)) {
    return new AppError('archive_encrypted', 'The archive is encrypted.', {
      remedy: 'Unpack it with its password and import the files inside.',
    });
  }
  return damagedArchive(`its directory can't be read (${thrown.message})`, thrown);
}

const isDiskError = (thrown: Error): boolean => /^E[A-Z]+$/.test(codeOf(thrown));

function readLocalHeader(zip: ZipFile, entry: Entry, name: string): Promise<LocalFileHeader> {
  return new Promise((resolve, reject) => {
    zip.readLocalFileHeader(entry, {}, (thrown, header) => {
      if (thrown && isDiskError(thrown)) reject(thrown);
      else if (thrown)
        reject(
          refusedArchive(`the entry ${name} is not where the directory says`, { cause: thrown.message }),
        );
      else resolve(header);
    });
  });
}

/** Symlinks, devices, pipes: an export holds none, and some readers follow them. */
function requirePlainFile(entry: Entry, name: string): void {
  const type = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (type === 0 || type === 0o100000 || type === 0o040000) return;
  throw refusedArchive(`the entry ${name} is a ${type === 0o120000 ? 'symbolic link' : 'device or pipe'}`);
}

/** Bits that change how the data is read: encryption, descriptor after the data, strong encryption, UTF-8, masking. */
const flagsThatMatter = 0x2849;

function requireSameHeaders(entry: Entry, local: LocalFileHeader, name: string): void {
  const contradiction = (what: string): AppError =>
    refusedArchive(`the two headers of the entry ${name} contradict each other (${what})`);
  if (!local.fileName.equals(entry.fileNameRaw)) throw contradiction('name');
  if (local.compressionMethod !== entry.compressionMethod) throw contradiction('method');
  if (((local.generalPurposeBitFlag ^ entry.generalPurposeBitFlag) & flagsThatMatter) !== 0) {
    throw contradiction('flags');
  }
  // With a descriptor after the data, the local header may leave these at 0.
  const isLater = (entry.generalPurposeBitFlag & 8) !== 0;
  const agrees = (value: number, real: number): boolean => value === real || (isLater && value === 0);
  const [size, packed] = localSizes(local);
  if (!agrees(local.crc32, entry.crc32)) throw contradiction('checksum');
  if (!agrees(size, entry.uncompressedSize) || !agrees(packed, entry.compressedSize))
    throw contradiction('size');
}

/** The local header's sizes, from its ZIP64 field where it has one. */
function localSizes(local: LocalFileHeader): [size: number, packed: number] {
  let size = local.uncompressedSize;
  let packed = local.compressedSize;
  const extra = local.extraField;
  for (let at = 0; at + 4 <= extra.length;) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1 && at + 4 + length <= extra.length) {
      let place = at + 4;
      const next = (): number => {
        if (place + 8 > at + 4 + length) return -1;
        place += 8;
        return Number(extra.readBigUInt64LE(place - 8));
      };
      if (size === 0xffffffff) size = next();
      if (packed === 0xffffffff) packed = next();
      break;
    }
    at += 4 + length;
  }
  return [size, packed];
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** No byte may belong to two entries or to an entry and the directory: that is how small bombs are built. */
function requireApart(spans: Span[], directoryOffset: number): void {
  spans.sort((a, b) => a.start - b.start);
  for (let i = 0; i < spans.length; i++) {
    const span = spans[i]!;
    const next = spans[i + 1];
    if (next && span.end > next.start) {
      throw refusedArchive(`the entries ${span.name} and ${next.name} overlap`);
    }
    if (span.end > directoryOffset) throw refusedArchive(`the entry ${span.name} reaches into the directory`);
  }
}

function requireRoom(plan: readonly PlannedEntry[], freeBytes: number): void {
  let total = 0;
  for (const entry of plan) if (entry.action === 'read') total += entry.data.sizeBytes;
  if (total > archiveLimits.totalBytes) throw tooLarge('it unpacks to more than 20 GB');
  if (total > freeBytes - archiveLimits.reserveBytes) {
    throw diskFull('the data folder', total + archiveLimits.reserveBytes, freeBytes);
  }
}

function planEntry(ordinal: number, raw: string, name: string, entry: Entry, start: number): PlannedEntry {
  const skip = (reason: string): PlannedEntry => ({ ordinal, name, action: 'skip', reason });
  const refuse = (reason: string, isEncrypted = false): PlannedEntry => ({
    ordinal,
    name,
    action: 'refuse',
    reason,
    isEncrypted,
  });
  const problem = nameProblem(raw);
  if (problem !== null) return refuse(problem);
  if (raw.endsWith('/')) return skip('a folder');
  if (/^__MACOSX\/|(^|\/)\._/.test(raw)) return skip("a Mac's side file");
  if (/\.(zip|kmz|7z|rar|gz|tar|tgz|bz2|xz)$/i.test(raw))
    return skip('an archive inside the archive is not opened');
  const format = formatOfName(raw);
  if (format === null) return skip('not a CSV, GPX or KML file');

  const { compressedSize: packedBytes, uncompressedSize: sizeBytes, compressionMethod: method } = entry;
  if (entry.isEncrypted()) return refuse('it is encrypted with a password', true);
  if (method !== 0 && method !== 8)
    return refuse(`it is packed with an unsupported method (${methodName(method)})`);
  if (method === 0 && packedBytes !== sizeBytes) return refuse('its sizes contradict each other');
  if (method === 8 && packedBytes === 0) return refuse('its packed size is unknown');
  if (sizeBytes > archiveLimits.ratioCountsFromBytes && sizeBytes > packedBytes * archiveLimits.ratio) {
    return refuse(
      `it would unpack to ${Math.round(sizeBytes / packedBytes)} times its size, which no export does`,
    );
  }
  const data = { start, packedBytes, sizeBytes, crc32: entry.crc32, isDeflated: method === 8 };
  return { ordinal, name, action: 'read', format, context: contextOfName(raw), data };
}

function methodName(method: number): string {
  const known: Readonly<Record<number, string>> = {
    9: 'Deflate64',
    12: 'bzip2',
    14: 'LZMA',
    93: 'Zstandard',
    95: 'XZ',
    98: 'PPMd',
    99: 'AES encryption',
  };
  return known[method] ?? `number ${method}`;
}

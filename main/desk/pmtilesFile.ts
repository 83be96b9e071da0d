import fs from 'node:fs';
import zlib from 'node:zlib';
import { AppError } from '../../shared/errors.ts';

/** PMTiles version 3: seven letters, the version, then the rest of a header of 127 bytes. */
const magic = Buffer.from('PMTiles', 'latin1');
const pmtilesVersion = 3;
const headerBytes = 127;
/** Offsets and lengths (u64LE) of root directory, metadata, leaf directories and tile data. */
const sectionsAt = [8, 24, 40, 56];
const [internalCompressionAt, tileCompressionAt, tileTypeAt] = [97, 98, 99];
const [unknown, none, gzip] = [0, 1, 2];
const compressionNames = ['unknown', 'none', 'gzip', 'brotli', 'zstd'];
const vectorTiles = 1;
const tileTypeNames = ['unknown', 'vector', 'png', 'jpeg', 'webp', 'avif'];
/** The specification keeps the root directory within the first 16 KiB, packed. */
const mostRootBytes = 16_384;
const mostUnpackedBytes = 4_000_000;

/**
 * Throws unless a file is a PMTiles archive (specification version 3) of vector tiles that the map can draw, whole
 * as far as its header and root directory can tell: AppError('unsupported_format') for what can't be drawn,
 * ('archive_damaged') for a file that is cut off or whose directory can't be read.
 */
export function requirePmtiles(file: {
  readonly path: string;
  readonly fileName: string;
  readonly sizeBytes: number;
}): void {
  const name = JSON.stringify(file.fileName);
  const handle = fs.openSync(file.path, 'r');
  try {
    const header = Buffer.alloc(headerBytes);
    fs.readSync(handle, header, 0, headerBytes, 0);
    requireForm(name, header);
    const ends = sectionsAt.map((at) => header.readBigUInt64LE(at) + header.readBigUInt64LE(at + 8));
    if (file.sizeBytes < headerBytes || ends.some((end) => end > BigInt(file.sizeBytes))) {
      throw new AppError('archive_damaged', `${name} ends before its own header says it does.`, {
        remedy: 'Download or copy the file again; it is not complete.',
      });
    }
    requireDrawable(name, header);
    const rootLength = Number(header.readBigUInt64LE(16));
    const packed = Buffer.alloc(Math.min(rootLength, mostRootBytes));
    fs.readSync(handle, packed, 0, packed.length, Number(header.readBigUInt64LE(8)));
    if (
      rootLength > mostRootBytes ||
      !isDirectory(packed, header[internalCompressionAt] === gzip, file.sizeBytes)
    ) {
      throw new AppError('archive_damaged', `The tile directory of ${name} can’t be read.`, {
        remedy: 'Download or copy the file again; this copy is damaged.',
      });
    }
  } finally {
    fs.closeSync(handle);
  }
}

function requireForm(name: string, header: Buffer): void {
  if (!header.subarray(0, magic.length).equals(magic)) {
    throw new AppError('unsupported_format', `${name} is not a PMTiles file.`, {
      remedy: 'Choose a .pmtiles file (version 3), for example an extract of the Protomaps basemap.',
    });
  }
  if (header[magic.length] !== pmtilesVersion) {
    throw new AppError(
      'unsupported_format',
      `${name} is PMTiles version ${header[magic.length]}; only version 3 can be shown.`,
      { remedy: 'Convert it with `pmtiles convert`, or choose a version 3 file.' },
    );
  }
}

function requireDrawable(name: string, header: Buffer): void {
  const type = header[tileTypeAt] ?? 0;
  if (type !== vectorTiles) {
    throw new AppError(
      'unsupported_format',
      `${name} holds ${tileTypeNames[type] ?? `unknown (${type})`} tiles; only vector tiles can be shown.`,
      { remedy: 'Choose a vector basemap in the Protomaps schema.' },
    );
  }
  for (const at of [internalCompressionAt, tileCompressionAt]) {
    const compression = header[at] ?? 0;
    if (compression === unknown || compression === none || compression === gzip) continue;
    throw new AppError(
      'unsupported_format',
      `${name} is compressed with ${compressionNames[compression] ?? `method ${compression}`}; only gzip can be read.`,
      { remedy: 'Make the file again with gzip compression, which is the usual one.' },
    );
  }
}

/** Whether packed bytes are a directory of at least one entry that lies inside of the file. */
function isDirectory(packed: Buffer, isGzip: boolean, sizeBytes: number): boolean {
  let bytes: Buffer = packed;
  if (isGzip) {
    try {
      bytes = zlib.gunzipSync(packed, { maxOutputLength: mostUnpackedBytes });
    } catch {
      return false;
    }
  }
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) return NaN;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const count = next();
  // Each entry takes four numbers of a byte or more; NaN compares false.
  if (!(count >= 1 && count * 4 <= bytes.length)) return false;
  for (let i = 0; i < count * 2; i++) next(); // steps of tile ids, runs
  let longest = 0;
  for (let i = 0; i < count; i++) longest = Math.max(longest, next());
  let last = 0;
  for (let i = 0; i < count; i++) last = Math.max(last, next());
  return longest > 0 && longest <= sizeBytes && last <= sizeBytes && at === bytes.length;
}

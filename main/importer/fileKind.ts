import fs from 'node:fs';
import type { SourceKind } from '../../shared/contract/sources.ts';
import { AppError } from '../../shared/errors.ts';
import { formatOfName, shownName } from './entryName.ts';

const sniffedBytes = 4096;

/**
 * What a file is, by its first bytes; by its name only where the bytes don't tell (CSV has no mark of its own).
 * Throws unsupported_format.
 */
export function kindOfFile(descriptor: number, fileName: string): SourceKind {
  const head = Buffer.alloc(sniffedBytes);
  const bytes = head.subarray(0, fs.readSync(descriptor, head, 0, sniffedBytes, 0));
  // A zip begins with an entry or, empty, with its end record.
  if (bytes.length >= 4 && [0x04034b50, 0x06054b50, 0x08074b50].includes(bytes.readUInt32LE(0)))
    return 'export-zip';
  if (/\.(zip|kmz)$/i.test(fileName)) return 'export-zip'; // said to be one: the archive's own checks say what is wrong
  if (isClipHead(bytes) || /\.(mp4|mov)$/i.test(fileName)) return 'clip'; // said to be one: as above
  const named = formatOfName(fileName);
  const text = textOf(bytes);
  if (text !== null) {
    const root = rootElement(text);
    if (root === 'gpx' || root === 'kml') return root;
    if (named !== null) return named;
    if (root === null && /(^|[,;\t"])\s*(lat|latitude)\s*([,;\t"]|$)/im.test(text.split(/\r\n|\r|\n/, 1)[0]!))
      return 'csv';
  } else if (named !== null) return named;
  throw new AppError('unsupported_format', `${shownName(fileName)} is neither a GPS export nor a clip.`, {
    remedy: 'Import the zip file of a GPS export, a .csv, .gpx or .kml file, or a .mp4 clip.',
    details: { fileName },
  });
}

/** An MP4 file begins with a box of one of these types. */
function isClipHead(bytes: Buffer): boolean {
  return bytes.length >= 8 && ['ftyp', 'moov', 'mdat'].includes(bytes.toString('latin1', 4, 8));
}

/** The first bytes as text for a look at them; null for binary data. */
function textOf(bytes: Buffer): string | null {
  if (bytes.length >= 2 && bytes[0] === 0xff && bytes[1] === 0xfe)
    return bytes.subarray(2).toString('utf16le');
  if (bytes.length >= 2 && bytes[0] === 0xfe && bytes[1] === 0xff) {
    return Buffer.from(bytes.subarray(2, bytes.length & ~1))
      .swap16()
      .toString('utf16le');
  }
  if (bytes.includes(0)) return null;
  const isMarked = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.subarray(isMarked ? 3 : 0).toString('latin1');
}

/** Local name of the first element, lower case; null where the text is not XML. */
function rootElement(text: string): string | null {
  const start = /^\s*</.exec(text);
  if (!start) return null;
  const found = /<(?![?!])(?:[^\s<>/:]+:)?([^\s<>/:]+)/.exec(text.replaceAll(/<!--[\s\S]*?(-->|$)/g, ''));
  return found?.[1]?.toLowerCase() ?? '';
}

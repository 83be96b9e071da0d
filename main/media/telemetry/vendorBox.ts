import type { Box, BoxWalk } from './boxes.ts';
import type { ClipBytes } from './byteSource.ts';
import { parseClipName } from './clipName.ts';
import type { SkipCounts } from './columns.ts';

/** What the vendor's `free` boxes hold (formats.md section 2); null where a part is not there. */
export interface VendorParts {
  readonly makerText: string | null;
  /** Start of the recording on the camera's wall clock, as if it were UTC, ms. */
  readonly startLocalMs: number | null;
  readonly originalName: string | null;
  readonly thumbnail: Buffer | null;
  readonly gps: Buffer | null;
  readonly gSensor: Buffer | null;
}

/** Longest payload that is read of each part; a day's telemetry in one clip fits, a lie does not. */
const longestBytes: Readonly<Record<string, number>> = {
  cprt: 64 * 1024,
  sttm: 8,
  ptnm: 4096,
  thum: 4 * 1024 * 1024,
  'gps ': 12 * 1024 * 1024,
  '3gf ': 12 * 1024 * 1024,
};
const mostChildren = 1000;

/**
 * Reads the parts inside the top-level `free` boxes, wherever they stand; the first of each part counts. A run
 * of zeros is padding and ends a box; only headers and known parts are read.
 */
export function readVendorParts(
  bytes: ClipBytes,
  freeBoxes: readonly Box[],
  skips: SkipCounts,
): VendorParts | null {
  const parts = new Map<string, Buffer>();
  for (const free of freeBoxes) collect(bytes, free, parts, skips);
  if (parts.size === 0) return null;
  const text = parts.get('cprt');
  const start = parts.get('sttm');
  const name = parts.get('ptnm');
  const picture = parts.get('thum');
  return {
    makerText: text === undefined ? null : toText(text),
    startLocalMs: start === undefined ? null : readStart(start, skips),
    originalName: name === undefined ? null : findName(name),
    thumbnail: picture === undefined ? null : readPicture(picture, skips),
    gps: parts.get('gps ') ?? null,
    gSensor: parts.get('3gf ') ?? null,
  };
}

function collect(bytes: ClipBytes, free: Box, parts: Map<string, Buffer>, skips: SkipCounts): void {
  let at = free.offset + free.headerBytes;
  for (let count = 0; count < mostChildren && free.end - at >= 8; count++) {
    const header = bytes.read(at, 8);
    if (header.length < 8) return;
    const sizeBytes = header.readUInt32BE(0);
    const type = header.toString('latin1', 4, 8);
    const longest = longestBytes[type];
    if (sizeBytes < 8) {
      if (longest !== undefined) skips.add(`byte ${at}`, `a ${type.trim()} part with a size that can't be`);
      return; // padding, or nothing that could be followed
    }
    if (longest !== undefined) {
      const stated = sizeBytes - 8;
      const there = Math.min(stated, free.end - at - 8);
      if (there < stated) skips.add(`byte ${at}`, `a ${type.trim()} part that is cut short`);
      else if (there > longest) skips.add(`byte ${at}`, `a ${type.trim()} part longer than any clip needs`);
      if (!parts.has(type)) parts.set(type, bytes.read(at + 8, Math.min(there, longest)));
    }
    at += sizeBytes;
  }
}

/** Up to the first NUL. UTF-8 where it is that, else Latin-1. */
function toText(payload: Buffer): string | null {
  const end = payload.indexOf(0);
  const raw = end < 0 ? payload : payload.subarray(0, end);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    text = raw.toString('latin1');
  }
  return text.trim() === '' ? null : text;
}

/** Past this it is no clock. A clock that was never set (1970, 2000) is kept: GPS tells how wrong it is. */
const latestMs = Date.UTC(2100, 0, 1);

function readStart(payload: Buffer, skips: SkipCounts): number | null {
  if (payload.length >= 8) {
    const ms = Number(payload.readBigUInt64BE(0));
    if (ms > 0 && ms < latestMs) return ms;
  }
  skips.add('sttm', 'a start time that no clock shows');
  return null;
}

/** By its pattern, not by place: what stands before it is not known. */
function findName(payload: Buffer): string | null {
  const text = payload.toString('latin1');
  const named = /[0-9]{8}_[0-9]{6}_[A-Za-z]{2,3}\.[A-Za-z0-9]{3,4}/.exec(text)?.[0];
  return named !== undefined && parseClipName(named) ? named : null;
}

function readPicture(payload: Buffer, skips: SkipCounts): Buffer | null {
  if (payload.length <= 4) return null;
  const stated = payload.readUInt32BE(0);
  const picture = payload.subarray(4, 4 + Math.min(stated, payload.length - 4));
  if (picture.length < 3 || picture[0] !== 0xff || picture[1] !== 0xd8) {
    if (picture.length > 0) skips.add('thum', 'a thumbnail that is no JPEG picture');
    return null;
  }
  return picture;
}

/** The boxes that writers leave to others, at the top level. */
export const freeBoxesOf = (walk: BoxWalk): readonly Box[] =>
  walk.boxes.filter((box) => box.type === 'free' || box.type === 'skip');

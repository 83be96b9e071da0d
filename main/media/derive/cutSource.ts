import fs from 'node:fs';
import { AppError } from '../../../shared/errors.ts';
import { findChild, walkBuffer, walkTopLevel, type Box } from '../telemetry/boxes.ts';
import { ClipBytes } from '../telemetry/byteSource.ts';
import { readDuration, readTrack, type Track } from '../telemetry/movie.ts';

/** A track with the payload of its `trak`. */
export interface SourceTrack {
  readonly track: Track;
  readonly trak: Buffer;
}

/** What a cut needs of a clip: its index, never its media. */
export interface CutSource {
  readonly descriptor: number;
  readonly sizeBytes: number;
  readonly fileName: string;
  /** The `ftyp` box as it stands; null without one. */
  readonly fileType: Buffer | null;
  readonly movieHeader: Buffer | null;
  readonly movieTimescale: number;
  readonly tracks: readonly SourceTrack[];
  /** The index does not name the frames. */
  readonly isFragmented: boolean;
  /** Types of what lies beside `ftyp`, `moov` and the media, at the top level and in `moov`; each once. */
  readonly otherBoxes: readonly string[];
  close(): void;
}

const longestIndexBytes = 64 * 1024 * 1024;
const longestFileTypeBytes = 4096;
const mostTracks = 64;
const knownTopLevel = new Set(['ftyp', 'styp', 'moov', 'mdat', 'wide']);
const knownInMovie = new Set(['mvhd', 'trak', 'iods']);

/** Opens a clip for cutting. Throws AppError file_unreadable, and entry_damaged where there is no readable index. */
export function openCutSource(filePath: string, fileName: string): CutSource {
  let descriptor: number;
  try {
    descriptor = fs.openSync(filePath, 'r');
  } catch (cause) {
    throw new AppError('file_unreadable', `${fileName} can't be read.`, {
      remedy: 'Import or recall the clip again.',
      details: { fileName },
      cause,
    });
  }
  try {
    return read(descriptor, fileName);
  } catch (thrown) {
    fs.closeSync(descriptor);
    throw thrown;
  }
}

function read(descriptor: number, fileName: string): CutSource {
  const bytes = new ClipBytes(descriptor, fs.fstatSync(descriptor).size);
  const walk = walkTopLevel(bytes);
  const find = (type: string, longest: number): Buffer | null => {
    const one = walk.boxes.find((each) => each.type === type);
    if (!one || one.end - one.offset > longest) return null;
    return bytes.read(one.offset, one.end - one.offset).subarray(one.headerBytes);
  };
  const movie = find('moov', longestIndexBytes);
  if (!movie) throw damaged(fileName, 'it has no index ("moov") that can be read');
  const inside = walkBuffer(movie, 0, movie.length).boxes;
  const tracks = inside
    .filter(({ type }) => type === 'trak')
    .slice(0, mostTracks)
    .flatMap(({ offset, headerBytes, end }): SourceTrack[] => {
      const trak = movie.subarray(offset + headerBytes, end);
      const track = readTrack(trak)?.track;
      return track ? [{ track, trak }] : [];
    });
  const movieHeader = findChild(movie, 'mvhd');
  const fileType = find('ftyp', longestFileTypeBytes);
  // An empty `free` is room that the writer left.
  const isEmpty = ({ type, headerBytes, sizeBytes }: Box): boolean =>
    ['free', 'skip'].includes(type) && sizeBytes - headerBytes < 8;
  const others = [
    ...walk.boxes.filter((one) => !knownTopLevel.has(one.type) && !isEmpty(one)),
    ...inside.filter(({ type }) => !knownInMovie.has(type)),
  ];
  return {
    descriptor,
    sizeBytes: bytes.sizeBytes,
    fileName,
    fileType,
    movieHeader,
    movieTimescale: (movieHeader && readDuration(movieHeader, 12, 20)?.timescale) ?? 0,
    tracks,
    isFragmented:
      inside.some(({ type }) => type === 'mvex') || walk.boxes.some(({ type }) => type === 'moof'),
    otherBoxes: [...new Set(others.map(({ type }) => type.trim()))].slice(0, 20),
    close: () => fs.closeSync(descriptor),
  };
}

/**
 * Throws AppError unsupported_format for a track whose samples can't simply be copied: fragmented, encrypted, or
 * with its media in another file.
 */
export function checkCopyable({ track, trak }: SourceTrack, { fileName, isFragmented }: CutSource): void {
  const refuse = (why: string): never => {
    throw new AppError('unsupported_format', `${fileName} can't be cut: ${why}.`, {
      remedy: 'Add the whole clip to the case, and mark the range in it.',
      details: { fileName },
    });
  };
  if (isFragmented) refuse('it is written in fragments');
  if (/^enc/.test(track.format)) refuse('it is encrypted');
  const information = findChild(findChild(trak, 'mdia')!, 'minf')!; // readTrack has looked
  const dinf = findChild(information, 'dinf');
  const references = dinf && findChild(dinf, 'dref');
  if (!references || references.length <= 8) return;
  const [first, ...more] = walkBuffer(references, 8, references.length).boxes;
  const isHere =
    first && references.length >= first.offset + 12 && (references[first.offset + 11]! & 1) === 1;
  if (!isHere || more.length > 0) refuse('its media lies in another file');
}

export function damaged(fileName: string, why: string): AppError {
  return new AppError('entry_damaged', `${fileName} can't be cut: ${why}.`, {
    remedy: 'Add the whole clip to the case: it goes into the package as it is.',
    details: { fileName },
  });
}

/** Sizes in pixels in which players may show the pictures: as stored, and with pixels that are not square made so; turned as the movie says. */
export function shownSizes({ track, trak }: SourceTrack): readonly { width: number; height: number }[] {
  const entry = readTrack(trak)?.entry;
  if (track.handler !== 'vide' || !entry || entry.length < 28) return [];
  const stored = { width: entry.readUInt16BE(24), height: entry.readUInt16BE(26) };
  const sizes = [stored];
  const aspect = entry.length > 78 ? findChild(entry.subarray(78), 'pasp') : null;
  if (aspect && aspect.length >= 8) {
    const ratio = aspect.readUInt32BE(0) / aspect.readUInt32BE(4);
    if (Number.isFinite(ratio) && ratio > 0 && ratio !== 1) {
      sizes.push(
        ratio > 1
          ? { width: Math.round(stored.width * ratio), height: stored.height }
          : { width: stored.width, height: Math.round(stored.height / ratio) },
      );
    }
  }
  return isTurned(findChild(trak, 'tkhd'))
    ? sizes.map(({ width, height }) => ({ width: height, height: width }))
    : sizes;
}

/** Whether the matrix of `tkhd` lays the picture on its side (90 or 270 degrees). */
function isTurned(header: Buffer | null): boolean {
  if (!header || header.length < 60) return false;
  const matrix = header.length - 44; // nine fields and the two sides are its end
  const at = (field: number): number => Math.abs(header.readInt32BE(matrix + field * 4));
  return at(1) > at(0) && at(3) > at(4);
}

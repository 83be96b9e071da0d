import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { ClipFrames } from '../../../shared/contract/clips.ts';
import { AppError } from '../../../shared/errors.ts';
import { findChild, walkBuffer } from '../telemetry/boxes.ts';
import { framesOf } from '../telemetry/frames.ts';
import { box, u32, u64 } from './boxWriter.ts';
import { checkCut } from './cutCheck.ts';
import { layChunks, movieBox, type Chunk, type TrackToWrite } from './cutIndex.ts';
import { planSound, planVideo, scaleOf, type VideoPlan } from './cutPlan.ts';
import { bytesOf, samplesOf } from './cutSamples.ts';
import {
  checkCopyable,
  damaged,
  openCutSource,
  shownSizes,
  type CutSource,
  type SourceTrack,
} from './cutSource.ts';

/** Seconds on the clip as players count them. */
export interface CutRequest {
  readonly fromS: number;
  readonly toS: number;
}

/** What a cut holds; times are presentation times of the first frame and the end of the last. */
export interface CutPreview {
  readonly fromS: number;
  readonly toS: number;
  readonly frames: number;
  readonly approximateBytes: number;
}

export interface CutResult extends CutPreview {
  readonly sizeBytes: number;
  readonly sha256: string;
  /** As players show it; null where the file does not say. */
  readonly widthPx: number | null;
  readonly heightPx: number | null;
  /** What the cut lacks of the original, one sentence each. */
  readonly lost: readonly string[];
}

export interface CutProgress {
  readonly stage: 'cutting' | 'checking';
  readonly doneBytes: number;
  readonly totalBytes: number;
}

interface Cut {
  readonly video: VideoPlan;
  readonly pictures: SourceTrack;
  readonly tracks: readonly TrackToWrite[];
  readonly mediaBytes: number;
  readonly lost: readonly string[];
}

const pieceBytes = 1024 * 1024;
/** Room for headers and fixed boxes; tables take up to 20 bytes a sample. */
const indexBytes = (tracks: readonly TrackToWrite[]): number =>
  2048 + tracks.reduce((sum, { samples }) => sum + samples.count * 12, 0);

/**
 * Where a cut would begin and end, and how large it would be. Null where the index names no frames (also for
 * fragmented files). Throws AppError file_unreadable | unsupported_format.
 */
export function previewCutHere(filePath: string, fileName: string, request: CutRequest): CutPreview | null {
  const source = openIfReadable(filePath, fileName);
  if (!source) return null;
  try {
    const cut = source.isFragmented ? null : planCut(source, request);
    if (!cut) return null;
    const { fromS, toS, frames } = cut.video;
    return { fromS, toS, frames, approximateBytes: cut.mediaBytes + indexBytes(cut.tracks) };
  } finally {
    source.close();
  }
}

/** The pictures of a clip as a player shows them. */
export interface PictureShape {
  /** As `clips.frames`; null where the index names none. */
  readonly frames: ClipFrames | null;
  /** When the last frame ends; null with `frames`. */
  readonly endS: number | null;
  /** Sizes that a still of it may have, pixels; see shownSizes. */
  readonly sizes: readonly { readonly width: number; readonly height: number }[];
}

/** Throws AppError file_unreadable. */
export function shapeOfHere(filePath: string, fileName: string): PictureShape {
  const none: PictureShape = { frames: null, endS: null, sizes: [] };
  const source = openIfReadable(filePath, fileName);
  if (!source) return none;
  try {
    const pictures = source.tracks.find(({ track }) => track.handler === 'vide');
    if (!pictures) return none;
    const sizes = shownSizes(pictures);
    const frames = framesOf({
      tracks: source.isFragmented ? [] : [pictures.track],
      timescale: source.movieTimescale,
    });
    if (!frames || frames.timesS.length === 0) return { ...none, sizes };
    const { shownTicks, ticks } = samplesOf(pictures.track.table);
    let latest = 0;
    for (let i = 0; i < ticks.length; i++) if (shownTicks[i]! >= shownTicks[latest]!) latest = i;
    const end = scaleOf(pictures.track, source.movieTimescale).toSeconds(
      (shownTicks[latest] ?? NaN) + (ticks[latest] ?? NaN),
    );
    return { frames, endS: Number.isFinite(end) ? end : null, sizes };
  } finally {
    source.close();
  }
}

function openIfReadable(filePath: string, fileName: string): CutSource | null {
  try {
    return openCutSource(filePath, fileName);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'entry_damaged') return null;
    throw thrown;
  }
}

/**
 * Cuts a clip without touching a sample: pictures from the key frame at or before `fromS`, with their sound, into a
 * new flat MP4 at `outPath` (which must not be there), then reads it back and compares every sample with the
 * original. Throws AppError file_unreadable | unsupported_format | entry_damaged; what was written is the
 * caller's to remove.
 */
export function cutClipHere(
  filePath: string,
  fileName: string,
  request: CutRequest,
  outPath: string,
  onProgress: (progress: CutProgress) => void = () => {},
): CutResult {
  const source = openCutSource(filePath, fileName);
  try {
    const cut = planCut(source, request);
    if (!cut) throw damaged(fileName, 'its index names no key frame to begin with');
    const { sizeBytes, sha256 } = write(source, cut, outPath, onProgress);
    checkCut(source, cut.tracks, outPath, fileName, (doneBytes) =>
      onProgress({ stage: 'checking', doneBytes, totalBytes: cut.mediaBytes }),
    );
    const { fromS, toS, frames } = cut.video;
    const size = shownSizes(cut.pictures).at(-1);
    return {
      fromS,
      toS,
      frames,
      approximateBytes: sizeBytes,
      sizeBytes,
      sha256,
      widthPx: size?.width ?? null,
      heightPx: size?.height ?? null,
      lost: cut.lost,
    };
  } catch (thrown) {
    // Fields of the file that no honest clip has, and that the tables of the new one can't hold.
    if (thrown instanceof RangeError)
      throw damaged(fileName, `its index is out of range (${thrown.message})`);
    throw thrown;
  } finally {
    source.close();
  }
}

function planCut(source: CutSource, request: CutRequest): Cut | null {
  const { fileName, movieTimescale, sizeBytes } = source;
  const pictures = source.tracks.find(({ track }) => track.handler === 'vide');
  if (!pictures || pictures.track.timescale === 0) return null;
  checkCopyable(pictures, source);
  const video = planVideo(
    pictures.track,
    samplesOf(pictures.track.table),
    movieTimescale,
    sizeBytes,
    request,
  );
  if (!video) return null;
  const tracks: TrackToWrite[] = [{ ...video, trak: pictures.trak }];
  const lost: string[] = [];
  for (const one of source.tracks) {
    if (one === pictures) continue;
    if (one.track.handler !== 'soun') {
      lost.push(`The track "${one.track.format.trim() || one.track.handler}" is not in it.`);
      continue;
    }
    checkCopyable(one, source);
    const sound = planSound(one.track, movieTimescale, sizeBytes, video);
    if (sound) tracks.push({ ...sound, trak: one.trak });
    else
      lost.push('The sound is not in it: the original has none at this time, or an index that is too large.');
  }
  const mediaBytes = tracks.reduce((sum, { samples }) => sum + bytesOf(samples), 0);
  // Samples of an honest clip don't overlap; an index can claim a terabyte out of a small file.
  if (mediaBytes > sizeBytes) throw damaged(fileName, 'its index names more media than the file holds');
  return { video, pictures, tracks, mediaBytes, lost: [...lost, ...lostBeside(source, pictures, video)] };
}

function lostBeside(source: CutSource, pictures: SourceTrack, video: VideoPlan): string[] {
  const lost: string[] = [];
  if (source.otherBoxes.length > 0) {
    const names = source.otherBoxes.map((type) => `"${type}"`).join(', ');
    lost.push(
      `What the camera wrote beside pictures and sound (${names}) is not in it. The telemetry of this stretch, where there is any, goes beside it as CSV.`,
    );
  }
  const carried = new Set(['stsd', 'stts', 'ctts', 'stss', 'stsz', 'stsc', 'stco', 'co64']);
  const tables = findChild(findChild(findChild(pictures.trak, 'mdia')!, 'minf')!, 'stbl')!; // readTrack has looked
  const others = walkBuffer(tables, 0, tables.length).boxes.filter(({ type }) => !carried.has(type));
  if (others.length > 0) {
    const names = [...new Set(others.map(({ type }) => `"${type.trim()}"`))].slice(0, 20).join(', ');
    lost.push(`Hints for players in the index of the pictures (${names}) are not in it.`);
  }
  const hidden = video.hiddenFrames;
  if (hidden > 0) {
    const frames = hidden === 1 ? 'One frame' : `${hidden} frames`;
    lost.push(`${frames} at its beginning can't be shown without those before it: there, but hidden.`);
  }
  if (video.isCutShort)
    lost.push('It ends sooner than asked for: the rest of these pictures is missing in the original file.');
  return lost;
}

function write(
  source: CutSource,
  { tracks, mediaBytes }: Cut,
  outPath: string,
  onProgress: (progress: CutProgress) => void,
): { sizeBytes: number; sha256: string } {
  const chunks = layChunks(tracks);
  const head = headOf(source, tracks, chunks, mediaBytes);
  const hash = createHash('sha256').update(head);
  const out = fs.openSync(outPath, 'wx', 0o600);
  try {
    writeWhole(out, head);
    const piece = Buffer.allocUnsafe(pieceBytes);
    let filled = 0;
    let done = 0;
    const flush = (): void => {
      const bytes = piece.subarray(0, filled);
      hash.update(bytes);
      writeWhole(out, bytes);
      done += filled;
      filled = 0;
      onProgress({ stage: 'cutting', doneBytes: done, totalBytes: mediaBytes });
    };
    for (const { track, first, count } of chunks) {
      const { offset, sizeBytes } = tracks[track]!.samples;
      for (let i = first; i < first + count; i++) {
        for (let at = 0; at < sizeBytes[i]!;) {
          if (filled === piece.length) flush();
          const wanted = Math.min(sizeBytes[i]! - at, piece.length - filled);
          const got = fs.readSync(source.descriptor, piece, filled, wanted, offset[i]! + at);
          if (got === 0) throw damaged(source.fileName, 'it ended while it was read');
          filled += got;
          at += got;
        }
      }
    }
    flush();
    fs.fsyncSync(out);
    return { sizeBytes: head.length + done, sha256: hash.digest('hex') };
  } finally {
    fs.closeSync(out);
  }
}

/** Everything in front of the media: `ftyp`, `moov` and the header of `mdat`. */
function headOf(
  source: CutSource,
  tracks: readonly TrackToWrite[],
  chunks: readonly Chunk[],
  mediaBytes: number,
): Buffer {
  const fileType = box('ftyp', source.fileType ?? Buffer.from('isom\0\0\x02\0isommp42', 'latin1'));
  const isLarge = mediaBytes + indexBytes(tracks) * 2 > 0xffff_0000;
  const mediaHeader = isLarge
    ? Buffer.concat([u32(1), Buffer.from('mdat'), u64(mediaBytes + 16)])
    : Buffer.concat([u32(mediaBytes + 8), Buffer.from('mdat')]);
  const movieOf = (offsets: readonly number[]): Buffer =>
    movieBox(source.movieHeader, tracks, chunks, offsets, isLarge);
  let at = fileType.length + movieOf(chunks.map(() => 0)).length + mediaHeader.length;
  const offsets = chunks.map(({ sizeBytes }) => {
    const start = at;
    at += sizeBytes;
    return start;
  });
  return Buffer.concat([fileType, movieOf(offsets), mediaHeader]);
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += fs.writeSync(descriptor, bytes, done);
}

/** For the thread: system errors of the disk keep their code. */
export const isSystemError = (thrown: unknown): thrown is NodeJS.ErrnoException =>
  thrown instanceof Error && 'syscall' in thrown;

/** A full disk while cutting, in words; anything else as it is. */
export function diskError(thrown: unknown, fileName: string): unknown {
  if (!isSystemError(thrown) || !['ENOSPC', 'EDQUOT'].includes(thrown.code ?? '')) return thrown;
  return new AppError('disk_full', `There is no room on the disk to cut ${fileName}.`, {
    remedy: 'Free some space on the disk of the data folder and try again; nothing was kept.',
    details: { fileName },
    cause: thrown,
  });
}

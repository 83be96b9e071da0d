import fs from 'node:fs';
import path from 'node:path';
import type {
  ClipDamage,
  ClipFacts,
  ClipFrames,
  ClipGps,
  ClipGpsColumns,
  ClipGSensor,
  ClipGSensorColumns,
} from '../../../shared/contract/clips.ts';
import { AppError } from '../../../shared/errors.ts';
import { walkTopLevel, type BoxWalk } from './boxes.ts';
import { ClipBytes } from './byteSource.ts';
import { parseClipName } from './clipName.ts';
import { SkipCounts, toGpsColumns } from './columns.ts';
import { withFragments } from './fragments.ts';
import { framesOf } from './frames.ts';
import { readMovie, type Movie } from './movie.ts';
import { picturesEndOf } from './picturesEnd.ts';
import { readTelemetry } from './telemetryParts.ts';

/** A clip's facts with the telemetry behind them; null where a part is not there. */
export interface ClipReading {
  readonly facts: ClipFacts;
  readonly gps: ClipGpsColumns | null;
  readonly gSensor: ClipGSensorColumns | null;
  /** The JPEG picture that the camera kept in the clip. */
  readonly thumbnail: Uint8Array | null;
  /** Null also where nobody asked. */
  readonly frames: ClipFrames | null;
}

export interface ClipReadingOptions {
  /** Where the path is not the file's own name. */
  readonly fileName?: string;
  /** The time of every frame: nearly a million of them in 8 hours. */
  readonly wantsFrames?: boolean;
}

/** An index of more than an 8-hour clip's. */
const longestIndexBytes = 32 * 1024 * 1024;
/** What an MP4 or QuickTime file may begin with. */
const firstTypes = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot', 'uuid', 'styp', 'moof']);

/**
 * Reads what is inside a clip in this thread, without its pictures. Damage is in the facts; throws AppError
 * file_vanished | file_unreadable | file_empty for a file that can't be read and unsupported_format for one
 * that is no clip. Use `readClip` (clipReader.ts) where a hostile file must not take the thread.
 */
export function readClipHere(filePath: string, options: ClipReadingOptions = {}): ClipReading {
  const fileName = options.fileName ?? path.basename(filePath);
  let descriptor: number;
  try {
    // Before opening: a pipe would wait there for ever.
    if (!fs.statSync(filePath).isFile()) throw unreadable(fileName, null);
    descriptor = fs.openSync(filePath, 'r');
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : unreadable(fileName, thrown);
  }
  try {
    const stat = fs.fstatSync(descriptor);
    if (stat.size === 0) {
      throw new AppError('file_empty', `${fileName} is empty: the camera wrote nothing into it.`, {
        remedy: 'Copy it from the card again; if it is empty there too, it holds no evidence.',
        details: { fileName },
      });
    }
    return readOpen(new ClipBytes(descriptor, stat.size), fileName, options.wantsFrames ?? false);
  } catch (thrown) {
    throw thrown instanceof AppError || !isSystemError(thrown) ? thrown : unreadable(fileName, thrown);
  } finally {
    fs.closeSync(descriptor);
  }
}

const isSystemError = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'syscall' in thrown;

function unreadable(fileName: string, cause: unknown): AppError {
  const isGone = isSystemError(cause) && (cause as NodeJS.ErrnoException).code === 'ENOENT'; // said by isSystemError
  return new AppError(
    isGone ? 'file_vanished' : 'file_unreadable',
    isGone ? `${fileName} is not there.` : `${fileName} can't be read.`,
    { remedy: 'Check the name, and that it is a file that you may read.', details: { fileName }, cause },
  );
}

function readOpen(bytes: ClipBytes, fileName: string, wantsFrames: boolean): ClipReading {
  const walk = walkTopLevel(bytes);
  if (!firstTypes.has(walk.boxes[0]?.type ?? '')) {
    throw new AppError('unsupported_format', `${fileName} is not an MP4 clip.`, {
      remedy: 'Choose a .mp4 file as the camera wrote it.',
      details: { fileName },
    });
  }
  const damage: ClipDamage[] = [];
  const movie = movieOf(bytes, walk, damage);
  const skips = new SkipCounts();
  const outerName = parseClipName(fileName);
  const telemetry = readTelemetry(bytes, walk, movie, outerName, skips);
  const originalName = telemetry.vendor?.originalName ?? null;
  const name = outerName ?? (originalName === null ? null : parseClipName(originalName));
  const startLocalMs = telemetry.vendor?.startLocalMs ?? null;
  const gps = telemetry.rows && toGpsColumns(telemetry.rows);
  const gSensor = telemetry.gSensor && telemetry.gSensor.toColumns(telemetry.axisNames);
  const notes = [...telemetry.clock.notes, ...telemetry.notes];
  const indexes = walk.boxes.filter(({ type }) => type === 'moov').length;
  if (indexes > 1)
    notes.push(
      `The file holds ${indexes} indexes ("moov"), as if recordings were put together; the first is used.`,
    );
  if (outerName && originalName !== null && parseClipName(originalName)?.mainName !== outerName.mainName)
    notes.push(`The camera named this clip ${originalName}.`);
  const thumbnail = telemetry.vendor?.thumbnail ?? null;
  return {
    facts: {
      fileName,
      sizeBytes: bytes.sizeBytes,
      name,
      originalName,
      recordedAtLocal:
        name?.recordedAtLocal ??
        (startLocalMs === null ? null : new Date(startLocalMs).toISOString().slice(0, 19)),
      durationS: movie?.durationS ?? null,
      video: movie?.video ?? null,
      picturesEndS:
        movie && damage.some(({ code }) => code === 'truncated')
          ? picturesEndOf(movie, bytes.sizeBytes)
          : null,
      hasAudio: movie?.hasAudio ?? false,
      isFragmented: movie ? movie.fragmentDefaults !== null : false,
      damage,
      telemetryFormat: telemetry.format,
      makerText: telemetry.vendor?.makerText ?? null,
      hasThumbnail: thumbnail !== null,
      clock: telemetry.clock.clock,
      gps: gps && gpsFacts(gps),
      gSensor: gSensor && gSensorFacts(gSensor, telemetry.clock.clock.startUtcMs),
      skipped: skips.list(),
      notes,
      bytesRead: bytes.bytesRead,
    },
    gps,
    gSensor,
    thumbnail: thumbnail && Uint8Array.from(thumbnail),
    frames: wantsFrames && movie ? framesOf(movie) : null,
  };
}

/** The first `moov`, with what is wrong with the file as far as boxes tell. */
function movieOf(bytes: ClipBytes, walk: BoxWalk, damage: ClipDamage[]): Movie | null {
  if (walk.end === 'overrun') {
    const last = walk.boxes.at(-1)!; // an overrun has a box
    const missing = last.offset + last.sizeBytes - bytes.sizeBytes;
    const lack = Number.isSafeInteger(missing)
      ? `${missing} bytes of its "${last.type}" part are missing`
      : `its "${last.type}" part is said to be longer than any file`;
    damage.push({
      code: 'truncated',
      message: `The file is cut short: ${lack}.`,
    });
  } else if (walk.end !== 'complete') {
    damage.push({
      code: 'foreign-bytes',
      message: `From byte ${walk.endOffset} on it holds no more parts of a clip.`,
    });
  }
  const box = walk.boxes.find((one) => one.type === 'moov');
  if (!box) {
    damage.push({
      code: 'no-moov',
      message: 'It has no index ("moov"): the recording was never finished, and no player can show it.',
    });
    return null;
  }
  if (box.end - box.offset > longestIndexBytes) {
    damage.push({
      code: 'too-large',
      message: `Its index ("moov") is larger than ${longestIndexBytes} bytes and was not read.`,
    });
    return null;
  }
  const index = bytes.read(box.offset + box.headerBytes, box.end - box.offset - box.headerBytes);
  const movie = believable(withFragments(readMovie(index), bytes, walk), bytes.sizeBytes);
  if (movie.isDamaged || box.isOverrun)
    damage.push({ code: 'damaged-index', message: 'Its index ("moov") is damaged or contradicts itself.' });
  if (!movie.video) damage.push({ code: 'no-video', message: 'It holds no pictures.' });
  else if (movie.video.frames === 0)
    damage.push({ code: 'no-frames', message: 'Its video track holds no frames.' });
  const hasMedia = walk.boxes.some(({ type }) => type === 'mdat' || type === 'moof');
  const isCut = movie.lastChunkOffset >= bytes.sizeBytes || (!hasMedia && movie.tracks.length > 0);
  if (isCut && !damage.some(({ code }) => code === 'truncated'))
    damage.push({ code: 'truncated', message: 'The file is cut short: its index points beyond its end.' });
  return movie;
}

/** The movie without frames of which the file can't hold one byte each. */
function believable(movie: Movie, sizeBytes: number): Movie {
  const { video } = movie;
  if (!video || video.frames <= sizeBytes) return movie;
  const tracks = movie.tracks.filter(({ handler }) => handler !== 'vide');
  return { ...movie, tracks, isDamaged: true, video: { ...video, frames: 0, keyFrames: 0, fps: null } };
}

const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

function gpsFacts(gps: ClipGpsColumns): ClipGps {
  const at = (index: number): ClipGps['first'] =>
    index < 0
      ? null
      : {
          utcMs: orNull(gps.utcMs[index]),
          latDeg: gps.latDeg[index]!,
          lngDeg: gps.lngDeg[index]!,
          headingDeg: orNull(gps.headingDeg[index]),
          speedKmh: orNull(gps.speedKmh[index]),
        };
  const isPlaced = (value: number): boolean => !Number.isNaN(value);
  const samples = gps.latDeg.reduce((sum, value) => sum + (isPlaced(value) ? 1 : 0), 0);
  return {
    samples,
    withoutFix: gps.latDeg.length - samples,
    first: at(gps.latDeg.findIndex(isPlaced)),
    last: at(gps.latDeg.findLastIndex(isPlaced)),
    bbox: samples === 0 ? null : boundsOf(gps),
  };
}

function boundsOf({ latDeg, lngDeg }: ClipGpsColumns): [number, number, number, number] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < latDeg.length; i++) {
    if (Number.isNaN(latDeg[i]!)) continue;
    west = Math.min(west, lngDeg[i]!);
    east = Math.max(east, lngDeg[i]!);
    south = Math.min(south, latDeg[i]!);
    north = Math.max(north, latDeg[i]!);
  }
  return [west, south, east, north];
}

function gSensorFacts(gSensor: ClipGSensorColumns, startUtcMs: number | null): ClipGSensor {
  const { clipMs, axesG } = gSensor;
  const samples = clipMs.length;
  let peak = -1;
  let peakG = -Infinity;
  for (let i = 0; i < samples; i++) {
    const magnitude = Math.hypot(axesG[0][i]!, axesG[1][i]!, axesG[2][i]!);
    if (magnitude > peakG) [peak, peakG] = [i, magnitude];
  }
  const spanMs = samples < 2 ? 0 : clipMs[samples - 1]! - clipMs[0]!;
  const peakOffsetMs = peak < 0 ? null : clipMs[peak]!;
  return {
    samples,
    rateHz: spanMs > 0 ? Math.round(((samples - 1) * 1e5) / spanMs) / 100 : null,
    peakG: peak < 0 ? null : peakG,
    peakOffsetMs,
    peakUtcMs: startUtcMs === null || peakOffsetMs === null ? null : startUtcMs + peakOffsetMs,
  };
}

import fs from 'node:fs';
import path from 'node:path';
import {
  avcConfig,
  box,
  fileType,
  motionRecord,
  movieHeader,
  rmc,
  track,
  u64,
  vendorFree,
  videoEntry,
} from '../media/telemetry/clipWriter.ts';

/** Clips of one camera on one day; pictures are a few bytes, telemetry is whole. */
export interface ClipDay {
  readonly folder: string;
  readonly clips: number;
  readonly positions: number;
  readonly gSamples: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly latDeg: number;
  readonly lngDeg: number;
}

/** Wall clock of the camera, one hour ahead of UTC. */
const offsetMs = 3_600_000;
const clipMs = 60_000;
const gStepMs = 108; // about nine times a second: 556 samples a minute, 800,640 a day
const positionsPerClip = 60;
const gSamplesPerClip = Math.ceil(clipMs / gStepMs);

const two = (value: number): string => String(value).padStart(2, '0');
function nameOf(localMs: number, lens: 'F' | 'O' = 'F'): string {
  const at = new Date(localMs);
  const date = `${at.getUTCFullYear()}${two(at.getUTCMonth() + 1)}${two(at.getUTCDate())}`;
  return `${date}_${two(at.getUTCHours())}${two(at.getUTCMinutes())}${two(at.getUTCSeconds())}_N${lens}.mp4`;
}

/** The vendor's telemetry box of a drive in circles around a place: a position each second, G nine times a second. */
function telemetryBox(
  utcMs: number,
  lengthMs: number,
  centre: { latDeg: number; lngDeg: number },
  lens: 'F' | 'O' = 'F',
): Buffer {
  const lines: string[] = [];
  for (let ms = 0; ms < lengthMs; ms += 1000) {
    const turn = (utcMs + ms) / 600_000;
    const knots = 25 + 15 * Math.sin((utcMs + ms) / 47_000);
    lines.push(
      `[${utcMs + ms + offsetMs}]${rmc(utcMs + ms, {
        latDeg: centre.latDeg + 0.02 * Math.sin(turn),
        lngDeg: centre.lngDeg + 0.03 * Math.cos(turn),
        knots: Math.round(knots * 10) / 10,
        headingDeg: Math.round((((turn * 180) / Math.PI) % 360) * 10) / 10,
      })}\n`,
    );
  }
  const records: Buffer[] = [];
  for (let ms = 0; ms < lengthMs; ms += gStepMs) {
    const phase = (utcMs + ms) / 1000;
    // Road noise, and a hard stop every eleven minutes.
    const stop = (utcMs + ms) % 660_000 < 900 ? -90 : 0;
    records.push(
      motionRecord(
        ms,
        131 + Math.round(6 * Math.sin(phase * 7.3)),
        Math.round(5 * Math.sin(phase * 1.7)),
        stop + Math.round(5 * Math.sin(phase * 2.9)),
      ),
    );
  }
  return vendorFree(
    box('sttm', u64(utcMs + offsetMs)),
    box('ptnm', Buffer.alloc(4), `${nameOf(utcMs + offsetMs, lens)}\0`),
    box('gps ', lines.join('\n')),
    box('3gf ', ...records, Buffer.alloc(20, 0xff)),
  );
}

/** `moov` of one H.264 track whose pictures lie one after the other from `dataAt`. */
function movieOf(lengthMs: number, framesPerSecond: number, frameBytes: number, dataAt: number): Buffer {
  const frames = Math.round((lengthMs / 1000) * framesPerSecond);
  return box(
    'moov',
    movieHeader(1000, lengthMs),
    track({
      timescale: 30_000,
      times: [[frames, 30_000 / framesPerSecond]],
      entry: videoEntry('avc1', 1920, 1080, avcConfig),
      sizesBytes: Array<number>(frames).fill(frameBytes),
      chunkOffsets: [dataAt],
      keyFrames: Array.from({ length: Math.ceil(frames / 30) }, (_, i) => 1 + i * 30),
    }),
  );
}

/** What a camera would call a clip that began then. */
export const nameOfClip = (utcMs: number, lens: 'F' | 'O'): string => nameOf(utcMs + offsetMs, lens);

/** Telemetry to put behind real pictures: the vendor's box stands anywhere in a file. */
export const clipTelemetryBox = (utcMs: number, lengthMs: number, lens: 'F' | 'O'): Buffer =>
  telemetryBox(utcMs, lengthMs, { latDeg: 52.1, lngDeg: 4.3 }, lens);

/** Writes a day of clips without a break: 1,440 files, 86,400 positions, 800,640 G samples. */
export function makeClipDay(folder: string, clips = 1440): ClipDay {
  fs.mkdirSync(folder, { recursive: true });
  const fromMs = Date.UTC(2026, 2, 14, 0, 0, 0);
  const centre = { latDeg: 52.1, lngDeg: 4.3 };
  const frameBytes = 16;
  for (let i = 0; i < clips; i++) {
    const utcMs = fromMs + i * clipMs;
    const telemetry = telemetryBox(utcMs, clipMs, centre);
    const dataAt = fileType.length + telemetry.length + 8;
    const media = box('mdat', Buffer.alloc(60 * frameBytes, 0xaa));
    const bytes = Buffer.concat([fileType, telemetry, media, movieOf(clipMs, 1, frameBytes, dataAt)]);
    fs.writeFileSync(path.join(folder, nameOf(utcMs + offsetMs)), bytes);
  }
  return {
    folder,
    clips,
    positions: clips * positionsPerClip,
    gSamples: clips * gSamplesPerClip,
    fromMs,
    toMs: fromMs + clips * clipMs,
    ...centre,
  };
}

/**
 * Writes a clip of `sizeBytes`, twenty minutes at 30 frames a second, its media data a hole in the file and its `moov`
 * at the end, as cameras write it.
 */
export function makeLargeClip(
  folder: string,
  sizeBytes: number,
): { readonly file: string; readonly positions: number } {
  const utcMs = Date.UTC(2026, 2, 14, 16, 0, 0);
  const lengthMs = 20 * 60_000;
  const telemetry = telemetryBox(utcMs, lengthMs, { latDeg: 52.1, lngDeg: 4.3 });
  const dataAt = fileType.length + telemetry.length + 8;
  const frameBytes = Math.floor((sizeBytes - dataAt) / 36_000);
  const movie = movieOf(lengthMs, 30, frameBytes, dataAt);
  const mediaEnd = Math.max(dataAt + frameBytes * 36_000, sizeBytes - movie.length);
  const mediaHead = Buffer.alloc(8);
  mediaHead.writeUInt32BE(mediaEnd - dataAt + 8, 0);
  mediaHead.write('mdat', 4, 'latin1');
  const file = path.join(folder, nameOf(utcMs + offsetMs));
  const descriptor = fs.openSync(file, 'w');
  try {
    const head = Buffer.concat([fileType, telemetry, mediaHead]);
    fs.writeSync(descriptor, head, 0, head.length, 0);
    fs.writeSync(descriptor, movie, 0, movie.length, mediaEnd);
  } finally {
    fs.closeSync(descriptor);
  }
  return { file, positions: lengthMs / 1000 };
}

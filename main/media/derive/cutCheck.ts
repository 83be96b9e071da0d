import fs from 'node:fs';
import { AppError } from '../../../shared/errors.ts';
import type { TrackToWrite } from './cutIndex.ts';
import { scaleOf } from './cutPlan.ts';
import { samplesOf, soundBetween, type Samples } from './cutSamples.ts';
import { openCutSource, type CutSource } from './cutSource.ts';

const pieceBytes = 1024 * 1024;

/**
 * Reads a finished cut back from the disk as any file, and compares it with the original: as many samples, each with
 * the same bytes, length and distance between decoding and showing; the first is a key frame; what is shown
 * begins where it was said. Throws AppError internal: a cut that differs must not become evidence.
 */
export function checkCut(
  source: CutSource,
  tracks: readonly TrackToWrite[],
  outPath: string,
  fileName: string,
  onBytes: (done: number) => void,
): void {
  const differs = (what: string): never => {
    throw new AppError('internal', `The cut of ${fileName} is not the same as the original: ${what}.`, {
      remedy: 'Nothing was kept. Add the whole clip to the case, and report this.',
      details: { fileName, what },
    });
  };
  const written = openCutSource(outPath, fileName);
  try {
    if (written.tracks.length !== tracks.length) differs('a track is missing');
    let done = 0;
    tracks.forEach((wanted, index) => {
      const { track } = written.tracks[index]!;
      const isVideo = index === 0;
      const samples = isVideo ? samplesOf(track.table) : (soundBetween(track.table, -1, Infinity) ?? null);
      if (!samples || samples.count !== wanted.samples.count) return differs('samples are missing');
      if (isVideo && samples.isKey[0] !== 1) differs('it does not begin with a key frame');
      const said = isTimedAs(wanted.samples, samples);
      if (said !== null) differs(said);
      // Where the first shown frame lies on the new clip: at its very beginning, or after its delay.
      const shown =
        scaleOf(track, written.movieTimescale).toSeconds(
          wanted.shownFromTicks - wanted.samples.shownTicks[0]! + samples.shownTicks[0]!,
        ) - wanted.delayS;
      if (Math.abs(shown) > 1 / written.movieTimescale) differs('it begins at another time');
      for (let i = 0; i < samples.count; i++) {
        if (!isSame(source.descriptor, wanted.samples, written.descriptor, samples, i))
          differs(`the bytes of sample ${i}`);
        done += samples.sizeBytes[i]!;
        if (i % 64 === 0) onBytes(done);
      }
    });
    onBytes(done);
  } finally {
    written.close();
  }
}

/** What differs in the times; null for nothing. Times count from the first sample. */
function isTimedAs(wanted: Samples, got: Samples): string | null {
  for (let i = 0; i < wanted.count; i++) {
    if (wanted.ticks[i] !== got.ticks[i]) return `the length of sample ${i}`;
    const from = (samples: Samples): number => samples.shownTicks[i]! - samples.shownTicks[0]!;
    if (from(wanted) !== from(got)) return `the time of sample ${i}`;
    if (wanted.isKey[i] !== got.isKey[i]) return `the key frame mark of sample ${i}`;
    if (wanted.description[i] !== got.description[i]) return `the description of sample ${i}`;
  }
  return null;
}

function isSame(a: number, wanted: Samples, b: number, got: Samples, index: number): boolean {
  const size = wanted.sizeBytes[index]!;
  if (got.sizeBytes[index] !== size) return false;
  for (let at = 0; at < size; at += pieceBytes) {
    const length = Math.min(pieceBytes, size - at);
    const left = readAt(a, wanted.offset[index]! + at, length);
    if (!left.equals(readAt(b, got.offset[index]! + at, length))) return false;
  }
  return true;
}

function readAt(descriptor: number, position: number, lengthBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(lengthBytes);
  let filled = 0;
  while (filled < lengthBytes) {
    const got = fs.readSync(descriptor, bytes, filled, lengthBytes - filled, position + filled);
    if (got === 0) break;
    filled += got;
  }
  return bytes.subarray(0, filled);
}

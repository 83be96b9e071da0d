import type { Track } from '../telemetry/movie.ts';
import { sliceOf, soundBetween, type Samples } from './cutSamples.ts';

/** One track of a cut: which samples, and from where in them it is shown. */
export interface CutTrack {
  readonly samples: Samples;
  readonly timescale: number;
  /** What the cut shows first, in ticks of the original's media; samples before it are there to be decoded only. */
  readonly shownFromTicks: number;
  readonly shownToTicks: number;
  /** The track begins this much later than the cut, seconds. */
  readonly delayS: number;
}

/** Where a cut of the pictures really begins and ends, in seconds as players count them. */
export interface VideoPlan extends CutTrack {
  readonly fromS: number;
  readonly toS: number;
  /** Frames that are shown. */
  readonly frames: number;
  /** Frames in front of the first that is shown, which others need. */
  readonly hiddenFrames: number;
  /** It ends sooner than asked for because the file's bytes do. */
  readonly isCutShort: boolean;
}

/** Seconds of the player to ticks of the media, and back. */
interface Scale {
  toTicks(seconds: number): number;
  toSeconds(ticks: number): number;
}

export function scaleOf(track: Track, movieTimescale: number): Scale {
  const { emptyTicks, mediaTicks } = track.edit;
  const emptyS = movieTimescale > 0 ? emptyTicks / movieTimescale : 0;
  return {
    toTicks: (seconds) => (seconds - emptyS) * track.timescale + mediaTicks,
    toSeconds: (ticks) => emptyS + (ticks - mediaTicks) / track.timescale,
  };
}

/** Whether all bytes of a sample are in the file: a truncated one lacks the last. */
const isThere = (samples: Samples, index: number, fileBytes: number): boolean =>
  samples.offset[index]! + samples.sizeBytes[index]! <= fileBytes;

/**
 * Plans a cut that needs no decoder: it begins at the last key frame that is shown at or before `fromS` and holds the
 * frame that is shown at `toS`, with all that must be decoded for it and without holes: frames that are stored out
 * of order (B-frames) may take it a little further. Null where no key frame is there to begin with.
 */
export function planVideo(
  track: Track,
  all: Samples,
  movieTimescale: number,
  fileBytes: number,
  request: { readonly fromS: number; readonly toS: number },
): VideoPlan | null {
  const scale = scaleOf(track, movieTimescale);
  const { mediaTicks } = track.edit;
  // Half a tick: times of frames come as seconds, rounded.
  const fromTicks = scale.toTicks(request.fromS) + 0.5;
  const toTicks = Math.max(scale.toTicks(request.toS), scale.toTicks(request.fromS)) + 0.5;
  const first = startOf(all, fromTicks, fileBytes);
  if (first === null) return null;

  let wanted = first;
  for (let i = first; i < all.count; i++) if (all.shownTicks[i]! <= toTicks) wanted = i;
  let there = first;
  while (there + 1 < all.count && isThere(all, there + 1, fileBytes)) there++;

  const after = earliestAfter(all, first);
  const last = lastWithoutHoles(all, first, wanted, there, after);
  const samples = sliceOf(all, first, last - first + 1);
  const shownFromTicks = Math.max(all.shownTicks[first]!, mediaTicks);
  let [frames, latest] = [0, 0];
  for (let i = 0; i < samples.count; i++) {
    if (samples.shownTicks[i]! >= shownFromTicks) frames++;
    if (samples.shownTicks[i]! >= samples.shownTicks[latest]!) latest = i;
  }
  const next = after[last - first + 1]!;
  const end = samples.shownTicks[latest]! + samples.ticks[latest]!;
  const shownToTicks = Number.isFinite(next) && next > samples.shownTicks[latest]! ? next : end;
  return {
    samples,
    timescale: track.timescale,
    shownFromTicks,
    shownToTicks,
    delayS: 0,
    fromS: scale.toSeconds(shownFromTicks),
    toS: scale.toSeconds(shownToTicks),
    frames,
    hiddenFrames: samples.count - frames,
    isCutShort: last < wanted,
  };
}

/** The latest key frame that is shown at or before the time; else the earliest there is. */
function startOf(all: Samples, fromTicks: number, fileBytes: number): number | null {
  let before = -1;
  let earliest = -1;
  for (let i = 0; i < all.count; i++) {
    if (all.isKey[i] !== 1 || all.sizeBytes[i] === 0 || !isThere(all, i, fileBytes)) continue;
    const shown = all.shownTicks[i]!;
    if (shown <= fromTicks && (before < 0 || shown >= all.shownTicks[before]!)) before = i;
    if (earliest < 0 || shown < all.shownTicks[earliest]!) earliest = i;
  }
  const start = before >= 0 ? before : earliest;
  return start >= 0 ? start : null;
}

/** For each sample from `first` on, when the earliest shown of it and all behind it is shown; Infinity at the end. */
function earliestAfter(all: Samples, first: number): Float64Array {
  const earliest = new Float64Array(all.count - first + 1);
  earliest[all.count - first] = Infinity;
  for (let i = all.count - 1; i >= first; i--)
    earliest[i - first] = Math.min(earliest[i - first + 1]!, all.shownTicks[i]!);
  return earliest;
}

/**
 * The first sample at or after `wanted` up to which nothing is missing between the frames shown; where the file
 * ends before it (`there`), the last one for which that holds.
 */
function lastWithoutHoles(
  all: Samples,
  first: number,
  wanted: number,
  there: number,
  after: Float64Array,
): number {
  let latest = -Infinity;
  let whole = first;
  for (let i = first; i <= there; i++) {
    latest = Math.max(latest, all.shownTicks[i]!);
    // Leading frames of the next group are shown before its key frame and belong to it.
    if (after[i - first + 1]! <= latest) continue;
    whole = i;
    if (i >= wanted) return i;
  }
  return whole;
}

/** The sound that is heard while the pictures of the plan are shown; null where there is none of it. */
export function planSound(
  track: Track,
  movieTimescale: number,
  fileBytes: number,
  video: VideoPlan,
): CutTrack | null {
  if (track.timescale === 0) return null;
  const scale = scaleOf(track, movieTimescale);
  const fromTicks = Math.max(Math.round(scale.toTicks(video.fromS)), track.edit.mediaTicks);
  const toTicks = Math.round(scale.toTicks(video.toS));
  const found = toTicks > fromTicks ? soundBetween(track.table, fromTicks, toTicks) : null;
  if (!found) return null;
  let there = 0;
  while (there < found.count && isThere(found, there, fileBytes)) there++;
  const samples = sliceOf(found, 0, there);
  if (there === 0) return null;
  const end = samples.startTicks[there - 1]! + samples.ticks[there - 1]!;
  const shownFromTicks = Math.max(fromTicks, samples.startTicks[0]!);
  const shownToTicks = Math.min(toTicks, end);
  if (shownToTicks <= shownFromTicks) return null;
  return {
    samples,
    timescale: track.timescale,
    shownFromTicks,
    shownToTicks,
    delayS: Math.max(0, scale.toSeconds(shownFromTicks) - video.fromS),
  };
}

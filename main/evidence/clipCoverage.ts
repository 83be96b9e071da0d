import type { TimeRange } from '../../shared/track.ts';
import type { SealedClip } from './clipFacts.ts';
import type { PreparedStream } from './prepared.ts';
import { uncovered, type Gap } from './tripSurvey.ts';

/** Between two clips of a camera this much is within the clocks' uncertainty and the joint of files. */
export const clipJointMs = 2000;
/** Samples of GPS come once a second: the rule of tracks (shared/gaps.ts) holds for them too. */
const positionGapMs = 10_000;

/** One stream of a camera over the package's range, from all its clips together. */
export interface ClipStreamCoverage {
  /** The lens (`front`, `option`, …), `gps` or `g-sensor`. */
  readonly stream: string;
  readonly clips: number;
  /** Of telemetry; null for pictures. */
  readonly samples: number | null;
  /** Clips with the stream whose time is unknown: they can't be placed. */
  readonly unplaced: number;
  /** Null where nothing of it has a time. */
  readonly gaps: readonly Gap[] | null;
  readonly gapsLongerThanMs: number;
}

export interface CameraClipCoverage {
  readonly psn: string | null;
  readonly clips: number;
  /** What was looked at: the range, or where that is open the span of the camera's clips. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** In a preview without those of telemetry. */
  readonly streams: readonly ClipStreamCoverage[];
}

/** For each camera of the case, what of the range its clips cover. */
export function coverageOfClips(
  clips: readonly SealedClip[],
  range: TimeRange,
): readonly CameraClipCoverage[] {
  const cameras = Map.groupBy(clips, (one) => one.clip.psn);
  return [...cameras].map(([psn, own]) => coverageOfCamera(psn, own, range));
}

/**
 * The stretches of a stream with samples: the times from the clip's start (ms, in order) without steps longer
 * than `longestStepMs`. Absent times (NaN) make no stretch, and are not counted.
 */
export function streamOf(timesMs: Float64Array, longestStepMs: number): PreparedStream {
  const spans: { fromMs: number; toMs: number }[] = [];
  let samples = 0;
  for (const time of timesMs) {
    if (Number.isNaN(time)) continue;
    samples++;
    const last = spans.at(-1);
    if (last && time - last.toMs <= longestStepMs) last.toMs = Math.max(last.toMs, time);
    else spans.push({ fromMs: time, toMs: time });
  }
  return { samples, spans };
}

function coverageOfCamera(
  psn: string | null,
  own: readonly SealedClip[],
  range: TimeRange,
): CameraClipCoverage {
  const placed = own.flatMap(({ startUtcMs, endUtcMs }) =>
    startUtcMs === null ? [] : [{ fromMs: startUtcMs, toMs: endUtcMs ?? startUtcMs }],
  );
  const fromMs = range.fromMs ?? placed.reduce((least, one) => Math.min(least, one.fromMs), Infinity);
  const toMs = range.toMs ?? placed.reduce((most, one) => Math.max(most, one.toMs), -Infinity);
  const span = placed.length > 0 && fromMs < toMs ? { fromMs, toMs } : null;
  const lenses = Map.groupBy(own, (one) => one.clip.facts?.name?.direction ?? 'unknown');
  const isRead = own.every((one) => one.prepared !== null);
  return {
    psn,
    clips: own.length,
    fromMs: span?.fromMs ?? null,
    toMs: span?.toMs ?? null,
    streams: [
      ...[...lenses].sort(byLens).map(([lens, clips]) => picturesOf(lens, clips, span)),
      ...(isRead
        ? [
            telemetryOf('gps', own, (one) => one.prepared?.positions ?? null, positionGapMs, span),
            telemetryOf('g-sensor', own, (one) => one.prepared?.gSensor ?? null, clipJointMs, span),
          ]
        : []),
    ],
  };
}

const lensOrder = ['front', 'option', 'rear', 'interior'];
function byLens([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  const rank = (lens: string): number =>
    (lensOrder.indexOf(lens) + lensOrder.length + 1) % (lensOrder.length + 1);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function picturesOf(lens: string, clips: readonly SealedClip[], span: Gap | null): ClipStreamCoverage {
  const shown = clips.filter((one) => one.clip.facts?.video);
  const placed = shown.flatMap((one) => {
    const { startUtcMs, endUtcMs } = one;
    return startUtcMs === null || endUtcMs === null
      ? []
      : [{ fromMs: startUtcMs, toMs: Math.min(endUtcMs, picturesEndMs(one, startUtcMs)) }];
  });
  return {
    stream: lens,
    clips: shown.length,
    samples: null,
    unplaced: shown.length - placed.length,
    gaps: gapsOf(placed, span, clipJointMs),
    gapsLongerThanMs: clipJointMs,
  };
}

/** A file that was cut short promises a length; its pictures are over before. */
function picturesEndMs({ clip, clock }: SealedClip, startUtcMs: number): number {
  const endS = clip.facts?.picturesEndS ?? null;
  return endS === null ? Infinity : startUtcMs + endS * 1000 * clock.rate;
}

function telemetryOf(
  stream: string,
  clips: readonly SealedClip[],
  partOf: (clip: SealedClip) => PreparedStream | null,
  shortestMs: number,
  span: Gap | null,
): ClipStreamCoverage {
  const placed: Gap[] = [];
  let samples = 0;
  let unplaced = 0;
  let count = 0;
  for (const one of clips) {
    const part = partOf(one);
    if (!part || part.samples === 0) continue;
    count++;
    samples += part.samples;
    const { startUtcMs, rate } = one.telemetryClock ?? one.clock;
    if (startUtcMs === null) unplaced++;
    else {
      for (const { fromMs, toMs } of part.spans) {
        placed.push({ fromMs: startUtcMs + fromMs * rate, toMs: startUtcMs + toMs * rate });
      }
    }
  }
  return {
    stream,
    clips: count,
    samples,
    unplaced,
    gaps: gapsOf(placed, span, shortestMs),
    gapsLongerThanMs: shortestMs,
  };
}

/** Null where nothing of the stream has a place in time: then nobody can say what is missing. */
function gapsOf(placed: readonly Gap[], span: Gap | null, shortestMs: number): readonly Gap[] | null {
  return span === null || placed.length === 0 ? null : uncovered(placed, span.fromMs, span.toMs, shortestMs);
}

import type { ClipGSensorColumns } from '../../../../shared/contract/clips.ts';
import type { ClockSubject, ReviewScene, SourceClock } from '../../../../shared/contract/review.ts';
import { magnitudeOf, strongestMoment, withoutGravity } from '../../../../shared/harshMoments.ts';
import { placeOfClip } from '../marks/anchors.ts';
import type { Review } from '../model.ts';

/** Values over scene time, as the clock in use places them; NaN is absent. In order of time. */
export interface Curve {
  readonly name: string;
  readonly unit: string;
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

/** What a source shows over time, for laying it against the pictures. */
export interface SourceCurves {
  readonly curves: readonly Curve[];
  /** The strongest |a| without gravity; null without G samples. */
  readonly peak: { readonly timeMs: number; readonly valueG: number } | null;
}

/** A source whose curve can be dragged against the pictures to set a clock. */
export interface CurveChoice {
  readonly subject: ClockSubject;
  readonly label: string;
  /** 1: the curve's own clock is set. -1: the curve stays and the clip moves the other way. */
  readonly sign: 1 | -1;
}

/** More tracks than this to choose from would be a list, not a choice. */
const mostTracks = 8;

/**
 * Whose curves can serve to set a clock: its own for telemetry, metadata and tracks; for a clip, whose embedded
 * curves move along with it, those of the sources that have a time of their own.
 */
export function curveChoices(scene: ReviewScene, clock: SourceClock): readonly CurveChoice[] {
  const { subject } = clock;
  if (subject.kind !== 'clip') return [{ subject, label: clock.label, sign: 1 }];
  if (scene.timebase === 'elapsed') return [];
  const metadata = scene.clocks.filter(
    (one) =>
      one.subject.kind === 'metadata' && one.subject.clipId === subject.clipId && one.origin === 'stated',
  );
  const tracks = [...scene.tracks].sort((a, b) => Number(b.isOwn) - Number(a.isOwn)).slice(0, mostTracks);
  return [
    ...metadata.map((one): CurveChoice => ({ subject: one.subject, label: one.label, sign: -1 })),
    ...tracks.map(({ tripId, cameraName, psn, fileName }): CurveChoice => ({
      subject: { kind: 'trip', tripId },
      label: `Track of ${cameraName ?? psn ?? 'an unknown camera'}, ${fileName}`,
      sign: -1,
    })),
  ];
}

/** Reads a source's own samples and puts them where its clock places them. Rejects with AppError. */
export async function readCurves(
  { host }: Pick<Review, 'host'>,
  scene: ReviewScene,
  subject: ClockSubject,
): Promise<SourceCurves> {
  const { client } = host;
  if (subject.kind === 'trip') {
    const { timesMs, speedKmh } = await client.invoke('trips.points', { tripId: subject.tripId });
    const shiftMs = scene.tracks.find(({ tripId }) => tripId === subject.tripId)?.shiftMs ?? 0;
    return {
      curves: [
        speedCurve(
          timesMs.map((ms) => ms + shiftMs),
          speedKmh,
        ),
      ].filter(hasValues),
      peak: null,
    };
  }
  const place = placeOfClip(scene, subject.clipId);
  const { clipId } = subject;
  const parts =
    subject.kind === 'metadata'
      ? await client.invoke('review.metadata', { clipId })
      : await client.invoke('clips.telemetry', { clipId });
  if (!place || !parts) return { curves: [], peak: null };
  const shiftMs =
    scene.clocks.find(
      (clock) =>
        clock.subject.kind === subject.kind && 'clipId' in clock.subject && clock.subject.clipId === clipId,
    )?.manual?.shiftMs ?? 0;
  const { startMs, rate } = place.segment;
  const toScene = (clipMs: Float64Array) =>
    clipMs.map((ms) => startMs + ms * rate + (subject.kind === 'clip' ? 0 : shiftMs));
  const { gps, gSensor } = parts;
  return {
    curves: [
      ...(gSensor ? [gCurve(toScene(gSensor.clipMs), gSensor)] : []),
      ...(gps ? [speedCurve(toScene(gps.clipMs), gps.speedKmh)] : []),
    ].filter(hasValues),
    peak: gSensor ? peakOf(toScene(gSensor.clipMs), gSensor) : null,
  };
}

const hasValues = ({ values }: Curve) => values.some((value) => !Number.isNaN(value));

const speedCurve = (timesMs: Float64Array, values: Float64Array): Curve => ({
  name: 'Speed, recorded',
  unit: 'km/h',
  ...inOrder(timesMs, values),
});

const gCurve = (timesMs: Float64Array, { axesG }: ClipGSensorColumns): Curve => ({
  name: '|a|, camera frame, gravity included',
  unit: 'g',
  ...inOrder(timesMs, magnitudeOf(axesG)),
});

function peakOf(timesMs: Float64Array, { axesG, axisNames }: ClipGSensorColumns): SourceCurves['peak'] {
  const samples = { timesMs, axesG, axisNames };
  const strongest = strongestMoment(samples, withoutGravity(samples));
  return strongest && { timeMs: strongest.timeMs, valueG: strongest.magnitudeG };
}

/** Samples without a time can't be drawn; a source may tell them in any order. */
function inOrder(timesMs: Float64Array, values: Float64Array): Pick<Curve, 'timesMs' | 'values'> {
  const kept = [...timesMs.keys()].filter((i) => Number.isFinite(timesMs[i]));
  const isWhole =
    kept.length === timesMs.length && timesMs.every((ms, i) => i === 0 || ms >= timesMs[i - 1]!);
  if (isWhole) return { timesMs, values };
  kept.sort((a, b) => timesMs[a]! - timesMs[b]!);
  return {
    timesMs: Float64Array.from(kept, (i) => timesMs[i]!),
    values: Float64Array.from(kept, (i) => values[i]!),
  };
}

/** Index of the first time at or after `ms`. */
export function firstAtOrAfter(timesMs: Float64Array, ms: number): number {
  let from = 0;
  let to = timesMs.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (timesMs[middle]! < ms) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Time of the sample nearest to a scene time, no further than `withinMs`; null where there is none. */
export function nearestSampleMs(curve: Curve, sceneMs: number, withinMs: number): number | null {
  const at = firstAtOrAfter(curve.timesMs, sceneMs);
  let best: number | null = null;
  for (const ms of [curve.timesMs[at - 1], curve.timesMs[at]]) {
    if (ms === undefined || Math.abs(ms - sceneMs) > withinMs) continue;
    if (best === null || Math.abs(ms - sceneMs) < Math.abs(best - sceneMs)) best = ms;
  }
  return best;
}

/** Lowest and highest value of a stretch, never of no height; null where it has no value. */
export function rangeOf(curve: Curve, fromMs: number, toMs: number): readonly [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  const end = firstAtOrAfter(curve.timesMs, toMs);
  for (let i = firstAtOrAfter(curve.timesMs, fromMs); i < end; i += 1) {
    const value = curve.values[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return null;
  return high - low < 1e-9 ? [low - 0.5, high + 0.5] : [low, high];
}

/** A break in the samples that is not drawn as if something had been measured in it. */
const breakMs = 2500;

/**
 * The line of a stretch as an SVG path in a box of the given size: lowest and highest value of each column of pixels,
 * so that no peak is lost. Empty where nothing lies in it.
 */
export function pathOf(
  curve: Curve,
  span: { readonly fromMs: number; readonly toMs: number },
  range: readonly [number, number],
  size: { readonly width: number; readonly height: number },
): string {
  const { timesMs, values } = curve;
  const [low, high] = range;
  const toX = (ms: number) => ((ms - span.fromMs) / (span.toMs - span.fromMs)) * size.width;
  const toY = (value: number) => size.height - 3 - ((value - low) / (high - low)) * (size.height - 6);
  const end = Math.min(timesMs.length, firstAtOrAfter(timesMs, span.toMs) + 1);
  let path = '';
  let lastMs = -Infinity;
  let column = { x: -Infinity, first: NaN, low: Infinity, high: -Infinity, last: NaN };
  const flush = () => {
    if (Number.isNaN(column.first)) return;
    const x = column.x.toFixed(1);
    const points = [column.first, column.low, column.high, column.last].map(
      (value) => `${x} ${toY(value).toFixed(1)}`,
    );
    path += [...new Set(points)]
      .map((point, i) => (i === 0 && path.endsWith('M') ? point : `L${point}`))
      .join('');
  };
  for (let i = Math.max(0, firstAtOrAfter(timesMs, span.fromMs) - 1); i < end; i += 1) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    const ms = timesMs[i]!;
    const x = Math.round(toX(ms) * 2) / 2;
    if (ms - lastMs > breakMs) {
      flush();
      path += 'M';
      column = { x, first: value, low: value, high: value, last: value };
    } else if (x === column.x) {
      column = {
        ...column,
        low: Math.min(column.low, value),
        high: Math.max(column.high, value),
        last: value,
      };
    } else {
      flush();
      column = { x, first: value, low: value, high: value, last: value };
    }
    lastMs = ms;
  }
  flush();
  return path.endsWith('M') ? path.slice(0, -1) : path;
}

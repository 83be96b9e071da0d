import { gapThresholdMs } from '../../shared/gaps.ts';
import { distanceM } from '../../shared/geometry.ts';
import type { Bbox } from '../../shared/track.ts';
import { HEADING, LAT, LNG, SPEED } from '../cache/trackCodec.ts';
import { timeMsAt } from './trackText.ts';
import { createCut, type CutRange, type PointSource, type WrittenTrip } from './trackWriters.ts';

export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

/** One stream of a trip over the package's range: how much of it is there, and where it is not. */
export interface StreamCoverage {
  readonly stream: 'positions' | 'speed' | 'heading';
  /** Points that carry it. */
  readonly present: number;
  readonly absent: number;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly gaps: readonly Gap[];
}

/** What can be said of the points of a trip that are inside the range. */
export interface TripSurvey {
  readonly points: number;
  readonly isCut: boolean;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly maxSpeedKmh: number | null;
  readonly distanceM: number;
  readonly bbox: Bbox | null;
  /** Steps longer than this are gaps (shared/gaps.ts); milliseconds. */
  readonly gapThresholdMs: number;
  readonly streams: readonly StreamCoverage[];
}

/** Goes once through the points of a trip. Facts of points outside the range are not in the result. */
export function surveyTrip(
  trip: WrittenTrip & { readonly points: number; readonly distanceM: number },
  points: PointSource,
  range: CutRange,
): TripSurvey {
  const isInside = createCut(trip, range);
  const times = new Times();
  const speedTimes = new Times();
  const headingTimes = new Times();
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  let count = 0;
  let maxSpeed = -Infinity;
  let length = 0;
  let before: { lat: number; lng: number } | null = null;
  for (const chunk of isOutside(trip, range) ? [] : points()) {
    for (let i = 0; i < chunk.count; i++) {
      if (!isInside(chunk, i)) continue;
      count++;
      const timeMs = timeMsAt(chunk, i);
      times.add(timeMs);
      const speed = chunk.numberAt(SPEED, i);
      if (!Number.isNaN(speed)) {
        speedTimes.add(timeMs);
        if (speed > maxSpeed) maxSpeed = speed;
      }
      if (!Number.isNaN(chunk.numberAt(HEADING, i))) headingTimes.add(timeMs);
      const lat = chunk.numberAt(LAT, i);
      const lng = chunk.numberAt(LNG, i);
      box.west = Math.min(box.west, lng);
      box.east = Math.max(box.east, lng);
      box.south = Math.min(box.south, lat);
      box.north = Math.max(box.north, lat);
      if (before) length += distanceM(before.lat, before.lng, lat, lng);
      before = { lat, lng };
    }
  }
  const all = times.sorted();
  const threshold = gapThresholdMs(all);
  const isCut = count < trip.points;
  const coverage = (stream: StreamCoverage['stream'], own: Times): StreamCoverage =>
    coverageOf(stream, own, count, all, threshold);
  return {
    points: count,
    isCut,
    fromMs: all[0] ?? null,
    toMs: all[all.length - 1] ?? null,
    maxSpeedKmh: maxSpeed === -Infinity ? null : trip.speedUnit === 'kmh' ? maxSpeed : (maxSpeed * 36) / 10,
    distanceM: isCut ? length : trip.distanceM,
    bbox: count === 0 ? null : [box.west, box.south, box.east, box.north],
    gapThresholdMs: threshold,
    streams: [coverage('positions', times), coverage('speed', speedTimes), coverage('heading', headingTimes)],
  };
}

/** True when the trip's own start and end already say that no point can be inside. */
function isOutside(trip: WrittenTrip, range: CutRange): boolean {
  if (!trip.hasPointTimes || trip.startedAtMs === null || trip.endedAtMs === null) return false;
  return trip.endedAtMs < (range.fromMs ?? -Infinity) || trip.startedAtMs >= (range.toMs ?? Infinity);
}

function coverageOf(
  stream: StreamCoverage['stream'],
  own: Times,
  count: number,
  all: Float64Array,
  threshold: number,
): StreamCoverage {
  const times = own.sorted();
  const first = all[0];
  const last = all[all.length - 1];
  const gaps: Gap[] = [];
  if (times.length > 0 && first !== undefined && last !== undefined) {
    // Also from the trip's first point to the stream's first, and from its last to the trip's last.
    let previous = first;
    for (const time of edges(times, first, last)) {
      if (time - previous > threshold) gaps.push({ fromMs: previous, toMs: time });
      previous = time;
    }
  }
  return {
    stream,
    present: own.added,
    absent: count - own.added,
    fromMs: times[0] ?? null,
    toMs: times[times.length - 1] ?? null,
    gaps,
  };
}

function* edges(times: Float64Array, first: number, last: number): Generator<number> {
  yield first;
  yield* times;
  yield last;
}

/** Growing list of times; NaN (absent) is counted, not kept. */
class Times {
  added = 0;
  private kept = new Float64Array(1024);
  private length = 0;

  add(timeMs: number): void {
    this.added++;
    if (Number.isNaN(timeMs)) return;
    if (this.length === this.kept.length) {
      const larger = new Float64Array(this.length * 2);
      larger.set(this.kept);
      this.kept = larger;
    }
    this.kept[this.length++] = timeMs;
  }

  sorted(): Float64Array {
    return this.kept.slice(0, this.length).sort();
  }
}

/** The stretches of [fromMs, toMs] that none of the intervals covers, those of up to `shortestMs` aside. */
export function uncovered(
  intervals: readonly Gap[],
  fromMs: number,
  toMs: number,
  shortestMs: number,
): readonly Gap[] {
  const gaps: Gap[] = [];
  let reached = fromMs;
  for (const one of [...intervals].sort((a, b) => a.fromMs - b.fromMs)) {
    const start = Math.min(one.fromMs, toMs);
    if (start - reached > shortestMs) gaps.push({ fromMs: reached, toMs: start });
    reached = Math.max(reached, one.toMs);
  }
  if (toMs - reached > shortestMs) gaps.push({ fromMs: reached, toMs });
  return gaps;
}

/** What of the trip was recorded: its time less the gaps in its positions. */
export function recordedIntervals(survey: TripSurvey): readonly Gap[] {
  if (survey.fromMs === null || survey.toMs === null) return [];
  const intervals: Gap[] = [];
  let fromMs = survey.fromMs;
  for (const gap of survey.streams[0]?.gaps ?? []) {
    intervals.push({ fromMs, toMs: gap.fromMs });
    fromMs = gap.toMs;
  }
  intervals.push({ fromMs, toMs: survey.toMs });
  return intervals;
}

import type { TrackSeries } from '../../../shared/contract/trips.ts';
import { gapThresholdMs } from '../../../shared/gaps.ts';
import type { TripId } from '../../../shared/ids.ts';
import type { TimeRange } from '../../../shared/track.ts';
import { chunkPoints, PointColumns } from '../../cache/trackCodec.ts';
import { headingsOf, speedsKmhOf, timesMsOf, type SpeedUnit } from '../../cache/trackColumns.ts';
import type { StoredTrip, TripRepository } from '../../cache/tripRepository.ts';
import { createBreather } from './breather.ts';

/** Recorded values of one camera in order of time. `gapLimitMs[i]` is the step before i from which it is a gap. */
export interface CameraSamples {
  readonly timesMs: Float64Array;
  readonly speedKmh: Float64Array;
  readonly headingDeg: Float64Array;
  readonly gapLimitMs: Float64Array;
}

/** One series for each camera of the trips, by camera; trips without point times have none. */
export async function seriesOf(
  trips: TripRepository,
  input: { readonly tripIds: readonly TripId[]; readonly range: TimeRange; readonly buckets: number },
): Promise<readonly TrackSeries[]> {
  const breather = createBreather();
  const scratch = new PointColumns(chunkPoints);
  const byCamera = new Map<string | null, StoredTrip[]>();
  for (const trip of trips.stored(input.tripIds)) {
    if (!trip.hasPointTimes) continue;
    const group = byCamera.get(trip.psn);
    if (group) group.push(trip);
    else byCamera.set(trip.psn, [trip]);
  }
  const collected: { readonly trip: StoredTrip; readonly samples: CameraSamples }[] = [];
  for (const group of byCamera.values()) {
    const parts: CameraSamples[] = [];
    for (const trip of group) {
      if (!mayOverlap(trip, input.range)) continue;
      await breather.pause();
      parts.push(samplesOf(trips.readInto(trip.tripKey, scratch), trip.speedUnit, input.range));
    }
    const named = group.findLast((trip) => trip.cameraName !== null) ?? group[0]!;
    collected.push({ trip: named, samples: mergeSamples(parts) });
  }
  // One grid for all cameras, so that their steps line up on the shared time axis.
  const grid = gridOf(
    collected.map((one) => one.samples),
    input.range,
    input.buckets,
  );
  const series: TrackSeries[] = [];
  for (const { trip, samples } of collected) {
    await breather.pause();
    series.push({ psn: trip.psn, cameraName: trip.cameraName, ...thin(samples, grid, input.range) });
  }
  return series.sort((a, b) => (a.psn === null ? 1 : b.psn === null ? -1 : a.psn < b.psn ? -1 : 1));
}

interface Grid {
  readonly startMs: number;
  readonly stepMs: number;
}

function gridOf(all: readonly CameraSamples[], range: TimeRange, buckets: number): Grid {
  let first = Infinity;
  let last = -Infinity;
  for (const { timesMs } of all) {
    if (timesMs.length === 0) continue;
    first = Math.min(first, timesMs[0]!);
    last = Math.max(last, timesMs.at(-1)!);
  }
  const startMs = range.fromMs ?? first;
  const endMs = range.toMs ?? last;
  const span = endMs > startMs ? endMs - startMs : 1;
  return {
    startMs: Number.isFinite(startMs) ? startMs : 0,
    stepMs: Number.isFinite(span) ? span / buckets : 1,
  };
}

/**
 * Keeps each bucket's lowest and highest recorded speed, the first point of which the speed is absent, and, with
 * no speed at all, its first and last point (for the heading). Times are recorded ones; a gap is a pair in
 * `gapsMs` and a row of NaN in its middle that breaks the drawn line.
 */
export function thin(
  samples: CameraSamples,
  grid: Grid,
  range: TimeRange,
): Pick<TrackSeries, 'timesMs' | 'speedKmh' | 'headingDeg' | 'gapsMs'> {
  const { timesMs, speedKmh, headingDeg, gapLimitMs } = samples;
  const total = timesMs.length;
  const gaps: number[] = [];
  const rows: number[] = []; // index of a sample, or -1 - index for a break before that sample
  let at = 0;
  while (at < total) {
    const bucket = Math.floor((timesMs[at]! - grid.startMs) / grid.stepMs);
    const first = at;
    let lowest = -1;
    let highest = -1;
    let absent = -1;
    let isBrokenBefore: boolean;
    // A bucket ends at its edge or at a gap, so that a gap narrower than a bucket still shows.
    do {
      const value = speedKmh[at]!;
      if (Number.isNaN(value)) {
        if (absent < 0) absent = at;
      } else {
        if (lowest < 0 || value < speedKmh[lowest]!) lowest = at;
        if (highest < 0 || value > speedKmh[highest]!) highest = at;
      }
      at++;
      isBrokenBefore = at < total && timesMs[at]! - timesMs[at - 1]! > gapLimitMs[at]!;
    } while (
      at < total &&
      !isBrokenBefore &&
      Math.floor((timesMs[at]! - grid.startMs) / grid.stepMs) === bucket
    );
    const kept = lowest < 0 ? [first, at - 1] : [lowest, highest, absent];
    const distinct = [...new Set(kept)].filter((index) => index >= 0).sort((a, b) => a - b);
    rows.push(...distinct);
    if (isBrokenBefore) {
      gaps.push(timesMs[at - 1]!, timesMs[at]!);
      rows.push(-1 - at);
    }
  }
  addEdgeGaps(samples, range, gaps);
  const out = {
    timesMs: new Float64Array(rows.length),
    speedKmh: new Float64Array(rows.length),
    headingDeg: new Float64Array(rows.length),
  };
  rows.forEach((row, i) => {
    if (row >= 0) {
      out.timesMs[i] = timesMs[row]!;
      out.speedKmh[i] = speedKmh[row]!;
      out.headingDeg[i] = headingDeg[row]!;
    } else {
      const after = -1 - row;
      out.timesMs[i] = (timesMs[after - 1]! + timesMs[after]!) / 2;
      out.speedKmh[i] = NaN;
      out.headingDeg[i] = NaN;
    }
  });
  return { ...out, gapsMs: Float64Array.from(gaps) };
}

/** Silence between an asked edge and the first or last point is a gap by the same rule. */
function addEdgeGaps({ timesMs, gapLimitMs }: CameraSamples, range: TimeRange, gaps: number[]): void {
  if (timesMs.length === 0) {
    if (range.fromMs !== null && range.toMs !== null && range.fromMs < range.toMs) {
      gaps.push(range.fromMs, range.toMs);
    }
    return;
  }
  const first = timesMs[0]!;
  const last = timesMs.at(-1)!;
  if (range.fromMs !== null && first - range.fromMs > gapLimitMs[0]!) gaps.unshift(range.fromMs, first);
  if (range.toMs !== null && range.toMs - last > gapLimitMs.at(-1)!) gaps.push(last, range.toMs);
}

/** A trip's points with a time inside the range. */
function samplesOf(points: PointColumns, speedUnit: SpeedUnit, range: TimeRange): CameraSamples {
  const timesMs = timesMsOf(points);
  const limitMs = gapThresholdMs(timesMs);
  const speedKmh = speedsKmhOf(points, speedUnit);
  const headingDeg = headingsOf(points);
  const fromMs = range.fromMs ?? -Infinity;
  const toMs = range.toMs ?? Infinity;
  let kept = 0;
  for (let i = 0; i < timesMs.length; i++) {
    const timeMs = timesMs[i]!;
    if (!(timeMs >= fromMs && timeMs < toMs)) continue; // also leaves out points without a time
    timesMs[kept] = timeMs;
    speedKmh[kept] = speedKmh[i]!;
    headingDeg[kept] = headingDeg[i]!;
    kept++;
  }
  return {
    timesMs: timesMs.subarray(0, kept),
    speedKmh: speedKmh.subarray(0, kept),
    headingDeg: headingDeg.subarray(0, kept),
    gapLimitMs: new Float64Array(kept).fill(limitMs),
  };
}

/** Joins parts in order of time; sorts only if they overlap or a source was out of order. */
function mergeSamples(parts: readonly CameraSamples[]): CameraSamples {
  const total = parts.reduce((sum, part) => sum + part.timesMs.length, 0);
  const joined = {
    timesMs: new Float64Array(total),
    speedKmh: new Float64Array(total),
    headingDeg: new Float64Array(total),
    gapLimitMs: new Float64Array(total),
  };
  const names = ['timesMs', 'speedKmh', 'headingDeg', 'gapLimitMs'] as const;
  let at = 0;
  for (const part of parts) {
    for (const name of names) joined[name].set(part[name], at);
    at += part.timesMs.length;
  }
  let isSorted = true;
  for (let i = 1; i < total && isSorted; i++) isSorted = joined.timesMs[i - 1]! <= joined.timesMs[i]!;
  if (isSorted) return joined;
  const order = Uint32Array.from({ length: total }, (_, i) => i);
  order.sort((a, b) => joined.timesMs[a]! - joined.timesMs[b]! || a - b);
  const sorted = { ...joined };
  for (const name of names) sorted[name] = Float64Array.from(order, (index) => joined[name][index]!);
  return sorted;
}

function mayOverlap(trip: StoredTrip, range: TimeRange): boolean {
  if (trip.startedAtMs === null || trip.endedAtMs === null) return true;
  return (
    (range.fromMs === null || trip.endedAtMs >= range.fromMs) &&
    (range.toMs === null || trip.startedAtMs < range.toMs)
  );
}

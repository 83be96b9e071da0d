import type { TrackLines } from '../../../shared/contract/trips.ts';
import { gapThresholdMs } from '../../../shared/gaps.ts';
import { bboxesOverlap } from '../../../shared/geometry.ts';
import type { TripId } from '../../../shared/ids.ts';
import type { Bbox } from '../../../shared/track.ts';
import type { LineRepository, StoredLine } from '../../cache/lineRepository.ts';
import { chunkPoints, PointColumns } from '../../cache/trackCodec.ts';
import { headingsOf, latitudesOf, longitudesOf, speedsKmhOf, timesMsOf } from '../../cache/trackColumns.ts';
import type { StoredTrip, TripRepository } from '../../cache/tripRepository.ts';
import { createBreather, type Breather } from './breather.ts';
import { decodeLine, encodeLine, isGapMark, levelOf, type PackedLine } from './lineCodec.ts';
import { LineCollector } from './lineCollector.ts';
import { pointLevels } from './simplify.ts';

/**
 * Lines are kept for these levels, each with all coarser ones inside (every vertex knows its own level), so
 * that any zoom level is served from one small blob for each trip. Above the last, every point is drawn.
 */
export const keptLevels = [6, 10, 14, 18] as const;
export type KeptLevel = (typeof keptLevels)[number];
const finestKept = keptLevels[3];
/** Outside the asked box a line is drawn this many levels coarser. */
const coarserOutside = 6;
/** Lines computed before they are written, in one transaction. */
const keepAtOnce = 512;
/** Lines held in memory for overlapping requests. */
const mostRecentBytes = 8_000_000;

export interface LineRequest {
  readonly tripIds: readonly TripId[];
  readonly level: number;
  readonly bbox?: Bbox | undefined;
}

export interface LineService {
  /** The lines of the trips that are there (and touch the box), by start. */
  lines(request: LineRequest): Promise<TrackLines>;
  /** Computes the lines of one kept level that are missing; ends early, quietly, when aborted. */
  warm(tripIds: readonly TripId[], kept: KeptLevel, signal: AbortSignal): Promise<void>;
}

/** Simplified lines, computed on first use and kept in the cache. Yields between trips. */
export function createLineService(trips: TripRepository, lines: LineRepository): LineService {
  // Requests that overlap share what either has computed: a window that moves asks again before it was answered.
  const recent = new Map<string, Uint8Array>();
  let recentBytes = 0;
  // Read and used up between two pauses, so requests may share it.
  const whole = new PointColumns(chunkPoints);

  function keep(batch: readonly StoredLine[]): void {
    if (batch.length === 0 || lines.keep(batch)) return;
    // Not written now: to be computed, and offered, again.
    for (const line of batch) recent.delete(`${line.tripId}/${line.level}`);
  }

  function computed(trip: StoredTrip, kept: number, fresh: StoredLine[]): Uint8Array {
    const name = `${trip.tripId}/${kept}`;
    const known = recent.get(name);
    if (known) return known;
    const data = computeLine(trip, trips.readInto(trip.tripKey, whole), kept);
    if (recentBytes > mostRecentBytes) {
      recent.clear();
      recentBytes = 0;
    }
    recent.set(name, data);
    recentBytes += data.length;
    fresh.push({ tripKey: trip.tripKey, tripId: trip.tripId, level: kept, data });
    if (fresh.length >= keepAtOnce) keep(fresh.splice(0));
    return data;
  }

  /** Calls `use` with each trip's line at a kept level, computing and keeping those that are missing. */
  async function eachLine(
    stored: readonly StoredTrip[],
    kept: number,
    breather: Breather,
    use: (trip: StoredTrip, line: PackedLine) => void,
  ): Promise<void> {
    const known = lines.find(
      stored.map((trip) => trip.tripKey),
      kept,
    );
    // Not shared between requests: while one awaits its turn another may unpack.
    const scratch = new PointColumns(1024);
    const fresh: StoredLine[] = [];
    for (const trip of stored) {
      await breather.pause();
      const data = known.get(trip.tripKey);
      let line = data === undefined ? null : decodeLine(data, scratch);
      line ??= decodeLine(computed(trip, kept, fresh), scratch);
      if (line !== null) use(trip, line);
    }
    keep(fresh);
  }

  return {
    async lines({ tripIds, level, bbox }) {
      const breather = createBreather();
      const all = trips.stored(tripIds);
      const stored = bbox === undefined ? all : all.filter((trip) => bboxesOverlap(trip.bbox, bbox));
      const collector = new LineCollector(level, bbox ?? null, Math.max(0, level - coarserOutside));
      const kept = keptLevels.find((one) => one >= level);
      if (kept !== undefined) {
        await eachLine(stored, kept, breather, (trip, line) => {
          const { points, marks } = line;
          collector.add(trip.tripId, {
            ...numbersOf(trip, points),
            levelAt: (i) => levelOf(marks[i]!),
            isGapAt: (i) => isGapMark(marks[i]!),
          });
        });
        return collector.finish();
      }
      for (const trip of stored) {
        await breather.pause();
        const numbers = numbersOf(trip, trips.readInto(trip.tripKey, whole));
        const isBreak = breaksOf(numbers.timesMs);
        // Every point is drawn inside the box; which ones matter outside of it is asked only if there is one.
        const levels =
          bbox === undefined
            ? null
            : pointLevels(numbers.latDeg, numbers.lngDeg, isBreak, finestKept, numbers.speedKmh);
        collector.add(trip.tripId, {
          ...numbers,
          levelAt: (i) => (levels === null ? 0 : Math.min(levels[i]!, level)),
          isGapAt: (i) => isBreak[i] === 1,
        });
      }
      return collector.finish();
    },

    async warm(tripIds, kept, signal) {
      const breather = createBreather();
      const stored = trips.stored(tripIds);
      const missing = lines.missing(
        stored.map((trip) => trip.tripKey),
        kept,
      );
      const fresh: StoredLine[] = [];
      for (const trip of stored) {
        if (!missing.has(trip.tripKey)) continue;
        await breather.pause();
        if (signal.aborted) break;
        computed(trip, kept, fresh);
      }
      keep(fresh);
    },
  };
}

function computeLine(trip: StoredTrip, points: PointColumns, kept: number): Uint8Array {
  const isBreak = breaksOf(timesMsOf(points));
  const speedKmh = speedsKmhOf(points, trip.speedUnit);
  const levels = pointLevels(latitudesOf(points), longitudesOf(points), isBreak, kept, speedKmh);
  return encodeLine(points, levels, isBreak);
}

/** 1 where the step from the point before is a gap (shared/gaps.ts). */
function breaksOf(timesMs: Float64Array): Uint8Array {
  const isBreak = new Uint8Array(timesMs.length);
  const limitMs = gapThresholdMs(timesMs);
  for (let i = 1; i < timesMs.length; i++) {
    if (timesMs[i]! - timesMs[i - 1]! > limitMs) isBreak[i] = 1;
  }
  return isBreak;
}

function numbersOf(trip: StoredTrip, points: PointColumns) {
  return {
    latDeg: latitudesOf(points),
    lngDeg: longitudesOf(points),
    timesMs: timesMsOf(points),
    speedKmh: speedsKmhOf(points, trip.speedUnit),
    headingDeg: headingsOf(points),
  };
}

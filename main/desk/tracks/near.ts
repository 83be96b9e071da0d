import type { Circle, Pass } from '../../../shared/contract/trips.ts';
import { gapThresholdMs, shortestGapMs } from '../../../shared/gaps.ts';
import { createGroundCircle, type GroundCircle } from '../../../shared/geometry.ts';
import type { TimeRange } from '../../../shared/track.ts';
import { chunkPoints, PointColumns } from '../../cache/trackCodec.ts';
import { latitudesOf, longitudesOf, timesMsOf } from '../../cache/trackColumns.ts';
import type { CandidateChunks, StoredTrip, TripRepository } from '../../cache/tripRepository.ts';
import type { Breather } from './breather.ts';

/** Points of a trip that follow one another without a hole between chunks. */
export interface PointRun {
  readonly timesMs: Float64Array;
  readonly latDeg: Float64Array;
  readonly lngDeg: Float64Array;
}

/** A pass without whose it is. */
type BarePass = Omit<Pass, 'tripId' | 'psn' | 'cameraName'>;
type OpenPass = { -readonly [K in keyof BarePass]: BarePass[K] };

/**
 * The times a run of points came within the circle. A pass is a longest stretch of the driven line inside it;
 * the line is broken where recording had a gap (`thresholdMs`, asked for only when a step might be one).
 * Entered and left are recorded times; only where no recorded point lies inside (the line crosses between two)
 * are they the interpolated moment of the closest approach.
 */
export function passesOf(
  run: PointRun,
  circle: GroundCircle,
  radiusM: number,
  thresholdMs: () => number,
): BarePass[] {
  const { timesMs, latDeg, lngDeg } = run;
  const passes: BarePass[] = [];
  let open = null as OpenPass | null;
  let limitMs: number | null = null;
  const isGap = (stepMs: number): boolean => {
    if (!(stepMs > shortestGapMs)) return false; // also for absent times: no time, no gap to be seen
    limitMs ??= thresholdMs();
    return stepMs > limitMs;
  };
  const close = (): void => {
    if (open) passes.push(open);
    open = null;
  };
  for (let i = 0; i < latDeg.length; i++) {
    const lat = latDeg[i]!;
    const lng = lngDeg[i]!;
    const isJoined = i > 0 && !isGap(timesMs[i]! - timesMs[i - 1]!);
    if (!isJoined) close();
    const latBefore = isJoined ? latDeg[i - 1]! : lat;
    const lngBefore = isJoined ? lngDeg[i - 1]! : lng;
    if (open === null && !circle.mayTouch(latBefore, lngBefore, lat, lng)) continue;

    const nearest = circle.approach(latBefore, lngBefore, lat, lng);
    const isInside = circle.contains(lat, lng);
    if (open === null && !isInside && nearest.distanceM > radiusM) continue;
    const timeMs = timeOrNull(timesMs[i]!);
    const nearestAtMs = isJoined ? between(timesMs[i - 1]!, timesMs[i]!, nearest.fraction) : timeMs;
    if (open === null || nearest.distanceM < open.closestM) {
      const isInterpolated = isJoined && nearest.fraction > 0 && nearest.fraction < 1;
      open = {
        enteredAtMs: open?.enteredAtMs ?? null,
        leftAtMs: open?.leftAtMs ?? null,
        pointsInside: open?.pointsInside ?? 0,
        closestM: nearest.distanceM,
        closestAtMs: nearestAtMs,
        closestLatDeg: nearest.latDeg,
        closestLngDeg: nearest.lngDeg,
        isClosestInterpolated: isInterpolated,
      };
    }
    if (isInside) {
      open.pointsInside++;
      open.enteredAtMs ??= timeMs;
      open.leftAtMs = timeMs ?? open.leftAtMs;
    } else {
      if (open.pointsInside === 0) {
        open.enteredAtMs = open.closestAtMs;
        open.leftAtMs = open.closestAtMs;
      }
      close();
    }
  }
  close();
  return passes;
}

/**
 * Who passed here, ordered by the moment of closest approach (those without a time last). With a range, passes
 * that overlap it, whole; passes without a time stay when their trip may have been under way then.
 */
export async function findPasses(
  trips: TripRepository,
  circle: Circle,
  range: TimeRange,
  breather: Breather,
): Promise<Pass[]> {
  const ground = createGroundCircle(circle);
  const candidates = trips.candidates(ground.boxes);
  if (candidates.length === 0) return [];
  const stored = trips.storedInRange(
    candidates.map((candidate) => candidate.tripKey),
    range,
  );
  const passes: Pass[] = [];
  for (const candidate of candidates) {
    const trip = stored.get(candidate.tripKey);
    if (!trip) continue;
    await breather.pause();
    for (const run of runsOf(trips, candidate)) {
      const found = passesOf(run, ground, circle.radiusM, () => thresholdOf(trips, trip, run));
      for (const pass of found) {
        if (!overlaps(pass, range)) continue;
        passes.push({ tripId: trip.tripId, psn: trip.psn, cameraName: trip.cameraName, ...pass });
      }
    }
  }
  return passes.sort(
    (a, b) => (a.closestAtMs ?? Infinity) - (b.closestAtMs ?? Infinity) || a.closestM - b.closestM,
  );
}

const scratch = new PointColumns(chunkPoints);

function* runsOf(trips: TripRepository, { chunks }: CandidateChunks): Generator<PointRun> {
  let from = 0;
  for (let i = 1; i <= chunks.length; i++) {
    if (i < chunks.length && chunks[i]!.ordinal === chunks[i - 1]!.ordinal + 1) continue;
    scratch.clear();
    for (let k = from; k < i; k++) trips.unpack(chunks[k]!.chunkKey, scratch);
    from = i;
    yield { timesMs: timesMsOf(scratch), latDeg: latitudesOf(scratch), lngDeg: longitudesOf(scratch) };
  }
}

/** The gap rule looks at the whole trip, of which a run may be a part. */
function thresholdOf(trips: TripRepository, trip: StoredTrip, run: PointRun): number {
  if (run.timesMs.length === trip.points) return gapThresholdMs(run.timesMs);
  return gapThresholdMs(timesMsOf(trips.columnsOfKey(trip.tripKey, trip.points)));
}

function overlaps(pass: BarePass, range: TimeRange): boolean {
  const from = pass.enteredAtMs ?? pass.closestAtMs;
  const to = pass.leftAtMs ?? pass.closestAtMs;
  if (from === null || to === null) return true;
  return (range.fromMs === null || to >= range.fromMs) && (range.toMs === null || from < range.toMs);
}

function timeOrNull(timeMs: number): number | null {
  return Number.isNaN(timeMs) ? null : timeMs;
}

function between(fromMs: number, toMs: number, fraction: number): number | null {
  if (fraction === 0) return timeOrNull(fromMs);
  if (fraction === 1) return timeOrNull(toMs);
  return timeOrNull(fromMs + (toMs - fromMs) * fraction);
}

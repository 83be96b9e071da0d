import type { SourceClock } from '../../shared/contract/review.ts';
import type { ClipId, TripId } from '../../shared/ids.ts';
import { createClipRepository } from '../cache/clipRepository.ts';
import { createClockRepository } from '../cache/clockRepository.ts';
import type { EvidenceCache } from '../cache/openCache.ts';
import { createSourceRepository } from '../cache/sourceRepository.ts';
import { createTripRepository } from '../cache/tripRepository.ts';
import { createClipClocks } from '../media/review/clipClocks.ts';
import { toTelemetryClock, toTripClock } from '../media/review/sourceClock.ts';

/**
 * The clocks that a package states: the one in use of each clip, and of whatever beside the clips was moved by hand:
 * their telemetry, and tracks. Clips that are not there (any more) are left out.
 */
export type ClocksInUse = (clipIds: readonly ClipId[]) => readonly SourceClock[];

/** Reads the clocks from everything that the cache holds about them. */
export function createClocksInUse(cache: EvidenceCache): ClocksInUse {
  const clipClocks = createClipClocks({ cache });
  const settings = createClockRepository(cache.db);
  const clips = createClipRepository(cache.db);
  const trips = createTripRepository(cache.db);
  const sources = createSourceRepository(cache.db);

  function ofTracks(): readonly SourceClock[] {
    const set = settings.ofKind('trip');
    const moved = trips.stored([...set.keys()] as TripId[]); // the setting's subject is a trip
    return moved.map((trip) => {
      const { fileName = trip.sourceId, sha256 = null } = sources.get(trip.sourceId) ?? {};
      return toTripClock(trip, { fileName, sha256 }, set.get(trip.tripId) ?? null);
    });
  }

  return (clipIds) => {
    const ofClips = clipClocks.ofMany(clipIds);
    const moved = settings.ofKind('telemetry');
    const ofTelemetry = [...ofClips].flatMap(([clipId, clock]) => {
      const setting = moved.get(clipId);
      return setting ? [toTelemetryClock(clips.get(clipId), clock, setting)] : [];
    });
    return [...ofClips.values(), ...ofTelemetry, ...ofTracks()];
  };
}

import { createTripRepository } from '../../cache/tripRepository.ts';
import { writeTrack, type WrittenTrip } from '../trackWriters.ts';
import type { PackagePart, PartMaker } from './part.ts';

const formats = ['csv', 'gpx', 'kml'] as const;

/** tracks/: each trip, cut to the range, in three forms. */
export const trackParts: PartMaker = ({ cache, facts }) => {
  // One for all parts: each has its statements and buffers, and there are three parts for every trip.
  const trips = createTripRepository(cache.db);
  return facts.trips.flatMap(({ trip, survey, fileStem }) =>
    formats.map((format): PackagePart => {
      const count = `${survey.points}${survey.isCut ? ` of ${trip.points}` : ''} points`;
      return {
        path: `tracks/${fileStem}.${format}`,
        why: `trip ${trip.tripId}, ${count}, as ${format.toUpperCase()}`,
        sizeBytes: null,
        content: {
          kind: 'text',
          pieces: () => writeTrack(format, trip, () => trips.chunksOf(trip.tripId), facts.range),
          mostBytes: mostBytesOf(trip, survey.points),
        },
      };
    }),
  );
};

/** No form of a point is longer than this, short of numbers with hundreds of digits. */
function mostBytesOf(trip: WrittenTrip, points: number): number {
  const names = ((trip.psn?.length ?? 0) + (trip.cameraName?.length ?? 0)) * 6;
  return (points + 10) * (400 + names) + (trip.name?.length ?? 0) * 20;
}

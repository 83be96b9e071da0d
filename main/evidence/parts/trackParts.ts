import { pointsOf } from '../sealFacts.ts';
import { writeTrack } from '../trackWriters.ts';
import type { PackagePart, PartMaker } from './part.ts';

const formats = ['csv', 'gpx', 'kml'] as const;

/** tracks/: each trip, cut to the range, in three forms. */
export const trackParts: PartMaker = ({ cache, facts }) =>
  facts.trips.flatMap(({ trip, survey, fileStem }) =>
    formats.map((format): PackagePart => {
      const points = pointsOf(cache, trip.tripId);
      const count = `${survey.points}${survey.isCut ? ` of ${trip.points}` : ''} points`;
      return {
        path: `tracks/${fileStem}.${format}`,
        why: `trip ${trip.tripId}, ${count}, as ${format.toUpperCase()}`,
        sizeBytes: null,
        content: { kind: 'text', pieces: () => writeTrack(format, trip, points, facts.range) },
      };
    }),
  );

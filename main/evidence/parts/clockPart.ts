import { toRfc3339 } from '../../../shared/time.ts';
import { jsonPart, type PartMaker } from './part.ts';

/** clock.json: for each source, in which zone its times are and how that is known. Unknown stays unknown. */
export const clockPart: PartMaker = ({ facts }) => [
  jsonPart('clock.json', 'how the time of each source is known', {
    schemaVersion: 1,
    statement:
      'Times are UTC as the sources state them. Nobody has compared these clocks with another one, so how far ' +
      'they may be off is unknown.',
    sources: facts.sources.map(({ report }) => {
      const trips = facts.trips.filter(({ trip }) => trip.sourceId === report.sourceId);
      return {
        sourceId: report.sourceId,
        fileName: report.fileName,
        sha256: report.sha256,
        zone: 'UTC',
        utcOffsetMinutes: 0,
        howFound:
          report.kind === 'gpx' || report.kind === 'kml' || report.kind === 'csv'
            ? 'stated in the file: each time carries Z or an offset, or is read as UTC and then listed under flagged'
            : 'stated by the export service (specification 4.3 rule 6): all times inside an export are UTC',
        spreadSeconds: null,
        uncertaintySeconds: null,
        setBy: null,
        setAt: null,
        from: toRfc3339(report.fromMs),
        to: toRfc3339(report.toMs),
        tripsWithoutTimes: trips.filter(({ trip }) => !trip.hasPointTimes).map(({ trip }) => trip.tripId),
        flagged: report.entries.flatMap((entry) =>
          entry.flagged.map((reason) => ({ entry: entry.name, ...reason })),
        ),
      };
    }),
  }),
];

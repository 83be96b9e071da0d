import { refIdOf, type ExhibitRef } from '../../../shared/contract/cases.ts';
import type { DeskClient } from '../../../shared/contract/client.ts';
import { formatBytes, formatCounted, formatDuration } from '../../ui/index.ts';

/** Something of the library that may become an exhibit. */
export interface Candidate {
  readonly ref: ExhibitRef;
  readonly title: string;
  readonly facts: string;
  readonly startMs: number | null;
}

/** One text for one reference, to compare and to key lists by. */
export function refKey(ref: ExhibitRef | undefined): string {
  return ref ? refIdOf(ref) : '';
}

/** All trips (latest first) and all sources. */
export async function readCandidates(client: DeskClient): Promise<readonly Candidate[]> {
  const [trips, sources] = await Promise.all([
    client.invoke('trips.list', {}),
    client.invoke('sources.list', {}),
  ]);
  const ofTrips = trips.map((trip): Candidate => {
    const camera = trip.cameraName ?? trip.psn ?? 'Unknown camera';
    const lasts =
      trip.startedAtMs === null || trip.endedAtMs === null
        ? []
        : [formatDuration(trip.endedAtMs - trip.startedAtMs)];
    return {
      ref: { kind: 'trip', tripId: trip.tripId },
      title:
        trip.driveNo === null
          ? trip.name
            ? `${camera}, ${trip.name}`
            : camera
          : `${camera}, trip ${trip.driveNo}`,
      facts: [...lasts, `${(trip.distanceM / 1000).toFixed(1)} km`, formatCounted(trip.points, 'point')].join(
        ' · ',
      ),
      startMs: trip.startedAtMs,
    };
  });
  const ofSources = sources.map((source): Candidate => ({
    ref: { kind: 'source', sourceId: source.sourceId },
    title: source.fileName,
    facts: [
      formatBytes(source.sizeBytes),
      formatCounted(source.trips, 'trip'),
      formatCounted(source.points, 'point'),
    ].join(' · '),
    startMs: source.fromMs,
  }));
  return [...ofTrips.sort((a, b) => (b.startMs ?? -Infinity) - (a.startMs ?? -Infinity)), ...ofSources];
}

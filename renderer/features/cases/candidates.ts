import { refIdOf, type ExhibitRef } from '../../../shared/contract/exhibitRef.ts';
import type { DeskClient } from '../../../shared/contract/client.ts';
import { clipText, derivedText, pictureOf, readCameraNames } from './exhibitFacts.ts';
import { formatBytes, formatCounted, formatDuration } from '../../ui/index.ts';

/** Something of the library that may become an exhibit. */
export interface Candidate {
  readonly ref: ExhibitRef;
  readonly title: string;
  readonly facts: string;
  readonly startMs: number | null;
  /** Media path; null without a picture of it. */
  readonly picture: string | null;
}

/** One text for one reference, to compare and to key lists by. */
export function refKey(ref: ExhibitRef | undefined): string {
  return ref ? refIdOf(ref) : '';
}

/** All trips, clips, stills and trims (latest first), and all other source files. */
export async function readCandidates(client: DeskClient): Promise<readonly Candidate[]> {
  const [trips, sources, clips, derived, names] = await Promise.all([
    client.invoke('trips.list', {}),
    client.invoke('sources.list', {}),
    client.invoke('clips.list', {}),
    client.invoke('derived.list', {}),
    readCameraNames(client),
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
      picture: null,
    };
  });
  const ofClips = clips.map((clip): Candidate => ({
    ref: { kind: 'clip', clipId: clip.clipId },
    title: `${names.get(clip.psn ?? '') ?? clip.psn ?? 'Unknown camera'}, ${lensName(clip.directionCode)}`,
    facts: clipText(clip),
    startMs: clip.startUtcMs,
    picture: null,
  }));
  const ofDerived = derived.map((one): Candidate => ({
    ref: { kind: 'derived', derivedId: one.derivedId },
    title: one.fileName,
    facts: derivedText(one),
    startMs: one.recipe.startUtcMs,
    picture: pictureOf(one),
  }));
  // A source that is a video file is chosen as a clip.
  const ofSources = sources
    .filter((source) => source.kind !== 'clip')
    .map((source): Candidate => ({
      ref: { kind: 'source', sourceId: source.sourceId },
      title: source.fileName,
      facts: [
        formatBytes(source.sizeBytes),
        formatCounted(source.trips, 'trip'),
        formatCounted(source.points, 'point'),
      ].join(' · '),
      startMs: source.fromMs,
      picture: null,
    }));
  const latestFirst = (a: Candidate, b: Candidate): number =>
    a.startMs === b.startMs ? 0 : (b.startMs ?? -Infinity) - (a.startMs ?? -Infinity);
  return [...[...ofTrips, ...ofClips, ...ofDerived].sort(latestFirst), ...ofSources];
}

/** What a camera's letter for its lens means; letters that nobody has explained are shown as they are. */
function lensName(directionCode: string | null): string {
  const names: Readonly<Record<string, string>> = { F: 'front', O: 'option', R: 'rear', I: 'interior' };
  if (directionCode === null) return 'direction unknown';
  return names[directionCode] ?? `direction ${directionCode}`;
}

import type { Trip } from '../../../shared/contract/trips.ts';
import type { SceneRequest } from '../../../shared/contract/review.ts';
import { AppError } from '../../../shared/errors.ts';
import { createGroundCircle } from '../../../shared/geometry.ts';
import type { CaseId, ClipId, TripId } from '../../../shared/ids.ts';
import { bboxDistanceM } from './boxDistance.ts';
import { localMsOf } from './foundClock.ts';
import { toUtcClip, type ClockedClip, type ReviewLibrary, type UtcClip } from './library.ts';
import { cameraText, utcText } from './names.ts';
import { toLocalText } from '../cards/clock.ts';
import { unbrokenAround, type TimedClip } from './unbroken.ts';

/** What a request asks to be shown, before it is laid out. */
export interface SceneSelection {
  readonly title: string;
  readonly clips: readonly ClockedClip[];
  /** Tracks that were asked for by name; others of the same time are found by the scene. */
  readonly trips: readonly Trip[];
  /** False: only the tracks asked for are shown. */
  readonly addsTracks: boolean;
  /** A stretch that is shown even where there is nothing; null: what clips and tracks span. */
  readonly range: { readonly fromMs: number; readonly toMs: number } | null;
  /** Where to begin: a time, or a clip (its event, else its start). Null: the first clip. */
  readonly focus: { readonly atMs: number } | { readonly clipId: ClipId } | null;
  /** Whose channels come first; null: unknown camera. */
  readonly ownPsn: string | null;
  /** Further cameras that the scene is about. */
  readonly psns: readonly string[];
  readonly caseId: CaseId | null;
  readonly notes: readonly string[];
}

/** How far a clip's unbroken recordings are followed to either side. */
const reachMs = 2 * 3_600_000;
/** What is shown around a moment, to either side. */
const momentMs = 30 * 60_000;
/** Positions of a clip and of a track without a camera's name are of one vehicle up to here. */
const besideM = 500;

const nothing = (message: string, remedy: string, details: Record<string, unknown>): AppError =>
  new AppError('not_found', message, { remedy, details });

const plain = {
  trips: [],
  addsTracks: true,
  range: null,
  focus: null,
  psns: [],
  caseId: null,
  notes: [],
} as const satisfies Partial<SceneSelection>;

/** Finds the clips and tracks of a request. AppError not_found where there are none. */
export function selectScene(library: ReviewLibrary, request: SceneRequest): SceneSelection {
  switch (request.kind) {
    case 'clip':
      return ofClip(library, request.clipId);
    case 'clips':
      return ofClips(library, request.clipIds);
    case 'trip':
      return ofTrip(library, request.tripId, request.atMs);
    case 'case':
      return ofCase(library, request.caseId);
    case 'moment':
      return ofMoment(library, request.psn, request.atMs);
    case 'place':
      return ofPlace(library, request);
  }
}

function ofClip(library: ReviewLibrary, clipId: ClipId): SceneSelection {
  const [asked] = library.clocked([clipId]);
  if (!asked) throw missingClips([clipId]);
  const { clip } = asked;
  const names = library.review.cameraNames();
  const title = `${cameraText(clip.psn, (clip.psn && names.get(clip.psn)) ?? null)}, ${clip.fileName}`;
  const base = { ...plain, title, ownPsn: clip.psn, focus: { clipId } };
  const localMs = localMsOf(clip);
  if (localMs === null) return { ...base, clips: [asked] };
  const range = {
    fromLocal: toLocalText(localMs - 2 * reachMs),
    toLocal: toLocalText(localMs + 2 * reachMs),
  };
  const around = library.clocked([clipId, ...library.review.clipsOfCamera(clip.psn, range)]);
  const isUtc = asked.clock.startUtcMs !== null;
  // Without a clock the camera's own wall clock still tells what follows what.
  const timed = around.flatMap((one) => timedOf(one, isUtc) ?? []);
  const centre = timed.find((one) => one.clip.clipId === clipId)!; // it is among them, and has a time of that kind
  const unbroken = unbrokenAround(centre, timed, reachMs);
  const taken = new Set(unbroken.clips.map((one) => one.clip.clipId).concat(clipId));
  const notes = unbroken.isCapped
    ? [
        'The recordings go on without a break for more than two hours; open a later or earlier clip to see them.',
      ]
    : [];
  return { ...base, clips: around.filter((one) => taken.has(one.clip.clipId)), notes };
}

function timedOf(one: ClockedClip, isUtc: boolean): TimedClip | null {
  const { clip } = one;
  if (isUtc) {
    const placed = toUtcClip(one);
    return placed && { clip, startMs: placed.startMs, endMs: placed.endMs };
  }
  const startMs = one.clock.startUtcMs === null ? localMsOf(clip) : null;
  return startMs === null ? null : { clip, startMs, endMs: startMs + (clip.durationS ?? 0) * 1000 };
}

function ofClips(library: ReviewLibrary, clipIds: readonly ClipId[]): SceneSelection {
  const clips = library.clocked(clipIds);
  if (clips.length === 0) throw missingClips(clipIds);
  const first = clips.find((one) => one.clip.clipId === clipIds[0]) ?? clips[0]!; // there is one
  const gone = new Set(clipIds).size - clips.length;
  return {
    ...plain,
    title: clips.length === 1 ? first.clip.fileName : `${clips.length} clips`,
    clips,
    ownPsn: first.clip.psn,
    focus: { clipId: first.clip.clipId },
    notes:
      gone === 0 ? [] : [`${gone} of the clips ${gone === 1 ? 'is' : 'are'} not in the library any more.`],
  };
}

const missingClips = (clipIds: readonly ClipId[]): AppError =>
  nothing(
    clipIds.length === 1
      ? 'There is no such clip in the library (any more).'
      : 'None of these clips is in the library (any more).',
    'Import its file or recall it again, then open it.',
    { clipIds: clipIds.slice(0, 10) },
  );

function ofTrip(library: ReviewLibrary, tripId: TripId, atMs: number | undefined): SceneSelection {
  const trip = library.trips.get(tripId);
  const shiftMs = library.settings.find({ kind: 'trip', tripId })?.shiftMs ?? 0;
  const { psn } = trip;
  const drive = trip.driveNo === null ? '' : `, trip ${trip.driveNo}`;
  if (trip.startedAtMs === null || trip.endedAtMs === null)
    throw nothing(
      'This track carries no times: there is no moment of it to review.',
      'Open it in the library, where its shape is drawn; or import the same drive as CSV or GPX, which carry times.',
      { tripId },
    );
  const range = { fromMs: trip.startedAtMs + shiftMs, toMs: trip.endedAtMs + shiftMs };
  const clips = library
    .between(range.fromMs, range.toMs + 1, [psn])
    .filter(
      ({ clip }) => psn !== null || (clip.bbox !== null && bboxDistanceM(clip.bbox, trip.bbox) <= besideM),
    );
  return {
    ...plain,
    title: `${cameraText(psn, trip.cameraName)}${drive}, ${utcText(range.fromMs)}`,
    clips,
    trips: [trip],
    range,
    focus: { atMs: atMs ?? range.fromMs },
    ownPsn: psn,
    psns: psn === null ? [] : [psn],
  };
}

function ofCase(library: ReviewLibrary, caseId: CaseId): SceneSelection {
  const file = library.cases.find(caseId);
  if (!file)
    throw nothing('There is no such case any more.', 'Choose another one from the list of cases.', {
      caseId,
    });
  const clipIds: ClipId[] = [];
  const trips = new Map<TripId, Trip>();
  for (const { ref } of file.exhibitList) {
    if (ref.kind === 'clip') clipIds.push(ref.clipId);
    if (ref.kind === 'derived') clipIds.push(...[library.review.clipOfDerived(ref.derivedId) ?? []].flat());
    if (ref.kind === 'trip')
      for (const trip of library.trips.stored([ref.tripId])) trips.set(trip.tripId, trip);
    if (ref.kind === 'source') {
      clipIds.push(...library.review.clipsOfSource(ref.sourceId));
      for (const trip of library.trips.list({ sourceId: ref.sourceId })) trips.set(trip.tripId, trip);
    }
  }
  const all = library.clocked(clipIds);
  const fromMs = file.range.fromMs ?? -Infinity;
  const toMs = file.range.toMs ?? Infinity;
  const clips = all.filter((one) => {
    const placed = toUtcClip(one);
    return placed === null || (placed.startMs < toMs && placed.endMs >= fromMs);
  });
  const kept = [...trips.values()].filter(
    ({ startedAtMs, endedAtMs }) =>
      startedAtMs !== null && endedAtMs !== null && startedAtMs < toMs && endedAtMs >= fromMs,
  );
  if (clips.length === 0 && kept.length === 0)
    throw nothing(
      file.exhibitList.length === 0
        ? `The case "${file.name}" is empty.`
        : `The case "${file.name}" has no clip and no track with times in its range.`,
      'Add clips or tracks to the case, or widen its time range.',
      { caseId },
    );
  const outside = all.length - clips.length;
  const isRanged = Number.isFinite(fromMs) && Number.isFinite(toMs);
  return {
    ...plain,
    title: file.name,
    clips,
    trips: kept,
    addsTracks: false,
    range: isRanged ? { fromMs, toMs } : null,
    focus: Number.isFinite(fromMs) ? { atMs: fromMs } : null,
    ownPsn: (clips[0]?.clip ?? kept[0])?.psn ?? null,
    psns: [...new Set(kept.flatMap((trip) => trip.psn ?? []))],
    caseId,
    notes:
      outside === 0
        ? []
        : [`${outside} ${outside === 1 ? 'clip' : 'clips'} of the case lie outside its time range.`],
  };
}

function ofMoment(library: ReviewLibrary, psn: string | null, atMs: number): SceneSelection {
  const around = library.between(atMs - momentMs, atMs + momentMs, [psn]);
  const trips = library.trips.list({ psns: [psn], fromMs: atMs - momentMs, toMs: atMs + momentMs });
  const name =
    psn === null ? 'an unknown camera' : cameraText(psn, library.review.cameraNames().get(psn) ?? null);
  if (around.length === 0 && trips.length === 0)
    throw nothing(
      `Nothing of ${name} is in the library within 30 minutes of ${utcText(atMs)}.`,
      psn === null
        ? 'Choose another time; clips of unknown clock are listed without a time.'
        : 'Look on its card under Cameras: it may hold the recording, and it can be recalled.',
      { psn, atMs },
    );
  return {
    ...plain,
    title: `${psn === null ? 'Unknown camera' : name}, ${utcText(atMs)}`,
    clips: around,
    trips,
    range: spanAround(around, atMs),
    focus: { atMs },
    ownPsn: psn,
    psns: psn === null ? [] : [psn],
    notes: around.some((one) => one.startMs <= atMs && atMs < one.endMs)
      ? []
      : [`No clip in the library shows ${utcText(atMs)}.`],
  };
}

/** The clips and the moment; without clips, the time around it. */
function spanAround(clips: readonly UtcClip[], atMs: number): { fromMs: number; toMs: number } {
  if (clips.length === 0) return { fromMs: atMs - momentMs, toMs: atMs + momentMs };
  return { fromMs: atMs, toMs: atMs };
}

function ofPlace(
  library: ReviewLibrary,
  { circle, fromMs, toMs }: Extract<SceneRequest, { kind: 'place' }>,
): SceneSelection {
  if (!(fromMs < toMs))
    throw new AppError('invalid_input', 'The range ends before it begins.', {
      remedy: 'Choose an end later than the start.',
    });
  const ground = createGroundCircle(circle);
  const isHere = (box: readonly [number, number, number, number] | null): boolean =>
    box !== null && bboxDistanceM([circle.lngDeg, circle.latDeg, circle.lngDeg, circle.latDeg], box) <= circle.radiusM; // prettier-ignore
  const trips = library.trips.list({ place: circle, fromMs, toMs });
  const [box, second] = ground.boxes;
  const near = library.clips.list({ fromMs, toMs, ...(box && !second ? { bbox: [...box] } : {}) });
  const here = near.filter((clip) => isHere(clip.bbox));
  const psns = [...new Set([...here, ...trips].flatMap(({ psn }) => psn ?? []))];
  const unknown = here.filter(({ psn }) => psn === null).map(({ clipId }) => clipId);
  const clips = [
    ...library.between(fromMs, toMs, psns),
    ...library.clocked(unknown).flatMap((one) => toUtcClip(one) ?? []),
  ];
  if (clips.length === 0 && trips.length === 0)
    throw nothing(
      `No clip and no track in the library was within ${Math.round(circle.radiusM)} m of the place between ${utcText(fromMs)} and ${utcText(toMs)}.`,
      'Choose a larger circle or a longer time, or import the exports of the cameras in question.',
      { circle, fromMs, toMs },
    );
  const first = [...clips].sort((a, b) => a.startMs - b.startMs).find(({ clip }) => isHere(clip.bbox));
  return {
    ...plain,
    title: `${circle.latDeg.toFixed(5)}, ${circle.lngDeg.toFixed(5)} within ${Math.round(circle.radiusM)} m`,
    clips,
    trips,
    addsTracks: false,
    range: { fromMs, toMs },
    focus: first
      ? { clipId: first.clip.clipId }
      : { atMs: Math.max(fromMs, trips[0]?.startedAtMs ?? fromMs) },
    ownPsn: first?.clip.psn ?? trips[0]?.psn ?? null,
    psns,
  };
}

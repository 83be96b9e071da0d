import type {
  ReviewScene,
  ReviewSegment,
  SceneRequest,
  SourceClock,
} from '../../../shared/contract/review.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { toChannels, type Channels, type OwnTime } from './channels.ts';
import { localMsOf, preciseLocalMs } from './foundClock.ts';
import { toUtcClip, type ClockedClip, type ReviewLibrary, type UtcClip } from './library.ts';
import { selectScene, type SceneSelection } from './sceneSelection.ts';
import { nearbyOf, onCardOf } from './sceneSurroundings.ts';
import { tracksOf, type SceneTracks } from './sceneTracks.ts';
import { toClipClock, toMetadataClock, toTelemetryClock, toTripClock } from './sourceClock.ts';

/** More clips than this are not laid out at once; those nearest to the focus are. */
const mostClips = 5000;

/** Recordings of an impact or a hard manoeuvre: what they are about is their largest G. */
const impactTypes = new Set(['E', 'I', 'A', 'B', 'T']);

/**
 * Everything that review shows of what is asked for. Reads the cache only; no file is opened, no camera contacted.
 * AppError not_found where there is nothing to show, with what to do.
 */
export function openScene(library: ReviewLibrary, request: SceneRequest): ReviewScene {
  const selection = selectScene(library, request);
  const known = selection.clips.flatMap((one) => toUtcClip(one) ?? []);
  const isUtc = known.length > 0 || selection.clips.length === 0;
  return isUtc ? utcScene(library, selection, known) : elapsedScene(library, selection);
}

function utcScene(library: ReviewLibrary, selection: SceneSelection, known: readonly UtcClip[]): ReviewScene {
  const focusClip = focusClipOf(selection, known);
  const focusMs = focusOf(selection, focusClip);
  const { kept, left } = capped(known, focusMs);
  const unknown = selection.clips.filter((one) => one.clock.startUtcMs === null);
  const starts = new Map(kept.map((one) => [one.clip.clipId, timeOf(one, one.startMs)]));
  const facts = factsOf(library, kept);
  const laid = layOut(selection, kept, starts, facts);
  const segments = laid.channels.flatMap((channel) => channel.segments);
  const range = selection.range;
  const fromMs = least([...segments.map((one) => one.startMs), ...(range ? [range.fromMs] : []), ...tripTimes(library, selection, range, 0)]); // prettier-ignore
  const toMs = most([...segments.map((one) => one.endMs), ...(range ? [range.toMs] : []), ...tripTimes(library, selection, range, 1)]); // prettier-ignore
  const span = { fromMs, toMs: Math.max(toMs, fromMs + 1) };
  const psns = [...new Set([...kept.flatMap(({ clip }) => clip.psn ?? []), ...selection.psns])];
  const tracks = tracksOf(library, {
    ...span,
    clips: kept,
    psns: new Set(psns),
    trips: selection.trips,
    adds: selection.addsTracks,
  });
  const cards = onCardOf(library, psns, span);
  const own = tracks.tracks.filter((track) => track.isOwn);
  const nearby = nearbyOf(library, { ...span, clips: kept, trackBoxes: own });
  return {
    title: selection.title,
    timebase: 'utc',
    ...span,
    focusMs: Math.min(Math.max(focusMs ?? span.fromMs, span.fromMs), span.toMs),
    utcOffsetMin: offsetOf(library, focusClip ?? null, kept, psns, span),
    channels: laid.channels,
    tracks: tracks.tracks,
    onCard: cards.onCard,
    nearby: nearby.nearby,
    clocks: clocksOf(library, { kept: [...kept, ...unknown], facts, tracks }),
    caseId: selection.caseId,
    notes: [
      ...selection.notes,
      ...(left === 0 ? [] : [`${left} more clips are not shown: ${mostClips} at most are open at once.`]),
      ...unknownNote(unknown),
      ...laid.notes,
      ...cutShortNote(segments),
      ...tracks.notes,
      ...cards.notes,
      ...nearby.notes,
    ],
  };
}

/** No clip's clock is known: the camera's wall clock tells what follows what, and nothing is a time of day. */
function elapsedScene(library: ReviewLibrary, selection: SceneSelection): ReviewScene {
  const locals = selection.clips.flatMap(({ clip }) => localMsOf(clip) ?? []);
  const firstMs = locals.length === 0 ? 0 : least(locals);
  const elapsedOf = ({ clip }: ClockedClip): number => (localMsOf(clip) ?? firstMs) - firstMs;
  const focusId = selection.focus && 'clipId' in selection.focus ? selection.focus.clipId : null;
  const near = selection.clips.find(({ clip }) => clip.clipId === focusId);
  const placed = selection.clips.map((one) => ({ ...one, startMs: elapsedOf(one) }));
  const { kept, left } = capped(placed, near ? elapsedOf(near) : null);
  const starts = new Map(kept.map((one) => [one.clip.clipId, timeOf(one, one.startMs)]));
  const facts = factsOf(library, kept);
  const laid = layOut(selection, kept, starts, facts);
  const segments = laid.channels.flatMap((channel) => channel.segments);
  const fromMs = segments.length === 0 ? 0 : least(segments.map((one) => one.startMs));
  const toMs = Math.max(segments.length === 0 ? 0 : most(segments.map((one) => one.endMs)), fromMs + 1);
  const focusMs = near ? elapsedOf(near) + eventOffsetMs(near) : fromMs;
  const tracks: SceneTracks = { tracks: [], trips: [], settings: new Map(), notes: [] };
  return {
    title: selection.title,
    timebase: 'elapsed',
    fromMs,
    toMs,
    focusMs: Math.min(Math.max(focusMs, fromMs), toMs),
    utcOffsetMin: null,
    channels: laid.channels,
    tracks: [],
    onCard: [],
    nearby: [],
    clocks: clocksOf(library, { kept, facts, tracks }),
    caseId: selection.caseId,
    notes: [
      ...selection.notes,
      'Nothing tells what time it was: the clock of no clip is known. Say when a frame was, in the clock panel.',
      ...(left === 0 ? [] : [`${left} more clips are not shown: ${mostClips} at most are open at once.`]),
      ...laid.notes,
      ...cutShortNote(segments),
    ],
  };
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);

/** Starts (0) or ends (1) of the tracks asked for, where no range limits the scene. */
function tripTimes(
  library: ReviewLibrary,
  { trips }: SceneSelection,
  range: SceneSelection['range'],
  end: 0 | 1,
): number[] {
  if (range) return [];
  return trips.flatMap((trip) => {
    const ms = end === 0 ? trip.startedAtMs : trip.endedAtMs;
    const shiftMs = library.settings.find({ kind: 'trip', tripId: trip.tripId })?.shiftMs ?? 0;
    return ms === null ? [] : [ms + shiftMs];
  });
}

const timeOf = ({ clip, clock }: ClockedClip, startMs: number): OwnTime => ({
  startMs,
  isPrecise: preciseLocalMs(clip) !== null,
  isFixed: clock.setting !== null,
  drift: clock.drift,
});

interface SceneFacts {
  readonly names: ReadonlyMap<string, string>;
  readonly metadataOf: ReturnType<ReviewLibrary['clocks']['metadataOf']>;
}

function factsOf(library: ReviewLibrary, clips: readonly ClockedClip[]): SceneFacts {
  const names = library.review.cameraNames();
  return { names, metadataOf: library.clocks.metadataOf(clips.map(({ clip }) => clip)) };
}

function layOut(
  selection: SceneSelection,
  clips: readonly ClockedClip[],
  starts: ReadonlyMap<ClipId, OwnTime>,
  { names, metadataOf }: SceneFacts,
): Channels {
  return toChannels({
    clips: clips.map(({ clip }) => clip),
    timeOf: (clip) => starts.get(clip.clipId)!, // of every clip that is laid out
    cameraNameOf: (psn) => names.get(psn) ?? null,
    hasMetadata: (clip) => metadataOf(clip) !== null,
    ownPsn: selection.ownPsn,
  });
}

/** As many clips as are laid out, those nearest to the focus. */
function capped<T extends { readonly startMs: number }>(
  clips: readonly T[],
  focusMs: number | null,
): { readonly kept: readonly T[]; readonly left: number } {
  if (clips.length <= mostClips) return { kept: clips, left: 0 };
  const centreMs = focusMs ?? least(clips.map((one) => one.startMs));
  const distance = (one: T): number => Math.abs(one.startMs - centreMs);
  const kept = [...clips].sort((a, b) => distance(a) - distance(b)).slice(0, mostClips);
  return { kept, left: clips.length - kept.length };
}

function focusClipOf({ focus }: SceneSelection, clips: readonly UtcClip[]): UtcClip | undefined {
  if (focus && 'clipId' in focus) return clips.find(({ clip }) => clip.clipId === focus.clipId);
  if (!focus) return [...clips].sort((a, b) => a.startMs - b.startMs)[0];
  return clips.find((one) => one.startMs <= focus.atMs && focus.atMs < one.endMs);
}

function focusOf({ focus }: SceneSelection, clip: UtcClip | undefined): number | null {
  if (focus && 'atMs' in focus) return focus.atMs;
  return clip ? clip.startMs + eventOffsetMs(clip) : null;
}

/** Where in a clip its event is: the largest G of an impact or a hard manoeuvre, else the start. */
function eventOffsetMs({ clip }: ClockedClip): number {
  const peakMs = clip.facts?.gSensor?.peakOffsetMs;
  const isImpact = impactTypes.has(clip.typeCode ?? '');
  return isImpact && peakMs != null && peakMs >= 0 && peakMs <= (clip.durationS ?? 0) * 1000 ? peakMs : 0;
}

/** The vehicle's zone: of the clip in focus, else of another one of the scene, else by a card. */
function offsetOf(
  library: ReviewLibrary,
  focus: UtcClip | null,
  clips: readonly UtcClip[],
  psns: readonly string[],
  span: { readonly fromMs: number; readonly toMs: number },
): number | null {
  if (focus?.clock.utcOffsetMin != null) return focus.clock.utcOffsetMin;
  const ofFocus = clips.find((one) => one.clip.psn === focus?.clip.psn && one.clock.utcOffsetMin !== null);
  const known = ofFocus ?? clips.find((one) => one.clock.utcOffsetMin !== null);
  if (known) return known.clock.utcOffsetMin;
  const [psn] = psns;
  if (psn === undefined || clips.length > 0) return null;
  // Tracks alone: the zone that the camera's card shows in those days, if it is one.
  const card = library.clocks.cardClock(psn, span.fromMs, span.toMs);
  const [only, second] = new Set(card?.segments.map((one) => one.offsetMinutes));
  return second === undefined ? (only ?? null) : null;
}

function unknownNote(unknown: readonly ClockedClip[]): string[] {
  if (unknown.length === 0) return [];
  const names = unknown.slice(0, 3).map(({ clip }) => clip.fileName).join(', '); // prettier-ignore
  const rest = unknown.length > 3 ? ` and ${unknown.length - 3} more` : '';
  return [
    `Left out, since nothing tells their time: ${names}${rest}. Their clocks can be set in the clock panel.`,
  ];
}

/** Files that were cut short: what is missing of their pictures is a gap, not a recording. */
function cutShortNote(segments: readonly ReviewSegment[]): string[] {
  const lost = segments.flatMap(({ fileName, endMs, picturesEndMs }) =>
    picturesEndMs === undefined
      ? []
      : [`${fileName} (the last ${((endMs - picturesEndMs) / 1000).toFixed(1)} s)`],
  );
  if (lost.length === 0) return [];
  const rest = lost.length > 3 ? ` and ${lost.length - 3} more` : '';
  return [`Cut short, pictures are missing at the end: ${lost.slice(0, 3).join(', ')}${rest}.`];
}

/** The statement of every source in the scene, those of left-out clips last. */
function clocksOf(
  library: ReviewLibrary,
  parts: {
    readonly kept: readonly ClockedClip[];
    readonly facts: SceneFacts;
    readonly tracks: SceneTracks;
  },
): SourceClock[] {
  const { kept, facts, tracks } = parts;
  const telemetry = library.settings.ofKind('telemetry');
  const metadata = library.settings.ofKind('metadata');
  const clocks: SourceClock[] = [];
  const byTime = [...kept].sort(
    (a, b) => (a.clock.startUtcMs ?? Infinity) - (b.clock.startUtcMs ?? Infinity),
  );
  for (const { clip, clock } of byTime) {
    const known = facts.metadataOf(clip);
    const cameraName = clip.psn === null ? null : (facts.names.get(clip.psn) ?? null);
    const stated = toClipClock(clip, clock, { cameraName, firstGpsMs: known?.firstGpsMs ?? null });
    clocks.push(stated);
    if (clip.facts?.gps || clip.facts?.gSensor)
      clocks.push(toTelemetryClock(clip, stated, telemetry.get(clip.clipId) ?? null));
    if (known)
      clocks.push(toMetadataClock(stated, clip, { known, setting: metadata.get(clip.clipId) ?? null }));
  }
  for (const trip of tracks.trips) {
    const source = library.sources.get(trip.sourceId);
    const file = { fileName: source?.fileName ?? '', sha256: source?.sha256 ?? null };
    clocks.push(toTripClock(trip, file, tracks.settings.get(trip.tripId) ?? null));
  }
  return clocks;
}

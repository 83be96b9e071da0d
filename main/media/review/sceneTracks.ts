import type { ReviewTrack } from '../../../shared/contract/review.ts';
import type { Trip } from '../../../shared/contract/trips.ts';
import { bboxesOverlap, distanceM } from '../../../shared/geometry.ts';
import type { TrackColumns } from '../../../shared/track.ts';
import type { ClockSetting } from '../../cache/clockRepository.ts';
import type { ReviewLibrary, UtcClip } from './library.ts';

/** More would be a tangle; the nearest ones are kept. */
const mostTracks = 200;
/** Tracks of unnamed cameras that are compared point by point. */
const mostCompared = 40;
/** A clip's position and the track's at the same time are of one vehicle up to here. */
const sameVehicleM = 100;
/** Points of the track must be that near in time to the clip's. */
const nearInTimeMs = 10_000;

export interface SceneTracks {
  readonly tracks: readonly ReviewTrack[];
  readonly trips: readonly Trip[];
  readonly settings: ReadonlyMap<string, ClockSetting>;
  readonly notes: readonly string[];
}

/** The tracks in a scene's time: those that were asked for, and with `adds` those of every other camera. */
export function tracksOf(
  library: ReviewLibrary,
  scene: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly clips: readonly UtcClip[];
    /** Cameras whose clips are in the scene, or that it is about. */
    readonly psns: ReadonlySet<string>;
    readonly trips: readonly Trip[];
    readonly adds: boolean;
  },
): SceneTracks {
  const { fromMs, toMs } = scene;
  const settings = library.settings.ofKind('trip');
  const shiftOf = (trip: Trip): number => settings.get(trip.tripId)?.shiftMs ?? 0;
  const candidates = new Map(scene.trips.map((trip) => [trip.tripId, trip]));
  if (scene.adds) {
    const shifts = [...settings.values()].map((one) => one.shiftMs ?? 0);
    // A track that was moved by hand may come from outside.
    const [earliest, latest] = [Math.min(0, ...shifts), Math.max(0, ...shifts)];
    for (const trip of library.trips.list({ fromMs: fromMs - latest, toMs: toMs - earliest }))
      candidates.set(trip.tripId, trip);
  }
  const inTime = [...candidates.values()].filter(({ startedAtMs, endedAtMs, ...trip }) => {
    if (startedAtMs === null || endedAtMs === null || !trip.hasPointTimes) return false;
    const shiftMs = shiftOf({ startedAtMs, endedAtMs, ...trip });
    return startedAtMs + shiftMs < toMs && endedAtMs + shiftMs >= fromMs;
  });
  const isOwn = ownership(library, scene.clips, scene.psns, shiftOf);
  const owned = new Map(inTime.map((trip) => [trip.tripId, isOwn(trip)]));
  const asked = new Set(scene.trips.map((trip) => trip.tripId));
  const rank = (trip: Trip): number => (asked.has(trip.tripId) ? 0 : owned.get(trip.tripId) ? 1 : 2);
  inTime.sort((a, b) => rank(a) - rank(b) || a.startedAtMs! - b.startedAtMs!); // those without times are out
  const trips = inTime.slice(0, mostTracks);
  const tracks = trips.map((trip): ReviewTrack => {
    const shiftMs = shiftOf(trip);
    return {
      tripId: trip.tripId,
      sourceId: trip.sourceId,
      fileName: library.sources.get(trip.sourceId)?.fileName ?? '',
      psn: trip.psn,
      cameraName: trip.cameraName,
      isOwn: owned.get(trip.tripId) === true,
      fromMs: trip.startedAtMs! + shiftMs, // those without times are out
      toMs: trip.endedAtMs! + shiftMs,
      shiftMs,
      bbox: trip.bbox,
    };
  });
  const left = inTime.length - trips.length;
  const notes = left === 0 ? [] : [`${left} more tracks of the same time are not shown.`];
  return { tracks, trips, settings, notes };
}

/** Whether a track is of a camera in the scene: by its serial, else by where clips and track were at the same time. */
function ownership(
  library: ReviewLibrary,
  clips: readonly UtcClip[],
  psns: ReadonlySet<string>,
  shiftOf: (trip: Trip) => number,
): (trip: Trip) => boolean {
  let compared = 0;
  return (trip) => {
    if (trip.psn !== null && psns.has(trip.psn)) return true;
    // Two serials that differ are two cameras; only where one is missing, places decide.
    const unnamed = clips.filter(({ clip }) => trip.psn === null || clip.psn === null);
    const placed = unnamed.filter(({ clip }) => clip.bbox !== null && bboxesOverlap(clip.bbox, trip.bbox));
    if (placed.length === 0 || compared >= mostCompared) return false;
    compared++;
    return isSameVehicle(placed, library.trips.points(trip.tripId), shiftOf(trip));
  };
}

/** Positions of the clips against the track's at the same time: at least two, and none elsewhere. */
function isSameVehicle(clips: readonly UtcClip[], points: TrackColumns, shiftMs: number): boolean {
  let agreeing = 0;
  const step = Math.max(1, Math.floor(clips.length / 10));
  for (let i = 0; i < clips.length; i += step) {
    const gps = clips[i]!.clip.facts?.gps;
    for (const position of [gps?.first, gps?.last]) {
      if (position?.utcMs == null) continue;
      const metres = distanceAt(points, position.utcMs - shiftMs, position.latDeg, position.lngDeg);
      if (metres === null) continue;
      if (metres > sameVehicleM) return false;
      agreeing++;
    }
  }
  return agreeing >= 2;
}

/** Metres from a position to the track's nearest point in time; null where it has none near. */
function distanceAt(points: TrackColumns, atMs: number, latDeg: number, lngDeg: number): number | null {
  let best = -1;
  let bestMs = nearInTimeMs;
  for (let i = 0; i < points.count; i++) {
    const apartMs = Math.abs(points.timesMs[i]! - atMs);
    if (apartMs <= bestMs) [best, bestMs] = [i, apartMs];
  }
  return best < 0 ? null : distanceM(points.latDeg[best]!, points.lngDeg[best]!, latDeg, lngDeg);
}

import type { NearbyClip, OnCardRecording } from '../../../shared/contract/review.ts';
import type { ClipId } from '../../../shared/ids.ts';
import type { Bbox } from '../../../shared/track.ts';
import { segmentAt } from '../cards/clock.ts';
import { endsOf } from '../cards/moment.ts';
import { localOf, parseFilename } from '../cards/rows.ts';
import { bboxDistanceM, unionBbox } from './boxDistance.ts';
import { toUtcClip, type ReviewLibrary, type UtcClip } from './library.ts';
import { directionOf } from './names.ts';

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Cameras whose cards are looked through for one scene. */
const mostCards = 50;
const mostOnCard = 5000;
const mostNearby = 200;
const nearM = 1000;
const zoneMs = 14 * 3_600_000;
/** A degree of latitude is never less than this. */
const metresPerDegree = 110_574;

/** What stored listings of the cameras' cards name in the span and the library does not hold, in any quality. */
export function onCardOf(
  library: ReviewLibrary,
  psns: readonly string[],
  { fromMs, toMs }: Span,
): { readonly onCard: readonly OnCardRecording[]; readonly notes: readonly string[] } {
  const { cards, clips } = library;
  const found: OnCardRecording[] = [];
  for (const psn of psns.slice(0, mostCards)) {
    // Wall clocks are within 14 h of UTC.
    const clock = library.clocks.cardClock(psn, fromMs - zoneMs, toMs + zoneMs);
    if (clock === null) continue; // a guessed zone would show the wrong hour
    const byName = new Map<string, OnCardRecording>();
    for (const accountId of cards.accountsOf(psn)) {
      const seen = cards.seenRecordings(accountId, psn);
      if (seen.length === 0) continue;
      const ends = endsOf(seen.map((one) => one.recording));
      for (const { recording, seenAtMs } of seen) {
        const localMs = localOf(recording);
        const segment = localMs === null ? null : segmentAt(clock, localMs);
        const endLocalMs = ends.get(recording.filename);
        if (localMs === null || segment === null || endLocalMs === undefined) continue;
        const offsetMs = segment.offsetMinutes * 60_000;
        if (localMs - offsetMs >= toMs || endLocalMs - offsetMs <= fromMs) continue;
        byName.set(recording.filename, {
          psn,
          filename: recording.filename,
          direction: recording.direction ?? null,
          directionCode: recording.directionCode ?? parseFilename(recording.filename)?.directionCode ?? null,
          typeCode: recording.typeCode ?? parseFilename(recording.filename)?.typeCode ?? null,
          startMs: localMs - offsetMs,
          endMs: endLocalMs - offsetMs,
          uncertaintyMs: segment.uncertaintyMs,
          listedAtMs: seenAtMs,
        });
      }
    }
    if (byName.size === 0) continue;
    for (const { mainName } of clips.list({ psns: [psn] })) if (mainName !== null) byName.delete(mainName);
    found.push(...byName.values());
  }
  found.sort((a, b) => a.startMs - b.startMs || (a.filename < b.filename ? -1 : 1));
  const notes = [
    ...(psns.length > mostCards ? [`The cards of ${psns.length - mostCards} more cameras were not looked through.`] : []),
    ...(found.length > mostOnCard ? [`${found.length - mostOnCard} more recordings on cards are not shown.`] : []),
  ]; // prettier-ignore
  return { onCard: found.slice(0, mostOnCard), notes };
}

/**
 * Clips of other cameras that ran in the span: those whose positions come within a kilometre of the scene's at that
 * time, nearest first, then those without positions, of which nobody knows where they were.
 */
export function nearbyOf(
  library: ReviewLibrary,
  scene: Span & {
    readonly clips: readonly UtcClip[];
    readonly trackBoxes: readonly PlaceInTime[];
  },
): { readonly nearby: readonly NearbyClip[]; readonly notes: readonly string[] } {
  const { fromMs, toMs } = scene;
  const shown = new Set<ClipId>(scene.clips.map(({ clip }) => clip.clipId));
  const except = [...new Set(scene.clips.flatMap(({ clip }) => clip.psn ?? []))];
  const others = { fromMs, toMs, except };
  const places = [
    ...scene.clips.flatMap(({ clip, startMs, endMs }) =>
      clip.bbox === null ? [] : [{ fromMs: startMs, toMs: endMs, bbox: clip.bbox }],
    ),
    ...scene.trackBoxes,
  ];
  const distanceOf = distanceInTime(places);
  const around = widened(unionBbox(places.map((place) => place.bbox)));
  const placed = (around === null ? [] : library.review.placedClips(others, around))
    .flatMap((clip) => {
      const metres = shown.has(clip.clipId) ? null : distanceOf(clip.bbox, clip.startMs, clip.endMs);
      return metres === null || metres > nearM ? [] : [{ clipId: clip.clipId, metres }];
    })
    .sort((a, b) => a.metres - b.metres);
  const unplaced = library.review.clipsWithoutPlace(others, mostNearby);
  const chosen = [...placed.slice(0, mostNearby).map((one) => one.clipId), ...unplaced];
  const names = library.review.cameraNames();
  const nearby = library
    .clocked(chosen)
    .filter(({ clip }) => !shown.has(clip.clipId))
    .flatMap((one): NearbyClip[] => {
      const utc = toUtcClip(one);
      const { clip } = one;
      if (!utc || utc.startMs >= toMs || utc.endMs < fromMs) return [];
      const metres = clip.bbox === null ? null : distanceOf(clip.bbox, utc.startMs, utc.endMs);
      if (metres !== null && metres > nearM) return [];
      return [
        {
          clipId: clip.clipId,
          fileName: clip.fileName,
          psn: clip.psn,
          cameraName: clip.psn === null ? null : (names.get(clip.psn) ?? null),
          direction: directionOf(clip).direction,
          startMs: utc.startMs,
          endMs: utc.endMs,
          distanceM: metres === null ? null : Math.round(metres),
        },
      ];
    })
    .sort(
      (a, b) =>
        (a.distanceM ?? Infinity) - (b.distanceM ?? Infinity) ||
        a.startMs - b.startMs ||
        (a.fileName < b.fileName ? -1 : 1),
    );
  const left = Math.max(0, placed.length - mostNearby) + Math.max(0, nearby.length - mostNearby);
  const notes =
    left > 0 ? [`More than ${mostNearby} clips of other cameras ran nearby; the nearest are listed.`] : [];
  return { nearby: nearby.slice(0, mostNearby), notes };
}

interface PlaceInTime extends Span {
  readonly bbox: Bbox;
}

/** Tells how near something came to places that were occupied at the same time; null where there was none. */
function distanceInTime(
  places: readonly PlaceInTime[],
): (bbox: Bbox, startMs: number, endMs: number) => number | null {
  const byStart = [...places].sort((a, b) => a.fromMs - b.fromMs);
  // The latest end of all places up to each: before the first that still lasts, nothing has to be looked at.
  const latestEnd: number[] = [];
  for (const place of byStart) latestEnd.push(Math.max(place.toMs, latestEnd.at(-1) ?? -Infinity));
  return (bbox, startMs, endMs) => {
    let from = 0;
    for (let to = byStart.length; from < to;) {
      const middle = (from + to) >> 1;
      if (latestEnd[middle]! > startMs) to = middle;
      else from = middle + 1;
    }
    let nearest: number | null = null;
    for (let i = from; i < byStart.length && byStart[i]!.fromMs < endMs; i++) {
      if (byStart[i]!.toMs <= startMs) continue;
      const metres = bboxDistanceM(byStart[i]!.bbox, bbox);
      if (nearest === null || metres < nearest) nearest = metres;
    }
    return nearest;
  };
}

/** A box with a kilometre around it; one near a pole or around the globe spans all longitudes. */
function widened(box: Bbox | null): Bbox | null {
  if (box === null) return null;
  const [west, south, east, north] = box;
  const lat = nearM / metresPerDegree;
  const lng = lat / Math.max(0.01, Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180));
  const isAround = west > east || east - west + 2 * lng >= 360 || west - lng < -180 || east + lng > 180;
  return [
    isAround ? -180 : west - lng,
    Math.max(-90, south - lat),
    isAround ? 180 : east + lng,
    Math.min(90, north + lat),
  ];
}

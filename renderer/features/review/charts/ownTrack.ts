import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ReviewScene, ReviewTrack } from '../../../../shared/contract/review.ts';
import type { TrackColumns } from '../../../../shared/track.ts';
import type { Review } from '../model.ts';
import { firstAfter, mergeSamples } from './mergeTelemetry.ts';

/** Imported tracks of the scene's own vehicle on the scene's time: a source of its own, beside the clips' telemetry. */
export interface OwnTrack {
  readonly timesMs: Float64Array;
  readonly latDeg: Float64Array;
  readonly lngDeg: Float64Array;
  readonly speedKmh: Float64Array;
  readonly headingDeg: Float64Array;
  /** For the label: "export.csv", or how many. */
  readonly from: string;
}

/** More trips than a day has. */
const mostTracks = 60;

/**
 * The tracks to draw: those of the own camera, one at a time (the same trip may be here as CSV and as GPX). Pure.
 */
export function planOwnTracks(scene: ReviewScene): readonly ReviewTrack[] {
  const own = scene.tracks.filter((track) => track.isOwn);
  const psn = scene.channels.length > 0 ? (scene.channels[0]?.psn ?? null) : (own[0]?.psn ?? null);
  const chosen: ReviewTrack[] = [];
  for (const track of [...own].sort((a, b) => a.fromMs - b.fromMs || b.toMs - a.toMs)) {
    const isOther = psn !== null && track.psn !== null && track.psn !== psn;
    if (isOther || track.fromMs < (chosen.at(-1)?.toMs ?? -Infinity) - 1000) continue;
    chosen.push(track);
  }
  return chosen.slice(0, mostTracks);
}

/** Brings tracks onto the scene's time, each moved by its own shift. Points without a time have no place in it. Pure. */
export function joinTracks(tracks: readonly ReviewTrack[], points: readonly TrackColumns[]): OwnTrack | null {
  const lists = points.map(({ timesMs, latDeg, lngDeg, speedKmh, headingDeg }, at) => {
    const order = [...timesMs.keys()].filter((i) => !Number.isNaN(timesMs[i]!));
    order.sort((a, b) => timesMs[a]! - timesMs[b]! || a - b);
    const shiftMs = tracks[at]?.shiftMs ?? 0;
    return {
      timesMs: Float64Array.from(order, (i) => timesMs[i]! + shiftMs),
      columns: [latDeg, lngDeg, speedKmh, headingDeg].map((column) =>
        Float64Array.from(order, (i) => column[i]!),
      ),
    };
  });
  const { timesMs, columns } = mergeSamples(lists, 4);
  if (timesMs.length === 0) return null;
  const [latDeg, lngDeg, speedKmh, headingDeg] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]; // four were given
  const names = [...new Set(tracks.map(({ fileName }) => fileName))];
  return {
    timesMs,
    latDeg,
    lngDeg,
    speedKmh,
    headingDeg,
    from: names.length === 1 ? names[0]! : `${names.length} files`,
  };
}

/** The own vehicle's imported tracks; null while they are read, where there are none, and where they can't be read (the map says so). */
export function useOwnTrack(review: Review): OwnTrack | null {
  const scene = useStore(review.store, (state) => state.scene);
  const [found, setFound] = useState<{ scene: ReviewScene; track: OwnTrack | null } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const tracks = planOwnTracks(scene);
    const read = async () => {
      const points: TrackColumns[] = [];
      for (const { tripId } of tracks) {
        if (!isWanted) return;
        points.push(await review.host.client.invoke('trips.points', { tripId }));
      }
      if (isWanted) setFound({ scene, track: joinTracks(tracks, points) });
    };
    read().catch(() => isWanted && setFound({ scene, track: null }));
    return () => {
      isWanted = false;
    };
  }, [review, scene]);
  // Of the scene before it is better than nothing for the moment of reading anew.
  return found?.track ?? null;
}

/** Index of the track's last position at or before a time and at most `maxAgeMs` old; null without one. Pure. */
export function trackIndexAt({ timesMs }: OwnTrack, sceneMs: number, maxAgeMs: number): number | null {
  const at = firstAfter(timesMs, sceneMs) - 1;
  return at >= 0 && sceneMs - timesMs[at]! <= maxAgeMs ? at : null;
}

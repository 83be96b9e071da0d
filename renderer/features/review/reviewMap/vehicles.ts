import type { ReviewScene, ReviewTrack } from '../../../../shared/contract/review.ts';
import type { TripId } from '../../../../shared/ids.ts';
import { cameraKey } from '../../library/tripRows.ts';

/** The tracks of one camera, or of one file of unknown camera, under one entry of the legend. */
export interface Vehicle {
  readonly key: string;
  readonly label: string;
  /** Position in the palette of cameras, as in the Library; its number is one more. -1: unknown camera. */
  readonly colorIndex: number;
  readonly isOwn: boolean;
  readonly tracks: readonly ReviewTrack[];
}

/** Vehicles of a scene's tracks, the scene's own first. `numbers` are those of the Library (`cameraIndexes`). Pure. */
export function vehiclesOf(
  scene: Pick<ReviewScene, 'tracks'>,
  numbers: ReadonlyMap<string, number>,
): readonly Vehicle[] {
  const byKey = new Map<
    string,
    { label: string; isOwn: boolean; colorIndex: number; tracks: ReviewTrack[] }
  >();
  for (const track of scene.tracks) {
    const key = track.psn === null ? `file ${track.sourceId}` : `camera ${track.psn}`;
    const label = track.cameraName ?? track.psn ?? track.fileName;
    const found = byKey.get(key) ?? {
      label,
      isOwn: track.isOwn,
      colorIndex: numbers.get(cameraKey(track.psn)) ?? -1,
      tracks: [],
    };
    found.tracks.push(track);
    byKey.set(key, found);
  }
  return [...byKey]
    .sort(([, a], [, b]) => Number(b.isOwn) - Number(a.isOwn) || a.label.localeCompare(b.label))
    .map(([key, vehicle]) => ({ key, ...vehicle }));
}

/**
 * The vehicle that the scene is about: the one whose clips are in it; without clips the only one there is. Pure.
 */
export function ownVehicles(vehicles: readonly Vehicle[], hasClips: boolean): readonly Vehicle[] {
  const own = vehicles.filter(({ isOwn }) => isOwn);
  return own.length === 0 && !hasClips && vehicles.length === 1 ? vehicles : own;
}

/** The vehicle of each trip. Pure. */
export function vehicleByTrip(vehicles: readonly Vehicle[]): ReadonlyMap<TripId, Vehicle> {
  return new Map(vehicles.flatMap((one) => one.tracks.map(({ tripId }) => [tripId, one] as const)));
}

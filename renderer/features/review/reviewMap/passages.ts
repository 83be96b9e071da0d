import type { Circle } from '../../../../shared/contract/trips.ts';
import { shortestGapMs } from '../../../../shared/gaps.ts';
import { createGroundCircle } from '../../../../shared/geometry.ts';
import type { TimedPlaces } from './positions.ts';

/** One time that a line of positions came within a circle. */
export interface Passage {
  readonly closestMs: number;
  readonly closestM: number;
  readonly closestLatDeg: number;
  readonly closestLngDeg: number;
  /** The closest approach lies between two recorded samples. */
  readonly isInterpolated: boolean;
}

/**
 * The times that positions came within a circle, by the straight line between neighbouring samples; nothing is said
 * across gaps or where there was no fix. The same rule as the library's "Who passed here" (`tracks.near`). Pure.
 */
export function passagesOf(places: TimedPlaces, circle: Circle): readonly Passage[] {
  const ground = createGroundCircle(circle);
  const found: Passage[] = [];
  let open: Passage | null = null;
  const end = () => {
    if (open) found.push(open);
    open = null;
  };
  const add = (near: Passage) => {
    if (!open || near.closestM < open.closestM) open = near;
  };
  const { timesMs, latDeg, lngDeg } = places;
  for (let i = 0; i < timesMs.length; i++) {
    const lat = latDeg[i]!;
    const lng = lngDeg[i]!;
    if (!Number.isFinite(lat) || !Number.isFinite(lng)) {
      end();
      continue;
    }
    const atMs = timesMs[i]!;
    const stepMs = i > 0 ? atMs - timesMs[i - 1]! : Infinity;
    const isJoined = i > 0 && Number.isFinite(latDeg[i - 1]!) && stepMs <= shortestGapMs;
    if (!isJoined) {
      end();
      const metres = ground.distanceM(lat, lng);
      if (metres <= circle.radiusM) add(passageAt(atMs, metres, lat, lng, false));
      continue;
    }
    const fromLat = latDeg[i - 1]!;
    const fromLng = lngDeg[i - 1]!;
    if (!ground.mayTouch(fromLat, fromLng, lat, lng)) {
      end();
      continue;
    }
    const near = ground.approach(fromLat, fromLng, lat, lng);
    if (near.distanceM > circle.radiusM) {
      end();
      continue;
    }
    const isBetween = near.fraction > 0 && near.fraction < 1;
    const nearMs = timesMs[i - 1]! + stepMs * near.fraction;
    add(passageAt(nearMs, near.distanceM, near.latDeg, near.lngDeg, isBetween));
    if (ground.distanceM(lat, lng) > circle.radiusM) end();
  }
  end();
  return found;
}

function passageAt(
  atMs: number,
  closestM: number,
  latDeg: number,
  lngDeg: number,
  isInterpolated: boolean,
): Passage {
  return { closestMs: atMs, closestM, closestLatDeg: latDeg, closestLngDeg: lngDeg, isInterpolated };
}

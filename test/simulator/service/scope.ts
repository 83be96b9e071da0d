/** Which cameras a call may see, in what order it is refused, and how seats are ranked (sections 5.7, 8.4). */
import { Problem } from '../http/problem.ts';
import { enumParameter, invalidParameter } from '../http/parameters.ts';
import { latestPlan, planInEffect } from '../plans.ts';
import type { Call, Camera, Organisation } from '../simulation.ts';
import { minuteMs } from '../world/localTime.ts';

export function scopedCameras(call: Call): Camera[] {
  const groupIds = call.key.groupIds;
  return call.organisation.cameras.filter(
    (camera) => groupIds === null || (camera.groupId !== null && groupIds.includes(camera.groupId)),
  );
}

/** Section 4.6: form, then the key's pinned set, then existence; an existing empty group filters to nothing. */
export function groupParameter(call: Call): string | undefined {
  const groupId = call.query.get('groupId');
  if (groupId === null) return undefined;
  if (!/^grp_[A-Za-z0-9]+$/.test(groupId)) throw invalidParameter('groupId', 'must have the form grp_<id>');
  if (call.key.groupIds !== null && !call.key.groupIds.includes(groupId)) {
    throw new Problem('group_not_allowed', { detail: 'The group is outside the set this key is pinned to.' });
  }
  if (!call.organisation.groups.some((group) => group.groupId === groupId)) {
    throw new Problem('group_not_found', { detail: 'No such group in this organisation.' });
  }
  return groupId;
}

export interface Seats {
  readonly limit: number | null;
  readonly registered: number;
  readonly overLimit: number;
  position(camera: Camera): number | null;
  isCovered(camera: Camera): boolean;
  readonly overLimitPsns: readonly string[];
}

/** Cloud cameras by `registeredAt`, newest first; positions 1..limit are covered. Wi-Fi cameras hold no seat. */
export function rankSeats(organisation: Organisation, nowMs: number): Seats {
  const ranked = organisation.cameras
    .filter((camera) => camera.category === 'cloud')
    .sort((one, other) => other.registeredAtMs - one.registeredAtMs || (one.psn < other.psn ? -1 : 1));
  const planLimit = planInEffect(organisation, nowMs).cameraLimit;
  // Sandbox keys never lock a seat (section 5.2).
  const limit = organisation.isSandbox ? Math.max(planLimit ?? 0, ranked.length) : planLimit;
  const position = (camera: Camera): number | null => {
    const index = ranked.indexOf(camera);
    return index < 0 ? null : index + 1;
  };
  const isCovered = (camera: Camera): boolean => limit === null || (position(camera) ?? 0) <= limit;
  const overLimitPsns = ranked.filter((camera) => !isCovered(camera)).map((camera) => camera.psn);
  return {
    limit,
    registered: ranked.length,
    overLimit: overLimitPsns.length,
    position,
    isCovered,
    overLimitPsns,
  };
}

export function seatsOf(call: Call): Seats {
  return rankSeats(call.organisation, call.nowMs);
}

/** `cameras`, beside `data` on every organisation-wide response (section 2.11). */
export function camerasBeside(call: Call): {
  cameras: { limit: number | null; registered: number; overLimit: number };
} {
  const { limit, registered, overLimit } = seatsOf(call);
  return { cameras: { limit, registered, overLimit } };
}

export function entitlementOf(call: Call, camera: Camera): 'covered' | 'over_limit' {
  return seatsOf(call).isCovered(camera) ? 'covered' : 'over_limit';
}

/** `entitlement=covered|over_limit|all`. */
export function entitlementFilter(call: Call, byDefault: 'all' | 'covered'): (camera: Camera) => boolean {
  const wanted = enumParameter(call, 'entitlement', ['covered', 'over_limit', 'all'] as const) ?? byDefault;
  const seats = seatsOf(call);
  return (camera) => wanted === 'all' || seats.isCovered(camera) === (wanted === 'covered');
}

export function cameraWithPsn(call: Call, psn: string | null | undefined): Camera {
  const camera = scopedCameras(call).find((candidate) => candidate.psn === psn);
  // 404 does not distinguish a camera that does not exist from one out of scope (section 7).
  if (!camera)
    throw new Problem('device_not_found', { detail: 'No such dashcam within the scope of this key.' });
  call.record.psn = camera.psn;
  return camera;
}

/** A `psn` filter on a list: an unknown one is the referenced resource that is `not_found` (section 7). */
export function psnFilter(call: Call): string | undefined {
  const psn = call.query.get('psn');
  if (psn === null) return undefined;
  if (!scopedCameras(call).some((camera) => camera.psn === psn)) {
    throw new Problem('not_found', { detail: 'No vehicle with this psn.' });
  }
  return psn;
}

export function requireCloud(camera: Camera): void {
  if (camera.category === 'wifi') {
    throw new Problem('cloud_only', {
      detail: 'A Wi-Fi-only dashcam has no cloud connection.',
      extensions: { psn: camera.psn, category: 'wifi' },
    });
  }
}

export function requireSeat(call: Call, camera: Camera): void {
  const seats = seatsOf(call);
  if (seats.isCovered(camera)) return;
  const position = seats.position(camera);
  throw new Problem('camera_limit_exceeded', {
    detail: 'The dashcam is beyond the number of cameras of the subscription.',
    extensions: {
      cameraLimit: seats.limit,
      registeredCameras: seats.registered,
      requiredCameraLimit: position,
      psn: camera.psn,
      cameraPosition: position,
    },
  });
}

/** Section 5.7: device_not_found, cloud_only, unsupported_device, then camera_limit_exceeded. */
export function commandableCamera(call: Call, psn: string | null | undefined): Camera {
  const camera = cameraWithPsn(call, psn);
  requireCloud(camera);
  if (!camera.isSupported) {
    throw new Problem('unsupported_device', {
      detail: 'This model has no cloud SD-card command channel.',
      extensions: { psn: camera.psn, model: camera.model },
    });
  }
  requireSeat(call, camera);
  return camera;
}

export function isOffline(camera: Camera, nowMs: number): boolean {
  return camera.offlineUntilMs > nowMs;
}

export function statusOf(call: Call, camera: Camera): 'driving' | 'parked' | 'offline' {
  if (camera.category === 'wifi' || isOffline(camera, call.nowMs)) return 'offline';
  return call.simulation.tripBook.locate(camera.vehicle, call.nowMs).isDriving ? 'driving' : 'parked';
}

export function lastContactMs(call: Call, camera: Camera): number {
  if (camera.category === 'wifi') return camera.registeredAtMs;
  const lostAtMs = camera.vehicle.story === 'offline' ? camera.vehicle.activeUntilMs : null;
  return lostAtMs ?? call.nowMs - (call.nowMs % minuteMs);
}

/** Volume quotas follow the latest plan at once, seats only after the plan's delay (section 8.1). */
export function planForQuotas(call: Call) {
  return latestPlan(call.organisation);
}

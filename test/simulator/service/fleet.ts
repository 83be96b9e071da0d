/** Fleet summary and locations, trips, groups, driving reports (section 4.6). */
import { cursorPage, tailCursor } from '../http/pagination.ts';
import {
  enumParameter,
  invalidParameter,
  parseDate,
  parseInstant,
  rangeParameters,
} from '../http/parameters.ts';
import { Problem } from '../http/problem.ts';
import { ok, type Call, type Camera, type Handler } from '../simulation.ts';
import { dayMs, toDateText, toDay, toLocalMs, toTimestamp } from '../world/localTime.ts';
import { toTripTimes, type TrackPoint, type Trip } from '../world/trips.ts';
import {
  camerasBeside,
  cameraWithPsn,
  entitlementFilter,
  entitlementOf,
  groupParameter,
  psnFilter,
  requireCloud,
  scopedCameras,
  statusOf,
} from './scope.ts';

const hourMs = 3_600_000;
/** How far back the location feed reaches. */
const feedHistoryMs = 6 * hourMs;

function cloudCameras(call: Call, byDefault: 'all' | 'covered'): Camera[] {
  const groupId = groupParameter(call);
  const isEntitled = entitlementFilter(call, byDefault);
  return scopedCameras(call).filter(
    (camera) =>
      camera.category === 'cloud' &&
      isEntitled(camera) &&
      (groupId === undefined || camera.groupId === groupId),
  );
}

/** Only cloud-connected dashcams count. */
export const readFleetSummary: Handler = (call) => {
  const cameras = cloudCameras(call, 'covered');
  const statuses = cameras.map((camera) => statusOf(call, camera));
  const countOf = (status: string): number => statuses.filter((candidate) => candidate === status).length;
  const fromMs = toDay(call.nowMs) * dayMs;
  const trips = cameras.flatMap((camera) =>
    call.simulation.tripBook.between(camera.vehicle, fromMs, call.nowMs, call.nowMs),
  );
  return ok(
    {
      totalDevices: cameras.length,
      driving: countOf('driving'),
      parked: countOf('parked'),
      offline: countOf('offline'),
      tripsToday: trips.length,
      distanceKmToday: Math.round(trips.reduce((sum, trip) => sum + trip.distanceM, 0) / 100) / 10,
    },
    camerasBeside(call),
  );
};

function toLocation(call: Call, camera: Camera, point: TrackPoint) {
  return {
    psn: camera.psn,
    name: camera.name,
    location: { latitude: point.latitude, longitude: point.longitude },
    speedKmh: point.speedKmh,
    heading: point.headingDeg,
    at: toTimestamp(point.tMs),
    entitlement: entitlementOf(call, camera),
  };
}

export const listLocations: Handler = (call) => {
  const cameras = cloudCameras(call, 'all');
  const page = cursorPage(call, cameras, { keyOf: (camera) => [0, camera.psn], order: 'ascending' });
  const data = page.rows.map((camera) => ({
    ...toLocation(call, camera, call.simulation.tripBook.locate(camera.vehicle, call.nowMs).point),
    status: statusOf(call, camera),
  }));
  return { status: 200, body: { data, pagination: page.pagination, ...camerasBeside(call) } };
};

/** Positions as they came in, oldest first; the tail of the last hours. */
export const readLocationFeed: Handler = (call) => {
  const cameras = cloudCameras(call, 'all');
  const psn = psnFilter(call);
  const start = enumParameter(call, 'start', ['oldest', 'latest'] as const);
  const { tripBook } = call.simulation;
  const rows = cameras
    .filter((camera) => psn === undefined || camera.psn === psn)
    .flatMap((camera) =>
      tripBook
        .between(camera.vehicle, call.nowMs - feedHistoryMs, call.nowMs, call.nowMs)
        .flatMap((trip) => tripBook.points(camera.vehicle, trip, call.nowMs))
        .filter((point) => point.tMs >= call.nowMs - feedHistoryMs)
        .map((point) => ({ camera, point })),
    );
  if (start === 'latest' && !call.query.has('after')) {
    const pagination = { nextCursor: tailCursor(call, [call.nowMs, '']), hasMore: false };
    return { status: 200, body: { data: [], pagination, ...camerasBeside(call) } };
  }
  const page = cursorPage(call, rows, {
    keyOf: ({ camera, point }) => [point.tMs, camera.psn],
    order: 'ascending',
    defaultLimit: 100,
    maxLimit: 500,
    isFeed: true,
  });
  const data = page.rows.map(({ camera, point }) => toLocation(call, camera, point));
  return { status: 200, body: { data, pagination: page.pagination, ...camerasBeside(call) } };
};

function toTrip(call: Call, camera: Camera, trip: Trip) {
  const isEnded = trip.endMs <= call.nowMs;
  return {
    tripId: trip.tripId,
    psn: camera.psn,
    driveNo: trip.driveNo,
    ...toTripTimes(trip, call.nowMs),
    startLocation: trip.start,
    endLocation: isEnded ? trip.end : null,
    distanceKm: Math.round(trip.distanceM / 10) / 100,
    durationSec: Math.round((Math.min(trip.endMs, call.nowMs) - trip.startMs) / 1000),
    maxSpeedKmh: trip.maxSpeedKmh,
  };
}

export const listTrips: Handler = (call) => {
  const { fromMs, toMs } = rangeParameters(call);
  // A Wi-Fi-only dashcam has no trips in the cloud; its list is empty.
  const camera = cameraWithPsn(call, call.parameters['psn']);
  const untilMs = toMs ?? call.nowMs;
  const sinceMs = fromMs ?? untilMs - 30 * dayMs;
  const trips = call.simulation.tripBook.between(camera.vehicle, sinceMs, untilMs, call.nowMs);
  const page = cursorPage(call, trips, { keyOf: (trip) => [trip.startMs, trip.tripId], order: 'descending' });
  return {
    status: 200,
    body: { data: page.rows.map((trip) => toTrip(call, camera, trip)), pagination: page.pagination },
  };
};

export const readTrack: Handler = (call) => {
  const tripId = call.parameters['tripId'] ?? '';
  const camera = scopedCameras(call).find((candidate) => tripId.startsWith(`trip_${candidate.psn}_`));
  const trip = camera && call.simulation.tripBook.find(camera.vehicle, tripId);
  if (!camera || !trip || trip.startMs > call.nowMs)
    throw new Problem('trip_not_found', { detail: 'No such trip.' });
  const points = call.simulation.tripBook.points(camera.vehicle, trip, call.nowMs).map((point) => ({
    at: toTimestamp(point.tMs),
    latitude: point.latitude,
    longitude: point.longitude,
    heading: point.headingDeg,
    speedKmh: point.speedKmh,
  }));
  return ok({ tripId, psn: camera.psn, points });
};

export const listGroups: Handler = (call) => {
  const pinned = call.key.groupIds;
  const groups = call.organisation.groups.filter(
    (group) => pinned === null || pinned.includes(group.groupId),
  );
  return ok(
    groups.map((group) => ({
      ...group,
      deviceCount: call.organisation.cameras.filter((camera) => camera.groupId === group.groupId).length,
    })),
  );
};

/** Dashcam-detected counters; geofence types, `manual`, `seatbelt` and `speed_limit` never appear. */
const countedTypes = [
  'driving_impact',
  'parking_impact',
  'harsh_braking',
  'harsh_acceleration',
  'sharp_turn',
  'overspeed',
  'drowsy',
  'distracted',
  'undetected',
  'calling',
  'smoking',
] as const;
const maxReportDays = 92;

function report(call: Call, camera: Camera, fromDay: number, toDay_: number) {
  const fromMs = fromDay * dayMs;
  const toMs = Math.min((toDay_ + 1) * dayMs - 1, call.nowMs);
  const trips = call.simulation.tripBook
    .between(camera.vehicle, fromMs, toMs, call.nowMs)
    .filter((trip) => trip.startMs >= fromMs);
  const counts: Record<string, number> = Object.fromEntries(countedTypes.map((type) => [type, 0]));
  for (let day = toDay(toLocalMs(fromMs)); day <= toDay(toLocalMs(toMs)); day += 1) {
    for (const incident of call.simulation.incidentBook.onDay(camera.vehicle, day)) {
      const isCounted = incident.type in counts && incident.atMs >= fromMs && incident.atMs <= toMs;
      if (isCounted) counts[incident.type] = (counts[incident.type] ?? 0) + 1;
    }
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const distanceKm = Math.round(trips.reduce((sum, trip) => sum + trip.distanceM, 0) / 100) / 10;
  return {
    psn: camera.psn,
    name: camera.name,
    entitlement: entitlementOf(call, camera),
    tripCount: trips.length,
    distanceKm,
    drivingSec: trips.reduce(
      (sum, trip) => sum + Math.round((Math.min(trip.endMs, toMs) - trip.startMs) / 1000),
      0,
    ),
    score: Math.max(0, Math.round(100 - (distanceKm > 0 ? (total * 100) / distanceKm : 0))),
    counts,
  };
}

/** `YYYY-MM-DD`, or an RFC 3339 date-time reduced to its UTC date. */
function dayParameter(call: Call, name: string, byDefault: number): number {
  const text = call.query.get(name);
  if (text === null) return byDefault;
  const atMs = parseDate(text) ?? parseInstant(text);
  if (atMs === undefined) throw invalidParameter(name, 'must be YYYY-MM-DD or an RFC 3339 date-time');
  return toDay(atMs);
}

export const rankDrivers: Handler = (call) => {
  const toDay_ = dayParameter(call, 'to', toDay(call.nowMs));
  const fromDay = dayParameter(call, 'from', toDay_ - 6);
  if (fromDay > toDay_) throw invalidParameter('from', 'must not be later than "to"');
  if (toDay_ - fromDay + 1 > maxReportDays) throw invalidParameter('from', 'spans more than 92 days');
  const rows = cloudCameras(call, 'covered')
    .map((camera) => report(call, camera, fromDay, toDay_))
    .sort((one, other) => other.score - one.score || (one.psn < other.psn ? -1 : 1))
    .map((row, index) => ({ rank: index + 1, ...row }));
  const page = cursorPage(call, rows, { keyOf: (row) => [row.rank, row.psn], order: 'ascending' });
  return { status: 200, body: { data: page.rows, pagination: page.pagination, ...camerasBeside(call) } };
};

/** `date` only, yesterday by default; answers for an over-limit dashcam as well. */
export const reportDevice: Handler = (call) => {
  for (const name of ['from', 'to']) {
    if (call.query.has(name)) throw invalidParameter(name, 'is not taken here; use "date"');
  }
  const text = call.query.get('date');
  const atMs = text === null ? call.nowMs - dayMs : parseDate(text);
  if (atMs === undefined) throw invalidParameter('date', 'must be YYYY-MM-DD');
  const camera = cameraWithPsn(call, call.parameters['psn']);
  requireCloud(camera);
  const day = toDay(atMs);
  return ok({ date: toDateText(day * dayMs), ...report(call, camera, day, day) });
};

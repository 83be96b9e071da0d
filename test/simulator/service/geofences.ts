/** Geofences and their alerts (section 4.6). */
import { cursorPage, offsetPage, readOffset, usualOffset } from '../http/pagination.ts';
import {
  bodyObject,
  enumParameter,
  invalidField,
  isStringArray,
  rangeParameters,
} from '../http/parameters.ts';
import { Problem } from '../http/problem.ts';
import { hash32 } from '../random.ts';
import { newId, ok, type Call, type Camera, type Geofence, type Handler } from '../simulation.ts';
import { distanceM, type Position } from '../world/city.ts';
import { dayMs, toIso, toTimestamp } from '../world/localTime.ts';
import type { TrackPoint } from '../world/trips.ts';
import { audit } from './audit.ts';
import { psnFilter, scopedCameras } from './scope.ts';

const defaultStyle = { color: '#6B2FD9', opacity: 0.24 };
const defaultRecording = { enter: true, exit: true, pass: false, speed: false };
/** How far back alerts are kept here; not shown. */
const alertDays = 7;

type Shape = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function badShape(reason: string): Problem {
  return invalidField('shape', reason, { allowed: ['circle', 'rectangle', 'polygon', 'polyline'] });
}

function readPosition(value: unknown): Position {
  // Read form: {latitude, longitude}; GeoJSON: [longitude, latitude].
  const [longitude, latitude] = Array.isArray(value)
    ? (value as unknown[])
    : isObject(value)
      ? [value['longitude'], value['latitude']]
      : [];
  const isValid =
    typeof latitude === 'number' &&
    typeof longitude === 'number' &&
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180;
  if (!isValid) throw badShape('has a point outside the world');
  return { latitude, longitude };
}

function readPositions(value: unknown, least: number): Position[] {
  if (!Array.isArray(value) || value.length < least) throw badShape(`needs at least ${least} points`);
  return value.map(readPosition);
}

/** GeoJSON rings repeat their first point at the end; the read form does not. */
function openRing(points: Position[]): Position[] {
  const first = points[0];
  const last = points[points.length - 1];
  const isClosed = first && last && first.latitude === last.latitude && first.longitude === last.longitude;
  return isClosed && points.length > 1 ? points.slice(0, -1) : points;
}

function readShape(shape: unknown): Shape {
  if (!isObject(shape)) throw badShape('must be an object');
  switch (shape['type']) {
    case 'circle': {
      const radiusM = shape['radiusM'];
      if (typeof radiusM !== 'number' || !(radiusM > 0)) throw badShape('needs a positive radiusM');
      return { type: 'circle', center: readPosition(shape['center']), radiusM };
    }
    case 'Point': {
      const radiusM = shape['radiusM'];
      if (typeof radiusM !== 'number' || !(radiusM > 0)) throw badShape('needs a positive radiusM');
      return { type: 'circle', center: readPosition(shape['coordinates']), radiusM };
    }
    case 'rectangle': {
      const points = openRing(readPositions(shape['points'], 4));
      if (points.length !== 4) throw badShape('must be one ring of exactly 4 corners');
      return { type: 'rectangle', points };
    }
    case 'polygon':
      if ('holes' in shape) throw badShape('must not have holes');
      return { type: 'polygon', points: openRing(readPositions(shape['points'], 3)) };
    case 'Polygon': {
      const rings = shape['coordinates'];
      if (!Array.isArray(rings) || rings.length !== 1) throw badShape('must be one ring without holes');
      const points = openRing(readPositions(rings[0], 4));
      if (points.length < 3) throw badShape('needs at least 3 corners');
      return { type: 'polygon', points };
    }
    case 'polyline':
      return { type: 'polyline', points: readPositions(shape['points'], 2) };
    case 'LineString':
      return { type: 'polyline', points: readPositions(shape['coordinates'], 2) };
    default:
      throw badShape('has an unsupported type');
  }
}

/** Applied property by property, so that a new colour keeps the old opacity. */
function readStyle(style: unknown, current: Geofence['style']): Geofence['style'] {
  if (style === undefined) return current;
  if (!isObject(style)) throw invalidField('style', 'must be an object');
  const color = style['color'] ?? current.color;
  const opacity = style['opacity'] ?? current.opacity;
  if (typeof color !== 'string' || !/^#[0-9A-Fa-f]{6}$/.test(color))
    throw invalidField('style.color', 'must be #RRGGBB');
  if (typeof opacity !== 'number' || opacity < 0 || opacity > 1) {
    throw invalidField('style.opacity', 'is out of range', { min: 0, max: 1 });
  }
  return { color, opacity };
}

function readRecordingEvents(value: unknown, current: Record<string, boolean>): Record<string, boolean> {
  if (value === undefined) return current;
  if (!isObject(value)) throw invalidField('recordingEvents', 'must be an object');
  const merged = { ...current };
  for (const [name, isOn] of Object.entries(value)) {
    if (!(name in defaultRecording)) {
      throw invalidField('recordingEvents', 'has an unsupported key', {
        allowed: Object.keys(defaultRecording),
      });
    }
    if (typeof isOn !== 'boolean') throw invalidField(`recordingEvents.${name}`, 'must be true or false');
    merged[name] = isOn;
  }
  return merged;
}

function readDevices(call: Call, value: unknown, current: string[]): string[] {
  if (value === undefined) return current;
  if (!isStringArray(value)) throw invalidField('devices', 'must be a list of PSN strings');
  const known = scopedCameras(call).map((camera) => camera.psn);
  const unknown = value.filter((psn) => !known.includes(psn));
  if (unknown.length > 0) {
    throw new Problem('unknown_psn', {
      detail: 'Some PSNs are outside the scope of this key.',
      extensions: { psns: unknown },
    });
  }
  return value;
}

function toGeofence(fence: Geofence) {
  return {
    geofenceId: fence.geofenceId,
    name: fence.name,
    shape: fence.shape ?? { type: 'unsupported' },
    style: fence.style,
    recordingEvents: fence.recordingEvents,
    devices: fence.devices,
    createdAt: toTimestamp(fence.createdAtMs),
    updatedAt: toTimestamp(fence.updatedAtMs),
  };
}

function keptGeofences(call: Call): Geofence[] {
  const { organisation, nowMs, simulation } = call;
  // Sandbox writes are kept for 24 hours (section 5.2).
  return organisation.geofences.filter(
    (fence) =>
      !organisation.isSandbox ||
      fence.createdAtMs < simulation.options.startAtMs ||
      nowMs - fence.createdAtMs < dayMs,
  );
}

function findGeofence(call: Call): Geofence {
  const fence = keptGeofences(call).find(
    (candidate) => candidate.geofenceId === call.parameters['geofenceId'],
  );
  if (!fence) throw new Problem('geofence_not_found', { detail: 'No such geofence.' });
  return fence;
}

export const listGeofences: Handler = (call) => {
  const page = offsetPage(keptGeofences(call), readOffset(call, usualOffset));
  return { status: 200, body: { data: page.rows.map(toGeofence), pagination: page.pagination } };
};

export const readGeofence: Handler = (call) => ok(toGeofence(findGeofence(call)));

function readName(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw invalidField('name', 'must be a text');
  return value;
}

export const createGeofence: Handler = (call) => {
  const body = bodyObject(call);
  const fence: Geofence = {
    geofenceId: newId(call.simulation, 'gf'),
    name: readName(body['name']),
    shape: readShape(body['shape']),
    style: readStyle(body['style'], defaultStyle),
    recordingEvents: readRecordingEvents(body['recordingEvents'], defaultRecording),
    devices: readDevices(call, body['devices'], []),
    createdAtMs: call.nowMs,
    updatedAtMs: call.nowMs,
  };
  call.organisation.geofences.push(fence);
  audit(call, 'geofence.create', fence.geofenceId, 'success');
  return ok(toGeofence(fence), {}, 201);
};

/** `recordingEvents` merges key by key, `devices` replaces wholesale, a missing shape keeps the stored one. */
export const updateGeofence: Handler = (call) => {
  const fence = findGeofence(call);
  const body = bodyObject(call);
  if (body['shape'] === undefined && fence.shape === null) {
    throw new Problem('geofence_unsupported_shape', {
      detail: 'The stored shape is not supported; send a new one.',
    });
  }
  const name = body['name'] === undefined ? fence.name : readName(body['name']);
  const shape = body['shape'] === undefined ? fence.shape : readShape(body['shape']);
  const style = readStyle(body['style'], fence.style);
  const recordingEvents = readRecordingEvents(body['recordingEvents'], fence.recordingEvents);
  const devices = readDevices(call, body['devices'], fence.devices);
  Object.assign(fence, { name, shape, style, recordingEvents, devices, updatedAtMs: call.nowMs });
  audit(call, 'geofence.update', fence.geofenceId, 'success');
  return ok(toGeofence(fence));
};

export const deleteGeofence: Handler = (call) => {
  const fence = findGeofence(call);
  call.organisation.geofences = call.organisation.geofences.filter((other) => other !== fence);
  audit(call, 'geofence.delete', fence.geofenceId, 'delete');
  return { status: 204 };
};

function isInside(shape: Shape, position: Position): boolean {
  if (shape['type'] === 'circle')
    return distanceM(shape['center'] as Position, position) <= (shape['radiusM'] as number);
  if (shape['type'] === 'polyline') return false;
  const points = shape['points'] as Position[];
  let isIn = false;
  points.forEach((one, index) => {
    const other = points[(index + 1) % points.length] ?? one;
    const isBetween = one.latitude > position.latitude !== other.latitude > position.latitude;
    const share = (position.latitude - one.latitude) / (other.latitude - one.latitude);
    if (isBetween && position.longitude < one.longitude + share * (other.longitude - one.longitude))
      isIn = !isIn;
  });
  return isIn;
}

interface Alert {
  readonly fence: Geofence;
  readonly camera: Camera;
  readonly type: 'geofence_enter' | 'geofence_exit';
  readonly point: TrackPoint;
}

function findAlerts(call: Call): Alert[] {
  const { tripBook } = call.simulation;
  const alerts: Alert[] = [];
  for (const camera of scopedCameras(call).filter((candidate) => candidate.category === 'cloud')) {
    const fences = keptGeofences(call).filter(
      (fence) => fence.shape !== null && fence.devices.includes(camera.psn),
    );
    if (fences.length === 0) continue;
    for (const trip of tripBook.between(
      camera.vehicle,
      call.nowMs - alertDays * dayMs,
      call.nowMs,
      call.nowMs,
    )) {
      const points = tripBook.points(camera.vehicle, trip, call.nowMs);
      for (const fence of fences) {
        let wasIn: boolean | null = null;
        for (const point of points) {
          const isIn: boolean = fence.shape !== null && isInside(fence.shape, point);
          if (wasIn !== null && isIn !== wasIn) {
            alerts.push({ fence, camera, point, type: isIn ? 'geofence_enter' : 'geofence_exit' });
          }
          wasIn = isIn;
        }
      }
    }
  }
  return alerts;
}

const alertId = (alert: Alert): string =>
  `gfa_${hash32(`${alert.fence.geofenceId}/${alert.camera.psn}/${alert.point.tMs}/${alert.type}`).toString(16)}`;

export const listGeofenceAlerts: Handler = (call) => {
  const { fromMs, toMs } = rangeParameters(call);
  const type = enumParameter(call, 'type', ['geofence_enter', 'geofence_exit'] as const);
  const psn = psnFilter(call);
  const rows = findAlerts(call).filter(
    (alert) =>
      (fromMs === undefined || alert.point.tMs >= fromMs) &&
      (toMs === undefined || alert.point.tMs <= toMs) &&
      (type === undefined || alert.type === type) &&
      (psn === undefined || alert.camera.psn === psn),
  );
  const page = cursorPage(call, rows, {
    keyOf: (alert) => [alert.point.tMs, alertId(alert)],
    order: 'descending',
  });
  const data = page.rows.map((alert) => ({
    alertId: alertId(alert),
    type: alert.type,
    geofenceId: alert.fence.geofenceId,
    geofenceName: alert.fence.name,
    psn: alert.camera.psn,
    deviceName: alert.camera.name,
    occurredAt: toIso(alert.point.tMs),
    location: { latitude: alert.point.latitude, longitude: alert.point.longitude },
  }));
  return { status: 200, body: { data, pagination: page.pagination } };
};

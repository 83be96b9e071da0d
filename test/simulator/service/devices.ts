/** Device inventory and registration (sections 2.11, 2.12, 4.6, 8.4). */
import { offsetPage, readOffset, usualOffset } from '../http/pagination.ts';
import { bodyObject, enumParameter, invalidField } from '../http/parameters.ts';
import { Problem } from '../http/problem.ts';
import { createRandom } from '../random.ts';
import { ok, type Call, type Camera, type Handler } from '../simulation.ts';
import { toTimestamp } from '../world/localTime.ts';
import { audit } from './audit.ts';
import {
  camerasBeside,
  cameraWithPsn,
  entitlementFilter,
  groupParameter,
  lastContactMs,
  scopedCameras,
  seatsOf,
  statusOf,
} from './scope.ts';

function batteryOf(call: Call, camera: Camera) {
  const random = createRandom(camera.psn, 'battery', Math.floor(call.nowMs / 3_600_000));
  const isDriving = statusOf(call, camera) === 'driving';
  return {
    voltage: Math.round((isDriving ? 13.9 : 12.4) * 10 + random.between(-2, 3)) / 10,
    isCharging: isDriving,
  };
}

/** Fields beyond those of section 2.12 (`model`, `status`, `groupId`) are this simulation's additions. */
function toDevice(call: Call, camera: Camera): Record<string, unknown> {
  const seats = seatsOf(call);
  const device = {
    psn: camera.psn,
    name: camera.name,
    category: camera.category,
    entitlement: seats.isCovered(camera) ? 'covered' : 'over_limit',
    cameraPosition: seats.position(camera),
    registeredAt: toTimestamp(camera.registeredAtMs),
    lastLoginAt: toTimestamp(Math.max(camera.registeredAtMs, lastContactMs(call, camera) - 4 * 3_600_000)),
    lastConnectedAt: toTimestamp(lastContactMs(call, camera)),
    connectivity: camera.connectivity,
    fwVersion: camera.fwVersion,
    vehicle: camera.vehicleInfo,
    sim:
      camera.category === 'wifi'
        ? null
        : { carrier: 'Simulated Wireless', iccid: `8901${createRandom(camera.psn).integer(1e9, 9e9)}` },
    battery: camera.category === 'wifi' ? null : batteryOf(call, camera),
  };
  if (call.simulation.modes.isMinimal) return device;
  return { ...device, model: camera.model, status: statusOf(call, camera), groupId: camera.groupId };
}

export const listDevices: Handler = (call) => {
  const offset = readOffset(call, usualOffset);
  const status = enumParameter(call, 'status', ['driving', 'parked', 'offline'] as const);
  const category = enumParameter(call, 'category', ['cloud', 'wifi'] as const);
  const groupId = groupParameter(call);
  const isEntitled = entitlementFilter(call, 'all');
  const words = call.query.get('q')?.toLowerCase();
  const rows = scopedCameras(call).filter(
    (camera) =>
      (category === undefined || camera.category === category) &&
      (groupId === undefined || camera.groupId === groupId) &&
      isEntitled(camera) &&
      (words === undefined ||
        camera.name.toLowerCase().includes(words) ||
        camera.psn.toLowerCase().includes(words)) &&
      (status === undefined || statusOf(call, camera) === status),
  );
  const page = offsetPage(rows, offset);
  const data = page.rows.map((camera) => toDevice(call, camera));
  return { status: 200, body: { data, pagination: page.pagination, ...camerasBeside(call) } };
};

export const readDevice: Handler = (call) => {
  const camera = cameraWithPsn(call, call.parameters['psn']);
  const seats = seatsOf(call);
  const required = seats.isCovered(camera) ? {} : { requiredCameraLimit: seats.position(camera) };
  return ok({ ...toDevice(call, camera), ...required });
};

export const readFirmware: Handler = (call) => {
  const camera = cameraWithPsn(call, call.parameters['psn']);
  return ok({
    psn: camera.psn,
    fwVersion: camera.fwVersion,
    latestVersion: '1.014',
    isUpToDate: camera.fwVersion === '1.014',
  });
};

export const readBattery: Handler = (call) => {
  const camera = cameraWithPsn(call, call.parameters['psn']);
  return ok({ psn: camera.psn, ...batteryOf(call, camera), at: toTimestamp(lastContactMs(call, camera)) });
};

const psnPattern = /^[A-Z0-9]{6,32}$/;
/** Which PSNs the maker's register knows; anything else with the right shape fails as `unknown_psn`. */
const knownPattern = /^NEW[0-9]{6}$/;
const blockedPattern = /^BAD[0-9]{6}$/;

/** The request's form is not shown: `{"devices":[{"psn","name"?}]}`, and per-row failures in `failed[]`. */
export const registerDevices: Handler = (call) => {
  const rows = bodyObject(call)['devices'];
  if (!Array.isArray(rows) || rows.length === 0) throw invalidField('devices', 'must be a list of devices');
  const failed: { psn: unknown; code: string }[] = [];
  const accepted = new Map<string, string>();
  for (const row of rows as unknown[]) {
    const { psn, name } = (typeof row === 'object' && row !== null ? row : {}) as {
      psn?: unknown;
      name?: unknown;
    };
    if (typeof psn !== 'string' || !psnPattern.test(psn))
      failed.push({ psn: psn ?? null, code: 'invalid_psn' });
    else if (accepted.has(psn) || call.organisation.cameras.some((camera) => camera.psn === psn)) {
      failed.push({ psn, code: 'duplicated' });
    } else if (blockedPattern.test(psn)) failed.push({ psn, code: 'blacklisted' });
    else if (!knownPattern.test(psn)) failed.push({ psn, code: 'unknown_psn' });
    else accepted.set(psn, typeof name === 'string' && name !== '' ? name : psn);
  }
  requireSeatsFor(call, [...accepted.keys()]);
  const registered = [...accepted].map(([psn, name]) => addCamera(call, psn, name));
  return ok({ registered: registered.map((camera) => toDevice(call, camera)), failed });
};

/** All or nothing: either every accepted row finds a seat, or none is registered. */
function requireSeatsFor(call: Call, psns: readonly string[]): void {
  const seats = seatsOf(call);
  if (seats.limit === null || call.organisation.isSandbox) return;
  const remainingSeats = Math.max(0, seats.limit - seats.registered);
  if (psns.length <= remainingSeats) return;
  throw new Problem('camera_limit_exceeded', {
    detail: 'Registration would exceed the number of cameras of the subscription.',
    extensions: {
      cameraLimit: seats.limit,
      registeredCameras: seats.registered,
      requiredCameraLimit: seats.registered + psns.length,
      psns,
      remainingSeats,
    },
  });
}

function addCamera(call: Call, psn: string, name: string): Camera {
  const camera: Camera = {
    psn,
    name,
    category: 'cloud',
    model: 'SD-7 LTE',
    isSupported: true,
    registeredAtMs: call.nowMs,
    connectivity: 'lte',
    fwVersion: '1.014',
    vehicle: {
      psn,
      story: 'ordinary',
      home: { column: 0, row: 0 },
      hasOptionCamera: true,
      activeFromMs: call.nowMs,
      activeUntilMs: null,
    },
    uploadBytesPerSecond: 1_500_000,
    groupId: null,
    vehicleInfo: { vin: null, plate: null, maker: null, model: null, year: null, tag: null },
    hasCard: true,
    offlineUntilMs: 0,
    busyUntilMs: 0,
    isWedged: false,
    isUnresponsive: false,
    transfer: null,
    deletedFilenames: new Set(),
  };
  call.organisation.cameras.unshift(camera);
  audit(call, 'device.device_register', psn, 'success');
  return camera;
}

const vehicleFields = ['vin', 'plate', 'maker', 'model', 'year'] as const;

/** `name` and `vehicle`; `vehicle.tag` is read-only. */
export const updateDevice: Handler = (call) => {
  const camera = cameraWithPsn(call, call.parameters['psn']);
  const body = bodyObject(call);
  const { name, vehicle } = body;
  if (name !== undefined && (typeof name !== 'string' || name.trim() === ''))
    throw invalidField('name', 'must be a text');
  if (vehicle !== undefined) {
    if (typeof vehicle !== 'object' || vehicle === null) throw invalidField('vehicle', 'must be an object');
    if ('tag' in vehicle) throw invalidField('vehicle.tag', 'is read-only');
    for (const field of vehicleFields) {
      const value: unknown = (vehicle as Record<string, unknown>)[field];
      if (value === undefined) continue;
      const isValid =
        value === null || (field === 'year' ? Number.isInteger(value) : typeof value === 'string');
      if (!isValid) throw invalidField(`vehicle.${field}`, 'has the wrong type');
      camera.vehicleInfo = { ...camera.vehicleInfo, [field]: value as string | number | null };
    }
  }
  if (typeof name === 'string') camera.name = name;
  audit(call, 'device.device_update', camera.psn, 'success');
  return ok(toDevice(call, camera));
};

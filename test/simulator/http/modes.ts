/** Two ways the same contract may look (section 9): with things added everywhere, and with nothing optional. */
import type { Modes } from '../simulation.ts';

interface Trim {
  /** Optional, or not shown by the specification: left out. */
  readonly drop?: readonly string[];
  /** Nullable: null. */
  readonly nullify?: readonly string[];
}

const trimByRoute: Readonly<Record<string, Trim>> = {
  'GET /v1/devices/{psn}/sd-files/{filename}/video': { nullify: ['expiresAt', 'sizeBytes', 'receivedBytes'] },
  'GET /v1/devices/{psn}/sd-files/{filename}/metadata': {
    drop: ['filename'],
    nullify: ['thumbnail', 'gps', 'gsensor'],
  },
  'GET /v1/media/recall-jobs': { drop: ['receivedBytes', 'psn', 'filename', 'quality', 'createdAt'] },
  'GET /v1/media/recall-jobs/{jobId}': { drop: ['receivedBytes'] },
  'DELETE /v1/media/recall-jobs/{jobId}': { drop: ['receivedBytes'] },
  'GET /v1/gps/export-jobs': {
    drop: ['downloadFileName', 'downloadUrlExpiresIn', 'format', 'packaging', 'partial'],
  },
  'GET /v1/gps/export-jobs/{jobId}': {
    drop: ['downloadFileName', 'downloadUrlExpiresIn', 'format', 'packaging', 'partial'],
  },
  'GET /v1/devices': { nullify: ['sim', 'battery', 'vehicle', 'cameraPosition'] },
  'GET /v1/devices/{psn}': { nullify: ['sim', 'battery', 'vehicle', 'cameraPosition'] },
  'GET /v1/events': {
    drop: ['psn', 'deviceName', 'groupId'],
    nullify: ['location', 'speedKmh', 'thumbnailUrl', 'speedLimit'],
  },
  'GET /v1/events/feed': {
    drop: ['psn', 'deviceName', 'groupId'],
    nullify: ['location', 'speedKmh', 'thumbnailUrl', 'speedLimit'],
  },
  'GET /v1/events/{eventId}': {
    drop: ['psn', 'deviceName', 'groupId'],
    nullify: ['location', 'speedKmh', 'thumbnailUrl', 'speedLimit'],
  },
  'GET /v1/devices/{psn}/trips': {
    drop: ['driveNo', 'distanceKm', 'durationSec', 'maxSpeedKmh'],
    nullify: ['startLocation', 'endLocation'],
  },
  'GET /v1/usage': { nullify: ['callHistory', 'statusBreakdown'] },
};

function trimItem(item: unknown, trim: Trim): unknown {
  if (typeof item !== 'object' || item === null) return item;
  const entries = Object.entries(item)
    .filter(([name]) => trim.drop?.includes(name) !== true)
    .map(([name, value]): [string, unknown] => [name, trim.nullify?.includes(name) === true ? null : value]);
  return Object.fromEntries(entries);
}

const openEnums: readonly string[] = ['type', 'direction', 'connectivity'];
/** Maps from a name to a number or a flag, where a new entry would be a value of another type. */
const closedMaps: readonly string[] = ['counts', 'recordingEvents', 'shape'];

function addEverywhere(value: unknown, listIndex: number | null): unknown {
  if (Array.isArray(value)) return value.map((item, index) => addEverywhere(item, index));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    if (closedMaps.includes(name)) return [name, inner];
    const isReplaced =
      listIndex !== null && listIndex % 4 === 3 && openEnums.includes(name) && typeof inner === 'string';
    return [name, isReplaced ? `future_${name}` : addEverywhere(inner, null)];
  });
  return { ...Object.fromEntries(entries), addedLater: { reason: 'additive versioning' } };
}

export function applyModes(modes: Modes, route: string, body: unknown): unknown {
  let result = body;
  const trim = modes.isMinimal ? trimByRoute[route] : undefined;
  if (trim && typeof result === 'object' && result !== null && 'data' in result) {
    const data = result.data;
    result = {
      ...result,
      data: Array.isArray(data) ? data.map((item) => trimItem(item, trim)) : trimItem(data, trim),
    };
  }
  return modes.isAdditive ? addEverywhere(result, null) : result;
}

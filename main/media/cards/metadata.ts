import type { RecordingMetadata } from '../../../shared/contract/cards.ts';
import type { StoredMetadata } from '../../cache/cardRepository.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Names of fields inside the parts are not shown by the specification (2.2): these are tried in turn. */
const names = {
  gps: ['gps', 'gpsTrack', 'track'],
  gSensor: ['gsensor', 'gSensor', 'g_sensor', 'accelerometer', 'acceleration'],
  time: ['at', 'timestamp', 'time', 'datetime', 'recordedAt', 'utc'],
  latitude: ['latitude', 'lat'],
  longitude: ['longitude', 'lng', 'lon'],
  speed: ['speedKmh', 'speed'],
  heading: ['heading', 'headingDeg', 'course', 'direction'],
  offset: ['offsetMs', 'offset', 'elapsedMs', 'ms'],
  vertical: ['verticalG', 'vertical', 'z'],
  lateral: ['lateralG', 'lateral', 'y'],
  longitudinal: ['longitudinalG', 'longitudinal', 'x'],
} as const;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function pick(fields: Fields, keys: readonly string[]): unknown {
  for (const key of keys) if (fields[key] !== undefined && fields[key] !== null) return fields[key];
  return null;
}
function numberOf(fields: Fields, keys: readonly string[]): number {
  const value = pick(fields, keys);
  return typeof value === 'number' ? value : NaN;
}
/** A number of that size can only be seconds, or milliseconds, since 1970. */
function timeOf(fields: Fields): number {
  const value = pick(fields, names.time);
  if (typeof value === 'string') return Date.parse(/[zZ]|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`);
  if (typeof value !== 'number') return NaN;
  return value > 1e11 ? value : value * 1000;
}

/** A part is a list of samples, or an object that holds one. */
function samplesOf(body: Fields, keys: readonly string[]): Fields[] {
  const part = pick(body, keys);
  const list = isFields(part) ? Object.values(part).find(Array.isArray) : part;
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/** Splits an answer of the metadata call into what is stored, and finds its first GPS time. */
export function takeMetadata(
  filename: string,
  data: Fields,
  fetchedAtMs: number,
): { readonly stored: StoredMetadata; readonly firstGpsMs: number | null } {
  const { thumbnail, ...rest } = data;
  const picture = typeof thumbnail === 'string' ? thumbnail : pick(isFields(thumbnail) ? thumbnail : {}, ['data', 'base64', 'jpeg']); // prettier-ignore
  const base64 = typeof picture === 'string' ? picture.replace(/^data:[^,]*,/, '') : '';
  const bytes = base64 === '' ? null : new Uint8Array(Buffer.from(base64, 'base64'));
  const times = samplesOf(rest, names.gps).map(timeOf).filter(Number.isFinite);
  return {
    stored: {
      filename,
      fetchedAtMs,
      thumbnail: bytes !== null && bytes.length > 0 ? bytes : null,
      body: JSON.stringify(rest),
    },
    firstGpsMs: times.length === 0 ? null : Math.min(...times),
  };
}

/** Stored metadata as the contract shows it. */
export function toMetadata(psn: string, stored: StoredMetadata): RecordingMetadata {
  const body = JSON.parse(stored.body) as Fields; // written by takeMetadata
  const gps = samplesOf(body, names.gps);
  const gSensor = samplesOf(body, names.gSensor);
  return {
    psn,
    filename: stored.filename,
    thumbnail: stored.thumbnail,
    gps:
      gps.length === 0
        ? null
        : {
            tMs: Float64Array.from(gps, timeOf),
            latDeg: Float64Array.from(gps, (one) => numberOf(one, names.latitude)),
            lngDeg: Float64Array.from(gps, (one) => numberOf(one, names.longitude)),
            speedKmh: Float32Array.from(gps, (one) => numberOf(one, names.speed)),
            headingDeg: Float32Array.from(gps, (one) => numberOf(one, names.heading)),
          },
    gSensor:
      gSensor.length === 0
        ? null
        : {
            offsetMs: Float64Array.from(gSensor, (one) => numberOf(one, names.offset)),
            verticalG: Float32Array.from(gSensor, (one) => numberOf(one, names.vertical)),
            lateralG: Float32Array.from(gSensor, (one) => numberOf(one, names.lateral)),
            longitudinalG: Float32Array.from(gSensor, (one) => numberOf(one, names.longitudinal)),
          },
    rawText: stored.body,
    fetchedAtMs: stored.fetchedAtMs,
  };
}

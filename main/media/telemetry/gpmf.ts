import type { ClipBytes } from './byteSource.ts';
import { emptyRow, GSensorRows, isPlace, type GpsRow, type SkipCounts } from './columns.ts';
import type { Track } from './movie.ts';
import { payloadsOf, type Payload } from './trackPayloads.ts';

/** One key-length-value item; `data` without the padding to 4 bytes. */
interface Item {
  readonly key: string;
  readonly type: string;
  readonly structBytes: number;
  readonly repeat: number;
  readonly data: Buffer;
}

const gravity = 9.80665;
const dayMs = 86_400_000;
const mostItems = 10_000;

/**
 * GoPro GPMF track: big-endian key-length-value, `DEVC` > `STRM` > data, two levels and no more. GPS5 and GPS9
 * hold positions, ACCL the acceleration in m/s2, both divided by SCAL. Samples of a payload are spread evenly
 * over its time.
 */
export function readGpmf(
  bytes: ClipBytes,
  track: Track,
  skips: SkipCounts,
): { rows: readonly GpsRow[]; gSensor: GSensorRows } {
  const rows: GpsRow[] = [];
  const gSensor = new GSensorRows();
  for (const payload of payloadsOf(bytes, track)) {
    const devices = itemsOf(payload.bytes);
    if (devices[0]?.key !== 'DEVC') {
      skips.add(`gpmd sample ${payload.number}`, 'a GPMF payload that does not begin with a device');
      continue;
    }
    const streams = devices
      .filter((item) => item.key === 'DEVC')
      .flatMap((device) => itemsOf(device.data).filter((item) => item.key === 'STRM'));
    const read = streams.map((stream) => itemsOf(stream.data));
    // Cameras with GPS9 write GPS5 beside it: the better one is enough.
    const gps9 = read.filter((items) => items.some((item) => item.key === 'GPS9'));
    const gps5 = read.filter((items) => items.some((item) => item.key === 'GPS5'));
    for (const items of gps9) readGps9(items, payload, rows, skips);
    if (gps9.length === 0) for (const items of gps5) readGps5(items, payload, rows, skips);
    for (const items of read) readAcceleration(items, payload, gSensor);
  }
  return { rows, gSensor };
}

/** The items of one level; ends at whatever is none. */
function itemsOf(bytes: Buffer): Item[] {
  const items: Item[] = [];
  for (let at = 0; at + 8 <= bytes.length && items.length < mostItems;) {
    const key = bytes.toString('latin1', at, at + 4);
    if (!/^[\x20-\x7e]{4}$/.test(key)) break;
    const structBytes = bytes[at + 5]!;
    const repeat = bytes.readUInt16BE(at + 6);
    const length = structBytes * repeat;
    const data = bytes.subarray(at + 8, at + 8 + length);
    items.push({ key, type: String.fromCharCode(bytes[at + 4]!), structBytes, repeat, data });
    if (data.length < length) break;
    at += 8 + ((length + 3) & ~3);
  }
  return items;
}

function scalesOf(items: readonly Item[], count: number): number[] | null {
  const item = items.find((one) => one.key === 'SCAL');
  if (!item) return null;
  const values: number[] = [];
  for (let i = 0; i < item.repeat; i++) {
    const at = i * item.structBytes;
    if (at + item.structBytes > item.data.length) break;
    if (item.type === 's') values.push(item.data.readInt16BE(at));
    else if (item.type === 'S') values.push(item.data.readUInt16BE(at));
    else if (item.type === 'l') values.push(item.data.readInt32BE(at));
    else if (item.type === 'L') values.push(item.data.readUInt32BE(at));
    else if (item.type === 'f') values.push(item.data.readFloatBE(at));
  }
  if (values.length === 0 || values.some((value) => !(Math.abs(value) > 0))) return null;
  return values.length >= count ? values : values.length === 1 ? Array<number>(count).fill(values[0]!) : null;
}

const clipMsOf = (payload: Payload, index: number, count: number): number =>
  payload.startMs + (payload.lengthMs * index) / count;

function readGps5(items: readonly Item[], payload: Payload, rows: GpsRow[], skips: SkipCounts): void {
  const item = items.find((one) => one.key === 'GPS5')!; // the caller looked
  const scales = scalesOf(items, 5);
  if (!scales || item.structBytes !== 20) {
    skips.add(`gpmd sample ${payload.number}`, 'GPS5 values without their scale');
    return;
  }
  const fix = items.find((one) => one.key === 'GPSF');
  const hasFix = !fix || fix.data.length < 4 || fix.data.readUInt32BE(0) >= 2;
  const startMs = utcText(items.find((one) => one.key === 'GPSU')?.data.toString('latin1'));
  const count = Math.min(item.repeat, Math.floor(item.data.length / 20));
  for (let i = 0; i < count; i++) {
    const value = (n: number): number => item.data.readInt32BE(i * 20 + n * 4) / scales[n]!;
    const utcMs = startMs + (payload.lengthMs * i) / count;
    addRow(rows, skips, payload, {
      ...emptyRow(),
      clipMs: clipMsOf(payload, i, count),
      utcMs,
      ...(hasFix
        ? { latDeg: value(0), lngDeg: value(1), altitudeM: value(2), speedKmh: value(3) * 3.6 }
        : {}),
    });
  }
}

/** Latitude, longitude, altitude, 2D and 3D speed, days since 2000, seconds of the day, DOP, fix. */
function readGps9(items: readonly Item[], payload: Payload, rows: GpsRow[], skips: SkipCounts): void {
  const item = items.find((one) => one.key === 'GPS9')!; // the caller looked
  const scales = scalesOf(items, 9);
  if (!scales || item.structBytes !== 32) {
    skips.add(`gpmd sample ${payload.number}`, 'GPS9 values without their scale');
    return;
  }
  const count = Math.min(item.repeat, Math.floor(item.data.length / 32));
  for (let i = 0; i < count; i++) {
    const at = i * 32;
    const value = (n: number): number => item.data.readInt32BE(at + n * 4) / scales[n]!;
    const hasFix = item.data.readUInt16BE(at + 30) / scales[8]! >= 2;
    const days = value(5);
    addRow(rows, skips, payload, {
      ...emptyRow(),
      clipMs: clipMsOf(payload, i, count),
      utcMs: days > 0 ? Date.UTC(2000, 0, 1) + days * dayMs + Math.round(value(6) * 1000) : NaN,
      ...(hasFix
        ? { latDeg: value(0), lngDeg: value(1), altitudeM: value(2), speedKmh: value(3) * 3.6 }
        : {}),
    });
  }
}

function addRow(rows: GpsRow[], skips: SkipCounts, payload: Payload, row: GpsRow): void {
  const hasPlace = !Number.isNaN(row.latDeg);
  if (hasPlace && !isPlace(row.latDeg, row.lngDeg))
    skips.add(`gpmd sample ${payload.number}`, 'a position that can not be');
  else if (hasPlace || !Number.isNaN(row.utcMs)) rows.push(row);
}

function readAcceleration(items: readonly Item[], payload: Payload, gSensor: GSensorRows): void {
  const item = items.find((one) => one.key === 'ACCL');
  const scales = item && scalesOf(items, 3);
  if (!item || !scales || item.type !== 's' || item.structBytes !== 6) return;
  const count = Math.min(item.repeat, Math.floor(item.data.length / 6));
  for (let i = 0; i < count; i++) {
    const axis = (n: number): number => item.data.readInt16BE(i * 6 + n * 2) / scales[n]! / gravity;
    gSensor.push(clipMsOf(payload, i, count), axis(0), axis(1), axis(2));
  }
}

/** `yymmddhhmmss.sss`, UTC. */
function utcText(text: string | undefined): number {
  const match = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\.\d+)?/.exec(text ?? '');
  if (!match) return NaN;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as number[];
  if (month! < 1 || month! > 12 || day! < 1 || day! > 31 || hour! > 23 || minute! > 59) return NaN;
  return (
    Date.UTC(2000 + year!, month! - 1, day!, hour!, minute!, second!) +
    Math.round(Number(match[7] ?? 0) * 1000)
  );
}

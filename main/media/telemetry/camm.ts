import type { ClipBytes } from './byteSource.ts';
import { emptyRow, GSensorRows, isPlace, type GpsRow, type SkipCounts } from './columns.ts';
import type { Track } from './movie.ts';
import { payloadsOf } from './trackPayloads.ts';

/** Whole packet with its 4-byte head, by type 0 to 7. */
const packetBytes = [16, 12, 16, 16, 16, 28, 60, 16] as const;
const gravity = 9.80665;
const gpsEpochMs = Date.UTC(1980, 0, 6);
/** GPS time counts no leap seconds. */
const leapSeconds: readonly (readonly [fromMs: number, seconds: number])[] = [
  [Date.UTC(2017, 0, 1), 18],
  [Date.UTC(2015, 6, 1), 17],
  [Date.UTC(2012, 6, 1), 16],
  [Date.UTC(2009, 0, 1), 15],
];

/**
 * CAMM track: little-endian packets, u16 reserved and u16 type. 5 is a position without a time of its own, 6
 * one with GPS time and velocity, 3 the acceleration in m/s2. Others are passed over.
 */
export function readCamm(
  bytes: ClipBytes,
  track: Track,
  skips: SkipCounts,
): { rows: readonly GpsRow[]; gSensor: GSensorRows } {
  const rows: GpsRow[] = [];
  const gSensor = new GSensorRows();
  for (const payload of payloadsOf(bytes, track)) {
    const packet = payload.bytes;
    const where = `camm sample ${payload.number}`;
    const type = packet.length >= 4 ? packet.readUInt16LE(2) : -1;
    const expected = packetBytes[type];
    if (expected === undefined || packet.length < expected) {
      skips.add(where, 'a CAMM packet of an unknown type or length');
    } else if (type === 3) {
      const axis = (n: number): number => packet.readFloatLE(4 + n * 4) / gravity;
      if ([0, 1, 2].every((n) => Math.abs(axis(n)) < 1000))
        gSensor.push(payload.startMs, axis(0), axis(1), axis(2));
      else skips.add(where, 'an acceleration that can not be');
    } else if (type === 5 || type === 6) {
      const row = type === 5 ? shortPosition(packet) : longPosition(packet);
      if (row === null) skips.add(where, 'a position that can not be');
      else rows.push({ ...row, clipMs: payload.startMs });
    }
  }
  return { rows, gSensor };
}

function shortPosition(packet: Buffer): GpsRow | null {
  const [latDeg, lngDeg, altitudeM] = [
    packet.readDoubleLE(4),
    packet.readDoubleLE(12),
    packet.readDoubleLE(20),
  ];
  return isPlace(latDeg, lngDeg) ? { ...emptyRow(), latDeg, lngDeg, altitudeM: finite(altitudeM) } : null;
}

function longPosition(packet: Buffer): GpsRow | null {
  const utcMs = utcOfGps(packet.readDoubleLE(4));
  const hasFix = packet.readInt32LE(12) > 0;
  if (!hasFix) return { ...emptyRow(), utcMs };
  const [latDeg, lngDeg] = [packet.readDoubleLE(16), packet.readDoubleLE(24)];
  if (!isPlace(latDeg, lngDeg)) return null;
  const [east, north] = [packet.readFloatLE(44), packet.readFloatLE(48)];
  const speedKmh = finite(Math.hypot(east, north) * 3.6);
  return {
    ...emptyRow(),
    utcMs,
    latDeg,
    lngDeg,
    altitudeM: finite(packet.readFloatLE(32)),
    speedKmh,
    headingDeg: speedKmh > 0 ? ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360 : NaN,
  };
}

function utcOfGps(seconds: number): number {
  if (!(seconds > 0 && seconds < 4e9)) return NaN;
  const ms = gpsEpochMs + seconds * 1000;
  const leap = leapSeconds.find(([fromMs]) => ms >= fromMs)?.[1] ?? 14;
  return ms - leap * 1000;
}

const finite = (value: number): number => (Number.isFinite(value) ? value : NaN);

/**
 * The telemetry boxes a camera writes into its clips (formats.md section 2): a top-level `free` box that
 * holds `cprt`, `sttm`, `ptnm`, `thum`, `gps ` and `3gf `, then zero padding up to a fixed length, so that
 * a listing can tell a clip's size without building it.
 */
import { createRandom } from '../random.ts';
import type { Recording } from './card.ts';
import { motionAt } from './drive.ts';
import { toIso, toLocalMs } from './localTime.ts';
import type { TripBook } from './trips.ts';
import type { Vehicle } from './vehicle.ts';

/** Bytes of the whole `free` box, header included. */
export const telemetryBoxBytes = 24_576;
const countsPerG = 128;
const gravity = 9.80665;

export interface GpsSample {
  readonly atMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
  readonly headingDeg: number;
}

export interface GSensorSample {
  readonly offsetMs: number;
  readonly verticalG: number;
  readonly lateralG: number;
  readonly longitudinalG: number;
}

/** One position a second; none while parked, as real cameras without a reason to log do. */
export function gpsSamples(tripBook: TripBook, vehicle: Vehicle, recording: Recording): GpsSample[] {
  const trip = recording.trip;
  if (!trip) return [];
  const samples: GpsSample[] = [];
  const firstSecond = Math.ceil(recording.startMs / 1000) * 1000;
  for (let atMs = firstSecond; atMs < recording.startMs + recording.durationS * 1000; atMs += 1000) {
    const point = tripBook.pointAt(vehicle, trip, atMs);
    samples.push({
      atMs,
      latitude: point.latitude,
      longitude: point.longitude,
      speedKmh: point.speedKmh ?? 0,
      headingDeg: point.headingDeg,
    });
  }
  return samples;
}

/** About nine samples a second; 1 g of gravity on the vertical axis, + longitudinal = speeding up, + lateral = right. */
export function gSensorSamples(tripBook: TripBook, vehicle: Vehicle, recording: Recording): GSensorSample[] {
  const random = createRandom(vehicle.psn, recording.recordedAtLocal, 'g');
  const trip = recording.trip;
  const drive = trip ? tripBook.drive(vehicle, trip) : null;
  const impactOffsetMs = trip?.impactMs != null ? trip.impactMs - recording.startMs : null;
  const samples: GSensorSample[] = [];
  for (
    let offsetMs = random.integer(20, 90);
    offsetMs < recording.durationS * 1000;
    offsetMs += random.integer(100, 125)
  ) {
    const atImpact = impactOffsetMs !== null && Math.abs(offsetMs - impactOffsetMs) <= 60;
    if (atImpact && impactOffsetMs !== null) offsetMs = impactOffsetMs + 20;
    const tS = trip ? (recording.startMs + offsetMs - trip.startMs) / 1000 : 0;
    const isOnTrip = trip !== null && tS > 0 && tS < (trip.endMs - trip.startMs) / 1000;
    const motion = drive && isOnTrip ? motionAt(drive, tS) : null;
    const roughness = motion ? 0.012 + motion.speedMps * 0.0022 : 0.004;
    const noise = (): number => (random.next() + random.next() - 1) * roughness * 2;
    const sinceImpactMs = impactOffsetMs === null ? -1 : offsetMs - impactOffsetMs;
    const ringing =
      sinceImpactMs >= 0 && sinceImpactMs < 900
        ? Math.exp(-sinceImpactMs / 180) * Math.cos(sinceImpactMs / 38)
        : 0;
    samples.push({
      offsetMs,
      verticalG: 1.02 + noise() * 1.6 + ringing * 1.3,
      lateralG: (motion ? motion.sidewaysMps2 / gravity : 0) + noise() + ringing * 1.7,
      longitudinalG: (motion ? motion.forwardMps2 / gravity : 0) + noise() + ringing * 0.4,
    });
  }
  return samples;
}

function box(type: string, payload: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(payload.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, payload]);
}

function toNmeaAngle(degrees: number, width: number): string {
  const absolute = Math.abs(degrees);
  const whole = Math.floor(absolute);
  return `${String(whole).padStart(width, '0')}${((absolute - whole) * 60).toFixed(5).padStart(8, '0')}`;
}

/** `$GPRMC` with its checksum; `V` and no position while there is no fix. */
function toRmc(atMs: number, sample: GpsSample | null): string {
  const iso = toIso(atMs);
  const time = `${iso.slice(11, 19).replaceAll(':', '')}.00`;
  const date = `${iso.slice(8, 10)}${iso.slice(5, 7)}${iso.slice(2, 4)}`;
  const position = sample
    ? [
        'A',
        toNmeaAngle(sample.latitude, 2),
        sample.latitude < 0 ? 'S' : 'N',
        toNmeaAngle(sample.longitude, 3),
        sample.longitude < 0 ? 'W' : 'E',
        (sample.speedKmh / 1.852).toFixed(3),
        sample.headingDeg.toFixed(2),
      ]
    : ['V', '', '', '', '', '', ''];
  const body = ['GPRMC', time, ...position, date, '', '', sample ? 'A' : 'N'].join(',');
  let checksum = 0;
  for (const character of body) checksum ^= character.charCodeAt(0);
  return `$${body}*${checksum.toString(16).toUpperCase().padStart(2, '0')}`;
}

function gpsText(vehicle: Vehicle, samples: readonly GpsSample[]): Buffer {
  const lagMs = createRandom(vehicle.psn, 'gps-lag').integer(120, 880);
  const lines = samples.map((sample) => `[${toLocalMs(sample.atMs) + lagMs}]${toRmc(sample.atMs, sample)}`);
  const text = lines.length > 0 ? `${lines.join('\n\n')}\n` : '';
  return Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(8)]);
}

function gSensorBytes(samples: readonly GSensorSample[]): Buffer {
  const bytes = Buffer.alloc((samples.length + 2) * 10, 0xff);
  const toCounts = (value: number): number =>
    Math.max(-32_768, Math.min(32_767, Math.round(value * countsPerG)));
  samples.forEach((sample, index) => {
    bytes.writeUInt32BE(sample.offsetMs, index * 10);
    bytes.writeInt16BE(toCounts(sample.verticalG), index * 10 + 4);
    bytes.writeInt16BE(toCounts(sample.lateralG), index * 10 + 6);
    bytes.writeInt16BE(toCounts(sample.longitudinalG), index * 10 + 8);
  });
  return bytes;
}

export function telemetryBox(
  tripBook: TripBook,
  vehicle: Vehicle,
  recording: Recording,
  thumbnail: Buffer,
): Buffer {
  const started = Buffer.alloc(8);
  started.writeBigUInt64BE(BigInt(toLocalMs(recording.startMs)));
  const thumbnailLength = Buffer.alloc(4);
  thumbnailLength.writeUInt32BE(thumbnail.length);
  const children = Buffer.concat([
    box('cprt', Buffer.from('Simulated Dashcam Co.;SD-7 LTE;1.014;English;1;\0', 'latin1')),
    box('sttm', started),
    box('ptnm', Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.from(`${recording.filename}\0`, 'latin1')])),
    box('thum', Buffer.concat([thumbnailLength, thumbnail])),
    box('gps ', gpsText(vehicle, gpsSamples(tripBook, vehicle, recording))),
    box('3gf ', gSensorBytes(gSensorSamples(tripBook, vehicle, recording))),
  ]);
  const paddingBytes = telemetryBoxBytes - 8 - children.length;
  if (paddingBytes < 0) throw new Error(`telemetry of ${recording.filename} does not fit`);
  return box('free', Buffer.concat([children, Buffer.alloc(paddingBytes)]));
}

import { createRandom } from '../random.ts';
import { roadNameAt, type Position } from './city.ts';
import { motionAt } from './drive.ts';
import { dayMs, minuteMs, toUtcMs } from './localTime.ts';
import type { Trip, TripBook } from './trips.ts';
import { vehicleDayKey, type Vehicle } from './vehicle.ts';

/** Section 2.1: the event types, each of which is also a recording type. */
export const eventTypes = [
  'driving_impact',
  'parking_impact',
  'harsh_braking',
  'harsh_acceleration',
  'sharp_turn',
  'overspeed',
  'manual',
  'drowsy',
  'distracted',
  'undetected',
  'calling',
  'smoking',
  'seatbelt',
  'geofence_enter',
  'geofence_exit',
  'geofence_pass',
  'geofence_speed',
] as const;
export type EventType = (typeof eventTypes)[number];

export interface SpeedLimitDetail {
  readonly limitKmh: number;
  readonly overKmh: number;
  readonly durationSec: number;
  readonly roadName: string;
  readonly country: string;
  readonly endedAtMs: number;
  readonly peakAtMs: number;
  readonly schoolZone: boolean;
}

export interface Incident {
  readonly psn: string;
  readonly type: EventType | 'speed_limit';
  /** When it happened on the road. */
  readonly atMs: number;
  /** Section 2.10: the upload of the first file, after the incident; for `speed_limit` the first excess. */
  readonly occurredAtMs: number;
  /** From when on the service knows it. */
  readonly visibleAtMs: number;
  readonly position: Position | null;
  readonly speedKmh: number | null;
  readonly channels: readonly ('front' | 'option')[];
  readonly tripId: string | null;
  /** False: on the card only, counted by the camera but never uploaded (section 4.6, reports). */
  readonly isUploaded: boolean;
  readonly speedLimit: SpeedLimitDetail | null;
}

const behaviours: readonly EventType[] = [
  'drowsy',
  'distracted',
  'undetected',
  'calling',
  'smoking',
  'seatbelt',
];
const geofenceKinds: readonly EventType[] = [
  'geofence_enter',
  'geofence_exit',
  'geofence_pass',
  'geofence_speed',
];

export interface IncidentBook {
  /** Everything that happened to one vehicle on one local day, in order. */
  onDay(vehicle: Vehicle, localDay: number): readonly Incident[];
}

export function createIncidentBook(seed: number, tripBook: TripBook): IncidentBook {
  const known = new Map<string, readonly Incident[]>();

  const build = (vehicle: Vehicle, localDay: number): Incident[] => {
    const random = createRandom(seed, vehicle.psn, 'incidents', localDay);
    const incidents: Incident[] = [];
    const channels = vehicle.hasOptionCamera ? (['front', 'option'] as const) : (['front'] as const);
    const add = (type: EventType, atMs: number, trip: Trip | null, isUploaded: boolean): void => {
      const point = trip ? tripBook.pointAt(vehicle, trip, atMs) : tripBook.locate(vehicle, atMs).point;
      const isSlow = random.chance(0.03);
      const uploadDelayMs = isSlow ? random.integer(2, 36) * minuteMs : random.integer(6, 55) * 1000;
      incidents.push({
        psn: vehicle.psn,
        type,
        atMs,
        occurredAtMs: atMs + uploadDelayMs,
        visibleAtMs: atMs + uploadDelayMs,
        position: random.chance(0.03) ? null : { latitude: point.latitude, longitude: point.longitude },
        speedKmh: trip ? point.speedKmh : 0,
        channels,
        tripId: trip?.tripId ?? null,
        isUploaded,
        speedLimit: null,
      });
    };
    for (const trip of tripBook.onDay(vehicle, localDay)) {
      const lengthMs = trip.endMs - trip.startMs;
      const someMoment = (): number => trip.startMs + Math.round(lengthMs * random.between(0.1, 0.85));
      for (const manoeuvre of trip.manoeuvres) {
        add(manoeuvre.kind, trip.startMs + Math.round(manoeuvre.tS * 1000), trip, random.chance(0.85));
        if (manoeuvre.kind === 'overspeed') {
          const violation = findViolation(tripBook, vehicle, trip, manoeuvre.tS, random.chance(0.12));
          if (violation) incidents.push(violation);
        }
      }
      if (trip.impactMs !== null) {
        add('driving_impact', trip.impactMs, trip, true);
        // The collision always has a position: it is what the demo is about.
        const impact = incidents.pop();
        if (impact) {
          const point = tripBook.pointAt(vehicle, trip, trip.impactMs);
          incidents.push({ ...impact, position: { latitude: point.latitude, longitude: point.longitude } });
        }
        continue;
      }
      for (let count = random.integer(0, 2); count > 0; count -= 1) {
        add(random.pick(behaviours), someMoment(), trip, random.chance(0.8));
      }
      if (random.chance(0.05)) add('manual', someMoment(), trip, true);
      if (random.chance(0.1)) add(random.pick(geofenceKinds), someMoment(), trip, true);
      if (random.chance(0.01)) add('driving_impact', someMoment(), trip, true);
    }
    if (random.chance(0.07)) {
      const atMs = toUtcMs(localDay * dayMs + random.integer(22 * 60, 23 * 60 + 50) * minuteMs);
      const isInService = vehicle.activeUntilMs === null || atMs < vehicle.activeUntilMs;
      if (isInService && vehicle.story !== 'wifi') add('parking_impact', atMs, null, true);
    }
    return incidents.sort((one, other) => one.atMs - other.atMs);
  };

  return {
    onDay(vehicle, localDay) {
      const key = vehicleDayKey(vehicle, localDay);
      const incidents = known.get(key) ?? build(vehicle, localDay);
      known.set(key, incidents);
      return incidents;
    },
  };
}

/** The server's own comparison with the posted limit (section 2.10): first excess, peak, end. */
function findViolation(
  tripBook: TripBook,
  vehicle: Vehicle,
  trip: Trip,
  aroundTS: number,
  schoolZone: boolean,
): Incident | null {
  const drive = tripBook.drive(vehicle, trip);
  const limitKmh = schoolZone ? 32 : 56;
  const speedAt = (tS: number): number => motionAt(drive, tS).speedMps * 3.6;
  const isOver = (tS: number): boolean => tS > 0 && tS < drive.durationS && speedAt(tS) > limitKmh + 5;
  if (!isOver(aroundTS)) return null;
  let fromTS = aroundTS;
  let toTS = aroundTS;
  while (isOver(fromTS - 1)) fromTS -= 1;
  while (isOver(toTS + 1)) toTS += 1;
  let peakTS = fromTS;
  for (let tS = fromTS; tS <= toTS; tS += 1) if (speedAt(tS) > speedAt(peakTS)) peakTS = tS;
  const toMs = (tS: number): number => trip.startMs + Math.round(tS * 1000);
  const peak = tripBook.pointAt(vehicle, trip, toMs(peakTS));
  const peakKmh = Math.round(speedAt(peakTS) * 10) / 10;
  return {
    psn: vehicle.psn,
    type: 'speed_limit',
    atMs: toMs(fromTS),
    occurredAtMs: toMs(fromTS),
    visibleAtMs: toMs(toTS) + 20_000,
    position: { latitude: peak.latitude, longitude: peak.longitude },
    speedKmh: peakKmh,
    channels: [],
    tripId: trip.tripId,
    isUploaded: true,
    speedLimit: {
      limitKmh,
      overKmh: Math.round((peakKmh - limitKmh) * 10) / 10,
      durationSec: Math.max(1, Math.round(toTS - fromTS)),
      roadName: roadNameAt(peak),
      country: 'US',
      endedAtMs: toMs(toTS),
      peakAtMs: toMs(peakTS),
      schoolZone,
    },
  };
}

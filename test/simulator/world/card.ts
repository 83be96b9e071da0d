/** What is on a camera's memory card: continuous segments of the last days, event and parking clips. */
import { createRandom } from '../random.ts';
import type { EventType, IncidentBook } from './incidents.ts';
import { dayMs, minuteMs, toDay, toIso, toLocalMs, toUtcMs } from './localTime.ts';
import type { Trip, TripBook } from './trips.ts';
import { vehicleDayKey, type Vehicle } from './vehicle.ts';

export type RecordingType = EventType | 'normal' | 'parking' | 'unknown';

/**
 * The specification shows no letter table (2.1, "not shown"). These letters follow what public tools read
 * from such names; C, K and H are this simulation's choice, and Z stays outside the table on purpose.
 */
const typeByLetter: Readonly<Record<string, RecordingType>> = {
  N: 'normal',
  P: 'parking',
  E: 'driving_impact',
  I: 'parking_impact',
  B: 'harsh_braking',
  A: 'harsh_acceleration',
  T: 'sharp_turn',
  O: 'overspeed',
  M: 'manual',
  D: 'drowsy',
  L: 'distracted',
  F: 'undetected',
  C: 'calling',
  K: 'smoking',
  Y: 'seatbelt',
  R: 'geofence_enter',
  X: 'geofence_exit',
  G: 'geofence_pass',
  H: 'geofence_speed',
};
const letterByType = new Map(Object.entries(typeByLetter).map(([letter, type]) => [type, letter]));

export const recordingTypes: readonly string[] = [...new Set(Object.values(typeByLetter)), 'unknown'];
export const recordingDirections: readonly string[] = ['front', 'option'];

export function decodeType(letter: string): RecordingType {
  return typeByLetter[letter] ?? 'unknown';
}

export interface Recording {
  readonly filename: string;
  readonly psn: string;
  readonly startMs: number;
  readonly durationS: number;
  readonly typeCode: string;
  readonly directionCode: 'F' | 'O';
  /** `YYYY-MM-DDTHH:MM:SS` on the camera's clock, no offset (section 2.1). */
  readonly recordedAtLocal: string;
  readonly picture: 'drive' | 'collision' | 'parking';
  /** The trip during which it was recorded; null while parked. */
  readonly trip: Trip | null;
  /** Only the low-resolution stream is left: the card overwrote the main one. */
  readonly hasSubStream: boolean;
}

/** As long as the clips of `test/simulator/clips`. */
const secondsByPicture: Readonly<Record<Recording['picture'], number>> = {
  drive: 20,
  collision: 70,
  parking: 10,
};
const segmentS = secondsByPicture.drive;
/** An event clip starts this long before its incident. */
export const leadInMs = 10_000;
const eventRetentionDays = 30;

export interface CardBook {
  /** Finished recordings, newest first. `normalDays` is how far back continuous recordings reach. */
  list(vehicle: Vehicle, nowMs: number, normalDays: number): readonly Recording[];
  find(vehicle: Vehicle, filename: string, nowMs: number, normalDays: number): Recording | undefined;
}

export function createCardBook(seed: number, tripBook: TripBook, incidentBook: IncidentBook): CardBook {
  const known = new Map<string, readonly Recording[]>();

  const buildDay = (vehicle: Vehicle, localDay: number): Recording[] => {
    const random = createRandom(seed, vehicle.psn, 'card', localDay);
    const recordings: Recording[] = [];
    const cameras = vehicle.hasOptionCamera ? (['F', 'O'] as const) : (['F'] as const);
    const add = (startMs: number, letter: string, picture: Recording['picture'], trip: Trip | null): void => {
      const local = toIso(toLocalMs(startMs)).slice(0, 19);
      const stamp = local.replaceAll('-', '').replaceAll(':', '').replace('T', '_');
      for (const directionCode of cameras) {
        recordings.push({
          filename: `${stamp}_${letter}${directionCode}.mp4`,
          psn: vehicle.psn,
          startMs,
          durationS: secondsByPicture[picture],
          typeCode: letter,
          directionCode,
          recordedAtLocal: local,
          picture,
          trip,
          hasSubStream: letter !== 'Z',
        });
      }
    };
    for (const trip of tripBook.onDay(vehicle, localDay)) {
      for (let startMs = trip.startMs; startMs < trip.endMs; startMs += segmentS * 1000)
        add(startMs, 'N', 'drive', trip);
    }
    for (const incident of incidentBook.onDay(vehicle, localDay)) {
      const letter = incident.type === 'speed_limit' ? undefined : letterByType.get(incident.type);
      if (letter === undefined) continue;
      const trip =
        tripBook.onDay(vehicle, localDay).find((candidate) => candidate.tripId === incident.tripId) ?? null;
      const picture = trip === null ? 'parking' : trip.impactMs === incident.atMs ? 'collision' : 'drive';
      add(incident.atMs - leadInMs, letter, picture, trip);
    }
    for (let count = random.integer(1, 4); count > 0; count -= 1) {
      const startMs = toUtcMs(localDay * dayMs + random.integer(20 * 60, 23 * 60 + 55) * minuteMs);
      if (vehicle.activeUntilMs !== null && startMs > vehicle.activeUntilMs) continue;
      if (startMs >= vehicle.activeFromMs) add(startMs, random.chance(0.12) ? 'Z' : 'P', 'parking', null);
    }
    return recordings;
  };

  const onDay = (vehicle: Vehicle, localDay: number): readonly Recording[] => {
    const key = vehicleDayKey(vehicle, localDay);
    const recordings = known.get(key) ?? buildDay(vehicle, localDay);
    known.set(key, recordings);
    return recordings;
  };

  const list = (vehicle: Vehicle, nowMs: number, normalDays: number): readonly Recording[] => {
    // The card stops changing when its camera leaves service, so its oldest day counts from then.
    const lastMs = Math.min(nowMs, vehicle.activeUntilMs ?? nowMs);
    const today = toDay(toLocalMs(lastMs));
    const byName = new Map<string, Recording>();
    for (let day = today - Math.max(eventRetentionDays, normalDays); day <= today; day += 1) {
      for (const recording of onDay(vehicle, day)) {
        const ageMs = lastMs - recording.startMs;
        const isKept = ageMs <= (recording.typeCode === 'N' ? normalDays : eventRetentionDays) * dayMs;
        const isFinished = recording.startMs + recording.durationS * 1000 <= nowMs;
        if (isKept && isFinished) byName.set(recording.filename, recording);
      }
    }
    return [...byName.values()].sort(
      (one, other) => other.startMs - one.startMs || (one.filename < other.filename ? -1 : 1),
    );
  };

  return {
    list,
    find: (vehicle, filename, nowMs, normalDays) =>
      list(vehicle, nowMs, normalDays).find((recording) => recording.filename === filename),
  };
}

import { createRandom, type Random } from '../random.ts';
import { createRoute, toPosition, type Position } from './city.ts';
import { crash, createDrive, motionAt, type Drive, type Manoeuvre } from './drive.ts';
import { dayMs, minuteMs, toDay, toLocalMs, toTimestamp, toUtcMs } from './localTime.ts';
import { vehicleDayKey, type Vehicle } from './vehicle.ts';

export interface Trip {
  readonly tripId: string;
  readonly psn: string;
  readonly localDay: number;
  readonly index: number;
  readonly driveNo: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly distanceM: number;
  readonly maxSpeedKmh: number;
  readonly start: Position;
  readonly end: Position;
  readonly manoeuvres: readonly Manoeuvre[];
  /** The instant of the collision that ended the trip; null for every other trip. */
  readonly impactMs: number | null;
}

export interface TrackPoint {
  readonly tMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly headingDeg: number;
  /** null when the device reported no speed; 0 is a real value. */
  readonly speedKmh: number | null;
}

/** Distance in time of the service's GPS points: 300 to 1,000 rows per device and day (section 4.3 rule 7). */
export const pointStepMs = 4000;
const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
const roundPosition = (position: Position): Position => ({
  latitude: round(position.latitude, 6),
  longitude: round(position.longitude, 6),
});
const drivesKept = 400;

export interface TripBook {
  /** The trips that began on one local day, in order, including those still to come that day. */
  onDay(vehicle: Vehicle, localDay: number): readonly Trip[];
  /** Trips that overlap the range and have begun by `nowMs`. */
  between(vehicle: Vehicle, fromMs: number, toMs: number, nowMs: number): Trip[];
  find(vehicle: Vehicle, tripId: string): Trip | undefined;
  drive(vehicle: Vehicle, trip: Trip): Drive;
  points(vehicle: Vehicle, trip: Trip, untilMs: number): TrackPoint[];
  pointAt(vehicle: Vehicle, trip: Trip, atMs: number): TrackPoint;
  /** Where the vehicle is, or was last seen, and whether it is driving. */
  locate(vehicle: Vehicle, nowMs: number): { point: TrackPoint; isDriving: boolean };
}

export function createTripBook(seed: number, collisionMs: number): TripBook {
  const tripsByDay = new Map<string, readonly Trip[]>();
  const drives = new Map<string, Drive>();

  /** Out and, later that day, back to the depot by the same streets. */
  const planPair = (
    random: Random,
    vehicle: Vehicle,
    legCount: number,
  ): { drives: Drive[]; impactTS: number | null } => {
    const { vertices } = createRoute(random, vehicle.home, legCount);
    return {
      drives: [vertices, [...vertices].reverse()].map((way) => createDrive(random, way)),
      impactTS: null,
    };
  };

  /** Tries routes until the way back has a stretch that is fast and straight enough for the story. */
  const planCollision = (vehicle: Vehicle): { drives: Drive[]; impactTS: number | null } => {
    for (let attempt = 0; ; attempt += 1) {
      const { drives: pair } = planPair(createRandom(seed, vehicle.psn, 'collision', attempt), vehicle, 9);
      const [out, back] = pair;
      const crashed = back ? crash(back) : null;
      if (out && crashed) return { drives: [out, crashed.drive], impactTS: crashed.impactTS };
    }
  };

  const buildDay = (vehicle: Vehicle, localDay: number): { trips: Trip[]; drives: Drive[] } => {
    const random = createRandom(seed, vehicle.psn, 'day', localDay);
    const weekday = new Date(localDay * dayMs).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    const isCollisionDay = vehicle.story === 'collision' && localDay === toDay(toLocalMs(collisionMs));
    const pairCount = isCollisionDay
      ? 1
      : random.chance(isWeekend ? 0.65 : 0.03)
        ? 0
        : random.chance(0.2)
          ? 2
          : 1;
    const trips: Trip[] = [];
    const dayDrives: Drive[] = [];
    for (let pair = 0; pair < pairCount; pair += 1) {
      const legCount = random.integer(7, 11) - pairCount;
      const startsAtMinute = [random.integer(460, 570) + pair * 150, random.integer(950, 1090) - pair * 150];
      const plan = isCollisionDay ? planCollision(vehicle) : planPair(random, vehicle, legCount);
      plan.drives.forEach((drive, direction) => {
        const index = pair * 2 + direction;
        const impactTS = direction === 1 ? plan.impactTS : null;
        const startMs =
          impactTS !== null
            ? Math.round(collisionMs - impactTS * 1000)
            : toUtcMs(
                localDay * dayMs + (startsAtMinute[direction] ?? 480) * minuteMs + random.integer(0, 59_000),
              );
        const first = drive.nodes[0] ?? { x: 0, y: 0 };
        const last = drive.nodes[drive.nodes.length - 1] ?? first;
        trips.push({
          tripId: `trip_${vehicle.psn}_${localDay}_${index}`,
          psn: vehicle.psn,
          localDay,
          index,
          driveNo: (localDay - toDay(vehicle.activeFromMs)) * 4 + index + 1,
          startMs,
          endMs: startMs + Math.round(drive.durationS * 1000),
          distanceM: Math.round(drive.distanceM),
          maxSpeedKmh: round(Math.max(...drive.nodes.map((node) => node.speedMps)) * 3.6, 1),
          start: roundPosition(toPosition(first.x, first.y)),
          end: roundPosition(toPosition(last.x, last.y)),
          manoeuvres: drive.manoeuvres,
          impactMs: impactTS === null ? null : collisionMs,
        });
        dayDrives.push(drive);
      });
    }
    return { trips: trips.sort((one, other) => one.startMs - other.startMs), drives: dayDrives };
  };

  const remember = (vehicle: Vehicle, localDay: number): readonly Trip[] => {
    const built = buildDay(vehicle, localDay);
    const isInService = (trip: Trip): boolean =>
      trip.startMs >= vehicle.activeFromMs &&
      (vehicle.activeUntilMs === null || trip.startMs < vehicle.activeUntilMs);
    const trips = built.trips.filter(isInService);
    for (const trip of trips) {
      const drive = built.drives[trip.index];
      if (drive) drives.set(trip.tripId, drive);
    }
    // Drives are large and cheap to make again; only the latest ones stay in memory.
    while (drives.size > drivesKept) {
      const oldest = drives.keys().next().value;
      if (oldest === undefined) break;
      drives.delete(oldest);
    }
    tripsByDay.set(vehicleDayKey(vehicle, localDay), trips);
    return trips;
  };

  const onDay = (vehicle: Vehicle, localDay: number): readonly Trip[] => {
    if (vehicle.story === 'wifi') return [];
    return tripsByDay.get(vehicleDayKey(vehicle, localDay)) ?? remember(vehicle, localDay);
  };

  const driveOf = (vehicle: Vehicle, trip: Trip): Drive => {
    if (!drives.has(trip.tripId)) remember(vehicle, trip.localDay);
    const drive = drives.get(trip.tripId);
    if (!drive) throw new Error(`no drive for ${trip.tripId}`);
    return drive;
  };

  const pointAt = (vehicle: Vehicle, trip: Trip, atMs: number): TrackPoint => {
    const tS = Math.min(Math.max(0, (atMs - trip.startMs) / 1000), (trip.endMs - trip.startMs) / 1000);
    const motion = motionAt(driveOf(vehicle, trip), tS);
    // A receiver's error wanders slowly: two slow waves of about a metre and a half.
    const phase = trip.driveNo * 1.7;
    const position = toPosition(
      motion.x + 1.5 * Math.sin(tS / 47 + phase),
      motion.y + 1.4 * Math.cos(tS / 61 + phase),
    );
    return {
      tMs: atMs,
      latitude: round(position.latitude, 6),
      longitude: round(position.longitude, 6),
      headingDeg: Math.round(motion.headingDeg) % 360,
      speedKmh: round(motion.speedMps * 3.6, 1),
    };
  };

  const between = (vehicle: Vehicle, fromMs: number, toMs: number, nowMs: number): Trip[] => {
    const found: Trip[] = [];
    const from = Math.max(fromMs, vehicle.activeFromMs);
    const to = Math.min(toMs, nowMs);
    for (let day = toDay(toLocalMs(from)) - 1; day <= toDay(toLocalMs(to)); day += 1) {
      for (const trip of onDay(vehicle, day)) {
        if (trip.endMs >= from && trip.startMs <= to) found.push(trip);
      }
    }
    return found;
  };

  return {
    onDay,
    between,
    find(vehicle, tripId) {
      const day = Number(/_(-?\d+)_\d+$/.exec(tripId)?.[1]);
      return Number.isFinite(day) ? onDay(vehicle, day).find((trip) => trip.tripId === tripId) : undefined;
    },
    drive: driveOf,
    pointAt,
    points(vehicle, trip, untilMs) {
      const random = createRandom(seed, trip.tripId, 'gps');
      const firstFixMs = random.chance(0.3) ? random.integer(4, 20) * 1000 : 0;
      const points: TrackPoint[] = [];
      for (let atMs = trip.startMs; atMs <= Math.min(trip.endMs, untilMs); atMs += pointStepMs) {
        const isWithoutSpeed = random.chance(0.006);
        if (atMs - trip.startMs < firstFixMs) continue;
        const point = pointAt(vehicle, trip, Math.floor(atMs / 1000) * 1000);
        points.push(isWithoutSpeed ? { ...point, speedKmh: null } : point);
      }
      return points;
    },
    locate(vehicle, nowMs) {
      for (let day = toDay(toLocalMs(nowMs)); day > toDay(toLocalMs(nowMs)) - 14; day -= 1) {
        const trip = [...onDay(vehicle, day)].reverse().find((candidate) => candidate.startMs <= nowMs);
        if (!trip) continue;
        const isDriving = nowMs <= trip.endMs;
        return { point: pointAt(vehicle, trip, Math.min(nowMs, trip.endMs)), isDriving };
      }
      const home = toPosition(vehicle.home.column * 201.17, vehicle.home.row * 201.17);
      const atMs = Math.max(vehicle.activeFromMs, nowMs - 14 * dayMs);
      return { point: { tMs: atMs, ...home, headingDeg: 0, speedKmh: 0 }, isDriving: false };
    },
  };
}

/** The published form of a trip's times; an unfinished trip has no end yet. */
export function toTripTimes(trip: Trip, nowMs: number): { startedAt: string; endedAt: string | null } {
  return {
    startedAt: toTimestamp(trip.startMs),
    endedAt: trip.endMs <= nowMs ? toTimestamp(trip.endMs) : null,
  };
}

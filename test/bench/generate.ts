/**
 * Made-up GPS exports for benchmarks: the same shape as a real one (10 cameras, 5 days or as many as it takes, trips of about ten
 * minutes at one point a second) and the same for the same seed. Values are integers, so that the bench can
 * compare what was imported with what was made without a rounding between them.
 */
export interface GeneratedTrip {
  readonly psn: string;
  readonly cameraName: string;
  readonly driveNo: number;
  readonly startedAtS: number;
  readonly count: number;
  /** Millionths of a degree. */
  readonly latE6: Int32Array;
  readonly lngE6: Int32Array;
  /** Whole degrees, 0 to 360. */
  readonly headingDeg: Int16Array;
  /** Tenths of km/h. */
  readonly speedE1: Int16Array;
  /** Hundredths of m/s, as GPX writes the same speed. */
  readonly speedMsE2: Int16Array;
}

export interface GenerateOptions {
  readonly points: number;
  readonly cameras?: number;
  readonly days?: number;
  /** Points of a usual trip; trips have half to one and a half of it. */
  readonly tripPoints?: number;
  readonly seed?: number;
}

const secondsADay = 86_400;
/** One point a second, with some rest. */
const mostPerDay = 82_000;
const firstDayS = Date.UTC(2025, 2, 3) / 1000;

/** Random numbers that are the same on every machine (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One trip after the other, by day and camera. Throws RangeError for more points than a day has seconds. */
export function* generateTrips(options: GenerateOptions): Generator<GeneratedTrip> {
  const cameras = options.cameras ?? 10;
  const days = options.days ?? Math.max(5, Math.ceil(options.points / (cameras * mostPerDay)));
  const tripPoints = options.tripPoints ?? 600;
  const slots = cameras * days;
  if (options.points / slots > mostPerDay) {
    throw new RangeError(`more than ${mostPerDay} points per camera and day`);
  }
  const random = createRandom(options.seed ?? 7);
  const gauss = (mean: number, spread: number): number =>
    mean + spread * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const pick = (values: readonly number[]): number => values[Math.floor(random() * values.length)]!;

  for (let day = 0; day < days; day++) {
    for (let camera = 0; camera < cameras; camera++) {
      const slot = day * cameras + camera;
      let quota =
        Math.round((options.points * (slot + 1)) / slots) - Math.round((options.points * slot) / slots);
      const psn = `BB${String(camera).padStart(2, '0')}7F${String((camera * 7919 + 123_457) % 1_000_000).padStart(6, '0')}`;
      const number = String(camera + 1).padStart(2, '0');
      const cameraName = camera % 5 === 0 ? `Van ${number}, North` : `Van ${number}`;
      const slackS = Math.max(0, 85_000 - quota);
      const tripsToday = Math.max(1, Math.round(quota / tripPoints));
      const pauseS = Math.min(900, Math.floor(slackS / (tripsToday + 1)));
      let second = Math.max(0, Math.min(5 * 3600 + camera * 60, slackS - pauseS * tripsToday));
      let lat = 52 + camera * 0.11 + random() * 0.05;
      let lng = 4.3 + camera * 0.17 + random() * 0.05;
      let heading = random() * 360;
      let tripOfDay = 0;
      while (quota > 0) {
        let count = Math.min(quota, Math.floor(tripPoints / 2 + random() * (tripPoints + 1)));
        if (quota - count < tripPoints / 4) count = quota;
        quota -= count;
        tripOfDay++;
        const trip: GeneratedTrip = {
          psn,
          cameraName,
          driveNo: day * 1000 + tripOfDay,
          startedAtS: firstDayS + day * secondsADay + second,
          count,
          latE6: new Int32Array(count),
          lngE6: new Int32Array(count),
          headingDeg: new Int16Array(count),
          speedE1: new Int16Array(count),
          speedMsE2: new Int16Array(count),
        };
        let speed = 0;
        let target = 50;
        for (let i = 0; i < count; i++) {
          if (random() < 0.01) target = pick([0, 30, 50, 50, 80, 100, 120]);
          speed += Math.max(-9, Math.min(6, target - speed)) * 0.35 + gauss(0, 0.4);
          if (speed < 0 || i === count - 1) speed = 0;
          if (speed > 1) {
            const turn = random() < 0.004 ? pick([-90, 90]) : 0;
            heading = (((heading + gauss(0, 3) + turn) % 360) + 360) % 360;
            const step = speed / 3.6 / 111_320;
            const radians = (heading * Math.PI) / 180;
            lat += step * Math.cos(radians);
            lng += (step * Math.sin(radians)) / Math.cos((lat * Math.PI) / 180);
          }
          trip.latE6[i] = Math.round(lat * 1e6);
          trip.lngE6[i] = Math.round(lng * 1e6);
          trip.headingDeg[i] = Math.round(heading);
          trip.speedE1[i] = Math.round(speed * 10);
          trip.speedMsE2[i] = Math.round((speed / 3.6) * 100);
        }
        yield trip;
        second += count + pauseS;
      }
    }
  }
}

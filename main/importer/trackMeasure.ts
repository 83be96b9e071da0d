import { gapThresholdMs, shortestGapMs } from '../../shared/gaps.ts';
import { distanceM, metresPerDegree } from '../../shared/geometry.ts';
import {
  ABSENT,
  chunkPoints,
  LAT,
  LITERAL,
  LNG,
  POW10,
  SPEED,
  TIME,
  type PointColumns,
} from '../cache/trackCodec.ts';
import { columnNumbers, type SpeedUnit } from '../cache/trackColumns.ts';

/** Columns as numbers, NaN where absent; may be longer than the track. Good until the next `toMeasured`. */
export interface MeasuredColumns {
  readonly count: number;
  readonly timesMs: Float64Array;
  readonly latDeg: Float64Array;
  readonly lngDeg: Float64Array;
  readonly speedKmh: Float64Array;
}

/** One array for each column, used again for every chunk. */
const scratch = Array.from({ length: 4 }, () => new Float64Array(chunkPoints));

/** The columns of a track that its measure needs. */
export function toMeasured(points: PointColumns, speedUnit: SpeedUnit): MeasuredColumns {
  return {
    count: points.count,
    timesMs: numbersOf(points, TIME, 1, -3, 0),
    latDeg: numbersOf(points, LAT, 1, 0, 1),
    lngDeg: numbersOf(points, LNG, 1, 0, 2),
    speedKmh: speedUnit === 'kmh' ? numbersOf(points, SPEED, 1, 0, 3) : numbersOf(points, SPEED, 36, 1, 3),
  };
}

/** columnNumbers, with the usual case (all present, equally many decimals) done in place: 4 times as fast. */
function numbersOf(
  points: PointColumns,
  column: number,
  multiplier: number,
  shift: number,
  slot: number,
): Float64Array {
  const { count } = points;
  const decimals = points.decimals[column]!;
  const places = decimals[0] ?? ABSENT;
  if (count > chunkPoints || places >= LITERAL) return columnNumbers(points, column, multiplier, shift);
  for (let i = 1; i < count; i++) {
    if (decimals[i] !== places) return columnNumbers(points, column, multiplier, shift);
  }
  const values = points.values[column]!;
  const out = scratch[slot]!;
  const exponent = places + shift;
  const factor = POW10[Math.abs(exponent)];
  if (factor === undefined) return columnNumbers(points, column, multiplier, shift);
  if (exponent < 0) for (let i = 0; i < count; i++) out[i] = values[i]! * multiplier * factor;
  else for (let i = 0; i < count; i++) out[i] = (values[i]! * multiplier) / factor;
  return out;
}

/** Bounds of a run of points; times are null where no point has one. */
export interface Extent {
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Beyond this many degrees of latitude the flat-earth scale is taken anew; its error stays under 2e-8. */
const scaleReachDeg = 0.01;
/** Steps beyond this are measured on the ellipsoid itself. */
const flatStepDeg = 0.01;

/**
 * What a trip's row says of its points, gathered run by run in the order of the track: times, bounds, top speed
 * and length. The length is that of the recorded line: steps across a gap in recording (shared/gaps.ts) don't
 * count, since nobody knows the way that was taken; where points carry no times every step counts. Bounds are
 * plain minimum and maximum: a trip across the 180th meridian has a box around the world, never too small.
 */
export class TrackMeasure {
  points = 0;
  startedAtMs: number | null = null;
  endedAtMs: number | null = null;
  maxSpeedKmh: number | null = null;
  west = Infinity;
  south = Infinity;
  east = -Infinity;
  north = -Infinity;
  /** Some time is before the one before it: the track needs sorting. */
  isBackward = false;
  private nearM = 0;
  private steps = 0;
  private shortSteps = 0;
  private longSteps = 0;
  private lastMs = NaN;
  private lastLat = NaN;
  private lastLng = NaN;
  private latestMs = NaN;
  // Metres per degree at `scaleAt`, and how the eastward one changes with each degree of latitude.
  private scaleAt = NaN;
  private northScale = 0;
  private eastScale = 0;
  private eastSlope = 0;

  /** Adds points [from, to) and returns their bounds. */
  add(columns: MeasuredColumns, from: number, to: number): Extent {
    const { timesMs, latDeg, lngDeg, speedKmh } = columns;
    let west = Infinity;
    let south = Infinity;
    let east = -Infinity;
    let north = -Infinity;
    let first = Infinity;
    let last = -Infinity;
    let top = this.maxSpeedKmh ?? -Infinity;
    let lastMs = this.lastMs;
    let lastLat = this.lastLat;
    let lastLng = this.lastLng;
    for (let i = from; i < to; i++) {
      const ms = timesMs[i]!;
      const lat = latDeg[i]!;
      const lng = lngDeg[i]!;
      const speed = speedKmh[i]!;
      if (speed > top) top = speed;
      if (ms < first) first = ms;
      if (ms > last) last = ms;
      if (lng < west) west = lng;
      if (lng > east) east = lng;
      if (lat < south) south = lat;
      if (lat > north) north = lat;
      const step = ms - lastMs;
      if (step > 0) {
        this.steps++;
        if (step <= 2000) this.shortSteps++;
        if (step > shortestGapMs) this.longSteps++;
      }
      if (ms < this.latestMs) this.isBackward = true;
      else if (ms === ms) this.latestMs = ms;
      if (!(step > shortestGapMs)) this.nearM += this.stepM(lastLat, lastLng, lat, lng);
      lastMs = ms;
      lastLat = lat;
      lastLng = lng;
    }
    this.lastMs = lastMs;
    this.lastLat = lastLat;
    this.lastLng = lastLng;
    this.points += to - from;
    if (top > -Infinity) this.maxSpeedKmh = top;
    if (first < Infinity) {
      this.startedAtMs = Math.min(this.startedAtMs ?? Infinity, first);
      this.endedAtMs = Math.max(this.endedAtMs ?? -Infinity, last);
    }
    this.west = Math.min(this.west, west);
    this.south = Math.min(this.south, south);
    this.east = Math.max(this.east, east);
    this.north = Math.max(this.north, north);
    const hasTimes = first < Infinity;
    return { fromMs: hasTimes ? first : null, toMs: hasTimes ? last : null, west, south, east, north };
  }

  /** True when the usual step decides whether some long steps are gaps: see `distanceWithin`. */
  get needsAllTimes(): boolean {
    return this.longSteps > 0 && this.shortSteps * 2 <= this.steps;
  }

  /** Length in metres without the steps longer than the shortest gap: exact unless `needsAllTimes`. */
  get distanceM(): number {
    return this.nearM;
  }

  /** Length in metres of a whole track, by the rule for gaps. */
  distanceWithin(columns: MeasuredColumns): number {
    const { count, timesMs, latDeg, lngDeg } = columns;
    const threshold = gapThresholdMs(timesMs, count);
    let sum = 0;
    for (let i = 1; i < count; i++) {
      if (timesMs[i]! - timesMs[i - 1]! > threshold) continue;
      sum += this.stepM(latDeg[i - 1]!, lngDeg[i - 1]!, latDeg[i]!, lngDeg[i]!);
    }
    return sum;
  }

  /** Metres between two points; 0 when one is missing. Short steps use the ellipsoid's local scale: no sines. */
  private stepM(latA: number, lngA: number, latB: number, lngB: number): number {
    const dLat = latB - latA;
    const dLng = lngB - lngA;
    if (dLat === 0 && dLng === 0) return 0;
    if (!(Math.abs(dLat) < flatStepDeg && Math.abs(dLng) < flatStepDeg && Math.abs(latB) < 89)) {
      return latA === latA && latB === latB ? distanceM(latA, lngA, latB, lngB) : 0;
    }
    const middle = latA + dLat / 2;
    if (!(Math.abs(middle - this.scaleAt) < scaleReachDeg)) this.takeScale(middle);
    const eastM = dLng * (this.eastScale + this.eastSlope * (middle - this.scaleAt));
    const northM = dLat * this.northScale;
    return Math.sqrt(eastM * eastM + northM * northM);
  }

  private takeScale(lat: number): void {
    this.scaleAt = lat;
    const { north, east, eastSlope } = metresPerDegree(lat);
    this.northScale = north;
    this.eastScale = east;
    this.eastSlope = eastSlope;
  }
}

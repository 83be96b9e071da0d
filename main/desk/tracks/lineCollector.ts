import type { TrackLines } from '../../../shared/contract/trips.ts';
import type { TripId } from '../../../shared/ids.ts';
import type { Bbox } from '../../../shared/track.ts';

/** A trip's vertices; `levelAt` is the coarsest level that needs the vertex. */
export interface LineVertices {
  readonly latDeg: Float64Array;
  readonly lngDeg: Float64Array;
  readonly timesMs: Float64Array;
  readonly speedKmh: Float64Array;
  readonly headingDeg: Float64Array;
  levelAt(index: number): number;
  isGapAt(index: number): boolean;
}

/**
 * Gathers the vertices of many trips for one level. With a box, a vertex that only fine detail outside the box
 * needs is left out: a thousand trips that share a depot must not send their whole detail for a look at it.
 */
export class LineCollector {
  private readonly level: number;
  private readonly box: Bbox | null;
  private readonly levelOutside: number;
  private readonly tripIds: TripId[] = [];
  private readonly offsets: number[] = [0];
  private count = 0;
  private latDeg = new Float64Array(4096);
  private lngDeg = new Float64Array(4096);
  private timesMs = new Float64Array(4096);
  private speedKmh = new Float32Array(4096);
  private headingDeg = new Float32Array(4096);
  private isGap = new Uint8Array(4096);
  private wanted = new Uint8Array(4096);

  /** `levelOutside` (0 or more: ends and sides of gaps are at level 0) is what is drawn outside of the box. */
  constructor(level: number, box: Bbox | null, levelOutside: number) {
    this.level = level;
    this.box = box;
    this.levelOutside = levelOutside;
  }

  /** Adds a trip's line: the vertices that the level needs. */
  add(tripId: TripId, line: LineVertices): void {
    const total = line.latDeg.length;
    this.reserve(total);
    const isWanted = this.chooseVertices(line);
    for (let i = 0; i < total; i++) {
      if (isWanted[i] === 0) continue;
      const at = this.count++;
      this.latDeg[at] = line.latDeg[i]!;
      this.lngDeg[at] = line.lngDeg[i]!;
      this.timesMs[at] = line.timesMs[i]!;
      this.speedKmh[at] = line.speedKmh[i]!;
      this.headingDeg[at] = line.headingDeg[i]!;
      this.isGap[at] = line.isGapAt(i) ? 1 : 0;
    }
    this.tripIds.push(tripId);
    this.offsets.push(this.count);
  }

  /** What was gathered, in arrays of just the right size. */
  finish(): TrackLines {
    const { count } = this;
    return {
      level: this.level,
      tripIds: this.tripIds,
      offsets: Uint32Array.from(this.offsets),
      latDeg: this.latDeg.slice(0, count),
      lngDeg: this.lngDeg.slice(0, count),
      timesMs: this.timesMs.slice(0, count),
      speedKmh: this.speedKmh.slice(0, count),
      headingDeg: this.headingDeg.slice(0, count),
      isGap: this.isGap.slice(0, count),
    };
  }

  private chooseVertices(line: LineVertices): Uint8Array {
    const total = line.latDeg.length;
    const isWanted = this.wanted;
    let before = -1;
    for (let i = 0; i < total; i++) {
      const level = line.levelAt(i);
      isWanted[i] = 0;
      if (level > this.level) continue;
      if (this.box === null || level <= this.levelOutside) isWanted[i] = 1;
      // Both ends of whatever may be seen inside the box.
      if (this.box !== null && before >= 0 && mayCross(this.box, line, before, i)) {
        isWanted[before] = 1;
        isWanted[i] = 1;
      }
      before = i;
    }
    return isWanted;
  }

  private reserve(more: number): void {
    if (this.wanted.length < more) this.wanted = new Uint8Array(more * 2);
    const needed = this.count + more;
    if (needed <= this.latDeg.length) return;
    const capacity = Math.max(needed, this.latDeg.length * 2);
    const grow = <A extends Float64Array | Float32Array | Uint8Array>(
      old: A,
      make: new (length: number) => A,
    ): A => {
      const grown = new make(capacity);
      grown.set(old);
      return grown;
    };
    this.latDeg = grow(this.latDeg, Float64Array);
    this.lngDeg = grow(this.lngDeg, Float64Array);
    this.timesMs = grow(this.timesMs, Float64Array);
    this.speedKmh = grow(this.speedKmh, Float32Array);
    this.headingDeg = grow(this.headingDeg, Float32Array);
    this.isGap = grow(this.isGap, Uint8Array);
  }
}

/** Whether the line from vertex a to b may show inside the box: their common bounds meet it. */
function mayCross([west, south, east, north]: Bbox, line: LineVertices, a: number, b: number): boolean {
  const latA = line.latDeg[a]!;
  const latB = line.latDeg[b]!;
  if ((latA < south && latB < south) || (latA > north && latB > north)) return false;
  const lngA = line.lngDeg[a]!;
  const lngB = line.lngDeg[b]!;
  if (west > east || Math.abs(lngA - lngB) > 180) return true; // near the 180th meridian: keep it
  return !((lngA < west && lngB < west) || (lngA > east && lngB > east));
}

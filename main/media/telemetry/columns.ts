import type { ClipGpsColumns, ClipGSensorColumns } from '../../../shared/contract/clips.ts';
import type { ReasonCount } from '../../../shared/contract/imports.ts';

/** One GPS time of a clip. NaN is absent; without a fix the places are NaN. */
export interface GpsRow {
  clipMs: number;
  utcMs: number;
  cameraLocalMs: number;
  latDeg: number;
  lngDeg: number;
  speedKmh: number;
  headingDeg: number;
  altitudeM: number;
}

export function emptyRow(): GpsRow {
  return {
    clipMs: NaN,
    utcMs: NaN,
    cameraLocalMs: NaN,
    latDeg: NaN,
    lngDeg: NaN,
    speedKmh: NaN,
    headingDeg: NaN,
    altitudeM: NaN,
  };
}

/** A position that can be on a map; 0/0 is what receivers write before they know. */
export function isPlace(latDeg: number, lngDeg: number): boolean {
  return Math.abs(latDeg) <= 90 && Math.abs(lngDeg) <= 180 && !(latDeg === 0 && lngDeg === 0);
}

export function toGpsColumns(rows: readonly GpsRow[]): ClipGpsColumns {
  const column = (of: (row: GpsRow) => number): Float64Array => Float64Array.from(rows, of);
  return {
    clipMs: column((row) => row.clipMs),
    utcMs: column((row) => row.utcMs),
    cameraLocalMs: column((row) => row.cameraLocalMs),
    latDeg: column((row) => row.latDeg),
    lngDeg: column((row) => row.lngDeg),
    speedKmh: column((row) => row.speedKmh),
    headingDeg: column((row) => row.headingDeg),
    altitudeM: column((row) => row.altitudeM),
  };
}

/** Samples of three axes, collected without an object for each: a day has 800,000. */
export class GSensorRows {
  private readonly clipMs: number[] = [];
  private readonly axes: [number[], number[], number[]] = [[], [], []];

  get length(): number {
    return this.clipMs.length;
  }
  push(clipMs: number, a: number, b: number, c: number): void {
    this.clipMs.push(clipMs);
    this.axes[0].push(a);
    this.axes[1].push(b);
    this.axes[2].push(c);
  }
  toColumns(axisNames: ClipGSensorColumns['axisNames']): ClipGSensorColumns {
    return {
      clipMs: Float64Array.from(this.clipMs),
      axisNames,
      axesG: [
        Float64Array.from(this.axes[0]),
        Float64Array.from(this.axes[1]),
        Float64Array.from(this.axes[2]),
      ],
    };
  }
}

/** Counts what was skipped, by reason, with the first place of each. */
export class SkipCounts {
  private readonly byReason = new Map<string, { where: string; count: number }>();

  add(where: string, reason: string, count = 1): void {
    const known = this.byReason.get(reason);
    if (known) known.count += count;
    else this.byReason.set(reason, { where, count });
  }
  list(): ReasonCount[] {
    return [...this.byReason].map(([reason, { where, count }]) => ({ where, reason, count }));
  }
}

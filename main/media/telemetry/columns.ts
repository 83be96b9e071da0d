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
  const column = (of: (row: GpsRow) => number): Float64Array => {
    const values = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) values[i] = of(rows[i]!); // several times as fast as Float64Array.from
    return values;
  };
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
  private samples = 0;
  /** Time and the three axes, each with room for more. */
  private columns: readonly [Float64Array, Float64Array, Float64Array, Float64Array];

  constructor(expected = 1024) {
    this.columns = columnsFor(expected);
  }

  get length(): number {
    return this.samples;
  }
  push(clipMs: number, a: number, b: number, c: number): void {
    if (this.samples === this.columns[0].length) this.grow();
    const [times, first, second, third] = this.columns;
    times[this.samples] = clipMs;
    first[this.samples] = a;
    second[this.samples] = b;
    third[this.samples] = c;
    this.samples++;
  }
  toColumns(axisNames: ClipGSensorColumns['axisNames']): ClipGSensorColumns {
    const [clipMs, ...axesG] = this.columns;
    // Little to spare is kept: a copy would hold a day's samples twice.
    const isTight = clipMs.length <= this.samples * 1.1;
    const cut = (column: Float64Array): Float64Array =>
      isTight ? column.subarray(0, this.samples) : column.slice(0, this.samples);
    return { clipMs: cut(clipMs), axisNames, axesG: [cut(axesG[0]), cut(axesG[1]), cut(axesG[2])] };
  }

  private grow(): void {
    const wider = columnsFor(this.samples * 2);
    this.columns.forEach((column, i) => wider[i]!.set(column));
    this.columns = wider;
  }
}

function columnsFor(rows: number): readonly [Float64Array, Float64Array, Float64Array, Float64Array] {
  const column = (): Float64Array => new Float64Array(Math.max(1, rows));
  return [column(), column(), column(), column()];
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

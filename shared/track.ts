/**
 * A trip's points as columns, for drawing and computing. NaN stands for "absent" (no time, no heading, no
 * speed, no altitude); 0 is always a value that the source stated. Positions are WGS 84 degrees.
 */
export interface TrackColumns {
  readonly count: number;
  /** UTC milliseconds since 1970, fractions kept. */
  readonly timesMs: Float64Array;
  readonly latDeg: Float64Array;
  readonly lngDeg: Float64Array;
  /** Degrees clockwise from north. */
  readonly headingDeg: Float64Array;
  readonly speedKmh: Float64Array;
  readonly altitudeM: Float64Array;
}

/** West, south, east, north in degrees (GeoJSON order). */
export type Bbox = readonly [west: number, south: number, east: number, north: number];

/** Half-open range of UTC milliseconds; null is unbounded. */
export interface TimeRange {
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

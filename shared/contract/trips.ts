import { z } from 'zod';
import type { SourceId, TripId } from '../ids.ts';
import type { Bbox, TrackColumns } from '../track.ts';
import { idSchema, output, request } from './define.ts';

/** One drive of one camera. Times are UTC milliseconds; null where the source did not say. */
export interface Trip {
  readonly tripId: TripId;
  readonly sourceId: SourceId;
  /** Camera serial: as the source said or as the user assigned; null is an unknown camera. */
  readonly psn: string | null;
  readonly isPsnAssigned: boolean;
  readonly cameraName: string | null;
  /** Trip number of the export (`drive_no`). */
  readonly driveNo: number | null;
  /** The track's own title, where it has one. */
  readonly name: string | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly points: number;
  /** False: shape only, the points carry no time (KML lines). */
  readonly hasPointTimes: boolean;
  readonly distanceM: number;
  readonly maxSpeedKmh: number | null;
  readonly bbox: Bbox;
}

const utcMs = z.number().finite();
const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-180).max(180);

export const circleSchema = z
  .object({ latDeg: latitude, lngDeg: longitude, radiusM: z.number().positive().max(1_000_000) })
  .strict();
export type Circle = z.infer<typeof circleSchema>;

export const tripFilterSchema = z
  .object({
    psns: z.array(z.string().max(200).nullable()).max(10_000).optional(),
    sourceId: idSchema<SourceId>().optional(),
    fromMs: utcMs.optional(),
    toMs: utcMs.optional(),
    /** [west, south, east, north]; west > east crosses the 180th meridian. */
    bbox: z.tuple([longitude, latitude, longitude, latitude]).optional(),
    minSpeedKmh: z.number().min(0).optional(),
    /** Trips with a point inside the circle. */
    place: circleSchema.optional(),
  })
  .strict();
export type TripFilter = z.infer<typeof tripFilterSchema>;

/** One time that a trip came within the circle: from the first to the last point of it inside. */
export interface Pass {
  readonly tripId: TripId;
  readonly psn: string | null;
  readonly cameraName: string | null;
  readonly enteredAtMs: number | null;
  readonly leftAtMs: number | null;
  /** Closest approach of the line between points, metres. */
  readonly closestM: number;
  readonly closestAtMs: number | null;
  readonly closestLatDeg: number;
  readonly closestLngDeg: number;
  /** True: the closest approach lies on the line between two recorded points, and its time is interpolated. */
  readonly isClosestInterpolated: boolean;
  /** Recorded points inside; with 0 only the line crosses the circle, and all times are interpolated. */
  readonly pointsInside: number;
}

/**
 * Lines for the map, simplified for one zoom level. Vertices are recorded points (a subset), never moved.
 * Trip i owns vertices offsets[i] to offsets[i + 1] - 1. NaN is absent. `isGap[v]` is 1 where the line from
 * the vertex before must not be drawn as driven (a gap in recording).
 */
export interface TrackLines {
  readonly level: number;
  readonly tripIds: readonly TripId[];
  readonly offsets: Uint32Array;
  readonly latDeg: Float64Array;
  readonly lngDeg: Float64Array;
  readonly timesMs: Float64Array;
  readonly speedKmh: Float32Array;
  readonly headingDeg: Float32Array;
  readonly isGap: Uint8Array;
}

/**
 * Values over time for the timeline, thinned to about `buckets` steps keeping each step's lowest and highest
 * recorded value. NaN is absent or a gap.
 */
export interface TrackSeries {
  readonly psn: string | null;
  readonly cameraName: string | null;
  readonly timesMs: Float64Array;
  readonly speedKmh: Float64Array;
  readonly headingDeg: Float64Array;
  /** Stretches with no recording inside the asked range, [fromMs, toMs] pairs. */
  readonly gapsMs: Float64Array;
}

const tripIds = z.array(idSchema<TripId>()).max(100_000);

export const tripRequests = {
  'trips.list': request(tripFilterSchema, output<readonly Trip[]>()),
  'trips.get': request(z.object({ tripId: idSchema<TripId>() }).strict(), output<Trip>()),
  /** Every recorded point of a trip. */
  'trips.points': request(z.object({ tripId: idSchema<TripId>() }).strict(), output<TrackColumns>()),
  /**
   * `level` is the map's zoom, 0..20 (19 and 20 give every point). `bbox` limits to trips that touch it, and
   * leaves fine detail outside of it out: ask again when the map has moved.
   */
  'tracks.lines': request(
    z
      .object({
        tripIds,
        level: z.number().int().min(0).max(20),
        bbox: z.tuple([longitude, latitude, longitude, latitude]).optional(),
      })
      .strict(),
    output<TrackLines>(),
  ),
  /** One series per camera of the trips; trips without point times have none. */
  'tracks.series': request(
    z
      .object({
        tripIds,
        fromMs: utcMs.optional(),
        toMs: utcMs.optional(),
        buckets: z.number().int().min(10).max(20_000),
      })
      .strict(),
    output<readonly TrackSeries[]>(),
  ),
  /** Who passed here, when: circle and optional range. Ordered by closest time. */
  'tracks.near': request(
    z.object({ circle: circleSchema, fromMs: utcMs.optional(), toMs: utcMs.optional() }).strict(),
    output<readonly Pass[]>(),
  ),
} as const;

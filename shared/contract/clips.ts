import { z } from 'zod';
import type { ClipId, SourceId } from '../ids.ts';
import { idSchema, output, request } from './define.ts';
import type { ReasonCount } from './imports.ts';

/** What a camera's file name says (specification 2.1; letters of formats.md section 1 are hints). */
export interface ClipName {
  /** The name of the main recording, without a stream letter: the one the cloud knows. */
  readonly mainName: string;
  /** Camera wall clock `YYYY-MM-DDTHH:MM:SS`; it carries no zone. */
  readonly recordedAtLocal: string;
  /** The same wall clock as if it were UTC, milliseconds. */
  readonly localMs: number;
  readonly typeCode: string;
  /** By the vocabulary of the API; `unknown` for other letters. */
  readonly type: string;
  readonly directionCode: string;
  /** `front`, `option`, `rear`, `interior`, or `unknown` for other letters. */
  readonly direction: string;
  /** Null: a stream letter that nobody has explained. */
  readonly stream: 'main' | 'sub' | 'live' | null;
}

/** How telemetry lies in a clip. */
export type TelemetryFormat = 'free-box' | 'novatek' | 'gopro' | 'camm';

/**
 * What a clip's UTC rests on: `rmc` (GPS date and time), `gga` (GPS time of day), each with the camera's own
 * start (`sttm`), its file name (`name`) or neither; or the GPS of another format.
 */
export type ClockSource =
  | 'rmc+sttm'
  | 'rmc+name'
  | 'rmc'
  | 'gga+sttm'
  | 'gga+name'
  | 'gga'
  | 'novatek+name'
  | 'novatek'
  | 'gopro'
  | 'camm';

/** The mapping of a clip's time to UTC; all null where nothing in the clip tells. */
export interface ClipClock {
  /** UTC milliseconds of the first frame. */
  readonly startUtcMs: number | null;
  /** Camera wall clock minus UTC, rounded to 15 minutes. */
  readonly utcOffsetMin: number | null;
  readonly source: ClockSource | null;
  /** How far `startUtcMs` may be off to either side, ms. Never below a second. */
  readonly uncertaintyMs: number | null;
  /** Highest minus lowest of the differences between camera clock and GPS, ms. */
  readonly spreadMs: number | null;
  /** Camera clock minus UTC beyond the offset (median), ms: how wrong the camera's clock was. */
  readonly cameraAheadMs: number | null;
  /** GPS times that it rests on. */
  readonly samples: number;
}

/** The video track; `codec` as RFC 6381 writes it where the file tells. */
export interface ClipVideo {
  readonly codec: string;
  readonly isH265: boolean;
  readonly width: number;
  readonly height: number;
  /** Frames divided by duration. */
  readonly fps: number | null;
  readonly isConstantRate: boolean;
  readonly frames: number;
  readonly keyFrames: number;
}

/** What is wrong with a clip as a file; the rest of it is used all the same. */
export interface ClipDamage {
  readonly code:
    'no-moov' | 'truncated' | 'damaged-index' | 'no-video' | 'no-frames' | 'foreign-bytes' | 'too-large';
  /** One sentence. */
  readonly message: string;
}

export interface ClipPosition {
  /** UTC milliseconds; null where the clip's GPS gave no date. */
  readonly utcMs: number | null;
  readonly latDeg: number;
  readonly lngDeg: number;
  readonly headingDeg: number | null;
  readonly speedKmh: number | null;
}

export interface ClipGps {
  /** Positions (rows with a fix). */
  readonly samples: number;
  /** Rows without a fix. */
  readonly withoutFix: number;
  readonly first: ClipPosition | null;
  readonly last: ClipPosition | null;
  /** [west, south, east, north] of the positions. */
  readonly bbox: readonly [number, number, number, number] | null;
}

export interface ClipGSensor {
  readonly samples: number;
  readonly rateHz: number | null;
  /** Largest magnitude of the three axes together, gravity included. */
  readonly peakG: number | null;
  /** From the clip's start, ms. */
  readonly peakOffsetMs: number | null;
  /** UTC milliseconds; null where the clock is unknown. */
  readonly peakUtcMs: number | null;
}

/** All that a clip says of itself, without its pictures. Null is absent. */
export interface ClipFacts {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** From the file's name, else from the name that the camera wrote inside. */
  readonly name: ClipName | null;
  /** The name that the camera wrote inside (`ptnm`). */
  readonly originalName: string | null;
  readonly recordedAtLocal: string | null;
  readonly durationS: number | null;
  readonly video: ClipVideo | null;
  /** Of a file that was cut short: until when it holds pictures, seconds. Null (or not noted): to its end. */
  readonly picturesEndS?: number | null;
  readonly hasAudio: boolean;
  readonly isFragmented: boolean;
  readonly damage: readonly ClipDamage[];
  /** Null: no telemetry found. */
  readonly telemetryFormat: TelemetryFormat | null;
  /** The camera's own text about itself (`cprt`), as it stands. */
  readonly makerText: string | null;
  readonly hasThumbnail: boolean;
  readonly clock: ClipClock;
  /** Null: there is no GPS part at all; with 0 samples the part is there and empty. */
  readonly gps: ClipGps | null;
  readonly gSensor: ClipGSensor | null;
  /** Lines and records that could not be used, with the first place of each reason. */
  readonly skipped: readonly ReasonCount[];
  /** What is worth knowing about clock and telemetry, one sentence each. */
  readonly notes: readonly string[];
  /** Bytes of the file that were read for this. */
  readonly bytesRead: number;
}

/** One row per GPS time. NaN is absent: a row without a fix has NaN places. */
export interface ClipGpsColumns {
  /** From the clip's start. */
  readonly clipMs: Float64Array;
  readonly utcMs: Float64Array;
  /** The camera's wall clock as if it were UTC. */
  readonly cameraLocalMs: Float64Array;
  readonly latDeg: Float64Array;
  readonly lngDeg: Float64Array;
  readonly speedKmh: Float64Array;
  readonly headingDeg: Float64Array;
  readonly altitudeM: Float64Array;
}

/** One row per sample, in units of g, camera frame, gravity included. */
export interface ClipGSensorColumns {
  /** From the clip's start. */
  readonly clipMs: Float64Array;
  /**
   * `vertical`, `lateral` (+ right turn) and `longitudinal` (+ speeding up) where the format defines them;
   * `x`, `y`, `z` where it leaves open how the camera was turned.
   */
  readonly axisNames: readonly [string, string, string];
  readonly axesG: readonly [Float64Array, Float64Array, Float64Array];
}

/** A clip in the cache, as lists show it. Its picture is `media/clip/<clipId>`. */
export interface Clip {
  readonly clipId: ClipId;
  readonly sourceId: SourceId;
  readonly fileName: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly importedAtMs: number;
  /** How it came in: a file of the user's, or a recall from a camera's card. */
  readonly origin: 'import' | 'recall';
  /** Camera serial; null for a file copied by hand. */
  readonly psn: string | null;
  /** The name that the cloud lists; null for names of another form. */
  readonly mainName: string | null;
  readonly quality: 'main' | 'sub' | 'live' | null;
  readonly typeCode: string | null;
  readonly directionCode: string | null;
  readonly recordedAtLocal: string | null;
  /** UTC of the first and after the last frame; null where nothing in the clip tells. */
  readonly startUtcMs: number | null;
  readonly endUtcMs: number | null;
  readonly durationS: number | null;
  /** [west, south, east, north] of its positions. */
  readonly bbox: readonly [number, number, number, number] | null;
  /** False: nobody has read the file yet. True with `facts` null: it can't be read. */
  readonly isRead: boolean;
}

export interface ClipDetail extends Clip {
  readonly facts: ClipFacts | null;
}

/** Null where the clip has no such part. */
export interface ClipTelemetry {
  readonly gps: ClipGpsColumns | null;
  /** In g, camera frame, gravity included. */
  readonly gSensor: ClipGSensorColumns | null;
}

/**
 * The frames of a clip in the order in which they are shown. Times are seconds on the player's clock (0 is the
 * start of the clip as players count it).
 */
export interface ClipFrames {
  readonly timesS: Float64Array;
  /** 1 where a cut can begin without loss. */
  readonly isKeyFrame: Uint8Array;
}

const clipInput = z.object({ clipId: idSchema<ClipId>() }).strict();

export const clipFilterSchema = z
  .object({
    psns: z.array(z.string().max(200).nullable()).max(10_000).optional(),
    /** Clips that run at some moment in [fromMs, toMs); those of unknown time are left out then. */
    fromMs: z.number().finite().optional(),
    toMs: z.number().finite().optional(),
    /** [west, south, east, north]; clips with positions that touch it. West > east crosses the 180th meridian. */
    bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
    mainName: z.string().max(200).optional(),
  })
  .strict();
export type ClipFilter = z.infer<typeof clipFilterSchema>;

export const clipRequests = {
  /** By start; those of unknown time last, by name. */
  'clips.list': request(clipFilterSchema, output<readonly Clip[]>()),
  'clips.get': request(clipInput, output<ClipDetail>()),
  /** Read from the original each time: there is no second copy that could differ from it. */
  'clips.telemetry': request(clipInput, output<ClipTelemetry>()),
  /** For stepping and for cuts; null where neither index nor fragments name a frame. */
  'clips.frames': request(clipInput, output<ClipFrames | null>()),
  /** The JPEG picture that the camera kept in the clip; null without one. */
  'clips.thumbnail': request(clipInput, output<Uint8Array | null>()),
} as const;

import { z } from 'zod';
import type { CaseId, ClipId, SourceId, TripId } from '../ids.ts';
import type { Bbox } from '../track.ts';
import type { ClipDamage, ClipGpsColumns, ClipGSensorColumns } from './clips.ts';
import { event, idSchema, output, request } from './define.ts';
import { circleSchema } from './trips.ts';

/**
 * What has a clock of its own. `clip`: the pictures of a file; `telemetry`: what is embedded beside them, placed on
 * the clip's own time; `metadata`: the service's samples of the same recording (specification 2.2), in UTC; `trip`:
 * an imported track, in UTC.
 */
export type ClockSubject =
  | { readonly kind: 'clip'; readonly clipId: ClipId }
  | { readonly kind: 'telemetry'; readonly clipId: ClipId }
  | { readonly kind: 'metadata'; readonly clipId: ClipId }
  | { readonly kind: 'trip'; readonly tripId: TripId };

/** How a source's time was mapped to UTC. */
export type ClockOrigin =
  /** The clip's own GPS times (see ClipClock.source). */
  | 'clip-gps'
  /** GPS times of the service's metadata of the same recording. */
  | 'metadata-gps'
  /** The other camera of the same recording, which started at the same moment. */
  | 'partner'
  /** The clip before or after it on the same camera, without a break between. */
  | 'neighbour'
  /** The offset of the camera's card (`CardClock`). */
  | 'card'
  /** Set by hand. */
  | 'manual'
  /** Stated as UTC by the source itself. */
  | 'stated'
  /** Nothing tells. */
  | 'unknown';

/** The mapping in use of one source to UTC, with what it rests on. Null is unknown, never zero. */
export interface SourceClock {
  readonly subject: ClockSubject;
  /** What to call the source: camera and direction, file name. */
  readonly label: string;
  /** SHA-256 of the file behind it; null for the service's metadata. */
  readonly sha256: string | null;
  readonly origin: ClockOrigin;
  /** One or two sentences: from what, how many samples, what was corrected. */
  readonly how: string;
  /**
   * For clips: UTC of the first frame, correction included. For telemetry: of the clip's start, moved as set; for
   * metadata and trips: of the first position.
   */
  readonly startUtcMs: number | null;
  /** Camera wall clock minus UTC, minutes. */
  readonly utcOffsetMin: number | null;
  /** Highest minus lowest difference between the clock and GPS, ms. */
  readonly spreadMs: number | null;
  /** How far it may be off to either side, ms. */
  readonly uncertaintyMs: number | null;
  /** UTC ms that pass for one ms of the source; 1 where no drift was found. */
  readonly rate: number;
  /** Why `rate` is not 1; null where it is. */
  readonly driftNote: string | null;
  /** What a user set; null where the mapping is as found. */
  readonly manual: {
    /** Added to what was found (for a clip of unknown clock: null, `startUtcMs` was set). */
    readonly shiftMs: number | null;
    readonly reason: string;
    readonly actor: string;
    readonly setAtMs: number;
  } | null;
}

/** One file of a lens on the scene's time. Scene time t shows clip second (t - startMs) / (1000 * rate). */
export interface ReviewSegment {
  readonly clipId: ClipId;
  readonly sourceId: SourceId;
  readonly fileName: string;
  readonly sha256: string;
  readonly quality: 'main' | 'sub' | 'live' | null;
  /** The same recording in other qualities that are here too. */
  readonly alternatives: readonly {
    readonly clipId: ClipId;
    readonly quality: 'main' | 'sub' | 'live' | null;
  }[];
  /** On the scene's time, ms; drift and joining included. */
  readonly startMs: number;
  readonly endMs: number;
  /** Of a file that was cut short: from when on it holds no pictures, before `endMs`. Absent: it does to its end. */
  readonly picturesEndMs?: number;
  /** Scene ms per clip ms. */
  readonly rate: number;
  readonly durationS: number;
  /** Goes on where the segment before it ends: one recording, cut by the camera. */
  readonly joinsPrevious: boolean;
  readonly typeCode: string | null;
  /** Null: the file has no pictures, or can't be read; `damage` says so. */
  readonly video: {
    readonly codec: string;
    readonly isH265: boolean;
    readonly width: number;
    readonly height: number;
    readonly fps: number | null;
    readonly isConstantRate: boolean;
  } | null;
  readonly hasAudio: boolean;
  readonly damage: readonly ClipDamage[];
  readonly hasGps: boolean;
  readonly hasGSensor: boolean;
  /** What the service told of the same recording is stored here (`review.metadata`). */
  readonly hasMetadata: boolean;
}

/** What one lens of one camera saw. */
export interface ReviewChannel {
  /** Stable for a camera and lens: survives opening the scene again. */
  readonly channelId: string;
  readonly psn: string | null;
  readonly cameraName: string | null;
  /** `front`, `option`, `rear`, `interior`, or `unknown`; with the letter where there is one. */
  readonly direction: string;
  readonly directionCode: string | null;
  /** In order of time, without overlaps. */
  readonly segments: readonly ReviewSegment[];
}

/** A track that lies in the scene's time. */
export interface ReviewTrack {
  readonly tripId: TripId;
  readonly sourceId: SourceId;
  readonly fileName: string;
  readonly psn: string | null;
  readonly cameraName: string | null;
  /** The track of a camera whose clips are in the scene. */
  readonly isOwn: boolean;
  /** On the scene's time, `shiftMs` included; so is `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Added to its times, ms. */
  readonly shiftMs: number;
  readonly bbox: Bbox;
}

/** A recording that the stored listing of a card names and that is not here. Times by the card's clock. */
export interface OnCardRecording {
  readonly psn: string;
  readonly filename: string;
  readonly direction: string | null;
  readonly directionCode: string | null;
  readonly typeCode: string | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly uncertaintyMs: number | null;
  readonly listedAtMs: number;
}

/** A clip of another camera that ran at the same time. */
export interface NearbyClip {
  readonly clipId: ClipId;
  readonly fileName: string;
  readonly psn: string | null;
  readonly cameraName: string | null;
  readonly direction: string | null;
  readonly startMs: number;
  readonly endMs: number;
  /** Smallest distance of its positions' box to the scene's at that time, metres; null without positions. */
  readonly distanceM: number | null;
}

/** Everything that review shows of one stretch of time. */
export interface ReviewScene {
  /** What was opened, for the title. */
  readonly title: string;
  /**
   * `utc`: scene times are UTC ms. `elapsed`: no clip's clock is known; scene times are ms from the start of the
   * first clip, and nothing may be shown as time of day until a clock is set.
   */
  readonly timebase: 'utc' | 'elapsed';
  readonly fromMs: number;
  readonly toMs: number;
  /** Where to begin. */
  readonly focusMs: number;
  /** Vehicle's zone as camera clock minus UTC, minutes; null unknown. */
  readonly utcOffsetMin: number | null;
  /** Front first, then option, then others; own camera first. At most `shown` at once is the window's affair. */
  readonly channels: readonly ReviewChannel[];
  readonly tracks: readonly ReviewTrack[];
  readonly onCard: readonly OnCardRecording[];
  readonly nearby: readonly NearbyClip[];
  readonly clocks: readonly SourceClock[];
  readonly caseId: CaseId | null;
  /** What the user should know: left out, unreadable, capped. One sentence each. */
  readonly notes: readonly string[];
}

/** A clip that can be opened, in a list by camera and time. */
export interface ReviewMoment {
  /** UTC ms; null: unknown clock. */
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly clipId: ClipId;
  readonly psn: string | null;
  readonly cameraName: string | null;
  readonly fileName: string;
  readonly directions: readonly string[];
}

const utcMs = z.number().finite();
const psn = z.string().min(1).max(100);
const clipId = idSchema<ClipId>();
const tripId = idSchema<TripId>();

/** What to open. Clips of the same camera that touch the stretch come along. */
export const sceneRequestSchema = z.discriminatedUnion('kind', [
  /** A clip with its partner lens and its neighbours without a break. */
  z.object({ kind: z.literal('clip'), clipId }).strict(),
  z.object({ kind: z.literal('trip'), tripId, atMs: utcMs.optional() }).strict(),
  /** The case's clips and trips in its range. */
  z.object({ kind: z.literal('case'), caseId: idSchema<CaseId>() }).strict(),
  /** A camera (null: those of unknown camera) at a time. */
  z.object({ kind: z.literal('moment'), psn: psn.nullable(), atMs: utcMs }).strict(),
  /** Every camera with clips or trips in the circle in the range. */
  z.object({ kind: z.literal('place'), circle: circleSchema, fromMs: utcMs, toMs: utcMs }).strict(),
  /** Exactly these clips, for instance a nearby one added to what is open. */
  z.object({ kind: z.literal('clips'), clipIds: z.array(clipId).min(1).max(5000) }).strict(),
]);
export type SceneRequest = z.infer<typeof sceneRequestSchema>;

export const clockSubjectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('clip'), clipId }).strict(),
  z.object({ kind: z.literal('telemetry'), clipId }).strict(),
  z.object({ kind: z.literal('metadata'), clipId }).strict(),
  z.object({ kind: z.literal('trip'), tripId }).strict(),
]);

const reason = z.string().trim().min(1).max(2000);

export const reviewRequests = {
  /** Fails with `not_found` where what is to be opened has no clip and no track in the library. */
  'review.scene': request(sceneRequestSchema, output<ReviewScene>()),
  /** What can be opened, newest first: for the start page of Review and the search by camera and time. */
  'review.moments': request(
    z
      .object({
        psns: z.array(psn.nullable()).max(10_000).optional(),
        fromMs: utcMs.optional(),
        toMs: utcMs.optional(),
        limit: z.number().int().min(1).max(2000).optional(),
      })
      .strict(),
    output<readonly ReviewMoment[]>(),
  ),
  /**
   * What the service told of the same recording, from the store only: the camera is not contacted. `clipMs` of the
   * rows is from the clip's start by the clock in use. Null: nothing is stored.
   */
  'review.metadata': request(
    z.object({ clipId }).strict(),
    output<{
      readonly gps: ClipGpsColumns | null;
      readonly gSensor: ClipGSensorColumns | null;
      readonly fetchedAtMs: number;
    } | null>(),
  ),
  /** Moves a source on the scene's time by `shiftMs` from what was found; in custody with its reason. */
  'review.shiftClock': request(
    z
      .object({ subject: clockSubjectSchema, shiftMs: z.number().finite().min(-1e11).max(1e11), reason })
      .strict(),
    output<SourceClock>(),
  ),
  /** Says when a clip's first frame was, for a clip whose clock is unknown or wrong; in custody with its reason. */
  'review.setClipStart': request(
    z.object({ clipId, startUtcMs: utcMs, reason }).strict(),
    output<SourceClock>(),
  ),
  /** Takes back what was set by hand; in custody with its reason. */
  'review.resetClock': request(
    z.object({ subject: clockSubjectSchema, reason }).strict(),
    output<SourceClock>(),
  ),
} as const;

export const reviewEvents = {
  /** A clock was set or taken back: open the scene again. */
  'review.clockChanged': event<{ readonly subject: ClockSubject }>(),
  /** Marks, stills or trims changed. */
  'marks.changed': event<{ readonly caseId: CaseId | null }>(),
} as const;

import { z } from 'zod';
import type { CloudProblemData } from '../cloudProblem.ts';
import type { Device, SdRecording } from '../cloudResources.ts';
import type { CaseId } from '../ids.ts';
import { event, idSchema, nothing, output, request } from './define.ts';

/** The two streams of a recording: `main` is full resolution, `sub` about 4 % of its size. */
export type ClipQuality = 'main' | 'sub';

/**
 * Why a card can't be browsed or recalled from. `isPassing` reasons may be over at any moment (offline, busy,
 * time-outs): asking is still allowed. The others would only be answered the same way.
 */
export interface CameraObstacle {
  readonly reason:
    'wifi_only' | 'over_seat_limit' | 'unsupported_model' | 'offline' | 'no_card' | 'busy' | 'no_answer';
  readonly isPassing: boolean;
  /** One sentence for people. */
  readonly what: string;
  /** What to do about it. */
  readonly todo: string;
  /** `list`: said by the device list; `learnt`: by an earlier call to this camera, at `learntAtMs`. */
  readonly source: 'list' | 'learnt';
  readonly learntAtMs: number | null;
}

export interface CameraEntry {
  readonly device: Device;
  /** Null: nothing is known to stand in the way. */
  readonly obstacle: CameraObstacle | null;
  /** When this camera's card was last listed whole; null: never. */
  readonly listedAtMs: number | null;
}

export interface CameraListing {
  readonly cameras: readonly CameraEntry[];
  readonly fetchedAtMs: number | null;
  /** Why it is not newer. */
  readonly problem: CloudProblemData | null;
}

export interface CameraGroup {
  readonly groupId: string;
  readonly name: string;
  /** Everything the service said of it. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** One stream of one file on a card. */
export interface PartStream {
  /** As the card's listing reports it; null where it does not. */
  readonly sizeBytes: number | null;
  /** SHA-256 of the clip when it is in the local cache already. */
  readonly heldSha256: string | null;
}

/** One file of a card: what one camera lens saw. */
export interface RecordingPart {
  /** Main name exactly as listed. */
  readonly filename: string;
  readonly direction: string | null;
  readonly directionCode: string | null;
  readonly main: PartStream;
  /** Null: the listing says that there is no sub stream. */
  readonly sub: PartStream | null;
  readonly raw: SdRecording;
}

/** Files of one moment and kind, front and option camera together. */
export interface RecordingRow {
  /** Stable within a card; a later event with the same id replaces the row. */
  readonly rowId: string;
  /** The camera's wall clock `YYYY-MM-DDTHH:MM:SS`, without a zone; null where not readable. */
  readonly recordedAtLocal: string | null;
  /** As the service decoded it; `unknown` types are shown with `typeCode`. */
  readonly type: string | null;
  readonly typeCode: string | null;
  /** Front first, then option, then others. */
  readonly parts: readonly RecordingPart[];
  /** By the card's clock; null while the offset is unknown here. */
  readonly startUtcMs: number | null;
  readonly offsetMinutes: number | null;
  readonly uncertaintyMs: number | null;
  readonly timeSource: ClockSegment['source'] | null;
  /**
   * Estimate, ms from the listing's time: continuous recordings are overwritten oldest first, so one lives about as
   * long as it is younger than the oldest. Null: unknown (other types, or an incomplete listing).
   */
  readonly livesAboutMs: number | null;
}

/** A stretch of a card's wall clock with one offset from UTC. */
export interface ClockSegment {
  /** Wall-clock bounds, inclusive, `YYYY-MM-DDTHH:MM:SS`; null: open. */
  readonly fromLocal: string | null;
  readonly toLocal: string | null;
  /** Local minus UTC, minutes. */
  readonly offsetMinutes: number;
  /** Largest distance of a clip's own offset from the rounded one, at least 1 s. */
  readonly uncertaintyMs: number;
  /** `gps`: from the clips' GPS times; `extrapolated`: beyond the outermost of them; `manual`: set by hand. */
  readonly source: 'gps' | 'extrapolated' | 'manual';
  /** How many clips it rests on; 0 for a manual one. */
  readonly clips: number;
}

export interface CardClock {
  readonly psn: string;
  /** In order of local time; gaps between them are unknown. Empty: unknown altogether. */
  readonly segments: readonly ClockSegment[];
  /** The offset set by hand, which overrides; null without one. */
  readonly manual: {
    readonly offsetMinutes: number;
    readonly reason: string;
    readonly actor: string;
    readonly setAtMs: number;
  } | null;
  /** Clips whose GPS gave an offset, those left out as contradicting their neighbours, and those without GPS. */
  readonly clips: { readonly used: number; readonly leftOut: number; readonly withoutGps: number };
}

/** Filters as the service knows them (4.1); `from` and `to` are the camera's wall clock, inclusive. */
export interface CardFilters {
  readonly type?: string | undefined;
  readonly direction?: string | undefined;
  readonly stream?: ClipQuality | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface CardListing {
  readonly psn: string;
  readonly filters: CardFilters;
  /** Newest first. */
  readonly rows: readonly RecordingRow[];
  /** Files in `rows`. */
  readonly recordings: number;
  /** On the card under these filters; null while not said. */
  readonly total: number | null;
  readonly fetchedAtMs: number | null;
  /** More pages are on their way as `cards.page` events with this id. */
  readonly isLoading: boolean;
  readonly listingId: string;
  /** True when the card was asked just now; false when this is what was stored. */
  readonly isFromCard: boolean;
  readonly clock: CardClock;
  readonly obstacle: CameraObstacle | null;
  /** Why it is not newer, or why it ends early. */
  readonly problem: CloudProblemData | null;
}

/** A further page of a listing under way; rows replace those with the same `rowId`. */
export interface CardPage {
  readonly psn: string;
  readonly listingId: string;
  readonly rows: readonly RecordingRow[];
  readonly recordings: number;
  readonly total: number | null;
  /** Nothing more comes. When the whole card was listed, rows that no page named are gone from it. */
  readonly isLast: boolean;
  readonly fetchedAtMs: number;
  readonly problem: CloudProblemData | null;
}

/** What a recording's metadata call gave (2.2); kept with the listing. Unknown parts stay in `rawText`. */
export interface RecordingMetadata {
  readonly psn: string;
  readonly filename: string;
  /** JPEG; null: there is none. */
  readonly thumbnail: Uint8Array | null;
  /** One element per sample, NaN where a value is absent; null: the clip has no samples. */
  readonly gps: {
    readonly tMs: Float64Array;
    readonly latDeg: Float64Array;
    readonly lngDeg: Float64Array;
    readonly speedKmh: Float32Array;
    readonly headingDeg: Float32Array;
  } | null;
  /** g in the camera's frame, gravity included; `offsetMs` from the clip's start; null: no samples. */
  readonly gSensor: {
    readonly offsetMs: Float64Array;
    readonly verticalG: Float32Array;
    readonly lateralG: Float32Array;
    readonly longitudinalG: Float32Array;
  } | null;
  /** The answer without the thumbnail, as JSON. */
  readonly rawText: string;
  readonly fetchedAtMs: number;
}

export interface MomentMatch {
  readonly row: RecordingRow;
  /** `covers`: the moment lies in it; `near`: within the clock's uncertainty of its beginning or end. */
  readonly fit: 'covers' | 'near';
}
export interface MomentReport {
  readonly psn: string;
  readonly utcMs: number;
  /** Best first. */
  readonly matches: readonly MomentMatch[];
  readonly clock: CardClock;
  /** The listing that was searched; null: this card was never listed. */
  readonly listedAtMs: number | null;
  /** Why there is no match: the clock is unknown, the card never listed, or nothing was recorded then. */
  readonly lack: 'clock_unknown' | 'never_listed' | 'no_recording' | null;
}

export type Deletion =
  | {
      readonly status: 'needs_confirmation';
      /** To be sent back, with the typed file name, within `expiresAtMs`. */
      readonly token: string;
      readonly expiresAtMs: number;
      readonly what: string;
    }
  | { readonly status: 'deleted'; readonly deletedAtMs: number };

export type Reboot =
  | { readonly status: 'needs_confirmation'; readonly what: string }
  | { readonly status: 'accepted'; readonly acceptedAtMs: number };

const psn = z.string().min(1).max(100);
const filename = z.string().min(1).max(200);
const localTime = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
const filters = z
  .object({
    type: z.string().min(1).max(100).optional(),
    direction: z.string().min(1).max(100).optional(),
    stream: z.enum(['main', 'sub']).optional(),
    from: localTime.optional(),
    to: localTime.optional(),
  })
  .strict();
const reason = z.string().trim().min(1).max(2000);
/** The widest offsets on Earth are -12 h and +14 h. */
const offsetMinutes = z.number().int().min(-840).max(840);

export const cardRequests = {
  /** Cameras with what stands in the way of browsing, of one group when given. From the cache unless `isFresh`. */
  'cards.cameras': request(
    z.object({ isFresh: z.boolean().optional(), groupId: z.string().min(1).max(100).optional() }).strict(),
    output<CameraListing>(),
  ),
  'groups.list': request(
    z.object({ isFresh: z.boolean().optional() }).strict(),
    output<{
      readonly groups: readonly CameraGroup[];
      readonly fetchedAtMs: number | null;
      readonly problem: CloudProblemData | null;
    }>(),
  ),
  /**
   * Recordings of a card. Without `isFresh`: what is stored, filtered here; the card is asked only if it was never
   * listed. With it: resolves with the first page, further ones come as `cards.page`. Contacts the camera; where that
   * can't be done, what is stored comes with the problem. A new call ends the walk before it for the same camera.
   */
  'cards.listing': request(
    z.object({ psn, filters: filters.optional(), isFresh: z.boolean().optional() }).strict(),
    output<CardListing>(),
  ),
  /** Stops loading further pages. */
  'cards.stopListing': request(z.object({ psn }).strict(), output<null>()),
  /**
   * Thumbnail, GPS and G-sensor samples of a recording; stored ones at once, else one contact with the camera, in
   * turn. Rejects with `canceled` after `cards.cancelMetadata`.
   */
  'cards.metadata': request(
    z.object({ psn, filename, isFresh: z.boolean().optional() }).strict(),
    output<RecordingMetadata>(),
  ),
  /** Takes back metadata that was asked for and is not wanted any more (scrolled away); all of the camera's without names. */
  'cards.cancelMetadata': request(
    z.object({ psn, filenames: z.array(filename).max(10_000).optional() }).strict(),
    output<null>(),
  ),
  /** The card's clock as far as known; with `shouldLearn` the metadata of some clips over the listing is fetched first. */
  'cards.clock': request(
    z.object({ psn, shouldLearn: z.boolean().optional() }).strict(),
    output<CardClock>(),
  ),
  /** Sets (or with null takes back) the offset by hand; in custody with its reason. */
  'cards.setClock': request(
    z.object({ psn, offsetMinutes: offsetMinutes.nullable(), reason }).strict(),
    output<CardClock>(),
  ),
  /** Recordings of a moment, searched in the stored listing. */
  'cards.findMoment': request(z.object({ psn, utcMs: z.number().finite() }).strict(), output<MomentReport>()),
  /**
   * Erases a recording on the card, for ever. Without a token: asks, and gives one. Refused (`busy`) while a recall of
   * it is under way or the clip belongs to a case and is not in the cache yet.
   */
  'cards.deleteRecording': request(
    z
      .object({
        psn,
        filename,
        token: z.string().min(1).max(100).optional(),
        /** The file name, typed by the user. */
        typedFilename: filename.optional(),
        reason,
      })
      .strict(),
    output<Deletion>(),
  ),
  /** Restarts a camera: drops the transfer that is stuck, leaves it offline for a while. Never automatic. */
  'cards.reboot': request(
    z.object({ psn, isConfirmed: z.boolean().optional(), reason: reason.optional() }).strict(),
    output<Reboot>(),
  ),
  /** Cases that wait for a recording of a card, for the note beside it. */
  'cards.wantedBy': request(
    z.object({ psn, filename }).strict(),
    output<{ readonly caseIds: readonly CaseId[] }>(),
  ),
  /**
   * Scopes of section 5 that the service said the active account's key lacks. What it did not speak of yet is not
   * among them; a fresh camera list forgets them, so that a key which was given more is tried again.
   */
  'cards.rights': request(nothing, output<{ readonly missingScopes: readonly string[] }>()),
  /** Cameras that this app talks to right now. */
  'cards.contacts': request(nothing, output<readonly { readonly psn: string; readonly what: string }[]>()),
} as const;

export const cardEvents = {
  'cards.page': event<CardPage>(),
  /** What is stored of a card changed otherwise: its clock, held clips, a deletion. */
  'cards.changed': event<{ readonly psn: string }>(),
} as const;

/** For other rooms' inputs. */
export const psnSchema = psn;
export const filenameSchema = filename;
export const caseIdSchema = idSchema<CaseId>();

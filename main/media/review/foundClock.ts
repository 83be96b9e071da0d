import type { CardClock } from '../../../shared/contract/cards.ts';
import type { ClipClock, ClipDetail } from '../../../shared/contract/clips.ts';
import type { ClockOrigin } from '../../../shared/contract/review.ts';
import { segmentAt } from '../cards/clock.ts';

/** UTC of a clip's first frame as one source tells it. Null is unknown. */
export interface FoundClock {
  readonly origin: ClockOrigin;
  readonly startUtcMs: number;
  readonly utcOffsetMin: number | null;
  readonly spreadMs: number | null;
  /** To either side; null where somebody said so by hand. */
  readonly uncertaintyMs: number | null;
  readonly how: string;
}

/** GPS times of the service's metadata of one recording. */
export interface MetadataTimes {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly samples: number;
}

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
/** The camera's own clock is believed that far from GPS, as in the clip's clock (telemetry/clock.ts). */
const agreesMs = 2000;
/** A wall clock in a name shows whole seconds. */
const nameSecondMs = 1000;
/** Further off a quarter of an hour than this, the rounding would be a guess. */
const surelyRoundedMs = 5 * minuteMs;

const seconds = (ms: number): string => `${(Math.abs(ms) / 1000).toFixed(1)} s`;

const startWords: Readonly<Record<string, string>> = {
  sttm: "the camera's own start time in it",
  name: 'its name',
};

/** By the clip's own GPS. */
export function ownClock({ facts }: ClipDetail): FoundClock | null {
  const clock = facts?.clock;
  if (clock?.startUtcMs == null) return null;
  const [kind, start] = (clock.source ?? '').split('+');
  const times = `${clock.samples} GPS ${clock.samples === 1 ? 'time' : 'times'} in the clip`;
  const kindWords = kind === 'gga' ? ' (time of day only)' : '';
  const against = start === undefined ? '' : ` against ${startWords[start] ?? start}`;
  const aheadMs = clock.cameraAheadMs ?? 0;
  const ahead =
    Math.abs(aheadMs) > agreesMs
      ? ` The camera's clock was ${seconds(aheadMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} GPS; corrected.`
      : '';
  return {
    origin: 'clip-gps',
    startUtcMs: clock.startUtcMs,
    utcOffsetMin: clock.utcOffsetMin,
    spreadMs: clock.spreadMs,
    uncertaintyMs: clock.uncertaintyMs,
    how: `From ${times}${kindWords}${against}.${ahead}`,
  };
}

/** The camera's wall clock at the first frame, to the millisecond where the clip says so (`sttm`). */
export function preciseLocalMs({ facts }: ClipDetail): number | null {
  const clock: ClipClock | undefined = facts?.clock;
  if (clock?.startUtcMs == null || clock.utcOffsetMin === null || !clock.source?.endsWith('+sttm'))
    return null;
  const aheadMs = clock.cameraAheadMs ?? 0;
  return clock.startUtcMs + clock.utcOffsetMin * minuteMs + (Math.abs(aheadMs) > agreesMs ? aheadMs : 0);
}

/** The camera's wall clock at the first frame as the name shows it. */
export function localMsOf({ recordedAtLocal }: Pick<ClipDetail, 'recordedAtLocal'>): number | null {
  // The reader wrote it from a date that exists: thousands of clips need no second look at the calendar.
  const ms = recordedAtLocal === null ? NaN : Date.parse(`${recordedAtLocal}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/**
 * By the service's GPS of the same recording. Its samples carry no place in the clip: the wall clock gives the start,
 * GPS the zone; only samples over the whole clip also show how wrong the camera's clock was.
 */
export function metadataClock(clip: ClipDetail, times: MetadataTimes): FoundClock | null {
  const durationMs = (clip.durationS ?? 0) * 1000;
  const isWhole = durationMs > 0 && times.lastMs - times.firstMs >= durationMs - 3000;
  const samples = `${times.samples} GPS ${times.samples === 1 ? 'time' : 'times'} that the service read from the recording`;
  const localMs = localMsOf(clip);
  if (localMs === null) {
    if (!isWhole) return null;
    return {
      origin: 'metadata-gps',
      startUtcMs: times.firstMs,
      utcOffsetMin: null,
      spreadMs: null,
      uncertaintyMs: agreesMs,
      how: `From ${samples}, which cover the whole clip; the first one is taken for its start.`,
    };
  }
  const differenceMs = localMs - times.firstMs;
  const offsetMs = Math.round(differenceMs / quarterMs) * quarterMs + 0; // never minus zero
  const aheadMs = differenceMs - offsetMs;
  if (Math.abs(aheadMs) > surelyRoundedMs || offsetMs < -12 * 60 * minuteMs || offsetMs > 14 * 60 * minuteMs)
    return null;
  const corrects = isWhole && Math.abs(aheadMs) > agreesMs;
  return {
    origin: 'metadata-gps',
    startUtcMs: localMs - offsetMs - (corrects ? aheadMs : 0),
    utcOffsetMin: offsetMs / minuteMs,
    spreadMs: null,
    uncertaintyMs: Math.max(agreesMs, corrects ? 0 : Math.abs(aheadMs)),
    how:
      `From ${samples} against the wall clock in its name.` +
      (corrects
        ? ` The camera's clock was ${seconds(aheadMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} GPS; corrected.`
        : ''),
  };
}

/** By the offset of the camera's card. */
export function cardOffsetClock(clip: ClipDetail, card: CardClock): FoundClock | null {
  const localMs = localMsOf(clip);
  const segment = localMs === null ? null : segmentAt(card, localMs);
  if (localMs === null || segment === null) return null;
  const words = {
    manual: 'which was set by hand',
    gps: `found from ${segment.clips} of its recordings`,
    extrapolated: `found from ${segment.clips} of its recordings, none of which lies on both sides of this one`,
  };
  return {
    origin: 'card',
    startUtcMs: localMs - segment.offsetMinutes * minuteMs,
    utcOffsetMin: segment.offsetMinutes,
    spreadMs: null,
    uncertaintyMs: Math.max(nameSecondMs, segment.uncertaintyMs),
    how: `From the wall clock in its name and the offset of the camera's card, ${words[segment.source]}.`,
  };
}

/** A clip whose clock others can share: in use, what was set by hand included. */
export interface SharedClock {
  readonly clip: ClipDetail;
  readonly startUtcMs: number;
  readonly utcOffsetMin: number | null;
  readonly uncertaintyMs: number | null;
  readonly isManual: boolean;
}

const bySource = (shared: SharedClock): string => (shared.isManual ? ', set by hand' : '');

/** By another file of the same recording, which began at the same moment. */
export function partnerClock(clip: ClipDetail, partner: SharedClock): FoundClock {
  const own = preciseLocalMs(clip);
  const theirs = preciseLocalMs(partner.clip);
  const isPrecise = own !== null && theirs !== null && Math.abs(own - theirs) <= agreesMs;
  const laterMs = isPrecise ? own - theirs : (localMsOf(clip) ?? 0) - (localMsOf(partner.clip) ?? 0);
  const isHandImported = clip.psn === null;
  return {
    origin: 'partner',
    startUtcMs: partner.startUtcMs + laterMs,
    utcOffsetMin: partner.utcOffsetMin,
    spreadMs: null,
    uncertaintyMs: partner.uncertaintyMs,
    how:
      `From ${partner.clip.fileName} of the same recording${bySource(partner)}.` +
      (isHandImported ? ' The two belong together by their names: no camera is named.' : ''),
  };
}

/** By a clip that the same camera recorded before or after without a break: the camera's wall clock ran on. */
export function neighbourClock(clip: ClipDetail, neighbour: SharedClock): FoundClock | null {
  const localMs = localMsOf(clip);
  const theirLocalMs = preciseLocalMs(neighbour.clip) ?? localMsOf(neighbour.clip);
  if (localMs === null || theirLocalMs === null) return null;
  const laterMs = localMs - theirLocalMs;
  // A clock of a camera runs right to about 100 ms in 1,000 s.
  const driftMs = Math.abs(laterMs) / 10_000;
  return {
    origin: 'neighbour',
    startUtcMs: neighbour.startUtcMs + laterMs,
    utcOffsetMin: neighbour.utcOffsetMin,
    spreadMs: null,
    uncertaintyMs:
      neighbour.uncertaintyMs === null ? null : Math.round(neighbour.uncertaintyMs + nameSecondMs + driftMs),
    how:
      `From ${neighbour.clip.fileName}${bySource(neighbour)}, recorded ${laterMs >= 0 ? 'before' : 'after'} it ` +
      'without a break by the camera’s wall clock.',
  };
}

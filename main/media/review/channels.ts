import type { ClipDamage, ClipDetail } from '../../../shared/contract/clips.ts';
import type { ReviewChannel, ReviewSegment } from '../../../shared/contract/review.ts';
import { bboxDistanceM } from './boxDistance.ts';
import { localMsOf, preciseLocalMs } from './foundClock.ts';
import { seamMs, joinStarts } from './joinStarts.ts';
import { lensesOf, type Drift } from './lensPair.ts';
import { directionOf, directionRank } from './names.ts';
import { groupRecordings, lensOf } from './recordings.ts';

/** A clip's own clock on the scene's time. */
export interface OwnTime {
  readonly startMs: number;
  readonly isPrecise: boolean;
  readonly isFixed: boolean;
  /** How it runs against the leading lens of its recording. */
  readonly drift: Drift;
}

export interface ChannelInput {
  /** Clips that have a place on the scene's time. */
  readonly clips: readonly ClipDetail[];
  timeOf(clip: ClipDetail): OwnTime;
  cameraNameOf(psn: string): string | null;
  hasMetadata(clip: ClipDetail): boolean;
  /** Whose channels come first. */
  readonly ownPsn: string | null;
}

export interface Channels {
  readonly channels: readonly ReviewChannel[];
  readonly notes: readonly string[];
}

/** What a file of unknown length may be: a recording of a camera is a minute. */
const assumedMs = 60_000;
/** Recordings of one lens that overlap by more are two, side by side (an event beside the continuous recording). */
const cutOverlapMs = 5000;

/** Lenses of one recording begin within that. */
const sameMomentMs = 2500;

/** The file that stands for one lens of a recording. */
interface Lens {
  readonly clip: ClipDetail;
  readonly alternatives: readonly ClipDetail[];
  readonly drift: Drift;
  /** Its own clock minus that of the recording's leading lens. */
  readonly laterMs: number;
  readonly durationMs: number;
}

interface Placeable {
  readonly psn: string | null;
  readonly lead: ClipDetail;
  readonly time: OwnTime;
  readonly durationMs: number;
  readonly isLengthKnown: boolean;
  readonly lenses: readonly Lens[];
}

/**
 * Lays clips out as one channel for each lens of each camera: qualities of one recording are one segment, lenses of
 * one recording start together, recordings without a break play as one (joinStarts), overlaps are cut. Pure.
 */
export function toChannels(input: ChannelInput): Channels {
  const recordings = groupRecordings(input.clips)
    .map((recording) => toPlaceable(recording.clips, input))
    .sort((a, b) => a.time.startMs - b.time.startMs || (a.lead.fileName < b.lead.fileName ? -1 : 1));
  const cuts: Cuts = { count: 0, longestMs: 0, hidden: [] };
  const channels: { channel: ReviewChannel; order: readonly (number | string)[] }[] = [];
  let hasSideLane = false;
  for (const lanes of lanesOf(recordings).values()) {
    lanes.forEach((lane, number) => {
      hasSideLane ||= number > 0;
      for (const channel of channelsOf(lane, number, input, cuts)) {
        const isOwn = channel.psn === input.ownPsn;
        const order = [isOwn ? 0 : 1, channel.psn ?? '\uffff', number, directionRank(channel.directionCode)];
        channels.push({ channel, order });
      }
    });
  }
  channels.sort((a, b) => compare(a.order, b.order));
  const drifting = recordings.flatMap(({ lenses }) => lenses.filter(({ drift }) => drift.rate !== 1)).length;
  return {
    channels: channels.map((one) => one.channel),
    notes: notesOf(cuts, hasSideLane, drifting),
  };
}

function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return 0;
}

function toPlaceable(clips: readonly ClipDetail[], input: ChannelInput): Placeable {
  const chosen = lensesOf(clips);
  const lead = chosen[0]![0]!; // a recording has a clip
  const time = input.timeOf(lead);
  const lengthS = Math.max(0, ...clips.map((clip) => clip.durationS ?? 0));
  const fallbackMs = lengthS > 0 ? lengthS * 1000 : assumedMs;
  const lenses = chosen.map(([clip, ...alternatives]): Lens => {
    const { drift } = input.timeOf(clip!); // each lens has a file
    const laterMs = laterThan(lead, clip!, input);
    const ownMs = (clip!.durationS ?? 0) * 1000 * drift.rate;
    return { clip: clip!, alternatives, drift, laterMs, durationMs: ownMs > 0 ? ownMs : fallbackMs };
  });
  const isLengthKnown = lengthS > 0;
  return { psn: lead.psn, lead, time, durationMs: lenses[0]!.durationMs, isLengthKnown, lenses };
}

/** How much later a lens began than the leading one of its recording. */
function laterThan(lead: ClipDetail, clip: ClipDetail, input: ChannelInput): number {
  const [from, own] = [input.timeOf(lead), input.timeOf(clip)];
  const byClocksMs = own.startMs - from.startMs;
  // Where somebody set one of them, that is what they meant.
  if (lead === clip || from.isFixed || own.isFixed) return byClocksMs;
  // One camera, one clock: GPS was read twice and differs by chance, the camera's own times do not.
  const [leadLocal, clipLocal] = [preciseLocalMs(lead), preciseLocalMs(clip)];
  if (leadLocal !== null && clipLocal !== null) {
    const laterMs = clipLocal - leadLocal;
    return Math.abs(laterMs) <= sameMomentMs ? laterMs : byClocksMs;
  }
  const isSameSecond = localMsOf(lead) !== null && localMsOf(lead) === localMsOf(clip);
  return isSameSecond && Math.abs(byClocksMs) <= sameMomentMs ? 0 : byClocksMs;
}

/** Recordings of each camera, in lanes without more than small overlaps. */
function lanesOf(recordings: readonly Placeable[]): ReadonlyMap<string | null, Placeable[][]> {
  const cameras = new Map<string | null, Placeable[][]>();
  for (const recording of recordings) {
    const lanes = cameras.get(recording.psn) ?? [];
    cameras.set(recording.psn, lanes);
    const lane = lanes.find((one) => canFollow(one.at(-1)!, recording));
    if (lane) lane.push(recording);
    else lanes.push([recording]);
  }
  return cameras;
}

function canFollow(before: Placeable, next: Placeable): boolean {
  const overlapMs = before.time.startMs + before.durationMs - next.time.startMs;
  if (before.isLengthKnown && overlapMs > Math.min(cutOverlapMs, before.durationMs / 2)) return false;
  if (next.time.startMs <= before.time.startMs) return false;
  if (before.psn !== null) return true;
  // Of unknown camera: what one vehicle can't have recorded is of another one.
  const makers = [before.lead.facts?.makerText ?? null, next.lead.facts?.makerText ?? null];
  if (makers[0] !== null && makers[1] !== null && makers[0] !== makers[1]) return false;
  const [from, to] = [before.lead.bbox, next.lead.bbox];
  const reachM = 500 + (70 * (next.time.startMs - before.time.startMs)) / 1000;
  return from === null || to === null || bboxDistanceM(from, to) <= reachM;
}

interface Cuts {
  count: number;
  longestMs: number;
  readonly hidden: string[];
}

function* channelsOf(
  lane: readonly Placeable[],
  number: number,
  input: ChannelInput,
  cuts: Cuts,
): Generator<ReviewChannel> {
  const starts = joinStarts(
    lane.map(({ time, durationMs, isLengthKnown }) => ({
      ...time,
      durationMs,
      isFixed: time.isFixed || !isLengthKnown,
    })),
  );
  const byLens = new Map<string, { lens: Lens; startMs: number }[]>();
  lane.forEach(({ lenses }, i) => {
    for (const lens of lenses) {
      const placed = { lens, startMs: starts[i]! + lens.laterMs };
      const known = byLens.get(lensOf(lens.clip));
      if (known) known.push(placed);
      else byLens.set(lensOf(lens.clip), [placed]);
    }
  });
  for (const [lensCode, placed] of byLens) {
    placed.sort((a, b) => a.startMs - b.startMs);
    const { psn, directionCode } = placed[0]!.lens.clip; // a lens has a clip
    yield {
      channelId: `${psn ?? '?'}/${lensCode || '-'}${number === 0 ? '' : `/${number + 1}`}`,
      psn,
      cameraName: psn === null ? null : input.cameraNameOf(psn),
      ...directionOf({ directionCode }),
      segments: segmentsOf(placed, input, cuts),
    };
  }
}

function segmentsOf(
  placed: readonly { readonly lens: Lens; readonly startMs: number }[],
  input: ChannelInput,
  cuts: Cuts,
): ReviewSegment[] {
  const segments: ReviewSegment[] = [];
  placed.forEach(({ lens, startMs }, i) => {
    const ownEndMs = startMs + lens.durationMs;
    const nextMs = placed[i + 1]?.startMs ?? Infinity;
    const overlapMs = ownEndMs - nextMs;
    const isKnownLength = (lens.clip.durationS ?? 0) > 0;
    if (overlapMs > seamMs && isKnownLength) {
      cuts.count++;
      cuts.longestMs = Math.max(cuts.longestMs, overlapMs);
    }
    const endMs = overlapMs >= -seamMs ? nextMs : ownEndMs;
    if (endMs <= startMs) cuts.hidden.push(lens.clip.fileName);
    else segments.push(toSegment(lens, startMs, endMs, segments.at(-1)?.endMs === startMs, input));
  });
  return segments;
}

function toSegment(
  lens: Lens,
  startMs: number,
  endMs: number,
  joinsPrevious: boolean,
  input: ChannelInput,
): ReviewSegment {
  const { clip, alternatives, drift } = lens;
  const { facts } = clip;
  // The segment keeps its stated length: telemetry may go on where the pictures are lost.
  const picturesEndMs = startMs + (facts?.picturesEndS ?? Infinity) * 1000 * drift.rate;
  return {
    clipId: clip.clipId,
    sourceId: clip.sourceId,
    fileName: clip.fileName,
    sha256: clip.sha256,
    quality: clip.quality,
    alternatives: alternatives.map(({ clipId, quality }) => ({ clipId, quality })),
    startMs,
    endMs,
    ...(picturesEndMs < endMs ? { picturesEndMs } : {}),
    rate: drift.rate,
    durationS: clip.durationS ?? 0,
    joinsPrevious,
    typeCode: clip.typeCode,
    video: facts?.video
      ? {
          codec: facts.video.codec,
          isH265: facts.video.isH265,
          width: facts.video.width,
          height: facts.video.height,
          fps: facts.video.fps,
          isConstantRate: facts.video.isConstantRate,
        }
      : null,
    hasAudio: facts?.hasAudio ?? false,
    damage: facts === null ? [unreadable(clip)] : [...facts.damage, ...lengthDamage(clip)],
    hasGps: (facts?.gps?.samples ?? 0) > 0 || (facts?.gps?.withoutFix ?? 0) > 0,
    hasGSensor: (facts?.gSensor?.samples ?? 0) > 0,
    hasMetadata: input.hasMetadata(clip),
  };
}

/** A length that review does not believe (asReviewed). */
const lengthDamage = ({ durationS, facts }: ClipDetail): readonly ClipDamage[] =>
  durationS !== null || facts?.durationS == null
    ? []
    : [{ code: 'damaged-index', message: 'Its index states a length that no recording has.' }];

const unreadable = (clip: ClipDetail): ClipDamage => ({
  code: 'damaged-index',
  message: clip.isRead ? 'The file can’t be read as a clip.' : 'The file has not been read yet.',
});

function notesOf(cuts: Cuts, hasSideLane: boolean, drifting: number): string[] {
  const notes: string[] = [];
  if (cuts.count > 0) {
    const longest = `${(cuts.longestMs / 1000).toFixed(1)} s`;
    notes.push(`${cuts.count} overlapping ${cuts.count === 1 ? 'end of a recording is' : 'ends of recordings are'} not shown, up to ${longest}.`); // prettier-ignore
  }
  if (cuts.hidden.length > 0)
    notes.push(`Not shown, since another file of the same lens covers them: ${cuts.hidden.slice(0, 3).join(', ')}${cuts.hidden.length > 3 ? ' and more' : ''}.`); // prettier-ignore
  if (hasSideLane) notes.push('Recordings of one lens that overlap are in channels of their own.');
  if (drifting > 0)
    notes.push(`${drifting} ${drifting === 1 ? 'clip is' : 'clips are'} shown slightly faster or slower to stay in step with the other lens.`); // prettier-ignore
  return notes;
}

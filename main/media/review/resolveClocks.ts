import type { CardClock } from '../../../shared/contract/cards.ts';
import type { ClipDetail } from '../../../shared/contract/clips.ts';
import type { ClipId } from '../../../shared/ids.ts';
import type { ClockSetting } from '../../cache/clockRepository.ts';
import {
  cardOffsetClock,
  localMsOf,
  metadataClock,
  neighbourClock,
  ownClock,
  partnerClock,
  type FoundClock,
  type MetadataTimes,
  type SharedClock,
} from './foundClock.ts';
import { driftAgainst, lensesOf, noDrift, type Drift } from './lensPair.ts';
import { groupRecordings, type Recording } from './recordings.ts';

/** What the clocks of clips can rest on beside the clips themselves. */
export interface ClockSources {
  /** GPS times of the service's metadata of the same recording; null without. */
  metadataOf(clip: ClipDetail): MetadataTimes | null;
  /** The clock of a camera's card at a time of its wall clock; null where nothing is known. */
  cardOf(psn: string, localMs: number): CardClock | null;
  /** What was set by hand for the clip; null: nothing. */
  settingOf(clipId: ClipId): ClockSetting | null;
}

/** The clock of a clip: what was found, what was set by hand, and what results. */
export interface ResolvedClock {
  readonly found: FoundClock | null;
  readonly setting: ClockSetting | null;
  /** In use: UTC of the first frame. */
  readonly startUtcMs: number | null;
  readonly utcOffsetMin: number | null;
  readonly uncertaintyMs: number | null;
  /** How its pictures run against the leading lens of the recording. */
  readonly drift: Drift;
}

const quarterMs = 15 * 60_000;
/** An own clock that is known better than this is not given up for another source. */
const wellKnownMs = 3000;
/** A recording begins where the one before it ended, as far as names with whole seconds tell. */
const unbrokenMs = 2500;

/**
 * The clock of each clip, best source first: its own GPS, the service's GPS of the same recording, another file of the
 * same recording, a recording before or after without a break, the card's clock. What a user set overrides, and is
 * shared with clips that nothing else tells of. Unknown stays unknown. Pure.
 */
export function resolveClocks(
  clips: readonly ClipDetail[],
  sources: ClockSources,
): ReadonlyMap<ClipId, ResolvedClock> {
  const recordings = groupRecordings(clips);
  const resolved = new Map<ClipId, ResolvedClock>();
  for (const clip of clips) resolved.set(clip.clipId, inUse(clip, ofItself(clip, sources), sources));
  for (const recording of recordings) shareWithin(recording, resolved, sources);
  shareAlong(recordings, resolved, sources);
  for (const clip of clips) {
    const localMs = localMsOf(clip);
    if (clip.psn === null || localMs === null || resolved.get(clip.clipId)!.found) continue;
    const card = sources.cardOf(clip.psn, localMs);
    const found = card && cardOffsetClock(clip, card);
    if (found) resolved.set(clip.clipId, inUse(clip, found, sources));
  }
  for (const recording of recordings) {
    const [lead] = lensesOf(recording.clips)[0] ?? [];
    for (const clip of recording.clips) {
      const drift = lead ? driftAgainst(lead, clip) : noDrift;
      if (drift !== noDrift) resolved.set(clip.clipId, { ...resolved.get(clip.clipId)!, drift });
    }
  }
  return resolved;
}

/** By the clip's own GPS or that of the metadata: the second only where it is known much better. */
function ofItself(clip: ClipDetail, sources: ClockSources): FoundClock | null {
  const own = ownClock(clip);
  if (own && (own.uncertaintyMs ?? Infinity) <= wellKnownMs) return own;
  const times = sources.metadataOf(clip);
  const told = times && metadataClock(clip, times);
  return told && isMuchBetter(told.uncertaintyMs, own) ? told : own;
}

/** Whether an uncertainty is less than half of what is known so far. */
const isMuchBetter = (uncertaintyMs: number | null, known: FoundClock | null): boolean =>
  known === null || (uncertaintyMs ?? Infinity) * 2 <= (known.uncertaintyMs ?? Infinity);

function inUse(clip: ClipDetail, found: FoundClock | null, sources: ClockSources): ResolvedClock {
  const setting = sources.settingOf(clip.clipId);
  if (setting?.startUtcMs != null) {
    const { startUtcMs } = setting;
    const utcOffsetMin = found?.utcOffsetMin ?? offsetOf(clip, startUtcMs);
    return { found, setting, startUtcMs, utcOffsetMin, uncertaintyMs: null, drift: noDrift };
  }
  return {
    found,
    setting,
    startUtcMs: found && found.startUtcMs + (setting?.shiftMs ?? 0),
    utcOffsetMin: found && found.utcOffsetMin,
    uncertaintyMs: found && found.uncertaintyMs,
    drift: noDrift,
  };
}

/** The zone that follows from a start set by hand, where the wall clock is near a quarter of an hour from it. */
function offsetOf(clip: ClipDetail, startUtcMs: number): number | null {
  const localMs = localMsOf(clip);
  if (localMs === null) return null;
  const offsetMs = Math.round((localMs - startUtcMs) / quarterMs) * quarterMs + 0; // never minus zero
  const isZone = offsetMs >= -12 * 3_600_000 && offsetMs <= 14 * 3_600_000;
  return isZone && Math.abs(localMs - startUtcMs - offsetMs) <= quarterMs / 3 ? offsetMs / 60_000 : null;
}

function toShared(clip: ClipDetail, clock: ResolvedClock): SharedClock | null {
  if (clock.startUtcMs === null) return null;
  const { startUtcMs, utcOffsetMin, uncertaintyMs, setting } = clock;
  return { clip, startUtcMs, utcOffsetMin, uncertaintyMs, isManual: setting !== null };
}

/** The best clock of a recording: what was found, best known first; else what was set by hand. */
function bestOf(recording: Recording, resolved: ReadonlyMap<ClipId, ResolvedClock>): SharedClock | null {
  const shared = recording.clips.flatMap((clip) => toShared(clip, resolved.get(clip.clipId)!) ?? []);
  const worth = ({ uncertaintyMs }: SharedClock): number => uncertaintyMs ?? Number.MAX_VALUE;
  return shared.sort((a, b) => worth(a) - worth(b))[0] ?? null;
}

function shareWithin(
  recording: Recording,
  resolved: Map<ClipId, ResolvedClock>,
  sources: ClockSources,
): void {
  if (recording.clips.length < 2) return;
  const best = bestOf(recording, resolved);
  if (!best) return;
  for (const clip of recording.clips) {
    if (clip.clipId === best.clip.clipId) continue;
    const { found } = resolved.get(clip.clipId)!;
    const isKnownWell = found !== null && (found.uncertaintyMs ?? Infinity) <= wellKnownMs;
    const canShare = !isKnownWell && isMuchBetter(best.uncertaintyMs, found);
    if (canShare) resolved.set(clip.clipId, inUse(clip, partnerClock(clip, best), sources));
  }
}

/** A known clock that reaches a recording over others without a break. */
interface Carried {
  readonly from: SharedClock;
  readonly fromLocalMs: number;
}

/** Hands clocks along recordings of a camera that follow each other without a break, from the nearest known one. */
function shareAlong(
  recordings: readonly Recording[],
  resolved: Map<ClipId, ResolvedClock>,
  sources: ClockSources,
): void {
  for (const line of linesOf(recordings)) {
    if (line.every((one) => bestOf(one.recording, resolved) !== null)) continue;
    const before = carry(line, resolved, false);
    const after = carry([...line].reverse(), resolved, true);
    for (const { recording, localMs } of line) {
      if (bestOf(recording, resolved)) continue;
      const reach = (one: Carried | null | undefined): number =>
        one ? Math.abs(one.fromLocalMs - localMs) : Infinity;
      const [earlier, later] = [before.get(recording), after.get(recording)];
      const nearest = reach(earlier) <= reach(later) ? earlier : later;
      if (!nearest) continue;
      for (const clip of recording.clips) {
        const found = neighbourClock(clip, nearest.from);
        if (found) resolved.set(clip.clipId, inUse(clip, found, sources));
      }
    }
  }
}

interface Placed {
  readonly recording: Recording;
  readonly localMs: number;
  readonly endMs: number;
}

/** Recordings of one camera in order of its wall clock. */
function linesOf(recordings: readonly Recording[]): Placed[][] {
  const lines = new Map<string | null, Placed[]>();
  for (const recording of recordings) {
    const { localMs, psn } = recording;
    const durationS = Math.max(0, ...recording.clips.map((clip) => clip.durationS ?? 0));
    if (localMs === null) continue;
    const line = lines.get(psn);
    const placed = { recording, localMs, endMs: localMs + durationS * 1000 };
    if (line) line.push(placed);
    else lines.set(psn, [placed]);
  }
  for (const line of lines.values()) line.sort((a, b) => a.localMs - b.localMs);
  return [...lines.values()];
}

/** For each recording of a line, the known clock that reaches it from what came before it in the given order. */
function carry(
  line: readonly Placed[],
  resolved: ReadonlyMap<ClipId, ResolvedClock>,
  isBackward: boolean,
): ReadonlyMap<Recording, Carried | null> {
  const carried = new Map<Recording, Carried | null>();
  /** Recordings that may still touch the next one. */
  let open: Placed[] = [];
  const longestMs = line.reduce((most, one) => Math.max(most, one.endMs - one.localMs), 0);
  for (const next of line) {
    open = open.filter((one) =>
      isBackward
        ? one.localMs <= next.localMs + longestMs + unbrokenMs
        : one.endMs >= next.localMs - unbrokenMs,
    );
    const touching = open.filter((one) => {
      const gapMs = isBackward ? one.localMs - next.endMs : next.localMs - one.endMs;
      return Math.abs(gapMs) <= unbrokenMs;
    });
    const own = bestOf(next.recording, resolved);
    if (own) carried.set(next.recording, { from: own, fromLocalMs: next.localMs });
    else {
      // Of unknown camera: two that fit are of two vehicles, and neither may lend its clock.
      const isSure = next.recording.psn !== null || (touching.length === 1 && isAlone(next, line));
      const [from] = isSure ? touching.flatMap((one) => carried.get(one.recording) ?? []) : [];
      carried.set(next.recording, from ?? null);
    }
    open.push(next);
  }
  return carried;
}

function isAlone(placed: Placed, line: readonly Placed[]): boolean {
  return line.every(
    (one) =>
      one === placed || one.endMs <= placed.localMs + unbrokenMs || one.localMs >= placed.endMs - unbrokenMs,
  );
}

import type { CaseFile } from '../../shared/contract/cases.ts';
import type { ClipDetail } from '../../shared/contract/clips.ts';
import type { SourceClock } from '../../shared/contract/review.ts';
import { AppError } from '../../shared/errors.ts';
import type { ClipId } from '../../shared/ids.ts';
import type { TimeRange } from '../../shared/track.ts';
import { createClipRepository } from '../cache/clipRepository.ts';
import type { EvidenceCache } from '../cache/openCache.ts';
import type { PreparedClip, PreparedEvidence, PreparedFile } from './prepared.ts';
import { safeName, uniqueNames } from './safeName.ts';
import type { LeftOut } from './sealFacts.ts';

/** A clip of the case as its package holds it. */
export interface SealedClip {
  readonly clip: ClipDetail;
  /** The clock in use. */
  readonly clock: SourceClock;
  /** Where its telemetry was moved against its pictures; null: it goes by the clip's. */
  readonly telemetryClock: SourceClock | null;
  /** By the clip's clock; null unknown. */
  readonly startUtcMs: number | null;
  readonly endUtcMs: number | null;
  /** Below `data/`; null when originals are left out. */
  readonly path: string | null;
  readonly blobPath: string;
  /** Null: the clip holds none. `file` is null in a preview. */
  readonly telemetry: { readonly path: string; readonly file: PreparedFile | null } | null;
  /** Null in a preview. */
  readonly prepared: PreparedClip | null;
}

export interface ClipSelection {
  readonly clips: readonly SealedClip[];
  readonly leftOut: readonly LeftOut[];
}

/** Clips of the case that touch the range, by camera, start and name, whatever the order they were added in. */
export function selectClips(
  cache: EvidenceCache,
  caseFile: CaseFile,
  range: TimeRange,
  originals: 'whole' | 'none',
  prepared: PreparedEvidence,
): ClipSelection {
  const repository = createClipRepository(cache.db);
  const clocks = clocksOf(prepared, 'clip');
  const telemetryClocks = clocksOf(prepared, 'telemetry');
  const leftOut: LeftOut[] = [];
  const kept: Timed[] = [];
  for (const clipId of clipIdsOf(caseFile)) {
    const clip = repository.get(clipId);
    const clock = clocks.get(clipId);
    if (!clock) throw changedMeanwhile();
    const telemetryClock = telemetryClocks.get(clipId) ?? null;
    const timed = { clip, clock, telemetryClock, ...spanBy(clip, clock) };
    if (touches(timed.startUtcMs, timed.endUtcMs, range)) kept.push(timed);
    else leftOut.push({ what: `clip "${clip.fileName}"`, why: 'it lies outside the range of this package' });
  }
  kept.sort(byCameraAndTime);
  if (originals === 'none') {
    for (const { clip } of kept) {
      leftOut.push({
        what: `original clip "${clip.fileName}"`,
        why: 'the person who sealed chose to leave originals out',
      });
    }
  }
  return { clips: named(cache, kept, originals, prepared), leftOut };
}

/** The clips that are exhibits of the case, once each. */
export function clipIdsOf(caseFile: CaseFile): readonly ClipId[] {
  return [...new Set(caseFile.exhibitList.flatMap(({ ref }) => (ref.kind === 'clip' ? [ref.clipId] : [])))];
}

/** Whether something touches a half-open range. What has no time can't be told to be outside: it stays in. */
export function touches(startMs: number | null, endMs: number | null, range: TimeRange): boolean {
  if (startMs === null) return true;
  const end = Math.max(startMs, endMs ?? startMs);
  const isAfter = range.toMs !== null && startMs >= range.toMs;
  const isBefore = range.fromMs !== null && (end > startMs ? end <= range.fromMs : end < range.fromMs);
  return !isAfter && !isBefore;
}

/** Clips or their clocks were changed between reading and sealing; sealing again sees all of it. */
export function changedMeanwhile(): AppError {
  return new AppError('busy', 'The case or a clock of its clips was changed while they were being read.', {
    remedy: 'Seal it again. Nothing was written.',
  });
}

type Timed = Pick<SealedClip, 'clip' | 'clock' | 'telemetryClock' | 'startUtcMs' | 'endUtcMs'>;

/** The clocks in use of one kind, by clip. */
export function clocksOf(
  prepared: PreparedEvidence,
  kind: 'clip' | 'telemetry',
): ReadonlyMap<ClipId, SourceClock> {
  const clocks = new Map<ClipId, SourceClock>();
  for (const clock of prepared.clocks) {
    if (clock.subject.kind === kind && 'clipId' in clock.subject) clocks.set(clock.subject.clipId, clock);
  }
  return clocks;
}

function spanBy(clip: ClipDetail, clock: SourceClock): Pick<Timed, 'startUtcMs' | 'endUtcMs'> {
  const { startUtcMs, rate } = clock;
  const isKnown = startUtcMs !== null && clip.durationS !== null;
  return { startUtcMs, endUtcMs: isKnown ? startUtcMs + clip.durationS * 1000 * rate : null };
}

function byCameraAndTime(a: Timed, b: Timed): number {
  const text = (one: Timed): string => `${one.clip.psn ?? '~'}\n${one.clip.fileName}\n${one.clip.sha256}`;
  const camera = compare(a.clip.psn ?? '~', b.clip.psn ?? '~'); // clips of no known camera come last
  const [startA, startB] = [a.startUtcMs ?? Infinity, b.startUtcMs ?? Infinity];
  return camera || (startA === startB ? 0 : startA - startB) || compare(text(a), text(b));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Gives each clip its places in the package. */
function named(
  cache: EvidenceCache,
  kept: readonly Timed[],
  originals: 'whole' | 'none',
  prepared: PreparedEvidence,
): readonly SealedClip[] {
  const files = kept.map(({ clip }) => ({ name: clip.fileName, sha256: clip.sha256 }));
  // Clips of two cameras may share a name: they have folders of their own, their telemetry has not.
  const folders = new Map<string, { readonly folder: string; readonly members: number[] }>();
  kept.forEach(({ clip }, i) => {
    const folder = safeName(clip.psn ?? 'unknown-camera', 'camera', 60).replaceAll(' ', '_');
    // Many systems know one folder where letters differ in case alone.
    const known = folders.get(folder.toLowerCase());
    if (known) known.members.push(i);
    else folders.set(folder.toLowerCase(), { folder, members: [i] });
  });
  const paths: string[] = [];
  for (const { folder, members } of folders.values()) {
    const names = uniqueNames(members.map((i) => files[i]!));
    members.forEach((i, at) => (paths[i] = `clips/${folder}/${names[at]!}`));
  }
  const csvNames = uniqueNames(files.map((file) => ({ ...file, name: `${file.name}.csv` })));
  const read = prepared.telemetry && new Map(prepared.telemetry.clips.map((one) => [one.clipId, one]));
  return kept.map((timed, i) => {
    const { clip } = timed;
    const found = read?.get(clip.clipId);
    if (read && !found) throw changedMeanwhile();
    const hasTelemetry = found
      ? found.telemetry !== null
      : (clip.facts?.gps ?? clip.facts?.gSensor ?? null) !== null;
    return {
      ...timed,
      path: originals === 'whole' ? paths[i]! : null,
      blobPath: cache.blobs.pathOf(clip.sha256),
      telemetry: hasTelemetry ? { path: `telemetry/${csvNames[i]!}`, file: found?.telemetry ?? null } : null,
      prepared: found ?? null,
    };
  });
}

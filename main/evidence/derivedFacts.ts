import type { CaseFile } from '../../shared/contract/cases.ts';
import type { Derived } from '../../shared/contract/derived.ts';
import type { Mark } from '../../shared/contract/marks.ts';
import type { SourceClock } from '../../shared/contract/review.ts';
import { AppError } from '../../shared/errors.ts';
import type { ClipId, DerivedId } from '../../shared/ids.ts';
import type { TimeRange } from '../../shared/track.ts';
import { createClipRepository } from '../cache/clipRepository.ts';
import { createDerivedRepository } from '../cache/derivedRepository.ts';
import { createMarkRepository } from '../cache/markRepository.ts';
import type { EvidenceCache } from '../cache/openCache.ts';
import { changedMeanwhile, clocksOf, touches, type SealedClip } from './clipFacts.ts';
import type { PreparedEvidence, PreparedFile } from './prepared.ts';
import { uniqueNames } from './safeName.ts';
import type { LeftOut } from './sealFacts.ts';

/** A still or a trim of the case as its package holds it. */
export interface SealedDerived {
  readonly derived: Derived;
  /** Below `data/`: plain stills under snapshots/, trims and stamped copies under derived/. */
  readonly path: string;
  /** Beside it. */
  readonly recipePath: string;
  readonly blobPath: string;
  /** The clip that it was made from is in the package, bit for bit. */
  readonly isSourceInside: boolean;
  /** By the clip's clock in use, where that says another time than the recipe does; null where both agree. */
  readonly retimed: { readonly startUtcMs: number; readonly endUtcMs: number } | null;
  /** A trim of a clip with sound. */
  readonly mayHoldSound: boolean;
  /** Of a trim: the telemetry of what it holds. `file` is null in a preview; null where the clip has none. */
  readonly slice: { readonly path: string; readonly file: PreparedFile | null } | null;
}

export interface DerivedSelection {
  readonly derived: readonly SealedDerived[];
  readonly leftOut: readonly LeftOut[];
}

/** Stills and trims of the case that touch the range, by file name and hash. */
export function selectDerived(
  cache: EvidenceCache,
  caseFile: CaseFile,
  range: TimeRange,
  clips: readonly SealedClip[],
  prepared: PreparedEvidence,
): DerivedSelection {
  const repository = createDerivedRepository(cache.db);
  const leftOut: LeftOut[] = [];
  const kept: Derived[] = [];
  const clocks = clocksOf(prepared, 'clip');
  for (const derivedId of derivedIdsOf(caseFile)) {
    const stored = repository.find(derivedId);
    if (!stored || stored.isRemoved) {
      throw new AppError('not_found', `The still or trim ${derivedId} of the case is not in the library.`, {
        remedy: 'Take it out of the case, then seal.',
      });
    }
    const { derived } = stored;
    const { startUtcMs, endUtcMs } = retimedOf(derived, clocks) ?? derived.recipe;
    if (touches(startUtcMs, endUtcMs, range)) kept.push(derived);
    else {
      leftOut.push({
        what: `${kindName(derived)} "${derived.fileName}"`,
        why: 'it lies outside the range of this package',
      });
    }
  }
  kept.sort(
    (a, b) =>
      compare(a.fileName, b.fileName) || compare(a.sha256, b.sha256) || compare(a.derivedId, b.derivedId),
  );
  const inside = new Set(clips.flatMap(({ clip, path }) => (path === null ? [] : [clip.clipId])));
  for (const fileName of sourcesOutside(kept, clips)) {
    leftOut.push({
      what: `original clip "${fileName}"`,
      why: 'stills or trims of it are in the package; the clip itself is not in the case or not in the range',
    });
  }
  return { derived: placed(cache, kept, inside, prepared), leftOut };
}

/** The stills and trims that are exhibits of the case, once each. */
export function derivedIdsOf(caseFile: CaseFile): readonly DerivedId[] {
  return caseFile.exhibitList.flatMap(({ ref }) => (ref.kind === 'derived' ? [ref.derivedId] : []));
}

/** Marks of the case in the range; those of unknown time too. By time, then as they were made. */
export function selectMarks(
  cache: EvidenceCache,
  caseFile: CaseFile,
  range: TimeRange,
): { readonly marks: readonly Mark[]; readonly leftOut: readonly LeftOut[] } {
  const all = createMarkRepository(cache.db).list({ caseId: caseFile.caseId });
  const marks = all.filter((mark) => touches(mark.fromMs, mark.toMs, range));
  const outside = all.length - marks.length;
  const what =
    outside === 1 ? '1 bookmark or range of the case' : `${outside} bookmarks and ranges of the case`;
  return {
    marks,
    leftOut: outside === 0 ? [] : [{ what, why: 'outside the range of this package' }],
  };
}

/** What to call it in a sentence. */
export function kindName({ kind }: Pick<Derived, 'kind'>): string {
  return kind === 'trim' ? 'trim' : kind === 'still' ? 'still' : 'stamped copy of a still';
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Names of clips that something in the package was made from, and that the package does not know at all. */
function sourcesOutside(kept: readonly Derived[], clips: readonly SealedClip[]): readonly string[] {
  const known = new Set(clips.map(({ clip }) => clip.clipId));
  const names = new Map<ClipId, string>();
  for (const { clipId, recipe } of kept) if (!known.has(clipId)) names.set(clipId, recipe.source.fileName);
  return [...names.values()].sort();
}

function placed(
  cache: EvidenceCache,
  kept: readonly Derived[],
  inside: ReadonlySet<ClipId>,
  prepared: PreparedEvidence,
): readonly SealedDerived[] {
  const slices =
    prepared.telemetry && new Map(prepared.telemetry.slices.map((one) => [one.derivedId, one.file]));
  const clips = createClipRepository(cache.db);
  const clocks = clocksOf(prepared, 'clip');
  const hasTelemetry = (clipId: ClipId): boolean => {
    const { facts } = clips.get(clipId);
    return facts?.gps != null || facts?.gSensor != null;
  };
  const paths = new Map<Derived, string>();
  for (const folder of ['snapshots', 'derived'] as const) {
    const members = kept.filter((one) => folderOf(one) === folder);
    const names = uniqueNames(members.map((one) => ({ name: nameOf(one), sha256: one.sha256 })));
    members.forEach((one, i) => paths.set(one, `${folder}/${names[i]!}`));
  }
  return kept.map((derived): SealedDerived => {
    const path = paths.get(derived)!; // each has a folder
    const slice = slices?.get(derived.derivedId) ?? null;
    if (slices && derived.kind === 'trim' && !slices.has(derived.derivedId)) throw changedMeanwhile();
    const hasSlice = derived.kind === 'trim' && (slices ? slice !== null : hasTelemetry(derived.clipId));
    return {
      derived,
      path,
      recipePath: `${path}.recipe.json`,
      blobPath: cache.blobs.pathOf(derived.sha256),
      isSourceInside: inside.has(derived.clipId),
      retimed: retimedOf(derived, clocks),
      mayHoldSound: derived.kind === 'trim' && clips.get(derived.clipId).facts?.hasAudio === true,
      slice: hasSlice ? { path: `${path}.csv`, file: slice } : null,
    };
  });
}

/** Times that a clock, set anew after a still or a trim was made, gives it. A recipe says what was known then. */
function retimedOf(
  { clipId, recipe }: Derived,
  clocks: ReadonlyMap<ClipId, SourceClock>,
): SealedDerived['retimed'] {
  const clock = clocks.get(clipId);
  if (!clock || clock.startUtcMs === null) return null;
  const at = (clipS: number): number => clock.startUtcMs! + clipS * 1000 * clock.rate; // checked right above
  const startUtcMs = at(recipe.actualS.from);
  // Half a millisecond is the rounding of the times that are written.
  if (recipe.startUtcMs !== null && Math.abs(startUtcMs - recipe.startUtcMs) < 0.5) return null;
  return { startUtcMs, endUtcMs: at(recipe.actualS.to) };
}

const folderOf = ({ kind }: Derived): 'snapshots' | 'derived' => (kind === 'still' ? 'snapshots' : 'derived');

/** Of a still: clip, frame time and UTC; of others, as they are called. */
function nameOf({ kind, fileName, recipe }: Derived): string {
  if (kind !== 'still') return fileName;
  const stem = recipe.source.fileName.replace(/\.[^.]*$/, '').slice(0, 34);
  // RFC 3339 without the colons that some file systems refuse.
  const utc =
    recipe.startUtcMs === null
      ? 'utc-unknown'
      : new Date(Math.round(recipe.startUtcMs)).toISOString().replaceAll(':', '');
  return `${stem}_${recipe.actualS.from.toFixed(3)}s_${utc}.png`;
}

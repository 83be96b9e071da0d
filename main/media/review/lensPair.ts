import type { ClipDetail } from '../../../shared/contract/clips.ts';
import { directionOf, directionRank } from './names.ts';
import { lensOf } from './recordings.ts';

/** How a lens runs against the other one of its recording. */
export interface Drift {
  /** Scene ms that pass for one ms of the clip. */
  readonly rate: number;
  /** Null where nothing is corrected. */
  readonly driftNote: string | null;
}

export const noDrift: Drift = { rate: 1, driftNote: null };

/** Less than this is one frame more or less, as cameras end their files. */
const leastMs = 50;
/** Clocks of one camera do not differ by more; a file that is shorter by more was cut short. */
const mostShare = 0.005;

const harmless = new Set(['foreign-bytes']);

/** Whether a file's length can be believed to be what its lens recorded. */
const isWhole = (clip: ClipDetail): boolean =>
  clip.facts !== null &&
  (clip.durationS ?? 0) > 0 &&
  clip.facts.video !== null &&
  clip.facts.damage.every(({ code }) => harmless.has(code));

/** Whether its pictures can be shown. */
const isReadable = (clip: ClipDetail): boolean =>
  clip.facts?.video != null && clip.facts.damage.every(({ code }) => code !== 'no-moov');
/** Full resolution first, as long as it can be shown. */
const fileRank = (clip: ClipDetail): number =>
  (isReadable(clip) ? 0 : 10) + (clip.quality === 'main' ? 0 : clip.quality === null ? 1 : clip.quality === 'sub' ? 2 : 3); // prettier-ignore
/** The lens that the others are measured by: one whose length is sure and that knows its time by GPS, front first. */
const leadRank = (clip: ClipDetail): number =>
  (isWhole(clip) ? 0 : 100) + (clip.startUtcMs === null ? 10 : 0) + directionRank(clip.directionCode);

/** The files of a recording by lens, the leading lens first; of each lens the file to show first. */
export function lensesOf(clips: readonly ClipDetail[]): readonly (readonly ClipDetail[])[] {
  const byLens = new Map<string, ClipDetail[]>();
  for (const clip of clips) {
    const files = byLens.get(lensOf(clip));
    if (files) files.push(clip);
    else byLens.set(lensOf(clip), [clip]);
  }
  return [...byLens.values()]
    .map((files) => [...files].sort((a, b) => fileRank(a) - fileRank(b)))
    .sort((a, b) => leadRank(a[0]!) - leadRank(b[0]!)); // each lens has a file
}

/**
 * The correction of one lens against the leading one of the same recording: two lengths of one moment that differ by a
 * little have been counted by two clocks. A file that was cut short is not stretched.
 */
export function driftAgainst(lead: ClipDetail, clip: ClipDetail): Drift {
  if (lensOf(lead) === lensOf(clip) || !isWhole(lead) || !isWhole(clip)) return noDrift;
  const leadS = lead.durationS!; // isWhole
  const ownS = clip.durationS!;
  const differenceMs = Math.abs(leadS - ownS) * 1000;
  if (differenceMs <= leastMs || differenceMs / (leadS * 1000) >= mostShare) return noDrift;
  const rate = leadS / ownS;
  const percent = (Math.abs(rate - 1) * 100).toFixed(2);
  const { direction } = directionOf(lead);
  return {
    rate,
    driftNote:
      `Its pictures last ${ownS.toFixed(3)} s, those of the ${direction} camera ${leadS.toFixed(3)} s: the two clocks ` +
      `drifted apart, and it is shown ${percent} % ${rate < 1 ? 'faster' : 'slower'} to stay in step.`,
  };
}

import type { ClipDetail } from '../../../shared/contract/clips.ts';
import { directionOf } from './names.ts';

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
export const isWhole = (clip: ClipDetail): boolean =>
  clip.facts !== null &&
  (clip.durationS ?? 0) > 0 &&
  clip.facts.video !== null &&
  clip.facts.damage.every(({ code }) => harmless.has(code));

/**
 * The correction of one lens against the leading one of the same recording: two lengths of one moment that differ by a
 * little have been counted by two clocks. A file that was cut short is not stretched.
 */
export function driftAgainst(lead: ClipDetail, clip: ClipDetail): Drift {
  if (lead === clip || !isWhole(lead) || !isWhole(clip)) return noDrift;
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

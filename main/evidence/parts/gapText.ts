import { toRfc3339 } from '../../../shared/time.ts';
import type { Gap } from '../tripSurvey.ts';

/** "none missing", said aloud; else how many gaps and how long together. */
export function gapStatement(gaps: readonly Gap[]): string {
  if (gaps.length === 0) return 'none missing';
  return `${gaps.length} ${gaps.length === 1 ? 'gap' : 'gaps'}, ${toSeconds(totalMs(gaps))} s missing`;
}

/** A gap as documents state it. */
export function toGap(gap: Gap) {
  return {
    from: toRfc3339(gap.fromMs),
    to: toRfc3339(gap.toMs),
    seconds: toSeconds(gap.toMs - gap.fromMs),
  };
}

export function totalMs(gaps: readonly Gap[]): number {
  return gaps.reduce((sum, gap) => sum + (gap.toMs - gap.fromMs), 0);
}

/** Whole milliseconds as seconds. */
export function toSeconds(ms: number): number {
  return Math.round(ms) / 1000;
}

/** A time that was computed: to the millisecond, since no calendar text holds more. */
export function toUtc(ms: number | null): string | null {
  return toRfc3339(ms === null ? null : Math.round(ms));
}

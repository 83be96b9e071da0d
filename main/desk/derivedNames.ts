import type { DerivedKind } from '../../shared/contract/derived.ts';
import { safeName } from '../evidence/safeName.ts';

/** What a derived file is named after. */
export interface NamedMoment {
  /** Of the clip that it was made from. */
  readonly clipFileName: string;
  /** Null: unknown. */
  readonly startUtcMs: number | null;
}

/** The clip's name without its extension, in portable characters. */
function stemOf(clipFileName: string): string {
  const stem = clipFileName.replace(/\.[A-Za-z0-9]{1,5}$/, '');
  return safeName(stem, 'clip', 60).replace(/[ .]+/g, '_');
}

/** `2026-03-14T163209.733Z`: RFC 3339 without the colons that some file systems refuse. */
function utcText(utcMs: number | null): string {
  const isKnown = utcMs !== null && Math.abs(utcMs) <= 8.64e15;
  return isKnown ? new Date(utcMs).toISOString().replaceAll(':', '') : 'clock-unknown';
}

/**
 * `20260314_173209_EF_f000123_2026-03-14T163209.733Z.png`; with the time on the clip where frames can't be
 * counted. `frameS` is in seconds.
 */
export function stillName(
  moment: NamedMoment,
  frame: { readonly index: number | null; readonly frameS: number },
  kind: DerivedKind,
): string {
  const which =
    frame.index === null ? `${frame.frameS.toFixed(3)}s` : `f${String(frame.index).padStart(6, '0')}`;
  const mark = kind === 'stamped-still' ? '_stamped' : '';
  return `${stemOf(moment.clipFileName)}_${which}_${utcText(moment.startUtcMs)}${mark}.png`;
}

/** `20260314_173209_EF_4.000s-9.033s_2026-03-14T163213.733Z.mp4`: seconds on the clip, as cut. */
export function trimName(
  moment: NamedMoment,
  actualS: { readonly from: number; readonly to: number },
): string {
  const span = `${actualS.from.toFixed(3)}s-${actualS.to.toFixed(3)}s`;
  return `${stemOf(moment.clipFileName)}_${span}_${utcText(moment.startUtcMs)}.mp4`;
}

import type { ClipDetail } from '../../../shared/contract/clips.ts';
import { parseClipName } from '../telemetry/clipName.ts';

/** Letters of lenses (formats.md section 1): hints for display. */
const directionByLetter: Readonly<Record<string, string>> = {
  F: 'front',
  O: 'option',
  R: 'rear',
  I: 'interior',
};

/** No recording is longer; a file that states more is damaged, or made to mislead. */
const longestS = 48 * 3600;

/**
 * A clip as review takes it. One that was not read, or can't be: its name still tells when and by which lens it was
 * recorded. One whose index states a length that can't be has none.
 */
export function asReviewed(clip: ClipDetail): ClipDetail {
  if (clip.facts !== null) {
    const { durationS } = clip;
    const isSane = durationS === null || (durationS >= 0 && durationS <= longestS);
    return isSane ? clip : { ...clip, durationS: null };
  }
  const name = parseClipName(clip.fileName) ?? parseClipName(clip.mainName ?? '');
  if (!name) return clip;
  return {
    ...clip,
    mainName: clip.mainName ?? name.mainName,
    quality: clip.quality ?? name.stream,
    typeCode: name.typeCode,
    directionCode: name.directionCode,
    recordedAtLocal: name.recordedAtLocal,
  };
}

/** What a clip's lens looks at: `front`, `option`, `rear`, `interior` or `unknown`, with its letter. */
export function directionOf(clip: Pick<ClipDetail, 'directionCode'>): {
  readonly direction: string;
  readonly directionCode: string | null;
} {
  const { directionCode } = clip;
  return { direction: directionByLetter[directionCode ?? ''] ?? 'unknown', directionCode };
}

/** Front first, then option, then others. */
export function directionRank(directionCode: string | null): number {
  const rank = 'FORI'.indexOf(directionCode ?? '?');
  return rank < 0 ? 4 : rank;
}

/** What to call a camera. */
export const cameraText = (psn: string | null, cameraName: string | null): string =>
  cameraName ?? psn ?? 'Unknown camera';

/** `2026-03-14 16:32:09 UTC`. */
export function utcText(utcMs: number): string {
  const date = new Date(utcMs);
  if (Number.isNaN(date.getTime())) return 'a time beyond the calendar';
  const iso = date.toISOString();
  return `${iso.slice(0, -14)} ${iso.slice(-13, -5)} UTC`;
}

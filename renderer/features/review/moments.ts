import type { ReviewMoment } from '../../../shared/contract/review.ts';
import { formatShortDay, formatDay } from '../timeline/clock.ts';

/** A line of the start page's list. */
export type MomentLine =
  | { readonly kind: 'day'; readonly key: string; readonly text: string; readonly camera: string }
  | { readonly kind: 'moment'; readonly key: string; readonly moment: ReviewMoment };

/** What to call the camera of a moment. Pure. */
export function momentCamera({ psn, cameraName }: Pick<ReviewMoment, 'psn' | 'cameraName'>): string {
  return cameraName ?? psn ?? 'Unknown camera';
}

/**
 * Moments by day, newest first, and by camera within a day, each group under a heading; those of unknown time under
 * one of their own at the end. Pure.
 */
export function momentLines(moments: readonly ReviewMoment[], zone: string): readonly MomentLine[] {
  const days = new Map<string, { text: string; atMs: number; cameras: Map<string, ReviewMoment[]> }>();
  for (const moment of moments) {
    const { startMs } = moment;
    const day = startMs === null ? '' : formatDay(startMs, zone);
    let found = days.get(day);
    if (!found) {
      const text =
        startMs === null
          ? 'Time unknown: no clock in the file'
          : `${formatShortDay(startMs, zone)} ${day.slice(-4)}`;
      found = { text, atMs: startMs ?? -Infinity, cameras: new Map() };
      days.set(day, found);
    }
    found.atMs = Math.max(found.atMs, startMs ?? -Infinity);
    const camera = momentCamera(moment);
    const list = found.cameras.get(camera);
    if (list) list.push(moment);
    else found.cameras.set(camera, [moment]);
  }
  const lines: MomentLine[] = [];
  for (const [day, { text, cameras }] of [...days].sort(([, a], [, b]) => b.atMs - a.atMs)) {
    for (const [camera, list] of [...cameras].sort(([a], [b]) => a.localeCompare(b))) {
      lines.push({ kind: 'day', key: `${day}|${camera}`, text, camera });
      for (const moment of list.sort((a, b) => (b.startMs ?? 0) - (a.startMs ?? 0))) {
        lines.push({ kind: 'moment', key: moment.clipId, moment });
      }
    }
  }
  return lines;
}

/** The next line that can be opened, from `at` by `step` lines that can; stays where there is none. Pure. */
export function stepToMoment(lines: readonly MomentLine[], at: number, step: number): number {
  const direction = step < 0 ? -1 : 1;
  let left = Math.abs(step);
  let found = at;
  for (let i = at + direction; i >= 0 && i < lines.length && left > 0; i += direction) {
    if (lines[i]?.kind !== 'moment') continue;
    found = i;
    left -= 1;
  }
  return found;
}

import type { ClipDetail } from '../../../shared/contract/clips.ts';
import { bboxDistanceM } from './boxDistance.ts';
import { localMsOf } from './foundClock.ts';

/** Files of one camera that began at the same moment: its lenses, each in one or more qualities. */
export interface Recording {
  readonly psn: string | null;
  /** The camera's wall clock at the start; null where no name tells, and then it is one file. */
  readonly localMs: number | null;
  readonly clips: readonly ClipDetail[];
}

/** The lens of a clip: its letter, or '' where its name tells none. */
export const lensOf = (clip: ClipDetail): string => clip.directionCode ?? '';
const fileSlotOf = (clip: ClipDetail): string => `${lensOf(clip)}/${clip.quality ?? ''}`;

/** Two clips of one moment whose own GPS is further apart, beyond its uncertainty, are not of one recording. */
const contradictsMs = 5000;
const farM = 500;
/** The second lens may start on the next second of the wall clock. */
const nextSecondMs = 1000;

const doubtOf = (clip: ClipDetail): number => clip.facts?.clock.uncertaintyMs ?? 0;

/** Whether two clips of the same name can be of one recording; nothing known contradicts. */
function fitTogether(a: ClipDetail, b: ClipDetail): boolean {
  const allowedMs = contradictsMs + doubtOf(a) + doubtOf(b);
  if (a.startUtcMs !== null && b.startUtcMs !== null && Math.abs(a.startUtcMs - b.startUtcMs) > allowedMs)
    return false;
  if (a.psn !== null) return true;
  // No camera is named: the same second on the clocks of two vehicles must not pair their clips.
  const makers = [a.facts?.makerText ?? null, b.facts?.makerText ?? null];
  if (makers[0] !== null && makers[1] !== null && makers[0] !== makers[1]) return false;
  return a.bbox === null || b.bbox === null || bboxDistanceM(a.bbox, b.bbox) <= farM;
}

/**
 * Groups clips into recordings, by the camera's wall clock. Clips of unknown camera are paired by name only as long
 * as each lens is there once: two vehicles that recorded in the same second stay apart.
 */
export function groupRecordings(clips: readonly ClipDetail[]): Recording[] {
  const groups = new Map<string, ClipDetail[]>();
  const recordings: Recording[] = [];
  const keyOf = (clip: ClipDetail, localMs: number): string =>
    `${clip.psn ?? ''}\n${clip.typeCode ?? ''}\n${localMs}`;
  // In order, so that the same clips make the same recordings however they were asked for.
  const ordered = [...clips].sort(
    (a, b) => compareText(a.fileName, b.fileName) || compareText(a.clipId, b.clipId),
  );
  for (const clip of ordered) {
    const localMs = localMsOf(clip);
    if (localMs === null) recordings.push({ psn: clip.psn, localMs, clips: [clip] });
    else {
      const key = keyOf(clip, localMs);
      const group = groups.get(key);
      if (group) group.push(clip);
      else groups.set(key, [clip]);
    }
  }
  joinNextSecond(groups, keyOf);
  for (const group of groups.values()) {
    for (const members of splitGroup(group)) {
      const localMs = Math.min(...members.map((clip) => localMsOf(clip)!)); // those without were set apart
      recordings.push({ psn: members[0]!.psn, localMs, clips: members });
    }
  }
  return recordings;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Takes in the other lens where it began a second later. */
function joinNextSecond(
  groups: Map<string, ClipDetail[]>,
  keyOf: (clip: ClipDetail, localMs: number) => string,
): void {
  const byTime = [...groups].sort(([, a], [, b]) => localMsOf(a[0]!)! - localMsOf(b[0]!)!); // none is empty
  for (const [key, group] of byTime) {
    if (!groups.has(key)) continue; // it was taken in
    const [first] = group as [ClipDetail, ...ClipDetail[]];
    const nextKey = keyOf(first, localMsOf(first)! + nextSecondMs);
    const next = groups.get(nextKey);
    if (!next || key === nextKey) continue;
    const lenses = new Set(group.map(lensOf));
    if (next.some((clip) => lenses.has(lensOf(clip)))) continue;
    group.push(...next);
    groups.delete(nextKey);
  }
}

/** Files that take the same place (a second copy, another vehicle) and files that contradict go their own way. */
function splitGroup(group: readonly ClipDetail[]): ClipDetail[][] {
  const slots = new Set(group.map(fileSlotOf));
  const [first] = group;
  if (!first) return [];
  if (first.psn === null && slots.size < group.length) return group.map((clip) => [clip]);
  const together: ClipDetail[] = [];
  const apart: ClipDetail[][] = [];
  const taken = new Set<string>();
  for (const clip of group) {
    const slot = fileSlotOf(clip);
    if (!taken.has(slot) && together.every((other) => fitTogether(clip, other))) {
      taken.add(slot);
      together.push(clip);
    } else apart.push([clip]);
  }
  return [together, ...apart];
}

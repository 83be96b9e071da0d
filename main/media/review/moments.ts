import type { ReviewMoment } from '../../../shared/contract/review.ts';
import { toUtcClip, type ClockedClip, type ReviewLibrary, type UtcClip } from './library.ts';
import { directionOf, directionRank } from './names.ts';
import { groupRecordings } from './recordings.ts';

/** Which moments are asked for. */
export interface MomentFilter {
  readonly psns?: readonly (string | null)[] | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly limit?: number | undefined;
}

const usualLimit = 500;
/** Lenses and qualities of one recording are one moment. */
const filesPerMoment = 4;

/** Recordings that can be opened, newest first by their clock in use; those of unknown clock last, by name. */
export function momentsOf(library: ReviewLibrary, filter: MomentFilter): readonly ReviewMoment[] {
  const limit = filter.limit ?? usualLimit;
  const isRanged = filter.fromMs !== undefined || filter.toMs !== undefined;
  const clips = isRanged ? inRange(library, filter) : newest(library, filter, limit);
  const names = library.review.cameraNames();
  const byId = new Map(clips.map((one) => [one.clip.clipId, one]));
  return groupRecordings(clips.map(({ clip }) => clip))
    .map((recording): ReviewMoment => {
      const files = [...recording.clips].sort(
        (a, b) => directionRank(a.directionCode) - directionRank(b.directionCode) || (a.fileName < b.fileName ? -1 : 1), // prettier-ignore
      );
      const first = files[0]!; // a recording has a clip
      const placed = files.flatMap((clip) => toUtcClip(byId.get(clip.clipId)!) ?? []); // grouped from these
      const starts = placed.map((one) => one.startMs);
      const known = placed.filter(({ clip }) => (clip.durationS ?? 0) > 0);
      return {
        startMs: starts.length === 0 ? null : Math.min(...starts),
        endMs: known.length === 0 ? null : Math.max(...known.map((one) => one.endMs)),
        clipId: first.clipId,
        psn: first.psn,
        cameraName: first.psn === null ? null : (names.get(first.psn) ?? null),
        fileName: first.fileName,
        directions: [...new Set(files.map((clip) => directionOf(clip).direction))],
      };
    })
    .sort((a, b) => (b.startMs ?? -Infinity) - (a.startMs ?? -Infinity) || (a.fileName < b.fileName ? 1 : -1))
    .slice(0, limit);
}

function newest(library: ReviewLibrary, { psns }: MomentFilter, limit: number): readonly ClockedClip[] {
  return library.clocked(library.review.newestClips(limit * filesPerMoment, psns));
}

function inRange(library: ReviewLibrary, { psns, fromMs, toMs }: MomentFilter): readonly UtcClip[] {
  const from = fromMs ?? -8.64e15;
  const to = toMs ?? 8.64e15;
  return library.between(from, to, psns ?? library.review.cameras());
}

import type { ClipDetail } from '../../../shared/contract/clips.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { createCardRepository } from '../../cache/cardRepository.ts';
import { createCaseRepository } from '../../cache/caseRepository.ts';
import { createClipRepository } from '../../cache/clipRepository.ts';
import { createClockRepository } from '../../cache/clockRepository.ts';
import type { WritableDb } from '../../cache/database.ts';
import { createReviewRepository } from '../../cache/reviewRepository.ts';
import { createSourceRepository } from '../../cache/sourceRepository.ts';
import { createTripRepository } from '../../cache/tripRepository.ts';
import { createClipClocks } from './clipClocks.ts';
import { asReviewed } from './names.ts';
import type { ResolvedClock } from './resolveClocks.ts';

/** A clip with its clock in use. */
export interface ClockedClip {
  readonly clip: ClipDetail;
  readonly clock: ResolvedClock;
}

/** A clip whose place in UTC is known; of unknown length it is taken for a minute. */
export interface UtcClip extends ClockedClip {
  readonly startMs: number;
  readonly endMs: number;
}

const assumedMs = 60_000;

/** What review asks of the cache, in one hand. Reads only. */
export function createReviewLibrary(deps: { readonly cache: { readonly db: WritableDb } }) {
  const { db } = deps.cache;
  const clips = createClipRepository(db);
  const review = createReviewRepository(db);
  const clocks = createClipClocks(deps);

  function clocked(clipIds: readonly ClipId[]): readonly ClockedClip[] {
    const details = clips.details([...new Set(clipIds)]).map(asReviewed);
    const resolved = clocks.resolve(details);
    return details.map((clip) => ({ clip, clock: resolved.get(clip.clipId)! })); // every asked clip is resolved
  }

  return {
    clips,
    review,
    clocks,
    trips: createTripRepository(db),
    cases: createCaseRepository(db),
    cards: createCardRepository(db),
    sources: createSourceRepository(db),
    settings: createClockRepository(db),
    /** The clips that are there, with their clocks. */
    clocked,
    /** Clips of these cameras (null: unknown camera) that run at some moment in [fromMs, toMs) by their clock in use. */
    between: (fromMs: number, toMs: number, psns: readonly (string | null)[]): readonly UtcClip[] =>
      clocked(review.clipsAround(fromMs, toMs, psns)).flatMap((one) => {
        const placed = toUtcClip(one);
        return placed && placed.startMs < toMs && placed.endMs >= fromMs ? [placed] : [];
      }),
  };
}
export type ReviewLibrary = ReturnType<typeof createReviewLibrary>;

/** Null where its clock is unknown. */
export function toUtcClip(one: ClockedClip): UtcClip | null {
  const startMs = one.clock.startUtcMs;
  if (startMs === null) return null;
  const { durationS } = one.clip;
  return {
    ...one,
    startMs,
    endMs: startMs + (durationS === null || durationS <= 0 ? assumedMs : durationS * 1000),
  };
}

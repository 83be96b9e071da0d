import type { CardClock } from '../../../shared/contract/cards.ts';
import type { ClipDetail } from '../../../shared/contract/clips.ts';
import type { SourceClock } from '../../../shared/contract/review.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { createCardRepository } from '../../cache/cardRepository.ts';
import { createClipRepository } from '../../cache/clipRepository.ts';
import { createClockRepository } from '../../cache/clockRepository.ts';
import type { WritableDb } from '../../cache/database.ts';
import { createReviewRepository, type KnownMetadata } from '../../cache/reviewRepository.ts';
import { bestCardClock } from '../cards/cardClock.ts';
import { toLocalText } from '../cards/clock.ts';
import { toMetadata } from '../cards/metadata.ts';
import { localMsOf, ownClock, type MetadataTimes } from './foundClock.ts';
import { asReviewed } from './names.ts';
import { resolveClocks, type ResolvedClock } from './resolveClocks.ts';
import { toClipClock } from './sourceClock.ts';

export interface ClipClocks {
  /** The clock in use of a clip, what was set by hand included. AppError not_found. */
  of(clipId: ClipId): SourceClock;
  /** The same for many; clips that are not there (any more) are left out. */
  ofMany(clipIds: readonly ClipId[]): ReadonlyMap<ClipId, SourceClock>;
  /** For clips that are read already: what each clock rests on. */
  resolve(clips: readonly ClipDetail[]): ReadonlyMap<ClipId, ResolvedClock>;
  /**
   * The clock of a camera's card for a range of its wall clock: from the service's metadata, and from the camera's
   * clips of those days that know their time. Null: nothing is known.
   */
  cardClock(psn: string, fromLocalMs: number, toLocalMs: number): CardClock | null;
  /** What is stored of the service's metadata of the clips' recordings; null: nothing. */
  metadataOf(clips: readonly ClipDetail[]): (clip: ClipDetail) => KnownMetadata | null;
}

/** How far along unbroken recordings a clock is looked for. */
const reachMs = 2 * 3_600_000;
const dayMs = 24 * 3_600_000;
/** Clips of the camera that tell its card's offset may be that far away: zones and daylight saving change. */
const cardReachMs = 3 * dayMs;
/** Windows of a wall clock that are this close are asked for at once. */
const windowGapMs = 30 * 60_000;

/** Clocks of clips from everything that the cache holds about them. Reads only. */
export function createClipClocks(deps: { readonly cache: { readonly db: WritableDb } }): ClipClocks {
  const { db } = deps.cache;
  const clips = createClipRepository(db);
  const settings = createClockRepository(db);
  const cards = createCardRepository(db);
  const review = createReviewRepository(db);

  /** Clips with those that their clocks may be shared with. */
  function withContext(asked: readonly ClipDetail[]): readonly ClipDetail[] {
    const known = new Set(asked.map((clip) => clip.clipId));
    const missing = new Set<ClipId>();
    for (const [psn, windows] of windowsOf(asked))
      for (const { fromMs, toMs } of windows) {
        const range = { fromLocal: toLocalText(fromMs), toLocal: toLocalText(toMs) };
        for (const clipId of review.clipsOfCamera(psn, range)) if (!known.has(clipId)) missing.add(clipId);
      }
    return missing.size === 0 ? asked : [...asked, ...clips.details([...missing]).map(asReviewed)];
  }

  /** Stored metadata of the clips' recordings, by camera and main name. */
  function knownMetadata(of: readonly ClipDetail[]): (clip: ClipDetail) => KnownMetadata | null {
    const namesOf = new Map<string, Set<string>>();
    for (const { psn, mainName } of of) {
      if (psn === null || mainName === null) continue;
      const names = namesOf.get(psn);
      if (names) names.add(mainName);
      else namesOf.set(psn, new Set([mainName]));
    }
    const byPsn = new Map([...namesOf].map(([psn, names]) => [psn, review.metadataOf(psn, [...names])]));
    return ({ psn, mainName }) =>
      psn === null || mainName === null ? null : (byPsn.get(psn)?.get(mainName) ?? null);
  }

  function timesOf(clip: ClipDetail, known: KnownMetadata | null): MetadataTimes | null {
    if (known?.firstGpsMs == null || clip.psn === null) return null;
    const stored = cards.metadata(known.accountId, clip.psn, known.filename);
    const gps = stored && toMetadata(clip.psn, stored).gps;
    const times = [...(gps?.tMs ?? [])].filter(Number.isFinite);
    if (times.length === 0) return null;
    const lastMs = times.reduce((a, b) => Math.max(a, b));
    return { firstMs: known.firstGpsMs, lastMs, samples: times.length };
  }

  function cardClock(psn: string, fromLocalMs: number, toLocalMs: number): CardClock | null {
    const range = {
      fromLocal: toLocalText(fromLocalMs - cardReachMs),
      toLocal: toLocalText(toLocalMs + cardReachMs),
    };
    return bestCardClock(cards, psn, review.offsetsOfCamera(psn, range));
  }

  function resolve(asked: readonly ClipDetail[]): ReadonlyMap<ClipId, ResolvedClock> {
    const context = withContext(asked);
    const metadataOf = knownMetadata(context);
    const set = settings.ofKind('clip');
    const cardClocks = new Map<string, CardClock | null>();
    return resolveClocks(context, {
      metadataOf: (clip) => timesOf(clip, metadataOf(clip)),
      cardOf(psn, localMs) {
        // One question for each camera and day.
        const day = Math.floor(localMs / dayMs);
        const key = `${psn}\n${day}`;
        const known = cardClocks.get(key);
        if (known !== undefined) return known;
        const clock = cardClock(psn, day * dayMs, (day + 1) * dayMs);
        cardClocks.set(key, clock);
        return clock;
      },
      settingOf: (clipId) => set.get(clipId) ?? null,
    });
  }

  function ofMany(clipIds: readonly ClipId[]): ReadonlyMap<ClipId, SourceClock> {
    const asked = clips.details(clipIds).map(asReviewed);
    const resolved = resolve(asked);
    const metadataOf = knownMetadata(asked);
    const names = review.cameraNames();
    return new Map(
      asked.map((clip) => {
        const cameraName = clip.psn === null ? null : (names.get(clip.psn) ?? null);
        const firstGpsMs = metadataOf(clip)?.firstGpsMs ?? null;
        return [clip.clipId, toClipClock(clip, resolved.get(clip.clipId)!, { cameraName, firstGpsMs })];
      }),
    );
  }

  return {
    of(clipId) {
      const clock = ofMany([clipId]).get(clipId);
      if (clock) return clock;
      throw new AppError('not_found', 'There is no such clip in the library (any more).', {
        remedy: 'Import or recall the clip again.',
        details: { clipId },
      });
    },
    ofMany,
    resolve,
    cardClock,
    metadataOf: knownMetadata,
  };
}

interface Window {
  readonly fromMs: number;
  toMs: number;
}

/** Stretches of each camera's wall clock in which clips may share their clock with the asked ones. */
function windowsOf(clips: readonly ClipDetail[]): ReadonlyMap<string | null, readonly Window[]> {
  const byPsn = new Map<string | null, Window[]>();
  for (const clip of clips) {
    const localMs = localMsOf(clip);
    if (localMs === null) continue;
    // The other lens may have begun a second earlier or later.
    const aroundMs = ownClock(clip) ? 1000 : reachMs;
    const window = { fromMs: localMs - aroundMs, toMs: localMs + aroundMs };
    const windows = byPsn.get(clip.psn);
    if (windows) windows.push(window);
    else byPsn.set(clip.psn, [window]);
  }
  return new Map([...byPsn].map(([psn, windows]) => [psn, merged(windows)]));
}

function merged(windows: readonly Window[]): Window[] {
  const joined: Window[] = [];
  for (const window of [...windows].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1);
    if (last && window.fromMs <= last.toMs + windowGapMs) last.toMs = Math.max(last.toMs, window.toMs);
    else joined.push({ ...window });
  }
  return joined;
}

import type { CardClock } from '../../../shared/contract/cards.ts';
import type { AccountId } from '../../../shared/ids.ts';
import type { CardRepository } from '../../cache/cardRepository.ts';
import { deriveClock, type OffsetSample } from './clock.ts';
import { localOf } from './rows.ts';

/** The clock of a card as far as an account's stored metadata tells, or as it was set by hand. */
export function clockOfCard(
  cards: CardRepository,
  accountId: AccountId,
  psn: string,
  clips: readonly OffsetSample[] = [],
): CardClock {
  // A recording that is here too says the same twice.
  const samples = new Map(clips.map((clip) => [clip.localMs, clip]));
  let withoutGps = 0;
  for (const { filename, firstGpsMs } of cards.clockSamples(accountId, psn)) {
    const localMs = localOf(cards.recording(accountId, psn, filename) ?? { filename });
    if (firstGpsMs === null || localMs === null) withoutGps++;
    else if (!samples.has(localMs)) samples.set(localMs, { localMs, firstGpsMs });
  }
  return deriveClock(psn, [...samples.values()], withoutGps, cards.card(accountId, psn).manual);
}

/**
 * The clock of a camera's card, whichever account it was seen with: one set by hand, else the one that rests on the
 * most recordings, clips of the camera that are here (their wall clock and GPS) included. Null: nothing is known.
 */
export function bestCardClock(
  cards: CardRepository,
  psn: string,
  clips: readonly OffsetSample[] = [],
): CardClock | null {
  const accounts = cards.accountsOf(psn);
  const clocks =
    accounts.length === 0
      ? [deriveClock(psn, [...new Map(clips.map((clip) => [clip.localMs, clip])).values()], 0, null)]
      : accounts.map((accountId) => clockOfCard(cards, accountId, psn, clips));
  const worth = (clock: CardClock): number => (clock.manual === null ? clock.clips.used : Infinity);
  return clocks.filter(({ segments }) => segments.length > 0).sort((a, b) => worth(b) - worth(a))[0] ?? null;
}

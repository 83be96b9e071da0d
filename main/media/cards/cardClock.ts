import type { CardClock } from '../../../shared/contract/cards.ts';
import type { AccountId } from '../../../shared/ids.ts';
import type { CardRepository } from '../../cache/cardRepository.ts';
import { deriveClock, type OffsetSample } from './clock.ts';
import { localOf } from './rows.ts';

/** The clock of a card as far as an account's stored metadata tells, or as it was set by hand. */
export function clockOfCard(cards: CardRepository, accountId: AccountId, psn: string): CardClock {
  const samples: OffsetSample[] = [];
  let withoutGps = 0;
  for (const { filename, firstGpsMs } of cards.clockSamples(accountId, psn)) {
    const localMs = localOf(cards.recording(accountId, psn, filename) ?? { filename });
    if (firstGpsMs === null || localMs === null) withoutGps++;
    else samples.push({ localMs, firstGpsMs });
  }
  return deriveClock(psn, samples, withoutGps, cards.card(accountId, psn).manual);
}

/**
 * The clock of a camera's card, whichever account it was seen with: one set by hand, else the one that rests on the
 * most clips. Null: nothing is known of it.
 */
export function bestCardClock(cards: CardRepository, psn: string): CardClock | null {
  const known = cards
    .accountsOf(psn)
    .map((accountId) => clockOfCard(cards, accountId, psn))
    .filter(({ segments }) => segments.length > 0);
  const worth = (clock: CardClock): number => (clock.manual === null ? clock.clips.used : Infinity);
  return known.sort((a, b) => worth(b) - worth(a))[0] ?? null;
}

import type { SdRecording } from '../../../shared/cloudResources.ts';
import type { CardClock, MomentMatch } from '../../../shared/contract/cards.ts';
import { localOf, rowIdOf, toRows, type HeldClips } from './rows.ts';

/** A recording is a minute at most; the next one of the same lens ends it earlier. */
const longestClipMs = 60_000;

const laneOf = (recording: SdRecording): string =>
  `${recording.typeCode ?? recording.type ?? ''}/${recording.directionCode ?? recording.direction ?? ''}`;

/** Where each recording ends, as far as its successors tell. */
export function endsOf(recordings: readonly SdRecording[]): ReadonlyMap<string, number> {
  const lanes = new Map<string, { filename: string; localMs: number }[]>();
  for (const recording of recordings) {
    const localMs = localOf(recording);
    if (localMs === null) continue;
    const lane = lanes.get(laneOf(recording)) ?? [];
    lanes.set(laneOf(recording), lane);
    lane.push({ filename: recording.filename, localMs });
  }
  const ends = new Map<string, number>();
  for (const lane of lanes.values()) {
    lane.sort((a, b) => a.localMs - b.localMs);
    lane.forEach(({ filename, localMs }, i) => {
      const next = lane[i + 1];
      ends.set(
        filename,
        Math.min(localMs + longestClipMs, next && next.localMs > localMs ? next.localMs : Infinity),
      );
    });
  }
  return ends;
}

/**
 * The rows of a card that show a moment, best first: those that cover it, then those that only might, given how well
 * the card's clock is known. Without a clock there are none: a guessed zone would show the wrong hour.
 */
export function findMoment(
  recordings: readonly SdRecording[],
  query: { readonly clock: CardClock; readonly held: HeldClips; readonly utcMs: number },
): readonly MomentMatch[] {
  const { clock, held, utcMs } = query;
  if (clock.segments.length === 0) return [];
  const ends = endsOf(recordings);
  const lengthOfRow = new Map<string, number>();
  for (const recording of recordings) {
    const localMs = localOf(recording);
    const endMs = ends.get(recording.filename);
    if (localMs === null || endMs === undefined) continue;
    const rowId = rowIdOf(recording);
    lengthOfRow.set(rowId, Math.max(lengthOfRow.get(rowId) ?? 0, endMs - localMs));
  }
  return toRows(recordings, { clock, held, oldestLocalMs: null })
    .flatMap((row) => {
      const { startUtcMs } = row;
      if (startUtcMs === null) return [];
      const endUtcMs = startUtcMs + (lengthOfRow.get(row.rowId) ?? longestClipMs);
      const slackMs = row.uncertaintyMs ?? 0;
      if (utcMs < startUtcMs - slackMs || utcMs >= endUtcMs + slackMs) return [];
      const isIn = utcMs >= startUtcMs && utcMs < endUtcMs;
      const match: MomentMatch = { row, fit: isIn ? 'covers' : 'near' };
      // An event's clip before the continuous one of the same moment.
      return [{ match, order: [isIn ? 0 : 1, row.type === 'normal' || row.type === 'parking' ? 1 : 0] }];
    })
    .sort((a, b) => a.order[0]! - b.order[0]! || a.order[1]! - b.order[1]!)
    .map(({ match }) => match);
}

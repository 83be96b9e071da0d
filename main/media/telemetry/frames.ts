import type { ClipFrames } from '../../../shared/contract/clips.ts';
import type { Movie } from './movie.ts';

/** More than 18 hours at 30 frames a second. */
export const mostFrames = 2_000_000;

/**
 * The frames of the first video track as they are shown: by their composition times, moved by the edit list;
 * frames in front of the edit are decoded but never shown. Null without video, and where neither the index nor the
 * fragments name a frame.
 */
export function framesOf(
  movie: Pick<Movie, 'tracks' | 'timescale'> & Partial<Pick<Movie, 'fragments'>>,
): ClipFrames | null {
  const track = movie.tracks.find(({ handler }) => handler === 'vide');
  if (!track || track.timescale === 0) return null;
  const { fragments } = movie;
  if (!fragments && track.table.samples === 0) return null;
  const shown = fragments?.shownTicks ?? track.table.shownTicks(mostFrames);
  const marks = fragments?.keyMarks ?? track.table.keyMarks(shown.length);
  const { emptyTicks, mediaTicks } = track.edit;
  const emptyS = movie.timescale > 0 ? emptyTicks / movie.timescale : 0;
  const order: number[] = [];
  for (let i = 0; i < shown.length; i++) if (shown[i]! >= mediaTicks) order.push(i);
  if (order.some((sample, i) => i > 0 && shown[order[i - 1]!]! > shown[sample]!))
    order.sort((a, b) => shown[a]! - shown[b]!);
  return {
    timesS: Float64Array.from(order, (sample) => emptyS + (shown[sample]! - mediaTicks) / track.timescale),
    isKeyFrame: Uint8Array.from(order, (sample) => marks[sample]!),
  };
}

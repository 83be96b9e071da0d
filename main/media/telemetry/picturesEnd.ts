import { mostFrames } from './frames.ts';
import type { Movie } from './movie.ts';

/**
 * Until when a file that was cut short holds pictures, seconds from the start of the clip: the first frame of which
 * bytes are missing, by its time of decoding, so rather a frame too early than too late. Null where no frame is
 * missing, and where the index does not tell.
 */
export function picturesEndOf(
  movie: Pick<Movie, 'tracks' | 'timescale' | 'fragments'>,
  sizeBytes: number,
): number | null {
  const track = movie.tracks.find(({ handler }) => handler === 'vide');
  if (!track || track.timescale === 0 || movie.fragments) return null;
  let firstTick = Infinity;
  for (const run of track.table.runs(mostFrames)) {
    let end = run.offset;
    for (const [i, size] of run.sizesBytes.entries()) {
      end += size;
      if (end > sizeBytes) firstTick = Math.min(firstTick, run.startTicks[i]!);
    }
  }
  if (firstTick === Infinity) return null;
  const { emptyTicks, mediaTicks } = track.edit;
  const emptyS = movie.timescale > 0 ? emptyTicks / movie.timescale : 0;
  return Math.max(0, emptyS + (firstTick - mediaTicks) / track.timescale);
}

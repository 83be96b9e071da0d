import type { ReviewSegment } from '../../../../shared/contract/review.ts';
import { formatElapsed } from '../marks/momentText.ts';

/** Name of a quality as recalls call it. */
export function qualityWord(quality: ReviewSegment['quality']): string {
  if (quality === 'main') return 'full';
  if (quality === 'sub') return 'low';
  return quality === 'live' ? 'live' : 'unknown';
}

/** "0:12.3" of seconds on a clip. */
export const shortTime = (clipS: number): string => formatElapsed(clipS * 1000).slice(0, -2);

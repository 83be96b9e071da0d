/** What keeps a playing video in step with the clock. */
export type Steering =
  | { readonly kind: 'keep' }
  /** Run a little faster or slower. */
  | { readonly kind: 'rate'; readonly playbackRate: number }
  /** Too far off to catch up. */
  | { readonly kind: 'seek' };

/** Chromium refuses rates outside of these. */
const slowestPlayback = 0.0625;
const fastestPlayback = 16;
/** Errors below this much of the window's time are not worth a change: a tenth of a frame at 60 Hz. */
const quietS = 0.0015;
/** An error is to be gone after this much of the window's time. */
const catchUpS = 0.35;
/** At most this share faster or slower: what nobody sees. */
const mostChange = 0.2;

export function toPlaybackRate(rate: number): number {
  return Math.min(fastestPlayback, Math.max(slowestPlayback, rate));
}

/**
 * `aheadS`: how far the video is ahead of the clock, seconds on the clip; `rate`: what it should run at, clip seconds per
 * second; `playbackRate`: what it runs at. Pure.
 */
export function steer(aheadS: number, rate: number, playbackRate: number): Steering {
  if (Math.abs(aheadS) > Math.max(0.15, 0.3 * rate)) return { kind: 'seek' };
  const share =
    Math.abs(aheadS) < quietS * rate
      ? 0
      : Math.min(mostChange, Math.max(-mostChange, -aheadS / (rate * catchUpS)));
  const wanted = toPlaybackRate(rate * (1 + share));
  // Each change goes through the whole media pipeline: small ones wait until they add up.
  const isWorthIt = Math.abs(wanted - playbackRate) > 0.01 * rate || (share === 0 && wanted !== playbackRate);
  return isWorthIt ? { kind: 'rate', playbackRate: wanted } : { kind: 'keep' };
}

const windowMs = 400;

/**
 * Makes a changing measure readable: at most every 0.4 s a text, of the largest value since the last; null: leave what
 * stands. Pure but for what it remembers.
 */
export function shownStep(): (stepMs: number | null, nowMs: number) => string | null {
  let largest = 0;
  let writtenAtMs = -Infinity;
  return (stepMs, nowMs) => {
    if (stepMs === null) {
      largest = 0;
      return '';
    }
    largest = Math.max(largest, stepMs);
    if (nowMs - writtenAtMs < windowMs) return null;
    const text = largest < 1000 ? `${Math.round(largest)} ms` : `${(largest / 1000).toFixed(1)} s`;
    largest = stepMs;
    writtenAtMs = nowMs;
    return text;
  };
}

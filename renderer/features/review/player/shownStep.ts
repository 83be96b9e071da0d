/** A text stands for this long at least, so that it can be read. */
export const stepStandsMs = 250;

export function stepText(stepMs: number | null): string {
  if (stepMs === null) return '';
  return stepMs < 1000 ? `${Math.round(stepMs)} ms` : `${(stepMs / 1000).toFixed(1)} s`;
}

/** Makes a changing measure readable: the largest value of each short while, then the last one. */
export interface StepMeter {
  /** Takes a value and says what to write now; null: leave what stands, and ask again when `stepStandsMs` are over. */
  take(stepMs: number | null, nowMs: number): string | null;
}

export function createStepMeter(): StepMeter {
  let largest: number | null = null;
  let writtenAtMs = -Infinity;
  return {
    take(stepMs, nowMs) {
      if (stepMs !== null) largest = Math.max(largest ?? 0, stepMs);
      if (stepMs !== null && nowMs - writtenAtMs < stepStandsMs) return null;
      const text = stepText(stepMs === null ? null : largest);
      largest = null;
      writtenAtMs = nowMs;
      return text;
    },
  };
}

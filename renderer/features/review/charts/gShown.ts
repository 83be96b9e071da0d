import { magnitudeOf, type Axes } from '../../../../shared/harshMoments.ts';
import type { SceneTelemetry } from '../model.ts';
import { dynamicG } from './peakG.ts';

type GSensor = NonNullable<SceneTelemetry['gSensor']>;

/** How G is drawn. It changes the picture only: lists and files keep the samples as recorded. */
export interface GLook {
  readonly isGravityRemoved: boolean;
  /** Width of the running mean, ms; 0 draws the samples as they are. */
  readonly smoothingMs: number;
}
export interface ShownG {
  readonly axesG: Axes;
  readonly magnitudeG: Float64Array;
  readonly gapMs: number;
}

const shown = new WeakMap<GSensor, { look: GLook; value: ShownG }>();

/** The samples as they are to be drawn; kept until samples or look change. */
export function shownG(gSensor: GSensor, look: GLook): ShownG {
  const known = shown.get(gSensor);
  if (
    known &&
    known.look.isGravityRemoved === look.isGravityRemoved &&
    known.look.smoothingMs === look.smoothingMs
  )
    return known.value;
  const gapMs = sensorGapMs(gSensor.timesMs);
  const raw = look.isGravityRemoved ? dynamicG(gSensor) : gSensor.axesG;
  const axesG =
    look.smoothingMs > 0
      ? (raw.map((axis) => runningMean(gSensor.timesMs, axis, look.smoothingMs, gapMs)) as unknown as Axes) // three of three
      : raw;
  const value = { axesG, magnitudeG: magnitudeOf(axesG), gapMs };
  shown.set(gSensor, { look, value });
  return value;
}

/** The step over which G samples have a gap: five usual steps, a second at least. */
export function sensorGapMs(timesMs: Float64Array): number {
  // A few hundred steps from all over say what is usual.
  const steps: number[] = [];
  const stride = Math.max(1, Math.floor(timesMs.length / 512));
  for (let i = 1; i < timesMs.length; i += stride) steps.push(timesMs[i]! - timesMs[i - 1]!);
  steps.sort((a, b) => a - b);
  return Math.max(1000, 5 * (steps[steps.length >> 1] ?? 0));
}

/**
 * The mean of the samples within half of `widthMs` to either side. Absent samples count for nothing and stay absent;
 * nothing is averaged across a gap. Pure.
 */
export function runningMean(
  timesMs: Float64Array,
  values: Float64Array,
  widthMs: number,
  gapMs: number,
): Float64Array {
  const out = new Float64Array(values.length).fill(NaN);
  const half = widthMs / 2;
  for (let start = 0; start < values.length;) {
    let end = start + 1;
    while (end < values.length && timesMs[end]! - timesMs[end - 1]! <= gapMs) end++;
    let from = start;
    let to = start;
    let sum = 0;
    let count = 0;
    for (let i = start; i < end; i++) {
      for (; to < end && timesMs[to]! <= timesMs[i]! + half; to++) {
        if (Number.isNaN(values[to]!)) continue;
        sum += values[to]!;
        count++;
      }
      for (; timesMs[from]! < timesMs[i]! - half; from++) {
        if (Number.isNaN(values[from]!)) continue;
        sum -= values[from]!;
        count--;
      }
      if (!Number.isNaN(values[i]!)) out[i] = sum / count;
    }
    start = end;
  }
  return out;
}

/**
 * Harsh moments in a G-sensor's samples. Pure.
 *
 * Method, as it is told to the user (`harshMethod`): gravity, and with it how the camera is mounted, is taken out per
 * axis as the median of stretches of about a minute without a break; between the middles of neighbouring stretches it
 * is interpolated, so that no step arises where two stretches meet. A median ignores the peaks that are looked for; a
 * bend or a slope that lasts for half a stretch is taken for gravity. A moment is a run of samples whose strength is at
 * or over the threshold, at most the refractory time apart from each other; its value is that of its strongest sample.
 */
export const harshMethod =
  'Gravity is taken out per axis as the median of stretches of about a minute; a moment is a run of raw samples at or over the threshold, less than the pause apart, with the value of its strongest sample.';

/** Samples in order of time; NaN is absent. Units of g, camera frame, gravity included. */
export interface GSamples {
  readonly timesMs: Float64Array;
  readonly axisNames: readonly [string, string, string];
  readonly axesG: Axes;
}
export type Axes = readonly [Float64Array, Float64Array, Float64Array];

/** What is held against the threshold. All but `magnitude` need axes that are named after the vehicle. */
export type HarshMeasure = 'magnitude' | 'braking' | 'acceleration' | 'cornering' | 'vertical';

/** What the strongest axis of a moment says; `axis` where the format leaves open how the camera was turned. */
export type HarshKind = 'braking' | 'acceleration' | 'left turn' | 'right turn' | 'vertical' | 'axis';

export interface HarshOptions {
  readonly measure: HarshMeasure;
  /** At or over this; above 0. */
  readonly thresholdG: number;
  /** Samples over the threshold that are no further apart belong to one moment. */
  readonly refractoryMs: number;
}

export interface HarshMoment {
  /** Time of the strongest sample. */
  readonly timeMs: number;
  /** What was measured there, in g, never negative: |a| or the axis's part, without gravity. */
  readonly valueG: number;
  /** |a| without gravity there. */
  readonly magnitudeG: number;
  readonly kind: HarshKind;
  /** The strongest axis there, or the measured one, with its signed value without gravity. */
  readonly axisName: string;
  readonly axisG: number;
  /** First and last sample over the threshold. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** A step longer than this is a break: nothing is known of what was between. */
const breakMs = 5000;
const stretchMs = 60_000;

/** The three axes without gravity (see the method above); NaN stays NaN. */
export function withoutGravity({ timesMs, axesG }: Pick<GSamples, 'timesMs' | 'axesG'>): Axes {
  const out: Axes = [
    new Float64Array(timesMs.length),
    new Float64Array(timesMs.length),
    new Float64Array(timesMs.length),
  ];
  const scratch = new Float64Array(timesMs.length);
  for (let from = 0; from < timesMs.length;) {
    let to = from + 1;
    while (to < timesMs.length && timesMs[to]! - timesMs[to - 1]! <= breakMs) to++;
    for (let axis = 0; axis < 3; axis++) levelRun(timesMs, axesG[axis]!, out[axis]!, from, to, scratch);
    from = to;
  }
  return out;
}

/** |a| of three axes; NaN where one is absent. */
export function magnitudeOf([a, b, c]: Axes): Float64Array {
  const out = new Float64Array(a.length);
  for (let i = 0; i < out.length; i++) out[i] = Math.sqrt(a[i]! * a[i]! + b[i]! * b[i]! + c[i]! * c[i]!);
  return out;
}

/** Whether the axes say where forward and sideways are, so that braking can be told from a turn. */
export function areAxesNamed(axisNames: readonly string[]): boolean {
  return ['vertical', 'lateral', 'longitudinal'].every((name) => axisNames.includes(name));
}

/**
 * The harsh moments in order of time. `dynamicG` is `withoutGravity(samples)`. Empty for a measure that the axes can't
 * give (`areAxesNamed`).
 */
export function findHarshMoments(samples: GSamples, dynamicG: Axes, options: HarshOptions): HarshMoment[] {
  const strength = strengthOf(samples, dynamicG, options.measure);
  const { timesMs } = samples;
  const moments: HarshMoment[] = [];
  let peak = -1;
  let first = -1;
  let last = -1;
  const close = (): void => {
    if (peak >= 0)
      moments.push({
        ...describe(samples, dynamicG, peak, options.measure),
        valueG: strength(peak),
        fromMs: timesMs[first]!,
        toMs: timesMs[last]!,
      });
    peak = -1;
  };
  for (let i = 0; i < timesMs.length; i++) {
    const value = strength(i);
    if (!(value >= options.thresholdG)) continue;
    if (peak >= 0 && timesMs[i]! - timesMs[last]! > options.refractoryMs) close();
    if (peak < 0) first = peak = i;
    else if (value > strength(peak)) peak = i;
    last = i;
  }
  close();
  return moments;
}

/** The strongest sample of all by |a| without gravity; null without samples. */
export function strongestMoment(samples: GSamples, dynamicG: Axes): HarshMoment | null {
  const strength = strengthOf(samples, dynamicG, 'magnitude');
  let peak = -1;
  for (let i = 0; i < samples.timesMs.length; i++)
    if (peak < 0 ? strength(i) >= 0 : strength(i) > strength(peak)) peak = i;
  if (peak < 0) return null;
  const timeMs = samples.timesMs[peak]!;
  return {
    ...describe(samples, dynamicG, peak, 'magnitude'),
    valueG: strength(peak),
    fromMs: timeMs,
    toMs: timeMs,
  };
}

/** Takes gravity out of one run without a break, [from, to). */
function levelRun(
  timesMs: Float64Array,
  values: Float64Array,
  out: Float64Array,
  from: number,
  to: number,
  scratch: Float64Array,
): void {
  const startMs = timesMs[from]!;
  const lengthMs = timesMs[to - 1]! - startMs;
  const stretches = Math.max(1, Math.round(lengthMs / stretchMs));
  const eachMs = lengthMs / stretches;
  const levels: number[] = [];
  let at = from;
  for (let s = 0; s < stretches; s++) {
    const endMs = s === stretches - 1 ? Infinity : startMs + (s + 1) * eachMs;
    let count = 0;
    for (; at < to && timesMs[at]! < endMs; at++)
      if (!Number.isNaN(values[at]!)) scratch[count++] = values[at]!;
    levels.push(count === 0 ? NaN : medianOf(scratch, count));
  }
  const known = levels.find((level) => !Number.isNaN(level));
  if (known === undefined) {
    out.fill(NaN, from, to);
    return;
  }
  // A stretch without any sample of this axis goes by the one before it.
  for (let s = 0, level = known; s < stretches; s++)
    level = levels[s] = Number.isNaN(levels[s]!) ? level : levels[s]!;
  for (let i = from; i < to; i++) {
    // In stretches, counted from the middle of the first.
    const place = eachMs > 0 ? (timesMs[i]! - startMs) / eachMs - 0.5 : 0;
    const left = Math.min(stretches - 1, Math.max(0, Math.floor(place)));
    const right = Math.min(stretches - 1, left + 1);
    const share = Math.min(1, Math.max(0, place - left));
    out[i] = values[i]! - (levels[left]! + (levels[right]! - levels[left]!) * share);
  }
}

/** Median of the first `count` values, which it reorders: selection, since a day has 4,000 medians to take. */
function medianOf(values: Float64Array, count: number): number {
  const middle = count >> 1;
  const high = select(values, count, middle);
  if (count % 2 === 1) return high;
  let low = -Infinity;
  for (let i = 0; i < middle; i++) low = Math.max(low, values[i]!);
  return (low + high) / 2;
}

/** The value that would stand at `rank` if sorted; nothing greater is left before it. */
function select(values: Float64Array, count: number, rank: number): number {
  let from = 0;
  let to = count - 1;
  while (from < to) {
    const pivot = values[(from + to) >> 1]!;
    let left = from;
    let right = to;
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left > right) break;
      const swapped = values[left]!;
      values[left++] = values[right]!;
      values[right--] = swapped;
    }
    if (rank <= right) to = right;
    else if (rank >= left) from = left;
    else break;
  }
  return values[rank]!;
}

function strengthOf(samples: GSamples, dynamicG: Axes, measure: HarshMeasure): (i: number) => number {
  const [a, b, c] = dynamicG;
  if (measure === 'magnitude') return (i) => Math.sqrt(a[i]! * a[i]! + b[i]! * b[i]! + c[i]! * c[i]!);
  if (!areAxesNamed(samples.axisNames)) return () => NaN;
  const axis = dynamicG[samples.axisNames.indexOf(axisOfMeasure[measure])]!;
  if (measure === 'braking') return (i) => -axis[i]!;
  if (measure === 'acceleration') return (i) => axis[i]!;
  return (i) => Math.abs(axis[i]!);
}

const axisOfMeasure = {
  braking: 'longitudinal',
  acceleration: 'longitudinal',
  cornering: 'lateral',
  vertical: 'vertical',
} as const;

function describe(
  { timesMs, axisNames }: GSamples,
  dynamicG: Axes,
  at: number,
  measure: HarshMeasure,
): Pick<HarshMoment, 'timeMs' | 'magnitudeG' | 'kind' | 'axisName' | 'axisG'> {
  const parts = dynamicG.map((axis) => axis[at]!);
  const strongest = parts.reduce(
    (best, part, axis) => (Math.abs(part) > Math.abs(parts[best]!) ? axis : best),
    0,
  );
  const axis = measure === 'magnitude' ? strongest : axisNames.indexOf(axisOfMeasure[measure]);
  const axisG = parts[axis]!;
  return {
    timeMs: timesMs[at]!,
    magnitudeG: Math.sqrt(parts.reduce((sum, part) => sum + part * part, 0)),
    kind: areAxesNamed(axisNames) ? kindOf(axisNames[axis]!, axisG) : 'axis',
    axisName: axisNames[axis]!,
    axisG,
  };
}

/** Signs of formats.md section 2: + longitudinal is speeding up, + lateral a right turn. */
function kindOf(axisName: string, axisG: number): HarshKind {
  if (axisName === 'longitudinal') return axisG < 0 ? 'braking' : 'acceleration';
  if (axisName === 'lateral') return axisG < 0 ? 'left turn' : 'right turn';
  return 'vertical';
}

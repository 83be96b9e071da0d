/** A recording of one camera on the scene's time, by its own clock. */
export interface OwnStart {
  readonly startMs: number;
  readonly durationMs: number;
  /** Its clock shows milliseconds, not whole seconds. */
  readonly isPrecise: boolean;
  /** Set by hand: it is placed exactly there. */
  readonly isFixed: boolean;
}

/** A recording that begins that close to the end of the one before goes on without a break, by clocks of seconds. */
export const joinToleranceMs = 1500;
/** The same for two clocks that show milliseconds. */
export const preciseToleranceMs = 300;
/** No recording is placed further than this from its own clock. */
export const maxDepartureMs = 1000;

/** Ends that meet within this are one: three frames. */
export const seamMs = 100;

/** Clocks that agree with files laid end to end this well are of whole seconds, nothing more. */
const agreesMs = 500;
/** From so many recordings on, a steady difference from file to file is one of the camera, not chance. */
const fewestForSlope = 8;
/** Files may be that much longer or shorter than the steps of the clock. */
const steepest = 0.02;

/**
 * Where recordings of one camera, in order of time, begin on the scene's time. Recordings that follow each other
 * without a break are laid end to end, as far as their own clocks agree; where the clocks show a steady difference
 * from file to file (frames lost between two files, a clock that runs wrong), they follow the clocks evenly. In no
 * case does an error add up: each is within `maxDepartureMs` of its own clock, or on it. Order is kept.
 */
export function joinStarts(recordings: readonly OwnStart[]): readonly number[] {
  const starts = recordings.map((one) => one.startMs);
  const open: [number, number][] = chainsOf(recordings);
  for (let chain = open.pop(); chain; chain = open.pop()) {
    const [from, to] = chain;
    const placed = fit(recordings, from, to);
    if (placed) for (let i = from; i < to; i++) starts[i] = placed[i - from]!;
    else {
      const middle = widestStep(recordings, from, to);
      open.push([from, middle], [middle, to]);
    }
  }
  // Two stretches that were laid towards each other would swap places: there, every clock stands for itself.
  for (let i = 1; i < starts.length; i++)
    if (starts[i]! <= starts[i - 1]!) return recordings.map((one) => one.startMs);
  return starts;
}

/** How far a recording's clock lies from the end of the one before it, ms. */
const stepOf = (before: OwnStart, next: OwnStart): number =>
  next.startMs - before.startMs - before.durationMs;

/** Stretches [from, to) without a break. */
function chainsOf(recordings: readonly OwnStart[]): [number, number][] {
  const chains: [number, number][] = [];
  let from = 0;
  for (let i = 1; i <= recordings.length; i++) {
    const before = recordings[i - 1]!;
    const next = recordings[i];
    if (next && goesOn(before, next)) continue;
    chains.push([from, i]);
    from = i;
  }
  return chains;
}

function goesOn(before: OwnStart, next: OwnStart): boolean {
  if (before.isFixed || next.isFixed) return false;
  const toleranceMs = before.isPrecise && next.isPrecise ? preciseToleranceMs : joinToleranceMs;
  return Math.abs(stepOf(before, next)) <= toleranceMs;
}

/** Starts of a stretch laid end to end, or evenly along its clocks; null where neither is near enough to them. */
function fit(recordings: readonly OwnStart[], from: number, to: number): readonly number[] | null {
  const own: number[] = [];
  const laid: number[] = [];
  let lengthMs = 0;
  for (let i = from; i < to; i++) {
    own.push(recordings[i]!.startMs);
    laid.push(lengthMs);
    lengthMs += recordings[i]!.durationMs;
  }
  if (own.length === 1) return own;
  const differences = own.map((ms, i) => ms - laid[i]!);
  const least = differences.reduce((a, b) => Math.min(a, b));
  const most = differences.reduce((a, b) => Math.max(a, b));
  const departureMs = (most - least) / 2;
  const endToEnd = laid.map((ms) => ms + (most + least) / 2);
  if (departureMs <= agreesMs) return endToEnd;
  const even = own.length < fewestForSlope ? null : evenly(own, laid);
  if (even && even.departureMs <= maxDepartureMs && even.departureMs < 0.6 * departureMs) return even.starts;
  return departureMs <= maxDepartureMs ? endToEnd : null;
}

/** A straight line through the clocks over the laid lengths, by least squares. */
function evenly(
  own: readonly number[],
  laid: readonly number[],
): { starts: readonly number[]; departureMs: number } | null {
  const count = own.length;
  const meanOwn = own.reduce((sum, ms) => sum + (ms - own[0]!), 0) / count + own[0]!;
  const meanLaid = laid.reduce((sum, ms) => sum + ms, 0) / count;
  let square = 0;
  let product = 0;
  for (let i = 0; i < count; i++) {
    square += (laid[i]! - meanLaid) ** 2;
    product += (laid[i]! - meanLaid) * (own[i]! - meanOwn);
  }
  const slope = square === 0 ? 1 : product / square;
  if (Math.abs(slope - 1) > steepest) return null;
  const starts = laid.map((ms) => meanOwn + slope * (ms - meanLaid));
  const departureMs = starts.reduce((worst, ms, i) => Math.max(worst, Math.abs(ms - own[i]!)), 0);
  return { starts, departureMs };
}

/** Where to part a stretch: at its widest step, the one nearest its middle where several are as wide. */
function widestStep(recordings: readonly OwnStart[], from: number, to: number): number {
  const middle = (from + to) / 2;
  let best = from + 1;
  let widestMs = -1;
  for (let i = from + 1; i < to; i++) {
    const stepMs = Math.abs(stepOf(recordings[i - 1]!, recordings[i]!));
    const isCloser = Math.abs(stepMs - widestMs) < 1 && Math.abs(i - middle) < Math.abs(best - middle);
    if (stepMs < widestMs + 1 && !isCloser) continue;
    best = i;
    widestMs = Math.max(widestMs, stepMs);
  }
  return best;
}

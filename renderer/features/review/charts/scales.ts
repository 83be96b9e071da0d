/** A vertical scale: its ends and where its numbers stand. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly splits: readonly number[];
}

const speedTops = [20, 40, 60, 80, 100, 120, 160, 200, 240, 300, 400];
const speedSteps = [10, 20, 20, 20, 50, 40, 40, 50, 80, 100, 100];

/** From standing to a round speed above the highest in sight. Few sizes, so that it seldom changes while one moves. */
export function speedScale(_low: number, high: number): Scale {
  const wanted = Number.isNaN(high) ? 40 : high * 1.04;
  const found = speedTops.findIndex((top) => top >= wanted);
  const at = found < 0 ? speedTops.length - 1 : found;
  if (found < 0) return steppedScale(0, wanted, [200, 500, 1000, 2000], 400);
  return { min: 0, max: speedTops[at]!, splits: multiplesWithin(0, speedTops[at]!, speedSteps[at]!) };
}

/** The whole circle. */
export function headingScale(): Scale {
  return { min: 0, max: 360, splits: [0, 90, 180, 270, 360] };
}

const gSteps = [0.1, 0.2, 0.5, 1, 2, 4, 8, 16];
/** Round steps of g around what is in sight, zero always in it. */
export function gScale(low: number, high: number): Scale {
  return steppedScale(Math.min(0, low), Math.max(0, high), gSteps, 0.4);
}

const altitudeSteps = [5, 10, 20, 50, 100, 200, 500, 1000, 2000];
export function altitudeScale(low: number, high: number): Scale {
  return steppedScale(low, high, altitudeSteps, 20);
}

/** At most six steps; at least `leastSpan` high, so that noise does not look like a ride. */
function steppedScale(low: number, high: number, steps: readonly number[], leastSpan: number): Scale {
  if (Number.isNaN(low) || Number.isNaN(high)) return { min: 0, max: leastSpan, splits: [0, leastSpan] };
  const lack = Math.max(0, leastSpan - (high - low)) / 2;
  const [from, to] = [low - lack, high + lack];
  const step = steps.find((one) => (to - from) / one <= 4.2) ?? steps[steps.length - 1]!;
  const min = Math.floor(from / step) * step;
  const max = Math.ceil(to / step) * step;
  return { min, max, splits: multiplesWithin(min, max, step) };
}

function multiplesWithin(min: number, max: number, step: number): number[] {
  const splits: number[] = [];
  for (let n = Math.ceil(min / step - 1e-9); n * step <= max + 1e-9; n++) splits.push(n * step);
  return splits;
}

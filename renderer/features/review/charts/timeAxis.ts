import { tickLabels, timeTicks } from '../../timeline/clock.ts';
import { formatElapsed, formatMomentTime, type MomentZone } from '../marks/momentText.ts';
import type { SceneSpan } from '../model.ts';

export interface AxisTick {
  readonly ms: number;
  /** Time, and on a second line the date where it changes. */
  readonly label: string;
}

const fineStepsMs = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const elapsedStepsMs = [
  ...fineStepsMs,
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400].map(
    (s) => s * 1000,
  ),
];

/** Ticks of a scene's axis, at most `most`: round times of the zone's clock, or round times from the start. Pure. */
export function axisTicks(view: SceneSpan, most: number, zone: MomentZone): AxisTick[] {
  const spanMs = view.toMs - view.fromMs;
  if (!(spanMs > 0) || most < 1) return [];
  if (zone.kind === 'elapsed') {
    const step =
      elapsedStepsMs.find((ms) => spanMs / ms <= most) ?? Math.ceil(spanMs / most / 86_400_000) * 86_400_000;
    return multiples(view, step).map((ms) => ({
      ms,
      label: step < 1000 ? formatElapsed(ms) : formatElapsed(ms).replace(/\.\d+$/, ''),
    }));
  }
  const fine = fineStepsMs.find((ms) => spanMs / ms <= most);
  if (fine !== undefined) {
    // Zones differ by whole quarters of an hour: below a second all clocks have the same round times.
    const digits = fine >= 100 ? 1 : fine >= 10 ? 2 : 3;
    return multiples(view, fine).map((ms) => ({
      ms,
      label: formatMomentTime(ms, zone).slice(0, 9 + digits),
    }));
  }
  // A clock a fixed offset from UTC is UTC's, moved.
  const [shiftMs, name] = zone.kind === 'offset' ? [zone.offsetMin * 60_000, 'UTC'] : [0, zone.zone];
  const ticks = timeTicks(view.fromMs + shiftMs, view.toMs + shiftMs, most, name);
  return tickLabels(ticks, name).map((label, i) => ({ ms: ticks[i]! - shiftMs, label }));
}

function multiples({ fromMs, toMs }: SceneSpan, step: number): number[] {
  const ticks: number[] = [];
  for (let n = Math.ceil(fromMs / step); n * step <= toMs; n++) ticks.push(n * step);
  return ticks;
}

/** Shortest stretch that can be looked at. */
export const leastViewMs = 200;

/** A view scaled by `factor` about `aroundMs`, kept within the scene. Pure. */
export function zoomedView(view: SceneSpan, factor: number, aroundMs: number, scene: SceneSpan): SceneSpan {
  const span = Math.max(leastViewMs, (view.toMs - view.fromMs) * factor);
  const share = (aroundMs - view.fromMs) / (view.toMs - view.fromMs);
  return keptWithin({ fromMs: aroundMs - span * share, toMs: aroundMs + span * (1 - share) }, scene);
}

/** A view moved by `byMs`, kept within the scene. Pure. */
export function pannedView(view: SceneSpan, byMs: number, scene: SceneSpan): SceneSpan {
  return keptWithin({ fromMs: view.fromMs + byMs, toMs: view.toMs + byMs }, scene);
}

/** The view as wide as it was and inside the scene; all of the scene where it is wider. Pure. */
export function keptWithin({ fromMs, toMs }: SceneSpan, scene: SceneSpan): SceneSpan {
  const whole = Math.max(leastViewMs, scene.toMs - scene.fromMs);
  const span = toMs - fromMs;
  if (span >= whole) return { fromMs: scene.fromMs, toMs: scene.fromMs + whole };
  const from = Math.min(Math.max(fromMs, scene.fromMs), scene.fromMs + whole - span);
  return { fromMs: from, toMs: from + span };
}

/** The view moved so that `atMs` is in it: unchanged if it is, else with it at `share` of the width. Pure. */
export function viewWith(view: SceneSpan, atMs: number, share: number, scene: SceneSpan): SceneSpan {
  if (atMs >= view.fromMs && atMs <= view.toMs) return view;
  return pannedView(view, atMs - (view.toMs - view.fromMs) * share - view.fromMs, scene);
}

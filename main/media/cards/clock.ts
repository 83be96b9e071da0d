import type { CardClock, ClockSegment } from '../../../shared/contract/cards.ts';

const quarterMs = 15 * 60_000;
/** A clip's own offset further from a quarter of an hour than this tells nothing. */
const widestResidualMs = 5 * 60_000;
/** The camera's clock shows whole seconds. */
const leastUncertaintyMs = 1000;

/** One clip: what its clock showed and its first GPS time. */
export interface OffsetSample {
  readonly localMs: number;
  readonly firstGpsMs: number;
}

/** `YYYY-MM-DDTHH:MM:SS` on a wall clock as milliseconds of that clock; null where it is none. */
export function parseLocal(text: string | null | undefined): number | null {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text)) return null;
  const ms = Date.parse(`${text}Z`);
  // Date.parse rolls 30 February over; the calendar does not.
  return Number.isNaN(ms) || toLocalText(ms) !== text ? null : ms;
}
export function toLocalText(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 19);
}

interface Clip {
  readonly localMs: number;
  readonly gpsMs: number;
  readonly rawMs: number;
  readonly roundedMs: number;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Offsets of a card's wall clock from UTC (formats.md 2): each clip's local start less its first GPS time, in order
 * of UTC; stretches of one offset, rounded to 15 minutes; one clip that contradicts both its neighbours is left out.
 */
function toRuns(samples: readonly OffsetSample[]): { runs: Clip[][]; leftOut: number } {
  const clips = samples
    .map(({ localMs, firstGpsMs }) => {
      const rawMs = localMs - firstGpsMs;
      return { localMs, gpsMs: firstGpsMs, rawMs, roundedMs: Math.round(rawMs / quarterMs) * quarterMs };
    })
    .sort((a, b) => a.gpsMs - b.gpsMs);
  const plausible = clips.filter(
    (clip) =>
      Math.abs(clip.rawMs - clip.roundedMs) <= widestResidualMs && Math.abs(clip.roundedMs) <= 14 * 3_600_000,
  );
  const kept = plausible.filter((clip, i) => {
    const before = plausible[i - 1];
    const after = plausible[i + 1];
    const isAlone = before?.roundedMs !== clip.roundedMs && after?.roundedMs !== clip.roundedMs;
    return !(isAlone && before && after && before.roundedMs === after.roundedMs);
  });
  const runs: Clip[][] = [];
  for (const clip of kept) {
    const last = runs.at(-1);
    if (last?.[0]?.roundedMs === clip.roundedMs) last.push(clip);
    else runs.push([clip]);
  }
  return { runs, leftOut: clips.length - kept.length };
}

/** The clock of a card from its clips' GPS times, or from the offset set by hand. */
export function deriveClock(
  psn: string,
  samples: readonly OffsetSample[],
  withoutGps: number,
  manual: CardClock['manual'],
): CardClock {
  const { runs, leftOut } = toRuns(samples);
  const used = runs.reduce((sum, run) => sum + run.length, 0);
  const clips = { used, leftOut, withoutGps };
  if (manual) {
    const segment: ClockSegment = {
      fromLocal: null,
      toLocal: null,
      offsetMinutes: manual.offsetMinutes,
      uncertaintyMs: leastUncertaintyMs,
      source: 'manual',
      clips: 0,
    };
    return { psn, segments: [segment], manual, clips };
  }
  const gps = runs.map((run): ClockSegment => {
    const offsetMs = Math.round(median(run.map((clip) => clip.rawMs)) / quarterMs) * quarterMs;
    const spreadMs = Math.max(...run.map((clip) => Math.abs(clip.rawMs - offsetMs)));
    return {
      fromLocal: toLocalText(Math.min(...run.map((clip) => clip.localMs))),
      toLocal: toLocalText(Math.max(...run.map((clip) => clip.localMs))),
      offsetMinutes: offsetMs / 60_000,
      uncertaintyMs: Math.max(leastUncertaintyMs, Math.round(spreadMs)),
      source: 'gps',
      clips: run.length,
    };
  });
  const first = gps[0];
  const last = gps.at(-1);
  if (!first || !last) return { psn, segments: [], manual: null, clips };
  return {
    psn,
    segments: [
      { ...first, fromLocal: null, toLocal: first.fromLocal, source: 'extrapolated' },
      ...gps,
      { ...last, fromLocal: last.toLocal, toLocal: null, source: 'extrapolated' },
    ],
    manual: null,
    clips,
  };
}

/**
 * The offset in force at a wall-clock time; null where it is unknown: between two stretches of different offset, and
 * in the hour that a clock set back shows twice.
 */
export function segmentAt(clock: CardClock, localMs: number): ClockSegment | null {
  const isIn = (segment: ClockSegment): boolean =>
    (segment.fromLocal === null || localMs >= parseLocal(segment.fromLocal)!) &&
    (segment.toLocal === null || localMs <= parseLocal(segment.toLocal)!);
  const fitting = clock.segments.filter(isIn);
  const measured = fitting.filter((segment) => segment.source !== 'extrapolated');
  const candidates = measured.length > 0 ? measured : fitting;
  const [best] = candidates;
  if (!best || fitting.some((one) => one.offsetMinutes !== best.offsetMinutes)) return null;
  return best;
}

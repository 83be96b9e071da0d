import type { ClipGpsColumns, ClipGSensorColumns } from '../../../../shared/contract/clips.ts';
import type { SceneSpan } from '../model.ts';
import type { TelemetryClaim } from './telemetryPlan.ts';

/** The columns of positions, in this order in `GpsChunk.columns`. */
export const gpsColumnNames = ['latDeg', 'lngDeg', 'speedKmh', 'headingDeg', 'altitudeM'] as const;

/** Samples with columns of their own, in order of time. */
export interface Samples {
  readonly timesMs: Float64Array;
  readonly columns: readonly Float64Array[];
}
/** One clip's telemetry on the scene's time. */
export interface TelemetryChunk {
  readonly gps: Samples;
  readonly gSensor: Samples;
  readonly axisNames: ClipGSensorColumns['axisNames'] | null;
  readonly noFix: readonly SceneSpan[];
}

/** How long a single time without a fix is drawn: receivers speak once a second. */
const usualStepMs = 1000;

/** Puts what a clip holds on the scene's time. Rows without a time on the clip can't be placed and are left out. Pure. */
export function toChunk(
  claim: TelemetryClaim,
  parts: { readonly gps: ClipGpsColumns | null; readonly gSensor: ClipGSensorColumns | null },
): TelemetryChunk {
  const { gps, gSensor } = parts;
  const placed = gps
    ? place(
        claim,
        gps.clipMs,
        gpsColumnNames.map((name) => gps[name]),
      )
    : emptySamples(gpsColumnNames.length);
  return {
    gps: placed,
    gSensor: gSensor ? place(claim, gSensor.clipMs, gSensor.axesG) : emptySamples(3),
    axisNames: gSensor && gSensor.clipMs.length > 0 ? gSensor.axisNames : null,
    noFix: withoutFix(placed),
  };
}

export const emptySamples = (columns: number): Samples => ({
  timesMs: new Float64Array(0),
  columns: Array.from({ length: columns }, () => new Float64Array(0)),
});

function place(claim: TelemetryClaim, clipMs: Float64Array, columns: readonly Float64Array[]): Samples {
  const { segment, shiftMs, keepFromMs, keepToMs } = claim;
  const timesMs = new Float64Array(clipMs.length);
  const kept = new Int32Array(clipMs.length);
  let count = 0;
  let isInOrder = true;
  for (let i = 0; i < clipMs.length; i++) {
    const ms = segment.startMs + clipMs[i]! * segment.rate + shiftMs;
    if (!(ms >= keepFromMs && ms < keepToMs)) continue;
    if (count > 0 && ms < timesMs[count - 1]!) isInOrder = false;
    timesMs[count] = ms;
    kept[count++] = i;
  }
  // The usual case: everything as it was written.
  if (isInOrder && count === clipMs.length) return { timesMs, columns };
  const order = Array.from({ length: count }, (_, at) => at);
  if (!isInOrder) order.sort((a, b) => timesMs[a]! - timesMs[b]! || a - b);
  return {
    timesMs: Float64Array.from(order, (at) => timesMs[at]!),
    columns: columns.map((column) => Float64Array.from(order, (at) => column[kept[at]!]!)),
  };
}

/** Stretches of GPS times without a position: each lasts until the next time that was said. */
function withoutFix({ timesMs, columns }: Samples): SceneSpan[] {
  const latDeg = columns[0]!;
  const spans: SceneSpan[] = [];
  for (let i = 0; i < timesMs.length; i++) {
    if (!Number.isNaN(latDeg[i]!)) continue;
    const fromMs = timesMs[i]!;
    while (i + 1 < timesMs.length && Number.isNaN(latDeg[i + 1]!) && timesMs[i + 1]! - timesMs[i]! <= 10_000)
      i++;
    const next = timesMs[i + 1];
    const lastMs = timesMs[i]! + usualStepMs;
    spans.push({ fromMs, toMs: next === undefined ? lastMs : Math.max(timesMs[i]!, Math.min(next, lastMs)) });
  }
  return spans;
}

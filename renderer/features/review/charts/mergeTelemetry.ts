import { gapThresholdMs } from '../../../../shared/gaps.ts';
import { arcOfChordM, toSpacePoint } from '../../../../shared/geometry.ts';
import type { SceneSpan, SceneTelemetry } from '../model.ts';
import { gpsColumnNames, type Samples, type TelemetryChunk } from './telemetryChunk.ts';
import type { TelemetryOrigin } from './telemetryPlan.ts';

/** One telemetry of clips' telemetry, in order of time, each sample kept. `chunks` in order of their clips. Pure. */
export function mergeTelemetry(
  chunks: readonly TelemetryChunk[],
  psn: string | null,
  origin: TelemetryOrigin,
): SceneTelemetry {
  const gps = mergeSamples(
    chunks.map((chunk) => chunk.gps),
    gpsColumnNames.length,
  );
  const gSensor = mergeSamples(
    chunks.map((chunk) => chunk.gSensor),
    3,
  );
  const [latDeg, lngDeg, speedKmh, headingDeg, altitudeM] = gps.columns as Five; // as many as named
  return {
    psn,
    gps:
      gps.timesMs.length === 0
        ? null
        : {
            timesMs: gps.timesMs,
            latDeg,
            lngDeg,
            speedKmh,
            headingDeg,
            altitudeM,
            computedSpeedKmh: speedFromPositions(gps.timesMs, latDeg, lngDeg),
          },
    gSensor:
      gSensor.timesMs.length === 0
        ? null
        : {
            timesMs: gSensor.timesMs,
            axisNames: chunks.find((chunk) => chunk.axisNames)?.axisNames ?? ['x', 'y', 'z'],
            axesG: gSensor.columns as unknown as [Float64Array, Float64Array, Float64Array], // three were asked for
          },
    noFix: joinSpans(chunks.flatMap((chunk) => chunk.noFix)),
    origin,
  };
}
type Five = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];

/**
 * Appends sample lists to each other. Where one begins before the end of what is there (a clock was moved), only the
 * part that overlaps is merged sample by sample.
 */
export function mergeSamples(lists: readonly Samples[], columns: number): Samples {
  const total = lists.reduce((sum, list) => sum + list.timesMs.length, 0);
  const timesMs = new Float64Array(total);
  const out = Array.from({ length: columns }, () => new Float64Array(total));
  let filled = 0;
  for (const list of lists) {
    const { timesMs: more, columns: values } = list;
    if (more.length === 0) continue;
    if (filled === 0 || more[0]! >= timesMs[filled - 1]!) {
      timesMs.set(more, filled);
      out.forEach((column, c) => column.set(values[c]!, filled));
    } else {
      const from = firstAfter(timesMs, more[0]!, filled);
      const tail = timesMs.slice(from, filled);
      const tails = out.map((column) => column.slice(from, filled));
      let a = 0;
      let b = 0;
      for (let at = from; at < filled + more.length; at++) {
        const isOld = b >= more.length || (a < tail.length && tail[a]! <= more[b]!);
        const source = isOld ? a++ : b++;
        timesMs[at] = (isOld ? tail : more)[source]!;
        for (let c = 0; c < columns; c++) out[c]![at] = (isOld ? tails : values)[c]![source]!;
      }
    }
    filled += more.length;
  }
  return { timesMs, columns: out };
}

/** Index of the first time after `ms` among the first `count`. */
export function firstAfter(timesMs: Float64Array, ms: number, count = timesMs.length): number {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (timesMs[middle]! <= ms) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Speed from positions, km/h: the way from the position before to the position after, by the time between; at the
 * edges of a gap from one neighbour. NaN where no neighbour is near enough (`gapThresholdMs`, the product's one rule):
 * a gap is never bridged, and neither is a time without a fix.
 */
export function speedFromPositions(
  timesMs: Float64Array,
  latDeg: Float64Array,
  lngDeg: Float64Array,
): Float64Array {
  const gapMs = gapThresholdMs(timesMs);
  const count = timesMs.length;
  /** Metres and ms of the step from i to i + 1; NaN where there is none. */
  const stepM = new Float64Array(count).fill(NaN);
  const a = { x: 0, y: 0, z: 0 };
  const b = { x: 0, y: 0, z: 0 };
  for (let i = 0; i + 1 < count; i++) {
    const stepMs = timesMs[i + 1]! - timesMs[i]!;
    if (!(stepMs > 0 && stepMs <= gapMs)) continue;
    toSpacePoint(latDeg[i]!, lngDeg[i]!, a);
    toSpacePoint(latDeg[i + 1]!, lngDeg[i + 1]!, b);
    const [x, y, z] = [a.x - b.x, a.y - b.y, a.z - b.z];
    stepM[i] = arcOfChordM(Math.sqrt(x * x + y * y + z * z));
  }
  return Float64Array.from(timesMs, (ms, i) => {
    const before = i > 0 ? stepM[i - 1]! : NaN;
    const after = stepM[i]!;
    const beforeMs = ms - timesMs[i - 1]!;
    const afterMs = timesMs[i + 1]! - ms;
    if (Number.isNaN(before)) return (after / afterMs) * 3600;
    if (Number.isNaN(after)) return (before / beforeMs) * 3600;
    return ((before + after) / (beforeMs + afterMs)) * 3600;
  });
}

function joinSpans(spans: readonly SceneSpan[]): SceneSpan[] {
  const joined: SceneSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = joined[joined.length - 1];
    if (last && span.fromMs - last.toMs <= 2000)
      joined[joined.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) };
    else joined.push(span);
  }
  return joined;
}

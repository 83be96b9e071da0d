import type { RecordingMetadata } from '../../../shared/contract/cards.ts';

export interface GpsFacts {
  readonly samples: number;
  readonly firstUtcMs: number | null;
  /** First place with a fix. */
  readonly place: { readonly latDeg: number; readonly lngDeg: number } | null;
  readonly maxSpeedKmh: number | null;
}

/** What a clip's GPS says in short; null where the clip has none. */
export function gpsFacts({ gps }: RecordingMetadata): GpsFacts | null {
  if (gps === null) return null;
  let place: GpsFacts['place'] = null;
  let maxSpeedKmh: number | null = null;
  for (let i = 0; i < gps.tMs.length; i += 1) {
    const latDeg = gps.latDeg[i] ?? Number.NaN;
    const lngDeg = gps.lngDeg[i] ?? Number.NaN;
    if (place === null && !Number.isNaN(latDeg) && !Number.isNaN(lngDeg)) place = { latDeg, lngDeg };
    const speed = gps.speedKmh[i] ?? Number.NaN;
    if (!Number.isNaN(speed) && (maxSpeedKmh === null || speed > maxSpeedKmh)) maxSpeedKmh = speed;
  }
  const first = gps.tMs[0];
  return {
    samples: gps.tMs.length,
    firstUtcMs: first === undefined || Number.isNaN(first) ? null : first,
    place,
    maxSpeedKmh,
  };
}

/** The largest magnitude of the three axes (gravity included) and when; null without samples. */
export function peakOf({
  gSensor,
}: RecordingMetadata): { readonly g: number; readonly offsetMs: number } | null {
  if (gSensor === null) return null;
  let best: { g: number; offsetMs: number } | null = null;
  for (let i = 0; i < gSensor.offsetMs.length; i += 1) {
    const g = Math.hypot(
      gSensor.verticalG[i] ?? Number.NaN,
      gSensor.lateralG[i] ?? Number.NaN,
      gSensor.longitudinalG[i] ?? Number.NaN,
    );
    if (!Number.isNaN(g) && (best === null || g > best.g)) best = { g, offsetMs: gSensor.offsetMs[i] ?? 0 };
  }
  return best;
}

import type { ClipGpsColumns, ClipGSensorColumns } from '../../../shared/contract/clips.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { toMetadata } from '../cards/metadata.ts';
import { localMsOf } from './foundClock.ts';
import type { ReviewLibrary } from './library.ts';

/** What the service told of a clip's recording, as columns of the clip. NaN is absent. */
export interface StoredTelemetry {
  readonly gps: ClipGpsColumns | null;
  readonly gSensor: ClipGSensorColumns | null;
  readonly fetchedAtMs: number;
}

/**
 * The service's samples of the same recording, from the store. Positions are in UTC and get their place in the clip by
 * its clock in use (NaN while that is unknown); G samples count from the recording's start. Both are moved by what was
 * set by hand for the metadata. Null: nothing is stored. AppError not_found for a clip that is not there.
 */
export function metadataOfClip(library: ReviewLibrary, clipId: ClipId): StoredTelemetry | null {
  const clip = library.clips.get(clipId);
  const known = library.clocks.metadataOf([clip])(clip);
  const stored = known && clip.psn !== null ? library.cards.metadata(known.accountId, clip.psn, known.filename) : null; // prettier-ignore
  if (!stored || clip.psn === null) return null;
  const { gps, gSensor, fetchedAtMs } = toMetadata(clip.psn, stored);
  const clock = library.clocks.resolve([clip]).get(clipId)!; // every asked clip is resolved
  const shiftMs = library.settings.find({ kind: 'metadata', clipId })?.shiftMs ?? 0;
  const startMs = clock.startUtcMs ?? NaN;
  const localStartMs = localMsOf(clip) ?? NaN;
  return { gps: gps && toGps(), gSensor: gSensor && toGSensor(), fetchedAtMs };

  function toGps(): ClipGpsColumns {
    const { tMs, latDeg, lngDeg, speedKmh, headingDeg } = gps!; // asked only where it is there
    const utcMs = tMs.map((ms) => ms + shiftMs);
    const clipMs = utcMs.map((ms) => ms - startMs);
    return {
      clipMs,
      utcMs,
      cameraLocalMs: clipMs.map((ms) => ms + localStartMs),
      latDeg: Float64Array.from(latDeg),
      lngDeg: Float64Array.from(lngDeg),
      speedKmh: Float64Array.from(speedKmh),
      headingDeg: Float64Array.from(headingDeg),
      altitudeM: new Float64Array(tMs.length).fill(NaN),
    };
  }
  function toGSensor(): ClipGSensorColumns {
    const { offsetMs, verticalG, lateralG, longitudinalG } = gSensor!; // as above
    return {
      clipMs: offsetMs.map((ms) => ms + shiftMs),
      axisNames: ['vertical', 'lateral', 'longitudinal'],
      axesG: [Float64Array.from(verticalG), Float64Array.from(lateralG), Float64Array.from(longitudinalG)],
    };
  }
}

import type { TrackLines } from '../../../../shared/contract/trips.ts';
import type { TripId } from '../../../../shared/ids.ts';
import { orNull } from '../../map/trackReading.ts';
import type { SceneTelemetry } from '../model.ts';
import type { MapReading } from './mapStore.ts';
import { placeAt, trailId, vehiclesAt, type PlaceAt } from './positions.ts';

type Gps = NonNullable<SceneTelemetry['gps']>;

/** Where the scene's own vehicle is, and the recorded sample that says so. */
export interface OwnPlace {
  readonly place: PlaceAt;
  readonly reading: MapReading;
}

/**
 * The own vehicle at an instant: by its clips' positions, and where those say nothing, by its imported track. Null
 * where neither was recording. Pure.
 */
export function ownPlaceAt(
  gps: Gps | null,
  tracks: TrackLines | null,
  isOwn: (tripId: TripId) => boolean,
  sceneMs: number,
): OwnPlace | null {
  const place = gps && placeAt(gps, sceneMs);
  if (place) return { place, reading: readSample(gps, place.index, trailId) };
  const own = tracks && vehiclesAt(tracks, sceneMs).find(({ tripId, isOld }) => !isOld && isOwn(tripId));
  return own ? { place: own.place, reading: readSample(tracks, own.place.index, own.tripId) } : null;
}

/** What was recorded at one sample of positions. Pure. */
export function readSample(
  columns: Pick<Gps, 'timesMs' | 'latDeg' | 'lngDeg'> & {
    readonly speedKmh: ArrayLike<number>;
    readonly headingDeg: ArrayLike<number>;
  },
  index: number,
  tripId: TripId,
): MapReading {
  return {
    tripId,
    timeMs: orNull(columns.timesMs[index]),
    speedKmh: orNull(columns.speedKmh[index]),
    headingDeg: orNull(columns.headingDeg[index]),
    latDeg: columns.latDeg[index]!,
    lngDeg: columns.lngDeg[index]!,
  };
}

import { useStore } from 'zustand';
import { CopyButton, useZone } from '../../../ui/index.ts';
import { coordinateText } from '../../map/trackReading.ts';
import { compassPoint } from '../../timeline/clock.ts';
import { formatMomentTime, momentZone, momentZoneName } from '../marks/momentText.ts';
import type { Review } from '../model.ts';
import type { MapReading, ReviewMapStore } from './mapStore.ts';
import { trailId } from './positions.ts';
import { vehicleByTrip, vehiclesOf } from './vehicles.ts';
import classes from './reviewMap.module.css';

/** What was recorded under the pointer, at the point clicked, or at the clock's time. Absent is said, never 0. */
export function MapReadingStrip({ review, store }: { review: Review; store: ReviewMapStore }) {
  const { localZone } = useZone();
  const scene = useStore(review.store, (state) => state.scene);
  const kind = useStore(review.store, (state) => state.zone);
  const { hovered, pinned, current, numbers } = useStore(store);
  const telemetry = useStore(review.telemetry, (state) => state.telemetry);
  const reading: MapReading | null = hovered ?? pinned ?? current;
  if (!reading) {
    return (
      <div className={classes.strip} data-testid="review-map-reading">
        <span className={classes.dim}>
          {telemetry.status === 'loading'
            ? 'Reading positions…'
            : telemetry.status === 'ready' && telemetry.value.gps === null && scene.tracks.length === 0
              ? 'The clips carry no positions'
              : 'No position recorded at this moment'}
        </span>
      </div>
    );
  }
  const zone = momentZone(scene, kind, localZone);
  const where = reading === hovered ? 'pointed at' : reading === pinned ? 'clicked' : 'last fix';
  const coordinates = coordinateText(reading.latDeg, reading.lngDeg);
  const vehicle =
    reading.tripId === trailId ? null : vehicleByTrip(vehiclesOf(scene, numbers)).get(reading.tripId);
  return (
    <div className={classes.strip} data-testid="review-map-reading">
      <div className={classes.stripLine}>
        <span className={classes.where}>{where}</span>
        {reading.timeMs === null ? (
          <span>no time recorded</span>
        ) : (
          <strong>
            {formatMomentTime(reading.timeMs, zone)}{' '}
            <span className={classes.dim}>{momentZoneName(reading.timeMs, zone)}</span>
          </strong>
        )}
        <span className={classes.ellipsis}>{vehicle ? `${vehicle.label}, imported track` : ''}</span>
      </div>
      <div className={classes.stripLine}>
        <span className={classes.speed} title="As recorded; not computed from positions">
          {reading.speedKmh === null ? (
            <span className={classes.dim}>no speed</span>
          ) : (
            `${reading.speedKmh.toFixed(1)} km/h`
          )}
        </span>
        <span className={classes.heading}>
          {reading.headingDeg === null ? (
            <span className={classes.dim}>no heading</span>
          ) : (
            `${reading.headingDeg.toFixed(0)}° ${compassPoint(reading.headingDeg)}`
          )}
        </span>
        <span className={classes.coordinates}>{coordinates}</span>
        <CopyButton text={coordinates} what="coordinates" />
      </div>
    </div>
  );
}

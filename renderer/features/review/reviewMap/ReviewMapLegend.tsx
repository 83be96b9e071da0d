import { Checkbox } from '@mantine/core';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { speedClassesKmh } from '../../../../shared/speedClasses.ts';
import { CameraMark } from '../../library/CameraMark.tsx';
import { speedClassLabel, speedColor, speedWidthPx, type Scheme } from '../../map/colors.ts';
import type { Review } from '../model.ts';
import { mostTracks, type ReviewMapStore } from './mapStore.ts';
import { vehiclesOf } from './vehicles.ts';
import classes from './reviewMap.module.css';

/** What the trail's colours mean, and the other tracks of the same time, each to be hidden. */
export function ReviewMapLegend({
  review,
  store,
  scheme,
}: {
  review: Review;
  store: ReviewMapStore;
  scheme: Scheme;
}) {
  const scene = useStore(review.store, (state) => state.scene);
  const numbers = useStore(store, (state) => state.numbers);
  const hidden = useStore(review.hiddenTracks, (state) => state.tripIds);
  const hasTrail = useStore(
    review.telemetry,
    ({ telemetry }) => telemetry.status === 'ready' && telemetry.value.gps !== null,
  );
  const vehicles = useMemo(() => vehiclesOf(scene, numbers), [scene, numbers]);
  const isCapped = scene.tracks.length > mostTracks;
  return (
    <div className={classes.legendBody} role="group" aria-label="Legend">
      {hasTrail && (
        <div className={classes.speeds}>
          <strong>Trail of the clips: recorded speed, km/h</strong>
          {[...speedClassesKmh.keys(), -1].map((index) => (
            <span key={index} className={classes.legendRow}>
              <svg width="22" height="8" aria-hidden>
                <line
                  x1="1"
                  x2="21"
                  y1="4"
                  y2="4"
                  stroke={speedColor(index, scheme)}
                  strokeWidth={speedWidthPx(index) + 0.6}
                  strokeDasharray={index < 0 ? '5 3' : undefined}
                />
              </svg>
              {index < 0 ? 'none recorded' : speedClassLabel(index)}
            </span>
          ))}
        </div>
      )}
      {vehicles.length > 0 && (
        <fieldset className={classes.vehicles}>
          <legend>Imported tracks at the same time</legend>
          {vehicles.map((vehicle) => {
            const tripIds = vehicle.tracks.map(({ tripId }) => tripId);
            const isShown = tripIds.some((tripId) => !hidden.has(tripId));
            const files = [...new Set(vehicle.tracks.map(({ fileName }) => fileName))].join(', ');
            return (
              <Checkbox
                key={vehicle.key}
                checked={isShown}
                styles={{ labelWrapper: { minWidth: 0 } }}
                onChange={(event) => store.hide(tripIds, !event.currentTarget.checked)}
                label={
                  <span className={classes.legendRow} title={`${vehicle.label}: ${files}`}>
                    <CameraMark index={vehicle.colorIndex} />
                    <span className={classes.ellipsis}>{vehicle.label}</span>
                    {vehicle.isOwn && <span className={classes.dim}>own</span>}
                  </span>
                }
              />
            );
          })}
          {isCapped && (
            <span className={classes.dim}>
              The {mostTracks} tracks nearest in time are drawn, of {scene.tracks.length}.
            </span>
          )}
          <span className={classes.dim}>Hollow mark: last recorded point, some time before.</span>
        </fieldset>
      )}
    </div>
  );
}

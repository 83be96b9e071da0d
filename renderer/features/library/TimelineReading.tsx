import { useStore } from 'zustand';
import { compassPoint, formatClock, formatDay, zoneLabel } from '../timeline/clock.ts';
import { readSeries } from '../timeline/plotData.ts';
import { CameraMark } from './CameraMark.tsx';
import type { LibraryContent } from './libraryStore.ts';
import type { LibraryStores } from './LibraryScreen.tsx';
import { cameraKey, cameraLabel } from './tripRows.ts';
import type { LibraryZone } from './useLibraryZone.ts';
import classes from './library.module.css';

const maxReadings = 4;

/** Time and values at the cursor, always with its zone and UTC; without a cursor, what can be done here. */
export function TimelineReading({
  stores,
  content,
  zone,
  hint,
}: {
  stores: LibraryStores;
  content: LibraryContent;
  zone: LibraryZone;
  hint: string;
}) {
  const cursorMs = useStore(stores.tracks, (state) => state.cursorMs);
  const series = useStore(stores.tracks, (state) => state.series);
  if (cursorMs === null) {
    return <span className={classes.dim}>{series.length > 0 ? hint : 'Timeline'}</span>;
  }
  const at = Math.round(cursorMs / 1000) * 1000;
  const shownZone = zone.zone === 'UTC' ? zone.localZone : zone.zone;
  const readings = series
    .map((one) => ({ one, reading: readSeries(one, cursorMs) }))
    .filter(({ reading }) => series.length === 1 || reading.kind === 'recorded');
  return (
    <div className={classes.cursorReading} data-testid="timeline-reading">
      <span className={classes.cursorTime}>
        {formatDay(at, shownZone)} {formatClock(at, shownZone)} {zoneLabel(at, shownZone)}
        <span className={classes.dim}> ({formatClock(at, 'UTC')} UTC)</span>
      </span>
      {readings.slice(0, maxReadings).map(({ one, reading }) => (
        <span key={one.psn ?? ''} className={classes.cursorValue}>
          <CameraMark index={content.cameraIndex.get(cameraKey(one.psn)) ?? -1} />
          {series.length <= 2 && <span className={classes.ellipsis}>{cameraLabel(one)}</span>}
          {reading.kind === 'gap' ? (
            <span className={classes.dim}>gap, nothing recorded</span>
          ) : (
            <>
              {reading.speedKmh === null ? (
                <span className={classes.dim}>no speed</span>
              ) : (
                `${reading.speedKmh.toFixed(1)} km/h`
              )}
              <span className={classes.dim}>
                {reading.headingDeg === null
                  ? 'no heading'
                  : `${reading.headingDeg.toFixed(0)}° ${compassPoint(reading.headingDeg)}`}
              </span>
            </>
          )}
        </span>
      ))}
      {readings.length > maxReadings && (
        <span className={classes.dim}>and {readings.length - maxReadings} more</span>
      )}
    </div>
  );
}

import { useMemo, useState } from 'react';
import type { TripId } from '../../../shared/ids.ts';
import { speedClassesKmh } from '../../../shared/speedClasses.ts';
import { speedClassLabel, speedColor, speedWidthPx, type ColorMode, type Scheme } from '../map/colors.ts';
import { maxTripsWithMarks } from '../map/trackPaint.ts';
import { CameraMark } from './CameraMark.tsx';
import type { LibraryContent } from './libraryStore.ts';
import { cameraKey, cameraLabel } from './tripRows.ts';
import classes from './library.module.css';

const shownCameras = 10;

/** What the colours, dashes and shapes on the map mean. */
export function MapLegend({
  mode,
  scheme,
  content,
  selection,
  startsOpen,
}: {
  mode: ColorMode;
  scheme: Scheme;
  content: LibraryContent;
  selection: ReadonlySet<TripId>;
  startsOpen: boolean;
}) {
  const [isOpen, setOpen] = useState(startsOpen);
  const cameras = useMemo(() => {
    const names = new Map<string, string>();
    let hasShapes = false;
    for (const id of selection) {
      const trip = content.tripById.get(id);
      if (!trip) continue;
      names.set(cameraKey(trip.psn), cameraLabel(trip));
      hasShapes ||= !trip.hasPointTimes;
    }
    const list = [...names].map(([key, name]) => ({ key, name, index: content.cameraIndex.get(key) ?? -1 }));
    list.sort((a, b) => (a.index < 0 ? Infinity : a.index) - (b.index < 0 ? Infinity : b.index));
    return { list, hasShapes };
  }, [selection, content]);
  if (selection.size === 0) return null;
  return (
    <div className={classes.legend} aria-label="Legend" role="group">
      <button
        type="button"
        className={classes.legendToggle}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {mode === 'speed' ? 'Speed, km/h' : 'Cameras'}
      </button>
      {isOpen && (
        <>
          {mode === 'camera' &&
            cameras.list.slice(0, shownCameras).map((camera) => (
              <div key={camera.key} className={classes.legendRow}>
                <CameraMark index={camera.index} />
                <span className={classes.ellipsis}>{camera.name}</span>
              </div>
            ))}
          {mode === 'camera' && cameras.list.length > shownCameras && (
            <div className={classes.dim}>
              and {cameras.list.length - shownCameras} more; numbers as in the table
            </div>
          )}
          {mode === 'speed' &&
            [...speedClassesKmh.keys(), -1].map((index) => (
              <div key={index} className={classes.legendRow}>
                <svg width="26" height="10" aria-hidden>
                  <line
                    x1="1"
                    x2="25"
                    y1="5"
                    y2="5"
                    stroke={speedColor(index, scheme)}
                    strokeWidth={speedWidthPx(index) + 0.6}
                    strokeDasharray={index < 0 ? '6 4' : undefined}
                  />
                </svg>
                {speedClassLabel(index)}
              </div>
            ))}
          <div className={classes.legendLine}>
            {selection.size <= maxTripsWithMarks && (
              <span className={classes.legendRow}>
                <svg width="26" height="12" aria-hidden className={classes.legendInk}>
                  <path d="M2 1.5 L10 6 L2 10.5 Z" />
                  <rect x="15" y="2" width="8" height="8" />
                </svg>
                start, end
              </span>
            )}
            <span className={classes.legendRow}>
              <svg width="26" height="8" aria-hidden className={classes.legendInk}>
                <line x1="1" x2="25" y1="4" y2="4" strokeDasharray="4 5" strokeWidth="1" />
              </svg>
              gap: not recorded
            </span>
            {cameras.hasShapes && (
              <span className={classes.legendRow}>
                <svg width="26" height="8" aria-hidden className={classes.legendInk}>
                  <line
                    x1="2"
                    x2="25"
                    y1="4"
                    y2="4"
                    strokeDasharray="0.5 5"
                    strokeWidth="3"
                    strokeLinecap="round"
                  />
                </svg>
                shape only, no times
              </span>
            )}
          </div>
        </>
      )}
    </div>
  );
}

import { CloseButton } from '@mantine/core';
import { IconPin } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { CopyButton } from '../../ui/index.ts';
import { coordinateText } from '../map/trackReading.ts';
import { compassPoint, formatClock, formatDay, zoneLabel } from '../timeline/clock.ts';
import { CameraMark } from './CameraMark.tsx';
import type { LibraryContent } from './libraryStore.ts';
import type { LibraryStores } from './LibraryScreen.tsx';
import { MomentActs, type MomentLinks } from './MomentActs.tsx';
import { cameraKey, cameraLabel } from './tripRows.ts';
import type { LibraryZone } from './useLibraryZone.ts';
import classes from './library.module.css';

/** What was recorded at the point under the pointer, or at the one that a click fixed. Absent is said, never 0. */
export function ReadingCard({
  stores,
  content,
  zone,
  moments,
}: {
  stores: LibraryStores;
  content: LibraryContent;
  zone: LibraryZone;
  moments: MomentLinks;
}) {
  const pinned = useStore(stores.tracks, (state) => state.pinned);
  const hovered = useStore(stores.tracks, (state) => state.hovered);
  const reading = hovered ?? pinned;
  if (!reading) return null;
  const trip = content.tripById.get(reading.tripId);
  const isPinned = reading === pinned || (hovered === null && pinned !== null);
  const shownZone =
    zone.kind === 'utc'
      ? zone.localZone
      : trip && zone.kind === 'vehicle'
        ? zone.zoneOfTrip(trip)
        : zone.zone;
  const { timeMs, speedKmh, headingDeg } = reading;
  const coordinates = coordinateText(reading.latDeg, reading.lngDeg);
  return (
    <div className={classes.card} role="region" aria-label="Recorded point" data-testid="reading">
      <div className={classes.cardHead}>
        <CameraMark index={content.cameraIndex.get(cameraKey(trip?.psn ?? null)) ?? -1} />
        <strong className={classes.ellipsis}>{trip ? cameraLabel(trip) : 'trip'}</strong>
        {isPinned ? (
          <CloseButton size="xs" aria-label="Let go of the fixed point" onClick={stores.tracks.unpin} />
        ) : (
          <span className={classes.dim}>
            <IconPin size={12} aria-hidden /> click to keep
          </span>
        )}
      </div>
      {timeMs === null ? (
        <div>No time recorded (shape only)</div>
      ) : (
        <>
          <div className={classes.reading}>
            {formatClock(timeMs, shownZone)}{' '}
            <span className={classes.dim}>{zoneLabel(timeMs, shownZone)}</span>
          </div>
          <div>
            {formatClock(timeMs, 'UTC')} <span className={classes.dim}>UTC</span> ·{' '}
            {formatDay(timeMs, shownZone)}
          </div>
        </>
      )}
      <div>
        {speedKmh === null ? (
          <span className={classes.dim}>no speed recorded</span>
        ) : (
          <strong>{speedKmh.toFixed(1)} km/h</strong>
        )}
        {' · '}
        {headingDeg === null ? (
          <span className={classes.dim}>no heading recorded</span>
        ) : (
          `${headingDeg.toFixed(0)}° ${compassPoint(headingDeg)}`
        )}
      </div>
      <div className={classes.cardCoordinates}>
        <span>{coordinates}</span>
        <CopyButton text={coordinates} what="coordinates" />
      </div>
      {isPinned && timeMs !== null && (
        <MomentActs tripId={reading.tripId} psn={trip?.psn ?? null} atMs={timeMs} links={moments} />
      )}
    </div>
  );
}

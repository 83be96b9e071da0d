import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core';
import { IconFocusCentered } from '@tabler/icons-react';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Settings } from '../../../shared/contract/app.ts';
import type { TrackLines } from '../../../shared/contract/trips.ts';
import type { TripId } from '../../../shared/ids.ts';
import type { Bbox } from '../../../shared/track.ts';
import { Failure } from '../../ui/index.ts';
import { attachBasemap } from '../map/basemap.ts';
import { boxOfLine, isAroundTheWorld, isWellInView, unionBbox } from '../map/bounds.ts';
import type { ColorMode, Scheme } from '../map/colors.ts';
import { attachMap, type MapView } from '../map/mapView.ts';
import type { MapMark } from '../map/marks.ts';
import { positionsAt } from '../map/trackReading.ts';
import type { TripLooks } from '../map/trackPaint.ts';
import type { LibraryContent } from './libraryStore.ts';
import type { LibraryStores } from './LibraryScreen.tsx';
import { MapLegend } from './MapLegend.tsx';
import type { MomentLinks } from './MomentActs.tsx';
import { NearPanel } from './NearPanel.tsx';
import { ReadingCard } from './ReadingCard.tsx';
import { cameraKey } from './tripRows.ts';
import type { LibraryZone } from './useLibraryZone.ts';
import classes from './library.module.css';

const nearPanelWidthPx = 310;
/** More marks than this at one instant are a cloud, not positions. */
const maxCursorMarks = 60;

/** The map with the chosen trips, what is read off it, and "Who passed here?". */
export function MapPane({
  stores,
  content,
  scheme,
  zone,
  settings,
  mediaUrl,
  fitRequest,
  moments,
}: {
  stores: LibraryStores;
  content: LibraryContent;
  scheme: Scheme;
  zone: LibraryZone;
  settings: Pick<Settings, 'onlineTileUrl' | 'onlineTileAttribution'>;
  mediaUrl: (mediaPath: string) => string;
  fitRequest: number;
  moments: MomentLinks;
}) {
  const { tracks, near, library } = stores;
  const element = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<MapView | null>(null);
  const [mode, setMode] = useState<ColorMode>('camera');
  const lines = useStore(tracks, (state) => state.lines);
  const linesError = useStore(tracks, (state) => state.linesError);
  const isReading = useStore(tracks, (state) => state.isReadingLines);
  // Deferred: a click on a thousand trips is answered in the table before this is drawn anew, in slices.
  const selection = useDeferredValue(useStore(library, (state) => state.selection.ids));
  const nearState = useStore(near);
  const basemap = useStore(stores.basemap, (state) => state.basemap);

  useEffect(() => {
    if (!element.current) return;
    const last = tracks.lastWindow();
    const made = attachMap(element.current, {
      onWindow: tracks.setWindow,
      onHover: tracks.hover,
      onClick: tracks.pin,
      onCircle: near.setCircle,
    });
    if (last) made.fit(last.bbox);
    setView(made);
    return () => {
      setView(null);
      made.remove();
    };
  }, [tracks, near]);

  useEffect(() => {
    if (!view) return;
    return attachBasemap(view.map, {
      scheme,
      detail: basemap ? { url: mediaUrl(basemap.mediaPath), name: basemap.fileName } : null,
      online: settings.onlineTileUrl
        ? { url: settings.onlineTileUrl, attribution: settings.onlineTileAttribution }
        : null,
    });
  }, [view, scheme, basemap, mediaUrl, settings.onlineTileUrl, settings.onlineTileAttribution]);

  const focusedTripId = useStore(tracks, (state) => state.focusedTripId);
  const focused = useMemo(() => {
    const at = lines && focusedTripId !== null ? lines.tripIds.indexOf(focusedTripId) : -1;
    return at < 0 ? null : at;
  }, [lines, focusedTripId]);
  useEffect(() => view?.setStyle({ mode, scheme, focused }), [view, mode, scheme, focused]);
  // A trip that is looked at is brought into view where it can't be read.
  useEffect(() => {
    const box = focusedTripId !== null && content.tripById.get(focusedTripId)?.bbox;
    if (view && box && !isAroundTheWorld(box) && !isWellInView(view.bounds(), box)) view.fit(box);
    // Refreshing the library must not move the map.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [view, focusedTripId]);

  useEffect(() => {
    if (!view) return;
    const ids = lines?.tripIds ?? [];
    const looks: TripLooks = {
      colorIndex: new Int16Array(ids.length),
      isShapeOnly: new Uint8Array(ids.length),
    };
    ids.forEach((id, index) => {
      const trip = content.tripById.get(id);
      looks.colorIndex[index] = content.cameraIndex.get(cameraKey(trip?.psn ?? null)) ?? -1;
      looks.isShapeOnly[index] = trip && !trip.hasPointTimes ? 1 : 0;
    });
    view.setLines(lines, looks);
  }, [view, lines, content]);

  /** The last fit used a box that was not measured yet. */
  const fitWaits = useRef(false);
  const fit = useCallback(() => {
    if (!view) return;
    const { boxes, isCertain } = boxesOf(content, library.getState().selection.ids, tracks.getState().lines);
    const box = unionBbox(boxes);
    fitWaits.current = !isCertain;
    if (box) view.fit(box);
  }, [view, library, tracks, content]);
  useEffect(() => {
    if (lines && fitWaits.current) fit();
  }, [lines, fit]);

  // The map stays where it is while a new selection is well in view: nobody likes a map that runs away.
  useEffect(() => {
    if (!view || selection.size === 0) return;
    const { boxes, isCertain } = boxesOf(content, selection, null);
    const box = unionBbox(boxes);
    if (!isCertain || (box && !isWellInView(view.bounds(), box))) fit();
    // Refreshing the library must not move the map.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [view, selection]);

  // After the effect above: a pass that is chosen decides where the map goes, not the trip that it selects.
  const { chosen } = nearState;
  useEffect(() => {
    if (view && chosen) view.panTo(chosen.closestLatDeg, chosen.closestLngDeg, 17, nearPanelWidthPx);
  }, [view, chosen]);

  const isFirstFit = useRef(true);
  useEffect(() => {
    if (!view) return;
    if (isFirstFit.current && (tracks.lastWindow()?.level ?? 2) > 2) {
      isFirstFit.current = false;
      return;
    }
    isFirstFit.current = false;
    fit();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a fit is asked for, or the map has just appeared
  }, [view, fitRequest]);

  useEffect(() => {
    if (!view) return;
    const colorOf = (tripId: TripId) => {
      const trip = content.tripById.get(tripId);
      return content.cameraIndex.get(cameraKey(trip?.psn ?? null)) ?? -1;
    };
    const show = () => {
      const { cursorMs, hovered, pinned, lines: drawn } = tracks.getState();
      const { chosen: pass } = near.getState();
      const marks: MapMark[] = [];
      if (cursorMs !== null && drawn && !hovered) {
        for (const at of positionsAt(drawn, cursorMs).slice(0, maxCursorMarks)) {
          const colorIndex = colorOf(at.tripId);
          marks.push({
            kind: 'cursor',
            ...at,
            colorIndex,
            label: colorIndex < 0 ? null : String(colorIndex + 1),
          });
        }
      }
      if (pinned) marks.push({ kind: 'pin', ...pinned, colorIndex: colorOf(pinned.tripId), label: null });
      if (hovered)
        marks.push({ kind: 'hover', ...hovered, colorIndex: colorOf(hovered.tripId), label: null });
      if (pass) {
        marks.push({
          kind: 'pass',
          latDeg: pass.closestLatDeg,
          lngDeg: pass.closestLngDeg,
          headingDeg: null,
          colorIndex: colorOf(pass.tripId),
          label: 'closest',
        });
      }
      view.setMarks(marks);
    };
    show();
    const ends = [tracks.subscribe(show), near.subscribe(show)];
    return () => ends.forEach((end) => end());
  }, [view, tracks, near, content]);

  useEffect(() => view?.setCircle(nearState.circle), [view, nearState.circle]);
  useEffect(() => view?.setCircleTool(nearState.isDrawing), [view, nearState.isDrawing]);

  return (
    <section className={classes.mapPane} aria-label="Map of the selected trips">
      <div ref={element} className={classes.map} data-testid="library-map" data-scheme={scheme} />
      <div className={classes.mapTop}>
        <SegmentedControl
          aria-label="Colour of the lines"
          value={mode}
          onChange={(value) => setMode(value === 'speed' ? 'speed' : 'camera')}
          data={[
            { value: 'camera', label: 'By camera' },
            { value: 'speed', label: 'By speed' },
          ]}
        />
        <Tooltip label="Fit the map to the selected trips">
          <ActionIcon variant="default" aria-label="Fit the map to the selected trips" onClick={fit}>
            <IconFocusCentered size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={classes.mapSide}>
        <ReadingCard stores={stores} content={content} zone={zone} moments={moments} />
        {nearState.isOpen && <NearPanel stores={stores} content={content} zone={zone} moments={moments} />}
      </div>
      <MapLegend
        // Beside the panel there is no room for it: it folds, and unfolds when the panel goes.
        key={String(nearState.isOpen)}
        startsOpen={!nearState.isOpen}
        mode={mode}
        scheme={scheme}
        content={content}
        selection={selection}
      />
      {selection.size === 0 && !nearState.isOpen && (
        <div className={classes.mapHint} role="status">
          <span>Choose trips in the table to see where they went.</span>
          <Button
            variant="default"
            onClick={() => library.select((now, ids) => ({ ...now, ids: new Set(ids) }))}
          >
            Select all shown
          </Button>
        </div>
      )}
      {linesError !== null && (
        <div className={classes.mapError}>
          <Failure
            error={linesError}
            meaning="The lines could not be read."
            onRetry={tracks.retry}
            isInline
          />
        </div>
      )}
      <div className={classes.busyBar} data-busy={isReading || undefined} role="presentation" />
    </section>
  );
}

/**
 * Boxes of the chosen trips; of all trips while none is chosen. A trip over the 180th meridian is measured on its
 * drawn line; `isCertain` is false while that is not there yet.
 */
function boxesOf(
  content: LibraryContent,
  chosen: ReadonlySet<TripId>,
  lines: TrackLines | null,
): { boxes: Bbox[]; isCertain: boolean } {
  const boxes: Bbox[] = [];
  let isCertain = true;
  for (const trip of content.trips) {
    if (chosen.size > 0 && !chosen.has(trip.tripId)) continue;
    const at = isAroundTheWorld(trip.bbox) && lines ? lines.tripIds.indexOf(trip.tripId) : -1;
    const measured = at >= 0 && lines ? boxOfLine(lines, at) : null;
    if (isAroundTheWorld(trip.bbox) && !measured) isCertain = false;
    boxes.push(measured ?? trip.bbox);
  }
  return { boxes, isCertain };
}

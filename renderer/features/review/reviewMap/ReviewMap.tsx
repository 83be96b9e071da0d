import { useComputedColorScheme } from '@mantine/core';
import { useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Failure } from '../../../ui/index.ts';
import { createBasemapStore } from '../../library/basemapStore.ts';
import { attachBasemap } from '../../map/basemap.ts';
import type { Review } from '../model.ts';
import { GroundContext } from './ground.ts';
import { createReviewMapStore, type ReviewMapStore } from './mapStore.ts';
import { MapReadingStrip } from './MapReadingStrip.tsx';
import { MapTools } from './MapTools.tsx';
import { MapToolPanel } from './MapToolPanel.tsx';
import { attachReviewMap, type ReviewMapView } from './reviewMapView.ts';
import { ReviewMapLegend } from './ReviewMapLegend.tsx';
import classes from './reviewMap.module.css';

/** The scene's vehicle on the map: trail by speed, other vehicles at the same time, distances and passages. */
export function ReviewMap({ review }: { review: Review }) {
  const element = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ map: ReviewMapView; store: ReviewMapStore } | null>(null);
  const scheme = useComputedColorScheme('light');
  const basemapStore = useMemo(() => createBasemapStore(review.host.client), [review]);
  const basemap = useStore(basemapStore, (state) => state.basemap);
  const ground = useContext(GroundContext);
  const hasTracks = useStore(review.store, ({ scene }) => scene.tracks.length > 0);
  const isSomethingDrawn =
    useStore(
      review.telemetry,
      ({ telemetry }) => telemetry.status === 'ready' && telemetry.value.gps !== null,
    ) || hasTracks;

  useEffect(() => basemapStore.attach(), [basemapStore]);
  useEffect(() => {
    if (!element.current) return;
    const store = createReviewMapStore(review);
    const map = attachReviewMap(element.current, review, store, {
      vehicle: classes.vehicle ?? '',
      mark: classes.mark ?? '',
    });
    setShown({ map, store });
    return () => {
      setShown(null);
      map.remove();
      store.close();
    };
  }, [review]);
  useEffect(() => shown?.map.setScheme(scheme), [shown, scheme]);
  useEffect(() => {
    if (!shown) return;
    return attachBasemap(shown.map.view.map, {
      scheme,
      detail: basemap ? { url: review.host.mediaUrl(basemap.mediaPath), name: basemap.fileName } : null,
      online: ground.onlineTileUrl
        ? { url: ground.onlineTileUrl, attribution: ground.onlineTileAttribution }
        : null,
    });
  }, [shown, scheme, basemap, review, ground.onlineTileUrl, ground.onlineTileAttribution]);

  return (
    <section className={classes.pane} aria-label="Map of the scene">
      <div className={classes.frame}>
        <div ref={element} className={classes.map} data-testid="review-map" data-scheme={scheme} />
        {shown && (
          <>
            <MapTools
              store={shown.store}
              onFit={shown.map.fit}
              legend={
                isSomethingDrawn ? (
                  <ReviewMapLegend review={review} store={shown.store} scheme={scheme} />
                ) : null
              }
            />
            <TracksFailure store={shown.store} />
          </>
        )}
      </div>
      {shown && <MapToolPanel review={review} store={shown.store} />}
      {shown && <MapReadingStrip review={review} store={shown.store} />}
    </section>
  );
}

function TracksFailure({ store }: { store: ReviewMapStore }) {
  const tracks = useStore(store, (state) => state.tracks);
  if (tracks.status !== 'failed') return null;
  return (
    <div className={classes.failure}>
      <Failure
        error={tracks.error}
        meaning="Imported tracks are not drawn."
        onRetry={store.retryTracks}
        isInline
      />
    </div>
  );
}

import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useZone } from '../../../ui/index.ts';
import type { Review } from '../model.ts';
import { momentZone, type MomentZone } from './momentText.ts';

/** The zone that times of day are written in, also where the scene itself knows none. */
export function useClockZone(review: Pick<Review, 'store'>): MomentZone {
  const { localZone } = useZone();
  const zone = useStore(review.store, (state) => state.zone);
  const utcOffsetMin = useStore(review.store, (state) => state.scene.utcOffsetMin);
  return useMemo(
    () => momentZone({ timebase: 'utc', utcOffsetMin }, zone, localZone),
    [utcOffsetMin, zone, localZone],
  );
}

/** The zone that the open scene's times are written in now. */
export function useMomentZone(review: Pick<Review, 'store'>): MomentZone {
  const { localZone } = useZone();
  const zone = useStore(review.store, (state) => state.zone);
  const scene = useStore(review.store, (state) => state.scene);
  return useMemo(() => momentZone(scene, zone, localZone), [scene, zone, localZone]);
}

import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Review } from '../model.ts';
import { PaneView } from './PaneView.tsx';
import { offerPictures } from './panes.ts';
import classes from './player.module.css';

/**
 * The pictures of the shown channels side by side, or one of them over the whole area, all slaved to the review's clock.
 * Offers their pictures for stills while it is on screen.
 */
export function PlayerArea({ review }: { review: Review }) {
  const shown = useStore(review.store, (state) => state.shown);
  const enlarged = useStore(review.store, (state) => state.enlarged);
  const channels = useStore(review.store, (state) => state.scene.channels);
  const [withSound, setWithSound] = useState<string | null>(null);
  useEffect(() => offerPictures(review), [review]);
  return (
    <div
      className={classes.area}
      data-panes={enlarged === null ? shown.length : 1}
      role="group"
      aria-label="Pictures"
    >
      {shown.map((channelId, place) => {
        const channel = channels.find((one) => one.channelId === channelId);
        if (!channel) return null;
        return (
          <PaneView
            key={channelId}
            review={review}
            channel={channel}
            place={place}
            isVisible={enlarged === null || enlarged === channelId}
            hasSound={withSound === channelId}
            onSound={(isOn) => setWithSound(isOn ? channelId : null)}
          />
        );
      })}
    </div>
  );
}

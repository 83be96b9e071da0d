import { Loader } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { ReviewChannel } from '../../../../shared/contract/review.ts';
import { channelName } from '../marks/anchors.ts';
import type { Review } from '../model.ts';
import { actionsOf } from './actions.ts';
import { PaneCard } from './PaneCard.tsx';
import { PaneTools } from './PaneTools.tsx';
import { paneOf } from './panes.ts';
import { isUnchanged, plainPicture, pictureStyle, type PictureLook } from './pictureLook.ts';
import { usePictureGestures } from './usePictureGestures.ts';
import classes from './player.module.css';

/** One channel: its picture or what stands in its place, and the tools for looking at it. */
export function PaneView({
  review,
  channel,
  place,
  isVisible,
  hasSound,
  onSound,
}: {
  review: Review;
  channel: ReviewChannel;
  /** Counted from the left. */
  place: number;
  isVisible: boolean;
  hasSound: boolean;
  onSound: (isOn: boolean) => void;
}) {
  const { channelId } = channel;
  const pane = paneOf(review, channelId);
  // One by one: `isSettled` changes twice for every picture of a drag, and nothing here is drawn by it.
  const view = useStore(pane.state, (state) => state.view);
  const segment = useStore(pane.state, (state) => state.segment);
  const clipId = useStore(pane.state, (state) => state.clipId);
  const isLoading = useStore(pane.state, (state) => state.isLoading);
  const brokenAt = useStore(pane.state, (state) => state.brokenAt);
  const [look, setLook] = useState<PictureLook>(plainPicture);
  const root = useRef<HTMLElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);

  useEffect(() => (layer.current ? pane.attach(layer.current) : undefined), [pane]);
  useEffect(() => pane.setVisible(isVisible), [pane, isVisible]);
  useEffect(() => pane.setSound(hasSound), [pane, hasSound]);
  usePictureGestures(stage, look, setLook);
  // What is on screen, for tests and for screen readers' tools: written past React, sixty times a second.
  useEffect(() => {
    const write = () => {
      if (!root.current) return;
      const frame = review.store.getState().frames.get(channelId);
      const { dataset } = root.current;
      dataset.clipId = frame?.clipId ?? '';
      dataset.frameIndex = frame?.frameIndex == null ? '' : String(frame.frameIndex);
      dataset.clipS = frame ? String(frame.clipS) : '';
      dataset.sceneMs = frame ? String(frame.sceneMs) : '';
      dataset.settled = String(pane.state.getState().isSettled);
    };
    write();
    const ends = [review.store.subscribe(write), pane.state.subscribe(write)];
    return () => ends.forEach((end) => end());
  }, [review, pane, channelId]);

  const name = channelName(channel);
  const isPicture = view.kind === 'picture';
  const actions = actionsOf(review);
  return (
    <section
      ref={root}
      className={classes.pane}
      hidden={!isVisible}
      aria-label={name}
      data-testid="review-pane"
      data-channel={channelId}
      data-view={view.kind}
    >
      <PaneTools
        review={review}
        channel={channel}
        name={name}
        place={place}
        segment={segment}
        clipId={clipId}
        isPicture={isPicture}
        brokenAt={brokenAt}
        look={look}
        onLook={setLook}
        hasSound={hasSound}
        onSound={onSound}
      />
      <div
        ref={stage}
        className={classes.stage}
        tabIndex={0}
        role="img"
        aria-label={isPicture ? `Picture of ${name}` : `No picture of ${name}`}
        data-zoomed={look.zoom > 1}
        onDoubleClick={() => actions.toggleEnlarged(channelId)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
          event.preventDefault();
          actions.toggleEnlarged(channelId);
        }}
      >
        <div ref={layer} className={classes.layer} data-shown={isPicture} style={pictureStyle(look)} />
        {isPicture && isLoading && (
          <div className={classes.loading} role="status">
            <Loader size="xs" type="dots" color="gray.3" aria-hidden />
            Loading
          </div>
        )}
        {isPicture && !isUnchanged(look) && <Badges look={look} />}
      </div>
      {!isPicture && <PaneCard review={review} pane={pane} channel={channel} view={view} segment={segment} />}
    </section>
  );
}

/** What makes the picture on screen differ from the recorded one: display only, and said so. */
function Badges({ look }: { look: PictureLook }) {
  const words = [
    look.isMirrored && 'mirrored',
    (look.brightness !== 1 || look.contrast !== 1) && 'adjusted',
    look.zoom > 1 && `${look.zoom.toFixed(1)}x`,
  ].filter((word) => word !== false);
  return (
    <div className={classes.badges}>
      {words.map((word) => (
        <span
          key={word}
          className={classes.badge}
          title="Display only: the recording and stills are unchanged"
        >
          {word}
        </span>
      ))}
    </div>
  );
}

import type { PictureSource, Review } from '../model.ts';
import { createPane, type Pane } from './pane.ts';

const panesByReview = new WeakMap<Review, Map<string, Pane>>();

/** The pane of a channel, made once for a review: it keeps what it learnt of the clips while it is out of sight. */
export function paneOf(review: Review, channelId: string): Pane {
  const panes = panesByReview.get(review) ?? new Map<string, Pane>();
  panesByReview.set(review, panes);
  const pane = panes.get(channelId) ?? createPane(review, channelId);
  panes.set(channelId, pane);
  return pane;
}

/** Resolves when every pane with a place shows what the clock asks for, or after `mostMs`. */
export function allSettled(review: Review, mostMs: number): Promise<void> {
  const panes = review.store.getState().shown.map((channelId) => paneOf(review, channelId));
  const isDone = () => panes.every(({ state }) => state.getState().isSettled);
  if (isDone()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      resolve();
    };
    const timer = setTimeout(end, mostMs);
    const stops = panes.map(({ state }) => state.subscribe(() => isDone() && end()));
  });
}

/** A picture as the decoder gave it, drawn at full size: no mirror, zoom or brightness of the pane is in it. */
async function capture(
  review: Review,
  channelId: string,
): Promise<Awaited<ReturnType<PictureSource['capture']>>> {
  const pane = paneOf(review, channelId);
  const video = pane.picture();
  if (!video || video.videoWidth === 0) return null;
  // The element may move on between two lines; a VideoFrame is one picture with its own time.
  const picture = new VideoFrame(video);
  try {
    const frame = pane.frameAt(picture.timestamp / 1_000_000);
    const canvas = document.createElement('canvas');
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    const context = canvas.getContext('2d');
    if (!frame || !context) return null;
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    return png && { frame, png, widthPx: canvas.width, heightPx: canvas.height };
  } finally {
    picture.close();
  }
}

/** Offers the panes' pictures to the review while the player is on screen; the returned function takes them back. */
export function offerPictures(review: Review): () => void {
  const source: PictureSource = { capture: (channelId) => capture(review, channelId) };
  review.pictures = source;
  return () => {
    if (review.pictures === source) review.pictures = null;
  };
}

import type { ClipId } from '../../../../shared/ids.ts';
import { createSeekTurns } from './seekTurns.ts';

/** One video element that holds one clip at a time. A pane has two: one on screen, one with what comes next. */
export interface VideoSlot {
  readonly video: HTMLVideoElement;
  readonly clipId: ClipId | null;
  /**
   * Presentation time of the picture that stands in the element now, seconds on the clip; null before the first. Read from
   * the picture itself: `requestVideoFrameCallback` misses one that is drawn before it was asked again, and tells of the
   * others late. It wakes the pane; where pictures can't be read, its word is taken.
   */
  pictureS(): number | null;
  /** A seek is under way, or waits for the one before it. */
  readonly isSeeking: boolean;
  /** Where it stands or was last sent to. */
  readonly targetS: number;
  /** `performance.now()` when the last seek ended, null before; tells a picture that never comes from one on its way. */
  readonly settledAtMs: number | null;
  readonly hasFailed: boolean;
  load(clipId: ClipId, address: string): void;
  /** Many seeks in a row become few: the one under way ends, then the latest follows. */
  seek(clipS: number): void;
  play(): void;
  pause(): void;
  unload(): void;
}

export interface SlotListener {
  /** The browser put another picture on screen. */
  onPicture(slot: VideoSlot): void;
  /** Loaded, sought, stalled, ended: look again. */
  onChange(slot: VideoSlot): void;
  onFailure(slot: VideoSlot, error: MediaError): void;
}

const watched = ['loadedmetadata', 'loadeddata', 'canplay', 'waiting', 'seeked', 'ended', 'playing'] as const;

/** Of all videos of the window. */
const turns = createSeekTurns();

/** An empty slot; its element is to be put into the page by the caller. */
export function createVideoSlot(document: Document, listener: SlotListener): VideoSlot {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  video.disablePictureInPicture = true;
  video.disableRemotePlayback = true;
  video.tabIndex = -1;
  let clipId: ClipId | null = null;
  let shownS: number | null = null;
  let toldS: number | null = null;
  let targetS = 0;
  let pendingS: number | null = null;
  let settledAtMs: number | null = null;
  let hasFailed = false;
  /** Callbacks of a clip that was let go mean nothing any more. */
  let generation = 0;

  function watchPictures(mine: number): void {
    if (typeof video.requestVideoFrameCallback !== 'function') return;
    video.requestVideoFrameCallback((_now, { mediaTime }) => {
      if (mine !== generation) return;
      toldS = mediaTime;
      listener.onPicture(slot);
      watchPictures(mine);
    });
  }
  function sendOn(): void {
    if (pendingS === null || video.seeking || video.readyState < HTMLMediaElement.HAVE_METADATA) return;
    // A seek to where it stands brings no picture and no event worth waiting for.
    const isThere = Math.abs(video.currentTime - pendingS) <= 1e-6;
    if (!isThere && !turns.take(video, sendOn)) return;
    if (isThere) settledAtMs = performance.now();
    else video.currentTime = pendingS;
    pendingS = null;
  }
  for (const type of watched) {
    video.addEventListener(type, () => {
      if (type === 'seeked') {
        settledAtMs = performance.now();
        // While dragging, the next seek begins right below, and then no picture can be read until it ends.
        slot.pictureS();
        turns.done(video);
      }
      if (type === 'loadedmetadata' || type === 'seeked') sendOn();
      listener.onChange(slot);
    });
  }
  video.addEventListener('error', () => {
    if (clipId === null || !video.error) return;
    hasFailed = true;
    pendingS = null;
    turns.done(video);
    listener.onFailure(slot, video.error);
  });

  const slot: VideoSlot = {
    video,
    get clipId() {
      return clipId;
    },
    get isSeeking() {
      return pendingS !== null || video.seeking;
    },
    get targetS() {
      return pendingS ?? targetS;
    },
    get settledAtMs() {
      return settledAtMs;
    },
    get hasFailed() {
      return hasFailed;
    },
    pictureS() {
      if (clipId === null) return null;
      if (typeof VideoFrame !== 'function') return toldS;
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return shownS;
      try {
        const picture = new VideoFrame(video);
        shownS = picture.timestamp / 1_000_000;
        picture.close();
      } catch {
        // None is held at this moment (a seek begins): what stood there last still does.
      }
      return shownS;
    },
    load(next, address) {
      generation += 1;
      clipId = next;
      shownS = null;
      toldS = null;
      targetS = 0;
      pendingS = null;
      settledAtMs = null;
      hasFailed = false;
      video.src = address;
      watchPictures(generation);
    },
    seek(clipS) {
      targetS = Math.max(0, clipS);
      pendingS = targetS;
      sendOn();
    },
    play() {
      if (!video.paused) return;
      // From here on it moves by itself: it stands nowhere that it was sent to.
      targetS = Number.NaN;
      // Rejected when it is paused or emptied again before it began, which is no failure.
      video.play().catch(() => undefined);
    },
    pause() {
      if (!video.paused) video.pause();
    },
    unload() {
      generation += 1;
      turns.done(video);
      clipId = null;
      shownS = null;
      toldS = null;
      pendingS = null;
      hasFailed = false;
      if (!video.hasAttribute('src')) return;
      video.pause();
      video.removeAttribute('src');
      video.load();
    },
  };
  return slot;
}

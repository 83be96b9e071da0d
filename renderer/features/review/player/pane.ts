import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ReviewSegment } from '../../../../shared/contract/review.ts';
import type { ClipId } from '../../../../shared/ids.ts';
import { toClipS, toSceneMs, type Review, type ShownFrame } from '../model.ts';
import { askForClip } from './askForClip.ts';
import { runWith, standAt, type Progress } from './following.ts';
import { frameBoardOf } from './frameBoard.ts';
import { frameIndexesOf, middleOfFrame } from './frameTimes.ts';
import { shownSegment } from './jumps.ts';
import { createPaneSlots, type PaneSlots } from './paneSlots.ts';
import {
  brokenPictures,
  gapAt,
  isSameView,
  isWithoutPicture,
  knownProblem,
  mergedProblem,
  problemOf,
  stoppedPictures,
  type PaneState,
  type PaneView,
  type PictureProblem,
} from './paneState.ts';
import type { VideoSlot } from './videoSlot.ts';

/** The picture of one channel, slaved to the master clock. */
export interface Pane {
  readonly channelId: string;
  readonly state: StoreApi<PaneState>;
  /** Puts the videos into a place of the page; the returned function takes them out and lets the clips go. */
  attach(place: HTMLElement): () => void;
  /** A pane that is out of sight decodes nothing and keeps nobody waiting. */
  setVisible(isVisible: boolean): void;
  setSound(isOn: boolean): void;
  /** The video on screen; null without a picture. */
  picture(): HTMLVideoElement | null;
  /** What a second on the clip on screen is; null without one. */
  frameAt(clipS: number): ShownFrame | null;
  /** Tries a clip that could not be shown again. */
  retry(): void;
}

/** The next clip of a channel is loaded when it is this near. */
const preloadMs = 20_000;
/** A picture on its way is looked for this often, since nothing tells surely of its coming. */
const lookAgainMs = 30;
/** A picture that is later than this is said to be loading. */
const lateMs = 300;
/** One event leads to another; more rounds than this in a row would be a fault. */
const mostRounds = 6;

export function createPane(review: Review, channelId: string): Pane {
  const { host, clock, store } = review;
  const indexes = frameIndexesOf(host);
  const board = frameBoardOf(store);
  const state = createStore<PaneState>(() => ({
    view: { kind: 'picture' },
    segment: null,
    clipId: null,
    // Out of the page there is nothing to wait for.
    isSettled: true,
    isLoading: false,
    brokenAt: null,
  }));
  const problems = new Map<ClipId, PictureProblem>();
  /** Clips whose index was asked for: they look again when it is here. */
  const asked = new Set<ClipId>();
  let slots: PaneSlots | null = null;
  let isVisible = true;
  let hasSound = false;
  let release: (() => void) | null = null;
  let lateSince: number | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isUpdating = false;
  let isAskedAgain = false;

  const channel = () => store.getState().scene.channels.find((one) => one.channelId === channelId);
  const addressOf = (clipId: ClipId) => host.mediaUrl(`media/clip/${clipId}`);
  const clipOf = ({ clipId }: ReviewSegment) => store.getState().chosenClip.get(clipId) ?? clipId;
  const segmentOf = (clipId: ClipId): ReviewSegment | null =>
    channel()?.segments.find(
      (segment) => segment.clipId === clipId || segment.alternatives.some((other) => other.clipId === clipId),
    ) ?? null;

  function set(next: Partial<PaneState>): void {
    const now = state.getState();
    const isNew = (Object.keys(next) as (keyof PaneState)[]).some((key) => next[key] !== now[key]);
    if (isNew) state.setState(next);
  }
  function setView(view: PaneView): void {
    if (!isSameView(state.getState().view, view)) set({ view });
  }
  /** Keeps the clock waiting while the picture is not there; the clock decides for how long. */
  function setReady(isReady: boolean, keepsWaiting: boolean): void {
    if (isReady || !keepsWaiting) {
      release?.();
      release = null;
    } else release ??= clock.hold();
    if (isReady) lateSince = null;
    else lateSince ??= performance.now();
    set({
      isSettled: isReady,
      isLoading: lateSince !== null && performance.now() - lateSince >= lateMs,
    });
    if (!isReady) timer ??= setTimeout(onTimer, lookAgainMs);
  }
  function onTimer(): void {
    timer = null;
    update();
  }
  function frameAt(clipS: number): ShownFrame | null {
    const clipId = slots?.active?.clipId;
    const segment = clipId && segmentOf(clipId);
    if (!clipId || !segment) return null;
    const times = indexes.now(segment, clipId);
    const frameIndex = times.isExact ? times.indexAt(clipS) : null;
    return { channelId, clipId, clipS, sceneMs: toSceneMs(segment, clipS), frameIndex };
  }
  function report(isPicture: boolean): void {
    const atS = isPicture && isVisible ? (slots?.active?.pictureS() ?? null) : null;
    board.report(channelId, atS === null ? null : frameAt(atS));
  }
  /** Nothing to see here: the place says why. */
  function showWords(view: PaneView): void {
    setReady(true, false);
    slots?.pauseAll();
    slots?.putOnScreen(null);
    setView(view);
    report(false);
  }

  /**
   * Brings the pane to where the clock is: called for every drawn frame, every seek, and whatever a video reports. What
   * it does may call it again (the clock is held, a video pauses): that waits for the round to end.
   */
  function update(): void {
    isAskedAgain = true;
    if (isUpdating) return;
    isUpdating = true;
    try {
      for (let round = 0; isAskedAgain && round < mostRounds; round += 1) {
        isAskedAgain = false;
        updateOnce();
      }
    } finally {
      isUpdating = false;
    }
  }
  function updateOnce(): void {
    const place = channel();
    if (!slots) return;
    if (!place || !isVisible) {
      setReady(true, false);
      slots.pauseAll();
      report(false);
      return;
    }
    const { scene } = store.getState();
    const sceneMs = clock.nowMs();
    const { isPlaying, isHeld, rate } = clock.state.getState();
    const segment = shownSegment(scene, place.segments, sceneMs);
    if (!segment) {
      set({ segment: null, clipId: null, brokenAt: null });
      showWords(gapAt(scene, place, sceneMs));
      preload(place.segments, sceneMs, rate);
      return;
    }
    const clipId = clipOf(segment);
    const clipS = Math.min(segment.durationS, toClipS(segment, sceneMs));
    const problem = problems.get(clipId) ?? knownProblem(segment);
    const runs = isPlaying && rate > 0;
    set({ segment, clipId, brokenAt: brokenPictures(problem) });
    if (problem && problem.kind !== 'sound-only' && isWithoutPicture(problem, clipS, runs)) {
      showWords({ kind: 'problem', problem });
      preload(place.segments, sceneMs, rate);
      return;
    }
    const slot = slots.slotFor(clipId);
    if (problem?.kind === 'sound-only') {
      playSound(slot, segment, clipS, runs, isHeld, rate);
      showSound(slot, problem);
      return;
    }
    const times = timesOf(segment, clipId);
    const progress: Progress = runs
      ? runWith(slot, segment, times, clipS, rate, isHeld)
      : standAt(slot, segment, times, clipS, performance.now());
    if (progress === 'nothing-there') {
      const lastS = slot.pictureS() ?? 0;
      const found = stoppedPictures(segment, clipId === segment.clipId, {
        playedToS: runs ? lastS : Infinity,
        nothingFromS: runs ? Infinity : clipS,
      });
      problems.set(clipId, mergedProblem(problem ?? undefined, found));
      isAskedAgain = true;
      return;
    }
    const isReady = progress === 'ready';
    // The picture before stays until this one has something to show: joins don't flash.
    if (slot.pictureS() !== null && (isReady || slots.active === null)) slots.putOnScreen(slot);
    setView({ kind: 'picture' });
    setReady(isReady, runs);
    report(true);
    if (isReady) preload(place.segments, sceneMs, rate);
  }
  function timesOf(segment: ReviewSegment, clipId: ClipId) {
    if (!asked.has(clipId)) {
      asked.add(clipId);
      void indexes.read(segment, clipId).then(update);
    }
    return indexes.now(segment, clipId);
  }
  function playSound(
    slot: VideoSlot,
    segment: ReviewSegment,
    clipS: number,
    runs: boolean,
    isHeld: boolean,
    rate: number,
  ): void {
    if (runs) runWith(slot, segment, timesOf(segment, segment.clipId), clipS, rate, isHeld);
    else if (Math.abs(slot.targetS - clipS) > 0.05 || Number.isNaN(slot.targetS)) {
      slot.pause();
      slot.seek(clipS);
    }
  }
  function showSound(slot: VideoSlot, problem: PictureProblem): void {
    slots?.putOnScreen(slot);
    setView({ kind: 'problem', problem });
    setReady(true, false);
    report(false);
  }

  /** Loads what comes next into the video that is not on screen and puts it at its first (backwards: last) picture. */
  function preload(segments: readonly ReviewSegment[], sceneMs: number, rate: number): void {
    if (!slots) return;
    const isForward = rate > 0;
    const next = isForward
      ? segments.find(({ startMs }) => startMs > sceneMs)
      : segments.findLast(({ endMs }) => endMs <= sceneMs);
    if (!next) return;
    const distanceMs = isForward ? next.startMs - sceneMs : sceneMs - next.endMs;
    if (distanceMs > preloadMs * Math.max(1, Math.abs(rate)) || knownProblem(next)) return;
    const clipId = clipOf(next);
    if (problems.has(clipId) || slots.all.some((slot) => slot.clipId === clipId)) return;
    const slot = slots.slotFor(clipId);
    void indexes.read(next, clipId).then((times) => {
      if (slot.clipId !== clipId || slot === slots?.active) return;
      slot.seek(middleOfFrame(times, isForward ? 0 : times.count - 1));
    });
  }

  async function onFailure(slot: VideoSlot, error: MediaError): Promise<void> {
    const { clipId, video } = slot;
    const segment = clipId && segmentOf(clipId);
    if (!clipId || !segment) return;
    const failure = {
      isDecodeError: error.code === MediaError.MEDIA_ERR_DECODE,
      atS: video.currentTime,
      shownS: slot.pictureS(),
      soughtS: Number.isNaN(slot.targetS) ? null : slot.targetS,
      isOwnFile: clipId === segment.clipId,
    };
    const reply = await askForClip(addressOf(clipId));
    if (slot.clipId !== clipId) return;
    const codec = segment.video?.codec ?? '';
    const isSaidToBeSupported = codec !== '' && video.canPlayType(`video/mp4; codecs="${codec}"`) !== '';
    setProblem(slot, clipId, problemOf(segment, failure, reply, isSaidToBeSupported));
  }
  function setProblem(slot: VideoSlot, clipId: ClipId, problem: PictureProblem): void {
    problems.set(clipId, mergedProblem(problems.get(clipId), problem));
    // An element that failed plays no more; what is sound of the clip is loaded anew.
    if (slots?.active === slot) slots.putOnScreen(null);
    slot.unload();
    update();
  }
  function onChange(slot: VideoSlot): void {
    const { clipId, video } = slot;
    const hasNoPicture = video.readyState >= HTMLMediaElement.HAVE_METADATA && video.videoWidth === 0;
    if (clipId && hasNoPicture && !problems.has(clipId) && segmentOf(clipId)?.video) {
      // Sound without a picture: the video track is of a kind that is not decoded here.
      setProblem(slot, clipId, { kind: 'no-decoder', isSaidToBeSupported: false });
    } else update();
  }
  function onPicture(slot: VideoSlot): void {
    lateSince = null;
    // While playing, the clock's ticks look at all panes at once.
    if (slot !== slots?.active || !clock.state.getState().isPlaying) update();
  }
  function forget(isForgotten: (clipId: ClipId, problem: PictureProblem) => boolean): void {
    for (const [clipId, problem] of problems) if (isForgotten(clipId, problem)) problems.delete(clipId);
    update();
  }

  return {
    channelId,
    state,
    frameAt,
    attach(place) {
      const listener = {
        onPicture,
        onChange,
        onFailure: (slot: VideoSlot, error: MediaError) => void onFailure(slot, error),
      };
      const made = createPaneSlots(place, addressOf, listener, hasSound);
      slots = made;
      const ends = [
        clock.onTick(update),
        clock.state.subscribe(update),
        store.subscribe((now, before) => {
          if (now.scene !== before.scene || now.chosenClip !== before.chosenClip) update();
        }),
        host.connection.subscribe(() => {
          if (host.connection.current() === 'connected') forget((_clipId, { kind }) => kind === 'host');
        }),
      ];
      update();
      return () => {
        for (const end of ends) end();
        if (timer !== null) clearTimeout(timer);
        timer = null;
        slots = null;
        release?.();
        release = null;
        made.close();
        board.report(channelId, null);
        set({ isSettled: true, isLoading: false });
      };
    },
    setVisible(next) {
      isVisible = next;
      update();
    },
    setSound(isOn) {
      hasSound = isOn;
      slots?.setSound(isOn);
    },
    picture() {
      const { active } = slots ?? {};
      const isPicture = isVisible && state.getState().view.kind === 'picture';
      return isPicture && active && active.pictureS() !== null ? active.video : null;
    },
    retry() {
      const { clipId } = state.getState();
      forget((one) => one === clipId);
    },
  };
}

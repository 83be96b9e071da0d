import { createStore } from 'zustand/vanilla';
import type { SceneRequest } from '../../../shared/contract/review.ts';
import type { CaseId, ClipId, TripId } from '../../../shared/ids.ts';
import type { Host } from '../../app/client/index.ts';
import { createTelemetryStore } from './charts/telemetryStore.ts';
import { createMarkStore } from './marks/markStore.ts';
import type { PictureSource, Review, ReviewState, ReviewZone } from './model.ts';
import { createMasterClock } from './player/masterClock.ts';
import { anchorAt, firstShown, firstView, movedView, sceneMsOf, withinScene } from './sceneLayout.ts';
import { createSwitchingClock, createSwitchingTelemetry } from './switching.ts';
import { createUndoStack } from './undo/undoStack.ts';

export interface OpenReviewOptions {
  /** Where to begin, scene ms; without it where the scene says. */
  readonly atMs?: number | null;
  /** The case that marks go to at first; without it that of the scene. */
  readonly caseId?: CaseId | null;
  readonly zone?: ReviewZone;
  /** IANA zone of "local", for stamps; the computer's unless given. */
  readonly localZone?: string;
}

/**
 * Asks the core for a scene and puts together all that moves in it. Rejects with AppError (`not_found` where there is
 * nothing to see). The caller closes it.
 */
export async function openReview(
  host: Host,
  request: SceneRequest,
  options: OpenReviewOptions = {},
): Promise<Review> {
  const { client } = host;
  const scene = await client.invoke('review.scene', request);
  const startMs = withinScene(scene, options.atMs ?? scene.focusMs);
  const clock = createSwitchingClock(createMasterClock, scene, startMs);
  const follow = { nowMs: () => clock.nowMs() };
  const telemetry = createSwitchingTelemetry(() => createTelemetryStore(host, scene, follow));
  const store = createStore<ReviewState>(() => ({
    scene,
    zone: options.zone ?? 'local',
    view: firstView(scene, startMs),
    inMs: null,
    outMs: null,
    shown: firstShown(scene, request),
    enlarged: null,
    chosenClip: new Map<ClipId, ClipId>(),
    frames: new Map(),
    stepMs: null,
    caseId: options.caseId ?? scene.caseId,
  }));
  const undo = createUndoStack();
  const hiddenTracks = createStore(() => ({ tripIds: new Set<TripId>() as ReadonlySet<TripId> }));

  let isClosed = false;
  let reading: Promise<void> | null = null;
  let isAskedAgain = false;
  async function readAnew(): Promise<void> {
    do {
      isAskedAgain = false;
      const next = await client.invoke('review.scene', request);
      if (isClosed) return;
      const { scene: before, view, inMs, outMs, shown, enlarged } = store.getState();
      // Most of what changes in the library is no part of this scene: nothing on screen may stir.
      if (JSON.stringify(before) === JSON.stringify(next)) continue;
      const atMs = clock.nowMs();
      const anchor = anchorAt(before, shown, atMs);
      // The picture stays, wherever its clip lies on the scene's time now.
      const nowMs = withinScene(next, (anchor && sceneMsOf(next, anchor)) ?? atMs);
      const isSameTime = before.timebase === next.timebase;
      const byMs = isSameTime ? 0 : nowMs - atMs;
      const known = new Set(next.channels.map(({ channelId }) => channelId));
      // A lens that came in gets its pane, unless the user chose the panes.
      const isAsFirst = shown.join() === firstShown(before, request).join();
      const kept = isAsFirst ? [] : shown.filter((channelId) => known.has(channelId));
      const point = (sceneMs: number | null) => (sceneMs === null ? null : withinScene(next, sceneMs + byMs));
      telemetry.replace(() => createTelemetryStore(host, next, follow));
      store.setState({
        scene: next,
        view: movedView(view, byMs, next, nowMs),
        inMs: point(inMs),
        outMs: point(outMs),
        shown: kept.length > 0 ? kept : firstShown(next, request),
        enlarged: enlarged !== null && known.has(enlarged) ? enlarged : null,
        frames: new Map(),
        stepMs: null,
      });
      clock.replace(next, nowMs);
    } while (isAskedAgain);
  }
  function reload(): Promise<void> {
    if (reading) {
      isAskedAgain = true;
      return reading;
    }
    reading = readAnew().finally(() => (reading = null));
    return reading;
  }
  // A clock set in another window counts here too, and so does a clip that was recalled meanwhile. Whoever set a clock
  // here hears of a failure itself.
  const onChange = () => void reload().catch(() => undefined);
  const ends = [client.on('review.clockChanged', onChange), client.on('library.changed', onChange)];

  const parts = { host, clock, store, telemetry, undo, hiddenTracks };
  let pictures: PictureSource | null = null;
  const marks = createMarkStore({
    ...parts,
    pictures: () => pictures,
    ...(options.localZone === undefined ? {} : { localZone: () => options.localZone! }),
  });
  return {
    ...parts,
    marks,
    get pictures() {
      return pictures;
    },
    set pictures(next: PictureSource | null) {
      pictures = next;
    },
    reload,
    close() {
      isClosed = true;
      ends.forEach((end) => end());
      marks.close();
      telemetry.close();
      clock.close();
    },
  };
}

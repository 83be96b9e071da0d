import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SceneRequest } from '../../../shared/contract/review.ts';
import type { CaseId } from '../../../shared/ids.ts';
import type { Host } from '../../app/client/index.ts';
import type { Loadable } from '../../ui/index.ts';
import { createKeptPlace, type KeptPlace, type ScenePlace } from './keptPlace.ts';
import type { Review, ReviewZone } from './model.ts';
import { createRecentScenes, type RecentScenes } from './recentScenes.ts';
import { openReview } from './reviewStore.ts';
import { keyOfRequest, sameRequest } from './sceneRequest.ts';

export interface HeldReview {
  /** What is open or on its way; null: nothing was opened yet. */
  readonly request: SceneRequest | null;
  readonly review: Loadable<Review>;
}

/** What times are shown in at first, and the IANA zone of "local". */
export interface HolderZone {
  readonly mode: ReviewZone;
  readonly localZone: string;
}

/** The one scene that is open in this window. It stays open, paused, while another screen is shown. */
export interface ReviewHolder {
  readonly store: StoreApi<HeldReview>;
  readonly recent: RecentScenes;
  /** Opens a scene in place of the one before; the scene that is open already is only moved to `atMs`. */
  open(request: SceneRequest, atMs: number | null, zone: HolderZone): void;
  /** Asks anew after a failure. */
  retry(): void;
  /** The screen went out of sight: nothing plays on unseen. */
  pause(): void;
}

export function createReviewHolder(
  host: Host,
  recent = createRecentScenes(),
  keptPlace: KeptPlace = createKeptPlace(),
): ReviewHolder {
  const store = createStore<HeldReview>(() => ({ request: null, review: { status: 'loading' } }));
  let generation = 0;
  let asked: { atMs: number | null; zone: HolderZone } | null = null;

  keptPlace.keepOnLeave(() => {
    const { request, review } = store.getState();
    if (request === null || review.status !== 'ready') return null;
    const { inMs, outMs } = review.value.store.getState();
    return { key: keyOfRequest(request), atMs: review.value.clock.nowMs(), inMs, outMs };
  });

  /** Closes what is open; what the user chose in it and the next scene takes over. */
  function close(next: SceneRequest): { zone?: ReviewZone; caseId?: CaseId | null } {
    const { review } = store.getState();
    if (review.status !== 'ready') return {};
    const { zone, caseId } = review.value.store.getState();
    review.value.close();
    // Clips added to what is open are the same work; another scene may be another case.
    return next.kind === 'clips' && caseId !== null ? { zone, caseId } : { zone };
  }
  async function load(request: SceneRequest, atMs: number | null, zone: HolderZone): Promise<void> {
    const mine = ++generation;
    asked = { atMs, zone };
    const kept = close(request);
    const place = keptPlace.take(keyOfRequest(request));
    store.setState({ request, review: { status: 'loading' } });
    try {
      const value = await openReview(host, request, {
        atMs: place?.atMs ?? atMs,
        zone: zone.mode,
        localZone: zone.localZone,
        ...kept,
      });
      if (mine !== generation) return value.close();
      if (place) value.store.setState(pointsWithin(value, place));
      store.setState({ review: { status: 'ready', value } });
      recent.add(request, value.store.getState().scene.title);
    } catch (error) {
      if (mine === generation) store.setState({ review: { status: 'failed', error } });
    }
  }
  return {
    store,
    recent,
    open(request, atMs, zone) {
      const now = store.getState();
      const isSame = now.request !== null && sameRequest(now.request, request);
      if (isSame && now.review.status === 'loading') return;
      if (isSame && now.review.status === 'ready') {
        if (atMs !== null) now.review.value.clock.seek(atMs);
        return;
      }
      void load(request, atMs, zone);
    },
    retry() {
      const { request } = store.getState();
      if (request !== null && asked) void load(request, asked.atMs, asked.zone);
    },
    pause() {
      const { review } = store.getState();
      if (review.status === 'ready') review.value.clock.pause();
    },
  };
}

/** In and out of before, as far as they lie in the scene as it is now. Pure. */
function pointsWithin(review: Review, { inMs, outMs }: Pick<ScenePlace, 'inMs' | 'outMs'>) {
  const { fromMs, toMs } = review.store.getState().scene;
  const within = (ms: number | null) => (ms !== null && ms >= fromMs && ms <= toMs ? ms : null);
  return { inMs: within(inMs), outMs: within(outMs) };
}

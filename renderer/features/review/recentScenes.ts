import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { sceneRequestSchema, type SceneRequest } from '../../../shared/contract/review.ts';
import { keyOfRequest } from './sceneRequest.ts';

export interface RecentScene {
  readonly request: SceneRequest;
  readonly title: string;
  readonly openedAtMs: number;
}
export interface RecentScenes {
  readonly store: StoreApi<{ readonly scenes: readonly RecentScene[] }>;
  /** Puts a scene on top. */
  add(request: SceneRequest, title: string): void;
  /** Takes one out, for what is no longer there. */
  remove(request: SceneRequest): void;
}

const storageKey = 'desk.review.recent';
const kept = 8;
const storedSchema = z.array(
  z.object({ request: sceneRequestSchema, title: z.string().max(500), openedAtMs: z.number().finite() }),
);

/** What was written before, or nothing where it is of another form. Pure. */
export function parseRecent(text: string | null): readonly RecentScene[] {
  try {
    const read = storedSchema.safeParse(JSON.parse(text ?? '[]'));
    return read.success ? read.data.slice(0, kept) : [];
  } catch {
    return [];
  }
}

/** The scenes opened last, newest first, kept in this window's storage. */
export function createRecentScenes(storage: Storage = localStorage, now = Date.now): RecentScenes {
  const store = createStore(() => ({ scenes: parseRecent(storage.getItem(storageKey)) }));
  const keep = (scenes: readonly RecentScene[]) => {
    store.setState({ scenes });
    try {
      storage.setItem(storageKey, JSON.stringify(scenes));
    } catch {
      // A full or forbidden storage costs the list of recent scenes, nothing else.
    }
  };
  const others = (request: SceneRequest) => {
    const key = keyOfRequest(request);
    return store.getState().scenes.filter((one) => keyOfRequest(one.request) !== key);
  };
  return {
    store,
    add: (request, title) => keep([{ request, title, openedAtMs: now() }, ...others(request)].slice(0, kept)),
    remove: (request) => keep(others(request)),
  };
}

import { z } from 'zod';

/** Where the user was in a scene: the clock, and the in and out points that were not kept as a range yet. */
export interface ScenePlace {
  /** `keyOfRequest` of the scene. */
  readonly key: string;
  readonly atMs: number;
  readonly inMs: number | null;
  readonly outMs: number | null;
}
export interface KeptPlace {
  /** What the window showed when it was loaded anew; once only, for the first scene that is opened. */
  take(key: string): ScenePlace | null;
  /** Calls `placeNow` as the window goes. */
  keepOnLeave(placeNow: () => ScenePlace | null): void;
}

const storageKey = 'desk.review.place';
const point = z.number().finite().nullable();
const storedSchema = z.object({ key: z.string(), atMs: z.number().finite(), inMs: point, outMs: point });

/** What was written before, or null where it is of another form. Pure. */
export function parsePlace(text: string | null): ScenePlace | null {
  try {
    return storedSchema.safeParse(JSON.parse(text ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}

/** Keeps the place over a reload of this window; another window has its own. */
export function createKeptPlace(storage: Storage = sessionStorage, leaving: EventTarget = window): KeptPlace {
  let found = parsePlace(storage.getItem(storageKey));
  storage.removeItem(storageKey);
  return {
    take(key) {
      const place = found;
      found = null;
      return place?.key === key ? place : null;
    },
    keepOnLeave(placeNow) {
      leaving.addEventListener('pagehide', () => {
        const place = placeNow();
        try {
          if (place) storage.setItem(storageKey, JSON.stringify(place));
        } catch {
          // A full or forbidden storage costs the place, nothing else.
        }
      });
    },
  };
}

/**
 * Lets videos seek one after the other. Seeks at the same time share the decoder's cores and all end late: one after
 * the other, the first picture is there after half the time and the second no later.
 */
export interface SeekTurns {
  /** True: seek now, and call `done` when it ended. False: `retry` is called when there is room. */
  take(who: object, retry: () => void): boolean;
  /** A seek ended, or will never end (unloaded, failed). */
  done(who: object): void;
}

/** A seek that takes longer waits for its file, not for a core: nobody waits for it. */
const longestTurnMs = 120;

export function createSeekTurns(): SeekTurns {
  let holder: object | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Map<object, () => void>();

  function next(): void {
    clearTimeout(timer);
    holder = null;
    const [first] = waiting;
    if (!first) return;
    waiting.delete(first[0]);
    first[1]();
  }
  return {
    take(who, retry) {
      if (holder !== null && holder !== who) {
        waiting.set(who, retry);
        return false;
      }
      waiting.delete(who);
      holder = who;
      clearTimeout(timer);
      timer = setTimeout(next, longestTurnMs);
      return true;
    },
    done(who) {
      waiting.delete(who);
      if (holder === who) next();
    },
  };
}

/**
 * Something read from the core that stays on screen while it is read again, and when reading it again fails: what was
 * fetched once stays readable offline.
 */
export interface Kept<T> {
  /** Null until there was an answer. */
  readonly value: T | null;
  /** Why the latest read failed; null when it did not. */
  readonly error: unknown;
  readonly isReading: boolean;
}

export const nothingKept: Kept<never> = { value: null, error: null, isReading: false };

/** Reads of one thing: a reply that comes after a later read, or after `forget`, is dropped. */
export function createKeptReader<T>(get: () => Kept<T>, set: (kept: Kept<T>) => void) {
  let latest = 0;
  return {
    async read(ask: () => Promise<T>): Promise<void> {
      const mine = ++latest;
      set({ ...get(), isReading: true });
      try {
        const value = await ask();
        if (mine === latest) set({ value, error: null, isReading: false });
      } catch (error) {
        if (mine === latest) set({ ...get(), error, isReading: false });
      }
    },
    /** Drops what is kept and whatever is on its way. */
    forget(): void {
      latest += 1;
      set(nothingKept);
    },
  };
}

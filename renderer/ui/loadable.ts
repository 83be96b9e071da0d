/** What a view knows of something that is read from the core. */
export type Loadable<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'ready'; readonly value: T };

export const loading: Loadable<never> = { status: 'loading' };

/**
 * Runs reads of one thing so that a stale reply is dropped: only the answer to the latest `read` is set. What was
 * shown stays while it is read again.
 */
export function createReader<T>(
  set: (state: Loadable<T>) => void,
): (read: () => Promise<T>) => Promise<void> {
  let latest = 0;
  return async (read) => {
    const mine = ++latest;
    try {
      const value = await read();
      if (mine === latest) set({ status: 'ready', value });
    } catch (error) {
      if (mine === latest) set({ status: 'failed', error });
    }
  };
}

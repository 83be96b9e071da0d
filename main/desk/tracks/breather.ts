/** How long work may go on before other requests of the desk get their turn. */
const breathMs = 12;

/** Lets a long request make room for others: `await breather.pause()` between two pieces of work. */
export interface Breather {
  pause(): Promise<void>;
}

/** Yields to the event loop when `breathMs` have gone by since the last time; otherwise goes straight on. */
export function createBreather(): Breather {
  let since = performance.now();
  return {
    async pause() {
      if (performance.now() - since < breathMs) return;
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    },
  };
}

import type { Result } from '../errors.ts';

/** The Electron host's two channels; nothing else crosses between its window and its main process. */
export const bridgeChannels = { request: 'desk:request', event: 'desk:event' } as const;

/** Where the Electron window lives: its own scheme, one host. */
export const windowOrigin = 'app://desk';

/** What the preload puts on `window.desk`: the contract's transport, unchecked; the main side checks. */
export interface DeskBridge {
  request(name: string, input: unknown): Promise<Result<unknown>>;
  /** Returns the function that ends the subscription. */
  subscribe(name: string, listener: (payload: unknown) => void): () => void;
}

import type { DeskBridge } from '../../../shared/contract/bridge.ts';
import { createConnection } from './connection.ts';
import type { HostLink } from './host.ts';
import { uploadBySlices } from './uploadBySlices.ts';

declare global {
  interface Window {
    /** Put there by the preload of the desktop window; absent in a browser. */
    readonly desk?: DeskBridge;
  }
}

/**
 * The contract over the preload's bridge; files and media go through the window's own scheme, at the same paths as
 * over HTTP. The core lives and dies with the window's process, so the connection is never lost.
 */
export function createElectronLink(bridge: DeskBridge): HostLink {
  return {
    transport: {
      request: (name, input) => bridge.request(name, input),
      subscribe: (name, listener) => bridge.subscribe(name, listener),
    },
    connection: createConnection(),
    upload: (file, options) => uploadBySlices('/api/upload/part', file, options),
    mediaUrl: (mediaPath) => `/${mediaPath.replace(/^\/+/, '')}`,
  };
}

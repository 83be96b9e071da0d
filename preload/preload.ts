import { contextBridge, ipcRenderer } from 'electron';
import { bridgeChannels, type DeskBridge } from '../shared/contract/bridge.ts';
import type { Result } from '../shared/errors.ts';

/** Exposes exactly the contract. No logic, and Electron's own event object never reaches the window. */
const bridge: DeskBridge = {
  request: (name, input): Promise<Result<unknown>> => ipcRenderer.invoke(bridgeChannels.request, name, input),
  subscribe(name, listener) {
    const filter = (_event: unknown, which: unknown, payload: unknown): void => {
      if (which === name) listener(payload);
    };
    ipcRenderer.on(bridgeChannels.event, filter);
    return () => {
      ipcRenderer.off(bridgeChannels.event, filter);
    };
  },
};
contextBridge.exposeInMainWorld('desk', bridge);

import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';
import { bridgeChannels, windowOrigin } from '../../../shared/contract/bridge.ts';
import type { RequestName } from '../../../shared/contract/index.ts';
import type { Result } from '../../../shared/errors.ts';
import type { DeskConnection } from '../../desk/deskConnection.ts';
import { isOwnUrl } from './security.ts';

const refused: Result<never> = {
  ok: false,
  error: { code: 'unauthorized', message: 'Only the window of Evidence Desk may ask this.' },
};

/** The window's own top frame, on its own page; a frame inside it or another contents is nobody. */
export function isOwnSender(event: IpcMainInvokeEvent, contents: WebContents | null): boolean {
  const frame = event.senderFrame;
  return (
    contents !== null &&
    event.sender === contents &&
    frame !== null &&
    frame.parent === null &&
    frame.origin === windowOrigin &&
    isOwnUrl(frame.url)
  );
}

/**
 * Carries the contract over one channel each way. The sender is checked here, the input by the dispatcher in
 * the desk's thread. Returns the function that ends it.
 */
export function bindIpc(options: {
  readonly ipcMain: IpcMain;
  readonly desk: DeskConnection;
  readonly contents: () => WebContents | null;
}): () => void {
  const { ipcMain, desk, contents } = options;
  ipcMain.handle(bridgeChannels.request, async (event, name: unknown, input: unknown) => {
    if (!isOwnSender(event, contents())) return refused;
    // The dispatcher answers names that it does not know, this one too, with an error.
    const asked = (typeof name === 'string' ? name : '') as RequestName;
    return desk.transport.request(asked, input ?? {});
  });
  const stop = desk.subscribeAll((name, payload) => {
    const target = contents();
    if (target && !target.isDestroyed()) target.send(bridgeChannels.event, name, payload);
  });
  return () => {
    stop();
    ipcMain.removeHandler(bridgeChannels.request);
  };
}

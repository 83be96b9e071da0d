import type { BrowserWindowConstructorOptions, Session, Shell, WebContents } from 'electron';
import { windowOrigin } from '../../../shared/contract/bridge.ts';

/**
 * What the window may do, as data and as handlers: reliability.md "Electron baseline". Everything is denied;
 * the few exceptions stand here with their reason.
 */

/** Links that the window or the menu may hand to the system's browser. Nothing else is ever opened. */
export const externalLinks = [
  'https://www.rfc-editor.org/rfc/rfc8493',
  'https://docs.protomaps.com/basemaps/downloads',
] as const;
export type ExternalLink = (typeof externalLinks)[number];

/** Copying coordinates and hashes on a click. Reading the clipboard stays denied. */
const allowedPermissions: readonly string[] = ['clipboard-sanitized-write'];

/** Settings of every window. `isPackaged` takes the developer tools away. */
export function webPreferences(
  preloadPath: string,
  isPackaged: boolean,
): NonNullable<BrowserWindowConstructorOptions['webPreferences']> {
  return {
    preload: preloadPath,
    sandbox: true,
    contextIsolation: true,
    webSecurity: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    // The spell checker fetches its dictionaries from the network.
    spellcheck: false,
    devTools: !isPackaged,
  };
}

/** True for the window's own pages; the origin of a custom scheme is "null" to URL, so the parts are compared. */
export function isOwnUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && `${url.protocol}//${url.host}` === windowOrigin && url.username === '' && url.port === ''
  );
}

/** Only a link of the list, to the letter, reaches the system's browser. */
export async function openExternal(shell: Pick<Shell, 'openExternal'>, link: string): Promise<boolean> {
  if (!externalLinks.some((allowed) => allowed === link)) return false;
  await shell.openExternal(link);
  return true;
}

/** Keeps contents of any kind where they are: no navigation away, no windows, no webviews. */
export function hardenContents(contents: WebContents, shell: Pick<Shell, 'openExternal'>): void {
  const stay = (event: { url: string; preventDefault(): void }): void => {
    if (!isOwnUrl(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    void openExternal(shell, url);
    return { action: 'deny' };
  });
}

export interface BlockedRequests {
  /** How many requests to foreign places were stopped since the start. */
  count(): number;
}

const innerSchemes: readonly string[] = ['blob:', 'data:', 'devtools:'];

/**
 * Denies permissions and devices, and stops every request that leaves the app: the promise "no network unless
 * asked" does not rest on the page. `tileOrigin` is the one that the user's own setting may allow.
 */
export function hardenSession(
  session: Session,
  options: {
    readonly tileOrigin: () => string | null;
    readonly onBlocked: (origin: string) => void;
  },
): BlockedRequests {
  session.setPermissionRequestHandler((contents, permission, callback) => {
    callback(allowedPermissions.includes(permission) && isOwnUrl(contents.getURL()));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => {
    return allowedPermissions.includes(permission) && isOwnUrl(origin);
  });
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.on('will-download', (event, item) => {
    // Packages and originals, by their media address; never what some page came up with.
    const url = item.getURL();
    const isMedia = isOwnUrl(url) && (URL.parse(url)?.pathname.startsWith('/media/') ?? false);
    if (!isMedia && !url.startsWith(`blob:${windowOrigin}/`)) event.preventDefault();
  });

  let blocked = 0;
  session.webRequest.onBeforeRequest({ urls: ['<all_urls>'] }, (details, callback) => {
    const url = URL.parse(details.url);
    const isInner = isOwnUrl(details.url) || (url !== null && innerSchemes.includes(url.protocol));
    const isTile = url !== null && url.origin === options.tileOrigin() && details.resourceType === 'image';
    if (isInner || isTile) return callback({});
    blocked += 1;
    options.onBlocked(url === null ? 'unknown' : `${url.protocol}//${url.host}`);
    callback({ cancel: true });
  });
  return { count: () => blocked };
}

import path from 'node:path';
import type * as electronModule from 'electron';
import type { BrowserWindow, OpenDialogOptions } from 'electron';
import { windowOrigin } from '../../../shared/contract/bridge.ts';
import { AppError, toErrorData, type AppErrorData } from '../../../shared/errors.ts';
import { setAsideCorruptCache } from '../../desk/damagedCache.ts';
import type { HostAbilities } from '../../desk/deps.ts';
import { connectDesk, type DeskConnection } from '../../desk/deskConnection.ts';
import { defaultConfigFolder, defaultDataFolder } from '../../desk/folders.ts';
import { createFileSecretStore } from '../../desk/secretFile.ts';
import { tileOrigin } from '../../desk/settings.ts';
import { appScheme, createAppProtocol } from './appProtocol.ts';
import { bindIpc } from './ipc.ts';
import { createKeychain } from './keychain.ts';
import { parseLaunchArguments } from './launch.ts';
import { importFilters, menuTemplate } from './menu.ts';
import {
  hardenContents,
  hardenSession,
  openExternal,
  webPreferences,
  type BlockedRequests,
} from './security.ts';
import { readWindowState, rememberWindow, smallestWindow } from './windowState.ts';

type Electron = typeof electronModule;

export interface ElectronHostOptions {
  readonly rendererFolder: string;
  readonly preloadPath: string;
  readonly iconPath: string;
  readonly samplePath: string | null;
  readonly appVersion: string;
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Where the window's place and Chromium's own files go; the user's configuration folder by default. */
  readonly configFolder?: string;
  readonly onBug?: (where: string, thrown: unknown) => void;
}

/** The running host, for tests; the app itself needs nothing of it. */
export interface ElectronHost {
  readonly desk: DeskConnection;
  readonly blocked: BlockedRequests;
  window(): BrowserWindow | null;
}

/** Named so that a setting of the session can't be shared with another partition by mistake. */
const partition = 'persist:evidence-desk';

function logBug(where: string, thrown: unknown): void {
  console.error(`evidence-desk: ${where}:`, thrown);
}

/**
 * Starts the app: one instance, one desk, one window. Call it before the app is ready (schemes are registered
 * first). Takes Electron as a value, so that only the entry file imports it. Resolves to null when there was
 * nothing to start: a second instance, or a data folder that can't be opened (said in a dialogue).
 */
export async function startElectronHost(
  electron: Electron,
  options: ElectronHostOptions,
): Promise<ElectronHost | null> {
  const { app, dialog, protocol } = electron;
  const onBug = options.onBug ?? logBug;
  const configFolder =
    options.configFolder ??
    defaultConfigFolder({
      environment: options.environment,
      platform: options.platform,
      homeFolder: app.getPath('home'),
    });

  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([appScheme]);
  app.setPath('userData', path.join(configFolder, 'electron'));
  if (!app.requestSingleInstanceLock()) {
    console.error('Evidence Desk is open already; its window comes to the front.');
    app.quit();
    return null;
  }
  app.on('web-contents-created', (_event, contents) => hardenContents(contents, electron.shell));

  await app.whenReady();
  try {
    return await open(electron, options, configFolder, onBug);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) onBug('start', thrown);
    const error = toErrorData(thrown);
    if (error.code === 'cache_corrupt' && wantsFreshCache(dialog, error)) {
      setAsideCorruptCache(chooseDataFolder(electron, options));
      app.relaunch();
      app.exit(0);
      return null;
    }
    dialog.showErrorBox(
      'Evidence Desk can’t open',
      [error.message, error.remedy].filter(Boolean).join('\n\n'),
    );
    app.exit(1);
    return null;
  }
}

/** A damaged cache is set aside only when the user says so; the app then starts anew on a fresh one. */
function wantsFreshCache(dialog: Electron['dialog'], error: AppErrorData): boolean {
  const choice = dialog.showMessageBoxSync({
    type: 'error',
    title: 'Evidence Desk can’t open',
    message: error.message,
    detail:
      'The damaged file can be kept under another name and a fresh cache begun. The original files stay in any case.',
    buttons: ['Quit', 'Set it aside and begin afresh'],
    defaultId: 0,
    cancelId: 0,
  });
  return choice === 1;
}

function chooseDataFolder(electron: Electron, options: ElectronHostOptions): string {
  return (
    parseLaunchArguments(options.argv).dataFolder ??
    defaultDataFolder({
      environment: options.environment,
      platform: options.platform,
      homeFolder: electron.app.getPath('home'),
    })
  );
}

function createAbilities(
  electron: Electron,
  options: ElectronHostOptions,
  configFolder: string,
  dataFolder: string,
) {
  const fallback = createFileSecretStore({ configFolder, dataFolder, environment: options.environment });
  const keychain = createKeychain(electron.safeStorage, fallback, options.platform);
  const abilities: HostAbilities = {
    info: { host: 'electron', canRevealInFolder: true, canPickFiles: true, secretStore: keychain.kind },
    protectSecret: keychain.protectSecret,
    revealSecret: keychain.revealSecret,
    async revealInFolder(file) {
      electron.shell.showItemInFolder(file);
    },
  };
  return abilities;
}

async function open(
  electron: Electron,
  options: ElectronHostOptions,
  configFolder: string,
  onBug: (where: string, thrown: unknown) => void,
): Promise<ElectronHost> {
  const { app, dialog, ipcMain, Menu, shell } = electron;
  const dataFolder = chooseDataFolder(electron, options);
  const desk = await connectDesk({
    dataFolder: path.resolve(dataFolder),
    abilities: createAbilities(electron, options, configFolder, dataFolder),
    runner: 'worker',
    appVersion: options.appVersion,
    samplePath: options.samplePath,
    onBug,
  });

  let tiles: string | null = null;
  try {
    tiles = tileOrigin(await desk.client.invoke('settings.get', {}));
  } catch (thrown) {
    await desk.close();
    throw thrown;
  }
  desk.client.on('settings.changed', (settings) => {
    tiles = tileOrigin(settings);
  });

  const session = electron.session.fromPartition(partition);
  const told = new Set<string>();
  const blocked = hardenSession(session, {
    tileOrigin: () => tiles,
    onBlocked: (origin) => {
      if (!told.has(origin)) console.error(`evidence-desk: a request to ${origin} was blocked.`);
      told.add(origin);
    },
  });
  session.protocol.handle(
    appScheme.scheme,
    createAppProtocol({ desk, rendererFolder: options.rendererFolder, tileOrigin: () => tiles, onBug }),
  );

  let window: BrowserWindow | null = null;
  const showWindow = (): void => {
    if (!window) {
      window = createWindow(electron, options, configFolder);
      window.on('closed', () => {
        window = null;
      });
      watchForCrash(electron, window);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  bindIpc({ ipcMain, desk, contents: () => window?.webContents ?? null });

  const importFiles = async (): Promise<void> => {
    const settings: OpenDialogOptions = {
      properties: ['openFile', 'multiSelections'],
      filters: importFilters,
    };
    const { canceled, filePaths } = window
      ? await dialog.showOpenDialog(window, settings)
      : await dialog.showOpenDialog(settings);
    if (canceled || filePaths.length === 0) return;
    // What becomes of it is in the job tray, errors and all.
    await desk.importFiles(filePaths).catch((thrown: unknown) => {
      if (!(thrown instanceof AppError)) onBug('import', thrown);
    });
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      menuTemplate(
        {
          importFiles: () => void importFiles(),
          openLink: (link) => void openExternal(shell, link),
          showAbout: () => app.showAboutPanel(),
        },
        { platform: options.platform, isPackaged: app.isPackaged },
      ),
    ),
  );
  app.setAboutPanelOptions({ applicationName: 'Evidence Desk', applicationVersion: options.appVersion });

  app.on('second-instance', showWindow);
  app.on('activate', showWindow);
  app.on('window-all-closed', () => {
    if (options.platform !== 'darwin') app.quit();
  });
  closeBeforeQuit(electron, desk);
  desk.onCrash((error) => {
    dialog.showErrorBox('Evidence Desk has stopped', `${error.message}\n\n${error.remedy ?? ''}`);
    app.exit(1);
  });
  showWindow();
  return { desk, blocked, window: () => window };
}

function createWindow(electron: Electron, options: ElectronHostOptions, configFolder: string): BrowserWindow {
  const stateFile = path.join(configFolder, 'window.json');
  const screens = electron.screen.getAllDisplays().map((display) => display.workArea);
  const { isMaximized, ...bounds } = readWindowState(stateFile, screens);
  const window = new electron.BrowserWindow({
    ...bounds,
    minWidth: smallestWindow.width,
    minHeight: smallestWindow.height,
    title: 'Evidence Desk',
    show: false,
    backgroundColor: electron.nativeTheme.shouldUseDarkColors ? '#1a1b1e' : '#ffffff',
    icon: options.iconPath,
    webPreferences: {
      ...webPreferences(options.preloadPath, electron.app.isPackaged),
      partition,
    },
  });
  rememberWindow(window, stateFile);
  window.once('ready-to-show', () => {
    if (isMaximized) window.maximize();
    window.show();
  });
  void window.loadURL(`${windowOrigin}/`);
  return window;
}

/** A window whose process is gone says so, and comes back when asked to; the desk's own work went on. */
function watchForCrash(electron: Electron, window: BrowserWindow): void {
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || window.isDestroyed()) return;
    const choice = electron.dialog.showMessageBoxSync(window, {
      type: 'error',
      title: 'Evidence Desk',
      message: 'The window has stopped working.',
      detail: `Imports and seals that were running have gone on. (${details.reason})`,
      buttons: ['Open it again', 'Quit'],
      defaultId: 0,
      cancelId: 1,
    });
    if (choice === 0) void window.loadURL(`${windowOrigin}/`);
    else electron.app.quit();
  });
}

/** Quitting waits until jobs are ended and the cache is closed; once. */
function closeBeforeQuit(electron: Electron, desk: DeskConnection): void {
  let state: 'open' | 'closing' | 'closed' = 'open';
  electron.app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    void desk.close().finally(() => {
      state = 'closed';
      electron.app.quit();
    });
  });
}

import { EventEmitter } from 'node:events';
import type * as electronModule from 'electron';
import { vi } from 'vitest';

/**
 * A stand-in for the `electron` module, true to it where the host touches it: emitters emit, handlers are kept
 * to be called, settings are kept to be looked at. Electron itself can't run in a test process.
 */
export class FakeContents extends EventEmitter {
  url = 'app://desk/';
  openHandler: ((details: { url: string }) => { action: string }) | null = null;
  readonly sent: unknown[][] = [];
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }
  getURL(): string {
    return this.url;
  }
  isDestroyed(): boolean {
    return false;
  }
  send(...args: unknown[]): void {
    this.sent.push(args);
  }
}

type PermissionRequest = (contents: FakeContents, permission: string, answer: (yes: boolean) => void) => void;
type PermissionCheck = (contents: FakeContents | null, permission: string, origin: string) => boolean;
interface RequestDetails {
  readonly url: string;
  readonly resourceType: string;
}
type BeforeRequest = (details: RequestDetails, answer: (decision: { cancel?: boolean }) => void) => void;

export class FakeSession extends EventEmitter {
  permissionRequest: PermissionRequest = () => {};
  permissionCheck: PermissionCheck = () => true;
  devicePermission: () => boolean = () => true;
  hasSpellChecker = true;
  urls: readonly string[] = [];
  beforeRequest: BeforeRequest = (_details, answer) => answer({});
  readonly handlers = new Map<string, (request: Request) => Promise<Response>>();
  readonly protocol = {
    handle: (scheme: string, handler: (request: Request) => Promise<Response>) => {
      this.handlers.set(scheme, handler);
    },
  };
  readonly webRequest = {
    onBeforeRequest: (filter: { urls: readonly string[] }, listener: BeforeRequest) => {
      this.urls = filter.urls;
      this.beforeRequest = listener;
    },
  };
  setPermissionRequestHandler(handler: PermissionRequest): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: PermissionCheck): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: () => boolean): void {
    this.devicePermission = handler;
  }
  setSpellCheckerEnabled(isEnabled: boolean): void {
    this.hasSpellChecker = isEnabled;
  }
  /** What the session decides about one request of the page. */
  decide(url: string, resourceType = 'xhr'): 'allowed' | 'blocked' {
    let decision: { cancel?: boolean } = {};
    this.beforeRequest({ url, resourceType }, (given) => (decision = given));
    return decision.cancel ? 'blocked' : 'allowed';
  }
}

export class FakeWindow extends EventEmitter {
  static readonly all: FakeWindow[] = [];
  readonly options: Record<string, unknown>;
  readonly webContents = new FakeContents();
  readonly loaded: string[] = [];
  readonly did: string[] = [];
  isSmall = false;
  constructor(options: Record<string, unknown>) {
    super();
    this.options = options;
    FakeWindow.all.push(this);
  }
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
  }
  show(): void {
    this.did.push('show');
  }
  focus(): void {
    this.did.push('focus');
  }
  maximize(): void {
    this.did.push('maximize');
  }
  restore(): void {
    this.did.push('restore');
  }
  isMinimized(): boolean {
    return this.isSmall;
  }
  isMaximized(): boolean {
    return false;
  }
  isDestroyed(): boolean {
    return false;
  }
  getNormalBounds() {
    return { x: 10, y: 20, width: 1500, height: 950 };
  }
}

type InvokeHandler = (event: unknown, ...args: unknown[]) => Promise<unknown>;

export function createFakeElectron(options: { isFirst?: boolean; isPackaged?: boolean } = {}) {
  const session = new FakeSession();
  const invokeHandlers = new Map<string, InvokeHandler>();
  const calls: string[] = [];
  const quits = Promise.withResolvers<void>();
  const app = Object.assign(new EventEmitter(), {
    isPackaged: options.isPackaged ?? true,
    enableSandbox: () => void calls.push('enableSandbox'),
    setPath: vi.fn(),
    getPath: () => '/nonexistent/home',
    requestSingleInstanceLock: () => options.isFirst ?? true,
    whenReady: async () => void calls.push('ready'),
    setAboutPanelOptions: vi.fn(),
    showAboutPanel: vi.fn(),
    exit: vi.fn(),
    relaunch: vi.fn(),
    quit: vi.fn(() => {
      const event = { isPrevented: false, preventDefault: () => (event.isPrevented = true) };
      app.emit('before-quit', event);
      if (!event.isPrevented) quits.resolve();
    }),
  });
  const electron = {
    app,
    protocol: {
      registerSchemesAsPrivileged: (schemes: { scheme: string; privileges: object }[]) => {
        calls.push(`scheme ${schemes.map((one) => one.scheme).join()}`);
        electron.schemes = schemes;
      },
    },
    schemes: [] as { scheme: string; privileges: object }[],
    dialog: {
      showErrorBox: vi.fn(),
      showMessageBoxSync: vi.fn(() => 0),
      showOpenDialog: vi.fn(async () => ({ canceled: true, filePaths: [] as string[] })),
    },
    ipcMain: {
      handle: (channel: string, handler: InvokeHandler) => void invokeHandlers.set(channel, handler),
      removeHandler: (channel: string) => void invokeHandlers.delete(channel),
    },
    Menu: { buildFromTemplate: vi.fn((template: unknown) => template), setApplicationMenu: vi.fn() },
    nativeTheme: { shouldUseDarkColors: false },
    safeStorage: createFakeKeychain(),
    screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] },
    session: {
      partitions: [] as string[],
      fromPartition(name: string) {
        this.partitions.push(name);
        return session;
      },
    },
    shell: { openExternal: vi.fn(async () => {}), showItemInFolder: vi.fn() },
    BrowserWindow: FakeWindow,
  };
  return {
    electron: electron as unknown as typeof electronModule, // as much of it as the host uses
    fake: electron,
    fakeSession: session,
    invokeHandlers,
    calls,
    quits: quits.promise,
  };
}

/** A keychain that reverses the text: enough to see what went through it. */
export function createFakeKeychain(backend = 'gnome_libsecret', isAvailable = true) {
  const reverse = (text: string) => [...text].reverse().join('');
  return {
    isEncryptionAvailable: () => isAvailable,
    getSelectedStorageBackend: () => backend,
    encryptStringAsync: vi.fn(async (text: string) => Buffer.from(reverse(text))),
    decryptStringAsync: vi.fn(async (sealed: Buffer) => ({
      result: reverse(sealed.toString()),
      shouldReEncrypt: false,
    })),
  };
}

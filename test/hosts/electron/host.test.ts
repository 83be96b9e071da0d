import fs from 'node:fs';
import path from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bridgeChannels } from '../../../shared/contract/bridge.ts';
import { startElectronHost, type ElectronHost } from '../../../main/hosts/electron/host.ts';
import { aCsv, aDesk, aFile, aPlace, type Place } from '../../desk/aDesk.ts';
import { uploadBySlices } from '../../../renderer/app/client/uploadBySlices.ts';
import { createFakeElectron, FakeWindow } from './fakeElectron.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let place: Place;
let running: ElectronHost | null;
beforeEach(() => {
  place = aPlace();
  running = null;
  FakeWindow.all.length = 0;
  fs.mkdirSync(path.join(place.root, 'renderer'));
  fs.writeFileSync(
    path.join(place.root, 'renderer', 'index.html'),
    '<!doctype html><title>Evidence Desk</title>',
  );
  fs.writeFileSync(path.join(place.root, 'outside.js'), 'not the window’s');
});
afterEach(async () => {
  await running?.desk.close();
  place.remove();
});

/** Starts the host on a fake Electron with a real desk. */
async function started(fake = createFakeElectron(), platform: NodeJS.Platform = 'linux') {
  running = await startElectronHost(fake.electron, {
    rendererFolder: path.join(place.root, 'renderer'),
    preloadPath: '/app/preload.cjs',
    iconPath: '/app/icon.png',
    samplePath: null,
    appVersion: '1.2.3',
    argv: ['electron', '.', '--data-dir', place.dataFolder],
    environment: {},
    platform,
    configFolder: place.configFolder,
  });
  const window = FakeWindow.all[0];
  const ask = (event: unknown, name: unknown, input?: unknown) =>
    fake.invokeHandlers.get(bridgeChannels.request)?.(event, name, input);
  /** What Electron hands over when the window's own page asks. */
  const own = (frame: object = {}) => ({
    sender: window?.webContents,
    senderFrame: { url: 'app://desk/', origin: 'app://desk', parent: null, ...frame },
  });
  const fetchApp = (url: string, init: RequestInit = {}): Promise<Response> => {
    const handler = fake.fakeSession.handlers.get('app');
    if (!handler) throw new Error('The scheme has no handler.');
    // A Request would tidy the address before the host could see it; Chromium hands it over as a text too.
    const request = new Request('http://x/', {
      ...init,
      ...(init.body ? { duplex: 'half' } : {}),
    } as RequestInit);
    return handler(Object.defineProperty(request, 'url', { value: url }));
  };
  return { ...fake, host: running, window, ask, own, fetchApp };
}

describe('the start of the app', () => {
  it('turns the sandbox on and registers its scheme before Electron is ready', async () => {
    const { calls, fake } = await started();
    expect(calls).toEqual(['enableSandbox', 'scheme app', 'ready']);
    expect(fake.schemes).toEqual([
      {
        scheme: 'app',
        privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
      },
    ]);
  });

  it('opens one locked-down window on its own scheme', async () => {
    const { window, fake } = await started();
    expect(FakeWindow.all).toHaveLength(1);
    expect(window?.loaded).toEqual(['app://desk/']);
    expect(window?.options).toMatchObject({
      minWidth: 1280,
      minHeight: 800,
      show: false,
      webPreferences: {
        preload: '/app/preload.cjs',
        sandbox: true,
        contextIsolation: true,
        webSecurity: true,
        nodeIntegration: false,
        webviewTag: false,
        devTools: false,
        partition: fake.session.partitions[0],
      },
    });
    expect(window?.did).toEqual([]);
    window?.emit('ready-to-show');
    expect(window?.did).toEqual(['show']);
  });

  it('keeps every contents that comes to be where it is', async () => {
    const { electron, window } = await started();
    const contents = window!.webContents;
    electron.app.emit('web-contents-created', {}, contents);
    const preventDefault = vi.fn();
    contents.emit('will-navigate', { url: 'https://evil.example/', preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
    expect(contents.openHandler?.({ url: 'https://evil.example/' })).toEqual({ action: 'deny' });
  });

  it('blocks and counts foreign requests, and follows the user’s tile setting', async () => {
    const { fakeSession, host } = await started();
    expect(fakeSession.decide('https://tiles.example/1/2/3.png', 'image')).toBe('blocked');
    expect(host?.blocked.count()).toBe(1);
    await host?.desk.client.invoke('settings.set', {
      onlineTileUrl: 'https://tiles.example/{z}/{x}/{y}.png',
    });
    expect(fakeSession.decide('https://tiles.example/1/2/3.png', 'image')).toBe('allowed');
    expect(fakeSession.decide('https://other.example/1/2/3.png', 'image')).toBe('blocked');
  });

  it('gives way to the instance that runs already, whose window comes to the front', async () => {
    const first = await started();
    first.window!.isSmall = true;
    first.electron.app.emit('second-instance', {});
    expect(first.window?.did).toEqual(['restore', 'show', 'focus']);
    expect(FakeWindow.all).toHaveLength(1);

    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    const second = createFakeElectron({ isFirst: false });
    const keep = running;
    expect((await started(second)).host).toBeNull();
    running = keep;
    expect(second.fake.app.quit).toHaveBeenCalledOnce();
    expect(said).toHaveBeenCalledWith(expect.stringContaining('open already'));
    expect(FakeWindow.all).toHaveLength(1);
    said.mockRestore();
  });

  it('says what is wrong when the data folder can’t be opened, and ends', async () => {
    const other = await aDesk(place);
    const { fake, host } = await started();
    await other.close();
    expect(host).toBeNull();
    expect(fake.dialog.showErrorBox).toHaveBeenCalledExactlyOnceWith(
      'Evidence Desk can’t open',
      expect.stringMatching(/\n\n/),
    );
    expect(fake.app.exit).toHaveBeenCalledWith(1);
    expect(FakeWindow.all).toEqual([]);
  });

  it('sets a damaged cache aside only when the user says so, and then starts anew', async () => {
    const cacheFile = path.join(place.dataFolder, 'cache.sqlite');
    fs.mkdirSync(place.dataFolder, { recursive: true });
    fs.writeFileSync(cacheFile, 'this was a database once'.repeat(200));
    const kept = await started();
    expect(kept.host).toBeNull();
    expect(kept.fake.dialog.showMessageBoxSync).toHaveBeenCalledOnce();
    expect(kept.fake.app.relaunch).not.toHaveBeenCalled();
    expect(fs.existsSync(cacheFile)).toBe(true);

    const willing = createFakeElectron();
    willing.fake.dialog.showMessageBoxSync.mockReturnValue(1);
    expect((await started(willing)).host).toBeNull();
    expect(willing.fake.app.relaunch).toHaveBeenCalledOnce();
    expect(fs.existsSync(cacheFile)).toBe(false);
    expect(fs.readdirSync(place.dataFolder).some((name) => name.startsWith('cache-damaged-'))).toBe(true);
  });

  it('closes the cache before it quits', async () => {
    const { fake, quits } = await started();
    fake.app.quit();
    fake.app.quit();
    await quits;
    running = null;
    const next = await aDesk(place); // the folder is free
    await next.close();
  });

  it('offers to open the window again when its process is gone', async () => {
    const { fake, window } = await started();
    window?.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    expect(fake.dialog.showMessageBoxSync).toHaveBeenCalledOnce();
    expect(window?.loaded).toEqual(['app://desk/', 'app://desk/']);
    window?.webContents.emit('render-process-gone', {}, { reason: 'clean-exit' });
    expect(fake.dialog.showMessageBoxSync).toHaveBeenCalledOnce();
  });
});

describe('the window’s requests', () => {
  it('are answered, columns as they are, and checked by the contract', async () => {
    const { ask, own, host } = await started();
    await host?.desk.importFiles([aFile(place, 'a.csv', aCsv())]);
    const [trip] = (await host?.desk.client.invoke('trips.list', {})) ?? [];
    const reply = (await ask(own(), 'trips.points', { tripId: trip?.tripId })) as {
      value: { speedKmh: Float64Array };
    };
    expect([...reply.value.speedKmh]).toEqual([NaN, 1, 2, 3, 4]);
    expect(await ask(own(), 'settings.get')).toMatchObject({ ok: true });
    expect(await ask(own(), 'trips.points', { tripId: 5 })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });
    expect(await ask(own(), { toString: 1 })).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });

  it('are refused from any other sender', async () => {
    const { ask, own } = await started();
    const strangers = {
      'another contents': { ...own(), sender: {} },
      'a frame that is gone': { ...own(), senderFrame: null },
      'a frame inside the page': own({ parent: {} }),
      'a foreign page': own({ url: 'https://evil.example/', origin: 'https://evil.example' }),
      'a look-alike': own({ url: 'app://desk.evil/', origin: 'app://desk.evil' }),
      'a sandboxed page': own({ origin: 'null' }),
    };
    for (const [who, event] of Object.entries(strangers)) {
      expect(await ask(event, 'settings.get', {}), who).toMatchObject({
        ok: false,
        error: { code: 'unauthorized' },
      });
    }
  });

  it('are the only channel there is', async () => {
    const { invokeHandlers } = await started();
    expect([...invokeHandlers.keys()]).toEqual([bridgeChannels.request]);
  });

  it('are answered by events too, pushed to the window', async () => {
    const { ask, own, window } = await started();
    await ask(own(), 'cases.create', { name: 'Case 7' });
    expect(window?.webContents.sent).toContainEqual([
      bridgeChannels.event,
      'cases.changed',
      { caseId: expect.stringMatching(/^case_/) },
    ]);
  });
});

describe('app://desk/', () => {
  it('serves the window under the policy', async () => {
    const { fetchApp } = await started();
    const reply = await fetchApp('app://desk/');
    expect(reply.status).toBe(200);
    expect(await reply.text()).toContain('Evidence Desk');
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('serves nothing else: other hosts, paths out of its folder, other methods', async () => {
    const { fetchApp } = await started();
    for (const [url, status] of [
      ['app://elsewhere/index.html', 403],
      ['app://desk.evil/', 403],
      ['app://desk@evil/', 403],
      ['app://desk', 403],
      ['file:///etc/passwd', 403],
      ['app://desk/../outside.js', 404],
      ['app://desk/%2e%2e/outside.js', 404],
      ['app://desk/..%5coutside.js', 404],
      ['app://desk/..%2foutside.js', 404],
      ['app://desk/x%00.js', 404],
      ['app://desk//server/share/x.js', 404],
      ['app://desk/C:/x.js', 404],
      ['app://desk/media/source/../../cache.sqlite', 404],
      ['app://desk/media/source/%2e%2e', 404],
      ['app://desk/media/cache/x', 404],
    ] as const) {
      const reply = await fetchApp(url);
      expect(reply.status, url).toBe(status);
      expect(await reply.text()).not.toContain('not the window');
      expect(reply.headers.get('content-security-policy')).not.toBeNull();
    }
    expect((await fetchApp('app://desk/', { method: 'POST', body: 'x' })).status).toBe(405);
    expect((await fetchApp('app://desk/api/upload?name=a')).status).toBe(405);
  });

  it('takes uploads and gives media back, in ranges', async () => {
    const { fetchApp, ask, own, host } = await started();
    const content = aCsv();
    const upload = await fetchApp('app://desk/api/upload?name=a%20b.csv', { method: 'POST', body: content });
    const { value } = (await upload.json()) as { value: { uploadId: string; sizeBytes: number } };
    expect(value.sizeBytes).toBe(content.length);
    const changed = new Promise((resolve) => host?.desk.client.on('library.changed', resolve));
    await ask(own(), 'imports.start', { uploadIds: [value.uploadId] });
    await changed;
    const [source] = (await host?.desk.client.invoke('sources.list', {})) ?? [];
    expect(source?.fileName).toBe('a b.csv');
    const url = `app://desk/media/source/${source?.sourceId}`;
    expect(await (await fetchApp(url)).text()).toBe(content);
    const part = await fetchApp(url, { headers: { range: 'bytes=-5' } });
    expect([part.status, await part.text()]).toEqual([206, content.slice(-5)]);
    expect(part.headers.get('content-range')).toBe(
      `bytes ${content.length - 5}-${content.length - 1}/${content.length}`,
    );
    expect((await fetchApp(url, { headers: { range: 'bytes=0-' } })).status).toBe(206);
    expect((await fetchApp(url, { headers: { range: 'bytes=0-1,4-5' } })).status).toBe(200);
    const past = await fetchApp(url, { headers: { range: `bytes=${content.length}-` } });
    expect([past.status, past.headers.get('content-range')]).toEqual([416, `bytes */${content.length}`]);
    const head = await fetchApp(url, { method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual([String(content.length), '']);
  });

  it('keeps nothing of an upload that breaks', async () => {
    const { fetchApp } = await started();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('half')),
      pull: (controller) => controller.error(new Error('the file went away')),
    });
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    const reply = await fetchApp('app://desk/api/upload?name=a.csv', { method: 'POST', body });
    said.mockRestore();
    expect(await reply.json()).toMatchObject({ ok: false });
    expect(fs.readdirSync(path.join(place.dataFolder, 'partial', 'uploads'))).toEqual([]);
    for (const query of ['', '?name=', `?name=${'n'.repeat(1001)}`]) {
      const refused = await fetchApp(`app://desk/api/upload${query}`, { method: 'POST', body: 'x' });
      expect(await refused.json()).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    }
  });
});

describe('files handed over in slices', () => {
  /** The window's own code, with the app's scheme in place of fetch. */
  async function slices() {
    const given = await started();
    vi.stubGlobal('fetch', (target: string, init: RequestInit) =>
      given.fetchApp(`app://desk${target}`, init),
    );
    return given;
  }
  afterEach(() => void vi.unstubAllGlobals());
  const uploads = () => fs.readdirSync(path.join(place.dataFolder, 'partial', 'uploads'));
  const nineMegabytes = Buffer.alloc(9_000_000, 'evidence');

  it('come in whole, whatever their size and name, with progress', async () => {
    await slices();
    const seen: number[] = [];
    for (const content of [nineMegabytes, Buffer.from('small'), Buffer.alloc(8 * 1024 * 1024)]) {
      const file = new File([content], 'Fahrt & Wärme #1.zip');
      const uploadId = await uploadBySlices('/api/upload/part', file, {
        onProgress: (sent) => seen.push(sent),
      });
      expect(
        fs.readFileSync(path.join(place.dataFolder, 'partial', 'uploads', uploadId)).equals(content),
      ).toBe(true);
      expect(seen.at(-1)).toBe(content.length);
    }
    expect(seen).toHaveLength(3 + 1 + 2);
  });

  it('leave nothing when the window cancels, when the file can’t be read on, or when it is empty', async () => {
    await slices();
    const abort = new AbortController();
    const file = new File([nineMegabytes], 'a.zip');
    const canceled = uploadBySlices('/api/upload/part', file, {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(canceled).rejects.toMatchObject({ code: 'canceled' });
    const broken = new File([nineMegabytes], 'b.zip');
    const slice = broken.slice.bind(broken);
    broken.slice = (from = 0, to) => {
      if (from > 0) throw new DOMException('gone', 'NotReadableError');
      return slice(from, to);
    };
    await expect(uploadBySlices('/api/upload/part', broken)).rejects.toMatchObject({
      code: 'file_unreadable',
    });
    const empty = new File([], 'c.zip');
    await expect(uploadBySlices('/api/upload/part', empty)).rejects.toMatchObject({ code: 'file_empty' });
    await vi.waitFor(() => expect(uploads()).toEqual([]));
  });

  it('are refused out of order, beyond their size, or without a name', async () => {
    const { fetchApp } = await started();
    const part = async (query: string, body: string) => {
      const reply = await fetchApp(`app://desk/api/upload/part?${query}`, { method: 'POST', body });
      return reply.json() as Promise<unknown>;
    };
    const refused = { ok: false, error: { code: 'invalid_input' } };
    expect(await part('upload=upload-1&name=a&at=0&total=10', '12345')).toEqual({ ok: true, value: null });
    expect(await part('upload=upload-1&name=a&at=2&total=10', '12345')).toMatchObject(refused);
    expect(await part('upload=upload-1&name=a&at=5&total=10', '12345')).toMatchObject(refused);
    for (const query of [
      'upload=upload-2&name=a&at=0&total=3',
      'upload=upload-2&name=&at=0&total=5',
      'upload=upload-2&name=a&at=&total=5',
      'upload=upload-2&name=a&at=-1&total=5',
      'upload=../x&name=a&at=0&total=5',
      'upload=upload-2&name=a&at=5&total=10',
      '',
    ]) {
      expect(await part(query, '12345'), query).toMatchObject(refused);
    }
    await vi.waitFor(() => expect(uploads()).toEqual([]));
  });

  it('are dropped when the window is gone for a minute', async () => {
    const { fetchApp } = await started();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await fetchApp('app://desk/api/upload/part?upload=upload-1&name=a&at=0&total=10', {
      method: 'POST',
      body: '12345',
    });
    expect(uploads()).toHaveLength(1);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    await vi.waitFor(() => expect(uploads()).toEqual([]));
  });
});

describe('what only this host can do', () => {
  it('imports files chosen in the system’s dialogue', async () => {
    const { fake, host } = await started();
    const file = aFile(place, 'chosen.csv', aCsv());
    fake.dialog.showOpenDialog.mockResolvedValueOnce({ canceled: false, filePaths: [file] });
    const changed = new Promise((resolve) => host?.desk.client.on('library.changed', resolve));
    const template = fake.Menu.setApplicationMenu.mock.calls[0]?.[0] as MenuItemConstructorOptions[];
    const items = template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
    (items.find((item) => item.label === '&Import…')?.click as () => void)();
    await changed;
    expect(await host?.desk.client.invoke('sources.list', {})).toMatchObject([{ fileName: 'chosen.csv' }]);
  });

  it('shows files in the file manager and says how secrets are kept', async () => {
    const { host } = await started();
    expect((await host?.desk.client.invoke('app.info', {}))?.abilities).toEqual({
      host: 'electron',
      canRevealInFolder: true,
      canPickFiles: true,
      secretStore: 'keychain',
    });
  });

  it('has no window to send events to on macOS after the last one is closed, and makes one when it is asked', async () => {
    const { electron, fake, window, host } = await started(createFakeElectron(), 'darwin');
    window?.emit('closed');
    electron.app.emit('window-all-closed');
    expect(fake.app.quit).not.toHaveBeenCalled();
    await host?.desk.client.invoke('cases.create', { name: 'Case 7' });
    electron.app.emit('activate');
    expect(FakeWindow.all).toHaveLength(2);
    expect(host?.window()).toBe(FakeWindow.all[1]);
  });
});

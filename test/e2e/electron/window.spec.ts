import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { _electron, expect, test as base, type ElectronApplication, type Page } from 'playwright/test';
import { electronBinary, whyNot } from './binary.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const reason = whyNot();

/** The real app on a data folder of its own; `window` is its first window, loaded. */
const test = base.extend<{ app: ElectronApplication; window: Page; dataFolder: string }>({
  // Playwright reads the fixtures' names from this pattern.
  // eslint-disable-next-line no-empty-pattern
  dataFolder: async ({}, use) => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'evidence-desk-electron-'));
    await use(path.join(folder, 'data'));
    await fs.rm(folder, { recursive: true, force: true });
  },
  app: async ({ dataFolder }, use) => {
    const binary = electronBinary();
    const app = await _electron.launch({
      ...(binary === null ? {} : { executablePath: binary }),
      args: [root, '--data-dir', dataFolder, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
      // A configuration folder of its own: another single-instance lock, another key file.
      env: {
        ...process.env,
        XDG_CONFIG_HOME: `${dataFolder}-config`,
        APPDATA: `${dataFolder}-config`,
      } as Record<string, string>,
    });
    await use(app);
    await app.close();
  },
  window: async ({ app }, use) => {
    const window = await app.firstWindow();
    await window.waitForLoadState('domcontentloaded');
    await use(window);
  },
});

test.describe('the Electron window', () => {
  test.skip(reason !== null, `skipped: ${reason}`);

  test('opens on its own scheme and shows the app', async ({ window }) => {
    expect(window.url()).toMatch(/^app:\/\/desk\//);
    await expect(window).toHaveTitle(/Evidence Desk/);
    await expect(window.locator('#root')).not.toBeEmpty();
  });

  test('gives the page the contract and nothing of Node or Electron', async ({ window }) => {
    const found = await window.evaluate(() => ({
      desk: Object.keys((globalThis as unknown as { desk: object }).desk).sort(),
      leaked: ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'].filter(
        (name) => name in globalThis,
      ),
    }));
    expect(found).toEqual({ desk: ['request', 'subscribe'], leaked: [] });
  });

  test('runs with the sandbox and the isolation that it was given', async ({ app, window }) => {
    await window.waitForLoadState();
    const preferences = await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return (
        contents as unknown as { getLastWebPreferences(): object } | undefined
      )?.getLastWebPreferences();
    });
    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
    });
  });

  test('lets the page reach nothing foreign: no fetch, no picture, no window, no navigation', async ({
    app,
    window,
  }) => {
    const fetched = await window.evaluate(() =>
      fetch('https://example.com/').then(
        () => 'reached',
        () => 'blocked',
      ),
    );
    const drawn = await window.evaluate(
      () =>
        new Promise((resolve) => {
          const image = new Image();
          image.onload = () => resolve('reached');
          image.onerror = () => resolve('blocked');
          image.src = 'https://example.com/a.png';
        }),
    );
    expect([fetched, drawn]).toEqual(['blocked', 'blocked']);
    await window.evaluate(() => void globalThis.open('https://example.com/'));
    await window.evaluate(() => void location.assign('https://example.com/'));
    expect(window.url()).toMatch(/^app:\/\/desk\//);
    expect(app.windows()).toHaveLength(1);
  });

  test('runs no script that a page’s text brings along', async ({ window }) => {
    const ran = await window.evaluate(() => {
      const box = document.createElement('div');
      box.innerHTML = '<img src=x onerror="injected = true"><script>injected = true</script>';
      document.body.append(box);
      try {
        new Function('injected = true')();
      } catch {
        // what the policy is for
      }
      return new Promise((resolve) => requestAnimationFrame(() => resolve('injected' in globalThis)));
    });
    expect(ran).toBe(false);
  });

  test('imports the sample, shows its trips by IPC and gives the original back by ranges', async ({
    window,
  }) => {
    const result = await window.evaluate(async () => {
      interface Reply {
        readonly ok: boolean;
        readonly value: never;
      }
      const { desk } = globalThis as unknown as {
        desk: {
          request(name: string, input: unknown): Promise<Reply>;
          subscribe(name: string, l: () => void): () => void;
        };
      };
      const changed = new Promise<void>((resolve) => desk.subscribe('library.changed', resolve));
      await desk.request('imports.sample', {});
      await changed;
      const trips = (await desk.request('trips.list', {})).value as { tripId: string }[];
      const points = (await desk.request('trips.points', { tripId: trips[0]?.tripId })).value as {
        latDeg: object;
      };
      const sources = (await desk.request('sources.list', {})).value as { sourceId: string }[];
      const reply = await fetch(`/media/source/${sources[0]?.sourceId}`, { headers: { range: 'bytes=0-3' } });
      return {
        trips: trips.length,
        column: points.latDeg.constructor.name,
        status: reply.status,
        bytes: [...new Uint8Array(await reply.arrayBuffer())],
      };
    });
    expect(result.trips).toBeGreaterThan(0);
    expect(result).toMatchObject({ column: 'Float64Array', status: 206, bytes: [0x50, 0x4b, 0x03, 0x04] });
  });

  test('imports a file that is dropped on the window', async ({ window }) => {
    const rows = Array.from({ length: 100_000 }, (_, i) => {
      const time = new Date(Date.UTC(2026, 2, 14) + i * 1000).toISOString();
      return `PSN-E,Van,${time},${(52 + i / 1e6).toFixed(6)},4.3,1,90,50`;
    });
    const csv = ['psn,carName,datetime,lat,lng,drive_no,heading,speedKmh', ...rows].join('\r\n');
    const transfer = await window.evaluateHandle((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'dropped.csv'));
      return data;
    }, csv);
    for (const type of ['dragenter', 'dragover', 'drop']) {
      await window.dispatchEvent('#root', type, { dataTransfer: transfer });
    }
    await expect(window.getByText('100,000').first()).toBeVisible({ timeout: 30_000 });
  });

  test('brings its window forward instead of opening the folder twice', async ({
    app,
    window,
    dataFolder,
  }) => {
    await window.waitForLoadState();
    const binary = electronBinary();
    await expect(
      _electron
        .launch({
          ...(binary === null ? {} : { executablePath: binary }),
          args: [root, '--data-dir', dataFolder, '--no-sandbox'],
          env: {
            ...process.env,
            XDG_CONFIG_HOME: `${dataFolder}-config`,
            APPDATA: `${dataFolder}-config`,
          } as Record<string, string>,
        })
        .then((second) => second.firstWindow({ timeout: 5000 })),
    ).rejects.toThrow();
    expect(app.windows()).toHaveLength(1);
  });
});

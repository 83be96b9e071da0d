import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test as base, type Page } from 'playwright/test';
import { serveBrowser, type BrowserHost } from '../../main/hosts/browser/serve.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface DeskHost {
  readonly host: BrowserHost;
  readonly dataFolder: string;
  /** Everything that the host logged as a bug; a test that ends with one fails. */
  readonly bugs: readonly string[];
}

/** The browser host on a data folder of its own, with the built window of dist/renderer. */
export async function startDesk(dataFolder: string, bugs: string[] = []): Promise<BrowserHost> {
  const samplePath = path.join(root, 'assets', 'sample-export.zip');
  return serveBrowser({
    dataFolder,
    rendererFolder: path.join(root, 'dist', 'renderer'),
    appVersion: '0.0.0-e2e',
    samplePath: await fs.access(samplePath).then(
      () => samplePath,
      () => null,
    ),
    runner: 'worker',
    configFolder: path.join(dataFolder, '..', 'config'),
    onBug: (where, thrown) =>
      bugs.push(`${where}: ${thrown instanceof Error ? thrown.stack : String(thrown)}`),
  });
}

/**
 * `desk`: a fresh browser host; `page`: a window of it, at the Library. A test fails when the host met a bug, when
 * the page logged an error, or when it asked for anything but its own host.
 */
export const test = base.extend<{ desk: DeskHost; page: Page }>({
  // Playwright reads the fixtures' names from this pattern.
  // eslint-disable-next-line no-empty-pattern
  desk: async ({}, use) => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'evidence-desk-e2e-'));
    const bugs: string[] = [];
    const dataFolder = path.join(folder, 'data');
    const host = await startDesk(dataFolder, bugs);
    try {
      await use({ host, dataFolder, bugs });
    } finally {
      await host.close();
      await fs.rm(folder, { recursive: true, force: true });
    }
    if (bugs.length > 0) throw new Error(`The host met bugs:\n${bugs.join('\n')}`);
  },
  page: async ({ desk, page }, use) => {
    const foreign: string[] = [];
    const errors: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(desk.host.origin) && !/^(blob|data):/.test(url)) foreign.push(url);
    });
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(desk.host.address);
    // Answered by the core: from here on the window hears keys and drops.
    await page.getByRole('heading', { name: 'Bring in a GPS export to begin' }).waitFor();
    await use(page);
    if (foreign.length > 0) throw new Error(`The window asked the network:\n${foreign.join('\n')}`);
    if (errors.length > 0) throw new Error(`The window logged errors:\n${errors.join('\n')}`);
  },
});
export { expect } from 'playwright/test';

/** Drops files on the window, as a person would from the file manager. */
export async function dropFiles(
  page: Page,
  files: readonly { name: string; bytes: Uint8Array }[],
): Promise<void> {
  const given = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }));
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    return data;
  }, given);
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

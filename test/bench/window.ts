import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chromium, type Browser, type Page } from 'playwright';
import { median } from './measure.ts';

/** What a person at the window notices, in milliseconds. */
export interface WindowResult {
  /** From the start of the host's process to the first row of the trip table; the browser is running already. */
  readonly firstScreenMs: number;
  readonly firstScreenTrips: number;
  /** Time between frames while a map with every trip selected is dragged and zoomed. */
  readonly frameMedianMs: number;
  readonly frame95Ms: number;
  readonly frames: number;
  /** Longest stretch in which the window's main thread answered nothing while an export was imported. */
  readonly longestBlockMs: number;
  readonly importPoints: number;
}

const firstRow = '[id^="trip-row-"]';
const size = { width: 1280, height: 800 };

/** Switches of Chromium: no network of its own, no GPU (build machines have none). */
export const chromiumSwitches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface Host {
  readonly address: string;
  stop(): Promise<void>;
}

async function startHost(cli: string, dataFolder: string): Promise<Host> {
  const child: ChildProcess = spawn(process.execPath, [cli, 'serve', '--data-dir', dataFolder, '--quiet'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const piece of child.stdout!.setEncoding('utf8')) {
    text += piece as string; // the encoding is set
    if (text.includes('\n')) break;
  }
  if (!text.startsWith('http://')) throw new Error(`serve printed no address but ${JSON.stringify(text)}`);
  return {
    address: text.trim(),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

/** A page of the built window over a host of its own; both are gone afterwards. */
export async function withPage<T>(
  browser: Browser,
  cli: string,
  dataFolder: string,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: size });
  const host = await startHost(cli, dataFolder);
  try {
    const page = await context.newPage();
    await page.goto(host.address);
    return await work(page);
  } finally {
    await context.close();
    await host.stop();
  }
}

/** Starts to note the time between events of the given kind in the page; `stop` gives the gaps in milliseconds. */
export async function watchGaps(page: Page, kind: 'frame' | 'timer'): Promise<{ stop(): Promise<number[]> }> {
  await page.evaluate((which) => {
    const gaps: number[] = [];
    let last = performance.now();
    let isOn = true;
    // A frame has a time of its own, the screen's; when its callback came to run is a little later and varies.
    const next = (now = performance.now()): void => {
      gaps.push(now - last);
      last = now;
      if (!isOn) return;
      if (which === 'frame') requestAnimationFrame(next);
      else setTimeout(() => next(), 0);
    };
    next();
    Object.assign(window, {
      benchStop: () => {
        isOn = false;
        return gaps.slice(1);
      },
    });
  }, kind);
  return {
    stop: () => page.evaluate(() => (window as unknown as { benchStop(): number[] }).benchStop()), // set above
  };
}

async function dragAndZoom(page: Page): Promise<void> {
  const box = await page.getByTestId('library-map').boundingBox();
  if (!box) throw new Error('the map is not on the screen');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (let turn = 0; turn < 4; turn++) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    const [dx, dy] = [turn % 2 === 0 ? 150 : -150, turn < 2 ? 80 : -80];
    await page.mouse.move(x + dx, y + dy, { steps: 40 });
    await page.mouse.move(x, y, { steps: 40 });
    await page.mouse.up();
  }
  for (const delta of [-240, -240, -240, 240, 240, 240]) {
    await page.mouse.wheel(0, delta);
    await page.waitForTimeout(400);
  }
}

/** Drives the built window in Chromium over the browser host. */
export async function benchWindow(options: {
  readonly cli: string;
  readonly chromiumPath: string;
  /** A cache with many trips. */
  readonly bigFolder: string;
  readonly bigTrips: number;
  /** An export to import into a new cache. */
  readonly zip: string;
  readonly zipPoints: number;
  readonly freshFolder: string;
  readonly rounds: number;
}): Promise<WindowResult> {
  const { cli, bigFolder, rounds } = options;
  const browser = await chromium.launch({ executablePath: options.chromiumPath, args: chromiumSwitches });
  try {
    const starts: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now();
      await withPage(browser, cli, bigFolder, async (page) => {
        await page.locator(firstRow).first().waitFor({ timeout: 60_000 });
        starts.push(performance.now() - startedAt);
      });
    }

    const gaps = await withPage(browser, cli, bigFolder, async (page) => {
      await page.locator(firstRow).first().waitFor({ timeout: 60_000 });
      const answered = page.waitForResponse(
        (reply) => (reply.request().postData() ?? '').includes('tracks.lines'),
        {
          timeout: 60_000,
        },
      );
      await page.getByLabel('Select all trips shown').click();
      await answered.catch(() => undefined); // the selection may have been drawn before: then there is nothing to wait for
      await page.waitForTimeout(2000);
      const watch = await watchGaps(page, 'frame');
      await dragAndZoom(page);
      return watch.stop();
    });

    const blocks = await withPage(browser, cli, options.freshFolder, async (page) => {
      const button = page.getByRole('button', { name: /import/i }).first();
      await button.waitFor({ timeout: 60_000 });
      await page.waitForTimeout(1000); // the first drawing of the window is not part of the import
      page.on('filechooser', (chooser) => void chooser.setFiles(options.zip));
      const watch = await watchGaps(page, 'timer');
      await button.click();
      await page.locator(firstRow).first().waitFor({ timeout: 300_000 });
      await page.waitForTimeout(1000);
      return watch.stop();
    });

    const sorted = [...gaps].sort((a, b) => a - b);
    return {
      firstScreenMs: median(starts),
      firstScreenTrips: options.bigTrips,
      frameMedianMs: median(gaps),
      frame95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? NaN,
      frames: gaps.length,
      longestBlockMs: Math.max(...blocks),
      importPoints: options.zipPoints,
    };
  } finally {
    await browser.close();
  }
}

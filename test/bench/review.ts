import fs from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from 'playwright';
import { createClipReader } from '../../main/media/telemetry/clipReader.ts';
import { makeClipDay, makeLargeClip, type ClipDay } from './clipFiles.ts';
import { median, runOrFail } from './measure.ts';
import { chromiumSwitches, watchGaps, withPage } from './window.ts';

/** Telemetry of a clip of a gigabyte: what a person waits for, and what was read of the file for it. */
export interface LargeClipResult {
  readonly sizeBytes: number;
  /** With the start of the reading thread. */
  readonly firstMs: number;
  readonly medianMs: number;
  readonly bytesRead: number;
  readonly positions: number;
  readonly gSamples: number;
}

/** A day of one camera in the window's review. */
export interface DayResult {
  readonly clips: number;
  readonly positions: number;
  readonly gSamples: number;
  /** From opening the scene to the first telemetry on screen, and to all of it. */
  readonly firstDrawnMs: number;
  readonly allDrawnMs: number;
  /** Time between frames while the whole day is zoomed and moved. */
  readonly frameMedianMs: number;
  readonly frame95Ms: number;
  readonly frames: number;
}

const gigabyte = 1024 ** 3;

/** Reads telemetry of a sparse clip of 1 GB `rounds` times; fails where media data was read or a sample is missing. */
export async function benchLargeClip(folder: string, rounds: number): Promise<LargeClipResult> {
  const place = path.join(folder, 'large');
  fs.mkdirSync(place, { recursive: true });
  const { file, positions } = makeLargeClip(place, gigabyte);
  const { size } = fs.statSync(file);
  const times: number[] = [];
  let bytesRead = 0;
  let gSamples = 0;
  const reader = createClipReader();
  try {
    // The first reading starts the thread; it is kept for the others.
    for (let round = 0; round <= Math.max(3, rounds); round++) {
      const startedAt = performance.now();
      const { facts, gps, gSensor } = await reader.read(file);
      times.push(performance.now() - startedAt);
      if (gps?.clipMs.length !== positions)
        throw new Error(`read ${gps?.clipMs.length} of ${positions} positions`);
      gSamples = gSensor?.clipMs.length ?? 0;
      bytesRead = facts.bytesRead;
      if (bytesRead > size / 100)
        throw new Error(`${bytesRead} of ${size} bytes were read: media data is among them`);
    }
  } finally {
    await reader.close();
  }
  const [firstMs = NaN, ...others] = times;
  return { sizeBytes: size, firstMs, medianMs: median(others), bytesRead, positions, gSamples };
}

/** Opens a day of 1,440 clips in the window, waits for its telemetry, zooms and moves all of it. */
export async function benchReviewDay(options: {
  readonly cli: string;
  readonly chromiumPath: string;
  readonly folder: string;
  readonly clips?: number;
}): Promise<DayResult> {
  const day = makeClipDay(path.join(options.folder, 'day'), options.clips);
  const dataFolder = path.join(options.folder, 'data-day');
  await runOrFail(process.execPath, [options.cli, 'import', day.folder, '--data-dir', dataFolder, '--quiet']);
  const browser = await chromium.launch({ executablePath: options.chromiumPath, args: chromiumSwitches });
  try {
    return await withPage(browser, options.cli, dataFolder, (page) => measureDay(page, day));
  } finally {
    await browser.close();
  }
}

async function measureDay(page: Page, day: ClipDay): Promise<DayResult> {
  await page.getByRole('link', { name: 'Review' }).waitFor({ timeout: 60_000 });
  const place = `${day.latDeg},${day.lngDeg},20000`;
  const startedAt = performance.now();
  await page.evaluate((hash) => (location.hash = hash), `#/review/place/${place}/${day.fromMs}/${day.toMs}`);
  const speed = page.locator('[data-chart="speed"] canvas');
  await speed.waitFor({ timeout: 120_000 });
  const firstDrawnMs = performance.now() - startedAt;
  await page.getByText(/^reading [\d,]+ of /).waitFor({ state: 'detached', timeout: 300_000 });
  const allDrawnMs = performance.now() - startedAt;

  await page.getByRole('button', { name: 'Show all' }).click();
  const box = await page.getByTestId('review-charts').boundingBox();
  if (!box) throw new Error('the charts are not on the screen');
  const [x, y] = [box.x + box.width * 0.55, box.y + box.height * 0.5];
  await page.mouse.move(x, y);
  await page.waitForTimeout(1500); // the day's last figures (harsh moments) are not part of zooming
  const watch = await watchGaps(page, 'frame');
  await zoomAndMove(page, x, y);
  const gaps = await watch.stop();
  const sorted = [...gaps].sort((a, b) => a - b);
  return {
    clips: day.clips,
    positions: day.positions,
    gSamples: day.gSamples,
    firstDrawnMs,
    allDrawnMs,
    frameMedianMs: median(gaps),
    frame95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? NaN,
    frames: gaps.length,
  };
}

/** In from the day to a minute and out again, moving on the way, as a hand does it. */
async function zoomAndMove(page: Page, x: number, y: number): Promise<void> {
  const wheel = async (deltaY: number, times: number) => {
    for (let i = 0; i < times; i++) {
      await page.mouse.wheel(0, deltaY);
      await page.waitForTimeout(12);
    }
  };
  const drag = async (byPx: number) => {
    await page.keyboard.down('Alt');
    await page.mouse.down();
    await page.mouse.move(x + byPx, y, { steps: 50 });
    await page.mouse.move(x, y, { steps: 50 });
    await page.mouse.up();
    await page.keyboard.up('Alt');
  };
  for (let turn = 0; turn < 3; turn++) {
    await wheel(-60, 12);
    await drag(turn % 2 === 0 ? 200 : -200);
    await wheel(-120, 20);
    await drag(150);
    await wheel(120, 28);
  }
}

import fs from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from 'playwright';
import { clipTelemetryBox, nameOfClip } from './clipFiles.ts';
import { isInstalled, median, runOrFail } from './measure.ts';
import { chromiumSwitches, withPage } from './window.ts';

/** Two 1080p clips side by side, their charts dragged along. */
export interface ScrubResult {
  readonly frameSize: string;
  readonly megabitsPerSecond: number;
  /** From a movement of the pointer to the moment when both pictures have come as far. */
  readonly medianMs: number;
  readonly ms95: number;
  /** From a click somewhere else to both pictures of that time. */
  readonly jumpMedianMs: number;
  readonly moves: number;
  readonly jumps: number;
}

const lengthS = 20;
const startUtcMs = Date.UTC(2026, 2, 14, 16, 0, 0);
/** A picture within a frame of what was asked for is the picture that was asked for. */
const nearMs = 1000 / 30 + 1;

/** A moving, noisy picture at a dashcam's size and rate, a key frame each second. Needs ffmpeg; null without it. */
async function makePictures(folder: string): Promise<Buffer | null> {
  if (!isInstalled('ffmpeg')) return null;
  const file = path.join(folder, 'pictures.mp4');
  await runOrFail('ffmpeg', [
    ...[
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      `testsrc2=size=1920x1080:rate=30:duration=${lengthS},noise=alls=10:allf=t`,
    ],
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-b:v',
      '8M',
      '-g',
      '30',
      '-bf',
      '0',
      '-pix_fmt',
      'yuv420p',
      file,
    ],
  ]);
  return fs.readFileSync(file);
}

/** Null where ffmpeg is not installed: there is nothing to draw clips of that size with. */
export async function benchScrub(options: {
  readonly cli: string;
  readonly chromiumPath: string;
  readonly folder: string;
}): Promise<ScrubResult | null> {
  const place = path.join(options.folder, 'scrub');
  fs.mkdirSync(place, { recursive: true });
  const pictures = await makePictures(options.folder);
  if (!pictures) return null;
  const files = (['F', 'O'] as const).map((lens) => {
    const file = path.join(place, nameOfClip(startUtcMs, lens));
    fs.writeFileSync(file, Buffer.concat([pictures, clipTelemetryBox(startUtcMs, lengthS * 1000, lens)]));
    return file;
  });
  const dataFolder = path.join(options.folder, 'data-scrub');
  await runOrFail(process.execPath, [options.cli, 'import', ...files, '--data-dir', dataFolder, '--quiet']);
  const browser = await chromium.launch({ executablePath: options.chromiumPath, args: chromiumSwitches });
  try {
    const measured = await withPage(browser, options.cli, dataFolder, measureScrubbing);
    return {
      frameSize: '1920x1080',
      megabitsPerSecond: (pictures.length * 8) / lengthS / 1e6,
      ...measured,
    };
  } finally {
    await browser.close();
  }
}

type Measured = Pick<ScrubResult, 'medianMs' | 'ms95' | 'jumpMedianMs' | 'moves' | 'jumps'>;

async function measureScrubbing(page: Page): Promise<Measured> {
  await page.getByRole('link', { name: 'Review' }).click();
  const moment = page.getByRole('option').filter({ hasText: /\.mp4/ });
  await moment.first().waitFor({ timeout: 60_000 });
  await moment.first().dblclick();
  const chart = page.locator('[data-chart="speed"] canvas');
  await chart.waitFor({ timeout: 60_000 });
  const isSettled = () =>
    page.waitForFunction(
      () => {
        const panes = [...document.querySelectorAll<HTMLElement>('[data-testid=review-pane]:not([hidden])')];
        return panes.length === 2 && panes.every(({ dataset }) => dataset.settled === 'true');
      },
      undefined,
      { timeout: 60_000 },
    );
  await isSettled();
  await watchPictures(page);
  const axis = await page.locator('[data-axis] canvas').boundingBox();
  const box = await chart.boundingBox();
  if (!axis || !box) throw new Error('the charts are not on the screen');
  const y = box.y + box.height * 0.6;
  const at = (share: number) => axis.x + axis.width * share;

  for (let turn = 0; turn < 3; turn++) {
    await page.mouse.move(at(0.05), y);
    await page.mouse.down();
    await isSettled();
    for (let i = 1; i <= 100; i++) {
      await page.mouse.move(at(0.05 + 0.009 * i), y);
      await page.waitForTimeout(25);
    }
    await isSettled();
    await page.mouse.up();
  }
  const moves = await page.evaluate(() => window.benchAnswers('pointermove'));
  for (let i = 0; i < 20; i++) {
    // Up and down the clip, never near the last: 7 and 20 have no common divisor.
    await page.mouse.click(at(0.03 + (((i * 7) % 20) / 20) * 0.94), y);
    await isSettled();
    await page.waitForTimeout(100);
  }
  const jumps = await page.evaluate(() => window.benchAnswers('pointerdown'));
  if (moves.length < 100 || jumps.length < 15)
    throw new Error(`only ${moves.length} movements and ${jumps.length} jumps were answered with pictures`);
  const sorted = [...moves].sort((a, b) => a - b);
  return {
    medianMs: median(moves),
    ms95: sorted[Math.floor(sorted.length * 0.95)] ?? NaN,
    jumpMedianMs: median(jumps),
    moves: moves.length,
    jumps: jumps.length,
  };
}

declare global {
  interface Window {
    /** Answers since the last call, ms, to pointer events of a kind. */
    benchAnswers(kind: 'pointermove' | 'pointerdown'): number[];
  }
}

/**
 * Notes each pointer event that moved the clock, and when both panes had a picture of that time or, in a drag to the
 * right, of a later one: pictures between may be left out, the last must not come late.
 */
async function watchPictures(page: Page): Promise<void> {
  await page.evaluate((near) => {
    const waiting: { kind: string; askedAt: number; sceneMs: number }[] = [];
    let answers: { kind: string; ms: number }[] = [];
    const cursor = document.querySelector<HTMLElement>('[data-testid=review-chart-cursor]');
    const cursorMs = () => Number(cursor?.dataset.sceneMs);
    let lastMs = cursorMs();
    const note = (event: PointerEvent) => {
      // After the charts' own listener: the cursor stands at what was asked for.
      const sceneMs = cursorMs();
      if (sceneMs === lastMs) return;
      if (event.type === 'pointerdown') waiting.length = 0;
      lastMs = sceneMs;
      waiting.push({ kind: event.type, askedAt: event.timeStamp, sceneMs });
    };
    window.addEventListener('pointerdown', note);
    window.addEventListener('pointermove', note);
    const look = () => {
      const panes = [...document.querySelectorAll<HTMLElement>('[data-testid=review-pane]:not([hidden])')];
      const shown = panes.map(({ dataset }) => Number(dataset.sceneMs));
      const now = performance.now();
      for (const one of [...waiting]) {
        const isThere = shown.every((ms) =>
          one.kind === 'pointermove' ? ms >= one.sceneMs - near : Math.abs(ms - one.sceneMs) <= near,
        );
        if (!isThere) continue;
        waiting.splice(waiting.indexOf(one), 1);
        answers.push({ kind: one.kind, ms: now - one.askedAt });
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    window.benchAnswers = (kind) => {
      const found = answers.filter((answer) => answer.kind === kind).map(({ ms }) => ms);
      answers = [];
      return found;
    };
  }, nearMs);
}

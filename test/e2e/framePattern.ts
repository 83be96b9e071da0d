import type { Locator, Page } from 'playwright/test';

/** What a pane of Review shows: the number drawn into its picture, and what the window says of it. */
export interface PaneReading {
  /** Read from the picture's squares (docs/simulator.md, "Frame pattern"); null: no picture, or not to be read. */
  readonly pattern: number | null;
  readonly frameIndex: number | null;
  readonly sceneMs: number;
  readonly isSettled: boolean;
}
/** All panes at one moment, with the time of the chart's cursor and the sample behind the map's marker. */
export interface Reading {
  readonly panes: readonly PaneReading[];
  readonly cursorMs: number | null;
  readonly markerMs: number | null;
  readonly clockMs: number;
}

declare global {
  interface Window {
    readPattern(pixels: Uint8ClampedArray, widthPx: number, heightPx: number): number | null;
    /** The same of the one row that goes through the middle of the squares. */
    readPatternRow(row: Uint8ClampedArray): number | null;
    readReview(): Reading;
  }
}

/**
 * Puts `readReview` into the page: takes all pictures at once, as they are drawn at that moment, before it looks into
 * any. Call it inside an animation frame while playing.
 */
export async function installFrameReader(page: Page): Promise<void> {
  await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.height = 1;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    window.readPattern = (pixels, widthPx, heightPx) => {
      const y = Math.floor(heightPx - widthPx / 32);
      return window.readPatternRow(pixels.subarray(y * widthPx * 4, (y + 1) * widthPx * 4));
    };
    window.readPatternRow = (row) => {
      const cell = row.length / 4 / 16;
      const bits: number[] = [];
      for (let i = 0; i < 16; i += 1) {
        const x = Math.floor((i + 0.5) * cell);
        const level = row[x * 4 + 1] ?? 0;
        // Squares are black or white; anything between is no square.
        if (level > 80 && level < 175) return null;
        bits.push(level > 128 ? 1 : 0);
      }
      const parity = bits.slice(0, 15).reduce((sum, bit) => sum + bit, 0) % 2;
      if (bits[0] !== 1 || bits[1] !== 0 || bits[15] !== parity) return null;
      return bits.slice(2, 14).reduce((number, bit) => number * 2 + bit, 0);
    };
    const numberOf = (text: string | undefined) => (text === undefined || text === '' ? null : Number(text));
    const timeOf = (testId: string, name: string) =>
      numberOf(document.querySelector<HTMLElement>(`[data-testid=${testId}]`)?.dataset[name]);
    window.readReview = () => {
      const places = [...document.querySelectorAll<HTMLElement>('[data-testid=review-pane]:not([hidden])')];
      const pictures = places.map((place) => {
        const video = place.querySelector<HTMLVideoElement>('video[data-on-screen=true]');
        if (!video || place.dataset.view !== 'picture') return null;
        try {
          return new VideoFrame(video);
        } catch {
          return null;
        }
      });
      const panes = places.map(({ dataset }, i) => {
        const picture = pictures[i];
        let pattern: number | null = null;
        if (picture && context) {
          // One row is enough, and leaves the machine to the videos.
          const { displayWidth: widthPx, displayHeight: heightPx } = picture;
          if (canvas.width !== widthPx) canvas.width = widthPx;
          context.drawImage(picture, 0, Math.floor(heightPx - widthPx / 32), widthPx, 1, 0, 0, widthPx, 1);
          pattern = window.readPatternRow(context.getImageData(0, 0, widthPx, 1).data);
          picture.close();
        }
        return {
          pattern,
          frameIndex: numberOf(dataset.frameIndex),
          sceneMs: numberOf(dataset.sceneMs) ?? NaN,
          isSettled: dataset.settled === 'true',
        };
      });
      return {
        panes,
        cursorMs: timeOf('review-chart-cursor', 'sceneMs'),
        markerMs: timeOf('review-map-marker', 'sceneMs'),
        clockMs: timeOf('review-time', 'sceneMs') ?? NaN,
      };
    };
  });
}

export const readReview = (page: Page): Promise<Reading> => page.evaluate(() => window.readReview());

/** Reads for a while, once for every frame that the window draws. */
export function watchReview(page: Page, forMs: number): Promise<readonly Reading[]> {
  return page.evaluate(
    (ms) =>
      new Promise<Reading[]>((resolve) => {
        const readings: Reading[] = [];
        const begin = performance.now();
        const read = () => {
          readings.push(window.readReview());
          if (performance.now() - begin < ms) requestAnimationFrame(read);
          else resolve(readings);
        };
        requestAnimationFrame(read);
      }),
    forMs,
  );
}

/** Resolves when every pane shows what the clock asks for. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLElement>('[data-testid=review-pane]:not([hidden])')].every(
      ({ dataset }) => dataset.settled === 'true',
    ),
  );
}

/** The numbers in the pictures as they stand in one screenshot of the window, whatever its scripts say. */
export async function patternsOnScreen(page: Page, panes: Locator): Promise<readonly (number | null)[]> {
  const boxes = await panes.locator('video[data-on-screen=true]').evaluateAll((videos) =>
    videos.map((video) => {
      const { left, top, width, height } = video.getBoundingClientRect();
      const { videoWidth, videoHeight } = video as HTMLVideoElement;
      const scale = Math.min(width / videoWidth, height / videoHeight);
      const [shownWidth, shownHeight] = [videoWidth * scale, videoHeight * scale];
      return {
        left: left + (width - shownWidth) / 2,
        top: top + (height - shownHeight) / 2,
        width: shownWidth,
        height: shownHeight,
      };
    }),
  );
  const png = (await page.screenshot({ animations: 'allow' })).toString('base64');
  return page.evaluate(
    async ({ png, boxes }) => {
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      return boxes.map(({ left, top, width, height }) => {
        const canvas = new OffscreenCanvas(Math.round(width), 1);
        const context = canvas.getContext('2d');
        context?.drawImage(
          bitmap,
          left,
          Math.floor(top + height - width / 32),
          width,
          1,
          0,
          0,
          canvas.width,
          1,
        );
        const row = context?.getImageData(0, 0, canvas.width, 1).data;
        return row ? window.readPatternRow(row) : null;
      });
    },
    { png, boxes },
  );
}

import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright/test';
import { clipIdOf } from '../../main/cache/clipRepository.ts';
import { dropFiles, expect, test } from './desk.ts';
import { installFrameReader, patternsOnScreen, readReview, settled } from './framePattern.ts';

const fixture = (name: string) => fs.readFile(path.join(import.meta.dirname, 'fixtures', name));
const idOf = (bytes: Buffer) => clipIdOf(createHash('sha256').update(bytes).digest('hex'));
const sheet = 'test-results/review-states';

/** Imports clips and opens them side by side in Review; a sound one stands beside each odd one. */
async function openClips(page: Page, names: readonly string[]): Promise<void> {
  const clips = await Promise.all(names.map(async (name) => ({ name, bytes: await fixture(name) })));
  await dropFiles(page, clips);
  await expect(page.getByText('Import finished')).toBeVisible();
  const ids = clips.map(({ bytes }) => idOf(bytes)).join(',');
  await page.evaluate((list) => (location.hash = `#/review/clips/${list}`), ids);
  await expect(page.getByTestId('review-pane').first()).toBeVisible();
  await installFrameReader(page);
}
async function picture(page: Page, name: string): Promise<void> {
  // Words of the moment go away before it is kept.
  await expect(page.getByText('Import finished')).toHaveCount(0, { timeout: 30_000 });
  await fs.mkdir(sheet, { recursive: true });
  await page.screenshot({ path: `${sheet}/${name}.png` });
}
const cardOf = (page: Page, kind: string) =>
  page.locator(`[data-testid=review-pane-card][data-kind=${kind}]`);

test('H.265 without a decoder: a card says so and what to do, everything else goes on', async ({ page }) => {
  await openClips(page, ['h265.mp4', 'constant-rate.mp4']);
  const card = cardOf(page, 'no-decoder');
  await expect(card).toContainText('H.265 can’t be shown on this computer');
  await expect(card).toContainText('hvc1');
  await expect(card.getByRole('link', { name: 'Save a copy' })).toHaveAttribute('download', 'h265.mp4');
  await expect(page.getByTestId('review-charts')).toBeVisible();
  await picture(page, 'h265');
});

test('sound without pictures is said to be that', async ({ page }) => {
  await openClips(page, ['sound-only.mp4']);
  const card = cardOf(page, 'sound-only');
  await expect(card).toContainText('Sound without pictures');
  await page.getByRole('button', { name: /^Sound on/ }).click();
  const video = page.locator('video[data-on-screen=true]');
  await expect(video).toHaveJSProperty('muted', false);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0.2);
  await picture(page, 'sound-only');
});

test('a clip that was cut short plays up to the damage and says so', async ({ page }) => {
  await openClips(page, ['truncated.mp4']);
  const pane = page.getByTestId('review-pane');
  await settled(page);
  expect(await patternsOnScreen(page, pane)).toEqual([0]);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(cardOf(page, 'ends-early')).toContainText('The pictures end before this', { timeout: 30_000 });
  await expect(cardOf(page, 'ends-early')).toContainText('cut short');
  await expect(pane.getByText(/cut short at 0:0[456]/)).toBeVisible();
  await picture(page, 'truncated');
  // Its sound part is still there, picture by picture.
  await page.keyboard.press('k');
  await page.keyboard.press('Home');
  await expect(pane).toHaveAttribute('data-frame-index', '0');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(pane).toHaveAttribute('data-frame-index', '25');
  await expect.poll(async () => (await readReview(page)).panes[0]?.pattern).toBe(25);
});

test('an eight-hour clip is gone through from end to end', async ({ page }) => {
  await openClips(page, ['eight-hours.mp4']);
  const pane = page.getByTestId('review-pane');
  await settled(page);
  await page.keyboard.press('End');
  await expect(pane).toHaveAttribute('data-frame-index', '3599');
  await expect.poll(async () => (await readReview(page)).panes[0]?.pattern).toBe(3599);
  await expect(page.getByTestId('review-time')).toContainText('8:00:00');
  await page.keyboard.press('ArrowLeft');
  await expect(pane).toHaveAttribute('data-frame-index', '3598');
  await picture(page, 'eight-hours');
});

test('a clip without index is kept and explained, not shown black', async ({ page }) => {
  const bytes = await fixture('no-index.mp4');
  await dropFiles(page, [{ name: 'no-index.mp4', bytes }]);
  await expect(page.getByText(/Import (finished|ended)/)).toBeVisible();
  await page.evaluate((id) => (location.hash = `#/review/clip/${id}`), idOf(bytes));
  await expect(
    cardOf(page, 'unreadable')
      .or(page.getByText(/no (index|time|length)|can’t be (read|played|shown)|never finished/i))
      .first(),
  ).toBeVisible();
  await fs.mkdir(sheet, { recursive: true });
  await page.screenshot({ path: `${sheet}/no-index.png` });
});

/** A window whose console may name refused requests: those are what these tests are about. */
async function openWindow(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(address);
  await page.getByRole('heading', { name: 'Bring in a GPS export to begin' }).waitFor();
  return page;
}

test('an empty file is refused by the import with words', async ({ desk, browser }) => {
  const page = await openWindow(browser, desk.host.address);
  await dropFiles(page, [{ name: '20260313_173158_EF.mp4', bytes: Buffer.alloc(0) }]);
  const notice = page.getByRole('alert').filter({ hasText: 'Nothing was imported' });
  await expect(notice).toContainText(/empty|no bytes|0 bytes/i);
  await expect(notice).toHaveCSS('opacity', '1');
  await fs.mkdir(sheet, { recursive: true });
  await page.screenshot({ path: `${sheet}/zero-length.png` });
});

test('a picture that can’t be fetched says so and comes back', async ({ desk, browser }) => {
  const page = await openWindow(browser, desk.host.address);
  const refused = /\/media\/clip\//;
  await page.route(refused, (route) => route.fulfill({ status: 503, body: '' }));
  await openClips(page, ['constant-rate.mp4']);
  const card = cardOf(page, 'host');
  await expect(card).toContainText('could not be fetched');
  await picture(page, 'host');
  await page.unroute(refused);
  await card.getByRole('button', { name: 'Try again' }).click();
  await settled(page);
  await expect.poll(async () => (await readReview(page)).panes[0]?.pattern).toBe(0);
});

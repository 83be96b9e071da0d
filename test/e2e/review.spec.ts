import type { Page } from 'playwright/test';
import { dropFiles, expect, test } from './desk.ts';
import { csvHeader, zipOf } from './exports.ts';

/** The demo's camera that had the collision. */
const psn = 'FD1E26000001';

/** Recalls both views of the demo's collision, low, and stays on the card. */
async function recallCollision(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Cameras' }).click();
  await page.getByRole('button', { name: 'Try the demo fleet' }).click();
  await page.getByRole('link', { name: 'Open the card of Van 07' }).click();
  const grid = page.getByRole('grid', { name: 'Recordings' });
  await expect(grid.getByRole('row').first()).toBeVisible({ timeout: 30_000 });
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: /^Impact \(/ }).click();
  await grid.getByRole('row').first().click();
  await page.getByRole('button', { name: /^Recall… low/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Recall 2 clips of Van 07/ });
  await dialog.getByRole('button', { name: /^Recall low · / }).click();
  await expect(page.getByText(/^Here, /)).toHaveCount(2, { timeout: 60_000 });
}

/** Both views of the collision are on screen with pictures. */
async function expectVideos(page: Page): Promise<void> {
  await expect(page.getByRole('toolbar', { name: 'Scene' })).toBeVisible();
  await expect
    .poll(() =>
      page
        .locator('video')
        .evaluateAll((all) => all.filter((one) => (one as HTMLVideoElement).readyState >= 2).length),
    )
    .toBeGreaterThanOrEqual(2);
}

const marker = (page: Page) => page.getByTestId('review-map-marker');
const drawnMs = async (page: Page) => Number(await marker(page).getAttribute('data-scene-ms'));

/** Start of the only clip of the start page's list, UTC ms. */
async function clipStartMs(page: Page): Promise<number> {
  const first = page
    .getByRole('listbox', { name: /^Moments/ })
    .locator('time')
    .first();
  return Date.parse((await first.getAttribute('datetime')) ?? '');
}

/** An export of the camera and of another one that passed it, around a moment. */
function exportAround(atMs: number): Promise<Buffer> {
  const rows = (camera: string, name: string, latOf: (second: number) => number) =>
    Array.from({ length: 300 }, (_, index) => {
      const second = index - 150;
      const time = new Date(atMs + second * 1000).toISOString().replace(/\.\d+Z/, 'Z');
      const lng = (-87.6665 - second * 0.0001).toFixed(6);
      return `${camera},${name},${time},${latOf(second).toFixed(6)},${lng},1,270,36.0`;
    });
  return zipOf({
    [`camera-Van 07-${psn}.csv`]: [csvHeader, ...rows(psn, 'Van 07', () => 41.8457)].join('\n'),
    'camera-Van 12-FD1E26000012.csv': [
      csvHeader,
      ...rows('FD1E26000012', 'Van 12', (second) => 41.8457 + second * 0.0001),
    ].join('\n'),
  });
}

test('leads from the card, from a camera and time, and from a trip’s moment to the videos', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.getByRole('link', { name: 'Review' }).click();
  await expect(page.getByText('Nothing to review yet')).toBeVisible();

  await test.step('from the card: one click on what is here', async () => {
    await recallCollision(page);
    await page
      .getByRole('button', { name: /^Review .*_EF\.mp4/ })
      .first()
      .click();
    await expectVideos(page);
    expect(page.url()).toContain('#/review/clip/');
  });

  let startMs = 0;
  await test.step('from the start page: by camera and time of day, the zone said', async () => {
    await page.getByRole('button', { name: 'Open…' }).click();
    startMs = await clipStartMs(page);
    await page.getByRole('radiogroup', { name: 'Zone of the times shown' }).getByText('UTC').click();
    const at = new Date(startMs + 5000).toISOString().slice(0, 19).replace('T', ' ');
    await page.getByRole('textbox', { name: /^Date and time of day, UTC/ }).fill(at);
    await page.getByRole('button', { name: 'Open this moment' }).click();
    await expectVideos(page);
    expect(page.url()).toContain(`#/review/moment/${psn}/`);
    await expect.poll(() => drawnMs(page)).toBe(startMs + 5000);
    // The times of the scene are in the zone that was chosen.
    await expect(page.getByTestId('review-map-reading')).toContainText('UTC');
  });

  await test.step('from a moment of a trip: fixed by a click, opened by another', async () => {
    await dropFiles(page, [{ name: 'export.zip', bytes: await exportAround(startMs + 10_000) }]);
    await expect(page.getByText('Import finished')).toBeVisible();
    await page.getByRole('link', { name: 'Library' }).click();
    await page.getByRole('row', { name: /Van 07/ }).click();
    const chart = page.getByTestId('library-timeline');
    await expect(chart.locator('canvas').first()).toBeVisible();
    // The middle of the plot is the middle of the trip, ten seconds into the clip.
    const box = (await chart.locator('.u-over').first().boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + 20);
    const card = page.getByTestId('reading');
    await expect(card.getByRole('button', { name: 'Find on the card' })).toBeVisible();
    await card.getByRole('button', { name: 'Review this moment' }).click();
    await expectVideos(page);
    expect(page.url()).toContain('#/review/trip/');
    const shown = await drawnMs(page);
    expect(Math.abs(shown - (startMs + 10_000))).toBeLessThan(5000);
    // Both tracks are there, each to be hidden.
    await page.getByRole('button', { name: 'Legend and tracks' }).click();
    await expect(page.getByRole('checkbox', { name: /Van 12/ })).toBeChecked();
    await page.getByRole('checkbox', { name: /Van 12/ }).uncheck();
    await page.keyboard.press('Escape');
  });

  await test.step('a click on the trail goes to its time', async () => {
    await page.getByRole('button', { name: 'Keep the vehicle in sight' }).click();
    const before = await drawnMs(page);
    const at = (await marker(page).boundingBox())!;
    await page.getByTestId('review-map').focus();
    await page.keyboard.press('PageDown');
    await expect.poll(() => drawnMs(page)).toBeGreaterThan(before + 5000);
    await page.mouse.click(at.x + 16, at.y + 16);
    // The sample that was recorded nearest to that place, once a second.
    await expect.poll(async () => Math.abs((await drawnMs(page)) - before)).toBeLessThanOrEqual(1000);
    await expect(page.getByTestId('review-map-reading')).toContainText(/pointed at|clicked/);
  });

  await test.step('who passed a point of the road, and when', async () => {
    await page.getByRole('button', { name: /^Time of passage/ }).click();
    const at = (await marker(page).boundingBox())!;
    await page.mouse.click(at.x + 16, at.y + 16);
    const passages = page.getByRole('list', { name: 'Passages' });
    await expect(passages.getByRole('button', { name: /Van 07, clips/ }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Close: Time of passage' }).click();
  });

  await test.step('to the card at the moment that is shown', async () => {
    const shown = Math.round(await drawnMs(page));
    await page.getByRole('button', { name: 'Find this moment on the card' }).click();
    expect(page.url()).toContain(`#/cameras/${psn}/${shown}`);
    await expect(page.getByText(/chosen, in which the moment lies/)).toBeVisible({ timeout: 30_000 });
  });
});

test('keyboard alone opens, plays and marks; marks are on list, chart and map; the case leads back', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await recallCollision(page);
  await page.keyboard.press('Control+3');
  const list = page.getByRole('listbox', { name: /^Moments/ });
  await expect(list).toBeVisible();
  await list.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expectVideos(page);

  await test.step('plays and stops', async () => {
    const before = await drawnMs(page);
    await page.keyboard.press('Space');
    await expect.poll(() => drawnMs(page)).toBeGreaterThan(before + 300);
    await page.keyboard.press('Space');
    await expect(page.getByRole('button', { name: /^Play/ }).first()).toBeVisible();
  });

  await test.step('a new case takes the marks', async () => {
    await page.getByRole('button', { name: /^Case that marks go to: none/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'New case…' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name of the case' }).fill('Collision');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Case that marks go to: Collision' })).toBeVisible();
    // Until it has faded, keys are its own.
    await expect(page.getByRole('dialog', { name: 'New case' })).toHaveCount(0);
  });

  await test.step('a bookmark stands in the list, on the chart and on the map, and leads back', async () => {
    await page.getByTestId('review-map').focus();
    const markedMs = await drawnMs(page);
    await page.keyboard.press('b');
    const flag = page.getByTestId('review-map-mark');
    await expect(flag).toHaveCount(1);
    await expect(page.getByRole('tabpanel', { name: 'Marks' }).getByText('Bookmark').last()).toBeVisible();
    await expect(page.getByRole('img', { name: /^1 bookmarks, 0 ranges/ })).toBeVisible();
    await page.keyboard.press('End');
    await expect.poll(() => drawnMs(page)).not.toBe(markedMs);
    await flag.focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => Math.abs((await drawnMs(page)) - markedMs)).toBeLessThan(40);
  });

  await test.step('from the case', async () => {
    await page.getByRole('button', { name: 'Case that marks go to: Collision' }).press('Enter');
    await page.getByRole('menuitem', { name: /^Add the scene’s 2 clips/ }).press('Enter');
    await page.getByRole('button', { name: 'Open case' }).press('Enter');
    await page.getByRole('button', { name: 'Review', exact: true }).press('Enter');
    await expectVideos(page);
    expect(page.url()).toContain('#/review/case/');
    await expect(page.getByRole('button', { name: 'Case that marks go to: Collision' })).toBeVisible();
    await expect(page.getByTestId('review-map-mark')).toHaveCount(1);
  });

  await test.step('a reload comes back to it; what is gone is said', async () => {
    await page.reload();
    await expectVideos(page);
    await page.goto(new URL('#/review/clip/clip_0000000000000000', page.url()).href);
    await expect(page.getByRole('button', { name: 'Choose another moment' })).toBeVisible();
    await page.getByRole('button', { name: 'Choose another moment' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Open again' })).toBeVisible();
  });
});

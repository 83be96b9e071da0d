import type { Page } from 'playwright/test';
import { expect, test } from './desk.ts';

/** Starts the simulated fleet from the Cameras screen and opens the card of the van that had the collision. */
async function openCard(page: Page) {
  await page.getByRole('link', { name: 'Cameras' }).click();
  await page.getByRole('button', { name: 'Try the demo fleet' }).click();
  await page.getByRole('link', { name: 'Open the card of Van 07' }).click();
  const grid = page.getByRole('grid', { name: 'Recordings' });
  await expect(grid.getByRole('row').first()).toBeVisible({ timeout: 30_000 });
  return grid;
}

/** Plays a clip that is here until its picture moves. */
async function play(page: Page, name: RegExp) {
  await page.getByRole('button', { name }).click();
  const video = page.locator('video').last();
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => [element.readyState >= 2, element.videoWidth]))
    .toEqual([true, 320]);
  await video.evaluate((element: HTMLVideoElement) => element.play());
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0);
}

test('says before it is tried which cards can’t be browsed, and why', async ({ page }) => {
  await page.getByRole('link', { name: 'Cameras' }).click();
  await page.getByRole('button', { name: 'Try the demo fleet' }).click();
  const list = page.getByRole('list', { name: 'Cameras' });
  await expect(list.getByRole('link', { name: 'Open the card of Van 07' })).toBeVisible();
  await expect(page.getByText(/as of .*just now/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Find a camera' }).fill('trailer');
  await expect(list.getByText('cannot: Wi-Fi only').first()).toBeVisible();
  await expect(list.getByRole('link')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Find a camera' }).fill('');
  await page.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: 'Spare vehicles' }).click();
  await expect(page.getByText('This group has no cameras.')).toBeVisible();
});

test('recalls the collision: front and option low, one of them full, watched and played', async ({
  page,
}) => {
  const grid = await openCard(page);
  await expect(grid.locator('img').first()).toBeVisible({ timeout: 30_000 });

  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: /^Impact \(/ }).click();
  const first = grid.getByRole('row').first();
  await expect(first).toContainText('Impact');
  await expect(first).toContainText('front + option');
  await expect(first.locator('img')).toBeVisible();
  // The clock is learnt from the clips that were looked at.
  await expect(first).toContainText(/GPS, ±/, { timeout: 30_000 });

  // Every word of progress that is shown while it lasts.
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(window, { seenOfRecalls: seen });
    new MutationObserver(() => {
      for (const item of document.querySelectorAll('[aria-label^="Recall of"]'))
        seen.add(item.textContent ?? '');
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await first.click();
  await page.getByRole('button', { name: /^Recall… low/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Recall 2 clips of Van 07/ });
  await expect(dialog.getByText(/GB left of/)).toBeVisible();
  await expect(dialog.getByText('Green: fits the month well')).toHaveCount(2);
  await dialog.getByRole('button', { name: /^Recall low · / }).click();
  await expect(page.getByText(/^Here, /)).toHaveCount(2, { timeout: 60_000 });
  const seen = await page.evaluate(() => [
    ...(window as unknown as { seenOfRecalls: Set<string> }).seenOfRecalls,
  ]);
  expect(seen.some((text) => /Queued|Asking|of .*kB|Transferring/.test(text))).toBe(true);
  await play(page, /^Play .*_EF\.mp4, low/);
  await page.getByRole('button', { name: /^Close .*_EF\.mp4, low/ }).click();
  await play(page, /^Play .*_EO\.mp4, low/);

  // What is here is never paid for twice; the full one of the front alone.
  await grid.focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('In the cache already: nothing is requested.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Recall low/ })).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: /option/ }).uncheck();
  await dialog.getByRole('button', { name: /^Recall full · / }).click();
  await expect(page.getByText(/^Here, /)).toHaveCount(3, { timeout: 60_000 });
  await play(page, /^Play .*_EF\.mp4, full/);

  // The tray has them, and the allowance has gone down by them.
  await page.getByRole('button', { name: /^Jobs/ }).click();
  await expect(page.getByRole('dialog', { name: 'Jobs' }).getByText(/Here, /)).toHaveCount(3);
});

test('keyboard alone browses, recalls and cancels', async ({ page }) => {
  const grid = await openCard(page);
  await grid.focus();
  await page.keyboard.press('End');
  await expect(grid.locator('[data-focused="true"]')).toBeVisible();
  await page.keyboard.press('Home');
  // Enough that some still wait when the first are here.
  for (let i = 0; i < 6; i += 1) await page.keyboard.press('Shift+PageDown');
  await expect(page.getByRole('button', { name: /^Recall \d{2,3} chosen recordings…$/ })).toBeVisible();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Recall \d+ clips/ });
  const low = dialog.getByRole('button', { name: /^Recall low · / });
  await expect(low).toBeEnabled();
  for (let i = 0; i < 150; i += 1) {
    if (await low.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(low).toBeFocused();
  await page.keyboard.press('Enter');
  const cancel = page.getByRole('button', { name: /^Cancel .*, low$/ }).last();
  await cancel.focus();
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('button', { name: 'Cancel the recall' });
  const canceled = page.getByText('Canceled', { exact: true });
  await expect(confirm.or(canceled).first()).toBeVisible();
  if (await confirm.isVisible()) {
    await confirm.focus();
    await page.keyboard.press('Enter');
  }
  await expect(canceled.first()).toBeVisible();
});

test('finds the recordings of a moment', async ({ page }) => {
  const grid = await openCard(page);
  const first = grid.getByRole('row').first();
  await expect(first.locator('time')).toBeVisible({ timeout: 30_000 });
  const iso = await grid.getByRole('row').nth(3).locator('time').getAttribute('datetime');
  const rowTime = await grid.getByRole('row').nth(3).locator('strong').textContent();
  await page.getByText('UTC', { exact: true }).click();
  await page
    .getByRole('textbox', { name: /^Find the recordings of a moment/ })
    .fill(new Date(Date.parse(iso ?? '') + 5_000).toISOString().slice(0, 19));
  await page.getByRole('button', { name: 'Find moment' }).click();
  await expect(page.getByText(/chosen, in which the moment lies/)).toBeVisible();
  // An event's clip of the same moment would be looked at first; the recording itself is chosen with it.
  await expect(grid.locator('[aria-selected="true"]').filter({ hasText: rowTime ?? '' })).not.toHaveCount(0);
});

import type { Page } from 'playwright/test';
import { dropFiles, expect, test } from './desk.ts';
import { csvHeader, csvRows, smallExport } from './exports.ts';

async function importSmall(page: Page): Promise<void> {
  await dropFiles(page, [{ name: 'week 11.zip', bytes: await smallExport() }]);
  await expect(page.getByText('3 trips · 200 points')).toBeVisible();
}
const rows = (page: Page) => page.getByRole('grid', { name: 'Trips' }).getByRole('rowgroup').getByRole('row');
const reading = (page: Page) => page.getByTestId('reading');

/** Moves the pointer over the map until it is on a drawn line. */
async function hoverLine(page: Page): Promise<void> {
  const box = (await page.getByTestId('library-map').boundingBox())!;
  await expect(async () => {
    for (let x = 0.25; x < 0.75; x += 0.06) {
      for (let y = 0.35; y < 0.65; y += 0.06) {
        await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
        // The drawing thread looks for the line, the core reads the point: neither has a moment to wait for.
        await page.waitForTimeout(40);
        if (await reading(page).isVisible()) return;
      }
    }
    throw new Error('no line under the pointer');
  }).toPass();
}

test('chosen trips are drawn, and the map and the timeline read the same recorded point', async ({
  page,
}) => {
  await importSmall(page);
  await rows(page).first().click();
  await expect(page.getByRole('group', { name: 'Legend' })).toContainText('Van 12');
  await page.keyboard.press('Enter');
  await hoverLine(page);
  await expect(reading(page)).toContainText(/\d\d:\d\d:\d\d UTC · 14 Mar 2026/);
  await expect(reading(page)).toContainText(/km\/h|no speed recorded/);
  await expect(reading(page)).toContainText('90° E');
  const time = /\d\d:\d\d:\d\d UTC/.exec(await reading(page).innerText())![0];
  await expect(page.getByTestId('timeline-reading')).toContainText(time);
  await page.mouse.down();
  await page.mouse.up();
  const chart = (await page.getByTestId('library-timeline').boundingBox())!;
  await page.mouse.move(chart.x + chart.width / 2, chart.y + 30);
  await expect(reading(page), 'a click keeps the point').toContainText(time);
  await expect(page.getByTestId('timeline-reading')).toContainText('Van 12');
  await page.getByRole('button', { name: 'Let go of the fixed point' }).click();
  await expect(reading(page)).toBeHidden();
});

test('the table is used with the keyboard alone', async ({ page }) => {
  await importSmall(page);
  await page.getByRole('rowgroup', { name: 'Trips' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows(page).first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByRole('row', { selected: true })).toHaveCount(2);
  await page.keyboard.press('Control+a');
  await expect(page.getByRole('row', { selected: true })).toHaveCount(3);
  await page.keyboard.press('Space');
  await expect(page.getByRole('row', { selected: true })).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row', { selected: true })).toHaveCount(0);
});

test('filters narrow the table and are cleared at once', async ({ page }) => {
  await importSmall(page);
  await page.getByPlaceholder('Find camera, trip…').fill('van 7');
  await expect(page.getByText('1 of 3 trips · 80 points')).toBeVisible();
  await page.getByLabel('Top speed at least, km/h').fill('300');
  await expect(page.getByText('No trip matches the filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(page.getByText('3 trips · 200 points')).toBeVisible();
  await page.getByRole('button', { name: 'Place' }).click();
  await page.getByLabel('Around (latitude, longitude)').fill('52.37, 4.957');
  await page.getByRole('button', { name: 'Narrow to this place' }).click();
  await expect(page.getByText('1 of 3 trips · 80 points')).toBeVisible();
});

test('who passed here is answered with the closest approach and leads to the pass', async ({ page }) => {
  await importSmall(page);
  await page.getByRole('button', { name: 'Who passed here?' }).click();
  const panel = page.getByRole('region', { name: 'Who passed here?' });
  await panel.getByLabel('Middle (latitude, longitude)').fill('52.3705, 4.957');
  await panel.getByRole('button', { name: 'Find', exact: true }).click();
  await expect(panel.getByText('1 pass, all trips of the library')).toBeVisible();
  await panel.getByRole('button', { name: /Van 7/ }).click();
  await expect(page.getByRole('row', { selected: true })).toContainText('Van 7');
  await panel.getByLabel('Middle (latitude, longitude)').fill('0, 0');
  await panel.getByRole('button', { name: 'Find', exact: true }).click();
  await expect(panel.getByText('Nobody passed here in this range.')).toBeVisible();
});

test('times switch between UTC, local and the vehicle’s zone', async ({ page }) => {
  await importSmall(page);
  await rows(page).first().click();
  const timeline = page.getByRole('region', { name: 'Timeline: speed and heading' });
  await timeline.getByText('UTC', { exact: true }).last().click();
  await expect(rows(page).first()).toContainText('14 Mar 2026 17:00 UTC');
  await timeline.getByText('Vehicle', { exact: true }).click();
  await expect(rows(page).first()).toContainText('14 Mar 2026 18:00 CET');
  await expect(timeline).toContainText('Europe/Amsterdam, UTC+1');
});

test('many trips are a lane for each camera, from which one trip is looked at, then the next', async ({
  page,
}) => {
  await importSmall(page);
  await page.getByRole('checkbox', { name: 'Select all trips shown' }).check();
  const timeline = page.getByRole('region', { name: 'Timeline: speed and heading' });
  const lanes = timeline.getByRole('img', { name: 'What 2 cameras recorded over time, 3 trips' });
  await expect(lanes).toBeVisible();
  await timeline.getByRole('button', { name: 'Next trip' }).click();
  await expect(timeline).toContainText('Trip 1 of 3');
  await expect(lanes, 'one trip is a chart').toBeHidden();
  await timeline.getByRole('button', { name: 'Next trip' }).click();
  await expect(timeline).toContainText('Trip 2 of 3');
  await timeline.getByRole('button', { name: 'Previous trip' }).click();
  await expect(timeline.getByRole('button', { name: 'Previous trip' })).toBeDisabled();
  await timeline.getByRole('button', { name: 'Whole selection' }).click();

  // Van 7 has the first lane; its trip ends the time axis.
  const box = (await lanes.boundingBox())!;
  const rightOfAxisPx = 26;
  await page.mouse.move(box.x + box.width - rightOfAxisPx - 2, box.y + 10);
  await expect(page.getByTestId('timeline-reading')).toContainText(/km\/h|no speed/);
  await page.mouse.down();
  await page.mouse.up();
  await expect(timeline).toContainText('Trip 3 of 3');
  await timeline.getByText('Lanes', { exact: true }).click();
  await expect(lanes).toBeVisible();
  await lanes.dblclick({ position: { x: box.width / 2, y: 10 } });
  await expect(timeline).toContainText('3 trips');
});

test('chosen trips go into a new case from the row’s menu', async ({ page }) => {
  await importSmall(page);
  await rows(page).first().click();
  await rows(page)
    .nth(1)
    .click({ modifiers: ['Control'] });
  await rows(page).nth(1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'New case…' }).click();
  await page.getByLabel('Name of the case').fill('Collision');
  await page.getByRole('button', { name: 'Create and add' }).click();
  await expect(page.getByText('Added 2 trips to “Collision”')).toBeVisible();
  await page.getByRole('button', { name: 'Open case' }).click();
  await expect(page).toHaveURL(/#\/cases\/case_/);
});

test('an import appears while the library is open, and what is chosen stays chosen', async ({ page }) => {
  await importSmall(page);
  await rows(page).first().click();
  const later = [csvHeader, ...csvRows('P99', 'Van 99', 9, 20)].join('\n');
  await dropFiles(page, [{ name: 'later.csv', bytes: Buffer.from(later) }]);
  await expect(page.getByText('4 trips · 220 points')).toBeVisible();
  await expect(page.getByRole('row', { selected: true })).toHaveCount(1);
});

test('the whole library with its map, zoomed and moved, asks nothing of the network', async ({
  page,
  desk,
}) => {
  await importSmall(page);
  const addresses: string[] = [];
  page.context().on('request', (request) => addresses.push(request.url()));
  await page.reload();
  await page.getByRole('checkbox', { name: 'Select all trips shown' }).check();
  const box = (await page.getByTestId('library-map').boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let turn = 0; turn < 14; turn++) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(150); // Leaflet gathers wheel turns over time
  }
  // The offline map came from the host itself, coarse outlines last.
  await expect.poll(() => addresses.some((address) => address.includes('outlines-110m'))).toBe(true);
  await page.getByText('Vehicle', { exact: true }).click();
  await expect(page.getByText('Europe/Amsterdam, UTC+1')).toBeVisible();
  const origin = new URL(desk.host.origin).origin;
  expect(
    addresses.filter((address) => new URL(address).origin !== origin && !address.startsWith('blob:')),
  ).toEqual([]);
});

test('a library that can’t be read says so, and works after trying again', async ({ page }) => {
  await importSmall(page);
  let isBroken = true;
  await page.route('**/api/request', async (route) => {
    if (isBroken && route.request().postData()?.includes('"trips.list"')) {
      await route.fulfill({
        json: { ok: false, error: { code: 'internal', message: 'The disk is asleep.' } },
      });
    } else await route.fallback();
  });
  await page.reload();
  await expect(page.getByText('The disk is asleep.')).toBeVisible();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('3 trips · 200 points')).toBeVisible();
});

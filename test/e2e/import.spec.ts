import { csvHeader, csvRows, smallExport, zipOf } from './exports.ts';
import { dropFiles, expect, startDesk, test } from './desk.ts';

test('first start says how to begin, and the sample shows the product working', async ({ page }) => {
  await expect(page.getByRole('heading', { name: 'Bring in a GPS export to begin' })).toBeVisible();
  await page.getByRole('button', { name: 'Try the sample export' }).click();
  await expect(page.getByText('Import finished')).toBeVisible();
  await expect(page.getByText(/\d+ trips · [\d,]+ points/)).toBeVisible();
});

test('a dropped zip is imported and its report accounts for every row', async ({ page }) => {
  await dropFiles(page, [{ name: 'week 11.zip', bytes: await smallExport() }]);
  await expect(page.getByText('Import finished')).toBeVisible();
  await page.getByRole('button', { name: 'Import report' }).click();
  const drawer = page.getByRole('dialog', { name: 'Import report' });
  await expect(drawer.getByText('week 11.zip')).toBeVisible();
  await expect(drawer.getByRole('group', { name: /rows kept plus rows skipped/ })).toContainText('202');
  await expect(drawer.getByRole('group', { name: /rows kept plus rows skipped/ })).toContainText('200');
  await expect(drawer.getByRole('row', { name: /0\/0.*line 122 1/ })).toBeVisible();
  await expect(drawer.getByRole('table', { name: 'Skipped' }).getByText('line 123')).toBeVisible();
});

test('the same zip again is recognised, a file that is none is explained, the others come in', async ({
  page,
}) => {
  const zip = await smallExport();
  await dropFiles(page, [{ name: 'a.zip', bytes: zip }]);
  await expect(page.getByText('Import finished')).toBeVisible();
  await dropFiles(page, [
    { name: 'a-again.zip', bytes: zip },
    { name: 'letter.zip', bytes: Buffer.from('Dear Sir or Madam') },
    { name: 'one.csv', bytes: Buffer.from([csvHeader, ...csvRows('P9', 'Van 9', 1, 5)].join('\n')) },
  ]);
  await expect(page.getByText('Import ended with problems')).toBeVisible();
  await page.getByRole('button', { name: 'Results' }).first().click();
  const results = page.getByRole('dialog', { name: 'Import results' });
  await expect(results.getByText(/Imported before on .*; nothing was changed/)).toBeVisible();
  await expect(results.getByText('Not imported', { exact: true })).toBeVisible();
  await expect(results.getByText('Nothing of this file was kept.')).toBeVisible();
  await expect(results.getByText('Imported: 1 trip, 5 points')).toBeVisible();
});

test('tracks of an unknown camera are assigned from the report, and taken back', async ({ page }) => {
  const gpx = `<?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
    <trkpt lat="52.1" lon="4.3"><time>2026-03-14T10:00:00Z</time></trkpt>
    <trkpt lat="52.2" lon="4.4"><time>2026-03-14T10:05:00Z</time></trkpt></trkseg></trk></gpx>`;
  await dropFiles(page, [{ name: 'export.gpx', bytes: Buffer.from(gpx) }]);
  await page.getByRole('button', { name: 'Import report' }).click();
  const drawer = page.getByRole('dialog', { name: 'Import report' });
  await expect(drawer.getByText(/1 trip of this source name no camera/)).toBeVisible();
  await drawer.getByLabel('Camera serial').fill('P77');
  await drawer.getByRole('button', { name: 'Assign camera' }).click();
  await expect(drawer.getByText(/Assigned by hand: 1 trip to camera P77/)).toBeVisible();
  await drawer.getByRole('button', { name: 'Take back' }).click();
  await expect(drawer.getByText(/1 trip of this source name no camera/)).toBeVisible();
});

test('a long import shows its progress in the tray and can be canceled, leaving nothing', async ({
  page,
}) => {
  const zip = await zipOf({
    'export.csv': [
      csvHeader,
      ...Array.from({ length: 40 }, (_, drive) => csvRows('P1', 'Van 1', drive, 20_000)).flat(),
    ].join('\n'),
  });
  await dropFiles(page, [{ name: 'long.zip', bytes: zip }]);
  await page.getByRole('button', { name: /^Jobs/ }).click();
  await page.getByRole('button', { name: 'Cancel long.zip' }).click();
  // Caught while it was handed over, it leaves no job at all; later, a canceled one.
  await expect(page.getByText(/Canceled; nothing of it was kept|Nothing is running\./)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Bring in a GPS export to begin' })).toBeVisible();
});

test('ended jobs survive a reload and a restart, until they are dismissed', async ({ page, desk }) => {
  await dropFiles(page, [{ name: 'a.zip', bytes: await smallExport() }]);
  await expect(page.getByText('Import finished')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: /^Jobs/ }).click();
  await expect(page.getByRole('article', { name: 'Import: a.zip' })).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss a.zip' }).click();
  await expect(page.getByText('Nothing is running.')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: /^Jobs/ }).click();
  await expect(page.getByText('Nothing is running.')).toBeVisible();
  expect(desk.bugs).toEqual([]);
});

test('everything is there after the app was closed and opened again', async ({ browser, desk }) => {
  const first = await browser.newPage();
  await first.goto(desk.host.address);
  await dropFiles(first, [{ name: 'a.zip', bytes: await smallExport() }]);
  await expect(first.getByText('Import finished')).toBeVisible();
  await first.close();
  await desk.host.close();
  const again = await startDesk(desk.dataFolder);
  try {
    const second = await browser.newPage();
    await second.goto(again.address);
    await expect(second.getByText('3 trips · 200 points')).toBeVisible();
    await second.getByRole('button', { name: /^Jobs/ }).click();
    await expect(second.getByRole('article', { name: 'Import: a.zip' })).toBeVisible();
    await second.close();
  } finally {
    await again.close();
  }
});

test('a lost connection is said, with what to do', async ({ browser, desk }) => {
  const page = await browser.newPage();
  await page.goto(desk.host.address);
  await expect(page.getByRole('heading', { name: 'Bring in a GPS export to begin' })).toBeVisible();
  await desk.host.close();
  await expect(page.getByText('Connection to Evidence Desk lost.')).toBeVisible();
  await page.close();
});

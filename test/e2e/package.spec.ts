import fs from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { clipBytes, clipName } from '../evidence/clipSupport.ts';
import { smallExport } from './exports.ts';
import { dropFiles, expect, test } from './desk.ts';

/** A case with all of the small export, opened at its Package tab. */
async function openPackageTab(page: Page): Promise<void> {
  await page.goto(new URL('#/cases', page.url()).href);
  await page.getByRole('button', { name: 'New case…' }).click();
  await page.getByLabel('Name of the case').fill('Keizersgracht');
  await page.getByRole('button', { name: 'Create case' }).click();
  await expect(page.getByText('Nothing in this case yet')).toBeVisible();
  await dropFiles(page, [{ name: 'a.zip', bytes: await smallExport() }]);
  await expect(page.getByRole('list', { name: 'Exhibits' }).getByText('a.zip')).toBeVisible();
  await page.getByRole('tab', { name: 'Package' }).click();
}

/** Seals, and saves a copy as a user would; gives its bytes. */
async function seal(page: Page): Promise<Buffer> {
  await page.getByRole('button', { name: 'Seal', exact: true }).click();
  const save = page.getByRole('button', { name: 'Save a copy' });
  await expect(save).toBeEnabled();
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  return fs.readFile(await download.path());
}

test('import, case, seal, verify: the whole way, and a stranger’s changed byte is found', async ({
  page,
}) => {
  await openPackageTab(page);
  await expect(
    page.getByRole('list', { name: 'Files of the package' }).getByText('a.zip', { exact: true }),
  ).toBeVisible();
  const bytes = await seal(page);

  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Unchanged since sealed' })).toBeVisible();
  await expect(page.getByText('Sealed with this computer’s key')).toBeVisible();

  await dropFiles(page, [{ name: 'copy.zip', bytes }]);
  await expect(page.getByText(/copy\.zip · checked/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Unchanged since sealed' })).toBeVisible();

  const changed = Buffer.from(bytes);
  const at = changed.indexOf('Keizersgracht', changed.length >> 1);
  changed.writeUInt8(
    changed.readUInt8(at < 0 ? changed.length >> 1 : at) ^ 1,
    at < 0 ? changed.length >> 1 : at,
  );
  await dropFiles(page, [{ name: 'changed.zip', bytes: changed }]);
  await expect(page.getByRole('heading', { name: 'Not as it was sealed' })).toBeVisible();
  await expect(page.getByText(/checks? not passed/)).toBeVisible();
});

test('a case with a clip seals and verifies, and one changed byte of the clip is found by its name', async ({
  page,
}) => {
  await openPackageTab(page);
  const clip = clipBytes({ hasAudio: true });
  await page.getByRole('tab', { name: /Exhibits/ }).click();
  await dropFiles(page, [{ name: clipName(), bytes: clip }]);
  const exhibits = page.getByRole('list', { name: 'Exhibits' });
  await expect(exhibits.getByText(new RegExp(`^${clipName()} · 20 s`))).toBeVisible();
  await page.getByRole('tab', { name: /Package/ }).click();
  await expect(page.getByText(/1 clip holds sound/)).toBeVisible();
  const files = page.getByRole('list', { name: 'Files of the package' });
  await expect(files.getByText(clipName(), { exact: true })).toBeVisible();
  const bytes = await seal(page);
  const at = bytes.indexOf(clip);
  expect(at).toBeGreaterThan(0);

  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Unchanged since sealed' })).toBeVisible();
  bytes.writeUInt8(bytes.readUInt8(at + clip.length - 9) ^ 1, at + clip.length - 9);
  await dropFiles(page, [{ name: 'changed.zip', bytes }]);
  await expect(page.getByRole('heading', { name: 'Not as it was sealed' })).toBeVisible();
  await expect(
    page.getByText(new RegExp(`data/clips/unknown-camera/${clipName()} is not the clip`)),
  ).toBeVisible();
});

test('originals can be left out, and the package says so', async ({ page }) => {
  await openPackageTab(page);
  await page.locator('label', { hasText: 'Leave out' }).click();
  await expect(page.getByText('Left out, and said so in the package')).toBeVisible();
  await expect(
    page.getByRole('list', { name: 'Files of the package' }).getByText('a.zip', { exact: true }),
  ).toBeHidden();
  const bytes = await seal(page);
  expect(bytes.includes('data/sources/a.zip')).toBe(false);
});

test('an empty case has nothing to seal, and says what to do', async ({ page }) => {
  await page.goto(new URL('#/cases', page.url()).href);
  await page.getByRole('button', { name: 'New case…' }).click();
  await page.getByLabel('Name of the case').fill('Empty');
  await page.getByRole('button', { name: 'Create case' }).click();
  await page.getByRole('tab', { name: 'Package' }).click();
  await expect(page.getByText('Nothing to seal yet')).toBeVisible();
});

test('another kind of file is not called a changed package', async ({ page }) => {
  await page.getByRole('link', { name: 'Verify' }).click();
  await dropFiles(page, [{ name: 'letter.zip', bytes: Buffer.from('Dear Sir or Madam') }]);
  await expect(page.getByRole('heading', { name: 'Not a readable evidence package' })).toBeVisible();
});

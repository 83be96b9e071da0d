import { expect, test } from './desk.ts';

test('theme, zone and name are kept, and the name is what custody states', async ({ page }) => {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.locator('label', { hasText: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.getByRole('combobox', { name: 'Local time is' }).click();
  await page.getByRole('combobox', { name: 'Local time is' }).fill('Tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await page.getByLabel('Name', { exact: true }).fill('A. Jansen');
  await page.keyboard.press('Enter');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('A. Jansen');

  await page.getByRole('link', { name: 'Cases' }).click();
  await page.getByRole('button', { name: 'New case…' }).click();
  await page.getByLabel('Name of the case').fill('Named');
  await page.getByRole('button', { name: 'Create case' }).click();
  await page.getByRole('tab', { name: 'Custody' }).click();
  await expect(page.getByText('A. Jansen')).toBeVisible();
  await expect(page.getByText(/UTC\+9|JST/).first()).toBeVisible();
});

test('a tile address that can’t work is refused with words, and online tiles stay off', async ({ page }) => {
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText('Off: no network requests')).toBeVisible();
  await page.getByLabel('Tile address').fill('not an address');
  await expect(page.getByText('Write a web address that begins with https://')).toBeVisible();
  await page.getByLabel('Tile address').fill('https://tiles.example/no-placeholders');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByText('Off: no network requests')).toBeVisible();
});

test('a new tile address is used only after the reload that its security policy needs', async ({ page }) => {
  await page.getByRole('link', { name: 'Settings' }).click();
  // Nothing listens there: the test is about who asks, and when.
  await page.getByLabel('Tile address').fill('http://127.0.0.1:9/{z}/{x}/{y}.png');
  await page.keyboard.press('Enter');
  await expect(page.getByText('On: the map asks this address')).toBeVisible();
  await page.getByRole('button', { name: 'Reload the window' }).click();
  await expect(page.getByText('On: the map asks this address')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reload the window' })).toBeHidden();
});

import { smallExport } from './exports.ts';
import { dropFiles, expect, test } from './desk.ts';

test('a case is kept from its first note to its removal, with custody of every step', async ({ page }) => {
  await dropFiles(page, [{ name: 'a.zip', bytes: await smallExport() }]);
  await expect(page.getByText('Import finished')).toBeVisible();
  await page.getByRole('link', { name: 'Cases' }).click();
  await page.getByRole('button', { name: 'New case…' }).click();
  await page.getByLabel('Name of the case').fill('Keizersgracht');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Keizersgracht' })).toBeVisible();

  await page.getByRole('button', { name: 'Add exhibits…' }).click();
  await page.getByRole('checkbox', { name: /Van 12, trip 1/ }).check();
  await page.getByRole('button', { name: 'Add 1 exhibit' }).click();
  await page.getByRole('button', { name: 'Use the exhibits’ extent' }).click();
  await page.locator('label', { hasText: 'UTC' }).click();
  await expect(page.getByRole('textbox', { name: 'From' })).toHaveValue('2026-03-14 17:00:00');
  await expect(page.getByLabel('To (not included)')).toHaveValue('2026-03-14 17:01:00');

  await page.getByRole('button', { name: /^Remove Van 12, trip 1.* from the case$/ }).click();
  await expect(page.getByText('Nothing in this case yet')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Nothing in this case yet')).toBeHidden();

  await page.getByRole('tab', { name: 'Notes' }).click();
  await page.getByLabel('Text of the new note').fill('The driver says that he stopped.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('The driver says that he stopped.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('The driver says that he stopped.')).toBeVisible();

  await page.getByRole('tab', { name: 'Custody' }).click();
  await expect(page.getByText('Chain whole')).toBeVisible();
  await expect(page.getByText('Created the case “Keizersgracht”')).toBeVisible();
  await expect(page.getByText(/^Removed trip .* from the exhibits$/)).toBeVisible();
  await expect(page.getByText('Wrote a note')).toBeVisible();

  await page.getByRole('button', { name: 'Remove the case' }).click();
  await page.getByRole('button', { name: 'Remove case' }).click();
  await expect(page.getByText('No cases yet')).toBeVisible();
});

test('a name that is taken is refused where it was typed', async ({ page }) => {
  await page.goto(new URL('#/cases', page.url()).href);
  for (const name of ['Keizersgracht', 'KEIZERSGRACHT']) {
    await page.getByRole('button', { name: 'New case…' }).click();
    await page.getByLabel('Name of the case').fill(name);
    await page.getByRole('button', { name: 'Create case' }).click();
  }
  await expect(
    page.getByRole('alert').getByText('There is a case named "KEIZERSGRACHT" already.'),
  ).toBeVisible();
});

test('files dropped on an open case become its exhibits', async ({ page }) => {
  await page.goto(new URL('#/cases', page.url()).href);
  await page.getByRole('button', { name: 'New case…' }).click();
  await page.getByLabel('Name of the case').fill('Singel');
  await page.getByRole('button', { name: 'Create case' }).click();
  await expect(page.getByText('Nothing in this case yet')).toBeVisible();
  await dropFiles(page, [{ name: 'straight in.zip', bytes: await smallExport() }]);
  await expect(page.getByRole('list', { name: 'Exhibits' }).getByText('straight in.zip')).toBeVisible();
});

import fs from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { expect, test } from './desk.ts';

/** Today, so that the form's own range (the last days) meets trips. */
const startedNow = () => startSimulator({ seed: 3, startAt: new Date().toISOString() });

async function withSimulator(work: (simulator: Simulator) => Promise<void>): Promise<void> {
  const simulator = await startedNow();
  try {
    await work(simulator);
  } finally {
    await simulator.stop();
  }
}

/** Opens the dialogue and fills in what an account needs. */
async function fillAccount(page: Page, baseUrl: string, apiKey: string, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Add account…' }).click();
  await page.getByLabel('Base address').fill(baseUrl);
  await page.getByRole('textbox', { name: 'API key' }).fill(apiKey);
  await page.getByLabel('Name', { exact: true }).fill(label);
}

async function addAccount(page: Page, baseUrl: string, apiKey: string, label: string): Promise<void> {
  await fillAccount(page, baseUrl, apiKey, label);
  await page.getByRole('button', { name: 'Test connection' }).last().click();
  await page.getByRole('button', { name: 'Save account' }).click();
  await expect(page.getByRole('listitem', { name: label })).toBeVisible();
}

/** Everything that this window holds where a key could have been left. */
function everythingIn(page: Page): Promise<string> {
  return page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      ...[...document.querySelectorAll('input, textarea')].map(
        (field) => (field as HTMLInputElement).value, // the selector finds nothing else
      ),
      JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage }),
      location.href,
    ].join('\n'),
  );
}

test('the demo fleet: from an empty library over an ordered export to trips on the Library', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Try the demo fleet' }).click();
  await expect(page.getByRole('link', { name: /^Demo:/ })).toBeVisible();
  await expect(page.getByText('All cloud cameras (17)')).toBeVisible();
  await expect(page.getByText(/Left out: 3 Wi-Fi-only cameras/)).toBeVisible();
  await expect(page.getByText(/^0 of 800 jobs used this month; 799 left after this\.$/)).toBeVisible();

  await page.getByRole('button', { name: 'Order export' }).click();
  const order = page.getByRole('list', { name: 'GPS exports' }).getByRole('listitem');
  await expect(order.getByText('Will be imported when complete')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Order export' })).toBeDisabled();
  await expect(page.getByText(/The organization can run one export at a time/)).toBeVisible();
  await page.reload();
  await expect(order.getByText('Running', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(order.getByText('Imported', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(order.getByText('Completed', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Order export' })).toBeEnabled();

  await order.getByRole('button', { name: 'Import report' }).click();
  const report = page.getByRole('dialog', { name: 'Import report' });
  await expect(report.getByText(/gps-.*\.zip/).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(report).toBeHidden();

  await page.getByRole('tab', { name: 'Usage' }).click();
  for (const bucket of ['Video transfer', 'GPS export jobs', 'GPS exports at the same time']) {
    await expect(page.getByRole('group', { name: bucket })).toBeVisible();
  }
  await expect(page.getByRole('group', { name: 'GPS export jobs' })).toContainText('1 of 800 used');
  await expect(page.getByRole('img', { name: /days without figures/ })).toBeVisible();
  await expect(page.getByText('1 locked for video')).toBeVisible();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(
    page.getByRole('table', { name: 'This app’s count beside the service’s' }).getByRole('row', {
      name: /GPS export jobs 1 1 0/,
    }),
  ).toBeVisible();

  await page.keyboard.press('Control+1');
  await expect(page.getByText(/^[\d,]+ trips · [\d,]+ points$/)).toBeVisible();
  await page.getByRole('link', { name: /^Demo:/ }).click();
  await page.getByRole('button', { name: 'Leave demo…' }).click();
  await page.getByRole('button', { name: 'Leave demo', exact: true }).click();
  await expect(page.getByText('No account yet')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Demo:/ })).toBeHidden();
  await page.keyboard.press('Control+1');
  await expect(page.getByText(/^[\d,]+ trips · [\d,]+ points$/)).toBeVisible();
});

test('a wrong key is explained and stores nothing; a right one is shown nowhere afterwards', async ({
  page,
  desk,
}) => {
  await withSimulator(async ({ baseUrl, keys, control }) => {
    const wrong = `fdc_live_${'0'.repeat(40)}`;
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await fillAccount(page, `${baseUrl}/v1/`, wrong, 'Jansen Transport');
    const dialog = page.getByRole('dialog', { name: 'Add an account' });
    await expect(page.getByRole('textbox', { name: 'API key' })).toHaveAttribute('type', 'password');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('The service does not know this API key.')).toBeVisible();
    await expect(dialog.getByText(/Check the key/)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Save account' })).toBeHidden();
    await expect(fs.access(path.join(desk.dataFolder, 'accounts.json'))).rejects.toThrow();

    const rights = ['devices:read', 'gps:export'];
    const narrow = control.createKey({ organisation: 'enterprise', label: 'narrow', scopes: rights });
    await dialog.getByRole('textbox', { name: 'API key' }).fill(narrow);
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect(dialog.getByText('Connection works')).toBeVisible();
    await expect(dialog.getByRole('row', { name: /usage:read Missing/ })).toBeVisible();
    await expect(dialog.getByRole('row', { name: /gps:export Granted/ })).toBeVisible();
    await expect(dialog.getByRole('row', { name: /media:recall Not known/ })).toBeVisible();
    await expect(
      dialog.getByText('17 cameras registered of 16 seats; 1 over the limit', { exact: false }),
    ).toBeVisible();

    await dialog.getByRole('textbox', { name: 'API key' }).fill(keys.pro);
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await dialog.getByRole('button', { name: 'Save account' }).click();
    const row = page.getByRole('listitem', { name: 'Jansen Transport' });
    await expect(row.getByText('Active')).toBeVisible();
    await expect(row.getByText('Tier: pro')).toBeVisible();
    const held = await everythingIn(page);
    for (const key of [wrong, narrow, keys.pro]) expect(held).not.toContain(key);
    await page.getByRole('button', { name: 'Add account…' }).click();
    await expect(page.getByRole('textbox', { name: 'API key' })).toHaveValue('');
    await page.keyboard.press('Escape');
    await page.reload();
    await expect(row).toBeVisible();
    expect(await everythingIn(page)).not.toContain(keys.pro);
    expect(await fs.readFile(path.join(desk.dataFolder, 'accounts.json'), 'utf8')).not.toContain(keys.pro);

    await row.getByRole('button', { name: 'Rename Jansen Transport' }).click();
    await page.getByLabel('Name of the account').fill('Jansen');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove Jansen' }).click();
    await page.getByRole('button', { name: 'Remove account' }).click();
    await expect(page.getByText('No account yet')).toBeVisible();
  });
});

test('an order that meets somebody else’s is explained, with the job in the way, and can cancel it', async ({
  page,
}) => {
  await withSimulator(async ({ baseUrl, keys }) => {
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await addAccount(page, baseUrl, keys.pro, 'Pro');
    await addAccount(page, baseUrl, keys.enterprise, 'Enterprise');
    for (const [label, sentence] of [
      ['Enterprise', /Another export is under way \(gpsexp_\w+, (queued|running)\)/],
      ['Pro', '1 of 1 exports of the plan are running.'],
    ] as const) {
      await page.getByRole('tab', { name: 'Accounts' }).click();
      const row = page.getByRole('listitem', { name: label });
      // The one added last is active already.
      if (label === 'Pro') await row.getByRole('button', { name: 'Use this account' }).click();
      await expect(row.getByText('Active')).toBeVisible();
      await page.getByRole('tab', { name: 'GPS exports' }).click();
      await expect(page.getByText('No exports yet')).toBeVisible();
      await expect(page.getByText(/left after this/)).toBeVisible();
      const today = new Date().toISOString().slice(0, 10);
      const elsewhere = await fetch(`${baseUrl}/v1/gps/export-jobs`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${label === 'Pro' ? keys.pro : keys.enterprise}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ from: `${today}T00:00:00Z`, to: `${today}T00:00:00Z`, format: 'csv' }),
      });
      const { jobId } = ((await elsewhere.json()) as { data: { jobId: string } }).data; // 4.3
      await page.getByRole('button', { name: 'Order export' }).click();
      const form = page.getByRole('form', { name: 'Order a GPS export' });
      await expect(form.getByText(sentence)).toBeVisible();
      await expect(form.getByText('No order was placed, and nothing was counted.')).toBeVisible();
      await expect(form.getByText(jobId).last()).toBeVisible();
      const theirs = page.getByRole('list', { name: 'GPS exports' }).getByRole('listitem');
      await expect(theirs.getByText(jobId)).toBeVisible();
      await expect(theirs.getByText(/elsewhere$/)).toBeVisible();
      await theirs.getByRole('button', { name: 'Cancel…' }).click();
      await expect(page.getByText(/It was not ordered by this app/)).toBeVisible();
      await page.getByRole('button', { name: 'Cancel export' }).click();
      await expect(theirs.getByText('Canceled', { exact: true })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Order export' })).toBeEnabled();
    }
  });
});

test('figures stay readable when the service is gone, with their age and the reason', async ({ page }) => {
  const simulator = await startedNow();
  try {
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await addAccount(page, simulator.baseUrl, simulator.keys.enterprise, 'Enterprise');
    await page.getByRole('tab', { name: 'GPS exports' }).click();
    await expect(page.getByText(/left after this/)).toBeVisible();
    await page.getByRole('tab', { name: 'Usage' }).click();
    await expect(page.getByRole('group', { name: 'GPS export jobs' })).toBeVisible();
  } finally {
    await simulator.stop();
  }
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('What is shown is what was fetched before.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/The service can't be reached/)).toBeVisible();
  await expect(page.getByRole('group', { name: 'GPS export jobs' })).toContainText('0 of 800 used');
  await expect(page.getByText(/Figures of the service as of/)).toBeVisible();
});

import fs from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { dropFiles, expect, test as base } from './desk.ts';

/** A fleet of the test's own, whose cameras and allowance it steers. */
const test = base.extend<{ fleet: Simulator }>({
  // Playwright reads the fixtures' names from this pattern.
  // eslint-disable-next-line no-empty-pattern
  fleet: async ({}, use) => {
    const simulator = await startSimulator({
      clock: 'ticking',
      isRateLimited: false,
      nominalSizes: { main: 9_000_000, sub: 1_000_000 },
    });
    await use(simulator);
    await simulator.stop();
  },
});

async function addAccount(page: Page, fleet: Simulator, apiKey = fleet.keys.enterprise): Promise<void> {
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await page.getByRole('button', { name: 'Add account…' }).click();
  await page.getByLabel('Base address').fill(fleet.baseUrl);
  await page.getByRole('textbox', { name: 'API key' }).fill(apiKey);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save account' }).click();
  await expect(page.getByRole('listitem').getByText('Active')).toBeVisible();
  await page.getByRole('link', { name: 'Cameras' }).click();
}

async function openCard(page: Page): Promise<Locator> {
  await page.getByRole('link', { name: 'Open the card of Van 07' }).click();
  const grid = page.getByRole('grid', { name: 'Recordings' });
  await expect(grid.getByRole('row').first()).toBeVisible({ timeout: 30_000 });
  return grid;
}

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: /^Recall/ });

/** Opens the dialogue for the newest recording, the allowance being so. */
async function price(page: Page, grid: Locator): Promise<Locator> {
  await grid.focus();
  await page.keyboard.press('Enter');
  const dialog = dialogOf(page);
  await expect(dialog.getByText(/left of/)).toBeVisible();
  return dialog;
}

/** Orders one file in low resolution; `row` counts from the newest. */
async function recallLow(page: Page, grid: Locator, row: number, deadline?: string): Promise<void> {
  await page.getByText('Recording', { exact: true }).first().click();
  await grid.getByRole('row').nth(row).click();
  await page.getByRole('button', { name: /^Recall… low/ }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole('checkbox', { name: /option/ }).uncheck();
  if (deadline !== undefined) {
    await dialog.getByRole('combobox', { name: /Wait for a busy/ }).click();
    await page.getByRole('option', { name: deadline }).click();
  }
  await dialog.getByRole('button', { name: /^Recall low · / }).click();
  await expect(dialog).toBeHidden();
}

/** A clip made longer by a box that players skip. */
function padded(clip: Buffer, sizeBytes: number): Buffer {
  const free = Buffer.alloc(sizeBytes - clip.length);
  free.writeUInt32BE(free.length, 0);
  free.write('free', 4, 'latin1');
  return Buffer.concat([clip, free]);
}

async function listedBytes(fleet: Simulator, filename: string): Promise<number> {
  const route = `/v1/devices/${fleet.story.collision.psn}/sd-files?perPage=200`;
  const answer = await fetch(`${fleet.baseUrl}${route}`, {
    headers: { Authorization: `Bearer ${fleet.keys.enterprise}` },
  });
  const { data } = (await answer.json()) as { data: { filename: string; mainSizeBytes: number }[] };
  return data.find((one) => one.filename === filename)?.mainSizeBytes ?? 0;
}

const contacts = (fleet: Simulator): number => fleet.control.requests().filter((one) => one.deviceContact !== null).length; // prettier-ignore
const charges = (fleet: Simulator): number =>
  Object.values(fleet.control.counters()['recalls'] as Record<string, number>).reduce((a, b) => a + b, 0);

test('says of each camera before it is tried why its card can’t be browsed', async ({ page, fleet }) => {
  await addAccount(page, fleet);
  const list = page.getByRole('list', { name: 'Cameras' });
  const rowOf = async (name: string): Promise<Locator> => {
    await page.getByRole('textbox', { name: 'Find a camera' }).fill(name);
    const row = list.getByRole('listitem').filter({ hasText: name });
    await expect(row).toHaveCount(1);
    return row;
  };
  await expect(list.getByRole('link', { name: 'Open the card of Van 07' })).toBeVisible();
  expect(contacts(fleet)).toBe(0);
  for (const [camera, says] of [
    ['Trailer 61', 'cannot: Wi-Fi only'],
    ['Van 01', 'cannot: over the seat limit'],
    ['Van 13', 'not now: offline'],
  ] as const) {
    await expect(await rowOf(camera)).toContainText(says);
  }
  await expect((await rowOf('Van 01')).getByRole('link')).toHaveCount(0);
  // What the list of cameras does not tell is learnt once, and said from then on.
  for (const [camera, says] of [
    ['Van 14', 'no card'],
    ['Old Pickup 30', 'model not supported'],
  ] as const) {
    await (await rowOf(camera)).getByRole('link').click();
    await expect(page.getByRole('alert').first()).toBeVisible();
    await page.getByRole('link', { name: 'All cameras' }).click();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(await rowOf(camera)).toContainText(says);
    await expect(await rowOf(camera)).toContainText(/learnt/);
  }
});

test('amber, red and refused: a reason for red, nothing over the remainder, nothing asked meanwhile', async ({
  page,
  fleet,
}) => {
  await addAccount(page, fleet);
  const grid = await openCard(page);
  const limit = fleet.control.state('enterprise')['transferLimitBytes'] as number;
  const left = (bytes: number): void => fleet.control.setUsage('enterprise', { transferBytesLeft: bytes });
  left(Math.round(limit * 0.29));
  let dialog = await price(page, grid);
  await expect(dialog.getByText('Amber: mind what is left after it')).toHaveCount(2);
  await expect(dialog.getByText(/resets in 18 days/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  // Two clips: 2 MB low, 18 MB full; the sum decides.
  left(10_000_000);
  dialog = await price(page, grid);
  const low = dialog.getByRole('region', { name: 'Low resolution' });
  const full = dialog.getByRole('region', { name: 'Full resolution' });
  await expect(low).toHaveAttribute('data-level', 'red');
  await expect(full).toHaveAttribute('data-level', 'refused');
  await expect(full.getByText(/It needs 18,\d{3},\d{3} bytes .* 10,000,000 bytes are left/)).toBeVisible();
  await expect(full.getByRole('button')).toBeDisabled();
  await expect(low.getByRole('button')).toBeDisabled();
  await dialog.getByLabel('Reason for a red price').fill('The only clip of the impact.');
  await expect(low.getByRole('button')).toBeEnabled();
  await expect(full.getByRole('button')).toBeDisabled();
  // One clip less is a smaller sum.
  await dialog.getByRole('checkbox', { name: /option/ }).uncheck();
  await expect(full).toHaveAttribute('data-level', 'red');
  expect(charges(fleet)).toBe(0);
  await low.getByRole('button').click();
  await expect(page.getByText(/^Here, /)).toHaveCount(1, { timeout: 40_000 });
  expect(charges(fleet)).toBe(1);

  // From what that took, the next one's time is expected; a copy on the server is said to be there.
  dialog = await price(page, grid);
  await expect(dialog.getByText('Already here', { exact: true }).first()).toBeVisible();
  await expect(dialog.getByText(/^about .* s$/).first()).toBeVisible();
});

test('a camera that is busy, then away: countdown, deadline, and on it goes', async ({ page, fleet }) => {
  const { psn } = fleet.story.collision;
  await addAccount(page, fleet);
  const grid = await openCard(page);
  fleet.control.setDevice({ psn, busyForSeconds: 3600 });
  await recallLow(page, grid, 1, '15 minutes');
  const item = page.getByRole('listitem', { name: /^Recall of .*, low/ });
  await expect(
    item.getByText(/camera is busy with another transfer; tried again (in \d s|now)/),
  ).toBeVisible();
  await expect(item.getByText(/gives up in 14 min \d+ s/)).toBeVisible();
  fleet.control.setDevice({ psn, busyForSeconds: 0, offlineForSeconds: 3600 });
  await item.getByRole('button', { name: 'Try now' }).click();
  await expect(item.getByText(/camera is offline; tried again in \d+ s/)).toBeVisible();
  fleet.control.setDevice({ psn, offlineForSeconds: 0 });
  await item.getByRole('button', { name: 'Try now' }).click();
  await expect(item.getByText(/^Here, /)).toBeVisible({ timeout: 40_000 });
  expect(charges(fleet)).toBe(1);
});

test('a link that runs out asks before it is charged again; cancelling explains and asks', async ({
  page,
  fleet,
}) => {
  const { psn } = fleet.story.collision;
  await addAccount(page, fleet);
  const grid = await openCard(page);
  fleet.control.addFault({ effect: { kind: 'drop', bytes: 300_000 }, match: { surface: 'link' }, times: 1 });
  fleet.control.addFault({ effect: { kind: 'expired' }, match: { surface: 'link' }, times: 9 });
  await recallLow(page, grid, 1);
  const item = page.getByRole('listitem', { name: /^Recall of .*, low/ });
  await expect(item.getByText('Link expired: going on would be charged')).toBeVisible({ timeout: 40_000 });
  expect(charges(fleet)).toBe(1);
  fleet.control.clearFaults();
  await item.getByRole('button', { name: /^Go on · .* charged/ }).click();
  await expect(item.getByText(/^Here, /)).toBeVisible({ timeout: 40_000 });
  expect(charges(fleet)).toBe(2);

  fleet.control.setDevice({ psn, uploadBytesPerSecond: 20_000 });
  await recallLow(page, grid, 2);
  await page.getByRole('button', { name: /^Cancel .*, low$/ }).click();
  const confirm = page.getByRole('dialog', { name: 'Cancel this recall?' });
  await expect(confirm.getByText(/even if someone else asked for that/)).toBeVisible();
  await confirm.getByRole('button', { name: 'Cancel the recall' }).click();
  await expect(page.getByText('Canceled', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Try again · .* charged/ })).toBeVisible();
});

test('restart, clock and deletion: each says what it does and wants a reason', async ({ page, fleet }) => {
  const { psn } = fleet.story.collision;
  await addAccount(page, fleet);
  const grid = await openCard(page);
  await page.getByRole('button', { name: /^Clock:/ }).click();
  const clock = page.getByRole('dialog', { name: 'The camera’s clock' });
  await clock.getByLabel('Offset by hand').fill('+5:30');
  await expect(clock.getByRole('button', { name: 'Set the offset' })).toBeDisabled();
  await clock.getByLabel('Reason').fill('Compared with a radio clock.');
  await clock.getByRole('button', { name: 'Set the offset' }).click();
  await expect(page.getByRole('button', { name: 'Clock: UTC+5:30, set by hand' })).toBeVisible();
  await expect(grid.getByRole('row').first()).toContainText(/by hand, ±/);

  const doomed = page.getByRole('button', { name: /^Delete .*F\.mp4 from the card/ });
  await doomed.click();
  const filename = ((await doomed.getAttribute('aria-label')) ?? '').split(' ')[1]!;
  const deletion = page.getByRole('dialog', { name: 'Delete from the card?' });
  await deletion.getByLabel('Reason').fill('Private footage of a third party.');
  await deletion.getByRole('button', { name: 'Continue…' }).click();
  await expect(deletion.getByText(/its full resolution is not in the cache/)).toBeVisible();
  const forEver = deletion.getByRole('button', { name: 'Delete for ever' });
  await expect(forEver).toBeDisabled();
  await deletion.getByLabel(/^Type .* to confirm/).fill(filename);
  await forEver.click();
  await expect(page.getByText('Deleted from the card')).toBeVisible();

  fleet.control.setDevice({ psn, isWedged: true });
  await page.getByRole('button', { name: 'Restart…' }).click();
  const restart = page.getByRole('dialog', { name: 'Restart Van 07?' });
  await expect(restart.getByText(/is dropped, and it is offline for a minute/)).toBeVisible();
  await restart.getByLabel('Reason').fill('Busy for twenty minutes, nothing comes.');
  await restart.getByRole('button', { name: 'Restart the camera' }).click();
  await expect(page.getByText('Restart accepted')).toBeVisible();
});

test('a key that may only read is told apart once the service has said so', async ({ page, fleet }) => {
  const scopes = ['media:read', 'media:recall', 'usage:read', 'devices:read', 'groups:read'];
  await addAccount(
    page,
    fleet,
    fleet.control.createKey({ organisation: 'enterprise', label: 'reader', scopes }),
  );
  await openCard(page);
  const restart = page.getByRole('button', { name: 'Restart…' });
  await restart.click();
  const dialog = page.getByRole('dialog', { name: 'Restart Van 07?' });
  await dialog.getByLabel('Reason').fill('Stuck.');
  await dialog.getByRole('button', { name: 'Restart the camera' }).click();
  await expect(dialog.getByText(/lacks the permission "devices:write"/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(restart).toHaveAttribute('aria-disabled', 'true');
  await restart.hover();
  await expect(page.getByText(/may not restart cameras/)).toBeVisible();
});

test('an H.265 clip copied from the card by hand is known by its name, and not shown as black', async ({
  page,
  fleet,
}) => {
  await addAccount(page, fleet);
  const grid = await openCard(page);
  const button = page.getByRole('button', { name: /^Delete .*F\.mp4 from the card/ });
  const filename = ((await button.getAttribute('aria-label')) ?? '').split(' ')[1]!;
  const clip = await fs.readFile(path.join(import.meta.dirname, 'fixtures', 'h265.mp4'));
  // As long as the card's listing says: another length would be another file of that name.
  const bytes = padded(clip, await listedBytes(fleet, filename));
  await dropFiles(page, [{ name: filename, bytes }]);
  await expect(grid.getByRole('row').first()).toContainText('here', { timeout: 30_000 });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Play .*F\.mp4, (low|full)/ }).click();
  await expect(page.getByText('This clip can’t be shown here.')).toBeVisible();
  await expect(page.getByText(/Its video is H\.265/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'save a copy' })).toBeVisible();
  expect(charges(fleet)).toBe(0);
});

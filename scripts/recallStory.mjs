// Pictures of what recalls look like when all is not well: prices of every colour, a camera that is busy or away, a
// link that ran out, and the dialogues that ask first. On a simulated fleet of its own, which it steers.
const longWaitMs = 40_000;

export async function recalls({ page, host, shoot }) {
  const { startSimulator } = await import('../test/simulator/simulator.ts');
  const fleet = await startSimulator({
    clock: 'ticking',
    isRateLimited: false,
    nominalSizes: { main: 90_000_000, sub: 5_000_000 },
  });
  try {
    await tell({ page, host, shoot, fleet });
  } finally {
    await fleet.stop();
  }
}

async function tell({ page, host, shoot, fleet }) {
  const { control } = fleet;
  const { psn } = fleet.story.collision;
  const limit = control.state('enterprise').transferLimitBytes;
  const left = (bytes) => control.setUsage('enterprise', { transferBytesLeft: bytes });
  const rest = () => page.waitForTimeout(700);

  await page.goto(host.address);
  await page.goto(new URL('#/account', page.url()).href);
  await page.getByRole('button', { name: 'Add account…' }).click();
  await page.getByLabel('Base address').fill(fleet.baseUrl);
  await page.getByRole('textbox', { name: 'API key' }).fill(fleet.keys.enterprise);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save account' }).click();
  await page.getByRole('listitem').getByText('Active').waitFor();
  await page.goto(new URL('#/cameras', page.url()).href);
  await page.getByRole('link', { name: 'Open the card of Van 07' }).click();
  const grid = page.getByRole('grid', { name: 'Recordings' });
  await grid.locator('time').first().waitFor({ timeout: longWaitMs });
  await page.waitForTimeout(5000); // the toast goes

  const dialog = page.getByRole('dialog', { name: /^Recall/ });
  const price = async (name) => {
    await grid.focus();
    await page.keyboard.press('Enter');
    await dialog.getByText(/left of/).waitFor();
    await rest();
    await shoot(name);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  };
  for (const [name, bytes] of [
    ['amber', Math.round(limit * 0.29)],
    ['red', 250_000_000],
    ['refused', 100_000_000],
  ]) {
    left(bytes);
    await price(`recall-${name}`);
  }
  left(Math.round(limit * 0.8));
  await grid.focus();
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('Shift+ArrowDown');
  await price('recall-several');
  await page.keyboard.press('Escape');

  const recall = async (row) => {
    await page.getByText('Recording', { exact: true }).first().click();
    await grid.getByRole('row').nth(row).click();
    await page.getByRole('button', { name: /^Recall… low/ }).click();
    await dialog.getByRole('checkbox', { name: /option/ }).uncheck();
    await dialog.getByRole('combobox', { name: /Wait for a busy/ }).click();
    await page.getByRole('option', { name: '15 minutes' }).click();
    await dialog.getByRole('button', { name: /^Recall low · / }).click();
    await dialog.waitFor({ state: 'hidden' });
  };
  control.setDevice({ psn, uploadBytesPerSecond: 2_000_000 });
  control.addFault({ effect: { kind: 'drop', bytes: 1_500_000 }, match: { surface: 'link' }, times: 1 });
  control.addFault({ effect: { kind: 'expired' }, match: { surface: 'link' }, times: 9 });
  await recall(1);
  await page.getByText('Link expired').waitFor({ timeout: longWaitMs });
  control.clearFaults();
  control.addFault({ effect: { kind: 'slow', bytesPerSecond: 300_000 }, match: { surface: 'link' } });
  control.setDevice({ psn, uploadBytesPerSecond: 300_000 });
  await recall(2);
  await page.getByRole('progressbar').first().waitFor();
  await page.waitForTimeout(2500);
  await shoot('recall-consent-and-progress');
  await page
    .getByRole('button', { name: /^Cancel .*low/ })
    .first()
    .click();
  await page.getByRole('dialog', { name: 'Cancel this recall?' }).waitFor();
  await rest();
  await shoot('recall-cancel');
  await page.getByRole('button', { name: 'Cancel the recall' }).click();
  await page.getByText('Canceled', { exact: true }).waitFor();
  control.clearFaults();
  control.setDevice({ psn, busyForSeconds: 3600 });
  await recall(3);
  await page
    .getByText(/camera is busy/)
    .first()
    .waitFor();
  await rest();
  await shoot('recall-busy');
  await page.getByRole('button', { name: 'Restart…' }).click();
  await rest();
  await shoot('camera-restart');
  await page.keyboard.press('Escape');
  control.setDevice({ psn, busyForSeconds: 0, offlineForSeconds: 3600 });
  await page.getByRole('button', { name: 'Try now' }).first().click();
  await page
    .getByText(/camera is offline/)
    .first()
    .waitFor();
  await rest();
  await shoot('recall-offline');
  await page.getByRole('button', { name: /^Clock:/ }).click();
  await rest();
  await shoot('camera-clock');
  await page.keyboard.press('Escape');
  await page.getByText('Recording', { exact: true }).first().click();
  await grid.getByRole('row').nth(5).click();
  await page
    .getByRole('button', { name: /^Delete .* from the card/ })
    .first()
    .click();
  await page.getByLabel('Reason').fill('Private footage of a third party.');
  await page.getByRole('button', { name: 'Continue…' }).click();
  await page.getByLabel(/^Type .* to confirm/).waitFor();
  await rest();
  await shoot('card-delete');
}

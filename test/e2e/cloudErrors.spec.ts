import fs from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright/test';
import { explainProblem, type CloudProblemCode } from '../../shared/cloudProblem.ts';
import { expect, test } from './desk.ts';
import { problemCases, sendProblem, startTinyService, type TinyService } from './problems.ts';

const sheetFile = path.resolve(import.meta.dirname, '../../test-results/cloud-errors.png');

interface Shot {
  readonly caption: string;
  readonly png: Buffer;
}

/** Adds the service as an account and opens its usage, which shows the first failure in the place of the figures. */
async function openUsage(page: Page, service: TinyService): Promise<Locator> {
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await page.getByRole('button', { name: 'Add account…' }).click();
  await page.getByLabel('Base address').fill(service.baseUrl);
  await page.getByRole('textbox', { name: 'API key' }).fill('any');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save account' }).click();
  await expect(page.getByRole('listitem').getByText('Active')).toBeVisible();
  await page.getByRole('tab', { name: 'Usage' }).click();
  return page.getByRole('tabpanel', { name: 'Usage' }).getByRole('alert');
}

/** All failures on one picture, two in a row, each under its code. */
async function saveSheet(browser: Browser, shots: readonly Shot[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  const cells = shots
    .map(
      ({ caption, png }) =>
        `<figure><figcaption>${caption}</figcaption><img src="data:image/png;base64,${png.toString('base64')}"></figure>`,
    )
    .join('');
  await page.setContent(`<!doctype html><style>
    body { margin: 16px; font: 13px system-ui; background: #fff;
      display: grid; grid-template-columns: 1fr 1fr; gap: 14px 20px; align-items: start }
    figure { margin: 0 }
    figcaption { font-family: monospace; margin-bottom: 3px }
    img { max-width: 100% }
  </style>${cells}`);
  await fs.mkdir(path.dirname(sheetFile), { recursive: true });
  await page.screenshot({ path: sheetFile, fullPage: true });
  await page.close();
}

test('every error of the service is a sentence on what happened and one on what to do, with code and request id', async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000);
  page.setDefaultTimeout(20_000);
  const service = await startTinyService();
  const shots: Shot[] = [];
  try {
    let isFirst = true;
    let failure: Locator | null = null;
    const entries = Object.entries(problemCases) as [
      CloudProblemCode,
      (typeof problemCases)[CloudProblemCode],
    ][];
    for (const [code, given] of entries) {
      const requestId = `req_sheet_${code}`;
      service.answerUsage((response) => sendProblem(response, code, requestId, given));
      failure ??= await openUsage(page, service);
      if (!isFirst) await failure.getByRole('button', { name: 'Try again' }).click();
      const { what, todo } = explainProblem({
        code,
        sentCode: null,
        status: given.status,
        title: '',
        detail: `The service’s own words on ${code}.`,
        requestId,
        operation: 'usage.get',
        extensions: given.extensions ?? {},
      });
      expect(what, code).toContain(given.says);
      for (const sentence of [what, todo]) {
        expect(sentence, code).toMatch(/^[A-Z\d].*[^.]\.$/s);
        expect(sentence, code).not.toMatch(/undefined|null|NaN|\[object|\.\./);
      }
      // The request's number is told apart from the one before by the details, which stay open.
      if (isFirst) await failure.getByRole('button', { name: 'Details' }).click();
      await expect(failure.getByText(requestId), code).toBeVisible();
      await expect(failure.getByText(what).first(), code).toBeVisible();
      await expect(failure.getByText(todo).first(), code).toBeVisible();
      const details = (await failure.locator('pre').textContent()) ?? '';
      expect(details, code).toContain(`"code": "${code}"`);
      expect(details, code).toContain(`"requestId": "${requestId}"`);
      await failure.getByRole('button', { name: 'Hide details' }).click();
      shots.push({ caption: `${given.status} ${code}`, png: await failure.screenshot() });
      await failure.getByRole('button', { name: 'Details' }).click();
      isFirst = false;
    }
    expect(shots).toHaveLength(entries.length);
    await saveSheet(browser, shots);
    expect((await fs.stat(sheetFile)).size).toBeGreaterThan(100_000);
  } finally {
    await service.stop();
  }
});

test('answers that are none of the service’s are told as what they are', async ({ page }) => {
  const service = await startTinyService();
  try {
    service.answerUsage((response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html>Log in to the guest network</html>'),
    );
    const failure = await openUsage(page, service);
    await expect(failure.getByText(/Something other than the service answered/)).toBeVisible();
    await expect(failure.getByText(/a proxy or a login page/)).toBeVisible();

    service.answerUsage((response) =>
      sendProblem(response, 'moon_in_the_way', 'req_moon', { status: 409, says: '' }),
    );
    await failure.getByRole('button', { name: 'Try again' }).click();
    await expect(failure.getByText(/status 409 \(moon_in_the_way\)/)).toBeVisible();
    await failure.getByRole('button', { name: 'Details' }).click();
    await expect(failure.getByText('req_moon')).toBeVisible();
  } finally {
    await service.stop();
  }
});

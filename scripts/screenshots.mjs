// `npm run screenshots`: every screen of the window, light and dark, empty, loading, full and failed, as PNG files in
// test-results/screenshots, for people to look at. With --readme, the README's are renewed in docs/screenshots.
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright';
import { build } from './build.mjs';
import { recalls } from './recallStory.mjs';
import { findChromium, requireNode, root } from './runtime.mjs';

requireNode();
await build();
const { serveBrowser } = await import('../main/hosts/browser/serve.ts');

const outFolder = path.join(root, 'test-results', 'screenshots');
const readmeFolder = path.join(root, 'docs', 'screenshots');
const isReadme = process.argv.includes('--readme');
const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice(7);
const size = { width: 1280, height: 800 };

fs.mkdirSync(outFolder, { recursive: true });
const executablePath = findChromium();
if (!executablePath) throw new Error('No Chromium, Chrome or Edge is here; set EVIDENCE_DESK_BROWSER.');
const browser = await chromium.launch({
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ],
});

/** A window of its own on a data folder of its own, in one theme. */
async function withWindow(theme, work) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'evidence-desk-shots-'));
  const host = await serveBrowser({
    dataFolder: path.join(folder, 'data'),
    rendererFolder: path.join(root, 'dist', 'renderer'),
    appVersion: JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version,
    samplePath: path.join(root, 'assets', 'sample-export.zip'),
    configFolder: path.join(folder, 'config'),
  });
  const context = await browser.newContext({
    viewport: size,
    colorScheme: theme,
    timezoneId: 'Europe/Amsterdam',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const shoot = async (name) => {
    if (only && !(only in stories) && !name.includes(only)) return;
    await page.screenshot({ path: path.join(outFolder, `${name}-${theme}.png`) });
    console.log(`${name}-${theme}.png`);
  };
  /** Answers of one request are held back or turned into a failure until released. */
  const intercept = async (request, answer) => {
    const handler = async (route) => {
      const body = route.request().postDataJSON?.() ?? {};
      if (body.name !== request) return route.fallback();
      return answer === 'hold' ? undefined : route.fulfill({ status: 500, body: '' });
    };
    await page.route('**/api/request', handler);
    return () => page.unroute('**/api/request', handler);
  };
  try {
    await work({ page, host, shoot, intercept });
  } finally {
    await context.close();
    await host.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const settle = (page) => page.waitForLoadState('networkidle').catch(() => undefined);

async function library({ page, host, shoot, intercept }) {
  await page.goto(host.address);
  const sample = page.getByRole('button', { name: /sample export/i });
  await sample.waitFor();
  await shoot('library-empty');
  await sample.click();
  await page
    .getByText(/7,2\d\d points/)
    .first()
    .waitFor();
  await page.waitForTimeout(1500); // the toast and the map's first drawing
  await shoot('library-imported');
  await page
    .locator('.mantine-Notification-closeButton')
    .first()
    .click()
    .catch(() => undefined);
  await page.getByRole('rowgroup', { name: 'Trips' }).focus();
  await page.keyboard.press('Control+a');
  await page.waitForTimeout(2500);
  await shoot('library-all-trips');
  await page
    .getByRole('row', { name: /14 Mar 2026 17:26/ })
    .first()
    .click()
    .catch(() => undefined);
  await page.waitForTimeout(2000);
  await shoot('library-one-trip');
  await page
    .getByText('Speed', { exact: true })
    .first()
    .click()
    .catch(() => undefined);
  await page.waitForTimeout(1500);
  await shoot('library-by-speed');
  await page.getByRole('button', { name: 'Who passed here?' }).click();
  const panel = page.getByRole('region', { name: 'Who passed here?' });
  await panel.getByLabel('Middle (latitude, longitude)').fill('52.0967, 5.1368');
  await panel.getByRole('button', { name: 'Find' }).click();
  await page.waitForTimeout(1500);
  await shoot('library-who-passed');
  await page.setViewportSize({ width: 2560, height: 1440 });
  await page.waitForTimeout(1500);
  await shoot('library-2560');
  await page.setViewportSize(size);

  const release = await intercept('trips.list', 'hold');
  await page.reload();
  await page.waitForTimeout(1200);
  await shoot('library-loading');
  await release();
  const mend = await intercept('trips.list', 'fail');
  await page.reload();
  await page.waitForTimeout(1500);
  await shoot('library-error');
  await mend();
}

async function reportAndJobs({ page, host, shoot }) {
  await page.goto(host.address);
  await page.getByRole('button', { name: /sample export/i }).click();
  await page
    .getByText(/7,2\d\d points/)
    .first()
    .waitFor();
  await page
    .getByRole('button', { name: /jobs?/i })
    .first()
    .click()
    .catch(() => undefined);
  await page.waitForTimeout(600);
  await shoot('job-tray');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Sources/ }).click();
  await page.waitForTimeout(400);
  await shoot('sources-menu');
  await page
    .getByRole('button', { name: /report/i })
    .first()
    .click()
    .catch(() => undefined);
  await page.waitForTimeout(900);
  await shoot('import-report');
}

async function cases({ page, host, shoot }) {
  await page.goto(host.address);
  await page.getByRole('button', { name: /sample export/i }).click();
  await page
    .getByText(/7,2\d\d points/)
    .first()
    .waitFor();
  await page.goto(new URL('#/cases', page.url()).href);
  await settle(page);
  await shoot('cases-empty');
  await page.getByRole('button', { name: 'New case…' }).click();
  await page.waitForTimeout(400);
  await shoot('case-new');
  await page.getByLabel('Name of the case').fill('Biltstraat 14 March');
  await page.getByRole('button', { name: 'Create case' }).click();
  await page.getByText('Nothing in this case yet').waitFor();
  await shoot('case-without-exhibits');
  await page.goto(new URL('#/library', page.url()).href);
  await page
    .getByRole('row', { name: /14 Mar 2026 17:26/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: /add to case/i })
    .first()
    .click();
  await page
    .getByRole('menuitem', { name: /Biltstraat/ })
    .first()
    .click();
  await page.goto(new URL('#/cases', page.url()).href);
  await page.getByText('Biltstraat 14 March').first().click();
  await page.waitForTimeout(800);
  await shoot('case-exhibits');
  for (const tab of ['Notes', 'Custody', 'Package']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.waitForTimeout(800);
    await shoot(`case-${tab.toLowerCase()}`);
  }
  await page.getByRole('button', { name: 'Seal', exact: true }).click();
  await page.getByRole('button', { name: 'Save a copy' }).waitFor();
  await page.waitForTimeout(800);
  await shoot('case-sealed');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save a copy' }).click(),
  ]);
  const bytes = fs.readFileSync(await download.path());
  await page.goto(new URL('#/verify', page.url()).href);
  await page.waitForTimeout(500);
  await shoot('verify-empty');
  const verify = async (name, content) => {
    const transfer = await page.evaluateHandle(
      ([fileName, base64]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], fileName));
        return data;
      },
      [name, content.toString('base64')],
    );
    for (const type of ['dragenter', 'dragover', 'drop']) {
      await page.dispatchEvent('body', type, { dataTransfer: transfer });
    }
    await page.waitForTimeout(2500);
  };
  await verify('incident.zip', bytes);
  await shoot('verify-unchanged');
  const changed = Buffer.from(bytes);
  changed[changed.length >> 1] ^= 1;
  await verify('changed.zip', changed);
  await shoot('verify-changed');
}

async function account({ page, host, shoot }) {
  await page.goto(host.address);
  await page.goto(new URL('#/account', page.url()).href);
  await page.waitForTimeout(900);
  await shoot('account-empty');
  await page
    .getByRole('button', { name: /demo fleet/i })
    .first()
    .click();
  await page.waitForTimeout(6000);
  await shoot('account-demo');
  for (const tab of ['GPS exports', 'Usage']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.waitForTimeout(2500);
    await shoot(`account-${tab.toLowerCase().replaceAll(' ', '-')}`);
  }
}

async function cameras({ page, host, shoot }) {
  await page.goto(host.address);
  await page.goto(new URL('#/cameras', page.url()).href);
  await page.waitForTimeout(900);
  await shoot('cameras-no-account');
  await page.goto(new URL('#/account', page.url()).href);
  await page
    .getByRole('button', { name: /demo fleet/i })
    .first()
    .click();
  await page.waitForTimeout(5000);
  await page.goto(new URL('#/cameras', page.url()).href);
  await page.waitForTimeout(3000);
  await shoot('cameras-list');
  await page.getByText('Van 07').first().click();
  await page.waitForTimeout(7000);
  await shoot('cameras-card');
}

/** Drops files of test/e2e/fixtures on the window and waits until they are in. */
async function importFixtures(page, names) {
  const files = names.map((name) => ({
    name,
    base64: fs.readFileSync(path.join(root, 'test', 'e2e', 'fixtures', name)).toString('base64'),
  }));
  const transfer = await page.evaluateHandle((given) => {
    const data = new DataTransfer();
    for (const { name, base64 } of given) {
      data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    }
    return data;
  }, files);
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('body', type, { dataTransfer: transfer });
  }
  await page
    .getByText(/Import finished|Import ended with problems/)
    .first()
    .waitFor();
}

/** Where a clip opens: it is kept under the beginning of its file's hash. */
function clipHash(name) {
  const bytes = fs.readFileSync(path.join(root, 'test', 'e2e', 'fixtures', name));
  return `#/review/clip/clip_${crypto.createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`;
}

async function review({ page, host, shoot, intercept }) {
  await page.goto(host.address);
  const go = (hash) => page.goto(new URL(hash, page.url()).href);
  const closeMessages = async () => {
    for (const button of await page.locator('.mantine-Notification-closeButton').all()) {
      await button.click().catch(() => undefined);
    }
  };
  // Review is dark by default; the light run asks for light, as a user can.
  const isLight = await page.evaluate(() => window.matchMedia('(prefers-color-scheme: light)').matches);
  if (isLight) {
    await go('#/settings');
    await page.getByText('Light', { exact: true }).first().click();
  }
  await go('#/review');
  await page.waitForTimeout(900);
  await shoot('review-empty');

  await go('#/cameras');
  await page.getByRole('button', { name: 'Try the demo fleet' }).click();
  await page.getByRole('link', { name: 'Open the card of Van 07' }).click();
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: /^Impact \(/ }).click();
  await page.getByRole('grid', { name: 'Recordings' }).getByRole('row').first().click();
  await page.getByRole('button', { name: /^Recall… low/ }).click();
  await page
    .getByRole('dialog', { name: /^Recall 2 clips/ })
    .getByRole('button', { name: /^Recall low · / })
    .click();
  await page
    .getByText(/^Here, /)
    .nth(1)
    .waitFor({ timeout: 90_000 });
  await shoot('review-from-card');
  await page
    .getByRole('button', { name: /^Review .*_EF\.mp4/ })
    .first()
    .click();
  await page.getByTestId('review-map').waitFor();
  await page.waitForTimeout(3500);
  await shoot('review-scene');
  const scene = new URL(page.url()).hash;

  await page.keyboard.press('b');
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await page.waitForTimeout(6000);
  await page.keyboard.press('Space');
  await shoot('review-played');
  for (const tab of ['Harsh moments', 'Clocks']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.waitForTimeout(700);
    await shoot(`review-${tab.toLowerCase().replaceAll(' ', '-')}`);
  }
  await page.getByRole('tab', { name: 'Marks' }).click();
  await page.getByRole('button', { name: 'Legend and tracks' }).click();
  await page.waitForTimeout(400);
  await shoot('review-legend');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Time of passage/ }).click();
  const marker = await page.getByTestId('review-map-marker').boundingBox();
  if (marker) await page.mouse.click(marker.x + 16, marker.y + 16);
  await page.waitForTimeout(1500);
  await shoot('review-passage');
  await page.getByRole('button', { name: 'Close: Time of passage' }).click();
  await page.getByRole('button', { name: /^Case that marks go to/ }).click();
  await page.waitForTimeout(400);
  await shoot('review-case-menu');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 2560, height: 1440 });
  await page.waitForTimeout(2500);
  await shoot('review-2560');
  await page.setViewportSize(size);

  await go('#/review');
  await page.waitForTimeout(900);
  await shoot('review-start');
  await go('#/review/clip/clip_0000000000000000');
  await page.waitForTimeout(900);
  await shoot('review-not-found');
  const release = await intercept('review.scene', 'hold');
  await go(`${scene}/1`);
  await page.reload();
  await page.waitForTimeout(900);
  await shoot('review-loading');
  await release();
  const mend = await intercept('review.scene', 'fail');
  await page.reload();
  await page.waitForTimeout(1200);
  await shoot('review-error');
  await mend();

  const fixtures = ['constant-rate', 'truncated', 'no-index', 'h265', 'sound-only', 'eight-hours'];
  await importFixtures(
    page,
    fixtures.map((name) => `${name}.mp4`),
  );
  await closeMessages();
  for (const name of fixtures) {
    await go(clipHash(`${name}.mp4`));
    await page.waitForTimeout(3000);
    await shoot(`review-clip-${name}`);
  }
}

async function settings({ page, host, shoot }) {
  await page.goto(host.address);
  await page.goto(new URL('#/settings', page.url()).href);
  await page.waitForTimeout(900);
  await shoot('settings');
}

const stories = { library, reportAndJobs, cases, account, cameras, recalls, review, settings };
/** The name of a story runs that story alone; anything else is a part of the pictures' names. */
const chosen = Object.entries(stories).filter(([name]) => !only || !(only in stories) || name === only);
let failures = 0;
for (const theme of ['light', 'dark']) {
  for (const [name, story] of chosen) {
    try {
      await withWindow(theme, story);
    } catch (error) {
      failures += 1;
      console.error(`${name} (${theme}): ${error.message}`);
    }
  }
}
await browser.close();
if (isReadme) {
  fs.mkdirSync(readmeFolder, { recursive: true });
  for (const name of [
    'review-played-dark',
    'library-one-trip-dark',
    'cameras-card-light',
    'case-sealed-light',
  ]) {
    fs.copyFileSync(path.join(outFolder, `${name}.png`), path.join(readmeFolder, `${name}.png`));
  }
}
process.exit(failures === 0 ? 0 : 1);

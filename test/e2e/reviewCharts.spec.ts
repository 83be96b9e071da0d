import fs from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright/test';
import { box, motionRecord, rmc, u64, vendorFree } from '../media/telemetry/clipWriter.ts';
import { dropFiles, expect, test } from './desk.ts';

const startMs = Date.UTC(2026, 2, 14, 16, 32, 0);
const offsetMs = 3_600_000;
const lengthS = 70;
const impactMs = 10_000;

/**
 * A clip with moving pictures and known telemetry: 60 km/h until the impact at 10 s, of 3 g against the direction of
 * travel, then standing; no fix between 40 and 50 s.
 */
async function aClip(lens: 'front' | 'option', letter: 'F' | 'O'): Promise<{ name: string; bytes: Buffer }> {
  const clips = path.join(import.meta.dirname, '..', 'simulator', 'clips');
  const picture = await fs.readFile(path.join(clips, `collision-${lens}-sub.mp4`));
  const name = `20260314_173200_E${letter}.mp4`;
  const lines: string[] = [];
  for (let second = 0; second < lengthS; second++) {
    const moved = Math.min(second, 10) * 16.667;
    const fix = {
      latDeg: 52.1 + moved / 111_267,
      lngDeg: 4.3,
      knots: second < 10 ? 32.397 : 0,
      headingDeg: 0,
    };
    const hasFix = second < 40 || second >= 50;
    lines.push(
      `[${startMs + offsetMs + second * 1000}]${rmc(startMs + second * 1000, hasFix ? fix : null)}\n`,
    );
  }
  const records: Buffer[] = [];
  for (let ms = 0; ms < lengthS * 1000; ms += 100)
    records.push(motionRecord(ms, 128, 0, ms === impactMs ? -384 : 0));
  const telemetry = vendorFree(
    box('sttm', u64(startMs + offsetMs)),
    box('ptnm', Buffer.alloc(4), `${name}\0`),
    box('gps ', lines.join('\n')),
    box('3gf ', ...records, Buffer.alloc(20, 0xff)),
  );
  return { name, bytes: Buffer.concat([picture, telemetry]) };
}

const cursor = (page: Page) => page.getByTestId('review-chart-cursor');
const cursorMs = async (page: Page) => Number(await cursor(page).getAttribute('data-scene-ms'));
/** Where the cursor is drawn, as a share of the axis. */
async function drawnShare(page: Page): Promise<number> {
  const line = await cursor(page).boundingBox();
  const axis = await page.locator('[data-axis] canvas').boundingBox();
  if (!line || !axis) throw new Error('cursor or axis is not on the screen');
  return (line.x + line.width / 2 - axis.x) / axis.width;
}

test('charts of a collision: read, clicked, zoomed, and its harsh moment gone to', async ({ page }) => {
  await dropFiles(page, [await aClip('front', 'F'), await aClip('option', 'O')]);
  await page.getByRole('link', { name: 'Review' }).click();
  const moment = page.getByRole('option').filter({ hasText: /_E[FO]\.mp4/ });
  await expect(moment.first()).toBeVisible({ timeout: 30_000 });
  await moment.first().dblclick();
  const charts = page.getByTestId('review-charts');
  const speed = page.locator('[data-chart="speed"]');
  await expect(speed.locator('canvas')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('img', { name: /^Coverage\./ })).toHaveAccessibleName(
    /Front: 1 stretch present\. Option: 1 stretch present\. GPS: 2 stretches present, 1 stretch no fix\. G-sensor: 1 stretch present\./,
  );

  // A click on the chart is a time: the clock goes there, the cursor is drawn there, and values are of that moment.
  await page.getByRole('button', { name: 'Show all' }).click();
  const axis = (await page.locator('[data-axis] canvas').boundingBox())!; // it is on the screen with the charts
  const plot = (await speed.boundingBox())!; // as above
  await page.mouse.click(axis.x + axis.width / 14, plot.y + plot.height * 0.7);
  await expect.poll(async () => Math.abs((await cursorMs(page)) - (startMs + 5000))).toBeLessThan(200);
  expect(Math.abs((await drawnShare(page)) - 1 / 14)).toBeLessThan(0.003);
  await expect(speed.getByRole('button', { name: /^recorded/ })).toHaveText(/60\.0 km\/h/);
  await expect(speed.getByRole('button', { name: /^from positions/ })).toHaveText(/60\.\d km\/h/);

  // The list goes to the very sample; a click on its marker does too.
  await page.getByRole('tab', { name: 'Harsh moments' }).click();
  const harsh = page.getByRole('button', { name: /^3\.00 g, braking, .*60\.0 km\/h|^3\.00 g, braking/ });
  await expect(harsh).toHaveCount(1);
  await harsh.click();
  await expect.poll(() => cursorMs(page)).toBe(startMs + impactMs);
  await expect(page.locator('[data-chart="g"]').getByRole('button', { name: /^longitudinal/ })).toHaveText(
    /−3\.00 g/,
  );
  await page.mouse.click(axis.x + (axis.width * 10) / 70 + 3, (await charts.boundingBox())!.y + 10);
  await expect.poll(() => cursorMs(page)).toBe(startMs + impactMs);

  // Zoomed about the pointer the cursor stays over its time; 0 shows all again.
  await page.mouse.move(axis.x + (axis.width * 10) / 70, plot.y + plot.height / 2);
  for (let i = 0; i < 3; i++) await page.mouse.wheel(0, -240);
  const thumb = page.locator('[title^="The whole scene"] > div');
  await expect.poll(async () => ((await thumb.boundingBox())?.width ?? 0) / axis.width).toBeLessThan(0.3);
  await expect(page.locator('[data-axis]')).toHaveAttribute('aria-valuenow', String(startMs + impactMs));
  // A pixel beside it at first is four now.
  expect(Math.abs((await drawnShare(page)) - 1 / 7)).toBeLessThan(0.01);
  await page.keyboard.press('0');
  await expect.poll(async () => ((await thumb.boundingBox())?.width ?? 0) / axis.width).toBeGreaterThan(0.98);
  expect(Math.abs((await drawnShare(page)) - 1 / 7)).toBeLessThan(0.003);

  // The cursor goes with playback.
  const before = await cursorMs(page);
  await page.getByRole('button', { name: /^Play/ }).first().click();
  await expect.poll(() => cursorMs(page)).toBeGreaterThan(before + 500);
  await page
    .getByRole('button', { name: /^Pause/ })
    .first()
    .click();
});

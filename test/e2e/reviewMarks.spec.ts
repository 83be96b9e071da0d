import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Download, Locator, Page } from 'playwright/test';
import { clipIdOf } from '../../main/cache/clipRepository.ts';
import { readClipHere } from '../../main/media/telemetry/clipReading.ts';
import type { Recipe } from '../../shared/contract/derived.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { dropFiles, expect, test } from './desk.ts';
import { installFrameReader, settled } from './framePattern.ts';

const fps = 30;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const startTimeMs = Date.parse('2026-03-13T22:31:58Z');

/** The demo's collision as a person would copy it from the card: front and option with their telemetry. */
let collision: readonly { readonly name: string; readonly bytes: Buffer }[] = [];
test.beforeAll(async () => {
  const simulator = await startSimulator({ clock: 'frozen', isRateLimited: false });
  const { psn, frontFilename, optionFilename } = simulator.story.collision;
  const recalled = async (filename: string) => {
    const reply = await fetch(`${simulator.baseUrl}/v1/media/recall-jobs`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${simulator.keys.enterprise}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ psn, filename, quality: 'main' }),
    });
    const { data } = (await reply.json()) as { data: { downloadUrl: string } };
    await simulator.control.advance(5 * 60_000);
    return {
      name: filename,
      bytes: Buffer.from(await (await fetch(data.downloadUrl)).arrayBuffer()),
    };
  };
  collision = [await recalled(frontFilename), await recalled(optionFilename)];
  await simulator.stop();
});

const inUtc = (page: Page) =>
  page.getByRole('radiogroup', { name: /zone/i }).getByText('UTC', { exact: true }).click();

/** Brings clips in by dropping them, and opens the first in Review. */
async function openInReview(
  page: Page,
  files: readonly { readonly name: string; readonly bytes: Buffer }[],
): Promise<void> {
  await dropFiles(page, files);
  await expect(page.getByText('Import finished').first()).toBeVisible();
  const clipId = clipIdOf(sha256(files[0]?.bytes ?? new Uint8Array()));
  await page.evaluate((hash) => (location.hash = hash), `#/review/clip/${clipId}`);
  await expect(page.getByTestId('review-pane')).toHaveCount(files.length);
  await installFrameReader(page);
  await settled(page);
}
const marksOf = (page: Page) => page.getByRole('region', { name: 'Marks' });
const rowsOf = (page: Page) => marksOf(page).getByRole('listitem');
async function undo(page: Page, label: RegExp): Promise<void> {
  await page.getByRole('button', { name: label }).click();
}

/** What a click on a menu item downloads. */
async function download(page: Page, of: RegExp, item: string): Promise<Buffer> {
  // By keys: passing messages lie over the list for a while.
  await marksOf(page).getByRole('button', { name: of }).first().press('Enter');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: item, exact: true }).press('Enter'),
  ]);
  return bytesOf(file);
}
async function bytesOf(file: Download): Promise<Buffer> {
  return fs.readFile(await file.path());
}
async function recipeOf(page: Page, of: RegExp): Promise<Recipe> {
  return JSON.parse((await download(page, of, 'Download its recipe (JSON)')).toString()) as Recipe;
}

/** The number in a picture's squares, and how far its pixels are from what the pane shows. */
function lookInto(page: Page, png: Buffer) {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const pixelsOf = (source: CanvasImageSource, width: number, height: number) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      context?.drawImage(source, 0, 0, width, height);
      return context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
    };
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = bitmap;
    const kept = pixelsOf(bitmap, width, height);
    const video = document.querySelector<HTMLVideoElement>(
      '[data-testid=review-pane] video[data-on-screen=true]',
    );
    const shown = video ? pixelsOf(video, width, height) : kept.map((value) => 255 - value);
    let difference = 0;
    let dark = 0;
    for (let i = 0; i < kept.length; i += 1) {
      difference = Math.max(difference, Math.abs((kept[i] ?? 0) - (shown[i] ?? 0)));
    }
    // Of the upper eighth, where a stamp stands.
    for (let i = 0; i < width * Math.floor(height / 8); i += 1) if ((kept[i * 4] ?? 0) < 40) dark += 1;
    return {
      width,
      height,
      number: window.readPattern(kept, width, height),
      difference,
      darkShareAbove: dark / (width * Math.floor(height / 8)),
    };
  }, png.toString('base64'));
}

/** Custody entries of an action, as the core has them. */
async function custody(page: Page, action: string): Promise<readonly string[]> {
  const text = await page.evaluate(async () => {
    const reply = await fetch('/api/request', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'custody.list', input: {} }),
    });
    return new TextDecoder().decode(await reply.arrayBuffer());
  });
  const entries = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1).split('{"seq"');
  return entries.filter((entry) => entry.includes(`"action":"${action}"`));
}

/** Goes to a frame by the clock's own address. */
async function goTo(page: Page, sceneMs: number): Promise<void> {
  await page.evaluate((ms) => {
    const [clip] = /clip_[0-9a-f]+/.exec(location.hash) ?? [''];
    location.hash = `#/review/clip/${clip}/${ms}`;
  }, sceneMs);
  await expect
    .poll(async () => Number(await page.getByTestId('review-time').getAttribute('data-scene-ms')))
    .toBe(sceneMs);
  await settled(page);
}

test('bookmarks with words, ranges, and an undo for each', async ({ page }) => {
  await openInReview(page, collision);
  await inUtc(page);
  await goTo(page, startTimeMs + 9_510);
  await page.keyboard.press('b');
  const row = rowsOf(page).first();
  await expect(row).toContainText('22:32:07.500 UTC');
  await row.getByRole('button').first().focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Title' }).fill('Brake lights');
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Both of the car ahead.');
  const tags = page.getByRole('combobox', { name: 'Tags', exact: true });
  await tags.fill('lights');
  await tags.press('Enter');
  await expect(page.getByRole('button', { name: 'Undo: tags of “Brake lights”' })).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(row).toContainText('Brake lights');
  await expect(row).toContainText('Both of the car ahead.');
  await expect(row).toContainText('lights');

  await page.keyboard.press('i');
  await page.getByRole('textbox', { name: /^Out point/ }).fill('22:32:09.25');
  await page.keyboard.press('Enter');
  await expect(marksOf(page)).toContainText('0:01.740 long');
  await page.getByRole('button', { name: 'Keep range' }).click();
  await expect(rowsOf(page)).toHaveCount(2);

  // It comes back with the scene, and Enter on it goes to its very frame.
  await page.reload();
  await expect(rowsOf(page)).toHaveCount(2);
  await installFrameReader(page);
  await settled(page);
  await rowsOf(page).filter({ hasText: 'Brake lights' }).getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await settled(page);
  await expect
    .poll(() => page.evaluate(() => window.readReview().panes.map(({ pattern }) => pattern)))
    .toEqual([285, 285]);
  await page.keyboard.press('Delete');
  await expect(rowsOf(page)).toHaveCount(1);
  await page.keyboard.press('Control+z');
  await expect(rowsOf(page)).toHaveCount(2);
  await page.keyboard.press('Control+Shift+z');
  await expect(rowsOf(page)).toHaveCount(1);
  await undo(page, /^Undo: removing “Brake lights”$/);
  await expect(rowsOf(page)).toHaveCount(2);
});

test('a still is the frame’s own pixels; its stamped copy stands beside it', async ({ page }) => {
  await openInReview(page, collision);
  await inUtc(page);
  await goTo(page, startTimeMs + 6_710);
  await page.keyboard.press('s');
  await expect(rowsOf(page)).toHaveCount(1);
  const recipe = await recipeOf(page, /^More for still/);
  const png = await download(page, /^More for still/, 'Download');
  expect(sha256(png)).toBe(recipe.output.sha256);
  const seen = await lookInto(page, png);
  expect(recipe.frameIndex).toBe(201);
  expect(seen).toMatchObject({ width: 320, height: 180, number: 201, difference: 0 });
  expect(recipe).toMatchObject({
    source: { sha256: sha256(collision[0]?.bytes ?? new Uint8Array()) },
    stamp: null,
    uncertaintyMs: 1000,
  });
  expect(Math.round(recipe.startUtcMs ?? 0)).toBe(startTimeMs + 6_700);

  await marksOf(page).getByRole('button', { name: 'Still…' }).click();
  await page.getByRole('menuitem', { name: /front, and a copy stamped with its time/ }).click();
  // The still itself is there already: the same frame is the same file.
  await expect(rowsOf(page)).toHaveCount(2);
  const stampRecipe = await recipeOf(page, /^More for stamped still/);
  expect(stampRecipe.stamp).toContain('13 Mar 2026 22:32:04.700 UTC ± 1 s');
  expect(stampRecipe.stamp).toContain('13 Mar 2026 17:32:04.700 UTC−5 (vehicle)');
  expect(stampRecipe.stamp).toContain('frame 201');
  const stamped = await lookInto(page, await download(page, /^More for stamped still/, 'Download'));
  expect(stamped).toMatchObject({ width: 320, height: 180, number: 201 });
  expect(seen.darkShareAbove).toBeLessThan(0.05);
  expect(stamped.darkShareAbove).toBeGreaterThan(0.6);

  await undo(page, /^Undo: stamped still$/);
  await expect(rowsOf(page)).toHaveCount(1);
  await undo(page, /^Undo: still$/);
  await expect(rowsOf(page)).toHaveCount(0);
  await undo(page, /^Redo: still$/);
  await expect(rowsOf(page)).toHaveCount(1);
  // The bytes come back with it.
  expect(sha256(await download(page, /^More for still/, 'Download'))).toBe(recipe.output.sha256);
});

test('a trim says what it will cut, cuts that, and is undone', async ({ page }, info) => {
  await openInReview(page, collision);
  await inUtc(page);
  const inPoint = page.getByRole('textbox', { name: /^In point/ });
  await inPoint.fill('22:32:06.4');
  await inPoint.press('Enter');
  await page.getByRole('textbox', { name: /^Out point/ }).fill('22:32:11.2');
  await page.keyboard.press('Enter');
  await marksOf(page).getByRole('button', { name: 'Trim…' }).click();
  await page.getByRole('menuitem', { name: /front/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Trim .*front$/ });
  await expect(dialog).toContainText('8.400 to 13.200 s of the clip');
  await expect(dialog).toContainText('begins 0.400 s earlier');
  const promised = Number(/(\d+)\d*\.?\d* kB/.exec((await dialog.textContent()) ?? '')?.[1]);
  await dialog.getByRole('button', { name: 'Cut the trim' }).click();
  await expect(rowsOf(page)).toHaveCount(1);
  const recipe = await recipeOf(page, /^More for trim/);
  const bytes = await download(page, /^More for trim/, 'Download');
  expect(sha256(bytes)).toBe(recipe.output.sha256);
  expect(recipe.requestedS).toEqual({ from: 8.4, to: 13.2 });
  expect(recipe.actualS.from).toBeCloseTo(8, 3);
  expect(promised).toBeGreaterThan(0);
  const file = info.outputPath('trim.mp4');
  await fs.writeFile(file, bytes);
  const { facts } = readClipHere(file);
  expect(facts.video?.frames).toBe(Math.round((recipe.actualS.to - recipe.actualS.from) * fps));

  // Its first picture is the frame at which the recipe says that it begins.
  await marksOf(page)
    .getByRole('button', { name: /^More for trim/ })
    .press('Enter');
  await page.getByRole('menuitem', { name: 'Open' }).press('Enter');
  const video: Locator = page.getByLabel(/^Trim .*\.mp4$/).and(page.locator('video'));
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState))
    .toBeGreaterThan(1);
  const first = await video.evaluate((element: HTMLVideoElement) => {
    const canvas = new OffscreenCanvas(element.videoWidth, element.videoHeight);
    const context = canvas.getContext('2d');
    context?.drawImage(element, 0, 0);
    const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data;
    return pixels ? window.readPattern(pixels, canvas.width, canvas.height) : null;
  });
  expect(first).toBe(8 * fps);
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  const csv = (await download(page, /^More for trim/, 'Download its telemetry (CSV)')).toString();
  expect(csv.split('\n').length).toBeGreaterThan(5);
  await undo(page, /^Undo: trim of /);
  await expect(rowsOf(page)).toHaveCount(0);
});

test('a clock is moved with a reason, which custody keeps, and moved back', async ({ page }) => {
  await openInReview(page, collision);
  await inUtc(page);
  await page.getByRole('tab', { name: 'Clocks' }).click();
  const clocks = page.getByRole('region', { name: 'Clocks' });
  await clocks.getByRole('button', { name: /^Adjust… .*_EF\.mp4: telemetry/ }).click();
  // The G peak, which the charts show a little after the flash of frame 300, belongs to that frame.
  await goTo(page, startTimeMs + 10_005);
  await clocks.getByRole('button', { name: /^G peak, / }).click();
  await expect(clocks.getByText(/The source moves by|lie together already/)).toBeVisible();
  await clocks.getByText('By number', { exact: true }).click();
  await clocks.getByRole('textbox', { name: 'Move by' }).fill('-5');
  await clocks.getByRole('combobox', { name: 'Unit' }).click();
  await page.getByRole('option', { name: 'frames' }).click();
  await expect(clocks).toContainText('−0.167 s: earlier');
  await clocks.getByRole('button', { name: 'Check and set…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set this clock?' });
  await expect(dialog.getByRole('button', { name: 'Set the clock' })).toBeDisabled();
  await expect(dialog).toContainText('The original file is not changed.');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Flash and shock are one event.');
  await dialog.getByRole('button', { name: 'Set the clock' }).click();
  await expect(clocks).toContainText('“Flash and shock are one event.”');
  await expect(clocks).toContainText('begins 22:31:57.833 UTC');
  const set = await custody(page, 'clock.set');
  expect(set).toHaveLength(1);
  expect(set[0]).toContain('Flash and shock are one event.');
  await undo(page, /^Undo: clock of .*telemetry$/);
  await expect(clocks.getByText('“Flash and shock are one event.”')).toHaveCount(0);
  expect((await custody(page, 'clock.reset'))[0]).toContain('Undone: Flash and shock are one event.');

  // Dragging by keys, while the curve lies under the frame on screen.
  await clocks.getByText('Drag', { exact: true }).click();
  const slider = clocks.getByRole('slider', { name: /^Drag the curve/ });
  await expect(slider.locator('path').nth(1)).toHaveAttribute('d', /L/);
  await slider.press('Shift+ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuetext', '−0.100 s');
  // And by the pointer: a tenth of six seconds.
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  if (!box) throw new Error('The curve is not in sight.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + box.width / 10, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  const shifted = Number(await slider.getAttribute('aria-valuenow'));
  expect(Math.abs(shifted - 500)).toBeLessThan(25);
});

test('a clip of unknown time is given one by hand', async ({ page }) => {
  const name = 'constant-rate.mp4';
  const bytes = await fs.readFile(path.join(import.meta.dirname, 'fixtures', name));
  await openInReview(page, [{ name, bytes }]);
  await page.keyboard.press('b');
  await expect(rowsOf(page).first()).toContainText('from the start');
  await page.getByRole('tab', { name: 'Clocks' }).click();
  const clocks = page.getByRole('region', { name: 'Clocks' });
  await expect(clocks).toContainText('The time of one clip is not known.');
  await clocks.getByRole('button', { name: 'Set the time by hand…' }).click();
  await inUtc(page);
  const time = clocks.getByRole('textbox', { name: /^True time of this frame/ });
  await time.fill('12:00');
  await time.press('Enter');
  await expect(clocks.getByText(/^Write it as/)).toBeVisible();
  await time.fill('2026-03-14 12:00:00.250');
  await time.press('Enter');
  await clocks.getByRole('button', { name: 'Check and set…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set this clock?' });
  await expect(dialog).toContainText('time unknown');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The station’s clock is in the picture.');
  await dialog.getByRole('button', { name: 'Set the clock' }).click();
  await expect(clocks).toContainText('set by hand');
  await expect(clocks).toContainText('14 Mar 2026');
  await expect(clocks.getByText('The time of one clip is not known.')).toHaveCount(0);
  await expect(page.getByTestId('review-time')).toContainText('12:00:00.25');
  await page.getByRole('tab', { name: 'Marks' }).click();
  // The bookmark holds on to its frame, which has a time of day now.
  await expect(rowsOf(page).first()).toContainText('12:00:00.250 UTC');
  await undo(page, /^Undo: clock of /);
  await expect(rowsOf(page).first()).toContainText('from the start');
});

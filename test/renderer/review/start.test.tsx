// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import type { ReviewLinks } from '../../../renderer/features/review/links.ts';
import { momentLines, stepToMoment } from '../../../renderer/features/review/moments.ts';
import { createRecentScenes } from '../../../renderer/features/review/recentScenes.ts';
import { ReviewStart } from '../../../renderer/features/review/ReviewStart.tsx';
import { createStartStore } from '../../../renderer/features/review/startStore.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { ReviewMoment, SceneRequest } from '../../../shared/contract/review.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { button, click, field, happen, pageText, press, render, type, unmountAll } from '../render.tsx';
import { startMs } from './aReview.ts';
import { moment, sceneHandlers } from './aScene.ts';

afterEach(async () => {
  await unmountAll();
  localStorage.clear();
});

async function open(handlers: Partial<Handlers> = {}, localZone = 'Europe/Amsterdam') {
  const host = createFakeHost(sceneHandlers(handlers));
  const gone: (SceneRequest | null)[] = [];
  const links: ReviewLinks = {
    hrefOf: (request) => `#/review/${request?.kind ?? ''}`,
    go: (request) => gone.push(request),
    openCard: () => undefined,
    openCameras: () => undefined,
    openCase: () => undefined,
    importFiles: () => undefined,
    settings: { onlineTileUrl: null, onlineTileAttribution: null },
  };
  const store = createStartStore(host.client);
  const recent = createRecentScenes();
  await render(<ReviewStart store={store} recent={recent} links={links} />, { host, localZone });
  return { host, gone, recent };
}
const list = () => document.querySelector('[aria-label="Moments that can be opened"]')!;
const rows = () => [...list().querySelectorAll('[role="option"]')].map((row) => row.textContent ?? '');

const second = moment({
  clipId: 'clip_2' as ClipId,
  startMs: startMs + 3_600_000,
  endMs: startMs + 3_660_000,
  fileName: '20260314_183200_NF.mp4',
  directions: ['front'],
});
const unknown = moment({
  clipId: 'clip_3' as ClipId,
  startMs: null,
  endMs: null,
  psn: null,
  cameraName: null,
  fileName: 'copied.mp4',
  directions: ['unknown'],
});

describe('the start page of review', () => {
  it('says how a clip comes in while there is none', async () => {
    await open();
    expect(pageText()).toContain('Nothing to review yet');
    expect(button('Import clips…')).toBeTruthy();
    expect(button('Recall from a camera’s card')).toBeTruthy();
  });

  it('lists moments newest first with zone, lenses and file; unknown time last and said', async () => {
    await open({ 'review.moments': () => [moment(), second, unknown] });
    const [first, then, last] = rows();
    expect(first).toContain('18:32:00 CET');
    expect(first).toContain('front');
    expect(then).toContain('17:32:00 CET');
    expect(then).toContain('frontoption');
    expect(last).toContain('time unknown');
    expect(pageText()).toContain('Time unknown: no clock in the file');
    expect(pageText()).toContain('3 moments');
  });

  it('opens by keys alone', async () => {
    const { gone } = await open({ 'review.moments': () => [moment(), second] });
    await press(list(), 'ArrowDown');
    await press(list(), 'Enter');
    await press(list(), 'Home');
    await press(list(), 'Enter');
    expect(gone).toEqual([
      { kind: 'clip', clipId: 'clip_front' },
      { kind: 'clip', clipId: 'clip_2' },
    ]);
  });

  it('opens a camera at a time of day of the zone that it says', async () => {
    const { gone } = await open({ 'review.moments': () => [moment()] });
    const input = field('Date and time of day, Europe/Amsterdam');
    await type(input, '2026-03-14 17:32:05');
    await click(button('Open this moment'));
    expect(gone).toEqual([{ kind: 'moment', psn: 'P07', atMs: startMs + 5000 }]);
    await type(input, 'half past five');
    expect(pageText()).toContain('As 2026-03-14 17:32');
    expect(button('Open this moment')).toHaveProperty('disabled', true);
  });

  it('reads again when something came in', async () => {
    let moments: ReviewMoment[] = [];
    const { host } = await open({ 'review.moments': () => moments });
    moments = [moment()];
    await happen(() => host.emit('library.changed', { reason: 'import' }));
    expect(rows()).toHaveLength(1);
  });

  it('says why the list could not be read, and tries again', async () => {
    let fails = true;
    await open({
      'review.moments': () => {
        if (fails) throw new AppError('busy', 'The cache is busy.');
        return [moment()];
      },
    });
    expect(pageText()).toContain('The cache is busy.');
    fails = false;
    await click(button('Try again'));
    expect(rows()).toHaveLength(1);
  });

  it('offers what was open last, until it is taken out', async () => {
    const { recent } = await open({ 'review.moments': () => [moment()] });
    await happen(() => recent.add({ kind: 'clip', clipId: 'clip_9' as ClipId }, 'Van 09, 14 March'));
    expect(pageText()).toContain('Van 09, 14 March');
    await click(button('Take Van 09, 14 March out of this list'));
    expect(pageText()).not.toContain('Van 09, 14 March');
  });
});

describe('the list of moments', () => {
  it('begins a group for each day of the zone and camera', () => {
    const late = moment({ clipId: 'clip_4' as ClipId, startMs: Date.UTC(2026, 2, 14, 23, 30) });
    const heads = (zone: string) =>
      momentLines([moment(), late, unknown], zone).flatMap((line) =>
        line.kind === 'day' ? [line.text] : [],
      );
    expect(heads('UTC')).toEqual(['Sat 14 Mar 2026', 'Time unknown: no clock in the file']);
    expect(heads('Europe/Amsterdam')).toEqual([
      'Sun 15 Mar 2026',
      'Sat 14 Mar 2026',
      'Time unknown: no clock in the file',
    ]);
  });
  it('is stepped through over headings, and not beyond its ends', () => {
    const lines = momentLines([moment(), second, unknown], 'UTC');
    expect(lines.map(({ kind }) => kind)).toEqual(['day', 'moment', 'moment', 'day', 'moment']);
    expect(stepToMoment(lines, -1, 1)).toBe(1);
    expect(stepToMoment(lines, 2, 1)).toBe(4);
    expect(stepToMoment(lines, 4, 1)).toBe(4);
    expect(stepToMoment(lines, 4, -1e9)).toBe(1);
  });
});

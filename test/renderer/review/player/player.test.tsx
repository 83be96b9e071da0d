// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PlayerArea } from '../../../../renderer/features/review/player/PlayerArea.tsx';
import { TransportBar } from '../../../../renderer/features/review/player/TransportBar.tsx';
import type { ClipId } from '../../../../shared/ids.ts';
import { aReview, channel, frontId, scene, segment, startMs } from '../aReview.ts';
import { button, click, happen, pageText, render, unmountAll } from '../../render.tsx';

afterEach(async () => {
  await unmountAll();
  vi.restoreAllMocks();
});

/** jsdom has no player: loading and pausing are noted, nothing is decoded. */
function withoutPlayer() {
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(() => undefined);
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => undefined);
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(() => Promise.resolve());
}
async function open(options: Parameters<typeof aReview>[0] = {}) {
  withoutPlayer();
  const opened = aReview({
    ...options,
    handlers: { 'clips.frames': () => null, ...options.handlers },
  });
  await render(
    <>
      <TransportBar review={opened.review} />
      <PlayerArea review={opened.review} />
    </>,
    { host: opened.host, localZone: 'Europe/Amsterdam' },
  );
  return opened;
}
const press = (key: string, more: KeyboardEventInit = {}) =>
  happen(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more })));
const pane = (name: string) => {
  const found = document.querySelector<HTMLElement>(`section[aria-label="${name}"]`);
  if (!found) throw new Error(`no pane ${name}`);
  return found;
};

describe('the time shown', () => {
  it('has its zone, UTC beside it, and how sure it is', async () => {
    const { review, clock } = await open({ state: { zone: 'local' }, atMs: startMs + 9733 });
    expect(pageText()).toContain('17:32:09.733');
    expect(pageText()).toContain('16:32:09.733Z ± 1.5 s');
    expect(document.querySelector('[data-testid=review-time]')?.getAttribute('title')).toContain(
      '20 GPS times',
    );
    await happen(() => clock.seek(startMs + 10_000));
    expect(pageText()).toContain('17:32:10.000');
    await happen(() => review.store.setState({ zone: 'vehicle' }));
    expect(pageText()).toContain('UTC+1');
  });

  it('is no time of day where no clock is known', async () => {
    await open({
      state: { scene: scene({ timebase: 'elapsed', fromMs: 0, toMs: 20_000, clocks: [] }) },
      atMs: 12_345,
    });
    expect(pageText()).toContain('0:12.345');
    expect(pageText()).toContain('clock unknown');
  });

  it('says that the accuracy is unknown, never that it is exact', async () => {
    await open({ state: { scene: scene({ clocks: [{ ...scene().clocks[0]!, uncertaintyMs: null }] }) } });
    expect(pageText()).toContain('± unknown');
  });
});

describe('keys and buttons', () => {
  it('play, step, set in and out, bookmark', async () => {
    const { review, clock, core } = await open();
    await press(' ');
    expect(clock.state.getState().isPlaying).toBe(true);
    await click(button('Pause'));
    expect(clock.state.getState().isPlaying).toBe(false);
    await press('ArrowLeft', { shiftKey: true });
    expect(clock.nowMs()).toBe(startMs + 9000);
    await press('i');
    await press('PageDown');
    await press('o');
    expect(review.store.getState()).toMatchObject({ inMs: startMs + 9000, outMs: startMs + 19_000 });
    await press('b');
    expect(core.marks()).toHaveLength(1);
    await press('L', { shiftKey: true });
    expect(clock.state.getState().loop).toEqual({ fromMs: startMs + 9000, toMs: startMs + 19_000 });
  });

  it('are left alone with Ctrl, and once taken', async () => {
    const { clock } = await open();
    await press('k', { ctrlKey: true });
    const taken = new KeyboardEvent('keydown', { key: 'Home', bubbles: true, cancelable: true });
    taken.preventDefault();
    await happen(() => document.body.dispatchEvent(taken));
    expect(clock.nowMs()).toBe(startMs + 10_000);
  });

  it('are all listed under ?', async () => {
    await open();
    await press('?', { shiftKey: true });
    expect(pageText()).toContain('One frame forward');
    expect(pageText()).toContain('Loop between in and out');
  });
});

describe('panes', () => {
  const option = channel({
    channelId: 'option',
    direction: 'option',
    directionCode: 'O',
    segments: [segment({ clipId: 'clip_option' as ClipId })],
  });

  it('load the clip of their channel, muted, and change places', async () => {
    const { review } = await open({
      state: {
        scene: scene({ channels: [channel(), option] }),
        shown: ['front', 'option'],
        frames: new Map(),
      },
    });
    const sources = [...document.querySelectorAll('video')].map((video) => video.getAttribute('src'));
    expect(sources).toContain(`/media/clip/${frontId}`);
    expect(sources).toContain('/media/clip/clip_option');
    expect([...document.querySelectorAll('video')].every((video) => video.muted)).toBe(true);
    await click(button('Move to the right'));
    expect(review.store.getState().shown).toEqual(['option', 'front']);
    const [enlarge] = pane('Van 07 · option').querySelectorAll<HTMLElement>('[aria-label^="Enlarge"]');
    await click(enlarge!);
    expect(review.store.getState().enlarged).toBe('option');
    expect(pane('Van 07 · front').hidden).toBe(true);
  });

  it('show another quality when it is chosen', async () => {
    const low = { clipId: 'clip_low' as ClipId, quality: 'sub' as const };
    const { review } = await open({
      state: { scene: scene({ channels: [channel({ segments: [segment({ alternatives: [low] })] })] }) },
    });
    await happen(() => review.store.setState({ chosenClip: new Map([[frontId, low.clipId]]) }));
    const sources = [...document.querySelectorAll('video')].map((video) => video.getAttribute('src'));
    expect(sources).toContain('/media/clip/clip_low');
  });

  it('say what is missing from when to when, and what the card has of it', async () => {
    const { clock, review } = await open({
      state: {
        zone: 'utc',
        scene: scene({
          toMs: startMs + 90_000,
          channels: [
            channel({
              segments: [
                segment({ endMs: startMs + 20_000 }),
                segment({ clipId: 'clip_b' as ClipId, startMs: startMs + 60_000, endMs: startMs + 80_000 }),
              ],
            }),
          ],
          onCard: [
            {
              psn: 'P07',
              filename: '20260314_173240_NF.mp4',
              direction: 'front',
              directionCode: 'F',
              typeCode: 'N',
              startMs: startMs + 40_000,
              endMs: startMs + 60_000,
              uncertaintyMs: 1500,
              listedAtMs: startMs,
            },
          ],
        }),
      },
    });
    await happen(() => clock.seek(startMs + 30_000));
    expect(pageText()).toContain('No recording here');
    expect(pageText()).toContain('Nothing from 16:32:20 to 16:33:00 (40 s) UTC');
    expect(review.store.getState().frames.has('front')).toBe(false);
    await happen(() => clock.seek(startMs + 45_000));
    expect(pageText()).toContain('On the card, not recalled');
    expect(pageText()).toContain('20260314_173240_NF.mp4');
    await click(button('First picture after'));
    expect(clock.nowMs()).toBe(startMs + 60_000);
  });

  it('explain a file without pictures', async () => {
    const noIndex = segment({
      video: null,
      damage: [{ code: 'no-moov', message: 'It has no index ("moov").' }],
    });
    await open({ state: { scene: scene({ channels: [channel({ segments: [noIndex] })] }) } });
    expect(pageText()).toContain('This file can’t be read as a video');
    expect(pageText()).toContain('It has no index');
    expect(document.querySelector('[aria-label^="Still of Van"]')).toBe(null);
  });
});

// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import type { Review } from '../../../renderer/features/review/model.ts';
import { createKeptPlace, parsePlace } from '../../../renderer/features/review/keptPlace.ts';
import { parseRecent, createRecentScenes } from '../../../renderer/features/review/recentScenes.ts';
import { createReviewHolder } from '../../../renderer/features/review/reviewHolder.ts';
import { openReview } from '../../../renderer/features/review/reviewStore.ts';
import { reviewSplits } from '../../../renderer/features/review/ReviewSplits.tsx';
import { parseSplitShares } from '../../../renderer/ui/index.ts';
import { firstShown, firstView, maxShown, movedView } from '../../../renderer/features/review/sceneLayout.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { ReviewScene, SceneRequest } from '../../../shared/contract/review.ts';
import { AppError } from '../../../shared/errors.ts';
import type { CaseId, ClipId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { channel, frontId, scene, secondId, segment, startMs } from './aReview.ts';
import { sceneHandlers } from './aScene.ts';

const request: SceneRequest = { kind: 'clip', clipId: frontId };
const utc = { mode: 'utc', localZone: 'Europe/Amsterdam' } as const;
const opened: Review[] = [];
afterEach(() => {
  for (const review of opened.splice(0)) review.close();
  localStorage.clear();
  sessionStorage.clear();
});

/** Lets what was asked come in. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** A review over a scene that a test can exchange, as a clock set anew would. */
async function open(first: ReviewScene, options: Parameters<typeof openReview>[2] = {}) {
  let now = first;
  const host = createFakeHost(sceneHandlers({ 'review.scene': () => now }));
  const review = await openReview(host, request, options);
  opened.push(review);
  return { host, review, exchange: (next: ReviewScene) => (now = next) };
}
const twoLenses = (byMs = 0, patch: Partial<ReviewScene> = {}): ReviewScene =>
  scene({
    fromMs: startMs + Math.min(0, byMs),
    toMs: startMs + 20_000 + Math.max(0, byMs),
    channels: [
      channel({ segments: [segment({ startMs: startMs + byMs, endMs: startMs + byMs + 20_000 })] }),
      channel({ channelId: 'option', direction: 'option', segments: [segment({ clipId: secondId })] }),
    ],
    ...patch,
  });

describe('opening a scene', () => {
  it('begins where it was asked to, within the scene, with front and option side by side', async () => {
    const { review } = await open(twoLenses(), { atMs: startMs + 5000, caseId: 'case_1' as CaseId });
    expect(review.clock.nowMs()).toBe(startMs + 5000);
    expect(review.store.getState()).toMatchObject({
      shown: ['front', 'option'],
      caseId: 'case_1',
      view: { fromMs: startMs, toMs: startMs + 20_000 },
    });
    const late = await open(twoLenses(), { atMs: startMs + 99_000 });
    expect(late.review.clock.nowMs()).toBe(startMs + 20_000);
  });

  it('keeps the picture when a clock is set: the clip’s second, not the scene’s time', async () => {
    const { host, review, exchange } = await open(twoLenses());
    review.clock.seek(startMs + 8000);
    review.clock.setRate(0.5);
    review.store.setState({ inMs: startMs + 2000, enlarged: 'front' });
    const heard: number[] = [];
    review.clock.onTick((ms) => heard.push(ms));
    exchange(twoLenses(3000));
    host.emit('review.clockChanged', { subject: { kind: 'clip', clipId: frontId } });
    await settle();
    expect(review.store.getState().scene.toMs).toBe(startMs + 23_000);
    expect(review.clock.nowMs()).toBe(startMs + 11_000);
    expect(heard.at(-1)).toBe(startMs + 11_000);
    expect(review.clock.state.getState().rate).toBe(0.5);
    expect(review.store.getState()).toMatchObject({ enlarged: 'front', inMs: startMs + 2000 });
  });

  it('takes view and in point along when elapsed time becomes time of day', async () => {
    const elapsed = twoLenses(-startMs, {
      timebase: 'elapsed',
      fromMs: 0,
      toMs: 20_000,
      focusMs: 0,
    });
    const { review, exchange } = await open(elapsed);
    review.clock.seek(4000);
    review.store.setState({ inMs: 1000, view: { fromMs: 0, toMs: 10_000 } });
    exchange(twoLenses());
    await review.reload();
    expect(review.clock.nowMs()).toBe(startMs + 4000);
    expect(review.store.getState()).toMatchObject({
      inMs: startMs + 1000,
      view: { fromMs: startMs, toMs: startMs + 10_000 },
    });
  });

  it('takes in what was recalled meanwhile, and stirs for nothing else', async () => {
    const alone = scene({ channels: [channel()] });
    const { host, review, exchange } = await open(alone);
    review.clock.play();
    await settle();
    const telemetry = review.telemetry.getState();
    host.emit('library.changed', { reason: 'import' });
    await settle();
    expect(review.store.getState().scene).toBe(alone);
    expect(review.telemetry.getState()).toBe(telemetry);
    exchange(twoLenses());
    host.emit('library.changed', { reason: 'import' });
    await settle();
    expect(review.store.getState().shown).toEqual(['front', 'option']);
    expect(review.clock.state.getState().isPlaying).toBe(true);
    // Whoever chose the panes keeps them.
    review.store.setState({ shown: ['option'] });
    exchange(twoLenses(1000));
    host.emit('library.changed', { reason: 'import' });
    await settle();
    expect(review.store.getState().shown).toEqual(['option']);
  });

  it('tells whoever asked when it can’t be opened anew, and stays as it was', async () => {
    let fails = false;
    const host = createFakeHost(
      sceneHandlers({
        'review.scene': () => {
          if (fails) throw new AppError('not_found', 'Gone.');
          return twoLenses();
        },
      }),
    );
    const review = await openReview(host, request);
    opened.push(review);
    fails = true;
    await expect(review.reload()).rejects.toMatchObject({ code: 'not_found' });
    expect(review.store.getState().shown).toEqual(['front', 'option']);
  });
});

describe('the scene held by the window', () => {
  const holderOf = (handlers: Partial<Handlers> = {}) => {
    const host = createFakeHost(sceneHandlers({ 'review.scene': () => twoLenses(), ...handlers }));
    return { host, holder: createReviewHolder(host) };
  };
  const ready = (holder: ReturnType<typeof createReviewHolder>): Review => {
    const { review } = holder.store.getState();
    if (review.status !== 'ready') throw new Error(`The scene is ${review.status}`);
    opened.push(review.value);
    return review.value;
  };

  it('is not opened twice: the same scene is only moved', async () => {
    const { host, holder } = holderOf();
    holder.open(request, null, utc);
    holder.open(request, null, utc);
    await settle();
    const first = ready(holder);
    holder.open({ ...request }, startMs + 7000, utc);
    expect(ready(holder)).toBe(first);
    expect(first.clock.nowMs()).toBe(startMs + 7000);
    expect(host.asked.filter(({ name }) => name === 'review.scene')).toHaveLength(1);
  });

  it('is where it was, with its in and out, when the window was loaded anew; another scene is not', async () => {
    const leaving = new EventTarget();
    const reload = async (asked: SceneRequest) => {
      const host = createFakeHost(sceneHandlers({ 'review.scene': () => twoLenses() }));
      const holder = createReviewHolder(host, createRecentScenes(), createKeptPlace(sessionStorage, leaving));
      holder.open(asked, startMs + 1000, utc);
      await settle();
      return ready(holder);
    };
    const before = await reload(request);
    expect(before.clock.nowMs()).toBe(startMs + 1000);
    before.clock.seek(startMs + 9000);
    before.store.setState({ inMs: startMs + 4000, outMs: startMs + 12_000 });
    leaving.dispatchEvent(new Event('pagehide'));
    const after = await reload(request);
    expect(after.clock.nowMs()).toBe(startMs + 9000);
    expect(after.store.getState()).toMatchObject({ inMs: startMs + 4000, outMs: startMs + 12_000 });
    leaving.dispatchEvent(new Event('pagehide'));
    const other = await reload({ kind: 'clip', clipId: secondId });
    expect(other.clock.nowMs()).toBe(startMs + 1000);
    expect(other.store.getState()).toMatchObject({ inMs: null, outMs: null });
    expect(parsePlace('{"key":1}')).toBeNull();
    expect(parsePlace('{')).toBeNull();
  });

  it('gives way to the next, which keeps the zone, and the case when clips are added', async () => {
    const { holder } = holderOf();
    holder.open(request, null, utc);
    await settle();
    ready(holder).store.setState({ zone: 'vehicle', caseId: 'case_1' as CaseId });
    holder.open({ kind: 'clips', clipIds: [frontId, secondId] }, startMs + 1000, utc);
    await settle();
    expect(ready(holder).store.getState()).toMatchObject({ zone: 'vehicle', caseId: 'case_1' });
    holder.open({ kind: 'clip', clipId: secondId }, null, utc);
    await settle();
    expect(ready(holder).store.getState()).toMatchObject({ zone: 'vehicle', caseId: null });
  });

  it('shows the scene asked for last, whichever answer comes last', async () => {
    const waiting: ((scene: ReviewScene) => void)[] = [];
    const { holder } = holderOf({
      'review.scene': () => new Promise<ReviewScene>((resolve) => waiting.push(resolve)),
    });
    holder.open(request, null, utc);
    holder.open({ kind: 'clip', clipId: secondId }, null, utc);
    await settle();
    waiting[1]?.(scene({ title: 'second' }));
    await settle();
    waiting[0]?.(scene({ title: 'first' }));
    await settle();
    expect(ready(holder).store.getState().scene.title).toBe('second');
  });

  it('can be asked for again after a failure', async () => {
    let fails = true;
    const { holder } = holderOf({
      'review.scene': () => {
        if (fails) throw new AppError('busy', 'The cache is busy.');
        return scene();
      },
    });
    holder.open(request, null, utc);
    await settle();
    expect(holder.store.getState().review).toMatchObject({ status: 'failed', error: { code: 'busy' } });
    fails = false;
    holder.retry();
    await settle();
    expect(ready(holder).store.getState().zone).toBe('utc');
  });
});

describe('what is shown at first', () => {
  it('is the first camera; every camera, at most four, where a place or clips were asked for', () => {
    const channels = ['a', 'b', 'c', 'd', 'e'].map((psn) =>
      channel({ channelId: psn, psn, segments: [segment({ clipId: `clip_${psn}` as ClipId })] }),
    );
    const many = scene({ channels });
    expect(firstShown(many, request)).toEqual(['a']);
    const all = firstShown(many, { kind: 'clips', clipIds: [frontId] });
    expect(all).toHaveLength(maxShown);
    // What has nothing at the focus comes last.
    const late = channels.map((one, at) =>
      at < 2 ? { ...one, segments: [segment({ startMs: startMs + 5000 })] } : one,
    );
    const found = firstShown(scene({ channels: late }), { kind: 'clips', clipIds: [frontId] });
    expect(found).toEqual(['a', 'c', 'd', 'e']);
  });
  it('is the whole of a short scene, and the focus of a long one', () => {
    const day = { fromMs: 0, toMs: 86_400_000 };
    expect(firstView({ fromMs: 0, toMs: 60_000 }, 0)).toEqual({ fromMs: 0, toMs: 60_000 });
    const view = firstView(day, 43_200_000);
    expect(view.fromMs).toBeLessThan(43_200_000);
    expect(view.toMs).toBeGreaterThan(43_200_000);
    expect(firstView(day, 86_400_000).toMs).toBe(86_400_000);
    expect(movedView({ fromMs: 0, toMs: 10 }, 1e9, day, 0)).toEqual(firstView(day, 0));
  });
  it('is laid out as it was left, and as at first where the storage holds nonsense', () => {
    expect(parseSplitShares(reviewSplits, '{"side":0.4,"charts":2,"lists":"x"}')).toEqual({
      ...parseSplitShares(reviewSplits, null),
      side: 0.4,
      charts: 0.8,
    });
    expect(parseSplitShares(reviewSplits, 'nonsense')).toEqual(parseSplitShares(reviewSplits, null));
  });
});

describe('recent scenes', () => {
  it('stand newest first, once each, over a restart', () => {
    let now = 1;
    const recent = createRecentScenes(localStorage, () => now++);
    for (let at = 0; at < 12; at += 1) {
      recent.add({ kind: 'clip', clipId: `clip_${at}` as ClipId }, `Clip ${at}`);
    }
    recent.add({ kind: 'clip', clipId: 'clip_9' as ClipId }, 'Clip 9');
    const titles = createRecentScenes(localStorage)
      .store.getState()
      .scenes.map(({ title }) => title);
    expect(titles.slice(0, 3)).toEqual(['Clip 9', 'Clip 11', 'Clip 10']);
    expect(titles).toHaveLength(8);
    recent.remove({ kind: 'clip', clipId: 'clip_9' as ClipId });
    expect(recent.store.getState().scenes[0]?.title).toBe('Clip 11');
  });
  it('are empty where something else was stored', () => {
    expect(parseRecent('[{"request":{"kind":"clip"},"title":"x","openedAtMs":1}]')).toEqual([]);
    expect(parseRecent('{')).toEqual([]);
  });
});

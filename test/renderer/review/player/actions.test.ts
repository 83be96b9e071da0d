// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { ClipId } from '../../../../shared/ids.ts';
import { actionsOf, leadingChannel } from '../../../../renderer/features/review/player/actions.ts';
import { aReview, channel, scene, segment, startMs } from '../aReview.ts';

const first = segment({ clipId: 'clip_1' as ClipId, endMs: startMs + 1000, durationS: 1 });
const second = segment({
  clipId: 'clip_2' as ClipId,
  startMs: startMs + 1000,
  endMs: startMs + 2000,
  durationS: 1,
  joinsPrevious: true,
});
const last = segment({
  clipId: 'clip_3' as ClipId,
  startMs: startMs + 5000,
  endMs: startMs + 6000,
  durationS: 1,
});
/** Frames that are not evenly apart. */
const times: Readonly<Record<string, readonly number[]>> = {
  clip_1: [0, 0.1, 0.5],
  clip_2: [0, 0.7],
  clip_3: [0, 0.2, 0.21],
};
const allMs = [0, 100, 500, 1000, 1700, 5000, 5200, 5210];

function open() {
  return aReview({
    atMs: startMs,
    state: {
      scene: scene({ toMs: startMs + 6000, channels: [channel({ segments: [first, second, last] })] }),
    },
    handlers: {
      'clips.frames': ({ clipId }) => {
        const timesS = Float64Array.from(times[clipId] ?? []);
        return { timesS, isKeyFrame: new Uint8Array(timesS.length) };
      },
    },
  });
}

describe('frame steps', () => {
  it('visit every frame once by its real time, over joins and gaps, forward and back', async () => {
    const { review, clock } = open();
    const actions = actionsOf(review);
    const visited = [0];
    for (let i = 0; i < allMs.length; i += 1) {
      await actions.stepFrame(1);
      visited.push(Math.round(clock.nowMs() - startMs));
    }
    // Behind the last frame there is none.
    expect(visited).toEqual([...allMs, 5210]);
    const back: number[] = [];
    for (let i = 0; i < allMs.length; i += 1) {
      await actions.stepFrame(-1);
      back.push(Math.round(clock.nowMs() - startMs));
    }
    expect(back).toEqual([...[...allMs].reverse().slice(1), 0]);
  });

  it('pause what plays, begin from the middle of a frame and from the very end', async () => {
    const { review, clock } = open();
    const actions = actionsOf(review);
    clock.play();
    clock.seek(startMs + 300);
    await actions.stepFrame(1);
    expect([clock.nowMs() - startMs, clock.state.getState().isPlaying]).toEqual([500, false]);
    clock.seek(startMs + 6000);
    await actions.stepFrame(-1);
    expect(clock.nowMs() - startMs).toBeCloseTo(5200, 3);
  });

  it('asked for one after the other are all made; a key held down makes no queue', async () => {
    const { review, clock } = open();
    const actions = actionsOf(review);
    void actions.stepFrame(1);
    void actions.stepFrame(1);
    await actions.stepFrame(1);
    expect(Math.round(clock.nowMs() - startMs)).toBe(1000);
    const held = actions.stepFrame(1);
    void actions.stepFrame(1, true);
    await actions.stepFrame(1, true);
    await held;
    expect(Math.round(clock.nowMs() - startMs)).toBe(1700);
  });
});

describe('the transport', () => {
  it('shuttles in both directions, twice as fast each time, and stops at 1x', () => {
    const { review, clock } = open();
    const actions = actionsOf(review);
    const rate = () => clock.state.getState().rate;
    actions.shuttle(1);
    expect([rate(), clock.state.getState().isPlaying]).toEqual([1, true]);
    for (let i = 0; i < 5; i += 1) actions.shuttle(1);
    expect(rate()).toBe(8);
    actions.shuttle(-1);
    expect(rate()).toBe(-1);
    actions.shuttle(-1);
    expect(rate()).toBe(-2);
    actions.stop();
    expect([rate(), clock.state.getState().isPlaying]).toEqual([1, false]);
    clock.setRate(0.25);
    actions.shuttle(1);
    expect(rate()).toBe(0.25);
    actions.stop();
    expect(rate()).toBe(0.25);
  });

  it('loops in and out only where there is a stretch', () => {
    const { review, clock } = open();
    const actions = actionsOf(review);
    actions.toggleLoop();
    expect(clock.state.getState().loop).toBe(null);
    actions.setIn();
    clock.seek(startMs + 800);
    actions.setOut();
    actions.toggleLoop();
    expect(clock.state.getState().loop).toEqual({ fromMs: startMs, toMs: startMs + 800 });
    actions.toggleLoop();
    expect(clock.state.getState().loop).toBe(null);
  });

  it('goes to the next gap and to the ends, and stays where nothing follows', () => {
    const { review, clock } = open();
    const actions = actionsOf(review);
    actions.toGap(1);
    expect(clock.nowMs() - startMs).toBe(2000);
    actions.toGap(1);
    expect(clock.nowMs() - startMs).toBe(2000);
    actions.toEnd();
    expect(clock.nowMs() - startMs).toBe(6000);
    actions.toStart();
    expect(clock.nowMs() - startMs).toBe(0);
    actions.toPeakG();
    expect(clock.nowMs() - startMs).toBe(0);
  });

  it('counts frames by the enlarged view, else by the first that has a picture now', () => {
    const option = channel({ channelId: 'option', segments: [segment({ startMs: startMs + 3000 })] });
    const { review } = aReview({
      state: {
        scene: scene({ channels: [channel({ segments: [first] }), option] }),
        shown: ['front', 'option'],
      },
    });
    expect(leadingChannel(review, startMs + 500)).toBe('front');
    expect(leadingChannel(review, startMs + 4000)).toBe('option');
    review.store.setState({ enlarged: 'option' });
    expect(leadingChannel(review, startMs + 4000)).toBe('option');
    expect(leadingChannel(review, startMs + 500)).toBe('front');
  });
});

import { describe, expect, it } from 'vitest';
import {
  createMasterClock,
  longestHoldMs,
  type ClockSources,
} from '../../../../renderer/features/review/player/masterClock.ts';

/** Time and frames that move when the test says so. */
function aTime() {
  let now = 5_000;
  let waiting: (() => void) | null = null;
  const sources: ClockSources = {
    now: () => now,
    requestFrame: (callback) => {
      waiting = callback;
      return 1;
    },
    cancelFrame: () => (waiting = null),
  };
  return {
    sources,
    isDrawing: () => waiting !== null,
    /** Time passes without a drawn frame. */
    wait: (ms: number) => (now += ms),
    /** Time passes, then a frame is drawn. */
    frame(ms: number) {
      now += ms;
      const callback = waiting;
      waiting = null;
      callback?.();
    },
  };
}
const span = { fromMs: 1_700_000_000_000, toMs: 1_700_000_060_000 };
const at = (ms: number) => span.fromMs + ms;
function aClock(startMs = 0) {
  const time = aTime();
  const clock = createMasterClock(span, at(startMs), time.sources);
  const ticks: number[] = [];
  clock.onTick((sceneMs) => ticks.push(sceneMs - span.fromMs));
  return { time, clock, ticks, nowMs: () => clock.nowMs() - span.fromMs };
}

describe('the master clock', () => {
  it('runs by the time that passes, not by the frames that are drawn', () => {
    const { time, clock, ticks, nowMs } = aClock(1_000);
    clock.play();
    time.frame(16);
    time.frame(400);
    time.wait(3);
    expect(nowMs()).toBe(1_419);
    expect(ticks).toEqual([1_016, 1_416]);
  });

  it('changes its rate without a jump, and keeps it between a tenth and eight', () => {
    const { time, clock, nowMs } = aClock();
    clock.play();
    time.frame(1_000);
    clock.setRate(4);
    expect(nowMs()).toBe(1_000);
    time.frame(1_000);
    expect(nowMs()).toBe(5_000);
    clock.setRate(100);
    expect(clock.state.getState().rate).toBe(8);
    clock.setRate(0.001);
    expect(clock.state.getState().rate).toBe(0.1);
    clock.setRate(Number.NaN);
    expect(clock.state.getState().rate).toBe(1);
  });

  it('stops at the end of the scene, draws no more, and begins anew when played again', () => {
    const { time, clock, ticks, nowMs } = aClock(59_990);
    clock.play();
    time.frame(16);
    expect(clock.state.getState().isPlaying).toBe(false);
    expect(ticks).toEqual([60_000]);
    expect(time.isDrawing()).toBe(false);
    clock.play();
    expect(nowMs()).toBe(0);
  });

  it('runs backwards to the beginning', () => {
    const { time, clock, nowMs } = aClock(1_000);
    clock.setRate(-2);
    clock.play();
    time.frame(250);
    expect(nowMs()).toBe(500);
    time.frame(400);
    expect(nowMs()).toBe(0);
    expect(clock.state.getState().isPlaying).toBe(false);
  });

  it('tells once of every seek, playing or not, and stays within the scene', () => {
    const { clock, ticks } = aClock();
    clock.seek(at(2_000));
    clock.seek(at(-5));
    clock.seek(at(99_000), { isScrubbing: true });
    clock.seek(Number.NaN);
    expect(ticks).toEqual([2_000, 0, 60_000]);
  });

  it('plays in and out over and over', () => {
    const { time, clock, ticks } = aClock();
    clock.setLoop({ fromMs: at(2_000), toMs: at(3_000) });
    expect(ticks).toEqual([2_000]);
    clock.play();
    time.frame(900);
    time.frame(150);
    time.frame(100);
    expect(ticks).toEqual([2_000, 2_900, 2_000, 2_100]);
    // Past the loop by the user's will: it is not fetched back.
    clock.seek(at(10_000));
    time.frame(100);
    expect(ticks.at(-1)).toBe(10_100);
    clock.setLoop({ fromMs: at(5_000), toMs: at(5_000) });
    expect(clock.state.getState().loop).toBe(null);
  });

  it('waits for a video that is not ready, and goes on from where it stood', () => {
    const { time, clock, nowMs } = aClock();
    clock.play();
    time.frame(100);
    const release = clock.hold();
    expect(clock.state.getState()).toMatchObject({ isPlaying: true, isHeld: true });
    time.frame(700);
    expect(nowMs()).toBe(100);
    release();
    time.frame(50);
    expect(nowMs()).toBe(150);
    expect(clock.state.getState().isHeld).toBe(false);
  });

  it('does not wait for ever', () => {
    const { time, clock, nowMs } = aClock();
    clock.play();
    clock.hold();
    time.frame(longestHoldMs - 1);
    expect(nowMs()).toBe(0);
    time.frame(1);
    expect(clock.state.getState().isHeld).toBe(false);
    time.frame(40);
    expect(nowMs()).toBe(40);
  });

  it('a hold from before play counts, one of a paused clock shows nothing', () => {
    const { time, clock, nowMs } = aClock();
    const release = clock.hold();
    expect(clock.state.getState().isHeld).toBe(false);
    clock.play();
    expect(clock.state.getState().isHeld).toBe(true);
    time.frame(20);
    release();
    time.frame(20);
    expect(nowMs()).toBe(20);
    clock.pause();
    time.wait(500);
    expect(nowMs()).toBe(20);
  });
});

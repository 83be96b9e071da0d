import { createStore } from 'zustand/vanilla';
import type { MasterClock, MasterClockState, SceneSpan } from '../model.ts';

/** Slowest and fastest of either direction. */
export const slowestRate = 0.1;
export const fastestRate = 8;
/** Longer than this no video may keep the others waiting: time goes on, and its pane says that it is loading. */
export const longestHoldMs = 2_000;

/** Where the clock gets its time and its frames from; the window's own unless a test gives others. */
export interface ClockSources {
  /** Milliseconds that only ever grow. */
  now(): number;
  requestFrame(callback: () => void): number;
  cancelFrame(id: number): void;
}

const windowSources: ClockSources = {
  now: () => performance.now(),
  requestFrame: (callback) => requestAnimationFrame(callback),
  cancelFrame: (id) => cancelAnimationFrame(id),
};

/** The rate that is allowed and nearest: 0.1 to 8 in either direction; 1 for what is no number. */
export function toAllowedRate(rate: number): number {
  if (!Number.isFinite(rate) || rate === 0) return 1;
  return Math.sign(rate) * Math.min(fastestRate, Math.max(slowestRate, Math.abs(rate)));
}

/**
 * The scene's one running time (issue 5, point 3). It is anchored to the window's monotonic clock, never counted up
 * from frames, so that it can't drift; videos, charts and map follow it.
 */
export function createMasterClock(
  span: SceneSpan,
  startMs: number,
  sources: ClockSources = windowSources,
): MasterClock & { close(): void } {
  const state = createStore<MasterClockState>(() => ({
    isPlaying: false,
    isHeld: false,
    rate: 1,
    loop: null,
  }));
  const listeners = new Set<(sceneMs: number) => void>();
  /** Holds by the moment at which they stop to count. */
  const holds = new Map<symbol, number>();
  const within = (sceneMs: number) => Math.min(span.toMs, Math.max(span.fromMs, sceneMs));
  let anchorMs = within(startMs);
  let anchorNow = sources.now();
  let lastTickMs = anchorMs;
  let frame: number | null = null;

  const runs = () => state.getState().isPlaying && !state.getState().isHeld;
  const nowMs = () => {
    if (!runs()) return anchorMs;
    return within(anchorMs + (sources.now() - anchorNow) * state.getState().rate);
  };
  function anchorAt(sceneMs: number): void {
    anchorMs = within(sceneMs);
    anchorNow = sources.now();
  }
  function tell(): void {
    const sceneMs = nowMs();
    lastTickMs = sceneMs;
    for (const listener of [...listeners]) listener(sceneMs);
  }
  /** Changes what time runs by, without a jump. */
  function change(next: Partial<MasterClockState>): void {
    anchorAt(nowMs());
    state.setState(next);
    if (state.getState().isPlaying) frame ??= sources.requestFrame(onFrame);
    else if (frame !== null) {
      sources.cancelFrame(frame);
      frame = null;
    }
  }
  function countHolds(): void {
    for (const [key, untilNow] of holds) if (untilNow <= sources.now()) holds.delete(key);
    const isHeld = state.getState().isPlaying && holds.size > 0;
    if (isHeld !== state.getState().isHeld) change({ isHeld });
  }
  function onFrame(): void {
    frame = sources.requestFrame(onFrame);
    countHolds();
    const { loop, rate } = state.getState();
    const sceneMs = nowMs();
    if (loop && rate > 0 && lastTickMs < loop.toMs && sceneMs >= loop.toMs) anchorAt(loop.fromMs);
    else if (loop && rate < 0 && lastTickMs > loop.fromMs && sceneMs <= loop.fromMs) anchorAt(loop.toMs);
    else if (sceneMs === (rate > 0 ? span.toMs : span.fromMs)) change({ isPlaying: false, isHeld: false });
    tell();
  }

  return {
    state,
    nowMs,
    play() {
      const { rate, loop } = state.getState();
      const [first, last] = rate > 0 ? [span.fromMs, span.toMs] : [span.toMs, span.fromMs];
      // At its end there is nothing left to play: begin anew.
      if (nowMs() === last) anchorAt(loop ? (rate > 0 ? loop.fromMs : loop.toMs) : first);
      lastTickMs = nowMs();
      change({ isPlaying: true, isHeld: holds.size > 0 });
    },
    pause() {
      if (!state.getState().isPlaying) return;
      change({ isPlaying: false, isHeld: false });
      // The pictures of this very moment are to be shown now, not those of the last drawn frame.
      tell();
    },
    seek(sceneMs) {
      if (!Number.isFinite(sceneMs)) return;
      anchorAt(sceneMs);
      tell();
    },
    setRate(rate) {
      change({ rate: toAllowedRate(rate) });
    },
    setLoop(loop) {
      const isStretch = loop !== null && within(loop.toMs) > within(loop.fromMs);
      const next = isStretch ? { fromMs: within(loop.fromMs), toMs: within(loop.toMs) } : null;
      change({ loop: next });
      const sceneMs = nowMs();
      if (next && (sceneMs < next.fromMs || sceneMs >= next.toMs)) {
        anchorAt(next.fromMs);
        tell();
      }
    },
    onTick(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hold() {
      const key = Symbol('hold');
      holds.set(key, sources.now() + longestHoldMs);
      countHolds();
      return () => {
        if (holds.delete(key)) countHolds();
      };
    },
    close() {
      change({ isPlaying: false, isHeld: false });
      listeners.clear();
      holds.clear();
    },
  };
}

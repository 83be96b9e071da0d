import { createStore } from 'zustand/vanilla';
import type { MasterClock, MasterClockState, SceneSpan, TelemetryState, TelemetryStore } from './model.ts';

/** Something that is closed when it is no longer needed. */
interface Closable {
  close(): void;
}

/**
 * One clock for as long as the review lives, though its scene may be opened anew: whoever holds it, and listens, need
 * not know. `replace` puts the clock of another span under it; rate goes along, a loop only where it still lies inside.
 */
export function createSwitchingClock(
  create: (span: SceneSpan, startMs: number) => MasterClock & Closable,
  span: SceneSpan,
  startMs: number,
): MasterClock & Closable & { replace(span: SceneSpan, startMs: number): void } {
  let inner = create(span, startMs);
  const state = createStore<MasterClockState>(() => inner.state.getState());
  const listeners = new Set<(sceneMs: number) => void>();
  const tell = (sceneMs: number) => {
    for (const listener of [...listeners]) listener(sceneMs);
  };
  const follow = () => {
    const ends = [inner.state.subscribe((now) => state.setState(now)), inner.onTick(tell)];
    return () => ends.forEach((end) => end());
  };
  let unfollow = follow();
  return {
    nowMs: () => inner.nowMs(),
    state,
    play: () => inner.play(),
    pause: () => inner.pause(),
    seek: (sceneMs, options) => inner.seek(sceneMs, options),
    setRate: (rate) => inner.setRate(rate),
    setLoop: (loop) => inner.setLoop(loop),
    onTick(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hold: () => inner.hold(),
    replace(next, atMs) {
      const { isPlaying, rate, loop } = inner.state.getState();
      unfollow();
      inner.close();
      inner = create(next, atMs);
      unfollow = follow();
      inner.setRate(rate);
      if (loop && loop.fromMs >= next.fromMs && loop.toMs <= next.toMs) inner.setLoop(loop);
      state.setState(inner.state.getState());
      if (isPlaying) inner.play();
      tell(inner.nowMs());
    },
    close() {
      unfollow();
      listeners.clear();
      inner.close();
    },
  };
}

/** The same for telemetry: readings of the scene that is open now, in one store. The chosen origin goes along. */
export function createSwitchingTelemetry(
  create: () => TelemetryStore & Closable,
): TelemetryStore & Closable & { replace(create: () => TelemetryStore & Closable): void } {
  let inner = create();
  const initial = inner.getInitialState();
  const store = createStore<TelemetryState>(() => inner.getState());
  let unfollow = inner.subscribe((now) => store.setState(now));
  return {
    getState: store.getState,
    getInitialState: () => initial,
    subscribe: store.subscribe,
    choose: (origin) => inner.choose(origin),
    gpsIndexAt: (sceneMs, maxAgeMs) => inner.gpsIndexAt(sceneMs, maxAgeMs),
    replace(next) {
      const { origin, canChoose } = inner.getState();
      unfollow();
      inner.close();
      inner = next();
      if (canChoose && inner.getState().origin !== origin) inner.choose(origin);
      unfollow = inner.subscribe((now) => store.setState(now));
      store.setState(inner.getState());
    },
    close() {
      unfollow();
      inner.close();
    },
  };
}

import type { Review, ShownFrame } from '../model.ts';

/** Collects what the panes show and puts it into the review's store: at once, and for all panes together. */
export interface FrameBoard {
  /** Null: the pane shows no picture now. */
  report(channelId: string, frame: ShownFrame | null): void;
}

/** Largest minus smallest scene time; null for fewer than two. Pure. */
export function stepOf(frames: ReadonlyMap<string, ShownFrame>): number | null {
  if (frames.size < 2) return null;
  const times = [...frames.values()].map(({ sceneMs }) => sceneMs);
  return Math.max(...times) - Math.min(...times);
}

function isSame(a: ShownFrame | undefined, b: ShownFrame): boolean {
  return (
    a !== undefined &&
    a.clipId === b.clipId &&
    a.clipS === b.clipS &&
    a.sceneMs === b.sceneMs &&
    a.frameIndex === b.frameIndex
  );
}

const boards = new WeakMap<Review['store'], FrameBoard>();

/** The one board of a review. */
export function frameBoardOf(store: Review['store']): FrameBoard {
  const made = boards.get(store) ?? createFrameBoard(store);
  boards.set(store, made);
  return made;
}

function createFrameBoard(store: Review['store']): FrameBoard {
  const waiting = new Map<string, ShownFrame | null>();
  let isAsked = false;
  function flush(): void {
    isAsked = false;
    const before = store.getState().frames;
    let frames: Map<string, ShownFrame> | null = null;
    for (const [channelId, frame] of waiting) {
      if (frame === null ? !before.has(channelId) : isSame(before.get(channelId), frame)) continue;
      frames ??= new Map(before);
      if (frame === null) frames.delete(channelId);
      else frames.set(channelId, frame);
    }
    waiting.clear();
    if (frames) store.setState({ frames, stepMs: stepOf(frames) });
  }
  return {
    report(channelId, frame) {
      waiting.set(channelId, frame);
      if (isAsked) return;
      isAsked = true;
      // All panes report from one tick of the clock: after it, before anything is drawn.
      queueMicrotask(flush);
    },
  };
}

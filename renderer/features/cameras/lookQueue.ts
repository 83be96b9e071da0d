import { AppError } from '../../../shared/errors.ts';
import { problemOf } from '../account/problemError.ts';

/** What the queue reaches the world through. */
export interface LookWorld<T> {
  ask(filename: string): Promise<T>;
  /** Takes back what was asked. */
  cancel(filename: string): void;
  onFound(filename: string, found: T): void;
  onFailed(filename: string, error: unknown): void;
  /** Null: nothing stands in the way any more. */
  onPaused(error: unknown): void;
  /** Calls back later; returns the function that ends it. */
  later(run: () => void, ms: number): () => void;
}

/** Codes that say nothing about the recording: the camera can't be talked to right now. */
const passing = new Set(['device_busy', 'device_offline', 'command_timeout', 'rate_limited']);
const pauseMs = 10_000;

/**
 * Metadata of the recordings in sight, one contact with the camera at a time, in the order wanted. What is not wanted
 * any more is taken back, also when it is under way. A camera that can't answer now pauses the queue instead of
 * failing every recording.
 */
export function createLookQueue<T>(world: LookWorld<T>) {
  let wanted: readonly string[] = [];
  let current: string | null = null;
  let endPause: (() => void) | null = null;
  let isClosed = false;
  const settled = new Set<string>();

  function next(): void {
    if (isClosed || current !== null || endPause !== null) return;
    const filename = wanted.find((name) => !settled.has(name));
    if (filename === undefined) return;
    current = filename;
    world.ask(filename).then(
      (found) =>
        end(filename, () => {
          settled.add(filename);
          world.onFound(filename, found);
        }),
      (error: unknown) => end(filename, () => failed(filename, error)),
    );
  }

  function end(filename: string, tell: () => void): void {
    if (current === filename) current = null;
    if (isClosed) return;
    tell();
    next();
  }

  function failed(filename: string, error: unknown): void {
    if (error instanceof AppError && error.code === 'canceled') return;
    const code = problemOf(error)?.code ?? (error instanceof AppError ? error.code : null);
    if (code !== null && (passing.has(code) || code === 'busy')) {
      world.onPaused(error);
      endPause = world.later(resume, pauseMs);
      return;
    }
    settled.add(filename);
    world.onFailed(filename, error);
  }

  function resume(): void {
    endPause?.();
    endPause = null;
    if (isClosed) return;
    world.onPaused(null);
    next();
  }

  return {
    /** What is in sight now, most wanted first; replaces what was wanted before. */
    want(filenames: readonly string[]): void {
      wanted = filenames;
      if (current !== null && !filenames.includes(current)) world.cancel(current);
      next();
    },
    /** Asks for it (again), also after it had failed. */
    retry(filename: string): void {
      settled.delete(filename);
      if (!wanted.includes(filename)) wanted = [filename, ...wanted];
      if (endPause !== null) resume();
      else next();
    },
    /** It was dropped here to save memory: it may be asked for again. */
    forget(filename: string): void {
      settled.delete(filename);
    },
    close(): void {
      isClosed = true;
      endPause?.();
      if (current !== null) world.cancel(current);
    },
  };
}

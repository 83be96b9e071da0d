/**
 * The simulated service's only clock. Every rule with a duration in it (links, quotas, retries, transfers)
 * reads this clock, so tests pass a month in a millisecond and never sleep.
 */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Runs the task when the clock reaches `atMs`; returns its cancellation. */
  schedule(atMs: number, task: () => Promise<void> | void): () => void;
  /** Moves the clock and runs what became due on the way, in order. Negative values step back and run nothing. */
  advance(byMs: number): Promise<void>;
  /** Called after the clock moved. */
  onMove(listener: () => void): () => void;
  stop(): void;
}

interface Task {
  readonly atMs: number;
  readonly sequence: number;
  readonly run: () => Promise<void> | void;
}

/** How often a ticking clock looks for due tasks, in real milliseconds. */
const tickMs = 20;

export function createClock(startAtMs: number, isTicking: boolean): Clock {
  let baseMs = startAtMs;
  let realStartMs = performance.now();
  let sequence = 0;
  let tasks: Task[] = [];
  const listeners = new Set<() => void>();
  let running: Promise<void> = Promise.resolve();

  const now = (): number => (isTicking ? baseMs + Math.floor(performance.now() - realStartMs) : baseMs);
  const moveTo = (atMs: number): void => {
    baseMs = atMs;
    realStartMs = performance.now();
  };
  const takeDue = (untilMs: number): Task | undefined => {
    const due = tasks
      .filter((task) => task.atMs <= untilMs)
      .sort((one, other) => one.atMs - other.atMs || one.sequence - other.sequence)[0];
    if (due) tasks = tasks.filter((task) => task !== due);
    return due;
  };
  const notify = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const runUntil = async (targetMs: () => number, doesMove: boolean): Promise<void> => {
    for (let task = takeDue(targetMs()); task; task = takeDue(targetMs())) {
      if (doesMove && task.atMs > now()) moveTo(task.atMs);
      await task.run();
      notify();
    }
  };
  const serialise = (work: () => Promise<void>): Promise<void> => {
    const next = running.then(work);
    running = next.catch(() => undefined);
    return next;
  };

  let isTickPending = false;
  const timer = isTicking
    ? setInterval(() => {
        notify();
        if (isTickPending || !tasks.some((task) => task.atMs <= now())) return;
        isTickPending = true;
        void serialise(() => runUntil(now, false)).finally(() => {
          isTickPending = false;
        });
      }, tickMs)
    : undefined;

  // A forgotten simulator must not keep a finished process alive; the server does that while it runs.
  timer?.unref();

  return {
    now,
    schedule(atMs, run) {
      const task: Task = { atMs, sequence: (sequence += 1), run };
      tasks.push(task);
      return () => {
        tasks = tasks.filter((other) => other !== task);
      };
    },
    advance(byMs) {
      return serialise(async () => {
        const targetMs = now() + byMs;
        if (byMs >= 0) await runUntil(() => targetMs, true);
        if (byMs < 0 || targetMs > now()) moveTo(targetMs);
        notify();
      });
    },
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      clearInterval(timer);
      tasks = [];
      listeners.clear();
    },
  };
}

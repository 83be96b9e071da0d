/**
 * Runs at most one request at a time and, of those asked for meanwhile, only the newest. A pan asks sixty times a
 * second; the core answers what is still wanted. `onValue` is never called for a request that was overtaken.
 */
export function createLatestOnly<Input, Value>(options: {
  run: (input: Input) => Promise<Value>;
  onValue: (value: Value, input: Input) => void;
  onError: (error: unknown, input: Input) => void;
}): { ask(input: Input): void; cancel(): void } {
  let waiting: { input: Input } | null = null;
  let generation = 0;
  let isRunning = false;

  async function loop(): Promise<void> {
    isRunning = true;
    while (waiting) {
      const { input } = waiting;
      waiting = null;
      const mine = generation;
      try {
        const value = await options.run(input);
        // An answer that was overtaken is still dropped: what is wanted now comes next.
        if (mine === generation) options.onValue(value, input);
      } catch (error) {
        if (mine === generation) options.onError(error, input);
      }
    }
    isRunning = false;
  }

  return {
    ask(input) {
      generation++;
      waiting = { input };
      if (!isRunning) void loop();
    },
    cancel() {
      generation++;
      waiting = null;
    },
  };
}

import { startTransition, useEffect, useState } from 'react';

/**
 * How many of `count` parts are on the screen: one more in each task, and none in a task that the window's input
 * must wait for. Drawn at once, table, map and timeline hold the window for a tenth of a second or more.
 */
export function useTurns(count: number): number {
  const [shown, setShown] = useState(0);
  useEffect(() => {
    if (shown >= count) return;
    const timer = setTimeout(() => startTransition(() => setShown(shown + 1)));
    return () => clearTimeout(timer);
  }, [shown, count]);
  return Math.min(shown, count);
}

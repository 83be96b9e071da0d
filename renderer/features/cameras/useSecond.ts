import { useEffect, useState } from 'react';

/** Now, told anew every second while `isCounting`: for countdowns. */
export function useSecond(isCounting: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (!isCounting) return;
    const tell = () => setNowMs(Date.now());
    // What stood here before the counting began is old.
    const first = requestAnimationFrame(tell);
    const timer = setInterval(tell, 1000);
    return () => {
      cancelAnimationFrame(first);
      clearInterval(timer);
    };
  }, [isCounting]);
  return nowMs;
}

import { useEffect, useState } from 'react';

/** Now, told anew every second while `isCounting`: for countdowns. */
export function useSecond(isCounting: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return nowMs;
}

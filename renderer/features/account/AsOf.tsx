import { Time } from '../../ui/index.ts';
import { formatAge } from './freshness.ts';
import { useNowMs } from './useNowMs.ts';

/** "as of 14 Mar 2026, 17:02 CET (2 min ago)": the age of a figure from the network. */
export function AsOf({ atMs, prefix = 'as of' }: { atMs: number | null; prefix?: string }) {
  const nowMs = useNowMs();
  if (atMs === null) return <span>not fetched yet</span>;
  return (
    <span>
      {prefix} <Time utcMs={atMs} style="minute" /> ({formatAge(atMs, Math.max(nowMs, atMs))})
    </span>
  );
}

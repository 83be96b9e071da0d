import type { TransferBudget } from '../../../shared/contract/recalls.ts';
import { formatAge } from '../account/freshness.ts';
import { useNowMs } from '../account/useNowMs.ts';
import classes from './cameras.module.css';
import { transferText } from './words.ts';

/** "4.10 GB of 10.00 GB left this month, resets in 12 days", with the figure's age. */
export function BudgetLine({ budget }: { budget: TransferBudget | null }) {
  const nowMs = useNowMs();
  if (budget === null) return null;
  const { leftBytes, limitBytes, fetchedAtMs, daysToReset, reservedBytes } = budget;
  const age =
    fetchedAtMs === null ? 'never read' : `read ${formatAge(fetchedAtMs, Math.max(nowMs, fetchedAtMs))}`;
  const title = `Video transfer of the whole organization, 1 GB = 2^30 bytes; ${age}; ${daysToReset === 1 ? '1 day' : `${daysToReset} days`} to reset${reservedBytes > 0 ? `; ${transferText(reservedBytes)} wait in the queue` : ''}`;
  if (leftBytes === null || limitBytes === null) {
    return (
      <span className={classes.muted} title={title}>
        Allowance not known
      </span>
    );
  }
  const share = limitBytes > 0 ? leftBytes / limitBytes : 0;
  return (
    <span className={classes.budget} title={title}>
      <strong>{transferText(leftBytes)}</strong> of {transferText(limitBytes)} left
      <meter min={0} max={1} value={share} aria-label="Left of the month’s video transfer" />
    </span>
  );
}

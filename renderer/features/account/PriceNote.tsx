import type { UsageReport } from '../../../shared/contract/cloud.ts';
import { formatCount, formatCounted, Notice } from '../../ui/index.ts';
import classes from './account.module.css';
import { AsOf } from './AsOf.tsx';
import { resetMs } from './budget.ts';
import type { Kept } from './kept.ts';
import { exportAllowance } from './orderRules.ts';
import { problemOf } from './problemError.ts';

/** What an order costs, before it is sent. */
export function PriceNote({ usage }: { usage: Kept<UsageReport> }) {
  const report = usage.value;
  const allowance = exportAllowance(report);
  if (report === null || allowance === null) {
    return (
      <div className={classes.price}>
        <span className={classes.strong}>Price: 1 export job of the month’s allowance</span>
        <span className={classes.muted}>{whyUnknown(usage)}</span>
      </div>
    );
  }
  const { used, limit } = allowance;
  const reset = resetMs(report.usage.period);
  const newMonth = reset === null ? 'the 1st of next month' : new Date(reset).toISOString().slice(0, 10);
  if (limit <= 0) {
    return (
      <Notice tone="warn">The plan does not include GPS exports. The service will refuse the order.</Notice>
    );
  }
  if (used >= limit) {
    return (
      <Notice tone="warn">
        The month’s {formatCounted(limit, 'export job')} are used up. The service will refuse the order until{' '}
        {newMonth}, 00:00 UTC; trying does not cost anything, and does not help.
      </Notice>
    );
  }
  return (
    <div className={classes.price}>
      <span className={classes.strong}>Price: 1 export job, no mobile data</span>
      <span>
        {formatCount(used)} of {formatCounted(limit, 'job')} used this month; {formatCount(limit - used - 1)}{' '}
        left after this.
      </span>
      <span className={classes.muted}>
        <AsOf atMs={report.fetchedAtMs} /> · new allowance on {newMonth}, 00:00 UTC
      </span>
    </div>
  );
}

function whyUnknown({ value, error }: Kept<UsageReport>): string {
  if (problemOf(error)?.code === 'insufficient_scope') {
    return 'How many are left is not known: the key lacks the permission usage:read.';
  }
  if (error !== null) return 'How many are left is not known: the usage could not be read.';
  return value === null ? 'Reading how many are left…' : 'How many are left is not stated by the service.';
}

import type { Usage } from '../../../shared/cloudResources.ts';
import { formatCount, formatPercent, Section, Status } from '../../ui/index.ts';
import classes from './account.module.css';
import { resetMs, toBuckets, toBudget, type Bucket, type Budget } from './budget.ts';

/** The three volume buckets of the month, each with what it means. */
export function BucketSection({ usage }: { usage: Usage }) {
  const reset = resetMs(usage.period);
  return (
    <Section
      title="Allowances"
      note={
        reset === null
          ? 'Of the whole organization.'
          : `Of the whole organization, ${usage.period} (UTC). Monthly ones begin anew on ${new Date(reset).toISOString().slice(0, 10)}, 00:00 UTC; nothing is carried over.`
      }
      isFlush
    >
      <div className={classes.rows}>
        {toBuckets(usage).map((bucket) => (
          <BucketRow key={bucket.bucket} bucket={bucket} />
        ))}
      </div>
    </Section>
  );
}

function BucketRow({ bucket }: { bucket: Bucket }) {
  const { title, budget, meaning, format } = bucket;
  return (
    <div className={classes.bucket} role="group" aria-label={title}>
      <div className={classes.bucketHead}>
        <span className={classes.strong}>{title}</span>
        <Status tone={budget.tone}>{budget.state}</Status>
      </div>
      <Meter label={title} budget={budget} format={format} verb={bucket.isMonthly ? 'used' : 'in use'} />
      <div className={classes.muted}>{meaning}</div>
    </div>
  );
}

/** A bar with its figures in words; without a limit there is no bar. */
export function Meter({
  label,
  budget,
  format,
  verb = 'used',
}: {
  label: string;
  budget: Budget;
  format: (amount: number) => string;
  /** "3 of 10 used", "1 of 2 in use". */
  verb?: string;
}) {
  const { used, limit, share, tone } = budget;
  if (used === null) return <div className={classes.muted}>The service did not state it.</div>;
  if (limit === null || share === null) {
    return (
      <div className={classes.bucketFigures}>
        <span>
          {format(used)} {verb}
        </span>
        <span className={classes.muted}>{limit === 0 ? 'allowance: none' : 'no limit stated'}</span>
      </div>
    );
  }
  return (
    <>
      <div
        className={classes.meter}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={`${format(used)} of ${format(limit)} ${verb}`}
      >
        {used > 0 && (
          <div className={classes.meterFill} data-tone={tone} style={{ width: `${share * 100}%` }} />
        )}
      </div>
      <div className={classes.bucketFigures}>
        <span>
          {format(used)} of {format(limit)} {verb} (
          {used > 0 && share < 0.01 ? '< 1 %' : formatPercent(share)})
        </span>
        <span>{used > limit ? `${format(used - limit)} over` : `${format(limit - used)} left`}</span>
      </div>
    </>
  );
}

/** API calls of the month and how fast they may come. */
export function CallSection({ usage }: { usage: Usage }) {
  const calls = usage.apiCalls;
  const budget = toBudget(calls?.used ?? null, calls?.limit ?? null);
  const { rate } = usage;
  return (
    <Section
      title="API calls"
      note={
        <>
          Tier: {usage.tier ?? 'not stated'} ·{' '}
          {rate
            ? `${formatCount(rate.limitRps)} calls a second, ${formatCount(rate.burst)} in a burst; the app keeps to it`
            : 'rate not stated'}
        </>
      }
    >
      <div className={classes.column} style={{ gap: 4 }}>
        <div className={classes.bucketHead}>
          <span className={classes.strong}>This month</span>
          <Status tone={budget.tone}>{budget.state}</Status>
        </div>
        <Meter label="API calls this month" budget={budget} format={formatCount} />
        <div className={classes.muted}>
          {basisText(calls?.limitBasis)} Every authenticated request of the organization counts. Beyond the
          limit every call is refused until the month ends.
          {calls?.measured === false && ' The service calls this figure an estimate.'}
        </div>
      </div>
    </Section>
  );
}

function basisText(basis: unknown): string {
  if (basis === 'fixed') return 'A fixed limit of the plan.';
  if (basis === 'per_camera') return 'The limit grows with the cameras of the plan.';
  return typeof basis === 'string' ? `Limit: ${basis}.` : '';
}

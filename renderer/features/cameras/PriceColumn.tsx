import { Button } from '@mantine/core';
import type { ClipQuality } from '../../../shared/contract/cards.ts';
import type { PriceSum, StreamPrice } from '../../../shared/contract/recalls.ts';
import { Facts, formatCount, formatCounted, formatDuration, Status, Time } from '../../ui/index.ts';
import classes from './cameras.module.css';
import { buttonText, hasWork, levelWords, shareText } from './recallWords.ts';
import { transferText } from './words.ts';

const names = { sub: 'Low resolution', main: 'Full resolution' } as const;

/** One quality: what it costs, what stays, how long it takes, and the button that says so. */
export function PriceColumn({
  quality,
  sum,
  prices,
  isReasonGiven,
  isBusy,
  isOff,
  onStart,
}: {
  quality: ClipQuality;
  sum: PriceSum;
  prices: readonly StreamPrice[];
  isReasonGiven: boolean;
  isBusy: boolean;
  isOff: boolean;
  onStart: () => void;
}) {
  const level = levelWords[sum.level];
  const queued = prices.filter((price) => price.queuedRecallId !== null).length;
  const copies = prices.filter((price) => price.isCopyLikely && price.heldSha256 === null);
  const isDone = !hasWork(prices);
  const total = prices.reduce((bytes, price) => bytes + price.sizeBytes, 0);
  const why = isDone
    ? queued > 0
      ? 'Under way already, or stopped where it goes on for free (see Recalls): nothing is requested a second time.'
      : 'In the cache already: nothing is requested.'
    : sum.level === 'refused'
      ? (sum.refusal ?? 'More than is left of this month’s allowance.')
      : sum.level === 'red' && !isReasonGiven
        ? 'Needs a reason, below.'
        : null;
  return (
    <section className={classes.price} data-level={sum.level} aria-label={names[quality]}>
      <h3>{names[quality]}</h3>
      <div className={classes.priceSize} title={`${formatCount(sum.chargeBytes)} bytes are charged`}>
        {sum.estimated > 0 ? 'about ' : ''}
        {transferText(sum.chargeBytes)}
      </div>
      <Status tone={level.tone}>{level.word}</Status>
      <Facts
        rows={[
          [
            'Size',
            <>
              {transferText(total)} ({formatCount(total)} bytes)
              {sum.estimated > 0 && (
                <div className={classes.muted}>
                  {sum.estimated === prices.length ? 'estimate' : `${sum.estimated} of them estimates`}: the
                  camera states no size, the service counts a flat {quality === 'sub' ? '8 MB' : '150 MB'}
                </div>
              )}
            </>,
          ],
          ['Share of month', shareText(sum.shareOfMonth)],
          [
            'Left after',
            sum.leftAfterBytes === null
              ? 'not known'
              : sum.level === 'refused'
                ? 'not enough'
                : transferText(sum.leftAfterBytes),
          ],
          [
            'Mobile data',
            sum.mobileBytes === 0 && sum.chargeBytes > 0 ? 'none' : transferText(sum.mobileBytes),
          ],
          [
            'Expected time',
            isDone
              ? 'at once'
              : sum.expectedSeconds === null
                ? 'not known for this camera yet'
                : `about ${formatDuration(sum.expectedSeconds * 1000)}`,
          ],
          ...(sum.held > 0
            ? [['Already here', `${formatCounted(sum.held, 'clip')}: not charged again`] as const]
            : []),
          ...(queued > 0 ? [['Under way', formatCounted(queued, 'clip')] as const] : []),
          ...(copies.length > 0
            ? [
                [
                  'Copy on server',
                  <>
                    {copies.length === prices.length
                      ? 'no mobile data'
                      : `${copies.length} without mobile data`}
                    , still counts
                    {copies[0]?.copyUntilMs != null && (
                      <div className={classes.muted}>
                        until about <Time utcMs={copies[0].copyUntilMs} style="minute" />
                      </div>
                    )}
                  </>,
                ] as const,
              ]
            : []),
        ]}
      />
      {prices.some((price) => price.mayBeRefusedByService) && sum.level !== 'refused' && (
        <div className={classes.muted}>
          The service checks a first recall against its flat figure, which is more than is left: it may
          refuse.
        </div>
      )}
      <div className={classes.priceAct}>
        {why !== null && (
          <div className={sum.level === 'refused' ? classes.refusal : classes.muted}>{why}</div>
        )}
        {!isDone && (
          <Button
            fullWidth
            variant={quality === 'sub' ? 'filled' : 'default'}
            loading={isBusy}
            disabled={isOff || why !== null}
            onClick={onStart}
          >
            {buttonText(quality, sum)}
          </Button>
        )}
      </div>
    </section>
  );
}

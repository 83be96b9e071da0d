import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ExportOrder } from '../../../shared/contract/cloud.ts';
import type { SourceId } from '../../../shared/ids.ts';
import {
  ConfirmDialog,
  CopyButton,
  Failure,
  formatCounted,
  formatPercent,
  notifyFailure,
  ProgressLine,
  Status,
  Time,
} from '../../ui/index.ts';
import classes from './account.module.css';
import { AsOf } from './AsOf.tsx';
import { isOpenJob } from './orderRules.ts';
import { canFetch, deliveryState, jobState, rangeText } from './orderState.ts';
import { problemError } from './problemError.ts';
import { useNowMs } from './useNowMs.ts';

/** One GPS export: where it is, what it covers, what became of it. */
export function ExportRow({
  order,
  onCancel,
  onFetch,
  onOpenReport,
}: {
  order: ExportOrder;
  onCancel: () => Promise<unknown>;
  onFetch: () => Promise<unknown>;
  onOpenReport: (sourceId: SourceId) => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const [isFetching, setFetching] = useState(false);
  const { job, delivery, problem } = order;
  const nowMs = Math.max(useNowMs(), order.checkedAtMs);
  const isGone = problem?.code === 'job_not_found';
  const isOpen = isOpenJob(job) && !isGone;
  const state = jobState(order, nowMs);
  const delivered = deliveryState(order);
  const range = rangeText(order);
  const name = `GPS export ${range ?? job.jobId}`;
  const fetch = async () => {
    setFetching(true);
    try {
      await onFetch();
    } catch (error) {
      notifyFailure('The export was not downloaded', error);
    } finally {
      setFetching(false);
    }
  };
  return (
    <article className={classes.row} role="listitem" aria-label={name}>
      <div className={classes.rowHead}>
        <div className={classes.rowTitle}>
          <strong>{range === null ? 'Range not stated yet' : `${range} (UTC days)`}</strong>
          <Status tone={state.tone}>{state.text}</Status>
          {job.partial === true && (
            <span title="The service left something out that it could not read in time">
              <Status tone="warn">Partial: not every camera is in it</Status>
            </span>
          )}
        </div>
        <div className={classes.rowActions}>
          {delivery.status === 'imported' && (
            <Button variant="default" onClick={() => onOpenReport(delivery.sourceId)}>
              Import report
            </Button>
          )}
          {canFetch(order, nowMs) && (
            <Button
              variant={delivery.status === 'failed' ? 'default' : 'light'}
              loading={isFetching}
              onClick={() => void fetch()}
            >
              {delivery.status === 'failed' ? 'Try again' : 'Download and import'}
            </Button>
          )}
          {isOpen && (
            <Button variant="default" onClick={() => setAsking(true)}>
              Cancel…
            </Button>
          )}
        </div>
      </div>
      {isOpen && (
        <ProgressLine
          label={`Progress of ${name}`}
          share={typeof job.progress === 'number' && job.status === 'running' ? job.progress / 100 : null}
          left={
            typeof job.progress === 'number' && job.status === 'running'
              ? formatPercent(job.progress / 100)
              : 'Waiting for the service'
          }
          right={<AsOf atMs={order.checkedAtMs} />}
        />
      )}
      <div className={classes.rowFacts}>
        {delivered && <Status tone={delivered.tone}>{delivered.text}</Status>}
        {typeof job.estimatedPoints === 'number' && (
          <span>{formatCounted(job.estimatedPoints, 'point')} estimated</span>
        )}
        <span>
          ordered <InstantOf text={job.createdAt} /> {order.isOurs ? 'here' : 'elsewhere'}
        </span>
        {job.status === 'completed' && typeof job.completedAt === 'string' && (
          <span>
            completed <InstantOf text={job.completedAt} />
          </span>
        )}
        {typeof job.expiresAt === 'string' && (
          <span>
            kept until <InstantOf text={job.expiresAt} />
          </span>
        )}
        <span>
          <span className={classes.mono}>{job.jobId}</span> <CopyButton text={job.jobId} what="job number" />
        </span>
      </div>
      {delivery.status === 'failed' && (
        <div className={classes.muted} role="alert">
          {delivery.message}
        </div>
      )}
      {problem !== null && !isGone && (
        <Failure
          error={problemError(problem)}
          isInline
          meaning="The export itself goes on at the service; what is shown is from before."
        />
      )}
      {isGone && (
        <div className={classes.muted}>
          The service keeps exports for a limited time, and this one is not there any more.
          {delivery.status === 'imported' ? ' What was imported stays.' : ' Order it again if you need it.'}
        </div>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title="Cancel this export?"
        confirmLabel="Cancel export"
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await onCancel();
        }}
      >
        <p style={{ marginTop: 0 }}>
          The service stops gathering and nothing can be downloaded. The order stays counted in the month’s
          allowance.
        </p>
        {!order.isOurs && (
          <p style={{ marginBottom: 0 }}>
            It was not ordered by this app: somebody of your organization may be waiting for it.
          </p>
        )}
      </ConfirmDialog>
    </article>
  );
}

/** A timestamp of the service with its zone; as it came where it is none. */
function InstantOf({ text }: { text: string | null | undefined }) {
  const utcMs = Date.parse(text ?? '');
  if (Number.isNaN(utcMs)) return <span>{text ?? 'at a time not stated'}</span>;
  return <Time utcMs={utcMs} style="minute" />;
}

import { ActionIcon, Button, Tooltip } from '@mantine/core';
import {
  IconFileImport,
  IconPlayerStop,
  IconRosetteDiscountCheck,
  IconScissors,
  IconShieldCheck,
  IconX,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { Job } from '../../../shared/contract/jobs.ts';
import { Failure, notifyFailure, ProgressLine, Status, Time } from '../../ui/index.ts';
import classes from './jobs.module.css';
import type { Rate } from './rate.ts';
import { endSummary, kindNames, progressText, rateText, shareOf } from './summary.ts';

const kindIcons = {
  import: IconFileImport,
  seal: IconRosetteDiscountCheck,
  verify: IconShieldCheck,
  trim: IconScissors,
} as const;

/** One job of the tray. */
export function JobItem({
  job,
  rate,
  opening,
  onOpened,
  onCancel,
  onDismiss,
}: {
  job: Job;
  rate: Rate | undefined;
  opening: { readonly label: string; run(): void } | null;
  onOpened: () => void;
  onCancel: () => Promise<unknown>;
  onDismiss: () => Promise<unknown>;
}) {
  const [isCanceling, setCanceling] = useState(false);
  const Icon = kindIcons[job.kind];
  const { state } = job;
  const summary = endSummary(job);
  const cancel = () => {
    setCanceling(true);
    onCancel().catch((thrown: unknown) => {
      setCanceling(false);
      notifyFailure('The job goes on', thrown);
    });
  };
  return (
    <article className={classes.item} aria-label={`${kindNames[job.kind]}: ${job.title}`}>
      <Icon className={classes.itemIcon} size={18} stroke={1.5} aria-hidden />
      <div className={classes.itemBody}>
        <div className={classes.itemHead}>
          <span className={classes.itemTitle} title={job.title}>
            <span className={classes.itemKind}>{kindNames[job.kind]}</span> {job.title}
          </span>
          {state.status === 'running' ? (
            <Tooltip label="Cancel; nothing of it is kept">
              <ActionIcon size={22} aria-label={`Cancel ${job.title}`} loading={isCanceling} onClick={cancel}>
                <IconPlayerStop size={14} />
              </ActionIcon>
            </Tooltip>
          ) : (
            <Tooltip label="Take out of the list">
              <ActionIcon
                size={22}
                aria-label={`Dismiss ${job.title}`}
                onClick={() =>
                  onDismiss().catch((thrown: unknown) => notifyFailure('The job stays in the list', thrown))
                }
              >
                <IconX size={14} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
        {state.status === 'running' && (
          <ProgressLine
            label={`Progress of ${job.title}`}
            share={shareOf(state.progress)}
            left={isCanceling ? 'Canceling…' : progressText(state.progress)}
            right={isCanceling ? '' : rateText(rate, state.progress.unit)}
          />
        )}
        {state.status === 'failed' && <Failure error={state.error} isInline />}
        {summary && (
          <div className={classes.itemEnd}>
            <Status tone={summary.tone}>{summary.text}</Status>
            {opening && (
              <Button
                variant="default"
                size="compact-xs"
                onClick={() => {
                  onOpened();
                  opening.run();
                }}
              >
                {opening.label}
              </Button>
            )}
          </div>
        )}
        {job.endedAtMs !== null && (
          <div className={classes.itemTime}>
            <Time utcMs={job.endedAtMs} />
          </div>
        )}
      </div>
    </article>
  );
}

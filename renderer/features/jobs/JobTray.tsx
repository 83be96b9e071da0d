import { ActionIcon, Button, Indicator, Popover, Tooltip } from '@mantine/core';
import { IconStack2, IconX } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Job } from '../../../shared/contract/jobs.ts';
import { Failure, formatCounted, formatPercent, notifyFailure } from '../../ui/index.ts';
import { JobItem } from './JobItem.tsx';
import classes from './jobs.module.css';
import type { JobStore } from './jobStore.ts';
import { shareOf } from './summary.ts';

/** What can be opened from an ended job; null offers nothing. */
export type JobOpening = (job: Job) => { readonly label: string; run(): void } | null;

/** How far the one running job is; null for none, for several, and while its end is unknown. */
function shareOfRunning(jobs: readonly Job[]): number | null {
  const running = jobs.flatMap(({ state }) => (state.status === 'running' ? [state.progress] : []));
  const [only] = running;
  return only && running.length === 1 ? shareOf(only) : null;
}

/**
 * Every import, seal and verification, running and ended. `transfers` are files still on their way to the core,
 * drawn by whoever sends them; `activeTransfers` is how many.
 */
export function JobTray({
  store,
  openingOf,
  transfers,
  activeTransfers,
  hasTransfers = false,
}: {
  store: JobStore;
  openingOf: JobOpening;
  transfers: ReactNode;
  activeTransfers: number;
  /** `transfers` shows something, be it ended. */
  hasTransfers?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const { jobs, rates, error } = useStore(store.store);
  const ended = jobs.filter((job) => job.state.status !== 'running');
  const running = jobs.length - ended.length + activeTransfers;
  const share = shareOfRunning(jobs);
  const label =
    running === 0
      ? 'Jobs'
      : formatCounted(running, 'job') + (share === null ? '' : ` · ${formatPercent(share)}`);
  const dismissAll = () => {
    for (const job of ended) {
      store.dismiss(job.jobId).catch((thrown: unknown) => notifyFailure('The job stays in the list', thrown));
    }
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={440}
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Indicator processing disabled={running === 0} color="accent" size={8} offset={4}>
          <Button
            variant="default"
            leftSection={<IconStack2 size={15} />}
            onClick={() => setOpen(!isOpen)}
            aria-label={running === 0 ? 'Jobs' : `Jobs: ${formatCounted(running, 'job')} running`}
            className={classes.trayButton}
          >
            {label}
          </Button>
        </Indicator>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Jobs">
        <div className={classes.trayHead}>
          <h2>Jobs</h2>
          {ended.length > 0 && (
            <Button variant="subtle" size="compact-xs" onClick={dismissAll}>
              Clear ended jobs
            </Button>
          )}
          <Tooltip label="Close">
            <ActionIcon size={22} aria-label="Close the job list" onClick={() => setOpen(false)}>
              <IconX size={14} />
            </ActionIcon>
          </Tooltip>
        </div>
        <div className={classes.trayList}>
          {error !== null && <Failure error={error} isInline onRetry={() => void store.refresh()} />}
          {transfers}
          {jobs.map((job) => (
            <JobItem
              key={job.jobId}
              job={job}
              rate={rates.get(job.jobId)}
              opening={openingOf(job)}
              onOpened={() => setOpen(false)}
              onCancel={() => store.cancel(job.jobId)}
              onDismiss={() => store.dismiss(job.jobId)}
            />
          ))}
          {jobs.length === 0 && activeTransfers === 0 && !hasTransfers && error === null && (
            <p className={classes.trayEmpty}>
              Nothing is running. Imports, recalls, seals and verifications appear here with their progress
              and stay until you clear them.
            </p>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

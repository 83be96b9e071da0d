import { useStore } from 'zustand';
import { formatBytes, ProgressLine } from '../../ui/index.ts';
import { progressText, rateText, shareOf, type JobStore } from '../jobs/index.ts';
import classes from './imports.module.css';
import { sentOf, titleOf } from './batch.ts';
import type { ImportStore } from './importStore.ts';

/** Progress of every import under way, for a screen that has nothing else to show yet. */
export function ImportsUnderway({ imports, jobs }: { imports: ImportStore; jobs: JobStore }) {
  const { batches } = useStore(imports.store);
  const { jobs: list, rates } = useStore(jobs.store);
  return (
    <>
      {batches.map((batch) => {
        if (batch.state.status !== 'sending') return null;
        const { sent, total } = sentOf(batch);
        return (
          <div key={batch.batchId}>
            <div className={classes.transferTitle}>{titleOf(batch)}</div>
            <ProgressLine
              label={`Handing over ${titleOf(batch)}`}
              share={total > 0 ? sent / total : null}
              left={`Copying and hashing · ${formatBytes(sent)} of ${formatBytes(total)}`}
            />
          </div>
        );
      })}
      {list.map((job) => {
        if (job.kind !== 'import' || job.state.status !== 'running') return null;
        const { progress } = job.state;
        return (
          <div key={job.jobId}>
            <div className={classes.transferTitle}>{job.title}</div>
            <ProgressLine
              label={`Progress of ${job.title}`}
              share={shareOf(progress)}
              left={progressText(progress)}
              right={rateText(rates.get(job.jobId), progress.unit)}
            />
          </div>
        );
      })}
    </>
  );
}

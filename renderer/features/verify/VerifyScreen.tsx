import { Button } from '@mantine/core';
import { IconFileSearch, IconShieldCheck } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { Job } from '../../../shared/contract/jobs.ts';
import { EmptyState, Failure, formatBytes, ProgressLine } from '../../ui/index.ts';
import { pickFiles } from '../imports/index.ts';
import { progressText, rateText, shareOf, type JobStore } from '../jobs/index.ts';
import classes from './verify.module.css';
import { VerifyReportView } from './VerifyReportView.tsx';
import type { Verification, VerifyStore } from './verifyStore.ts';

/** Checks any sealed package: of this machine or a stranger's. */
export function VerifyScreen({
  store,
  jobs,
  ownFingerprint,
}: {
  store: VerifyStore;
  jobs: JobStore;
  /** Fingerprint of this machine's seal; null before the first seal. */
  ownFingerprint: string | null;
}) {
  const { verification } = useStore(store.store);
  const jobId = verification.status === 'running' ? verification.jobId : null;
  const job = useStore(jobs.store, (state) => state.jobs.find((one) => one.jobId === jobId));
  const rate = useStore(jobs.store, (state) => (jobId === null ? undefined : state.rates.get(jobId)));
  const choose = async () => {
    const [file] = await pickFiles({ accept: '.zip', isSingle: true });
    if (file) await store.verifyFile(file);
  };
  return (
    <div className={classes.screen}>
      {verification.status === 'none' && (
        <EmptyState
          icon={IconShieldCheck}
          title="Check a sealed package"
          actions={
            <Button size="sm" leftSection={<IconFileSearch size={16} />} onClick={() => void choose()}>
              Choose a package…
            </Button>
          }
        >
          Drop a package (zip) here, or choose one. Every file in it is hashed again and compared with its
          manifests, the seal and the custody log. It is only read, and nothing is sent anywhere.
        </EmptyState>
      )}
      {(verification.status === 'sending' || verification.status === 'running') && (
        <Underway
          verification={verification}
          job={job}
          rate={
            rate ? rateText(rate, job?.state.status === 'running' ? job.state.progress.unit : 'bytes') : ''
          }
          onCancel={() => void store.cancel()}
        />
      )}
      {verification.status === 'failed' && (
        <div className={classes.column}>
          <h2 className={classes.fileName}>{verification.fileName}</h2>
          <Failure
            error={verification.error}
            meaning="The package was not checked to its end, so nothing is known of whether it is unchanged."
          />
          <div className={classes.again}>
            <Button variant="default" onClick={() => void choose()}>
              Choose another package…
            </Button>
          </div>
        </div>
      )}
      {verification.status === 'done' && (
        <div className={classes.column}>
          <VerifyReportView
            fileName={verification.fileName}
            report={verification.report}
            checkedAtMs={verification.checkedAtMs}
            ownFingerprint={ownFingerprint}
            actions={
              <Button variant="default" onClick={() => void choose()}>
                Check another package…
              </Button>
            }
          />
        </div>
      )}
    </div>
  );
}

function Underway({
  verification,
  job,
  rate,
  onCancel,
}: {
  verification: Extract<Verification, { status: 'sending' | 'running' }>;
  job: Job | undefined;
  rate: string;
  onCancel: () => void;
}) {
  const progress = job?.state.status === 'running' ? job.state.progress : null;
  const isSending = verification.status === 'sending';
  return (
    <div className={classes.underway} role="status">
      <h2 className={classes.fileName}>{verification.fileName}</h2>
      <ProgressLine
        label={`Progress of checking ${verification.fileName}`}
        share={
          isSending
            ? verification.sizeBytes > 0
              ? verification.sentBytes / verification.sizeBytes
              : null
            : progress && shareOf(progress)
        }
        left={
          isSending
            ? `Copying · ${formatBytes(verification.sentBytes)} of ${formatBytes(verification.sizeBytes)}`
            : progress
              ? progressText(progress)
              : 'Checking'
        }
        right={rate}
      />
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

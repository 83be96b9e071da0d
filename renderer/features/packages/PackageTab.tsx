import { Button, SegmentedControl } from '@mantine/core';
import { IconPackageOff, IconRosetteDiscountCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { CaseFile } from '../../../shared/contract/cases.ts';
import type { PackagePreview, SealedPackage } from '../../../shared/contract/packages.ts';
import { useHost } from '../../app/client/index.ts';
import {
  EmptyState,
  Failure,
  formatCounted,
  Loading,
  Notice,
  ProgressLine,
  Section,
  Time,
} from '../../ui/index.ts';
import { progressText, rateText, shareOf, type JobStore } from '../jobs/index.ts';
import { sizeText } from './fileTree.ts';
import classes from './packages.module.css';
import type { PackageState, PackageStore } from './packageStore.ts';
import { PackageTree } from './PackageTree.tsx';
import { SealedList } from './SealedList.tsx';

/** What will be inside, the options, [Seal]; and the packages sealed so far. */
export function PackageTab({
  file,
  store,
  jobs,
  canReveal,
  onVerify,
}: {
  file: CaseFile;
  store: PackageStore;
  jobs: JobStore;
  canReveal: boolean;
  onVerify: (sealed: SealedPackage) => void;
}) {
  const host = useHost();
  useEffect(() => store.open(), [store]);
  const state = useStore(store.store);
  return (
    <div className={classes.screen}>
      <SealedList
        sealed={state.sealed}
        canReveal={canReveal}
        mediaUrl={host.mediaUrl}
        onReveal={store.reveal}
        onRetry={() => void store.refreshSealed()}
        onVerify={onVerify}
      />
      {file.exhibitList.length === 0 ? (
        <EmptyState icon={IconPackageOff} title="Nothing to seal yet">
          Add trips, clips or source files under Exhibits; here you then see what the package will hold, and
          seal it.
        </EmptyState>
      ) : (
        <NewPackage file={file} state={state} store={store} jobs={jobs} />
      )}
    </div>
  );
}

function NewPackage({
  file,
  state,
  store,
  jobs,
}: {
  file: CaseFile;
  state: PackageState;
  store: PackageStore;
  jobs: JobStore;
}) {
  const { preview, seal, originals } = state;
  const isBusy = seal.status === 'starting' || seal.status === 'running';
  return (
    <Section
      title="New package"
      note="One zip that anybody can check with standard tools. Tamper-evident: a changed byte is found."
    >
      <div className={classes.options}>
        <div>
          <div className={classes.optionName} id="originals-label">
            Original files and clips
          </div>
          <SegmentedControl
            aria-labelledby="originals-label"
            value={originals}
            disabled={isBusy}
            onChange={(value) => store.setOriginals(value === 'none' ? 'none' : 'whole')}
            data={[
              { value: 'whole', label: 'Include whole' },
              { value: 'none', label: 'Leave out' },
            ]}
          />
        </div>
        <div>
          <div className={classes.optionName}>Time range</div>
          <div className={classes.optionValue}>
            <RangeText file={file} />
          </div>
        </div>
      </div>
      {preview.status === 'loading' && <Loading label="Looking at what the package will hold" />}
      {preview.status === 'failed' && (
        <Failure
          error={preview.error}
          meaning="What the package will hold can’t be shown, so it can’t be sealed now."
          onRetry={() => void store.refreshPreview()}
        />
      )}
      {preview.status === 'ready' && <Preview preview={preview.value} />}
      {seal.status === 'failed' && (
        <Failure error={seal.error} isInline meaning="No package was made; the case is as it was." />
      )}
      <div className={classes.sealRow}>
        {seal.status === 'running' ? (
          <SealProgress jobs={jobs} jobId={seal.jobId} onCancel={() => void store.cancelSeal(seal.jobId)} />
        ) : (
          <>
            <span className={classes.total}>
              {preview.status === 'ready' && (
                <>
                  {formatCounted(preview.value.files.length, 'file')},{' '}
                  {sizeText({
                    sizeBytes: preview.value.totalBytes,
                    isSizeKnown: preview.value.files.every((one) => one.sizeBytes !== null),
                  })}
                </>
              )}
            </span>
            <Button
              size="sm"
              leftSection={<IconRosetteDiscountCheck size={17} />}
              disabled={preview.status !== 'ready'}
              loading={seal.status === 'starting'}
              onClick={() => void store.seal()}
            >
              Seal
            </Button>
          </>
        )}
      </div>
    </Section>
  );
}

function RangeText({ file }: { file: CaseFile }) {
  const { fromMs, toMs } = file.range;
  if (fromMs === null && toMs === null) return <>No limit (set one under Exhibits)</>;
  return (
    <>
      {fromMs === null ? 'first point' : <Time utcMs={fromMs} />} to{' '}
      {toMs === null ? 'last point' : <Time utcMs={toMs} />}
    </>
  );
}

function Preview({ preview }: { preview: PackagePreview }) {
  return (
    <div className={classes.preview}>
      {preview.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      <PackageTree preview={preview} />
      {preview.leftOut.length > 0 && (
        <div>
          <div className={classes.optionName}>Left out, and said so in the package</div>
          <ul className={classes.leftOut}>
            {preview.leftOut.map((one) => (
              <li key={`${one.what} ${one.why}`}>
                {one.what} <span className={classes.muted}>{one.why}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function SealProgress({ jobs, jobId, onCancel }: { jobs: JobStore; jobId: string; onCancel: () => void }) {
  const job = useStore(jobs.store, (state) => state.jobs.find((one) => one.jobId === jobId));
  const rate = useStore(jobs.store, (state) => (job ? state.rates.get(job.jobId) : undefined));
  const progress = job?.state.status === 'running' ? job.state.progress : null;
  return (
    <>
      <div className={classes.sealProgress}>
        <ProgressLine
          label="Progress of sealing"
          share={progress && shareOf(progress)}
          left={progress ? progressText(progress) : 'Sealing'}
          right={progress ? rateText(rate, progress.unit) : ''}
        />
      </div>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </>
  );
}

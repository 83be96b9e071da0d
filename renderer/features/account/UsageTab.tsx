import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { Failure, Loading } from '../../ui/index.ts';
import classes from './account.module.css';
import { AsOf } from './AsOf.tsx';
import { BucketSection, CallSection } from './BucketSection.tsx';
import { CallHistorySection, StatusSection } from './CallHistorySection.tsx';
import type { ExportStore } from './exportStore.ts';
import { LedgerSection, SpendingSection } from './LedgerSection.tsx';
import { problemOf } from './problemError.ts';
import { SeatSection } from './SeatSection.tsx';
import { useNowMs } from './useNowMs.ts';
import type { UsageStore } from './usageStore.ts';

/** What the organization used of its plan, and what of that was this app's doing. */
export function UsageTab({ store, exports }: { store: UsageStore; exports: ExportStore }) {
  const { report } = useStore(store.store);
  const { devices } = useStore(exports.store);
  useEffect(() => {
    void store.open();
    void exports.openDevices();
  }, [store, exports]);
  const nowMs = useNowMs();
  const { value, error, isReading } = report;
  const refresh = () => void store.refresh();
  const isForbidden = problemOf(error)?.code === 'insufficient_scope';
  const failure =
    error === null ? null : (
      <Failure
        error={error}
        isInline={value !== null}
        {...(isForbidden
          ? {
              meaning:
                'Without usage:read the app can’t show what is left of the month: not here, not before an export or a transfer. Everything else goes on.',
            }
          : value === null
            ? {}
            : { meaning: 'What is shown is what was fetched before.' })}
        onRetry={refresh}
      />
    );
  if (value === null) return failure ?? <Loading label="Reading the usage" />;
  const { usage } = value;
  return (
    <div className={classes.columns}>
      <div className={`${classes.bucketHead} ${classes.wide}`}>
        <span className={classes.muted}>
          Figures of the service <AsOf atMs={value.fetchedAtMs} />; one API call fetches them.
        </span>
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={isReading}
          onClick={refresh}
        >
          Refresh
        </Button>
      </div>
      {failure !== null && <div className={classes.wide}>{failure}</div>}
      <div className={classes.column}>
        <BucketSection usage={usage} />
        <LedgerSection report={value} monthNow={monthOf(Math.max(nowMs, value.fetchedAtMs))} />
      </div>
      <div className={classes.column}>
        <CallSection usage={usage} />
        <CallHistorySection usage={usage} />
        <StatusSection usage={usage} />
      </div>
      <div className={classes.wide}>
        <SeatSection cameras={value.cameras} devices={devices.value?.devices ?? []} />
      </div>
      <div className={classes.wide}>
        <SpendingSection entries={value.recent} />
      </div>
    </div>
  );
}

/** "2026-03" of UTC milliseconds. */
function monthOf(utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, 7);
}

import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { SourceId } from '../../../shared/ids.ts';
import { Failure, formatCounted, Loading, notifyDone, Section } from '../../ui/index.ts';
import classes from './account.module.css';
import { AsOf } from './AsOf.tsx';
import { ExportRow } from './ExportRow.tsx';
import type { ExportStore } from './exportStore.ts';
import { OrderForm } from './OrderForm.tsx';
import { activeOrder } from './orderRules.ts';
import { problemError } from './problemError.ts';
import type { UsageStore } from './usageStore.ts';

/** GPS exports: order one, watch all, import what is complete. */
export function ExportsTab({
  store,
  usage,
  onOpenReport,
}: {
  store: ExportStore;
  usage: UsageStore;
  onOpenReport: (sourceId: SourceId) => void;
}) {
  const { listing, devices } = useStore(store.store);
  const { report } = useStore(usage.store);
  useEffect(() => {
    void store.open();
    void usage.open();
  }, [store, usage]);
  const { value, error, isReading } = listing;
  const orders = value?.orders ?? [];
  const failure = error ?? (value?.problem ? problemError(value.problem) : null);
  return (
    <div className={classes.orderColumns}>
      <OrderForm
        devices={devices}
        usage={report}
        inTheWay={activeOrder(orders)}
        onRefreshDevices={() => void store.refreshDevices()}
        onOrder={async (input) => {
          await store.order(input);
          notifyDone(
            'GPS export ordered',
            input.shouldImport ? 'It is imported by itself when it is complete.' : undefined,
          );
          void usage.refresh();
        }}
      />
      <div className={classes.orderList}>
        <Section
          title="Exports"
          note={
            value === null ? undefined : (
              <>
                {formatCounted(orders.length, 'export')} of the organization,{' '}
                <AsOf atMs={value.fetchedAtMs} />. Progress is asked for every 5 seconds while one runs.
              </>
            )
          }
          actions={
            <Button
              style={{ flex: 'none' }}
              variant="default"
              leftSection={<IconRefresh size={14} />}
              loading={isReading}
              onClick={() => void store.refresh()}
            >
              Refresh
            </Button>
          }
          isFlush
        >
          {failure !== null && (
            <div className={classes.row}>
              <Failure
                error={failure}
                isInline
                onRetry={() => void store.refresh()}
                {...(value === null ? {} : { meaning: 'What is listed is what this computer knew before.' })}
              />
            </div>
          )}
          {value === null && failure === null && <Loading label="Reading the exports" />}
          {value !== null && orders.length === 0 && (
            <div className={classes.row}>
              <span className={classes.strong}>No exports yet</span>
              <span className={classes.muted}>
                Order one on the left. It appears here with its progress, survives closing the app, and ends
                as a source in the library.
              </span>
            </div>
          )}
          <div className={classes.rows} role="list" aria-label="GPS exports">
            {orders.map((order) => (
              <ExportRow
                key={order.job.jobId}
                order={order}
                onCancel={() => store.cancel(order.job.jobId)}
                onFetch={() => store.fetch(order.job.jobId)}
                onOpenReport={onOpenReport}
              />
            ))}
          </div>
        </Section>
      </div>
    </div>
  );
}

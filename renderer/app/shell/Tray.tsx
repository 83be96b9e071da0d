import { useStore } from 'zustand';
import { TransferList } from '../../features/imports/index.ts';
import { isActiveRecall, RecallList } from '../../features/cameras/index.ts';
import { JobTray } from '../../features/jobs/index.ts';
import { jobOpening } from '../jobLinks.ts';
import type { Stores } from '../stores.ts';

/** The job tray with the files still on their way in. */
export function Tray({ stores }: { stores: Stores }) {
  const { imports, jobs, recalls, cameras, host, routes } = stores;
  const { batches } = useStore(imports.store);
  const queue = useStore(recalls.store, (state) => state.recalls);
  return (
    <JobTray
      store={jobs}
      openingOf={(job) => jobOpening(stores, job)}
      activeTransfers={
        batches.filter((batch) => batch.state.status === 'sending').length +
        queue.filter(isActiveRecall).length
      }
      hasTransfers={queue.length > 0}
      transfers={
        <>
          <TransferList batches={batches} onCancel={imports.cancel} onDismiss={imports.dismiss} />
          {queue.length > 0 && (
            <RecallList
              store={recalls}
              cameraName={(psn) => cameras.find(psn)?.device.name ?? psn}
              mediaUrl={host.mediaUrl}
              isCompact
              onReview={(clipId) =>
                routes.go({ screen: 'review', request: { kind: 'clip', clipId }, atMs: null })
              }
            />
          )}
        </>
      }
    />
  );
}

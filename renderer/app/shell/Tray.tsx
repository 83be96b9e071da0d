import { useStore } from 'zustand';
import { TransferList } from '../../features/imports/index.ts';
import { JobTray } from '../../features/jobs/index.ts';
import { jobOpening } from '../jobLinks.ts';
import type { Stores } from '../stores.ts';

/** The job tray with the files still on their way in. */
export function Tray({ stores }: { stores: Stores }) {
  const { imports, jobs } = stores;
  const { batches } = useStore(imports.store);
  return (
    <JobTray
      store={jobs}
      openingOf={(job) => jobOpening(stores, job)}
      activeTransfers={batches.filter((batch) => batch.state.status === 'sending').length}
      transfers={<TransferList batches={batches} onCancel={imports.cancel} onDismiss={imports.dismiss} />}
    />
  );
}

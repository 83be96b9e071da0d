import { useStore } from 'zustand';
import { activeAccount } from '../../features/account/index.ts';
import { EmptyLibrary, ImportsUnderway } from '../../features/imports/index.ts';
import { LibraryScreen } from '../../features/library/index.ts';
import { notifyFailure } from '../../ui/index.ts';
import type { Stores } from '../stores.ts';
import { useDemo } from './useDemo.ts';

/** The Library with what it needs of the shell. */
export function LibraryPlace({ stores, onImport }: { stores: Stores; onImport: () => void }) {
  const { host, dialogs, routes } = stores;
  const { info, settings, needsReload } = useStore(stores.settings.store);
  const isSending = useStore(stores.imports.store, ({ batches }) =>
    batches.some((batch) => batch.state.status === 'sending'),
  );
  const isImporting = useStore(stores.jobs.store, ({ jobs }) =>
    jobs.some((job) => job.kind === 'import' && job.state.status === 'running'),
  );
  const demo = useDemo(stores);
  const account = useStore(stores.accounts.store, activeAccount);
  const isUnderway = isSending || isImporting;
  const sample = () =>
    void stores.imports.importSample().catch((thrown: unknown) => {
      notifyFailure('The sample was not imported', thrown);
    });
  return (
    <LibraryScreen
      client={host.client}
      mediaUrl={host.mediaUrl}
      // Tiles that the page's security policy would refuse are not asked for: see SettingsState.needsReload.
      settings={needsReload ? { ...settings, onlineTileUrl: null } : settings}
      emptyState={
        <EmptyLibrary
          onImport={onImport}
          onSample={info?.hasSample ? sample : null}
          demo={account === null ? demo : null}
          underway={isUnderway ? <ImportsUnderway imports={stores.imports} jobs={stores.jobs} /> : null}
        />
      }
      openSourceReport={(sourceId) => dialogs.open({ kind: 'report', sourceId })}
      moments={{
        review: (tripId, atMs) =>
          routes.go({
            screen: 'review',
            request: { kind: 'trip', tripId, ...(atMs === null ? {} : { atMs }) },
            atMs: null,
          }),
        reviewPlace: (circle, fromMs, toMs) =>
          routes.go({ screen: 'review', request: { kind: 'place', circle, fromMs, toMs }, atMs: null }),
        findOnCard: (psn, atMs) => routes.go({ screen: 'cameras', psn, atMs: Math.round(atMs) }),
      }}
      openCase={(caseId) => routes.go({ screen: 'cases', caseId, tab: 'exhibits' })}
    />
  );
}

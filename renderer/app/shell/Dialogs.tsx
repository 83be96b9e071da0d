import { useStore } from 'zustand';
import { ImportIntoCaseDialog, ImportResults, SourceReportDrawer } from '../../features/imports/index.ts';
import { requestOfClips } from '../reviewRoutes.ts';
import type { Stores } from '../stores.ts';

/** The dialogues that every screen can open. */
export function Dialogs({ stores }: { stores: Stores }) {
  const { dialogs, imports, routes } = stores;
  const { dialog } = useStore(dialogs.store);
  return (
    <>
      <SourceReportDrawer
        sourceId={dialog.kind === 'report' ? dialog.sourceId : null}
        onClose={dialogs.close}
      />
      <ImportResults
        outcome={dialog.kind === 'results' ? dialog.outcome : null}
        onClose={dialogs.close}
        onOpenReport={(sourceId) => dialogs.open({ kind: 'report', sourceId })}
        onReview={(clipIds) => {
          dialogs.close();
          routes.go({ screen: 'review', request: requestOfClips(clipIds), atMs: null });
        }}
      />
      <ImportIntoCaseDialog
        isOpen={dialog.kind === 'import'}
        caseId={dialog.kind === 'import' ? dialog.caseId : null}
        onClose={dialogs.close}
        onImport={(files, caseId) => void imports.importFiles(files, caseId)}
      />
    </>
  );
}

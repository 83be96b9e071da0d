import { useStore } from 'zustand';
import type { ClipId } from '../../../shared/ids.ts';
import { ImportIntoCaseDialog, ImportResults, SourceReportDrawer } from '../../features/imports/index.ts';
import { requestOfClips } from '../reviewRoutes.ts';
import type { Stores } from '../stores.ts';

/** The dialogues that every screen can open. */
export function Dialogs({ stores }: { stores: Stores }) {
  const { dialogs, imports, routes } = stores;
  const { dialog } = useStore(dialogs.store);
  const review = (clipIds: readonly ClipId[]) => {
    dialogs.close();
    routes.go({ screen: 'review', request: requestOfClips(clipIds), atMs: null });
  };
  return (
    <>
      <SourceReportDrawer
        sourceId={dialog.kind === 'report' ? dialog.sourceId : null}
        onClose={dialogs.close}
        onReview={review}
      />
      <ImportResults
        outcome={dialog.kind === 'results' ? dialog.outcome : null}
        onClose={dialogs.close}
        onOpenReport={(sourceId) => dialogs.open({ kind: 'report', sourceId })}
        onReview={review}
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

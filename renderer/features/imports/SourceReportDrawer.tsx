import { Drawer } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ClipId, SourceId } from '../../../shared/ids.ts';
import { useHost } from '../../app/client/index.ts';
import { Failure, Loading, notifyDone } from '../../ui/index.ts';
import { createReportStore } from './reportStore.ts';
import { SourceReportView } from './SourceReportView.tsx';

/** The import report of a source, from the side. `sourceId` null is closed. */
export function SourceReportDrawer({
  sourceId,
  onClose,
  onReview,
}: {
  sourceId: SourceId | null;
  onClose: () => void;
  /** Opens the clip that the source is. */
  onReview: (clipIds: readonly ClipId[]) => void;
}) {
  return (
    <Drawer
      opened={sourceId !== null}
      onClose={onClose}
      position="right"
      size={760}
      title="Import report"
      closeButtonProps={{ 'aria-label': 'Close the import report' }}
    >
      {sourceId && (
        <ReportOfSource key={sourceId} sourceId={sourceId} onClose={onClose} onReview={onReview} />
      )}
    </Drawer>
  );
}

function ReportOfSource({
  sourceId,
  onClose,
  onReview,
}: {
  sourceId: SourceId;
  onClose: () => void;
  onReview: (clipIds: readonly ClipId[]) => void;
}) {
  const { client, mediaUrl } = useHost();
  const store = useMemo(() => createReportStore(client, sourceId), [client, sourceId]);
  useEffect(() => store.open(), [store]);
  const { view } = useStore(store.store);
  switch (view.status) {
    case 'loading':
      return <Loading label="Reading the import report" />;
    case 'failed':
      return <Failure error={view.error} onRetry={() => void store.refresh()} />;
    case 'ready':
      return (
        <SourceReportView
          view={view.value}
          originalUrl={mediaUrl(`media/source/${sourceId}`)}
          onAssign={store.assign}
          onReview={onReview}
          onRemove={async () => {
            await store.remove();
            onClose();
            notifyDone(
              'Source removed',
              `${view.value.report.fileName} and its trips are out of the library.`,
            );
          }}
        />
      );
  }
}

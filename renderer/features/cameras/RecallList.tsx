import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import type { Recall } from '../../../shared/contract/recalls.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { ConfirmDialog, EmptyState, Failure, formatCounted, notifyFailure } from '../../ui/index.ts';
import type { CaseAccess } from './AddClipToCase.tsx';
import classes from './cameras.module.css';
import { RecallItem } from './RecallItem.tsx';
import type { RecallStore } from './recallStore.ts';
import { byUrgency, isActive, isEnded } from './recallWords.ts';

/** What waits to be canceled, with the core's words on what the abort reaches. */
interface Asked {
  readonly recall: Recall;
  readonly what: string;
}

/** Every recall with its progress, acts and, when it is here, its clip. `isCompact` is the job tray: without players. */
export function RecallList({
  store,
  cameraName,
  mediaUrl,
  cases = null,
  isCompact = false,
  onReview,
}: {
  store: RecallStore;
  cameraName: (psn: string) => string;
  mediaUrl: (mediaPath: string) => string;
  /** Null leaves the way into cases out. */
  cases?: CaseAccess | null;
  isCompact?: boolean;
  onReview: (clipId: ClipId) => void;
}) {
  const { recalls, rates, error } = useStore(store.store);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [most, setMost] = useState(isCompact ? 12 : 40);
  const ended = recalls.filter(isEnded);
  const ordered = byUrgency(recalls);
  const cancel = useCallback(
    (recall: Recall) => {
      store.cancel(recall.recallId, false).then(
        (answer) => {
          if (answer.status === 'needs_confirmation') setAsked({ recall, what: answer.what });
        },
        (thrown: unknown) => notifyFailure('The recall goes on', thrown),
      );
    },
    [store],
  );
  const dismissAll = () => {
    for (const { recallId } of ended) {
      store
        .dismiss(recallId)
        .catch((thrown: unknown) => notifyFailure('The recall stays in the list', thrown));
    }
  };
  return (
    <div className={isCompact ? classes.compact : classes.recalls}>
      {!isCompact && (
        <div className={classes.asideHead}>
          <h2>Recalls</h2>
          <span className={classes.muted}>
            {formatCounted(recalls.filter(isActive).length, 'recall')} under way
          </span>
          <span className={classes.spring} />
          {ended.length > 0 && (
            <Button variant="subtle" size="compact-xs" onClick={dismissAll}>
              Clear ended
            </Button>
          )}
        </div>
      )}
      {error !== null && <Failure error={error} isInline onRetry={() => void store.refresh()} />}
      {recalls.length === 0 && error === null && !isCompact && (
        <EmptyState icon={IconDownload} title="No recalls">
          Clips that you recall from a card appear here with their progress, and play here when they have
          come.
        </EmptyState>
      )}
      <div role="list" aria-label="Recalls">
        {ordered.slice(0, most).map((recall) => (
          <RecallItem
            key={recall.recallId}
            recall={recall}
            camera={cameraName(recall.psn)}
            rate={rates.get(recall.recallId)}
            mediaUrl={isCompact ? null : mediaUrl}
            cases={cases}
            onCancel={cancel}
            onRetry={store.retry}
            onDismiss={store.dismiss}
            onReview={onReview}
          />
        ))}
      </div>
      {ordered.length > most && (
        <Button variant="subtle" fullWidth onClick={() => setMost(most + 100)}>
          Show more: {formatCounted(ordered.length - most, 'further recall')}
        </Button>
      )}
      <ConfirmDialog
        isOpen={asked !== null}
        title="Cancel this recall?"
        confirmLabel="Cancel the recall"
        keepLabel="Let it go on"
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          if (asked) await store.cancel(asked.recall.recallId, true);
        }}
      >
        <p>{asked?.what}</p>
        <p className={classes.muted}>
          What has come so far is thrown away: recalling it again is charged again.
        </p>
      </ConfirmDialog>
    </div>
  );
}

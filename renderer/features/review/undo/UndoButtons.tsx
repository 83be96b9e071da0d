import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { Review } from '../model.ts';

/**
 * Undo and redo, each naming what it would take back or do again. Not disabled in the browser's sense: a button that
 * goes dead under the keyboard loses the focus.
 */
export function UndoButtons({ review }: { review: Pick<Review, 'undo'> }) {
  const { undo, redo, isBusy } = useStore(review.undo.state);
  const undoLabel = undo === null ? 'Nothing to undo' : `Undo: ${undo}`;
  const redoLabel = redo === null ? 'Nothing to redo' : `Redo: ${redo}`;
  return (
    <>
      <Tooltip label={`${undoLabel} (Ctrl+Z)`}>
        <ActionIcon
          aria-label={undoLabel}
          aria-keyshortcuts="Control+Z"
          aria-disabled={undo === null}
          mod={{ disabled: undo === null, busy: isBusy }}
          onClick={() => void review.undo.undo()}
        >
          <IconArrowBackUp size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={`${redoLabel} (Ctrl+Shift+Z)`}>
        <ActionIcon
          aria-label={redoLabel}
          aria-keyshortcuts="Control+Shift+Z"
          aria-disabled={redo === null}
          mod={{ disabled: redo === null, busy: isBusy }}
          onClick={() => void review.undo.redo()}
        >
          <IconArrowForwardUp size={16} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}

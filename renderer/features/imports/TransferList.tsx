import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlayerStop, IconUpload, IconX } from '@tabler/icons-react';
import { Failure, formatBytes, ProgressLine } from '../../ui/index.ts';
import { sentOf, titleOf } from './batch.ts';
import classes from './imports.module.css';
import type { Batch, FileTransfer } from './importStore.ts';

/** Files on their way in, and those that did not arrive: rows for the job tray. */
export function TransferList({
  batches,
  onCancel,
  onDismiss,
}: {
  batches: readonly Batch[];
  onCancel: (batchId: number) => void;
  onDismiss: (batchId: number) => void;
}) {
  return batches.map((batch) => {
    const isSending = batch.state.status === 'sending';
    const { sent, total } = sentOf(batch);
    const title = titleOf(batch);
    return (
      <article key={batch.batchId} className={classes.transfer} aria-label={`Handing over: ${title}`}>
        <IconUpload className={classes.transferIcon} size={18} stroke={1.5} aria-hidden />
        <div className={classes.transferBody}>
          <div className={classes.transferHead}>
            <span className={classes.transferTitle} title={title}>
              <span className={classes.muted}>Import</span> {title}
            </span>
            <Tooltip label={isSending ? 'Cancel; nothing of it is kept' : 'Take out of the list'}>
              <ActionIcon
                size={22}
                aria-label={isSending ? `Cancel ${title}` : `Dismiss ${title}`}
                onClick={() => (isSending ? onCancel(batch.batchId) : onDismiss(batch.batchId))}
              >
                {isSending ? <IconPlayerStop size={14} /> : <IconX size={14} />}
              </ActionIcon>
            </Tooltip>
          </div>
          {isSending && (
            <ProgressLine
              label={`Handing over ${title}`}
              share={total > 0 ? sent / total : null}
              left={`Copying and hashing · ${formatBytes(sent)} of ${formatBytes(total)}`}
            />
          )}
          {batch.state.status === 'failed' && <Failure error={batch.state.error} isInline />}
          {batch.state.status !== 'failed' && <FailedFiles files={batch.files} />}
        </div>
      </article>
    );
  });
}

/** Each file that did not arrive, with its own reason and remedy. */
function FailedFiles({ files }: { files: readonly FileTransfer[] }) {
  return files.map((file, index) =>
    file.state.status === 'failed' ? <Failure key={index} error={file.state.error} isInline /> : null,
  );
}

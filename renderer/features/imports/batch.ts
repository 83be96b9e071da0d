import { formatCounted } from '../../ui/index.ts';
import type { Batch } from './importStore.ts';

/** "a.zip", "a.zip and 2 more files". */
export function titleOf(batch: Batch): string {
  const first = batch.files[0]?.name ?? '';
  return batch.files.length < 2
    ? first
    : `${first} and ${formatCounted(batch.files.length - 1, 'more file')}`;
}

/** Bytes handed over so far, out of all of the batch. A request's own overhead is not counted as the file's. */
export function sentOf(batch: Batch): { sent: number; total: number } {
  return {
    total: batch.files.reduce((sum, file) => sum + file.sizeBytes, 0),
    sent: batch.files.reduce((sum, file) => sum + Math.min(file.sentBytes, file.sizeBytes), 0),
  };
}

import { Worker } from 'node:worker_threads';
import type { ImportOutcome } from '../../shared/contract/imports.ts';
import type { JobProgress } from '../../shared/contract/jobs.ts';
import { AppError, fromErrorData, type AppErrorData } from '../../shared/errors.ts';
import { codeOf } from '../cache/database.ts';
import { workerUrl } from '../cache/workerUrl.ts';
import type { ImportFile, ImportOptions } from './importJob.ts';

/** What the thread is given. */
export interface ImportWork {
  readonly folder: string;
  readonly files: readonly ImportFile[];
  readonly actor: string;
}

/** What the thread says. `bug` is an error that nobody foresaw. */
export type ImportMessage =
  | { readonly kind: 'progress'; readonly progress: JobProgress }
  | { readonly kind: 'done'; readonly outcome: ImportOutcome }
  | { readonly kind: 'failed'; readonly error: AppErrorData }
  | { readonly kind: 'bug'; readonly text: string };

/**
 * Heap of the thread, MB; points and bytes lie outside of it. The nursery is kept small: by itself it grows to
 * 48 MB of mere garbage on a long import, and takes no time off it (measured at 5 M points).
 */
const resourceLimits = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 8 };

/**
 * runImport in a worker thread with its own connection, under the folder lock that this process holds. Cancel
 * and progress travel as messages. Throws as runImport does, and AppError archive_too_large when the thread
 * runs out of memory.
 */
export async function runImportInWorker(
  folder: string,
  files: readonly ImportFile[],
  options: Pick<ImportOptions, 'signal' | 'actor' | 'onProgress'> & {
    /** Code of the thread: one that calls serveImport. By itself a thread that reads exports only. */
    readonly worker?: URL;
  },
): Promise<ImportOutcome> {
  const { signal, actor, onProgress } = options;
  if (signal?.aborted) throw new AppError('canceled', 'Canceled.');
  const work: ImportWork = {
    folder,
    files: files.map(({ path, fileName, sha256, sizeBytes, uploadId }) => ({
      path,
      fileName,
      sha256,
      sizeBytes,
      uploadId,
    })),
    actor,
  };
  const worker = new Worker(options.worker ?? workerUrl(import.meta.url, 'importWorker'), {
    workerData: work,
    resourceLimits,
  });
  const cancel = (): void => worker.postMessage('cancel');
  signal?.addEventListener('abort', cancel);
  try {
    return await new Promise((resolve, reject) => {
      let last: ImportMessage | null = null;
      worker.on('message', (message: ImportMessage) => {
        if (message.kind === 'progress') onProgress?.(message.progress);
        else last = message;
      });
      worker.on('error', (thrown) => {
        reject(codeOf(thrown) === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(thrown) : thrown);
      });
      // Settled only when the thread is gone, so that nothing of it still holds the files or the database.
      worker.on('exit', (exitCode) => {
        if (last?.kind === 'done') resolve(last.outcome);
        else if (last?.kind === 'failed') reject(fromErrorData(last.error));
        else
          reject(
            new Error(last?.kind === 'bug' ? last.text : `the import thread ended with code ${exitCode}`),
          );
      });
    });
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

function outOfMemory(cause: unknown): AppError {
  return new AppError('archive_too_large', 'The import needs more memory than it may take.', {
    remedy: 'Export a shorter range or fewer cameras at a time, and import the parts.',
    cause,
  });
}

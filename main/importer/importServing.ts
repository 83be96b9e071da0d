import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../shared/errors.ts';
import { openCacheConnection } from '../cache/openCache.ts';
import type { ClipFactsReader } from './clipStaging.ts';
import { runImport } from './importJob.ts';
import type { ImportMessage, ImportWork } from './importThread.ts';

/** What an import thread does, from its first message to its end: see runImportInWorker. */
export async function serveImport(clips?: ClipFactsReader): Promise<void> {
  const work = workerData as ImportWork; // sent by runImportInWorker only
  const port = parentPort!; // never called outside a thread
  const cancel = new AbortController();
  port.on('message', () => cancel.abort());
  const say = (message: ImportMessage): void => port.postMessage(message);
  try {
    const cache = openCacheConnection(work.folder, 'write');
    try {
      const outcome = await runImport(cache, work.files, {
        signal: cancel.signal,
        actor: work.actor,
        onProgress: (progress) => say({ kind: 'progress', progress }),
        ...(clips ? { clips } : {}),
      });
      say({ kind: 'done', outcome });
    } finally {
      cache.close();
    }
  } catch (thrown) {
    if (thrown instanceof AppError) say({ kind: 'failed', error: thrown.toData() });
    else
      say({ kind: 'bug', text: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
  } finally {
    port.close();
  }
}

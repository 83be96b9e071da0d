import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../shared/errors.ts';
import { openCacheConnection } from '../cache/openCache.ts';
import { runImport } from './importJob.ts';
import type { ImportMessage, ImportWork } from './importThread.ts';

/** Entry of the import thread: see runImportInWorker. */
const work = workerData as ImportWork; // sent by runImportInWorker only
const port = parentPort!; // this file is never run outside a thread
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

import { createStore } from 'zustand/vanilla';
import { toErrorData, type AppErrorData } from '../../../shared/errors.ts';
import type { CaseId, JobId, UploadId } from '../../../shared/ids.ts';
import type { Host } from '../../app/client/index.ts';
import { notifyFailure } from '../../ui/index.ts';

/** One file on its way from the window to the core. */
export interface FileTransfer {
  readonly name: string;
  readonly sizeBytes: number;
  readonly sentBytes: number;
  readonly state:
    | { readonly status: 'waiting' | 'sending' | 'canceled' }
    | { readonly status: 'received'; readonly uploadId: UploadId }
    | { readonly status: 'failed'; readonly error: AppErrorData };
}

/** Files that were chosen together. Leaves the list when its job has begun and every file arrived. */
export interface Batch {
  readonly batchId: number;
  readonly caseId: CaseId | null;
  readonly startedAtMs: number;
  readonly files: readonly FileTransfer[];
  readonly state:
    | { readonly status: 'sending' | 'canceled' }
    | { readonly status: 'started'; readonly jobId: JobId }
    | { readonly status: 'failed'; readonly error: AppErrorData };
}

export interface ImportsState {
  /** Newest first. */
  readonly batches: readonly Batch[];
}

/** Sends chosen files to the core, one after the other, then starts one import job for all that arrived. */
export function createImportStore(host: Host, nowMs: () => number = Date.now) {
  const store = createStore<ImportsState>(() => ({ batches: [] }));
  const controllers = new Map<number, AbortController>();
  let lastBatchId = 0;

  function edit(batchId: number, change: (batch: Batch) => Batch): void {
    store.setState({
      batches: store.getState().batches.map((batch) => (batch.batchId === batchId ? change(batch) : batch)),
    });
  }
  function editFile(batchId: number, index: number, patch: Partial<FileTransfer>): void {
    edit(batchId, (batch) => ({
      ...batch,
      files: batch.files.map((file, i) => (i === index ? { ...file, ...patch } : file)),
    }));
  }
  function dismiss(batchId: number): void {
    store.setState({ batches: store.getState().batches.filter((batch) => batch.batchId !== batchId) });
  }

  async function sendOne(
    batchId: number,
    index: number,
    file: File,
    signal: AbortSignal,
  ): Promise<UploadId | null> {
    editFile(batchId, index, { state: { status: 'sending' } });
    try {
      const uploadId = await host.upload(file, {
        signal,
        onProgress: (sentBytes) => editFile(batchId, index, { sentBytes }),
      });
      editFile(batchId, index, { sentBytes: file.size, state: { status: 'received', uploadId } });
      return uploadId;
    } catch (thrown) {
      const error = toErrorData(thrown);
      editFile(batchId, index, {
        state: error.code === 'canceled' ? { status: 'canceled' } : { status: 'failed', error },
      });
      return null;
    }
  }

  return {
    store,
    dismiss,
    /** Stops handing over; files that already arrived are not imported either. */
    cancel(batchId: number): void {
      controllers.get(batchId)?.abort();
    },
    /**
     * Resolves with the job's id, or null when nothing arrived, it was canceled or the job was refused (each is
     * shown in the batch).
     */
    async importFiles(files: readonly File[], caseId: CaseId | null = null): Promise<JobId | null> {
      if (files.length === 0) return null;
      const batchId = ++lastBatchId;
      const controller = new AbortController();
      controllers.set(batchId, controller);
      const transfers = files.map((file): FileTransfer => ({
        name: file.name,
        sizeBytes: file.size,
        sentBytes: 0,
        state: { status: 'waiting' },
      }));
      const batch: Batch = {
        batchId,
        caseId,
        startedAtMs: nowMs(),
        files: transfers,
        state: { status: 'sending' },
      };
      store.setState({ batches: [batch, ...store.getState().batches] });
      const uploadIds: UploadId[] = [];
      for (const [index, file] of files.entries()) {
        if (controller.signal.aborted) break;
        const uploadId = await sendOne(batchId, index, file, controller.signal);
        if (uploadId !== null) uploadIds.push(uploadId);
      }
      controllers.delete(batchId);
      if (controller.signal.aborted) {
        edit(batchId, (known) => ({ ...known, state: { status: 'canceled' } }));
        dismiss(batchId);
        return null;
      }
      if (uploadIds.length === 0) {
        edit(batchId, (known) => ({ ...known, state: { status: 'failed', error: firstError(known) } }));
        const failed = store.getState().batches.find((known) => known.batchId === batchId);
        // The tray has it too, but nobody looks there for what never began.
        if (failed?.state.status === 'failed') notifyFailure('Nothing was imported', failed.state.error);
        return null;
      }
      try {
        const { jobId } = await host.client.invoke('imports.start', {
          uploadIds,
          ...(caseId === null ? {} : { caseId }),
        });
        if (uploadIds.length === files.length) dismiss(batchId);
        else edit(batchId, (known) => ({ ...known, state: { status: 'started', jobId } }));
        return jobId;
      } catch (thrown) {
        edit(batchId, (known) => ({ ...known, state: { status: 'failed', error: toErrorData(thrown) } }));
        return null;
      }
    },
    /** Imports the export that comes with the app. Rejects with AppError. */
    async importSample(): Promise<JobId> {
      return (await host.client.invoke('imports.sample', {})).jobId;
    },
  };
}
export type ImportStore = ReturnType<typeof createImportStore>;

function firstError(batch: Batch): AppErrorData {
  for (const file of batch.files) if (file.state.status === 'failed') return file.state.error;
  return { code: 'nothing_imported', message: 'No file arrived.' };
}

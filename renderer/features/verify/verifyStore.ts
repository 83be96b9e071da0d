import { createStore } from 'zustand/vanilla';
import type { Job } from '../../../shared/contract/jobs.ts';
import type { VerifyReport } from '../../../shared/contract/packages.ts';
import { AppError, toErrorData, type AppErrorData } from '../../../shared/errors.ts';
import type { JobId, PackageId } from '../../../shared/ids.ts';
import type { Host } from '../../app/client/index.ts';
import type { JobStore } from '../jobs/index.ts';

/** One verification, from the dropped file to the report. */
export type Verification =
  | { readonly status: 'none' }
  | {
      readonly status: 'sending';
      readonly fileName: string;
      readonly sentBytes: number;
      readonly sizeBytes: number;
    }
  | { readonly status: 'running'; readonly fileName: string; readonly jobId: JobId | null }
  | {
      readonly status: 'done';
      readonly fileName: string;
      readonly report: VerifyReport;
      readonly checkedAtMs: number;
    }
  | { readonly status: 'failed'; readonly fileName: string; readonly error: AppErrorData };

/** Hands packages to the verifier and keeps the latest report on screen. A newer verification replaces an older. */
export function createVerifyStore(host: Host, jobs: JobStore) {
  const store = createStore<{ verification: Verification }>(() => ({ verification: { status: 'none' } }));
  let latest = 0;
  let controller = new AbortController();
  const show = (mine: number, verification: Verification): void => {
    if (mine === latest) store.setState({ verification });
  };

  function takeEnd(mine: number, fileName: string, job: Job): void {
    const { state } = job;
    if (state.status === 'done' && state.result.kind === 'verify') {
      const checkedAtMs = job.endedAtMs ?? Date.now();
      show(mine, { status: 'done', fileName, report: state.result.report, checkedAtMs });
    } else if (state.status === 'failed') {
      show(mine, { status: 'failed', fileName, error: state.error });
    } else {
      show(mine, { status: 'none' });
    }
  }

  async function run(fileName: string, start: (mine: number) => Promise<JobId>): Promise<void> {
    const mine = ++latest;
    controller.abort();
    controller = new AbortController();
    try {
      const jobId = await start(mine);
      show(mine, { status: 'running', fileName, jobId });
      takeEnd(mine, fileName, await jobs.ended(jobId));
    } catch (thrown) {
      const error = toErrorData(thrown);
      show(mine, error.code === 'canceled' ? { status: 'none' } : { status: 'failed', fileName, error });
    }
  }

  return {
    store,
    /** Checks a file of the user's. */
    verifyFile(file: File): Promise<void> {
      return run(file.name, async (mine) => {
        const { signal } = controller;
        const sending = (sentBytes: number) =>
          show(mine, { status: 'sending', fileName: file.name, sentBytes, sizeBytes: file.size });
        sending(0);
        const uploadId = await host.upload(file, { signal, onProgress: sending });
        if (signal.aborted) throw new AppError('canceled', 'The verification was canceled.');
        show(mine, { status: 'running', fileName: file.name, jobId: null });
        return (await host.client.invoke('packages.verifyUpload', { uploadId })).jobId;
      });
    },
    /** Checks a package that was sealed here, where it lies. */
    verifySealed(packageId: PackageId, fileName: string): Promise<void> {
      return run(fileName, async (mine) => {
        show(mine, { status: 'running', fileName, jobId: null });
        return (await host.client.invoke('packages.verifySealed', { packageId })).jobId;
      });
    },
    /** Shows an ended verification of the tray again. */
    showJob(job: Job): void {
      controller.abort();
      takeEnd(++latest, job.title, job);
    },
    /** Stops what is under way; the screen is as at the start. */
    async cancel(): Promise<void> {
      const { verification } = store.getState();
      latest += 1;
      controller.abort();
      store.setState({ verification: { status: 'none' } });
      if (verification.status === 'running' && verification.jobId !== null)
        await jobs.cancel(verification.jobId);
    },
    clear(): void {
      latest += 1;
      store.setState({ verification: { status: 'none' } });
    },
  };
}
export type VerifyStore = ReturnType<typeof createVerifyStore>;

import { z } from 'zod';
import type { AppErrorData } from '../errors.ts';
import type { DerivedId, JobId } from '../ids.ts';
import { event, idSchema, nothing, output, request } from './define.ts';
import type { ImportOutcome } from './imports.ts';
import type { SealedPackage, VerifyReport } from './packages.ts';

export type JobKind = 'import' | 'seal' | 'verify' | 'trim';

/** One measure of progress. `total` is null while it is unknown (an inflated size is counted, not believed). */
export interface JobProgress {
  readonly stage: string;
  readonly done: number;
  readonly total: number | null;
  readonly unit: 'bytes' | 'files' | 'entries';
  /** Points read so far, for imports. */
  readonly points: number | null;
}

export type JobResult =
  | { readonly kind: 'import'; readonly outcome: ImportOutcome }
  | { readonly kind: 'seal'; readonly sealed: SealedPackage }
  | { readonly kind: 'verify'; readonly report: VerifyReport }
  | { readonly kind: 'trim'; readonly derivedId: DerivedId };

/** Long work in the job tray. Finished jobs stay until dismissed, also over a restart of the app. */
export interface Job {
  readonly jobId: JobId;
  readonly kind: JobKind;
  readonly title: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly state:
    | { readonly status: 'running'; readonly progress: JobProgress }
    | { readonly status: 'done'; readonly result: JobResult }
    | { readonly status: 'failed'; readonly error: AppErrorData }
    | { readonly status: 'canceled' }
    /** The app was closed or killed under it; nothing of it was kept. */
    | { readonly status: 'interrupted' };
}

const jobInput = z.object({ jobId: idSchema<JobId>() }).strict();

export const jobRequests = {
  'jobs.list': request(nothing, output<readonly Job[]>()),
  /** Asks a running job to stop; it leaves nothing behind. */
  'jobs.cancel': request(jobInput, output<null>()),
  /** Takes a finished job out of the tray. */
  'jobs.dismiss': request(jobInput, output<null>()),
} as const;

export const jobEvents = {
  /** A job began, moved on or ended. At most about ten a second for each job. */
  'jobs.changed': event<Job>(),
  'jobs.dismissed': event<{ readonly jobId: JobId }>(),
} as const;

import { randomUUID } from 'node:crypto';
import type { EventName, Handlers, PayloadOf } from '../../shared/contract/index.ts';
import type { Job, JobKind, JobProgress, JobResult } from '../../shared/contract/jobs.ts';
import { AppError, toErrorData } from '../../shared/errors.ts';
import type { JobId } from '../../shared/ids.ts';
import type { DeskDeps, JobContext, JobRegistry } from './deps.ts';

/** Progress is sent this far apart, for each job; the last of it is always sent. */
const progressEveryMs = 100;

/** What the registry needs of main/cache/jobRepository.ts. */
export interface JobStore {
  list(): readonly Job[];
  save(job: Job): void;
  remove(jobId: JobId): void;
}

export interface JobRegistryOptions {
  readonly store: JobStore;
  readonly now: () => number;
  readonly emit: <N extends EventName>(name: N, payload: PayloadOf<N>) => void;
  /** Hears of failures that nobody foresaw; cancellation is none. */
  readonly onBug: (where: string, thrown: unknown) => void;
}

interface Running {
  readonly abort: AbortController;
  readonly ended: Promise<Job>;
  sentAtMs: number;
  timer: NodeJS.Timeout | null;
}

function newJobId(): JobId {
  return `job_${randomUUID().replaceAll('-', '').slice(0, 16)}` as JobId; // made here
}

function isCancellation(thrown: unknown): boolean {
  return (
    (thrown instanceof AppError && thrown.code === 'canceled') ||
    (thrown instanceof Error && thrown.name === 'AbortError')
  );
}

const startOfWork: JobProgress = { stage: 'starting', done: 0, total: null, unit: 'bytes', points: null };

/**
 * The job tray. Jobs are written down when they begin and when they end, so that they survive a restart; one
 * that was running when the app went away is shown as interrupted.
 */
export function createJobRegistry(options: JobRegistryOptions): JobRegistry {
  const { store, now, emit, onBug } = options;
  const jobs = new Map<JobId, Job>();
  const running = new Map<JobId, Running>();
  let isClosing = false;

  for (const job of [...store.list()].sort((a, b) => a.startedAtMs - b.startedAtMs)) {
    if (job.state.status !== 'running') {
      jobs.set(job.jobId, job);
      continue;
    }
    // When it stopped is not known, so endedAtMs stays null.
    const interrupted: Job = { ...job, state: { status: 'interrupted' } };
    jobs.set(job.jobId, interrupted);
    store.save(interrupted);
  }

  function send(jobId: JobId): void {
    const job = jobs.get(jobId);
    const entry = running.get(jobId);
    if (entry) entry.sentAtMs = now();
    if (job) emit('jobs.changed', job);
  }

  function moveOn(jobId: JobId, progress: JobProgress): void {
    const job = jobs.get(jobId);
    const entry = running.get(jobId);
    if (!job || !entry) return;
    jobs.set(jobId, { ...job, state: { status: 'running', progress } });
    if (entry.timer !== null) return;
    const waitMs = entry.sentAtMs + progressEveryMs - now();
    if (waitMs <= 0) return send(jobId);
    entry.timer = setTimeout(() => {
      entry.timer = null;
      send(jobId);
    }, waitMs);
    entry.timer.unref();
  }

  function end(jobId: JobId, state: Job['state']): Job {
    const entry = running.get(jobId);
    if (entry?.timer) clearTimeout(entry.timer);
    running.delete(jobId);
    const before = jobs.get(jobId);
    if (!before) throw new Error(`The job ${jobId} is not in the tray.`);
    const job: Job = { ...before, endedAtMs: now(), state };
    jobs.set(jobId, job);
    try {
      store.save(job);
    } catch (thrown) {
      onBug('jobs.save', thrown); // the job itself is over; a full disk must not turn its result into an error
    }
    emit('jobs.changed', job);
    return job;
  }

  function stateAfter(where: string, thrown: unknown): Job['state'] {
    if (isCancellation(thrown)) return isClosing ? { status: 'interrupted' } : { status: 'canceled' };
    if (!(thrown instanceof AppError)) onBug(where, thrown);
    return { status: 'failed', error: toErrorData(thrown) };
  }

  async function run(
    jobId: JobId,
    kind: JobKind,
    context: JobContext,
    work: (context: JobContext) => Promise<JobResult>,
  ): Promise<Job> {
    await Promise.resolve(); // the caller has the id before anything can happen
    try {
      return end(jobId, { status: 'done', result: await work(context) });
    } catch (thrown) {
      return end(jobId, stateAfter(`job ${kind}`, thrown));
    }
  }

  return {
    start(kind, title, work) {
      if (isClosing) throw new AppError('canceled', 'Evidence Desk is closing.');
      const job: Job = {
        jobId: newJobId(),
        kind,
        title,
        startedAtMs: now(),
        endedAtMs: null,
        state: { status: 'running', progress: startOfWork },
      };
      store.save(job); // fails before any work does, e.g. on a full disk
      jobs.set(job.jobId, job);
      const abort = new AbortController();
      const context: JobContext = {
        signal: abort.signal,
        progress: (progress) => moveOn(job.jobId, progress),
      };
      const ended = run(job.jobId, kind, context, work);
      running.set(job.jobId, { abort, ended, sentAtMs: now(), timer: null });
      emit('jobs.changed', job);
      return job.jobId;
    },

    list() {
      return [...jobs.values()].reverse();
    },

    cancel(id) {
      if (!jobs.has(id)) throw notFound(id);
      running.get(id)?.abort.abort(new AppError('canceled', 'Canceled.'));
    },

    dismiss(id) {
      if (!jobs.has(id)) throw notFound(id);
      if (running.has(id)) {
        throw new AppError('busy', 'This job is still running.', {
          remedy: 'Cancel it first, or wait until it ends.',
        });
      }
      store.remove(id);
      jobs.delete(id);
      emit('jobs.dismissed', { jobId: id });
    },

    async ended(id) {
      const entry = running.get(id);
      if (entry) return entry.ended;
      const job = jobs.get(id);
      if (!job) throw notFound(id);
      return job;
    },

    async close() {
      isClosing = true;
      const left = [...running.values()];
      for (const entry of left) entry.abort.abort(new AppError('canceled', 'Evidence Desk is closing.'));
      await Promise.all(left.map((entry) => entry.ended));
    },
  };
}

function notFound(id: JobId): AppError {
  return new AppError('not_found', `There is no job ${id}.`);
}

/** The tray's requests. */
export function createJobHandlers(
  deps: Pick<DeskDeps, 'jobs'>,
): Pick<Handlers, 'jobs.list' | 'jobs.cancel' | 'jobs.dismiss'> {
  return {
    'jobs.list': () => deps.jobs.list(),
    'jobs.cancel': ({ jobId }) => {
      deps.jobs.cancel(jobId);
      return null;
    },
    'jobs.dismiss': ({ jobId }) => {
      deps.jobs.dismiss(jobId);
      return null;
    },
  };
}

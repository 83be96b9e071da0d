import { createStore } from 'zustand/vanilla';
import type { Job } from '../../../shared/contract/jobs.ts';
import type { JobId } from '../../../shared/ids.ts';
import { onReconnected, type Host } from '../../app/client/index.ts';
import { addSample, rateOf, type Rate, type Samples } from './rate.ts';

export interface JobsState {
  /** Newest first. */
  readonly jobs: readonly Job[];
  readonly rates: ReadonlyMap<JobId, Rate>;
  /** Why the list could not be read; null when it could. */
  readonly error: unknown;
}

export type EndedListener = (job: Job) => void;

/**
 * The job tray's content: what the core says, by list and by event. `onEnded` tells of each job that ended while
 * this window was looking, once.
 */
export function createJobStore(host: Host, nowMs: () => number = Date.now) {
  const { client } = host;
  const store = createStore<JobsState>(() => ({ jobs: [], rates: new Map(), error: null }));
  const samples = new Map<JobId, Samples>();
  const endedListeners = new Set<EndedListener>();
  const waiting = new Map<JobId, ((job: Job) => void)[]>();
  const dismissed = new Set<JobId>();
  /** Jobs whose end has been told, or that had ended before this window came. */
  const told = new Set<JobId>();

  function measure(job: Job): void {
    const rates = new Map(store.getState().rates);
    if (job.state.status === 'running') {
      const next = addSample(samples.get(job.jobId) ?? [], job.state.progress, nowMs());
      samples.set(job.jobId, next);
      rates.set(job.jobId, rateOf(next));
    } else {
      samples.delete(job.jobId);
      rates.delete(job.jobId);
    }
    store.setState({ rates });
  }

  function tellEnd(job: Job): void {
    if (job.state.status === 'running' || told.has(job.jobId)) return;
    told.add(job.jobId);
    for (const resolve of waiting.get(job.jobId) ?? []) resolve(job);
    waiting.delete(job.jobId);
    for (const listener of [...endedListeners]) listener(job);
  }

  function take(job: Job): void {
    const { jobs } = store.getState();
    if (dismissed.has(job.jobId)) return;
    const index = jobs.findIndex((known) => known.jobId === job.jobId);
    // A late "running" must not bring back to life what has ended.
    if (index >= 0 && jobs[index]?.state.status !== 'running' && job.state.status === 'running') return;
    store.setState({
      jobs: index < 0 ? [job, ...jobs] : jobs.map((known, i) => (i === index ? job : known)),
    });
    measure(job);
    tellEnd(job);
  }

  let isFirst = true;
  async function refresh(): Promise<void> {
    try {
      const listed = await client.invoke('jobs.list', {});
      // What had ended before this window looked is history, not news; what ended while it was away is news.
      if (isFirst) {
        for (const job of listed) {
          if (job.state.status !== 'running' && !waiting.has(job.jobId)) told.add(job.jobId);
        }
      }
      isFirst = false;
      const unlisted = store
        .getState()
        .jobs.filter(
          (job) => job.state.status !== 'running' && !listed.some((other) => other.jobId === job.jobId),
        );
      const jobs = [...listed, ...unlisted].filter((job) => !dismissed.has(job.jobId));
      store.setState({ jobs: jobs.sort((a, b) => b.startedAtMs - a.startedAtMs), error: null });
      for (const job of listed) {
        measure(job);
        tellEnd(job);
      }
    } catch (error) {
      store.setState({ error });
    }
  }

  client.on('jobs.changed', take);
  client.on('jobs.dismissed', ({ jobId }) => {
    dismissed.add(jobId);
    store.setState({ jobs: store.getState().jobs.filter((job) => job.jobId !== jobId) });
  });
  onReconnected(host.connection, () => void refresh());
  void refresh();

  return {
    store,
    refresh,
    cancel: (jobId: JobId) => client.invoke('jobs.cancel', { jobId }),
    async dismiss(jobId: JobId): Promise<void> {
      await client.invoke('jobs.dismiss', { jobId });
      dismissed.add(jobId);
      store.setState({ jobs: store.getState().jobs.filter((job) => job.jobId !== jobId) });
    },
    onEnded(listener: EndedListener): () => void {
      endedListeners.add(listener);
      return () => endedListeners.delete(listener);
    },
    /** Resolves with the job once it has ended, however it ended. */
    ended(jobId: JobId): Promise<Job> {
      const known = store.getState().jobs.find((job) => job.jobId === jobId);
      if (known && known.state.status !== 'running') return Promise.resolve(known);
      return new Promise((resolve) => waiting.set(jobId, [...(waiting.get(jobId) ?? []), resolve]));
    },
  };
}
export type JobStore = ReturnType<typeof createJobStore>;

import { describe, expect, it } from 'vitest';
import { createJobStore } from '../../../renderer/features/jobs/index.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import type { JobId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { imported, job, progress } from '../samples.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const done = (patch: Partial<Job> = {}): Job =>
  job({
    endedAtMs: 2,
    state: { status: 'done', result: { kind: 'import', outcome: { sources: [imported()] } } },
    ...patch,
  });

describe('the job tray’s store', () => {
  it('shows jobs of before a reload and does not announce their ends again', async () => {
    const host = createFakeHost({ 'jobs.list': () => [done()] });
    const store = createJobStore(host);
    const ends: Job[] = [];
    store.onEnded((ended) => ends.push(ended));
    await turn();
    expect(store.store.getState().jobs).toHaveLength(1);
    expect(ends).toEqual([]);
  });

  it('announces an end once, whether by event or by a list after a lost connection', async () => {
    let listed: Job[] = [job()];
    const host = createFakeHost({ 'jobs.list': () => listed });
    const store = createJobStore(host);
    const ends: Job[] = [];
    store.onEnded((ended) => ends.push(ended));
    await turn();
    host.setConnection('lost');
    listed = [done()];
    host.setConnection('connected');
    await turn();
    host.emit('jobs.changed', done());
    expect(ends).toHaveLength(1);
  });

  it('does not let a late progress event bring an ended job back to life', async () => {
    const host = createFakeHost({ 'jobs.list': () => [] });
    const store = createJobStore(host);
    await turn();
    host.emit('jobs.changed', done());
    host.emit('jobs.changed', job());
    expect(store.store.getState().jobs[0]?.state.status).toBe('done');
  });

  it('resolves `ended` for a job that had ended before it was asked, and for one that ends later', async () => {
    const host = createFakeHost({ 'jobs.list': () => [] });
    const store = createJobStore(host);
    await turn();
    const later = store.ended('job_1' as JobId);
    host.emit('jobs.changed', job({ state: { status: 'running', progress: progress({ done: 5 }) } }));
    host.emit('jobs.changed', done());
    expect((await later).state.status).toBe('done');
    expect((await store.ended('job_1' as JobId)).state.status).toBe('done');
  });

  it('takes out what another window dismissed, for good', async () => {
    const host = createFakeHost({ 'jobs.list': () => [done()] });
    const store = createJobStore(host);
    await turn();
    host.emit('jobs.dismissed', { jobId: 'job_1' as JobId });
    await store.refresh();
    expect(store.store.getState().jobs).toEqual([]);
  });
});

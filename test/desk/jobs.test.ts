import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job, JobProgress, JobResult } from '../../shared/contract/jobs.ts';
import { AppError } from '../../shared/errors.ts';
import type { JobId } from '../../shared/ids.ts';
import { createJobRegistry, type JobStore } from '../../main/desk/jobs.ts';

const nothingImported: JobResult = { kind: 'import', outcome: { sources: [] } };

function progressAt(done: number): JobProgress {
  return { stage: 'reading', done, total: 100, unit: 'bytes', points: done * 2 };
}

/** A tray over a store that outlives it, with what it emitted and what it took for bugs. */
function aTray(saved = new Map<JobId, Job>()) {
  const sent: { name: string; job?: Job; jobId?: JobId }[] = [];
  const bugs: unknown[] = [];
  const store: JobStore = {
    list: () => [...saved.values()],
    save: (job) => void saved.set(job.jobId, structuredClone(job)),
    remove: (jobId) => void saved.delete(jobId),
  };
  const registry = createJobRegistry({
    store,
    now: () => Date.now(),
    emit: (name, payload) => {
      sent.push(name === 'jobs.changed' ? { name, job: payload as Job } : { name, ...(payload as object) });
    },
    onBug: (_where, thrown) => bugs.push(thrown),
  });
  return { registry, sent, bugs, saved, store };
}

/** Work that runs until it is told how to end. */
function heldWork() {
  const gate = Promise.withResolvers<JobResult>();
  const context =
    Promise.withResolvers<Parameters<Parameters<ReturnType<typeof aTray>['registry']['start']>[2]>[0]>();
  return {
    ...gate,
    context: context.promise,
    work: (given: Awaited<typeof context.promise>) => {
      context.resolve(given);
      given.signal.addEventListener('abort', () => gate.reject(given.signal.reason));
      return gate.promise;
    },
  };
}

describe('the job tray', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it('gives the id at once and the result when the work has ended', async () => {
    const { registry, sent } = aTray();
    const id = registry.start('import', 'export.zip', async () => nothingImported);
    expect(registry.list()).toMatchObject([{ jobId: id, state: { status: 'running' }, endedAtMs: null }]);
    const job = await registry.ended(id);
    expect(job).toMatchObject({ title: 'export.zip', endedAtMs: 1_000_000, state: { status: 'done' } });
    expect(sent.map((event) => event.job?.state.status)).toEqual(['running', 'done']);
  });

  it('lists the newest first', async () => {
    const { registry } = aTray();
    const first = registry.start('import', 'one', async () => nothingImported);
    const second = registry.start('verify', 'two', async () => nothingImported);
    expect(registry.list().map((job) => job.jobId)).toEqual([second, first]);
  });

  it('sends progress about ten times a second however often work reports, and always the last of it', async () => {
    const { registry, sent } = aTray();
    const held = heldWork();
    const id = registry.start('import', 'export.zip', held.work);
    const context = await held.context;
    for (let ms = 0; ms < 1000; ms += 1) {
      context.progress(progressAt(ms));
      vi.advanceTimersByTime(1);
    }
    const during = sent.length;
    expect(during).toBeGreaterThanOrEqual(9);
    expect(during).toBeLessThanOrEqual(12);
    vi.advanceTimersByTime(100);
    expect(sent.at(-1)?.job?.state).toEqual({ status: 'running', progress: progressAt(999) });
    held.resolve(nothingImported);
    await registry.ended(id);
    const count = sent.length;
    vi.advanceTimersByTime(1000);
    expect(sent).toHaveLength(count); // nothing is sent after the end
  });

  it('takes a cancel for what it is: neither a failure nor a bug', async () => {
    const { registry, bugs } = aTray();
    const held = heldWork();
    const id = registry.start('seal', 'Case 7', held.work);
    await held.context;
    registry.cancel(id);
    expect(await registry.ended(id)).toMatchObject({ state: { status: 'canceled' } });
    expect(bugs).toEqual([]);
  });

  it('shows a foreseen failure with its remedy, and does not log it', async () => {
    const { registry, bugs } = aTray();
    const id = registry.start('import', 'x', async () => {
      throw new AppError('disk_full', 'The disk is full.', { remedy: 'Free some room.' });
    });
    expect((await registry.ended(id)).state).toEqual({
      status: 'failed',
      error: { code: 'disk_full', message: 'The disk is full.', remedy: 'Free some room.' },
    });
    expect(bugs).toEqual([]);
  });

  it('logs a bug and shows no text of it', async () => {
    const { registry, bugs } = aTray();
    const id = registry.start('import', 'x', async () => {
      throw new TypeError('secret detail');
    });
    const job = await registry.ended(id);
    expect(job.state).toMatchObject({ status: 'failed', error: { code: 'internal' } });
    expect(JSON.stringify(job)).not.toContain('secret detail');
    expect(bugs).toHaveLength(1);
  });

  it('keeps ended jobs over a restart and shows what was running as interrupted', async () => {
    const before = aTray();
    const done = before.registry.start('import', 'done', async () => nothingImported);
    await before.registry.ended(done);
    const cut = before.registry.start('seal', 'cut', heldWork().work);
    const after = aTray(before.saved); // the process was killed: nobody closed the first tray
    expect(after.registry.list()).toMatchObject([
      { jobId: cut, state: { status: 'interrupted' } },
      { jobId: done, state: { status: 'done' } },
    ]);
    expect(aTray(after.saved).registry.list()[0]).toMatchObject({ state: { status: 'interrupted' } });
  });

  it('ends what runs when the desk closes, and calls it interrupted', async () => {
    const { registry, saved } = aTray();
    const held = heldWork();
    const id = registry.start('import', 'x', held.work);
    await held.context;
    await registry.close();
    expect(saved.get(id)).toMatchObject({ state: { status: 'interrupted' } });
    expect(() => registry.start('import', 'y', held.work)).toThrow(AppError);
  });

  it('dismisses ended jobs for good, and only those', async () => {
    const { registry, sent, saved } = aTray();
    const held = heldWork();
    const id = registry.start('import', 'x', held.work);
    expect(() => registry.dismiss(id)).toThrow(expect.objectContaining({ code: 'busy' }));
    held.resolve(nothingImported);
    await registry.ended(id);
    registry.dismiss(id);
    expect(registry.list()).toEqual([]);
    expect(saved.size).toBe(0);
    expect(sent.at(-1)).toEqual({ name: 'jobs.dismissed', jobId: id });
  });

  it('says so when it is asked about a job that it does not know', async () => {
    const { registry } = aTray();
    const id = 'job_unknown' as JobId;
    expect(() => registry.cancel(id)).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(() => registry.dismiss(id)).toThrow(expect.objectContaining({ code: 'not_found' }));
    await expect(registry.ended(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('begins no work when the job can’t be written down, and loses no result when its end can’t', async () => {
    const full = new AppError('disk_full', 'The disk is full.');
    const { registry, store, bugs } = aTray();
    const save = store.save;
    let isFull = true;
    store.save = (job) => {
      if (isFull) throw full;
      save(job);
    };
    const work = vi.fn(async () => {
      isFull = true;
      return nothingImported;
    });
    expect(() => registry.start('import', 'x', work)).toThrow(full);
    expect(work).not.toHaveBeenCalled();
    isFull = false;
    const id = registry.start('import', 'x', work);
    expect(await registry.ended(id)).toMatchObject({ state: { status: 'done' } });
    expect(bugs).toEqual([full]);
  });
});

import type { Job } from '../../shared/contract/jobs.ts';
import type { JobId } from '../../shared/ids.ts';
import { transact, type WritableDb } from './database.ts';

/** The job tray over restarts: each job as the contract shows it. */
export function createJobRepository(db: WritableDb) {
  const selectAll = db
    .prepare<[], string>('SELECT job FROM job ORDER BY started_at_ms DESC, job_id DESC')
    .pluck();
  const select = db.prepare<[string], string>('SELECT job FROM job WHERE job_id = ?').pluck();
  const upsert = db.prepare<[string, number, string]>(
    'INSERT INTO job (job_id, started_at_ms, job) VALUES (?, ?, ?) ON CONFLICT (job_id) DO UPDATE SET job = excluded.job',
  );
  const remove = db.prepare<[string]>('DELETE FROM job WHERE job_id = ?');
  const parse = (text: string): Job => JSON.parse(text) as Job; // written by `save` only
  const save = (job: Job): void => {
    upsert.run(job.jobId, Math.trunc(job.startedAtMs), JSON.stringify(job));
  };
  return {
    /** Newest first. */
    list: (): readonly Job[] => selectAll.all().map(parse),
    get(jobId: JobId): Job | null {
      const text = select.get(jobId);
      return text === undefined ? null : parse(text);
    },
    /** Adds the job or replaces what was known of it. */
    save,
    remove(jobId: JobId): void {
      remove.run(jobId);
    },
    /** At the start of the app: what ran when it ended was interrupted. Returns those jobs as they are now. */
    interruptRunning(nowMs: number): readonly Job[] {
      return transact(db, () => {
        const interrupted: Job[] = [];
        for (const text of selectAll.all()) {
          const job = parse(text);
          if (job.state.status !== 'running') continue;
          const ended: Job = { ...job, endedAtMs: nowMs, state: { status: 'interrupted' } };
          save(ended);
          interrupted.push(ended);
        }
        return interrupted;
      });
    },
  };
}
export type JobRepository = ReturnType<typeof createJobRepository>;

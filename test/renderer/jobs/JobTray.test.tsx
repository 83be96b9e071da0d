// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import { createJobStore, JobTray } from '../../../renderer/features/jobs/index.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import type { JobId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { button, click, pageText, render, settle, unmountAll } from '../render.tsx';
import { imported, job, progress } from '../samples.ts';

afterEach(unmountAll);

async function openTray(jobs: readonly Job[]) {
  const host = createFakeHost({
    'jobs.list': () => jobs,
    'jobs.cancel': () => null,
    'jobs.dismiss': () => null,
  });
  const store = createJobStore(host);
  await settle();
  await render(<JobTray store={store} openingOf={() => null} transfers={null} activeTransfers={0} />, {
    host,
  });
  await click(button(/^Jobs/));
  return host;
}

describe('the job tray', () => {
  it('shows progress with units and cancels', async () => {
    const running = job({ state: { status: 'running', progress: progress({ done: 250, points: 40 }) } });
    const host = await openTray([running]);
    expect(pageText()).toContain('Reading · 250 bytes of 1.0 kB · 40 points');
    expect(document.querySelector('[role="progressbar"]')?.getAttribute('aria-valuenow')).toBe('25');
    await click(button('Cancel export.zip'));
    expect(host.asked).toContainEqual({ name: 'jobs.cancel', input: { jobId: 'job_1' } });
    expect(pageText()).toContain('Canceling…');
  });

  it('explains a failure: what happened, what to do, and details to copy', async () => {
    const error = {
      code: 'disk_full',
      message: 'The disk of the data folder is full.',
      remedy: 'Free some room, then import again.',
      details: { freeBytes: 12 },
    } as const;
    await openTray([job({ endedAtMs: 3, state: { status: 'failed', error } })]);
    expect(pageText()).toContain('The disk of the data folder is full.');
    expect(pageText()).toContain('Free some room, then import again.');
    await click(button('Details'));
    expect(pageText()).toContain('disk_full');
    expect(pageText()).toContain('"freeBytes": 12');
    expect(button('Copy details')).toBeTruthy();
  });

  it('says what an empty tray is for', async () => {
    await openTray([]);
    expect(pageText()).toContain('Nothing is running.');
  });

  it('clears every ended job and leaves the running one', async () => {
    const done = job({
      jobId: 'job_2' as JobId,
      title: 'old.zip',
      endedAtMs: 3,
      state: { status: 'done', result: { kind: 'import', outcome: { sources: [imported()] } } },
    });
    const host = await openTray([job(), done]);
    await click(button('Clear ended jobs'));
    expect(host.asked.filter((one) => one.name === 'jobs.dismiss')).toEqual([
      { name: 'jobs.dismiss', input: { jobId: 'job_2' } },
    ]);
    expect(pageText()).not.toContain('old.zip');
    expect(pageText()).toContain('export.zip');
  });
});

// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import { createJobStore } from '../../../renderer/features/jobs/index.ts';
import {
  createVerifyStore,
  VerifyReportView,
  VerifyScreen,
} from '../../../renderer/features/verify/index.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { VerifyReport } from '../../../shared/contract/packages.ts';
import { AppError } from '../../../shared/errors.ts';
import type { JobId, PackageId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { happen, pageText, render, unmountAll } from '../render.tsx';
import { atMs, job, sha, verifyReport } from '../samples.ts';

afterEach(unmountAll);

const show = (report: VerifyReport, own: string | null = sha('d')) =>
  render(<VerifyReportView fileName="p.zip" report={report} checkedAtMs={atMs} ownFingerprint={own} />);
const headline = () => document.querySelector('[role="alert"] h2')?.textContent;

describe('the verdict', () => {
  it('says "unchanged since sealed" and whose seal it is', async () => {
    await show(verifyReport());
    expect(headline()).toBe('Unchanged since sealed');
    expect(pageText()).toContain('Sealed with this computer’s key');
  });

  it('is unmistakable about a changed package and names every file', async () => {
    const checks = [
      { name: 'signature', ok: true, detail: 'valid' },
      { name: 'payload-sha256', ok: false, detail: 'data/a.csv was changed; data/b.csv is missing' },
    ];
    await show(verifyReport({ ok: false, checks }));
    expect(headline()).toBe('Not as it was sealed');
    expect(pageText()).toContain('1 of 2 checks not passed');
    expect(pageText()).toContain('data/a.csv was changed\ndata/b.csv is missing');
    expect(document.querySelector('li')?.textContent).toContain('Failed');
  });

  it('does not call another kind of file a changed package', async () => {
    await show(
      verifyReport({
        ok: false,
        signedBy: null,
        isOwnSeal: null,
        checks: [{ name: 'container', ok: false, detail: 'no zip' }],
      }),
    );
    expect(headline()).toBe('Not a readable evidence package');
    expect(pageText()).toContain('nobody’s seal is on this package');
  });

  it('asks to compare a stranger’s fingerprint, and shows both', async () => {
    await show(verifyReport({ isOwnSeal: false }), sha('f'));
    expect(pageText()).toContain('Sealed with another key');
    expect(pageText()).toContain('ffff ffff');
  });

  it('claims nothing that a hash can’t show', async () => {
    await show(verifyReport());
    expect(pageText()).not.toMatch(/tamper-proof|court-admissible|certified|ISO compliant/i);
    expect(pageText()).toContain('It does not show that what was recorded is true');
  });
});

describe('verifying', () => {
  async function open(handlers: Partial<Handlers>) {
    const host = createFakeHost({
      'jobs.list': () => [],
      'packages.verifyUpload': () => ({ jobId: 'job_1' as JobId }),
      'packages.verifySealed': () => ({ jobId: 'job_1' as JobId }),
      ...handlers,
    });
    const jobs = createJobStore(host);
    const store = createVerifyStore(host, jobs);
    await render(<VerifyScreen store={store} jobs={jobs} ownFingerprint={null} />, { host });
    const end = (report: VerifyReport) =>
      host.emit(
        'jobs.changed',
        job({
          kind: 'verify',
          endedAtMs: atMs,
          state: { status: 'done', result: { kind: 'verify', report } },
        }),
      );
    return { host, store, end };
  }

  it('goes from the dropped file to the report', async () => {
    const { store, end } = await open({});
    expect(pageText()).toContain('Check a sealed package');
    await happen(() => store.verifyFile(new File(['PK'], 'p.zip')));
    expect(pageText()).toContain('p.zip');
    await happen(() => end(verifyReport()));
    expect(headline()).toBe('Unchanged since sealed');
    expect(pageText()).toContain('Sealed with this computer’s key');
  });

  it('drops the report of a file that another one has replaced', async () => {
    const { store, end } = await open({
      'packages.verifySealed': () => new Promise<{ jobId: JobId }>(() => undefined),
    });
    await happen(() => store.verifyFile(new File(['PK'], 'first.zip')));
    await happen(() => store.verifySealed('package_1' as PackageId, 'second.zip'));
    await happen(() => end(verifyReport()));
    expect(pageText()).toContain('second.zip');
    expect(headline()).toBeUndefined();
  });

  it('says that nothing is known when a package could not be checked to its end', async () => {
    const { store } = await open({
      'packages.verifyUpload': () => {
        throw new AppError('disk_full', 'There is no room to check it.', { remedy: 'Free some room.' });
      },
    });
    await happen(() => store.verifyFile(new File(['PK'], 'p.zip')));
    expect(pageText()).toContain('There is no room to check it.');
    expect(pageText()).toContain('nothing is known of whether it is unchanged');
  });
});

// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import { createJobStore } from '../../../renderer/features/jobs/index.ts';
import { createPackageStore, PackageTab } from '../../../renderer/features/packages/index.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { SealedPackage } from '../../../shared/contract/packages.ts';
import { AppError } from '../../../shared/errors.ts';
import type { JobId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { button, click, happen, pageText, render, unmountAll } from '../render.tsx';
import { caseFile, exhibit, job, progress, sealed } from '../samples.ts';

afterEach(unmountAll);
const file = caseFile({ exhibitList: [exhibit()] });
const preview = {
  files: [{ path: 'data/tracks/van.csv', sizeBytes: null, why: 'trip 414, as CSV' }],
  totalBytes: 0,
  leftOut: [{ what: 'export.zip', why: 'originals are left out' }],
  warnings: ['The original files go in whole.'],
};

async function open(handlers: Partial<Handlers>, canReveal = false) {
  const host = createFakeHost({
    'jobs.list': () => [],
    'packages.preview': () => preview,
    'packages.list': () => [],
    ...handlers,
  });
  const jobs = createJobStore(host);
  const store = createPackageStore(host, jobs, file.caseId);
  await render(
    <PackageTab file={file} store={store} jobs={jobs} canReveal={canReveal} onVerify={() => undefined} />,
    { host },
  );
  return host;
}

describe('the package tab', () => {
  it('shows before sealing what will be inside, what is left out, and what should be known', async () => {
    await open({});
    expect(pageText()).toContain('van.csv');
    expect(pageText()).toContain('export.zip originals are left out');
    expect(pageText()).toContain('The original files go in whole.');
    expect(pageText()).toContain('No limit (set one under Exhibits)');
  });

  it('seals as a job with progress, then shows hash and fingerprint to compare', async () => {
    let list: SealedPackage[] = [];
    const host = await open({
      'packages.seal': () => ({ jobId: 'job_1' as JobId }),
      'packages.list': () => list,
    });
    await click(button('Seal'));
    await happen(() =>
      host.emit(
        'jobs.changed',
        job({
          kind: 'seal',
          state: { status: 'running', progress: progress({ stage: 'writing', done: 500 }) },
        }),
      ),
    );
    expect(pageText()).toContain('Writing · 500 bytes of 1.0 kB');
    list = [sealed()];
    const result = { kind: 'seal', sealed: sealed() } as const;
    await happen(() =>
      host.emit('jobs.changed', job({ kind: 'seal', endedAtMs: 5, state: { status: 'done', result } })),
    );
    expect(pageText()).toContain('evidence-Keizersgracht.zip');
    expect(pageText()).toContain('cccc cccc');
    expect(pageText()).toContain('dddd dddd');
    expect(button('Save a copy')).toBeTruthy();
    expect(() => button('Show in folder')).toThrow();
  });

  it('offers the folder only where the host can show it', async () => {
    await open({ 'packages.list': () => [sealed()] }, true);
    expect(button('Show in folder')).toBeTruthy();
  });

  it('says that no package was made when sealing fails, and why', async () => {
    await open({
      'packages.seal': () => {
        throw new AppError('seal_key_unavailable', 'The seal key can’t be read on this computer.', {
          remedy: 'Unlock the keychain.',
        });
      },
    });
    await click(button('Seal'));
    expect(pageText()).toContain('The seal key can’t be read on this computer.');
    expect(pageText()).toContain('No package was made; the case is as it was.');
  });

  it('can’t seal what it can’t preview', async () => {
    await open({
      'packages.preview': () => {
        throw new AppError('blob_missing', 'An original is missing from the data folder.');
      },
    });
    expect(pageText()).toContain('An original is missing from the data folder.');
    expect(button('Seal').hasAttribute('disabled')).toBe(true);
  });

  it('asks again for the preview when originals are left out', async () => {
    const host = await open({});
    const leaveOut = [...document.querySelectorAll('input[type="radio"]')].find(
      (input) => (input as HTMLInputElement).value === 'none',
    ) as HTMLInputElement; // there is one
    await click(leaveOut);
    expect(host.asked).toContainEqual({
      name: 'packages.preview',
      input: { caseId: file.caseId, originals: 'none' },
    });
  });
});

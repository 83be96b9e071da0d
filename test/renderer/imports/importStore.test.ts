import { describe, expect, it } from 'vitest';
import { createImportStore } from '../../../renderer/features/imports/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { CaseId, JobId, UploadId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';

const file = (name: string, text = 'psn,lat\n') => new File([text], name);
const jobId = 'job_1' as JobId;

describe('handing files over', () => {
  it('starts one job for all files that arrived, into the case, and then shows nothing of its own', async () => {
    const host = createFakeHost({ 'imports.start': () => ({ jobId }) });
    const store = createImportStore(host);
    expect(await store.importFiles([file('a.zip'), file('b.csv')], 'case_1' as CaseId)).toBe(jobId);
    expect(host.asked).toEqual([
      { name: 'imports.start', input: { uploadIds: ['upload_1', 'upload_2'], caseId: 'case_1' } },
    ]);
    expect(store.store.getState().batches).toEqual([]);
  });

  it('imports the others when one file can’t be read, and keeps saying which one and why', async () => {
    const gone = new AppError('file_unreadable', '“gone.zip” could not be read.', { remedy: 'Look for it.' });
    const host = createFakeHost({ 'imports.start': () => ({ jobId }) }, async (sent) => {
      if (sent.name === 'gone.zip') throw gone;
      return 'upload_1' as UploadId;
    });
    const store = createImportStore(host);
    expect(await store.importFiles([file('gone.zip'), file('b.csv')])).toBe(jobId);
    const [batch] = store.store.getState().batches;
    expect(batch?.state).toEqual({ status: 'started', jobId });
    expect(batch?.files[0]?.state).toEqual({ status: 'failed', error: gone.toData() });
    store.dismiss(batch?.batchId ?? 0);
    expect(store.store.getState().batches).toEqual([]);
  });

  it('asks for no job when nothing arrived', async () => {
    const host = createFakeHost({}, async () => {
      throw new AppError('disk_full', 'No room.');
    });
    const store = createImportStore(host);
    expect(await store.importFiles([file('a.zip')])).toBeNull();
    expect(host.asked).toEqual([]);
    expect(store.store.getState().batches[0]?.state).toMatchObject({
      status: 'failed',
      error: { code: 'disk_full' },
    });
  });

  it('imports nothing after a cancel, not even what had arrived', async () => {
    const store = createImportStore(
      createFakeHost({}, async (sent, options) => {
        if (sent.name === 'a.zip') return 'upload_1' as UploadId;
        store.cancel(1);
        expect(options?.signal?.aborted).toBe(true);
        throw new AppError('canceled', 'canceled');
      }),
    );
    expect(await store.importFiles([file('a.zip'), file('b.zip'), file('c.zip')])).toBeNull();
    expect(store.store.getState().batches).toEqual([]);
  });

  it('shows the progress of the file on its way', async () => {
    const seen: number[] = [];
    const store = createImportStore(
      createFakeHost({ 'imports.start': () => ({ jobId }) }, async (_sent, options) => {
        for (const sentBytes of [3, 8]) {
          options?.onProgress?.(sentBytes);
          seen.push(store.store.getState().batches[0]?.files[0]?.sentBytes ?? -1);
        }
        return 'upload_1' as UploadId;
      }),
    );
    await store.importFiles([file('a.zip')]);
    expect(seen).toEqual([3, 8]);
  });

  it('keeps the batch with the reason when the core refuses the import', async () => {
    const host = createFakeHost({
      'imports.start': () => {
        throw new AppError('not_found', 'There is no such case any more.');
      },
    });
    const store = createImportStore(host);
    expect(await store.importFiles([file('a.zip')], 'case_1' as CaseId)).toBeNull();
    expect(store.store.getState().batches[0]?.state).toMatchObject({
      status: 'failed',
      error: { code: 'not_found' },
    });
  });
});

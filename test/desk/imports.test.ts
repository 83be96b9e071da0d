import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CaseId, UploadId } from '../../shared/ids.ts';
import { aCsv, aDesk, aFile, anUpload, aPlace, endOf, type Place } from './aDesk.ts';

let place: Place;
let desk: Awaited<ReturnType<typeof aDesk>>;
beforeEach(async () => {
  place = aPlace();
  desk = await aDesk(place);
});
afterEach(async () => {
  await desk.close();
  expect(desk.bugs).toEqual([]);
  place.remove();
});

const uploadsLeft = () => fs.readdirSync(path.join(place.dataFolder, 'partial', 'uploads'));

describe('imports of what a front end handed over', () => {
  it('takes several files in one job and tells every front end that the library changed', async () => {
    const heard: unknown[] = [];
    desk.client.on('library.changed', (payload) => heard.push(payload));
    const uploadIds = [
      await anUpload(place, 'one.csv', aCsv({ psn: 'A' })),
      await anUpload(place, 'two.csv', aCsv({ psn: 'B', day: '2026-03-15' })),
    ];
    const { jobId } = await desk.client.invoke('imports.start', { uploadIds });
    const job = await endOf(desk, jobId);
    expect(job.title).toBe('one.csv and 1 more file');
    expect(job.state).toMatchObject({
      status: 'done',
      result: {
        outcome: {
          sources: [
            { fileName: 'one.csv', status: 'imported', trips: 1, points: 5 },
            { fileName: 'two.csv', status: 'imported', trips: 1, points: 5 },
          ],
        },
      },
    });
    expect(heard).toEqual([{ reason: 'import' }]);
    expect(await desk.client.invoke('trips.list', {})).toHaveLength(2);
    expect(uploadsLeft()).toEqual([]);
  });

  it('recognises the same file and says so instead of importing it twice', async () => {
    const heard: unknown[] = [];
    for (const name of ['first.csv', 'again.csv']) {
      const uploadIds = [await anUpload(place, name, aCsv())];
      desk.client.on('library.changed', (payload) => heard.push(payload));
      const job = await endOf(desk, (await desk.client.invoke('imports.start', { uploadIds })).jobId);
      if (name === 'first.csv') continue;
      const [source] = await desk.client.invoke('sources.list', {});
      expect(job.state).toMatchObject({
        result: { outcome: { sources: [{ status: 'duplicate', duplicateOf: source?.sourceId }] } },
      });
    }
    expect(await desk.client.invoke('sources.list', {})).toHaveLength(1);
    expect(heard).toHaveLength(1);
    expect(uploadsLeft()).toEqual([]);
  });

  it('refuses an upload that is not there before anything starts', async () => {
    const uploadIds = ['up_0123456789abcdef0123456789abcdef' as UploadId];
    await expect(desk.client.invoke('imports.start', { uploadIds })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await desk.client.invoke('jobs.list', {})).toEqual([]);
  });

  it('puts what it imports, and what was known already, into the case that it was dropped on', async () => {
    const known = await anUpload(place, 'known.csv', aCsv({ psn: 'A' }));
    await endOf(desk, (await desk.client.invoke('imports.start', { uploadIds: [known] })).jobId);
    const { caseId } = await desk.client.invoke('cases.create', { name: 'Case 7' });
    const uploadIds = [
      await anUpload(place, 'known again.csv', aCsv({ psn: 'A' })),
      await anUpload(place, 'new.csv', aCsv({ psn: 'B' })),
      await anUpload(place, 'broken.csv', 'nothing of use'),
    ];
    await endOf(desk, (await desk.client.invoke('imports.start', { uploadIds, caseId })).jobId);
    const { exhibitList } = await desk.client.invoke('cases.get', { caseId });
    expect(exhibitList.map((exhibit) => exhibit.title).sort()).toEqual(['known.csv', 'new.csv']);
  });

  it('refuses a case that is not there, and keeps the upload for another try', async () => {
    const uploadIds = [await anUpload(place, 'a.csv', aCsv())];
    await expect(
      desk.client.invoke('imports.start', { uploadIds, caseId: 'case_gone' as CaseId }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await endOf(desk, (await desk.client.invoke('imports.start', { uploadIds })).jobId);
    expect(await desk.client.invoke('sources.list', {})).toHaveLength(1);
  });

  it('says that there is no sample where none came along', async () => {
    await expect(desk.client.invoke('imports.sample', {})).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('imports of files by path (command line, native dialogues)', () => {
  it('gives the outcome file by file, in the order given, with what could not be read in its place', async () => {
    const emptyFolder = path.join(place.root, 'empty folder');
    fs.mkdirSync(emptyFolder);
    const outcome = await desk.importFiles([
      aFile(place, 'good.csv', aCsv({ psn: 'A' })),
      path.join(place.root, 'missing.csv'),
      aFile(place, 'empty.csv', ''),
      emptyFolder,
      aFile(place, 'also good.csv', aCsv({ psn: 'B' })),
    ]);
    expect(
      outcome.sources.map(({ fileName, status, error }) => [fileName, status, error?.code ?? null]),
    ).toEqual([
      ['good.csv', 'imported', null],
      ['missing.csv', 'failed', 'file_vanished'],
      ['empty.csv', 'failed', 'file_empty'],
      ['empty folder', 'failed', 'file_unreadable'],
      ['also good.csv', 'imported', null],
    ]);
    expect(uploadsLeft()).toEqual([]);
  });

  it('leaves the user’s file as it was', async () => {
    const file = aFile(place, 'mine.csv', aCsv());
    const before = fs.statSync(file);
    await desk.importFiles([file]);
    expect(fs.readFileSync(file, 'utf8')).toBe(aCsv());
    expect(fs.statSync(file).mtimeMs).toBe(before.mtimeMs);
  });

  it('shows it in the job tray, and stops when asked to, leaving nothing', async () => {
    const file = aFile(place, 'long.csv', aCsv({ points: 200_000 }));
    const abort = new AbortController();
    const seen: string[] = [];
    desk.client.on('jobs.changed', (job) => {
      seen.push(job.state.status);
      if (job.state.status === 'running') abort.abort();
    });
    await expect(desk.importFiles([file], { signal: abort.signal })).rejects.toMatchObject({
      code: 'canceled',
    });
    expect(seen.at(-1)).toBe('canceled');
    expect(await desk.client.invoke('sources.list', {})).toEqual([]);
    expect(uploadsLeft()).toEqual([]);
    expect((await desk.importFiles([file])).sources).toMatchObject([{ status: 'imported', points: 200_000 }]);
  });

  it('imports the sample through a worker thread', async () => {
    await desk.close();
    const samplePath = aFile(place, 'sample.csv', aCsv());
    desk = await aDesk(place, { runner: 'worker', samplePath });
    const job = await endOf(desk, (await desk.client.invoke('imports.sample', {})).jobId);
    expect(job.state).toMatchObject({ status: 'done', result: { outcome: { sources: [{ points: 5 }] } } });
  });
});

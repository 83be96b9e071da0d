import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../shared/contract/jobs.ts';
import type { EntryReport } from '../../shared/contract/imports.ts';
import type { JobId, SourceId } from '../../shared/ids.ts';
import { transact } from '../../main/cache/database.ts';
import { createJobRepository } from '../../main/cache/jobRepository.ts';
import { openCache, openCacheConnection, type EvidenceCache } from '../../main/cache/openCache.ts';
import { createSettingRepository } from '../../main/cache/settingRepository.ts';
import { createSourceRepository, type NewSource } from '../../main/cache/sourceRepository.ts';

let root: string;
let cache: EvidenceCache;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'cache-'));
  cache = openCache({ folder: path.join(root, 'data') });
});
afterEach(() => {
  cache.close();
  fs.rmSync(root, { recursive: true, force: true });
});

describe('settings', () => {
  it('are any JSON, absent apart from null', () => {
    const settings = createSettingRepository(cache.db);
    settings.set('a', null);
    settings.set('b', [1, { x: 'ü' }]);
    settings.set('b', 'later');
    expect([settings.get('a'), settings.get('b'), settings.get('c')]).toEqual([null, 'later', undefined]);
    settings.remove('a');
    expect(settings.all()).toEqual({ b: 'later' });
  });
});

describe('jobs', () => {
  const job = (jobId: string, startedAtMs: number, state: Job['state']): Job => ({
    jobId: jobId as JobId,
    kind: 'import',
    title: jobId,
    startedAtMs,
    endedAtMs: null,
    state,
  });
  const running: Job['state'] = {
    status: 'running',
    progress: { stage: 'reading', done: 1, total: 2, unit: 'bytes', points: 3 },
  };

  it('are kept newest first, and what ran when the app ended was interrupted', () => {
    const jobs = createJobRepository(cache.db);
    jobs.save(job('job_1', 1, { status: 'canceled' }));
    jobs.save(job('job_2', 3, running));
    jobs.save(job('job_3', 2, running));
    expect(jobs.list().map((one) => one.jobId)).toEqual(['job_2', 'job_3', 'job_1']);
    expect(jobs.interruptRunning(9).map((one) => one.jobId)).toEqual(['job_2', 'job_3']);
    expect(jobs.get('job_2' as JobId)).toMatchObject({ endedAtMs: 9, state: { status: 'interrupted' } });
    expect(jobs.get('job_1' as JobId)).toMatchObject({ endedAtMs: null, state: { status: 'canceled' } });
    expect(jobs.interruptRunning(10)).toEqual([]);
    jobs.remove('job_2' as JobId);
    expect(jobs.get('job_2' as JobId)).toBeNull();
  });
});

describe('sources', () => {
  const entry: EntryReport = {
    name: 'export.csv',
    format: 'csv',
    status: 'partial',
    psns: ['P1'],
    trips: 1,
    points: 2,
    rows: 3,
    skipped: [{ where: 'line 3', reason: 'no time', count: 1 }],
    flagged: [],
    error: null,
  };
  const source = (digit: string, importedAtMs: number): NewSource => ({
    sourceId: `src_${digit}` as SourceId,
    sha256: digit.repeat(64),
    sizeBytes: 5,
    fileName: `${digit}.zip`,
    kind: 'export-zip',
    importedAtMs,
    readerVersion: '1',
    trips: 1,
    points: 2,
    skippedRows: 1,
    fromMs: null,
    toMs: 7,
    entries: [entry],
  });

  it('are listed latest first with their unknown cameras, and report what became of each entry', () => {
    const sources = createSourceRepository(cache.db);
    sources.insert(source('a', 1));
    sources.insert(source('b', 2));
    cache.db
      .exec(`INSERT INTO trip (trip_id, source_id, entry_ordinal, psn, assigned_psn, points, has_point_times, speed_unit, distance_m, west, south, east, north)
      VALUES ('t1', 'src_a', 0, NULL, NULL, 2, 1, 'kmh', 0, 0, 0, 0, 0), ('t2', 'src_a', 0, NULL, 'P', 2, 1, 'kmh', 0, 0, 0, 0, 0), ('t3', 'src_a', 0, 'Q', NULL, 2, 1, 'kmh', 0, 0, 0, 0, 0)`);
    expect(sources.list().map((one) => [one.sourceId, one.unknownCameraTrips])).toEqual([
      ['src_b', 0],
      ['src_a', 1],
    ]);
    expect(sources.report('src_a' as SourceId)).toMatchObject({
      readerVersion: '1',
      fromMs: null,
      toMs: 7,
      entries: [entry],
    });
    expect(sources.findBySha256('b'.repeat(64))?.sourceId).toBe('src_b');
    expect(sources.findBySha256('c'.repeat(64))).toBeNull();
    expect(sources.report('src_c' as SourceId)).toBeNull();
    expect(sources.remove('src_a' as SourceId)).toBe(true);
    expect(sources.remove('src_a' as SourceId)).toBe(false);
    expect(cache.db.prepare('SELECT count(*) FROM trip').pluck().get()).toBe(0);
  });

  it('with the same bytes are refused by the database itself', () => {
    const sources = createSourceRepository(cache.db);
    sources.insert(source('a', 1));
    expect(() => sources.insert({ ...source('a', 1), sourceId: 'src_x' as SourceId })).toThrow(/UNIQUE/);
  });
});

describe('a transaction', () => {
  it('takes everything back when its work fails, and joins one that is open', () => {
    const settings = createSettingRepository(cache.db);
    expect(() =>
      transact(cache.db, () => {
        settings.set('a', 1);
        transact(cache.db, () => settings.set('b', 2));
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(settings.all()).toEqual({});
    expect(cache.db.inTransaction).toBe(false);
  });

  it('shows other connections nothing before its end', () => {
    const other = openCacheConnection(cache.folder, 'read');
    try {
      const seen = createSettingRepository.bind(null, other.db as never);
      transact(cache.db, () => {
        createSettingRepository(cache.db).set('a', 1);
        expect(seen().all()).toEqual({});
      });
      expect(seen().all()).toEqual({ a: 1 });
    } finally {
      other.close();
    }
  });
});

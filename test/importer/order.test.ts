import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discardUpload } from '../../main/cache/uploads.ts';
import { runImport } from '../../main/importer/importJob.ts';
import {
  csvHeader,
  csvOf,
  csvRows,
  openTestCache,
  pointsOf,
  requireWhole,
  type TestCache,
} from './importing.ts';
import { rawZip } from './rawZip.ts';

/** Different kinds of files: bare, archives, with two trips, overlapping in content, and bad ones. */
const files: readonly Buffer[] = [
  Buffer.from(csvOf(40)),
  rawZip([{ name: 'camera-Van-P1.csv', data: csvOf(40) }]),
  rawZip([
    {
      name: 'export.csv',
      data: csvHeader + csvRows(20, 'P1', 1) + csvRows(20, 'P2', 1) + csvRows(5, 'P1', 1, 1_740_000_000),
    },
  ]),
  rawZip([
    { name: 'a.csv', data: csvOf(3, 'A') },
    { name: 'b.csv', data: csvOf(4, 'B'), central: { crc32: 1 }, local: { crc32: 1 } },
  ]),
  Buffer.from('PK\x03\x04 not really'),
];

/** All that an import leaves but who, when, and in which order. */
function stateOf(test: TestCache): unknown {
  const { db } = test.cache;
  const without = (row: unknown, ...keys: string[]): unknown =>
    Object.fromEntries(Object.entries(row as object).filter(([key]) => !keys.includes(key)));
  const sources = db.prepare<[], { source_id: string }>('SELECT * FROM source ORDER BY source_id').all();
  return {
    sources: sources.map((row) => without(row, 'imported_at_ms', 'file_name')),
    entries: db
      .prepare('SELECT * FROM source_entry ORDER BY source_id, ordinal')
      .all()
      .map((row) => {
        // A bare file's entry carries the file's name, which differs from import to import here.
        const report = JSON.parse((row as { report: string }).report) as { name: string };
        return {
          ...(without(row, 'name', 'report') as object),
          report: { ...report, name: /^\d+$/.test(report.name) ? '' : report.name },
        };
      }),
    trips: db
      .prepare('SELECT * FROM trip ORDER BY trip_id')
      .all()
      .map((row) => without(row, 'trip_key')),
    points: sources.map((row) => pointsOf(test.cache, row.source_id)),
    custody: db
      .prepare(`SELECT subject_id FROM custody_entry WHERE action = 'source.import' ORDER BY subject_id`)
      .pluck()
      .all(),
  };
}

async function importJobs(test: TestCache, jobs: readonly (readonly number[])[]): Promise<void> {
  let name = 0;
  for (const job of jobs) {
    const uploads = [];
    for (const index of job) uploads.push(await test.stage(String(name++), files[index]!));
    await runImport(test.cache, uploads, { actor: 'T' });
    for (const upload of uploads) discardUpload(test.folder, upload.uploadId);
  }
}

describe('imports', () => {
  it('lead to the same cache in any order, in any grouping into jobs, and however often they are repeated', async () => {
    const reference = openTestCache();
    await importJobs(reference, [files.map((_, i) => i)]);
    const expected = stateOf(reference);
    reference.close();
    const jobs = fc
      .tuple(
        fc.shuffledSubarray(
          files.map((_, i) => i),
          { minLength: files.length },
        ),
        fc.array(fc.nat(files.length - 1), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 11, maxLength: 11 }),
      )
      .map(([once, repeats, sizes]) => {
        const all = [...repeats, ...once];
        const grouped: number[][] = [];
        for (const size of sizes) if (all.length > 0) grouped.push(all.splice(0, size));
        return grouped;
      });
    await fc.assert(
      fc.asyncProperty(jobs, async (order) => {
        const test = openTestCache();
        try {
          await importJobs(test, order);
          expect(stateOf(test)).toEqual(expected);
          requireWhole(test.cache);
        } finally {
          test.close();
        }
      }),
      { numRuns: 25 },
    );
  });
});

import fs from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ImportedSource } from '../../shared/contract/imports.ts';
import { AppError } from '../../shared/errors.ts';
import { createSourceRepository } from '../../main/cache/sourceRepository.ts';
import { discardUpload, stageFile } from '../../main/cache/uploads.ts';
import { runImport } from '../../main/importer/importJob.ts';
import { createFaults } from './faults.ts';
import { csvOf, filesUnder, openTestCache, requireWhole, rowCounts, type TestCache } from './importing.ts';
import { rawZip } from './rawZip.ts';

let test: TestCache;
beforeEach(() => {
  test = openTestCache();
});
afterEach(() => test.close());

const bytes = rawZip([
  { name: 'camera-Van-P1.csv', data: csvOf(300) },
  { name: 'camera-Bus-P2.csv', data: csvOf(30, 'P2') },
]);

/** reliability.md, test plan: fault at N, N = 1, 2, 3 ... until nothing fails any more. */
it.each(['EIO', 'ENOSPC'] as const)(
  'whichever file or SQL call fails with %s, an import is whole or leaves nothing, and works the next time',
  async (code) => {
    const faults = await createFaults();
    const empty = rowCounts(test.cache);
    for (let n = 1; ; n++) {
      const upload = await test.stage('fleet.zip', bytes);
      let outcome: ImportedSource | undefined;
      let thrown: unknown;
      const hasFailed = await faults.during(n, code, async () => {
        try {
          outcome = (await runImport(test.cache, [upload], { actor: 'T', freeBytes: () => 1e12 })).sources[0];
        } catch (error) {
          thrown = error;
        }
      });
      discardUpload(test.folder, upload.uploadId);
      const at = `call ${n}`;
      expect(test.cache.db.inTransaction, at).toBe(false);
      requireWhole(test.cache);
      if (outcome?.status === 'imported') {
        expect(rowCounts(test.cache), at).toMatchObject({ source: 1, trip: 2, source_entry: 2 });
      } else {
        const error = outcome?.error ?? thrown;
        expect(error, at).toMatchObject({
          code: expect.stringMatching(/^(disk_full|file_unreadable)$/) as string,
        });
        if (thrown !== undefined) expect(thrown, at).toBeInstanceOf(AppError);
        // Custody entries of the imports before stay for ever.
        expect({ ...rowCounts(test.cache), custody_entry: 0 }, at).toEqual(empty);
        expect(
          Object.keys(filesUnder(`${test.folder}/blobs`)).filter((name) => !name.includes('damaged')),
          at,
        ).toEqual([]);
        expect(
          Object.keys(filesUnder(`${test.folder}/partial`)).filter((name) => !name.startsWith('adopting')),
          at,
        ).toEqual([]);
        expect(await test.importBytes('fleet.zip', bytes), at).toMatchObject({
          status: 'imported',
          points: 330,
        });
        requireWhole(test.cache);
      }
      const source = createSourceRepository(test.cache.db).list()[0]!;
      createSourceRepository(test.cache.db).remove(source.sourceId);
      test.cache.blobs.remove(source.sha256);
      if (!hasFailed) {
        expect(n).toBeGreaterThan(30);
        return;
      }
    }
  },
);

it.each(['EIO', 'ENOSPC'] as const)(
  'whichever file call fails with %s, a copy is whole or leaves nothing',
  async (code) => {
    const faults = await createFaults();
    const file = `${test.root}/export.zip`;
    fs.writeFileSync(file, bytes);
    for (let n = 1; ; n++) {
      let uploadId: Awaited<ReturnType<typeof stageFile>> | undefined;
      let thrown: unknown;
      const hasFailed = await faults.during(n, code, async () => {
        uploadId = await stageFile(test.folder, file).catch((error: unknown) => {
          thrown = error;
          return undefined;
        });
      });
      if (uploadId) {
        expect(fs.readFileSync(uploadId.path).equals(bytes)).toBe(true);
        discardUpload(test.folder, uploadId.uploadId);
      } else
        expect(thrown, `call ${n}`).toMatchObject({
          code: expect.stringMatching(/^(disk_full|file_unreadable)$/) as string,
        });
      expect(filesUnder(`${test.folder}/partial`), `call ${n}`).toEqual({});
      if (!hasFailed) {
        expect(n).toBeGreaterThan(8);
        return;
      }
    }
  },
);

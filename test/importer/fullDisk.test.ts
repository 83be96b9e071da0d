import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCache } from '../../main/cache/openCache.ts';
import { createSettingRepository } from '../../main/cache/settingRepository.ts';
import { createSourceRepository } from '../../main/cache/sourceRepository.ts';
import { stageFile } from '../../main/cache/uploads.ts';
import { csvHeader, filesUnder, openTestCache, requireWhole, rowCounts } from './importing.ts';

/** A real small disk. Making one needs root and the right to mount, which not every machine grants. */
function mount(folder: string, ...options: string[]): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', folder]).status === 0;
}
const canMount = (() => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mount-'));
  const isMounted = mount(folder, 'size=1m');
  if (isMounted) spawnSync('umount', [folder]);
  fs.rmSync(folder, { recursive: true, force: true });
  return isMounted;
})();

/** Random digits pack badly: the database needs nearly as much room as the file. */
function bigCsv(rows: number): string {
  const noise = randomBytes(rows * 12);
  let text = csvHeader;
  for (let i = 0; i < rows; i++) {
    const at = new Date(1_741_000_000_000 + i * 1000).toISOString();
    text += `P1,Van,${at},${noise.readUInt32LE(i * 12) / 1e8},${noise.readUInt32LE(i * 12 + 4) / 1e8},1,${noise.readUInt16LE(i * 12 + 8) % 360},${noise.readUInt16LE(i * 12 + 10) % 100}\n`;
  }
  return text;
}

describe.skipIf(!canMount)('on a small disk (needs root and mount)', () => {
  let disk: string;
  const filler = (): string => path.join(disk, 'filler');
  /** Leaves about `bytes` free. */
  function fillUpTo(bytes: number): void {
    fs.rmSync(filler(), { force: true });
    const { bavail, bsize } = fs.statfsSync(disk);
    fs.writeFileSync(filler(), Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
  }
  beforeEach(() => {
    disk = fs.mkdtempSync(path.join(os.tmpdir(), 'disk-'));
    if (!mount(disk, 'size=48m')) throw new Error('mount failed');
  });
  afterEach(() => {
    spawnSync('umount', ['-l', disk]);
    fs.rmSync(disk, { recursive: true, force: true });
  });

  it('an import that does not fit leaves nothing, says so, and works once there is room', async () => {
    const test = openTestCache(disk);
    const csv = bigCsv(60_000);
    const outside = path.join(os.tmpdir(), `${path.basename(disk)}.csv`);
    fs.writeFileSync(outside, csv);
    try {
      const seen = new Set<string>();
      for (let free = 0; free <= 14_000_000; free += 500_000) {
        fillUpTo(free);
        const files = filesUnder(`${test.folder}/blobs`);
        let said: string;
        try {
          // The check before the import is off: the disk itself shall refuse, at every possible moment.
          const upload = await stageFile(test.folder, outside, { freeBytes: () => 1e12 });
          fs.rmSync(`${upload.path}.json`);
          const { runImport } = await import('../../main/importer/importJob.ts');
          const { sources } = await runImport(test.cache, [upload], { actor: 'T', freeBytes: () => 1e12 });
          said = sources[0]!.error?.code ?? sources[0]!.status;
          fs.rmSync(upload.path, { force: true });
        } catch (thrown) {
          said = (thrown as { code: string }).code;
        }
        seen.add(said);
        fs.rmSync(filler());
        expect(test.cache.db.inTransaction).toBe(false);
        requireWhole(test.cache);
        expect(filesUnder(`${test.folder}/partial`)).toEqual({});
        if (said === 'imported') {
          expect(rowCounts(test.cache)).toMatchObject({ source: 1, trip: 1 });
          break;
        }
        expect(said).toBe('disk_full');
        expect(rowCounts(test.cache)).toMatchObject({ source: 0, trip: 0, trip_chunk: 0, custody_entry: 0 });
        expect(filesUnder(`${test.folder}/blobs`)).toEqual(files);
      }
      expect([...seen].sort()).toEqual(['disk_full', 'imported']);
    } finally {
      fs.rmSync(outside);
      test.close();
    }
  });

  it('the cache opens on a completely full disk by letting its ballast go', () => {
    const folder = path.join(disk, 'data');
    let cache = openCache({ folder });
    createSettingRepository(cache.db).set('a', 1);
    cache.close();
    expect(fs.existsSync(path.join(folder, 'ballast'))).toBe(true);
    fillUpTo(0);
    cache = openCache({ folder });
    expect(createSettingRepository(cache.db).get('a')).toBe(1);
    expect(createSourceRepository(cache.db).list()).toEqual([]);
    cache.close();
  });

  it('a full disk without ballast is named, and nothing is lost', () => {
    const folder = path.join(disk, 'data');
    const cache = openCache({ folder });
    createSettingRepository(cache.db).set('a', 1);
    cache.close();
    fs.rmSync(path.join(folder, 'ballast'));
    fillUpTo(0);
    expect(() => openCache({ folder }).close()).toThrow(
      expect.objectContaining({ code: 'disk_full' }) as Error,
    );
    fs.rmSync(filler());
    const again = openCache({ folder });
    expect(createSettingRepository(again.db).get('a')).toBe(1);
    again.close();
  });

  it('a first start on a full disk is refused, and works once there is room', () => {
    fillUpTo(0);
    const folder = path.join(disk, 'data');
    expect(() => openCache({ folder }).close()).toThrow(
      expect.objectContaining({ code: 'disk_full' }) as Error,
    );
    fs.rmSync(filler());
    openCache({ folder }).close();
  });

  it('a disk that may only be read is named', () => {
    const folder = path.join(disk, 'data');
    openCache({ folder }).close();
    expect(spawnSync('mount', ['-o', 'remount,ro', disk]).status).toBe(0);
    expect(() => openCache({ folder }).close()).toThrow(
      expect.objectContaining({
        code: 'no_permission',
        message: expect.stringContaining(folder) as string,
      }) as Error,
    );
  });
});

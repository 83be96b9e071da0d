import fs from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rawZip, type RawEntry, type RawZipOptions } from './rawZip.ts';
import { csvOf, filesUnder, openTestCache, rowCounts, type TestCache } from './importing.ts';

/** reliability.md "Import attacks" and formats.md section 5, the zip rows: each with the outcome named there. */
let test: TestCache;
beforeEach(() => {
  test = openTestCache();
});
afterEach(() => test.close());

const good: RawEntry = { name: 'export.csv', data: csvOf(50) };
const other: RawEntry = { name: 'camera-Bus-P2.csv', data: csvOf(30, 'P2') };

async function expectRefused(bytes: Buffer, code: string, said: RegExp): Promise<void> {
  const files = filesUnder(test.root);
  const rows = rowCounts(test.cache);
  const outcome = await test.importBytes('attack.zip', bytes);
  expect(outcome).toMatchObject({ status: 'failed', sourceId: null, trips: 0, points: 0, error: { code } });
  expect(outcome.error!.message).toMatch(said);
  expect(outcome.error!.remedy).toBeTruthy();
  expect(rowCounts(test.cache)).toEqual(rows);
  expect(filesUnder(test.root)).toEqual(files);
}

/** The bad entry is refused by name and reason, the good one imported, nothing written outside the data folder. */
async function expectOnlyGoodImported(
  bad: RawEntry,
  shown: string,
  said: RegExp,
  options?: RawZipOptions,
): Promise<void> {
  const outcome = await test.importBytes('attack.zip', rawZip([bad, good], options));
  expect(outcome).toMatchObject({ status: 'imported', points: 50, trips: 1 });
  expect(outcome.entries[0]).toMatchObject({ name: shown, status: 'failed', points: 0, trips: 0 });
  expect(outcome.entries[0]!.error).toMatch(said);
  expect(outcome.entries[1]).toMatchObject({ name: 'export.csv', status: 'imported', points: 50 });
  expect(rowCounts(test.cache)).toMatchObject({ source: 1, trip: 1, custody_entry: 1 });
  expect(fs.readdirSync(test.root)).toEqual(['data']);
}

describe('names that want to be paths', () => {
  it.each([
    ['../../etc/export.csv', '../../etc/export.csv', /outside the archive/],
    ['a/../../b.csv', 'a/../../b.csv', /outside the archive/],
    ['/etc/export.csv', '/etc/export.csv', /absolute/],
    ['C:\\export.csv', 'C:\\\\export.csv', /drive letter/],
    ['c:export.csv', 'c:export.csv', /drive letter/],
    ['\\\\server\\share\\export.csv', '\\\\\\\\server\\\\share\\\\export.csv', /network path/],
    ['//server/share/export.csv', '//server/share/export.csv', /network path/],
    ['sub\\..\\export.csv', 'sub\\\\..\\\\export.csv', /outside the archive/],
    ['sub\\export.csv', 'sub\\\\export.csv', /backslash/],
    ['export\0.csv', 'export\\u{0}.csv', /NUL/],
  ])('refuses the entry %j alone', async (name, shown, said) => {
    await expectOnlyGoodImported({ ...other, name }, shown, said);
  });

  it('refuses a name of 60,000 characters alone, and shows it cut', async () => {
    const outcome = await test.importBytes(
      'attack.zip',
      rawZip([{ ...other, name: `${'x'.repeat(60_000)}.csv` }, good]),
    );
    expect(outcome).toMatchObject({ status: 'imported', points: 50 });
    expect(outcome.entries[0]!.error).toMatch(/longer than/);
    expect(outcome.entries[0]!.name.length).toBeLessThan(300);
  });

  it.each(['CON.csv', 'aux.csv', 'nul.csv', 'com1.csv', 'trailing dot..csv', ' .csv'])(
    'imports the reserved name %j: it is only ever shown',
    async (name) => {
      const outcome = await test.importBytes('odd.zip', rawZip([{ ...other, name }, good]));
      expect(outcome).toMatchObject({ status: 'imported', points: 80 });
      expect(outcome.entries[0]).toMatchObject({ name, status: 'imported' });
    },
  );

  it('tells names apart that differ in letter case or in Unicode normalisation only', async () => {
    const twins = ['Export.csv', 'EXPORT.csv', 'caf\u00e9.csv', 'cafe\u0301.csv'].map((name, i) => ({
      name,
      data: csvOf(10 + i, `P${i}`),
    }));
    const outcome = await test.importBytes('twins.zip', rawZip([good, ...twins]));
    expect(outcome).toMatchObject({ status: 'imported', trips: 5, points: 50 + 10 + 11 + 12 + 13 });
    expect(outcome.entries.map((entry) => entry.points)).toEqual([50, 10, 11, 12, 13]);
  });

  it('shows characters that turn or hide text as escapes', async () => {
    const outcome = await test.importBytes(
      'rtl.zip',
      rawZip([{ ...other, name: 'camera-\u202Egpj\u200B-P2.csv' }, good]),
    );
    expect(outcome.entries[0]).toMatchObject({
      name: 'camera-\\u{202e}gpj\\u{200b}-P2.csv',
      status: 'imported',
    });
  });

  it('reads names that are not UTF-8 as code page 437', async () => {
    const outcome = await test.importBytes(
      'old.zip',
      rawZip([
        {
          ...other,
          flags: 0,
          name: Buffer.from([...Buffer.from('camera-B'), 0x81, ...Buffer.from('s-P2.csv')]),
        },
      ]),
    );
    expect(outcome.entries[0]).toMatchObject({ name: 'camera-Büs-P2.csv', status: 'imported' });
  });
});

describe('entries that are not plain files, or that can be read in two ways', () => {
  it.each([
    ['symbolic link', 0o120777, /symbolic link/],
    ['character device', 0o020666, /device/],
    ['block device', 0o060666, /device/],
    ['named pipe', 0o010666, /device or pipe/],
    ['socket', 0o140666, /device/],
  ])('refuses an archive with a %s', async (_, mode, said) => {
    await expectRefused(
      rawZip([good, { ...other, central: { attributes: mode * 0x10000 } }]),
      'archive_refused',
      said,
    );
  });

  it('refuses an archive with two entries of one name', async () => {
    await expectRefused(
      rawZip([good, { ...other, name: 'export.csv' }]),
      'archive_refused',
      /two entries named export\.csv/,
    );
  });

  it.each([
    ['name', { name: 'exporu.csv' }],
    ['method', { method: 0 }],
    ['flags', { flags: 0x801 }],
    ['checksum', { crc32: 1 }],
    ['size', { sizeBytes: 12 }],
    ['size', { packedBytes: 12 }],
  ])('refuses an archive whose local header lies about the %s', async (what, local) => {
    await expectRefused(
      rawZip([good, { ...other, local }]),
      'archive_refused',
      new RegExp(`contradict each other \\(${what}\\)`),
    );
  });

  it('refuses overlapping entries', async () => {
    const first = rawZip([good]);
    const inner: RawEntry = {
      name: 'export.csv',
      data: csvOf(50),
      isListedOnly: true,
      central: { offset: 0 },
    };
    // The second listing has its own name but the first one's data: its local header says another name.
    await expectRefused(rawZip([good, { ...inner, name: 'b.csv' }]), 'archive_refused', /contradict/);
    // A quine-like nest: the outer entry's stored data hold a whole further entry.
    const nested = first.subarray(0, first.length - 22 - 46 - 'export.csv'.length);
    const outer: RawEntry = { name: 'outer.csv', data: nested, method: 0 };
    await expectRefused(
      rawZip([outer, { ...inner, central: { offset: 30 + 'outer.csv'.length } }]),
      'archive_refused',
      /overlap/,
    );
  });

  it('refuses an entry that reaches into the directory', async () => {
    const packed = deflateRawSync(csvOf(30, 'P2'));
    const lies = { packedBytes: packed.length + 40 };
    await expectRefused(
      rawZip([good, { ...other, local: lies, central: lies }]),
      'archive_refused',
      /reaches into the directory/,
    );
  });

  it('refuses an entry that lies inside the directory', async () => {
    const size = rawZip([good]).length;
    await expectRefused(
      rawZip([good, { ...other, isListedOnly: true, central: { offset: size - 22 } }]),
      'archive_refused',
      /not where the directory says/,
    );
  });
});

describe('bombs', () => {
  it('stops one byte past the declared size, whatever the data go on to hold', async () => {
    const blank = Buffer.alloc(200_000_000, '\n');
    blank.write(csvOf(3));
    const packed = deflateRawSync(blank);
    const lies = { sizeBytes: 5_000_000 };
    const before = process.memoryUsage().arrayBuffers;
    await expectOnlyGoodImported(
      { name: 'bomb.csv', packed, local: lies, central: lies },
      'bomb.csv',
      /more than the 5000000 bytes it declares/,
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });

  it('does not even begin with an entry that says it grows 200 times beyond 64 MB', async () => {
    const lies = { sizeBytes: 70_000_000 };
    await expectOnlyGoodImported(
      { name: 'bomb.csv', packed: Buffer.alloc(68_000), local: lies, central: lies },
      'bomb.csv',
      /times its size/,
    );
  });

  it('refuses more than 20 GB together', async () => {
    const packed = Buffer.alloc(20_000_000);
    const lies = { sizeBytes: 3_900_000_000, packedBytes: packed.length };
    const many = Array.from({ length: 6 }, (_, i) => ({
      name: `${i}.csv`,
      packed,
      local: lies,
      central: lies,
    }));
    await expectRefused(rawZip(many), 'archive_too_large', /20 GB/);
  });

  it('refuses what would not leave 1 GB free, and says how much is needed', async () => {
    const outcome = await test.importBytes('big.zip', rawZip([good]), { freeBytes: () => 1024 ** 3 + 100 });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'disk_full' } });
    expect(outcome.error!.message).toMatch(/MB are needed/);
    expect(rowCounts(test.cache).source).toBe(0);
  });

  it('refuses 100,000 entries by their number alone', async () => {
    const directory = Buffer.alloc(46 * 100_000);
    await expectRefused(
      rawZip([], {
        zip64: { entries: 100_000n, size: BigInt(directory.length), offset: 0n },
        beforeDirectory: directory,
      }),
      'archive_too_large',
      /100,000 files/,
    );
    const many = Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}.txt`, method: 0 }));
    await expectRefused(rawZip(many), 'archive_too_large', /10,001 files/);
  });

  it('takes 10,000 entries', async () => {
    const many = Array.from({ length: 9_999 }, (_, i) => ({ name: `${i}.txt`, method: 0 }));
    const outcome = await test.importBytes('many.zip', rawZip([...many, good]));
    expect(outcome).toMatchObject({ status: 'imported', points: 50 });
    expect(outcome.entries).toHaveLength(10_000);
  });

  it('does not follow archives inside the archive', async () => {
    const outcome = await test.importBytes(
      'nest.zip',
      rawZip([{ name: 'inner.zip', data: rawZip([other]) }, good]),
    );
    expect(outcome).toMatchObject({ status: 'imported', points: 50 });
    expect(outcome.entries[0]).toMatchObject({ status: 'skipped', error: null });
    expect(outcome.entries[0]!.skipped).toEqual([
      { where: 'entry 1', reason: expect.stringMatching(/not opened/), count: 1 },
    ]);
  });

  it('refuses an entry whose packed size is not known', async () => {
    const lies = { packedBytes: 0 };
    await expectOnlyGoodImported(
      { ...other, packed: Buffer.alloc(0), central: lies },
      other.name as string,
      /packed size is unknown/,
    );
  });
});

describe('damaged entries', () => {
  const lied = (lie: RawEntry['local']): RawEntry => ({ ...other, local: lie!, central: lie! });

  it.each([
    ['a wrong checksum', lied({ crc32: 0x12345678 }), /checksum \(CRC-32\) does not match/],
    ['a size that is too large', lied({ sizeBytes: 100_000 }), /unpacks to \d+ bytes instead of the 100000/],
    ['a size that is too small', lied({ sizeBytes: 100 }), /more than the 100 bytes/],
    ['a stored size that contradicts itself', { ...lied({ sizeBytes: 5 }), method: 0 }, /sizes contradict/],
    [
      'packed data cut short',
      { ...other, packed: deflateRawSync(csvOf(30, 'P2')).subarray(0, 200) },
      /packed data|bytes instead/,
    ],
    [
      'packed data followed by more',
      { ...other, packed: Buffer.concat([deflateRawSync(csvOf(30, 'P2')), Buffer.alloc(50, 1)]) },
      /end before their declared size/,
    ],
    ['packed data that are noise', { ...other, packed: Buffer.alloc(500, 0xfe) }, /packed data are damaged/],
  ])('refuses the entry with %s, and keeps nothing of it', async (_, bad, said) => {
    await expectOnlyGoodImported(bad, other.name as string, said);
  });

  it('detects a flipped bit anywhere in the packed data of an entry', async () => {
    const bytes = rawZip([other, good]);
    const start = 30 + (other.name as string).length;
    const length = deflateRawSync(other.data as string).length;
    for (let at = start; at < start + length; at += 7) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << (at % 8);
      const outcome = await test.importBytes('flip.zip', flipped);
      expect(outcome.entries[0]).toMatchObject({ status: 'failed', points: 0 });
      expect(outcome.points).toBe(50);
      test.cache.db.exec('DELETE FROM source');
    }
  });

  it('says that an entry is encrypted, and imports the others', async () => {
    await expectOnlyGoodImported({ ...other, flags: 0x801 }, other.name as string, /encrypted/);
  });

  it('says it of the archive when everything in it is', async () => {
    await expectRefusedKeepingReports(
      rawZip([{ ...other, flags: 0x801 }, { name: 'readme.txt' }]),
      'archive_encrypted',
      /encrypted/,
    );
    await expectRefused(rawZip([{ ...other, flags: 0x841 }]), 'archive_encrypted', /encrypted/);
  });

  it.each([
    [9, /Deflate64/],
    [14, /LZMA/],
    [93, /Zstandard/],
    [77, /number 77/],
  ])('names packing method %i as unsupported, and imports the others', async (method, said) => {
    await expectOnlyGoodImported({ ...other, method }, other.name as string, said);
  });

  it('keeps nothing when every entry is bad', async () => {
    await expectRefusedKeepingReports(
      rawZip([lied({ crc32: 1 })]),
      'nothing_imported',
      /camera-Bus-P2\.csv.*CRC-32/,
    );
  });

  async function expectRefusedKeepingReports(bytes: Buffer, code: string, said: RegExp): Promise<void> {
    const files = filesUnder(test.root);
    const outcome = await test.importBytes('attack.zip', bytes);
    expect(outcome).toMatchObject({ status: 'failed', error: { code } });
    expect(outcome.error!.message).toMatch(said);
    expect(outcome.entries.length).toBeGreaterThan(0);
    expect(filesUnder(test.root)).toEqual(files);
  }
});

describe('archives that lie about themselves', () => {
  it('refuses an archive cut off anywhere', async () => {
    const whole = rawZip([good, other]);
    for (const length of [
      10,
      22,
      100,
      whole.length >> 1,
      whole.length - 30,
      whole.length - 22,
      whole.length - 1,
    ]) {
      const outcome = await test.importBytes('cut.zip', whole.subarray(0, length));
      expect(outcome.status).toBe('failed');
      expect(['archive_damaged', 'archive_refused']).toContain(outcome.error!.code);
    }
    expect(rowCounts(test.cache).source).toBe(0);
  });

  it('refuses an archive with no end record', async () => {
    await expectRefused(rawZip([good]).subarray(0, -22), 'archive_damaged', /no end record/);
    await expectRefused(Buffer.from('<html>log in first</html>'), 'archive_damaged', /it is no zip file/);
  });

  it('refuses two end records', async () => {
    const one = rawZip([good]);
    const secret = rawZip([other]);
    await expectRefused(
      Buffer.concat([one, secret]),
      'archive_refused',
      /nothing accounts for|two end records|past its end/,
    );
    // A second end record in the comment of the first, which other programs would find first.
    const end = one.subarray(one.length - 22);
    await expectRefused(rawZip([good], { end: { comment: end } }), 'archive_refused', /two end records/);
  });

  it('refuses bytes after the end', async () => {
    await expectRefused(
      Buffer.concat([rawZip([good]), Buffer.from('more')]),
      'archive_refused',
      /bytes follow/,
    );
  });

  it.each([
    ['a directory past the end', { end: { offset: 1_000_000 } }, 'archive_refused', /past its end/],
    ['a directory that begins too late', { end: { offset: 1 } }, 'archive_refused', /nothing accounts for/],
    ['too few entries in the list', { end: { entries: 1 } }, 'archive_refused', /not as long as it says/],
    ['more entries than the list has room for', { end: { entries: 60 } }, 'archive_refused', /too small/],
    ['one entry more than there are', { end: { entries: 3 } }, 'archive_damaged', /directory can't be read/],
    ['a further part', { end: { disk: 1, directoryDisk: 1 } }, 'archive_refused', /several parts/],
    ['entries on other parts', { end: { entriesHere: 1, entries: 2 } }, 'archive_refused', /several parts/],
    ['a gap before the end', { afterDirectory: Buffer.alloc(9) }, 'archive_refused', /nothing accounts for/],
  ] as const)('refuses %s', async (_, options, code, said) => {
    await expectRefused(
      rawZip([good, { ...other, name: 'camera-Bus-with-a-longer-name-P2.csv' }], options),
      code,
      said,
    );
  });

  it('reads an honest ZIP64 archive', async () => {
    expect(await test.importBytes('big.zip', rawZip([good, other], { zip64: {} }))).toMatchObject({
      status: 'imported',
      points: 80,
    });
  });

  it.each([
    [
      'another number of entries than the plain record',
      { zip64: { entries: 3n }, end: { entries: 2 } },
      /contradict/,
    ],
    ['another directory than the plain record', { zip64: { offset: 3n }, end: { offset: 77 } }, /contradict/],
    ['an impossible offset', { zip64: { offset: 2n ** 63n } }, /impossible/],
    ['an offset past the end', { zip64: { offset: 10n ** 12n } }, /past its end/],
    ['a record that is elsewhere', { zip64: { at: 5n } }, /not where it says/],
    ['a record past the end', { zip64: { at: 10n ** 15n } }, /not where it says/],
    ['several parts', { zip64: { disks: 2 } }, /several parts/],
    [
      'marks without a ZIP64 record',
      { end: { entries: 0xffff, size: 0xffffffff, offset: 0xffffffff } },
      /past its end/,
    ],
  ] as const)('refuses ZIP64 records that state %s', async (_, options, said) => {
    await expectRefused(rawZip([good, other], options), 'archive_refused', said);
  });

  it('takes folders, side files and other files for what they are', async () => {
    const extras = ['folder/', '__MACOSX/._export.csv', '._export.csv', 'readme.txt', 'Thumbs.db'].map(
      (name) => ({ name, method: 0 }),
    );
    const outcome = await test.importBytes('mac.zip', rawZip([...extras, good]));
    expect(outcome).toMatchObject({ status: 'imported', points: 50 });
    expect(
      outcome.entries.slice(0, 5).every((entry) => entry.status === 'skipped' && entry.skipped.length === 1),
    ).toBe(true);
  });
});

import { generateKeyPairSync, sign } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { deflateRawSync, crc32 } from 'node:zlib';
import canonicalize from 'canonicalize';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyPackage } from '../../main/evidence/verifier.ts';
import type { VerifyReport } from '../../shared/contract/packages.ts';
import { edit, failures, forgePackage, sha256, unpacked, type Change, type ForgeOptions } from './forgery.ts';
import { aCase, openWorld, run, temporaryFolder, type World } from './support.ts';

let world: World;
let out: string;
let sealed: Buffer;
let file: string;
/** Files of the bag by path below its folder, as `unzip` gives them. */
let content: Map<string, Buffer>;

beforeAll(async () => {
  world = openWorld();
  out = temporaryFolder();
  const { caseId } = await aCase(world, 6);
  file = path.join(out, 'bag.zip');
  await world.seal(caseId, file);
  sealed = fs.readFileSync(file);
  content = unpacked(file, path.join(out, 'x'));
});
afterAll(() => {
  world.close();
  fs.rmSync(out, { recursive: true, force: true });
});

async function check(bytes: Buffer): Promise<VerifyReport> {
  const target = path.join(out, 'tampered.zip');
  fs.writeFileSync(target, bytes);
  return verifyPackage(target);
}

const forge = (change: Change, options: ForgeOptions = {}): Buffer =>
  forgePackage(content, out, change, options);

describe('a package that was changed', () => {
  it('verifies while it is untouched', async () => {
    expect(failures(await check(sealed))).toBe('');
  });

  it('is refused when any single byte of it is another', async () => {
    const unnoticed: number[] = [];
    const unnamed: number[] = [];
    const target = path.join(out, 'flipped.zip');
    fs.writeFileSync(target, sealed);
    const descriptor = fs.openSync(target, 'r+');
    const headers = headerPlaces(sealed);
    for (let at = 0; at < sealed.length; at++) {
      // Every byte of every header and of the short files; of longer contents every 19th.
      if (!headers.has(at) && at % 19 !== 0) continue;
      fs.writeSync(descriptor, Buffer.from([sealed[at]! ^ (1 << (at % 8))]), 0, 1, at);
      const report = await verifyPackage(target);
      fs.writeSync(descriptor, sealed, at, 1, at);
      if (report.ok) unnoticed.push(at);
      else if (!/bag\/|data\/|\.txt|signature\/|zip/.test(failures(report))) unnamed.push(at);
    }
    fs.closeSync(descriptor);
    expect(unnoticed).toEqual([]);
    expect(unnamed).toEqual([]);
  });

  it('names the file in whose content a byte is another', async () => {
    for (const name of content.keys()) {
      const bytes = Buffer.from(sealed);
      const { start, length } = dataOf(bytes, `bag/${name}`);
      bytes[start + Math.floor(length / 2)]! ^= 0x10;
      const report = await check(bytes);
      expect(report.ok, name).toBe(false);
      expect(failures(report)).toContain(name);
    }
  });

  it('is refused when bits are another that unpacking does not show', async () => {
    // The unused bits after the end of a deflate stream: the content, its checksum and hashes stay the same.
    const { start, length } = dataOf(sealed, 'bag/data/evidence.json');
    const bytes = Buffer.from(sealed);
    bytes[start + length - 1]! ^= 0x80;
    const report = await check(bytes);
    expect(report.ok).toBe(false);
    expect(failures(report)).toContain('data/evidence.json');
  });

  it('is refused when it is cut off, or anything lies before, after or between', async () => {
    const { start } = dataOf(sealed, 'bag/data/tools.json');
    const cases: [string, Buffer][] = [
      ['cut off by one byte', sealed.subarray(0, -1)],
      ['cut off in the middle', sealed.subarray(0, sealed.length >> 1)],
      ['empty', Buffer.alloc(0)],
      ['one byte after', Buffer.concat([sealed, Buffer.from([0])])],
      ['junk before', Buffer.concat([Buffer.from('MZ'), sealed])],
      ['bytes between', Buffer.concat([sealed.subarray(0, start), Buffer.alloc(9), sealed.subarray(start)])],
      ['another zip after it', Buffer.concat([sealed, sealed])],
      ['random', Buffer.from(sha256(sealed).repeat(40), 'hex')],
    ];
    for (const [what, bytes] of cases) {
      const report = await check(bytes);
      expect(report.ok, what).toBe(false);
      expect(report.checks[0]).toMatchObject({ name: 'container', ok: false });
    }
  });

  it('is refused when it was unpacked and packed again by another program', async () => {
    const folder = path.join(out, 'repacked');
    fs.cpSync(path.join(out, 'x'), folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'zip.py'), repackScript);
    run('python3', ['zip.py'], folder);
    const report = await verifyPackage(path.join(folder, 're.zip'));
    expect(report.checks.filter((one) => !one.ok).map((one) => one.name)).toEqual([
      'container',
      'compressed-bytes',
    ]);
  });

  it('names a file that was added, removed or swapped', async () => {
    const csv = [...content.keys()].find((name) => name.endsWith('.csv'))!;
    const added = await check(forge((files) => files.set('data/extra.txt', Buffer.from('new'))));
    expect(failures(added)).toContain('data/extra.txt was added');
    const tag = await check(forge((files) => files.set('notes.txt', Buffer.from('new'))));
    expect(failures(tag)).toContain('notes.txt was added');
    const stamp = await check(forge((files) => files.set('signature/timestamp.tsr', Buffer.from('new'))));
    expect(failures(stamp)).toContain('signature/timestamp.tsr was added');
    const beside = await check(forge((files) => files.set('signature/other.pem', Buffer.from('new'))));
    expect(failures(beside)).toContain('signature/other.pem was added');
    const removed = await check(forge((files) => files.delete(csv)));
    expect(failures(removed)).toContain(`${csv} is missing`);
    const swapped = await check(
      forge((files) => files.set(csv, files.get([...files.keys()].find((name) => name.endsWith('.gpx'))!)!)),
    );
    expect(failures(swapped)).toContain(`${csv} was changed`);
  });

  it('is refused without any one of its own files', async () => {
    for (const name of content.keys()) {
      const report = await check(forge((files) => files.delete(name)));
      expect(report.ok, name).toBe(false);
      expect(failures(report)).toContain(name);
    }
  });

  it('is refused when the lists were made to fit but the signature could not be', async () => {
    const report = await check(
      forge(
        edit('data/tools.json', (text) => text.replace('0.1.0', '0.1.1')),
        { relist: true },
      ),
    );
    expect(report.checks.filter((one) => !one.ok).map((one) => one.name)).toEqual(['signature']);
    expect(failures(report)).toContain('signature/tagmanifest.sig');
    expect(report.signedBy).toBeNull();
  });

  it('that somebody signed anew with another key shows that key and says to compare it', async () => {
    const report = await check(forge(() => {}, { relist: true, resign: true }));
    expect(failures(report)).toBe('');
    const original = await verifyPackage(file);
    expect(report.signedBy).toMatch(/^[0-9a-f]{64}$/);
    expect(report.signedBy).not.toBe(original.signedBy);
    expect(report.checks.find((one) => one.name === 'signature')!.detail).toContain('compare it');
    const own = await verifyPackage(path.join(out, 'tampered.zip'), { ownFingerprint: original.signedBy });
    expect(own.isOwnSeal).toBe(false);
    expect((await verifyPackage(file, { ownFingerprint: original.signedBy })).isOwnSeal).toBe(true);
  });
});

it('a package whose signature and key alone were replaced is refused: the lists state the key', async () => {
  const pair = generateKeyPairSync('ed25519');
  const report = await check(
    forge((files) => {
      files.set(
        'signature/public-key.pem',
        Buffer.from(pair.publicKey.export({ type: 'spki', format: 'pem' })),
      );
      files.set(
        'signature/tagmanifest.sig',
        sign(null, files.get('tagmanifest-sha256.txt')!, pair.privateKey),
      );
    }),
  );
  expect(failures(report)).toMatch(/signature\/public-key\.pem is not the key that bag-info\.txt states/);
  expect(report.signedBy).toBeNull();
});

describe('the custody log in a package', () => {
  const log = 'data/custody.jsonl';
  const lines = (text: string): string[] => text.trimEnd().split('\n');
  const whole = { relist: true, resign: true };

  it('is refused when its last entries were cut off, even with every list and signature made anew', async () => {
    const cut = edit(log, (text) => `${lines(text).slice(0, -2).join('\n')}\n`);
    const report = await check(forge(cut, whole));
    expect(report.checks.filter((one) => !one.ok).map((one) => one.name)).toEqual(['custody-head']);
    expect(failures(report)).toContain('cut off');
    expect(failures(report)).toContain('data/custody-head.json');
    expect(failures(report)).toContain('bag-info.txt');
  });

  it('is refused when an entry was changed, taken out, swapped or put in', async () => {
    const relink = (entries: Record<string, unknown>[]): string => {
      let prev: string | null = null;
      return entries
        .map((entry, i) => {
          const unhashed: Record<string, unknown> = { ...entry, seq: i + 1, prev };
          delete unhashed.hash;
          prev = sha256(Buffer.from(canonicalize(unhashed)!));
          return `${canonicalize({ ...unhashed, hash: prev })}\n`;
        })
        .join('');
    };
    const parsed = (text: string) => lines(text).map((line) => JSON.parse(line) as Record<string, unknown>);
    const changes: [string, (text: string) => string, string][] = [
      ['changed', (text) => text.replace('Inge Vries', 'Inge Vrees'), 'entry 1 was changed'],
      ['taken out', (text) => `${lines(text).toSpliced(1, 1).join('\n')}\n`, 'entry 2 is out of sequence'],
      ['not canonical', (text) => text.replace('{', '{ '), 'entry 1 is not in canonical form'],
      ['not JSON', (text) => text.replace('{', '['), 'entry 1 is no JSON object'],
      ['cut in a line', (text) => text.slice(0, -5), 'is not a whole line'],
      ['empty', () => '', 'has no entries'],
      [
        'linked anew',
        (text) => relink(parsed(text).map((entry) => ({ ...entry, actor: 'X' }))),
        'custody-head',
      ],
      ['one more', (text) => relink([...parsed(text), parsed(text)[0]!]), 'custody-head'],
      ['deep', () => `${'[{"a":'.repeat(100_000)}\n`, 'entry 1 is no JSON object'],
    ];
    for (const [what, change, said] of changes) {
      const report = await check(forge(edit(log, change), whole));
      expect(report.ok, what).toBe(false);
      expect(failures(report), what).toContain(said);
    }
  });
});

describe('a package that contradicts itself', () => {
  const whole = { relist: true, resign: true };
  const evidence = 'data/evidence.json';
  const cases: [string, Change, string][] = [
    [
      'an original that is not the one stated',
      (files) => files.set('data/sources/export.zip', Buffer.from('other')),
      'data/sources/export.zip is not the original',
    ],
    [
      'a source too many',
      (files) => files.set('data/sources/more.zip', Buffer.from('x')),
      'data/sources/more.zip was added',
    ],
    ['another case', edit(evidence, (text) => text.replaceAll('case_', 'case_0')), 'is of another case'],
    [
      'a newer schema',
      edit(evidence, (text) => text.replace('"schemaVersion": 2', '"schemaVersion": 3')),
      'use a newer one',
    ],
    ['evidence that is no JSON', edit(evidence, (text) => text.slice(1)), 'is no JSON object'],
    [
      'lists of the wrong kind',
      edit(evidence, (text) => text.replace('"sources": [', '"sources": 7, "was": [')),
      'lacks its list',
    ],
    // An object with a `toString` of its own can't be made text, nor can a very deep list.
    ...['{"toString":1,"valueOf":1}', `${'['.repeat(20_000)}${']'.repeat(20_000)}`].flatMap(
      (hostile): [string, Change, string][] => [
        [
          `a trip whose id is ${hostile.slice(0, 12)}…`,
          edit(evidence, (text) =>
            text
              .replace(/"tripId": "[^"]*"/, `"tripId": ${hostile}`)
              .replaceAll(/"sourceSha256": "./g, '$&0'),
          ),
          'of a source that it does not state',
        ],
        [
          `an original whose path is ${hostile.slice(0, 12)}…`,
          edit(evidence, (text) => text.replace(/"path": "[^"]*"/, `"path": ${hostile}`)),
          'is missing or unreadable',
        ],
        [
          `a track file called ${hostile.slice(0, 12)}…`,
          edit(evidence, (text) => text.replace(/"files": \[/, `"files": [${hostile},`)),
          'is missing or unreadable',
        ],
        [
          `a custody end at ${hostile.slice(0, 12)}…`,
          edit('data/custody-head.json', (text) => text.replace(/"lastSeq": ?\d+/, `"lastSeq":${hostile}`)),
          'says that the custody log ends with entry (no text)',
        ],
      ],
    ),
  ];
  for (const [what, change, said] of cases) {
    it(`is refused: ${what}`, async () => {
      const report = await check(forge(change, whole));
      expect(report.ok).toBe(false);
      expect(failures(report)).toContain(said);
    });
  }

  it('is refused when a manifest names a path that leaves the bag', async () => {
    for (const hostile of [
      '../../etc/passwd',
      '/etc/passwd',
      'data/../../x',
      'C:/x',
      'data\\..\\x',
      'data/%0a../x',
    ]) {
      const files = forge((all) => {
        const list = all.get('manifest-sha256.txt')!.toString();
        all.set('manifest-sha256.txt', Buffer.from(`${list}${'0'.repeat(64)}  ${hostile}\n`));
      });
      const report = await check(files);
      expect(failures(report)).toMatch(/manifest-sha256\.txt names .* which leads out of the bag/);
    }
  });
});

describe('a hostile zip', () => {
  interface Raw {
    name: string;
    data: Buffer;
    size?: number;
    method?: number;
    crc?: number;
    mode?: number;
    flags?: number;
    packed?: Buffer;
  }
  /** Headers as the attacker likes them. */
  function rawZip(entries: readonly Raw[], declared?: number): Buffer {
    const parts: Buffer[] = [];
    const directory: Buffer[] = [];
    let offset = 0;
    for (const entry of entries) {
      const name = Buffer.from(entry.name);
      const packed = entry.packed ?? entry.data;
      const common = Buffer.alloc(22);
      common.writeUInt16LE(20, 0);
      common.writeUInt16LE(entry.flags ?? 0x800, 2);
      common.writeUInt16LE(entry.method ?? 0, 4);
      common.writeUInt16LE(0x21, 8);
      common.writeUInt32LE(entry.crc ?? crc32(entry.data), 10);
      common.writeUInt32LE(packed.length, 14);
      common.writeUInt32LE(entry.size ?? entry.data.length, 18);
      const lengths = Buffer.from([name.length & 255, name.length >> 8, 0, 0]);
      const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, lengths, name, packed]);
      const tail = Buffer.alloc(14);
      tail.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
      tail.writeUInt32LE(offset, 10);
      directory.push(
        Buffer.concat([Buffer.from('PK\x01\x02\x2d\x03', 'latin1'), common, lengths, tail, name]),
      );
      parts.push(local);
      offset += local.length;
    }
    const listing = Buffer.concat(directory);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(declared ?? entries.length, 8);
    end.writeUInt16LE(declared ?? entries.length, 10);
    end.writeUInt32LE(listing.length, 12);
    end.writeUInt32LE(offset, 16);
    return Buffer.concat([...parts, listing, end]);
  }
  const plain = (name: string): Raw => ({ name, data: Buffer.from('x') });

  const cases: [string, () => Buffer, RegExp][] = [
    ['a path that climbs out', () => rawZip([plain('bag/../../evil')]), /evil may lead out/],
    ['an absolute path', () => rawZip([plain('/etc/cron.d/x')]), /may lead out/],
    ['a drive letter', () => rawZip([plain('C:/x')]), /may lead out/],
    ['backslashes', () => rawZip([plain('bag\\..\\x')]), /may lead out/],
    ['a NUL in a name', () => rawZip([plain('bag/a\0b')]), /may lead out/],
    ['a direction override in a name', () => rawZip([plain('bag/\u202Egpj.exe')]), /\\u\{202e\}gpj\.exe/],
    ['two files of one name', () => rawZip([plain('bag/a'), plain('bag/a')]), /two files bag\/a/],
    ['names that differ in case', () => rawZip([plain('bag/a'), plain('bag/A')]), /one name on many systems/],
    ['a symbolic link', () => rawZip([{ ...plain('bag/a'), mode: 0o120777 }]), /symbolic link/],
    ['an encrypted file', () => rawZip([{ ...plain('bag/a'), flags: 0x801 }]), /encrypted/],
    ['an unknown method', () => rawZip([{ ...plain('bag/a'), method: 12 }]), /method 12 is unknown/],
    ['a wrong checksum', () => rawZip([{ ...plain('bag/a'), crc: 1 }]), /a was changed: its checksum/],
    ['a size that lies', () => rawZip([{ ...plain('bag/a'), size: 7 }]), /two different sizes/],
    ['more entries declared than there are', () => rawZip([plain('bag/a')], 9), /points to places|damaged/],
    [
      'a bomb that declares less than it holds',
      () => {
        const packed = deflateRawSync(Buffer.alloc(40 << 20));
        return rawZip([{ name: 'bag/data/b', data: Buffer.alloc(0), size: 1000, method: 8, packed }]);
      },
      /more of it than the zip says|holds more than the zip says/,
    ],
    [
      'a bomb that says what it is',
      () => {
        const data = Buffer.alloc(200 << 20);
        return rawZip([{ name: 'bag/data/b', data, method: 8, packed: deflateRawSync(data) }]);
      },
      /zip bomb/,
    ],
    [
      'bytes after a compressed end',
      () => {
        const data = Buffer.from('hello');
        const packed = Buffer.concat([deflateRawSync(data), Buffer.from('junk')]);
        return rawZip([{ name: 'bag/data/b', data, method: 8, packed }]);
      },
      /bytes after its compressed end/,
    ],
    [
      'sixty thousand entries',
      () => rawZip(Array.from({ length: 60_000 }, (_, i) => plain(`bag/data/${i}`))),
      /is missing or unreadable/,
    ],
  ];
  for (const [what, make, said] of cases) {
    it(`is a report, not a crash: ${what}`, async () => {
      const report = await check(make());
      expect(report.ok).toBe(false);
      expect(failures(report)).toMatch(said);
      expect(report.signedBy).toBeNull();
    });
  }

  it('is a report, not a crash: a 64-bit size that no file has', async () => {
    const bytes = Buffer.from(sealed);
    const at = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    const name = bytes.readUInt16LE(at + 28);
    const extra = Buffer.alloc(28, 0xff);
    extra.writeUInt32LE(0x00180001, 0);
    const record = Buffer.concat([bytes.subarray(at, at + 46 + name), extra]);
    record.writeUInt16LE(extra.length, 30);
    for (const place of [20, 24, 42]) record.writeUInt32LE(0xffffffff, place);
    const end = Buffer.from(bytes.subarray(-22));
    end.writeUInt32LE(end.readUInt32LE(12) + extra.length, 12);
    const rest = bytes.subarray(at + 46 + name, -22);
    const report = await check(Buffer.concat([bytes.subarray(0, at), record, rest, end]));
    expect(failures(report)).toContain('container: the directory of the zip is damaged at its record 1');
  });

  it('is a report in bounded memory: a directory of millions of records', async () => {
    const records = Buffer.alloc(46 * 2_700_000);
    records.writeUInt32LE(0x02014b50, 0);
    for (let done = 46; done < records.length; done *= 2) records.copy(records, done, 0, done);
    const end = Buffer.alloc(98);
    end.writeUInt32LE(0x06064b50, 0);
    for (const place of [24, 32]) end.writeBigUInt64LE(2_700_000n, place);
    end.writeBigUInt64LE(BigInt(records.length), 40);
    end.writeUInt32LE(0x06054b50, 76);
    end.fill(0xff, 84, 96);
    const report = await check(Buffer.concat([records, end]));
    expect(failures(report)).toContain('more files than any package holds: 2700000');
  });

  it('with overlapping entries is not read at all', async () => {
    const bytes = rawZip([plain('bag/a'), plain('bag/b'), plain('bag/c')]);
    const second = bytes.lastIndexOf(Buffer.from('bag/b')) - 4;
    bytes.writeUInt32LE(3, second); // offset of bag/b: inside bag/a
    const report = await check(bytes);
    expect(failures(report)).toMatch(/overlaps the file before it/);
    expect(report.files).toBe(0);
  });

  it('survives a megabyte of random changes', async () => {
    let seed = 7;
    const random = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.from(sealed);
      for (let i = 0; i < 1 + random(30); i++) bytes[random(bytes.length)] = random(256);
      const from = random(bytes.length);
      const shortened = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + random(50))]);
      const report = await check(shortened);
      if (!shortened.equals(sealed)) expect(report.ok).toBe(false);
    }
  });
});

it('a file that is not there or no file is an error with its name', async () => {
  await expect(verifyPackage(path.join(out, 'none.zip'))).rejects.toMatchObject({ code: 'file_vanished' });
  await expect(verifyPackage(out)).rejects.toMatchObject({ code: 'file_unreadable' });
  await expect(verifyPackage('/dev/null')).rejects.toMatchObject({ code: 'file_unreadable' });
  const pipe = path.join(out, 'pipe.zip');
  run('mkfifo', [pipe], out); // nobody will ever write into it
  await expect(verifyPackage(pipe)).rejects.toMatchObject({ code: 'file_unreadable' });
});

const repackScript = `
import zipfile, os
with zipfile.ZipFile('re.zip', 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as z:
    for root, dirs, names in os.walk('bag'):
        for name in names: z.write(os.path.join(root, name))
`;

/** Where an entry's content lies in a zip of the sealed form. */
function dataOf(bytes: Buffer, name: string): { start: number; length: number } {
  for (const one of entriesOf(bytes)) if (one.name === name) return one;
  throw new Error(`no ${name}`);
}

function* entriesOf(
  bytes: Buffer,
): Generator<{ name: string; header: number; start: number; length: number }> {
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50;) {
    const nameLength = bytes.readUInt16LE(at + 26);
    const start = at + 30 + nameLength + bytes.readUInt16LE(at + 28);
    const length = bytes.readUInt32LE(at + 18);
    yield { name: bytes.toString('utf8', at + 30, at + 30 + nameLength), header: at, start, length };
    at = start + length;
  }
}

/** Every place outside the contents of files longer than 300 bytes. */
function headerPlaces(bytes: Buffer): Set<number> {
  const places = new Set(bytes.keys());
  for (const { start, length } of entriesOf(bytes)) {
    if (length > 300) for (let at = start; at < start + length; at++) places.delete(at);
  }
  return places;
}

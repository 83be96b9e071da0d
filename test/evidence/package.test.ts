import { spawnSync } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyPackage } from '../../main/evidence/verifier.ts';
import type { AppError } from '../../shared/errors.ts';
import type { CaseId, SourceId } from '../../shared/ids.ts';
import {
  aCase,
  csvDrive,
  csvHeader,
  openWorld,
  run,
  startMs,
  temporaryFolder,
  type World,
} from './support.ts';

let world: World;
let out: string;
let caseId: CaseId;
let sourceId: SourceId;

beforeEach(async () => {
  world = openWorld();
  out = temporaryFolder();
  ({ caseId, sourceId } = await aCase(world));
});
afterEach(() => {
  world.close();
  fs.rmSync(out, { recursive: true, force: true });
});

/** Unpacks with the system's own program and returns the bag's folder. */
function unpack(file: string): string {
  const folder = fs.mkdtempSync(path.join(out, 'unpacked-'));
  run('unzip', ['-q', file, '-d', folder], out);
  const [bag] = fs.readdirSync(folder);
  return path.join(folder, bag!);
}

const sha = (algorithm: string, file: string): string =>
  createHash(algorithm).update(fs.readFileSync(file)).digest('hex');

function filesUnder(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

describe('a sealed package', () => {
  it('verifies with unzip, sha256sum, sha512sum and openssl, by the very commands of HOW-TO-VERIFY.txt', async () => {
    const file = path.join(out, 'PACKAGE.zip');
    await world.seal(caseId, file);
    const bag = unpack(file);
    const text = fs.readFileSync(path.join(bag, 'HOW-TO-VERIFY.txt'), 'utf8');
    const commands = [...text.matchAll(/^ {4}(\S.*)$/gm)].map((match) => match[1]!);
    const script = commands.filter((line) => !/openssl ts|evidence-desk/.test(line)).join('\n');
    expect(script).toContain('openssl pkeyutl -verify -rawin');
    const fresh = fs.mkdtempSync(path.join(out, 'stranger-'));
    fs.copyFileSync(file, path.join(fresh, 'PACKAGE.zip'));
    const said = run('sh', ['-e', '-c', `LC_ALL=C; export LC_ALL\n${script}`], fresh);
    expect(said).toContain('Signature Verified Successfully');
    expect(said).not.toContain('FAILED');
    const info = fs.readFileSync(path.join(bag, 'bag-info.txt'), 'utf8');
    const count = /Payload-Oxum: \d+\.(\d+)/.exec(info)![1]!;
    expect(said.split('\n')).toContain(count);
    expect(said).toContain(/key with|In this package it is\n\s+([0-9a-f]{64})/.exec(text)![1]!);
  });

  it('is a BagIt 1.0 bag by the rules of RFC 8493', async () => {
    const file = path.join(out, 'bag.zip');
    await world.seal(caseId, file);
    const bag = unpack(file);
    expect(path.basename(bag)).toBe('bag');
    expect(fs.readFileSync(path.join(bag, 'bagit.txt'), 'utf8')).toBe(
      'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    );
    const payload = filesUnder(path.join(bag, 'data')).map((name) => `data/${name}`);
    for (const [list, algorithm] of [
      ['manifest-sha256.txt', 'sha256'],
      ['manifest-sha512.txt', 'sha512'],
    ] as const) {
      const lines = fs.readFileSync(path.join(bag, list), 'utf8').trimEnd().split('\n');
      const listed = new Map(lines.map((line) => [line.slice(line.indexOf('  ') + 2), line.split('  ')[0]]));
      expect([...listed.keys()].sort()).toEqual(payload);
      for (const [name, hash] of listed) expect(sha(algorithm, path.join(bag, name))).toBe(hash);
    }
    const tags = fs.readFileSync(path.join(bag, 'tagmanifest-sha256.txt'), 'utf8').trimEnd().split('\n');
    for (const line of tags) {
      const [hash, name] = line.split('  ');
      expect(sha('sha256', path.join(bag, name!))).toBe(hash);
    }
    const info = new Map(
      fs
        .readFileSync(path.join(bag, 'bag-info.txt'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
    );
    const bytes = payload.reduce((sum, name) => sum + fs.statSync(path.join(bag, name)).size, 0);
    expect(info.get('Payload-Oxum')).toBe(`${bytes}.${payload.length}`);
    expect(info.get('External-Identifier')).toBe(caseId);
    expect(info.get('Source-Organization')).toBe('Noordvracht');
    expect(info.get('Bag-Software-Agent')).toBe('Evidence Desk 0.1.0');
    expect(info.get('Bagging-Date')).toMatch(/^\d{4}-\d\d-\d\d$/);
    const key = createPublicKey(fs.readFileSync(path.join(bag, 'signature/public-key.pem')));
    const signature = fs.readFileSync(path.join(bag, 'signature/tagmanifest.sig'));
    expect(verify(null, fs.readFileSync(path.join(bag, 'tagmanifest-sha256.txt')), key, signature)).toBe(
      true,
    );
  });

  it('holds the original bit for bit and says what is in it, what was left out and how the clock is known', async () => {
    const file = path.join(out, 'bag.zip');
    const sealed = await world.seal(caseId, file);
    expect(sealed.sha256).toBe(sha('sha256', file));
    expect(sealed.sizeBytes).toBe(fs.statSync(file).size);
    const bag = unpack(file);
    const original = path.join(bag, 'data/sources/export.zip');
    expect(fs.readFileSync(original).equals(fs.readFileSync(path.join(world.folder, 'export.zip')))).toBe(
      true,
    );
    const evidence = JSON.parse(fs.readFileSync(path.join(bag, 'data/evidence.json'), 'utf8'));
    expect(evidence).toMatchObject({
      schemaVersion: 2,
      case: { caseId, name: 'Crossing 12/3: claim' },
      notes: [{ text: 'Seen at the lights.' }],
      nothingLeftOut: true,
      sources: [{ sourceId, sha256: sha('sha256', original), path: 'data/sources/export.zip', points: 24 }],
    });
    const [first] = evidence.coverage.trips;
    const positions = first.streams.find((one: { stream: string }) => one.stream === 'positions');
    expect(positions).toMatchObject({ absent: 0, missingSeconds: 101, statement: '1 gap, 101 s missing' });
    const speed = first.streams.find((one: { stream: string }) => one.stream === 'speed');
    expect(speed.statement).toContain('absent at 2 points');
    expect(evidence.trips[0].maxSpeed).toMatchObject({ basis: 'recorded' });
    expect(evidence.trips[0].distance.basis).toBe('computed from positions');
    const clock = JSON.parse(fs.readFileSync(path.join(bag, 'data/clock.json'), 'utf8'));
    expect(clock.sources[0]).toMatchObject({ zone: 'UTC', uncertaintySeconds: null, setBy: null });
    const report = await verifyPackage(file);
    expect(report.checks.filter((check) => !check.ok)).toEqual([]);
    expect(report).toMatchObject({ ok: true, files: sealed.files });
  });

  it('says "none missing" aloud', async () => {
    const file = path.join(world.folder, 'whole.csv');
    fs.writeFileSync(
      file,
      `${[csvHeader, ...csvDrive('P9', 'Van', 1, 5, startMs + 3_600_000)].join('\n')}\n`,
    );
    const { caseId: other } = await world.cases['cases.create']({ name: 'Whole' });
    await world.cases['cases.add']({
      caseId: other,
      refs: [{ kind: 'source', sourceId: await world.importFile(file) }],
    });
    await world.seal(other, path.join(out, 'whole.zip'));
    const bag = unpack(path.join(out, 'whole.zip'));
    const evidence = JSON.parse(fs.readFileSync(path.join(bag, 'data/evidence.json'), 'utf8'));
    expect(evidence.coverage.trips[0].streams[0].statement).toBe('none missing');
    expect(evidence.coverage.cameras[0].statement).toBe('none missing');
  });

  it('gives the same payload byte for byte when the same case is sealed again', async () => {
    await world.seal(caseId, path.join(out, 'one.zip'));
    await world.seal(caseId, path.join(out, 'two.zip'), {}, startMs + 9e9);
    const [one, two] = [unpack(path.join(out, 'one.zip')), unpack(path.join(out, 'two.zip'))];
    for (const list of ['manifest-sha256.txt', 'manifest-sha512.txt']) {
      expect(fs.readFileSync(path.join(two, list), 'utf8')).toBe(
        fs.readFileSync(path.join(one, list), 'utf8'),
      );
    }
    expect(fs.readFileSync(path.join(two, 'bag-info.txt'), 'utf8')).not.toBe(
      fs.readFileSync(path.join(one, 'bag-info.txt'), 'utf8'),
    );
  });

  it('gives the same tracks and sources on another machine', async () => {
    const elsewhere = openWorld();
    try {
      const other = await aCase(elsewhere);
      await world.seal(caseId, path.join(out, 'one.zip'));
      await elsewhere.seal(other.caseId, path.join(out, 'two.zip'));
      const listOf = (name: string): string[] =>
        fs
          .readFileSync(path.join(unpack(path.join(out, name)), 'manifest-sha256.txt'), 'utf8')
          .split('\n')
          .filter((line) => /data\/(?:tracks|sources)\//.test(line));
      expect(listOf('one.zip')).toHaveLength(7);
      expect(listOf('two.zip')).toEqual(listOf('one.zip'));
    } finally {
      elsewhere.close();
    }
  });

  it('cuts tracks to the range, leaves originals out when asked, and says both', async () => {
    const file = path.join(out, 'cut.zip');
    await world.seal(caseId, file, { fromMs: startMs + 2000, toMs: startMs + 4000, originals: 'none' });
    const bag = unpack(file);
    expect(filesUnder(bag).some((name) => name.startsWith('data/sources/'))).toBe(false);
    const evidence = JSON.parse(fs.readFileSync(path.join(bag, 'data/evidence.json'), 'utf8'));
    expect(evidence.originals).toBe('none');
    expect(evidence.sources[0].path).toBeNull();
    expect(evidence.trips.map((trip: { points: number }) => trip.points)).toEqual([2, 2]);
    expect(evidence.trips[0]).toMatchObject({
      startedAt: '2026-03-02T08:00:02Z',
      endedAt: '2026-03-02T08:00:03Z',
      isCutToRange: true,
    });
    expect(evidence.leftOut.map((one: { what: string }) => one.what).join('\n')).toMatch(
      /10 of 12 points[^]*original file "export\.zip"/,
    );
    const csv = filesUnder(bag).find((name) => name.endsWith('.csv'))!;
    const rows = fs.readFileSync(path.join(bag, csv), 'utf8').trimEnd().split('\r\n');
    expect(rows).toHaveLength(3);
    expect((await verifyPackage(file)).ok).toBe(true);
  });

  it('is refused by name when there is nothing to seal, or the range is empty', async () => {
    const { caseId: empty } = await world.cases['cases.create']({ name: 'Empty' });
    const file = path.join(out, 'no.zip');
    await expect(world.seal(empty, file)).rejects.toMatchObject({ code: 'case_empty' });
    await expect(world.seal(caseId, file, { fromMs: 5, toMs: 5 })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(world.seal('case_none' as CaseId, file)).rejects.toMatchObject({ code: 'not_found' });
    expect(fs.readdirSync(out)).toEqual([]);
  });

  it('leaves nothing behind when it is canceled, at whatever stage', async () => {
    for (const stage of ['packing', 'checking']) {
      const abort = new AbortController();
      const sealing = world.seal(caseId, path.join(out, 'bag.zip'), {}, startMs, {
        signal: abort.signal,
        onProgress: (progress) => {
          if (progress.stage === stage) abort.abort();
        },
      });
      await expect(sealing, stage).rejects.toMatchObject({ code: 'canceled' });
      expect(fs.readdirSync(out)).toEqual([]);
    }
  });

  it('leaves nothing behind on a disk that becomes full', async ({ skip }) => {
    const small = path.join(out, 'small');
    fs.mkdirSync(small);
    const file = path.join(world.folder, 'long.csv');
    fs.writeFileSync(file, `${[csvHeader, ...csvDrive('P9', 'Van', 1, 20_000)].join('\n')}\n`);
    const refs = [{ kind: 'source' as const, sourceId: await world.importFile(file) }];
    await world.cases['cases.add']({ caseId, refs });
    // Too small for the first file, for the middle of a compressed one, for the original.
    for (const size of ['4k', '64k', '300k', '900k']) {
      try {
        run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', small], out);
      } catch {
        skip('a small tmpfs can only be mounted by root on Linux');
      }
      try {
        await expect(world.seal(caseId, path.join(small, 'bag.zip'))).rejects.toMatchObject({
          code: 'disk_full',
          remedy: expect.stringContaining('Free some space'),
        });
        expect(fs.readdirSync(small)).toEqual([]);
      } finally {
        run('umount', [small], out);
      }
    }
  });

  it('leaves no half package under its name when the process is killed, and can be sealed again', async () => {
    const file = path.join(out, 'bag.zip');
    world.cache.close();
    const script = path.join(import.meta.dirname, 'killedSeal.ts');
    for (const at of ['1', '5', 'checking']) {
      const ended = spawnSync(process.execPath, [script, world.folder, caseId, file, at]);
      expect(ended.signal, ended.stderr.toString()).toBe('SIGKILL');
      expect(fs.existsSync(file)).toBe(false);
    }
    const { folder } = world;
    world = openWorld(folder);
    await world.seal(caseId, file);
    expect((await verifyPackage(file)).ok).toBe(true);
  });

  it('never overwrites a file that is there', async () => {
    const file = path.join(out, 'there.zip');
    fs.writeFileSync(file, 'mine');
    await expect(world.seal(caseId, file)).rejects.toMatchObject({ code: 'out_exists' });
    expect(fs.readFileSync(file, 'utf8')).toBe('mine');
    await expect(world.seal(caseId, path.join(out, 'nowhere', 'x.zip'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('says so when the name it is to have can not even be looked at', async () => {
    await expect(world.seal(caseId, path.join(out, `${'x'.repeat(300)}.zip`))).rejects.toMatchObject({
      code: 'no_permission',
      message: expect.stringContaining(out) as string,
    });
    fs.writeFileSync(path.join(out, 'file'), '');
    await expect(world.seal(caseId, path.join(out, 'file', 'x.zip'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('refuses an original that changed on disk or is gone, naming it, and leaves nothing behind', async () => {
    const blob = world.cache.blobs.pathOf(sha('sha256', path.join(world.folder, 'export.zip')));
    const bytes = fs.readFileSync(blob);
    bytes[40]! ^= 1;
    fs.chmodSync(blob, 0o600);
    fs.writeFileSync(blob, bytes);
    const file = path.join(out, 'bag.zip');
    const refused = await world.seal(caseId, file).catch((thrown: AppError) => thrown);
    expect(refused).toMatchObject({ code: 'blob_changed', message: expect.stringContaining('export.zip') });
    fs.truncateSync(blob, 10);
    await expect(world.seal(caseId, file)).rejects.toMatchObject({ code: 'blob_changed' });
    fs.rmSync(blob);
    await expect(world.seal(caseId, file)).rejects.toMatchObject({ code: 'blob_missing' });
    expect(fs.readdirSync(out)).toEqual([]);
  });

  it('with an original large enough for threads has the right hashes, and still finds a changed byte', async () => {
    const bytes = Buffer.alloc(40 << 20, 'not very random ');
    const hash = createHash('sha256').update(bytes).digest('hex');
    const blob = world.cache.blobs.pathOf(hash);
    fs.mkdirSync(path.dirname(blob), { recursive: true });
    fs.writeFileSync(blob, bytes);
    world.cache.db.prepare('UPDATE source SET sha256 = ?, size_bytes = ?').run(hash, bytes.length);
    const file = path.join(out, 'large.zip');
    const sealed = await world.seal(caseId, file);
    expect(sealed.sha256).toBe(sha('sha256', file));
    const bag = unpack(file);
    for (const algorithm of ['sha256', 'sha512']) {
      expect(run(`${algorithm}sum`, ['-c', `manifest-${algorithm}.txt`], bag)).not.toContain('FAILED');
    }
    expect((await verifyPackage(file)).ok).toBe(true);
    const descriptor = fs.openSync(blob, 'r+');
    fs.writeSync(descriptor, Buffer.from('X'), 0, 1, 39 << 20);
    fs.closeSync(descriptor);
    await expect(world.seal(caseId, path.join(out, 'no.zip'))).rejects.toMatchObject({
      code: 'blob_changed',
    });
    expect(fs.existsSync(path.join(out, 'no.zip'))).toBe(false);
  });

  it('is never made from a custody log that is not whole', async () => {
    world.cache.db.exec('DROP TRIGGER custody_no_update');
    world.cache.db.exec("UPDATE custody_entry SET actor = 'Mallory' WHERE seq = 2");
    await expect(world.seal(caseId, path.join(out, 'bag.zip'))).rejects.toMatchObject({
      code: 'cache_corrupt',
    });
    expect(fs.readdirSync(out)).toEqual([]);
  });

  it('holds cameras with hostile names under portable names', async () => {
    const names = ['../../etc/passwd', 'CON', 'Ünïcode/Ключ', 'a'.repeat(500), '-rf', 'x\u202Egpj'];
    const rows = names.flatMap((name, i) => csvDrive(`H${i}`, name, i, 3));
    const file = path.join(world.folder, 'hostile names; rm -rf.csv');
    fs.writeFileSync(file, `${[csvHeader, ...rows].join('\n')}\n`);
    const { caseId: hostile } = await world.cases['cases.create']({ name: '../<b>&"\u202E' });
    const refs = [{ kind: 'source' as const, sourceId: await world.importFile(file) }];
    await world.cases['cases.add']({ caseId: hostile, refs });
    const sealed = path.join(out, 'hostile.zip');
    await world.seal(hostile, sealed);
    expect((await verifyPackage(sealed)).checks.filter((check) => !check.ok)).toEqual([]);
    for (const name of filesUnder(unpack(sealed))) {
      expect(name).toMatch(/^[A-Za-z0-9 ._()+=/-]+$/);
      expect(name.length).toBeLessThan(160);
    }
  });
});

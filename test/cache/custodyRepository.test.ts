import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createCustodyRepository,
  custodyHash,
  type CustodyRepository,
} from '../../main/cache/custodyRepository.ts';
import { transact } from '../../main/cache/database.ts';
import { openCache, openCacheConnection, type EvidenceCache } from '../../main/cache/openCache.ts';
import { createPackageRepository } from '../../main/cache/packageRepository.ts';
import type { CaseId, PackageId } from '../../shared/ids.ts';

let folder: string;
let cache: EvidenceCache;
let custody: CustodyRepository;
const caseId = 'case_1' as CaseId;
const at = Date.parse('2026-03-02T08:00:00.123Z');
const draft = (id: string, detail: Record<string, unknown> = {}) => ({
  actor: 'Inge',
  action: 'trip.view' as const,
  subject: { kind: 'trip', id, sha256: null },
  detail,
});

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'custody-'));
  cache = openCache({ folder });
  custody = createCustodyRepository(cache.db, () => at);
});
afterEach(() => {
  cache.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('the chain of custody', () => {
  it('links each entry to the one before by a hash that can be computed by hand', () => {
    expect(custody.head()).toBeNull();
    const first = custody.append(draft('t1', { b: 1, a: 'x' }));
    const second = custody.append(draft('t2'));
    expect(first).toMatchObject({ seq: 1, at: '2026-03-02T08:00:00.123Z', prev: null });
    const canonical =
      '{"action":"trip.view","actor":"Inge","at":"2026-03-02T08:00:00.123Z","detail":{"a":"x","b":1},' +
      '"prev":null,"seq":1,"subject":{"id":"t1","kind":"trip","sha256":null}}';
    expect(first.hash).toBe(createHash('sha256').update(canonical).digest('hex'));
    expect(second).toMatchObject({ seq: 2, prev: first.hash });
    expect(custody.head()).toEqual({ count: 2, lastSeq: 2, lastHash: second.hash });
    expect(custody.list()).toEqual([first, second]);
    expect(custody.verifyChain()).toEqual({ isWhole: true, count: 2 });
  });

  it('keeps whatever detail it is given so that it hashes the same after reading it back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.string(), (detail, id) => {
        const entry = custody.append(draft(`${id}\uD800`, { ...detail, lost: undefined, none: NaN }));
        const [read] = custody.list({ afterSeq: entry.seq - 1 });
        expect(read).toEqual(entry);
        expect(custodyHash(read!)).toBe(entry.hash);
      }),
      { numRuns: 50 },
    );
    expect(custody.verifyChain().isWhole).toBe(true);
  });

  it('is kept or undone together with the change it records', () => {
    expect(() =>
      transact(cache.db, () => {
        custody.append(draft('t1'));
        throw new Error('the change failed');
      }),
    ).toThrow('the change failed');
    expect(custody.head()).toBeNull();
    expect(custody.appendOnce(draft('t1'))).not.toBeNull();
  });

  it('can not be changed or shortened through SQL', () => {
    custody.append(draft('t1'));
    expect(() => cache.db.exec("UPDATE custody_entry SET actor = 'x'")).toThrow('append-only');
    expect(() => cache.db.exec('DELETE FROM custody_entry')).toThrow('append-only');
    expect(() => cache.db.exec('UPDATE custody_case SET case_id = 1')).not.toThrow();
  });

  it('goes on in one line when two connections append', () => {
    const other = openCacheConnection(folder, 'write');
    const theirs = createCustodyRepository(other.db, () => at);
    for (let i = 0; i < 5; i++) {
      custody.append(draft(`a${i}`));
      theirs.append(draft(`b${i}`));
    }
    other.close();
    expect(custody.verifyChain()).toEqual({ isWhole: true, count: 10 });
  });

  it('lists what concerns a case, page by page', () => {
    for (let i = 0; i < 6; i++) custody.append(i % 2 ? draft(`t${i}`) : { ...draft(`t${i}`), caseId });
    expect(custody.count()).toBe(6);
    expect(custody.count(caseId)).toBe(3);
    expect(custody.list({ caseId }).map((entry) => entry.seq)).toEqual([1, 3, 5]);
    expect(custody.list({ caseId, afterSeq: 1, limit: 1 }).map((entry) => entry.seq)).toEqual([3]);
    expect([...custody.each(2)].map((entry) => entry.seq)).toEqual([1, 2]);
  });

  it('records a first view once, also over a restart', () => {
    expect(custody.appendOnce(draft('t1'))).not.toBeNull();
    expect(custody.appendOnce(draft('t1'))).toBeNull();
    expect(createCustodyRepository(cache.db).appendOnce(draft('t1'))).toBeNull();
    expect(custody.appendOnce(draft('t2'))).not.toBeNull();
  });
});

describe('a chain that somebody changed behind the triggers', () => {
  beforeEach(() => {
    for (let i = 1; i <= 4; i++) custody.append(draft(`t${i}`));
    cache.db.exec('DROP TRIGGER custody_no_update; DROP TRIGGER custody_no_delete;');
  });
  const broken = (sql: string) => {
    cache.db.exec(sql);
    return custody.verifyChain();
  };

  it('is found out at the changed entry', () => {
    expect(broken("UPDATE custody_entry SET detail = '{}x' WHERE seq = 3")).toMatchObject({ brokenAtSeq: 3 });
    expect(broken("UPDATE custody_entry SET actor = 'Mallory' WHERE seq = 2")).toMatchObject({
      isWhole: false,
      brokenAtSeq: 2,
      reason: 'entry 2 was changed after it was written',
    });
  });

  it('is found out where an entry is missing or linked anew', () => {
    expect(broken("UPDATE custody_entry SET prev = 'x' WHERE seq = 4")).toMatchObject({ brokenAtSeq: 4 });
    expect(broken('DELETE FROM custody_entry WHERE seq = 2')).toMatchObject({ reason: 'entry 2 is missing' });
  });

  it('is found out when its tail was cut off behind what a package has pinned', () => {
    createPackageRepository(cache.db).add(
      {
        packageId: 'package_1' as PackageId,
        caseId,
        fileName: 'claim.zip',
        sha256: '0'.repeat(64),
        sizeBytes: 1,
        files: 1,
        sealedAtMs: at,
        signedBy: '1'.repeat(64),
        custodyHead: custody.head()!.lastHash,
        range: { fromMs: null, toMs: null },
      },
      '/nowhere/claim.zip',
    );
    expect(custody.verifyChain().isWhole).toBe(true);
    expect(broken('DELETE FROM custody_entry WHERE seq = 4')).toMatchObject({
      isWhole: false,
      reason: expect.stringContaining('claim.zip'),
    });
  });
});

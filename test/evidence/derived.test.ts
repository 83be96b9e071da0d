import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClockRepository } from '../../main/cache/clockRepository.ts';
import { verifyPackage } from '../../main/evidence/verifier.ts';
import type { Derived } from '../../shared/contract/derived.ts';
import type { CaseId, ClipId } from '../../shared/ids.ts';
import {
  closeClipCase,
  folderOf,
  frontBytes,
  jsonOf,
  openClipCase,
  sealedFiles,
  type ClipCase,
} from './clipCase.ts';
import { aDerived, clipName, clipStartMs } from './clipSupport.ts';
import { edit, failures, forgePackage, sha256, unpacked, type Change } from './forgery.ts';
import type { World } from './support.ts';

let bench: ClipCase;
let world: World;
let out: string;
let caseId: CaseId;
let front: ClipId;
beforeEach(async () => {
  bench = await openClipCase();
  ({ world, out, caseId, front } = bench);
});
afterEach(() => closeClipCase(bench));
const sealed = (): Promise<Map<string, Buffer>> => sealedFiles(bench);

describe('stills and trims in a package', () => {
  let still: Derived;
  let trim: Derived;
  beforeEach(async () => {
    still = await aDerived(world, caseId, front, 'still', Buffer.from('PNG of a frame'));
    await aDerived(world, caseId, front, 'stamped-still', Buffer.from('PNG with a text'));
    trim = await aDerived(world, caseId, front, 'trim', Buffer.from('MP4 of two seconds'));
  });

  it('lie with their recipes, stills named by clip, frame time and UTC, trims with their telemetry', async () => {
    const content = await sealed();
    const snapshot = 'data/snapshots/20260314_173210_EF_5.000s_2026-03-14T223215.000Z.png';
    expect(folderOf(content, 'snapshots')).toEqual([snapshot, `${snapshot}.recipe.json`]);
    expect(folderOf(content, 'derived')).toEqual([
      'data/derived/20260314_173210_EF-stamped.png',
      'data/derived/20260314_173210_EF-stamped.png.recipe.json',
      'data/derived/20260314_173210_EF-trim.mp4',
      'data/derived/20260314_173210_EF-trim.mp4.csv',
      'data/derived/20260314_173210_EF-trim.mp4.recipe.json',
    ]);
    expect(JSON.parse(content.get(`${snapshot}.recipe.json`)!.toString())).toEqual(still.recipe);
    const slice = content.get('data/derived/20260314_173210_EF-trim.mp4.csv')!.toString();
    expect(slice.split('\r\n').filter((line) => line.startsWith('gps,'))).toHaveLength(2);
    const { derived } = jsonOf(content, 'evidence.json');
    expect(derived).toHaveLength(3);
    expect(derived.find((one: { kind: string }) => one.kind === 'trim')).toMatchObject({
      derivedId: trim.derivedId,
      sha256: trim.sha256,
      requestedSeconds: { from: 5.01, to: 7 },
      actualSeconds: { from: 5, to: 7 },
      source: { clipId: front, sha256: sha256(frontBytes), isInPackage: true },
      lost: ['the telemetry'],
      madeBy: 'Inge',
    });
  });

  it('state both times where the clock of their clip was set anew since', async () => {
    const before = jsonOf(await sealed(), 'evidence.json').derived;
    expect(before.map((one: { byClockInUse: unknown }) => one.byClockInUse)).toEqual([null, null, null]);
    const set = { startUtcMs: null, reason: 'by the traffic light', actor: 'Inge', setAtMs: clipStartMs };
    createClockRepository(world.cache.db).set({ kind: 'clip', clipId: front }, { ...set, shiftMs: 1500 });
    const { derived } = jsonOf(await sealed(), 'evidence.json');
    expect(derived.find((one: { kind: string }) => one.kind === 'trim')).toMatchObject({
      start: '2026-03-14T22:32:15Z',
      byClockInUse: { start: '2026-03-14T22:32:16.500Z', end: '2026-03-14T22:32:18.500Z' },
    });
  });

  it('go without their clip when only they are in the case, and it says so', async () => {
    const file = await world.cases['cases.get']({ caseId });
    for (const { exhibitId, ref } of file.exhibitList) {
      if (ref.kind === 'clip') await world.cases['cases.removeExhibit']({ caseId, exhibitId });
    }
    const content = await sealed();
    expect(folderOf(content, 'clips')).toEqual([]);
    expect(folderOf(content, 'derived')).toContain('data/derived/20260314_173210_EF-trim.mp4.csv');
    const { leftOut, derived } = jsonOf(content, 'evidence.json');
    expect(leftOut).toEqual([
      { what: `original clip "${clipName()}"`, why: expect.stringContaining('stills or trims') },
    ]);
    expect(derived.every((one: { source: { isInPackage: boolean } }) => !one.source.isInPackage)).toBe(true);
  });

  const clipPath = 'data/clips/P1/20260314_173210_EF.mp4';
  const csvPath = 'data/telemetry/20260314_173210_EF.mp4.csv';
  const trimPath = 'data/derived/20260314_173210_EF-trim.mp4';
  const recipePath = `${trimPath}.recipe.json`;
  const flip: (name: string) => Change = (name) => (files) => {
    const bytes = Buffer.from(files.get(name)!);
    bytes[bytes.length >> 1]! ^= 1;
    files.set(name, bytes);
  };
  const hostile: [string, Change, string][] = [
    ['one byte of a clip', flip(clipPath), `${clipPath} is not the clip that evidence.json states`],
    ['one byte of a trim', flip(trimPath), `${recipePath} tells of another file`],
    ['one byte of telemetry', flip(csvPath), `${csvPath} is not the telemetry`],
    ['telemetry taken out', (files) => files.delete(csvPath), `${csvPath} is missing`],
    ['a clip taken out', (files) => files.delete(clipPath), `${clipPath} is missing`],
    ['a recipe taken out', (files) => files.delete(recipePath), `${recipePath} is missing`],
    [
      'a clip put in',
      (files) => files.set('data/clips/P1/x.mp4', Buffer.from('x')),
      'data/clips/P1/x.mp4 was added',
    ],
    ['a still put in', (files) => files.set('data/snapshots/x.png', Buffer.from('x')), 'x.png was added'],
    [
      'a recipe of another source',
      edit(recipePath, (text) => text.replace(/("source": \{[^}]*"sha256": ")./, '$1_')),
      `${recipePath} names another source`,
    ],
    [
      'a recipe of another output',
      edit(recipePath, (text) => text.replace(/("output": \{[^}]*"sizeBytes": )/, '$11')),
      `${recipePath} tells of another file`,
    ],
    [
      'a recipe that is none',
      edit(recipePath, () => '{"output":[],"source":{"toString":1}}'),
      'is no recipe',
    ],
    ['a recipe that is deep', edit(recipePath, () => '['.repeat(100_000)), 'is no recipe'],
    [
      'a recipe too large',
      edit(recipePath, () => ' '.repeat(1 << 19)),
      `${recipePath} is larger than any such file`,
    ],
    [
      'clips of the wrong kind',
      edit('data/evidence.json', (text) => text.replace('"clips": [', '"clips": 7, "was": [')),
      'lacks its list of clips',
    ],
    [
      'a telemetry that is no object',
      edit('data/evidence.json', (text) => text.replace('"telemetry": {', '"telemetry": 7, "was": {')),
      'is missing or unreadable',
    ],
    [
      'evidence that claims to be older',
      edit('data/evidence.json', (text) => text.replace('"schemaVersion": 2', '"schemaVersion": 1')),
      'was added: evidence.json does not state it',
    ],
  ];
  it('are checked against what evidence.json and their recipes say, even when every list and signature fits', async () => {
    const file = path.join(out, 'bag.zip');
    await world.seal(caseId, file);
    const content = unpacked(file, path.join(out, 'x'));
    const target = path.join(out, 'forged.zip');
    const whole = { relist: true, resign: true };
    fs.writeFileSync(
      target,
      forgePackage(content, out, () => {}, whole),
    );
    expect(failures(await verifyPackage(target))).toBe('');
    for (const [what, change, said] of hostile) {
      fs.writeFileSync(target, forgePackage(content, out, change, whole));
      const report = await verifyPackage(target);
      expect(report.ok, what).toBe(false);
      expect(failures(report), what).toContain(said);
    }
  });

  it('are named when a byte of them is another in the file itself', async () => {
    const file = path.join(out, 'bag.zip');
    await world.seal(caseId, file);
    const bytes = fs.readFileSync(file);
    const at = bytes.indexOf(frontBytes) + frontBytes.length - 40;
    bytes[at]! ^= 1;
    fs.writeFileSync(file, bytes);
    expect(failures(await verifyPackage(file))).toContain(clipPath);
  });
});

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job, JobResult } from '../../shared/contract/jobs.ts';
import { AppError } from '../../shared/errors.ts';
import type { CaseId, JobId, PackageId, SourceId } from '../../shared/ids.ts';
import type { Desk } from '../../main/desk/desk.ts';
import { clipBytes, clipName, clipStartMs } from '../evidence/clipSupport.ts';
import { run } from '../evidence/support.ts';
import { aCsv, aDesk, aFile, anUpload, aPlace, endOf, testAbilities, type Place } from './aDesk.ts';

let place: Place;
let desk: Desk & { bugs: unknown[] };
let caseId: CaseId;
let out: string;

beforeEach(async () => {
  place = aPlace();
  desk = await aDesk(place);
  out = path.join(place.root, 'out');
  fs.mkdirSync(out);
  ({ caseId } = await aCaseWith(aCsv({ points: 20 })));
});
afterEach(async () => {
  await desk.close();
  expect(desk.bugs).toEqual([]);
  place.remove();
});

async function aCaseWith(csv: string, name = 'Crossing'): Promise<{ caseId: CaseId; sourceId: SourceId }> {
  const file = path.join(place.root, `${name}.csv`);
  fs.writeFileSync(file, csv);
  const outcome = await desk.importFiles([file]);
  const sourceId = outcome.sources[0]!.sourceId!;
  const made = await desk.client.invoke('cases.create', { name });
  await desk.client.invoke('cases.add', { caseId: made.caseId, refs: [{ kind: 'source', sourceId }] });
  return { caseId: made.caseId, sourceId };
}

const ended = (jobId: JobId): Promise<Job> => endOf(desk, jobId);

async function result<K extends JobResult['kind']>(
  jobId: JobId,
  kind: K,
): Promise<Extract<JobResult, { kind: K }>> {
  const { state } = await ended(jobId);
  if (state.status !== 'done' || state.result.kind !== kind) throw new Error(JSON.stringify(state));
  return state.result as Extract<JobResult, { kind: K }>; // its kind was just looked at
}

const sealIt = async (input: { originals?: 'whole' | 'none' } = {}) => {
  const { jobId } = await desk.client.invoke('packages.seal', { caseId, ...input });
  return (await result(jobId, 'seal')).sealed;
};
const packageFile = (fileName: string): string => path.join(place.dataFolder, 'packages', fileName);
const custody = async () => (await desk.client.invoke('custody.list', { caseId })).entries;

describe('sealing', () => {
  it('puts a package into the data folder, lists it and records it in custody with its hash', async () => {
    const sealed = await sealIt();
    const file = packageFile(sealed.fileName);
    expect(sealed.fileName).toMatch(/^evidence-Crossing-\d{8}T\d{6}Z\.zip$/);
    expect(sealed.sha256).toBe(createHash('sha256').update(fs.readFileSync(file)).digest('hex'));
    expect(await desk.client.invoke('packages.list', { caseId })).toEqual([sealed]);
    expect((await desk.client.invoke('cases.get', { caseId })).packages).toBe(1);
    const info = await desk.client.invoke('app.info', {});
    expect(info.sealFingerprint).toBe(sealed.signedBy);
    const entry = (await custody()).at(-1)!;
    expect(entry).toMatchObject({
      action: 'package.seal',
      subject: { kind: 'package', id: sealed.packageId, sha256: sealed.sha256 },
      detail: { fileName: sealed.fileName, originals: 'whole', custodyHead: sealed.custodyHead },
    });
    expect((await custody()).map((one) => one.hash)).toContain(sealed.custodyHead);
    fs.rmSync(file);
    expect((await desk.client.invoke('packages.list', {}))[0]).toMatchObject({ isPresent: false });
  });

  it('puts in just what the preview has shown', async () => {
    const preview = await desk.client.invoke('packages.preview', { caseId, originals: 'none' });
    expect(preview.leftOut).toEqual([expect.objectContaining({ what: 'original file "Crossing.csv"' })]);
    expect(preview.totalBytes).toBeGreaterThan(0);
    const sealed = await sealIt({ originals: 'none' });
    const names = run('unzip', ['-Z1', packageFile(sealed.fileName)], out)
      .trimEnd()
      .split('\n');
    const inBag = names.map((name) => name.slice(name.indexOf('/') + 1)).sort();
    expect(preview.files.map((file) => file.path).sort()).toEqual(inBag);
    for (const { path: name, sizeBytes } of preview.files) {
      if (sizeBytes === null) continue;
      const bag = names[0]!.split('/')[0];
      const text = run('unzip', ['-p', packageFile(sealed.fileName), `${bag}/${name}`], out);
      expect(Buffer.byteLength(text)).toBe(sizeBytes);
    }
  });

  it('warns before it of what a reader of the package will also learn', async () => {
    await aCaseWith(aCsv({ psn: '', points: 3, day: '2026-03-15' }), 'Other');
    await desk.client.invoke('cases.addNote', { caseId, text: 'private' });
    const fromMs = Date.parse('2026-03-14T10:00:05Z');
    const { warnings } = await desk.client.invoke('packages.preview', { caseId, fromMs });
    expect(warnings.join('\n')).toMatch(/outside the range/);
    expect(warnings.join('\n')).toMatch(/^The note of the case goes in as it is written/m);
    expect(warnings.join('\n')).toMatch(/also names 2 files, trips and cases/);
  });

  it('previews clips as it seals them, in a thread of its own too, and tidies up after a cancel', async () => {
    await desk.importFiles([
      aFile(place, clipName(), clipBytes({ hasAudio: true })),
      aFile(place, clipName(clipStartMs, 'EO'), clipBytes({ tag: 'option' })),
    ]);
    const clips = await desk.client.invoke('clips.list', {});
    const refs = clips.map(({ clipId }) => ({ kind: 'clip' as const, clipId }));
    await desk.client.invoke('cases.add', { caseId, refs });
    const preview = await desk.client.invoke('packages.preview', { caseId });
    expect(preview.warnings.join('\n')).toMatch(/^1 clip holds sound/m);
    const inline = await sealIt();
    await desk.close();
    desk = await aDesk(place, { runner: 'worker' });
    const sealed = await sealIt();
    const listOf = (name: string): string[] =>
      run('unzip', ['-Z1', packageFile(name)], out)
        .trimEnd()
        .split('\n')
        .map((entry) => entry.slice(entry.indexOf('/') + 1))
        .sort();
    const previewed = preview.files.map((file) => file.path).sort();
    expect(listOf(inline.fileName)).toEqual(previewed);
    expect(listOf(sealed.fileName)).toEqual(previewed);
    for (const file of preview.files.filter((one) => one.path.startsWith('data/clips/'))) {
      expect(file.sizeBytes).toBe(clips.find((clip) => file.path.endsWith(clip.fileName))!.sizeBytes);
    }
    const { jobId } = await desk.client.invoke('packages.seal', { caseId });
    await desk.client.invoke('jobs.cancel', { jobId });
    expect((await endOf(desk, jobId)).state.status).toBe('canceled');
    const left = fs.readdirSync(path.join(place.dataFolder, 'partial'));
    expect(left.filter((name) => name.startsWith('seal-'))).toEqual([]);
  });

  it('works the same in a thread of its own', async () => {
    await desk.close();
    desk = await aDesk(place, { runner: 'worker' });
    const sealed = await sealIt();
    const { jobId } = await desk.client.invoke('packages.verifySealed', { packageId: sealed.packageId });
    const { report } = await result(jobId, 'verify');
    expect(report).toMatchObject({ ok: true, isOwnSeal: true, signedBy: sealed.signedBy });
    const { caseId: empty } = await desk.client.invoke('cases.create', { name: 'Empty' });
    const refused = await desk.client.invoke('packages.seal', { caseId: empty });
    expect((await ended(refused.jobId)).state).toMatchObject({
      status: 'failed',
      error: { code: 'case_empty' },
    });
  });

  it('into a file of the user never overwrites one', async () => {
    const file = path.join(out, 'claim.zip');
    const sealed = await desk.sealTo(caseId, file);
    expect(sealed).toMatchObject({ fileName: 'claim.zip', isPresent: true });
    expect(run('unzip', ['-Z1', file], out)).toMatch(/^claim\//);
    await expect(desk.sealTo(caseId, file)).rejects.toMatchObject({ code: 'out_exists' });
    const before = await custody();
    await expect(desk.sealTo(caseId, path.join(out, 'no', 'x.zip'))).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await custody()).toEqual(before);
    expect(fs.readdirSync(out)).toEqual(['claim.zip']);
  });

  it('that was canceled leaves neither a file nor an entry', async () => {
    const before = await custody();
    const abort = new AbortController();
    const sealing = desk.sealTo(caseId, path.join(out, 'x.zip'), { signal: abort.signal });
    abort.abort();
    await expect(sealing).rejects.toMatchObject({ code: 'canceled' });
    expect(fs.readdirSync(out)).toEqual([]);
    expect(await custody()).toEqual(before);
  });

  it('with a key that can not be opened fails with a remedy and makes no new key', async () => {
    const sealed = await sealIt();
    await desk.close();
    const abilities = {
      ...testAbilities(place),
      revealSecret: async () => {
        throw new AppError('seal_key_unavailable', 'The keychain is locked.');
      },
    };
    desk = await aDesk(place, { abilities });
    const { jobId } = await desk.client.invoke('packages.seal', { caseId });
    expect((await ended(jobId)).state).toMatchObject({
      status: 'failed',
      error: { code: 'seal_key_unavailable', message: expect.stringContaining('keychain is locked') },
    });
    expect((await desk.client.invoke('app.info', {})).sealFingerprint).toBe(sealed.signedBy);
  });

  it('that was killed leaves a draft which the next start takes away', async () => {
    const sealed = await sealIt();
    await desk.close();
    fs.writeFileSync(`${packageFile('x.zip')}.partial-0123abcd`, 'half');
    desk = await aDesk(place);
    expect(fs.readdirSync(path.join(place.dataFolder, 'packages'))).toEqual([sealed.fileName]);
  });
});

describe('verifying', () => {
  it('a package that was handed in says whose seal it is, and is recorded', async () => {
    const sealed = await sealIt();
    const bytes = fs.readFileSync(packageFile(sealed.fileName));
    const upload = await anUpload(place, 'received.zip', bytes);
    const { jobId } = await desk.client.invoke('packages.verifyUpload', { uploadId: upload });
    const { report } = await result(jobId, 'verify');
    expect(report).toMatchObject({ ok: true, isOwnSeal: true, files: sealed.files });
    expect((await custody()).at(-1)).toMatchObject({
      action: 'package.verify',
      subject: { kind: 'package', id: sealed.packageId, sha256: sealed.sha256 },
      detail: { ok: true, fileName: 'received.zip', failedChecks: [] },
    });
  });

  it('a changed package is a report that names the file, and is recorded as such', async () => {
    const file = path.join(out, 'claim.zip');
    await desk.sealTo(caseId, file);
    const bytes = fs.readFileSync(file);
    bytes[bytes.indexOf('psn,carName')]! ^= 1;
    const changed = path.join(out, 'changed.zip');
    fs.writeFileSync(changed, bytes);
    const report = await desk.verifyFile(changed);
    expect(report.ok).toBe(false);
    expect(report.checks.find((one) => one.name === 'payload-sha256')!.detail).toContain(
      'data/sources/Crossing.csv',
    );
    const { entries } = await desk.client.invoke('custody.list', {});
    expect(entries.at(-1)).toMatchObject({
      action: 'package.verify',
      subject: { kind: 'package', id: 'changed.zip' },
      detail: { ok: false },
    });
    await expect(desk.verifyFile(path.join(out, 'none.zip'))).rejects.toMatchObject({
      code: 'file_vanished',
    });
  });

  it('what is not there is not found', async () => {
    const packageId = 'package_none' as PackageId;
    for (const name of ['packages.verifySealed', 'packages.reveal'] as const) {
      await expect(desk.client.invoke(name, { packageId })).rejects.toMatchObject({ code: 'not_found' });
    }
    const sealed = await sealIt();
    await desk.client.invoke('packages.reveal', { packageId: sealed.packageId });
    fs.rmSync(packageFile(sealed.fileName));
    await expect(
      desk.client.invoke('packages.reveal', { packageId: sealed.packageId }),
    ).rejects.toMatchObject({
      code: 'file_vanished',
    });
    await expect(
      desk.client.invoke('packages.seal', { caseId: 'case_none' as CaseId }),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

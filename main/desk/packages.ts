import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Handlers } from '../../shared/contract/index.ts';
import type { SealedPackage, VerifyReport } from '../../shared/contract/packages.ts';
import { AppError } from '../../shared/errors.ts';
import type { CaseId, JobId, PackageId } from '../../shared/ids.ts';
import { createCaseRepository } from '../cache/caseRepository.ts';
import { createCustodyRepository } from '../cache/custodyRepository.ts';
import { toCacheError, transact } from '../cache/database.ts';
import { createPackageRepository, type StoredPackage } from '../cache/packageRepository.ts';
import { createSettingRepository } from '../cache/settingRepository.ts';
import { discardUpload, findUpload } from '../cache/uploads.ts';
import { partsOf } from '../evidence/parts/index.ts';
import { nothingPrepared } from '../evidence/prepared.ts';
import { runSeal, runVerify } from '../evidence/runEvidence.ts';
import { safeName } from '../evidence/safeName.ts';
import { readSealFacts, type SealChoice } from '../evidence/sealFacts.ts';
import { openSealKey, readSealIdentity, type SealIdentity } from '../evidence/sealKey.ts';
import type { DeskDeps, JobContext } from './deps.ts';
import { prepareClips, prepareClocks } from './sealClips.ts';
import { createClocksInUse } from './sealClocks.ts';
import { storedText } from './settingStore.ts';

type PackageHandlers = Pick<
  Handlers,
  | 'packages.preview'
  | 'packages.seal'
  | 'packages.list'
  | 'packages.verifyUpload'
  | 'packages.verifySealed'
  | 'packages.reveal'
>;

/** What custody says was checked. */
interface Subject {
  readonly id: string;
  readonly sha256: string | null;
  readonly fileName: string;
  readonly caseId?: CaseId;
}

export interface PackageUseCases {
  readonly handlers: PackageHandlers;
  /** The public side of the seal key; null until the first seal (or where its file can't be read). */
  sealIdentity(): SealIdentity | null;
  /** Host-only: seals into a file of the user's choice; the job fails with out_exists when it exists. */
  startSealTo(caseId: CaseId, outPath: string, choice?: Partial<Omit<SealChoice, 'caseId'>>): JobId;
  /** Host-only: checks a file by path and records in custody that it was checked. */
  startVerifyFile(file: string): JobId;
}

/** Files that every bag has beside its payload, for the preview. */
const tagFiles: readonly (readonly [path: string, why: string])[] = [
  ['HOW-TO-VERIFY.txt', 'how anybody checks the package without Evidence Desk'],
  ['bag-info.txt', 'what the bag is (BagIt)'],
  ['bagit.txt', 'that it is a bag (BagIt)'],
  ['manifest-sha256.txt', 'the SHA-256 of every file under data/'],
  ['manifest-sha512.txt', 'the SHA-512 of every file under data/'],
  ['zip-compressed-sha256.txt', 'the hashes of the compressed files as they lie in the zip'],
  ['tagmanifest-sha256.txt', 'the hashes of the lists; this is what is signed'],
  ['signature/tagmanifest.sig', 'the Ed25519 signature'],
  ['signature/public-key.pem', 'the public key of the seal'],
];

/** Packages: preview, seal, list, verify. Every seal and every verification is a custody entry. */
export function createPackageUseCases(
  deps: Pick<DeskDeps, 'cache' | 'now' | 'actor' | 'emit' | 'jobs' | 'abilities' | 'runner' | 'appVersion'>,
): PackageUseCases {
  const { cache, jobs } = deps;
  const clocksInUse = createClocksInUse(cache);
  const packages = createPackageRepository(cache.db);
  const cases = createCaseRepository(cache.db);
  const custody = createCustodyRepository(cache.db, deps.now);
  const folder = path.join(cache.folder, 'packages');

  const caseNameOf = (caseId: CaseId): string => {
    const file = cases.find(caseId);
    if (!file) throw new AppError('not_found', 'There is no such case any more.', { details: { caseId } });
    return file.name;
  };
  const storedOf = (packageId: PackageId): StoredPackage => {
    const stored = packages.find(packageId);
    if (!stored) throw new AppError('not_found', 'There is no such package in the list.');
    if (!stored.sealed.isPresent) {
      throw new AppError(
        'file_vanished',
        `The package ${stored.sealed.fileName} is no longer where it was put.`,
        {
          remedy: 'If you moved it, verify it from its new place.',
        },
      );
    }
    return stored;
  };

  async function seal(choice: SealChoice, outPath: string, context: JobContext): Promise<SealedPackage> {
    // What can't be sealed is refused before a key is made for it.
    if (cases.find(choice.caseId)?.exhibitList.length === 0) readSealFacts(cache, choice, nothingPrepared);
    const key = await openSealKey(cache.folder, deps.abilities);
    const packageId = `package_${randomUUID().replaceAll('-', '').slice(0, 16)}` as PackageId; // made here
    const sealedAtMs = deps.now();
    const { prepared, discard } = await prepareClips(cache, choice.caseId, clocksInUse, context);
    const request = {
      choice,
      prepared,
      outPath,
      packageId,
      sealedAtMs,
      appVersion: deps.appVersion,
      organization: storedText(createSettingRepository(cache.db), 'organization'),
      identity: { fingerprint: key.fingerprint, publicKeyPem: key.publicKeyPem },
    };
    const file = await runSeal(deps.runner, cache.folder, request, {
      signal: context.signal,
      onProgress: context.progress,
      sign: async (bytes) => key.sign(bytes),
    }).finally(discard);
    const sealed = {
      packageId,
      caseId: choice.caseId,
      fileName: path.basename(outPath),
      sha256: file.sha256,
      sizeBytes: file.sizeBytes,
      files: file.files,
      sealedAtMs,
      signedBy: key.fingerprint,
      custodyHead: file.custodyHead,
      range: file.range,
    };
    try {
      transact(cache.db, () => {
        packages.add(sealed, path.resolve(outPath));
        custody.append({
          actor: deps.actor(),
          action: 'package.seal',
          subject: { kind: 'package', id: packageId, sha256: file.sha256 },
          detail: {
            caseId: choice.caseId,
            fileName: sealed.fileName,
            sizeBytes: sealed.sizeBytes,
            files: sealed.files,
            from: toTime(file.range.fromMs),
            to: toTime(file.range.toMs),
            originals: choice.originals,
            signedBy: sealed.signedBy,
            custodyHead: sealed.custodyHead,
          },
          caseId: choice.caseId,
        });
      });
    } catch (thrown) {
      fs.rmSync(outPath, { force: true }); // a package that custody does not know must not go out
      throw thrown;
    }
    deps.emit('cases.changed', { caseId: choice.caseId });
    return { ...sealed, isPresent: true };
  }

  async function verify(file: string, subject: Subject, context: JobContext): Promise<VerifyReport> {
    const report = await runVerify(deps.runner, file, {
      ownFingerprint: identityOf(cache.folder)?.fingerprint ?? null,
      signal: context.signal,
      onProgress: context.progress,
    });
    custody.append({
      actor: deps.actor(),
      action: 'package.verify',
      subject: { kind: 'package', id: subject.id, sha256: subject.sha256 },
      detail: {
        fileName: subject.fileName,
        ok: report.ok,
        signedBy: report.signedBy,
        failedChecks: report.checks.filter((check) => !check.ok).map((check) => check.name),
      },
      ...(subject.caseId === undefined ? {} : { caseId: subject.caseId }),
    });
    return report;
  }

  function startSeal(choice: SealChoice, outPathOf: (caseName: string) => string): JobId {
    const name = caseNameOf(choice.caseId);
    return jobs.start('seal', name, async (context) => ({
      kind: 'seal',
      sealed: await seal(choice, outPathOf(name), context),
    }));
  }

  /** A package that this desk has sealed is known by its hash, wherever it lies now. */
  function subjectOf(sha256: string | null, fileName: string): Subject {
    const known = packages.list().find(({ sealed }) => sealed.sha256 === sha256)?.sealed;
    if (!known) return { id: fileName, sha256, fileName };
    return { id: known.packageId, sha256, fileName, caseId: known.caseId };
  }

  return {
    sealIdentity: () => identityOf(cache.folder),

    startSealTo(caseId, outPath, choice = {}) {
      const whole: SealChoice = {
        caseId,
        fromMs: choice.fromMs,
        toMs: choice.toMs,
        originals: choice.originals ?? 'whole',
      };
      return startSeal(whole, () => path.resolve(outPath));
    },

    startVerifyFile(file) {
      const fileName = path.basename(file);
      return jobs.start('verify', fileName, async (context) => {
        const sha256 = await hashFile(file);
        return { kind: 'verify', report: await verify(file, subjectOf(sha256, fileName), context) };
      });
    },

    handlers: {
      'packages.preview': ({ caseId, fromMs, toMs, originals }) => {
        caseNameOf(caseId);
        const facts = readSealFacts(
          cache,
          { caseId, fromMs, toMs, originals: originals ?? 'whole' },
          prepareClocks(cache, caseId, clocksInUse),
        );
        const parts = partsOf({ cache, facts, appVersion: deps.appVersion });
        return {
          files: [
            ...parts.map(({ path, sizeBytes, why }) => ({ path: `data/${path}`, sizeBytes, why })),
            ...tagFiles.map(([path, why]) => ({ path, sizeBytes: null, why })),
          ],
          totalBytes: parts.reduce((sum, part) => sum + (part.sizeBytes ?? 0), 0),
          leftOut: facts.leftOut,
          warnings: facts.warnings,
        };
      },

      'packages.seal': ({ caseId, fromMs, toMs, originals }) => {
        const choice: SealChoice = { caseId, fromMs, toMs, originals: originals ?? 'whole' };
        const jobId = startSeal(choice, (name) => {
          makeFolder(folder);
          return freeNameIn(folder, name, deps.now());
        });
        return { jobId };
      },

      'packages.list': ({ caseId }) => packages.list(caseId).map(({ sealed }) => sealed),

      'packages.verifyUpload': ({ uploadId }) => {
        const upload = findUpload(cache.folder, uploadId);
        const { fileName, sha256 } = upload;
        const jobId = jobs.start('verify', fileName, async (context) => {
          try {
            const report = await verify(upload.path, subjectOf(sha256, fileName), context);
            return { kind: 'verify', report };
          } finally {
            discardUpload(cache.folder, uploadId);
          }
        });
        return { jobId };
      },

      'packages.verifySealed': ({ packageId }) => {
        const { sealed, path: file } = storedOf(packageId);
        const jobId = jobs.start('verify', sealed.fileName, async (context) => {
          const subject = { id: packageId, sha256: sealed.sha256, fileName: sealed.fileName };
          return {
            kind: 'verify',
            report: await verify(file, { ...subject, caseId: sealed.caseId }, context),
          };
        });
        return { jobId };
      },

      'packages.reveal': async ({ packageId }) => {
        await deps.abilities.revealInFolder(storedOf(packageId).path);
        return null;
      },
    },
  };
}

/** `evidence-<case>-<when>.zip`, with a number where two seals fall into one second. */
function freeNameIn(folder: string, caseName: string, nowMs: number): string {
  const when = new Date(nowMs).toISOString().slice(0, 19).replace(/[-:]/g, '');
  const stem = `evidence-${safeName(caseName, 'case', 60).replaceAll(' ', '_')}-${when}Z`;
  for (let n = 1; ; n++) {
    const file = path.join(folder, `${stem}${n === 1 ? '' : `-${n}`}.zip`);
    if (!fs.existsSync(file)) return file;
  }
}

/** Null where there is no key yet; a damaged key file must not keep anybody from verifying. */
function identityOf(dataFolder: string): SealIdentity | null {
  try {
    return readSealIdentity(dataFolder);
  } catch {
    return null;
  }
}

function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (thrown) {
    throw toCacheError(thrown, path.dirname(folder));
  }
}

async function hashFile(file: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const block of fs.createReadStream(file, { highWaterMark: 1 << 20 })) {
      hash.update(block as Buffer); // no encoding is set, so blocks are Buffers
    }
  } catch {
    return null; // verifying says in its own words why the file can't be read
  }
  return hash.digest('hex');
}

function toTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

import fs from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import type { JobProgress } from '../../shared/contract/jobs.ts';
import { AppError } from '../../shared/errors.ts';
import type { PackageId } from '../../shared/ids.ts';
import type { TimeRange } from '../../shared/track.ts';
import { codeOf, diskFull, isDiskFull } from '../cache/database.ts';
import { syncFolder } from '../cache/durable.ts';
import { freeBytesOf } from '../cache/freeSpace.ts';
import { openCacheConnection, type EvidenceCache } from '../cache/openCache.ts';
import { throwIfCanceled } from '../cache/uploads.ts';
import { writeBag } from './bagWriter.ts';
import { partsOf } from './parts/index.ts';
import { safeName } from './safeName.ts';
import type { PreparedEvidence } from './prepared.ts';
import { readSealFacts, type SealChoice } from './sealFacts.ts';
import type { SealIdentity } from './sealKey.ts';
import { verifyPackage } from './verifier.ts';

/** What to seal and where. Plain data: it crosses to a worker thread. */
export interface SealRequest {
  readonly choice: SealChoice;
  /** What the clips of the case say, telemetry included. */
  readonly prepared: PreparedEvidence;
  /** The file to make; must not exist. */
  readonly outPath: string;
  readonly packageId: PackageId;
  readonly sealedAtMs: number;
  readonly appVersion: string;
  readonly organization: string | null;
  readonly identity: SealIdentity;
}

export interface SealControls {
  /** Ed25519 over the bytes with the key of `identity`; the private key stays with its owner. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
}

/** The package as it now lies on disk. */
export interface SealedFile {
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Payload files. */
  readonly files: number;
  readonly custodyHead: string;
  readonly range: TimeRange;
}

/**
 * Seals a case into one file (evidence-package.md). Written beside its final name, read back and verified, made
 * durable, then renamed: a cancel, a full disk or a crash leave nothing under `outPath`. Throws AppError
 * not_found, case_empty, invalid_input, busy (the case changed since it was prepared), out_exists, blob_missing, blob_changed, disk_full, no_permission,
 * canceled, verification_failed. Custody and the list of packages are the caller's.
 */
export async function sealPackage(
  dataFolder: string,
  request: SealRequest,
  controls: SealControls,
): Promise<SealedFile> {
  const { outPath } = request;
  const draft = `${outPath}.partial-${randomBytes(4).toString('hex')}`;
  const cache = openCacheConnection(dataFolder, 'read');
  try {
    refuseExisting(outPath);
    // One snapshot of the cache for all that is written, whatever the window does meanwhile.
    cache.db.exec('BEGIN');
    return await writeVerifyRename(cache, request, controls, draft);
  } catch (thrown) {
    throw toSealError(thrown, outPath);
  } finally {
    cache.close();
    removeDraft(draft);
  }
}

/** Silent: where the draft can't be removed it could not be made either, and why is being said already. */
function removeDraft(draft: string): void {
  try {
    fs.rmSync(draft, { force: true });
  } catch {
    // see above
  }
}

async function writeVerifyRename(
  cache: EvidenceCache,
  request: SealRequest,
  controls: SealControls,
  draft: string,
): Promise<SealedFile> {
  const { outPath } = request;
  const facts = readSealFacts(cache, request.choice, request.prepared, controls.signal);
  const parts = partsOf({ cache, facts, appVersion: request.appVersion });
  const originalBytes = parts.reduce(
    (sum, { content }) => sum + (content.kind === 'original' ? content.sizeBytes : 0),
    0,
  );
  const folder = path.dirname(outPath);
  const freeBytes = freeBytesOf(folder);
  if (freeBytes < originalBytes) throw diskFull(folder, originalBytes, freeBytes);

  const descriptor = fs.openSync(draft, 'wx', 0o600);
  try {
    const bag = await writeBag(descriptor, draft, parts, {
      name: bagNameOf(outPath),
      facts: {
        caseId: facts.caseFile.caseId,
        caseName: facts.caseFile.name,
        packageId: request.packageId,
        sealedAtMs: request.sealedAtMs,
        appVersion: request.appVersion,
        organization: request.organization,
        custodyHead: facts.custody.lastHash,
        fingerprint: request.identity.fingerprint,
      },
      publicKeyPem: request.identity.publicKeyPem,
      controls,
    });
    const report = await verifyPackage(draft, {
      readBack: bag.readBack,
      ...(controls.signal ? { signal: controls.signal } : {}),
      ...(controls.onProgress ? { onProgress: controls.onProgress } : {}),
    });
    if (!report.ok || report.signedBy !== request.identity.fingerprint) {
      const failed = report.checks.filter((check) => !check.ok);
      throw new AppError(
        'verification_failed',
        `The package did not verify when it was read back: ${failed.map((check) => check.detail).join('; ')}.`,
        { remedy: 'Check the disk, then seal again. Nothing was kept.', details: { checks: failed } },
      );
    }
    throwIfCanceled(controls.signal);
    fs.fsyncSync(descriptor);
    putInPlace(draft, outPath);
    return {
      sha256: bag.sha256,
      sizeBytes: bag.sizeBytes,
      files: parts.length,
      custodyHead: facts.custody.lastHash,
      range: facts.range,
    };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The folder inside the zip: as the file is called. */
function bagNameOf(outPath: string): string {
  return safeName(path.basename(outPath).replace(/\.zip$/i, ''), 'evidence-package').replaceAll(' ', '_');
}

function refuseExisting(outPath: string): void {
  if (fs.statSync(outPath, { throwIfNoEntry: false }) === undefined) return;
  throw new AppError('out_exists', `There is a file ${path.basename(outPath)} already.`, {
    remedy: 'Choose another name: an existing file is never overwritten.',
  });
}

/** A link fails where a rename would overwrite what another program has put there meanwhile. */
function putInPlace(draft: string, outPath: string): void {
  try {
    fs.linkSync(draft, outPath);
    fs.rmSync(draft);
  } catch (thrown) {
    refuseExisting(outPath);
    if (codeOf(thrown) === 'ENOSPC') throw thrown;
    fs.renameSync(draft, outPath); // a file system without hard links
  }
  syncFolder(path.dirname(outPath));
}

function toSealError(thrown: unknown, outPath: string): unknown {
  if (thrown instanceof AppError) return thrown;
  if (isDiskFull(thrown)) return diskFull(path.dirname(outPath), null, null, thrown);
  const code = codeOf(thrown);
  const details = { file: outPath, cause: code };
  if (['EACCES', 'EPERM', 'EROFS', 'ELOOP', 'ENAMETOOLONG'].includes(code)) {
    return new AppError(
      'no_permission',
      `The package can't be written to ${path.dirname(outPath)} (${code}).`,
      {
        remedy: 'Choose a folder that you may write to, and a name that is not too long.',
        details,
        cause: thrown,
      },
    );
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new AppError('not_found', `There is no folder ${path.dirname(outPath)}.`, {
      remedy: 'Make the folder first, or choose another one.',
      details,
      cause: thrown,
    });
  }
  return thrown;
}

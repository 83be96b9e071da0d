import fs from 'node:fs';
import type { JobProgress } from '../../shared/contract/jobs.ts';
import type { VerifyCheck, VerifyReport } from '../../shared/contract/packages.ts';
import { AppError } from '../../shared/errors.ts';
import { codeOf } from '../cache/database.ts';
import { throwIfCanceled } from '../cache/uploads.ts';
import { readBag, type Bag, type BagReading } from './bagReader.ts';
import { readContainer, type Container } from './containerReader.ts';
import { checkCustody, checkCustodyHead, parseObject } from './custodyChecks.ts';
import { checkEvidence, checkSignature } from './evidenceChecks.ts';
import { Findings } from './findings.ts';
import { checkOxum, checkPacked, checkPayload, checkTags } from './manifestChecks.ts';

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: JobProgress) => void;
  /** The fingerprint of this machine's own seal key, to say whether it made the package. */
  readonly ownFingerprint?: string | null;
  /** Only for the sealer, which has just computed these from the file: see BagReading. */
  readonly readBack?: NonNullable<BagReading['readBack']>;
}

const yieldEveryBytes = 8 << 20;

/**
 * Checks a sealed package with nothing but the file, as hostile input: nothing is unpacked, no name is used as
 * a path, what is inflated is counted. A bad package is a report with `ok: false` whose checks name the files;
 * only a file that can't be read at all throws: AppError file_unreadable | file_vanished | canceled.
 */
export async function verifyPackage(file: string, options: VerifyOptions = {}): Promise<VerifyReport> {
  let descriptor: number | null = null;
  try {
    // Not blocking: opening a named pipe would wait for a writer, deaf to every signal.
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    const stat = fs.fstatSync(descriptor);
    if (!stat.isFile()) throw unreadable(file, 'file_unreadable');
    return await verifyOpen(descriptor, stat.size, options);
  } catch (thrown) {
    throw toReadError(thrown, file);
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}

async function verifyOpen(
  descriptor: number,
  fileSize: number,
  options: VerifyOptions,
): Promise<VerifyReport> {
  const container = readContainer(descriptor, fileSize);
  const bag = await readBag(descriptor, container, {
    onBytes: createPace(container, options),
    ...(options.readBack ? { readBack: options.readBack } : {}),
  });
  const evidence = parseObject(bag.texts.get('data/evidence.json')?.toString('utf8') ?? '');
  const custody = checkCustody(bag);
  const signature = checkSignature(bag);
  const checks: VerifyCheck[] = [
    containerCheck(container, bag),
    bag.structure.toCheck('a BagIt 1.0 bag with all its parts'),
    checkPayload(bag, 'sha256'),
    checkPayload(bag, 'sha512'),
    checkOxum(bag),
    checkTags(bag),
    checkPacked(bag),
    signature.check,
    custody.check,
    checkCustodyHead(bag, custody.end, evidence),
    checkEvidence(bag, evidence),
  ];
  const own = options.ownFingerprint;
  return {
    ok: checks.every((check) => check.ok),
    // What follows from there being nothing to read would only hide why.
    checks: container.entries.length > 0 ? checks : checks.map(toUnchecked),
    files: [...bag.files.keys()].filter((path) => path.startsWith('data/')).length,
    signedBy: signature.signedBy,
    isOwnSeal:
      own === undefined || own === null || signature.signedBy === null ? null : own === signature.signedBy,
    custodyEntries: custody.end.count,
  };
}

function toUnchecked(check: VerifyCheck): VerifyCheck {
  if (check.name === 'container') return check;
  return { name: check.name, ok: false, detail: "could not be checked: the zip can't be read" };
}

/** The zip itself: every byte that is not content, and each entry's own checksum. */
function containerCheck(container: Container, bag: Bag): VerifyCheck {
  const findings = new Findings('container');
  for (const problem of container.problems) findings.add(problem);
  const contents = bag.contents.toCheck('');
  if (!contents.ok) findings.add(contents.detail);
  return findings.toCheck(
    `${container.entries.length} files back to back, every header as sealed, nothing before, between or after`,
  );
}

function createPace(container: Container, options: VerifyOptions): (bytes: number) => Promise<void> {
  const total = container.entries.reduce((sum, entry) => sum + entry.packedSize, 0);
  let done = 0;
  let sinceYield = 0;
  return async (bytes) => {
    throwIfCanceled(options.signal);
    done += bytes;
    sinceYield += bytes;
    options.onProgress?.({ stage: 'checking', done, total, unit: 'bytes', points: null });
    if (sinceYield < yieldEveryBytes) return;
    sinceYield = 0;
    await new Promise((resolve) => setImmediate(resolve));
    throwIfCanceled(options.signal);
  };
}

function toReadError(thrown: unknown, file: string): unknown {
  if (thrown instanceof AppError) return thrown;
  const code = codeOf(thrown);
  if (code === 'ENOENT') return unreadable(file, 'file_vanished', thrown);
  if (['EACCES', 'EPERM', 'EISDIR', 'EIO', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'].includes(code)) {
    return unreadable(file, 'file_unreadable', thrown);
  }
  return thrown;
}

function unreadable(file: string, code: 'file_unreadable' | 'file_vanished', cause?: unknown): AppError {
  const isGone = code === 'file_vanished';
  return new AppError(code, isGone ? `There is no file ${file}.` : `The file ${file} can't be read.`, {
    remedy: isGone ? 'Check its name and place.' : 'Check that it is a file and that you may read it.',
    details: { file },
    ...(cause === undefined ? {} : { cause }),
  });
}

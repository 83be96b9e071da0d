import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CaseFile } from '../../shared/contract/cases.ts';
import type { ClipDetail, ClipTelemetry } from '../../shared/contract/clips.ts';
import type { Derived } from '../../shared/contract/derived.ts';
import type { SourceClock } from '../../shared/contract/review.ts';
import { gapThresholdMs } from '../../shared/gaps.ts';
import { AppError } from '../../shared/errors.ts';
import type { CaseId, ClipId } from '../../shared/ids.ts';
import { createCaseRepository } from '../cache/caseRepository.ts';
import { createClipRepository } from '../cache/clipRepository.ts';
import { toCacheError, transact } from '../cache/database.ts';
import { createDerivedRepository } from '../cache/derivedRepository.ts';
import { partialFolderOf } from '../cache/folders.ts';
import type { EvidenceCache } from '../cache/openCache.ts';
import { throwIfCanceled } from '../cache/uploads.ts';
import { clipJointMs, streamOf } from '../evidence/clipCoverage.ts';
import { changedMeanwhile, clipIdsOf } from '../evidence/clipFacts.ts';
import { derivedIdsOf } from '../evidence/derivedFacts.ts';
import {
  nothingPrepared,
  type PreparedClip,
  type PreparedEvidence,
  type PreparedFile,
} from '../evidence/prepared.ts';
import { clipTelemetryCsv, type TelemetryCsvInput } from '../media/derive/telemetryCsv.ts';
import { createClipReader, type ClipReader, type ReadOptions } from '../media/telemetry/clipReader.ts';
import type { ClipReading } from '../media/telemetry/clipReading.ts';
import type { JobContext } from './deps.ts';
import type { ClocksInUse } from './sealClocks.ts';
import { createBreather } from './tracks/breather.ts';

/** What a preview needs of the clips of a case: their clocks alone. */
export function prepareClocks(
  cache: EvidenceCache,
  caseId: CaseId,
  clocksInUse: ClocksInUse,
): PreparedEvidence {
  const file = createCaseRepository(cache.db).find(caseId);
  return { clocks: file ? clocksInUse(neededClips(cache, file)) : [], telemetry: null };
}

export interface PreparedSeal {
  readonly prepared: PreparedEvidence;
  /** Takes the prepared texts away again. */
  discard(): void;
}

/**
 * Reads every clip of a case for its package: telemetry as CSV into files of `partial/`, where its streams have
 * samples. A clip that can't be read has none; it goes into the package all the same. Throws AppError
 * blob_missing, busy (a clock was set meanwhile), disk_full, canceled.
 */
export async function prepareClips(
  cache: EvidenceCache,
  caseId: CaseId,
  clocksInUse: ClocksInUse,
  context: JobContext,
): Promise<PreparedSeal> {
  const file = createCaseRepository(cache.db).find(caseId);
  const folder = path.join(partialFolderOf(cache.folder), `seal-${randomUUID()}`);
  const discard = (): void => fs.rmSync(folder, { recursive: true, force: true });
  const clipIds = file ? neededClips(cache, file) : [];
  if (!file || clipIds.length === 0) {
    const clocks = file ? clocksInUse(clipIds) : [];
    return { prepared: { ...nothingPrepared, clocks }, discard };
  }
  const reader = createClipReader();
  try {
    await readFacts(cache, clipIds, reader, context.signal);
    const clocks = clocksInUse(clipIds);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const telemetry = await readAll(cache, { file, clipIds, clocks, folder, reader, context });
    // The statement, the CSV and the log in the package are to be of one moment.
    if (!isDeepStrictEqual(clocksInUse(clipIds), clocks)) throw changedMeanwhile();
    return { prepared: { clocks, telemetry }, discard };
  } catch (thrown) {
    discard();
    throw thrown instanceof AppError ? thrown : toCacheError(thrown, cache.folder);
  } finally {
    await reader.close();
  }
}

interface Preparing {
  readonly file: CaseFile;
  readonly clipIds: readonly ClipId[];
  readonly clocks: readonly SourceClock[];
  readonly folder: string;
  readonly reader: ClipReader;
  readonly context: JobContext;
}

/** The case's clips, and those that its trims were cut from. */
function neededClips(cache: EvidenceCache, file: CaseFile): readonly ClipId[] {
  return [...new Set([...clipIdsOf(file), ...trimsOf(cache, file).map((trim) => trim.clipId)])];
}

function trimsOf(cache: EvidenceCache, file: CaseFile): readonly Derived[] {
  const repository = createDerivedRepository(cache.db);
  return derivedIdsOf(file).flatMap((derivedId) => {
    const derived = repository.find(derivedId)?.derived;
    return derived?.kind === 'trim' ? [derived] : [];
  });
}

/** Clips that came in just now may not have been read yet: what they say decides over clocks and range. */
async function readFacts(
  cache: EvidenceCache,
  clipIds: readonly ClipId[],
  reader: ClipReader,
  signal: AbortSignal,
): Promise<void> {
  const repository = createClipRepository(cache.db);
  for (const clip of clipIds.map((clipId) => repository.get(clipId))) {
    if (clip.isRead) continue;
    const reading = await readOrNull(cache, clip, reader, { signal, wantsColumns: false });
    transact(cache.db, () => repository.saveFacts(clip.clipId, reading?.facts ?? null));
  }
}

async function readAll(
  cache: EvidenceCache,
  { file, clipIds, clocks, folder, reader, context }: Preparing,
): Promise<NonNullable<PreparedEvidence['telemetry']>> {
  const repository = createClipRepository(cache.db);
  const inCase = new Set(clipIdsOf(file));
  const trims = Map.groupBy(trimsOf(cache, file), (trim) => trim.clipId);
  const clips: PreparedClip[] = [];
  const slices: { derivedId: Derived['derivedId']; file: PreparedFile | null }[] = [];
  for (const [done, clipId] of clipIds.entries()) {
    throwIfCanceled(context.signal);
    context.progress({ stage: 'reading clips', done, total: clipIds.length, unit: 'files', points: null });
    const clip = repository.get(clipId);
    const reading = await readOrNull(cache, clip, reader, { signal: context.signal });
    const telemetry = { gps: reading?.gps ?? null, gSensor: reading?.gSensor ?? null };
    const input = { fileName: clip.fileName, sha256: clip.sha256, telemetry, ...clocksFor(clipId, clocks) };
    const write = (name: string, slice: Pick<TelemetryCsvInput, 'fromS' | 'toS'>) =>
      writeCsv(path.join(folder, `${name}.csv`), { ...input, ...slice }, context.signal);
    if (inCase.has(clipId)) {
      clips.push({ clipId, telemetry: await write(clipId, {}), ...streamsOf(telemetry) });
    }
    for (const { derivedId, recipe } of trims.get(clipId) ?? []) {
      slices.push({
        derivedId,
        file: await write(derivedId, { fromS: recipe.actualS.from, toS: recipe.actualS.to }),
      });
    }
  }
  return { clips, slices };
}

/** Read from the original; null where that is no readable video. */
async function readOrNull(
  cache: EvidenceCache,
  clip: ClipDetail,
  reader: ClipReader,
  options: Omit<ReadOptions, 'fileName'>,
): Promise<ClipReading | null> {
  if (!cache.blobs.has(clip.sha256)) {
    throw new AppError(
      'blob_missing',
      `The original file "${clip.fileName}" is no longer in the evidence cache.`,
      {
        remedy: 'Import or recall the clip again, or take it out of the case.',
        details: { clipId: clip.clipId, sha256: clip.sha256 },
      },
    );
  }
  try {
    return await reader.read(cache.blobs.pathOf(clip.sha256), { ...options, fileName: clip.fileName });
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code === 'canceled') throw thrown;
    return null;
  }
}

function clocksFor(clipId: ClipId, clocks: readonly SourceClock[]) {
  const of = (kind: 'clip' | 'telemetry'): SourceClock | undefined =>
    clocks.find(({ subject }) => subject.kind === kind && subject.clipId === clipId);
  const clock = of('clip');
  if (!clock) throw new Error(`no clock of ${clipId}`); // ClocksInUse has one for each clip that it is asked for
  return { clock, telemetryClock: of('telemetry') ?? null };
}

/** Steps longer than these are gaps: for positions the rule of tracks, for the many G samples a tighter one. */
function streamsOf({ gps, gSensor }: ClipTelemetry): Pick<PreparedClip, 'positions' | 'gSensor'> {
  const fixes = gps && gps.clipMs.filter((_, i) => !Number.isNaN(gps.latDeg[i]!));
  return {
    positions: fixes && streamOf(fixes.sort(), gapThresholdMs(fixes)),
    gSensor: gSensor && streamOf(gSensor.clipMs.slice().sort(), clipJointMs),
  };
}

/** Null where there is no telemetry to write. Other requests of the desk get their turn in between. */
async function writeCsv(
  file: string,
  input: TelemetryCsvInput,
  signal: AbortSignal,
): Promise<PreparedFile | null> {
  const pieces = clipTelemetryCsv(input);
  if (pieces === null) return null;
  const breather = createBreather();
  const hash = createHash('sha256');
  const descriptor = fs.openSync(file, 'wx', 0o600);
  let sizeBytes = 0;
  try {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece, 'utf8');
      hash.update(bytes);
      fs.writeFileSync(descriptor, bytes);
      sizeBytes += bytes.length;
      await breather.pause();
      throwIfCanceled(signal);
    }
  } finally {
    fs.closeSync(descriptor);
  }
  return { path: file, sha256: hash.digest('hex'), sizeBytes };
}

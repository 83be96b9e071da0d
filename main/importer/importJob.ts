import { hash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { EntryReport, ImportedSource, ImportOutcome } from '../../shared/contract/imports.ts';
import type { JobProgress } from '../../shared/contract/jobs.ts';
import { AppError, toErrorData } from '../../shared/errors.ts';
import type { SourceId, TripId, UploadId } from '../../shared/ids.ts';
import { createCustodyRepository } from '../cache/custodyRepository.ts';
import { isUniqueViolation, toCacheError, transact, type WritableDb } from '../cache/database.ts';
import { createClipRepository } from '../cache/clipRepository.ts';
import { partialFolderOf } from '../cache/folders.ts';
import { freeBytesOf } from '../cache/freeSpace.ts';
import { createImportRepository } from '../cache/importRepository.ts';
import type { EvidenceCache } from '../cache/openCache.ts';
import { createSourceRepository } from '../cache/sourceRepository.ts';
import { throwIfCanceled } from '../cache/uploads.ts';
import type { ClipFactsReader } from './clipStaging.ts';
import { createEntryInflater, type EntryInflater } from './inflateThread.ts';
import { readerVersion } from './reader.ts';
import { stageSource, type StagedSource } from './sourceStaging.ts';
import type { StagedChunk, StagedTrack } from './stagedTracks.ts';
import { StagingTape } from './stagingTape.ts';

export { runImportInWorker } from './importThread.ts';

/** A file that lies whole and hashed in the staging area (see cache/uploads.ts). */
export interface ImportFile {
  readonly path: string;
  readonly fileName: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly uploadId: UploadId;
}

export interface ImportOptions {
  readonly signal?: AbortSignal;
  /** Who imports, for the custody log. */
  readonly actor: string;
  /** At most about ten a second. */
  readonly onProgress?: (progress: JobProgress) => void;
  readonly now?: () => number;
  /** Reads .mp4 files; without it they are refused. */
  readonly clips?: ClipFactsReader;
  /** For tests of a full disk; the disk's own answer otherwise. */
  readonly freeBytes?: (folder: string) => number;
}

/** Between two reports of progress. */
const progressEveryMs = 100;

/**
 * Imports files: each is read whole into staging, then all are committed, one short transaction for each
 * source. A bad file fails alone and is in the outcome. Cancel is heard at every piece that is read, until the
 * first commit: then nothing of the job is kept. Adopted files are moved from the staging area; removing the
 * rest is the caller's affair. Throws AppError canceled; any other throw is a bug.
 */
export async function runImport(
  cache: EvidenceCache,
  files: readonly ImportFile[],
  options: ImportOptions,
): Promise<ImportOutcome> {
  const tape = new StagingTape(path.join(partialFolderOf(cache.folder), `staging-${randomUUID()}`));
  const inflater = createEntryInflater();
  try {
    fs.mkdirSync(partialFolderOf(cache.folder), { recursive: true, mode: 0o700 });
    return { sources: await new ImportRun(cache, files, options, tape, inflater).run() };
  } catch (thrown) {
    throw toCacheError(thrown, cache.folder);
  } finally {
    inflater.close();
    tape.close();
  }
}

/** What became of a file before the commits. */
type Prepared =
  | { readonly file: ImportFile; readonly staged: StagedSource }
  | { readonly file: ImportFile; readonly settled: ImportedSource }
  /** The same bytes as the file at this place of the same job. */
  | { readonly file: ImportFile; readonly sameAs: number };

class ImportRun {
  private readonly cache: EvidenceCache;
  private readonly files: readonly ImportFile[];
  private readonly options: ImportOptions;
  private readonly tape: StagingTape;
  private readonly inflater: EntryInflater;
  private readonly now: () => number;
  private readonly sources: ReturnType<typeof createSourceRepository>;
  private readonly imports: ReturnType<typeof createImportRepository>;
  private readonly clips: ReturnType<typeof createClipRepository>;
  private readonly custody: ReturnType<typeof createCustodyRepository>;
  private reportedAt = -Infinity;
  private doneBytes = 0;
  private donePoints = 0;

  constructor(
    cache: EvidenceCache,
    files: readonly ImportFile[],
    options: ImportOptions,
    tape: StagingTape,
    inflater: EntryInflater,
  ) {
    this.cache = cache;
    this.files = files;
    this.options = options;
    this.tape = tape;
    this.inflater = inflater;
    this.now = options.now ?? Date.now;
    this.sources = createSourceRepository(cache.db);
    this.imports = createImportRepository(cache.db);
    this.clips = createClipRepository(cache.db);
    this.custody = createCustodyRepository(cache.db, this.now);
  }

  async run(): Promise<readonly ImportedSource[]> {
    const prepared: Prepared[] = [];
    const firstWith = new Map<string, number>();
    for (const file of this.files) {
      throwIfCanceled(this.options.signal);
      const same = firstWith.get(file.sha256);
      if (same !== undefined) prepared.push({ file, sameAs: same });
      else {
        firstWith.set(file.sha256, prepared.length);
        prepared.push(await this.prepare(file));
      }
      this.doneBytes += file.sizeBytes;
    }
    this.inflater.close();
    throwIfCanceled(this.options.signal);
    this.report('saving', this.doneBytes, this.donePoints, true);
    return withSmallCache(this.cache.db, () => {
      const outcomes: ImportedSource[] = [];
      for (const one of prepared) {
        if ('settled' in one) outcomes.push(one.settled);
        else if ('staged' in one) outcomes.push(this.commit(one.file, one.staged));
        else outcomes.push(asRepeated(one.file, outcomes[one.sameAs]!)); // places before this one are filled
      }
      return outcomes;
    });
  }

  private async prepare(file: ImportFile): Promise<Prepared> {
    const known = this.sources.findBySha256(file.sha256);
    if (known) return { file, settled: duplicate(file, known.sourceId) };
    const startOfTape = this.tape.end;
    try {
      const staged = await stageSource(file, {
        tape: this.tape,
        inflater: this.inflater,
        signal: this.options.signal,
        clips: this.options.clips,
        freeBytes: () => (this.options.freeBytes ?? freeBytesOf)(this.cache.folder),
        onProgress: (position, points) =>
          this.report('reading', this.doneBytes + position, this.donePoints + points),
      });
      if (staged.failure) return { file, settled: failure(file, staged.failure, staged.entries) };
      this.donePoints += staged.tracks.reduce((sum, { track }) => sum + track.points, 0);
      return { file, staged };
    } catch (thrown) {
      this.tape.cutTo(startOfTape);
      return { file, settled: failure(file, foreseen(thrown, this.cache.folder)) };
    }
  }

  private report(stage: string, done: number, points: number, isDue = false): void {
    const { onProgress } = this.options;
    if (!onProgress) return;
    const at = performance.now();
    if (!isDue && at - this.reportedAt < progressEveryMs) return;
    this.reportedAt = at;
    const total = this.files.reduce((sum, file) => sum + file.sizeBytes, 0);
    onProgress({ stage, done: Math.min(done, total), total, unit: 'bytes', points });
  }

  /**
   * The original becomes a blob first; a start after a crash takes it back when the commit never came. Blobs
   * come and go under the write lock only, so that two jobs with the same file can't undo each other.
   */
  private commit(file: ImportFile, staged: StagedSource): ImportedSource {
    const { db, blobs, folder } = this.cache;
    let isAdopted = false;
    try {
      const imported = transact(db, () => {
        isAdopted = blobs.adopt(file.path, file.sha256);
        return this.insert(file, staged);
      });
      // From here on it is imported: a mark that stays is taken away by the next start.
      attempt(() => blobs.settle(file.sha256));
      return imported;
    } catch (thrown) {
      // Where even the question fails, the blob stays marked, and the next start decides.
      const known = attempt(() =>
        transact(db, () => {
          const source = this.sources.findBySha256(file.sha256);
          if (isAdopted && source === null) blobs.remove(file.sha256);
          return source;
        }),
      );
      // Another job committed the same bytes in the meantime.
      if (known && isUniqueViolation(thrown)) return duplicate(file, known.sourceId);
      return failure(file, foreseen(thrown, folder), staged.entries);
    }
  }

  private insert(file: ImportFile, staged: StagedSource): ImportedSource {
    const sourceId = `src_${file.sha256.slice(0, 16)}` as SourceId; // the brand has no runtime form
    const tracks = staged.tracks.map(({ track }) => track);
    const points = tracks.reduce((sum, track) => sum + track.points, 0);
    const [fromMs, toMs] = spanOf(staged);
    const skippedRows = staged.entries.reduce((sum, entry) => sum + entry.rows - entry.points, 0);
    const { kind, entries } = staged;
    this.sources.insert({
      sourceId,
      sha256: file.sha256,
      sizeBytes: file.sizeBytes,
      fileName: file.fileName,
      kind,
      importedAtMs: this.now(),
      readerVersion,
      trips: tracks.length,
      points,
      skippedRows,
      fromMs,
      toMs,
      entries,
    });
    if (staged.clip) {
      const { facts } = staged.clip;
      const { sha256 } = file;
      this.clips.insert({
        sourceId,
        sha256,
        origin: 'import',
        psn: null,
        quality: null,
        mainName: null,
        facts,
      });
    }
    const ordinals = new Map<number, number>();
    for (const { entryOrdinal, track } of staged.tracks) {
      const ordinal = ordinals.get(entryOrdinal) ?? 0;
      ordinals.set(entryOrdinal, ordinal + 1);
      this.insertTrack(file.sha256, sourceId, entryOrdinal, ordinal, track);
    }
    this.custody.append({
      actor: this.options.actor,
      action: 'source.import',
      subject: { kind: 'source', id: sourceId, sha256: file.sha256 },
      detail: {
        fileName: file.fileName,
        sizeBytes: file.sizeBytes,
        sourceKind: kind,
        readerVersion,
        entries: entries.length,
        trips: tracks.length,
        points,
        skippedRows,
      },
    });
    return {
      sourceId,
      fileName: file.fileName,
      sha256: file.sha256,
      sizeBytes: file.sizeBytes,
      status: 'imported',
      duplicateOf: null,
      error: null,
      entries,
      trips: tracks.length,
      points,
      fromMs,
      toMs,
    };
  }

  private insertTrack(
    sha256: string,
    sourceId: SourceId,
    entryOrdinal: number,
    trackOrdinal: number,
    track: StagedTrack,
  ): void {
    const digest = hash('sha256', `${sha256}/${entryOrdinal}/${trackOrdinal}`);
    const { identity, extent } = track;
    const { tape } = this;
    const read = function* (chunks: readonly StagedChunk[]) {
      for (const chunk of chunks) {
        yield { ...chunk.extent, points: chunk.points, data: tape.read(chunk.position, chunk.length) };
      }
    };
    this.imports.addTrip(
      {
        tripId: `trip_${digest.slice(0, 16)}` as TripId, // the brand has no runtime form
        sourceId,
        entryOrdinal,
        psn: identity.psn,
        cameraName: identity.cameraName,
        driveNo: identity.driveNo,
        name: identity.name,
        startedAtMs: track.startedAtMs,
        endedAtMs: track.endedAtMs,
        points: track.points,
        hasPointTimes: track.hasPointTimes,
        speedUnit: identity.speedUnit,
        distanceM: track.distanceM,
        maxSpeedKmh: track.maxSpeedKmh,
        west: extent.west,
        south: extent.south,
        east: extent.east,
        north: extent.north,
      },
      read(track.chunks),
    );
  }
}

/** Rows are only added here: pages go to the log as they fill instead of piling up in memory. */
function withSmallCache<T>(db: WritableDb, work: () => T): T {
  const usual = attempt(() => Number(db.pragma('cache_size', { simple: true })));
  attempt(() => db.pragma('cache_size = -2048'));
  try {
    return work();
  } finally {
    if (usual !== undefined) attempt(() => db.pragma(`cache_size = ${usual}`));
  }
}

/** For work whose failure changes nothing of the outcome: undefined then. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** A failure that belongs to one file; cancel and bugs are thrown on. */
function foreseen(thrown: unknown, folder: string): AppError {
  const error = toCacheError(thrown, folder);
  if (error instanceof AppError && error.code !== 'canceled') return error;
  throw error;
}

/** First and last moment of what a source holds. */
function spanOf(staged: StagedSource): readonly [number | null, number | null] {
  const startMs = staged.clip?.facts?.clock.startUtcMs ?? null;
  if (startMs !== null) return [startMs, startMs + (staged.clip?.facts?.durationS ?? 0) * 1000];
  const tracks = staged.tracks.map(({ track }) => track);
  return [
    bound(tracks, (track) => track.startedAtMs, Math.min),
    bound(tracks, (track) => track.endedAtMs, Math.max),
  ];
}

function bound(
  tracks: readonly StagedTrack[],
  of: (track: StagedTrack) => number | null,
  better: (a: number, b: number) => number,
): number | null {
  let best: number | null = null;
  for (const track of tracks) {
    const value = of(track);
    if (value !== null) best = best === null ? value : better(best, value);
  }
  return best;
}

function failure(file: ImportFile, error: AppError, entries: readonly EntryReport[] = []): ImportedSource {
  return { ...notImported(file), status: 'failed', error: toErrorData(error), entries };
}

function duplicate(file: ImportFile, of: SourceId): ImportedSource {
  return { ...notImported(file), status: 'duplicate', duplicateOf: of };
}

/** The same bytes twice in one job: a duplicate of the first, or failed like it. */
function asRepeated(file: ImportFile, first: ImportedSource): ImportedSource {
  const of = first.sourceId ?? first.duplicateOf;
  return of === null ? { ...first, fileName: file.fileName } : duplicate(file, of);
}

function notImported(file: ImportFile): ImportedSource {
  return {
    sourceId: null,
    fileName: file.fileName,
    sha256: file.sha256,
    sizeBytes: file.sizeBytes,
    status: 'failed',
    duplicateOf: null,
    error: null,
    entries: [],
    trips: 0,
    points: 0,
    fromMs: null,
    toMs: null,
  };
}

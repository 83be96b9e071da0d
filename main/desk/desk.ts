import { once } from 'node:events';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createDeskClient, type DeskClient } from '../../shared/contract/client.ts';
import type { EventName, PayloadOf, Transport } from '../../shared/contract/index.ts';
import type { ImportOutcome } from '../../shared/contract/imports.ts';
import type { JobProgress, JobResult } from '../../shared/contract/jobs.ts';
import type { SealedPackage, VerifyReport } from '../../shared/contract/packages.ts';
import { AppError, fromErrorData, type Result } from '../../shared/errors.ts';
import type { CaseId, JobId, SourceId, TripId } from '../../shared/ids.ts';
import { createJobRepository } from '../cache/jobRepository.ts';
import { openCache } from '../cache/openCache.ts';
import { createSettingRepository } from '../cache/settingRepository.ts';
import { createTripRepository } from '../cache/tripRepository.ts';
import type { TrackFormat } from '../evidence/trackWriters.ts';
import { createCaseHandlers } from './cases.ts';
import { createClipUseCases } from './clips.ts';
import type { CloudUseCases } from './cloud.ts';
import type { Timing } from '../cloud/rateGate.ts';
import type { DeskDeps, HostAbilities } from './deps.ts';
import { createImportUseCases } from './imports.ts';
import { createJobHandlers, createJobRegistry } from './jobs.ts';
import { createMediaFiles } from './mediaFiles.ts';
import { once as atFirstUse, partOf, type Parts } from './parts.ts';
import { storedText } from './settingStore.ts';

export interface DeskOptions {
  readonly dataFolder: string;
  readonly abilities: HostAbilities;
  /** `worker`: imports and seals get threads of their own. */
  readonly runner: 'worker' | 'inline';
  readonly appVersion: string;
  /** The sample export that comes with the app; null where there is none. */
  readonly samplePath: string | null;
  readonly now?: () => number;
  /** Hears of every failure that nobody foresaw; the default writes to standard error. */
  readonly onBug?: (where: string, thrown: unknown) => void;
  /** Clock, waiting and environment of the cloud's client; the machine's own unless told (tests). */
  readonly cloud?: { readonly timing?: Timing; readonly environment?: NodeJS.ProcessEnv };
}

/** A file that a host may serve. `downloadName` null: shown by the window itself, not saved. */
export interface MediaFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly downloadName: string | null;
}

export interface SealOptions {
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly originals?: 'whole' | 'none';
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: JobProgress) => void;
}

/** The open desk. `transport` is what front ends may reach; the rest is for the host alone. */
export interface Desk {
  readonly transport: Transport;
  readonly client: DeskClient;
  /** The contract by names that were not checked yet: what hosts feed with what came in. Never rejects. */
  dispatch(name: string, input: unknown): Promise<Result<unknown>>;
  subscribeAll(listener: (name: EventName, payload: unknown) => void): () => void;
  /** Imports the user's files by path, as a job of the tray. Rejects with AppError('canceled', ...). */
  importFiles(
    paths: readonly string[],
    options?: CallOptions & { readonly caseId?: CaseId },
  ): Promise<ImportOutcome>;
  /** Seals a case into a file of the user's choice. Rejects with AppError('out_exists', 'case_empty', ...). */
  sealTo(caseId: CaseId, outPath: string, options?: SealOptions & CallOptions): Promise<SealedPackage>;
  /** Checks a package file, as hostile input, and remembers in custody that it was checked. */
  verifyFile(path: string, options?: CallOptions): Promise<VerifyReport>;
  /** Writes a trip's points to a stream, to the digit; waits for slow readers. */
  trackText(tripId: TripId, format: TrackFormat, out: NodeJS.WritableStream): Promise<void>;
  /** The file behind a media path of the contract; null for anything else. */
  mediaFile(mediaPath: string): MediaFile | null;
  /** Reads what has arrived and was not looked into yet: a command is over before the background would come to it. */
  readArrivedClips(): Promise<void>;
  /** The Fleet Dashcam Cloud beyond the contract: any operation by name. */
  cloud(): Promise<CloudUseCases>;
  /** Cancels jobs, waits for them, closes the cache. May be called twice. */
  close(): Promise<void>;
}

/** The machine's user, where the settings name nobody. */
function machineUser(): string {
  try {
    return os.userInfo().username;
  } catch {
    return 'unknown'; // an account without a name (containers)
  }
}

function logBug(where: string, thrown: unknown): void {
  console.error(`evidence-desk: ${where}:`, thrown);
}

/** Whether there is an account at all; without one nothing of the cloud is loaded at start. */
function hasAccount(folder: string): boolean {
  return existsSync(path.join(folder, 'accounts.json')) || process.env.FLEET_DASHCAM_API_KEY !== undefined;
}

function createEvents(onBug: (where: string, thrown: unknown) => void) {
  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  return {
    emit<N extends EventName>(name: N, payload: PayloadOf<N>): void {
      for (const listener of [...listeners]) {
        try {
          listener(name, payload);
        } catch (thrown) {
          onBug(`event ${name}`, thrown); // one broken window must not keep an import from ending
        }
      }
    },
    subscribeAll(listener: (name: EventName, payload: unknown) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Opens the data folder and wires every use case. Rejects with AppError cache_locked | cache_newer |
 * cache_corrupt | no_permission | disk_full, with the folder as it was.
 */
export async function openDesk(options: DeskOptions): Promise<Desk> {
  const now = options.now ?? Date.now;
  const onBug = options.onBug ?? logBug;
  const cache = openCache({ folder: options.dataFolder, now });
  try {
    return wire(options, cache, now, onBug);
  } catch (thrown) {
    cache.close();
    throw thrown;
  }
}

function wire(
  options: DeskOptions,
  cache: ReturnType<typeof openCache>,
  now: () => number,
  onBug: (where: string, thrown: unknown) => void,
): Desk {
  const { emit, subscribeAll } = createEvents(onBug);
  const settings = createSettingRepository(cache.db);
  const jobs = createJobRegistry({ store: createJobRepository(cache.db), now, emit, onBug });
  const deps: DeskDeps = {
    cache,
    now,
    actor: () => storedText(settings, 'actorName') ?? machineUser(),
    emit,
    jobs,
    abilities: options.abilities,
    runner: options.runner,
    appVersion: options.appVersion,
    samplePath: options.samplePath,
  };
  const cases = createCaseHandlers(deps);
  const clips = createClipUseCases(deps);
  const imports = createImportUseCases(deps, cases);
  const derived = atFirstUse(async () => {
    const { createDerivedUseCases } = await import('./derived.ts');
    return createDerivedUseCases(deps, async (clipId) => clips.handlers['clips.telemetry']({ clipId }));
  });
  const packages = atFirstUse(async () => (await import('./packages.ts')).createPackageUseCases(deps));
  // A clip copied by hand may be one that a card is known to hold.
  subscribeAll((name, payload) => {
    if (name !== 'library.changed') return;
    const { reason } = payload as PayloadOf<'library.changed'>; // the name says so
    if (reason === 'import') clips.matchByName();
  });
  /** A case that was removed meanwhile must not keep a clip from arriving. */
  function addToCase(caseId: CaseId, sourceId: SourceId): void {
    try {
      void cases['cases.add']({ caseId, refs: [{ kind: 'source', sourceId }] });
    } catch (thrown) {
      if (!(thrown instanceof AppError && thrown.code === 'not_found')) throw thrown;
    }
  }
  const cloud = atFirstUse(async () => {
    const { createCloudUseCases } = await import('./cloud.ts');
    return createCloudUseCases(deps, {
      ...options.cloud,
      importPath: imports.importPath,
      library: { ...clips, addToCase },
      onBug,
    });
  });
  // Windows take up the exports that an earlier run was waiting for; a command of the command line is over too soon.
  if (options.runner === 'worker' && hasAccount(cache.folder)) void cloud().catch((t) => onBug('cloud', t));
  // Clips that arrived just before an earlier run ended.
  if (options.runner === 'worker') void clips.readUnread().catch((t) => onBug('clips.read', t));
  const app = atFirstUse(async () => {
    const [{ createAppHandlers }, { sealIdentity }] = await Promise.all([import('./app.ts'), packages()]);
    return createAppHandlers(deps, { settings, sealIdentity });
  });
  const sourceHandlers = atFirstUse(async () => (await import('./sources.ts')).createSourceHandlers(deps));
  const tripHandlers = atFirstUse(async () => (await import('./trips.ts')).createTripHandlers(deps));
  const cloudHandlers = async () => (await cloud()).handlers;
  const parts: Parts = {
    accounts: cloudHandlers,
    app,
    basemap: app,
    cameras: sourceHandlers,
    cards: cloudHandlers,
    cases: async () => cases,
    clips: async () => clips.handlers,
    cloudDevices: cloudHandlers,
    custody: async () => cases,
    demo: cloudHandlers,
    derived: async () => (await derived()).handlers,
    exports: cloudHandlers,
    groups: cloudHandlers,
    imports: async () => imports.handlers,
    jobs: async () => createJobHandlers(deps),
    marks: atFirstUse(async () => (await import('./marks.ts')).createMarkHandlers(deps)),
    packages: async () => (await packages()).handlers,
    recalls: cloudHandlers,
    review: atFirstUse(async () => (await import('./review.ts')).createReviewHandlers(deps)),
    settings: app,
    sources: sourceHandlers,
    tracks: tripHandlers,
    trips: tripHandlers,
    usage: cloudHandlers,
  };
  const dispatcher = atFirstUse(async () => {
    const { createDispatcher } = await import('../../shared/contract/dispatch.ts');
    return createDispatcher((name) => partOf(parts, name), onBug);
  });
  const dispatch = async (name: string, input: unknown): Promise<Result<unknown>> =>
    (await dispatcher())(name, input);
  const transport: Transport = {
    request: dispatch,
    subscribe: (name, listener) =>
      subscribeAll((which, payload) => {
        if (which === name) listener(payload);
      }),
  };
  const trips = createTripRepository(cache.db);
  const mediaFile = createMediaFiles(cache, settings);
  let closing: Promise<void> | null = null;

  /** Follows a job to its end as a call: its progress, cancel by signal, its result or its error. */
  async function follow(jobId: JobId, { signal, onProgress }: CallOptions): Promise<JobResult> {
    const stop = subscribeAll((name, payload) => {
      if (name !== 'jobs.changed') return;
      const job = payload as PayloadOf<'jobs.changed'>; // the name says so
      if (job.jobId === jobId && job.state.status === 'running') onProgress?.(job.state.progress);
    });
    const cancel = (): void => jobs.cancel(jobId);
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const { state } = await jobs.ended(jobId);
      if (state.status === 'done') return state.result;
      if (state.status === 'failed') throw fromErrorData(state.error);
      throw new AppError('canceled', 'Canceled.');
    } finally {
      stop();
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** What was never used has nothing to close; what could not be opened was reported when it was asked for. */
  async function closeParts(): Promise<void> {
    await (await cloud.made()?.catch(() => null))?.close();
    await jobs.close();
    await (await derived.made()?.catch(() => null))?.close();
    await clips.close();
  }

  return {
    transport,
    client: createDeskClient(transport),
    dispatch,
    subscribeAll,
    async importFiles(paths, { caseId, ...rest } = {}) {
      const result = await follow(imports.startFiles(paths, caseId), rest);
      if (result.kind !== 'import') throw new Error('An import ended as another kind of job.');
      return result.outcome;
    },
    async sealTo(caseId, outPath, { signal, onProgress, ...seal } = {}) {
      const { startSealTo } = await packages();
      const result = await follow(startSealTo(caseId, outPath, seal), {
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress } : {}),
      });
      if (result.kind !== 'seal') throw new Error('A seal ended as another kind of job.');
      return result.sealed;
    },
    async verifyFile(path, rest = {}) {
      const { startVerifyFile } = await packages();
      const result = await follow(startVerifyFile(path), rest);
      if (result.kind !== 'verify') throw new Error('A check ended as another kind of job.');
      return result.report;
    },
    async trackText(tripId, format, out) {
      const [trip] = trips.stored([tripId]);
      if (!trip)
        trips.get(tripId); // says that it is not there
      else {
        const { writeTrack } = await import('../evidence/trackWriters.ts');
        for (const text of writeTrack(format, trip, () => trips.chunksOf(tripId))) {
          if (text !== '' && !out.write(text)) await once(out, 'drain');
        }
      }
    },
    mediaFile,
    readArrivedClips: () => clips.readUnread(),
    cloud,
    close() {
      closing ??= closeParts().finally(() => cache.close());
      return closing;
    },
  };
}

import type { HostAbilitiesInfo } from '../../shared/contract/app.ts';
import type { EventName, PayloadOf } from '../../shared/contract/index.ts';
import type { Job, JobKind, JobProgress, JobResult } from '../../shared/contract/jobs.ts';
import type { JobId } from '../../shared/ids.ts';
import type { EvidenceCache } from '../cache/openCache.ts';

/** What only the host can do. A use case asks for an ability; it never asks which host it runs in. */
export interface HostAbilities {
  readonly info: HostAbilitiesInfo;
  /** Encrypts a secret for this user of this machine. AppError('ability_missing') where there is no store. */
  protectSecret(plain: Uint8Array): Promise<Uint8Array>;
  /** The reverse of protectSecret. AppError('seal_key_unavailable') when it can't be revealed here. */
  revealSecret(sealed: Uint8Array): Promise<Uint8Array>;
  /** Shows a file in the system's file manager. AppError('ability_missing') unless `canRevealInFolder`. */
  revealInFolder(path: string): Promise<void>;
}

/** Long work as jobs of the tray. */
export interface JobRegistry {
  /**
   * Runs long work as a job; resolves with its id at once. Work ends by returning, by throwing, or, after a
   * cancel, by throwing AppError('canceled'); the last is neither an error nor logged.
   */
  start(kind: JobKind, title: string, work: (context: JobContext) => Promise<JobResult>): JobId;
  /** Running and ended jobs, newest first, those of earlier runs of the app too. */
  list(): readonly Job[];
  /** Asks a running job to stop. AppError('not_found'); no effect on one that has ended. */
  cancel(id: JobId): void;
  /** Takes an ended job out of the tray. AppError('not_found' | 'busy'). */
  dismiss(id: JobId): void;
  /** Resolves when the job has ended, with how. */
  ended(id: JobId): Promise<Job>;
  /** Cancels what runs and waits for it. */
  close(): Promise<void>;
}

export interface JobContext {
  /** Aborted by cancel and by closing the desk. */
  readonly signal: AbortSignal;
  /** May be called as often as the work likes: the registry thins what it sends. */
  progress(progress: JobProgress): void;
}

/** What the use cases of every feature get. */
export interface DeskDeps {
  readonly cache: EvidenceCache;
  /** UTC milliseconds. */
  readonly now: () => number;
  /** Who acts, as custody entries state it: the name in the settings, else the machine's user. */
  readonly actor: () => string;
  emit<N extends EventName>(name: N, payload: PayloadOf<N>): void;
  readonly jobs: JobRegistry;
  readonly abilities: HostAbilities;
  /** `inline`: imports and seals run in this thread (command line, tests); `worker`: in threads of their own. */
  readonly runner: 'worker' | 'inline';
  readonly appVersion: string;
  /** The sample export that comes with the app; null where it is not there. */
  readonly samplePath: string | null;
}

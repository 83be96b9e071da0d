import type { HostAbilitiesInfo } from '../../shared/contract/app.ts';
import type { EventName } from '../../shared/contract/index.ts';
import type { ImportOutcome } from '../../shared/contract/imports.ts';
import type { JobProgress } from '../../shared/contract/jobs.ts';
import type { SealedPackage, VerifyReport } from '../../shared/contract/packages.ts';
import type { AppErrorData, Result } from '../../shared/errors.ts';
import type { CaseId } from '../../shared/ids.ts';
import type { MediaFile, SealOptions } from './desk.ts';

/** What the desk's thread is started with. */
export interface DeskWorkerData {
  readonly dataFolder: string;
  readonly abilitiesInfo: HostAbilitiesInfo;
  readonly runner: 'worker' | 'inline';
  readonly appVersion: string;
  readonly samplePath: string | null;
}

/** Host-only calls: never reachable through the contract. One row is all that a new call needs. */
export interface DeskCalls {
  importFiles: { args: { paths: readonly string[]; caseId?: CaseId }; result: ImportOutcome };
  sealTo: { args: { caseId: CaseId; outPath: string; options: SealOptions }; result: SealedPackage };
  verifyFile: { args: { path: string }; result: VerifyReport };
  mediaFile: { args: { mediaPath: string }; result: MediaFile | null };
}
export type DeskCallName = keyof DeskCalls;

/** Abilities of the host that the desk's thread asks for. */
export interface AbilityCalls {
  protectSecret: { args: Uint8Array; result: Uint8Array };
  revealSecret: { args: Uint8Array; result: Uint8Array };
  revealInFolder: { args: string; result: null };
}
export type AbilityName = keyof AbilityCalls;

export type ToDesk =
  | { readonly kind: 'request'; readonly id: number; readonly name: string; readonly input: unknown }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly name: DeskCallName;
      readonly args: DeskCalls[DeskCallName]['args'];
    }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'ability-reply'; readonly id: number; readonly result: Result<Uint8Array | null> }
  | { readonly kind: 'close' };

export type FromDesk =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly error: AppErrorData }
  /** A wire-encoded Result: made in the desk's thread, handed over without a copy. */
  | { readonly kind: 'reply'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'call-reply'; readonly id: number; readonly result: Result<unknown> }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: JobProgress }
  | { readonly kind: 'event'; readonly name: EventName; readonly payload: unknown }
  | {
      readonly kind: 'ability';
      readonly id: number;
      readonly name: AbilityName;
      readonly args: AbilityCalls[AbilityName]['args'];
    }
  | { readonly kind: 'bug'; readonly where: string; readonly text: string }
  | { readonly kind: 'closed' };

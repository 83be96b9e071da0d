import type { CloudProblemData } from '../../../shared/cloudProblem.ts';
import type { Recall } from '../../../shared/contract/recalls.ts';
import type { AccountId } from '../../../shared/ids.ts';
import type { BlobStore } from '../../cache/blobStore.ts';
import type { WritableDb } from '../../cache/database.ts';
import type { RecallRepository } from '../../cache/recallRepository.ts';
import type { CloudClient } from '../../cloud/client.ts';
import type { Timing } from '../../cloud/rateGate.ts';
import type { DeviceGate } from './deviceGate.ts';

/** A clip that is on the disk, hashed and checked. */
export interface ArrivedClip {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly requestedAtMs: number;
  readonly arrivedAtMs: number;
}

/** What the recall queue needs of the desk. */
export interface RecallQueueDeps {
  readonly db: WritableDb;
  readonly recalls: RecallRepository;
  readonly blobs: BlobStore;
  /** Where parts lie between sessions; under the cache's `partial/`. */
  readonly folder: string;
  readonly gate: DeviceGate;
  readonly timing: Timing;
  readonly userAgent: string;
  clientOf(accountId: AccountId): Promise<CloudClient>;
  /** In the cache from somewhere else (imported by hand); null where not. */
  heldSha256(recall: Pick<Recall, 'psn' | 'filename' | 'quality'>): string | null;
  /** What the month still covers, not counting what waits in the queue; null where it can't be known. */
  freeBytes(accountId: AccountId, client: CloudClient, signal: AbortSignal): Promise<number | null>;
  readonly ledger: {
    /** A place in the ledger. */
    mark(): number;
    /** Whether a request of this recall was counted after a mark. */
    isSpent(recall: Recall, mark: number): boolean;
    spend(recall: Recall, bytes: number, requestId: string | null): void;
  };
  /** In the transaction that completes the recall: custody, the clip's own row, the case. */
  onArrived(recall: Recall, clip: ArrivedClip): void;
  /** After that transaction. */
  onKept(recall: Recall): void;
  /** After a camera accepted or a transfer was canceled. */
  onMilestone(
    action: 'accepted' | 'canceled',
    recall: Recall,
    detail: Readonly<Record<string, unknown>>,
  ): void;
  /** What a call to a camera taught of it; null: it answered. */
  onLearnt(accountId: AccountId, psn: string, problem: CloudProblemData | null): void;
  emit(recall: Recall): void;
  onBug(where: string, thrown: unknown): void;
}

import type {
  CardFilters,
  CardListing,
  cardRequests,
  ClipQuality,
  RecordingMetadata,
} from '../../../shared/contract/cards.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { recallRequests } from '../../../shared/contract/recalls.ts';
import type { CaseId, SourceId } from '../../../shared/ids.ts';
import { createCardRepository } from '../../cache/cardRepository.ts';
import { createClipRepository } from '../../cache/clipRepository.ts';
import type { CloudRepository } from '../../cache/cloudRepository.ts';
import { createCustodyRepository } from '../../cache/custodyRepository.ts';
import { recallFolderOf } from '../../cache/folders.ts';
import { createRecallRepository } from '../../cache/recallRepository.ts';
import { operations, type OperationInput, type OperationName } from '../../cloud/operations.ts';
import { systemTiming, type Timing } from '../../cloud/rateGate.ts';
import { heldKey } from '../../media/cards/rows.ts';
import { createDeviceGate } from '../../media/recall/deviceGate.ts';
import { createRecallQueue, type RecallQueue } from '../../media/recall/recallQueue.ts';
import { teaches, type LearntProblem } from '../../media/cards/obstacles.ts';
import type { ArrivedClip } from '../clips.ts';
import type { DeskDeps } from '../deps.ts';
import type { AccountStore } from './accountStore.ts';
import { createTransferBudgets } from './budget.ts';
import { createCardUseCases } from './cards.ts';
import type { Connections } from './connections.ts';
import { createRecallHandlers } from './recalls.ts';

/** What becomes of a clip whose bytes are a blob. */
export interface ArrivalLibrary {
  addArrived(clip: ArrivedClip): { readonly sourceId: SourceId };
  addToCase(caseId: CaseId, sourceId: SourceId): void;
  /** Looks for clips copied by hand among the recordings that cards are known to hold. */
  matchByName(): void;
  /** After the transaction: reads what is inside. */
  readUnread(): Promise<void>;
}

export interface MediaUseCases {
  readonly handlers: Pick<Handlers, keyof typeof cardRequests | keyof typeof recallRequests>;
  readonly queue: RecallQueue;
  /** Where a clip lies that is in the cache. */
  clipPath(sha256: string): string;
  /** What is stored of a card of the active account; nobody is asked. */
  storedListing(psn: string, filters: CardFilters): CardListing;
  /** The same of one recording's metadata; null: it was never fetched. */
  storedMetadata(psn: string, filename: string): RecordingMetadata | null;
  /** Runs a call by name in the turn of the camera that it contacts, if it contacts one. */
  inTurn<T>(name: OperationName, input: OperationInput, work: () => Promise<T>): Promise<T>;
  /** Takes up the recalls of an earlier run; those of the demo fleet only while it is the active account. */
  resume(): void;
  close(): Promise<void>;
}

/** Wires cards, prices and the recall queue. */
export function createMediaUseCases(
  deps: DeskDeps,
  parts: {
    readonly connections: Connections;
    readonly accounts: AccountStore;
    readonly repository: CloudRepository;
    readonly timing?: Timing | undefined;
    /** Takes an arrived file into the library and, in the same transaction, into the case that waits for it. */
    readonly library: ArrivalLibrary;
    readonly onBug: (where: string, thrown: unknown) => void;
  },
): MediaUseCases {
  const { connections, accounts, repository, onBug } = parts;
  const { db, blobs, folder } = deps.cache;
  const timing: Timing = parts.timing ?? { ...systemTiming, now: deps.now };
  const cards = createCardRepository(db);
  const recalls = createRecallRepository(db);
  const custody = createCustodyRepository(db, deps.now);
  const gate = createDeviceGate();
  const clips = createClipRepository(db);
  /** Recalled or imported by hand, as long as the file is there: one taken out of the library can be recalled anew. */
  const held = ({ psn, filename, quality }: { psn: string; filename: string; quality: ClipQuality }) =>
    [
      ...clips.named(filename, quality).flatMap((clip) => (clip.psn === psn ? [clip.sha256] : [])),
      ...[recalls.heldSha256(psn, filename, quality) ?? []].flat(),
    ].find((sha256) => blobs.has(sha256)) ?? null;
  const heldOf = (psn: string): ReadonlyMap<string, string> => {
    const known = new Map<string, string>();
    for (const clip of clips.list({ psns: [psn] })) {
      const { mainName, quality } = clip;
      if (mainName !== null && (quality === 'main' || quality === 'sub'))
        known.set(heldKey(mainName, quality), clip.sha256);
    }
    for (const { filename, quality, sha256 } of recalls.heldOf(psn))
      if (!known.has(heldKey(filename, quality)) && blobs.has(sha256))
        known.set(heldKey(filename, quality), sha256);
    return known;
  };

  const budgets = createTransferBudgets({
    repository,
    now: deps.now,
    reservedBytes: (accountId) =>
      recalls.reserved(accountId).reduce((sum, { recall }) => sum + recall.priceBytes, 0),
    onRefreshed: (accountId) => deps.emit('usage.changed', { accountId }),
  });

  const onListed = (): void => parts.library.matchByName();
  const shared = { connections, repository, cards, recalls, custody, gate, heldOf, onListed, onBug };
  const cardUseCases = createCardUseCases(deps, shared);

  const queue = createRecallQueue({
    db,
    recalls,
    blobs,
    folder: recallFolderOf(folder),
    gate,
    timing,
    userAgent: `EvidenceDesk/${deps.appVersion}`,
    clientOf: (accountId) => connections.byId(accountId),
    heldSha256: held,
    async freeBytes(accountId, client, signal) {
      const { limitBytes, serverUsedBytes, spentSinceBytes } = await budgets.refreshed(accountId, client, {
        signal,
      });
      if (limitBytes === null || serverUsedBytes === null) return null;
      return Math.max(0, limitBytes - serverUsedBytes - spentSinceBytes);
    },
    ledger: {
      mark: () => repository.lastEntryId(),
      isSpent: (recall, mark) =>
        repository.spendings(recall.accountId, 'transfer_bytes', recall.filename, mark) > 0,
      spend(recall, bytes, requestId) {
        repository.spend(recall.accountId, {
          atMs: deps.now(),
          bucket: 'transfer_bytes',
          amount: bytes,
          operation: 'sdFiles.playback',
          subject: recall.filename,
          requestId,
        });
      },
    },
    onArrived(recall, clip) {
      const { psn, filename: fileName, quality } = recall;
      const { sha256, sizeBytes } = clip;
      const { sourceId } = parts.library.addArrived({ sha256, sizeBytes, fileName, psn, quality });
      custody.append({
        actor: deps.actor(),
        action: 'clip.receive',
        subject: {
          kind: 'clip',
          id: `${recall.psn}/${recall.filename}/${recall.quality}`,
          sha256: clip.sha256,
        },
        detail: {
          jobId: recall.jobId,
          requestId: recall.requestId,
          sizeBytes: clip.sizeBytes,
          chargedBytes: recall.chargedBytes,
          requestedAt: new Date(clip.requestedAtMs).toISOString(),
          arrivedAt: new Date(clip.arrivedAtMs).toISOString(),
        },
        ...(recall.caseId === null ? {} : { caseId: recall.caseId }),
      });
      if (recall.caseId !== null) parts.library.addToCase(recall.caseId, sourceId);
    },
    onKept(recall) {
      deps.emit('cards.changed', { psn: recall.psn });
      parts.library.readUnread().catch((thrown: unknown) => onBug('clips.read', thrown));
    },
    onMilestone(action, recall, detail) {
      custody.append({
        actor: deps.actor(),
        action: action === 'accepted' ? 'clip.request' : 'clip.cancel',
        subject: {
          kind: 'recording',
          id: `${recall.psn}/${recall.filename}/${recall.quality}`,
          sha256: null,
        },
        detail,
        ...(recall.caseId === null ? {} : { caseId: recall.caseId }),
      });
    },
    onLearnt(accountId, psn, problem) {
      if (problem !== null && !teaches(problem)) return;
      const value = problem === null ? null : { problem, atMs: deps.now() };
      const before =
        repository.snapshot<LearntProblem | null>(accountId, 'camera-problem', psn)?.body ?? null;
      if (value === null && before === null) return;
      repository.saveSnapshot(accountId, 'camera-problem', psn, deps.now(), value);
      if (value?.problem.code !== before?.problem.code) deps.emit('cards.changed', { psn });
    },
    emit: (recall) => deps.emit('recalls.changed', recall),
    onBug,
  });

  return {
    handlers: {
      ...cardUseCases.handlers,
      ...createRecallHandlers(deps, { ...shared, queue, budgets, heldSha256: held }),
    },
    queue,
    storedListing: cardUseCases.storedListing,
    storedMetadata: cardUseCases.storedMetadata,
    clipPath: (sha256) => blobs.pathOf(sha256),
    async inTurn(name, input, work) {
      const body = input.body as { psn?: unknown } | undefined; // any JSON; the field is checked
      const psn = input.psn ?? body?.psn;
      if (operations[name].contactsDevice !== true || typeof psn !== 'string') return work();
      return gate.contact(psn, name, work, { mayInterrupt: name === 'devices.reboot' });
    },
    resume() {
      const known = new Map(accounts.list().map((account) => [account.accountId, account]));
      queue.resume((recall) => {
        const account = known.get(recall.accountId);
        return account !== undefined && (!account.isDemo || account.isActive);
      });
    },
    async close() {
      cardUseCases.close();
      await queue.close();
    },
  };
}

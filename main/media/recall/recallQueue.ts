import { randomUUID } from 'node:crypto';
import type { ClipQuality } from '../../../shared/contract/cards.ts';
import type { Cancellation, Recall } from '../../../shared/contract/recalls.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AccountId, CaseId, RecallId } from '../../../shared/ids.ts';
import type { RecallInner, StoredRecall } from '../../cache/recallRepository.ts';
import type { RecallQueueDeps } from './deps.ts';
import { dropPart } from './parts.ts';
import type { RecallCell, RunControl } from './recallAsk.ts';
import { runRecall } from './recallRun.ts';
import { abortWarning } from './rules.ts';

/** A recall as it is ordered, priced. */
export interface RecallOrder {
  readonly accountId: AccountId;
  readonly psn: string;
  readonly filename: string;
  readonly quality: ClipQuality;
  readonly caseId: CaseId | null;
  readonly deadlineAtMs: number | null;
  readonly priceBytes: number;
  readonly reason: string | null;
  /** In the cache already: the recall ends before it begins. */
  readonly heldSha256: string | null;
  readonly sizeBytes: number | null;
}

export interface RecallQueue {
  /** Writes orders down and begins with them. */
  add(orders: readonly RecallOrder[]): readonly Recall[];
  list(): readonly Recall[];
  /** Ends a recall, or asks first when the camera may be uploading. AppError('not_found'). */
  cancel(recallId: RecallId, isConfirmed: boolean): Promise<Cancellation>;
  /** Goes on with a recall that stopped, waits, was canceled or needs consent. AppError('reason_needed') for the latter without it. */
  retry(
    recallId: RecallId,
    options: { readonly isCostAccepted: boolean; readonly deadlineAtMs: number | null },
  ): Recall;
  /** AppError('busy') while it runs. */
  dismiss(recallId: RecallId): void;
  /** Takes up what an earlier run of the app left. */
  resume(isWanted?: (recall: Recall) => boolean): void;
  /** Resolves when the recall has ended or needs the user. */
  ended(recallId: RecallId): Promise<Recall>;
  /** Stops everything where it stands; `resume` goes on there. */
  close(): Promise<void>;
}

/** Progress is told this far apart. */
const progressEveryMs = 100;

const isOver = (recall: Recall): boolean =>
  ['done', 'stopped', 'canceled', 'needs_consent'].includes(recall.state.status);

interface Running {
  readonly control: RunControl;
  readonly done: Promise<void>;
}

const noInner: RecallInner = {
  url: null,
  askedAtMs: null,
  ledgerMark: 0,
  isAskOpen: false,
  jobIds: [],
  transferBeganAtMs: null,
  uploadedAtMs: null,
  wasCopy: false,
};

/**
 * The recall queue (issue: "one transfer per device, parallel over devices, persistent"): one line for each camera,
 * worked off in order of asking; every step is in the database before it is taken.
 */
export function createRecallQueue(deps: RecallQueueDeps): RecallQueue {
  const { recalls, timing } = deps;
  const closing = new AbortController();
  /** Recalls in memory: those that run or wait for their turn. */
  const live = new Map<RecallId, StoredRecall>();
  const lines = new Map<string, RecallId[]>();
  const running = new Map<RecallId, Running>();
  const workers = new Map<string, Promise<void>>();
  const toldAtMs = new Map<RecallId, number>();
  const waiters = new Map<RecallId, Set<(recall: Recall) => void>>();

  function known(recallId: RecallId): StoredRecall {
    const stored = live.get(recallId) ?? recalls.get(recallId);
    if (stored) return stored;
    throw new AppError('not_found', 'There is no such recall.', { remedy: 'Refresh the list.' });
  }

  function tell(recall: Recall): void {
    toldAtMs.set(recall.recallId, timing.now());
    deps.emit(recall);
    if (!isOver(recall)) return;
    for (const resolve of waiters.get(recall.recallId) ?? []) resolve(recall);
    waiters.delete(recall.recallId);
  }

  function cellOf(recallId: RecallId): RecallCell {
    return {
      get: () => known(recallId),
      update(change, inner = {}) {
        const before = known(recallId);
        const after = { recall: { ...before.recall, ...change }, inner: { ...before.inner, ...inner } };
        // In memory first: on a full disk the run still knows where it stands.
        live.set(recallId, after);
        recalls.save(after);
        tell(after.recall);
      },
      progress(state) {
        const before = known(recallId);
        const after = { ...before, recall: { ...before.recall, state } };
        live.set(recallId, after);
        if (timing.now() - (toldAtMs.get(recallId) ?? -Infinity) >= progressEveryMs) tell(after.recall);
      },
    };
  }

  function enqueue({ recall, inner }: StoredRecall): void {
    live.set(recall.recallId, { recall, inner });
    const line = lines.get(recall.psn) ?? [];
    lines.set(recall.psn, line);
    if (!line.includes(recall.recallId)) line.push(recall.recallId);
    if (!workers.has(recall.psn)) workers.set(recall.psn, work(recall.psn, line));
  }

  /** Works off one camera's line. */
  async function work(psn: string, line: RecallId[]): Promise<void> {
    await Promise.resolve(); // whoever ordered has the recall before anything happens to it
    try {
      for (;;) {
        const recallId = line[0];
        if (recallId === undefined || closing.signal.aborted) return;
        const control: RunControl = {
          cancel: new AbortController(),
          closing: closing.signal,
          wake: new AbortController(),
        };
        const done = runRecall(deps, cellOf(recallId), control).catch((t: unknown) =>
          deps.onBug('recall', t),
        );
        running.set(recallId, { control, done });
        await done;
        running.delete(recallId);
        line.shift();
        if (isOver(known(recallId).recall)) live.delete(recallId);
      }
    } finally {
      workers.delete(psn);
    }
  }

  return {
    add(orders) {
      const made = orders.map((order): StoredRecall => {
        const { heldSha256, sizeBytes, ...rest } = order;
        const nowMs = timing.now();
        const recall: Recall = {
          ...rest,
          recallId: `rcl_${randomUUID().replaceAll('-', '').slice(0, 16)}` as RecallId, // made here
          requestedAtMs: nowMs,
          jobId: null,
          requestId: null,
          sizeBytes: null,
          linkExpiresAtMs: null,
          chargedBytes: 0,
          requests: 0,
          state:
            heldSha256 === null
              ? { status: 'queued' }
              : {
                  status: 'done',
                  sha256: heldSha256,
                  sizeBytes: sizeBytes ?? 0,
                  endedAtMs: nowMs,
                  wasHeld: true,
                },
        };
        return { recall, inner: noInner };
      });
      for (const stored of made) recalls.save(stored);
      for (const stored of made) {
        tell(stored.recall);
        if (!isOver(stored.recall)) enqueue(stored);
      }
      return made.map(({ recall }) => recall);
    },

    list: () => recalls.list().map(({ recall }) => live.get(recall.recallId)?.recall ?? recall),

    async cancel(recallId, isConfirmed) {
      const { recall, inner } = known(recallId);
      if (recall.state.status === 'done' || recall.state.status === 'canceled')
        return { status: 'canceled', recall };
      // Only where the camera may be uploading is there something to warn of.
      const mayUpload = (inner.url !== null && inner.uploadedAtMs === null) || inner.isAskOpen;
      if (mayUpload && !isConfirmed) return { status: 'needs_confirmation', what: abortWarning, recall };
      const run = running.get(recallId);
      if (run) {
        run.control.cancel.abort(new AppError('canceled', 'Canceled.'));
        await run.done;
        return { status: 'canceled', recall: known(recallId).recall };
      }
      const line = lines.get(recall.psn);
      if (line?.includes(recallId)) line.splice(line.indexOf(recallId), 1);
      const control: RunControl = {
        cancel: new AbortController(),
        closing: closing.signal,
        wake: new AbortController(),
      };
      control.cancel.abort(new AppError('canceled', 'Canceled.'));
      await runRecall(deps, cellOf(recallId), control);
      live.delete(recallId);
      return { status: 'canceled', recall: known(recallId).recall };
    },

    retry(recallId, { isCostAccepted, deadlineAtMs }) {
      const stored = known(recallId);
      const { recall, inner } = stored;
      const { state } = recall;
      if (state.status === 'done') return recall;
      const run = running.get(recallId);
      if (!isOver(recall)) {
        run?.control.wake.abort();
        return recall;
      }
      const isLinkLive =
        inner.url !== null && (recall.linkExpiresAtMs === null || recall.linkExpiresAtMs > timing.now());
      if (!isLinkLive && recall.chargedBytes > 0 && !isCostAccepted) {
        throw new AppError('reason_needed', 'This asks the camera again, and is counted toward the allowance again.', {
          remedy: 'Accept the cost to go on.',
          details: { chargeBytes: recall.sizeBytes ?? recall.priceBytes },
        }); // prettier-ignore
      }
      const again: StoredRecall = {
        recall: { ...recall, deadlineAtMs, state: { status: 'queued' } },
        inner: isLinkLive ? inner : { ...inner, url: null },
      };
      recalls.save(again);
      live.set(recallId, again);
      tell(again.recall);
      // It has just ended: its worker lets go of it first.
      if (run) void run.done.then(() => enqueue(known(recallId)));
      else enqueue(again);
      return again.recall;
    },

    dismiss(recallId) {
      const { recall } = known(recallId);
      if (!isOver(recall) || recall.state.status === 'needs_consent' || running.has(recallId)) {
        throw new AppError('busy', 'This recall has not ended.', { remedy: 'Cancel it first.' });
      }
      if (recall.state.status !== 'done') dropPart(deps.folder, recall);
      recalls.dismiss(recallId);
    },

    resume(isWanted = () => true) {
      for (const stored of recalls.open()) {
        const { recall } = stored;
        if (live.has(recall.recallId) || isOver(recall) || !isWanted(recall)) continue;
        enqueue(stored);
      }
    },

    ended(recallId) {
      const { recall } = known(recallId);
      if (isOver(recall)) return Promise.resolve(recall);
      return new Promise((resolve) => {
        const set = waiters.get(recallId) ?? new Set();
        waiters.set(recallId, set);
        set.add(resolve);
      });
    },

    async close() {
      closing.abort(new AppError('canceled', 'Evidence Desk is closing.'));
      await Promise.all(workers.values());
    },
  };
}

import { explainProblem } from '../../../shared/cloudProblem.ts';
import type { PlaybackLink, RecallJob } from '../../../shared/cloudResources.ts';
import type { Recall, RecallState } from '../../../shared/contract/recalls.ts';
import { AppError, toErrorData } from '../../../shared/errors.ts';
import type { RecallInner, StoredRecall } from '../../cache/recallRepository.ts';
import type { CloudClient } from '../../cloud/client.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import { flatBytes } from '../../cloud/spending.ts';
import type { RecallQueueDeps } from './deps.ts';
import { searchJob } from './jobSearch.ts';
import { malformed } from './parts.ts';
import { copyUntilMs } from './pricing.ts';
import { pauseAfter, type Pause } from './rules.ts';

/** A request to a camera is answered, or times out at the service, well before. */
const askDeadlineMs = 95_000;
/** With less than this to the deadline a further try would only repeat the one before it. */
const shortestLastWaitMs = 1000;

/** One recall at work: how the queue steers it. */
export interface RunControl {
  /** The user canceled. */
  readonly cancel: AbortController;
  /** The app is closing: everything stays as written down. */
  readonly closing: AbortSignal;
  /** Ends a pause early. */
  wake: AbortController;
}

/** The live recall; every change goes through here to the database and the window. */
export interface RecallCell {
  get(): StoredRecall;
  /** Changes and writes down. */
  update(recall: Partial<Recall>, inner?: Partial<RecallInner>): void;
  /** Changes progress only: shown, not written down. */
  progress(state: RecallState): void;
}

/** Ended for good or until the user speaks. */
export class Over extends Error {}

/** The first half of a recall: getting the camera to upload, once. */
export class RecallAsk {
  protected tries = 0;
  protected readonly deps: RecallQueueDeps;
  protected readonly cell: RecallCell;
  protected readonly control: RunControl;

  constructor(deps: RecallQueueDeps, cell: RecallCell, control: RunControl) {
    this.deps = deps;
    this.cell = cell;
    this.control = control;
  }

  protected get recall(): Recall {
    return this.cell.get().recall;
  }
  protected get inner(): RecallInner {
    return this.cell.get().inner;
  }
  /** Aborts for a cancel and for closing. */
  protected get signal(): AbortSignal {
    return AbortSignal.any([this.control.cancel.signal, this.control.closing]);
  }
  protected get nowMs(): number {
    return this.deps.timing.now();
  }

  stop(thrown: unknown): void {
    const error =
      thrown instanceof CloudProblem
        ? new AppError('cloud_problem', explainProblem(thrown).what, {
            remedy: explainProblem(thrown).todo,
            details: { problem: thrown.toData() },
          })
        : thrown;
    const isLinkLive =
      this.inner.url !== null &&
      (this.recall.linkExpiresAtMs === null || this.recall.linkExpiresAtMs > this.nowMs);
    this.cell.update({
      state: {
        status: 'stopped',
        error: toErrorData(error),
        endedAtMs: this.nowMs,
        retryChargeBytes: isLinkLive ? 0 : this.recall.priceBytes,
      },
    });
  }

  /**
   * Waits before the next try, or stops where that would be after the deadline. A wait of our own choice is cut short
   * for a last try at the deadline; before the service's own Retry-After asking would be for nothing.
   */
  protected async pause(problem: CloudProblem, pause: Pause): Promise<void> {
    const leftMs = (this.recall.deadlineAtMs ?? Infinity) - this.nowMs;
    const isCut = problem.retryAfterMs === null && leftMs >= shortestLastWaitMs;
    const waitMs = isCut ? Math.min(pause.waitMs, leftMs) : pause.waitMs;
    const untilMs = this.nowMs + waitMs;
    const isLate = waitMs > leftMs;
    if (isLate || (pause.maxTries !== null && this.tries >= pause.maxTries)) {
      this.stop(problem);
      throw new Over();
    }
    this.cell.update({ state: { status: 'waiting', for: pause.for, untilMs, problem: problem.toData() } });
    this.control.wake = new AbortController();
    try {
      await this.deps.timing.wait(waitMs, AbortSignal.any([this.signal, this.control.wake.signal]));
    } catch (thrown) {
      this.signal.throwIfAborted();
      if (!this.control.wake.signal.aborted) throw thrown;
    }
  }

  /** Asks the camera to upload. Returns the hold on it once it accepted, null to try again. */
  protected async ask(client: CloudClient): Promise<(() => void) | null> {
    this.tries++;
    try {
      if (this.inner.isAskOpen) {
        const found = await this.reconcile(client, this.signal);
        if (found) return this.deps.gate.hold(this.recall.psn);
      }
      await this.guardBudget(client);
      return await this.deps.gate.contact(this.recall.psn, 'recall', () => this.request(client), {
        priority: 'recall',
        signal: this.signal,
      });
    } catch (thrown) {
      this.control.closing.throwIfAborted();
      if (!(thrown instanceof CloudProblem)) throw thrown;
      this.control.cancel.signal.throwIfAborted();
      const pause = pauseAfter(thrown, this.tries);
      if (pause === null) {
        this.cell.update({}, { isAskOpen: false });
        throw thrown;
      }
      await this.pause(thrown, pause);
      return null;
    }
  }

  /** The allowance again, right before the camera is asked: it may have waited for hours (8.2). */
  protected async guardBudget(client: CloudClient): Promise<void> {
    const freeBytes = await this.deps.freeBytes(this.recall.accountId, client, this.signal);
    if (freeBytes === null || this.recall.priceBytes <= freeBytes) return;
    throw new AppError('over_budget', `The month’s allowance has ${freeBytes} bytes left; this clip needs ${this.recall.priceBytes}.`, {
      remedy: 'Take the small stream, or wait for the next month. Nothing was requested.',
      details: { freeBytes, neededBytes: this.recall.priceBytes },
    }); // prettier-ignore
  }

  protected async request(client: CloudClient): Promise<(() => void) | null> {
    const { psn, filename, quality, accountId } = this.recall;
    this.signal.throwIfAborted();
    // It may have come in by another way while this one waited for its turn.
    if (this.deps.heldSha256(this.recall) !== null) return null;
    // Written down first: after a kill in the middle the job list is looked at before the camera is asked again.
    this.cell.update(
      { state: { status: 'starting' } },
      { askedAtMs: this.nowMs, isAskOpen: true, ledgerMark: this.deps.ledger.mark() },
    );
    try {
      const answer = await client.call(
        'sdFiles.playback',
        { psn, filename, quality },
        {
          deadlineMs: askDeadlineMs,
          // Not aborted by a cancel: its outcome decides what there is to cancel.
          signal: this.control.closing,
          // The queue waits itself, where the user sees it and the deadline holds.
          onWait: ({ problem }) => {
            if (problem.code !== 'rate_limited') throw problem;
          },
        },
      );
      const link = (answer.body as { data?: PlaybackLink } | null)?.data;
      if (typeof link?.url !== 'string' || typeof link.jobId !== 'string') throw malformed(answer.requestId);
      this.deps.onLearnt(accountId, psn, null);
      this.accept(link, answer.requestId, typeof link.receivedBytes === 'number' ? link.receivedBytes : null);
      return this.deps.gate.hold(psn);
    } catch (thrown) {
      if (thrown instanceof CloudProblem) {
        this.deps.onLearnt(accountId, psn, thrown.toData());
        const pause = pauseAfter(thrown, this.tries);
        if (pause?.isOutcomeOpen !== true) this.cell.update({}, { isAskOpen: false });
      }
      throw thrown;
    }
  }

  /** The camera accepted: from now on the link is all that is needed. */
  protected accept(
    link: Pick<PlaybackLink, 'url' | 'jobId' | 'sizeBytes' | 'expiresAt'>,
    requestId: string | null,
    receivedBytes: number | null,
  ): void {
    const { psn, filename, quality, chargedBytes, requests } = this.recall;
    const sizeBytes = typeof link.sizeBytes === 'number' ? link.sizeBytes : null;
    const expiresAtMs = typeof link.expiresAt === 'string' ? Date.parse(link.expiresAt) : NaN;
    const history = this.deps.recalls
      .ofFile(psn, filename, quality)
      .filter((one) => one.recall.recallId !== this.recall.recallId || this.inner.uploadedAtMs !== null);
    const isCopy =
      receivedBytes !== null && sizeBytes !== null
        ? receivedBytes >= sizeBytes
        : copyUntilMs(history, this.nowMs) !== null;
    this.cell.update(
      {
        jobId: link.jobId,
        requestId,
        sizeBytes,
        // What asking once more would cost.
        priceBytes: sizeBytes ?? flatBytes[quality],
        linkExpiresAtMs: Number.isNaN(expiresAtMs) ? null : expiresAtMs,
        chargedBytes: chargedBytes + (sizeBytes ?? flatBytes[quality]),
        requests: requests + 1,
      },
      {
        url: link.url,
        isAskOpen: false,
        jobIds: [...this.inner.jobIds, link.jobId],
        transferBeganAtMs: this.nowMs,
        // A copy's own age counts from its upload, so a reuse keeps what is known of that.
        uploadedAtMs: isCopy ? this.inner.uploadedAtMs : null,
        wasCopy: isCopy,
      },
    );
    this.deps.onMilestone('accepted', this.recall, { jobId: link.jobId, sizeBytes, isCopy });
  }

  /** The last request's answer was lost: takes up its job if there is one, so that nothing is charged twice. */
  protected async reconcile(client: CloudClient, signal: AbortSignal): Promise<boolean> {
    const askedAtMs = this.inner.askedAtMs ?? this.recall.requestedAtMs;
    const { psn, filename, quality } = this.recall;
    const knownJobIds = new Set(
      this.deps.recalls.ofFile(psn, filename, quality).flatMap(({ inner }) => [...inner.jobIds]),
    );
    const search = await searchJob(client, this.recall, { askedAtMs, knownJobIds }, signal);
    if (search.kind === 'unclear') {
      throw new AppError('cloud_problem', 'The camera may have begun to upload this clip: a transfer began at that time that does not say what it transfers.', {
        remedy: 'Look at the transfers of the account. Trying again asks the camera anew and may be charged twice.',
        details: { jobId: search.jobId },
      }); // prettier-ignore
    }
    if (search.kind === 'none') {
      this.cell.update({}, { isAskOpen: false });
      return false;
    }
    const { job } = search;
    const full = typeof job.downloadUrl === 'string' ? job : await this.jobOf(client, job.jobId, signal);
    if (typeof full.downloadUrl !== 'string') throw malformed(null);
    const sizeBytes = typeof full.sizeBytes === 'number' ? full.sizeBytes : null;
    if (!this.deps.ledger.isSpent(this.recall, this.inner.ledgerMark))
      this.deps.ledger.spend(this.recall, sizeBytes ?? flatBytes[quality], null);
    this.accept(
      { url: full.downloadUrl, jobId: full.jobId, sizeBytes, expiresAt: full.expiresAt ?? null },
      null,
      typeof full.receivedBytes === 'number' ? full.receivedBytes : null,
    );
    return true;
  }

  protected jobOf(client: CloudClient, jobId: string, signal = this.signal): Promise<RecallJob> {
    return client.recallJob(jobId, { deadlineMs: 15_000, signal });
  }
}

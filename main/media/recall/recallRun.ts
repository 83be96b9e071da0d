import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { explainProblem } from '../../../shared/cloudProblem.ts';
import type { PlaybackLink, RecallJob } from '../../../shared/cloudResources.ts';
import type { Recall, RecallState } from '../../../shared/contract/recalls.ts';
import { AppError, toErrorData } from '../../../shared/errors.ts';
import type { RecallInner, StoredRecall } from '../../cache/recallRepository.ts';
import { transact } from '../../cache/database.ts';
import type { CloudClient } from '../../cloud/client.ts';
import { download, type Download } from '../../cloud/download.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import { flatBytes } from '../../cloud/spending.ts';
import type { RecallQueueDeps } from './deps.ts';
import { searchJob } from './jobSearch.ts';
import {
  dropPart,
  ignoreProblem,
  isWhole,
  malformed,
  partPathOf,
  partSize,
  rehash,
  shorter,
} from './parts.ts';
import { copyUntilMs } from './pricing.ts';
import { pauseAfter, type Pause } from './rules.ts';

/** How often the service is asked how far an upload is; a pure read (4.1). */
const pollMs = 5000;
/** A link that brings nothing for so long, with the network there, is given up. */
const deadLinkMs = 2 * 3_600_000;
/** An upload of which the service says that it does not move for so long has ended: the camera is away or was restarted. */
const deadUploadMs = 10 * 60_000;
/** A request to a camera is answered, or times out at the service, well before. */
const askDeadlineMs = 95_000;
/** How often a link may end early although the service has all of the file; each is several tries. */
const maxShortBreaks = 3;

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
class Over extends Error {}

/** Brings one recall from wherever it stands to its end. Never rejects for what it foresees. */
export async function runRecall(deps: RecallQueueDeps, cell: RecallCell, control: RunControl): Promise<void> {
  const run = new RecallRun(deps, cell, control);
  try {
    await run.toEnd();
  } catch (thrown) {
    if (control.closing.aborted) return;
    if (control.cancel.signal.aborted) await run.finishCancel();
    else if (!(thrown instanceof Over)) {
      if (!(thrown instanceof AppError || thrown instanceof CloudProblem)) deps.onBug('recall', thrown);
      run.stop(thrown);
    }
  }
}

class RecallRun {
  private tries = 0;
  private sizeAtBreak = -1;
  private shortBreaks = 0;
  private serverBytesAtBreak: number | null = null;
  private serverMovedAtMs = -Infinity;
  private readonly deps: RecallQueueDeps;
  private readonly cell: RecallCell;
  private readonly control: RunControl;

  constructor(deps: RecallQueueDeps, cell: RecallCell, control: RunControl) {
    this.deps = deps;
    this.cell = cell;
    this.control = control;
  }

  private get recall(): Recall {
    return this.cell.get().recall;
  }
  private get inner(): RecallInner {
    return this.cell.get().inner;
  }
  /** Aborts for a cancel and for closing. */
  private get signal(): AbortSignal {
    return AbortSignal.any([this.control.cancel.signal, this.control.closing]);
  }
  private get nowMs(): number {
    return this.deps.timing.now();
  }

  async toEnd(): Promise<void> {
    for (;;) {
      this.signal.throwIfAborted();
      const sha256 = this.deps.heldSha256(this.recall);
      if (sha256 !== null && this.inner.url === null && !this.inner.isAskOpen)
        return this.alreadyHeld(sha256);
      const client = await this.deps.clientOf(this.recall.accountId);
      if (this.inner.url !== null) {
        await this.transfer(client, this.deps.gate.hold(this.recall.psn));
        return;
      }
      const release = await this.ask(client);
      if (release) {
        await this.transfer(client, release);
        return;
      }
    }
  }

  private alreadyHeld(sha256: string): void {
    const sizeBytes = this.recall.sizeBytes ?? 0;
    this.cell.update({
      state: { status: 'done', sha256, sizeBytes, endedAtMs: this.nowMs, wasHeld: true },
    });
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

  /** Waits before the next try, or stops where that would be after the deadline. */
  private async pause(problem: CloudProblem, pause: Pause): Promise<void> {
    const { deadlineAtMs } = this.recall;
    const untilMs = this.nowMs + pause.waitMs;
    const isLate = deadlineAtMs !== null && untilMs > deadlineAtMs;
    if (isLate || (pause.maxTries !== null && this.tries >= pause.maxTries)) {
      this.stop(problem);
      throw new Over();
    }
    this.cell.update({ state: { status: 'waiting', for: pause.for, untilMs, problem: problem.toData() } });
    this.control.wake = new AbortController();
    try {
      await this.deps.timing.wait(pause.waitMs, AbortSignal.any([this.signal, this.control.wake.signal]));
    } catch (thrown) {
      this.signal.throwIfAborted();
      if (!this.control.wake.signal.aborted) throw thrown;
    }
  }

  /** Asks the camera to upload. Returns the hold on it once it accepted, null to try again. */
  private async ask(client: CloudClient): Promise<(() => void) | null> {
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
  private async guardBudget(client: CloudClient): Promise<void> {
    const freeBytes = await this.deps.freeBytes(this.recall.accountId, client, this.signal);
    if (freeBytes === null || this.recall.priceBytes <= freeBytes) return;
    throw new AppError('over_budget', `The month’s allowance has ${freeBytes} bytes left; this clip needs ${this.recall.priceBytes}.`, {
      remedy: 'Take the small stream, or wait for the next month. Nothing was requested.',
      details: { freeBytes, neededBytes: this.recall.priceBytes },
    }); // prettier-ignore
  }

  private async request(client: CloudClient): Promise<(() => void) | null> {
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
  private accept(
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
  private async reconcile(client: CloudClient, signal: AbortSignal): Promise<boolean> {
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

  private jobOf(client: CloudClient, jobId: string, signal = this.signal): Promise<RecallJob> {
    return client.recallJob(jobId, { deadlineMs: 15_000, signal });
  }

  /** Downloads while the camera still uploads, until the file is whole. `release` lets others to the camera. */
  private async transfer(client: CloudClient, release: () => void): Promise<void> {
    const polling = new AbortController();
    let lastByteAtMs = this.nowMs;
    try {
      this.signal.throwIfAborted();
      const file = partPathOf(this.deps.folder, this.recall);
      mkdirSync(this.deps.folder, { recursive: true, mode: 0o700 });
      this.cell.update({ state: this.transferring(await partSize(file)) });
      void this.poll(client, polling.signal, release);
      for (;;) {
        try {
          const arrived = existsSync(file) ? await rehash(file) : await this.fetch(client, file, () => (lastByteAtMs = this.nowMs)); // prettier-ignore
          if (await this.isAllThere(client, arrived)) return this.finish(arrived);
          await rename(file, `${file}.part`);
        } catch (thrown) {
          this.signal.throwIfAborted();
          if (!(thrown instanceof CloudProblem)) throw thrown;
          await this.afterBreak(client, thrown, lastByteAtMs);
        }
      }
    } finally {
      polling.abort();
      release();
    }
  }

  /** Where nobody said how long the file is, its end may only be how far the upload was. */
  private async isAllThere(client: CloudClient, file: Download): Promise<boolean> {
    if (this.recall.sizeBytes !== null) return true;
    for (let look = 0; look < 2; look++) {
      const job = await this.jobOf(client, this.recall.jobId!).catch(ignoreProblem);
      if (typeof job?.receivedBytes !== 'number') return true;
      if (job.receivedBytes > file.sizeBytes) return false;
      if (look === 0) await this.deps.timing.wait(pollMs, this.signal);
    }
    return true;
  }

  private fetch(client: CloudClient, file: string, onByte: () => void): Promise<Download> {
    return download({
      url: this.inner.url!, // transfer() runs with a link only
      path: file,
      expectedBytes: this.recall.sizeBytes,
      mayGrow: true,
      userAgent: this.deps.userAgent,
      signal: this.signal,
      timing: this.deps.timing,
      freshLink: () => this.freeLink(client),
      onProgress: (receivedBytes, totalBytes) => {
        onByte();
        const state = this.recall.state;
        const serverBytes = state.status === 'transferring' ? state.serverBytes : null;
        this.cell.progress({ ...this.transferring(receivedBytes), totalBytes, serverBytes });
      },
    });
  }

  private transferring(receivedBytes: number): Extract<RecallState, { status: 'transferring' }> {
    return {
      status: 'transferring',
      receivedBytes,
      serverBytes: null,
      totalBytes: this.recall.sizeBytes,
      startedAtMs: this.inner.transferBeganAtMs ?? this.nowMs,
      problem: null,
    };
  }

  /** Another link of the same job, if the service gives one: reading a job costs nothing. */
  private async freeLink(client: CloudClient): Promise<string | null> {
    const job = await this.jobOf(client, this.recall.jobId!).catch((thrown: unknown) => {
      if (thrown instanceof CloudProblem && thrown.status >= 400 && thrown.status < 500) return null;
      throw thrown;
    });
    if (job === null || job.status === 'canceled') return null;
    if (typeof job.downloadUrl !== 'string' || job.downloadUrl === this.inner.url) return null;
    const expiresAtMs = typeof job.expiresAt === 'string' ? Date.parse(job.expiresAt) : NaN;
    this.cell.update(
      { linkExpiresAtMs: Number.isNaN(expiresAtMs) ? null : expiresAtMs },
      { url: job.downloadUrl },
    );
    return job.downloadUrl;
  }

  /** The download ended without the whole file: whether it goes on, asks, or stops. */
  private async afterBreak(client: CloudClient, problem: CloudProblem, lastByteAtMs: number): Promise<void> {
    if (problem.code === 'download_damaged') throw problem;
    const job = await this.jobOf(client, this.recall.jobId!).catch((thrown: unknown) => {
      if (thrown instanceof CloudProblem) return null; // no network at the moment, or the job is gone
      throw thrown;
    });
    if (job?.status === 'canceled') {
      this.cell.update({}, { url: null });
      throw new AppError('canceled', 'The transfer was canceled elsewhere, or stopped with another transfer of this camera.', {
        remedy: 'Recall the clip again; it will be counted again.',
      }); // prettier-ignore
    }
    if (problem.code === 'link_expired') {
      const isCopyLikely = this.inner.uploadedAtMs !== null || isWhole(job);
      this.cell.update(
        {
          state: {
            status: 'needs_consent',
            chargeBytes: this.recall.sizeBytes ?? this.recall.priceBytes,
            isCopyLikely,
            receivedBytes: await partSize(partPathOf(this.deps.folder, this.recall)),
            what: `The link to the clip ran out before all of it was here. A fresh link counts toward the allowance in full${isCopyLikely ? '; no mobile data is needed, because the service holds a complete copy' : ''}.`,
          },
        },
        { url: null, ...(isWhole(job) ? { uploadedAtMs: this.inner.uploadedAtMs ?? this.nowMs } : {}) },
      );
      throw new Over();
    }
    const isShort =
      isWhole(job) && (await partSize(partPathOf(this.deps.folder, this.recall))) === this.sizeAtBreak;
    this.sizeAtBreak = await partSize(partPathOf(this.deps.folder, this.recall));
    this.shortBreaks = isShort ? this.shortBreaks + 1 : 0;
    // The service says that all of it arrived, and its link keeps giving less.
    if (this.shortBreaks >= maxShortBreaks) throw problem.status === 0 ? problem : shorter(problem);
    const serverBytes = typeof job?.receivedBytes === 'number' ? job.receivedBytes : null;
    if (serverBytes !== this.serverBytesAtBreak) {
      this.serverBytesAtBreak = serverBytes;
      this.serverMovedAtMs = this.nowMs;
    }
    const quietMs = this.nowMs - Math.max(lastByteAtMs, this.serverMovedAtMs);
    if (serverBytes !== null && !isWhole(job) && quietMs > deadUploadMs)
      throw this.uploadStopped(serverBytes);
    if (quietMs > deadLinkMs) throw problem;
    const state = this.recall.state;
    if (state.status === 'transferring') this.cell.progress({ ...state, problem: problem.toData() });
    await this.deps.timing.wait(pollMs, this.signal);
  }

  private uploadStopped(serverBytes: number): AppError {
    this.cell.update({}, { url: null });
    return new AppError('connection_lost', `The camera stopped uploading after ${serverBytes} bytes.`, {
      remedy:
        'It may be offline, or was restarted. Recall the clip again when it is back; it is counted again.',
    });
  }

  /** Follows how far the upload is; says when the camera is free again. */
  private async poll(client: CloudClient, signal: AbortSignal, release: () => void): Promise<void> {
    const either = AbortSignal.any([signal, this.signal]);
    try {
      for (;;) {
        await this.deps.timing.wait(pollMs, either);
        const job = await client.recallJob(this.recall.jobId!, { deadlineMs: 15_000, signal: either }).catch(ignoreProblem); // prettier-ignore
        if (either.aborted || !job) continue;
        const serverBytes = typeof job.receivedBytes === 'number' ? job.receivedBytes : null;
        const state = this.recall.state;
        if (state.status === 'transferring' && serverBytes !== null)
          this.cell.progress({ ...state, serverBytes });
        if (isWhole(job) && this.inner.uploadedAtMs === null) {
          if (!this.inner.wasCopy) this.cell.update({}, { uploadedAtMs: this.nowMs });
          release();
        }
      }
    } catch (thrown) {
      if (!either.aborted) this.deps.onBug('recall.poll', thrown);
    }
  }

  /** The file is whole, hashed and synced: makes it a blob and says so in one transaction. */
  private finish(file: Download): void {
    const { blobs, db } = this.deps;
    const { sha256, sizeBytes } = file;
    const nowMs = this.nowMs;
    if (!blobs.adopt(file.path, sha256)) rmSync(file.path, { force: true });
    const before = this.cell.get();
    try {
      transact(db, () => {
        this.cell.update(
          { state: { status: 'done', sha256, sizeBytes, endedAtMs: nowMs, wasHeld: false } },
          { url: null, uploadedAtMs: this.inner.uploadedAtMs ?? (this.inner.wasCopy ? null : nowMs) },
        );
        this.deps.onArrived(this.recall, {
          sha256,
          sizeBytes,
          requestedAtMs: this.inner.askedAtMs ?? this.recall.requestedAtMs,
          arrivedAtMs: nowMs,
        });
      });
    } catch (thrown) {
      // Nothing of it is kept: the link stays known, so that another try is free.
      this.cell.update(before.recall, before.inner);
      throw thrown;
    }
    blobs.settle(sha256);
    this.deps.onKept(this.recall);
  }

  /** Tells the camera to stop, unless its upload is over, and ends the recall. */
  async finishCancel(): Promise<void> {
    const { psn, accountId } = this.recall;
    let wasAborted = false;
    if (this.inner.isAskOpen) {
      // The answer was lost: whether there is something to stop, and to count, only the job list tells.
      try {
        await this.reconcile(await this.deps.clientOf(accountId), this.control.closing);
      } catch (thrown) {
        if (!(thrown instanceof CloudProblem || thrown instanceof AppError)) this.deps.onBug('recall.cancel', thrown); // prettier-ignore
      }
    }
    const { jobId } = this.recall;
    if (jobId !== null && this.inner.url !== null && this.inner.uploadedAtMs === null) {
      try {
        const client = await this.deps.clientOf(accountId);
        const cancel = (): Promise<unknown> =>
          client.call('recallJobs.cancel', { jobId }, { deadlineMs: 30_000 });
        await this.deps.gate.contact(psn, 'cancel', cancel, { mayInterrupt: true });
        wasAborted = true;
      } catch (thrown) {
        if (!(thrown instanceof CloudProblem)) this.deps.onBug('recall.cancel', thrown);
      }
    }
    dropPart(this.deps.folder, this.recall);
    this.cell.update(
      { state: { status: 'canceled', endedAtMs: this.nowMs } },
      { url: null, ...(wasAborted ? { isAskOpen: false } : {}) },
    );
    this.deps.onMilestone('canceled', this.recall, { jobId, wasAborted });
  }
}

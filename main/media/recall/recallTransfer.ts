import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { RecallState } from '../../../shared/contract/recalls.ts';
import { AppError } from '../../../shared/errors.ts';
import { transact } from '../../cache/database.ts';
import type { CloudClient } from '../../cloud/client.ts';
import { download, type Download } from '../../cloud/download.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import { ignoreProblem, isWhole, partPathOf, partSize, rehash, shorter } from './parts.ts';
import { Over, RecallAsk } from './recallAsk.ts';

/** How often the service is asked how far an upload is; a pure read (4.1). */
const pollMs = 5000;
/** A link that brings nothing for so long, with the network there, is given up. */
const deadLinkMs = 2 * 3_600_000;
/** An upload of which the service says that it does not move for so long has ended: the camera is away or was restarted. */
const deadUploadMs = 10 * 60_000;
/** How often a link may end early although the service has all of the file; each is several tries. */
const maxShortBreaks = 3;

/** The second half of a recall: from a link to a clip in the cache. */
export class RecallTransfer extends RecallAsk {
  private sizeAtBreak = -1;
  private shortBreaks = 0;
  private serverBytesAtBreak: number | null = null;
  private serverMovedAtMs = -Infinity;

  /** Downloads while the camera still uploads, until the file is whole. `release` lets others to the camera. */
  protected async transfer(client: CloudClient, release: () => void): Promise<void> {
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
}

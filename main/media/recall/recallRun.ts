import { AppError } from '../../../shared/errors.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import type { RecallQueueDeps } from './deps.ts';
import { dropPart } from './parts.ts';
import { Over, type RecallCell, type RunControl } from './recallAsk.ts';
import { RecallTransfer } from './recallTransfer.ts';

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

class RecallRun extends RecallTransfer {
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

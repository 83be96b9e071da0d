import { createHash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { RecallJob } from '../../../shared/cloudResources.ts';
import type { Recall } from '../../../shared/contract/recalls.ts';
import type { Download } from '../../cloud/download.ts';
import { CloudProblem } from '../../cloud/problem.ts';

/** Where a recall's file lies when it is whole; `.part` beside it until then. */
export function partPathOf(folder: string, recall: Pick<Recall, 'recallId'>): string {
  return path.join(folder, `${recall.recallId}.mp4`);
}
/** Removes what is here of a recall's file. */
export function dropPart(folder: string, recall: Pick<Recall, 'recallId'>): void {
  const file = partPathOf(folder, recall);
  for (const suffix of ['', '.part', '.part.json']) rmSync(file + suffix, { force: true });
}

/** Whether the service says that the media server holds all of it. */
export function isWhole(job: RecallJob | null): boolean {
  return (
    job !== null &&
    typeof job.sizeBytes === 'number' &&
    typeof job.receivedBytes === 'number' &&
    job.receivedBytes >= job.sizeBytes
  );
}

/** For reads that may fail without harm: null for a problem of the service. */
export function ignoreProblem(thrown: unknown): null {
  if (thrown instanceof CloudProblem) return null;
  throw thrown;
}

/** Bytes of a recall's file that are here. */
export async function partSize(file: string): Promise<number> {
  return (await stat(`${file}.part`).catch(() => null))?.size ?? 0;
}

/** A file that was whole when the app went away, before it could become a blob. */
export async function rehash(file: string): Promise<Download> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer);
    sizeBytes += (chunk as Buffer).length;
  }
  return { path: file, sha256: hash.digest('hex'), sizeBytes };
}

/** The link gave less than was announced, and more is not to come. */
export function shorter(problem: CloudProblem): CloudProblem {
  return new CloudProblem({
    ...problem.toData(),
    code: 'download_damaged',
    detail: `the file is shorter than announced: ${problem.detail}`,
  });
}

/** A good answer that names no link. */
export function malformed(requestId: string | null): CloudProblem {
  return new CloudProblem({
    code: 'answer_malformed',
    sentCode: null,
    status: 200,
    title: 'Unreadable answer',
    detail: 'the answer names no link',
    requestId,
    operation: 'sdFiles.playback',
    extensions: {},
  });
}

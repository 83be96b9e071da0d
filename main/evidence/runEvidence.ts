import { Worker } from 'node:worker_threads';
import type { JobProgress } from '../../shared/contract/jobs.ts';
import type { VerifyReport } from '../../shared/contract/packages.ts';
import { fromErrorData, type AppErrorData } from '../../shared/errors.ts';
import { workerUrl } from '../cache/workerUrl.ts';
import { sealPackage, type SealControls, type SealedFile, type SealRequest } from './packageWriter.ts';
import { verifyPackage } from './verifier.ts';

/** Where long work runs: a thread of its own, or this one (command line, tests). */
export type Runner = 'worker' | 'inline';

export type EvidenceTask =
  | { readonly kind: 'seal'; readonly dataFolder: string; readonly request: SealRequest }
  | { readonly kind: 'verify'; readonly file: string; readonly ownFingerprint: string | null };
export type ToWorker =
  | { readonly kind: 'cancel' }
  | { readonly kind: 'signature'; readonly bytes: Uint8Array }
  | { readonly kind: 'signature-failed'; readonly message: string };
export type FromWorker =
  | { readonly kind: 'progress'; readonly progress: JobProgress }
  | { readonly kind: 'sign'; readonly bytes: Uint8Array }
  | { readonly kind: 'sealed'; readonly sealed: SealedFile }
  | { readonly kind: 'verified'; readonly report: VerifyReport }
  | { readonly kind: 'failed'; readonly error: AppErrorData };

export interface Reply<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(thrown: unknown): void;
}

/** A promise that is settled from outside. */
export function openReply<T>(): Reply<T> {
  return Promise.withResolvers<T>();
}

/** sealPackage, where the host wants it. The private key stays in this thread. */
export async function runSeal(
  runner: Runner,
  dataFolder: string,
  request: SealRequest,
  controls: SealControls,
): Promise<SealedFile> {
  if (runner === 'inline') return sealPackage(dataFolder, request, controls);
  const done = await runTask({ kind: 'seal', dataFolder, request }, controls);
  if (done.kind !== 'sealed') throw new Error(`the seal's thread answered ${done.kind}`);
  return done.sealed;
}

export interface VerifyControls {
  readonly ownFingerprint: string | null;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
}

/** verifyPackage, where the host wants it. */
export async function runVerify(
  runner: Runner,
  file: string,
  controls: VerifyControls,
): Promise<VerifyReport> {
  const { ownFingerprint, signal, onProgress } = controls;
  if (runner === 'inline') {
    return verifyPackage(file, {
      ownFingerprint,
      ...(signal ? { signal } : {}),
      ...(onProgress ? { onProgress } : {}),
    });
  }
  const done = await runTask({ kind: 'verify', file, ownFingerprint }, { signal, onProgress });
  if (done.kind !== 'verified') throw new Error(`the check's thread answered ${done.kind}`);
  return done.report;
}

type Done = Extract<FromWorker, { kind: 'sealed' | 'verified' }>;

async function runTask(
  task: EvidenceTask,
  controls: Partial<SealControls> & { readonly signal?: AbortSignal | undefined },
): Promise<Done> {
  const reply = openReply<Done>();
  const worker = new Worker(workerUrl(import.meta.url, 'evidenceWorker'), { workerData: task });
  const send = (message: ToWorker): void => worker.postMessage(message);
  const cancel = (): void => send({ kind: 'cancel' });
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'progress') controls.onProgress?.(message.progress);
    else if (message.kind === 'failed') reply.reject(fromErrorData(message.error));
    else if (message.kind === 'sign') void answerSign(message.bytes, controls, send);
    else reply.resolve(message);
  });
  worker.on('error', reply.reject);
  worker.on('exit', (code) => reply.reject(new Error(`the thread ended with ${code} and no answer`)));
  controls.signal?.addEventListener('abort', cancel);
  if (controls.signal?.aborted) cancel();
  try {
    return await reply.promise;
  } finally {
    controls.signal?.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}

async function answerSign(
  bytes: Uint8Array,
  controls: Partial<SealControls>,
  send: (message: ToWorker) => void,
): Promise<void> {
  try {
    if (!controls.sign) throw new Error('there is no key to sign with');
    send({ kind: 'signature', bytes: await controls.sign(bytes) });
  } catch (thrown) {
    send({ kind: 'signature-failed', message: thrown instanceof Error ? thrown.message : String(thrown) });
  }
}

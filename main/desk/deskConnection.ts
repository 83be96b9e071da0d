import { Worker } from 'node:worker_threads';
import { createDeskClient, type DeskClient } from '../../shared/contract/client.ts';
import type { EventName, Transport } from '../../shared/contract/index.ts';
import type { ImportOutcome } from '../../shared/contract/imports.ts';
import type { JobProgress } from '../../shared/contract/jobs.ts';
import type { SealedPackage, VerifyReport } from '../../shared/contract/packages.ts';
import { decodeMessage, encodeMessage } from '../../shared/contract/wire.ts';
import { AppError, fromErrorData, toErrorData, type Result } from '../../shared/errors.ts';
import type { CaseId } from '../../shared/ids.ts';
import { workerUrl } from '../cache/workerUrl.ts';
import type { HostAbilities } from './deps.ts';
import type { MediaFile, SealOptions } from './desk.ts';
import type { AbilityName, DeskCallName, DeskCalls, DeskWorkerData, FromDesk, ToDesk } from './protocol.ts';

export interface ConnectDeskOptions {
  readonly dataFolder: string;
  readonly abilities: HostAbilities;
  readonly runner: 'worker' | 'inline';
  readonly appVersion: string;
  readonly samplePath: string | null;
  /** Hears of every failure that nobody foresaw, in the desk's thread too; the default writes to standard error. */
  readonly onBug?: (where: string, thrown: unknown) => void;
  /** Other code than the desk's own thread, for tests of one that dies. */
  readonly worker?: URL;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: JobProgress) => void;
}

/** The desk in a thread of its own, as its host sees it. */
export interface DeskConnection {
  readonly dataFolder: string;
  readonly transport: Transport;
  readonly client: DeskClient;
  /** One request as the wire-encoded Result, for hosts that pass bytes on. Never rejects. */
  requestEncoded(name: string, input: unknown): Promise<Uint8Array<ArrayBuffer>>;
  /** Every event, for hosts that pass all of them on. Returns the function that ends it. */
  subscribeAll(listener: (name: EventName, payload: unknown) => void): () => void;
  importFiles(paths: readonly string[], options?: CallOptions & { caseId?: CaseId }): Promise<ImportOutcome>;
  sealTo(caseId: CaseId, outPath: string, options?: SealOptions & CallOptions): Promise<SealedPackage>;
  verifyFile(path: string, options?: CallOptions): Promise<VerifyReport>;
  /** A file that front ends may fetch; null for anything that is not exactly such a path. */
  mediaFile(mediaPath: string): Promise<MediaFile | null>;
  /** Calls once when the thread ended by itself; at once when it already has. */
  onCrash(listener: (error: AppError) => void): void;
  /** Ends jobs, closes the cache and gives up the folder's lock. May be called twice. */
  close(): Promise<void>;
}

interface Pending {
  readonly settle: (result: Result<unknown>) => void;
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
}

function logBug(where: string, thrown: unknown): void {
  console.error(`evidence-desk: ${where}:`, thrown);
}

function stopped(cause?: unknown): AppError {
  return new AppError('connection_lost', 'The part of Evidence Desk that keeps the evidence has stopped.', {
    remedy: 'Start Evidence Desk again. What was imported and sealed before is kept.',
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * Starts the desk in a worker thread, so that SQLite and hashing never run where windows or sockets are
 * served. Rejects with the AppError of openDesk (`cache_locked`, `cache_newer`, ...).
 */
export async function connectDesk(options: ConnectDeskOptions): Promise<DeskConnection> {
  const onBug = options.onBug ?? logBug;
  const data: DeskWorkerData = {
    dataFolder: options.dataFolder,
    abilitiesInfo: options.abilities.info,
    runner: options.runner,
    appVersion: options.appVersion,
    samplePath: options.samplePath,
  };
  const worker = new Worker(options.worker ?? workerUrl(import.meta.url, 'deskWorker'), {
    workerData: data,
    name: 'desk',
  });
  const post = (message: ToDesk): void => worker.postMessage(message);

  const replies = new Map<number, (bytes: Uint8Array<ArrayBuffer>) => void>();
  const calls = new Map<number, Pending>();
  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  const crashListeners = new Set<(error: AppError) => void>();
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  let lastId = 0;
  let isClosing = false;
  let ended: AppError | null = null;
  let cause: unknown;

  worker.on('message', (message: FromDesk) => {
    switch (message.kind) {
      case 'ready':
        return ready.resolve();
      case 'failed':
        isClosing = true; // it ends by itself now
        return ready.reject(fromErrorData(message.error));
      case 'reply':
        replies.get(message.id)?.(message.bytes);
        return void replies.delete(message.id);
      case 'call-reply':
        calls.get(message.id)?.settle(message.result);
        return void calls.delete(message.id);
      case 'progress':
        return calls.get(message.id)?.onProgress?.(message.progress);
      case 'event':
        for (const listener of [...listeners]) listener(message.name, message.payload);
        return;
      case 'ability':
        return void answerAbility(message.id, message.name, message.args);
      case 'bug':
        return onBug(message.where, message.text);
      case 'closed':
        return;
    }
  });
  worker.on('messageerror', (thrown) => onBug('desk thread: message', thrown));
  worker.on('error', (thrown) => {
    cause = thrown;
  });
  worker.on('exit', (code) => {
    ended = stopped(cause);
    if (!isClosing) onBug(`desk thread ended with ${code}`, cause ?? ended);
    ready.reject(ended); // no effect once it was ready
    const result: Result<unknown> = { ok: false, error: ended.toData() };
    for (const reply of replies.values()) reply(encodeMessage(result));
    for (const call of calls.values()) call.settle(result);
    replies.clear();
    calls.clear();
    if (!isClosing) for (const listener of crashListeners) listener(ended);
    exited.resolve();
  });

  async function answerAbility(id: number, name: AbilityName, args: Uint8Array | string): Promise<void> {
    let result: Result<Uint8Array | null>;
    try {
      result = { ok: true, value: await useAbility(options.abilities, name, args) };
    } catch (thrown) {
      if (!(thrown instanceof AppError)) onBug(`ability ${name}`, thrown);
      result = { ok: false, error: toErrorData(thrown) };
    }
    if (!ended) post({ kind: 'ability-reply', id, result });
  }

  async function requestEncoded(name: string, input: unknown): Promise<Uint8Array<ArrayBuffer>> {
    if (ended || isClosing) return encodeMessage({ ok: false, error: (ended ?? stopped()).toData() });
    const id = (lastId += 1);
    const reply = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    replies.set(id, reply.resolve);
    try {
      post({ kind: 'request', id, name, input });
    } catch {
      replies.delete(id);
      const error = { code: 'invalid_input', message: `${name}: the input is not plain data.` } as const;
      return encodeMessage({ ok: false, error });
    }
    return reply.promise;
  }

  async function call<N extends DeskCallName>(
    name: N,
    args: DeskCalls[N]['args'],
    { signal, onProgress }: CallOptions = {},
  ): Promise<DeskCalls[N]['result']> {
    if (ended || isClosing) throw ended ?? stopped();
    if (signal?.aborted) throw new AppError('canceled', 'Canceled.');
    const id = (lastId += 1);
    const reply = Promise.withResolvers<Result<unknown>>();
    calls.set(id, { settle: reply.resolve, onProgress });
    const abort = (): void => post({ kind: 'abort', id });
    signal?.addEventListener('abort', abort, { once: true });
    post({ kind: 'call', id, name, args });
    const result = await reply.promise.finally(() => signal?.removeEventListener('abort', abort));
    if (!result.ok) throw fromErrorData(result.error);
    return result.value as DeskCalls[N]['result']; // the desk's thread answers by the same table
  }

  const transport: Transport = {
    async request(name, input) {
      return decodeMessage(await requestEncoded(name, input)) as Result<unknown>; // encoded as one over there
    },
    subscribe(name, listener) {
      const filter = (which: EventName, payload: unknown): void => {
        if (which === name) listener(payload);
      };
      listeners.add(filter);
      return () => listeners.delete(filter);
    },
  };

  try {
    await ready.promise;
  } catch (thrown) {
    await exited.promise;
    throw thrown;
  }
  return {
    dataFolder: options.dataFolder,
    transport,
    client: createDeskClient(transport),
    requestEncoded,
    subscribeAll(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    importFiles: (paths, { caseId, ...rest } = {}) =>
      call('importFiles', { paths, ...(caseId === undefined ? {} : { caseId }) }, rest),
    sealTo: (caseId, outPath, { signal, onProgress, ...seal } = {}) =>
      call('sealTo', { caseId, outPath, options: seal }, toCallOptions(signal, onProgress)),
    verifyFile: (path, rest) => call('verifyFile', { path }, rest),
    mediaFile: (mediaPath) => call('mediaFile', { mediaPath }),
    onCrash(listener) {
      if (ended && !isClosing) listener(ended);
      else crashListeners.add(listener);
    },
    async close() {
      if (!isClosing && !ended) {
        isClosing = true;
        post({ kind: 'close' });
      }
      await exited.promise;
    },
  };
}

function toCallOptions(signal: CallOptions['signal'], onProgress: CallOptions['onProgress']): CallOptions {
  return { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) };
}

async function useAbility(
  abilities: HostAbilities,
  name: AbilityName,
  args: Uint8Array | string,
): Promise<Uint8Array | null> {
  if (name === 'revealInFolder' && typeof args === 'string') {
    await abilities.revealInFolder(args);
    return null;
  }
  if (name !== 'revealInFolder' && typeof args !== 'string') return abilities[name](args);
  throw new TypeError(`The ability ${name} was asked for in a wrong way.`);
}

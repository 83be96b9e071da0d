import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ClipFacts } from '../../../shared/contract/clips.ts';
import { AppError, fromErrorData, type AppErrorData } from '../../../shared/errors.ts';
import { workerUrl } from '../../cache/workerUrl.ts';
import type { ClipReading } from './clipReading.ts';

/** What the reading thread is asked, and what it answers. */
export interface ClipQuestion {
  readonly id: number;
  readonly path: string;
  readonly fileName: string;
  /** False: the facts alone come back, without telemetry and picture. */
  readonly wantsColumns: boolean;
  readonly wantsFrames: boolean;
}
/** Said once, when the thread can be asked: its start is no fault of any file. */
export const readyMessage = 'ready';
export type ClipAnswer =
  | { readonly id: number; readonly reading: ClipReading }
  | { readonly id: number; readonly error: AppErrorData }
  | { readonly id: number; readonly bug: string };

export interface ReadOptions {
  /** Where the path is not the file's own name. */
  readonly fileName?: string;
  readonly signal?: AbortSignal | undefined;
  /** False spares the copying of telemetry and picture where only facts are asked for. */
  readonly wantsColumns?: boolean;
  /** The time of every frame as well. */
  readonly wantsFrames?: boolean;
}

export interface ClipReader {
  /** One clip at a time; the next waits. Throws as readClipHere does, AppError canceled, and entry_damaged for a file that takes too long or too much. */
  read(filePath: string, options?: ReadOptions): Promise<ClipReading>;
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  readonly ready: Promise<void>;
}

/** Heap of the thread, MB; the bytes of a clip lie outside of it and have limits of their own. */
const resourceLimits = { maxOldGenerationSizeMb: 136, maxYoungGenerationSizeMb: 8 };
/** Of the thread's processor time: a clip of 8 hours with its frames takes a quarter of it. */
const longestComputingMs = 2000;
/** Of the clock on the wall: a slow disk is given time. */
const longestMs = 15_000;
const lookEveryMs = 200;

/** Limits for one clip; what is not given is as the product has it (2 s of computing, 15 s in all). */
export interface ReaderLimits {
  readonly timeoutMs?: number;
  readonly computingMs?: number;
}

/**
 * Reads clips in a thread of its own, which is ended and replaced when a file makes it compute or wait too long
 * or take too much memory, and when a reading is canceled. Made for thousands of clips: the thread is kept
 * between them.
 */
export function createClipReader(limits: ReaderLimits = {}): ClipReader {
  const { timeoutMs = longestMs, computingMs = longestComputingMs } = limits;
  let current: Thread | null = null;
  let nextId = 1;
  let queue: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const start = (): Thread => {
    const worker = new Worker(workerUrl(import.meta.url, 'clipReaderWorker'), { resourceLimits });
    const ready = Promise.withResolvers<void>();
    worker.once('message', () => ready.resolve());
    worker.on('error', (thrown) => ready.reject(thrown)); // later ones are told to whoever waits, see `ask`
    worker.on('exit', () => {
      ready.reject(new AppError('canceled', 'Canceled.'));
      if (current?.worker === worker) current = null;
    });
    ready.promise.catch(() => undefined);
    return { worker, ready: ready.promise };
  };

  async function ask(question: ClipQuestion, signal: AbortSignal | undefined): Promise<ClipReading> {
    if (signal?.aborted || isClosed) throw new AppError('canceled', 'Canceled.');
    current ??= start();
    const thread = current;
    const { worker } = thread;
    worker.ref();
    const answer = Promise.withResolvers<ClipReading>();
    const end = (thrown: unknown): void => {
      if (current === thread) current = null;
      void worker.terminate();
      answer.reject(thrown);
    };
    const onMessage = (message: ClipAnswer | typeof readyMessage): void => {
      if (message === readyMessage || message.id !== question.id) return;
      if ('reading' in message) answer.resolve(message.reading);
      else if ('error' in message) answer.reject(fromErrorData(message.error));
      else answer.reject(new Error(message.bug));
    };
    const onError = (thrown: unknown): void => end(isOutOfMemory(thrown) ? tooMuch(question) : thrown);
    const onExit = (): void => answer.reject(new AppError('canceled', 'Canceled.'));
    const onAbort = (): void => end(new AppError('canceled', 'Canceled.'));
    let timer: NodeJS.Timeout | undefined;
    let look: NodeJS.Timeout | undefined;
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    signal?.addEventListener('abort', onAbort);
    thread.ready.then(
      () => {
        timer = setTimeout(() => end(tooMuch(question)), timeoutMs);
        look = watchComputing(worker, computingMs, () => end(tooMuch(question)));
        worker.postMessage(question);
      },
      () => undefined, // told by `error` or `exit`
    );
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      clearInterval(look);
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      signal?.removeEventListener('abort', onAbort);
      worker.unref(); // an idle reader keeps no process alive
    }
  }

  return {
    read(
      filePath,
      { fileName = path.basename(filePath), signal, wantsColumns = true, wantsFrames = false } = {},
    ) {
      const answer = queue.then(() =>
        ask({ id: nextId++, path: filePath, fileName, wantsColumns, wantsFrames }, signal),
      );
      queue = answer.catch(() => undefined);
      return answer;
    },
    async close() {
      isClosed = true;
      const thread = current;
      current = null;
      await thread?.worker.terminate();
    },
  };
}

/** Facts of one clip, read in a thread of its own. Throws as ClipReader.read does. */
export async function readClip(
  filePath: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<ClipFacts> {
  const reader = createClipReader();
  try {
    return (await reader.read(filePath, { ...options, wantsColumns: false })).facts;
  } finally {
    await reader.close();
  }
}

/**
 * Looks now and then how much the thread computed since the first look, and tells when it is too much. Waiting
 * for a disk or for other programs is not counted: that is no fault of the file.
 */
function watchComputing(worker: Worker, mostMs: number, onTooMuch: () => void): NodeJS.Timeout | undefined {
  if (!('cpuUsage' in worker)) return undefined; // Node before 24.6 can't tell; the limit on the wall still holds
  let firstMs: number | null = null;
  return setInterval(() => {
    worker.cpuUsage().then(
      ({ user, system }) => {
        const computedMs = (user + system) / 1000;
        firstMs ??= computedMs;
        if (computedMs - firstMs > mostMs - lookEveryMs) onTooMuch();
      },
      () => undefined, // it has ended
    );
  }, lookEveryMs);
}

const isOutOfMemory = (thrown: unknown): boolean =>
  typeof thrown === 'object' &&
  thrown !== null &&
  'code' in thrown &&
  thrown.code === 'ERR_WORKER_OUT_OF_MEMORY';

function tooMuch({ fileName }: ClipQuestion): AppError {
  return new AppError(
    'entry_damaged',
    `${fileName} takes too long or too much memory to read: it is damaged.`,
    {
      remedy: 'Copy it from the card again. If it stays like this, keep the file as it is and ask for help.',
      details: { fileName },
    },
  );
}

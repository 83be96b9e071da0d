import { Worker } from 'node:worker_threads';
import { AppError, fromErrorData, type AppErrorData } from '../../../shared/errors.ts';
import { workerUrl } from '../../cache/workerUrl.ts';
import type { CutPreview, CutProgress, CutRequest, CutResult, PictureShape } from './cutClip.ts';

interface OfClip {
  readonly id: number;
  readonly path: string;
  readonly fileName: string;
}
/** What the deriving thread is asked, and what it answers. */
export type DeriveQuestion = OfClip &
  (
    | { readonly kind: 'shape' }
    | ({ readonly kind: 'preview' } & CutRequest)
    | ({ readonly kind: 'cut'; readonly outPath: string } & CutRequest)
  );
export type DeriveAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly progress: CutProgress }
  | { readonly id: number; readonly error: AppErrorData }
  | { readonly id: number; readonly bug: string };
/** Said once, when the thread can be asked: its start is no fault of any file. */
export const readyMessage = 'ready';

export interface ClipFile {
  readonly path: string;
  /** What to call it in errors. */
  readonly fileName: string;
}
export interface CutOptions extends CutRequest {
  /** Must not be there; the caller's to remove, whatever happens. */
  readonly outPath: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: CutProgress) => void;
}

/**
 * What is made from clips, in threads with limits of memory and time, which a hostile file may cost and nothing else.
 * All throw as cutClip.ts does, AppError canceled, and entry_damaged for a file that takes too long or too much.
 */
export interface Deriver {
  shape(clip: ClipFile): Promise<PictureShape>;
  preview(clip: ClipFile, request: CutRequest): Promise<CutPreview | null>;
  /** In a thread of its own: a long cut keeps nobody waiting, and a canceled one is ended at once. */
  cut(clip: ClipFile, options: CutOptions): Promise<CutResult>;
  close(): Promise<void>;
}

/** Heap of a thread, MB; columns of samples lie outside of it and have limits of their own. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 };
/** Without a word from the thread; a cut tells of every megabyte. */
const longestSilenceMs = 20_000;

/** Threads for deriving; the one for short questions is kept between them. */
export function createDeriver(options: { readonly timeoutMs?: number } = {}): Deriver {
  const timeoutMs = options.timeoutMs ?? longestSilenceMs;
  const open = new Set<Worker>();
  let kept: Thread | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let nextId = 1;
  let isClosed = false;

  function start(): Thread {
    if (isClosed) throw new AppError('canceled', 'Canceled.');
    const worker = new Worker(workerUrl(import.meta.url, 'deriveWorker'), { resourceLimits });
    open.add(worker);
    const ready = Promise.withResolvers<void>();
    worker.once('message', () => ready.resolve());
    worker.on('error', (thrown) => ready.reject(thrown)); // later ones are told to whoever waits, see `ask`
    worker.on('exit', () => {
      open.delete(worker);
      ready.reject(new AppError('canceled', 'Canceled.'));
      if (kept?.worker === worker) kept = null;
    });
    ready.promise.catch(() => undefined);
    return { worker, ready: ready.promise };
  }

  async function ask(
    { worker, ready }: Thread,
    question: DeriveQuestion,
    signal?: AbortSignal,
    onProgress?: (progress: CutProgress) => void,
  ): Promise<unknown> {
    worker.ref();
    const answer = Promise.withResolvers<unknown>();
    let timer: NodeJS.Timeout | undefined;
    const end = (thrown: unknown): void => {
      if (kept?.worker === worker) kept = null;
      worker.off('exit', onExit); // what is thrown says more
      // Whoever waits may touch its files once the thread is really gone.
      void worker.terminate().then(
        () => answer.reject(thrown),
        () => answer.reject(thrown),
      );
    };
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => end(tooMuch(question)), timeoutMs);
    };
    const onMessage = (message: DeriveAnswer | typeof readyMessage): void => {
      if (message === readyMessage || message.id !== question.id) return;
      if ('progress' in message) {
        wait();
        onProgress?.(message.progress);
      } else if ('error' in message) answer.reject(fromErrorData(message.error));
      else if ('bug' in message) answer.reject(new Error(message.bug));
      else answer.resolve(message.value);
    };
    const onError = (thrown: unknown): void => end(isOutOfMemory(thrown) ? tooMuch(question) : thrown);
    const onExit = (): void => answer.reject(new AppError('canceled', 'Canceled.'));
    const onAbort = (): void => end(new AppError('canceled', 'Canceled.'));
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    else {
      ready.then(
        () => {
          wait();
          worker.postMessage(question);
        },
        () => undefined, // told by `error` or `exit`
      );
    }
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      signal?.removeEventListener('abort', onAbort);
      worker.unref(); // an idle thread keeps no process alive
    }
  }

  /** One after the other, in the thread that is kept. */
  function askKept<Value>(question: DeriveQuestion): Promise<Value> {
    const answer = queue.then(() => ask((kept ??= start()), question) as Promise<Value>); // cutClip.ts says so
    queue = answer.catch(() => undefined);
    return answer;
  }

  return {
    shape: (clip) => askKept<PictureShape>({ ...clip, kind: 'shape', id: nextId++ }),
    preview: (clip, { fromS, toS }) =>
      askKept<CutPreview | null>({ ...clip, kind: 'preview', fromS, toS, id: nextId++ }),
    async cut(clip, { fromS, toS, outPath, signal, onProgress }) {
      const thread = start();
      try {
        const question = { ...clip, kind: 'cut', fromS, toS, outPath, id: nextId++ } as const;
        return (await ask(thread, question, signal, onProgress)) as CutResult; // cutClip.ts says so
      } finally {
        await thread.worker.terminate();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...open].map((worker) => worker.terminate()));
    },
  };
}

interface Thread {
  readonly worker: Worker;
  readonly ready: Promise<void>;
}

const isOutOfMemory = (thrown: unknown): boolean =>
  typeof thrown === 'object' &&
  thrown !== null &&
  'code' in thrown &&
  thrown.code === 'ERR_WORKER_OUT_OF_MEMORY';

function tooMuch({ fileName }: DeriveQuestion): AppError {
  return new AppError('entry_damaged', `${fileName} takes too long or too much memory: it is damaged.`, {
    remedy: 'Add the whole clip to the case: it goes into the package as it is.',
    details: { fileName },
  });
}

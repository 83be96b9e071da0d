import { AppError } from '../../../shared/errors.ts';
import { receiveUpload, type StagedUpload } from '../../desk/uploads.ts';

/** Larger than the window's own parts; what is beyond is not from it. */
const partLimitBytes = 16 * 1024 * 1024;
/** A window that was reloaded or died in the middle leaves an upload open; this long after its last part it is dropped. */
const idleLimitMs = 60_000;
const openLimit = 64;
const nameLimit = 1000;

/** One part of a file, as the window sends it: `at` is its offset, `total` the size of the file. */
export interface UploadPart {
  /** Chosen by the window, to tell its uploads apart. */
  readonly key: string;
  readonly name: string;
  readonly at: number;
  readonly total: number;
  readonly bytes: Uint8Array;
}

interface OpenUpload {
  readonly name: string;
  readonly total: number;
  receivedBytes: number;
  readonly writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly staged: Promise<StagedUpload>;
  readonly abort: AbortController;
  timer: NodeJS.Timeout | null;
}

/**
 * Uploads in parts. Electron hands the body of a custom scheme's request over whole: a file posted in one piece
 * would lie in memory whole (and its progress would never be told). So the window sends a file in slices, one
 * after the other, each answered when it has been written.
 */
export function createPartUploads(dataFolder: string) {
  const open = new Map<string, OpenUpload>();

  function begin({ key, name, total }: UploadPart): OpenUpload {
    if (open.size >= openLimit) throw new AppError('busy', 'Too many files are being handed over at once.');
    const abort = new AbortController();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
      undefined,
      { highWaterMark: 1 },
      { highWaterMark: 0 },
    );
    const staged = receiveUpload(dataFolder, name, readable, { signal: abort.signal });
    staged.catch(() => {}); // told to whoever sends the next part
    const upload: OpenUpload = {
      name,
      total,
      receivedBytes: 0,
      writer: writable.getWriter(),
      staged,
      abort,
      timer: null,
    };
    upload.writer.closed.catch(() => {}); // as above
    open.set(key, upload);
    return upload;
  }

  function watch(key: string, upload: OpenUpload): void {
    if (upload.timer) clearTimeout(upload.timer);
    upload.timer = setTimeout(() => cancel(key), idleLimitMs);
    upload.timer.unref();
  }

  function forget(key: string): void {
    const upload = open.get(key);
    if (upload?.timer) clearTimeout(upload.timer);
    open.delete(key);
  }

  function cancel(key: string): void {
    const upload = open.get(key);
    if (!upload) return;
    forget(key);
    upload.abort.abort();
    upload.writer.abort(new AppError('canceled', 'Canceled.')).catch(() => {}); // ended already
  }

  return {
    /** Takes the next part; the staged file with the last one, null before. AppError as receiveUpload's. */
    async add(part: UploadPart): Promise<StagedUpload | null> {
      requirePart(part);
      const upload = part.at === 0 && !open.has(part.key) ? begin(part) : open.get(part.key);
      if (
        !upload ||
        upload.receivedBytes !== part.at ||
        upload.total !== part.total ||
        upload.name !== part.name
      ) {
        cancel(part.key);
        throw new AppError('invalid_input', 'The parts of the file did not come in order.', {
          remedy: 'Import the file again.',
        });
      }
      watch(part.key, upload);
      upload.receivedBytes += part.bytes.byteLength;
      try {
        // Whichever comes first: the part is written, or writing has failed and says why.
        if (part.bytes.byteLength > 0) await Promise.race([upload.writer.write(part.bytes), upload.staged]);
        if (upload.receivedBytes < upload.total) return null;
        await Promise.race([upload.writer.close(), upload.staged]);
        const staged = await upload.staged;
        forget(part.key);
        return staged;
      } catch {
        forget(part.key);
        return await upload.staged; // its own error, not the stream's
      }
    },
    cancel,
    /** How many files are on their way in. */
    count: () => open.size,
  };
}
export type PartUploads = ReturnType<typeof createPartUploads>;

function requirePart({ key, name, at, total, bytes }: UploadPart): void {
  const isWhole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
  const isLast = at + bytes.byteLength === total;
  const isRight =
    /^[\w-]{8,64}$/.test(key) &&
    name !== '' &&
    name.length <= nameLimit &&
    isWhole(at) &&
    isWhole(total) &&
    at + bytes.byteLength <= total &&
    bytes.byteLength <= partLimitBytes &&
    (bytes.byteLength > 0 || isLast);
  if (!isRight) throw new AppError('invalid_input', 'This is no part of a file.');
}

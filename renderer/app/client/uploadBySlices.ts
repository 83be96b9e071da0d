import { AppError, fromErrorData, type AppErrorData } from '../../../shared/errors.ts';
import type { UploadId } from '../../../shared/ids.ts';
import type { UploadOptions } from './host.ts';

/** Small enough for memory and for a progress bar, large enough to be fast. */
const sliceBytes = 4 * 1024 * 1024;

type PartReply =
  | { readonly ok: true; readonly value: { readonly uploadId: UploadId } | null }
  | { readonly ok: false; readonly error: AppErrorData };

/**
 * Hands a file over in slices, one after the other: the desktop window's scheme takes each request's body whole,
 * so a large file in one request would lie in memory whole. Nothing stays of a file that is canceled or breaks.
 */
export async function uploadBySlices(
  address: string,
  file: File,
  { onProgress, signal }: UploadOptions = {},
): Promise<UploadId> {
  const common = { upload: crypto.randomUUID(), name: file.name, total: String(file.size) };
  try {
    for (let at = 0; ; at += sliceBytes) {
      if (signal?.aborted) throw new AppError('canceled', `The upload of “${file.name}” was canceled.`);
      const bytes = await readSlice(file, at);
      const reply = await post(`${address}?${new URLSearchParams({ ...common, at: String(at) })}`, bytes);
      if (!reply.ok) throw fromErrorData(reply.error);
      onProgress?.(at + bytes.byteLength);
      if (reply.value) return reply.value.uploadId;
      if (at + bytes.byteLength >= file.size) {
        throw new AppError('internal', `Evidence Desk did not say what became of “${file.name}”.`);
      }
    }
  } catch (thrown) {
    await post(`${address}?${new URLSearchParams({ upload: common.upload, cancel: '1' })}`).catch(() => {});
    throw thrown;
  }
}

async function readSlice(file: File, at: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(at, at + sliceBytes).arrayBuffer();
  } catch {
    throw new AppError('file_unreadable', `“${file.name}” could not be read to its end.`, {
      remedy:
        'Check that the file still exists, that it is not open in another program, and that you may read it.',
    });
  }
}

async function post(address: string, body?: ArrayBuffer): Promise<PartReply> {
  const response = await fetch(address, { method: 'POST', ...(body ? { body } : {}) });
  return (await response.json()) as PartReply; // the app's own protocol answers by this shape
}

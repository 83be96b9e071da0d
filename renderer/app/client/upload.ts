import { AppError, fromErrorData, type AppErrorData } from '../../../shared/errors.ts';
import type { UploadId } from '../../../shared/ids.ts';
import type { UploadOptions } from './host.ts';

interface UploadReply {
  readonly ok: boolean;
  readonly value?: { readonly uploadId: UploadId };
  readonly error?: AppErrorData;
}

/** Bytes may be read up to this size to tell a vanished file from a lost connection. */
const probeBytes = 1;

/**
 * Posts a file's bytes as the body, its name in the address, and returns the UploadId of the reply. Uses
 * XMLHttpRequest because fetch does not tell how much has been sent.
 */
export async function uploadByRequest(
  address: string,
  file: File,
  options: UploadOptions = {},
): Promise<UploadId> {
  const reply = await send(`${address}?name=${encodeURIComponent(file.name)}`, file, options);
  if (reply.ok && reply.value) return reply.value.uploadId;
  if (reply.error) throw fromErrorData(reply.error);
  throw new AppError('internal', `Evidence Desk did not say what became of “${file.name}”.`);
}

function send(address: string, file: File, { onProgress, signal }: UploadOptions): Promise<UploadReply> {
  return new Promise((resolve, reject) => {
    const canceled = () => new AppError('canceled', `The upload of “${file.name}” was canceled.`);
    if (signal?.aborted) return reject(canceled());
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const settle = (act: () => void) => {
      signal?.removeEventListener('abort', abort);
      act();
    };
    request.open('POST', address);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.responseType = 'text';
    request.upload.addEventListener('progress', (event) => onProgress?.(event.loaded));
    request.addEventListener('load', () => settle(() => resolve(parseReply(request, file))));
    request.addEventListener('abort', () => settle(() => reject(canceled())));
    request.addEventListener('error', () => {
      settle(() => void explainFailure(file).then(reject));
    });
    signal?.addEventListener('abort', abort);
    request.send(file);
  });
}

function parseReply(request: XMLHttpRequest, file: File): UploadReply {
  try {
    return JSON.parse(request.responseText) as UploadReply; // the host's own reply; checked by the caller
  } catch {
    return {
      ok: false,
      error: {
        code: request.status === 401 || request.status === 403 ? 'unauthorized' : 'internal',
        message: `“${file.name}” was not accepted (status ${request.status}).`,
        remedy: 'Close this window, open Evidence Desk again and repeat the import.',
      },
    };
  }
}

/** A request that broke says nothing about why: a file that can no longer be read is the other likely cause. */
async function explainFailure(file: File): Promise<AppError> {
  try {
    await file.slice(0, probeBytes).arrayBuffer();
  } catch {
    return new AppError('file_unreadable', `“${file.name}” could not be read to its end.`, {
      remedy:
        'Check that the file still exists, that it is not open in another program, and that you may read it.',
    });
  }
  return new AppError('connection_lost', `The connection broke while “${file.name}” was handed over.`, {
    remedy: 'Nothing of it was kept. Check that Evidence Desk is still running, then import the file again.',
  });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { statfs } from 'node:fs/promises';
import { decodeMessage, wireContentType } from '../../../shared/contract/wire.ts';
import { AppError, toErrorData, type ErrorCode } from '../../../shared/errors.ts';
import type { DeskConnection } from '../../desk/deskConnection.ts';
import { receiveUpload } from '../../desk/uploads.ts';
import { readBody, sendBytes, sendFailure, sendJson } from './replies.ts';

/** 100,000 trip ids fit in; a file does not belong here. */
const requestLimitBytes = 16 * 1024 * 1024;
/** Left free on the disk by an upload: the database must still be able to write. */
const reserveBytes = 64 * 1024 * 1024;
const fileNameLimit = 1000;

export type OnBug = (where: string, thrown: unknown) => void;

function invalid(message: string): AppError {
  return new AppError('invalid_input', message);
}

async function readCall(request: IncomingMessage): Promise<{ name: string; input: unknown }> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && type !== wireContentType) {
    throw invalid(`A request is sent as application/json or ${wireContentType}.`);
  }
  const body = await readBody(request, requestLimitBytes);
  let call: unknown;
  try {
    call = type === wireContentType ? decodeMessage(body) : JSON.parse(body.toString('utf8'));
  } catch {
    throw invalid('The request is not readable.');
  }
  if (typeof call !== 'object' || call === null || !('name' in call) || typeof call.name !== 'string') {
    throw invalid('The request does not say what it asks for.');
  }
  return { name: call.name, input: 'input' in call ? (call.input ?? {}) : {} };
}

/** POST /api/request: `{ name, input }` in, the wire-encoded Result out (made in the desk's thread). */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  desk: DeskConnection,
): Promise<void> {
  try {
    const { name, input } = await readCall(request);
    sendBytes(response, 200, wireContentType, await desk.requestEncoded(name, input));
  } catch (thrown) {
    request.resume(); // what is left of a refused body is read and forgotten, so that the reply arrives
    sendFailure(response, 400, toErrorData(thrown));
  }
}

const uploadStatus: Partial<Record<ErrorCode, number>> = {
  disk_full: 507,
  internal: 500,
  no_permission: 500,
};

/**
 * POST /api/upload?name=…: the body is the file, written and hashed as it comes. A client that goes away in
 * the middle leaves nothing. The reply is a JSON Result of `{ uploadId, sizeBytes, sha256 }`.
 */
export async function answerUpload(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  dataFolder: string,
  onBug: OnBug,
): Promise<void> {
  const abort = new AbortController();
  request.once('close', () => {
    if (!request.complete) abort.abort();
  });
  try {
    const name = url.searchParams.get('name') ?? '';
    if (name === '' || name.length > fileNameLimit) throw invalid('An upload needs the name of its file.');
    await requireRoom(dataFolder, Number(request.headers['content-length'] ?? 0));
    const bytes = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>; // no encoding set
    const { uploadId, sizeBytes, sha256 } = await receiveUpload(dataFolder, name, bytes, {
      signal: abort.signal,
    });
    sendJson(response, 200, { ok: true, value: { uploadId, sizeBytes, sha256 } });
  } catch (thrown) {
    if (abort.signal.aborted) return; // nobody is left to be told
    if (!(thrown instanceof AppError)) onBug('upload', thrown);
    const error = toErrorData(thrown);
    request.resume();
    sendFailure(response, uploadStatus[error.code] ?? 400, error);
  }
}

async function requireRoom(folder: string, neededBytes: number): Promise<void> {
  const disk = await statfs(folder).catch(() => null);
  if (!disk) return; // the system doesn't say: writing will
  const freeBytes = disk.bavail * disk.bsize;
  if (neededBytes + reserveBytes <= freeBytes) return;
  throw new AppError('disk_full', 'There is not enough room for this file on the disk of the data folder.', {
    remedy: 'Free some room there, then import the file again. Nothing of it was kept.',
    details: { neededBytes, freeBytes },
  });
}

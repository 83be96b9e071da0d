import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { openBody, type FileReply } from '../../desk/serving.ts';
import { AppError, type AppErrorData } from '../../../shared/errors.ts';

/** Sends plain words: what a person reads who came to a wrong address. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  sendBytes(response, status, 'text/plain; charset=utf-8', Buffer.from(`${text}\n`));
}

/** Sends a Result as JSON; nothing of the API is ever kept by a browser's cache. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendBytes(response, status, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(value)));
}

export function sendFailure(response: ServerResponse, status: number, error: AppErrorData): void {
  sendJson(response, status, { ok: false, error });
}

export function sendBytes(
  response: ServerResponse,
  status: number,
  contentType: string,
  bytes: Uint8Array,
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': bytes.byteLength,
    'cache-control': 'no-store',
  });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

/** Streams a file's reply; a client that goes away ends the reading. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  reply: FileReply,
): Promise<void> {
  response.writeHead(reply.status, reply.headers);
  if (!reply.body || request.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(openBody(reply.body), response);
  } catch {
    response.destroy(); // the client went away, or the file did: a cut reply is not a whole one
  }
}

/** Reads a request's body whole. AppError('invalid_input') beyond the limit. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let total = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    const bytes = piece as Buffer; // no encoding is set
    total += bytes.length;
    if (total > limitBytes) throw new AppError('invalid_input', 'The request is too large.');
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}

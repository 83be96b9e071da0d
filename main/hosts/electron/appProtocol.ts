import { Readable } from 'node:stream';
import type { CustomScheme } from 'electron';
import { windowOrigin } from '../../../shared/contract/bridge.ts';
import { AppError, toErrorData } from '../../../shared/errors.ts';
import type { DeskConnection } from '../../desk/deskConnection.ts';
import {
  fileReply,
  openBody,
  rendererCaching,
  rendererFile,
  securityHeaders,
  type FileReply,
} from '../../desk/serving.ts';
import { receiveUpload, type StagedUpload } from '../../desk/uploads.ts';
import { createPartUploads, type PartUploads } from './partUploads.ts';

/** `standard` gives the scheme an origin, without which neither the policy nor IPC checks mean anything. */
export const appScheme: CustomScheme = {
  scheme: 'app',
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
};

const fileNameLimit = 1000;

export interface AppProtocolOptions {
  readonly desk: DeskConnection;
  readonly rendererFolder: string;
  readonly tileOrigin: () => string | null;
  readonly onBug: (where: string, thrown: unknown) => void;
}

/**
 * Serves `app://desk/`: the built window, media by id with byte ranges, uploads. Never a path of the machine;
 * other hosts, other methods and everything that is not plainly one of these is refused.
 */
export function createAppProtocol(options: AppProtocolOptions): (request: Request) => Promise<Response> {
  const parts = createPartUploads(options.desk.dataFolder);
  const answer = async (request: Request): Promise<Response> => {
    if (!request.url.startsWith(`${windowOrigin}/`)) return plain(403, 'Not an address of Evidence Desk.');
    // Cut by hand: URL would resolve `..` and `%2e`, and what is strange is refused instead.
    const target = request.url.slice(windowOrigin.length).split('#', 1)[0] ?? '/';
    const path = target.split('?', 1)[0] ?? '/';
    if (path === '/api/upload' || path === '/api/upload/part') {
      if (request.method !== 'POST') return plain(405, 'Uploads are posted.');
      const query = new URLSearchParams(target.slice(path.length));
      if (path === '/api/upload') return answerUpload(request, query, options);
      return answerPart(request, query, parts, options);
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return plain(405, 'This address does not take that.');
    }
    if (path.startsWith('/media/')) {
      const file = await options.desk.mediaFile(path);
      const range = request.headers.get('range');
      return toResponse(request, fileReply(file, { range, caching: 'private, no-cache' }));
    }
    const file = await rendererFile(options.rendererFolder, path);
    return toResponse(request, fileReply(file, { caching: rendererCaching(path) }));
  };

  return async (request) => {
    let response: Response;
    try {
      response = await answer(request);
    } catch (thrown) {
      options.onBug('app protocol', thrown);
      response = plain(500, 'Something went wrong inside Evidence Desk.');
    }
    for (const [name, value] of Object.entries(securityHeaders(options.tileOrigin()))) {
      response.headers.set(name, value);
    }
    return response;
  };
}

function plain(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

function toResponse(request: Request, reply: FileReply): Response {
  const { status, headers, body } = reply;
  if (!body || request.method === 'HEAD') return new Response(null, { status, headers });
  // The web stream of node:stream and that of the DOM's types are the same thing at run time.
  const stream = Readable.toWeb(openBody(body)) as unknown as ReadableStream;
  return new Response(stream, { status, headers });
}

async function answerUpload(
  request: Request,
  query: URLSearchParams,
  { desk, onBug }: AppProtocolOptions,
): Promise<Response> {
  try {
    const name = query.get('name') ?? '';
    if (name === '' || name.length > fileNameLimit) {
      throw new AppError('invalid_input', 'An upload needs the name of its file.');
    }
    const upload = await receiveUpload(desk.dataFolder, name, piecesOf(request.body), {
      signal: request.signal,
    });
    return uploaded(upload);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) onBug('upload', thrown);
    return Response.json({ ok: false, error: toErrorData(thrown) });
  }
}

function uploaded({ uploadId, sizeBytes, sha256 }: StagedUpload): Response {
  return Response.json({ ok: true, value: { uploadId, sizeBytes, sha256 } });
}

/** POST /api/upload/part?upload=KEY&name=…&at=OFFSET&total=SIZE, or `&cancel=1`: see createPartUploads. */
async function answerPart(
  request: Request,
  query: URLSearchParams,
  parts: PartUploads,
  { onBug }: AppProtocolOptions,
): Promise<Response> {
  const key = query.get('upload') ?? '';
  try {
    if (query.has('cancel')) {
      parts.cancel(key);
      return Response.json({ ok: true, value: null });
    }
    const bytes = new Uint8Array(await request.arrayBuffer());
    const [at, total] = [toCount(query.get('at')), toCount(query.get('total'))];
    const staged = await parts.add({ key, name: query.get('name') ?? '', at, total, bytes });
    return staged ? uploaded(staged) : Response.json({ ok: true, value: null });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) onBug('upload', thrown);
    return Response.json({ ok: false, error: toErrorData(thrown) });
  }
}

/** NaN for what is no count: Number('') would be 0. */
function toCount(text: string | null): number {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : NaN;
}

async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {}); // no effect at the end; ends the sending when writing failed
  }
}

import { createHash, type Hash } from 'node:crypto';
import { open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import axios from 'axios';
import type { CloudTransportCode } from '../../shared/cloudProblem.ts';
import { AppError } from '../../shared/errors.ts';
import { createAgents, describeTrust } from './agents.ts';
import { CloudProblem } from './problem.ts';
import { systemTiming, type Timing } from './rateGate.ts';

export interface DownloadRequest {
  /** Presigned link, used exactly as given. No key is ever sent with it (specification, 2.3 and 2.7). */
  readonly url: string;
  /** Final path; written beside it as `<path>.part` until complete, with `<path>.part.json` for going on later. */
  readonly path: string;
  /** What the service announced; null where it did not. A file of another length is refused. */
  readonly expectedBytes: number | null;
  /** The file is still being uploaded: less than announced means not yet, until the caller gives up. */
  readonly mayGrow?: boolean;
  readonly userAgent: string;
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  readonly timing?: Timing;
  readonly extraCa?: string;
  /** For proxies and certificates; the process's own unless told. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly onProgress?: (receivedBytes: number, totalBytes: number | null) => void;
  /** Asked for a fresh link when the old one is refused; null gives up. */
  readonly freshLink?: () => Promise<string | null>;
  /** How long a silent connection is waited for, ms. */
  readonly stallMs?: number;
}

export interface Download {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Failures in a row, none of which brought a byte, after which it is given up. */
const maxFruitlessTries = 6;
const maxFreshLinks = 3;
/** A file that is another one each time it is asked for never ends. */
const maxStartsOver = 5;

interface Resumable {
  readonly etag: string | null;
  readonly totalBytes: number | null;
}

function damaged(detail: string): CloudProblem {
  return problem('download_damaged', 200, detail);
}
function problem(code: CloudTransportCode, status: number, detail: string): CloudProblem {
  return new CloudProblem({
    code,
    sentCode: null,
    status,
    title: 'Download',
    detail,
    requestId: null,
    operation: 'download',
    extensions: {},
  });
}

/**
 * Fetches a presigned link to a file: resumes by byte range after every break (also in a later session), hashes
 * while writing, checks the length, syncs, then gives the file its name. Rejects with CloudProblem; the part stays
 * for a later attempt unless it proved damaged.
 */
export async function download(request: DownloadRequest): Promise<Download> {
  const partPath = `${request.path}.part`;
  const notePath = `${partPath}.json`;
  const timing = request.timing ?? systemTiming;
  const endMs = request.deadlineMs === undefined ? Infinity : timing.now() + request.deadlineMs;
  const handle = await open(partPath, 'a+');
  try {
    const state = await Transfer.resume(handle, notePath, request);
    const agents = createAgents({
      keepAlive: false,
      ...(request.environment === undefined ? {} : { environment: request.environment }),
      ...(request.extraCa === undefined ? {} : { extraCa: request.extraCa }),
    });
    const client = axios.create({
      adapter: 'http', // proxies are the agents' doing, as in transport.ts
      httpAgent: agents.httpAgent,
      // Certificates are loaded only for links that need them.
      ...(request.url.startsWith('https:') ? { httpsAgent: agents.httpsAgent } : {}),
      responseType: 'stream',
      decompress: false,
      maxRedirects: 3,
      validateStatus: () => true,
      headers: { 'User-Agent': request.userAgent, 'Accept-Encoding': 'identity' },
    });
    let url = request.url;
    let freshLinks = 0;
    let fruitless = 0;
    while (!state.isComplete) {
      request.signal?.throwIfAborted();
      const before = state.receivedBytes;
      let failure: CloudProblem;
      try {
        await state.fetch(client, url, endMs - timing.now());
        continue;
      } catch (thrown) {
        request.signal?.throwIfAborted();
        if (!(thrown instanceof CloudProblem)) throw thrown;
        if (thrown.code === 'download_damaged' || thrown.code === 'deadline_exceeded') throw thrown;
        if (state.startedOver > maxStartsOver) throw thrown;
        failure = thrown;
      }
      if (failure.code === 'link_expired') {
        const fresh = freshLinks++ < maxFreshLinks ? ((await request.freshLink?.()) ?? null) : null;
        if (fresh === null) throw failure;
        url = fresh;
        continue;
      }
      fruitless = state.receivedBytes > before ? 0 : fruitless + 1;
      const waitMs = Math.min(10_000, 250 * 2 ** fruitless);
      if (fruitless >= maxFruitlessTries || timing.now() + waitMs >= endMs) throw failure;
      await timing.wait(fruitless === 0 ? 0 : waitMs, request.signal);
    }
    await handle.datasync();
    const sha256 = state.digest();
    await handle.close();
    await rename(partPath, request.path);
    await rm(notePath, { force: true });
    return { path: request.path, sha256, sizeBytes: state.receivedBytes };
  } catch (thrown) {
    await handle.close().catch(() => undefined);
    if (thrown instanceof CloudProblem && thrown.code === 'download_damaged') {
      await rm(partPath, { force: true });
      await rm(notePath, { force: true });
    }
    throw thrown;
  }
}

/** Queued bytes beyond which the socket is paused. */
const queueBytes = 4 << 20;

/**
 * The chunks of a stream, every one that came in, and only then its error: a stream's own iterator throws away what
 * it holds when the connection breaks, and those bytes were paid for.
 */
function receive(stream: Readable): AsyncGenerator<Buffer, void, undefined> {
  const queue: Buffer[] = [];
  let queuedBytes = 0;
  let ending: { readonly error: Error | null } | null = null;
  let wake = (): void => undefined;
  const end = (error: Error | null): void => {
    ending ??= { error };
    wake();
  };
  // Listening begins at once: a connection may break while headers are still being looked at.
  stream.on('data', (chunk: Buffer) => {
    queue.push(chunk);
    queuedBytes += chunk.length;
    if (queuedBytes > queueBytes) stream.pause();
    wake();
  });
  stream.on('end', () => end(null));
  stream.on('error', (error: Error) => end(error));
  stream.on('close', () => end(new Error('the connection closed')));

  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const chunk = queue.shift();
      if (chunk) {
        queuedBytes -= chunk.length;
        if (queuedBytes <= queueBytes / 2 && stream.isPaused()) stream.resume();
        yield chunk;
        continue;
      }
      const ended = ending as { readonly error: Error | null } | null; // set by the listeners above
      if (ended) {
        if (ended.error) throw ended.error;
        return;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return chunks();
}

/** The part on disk and what is known of the whole. */
class Transfer {
  receivedBytes = 0;
  startedOver = 0;
  private totalBytes: number | null;
  private etag: string | null = null;
  private hash: Hash = createHash('sha256');
  private isEnded = false;
  private readonly handle: FileHandle;
  private readonly notePath: string;
  private readonly request: DownloadRequest;

  private constructor(handle: FileHandle, notePath: string, request: DownloadRequest) {
    this.handle = handle;
    this.notePath = notePath;
    this.request = request;
    this.totalBytes = request.expectedBytes;
  }

  /** Takes up what an earlier session left, hashing it again. */
  static async resume(handle: FileHandle, notePath: string, request: DownloadRequest): Promise<Transfer> {
    const transfer = new Transfer(handle, notePath, request);
    const { size } = await handle.stat();
    if (size === 0) return transfer;
    let note: Resumable | null;
    try {
      note = JSON.parse(await readFile(notePath, 'utf8')) as Resumable; // written by us; a damaged one starts over
    } catch {
      note = null;
    }
    const isFit = note !== null && (request.expectedBytes === null || size <= request.expectedBytes);
    if (!isFit) {
      await transfer.startOver();
      return transfer;
    }
    transfer.etag = note?.etag ?? null;
    transfer.totalBytes = request.expectedBytes ?? note?.totalBytes ?? null;
    const block = Buffer.alloc(1 << 20);
    for (let at = 0; at < size;) {
      const { bytesRead } = await handle.read(block, 0, block.length, at);
      if (bytesRead === 0) break;
      transfer.hash.update(block.subarray(0, bytesRead));
      at += bytesRead;
    }
    transfer.receivedBytes = size;
    return transfer;
  }

  get isComplete(): boolean {
    return (
      this.isEnded ||
      (this.totalBytes !== null && this.receivedBytes === this.totalBytes && this.totalBytes > 0)
    );
  }

  digest(): string {
    return this.hash.digest('hex');
  }

  /** One connection: from where we stand to its end or break. Throws CloudProblem when more is to come. */
  async fetch(client: ReturnType<typeof axios.create>, url: string, leftMs: number): Promise<void> {
    const deadline = AbortSignal.timeout(Math.ceil(Math.min(Math.max(1, leftMs), 2 ** 31 - 1)));
    const stall = new AbortController();
    const stallMs = this.request.stallMs ?? 30_000;
    let timer = setTimeout(() => stall.abort(), stallMs);
    const ends = [stall.signal, deadline];
    const signal = AbortSignal.any(this.request.signal ? [this.request.signal, ...ends] : ends);
    let stream: Readable | null = null;
    try {
      const from = this.receivedBytes;
      const response = await client.get<Readable>(url, {
        signal,
        headers:
          from === 0
            ? {}
            : { Range: `bytes=${from}-`, ...(this.etag === null ? {} : { 'If-Range': this.etag }) },
      });
      stream = response.data;
      const chunks = receive(stream);
      let skipBytes = await this.begin(response.status, response.headers as Record<string, unknown>, from);
      const prefix = skipBytes > 0 ? createHash('sha256') : null;
      for await (const chunk of chunks) {
        clearTimeout(timer);
        timer = setTimeout(() => stall.abort(), stallMs);
        let bytes = chunk;
        if (skipBytes > 0) {
          const skipped = bytes.subarray(0, skipBytes);
          prefix?.update(skipped);
          skipBytes -= skipped.length;
          bytes = bytes.subarray(skipped.length);
          if (skipBytes === 0 && prefix?.digest('hex') !== this.hash.copy().digest('hex'))
            await this.changed(response.status);
        }
        if (bytes.length > 0) await this.append(bytes);
      }
      // The whole file came and was shorter than what we have of it.
      if (skipBytes > 0 && stream.readableEnded) await this.changed(response.status);
      this.finishConnection(response.status);
    } catch (thrown) {
      if (thrown instanceof CloudProblem) throw thrown;
      this.request.signal?.throwIfAborted();
      if (deadline.aborted) throw problem('deadline_exceeded', 0, 'the download took too long');
      const code = (thrown as NodeJS.ErrnoException).code ?? '';
      if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|EPROTO/.test(code)) {
        throw problem('tls_failed', 0, `${new URL(url).host} (${code})${describeTrust()}`);
      }
      if (code === 'ENOSPC' || code === 'EDQUOT') {
        throw new AppError('disk_full', 'The disk is full; the download stopped.', {
          remedy: 'Free some space and try again: it goes on where it stopped.',
          cause: thrown,
        });
      }
      if (code === 'EIO' || code === 'EROFS') throw thrown;
      throw problem(
        'connection_lost',
        0,
        stall.signal.aborted ? `nothing came for ${stallMs / 1000} s` : code || 'the connection broke',
      );
    } finally {
      clearTimeout(timer);
      stream?.destroy();
    }
  }

  /** Reads the status and headers; returns how many bytes at the start are known already. */
  private async begin(status: number, headers: Record<string, unknown>, from: number): Promise<number> {
    const header = (name: string): string | null =>
      typeof headers[name] === 'string' ? (headers[name] as string) : null;
    const length = header('content-length');
    if (status === 200) {
      const totalBytes = length === null ? null : Number(length);
      // The server sent the whole of a file that is shorter than what we have of it: it is another one.
      if (totalBytes !== null && totalBytes < from) await this.startOver();
      this.learn(totalBytes, header('etag'));
      await this.keepNote();
      return this.receivedBytes;
    }
    if (status === 206) {
      const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header('content-range') ?? '');
      if (!range) throw problem('connection_lost', status, 'the server sent a range without saying which');
      if (Number(range[1]) !== from) {
        throw problem('connection_lost', status, `the server sent bytes from ${range[1]} instead of ${from}`);
      }
      const etag = header('etag');
      if (this.etag !== null && etag !== null && etag !== this.etag) await this.changed(status);
      this.learn(range[3] === '*' ? null : Number(range[3]), etag);
      await this.keepNote();
      return 0;
    }
    if (status === 416) {
      const total = /^bytes \*\/(\d+)$/.exec(header('content-range') ?? '')?.[1];
      const expected = this.request.expectedBytes;
      if (this.request.mayGrow === true && expected !== null && Number(total) === from && from < expected) {
        throw problem('connection_lost', status, `${from} of ${expected} bytes are there so far`);
      }
      if (total !== undefined && Number(total) === from && (expected ?? from) === from) {
        this.totalBytes = from;
        this.isEnded = true;
        throw problem('connection_lost', status, 'complete already');
      }
      await this.startOver();
      throw problem('connection_lost', status, 'the server refused the range; starting over');
    }
    if ([400, 401, 403, 404, 410].includes(status)) throw problem('link_expired', status, `status ${status}`);
    throw problem('connection_lost', status, `status ${status}`);
  }

  private learn(totalBytes: number | null, etag: string | null): void {
    const expected = this.request.expectedBytes;
    const isGrowing =
      this.request.mayGrow === true && totalBytes !== null && expected !== null && totalBytes < expected;
    if (totalBytes !== null && !isGrowing) {
      if (expected !== null && totalBytes !== expected) {
        throw damaged(`${totalBytes} bytes instead of ${expected}`);
      }
      this.totalBytes = totalBytes;
    }
    if (etag !== null) this.etag = etag;
  }

  private async append(bytes: Buffer): Promise<void> {
    if (this.totalBytes !== null && this.receivedBytes + bytes.length > this.totalBytes) {
      throw damaged(`more than the announced ${this.totalBytes} bytes`);
    }
    // Positions are ours: the handle is in append mode and every byte counted was written.
    await this.handle.appendFile(bytes);
    this.hash.update(bytes);
    this.receivedBytes += bytes.length;
    this.request.onProgress?.(this.receivedBytes, this.totalBytes);
  }

  private finishConnection(status: number): void {
    if (this.totalBytes === null) {
      // Nobody said how long it is: the orderly end of the answer is its end.
      this.isEnded = true;
      return;
    }
    if (this.totalBytes === 0) this.isEnded = true;
    if (this.receivedBytes < this.totalBytes) {
      throw problem('connection_lost', status, `${this.receivedBytes} of ${this.totalBytes} bytes came`);
    }
  }

  private async changed(status: number): Promise<never> {
    await this.startOver();
    throw problem('connection_lost', status, 'the file changed on the server; starting over');
  }

  private async startOver(): Promise<void> {
    this.startedOver++;
    await this.handle.truncate(0);
    this.receivedBytes = 0;
    this.hash = createHash('sha256');
    this.etag = null;
    this.totalBytes = this.request.expectedBytes;
  }

  private async keepNote(): Promise<void> {
    const note: Resumable = { etag: this.etag, totalBytes: this.totalBytes };
    await writeFile(this.notePath, JSON.stringify(note));
  }
}

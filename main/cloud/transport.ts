import http from 'node:http';
import https from 'node:https';
import axios, { AxiosError, type AxiosInstance } from 'axios';
import { normalizeBaseUrl } from './baseUrl.ts';
import { operations, toPath, type OperationInput, type OperationName } from './operations.ts';
import { CloudProblem, toProblem, type RawAnswer } from './problem.ts';
import { RateGate, systemTiming, tierRates, type Timing } from './rateGate.ts';
import { retryDelayMs } from './retry.ts';

export interface CloudTransportOptions {
  /** Without `/v1`; see normalizeBaseUrl. */
  readonly baseUrl: string;
  /** Kept in this object only: never logged, never part of an error. */
  readonly apiKey: string;
  readonly userAgent: string;
  readonly tier?: string;
  readonly timing?: Timing;
  readonly random?: () => number;
  /** PEM of a company's own certificate authority, beside the system's. */
  readonly extraCa?: string;
  /** Hears of every answer; for the local ledger and the log. No bodies, no key. */
  readonly onAnswer?: (answer: {
    operation: OperationName;
    status: number;
    requestId: string | null;
    latencyMs: number;
  }) => void;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** For the whole call with all its waiting, ms; 60,000 unless told. */
  readonly deadlineMs?: number;
  /** Told before each wait, so that a countdown can be shown. */
  readonly onWait?: (wait: { problem: CloudProblem; waitMs: number; untilMs: number }) => void;
}

export interface CloudAnswer {
  readonly status: number;
  readonly requestId: string | null;
  readonly contentType: string;
  /** Parsed JSON with every field kept; null for an empty body; bytes where the answer is no JSON (a picture). */
  readonly body: unknown;
}

const defaultDeadlineMs = 60_000;
/** A device answers within tens of seconds or not at all (command_timeout). */
const attemptTimeoutMs = 90_000;
/** No answer of the service is near this; something larger is not the service. */
const maxAnswerBytes = 64 * 2 ** 20;

/** The one way to the service: bearer key, deadline, rate gate, retries by the table, problems as CloudProblem. */
export class CloudTransport {
  readonly baseUrl: string;
  readonly gate: RateGate;
  /** This machine's clock minus the service's by its last Date header, ms; null before the first answer. */
  clockSkewMs: number | null = null;
  private readonly client: AxiosInstance;
  private readonly timing: Timing;
  private readonly random: () => number;
  private readonly onAnswer: CloudTransportOptions['onAnswer'];

  constructor(options: CloudTransportOptions) {
    this.baseUrl = normalizeBaseUrl(options.baseUrl);
    this.timing = options.timing ?? systemTiming;
    this.random = options.random ?? Math.random;
    this.onAnswer = options.onAnswer;
    this.gate = new RateGate(this.timing, tierRates[options.tier ?? 'free'] ?? { limitRps: 1, burst: 2 });
    const key = options.apiKey.trim();
    if (!/^[\x21-\x7e]+$/.test(key)) {
      throw new CloudProblem({
        code: 'unauthorized',
        sentCode: null,
        status: 401,
        title: 'Unauthorized',
        detail: 'the key is empty or holds characters that no key has',
        requestId: null,
        operation: 'connect',
        extensions: {},
        isKnownNotDone: true,
      });
    }
    // Node's agents honour HTTP_PROXY, HTTPS_PROXY and NO_PROXY with CONNECT; axios' own proxy code is switched off.
    const agentOptions = { keepAlive: true, proxyEnv: process.env };
    this.client = axios.create({
      baseURL: this.baseUrl,
      adapter: 'http',
      proxy: false,
      httpAgent: new http.Agent(agentOptions),
      httpsAgent: new https.Agent(
        options.extraCa === undefined ? agentOptions : { ...agentOptions, ca: options.extraCa },
      ),
      headers: {
        Authorization: `Bearer ${key}`,
        Accept: 'application/json',
        'User-Agent': options.userAgent,
      },
      // A redirect would carry the key elsewhere.
      maxRedirects: 0,
      maxContentLength: maxAnswerBytes,
      responseType: 'arraybuffer',
      validateStatus: () => true,
      timeout: attemptTimeoutMs,
    });
  }

  /** Carries out one operation. Rejects with CloudProblem, or the signal's reason when aborted by the caller. */
  async call(
    name: OperationName,
    input: OperationInput = {},
    options: CallOptions = {},
  ): Promise<CloudAnswer> {
    const definition = operations[name];
    const path = toPath(name, input);
    const deadlineMs = options.deadlineMs ?? defaultDeadlineMs;
    const endMs = this.timing.now() + deadlineMs;
    for (let attempt = 1; ; attempt++) {
      options.signal?.throwIfAborted();
      await this.gate.enter(options.signal);
      try {
        return await this.attempt(
          name,
          definition.method,
          path,
          input.body,
          endMs - this.timing.now(),
          options.signal,
        );
      } catch (thrown) {
        options.signal?.throwIfAborted();
        if (!(thrown instanceof CloudProblem)) throw thrown;
        if (thrown.code === 'rate_limited') this.gate.drain();
        const waitMs = retryDelayMs(thrown, {
          hasSideEffects: definition.hasSideEffects === true,
          attempt,
          random: this.random(),
        });
        // Waiting past the deadline would end in nothing better: the last answer is the honest one.
        if (waitMs === null || this.timing.now() + waitMs >= endMs) throw thrown;
        options.onWait?.({ problem: thrown, waitMs, untilMs: this.timing.now() + waitMs });
        await this.timing.wait(waitMs, options.signal);
      }
    }
  }

  private async attempt(
    name: OperationName,
    method: string,
    path: string,
    body: unknown,
    leftMs: number,
    callerSignal: AbortSignal | undefined,
  ): Promise<CloudAnswer> {
    if (leftMs <= 0)
      throw this.problem(name, 'deadline_exceeded', 'the time ran out while waiting for our turn', true);
    const deadline = AbortSignal.timeout(Math.ceil(Math.min(leftMs, 2 ** 31 - 1)));
    const signal = callerSignal ? AbortSignal.any([callerSignal, deadline]) : deadline;
    const sentAtMs = this.timing.now();
    let answer: RawAnswer;
    let bytes: Buffer;
    try {
      const response = await this.client.request<ArrayBuffer>({
        method,
        url: path,
        signal,
        ...(body === undefined
          ? {}
          : { data: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      });
      bytes = Buffer.from(response.data ?? new ArrayBuffer(0));
      const headers: Record<string, string> = {};
      for (const [key, value] of Object.entries(response.headers)) headers[key.toLowerCase()] = String(value);
      answer = {
        status: response.status,
        statusText: response.statusText,
        headers,
        body: bytes.toString('utf8'),
      };
    } catch (thrown) {
      callerSignal?.throwIfAborted();
      if (deadline.aborted)
        throw this.problem(name, 'deadline_exceeded', `${Math.round(leftMs / 1000)} s`, false);
      throw this.networkProblem(name, thrown);
    }
    const requestId = answer.headers['x-request-id'] ?? null;
    const serverMs = Date.parse(answer.headers.date ?? '');
    if (!Number.isNaN(serverMs)) this.clockSkewMs = this.timing.now() - serverMs;
    this.onAnswer?.({
      operation: name,
      status: answer.status,
      requestId,
      latencyMs: this.timing.now() - sentAtMs,
    });
    if (answer.status < 200 || answer.status > 299) throw toProblem(name, answer, this.timing.now());
    return {
      status: answer.status,
      requestId,
      contentType: answer.headers['content-type'] ?? '',
      body: this.parseBody(name, answer, bytes),
    };
  }

  /** A good status with an unreadable body is not success: a proxy's page, or an answer cut off. */
  private parseBody(name: OperationName, answer: RawAnswer, bytes: Buffer): unknown {
    if (bytes.length === 0) return null;
    const type = (answer.headers['content-type'] ?? '').toLowerCase();
    if (/^(image|video)\//.test(type)) return new Uint8Array(bytes);
    try {
      return JSON.parse(answer.body) as unknown;
    } catch {
      const isPage = type.includes('html') || /^\s*</.test(answer.body);
      throw new CloudProblem({
        code: isPage ? 'not_the_service' : 'answer_malformed',
        sentCode: null,
        status: answer.status,
        title: answer.statusText,
        detail: isPage ? 'a web page came instead of data' : 'the answer is not complete JSON',
        requestId: answer.headers['x-request-id'] ?? null,
        operation: name,
        extensions: {},
      });
    }
  }

  private networkProblem(name: OperationName, thrown: unknown): CloudProblem {
    const code =
      thrown instanceof AxiosError || thrown instanceof Error
        ? String((thrown as NodeJS.ErrnoException).code ?? '')
        : '';
    const host = new URL(this.baseUrl).host;
    if (['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code)) {
      return this.problem(name, 'address_unreachable', `${host} (${code})`, true);
    }
    if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|EPROTO|WRONG_VERSION/.test(code)) {
      return this.problem(name, 'tls_failed', `${host} (${code})`, true);
    }
    return this.problem(name, 'connection_lost', code === '' ? 'the connection broke' : code, false);
  }

  private problem(
    name: OperationName,
    code: 'deadline_exceeded' | 'address_unreachable' | 'tls_failed' | 'connection_lost',
    detail: string,
    isKnownNotDone: boolean,
  ): CloudProblem {
    return new CloudProblem({
      code,
      sentCode: null,
      status: 0,
      title: 'No answer',
      detail,
      requestId: null,
      operation: name,
      extensions: {},
      isKnownNotDone,
    });
  }
}

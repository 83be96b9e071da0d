import axios, { type AxiosInstance } from 'axios';
import { createAgents, describeTrust, type Agents } from './agents.ts';
import type { CloudCode } from '../../shared/cloudProblem.ts';
import { normalizeBaseUrl } from './baseUrl.ts';
import { operations, toPath, type OperationInput, type OperationName } from './operations.ts';
import { CloudProblem, toProblem, type RawAnswer } from './problem.ts';
import { RateGate, systemTiming, tierRates, TurnTimeout, type Timing } from './rateGate.ts';
import { retryDelayMs } from './retry.ts';

export interface CloudTransportOptions {
  /** Without `/v1`; see normalizeBaseUrl. */
  readonly baseUrl: string;
  /** Kept in this object only: never logged, never part of an error. */
  readonly apiKey: string;
  readonly userAgent: string;
  readonly tier?: string;
  /** Shared by every client of one key, so that together they keep to its rate; otherwise made for the tier. */
  readonly gate?: RateGate;
  readonly timing?: Timing;
  readonly random?: () => number;
  /** PEM of a company's own certificate authority, beside the system's and NODE_EXTRA_CA_CERTS. */
  readonly extraCa?: string;
  /** For proxies and certificates; the process's own unless told. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Hears of every answer; for the local ledger and the log. No bodies, no key. */
  readonly onAnswer?: (answer: {
    operation: OperationName;
    status: number;
    /** Of the problem, where the answer is one. */
    code: CloudCode | null;
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

const unreachableCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
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
  private readonly pooled: Agents;
  /** For calls with side effects: a connection that was idle may break in a way that leaves their outcome open. */
  private readonly fresh: Agents;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly redact: (text: string) => string;
  private readonly timing: Timing;
  private readonly random: () => number;
  private readonly onAnswer: CloudTransportOptions['onAnswer'];

  constructor(options: CloudTransportOptions) {
    this.baseUrl = normalizeBaseUrl(options.baseUrl);
    this.timing = options.timing ?? systemTiming;
    this.random = options.random ?? Math.random;
    this.onAnswer = options.onAnswer;
    this.environment = options.environment ?? process.env;
    this.gate =
      options.gate ??
      new RateGate(this.timing, tierRates[options.tier ?? 'free'] ?? { limitRps: 1, burst: 2 });
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
    // An answer that repeats the key (a proxy's debug page) must not carry it into an error or a database.
    this.redact = (text) => text.replaceAll(key, '[key]');
    const ca = options.extraCa === undefined ? {} : { extraCa: options.extraCa };
    this.pooled = createAgents({ keepAlive: true, environment: this.environment, ...ca });
    this.fresh = createAgents({ keepAlive: false, environment: this.environment, ...ca });
    this.client = axios.create({
      baseURL: this.baseUrl,
      adapter: 'http',
      // No `proxy`: the agents do proxies, with CONNECT, and axios leaves them to it only while it is unset.
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
      try {
        await this.gate.enter(options.signal, endMs);
      } catch (thrown) {
        if (!(thrown instanceof TurnTimeout)) throw thrown;
        throw this.problem(
          name,
          'deadline_exceeded',
          `${Math.round(deadlineMs / 1000)} s, while waiting for our turn`,
          true,
        );
      }
      try {
        return await this.attempt(name, path, input.body, endMs - this.timing.now(), options.signal);
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
    path: string,
    body: unknown,
    leftMs: number,
    callerSignal: AbortSignal | undefined,
  ): Promise<CloudAnswer> {
    const { method, hasSideEffects } = operations[name];
    const agents = hasSideEffects === true ? this.fresh : this.pooled;
    const isSecure = this.baseUrl.startsWith('https:');
    const deadline = AbortSignal.timeout(Math.ceil(Math.min(Math.max(1, leftMs), 2 ** 31 - 1)));
    const signal = callerSignal ? AbortSignal.any([callerSignal, deadline]) : deadline;
    const sentAtMs = this.timing.now();
    let answer: RawAnswer;
    let bytes: Buffer;
    try {
      const response = await this.client.request<ArrayBuffer>({
        method,
        url: path,
        signal,
        ...(isSecure ? { httpsAgent: agents.httpsAgent } : { httpAgent: agents.httpAgent }),
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
        body: this.redact(bytes.toString('utf8')),
      };
    } catch (thrown) {
      callerSignal?.throwIfAborted();
      if (deadline.aborted)
        throw this.problem(name, 'deadline_exceeded', `${Math.round(leftMs / 1000)} s`, false);
      throw this.networkProblem(name, thrown);
    }
    const requestId = answer.headers['x-request-id'] ?? null;
    const serverMs = Date.parse(answer.headers.date ?? '');
    if (!Number.isNaN(serverMs)) {
      // The header tells whole seconds: within its second there is no difference to speak of.
      const aheadMs = this.timing.now() - serverMs;
      this.clockSkewMs = aheadMs < 0 ? aheadMs : Math.max(0, aheadMs - 999);
    }
    const isGood = answer.status >= 200 && answer.status <= 299;
    const problem = isGood ? null : toProblem(name, answer, this.timing.now());
    this.onAnswer?.({
      operation: name,
      status: answer.status,
      code: problem?.code ?? null,
      requestId,
      latencyMs: this.timing.now() - sentAtMs,
    });
    if (problem) throw problem;
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
    const cause = thrown as NodeJS.ErrnoException; // whatever Node or axios throws; both fields are checked
    const code = typeof cause?.code === 'string' ? cause.code : '';
    const host = new URL(this.baseUrl).host;
    if (code === 'ERR_PROXY_TUNNEL') {
      return this.problem(name, 'address_unreachable', `${host} (the proxy refused the way to it)`, true);
    }
    // Only a connection that never came to be proves that nothing was sent.
    const isNeverConnected =
      cause?.syscall === 'connect' || cause?.syscall === 'getaddrinfo' || unreachableCodes.has(code);
    if (isNeverConnected && code !== 'ECONNRESET') {
      return this.problem(name, 'address_unreachable', `${host} (${code})`, true);
    }
    if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|EPROTO|WRONG_VERSION|HOSTNAME_MISMATCH|INVALID_CA/.test(code)) {
      const trust = describeTrust(this.environment);
      return this.problem(name, 'tls_failed', `${host} (${code})${trust}`, true);
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

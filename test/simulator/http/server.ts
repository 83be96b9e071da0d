/** The HTTP face of the simulation: edge, API, links and control, each with its own media types. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FaultEffect } from '../faults.ts';
import { hash32 } from '../random.ts';
import type { RequestRecord } from '../requestLog.ts';
import type { Call, Reply, Simulation } from '../simulation.ts';
import {
  authenticate,
  checkEdgeQuota,
  checkMonthlyLimit,
  checkScope,
  checkSubscription,
  countCall,
  takeRateToken,
} from './gate.ts';
import { serveLink } from './mediaServer.ts';
import { applyModes } from './modes.ts';
import { Problem } from './problem.ts';
import { findRoute, type Route } from './routes.ts';

/** Larger bodies are refused by the edge with a plain `{message}` and no code (section 7). */
const maxBodyBytes = 1_048_576;
const userAgentLength = 256;

export type ControlHandler = (request: IncomingMessage, url: URL, body: unknown) => Promise<unknown>;

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** Effects that can keep a request from its handler. */
const earlyKinds: readonly string[] = ['problem', 'raw', 'drop', 'hang'];

class OversizedBody extends Error {}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBodyBytes) chunks.push(chunk);
  }
  if (length > maxBodyBytes) throw new OversizedBody();
  return Buffer.concat(chunks).toString('utf8');
}

function parseBody(route: Route, text: string): unknown {
  if (route.body === 'none' || (route.body === 'optional' && text.trim() === '')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Problem('invalid_body', { detail: 'The body is not valid JSON.' });
  }
}

function toAnswer(simulation: Simulation, record: RequestRecord, route: string, reply: Reply): Answer {
  record.status = reply.status;
  const headers: Record<string, string> = { ...reply.headers };
  if (reply.body === undefined) return { status: reply.status, headers, text: '' };
  headers['Content-Type'] = 'application/json';
  return {
    status: reply.status,
    headers,
    text: JSON.stringify(applyModes(simulation.modes, route, reply.body)),
  };
}

function toProblemAnswer(simulation: Simulation, record: RequestRecord, problem: Problem): Answer {
  record.status = problem.status;
  record.code = problem.code;
  const headers: Record<string, string> = { 'Content-Type': problem.mediaType };
  // A client must manage without the header where the specification gives a default (4.1 rule 11, section 7).
  const isHeaderOptional = problem.code === 'device_busy' || problem.code === 'rate_limited';
  if (problem.retryAfterSeconds !== undefined && !(simulation.modes.isMinimal && isHeaderOptional)) {
    headers['Retry-After'] = String(problem.retryAfterSeconds);
  }
  return {
    status: problem.status,
    headers,
    text: JSON.stringify(applyModes(simulation.modes, '', problem.toBody(record.requestId))),
  };
}

function faultProblem(effect: FaultEffect & { kind: 'problem' }): Problem {
  return new Problem(effect.code, {
    ...(effect.status === undefined ? {} : { status: effect.status }),
    ...(effect.detail === undefined ? {} : { detail: effect.detail }),
    ...(effect.extensions === undefined ? {} : { extensions: effect.extensions }),
    ...(effect.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: effect.retryAfterSeconds }),
    ...(effect.isEdge === undefined ? {} : { isEdge: effect.isEdge }),
  });
}

/** Edge, then API; only what reached the API is in the API log (section 4.4). */
async function answerApi(
  simulation: Simulation,
  request: IncomingMessage,
  url: URL,
  record: RequestRecord,
  takeEffect: () => ReturnType<Simulation['faults']['take']>,
): Promise<{ answer: Answer | null; lateEffect: FaultEffect | null }> {
  const nowMs = record.atMs;
  let bodyText: string;
  let route: Route;
  let parameters: Record<string, string | null>;
  let caller: ReturnType<typeof authenticate>;
  let used: number;
  let lateEffect: FaultEffect | null = null;
  let earlyEffect: FaultEffect | null = null;
  try {
    bodyText = await readBody(request);
    caller = authenticate(simulation, request.headers.authorization);
    record.keyId = caller.key.keyId;
    record.keyLabel = caller.key.label;
    used = countCall(caller.organisation, nowMs);
    const fault = takeEffect();
    if (fault) {
      const isLate = fault.isAfterHandling || !earlyKinds.includes(fault.effect.kind);
      if (isLate) lateEffect = fault.effect;
      else earlyEffect = fault.effect;
    }
    takeRateToken(simulation, caller.organisation, nowMs);
    checkEdgeQuota(caller.organisation);
    const found = findRoute(request.method ?? 'GET', url.pathname);
    if (!found) throw new Problem('route_not_found', { detail: 'No such method or path.' });
    ({ route, parameters } = found);
    record.route = route.template;
  } catch (error) {
    if (error instanceof OversizedBody) {
      record.status = 413;
      const text = JSON.stringify({ message: 'Request Too Long' });
      return { answer: { status: 413, headers: { 'Content-Type': 'application/json' }, text }, lateEffect };
    }
    if (!(error instanceof Problem)) throw error;
    return { answer: toProblemAnswer(simulation, record, error), lateEffect };
  }
  if (earlyEffect !== null && earlyEffect.kind !== 'problem')
    return { answer: null, lateEffect: earlyEffect };
  if (earlyEffect?.kind === 'problem' && faultProblem(earlyEffect).isEdge) {
    return { answer: toProblemAnswer(simulation, record, faultProblem(earlyEffect)), lateEffect };
  }
  const { organisation, key } = caller;
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, userAgentLength);
  const ip = request.socket.remoteAddress ?? '';
  let answer: Answer;
  try {
    checkMonthlyLimit(organisation, used, nowMs);
    checkSubscription(caller, nowMs);
    checkScope(caller, route.scope, nowMs);
    if (earlyEffect?.kind === 'problem') throw faultProblem(earlyEffect);
    const call: Call = {
      simulation,
      organisation,
      key,
      method: route.method,
      route: route.template,
      parameters,
      query: url.searchParams,
      body: parseBody(route, bodyText),
      requestId: record.requestId,
      nowMs,
      ip,
      userAgent,
      record,
      request,
    };
    answer = toAnswer(simulation, record, `${route.method} ${route.template}`, await route.handler(call));
  } catch (error) {
    const problem =
      error instanceof Problem ? error : new Problem('internal_error', { detail: String(error) });
    if (!(error instanceof Problem)) console.error(error);
    answer = toProblemAnswer(simulation, record, problem);
  }
  organisation.apiLogs.push({
    id: record.requestId,
    atMs: nowMs,
    method: route.method,
    route: route.template,
    status: answer.status,
    errorCode: record.code,
    latencyMs: 12 + (hash32(record.requestId) % 90),
    keyId: key.keyId,
    ip,
    userAgent,
  });
  return { answer, lateEffect };
}

/** Sends an answer through whatever fault awaits it. */
async function send(
  response: ServerResponse,
  record: RequestRecord,
  answer: Answer,
  effect: FaultEffect | null,
): Promise<void> {
  if (effect?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, effect.delayMs));
  if (effect?.kind === 'drop' && effect.bytes === 0) {
    response.destroy();
    return;
  }
  const text = effect?.kind === 'cut' ? answer.text.slice(0, effect.bytes) : answer.text;
  const bytes = Buffer.from(text);
  const headers: Record<string, string | number> = { ...answer.headers };
  if (answer.status !== 204) headers['Content-Length'] = bytes.length;
  response.writeHead(answer.status, headers);
  if (effect?.kind === 'drop') {
    record.bytesSent = Math.min(bytes.length, effect.bytes);
    await new Promise<void>((resolve) => response.write(bytes.subarray(0, effect.bytes), () => resolve()));
    response.destroy();
    return;
  }
  if (effect?.kind === 'slow') {
    const step = Math.max(1, Math.floor(effect.bytesPerSecond / 20));
    for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
      response.write(bytes.subarray(at, at + step));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    response.end();
    return;
  }
  record.bytesSent = bytes.length;
  response.end(bytes);
}

/** Faults that never let the request reach its handler. True when the response is taken care of. */
async function spoil(response: ServerResponse, record: RequestRecord, effect: FaultEffect): Promise<boolean> {
  switch (effect.kind) {
    case 'raw': {
      record.status = effect.status;
      const headers = { 'Content-Type': effect.contentType ?? 'text/html', ...effect.headers };
      await send(response, record, { status: effect.status, headers, text: effect.body }, null);
      return true;
    }
    case 'drop':
      response.destroy();
      return true;
    case 'hang':
      await new Promise((resolve) => response.once('close', resolve));
      return true;
    default:
      return false;
  }
}

export function createSimulatorServer(simulation: Simulation, control: ControlHandler): Server {
  let requestCount = 0;
  const handle = async (
    request: IncomingMessage,
    response: ServerResponse,
    noteRecord: (record: RequestRecord) => void,
  ): Promise<void> => {
    const url = new URL(request.url ?? '/', simulation.baseUrl);
    // The URL parser normalises what a client sent; routing needs the path as it came.
    const rawPath = (request.url ?? '/').split('?')[0] ?? '/';
    // Ascending, so that rows of one millisecond keep their order in the API log.
    const suffix = hash32(`${simulation.options.seed}/${requestCount}`).toString(16).padStart(8, '0');
    const requestId = `req_${requestCount.toString(16).padStart(8, '0')}${suffix}`;
    requestCount += 1;
    const isControl = rawPath.startsWith('/__control/');
    const isLink = rawPath.startsWith('/media/');
    const record: RequestRecord = {
      index: requestCount - 1,
      atMs: simulation.clock.now(),
      realMs: performance.now(),
      method: request.method ?? 'GET',
      path: rawPath,
      query: url.search,
      hasAuthorization: request.headers.authorization !== undefined,
      range: request.headers.range ?? null,
      ifRange: request.headers['if-range']?.toString() ?? null,
      userAgent: request.headers['user-agent'] ?? null,
      requestId,
      surface: isControl ? 'control' : isLink ? 'link' : 'api',
      keyId: null,
      keyLabel: null,
      route: null,
      status: null,
      code: null,
      psn: null,
      deviceContact: null,
      recalled: null,
      bytesSent: 0,
      isAborted: false,
      fault: null,
      endRealMs: null,
    };
    if (!isControl) simulation.log.add(record);
    noteRecord(record);
    response.setHeader('X-Request-Id', requestId);
    // The service's own time, not the machine's: a client that looks for clock skew finds the virtual clock.
    response.setHeader('Date', new Date(record.atMs).toUTCString());
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, Content-Range, ETag');
    if (simulation.modes.isAdditive) response.setHeader('X-Added-Later', 'yes');
    response.on('close', () => {
      record.endRealMs = performance.now();
      record.isAborted = !response.writableFinished;
      record.status ??= response.headersSent ? response.statusCode : null;
    });
    if (isControl) {
      const text = await readBody(request);
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const result = await control(request, url, body);
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(result ?? { ok: true }));
      return;
    }
    if (isLink) {
      const fault = simulation.faults.take(record);
      if (fault && !fault.isAfterHandling && (await spoil(response, record, fault.effect))) return;
      if (fault?.effect.kind === 'problem') {
        const problem = faultProblem(fault.effect);
        return send(response, record, toProblemAnswer(simulation, record, problem), null);
      }
      if (fault?.effect.kind === 'delay') {
        const { delayMs } = fault.effect;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
      await serveLink(simulation, request, response, url, record, fault?.effect ?? null);
      return;
    }
    const rawUrl = Object.assign(new URL(url), {});
    Object.defineProperty(rawUrl, 'pathname', { value: rawPath });
    const { answer, lateEffect } = await answerApi(simulation, request, rawUrl, record, () =>
      simulation.faults.take(record),
    );
    if (answer === null) {
      if (lateEffect && (await spoil(response, record, lateEffect))) return;
      response.destroy();
      return;
    }
    if (lateEffect?.kind === 'raw' || lateEffect?.kind === 'hang') {
      await spoil(response, record, lateEffect);
      return;
    }
    if (lateEffect?.kind === 'problem') {
      await send(response, record, toProblemAnswer(simulation, record, faultProblem(lateEffect)), null);
      return;
    }
    await send(response, record, answer, lateEffect);
  };
  return createServer((request, response) => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    let record: RequestRecord | null = null;
    const handled = handle(request, response, (made) => (record = made)).catch((error: unknown) => {
      if (!response.headersSent && !response.destroyed) {
        response.writeHead(500, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ message: String(error) }));
      } else response.destroy();
    });
    void Promise.all([handled, closed]).then(() => record && simulation.conduct.end(record));
  });
}

/** Shared by the simulator's own tests: a started simulator with a frozen clock, and a small HTTP client. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { startSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';

/** JSON of any form: tests look into it freely and assert what they find. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

export interface Client {
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

export async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return {
    status: response.status,
    body: isJson && text !== '' ? JSON.parse(text) : text,
    headers: response.headers,
  };
}

export function clientFor(simulator: Simulator, key: string): Client {
  const call = (method: string) => (path: string, body?: unknown) =>
    send(`${simulator.baseUrl}${path}`, method, { Authorization: `Bearer ${key}` }, body);
  return { get: call('GET'), post: call('POST'), put: call('PUT'), delete: call('DELETE') };
}

export interface Setup {
  readonly simulator: Simulator;
  readonly enterprise: Client;
  readonly pro: Client;
  readonly standard: Client;
  readonly starter: Client;
  readonly free: Client;
  readonly sandbox: Client;
}

/** Rates are off unless a test asks for them, because a frozen clock would never refill the bucket. */
export async function setUp(options: SimulatorOptions = {}): Promise<Setup> {
  const simulator = await startSimulator({ clock: 'frozen', isRateLimited: false, ...options });
  afterAll(() => simulator.stop());
  const { keys } = simulator;
  return {
    simulator,
    enterprise: clientFor(simulator, keys.enterprise),
    pro: clientFor(simulator, keys.pro),
    standard: clientFor(simulator, keys.standard),
    starter: clientFor(simulator, keys.starter),
    free: clientFor(simulator, keys.free),
    sandbox: clientFor(simulator, keys.sandbox),
  };
}

/** Every page of a cursor list, stopping on `hasMore: false` alone. */
export async function allPages(client: Client, path: string): Promise<{ rows: Json[]; pages: number }> {
  const rows: Json[] = [];
  let pages = 0;
  for (let url = path; ;) {
    const { body } = await client.get(url);
    rows.push(...body.data);
    pages += 1;
    if (!body.pagination.hasMore) return { rows, pages };
    const next = new URL(path, 'http://simulator');
    next.searchParams.set('after', body.pagination.nextCursor);
    url = `${next.pathname}${next.search}`;
  }
}

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Json;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Statuses for the next requests, then 200; `hang` never answers. */
  readonly answers: (number | 'hang' | { status: number; headers: Record<string, string> })[];
  stop(): Promise<void>;
}

/** A real webhook receiver on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Receiver['answers'] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      received.push({ headers: request.headers, text, body: JSON.parse(text) });
      const answer = answers.shift() ?? 200;
      if (answer === 'hang') return;
      if (typeof answer === 'number') response.writeHead(answer).end();
      else response.writeHead(answer.status, answer.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answers,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export const secondMs = 1000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

import type { ConnectionReport, ScopeReport } from '../../../shared/contract/cloud.ts';
import type { Usage } from '../../../shared/cloudResources.ts';
import type { CloudClient } from '../../cloud/client.ts';
import type { OperationInput, OperationName } from '../../cloud/operations.ts';
import { CloudProblem } from '../../cloud/problem.ts';

/**
 * What each scope of section 5 turns on, and a read that tells whether the key has it. Scopes that only an action
 * with consequences would tell stay `unknown`.
 */
const scopes: readonly {
  readonly scope: string;
  readonly turnsOff: string;
  readonly probe?: readonly [OperationName, OperationInput];
}[] = [
  { scope: 'usage:read', turnsOff: 'usage, budget and the API log', probe: ['usage.get', {}] },
  { scope: 'gps:export', turnsOff: 'ordering GPS exports', probe: ['gpsExports.list', { limit: 1 }] },
  { scope: 'media:read', turnsOff: 'browsing SD cards', probe: ['recallJobs.list', { perPage: 1 }] },
  { scope: 'media:recall', turnsOff: 'recalling clips' },
  { scope: 'media:write', turnsOff: 'deleting recordings from a card' },
  { scope: 'devices:write', turnsOff: 'restarting a camera' },
  { scope: 'webhooks:manage', turnsOff: 'webhooks', probe: ['webhooks.list', { perPage: 1 }] },
  { scope: 'audit:read', turnsOff: 'the audit log', probe: ['auditLogs.list', { limit: 1 }] },
];

function toScopeState(problem: CloudProblem | null): ScopeReport['state'] {
  if (problem === null) return 'granted';
  return problem.code === 'insufficient_scope' ? 'missing' : 'unknown';
}

/**
 * Tries an address and key with reads only: whether they work, tier, seats, and which scopes are seen to be missing.
 * Never throws a CloudProblem: the report carries it.
 */
export async function testConnection(
  client: CloudClient,
  options: { signal?: AbortSignal; deadlineMs?: number } = {},
): Promise<ConnectionReport> {
  const attempt = async (name: OperationName, input: OperationInput) => {
    try {
      return {
        body: (await client.call(name, input, { deadlineMs: 15_000, ...options })).body,
        problem: null,
      };
    } catch (thrown) {
      if (thrown instanceof CloudProblem) return { body: null, problem: thrown };
      throw thrown;
    }
  };
  const baseUrl = client.transport.baseUrl;
  // The device list needs no scope: it decides whether address and key work at all.
  const devices = await attempt('devices.list', { perPage: 1 });
  if (devices.problem && devices.problem.code !== 'insufficient_scope')
    return notWorking(baseUrl, devices.problem, client.transport.clockSkewMs);
  if (devices.problem === null && !Array.isArray((devices.body as { data?: unknown } | null)?.data)) {
    return notWorking(baseUrl, notTheService(), client.transport.clockSkewMs);
  }
  let usage: Usage | null = null;
  const reports: ScopeReport[] = [];
  for (const { scope, turnsOff, probe } of scopes) {
    if (!probe) {
      reports.push({ scope, turnsOff, state: 'unknown' });
      continue;
    }
    const answer = await attempt(probe[0], probe[1]);
    if (probe[0] === 'usage.get' && answer.body) usage = (answer.body as { data?: Usage }).data ?? null; // read tolerantly below
    reports.push({ scope, turnsOff, state: toScopeState(answer.problem) });
  }
  return {
    isWorking: true,
    baseUrl,
    tier: typeof usage?.tier === 'string' ? usage.tier : null,
    isSandbox: sandboxOf(usage),
    seats: seatsOf(devices.body),
    scopes: reports,
    clockSkewMs: client.transport.clockSkewMs,
    problem: null,
  };
}

/** The report of an address and key that do not work. */
export function notWorking(
  baseUrl: string,
  problem: CloudProblem,
  clockSkewMs: number | null,
): ConnectionReport {
  return {
    isWorking: false,
    baseUrl,
    tier: null,
    isSandbox: null,
    seats: null,
    scopes: [],
    clockSkewMs,
    problem: problem.toData(),
  };
}

/** A good status alone proves nothing: many a server answers 200 to everything. */
function notTheService(): CloudProblem {
  return new CloudProblem({
    code: 'not_the_service',
    sentCode: null,
    status: 200,
    title: 'Not the service',
    detail: 'the answer is no list of cameras',
    requestId: null,
    operation: 'devices.list',
    extensions: {},
  });
}

/** The specification shows no field that tells; a service that sends one is believed. */
function sandboxOf(usage: Usage | null): boolean | null {
  if (usage === null) return null;
  for (const name of ['sandbox', 'isSandbox', 'livemode']) {
    const value = usage[name];
    if (typeof value === 'boolean') return name === 'livemode' ? !value : value;
  }
  return null;
}

function seatsOf(body: unknown): ConnectionReport['seats'] {
  const cameras = (body as { cameras?: Record<string, unknown> } | null)?.cameras;
  if (!cameras || typeof cameras.registered !== 'number') return null;
  return {
    limit: typeof cameras.limit === 'number' ? cameras.limit : null,
    registered: cameras.registered,
    overLimit: typeof cameras.overLimit === 'number' ? cameras.overLimit : 0,
  };
}

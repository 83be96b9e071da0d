/** Section 2.9 and 4.5: audit entries of actions that change or command something. */
import { cursorPage } from '../http/pagination.ts';
import { rangeParameters } from '../http/parameters.ts';
import {
  newId,
  type AuditEntry,
  type Call,
  type Handler,
  type Organisation,
  type Simulation,
} from '../simulation.ts';
import { toIso } from '../world/localTime.ts';

type AuditStatus = 'success' | 'fail' | 'request' | 'accept' | 'delete' | 'start' | 'enable' | 'disable';

/** Sandbox activity is not audited. */
export function audit(call: Call, eventType: string, target: string | null, status: AuditStatus): void {
  if (call.key.kind === 'sandbox') return;
  call.organisation.auditLogs.push({
    auditId: newId(call.simulation, 'aud'),
    atMs: call.nowMs,
    actorType: 'api_key',
    actorId: call.key.keyId,
    ip: call.ip,
    userAgent: call.userAgent,
    eventType,
    target,
    status,
  });
}

/** An action the platform took itself, for example suspending a webhook. */
export function auditBySystem(
  simulation: Simulation,
  organisation: Organisation,
  eventType: string,
  target: string,
  status: AuditStatus,
): void {
  if (organisation.isSandbox) return;
  organisation.auditLogs.push({
    auditId: newId(simulation, 'aud'),
    atMs: simulation.clock.now(),
    actorType: 'system',
    actorId: null,
    ip: null,
    userAgent: null,
    eventType,
    target,
    status,
  });
}

function toAuditEntry(entry: AuditEntry) {
  const { auditId, atMs, ...rest } = entry;
  return { auditId, at: toIso(atMs), category: entry.eventType.split('.')[0], ...rest };
}

export const listAuditLogs: Handler = (call) => {
  const { fromMs, toMs } = rangeParameters(call);
  const actor = call.query.get('actor');
  const category = call.query.get('category');
  const words = call.query.get('q')?.toLowerCase();
  const rows = call.organisation.auditLogs.filter(
    (entry) =>
      (fromMs === undefined || entry.atMs >= fromMs) &&
      (toMs === undefined || entry.atMs <= toMs) &&
      (actor === null || entry.actorId === actor) &&
      (category === null || entry.eventType.startsWith(`${category}.`)) &&
      (words === undefined ||
        `${entry.eventType} ${entry.target ?? ''} ${entry.actorId ?? ''}`.toLowerCase().includes(words)),
  );
  const page = cursorPage(call, rows, { keyOf: (entry) => [entry.atMs, entry.auditId], order: 'descending' });
  return { status: 200, body: { data: page.rows.map(toAuditEntry), pagination: page.pagination } };
};

/** Sections 2.8, 2.11, 4.4: API logs and the usage record. */
import { cursorPage } from '../http/pagination.ts';
import { enumParameter, invalidParameter, rangeParameters } from '../http/parameters.ts';
import {
  exportJobLimit,
  latestPlan,
  monthlyCallLimit,
  planInEffect,
  tierLimits,
  transferLimitBytes,
} from '../plans.ts';
import { createRandom } from '../random.ts';
import { monthOf, ok, type ApiLogRow, type Call, type Handler } from '../simulation.ts';
import { dayMs, toDateText, toDay, toIso } from '../world/localTime.ts';
import { usedExportJobs } from './exports.ts';
import { usedTransferBytes } from './media.ts';
import { seatsOf } from './scope.ts';

const logWindowDays = 30;

export function statusClassOf(status: number): '2xx' | '4xx' | '5xx' {
  return status >= 500 ? '5xx' : status >= 400 ? '4xx' : '2xx';
}

function statusFilter(call: Call): (row: ApiLogRow) => boolean {
  const status = call.query.get('status');
  if (status === null) return () => true;
  if (/^[1-5]\d\d$/.test(status)) return (row) => row.status === Number(status);
  const classes = ['2xx', '4xx', '5xx'] as const;
  if (!classes.some((known) => known === status)) {
    throw invalidParameter('status', 'must be an exact code or a class', classes);
  }
  return (row) => statusClassOf(row.status) === status;
}

export const listApiLogs: Handler = (call) => {
  const { fromMs, toMs } = rangeParameters(call);
  const untilMs = toMs ?? call.nowMs;
  const sinceMs = fromMs ?? untilMs - dayMs;
  if (untilMs - sinceMs > logWindowDays * dayMs) throw invalidParameter('from', 'spans more than 30 days');
  const isStatus = statusFilter(call);
  const method = enumParameter(call, 'method', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const);
  const route = call.query.get('route');
  const keyId = call.query.get('keyId');
  const isOnRoute = (row: ApiLogRow): boolean =>
    route === null || row.route === route || row.route.startsWith(route.endsWith('/') ? route : `${route}/`);
  const rows = call.organisation.apiLogs.filter(
    (row) =>
      row.atMs >= Math.max(sinceMs, call.nowMs - logWindowDays * dayMs) &&
      row.atMs <= untilMs &&
      isStatus(row) &&
      (method === undefined || row.method === method) &&
      isOnRoute(row) &&
      (keyId === null || row.keyId === keyId),
  );
  const page = cursorPage(call, rows, { keyOf: (row) => [row.atMs, row.id], order: 'descending' });
  const data = page.rows.map(({ atMs, ...row }) => ({
    ...row,
    at: toIso(atMs),
    statusClass: statusClassOf(row.status),
  }));
  return { status: 200, body: { data, pagination: page.pagination } };
};

interface DayRollup {
  readonly date: string;
  readonly calls: number;
  readonly avgLatencyMs: number;
  readonly counts: Map<'2xx' | '4xx' | '5xx', number>;
}

/**
 * Finished days only, and only those that have a rollup: days before the simulation began come from the
 * seed with gaps, later ones from the real log. Absent days are not padded.
 */
function rollups(call: Call): DayRollup[] {
  const { simulation, organisation } = call;
  const today = toDay(call.nowMs);
  const startDay = toDay(simulation.options.startAtMs);
  const days: DayRollup[] = [];
  for (let day = today - logWindowDays; day < today; day += 1) {
    const date = toDateText(day * dayMs);
    if (day < startDay) {
      const random = createRandom(simulation.options.seed, organisation.organisationId, 'rollup', day);
      if (random.chance(0.25)) continue;
      const calls = random.integer(40, 400);
      const failed = random.integer(0, 12);
      const counts = new Map([
        ['2xx', calls - failed],
        ['4xx', failed],
      ] as const);
      days.push({ date, calls, avgLatencyMs: random.integer(60, 180), counts });
      continue;
    }
    const rows = organisation.apiLogs.filter((row) => toDay(row.atMs) === day);
    if (rows.length === 0) continue;
    const counts = new Map<'2xx' | '4xx' | '5xx', number>();
    for (const row of rows)
      counts.set(statusClassOf(row.status), (counts.get(statusClassOf(row.status)) ?? 0) + 1);
    const latency = rows.reduce((sum, row) => sum + row.latencyMs, 0) / rows.length;
    days.push({ date, calls: rows.length, avgLatencyMs: Math.round(latency), counts });
  }
  return days;
}

function callFigures(call: Call): { callHistory: unknown; statusBreakdown: unknown } {
  // The rollup store may be unavailable: both figures are then null (section 2.11).
  if (call.simulation.modes.isMinimal) return { callHistory: null, statusBreakdown: null };
  const days = rollups(call);
  const total = days.reduce((sum, day) => sum + day.calls, 0);
  const totals = new Map<string, number>();
  for (const day of days)
    for (const [name, count] of day.counts) totals.set(name, (totals.get(name) ?? 0) + count);
  const weighted = days.reduce((sum, day) => sum + day.avgLatencyMs * day.calls, 0);
  return {
    callHistory: {
      windowDays: logWindowDays,
      from: toDateText(call.nowMs - logWindowDays * dayMs),
      to: toDateText(call.nowMs - dayMs),
      aggregatedDays: days.length,
      avgLatencyMs: total === 0 ? null : Math.round(weighted / total),
      days: days.map(({ date, calls, avgLatencyMs, counts }) => ({
        date,
        calls,
        avgLatencyMs,
        statusClasses: [...counts].map(([statusClass, count]) => ({ statusClass, count })),
      })),
    },
    statusBreakdown: {
      windowDays: logWindowDays,
      aggregatedDays: days.length,
      total,
      classes: ['2xx', '4xx', '5xx'].map((statusClass) => {
        const count = totals.get(statusClass) ?? 0;
        return {
          statusClass,
          count,
          ratio: total === 0 ? null : Math.round((count / total) * 10_000) / 10_000,
        };
      }),
    },
  };
}

export const readUsage: Handler = (call) => {
  const { organisation, nowMs } = call;
  const effective = planInEffect(organisation, nowMs);
  const latest = latestPlan(organisation);
  const period = monthOf(nowMs);
  const active = organisation.exportJobs.filter(
    (job) => job.status === 'queued' || job.status === 'running',
  ).length;
  const quota = (bucket: string, limit: number, used: number, unit: 'bytes' | 'count') => ({
    bucket,
    limit,
    used,
    period,
    unit,
  });
  const seats = seatsOf(call);
  const { limit, registered, overLimit, overLimitPsns } = seats;
  return ok(
    {
      period,
      tier: effective.tier,
      cameraLimit: seats.limit,
      apiCalls: {
        used: organisation.callsByMonth.get(period) ?? 0,
        limit: monthlyCallLimit(latest),
        limitBasis: latest.tier === 'free' ? 'fixed' : 'per_camera',
        measured: true,
        source: 'enforcement_counter',
      },
      rate: { limitRps: tierLimits[effective.tier].rps, burst: tierLimits[effective.tier].burst },
      volumeQuotas: [
        quota('transfer_bytes', transferLimitBytes(latest), usedTransferBytes(organisation, nowMs), 'bytes'),
        quota('export_job', exportJobLimit(latest), usedExportJobs(organisation, nowMs), 'count'),
        quota('export_concurrent', tierLimits[latest.tier].exportConcurrent, active, 'count'),
      ],
      ...callFigures(call),
    },
    { cameras: { limit, registered, overLimit, overLimitPsns } },
  );
};

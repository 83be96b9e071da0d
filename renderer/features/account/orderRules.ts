import type { ExportOrder, LedgerSum, UsageReport } from '../../../shared/contract/cloud.ts';
import type { Device, GpsExportJob } from '../../../shared/cloudResources.ts';

/** Specification, 4.3 rule 1: `to` at most this many days after `from`. */
export const maxRangeDays = 90;
const dayMs = 86_400_000;

/** "2026-03-14" of UTC milliseconds. */
export function toDay(utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, 10);
}

/** 00:00 UTC of a "2026-03-14"; null for what is no day of the calendar. */
export function dayStartMs(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const utcMs = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(utcMs) || toDay(utcMs) !== day ? null : utcMs;
}

export type RangeCheck =
  | { readonly status: 'ok'; readonly days: number; readonly fromMs: number; readonly toMs: number }
  | { readonly status: 'wrong'; readonly field: 'from' | 'to'; readonly message: string };

/** Checks whole UTC days, both inclusive, by the service's rules before anything is sent. */
export function checkRange(fromDay: string, toDay: string): RangeCheck {
  const fromMs = dayStartMs(fromDay);
  const toMs = dayStartMs(toDay);
  if (fromMs === null) return { status: 'wrong', field: 'from', message: 'Choose the first day' };
  if (toMs === null) return { status: 'wrong', field: 'to', message: 'Choose the last day' };
  if (toMs < fromMs) return { status: 'wrong', field: 'to', message: 'Lies before the first day' };
  const distance = Math.round((toMs - fromMs) / dayMs);
  if (distance > maxRangeDays) {
    return {
      status: 'wrong',
      field: 'to',
      message: `${distance} days after the first; at most ${maxRangeDays}. Order the range in parts`,
    };
  }
  return { status: 'ok', days: distance + 1, fromMs, toMs: toMs + dayMs };
}

/** The last `days` UTC days, today included. */
export function lastDays(days: number, nowMs: number): { readonly fromDay: string; readonly toDay: string } {
  return { fromDay: toDay(nowMs - (days - 1) * dayMs), toDay: toDay(nowMs) };
}

/** Wi-Fi-only cameras are refused by the service (4.3 rule 3). Anything else, an unknown category too, may be asked. */
export function isExportable(device: Device): boolean {
  return device.category !== 'wifi';
}

/** What `packaging` becomes when it is not stated (4.3 rule 2). */
export function defaultPackaging(cameras: number): 'single' | 'perDevice' {
  return cameras > 1 ? 'perDevice' : 'single';
}

/** GPS points to expect: 300 to 1,000 for each camera and day (4.3 rule 7). */
export function expectedPoints(cameras: number, days: number): readonly [low: number, high: number] {
  return [cameras * days * 300, cameras * days * 1000];
}

/** Whether the service still works on it; an unknown state counts as open. */
export function isOpenJob(job: GpsExportJob): boolean {
  return !['completed', 'failed', 'canceled'].includes(job.status);
}

/** The job that keeps the organization from ordering another (4.3 rule 4); null when nothing known does. */
export function activeOrder(orders: readonly ExportOrder[]): ExportOrder | null {
  return orders.find((order) => isOpenJob(order.job) && order.problem?.code !== 'job_not_found') ?? null;
}

/** The month's export jobs as the service last stated them; null where it did not say. */
export function exportAllowance(
  report: UsageReport | null,
): { readonly used: number; readonly limit: number } | null {
  const sum: LedgerSum | undefined = report?.ledger.find(({ bucket }) => bucket === 'export_job');
  if (!sum || sum.serverUsed === null || sum.serverLimit === null) return null;
  return { used: sum.serverUsed, limit: sum.serverLimit };
}

import type { ExportOrder } from '../../../shared/contract/cloud.ts';
import type { Tone } from '../../ui/index.ts';
import { isOpenJob } from './orderRules.ts';

export interface OrderState {
  readonly tone: Tone;
  readonly text: string;
}

/** Where the service is with an export, in words. */
export function jobState({ job, problem }: ExportOrder, nowMs: number): OrderState {
  if (problem?.code === 'job_not_found') return { tone: 'warn', text: 'No longer on the service' };
  switch (job.status) {
    case 'queued':
      return { tone: 'quiet', text: 'Queued' };
    case 'running':
      return { tone: 'quiet', text: 'Running' };
    case 'completed':
      return isExpired(job.expiresAt, nowMs)
        ? { tone: 'quiet', text: 'Expired' }
        : { tone: 'ok', text: 'Completed' };
    case 'failed':
      return { tone: 'bad', text: 'Failed on the service' };
    case 'canceled':
      return { tone: 'quiet', text: 'Canceled' };
    default:
      return { tone: 'quiet', text: job.status };
  }
}

/** What this app does or did with the archive, in words; null while there is nothing to say. */
export function deliveryState(order: ExportOrder): OrderState | null {
  const { delivery, job } = order;
  switch (delivery.status) {
    case 'waiting':
      if (isOpenJob(job) && order.problem?.code !== 'job_not_found') {
        return order.isOurs
          ? {
              tone: 'quiet',
              text: order.shouldImport ? 'Will be imported when complete' : 'Waits to be imported by you',
            }
          : null;
      }
      return job.status === 'completed' ? { tone: 'quiet', text: 'Not imported yet' } : null;
    case 'running':
      return { tone: 'quiet', text: 'Downloading and importing: see Jobs' };
    case 'imported':
      return { tone: 'ok', text: 'Imported' };
    case 'empty':
      return { tone: 'quiet', text: 'No GPS data in this range: nothing to import' };
    case 'failed':
      return { tone: 'bad', text: 'Not imported' };
  }
}

/** Whether the archive can be had (again). */
export function canFetch(order: ExportOrder, nowMs: number): boolean {
  return (
    order.job.status === 'completed' &&
    order.problem?.code !== 'job_not_found' &&
    !isExpired(order.job.expiresAt, nowMs) &&
    (order.delivery.status === 'waiting' || order.delivery.status === 'failed')
  );
}

function isExpired(expiresAt: string | null | undefined, nowMs: number): boolean {
  const atMs = Date.parse(expiresAt ?? '');
  return !Number.isNaN(atMs) && atMs <= nowMs;
}

/** "2026-03-08 to 2026-03-14" of the echoed UTC days; null where the service has not stated them yet. */
export function rangeText({ job }: ExportOrder): string | null {
  if (typeof job.from !== 'string' || typeof job.to !== 'string') return null;
  const from = job.from.slice(0, 10);
  const to = job.to.slice(0, 10);
  return from === to ? from : `${from} to ${to}`;
}

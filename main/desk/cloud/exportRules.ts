import type { CloudCode } from '../../../shared/cloudProblem.ts';
import type { CloudProblemData } from '../../../shared/cloudProblem.ts';
import type { GpsExportJob } from '../../../shared/cloudResources.ts';
import type { ExportOrder } from '../../../shared/contract/cloud.ts';
import type { ImportOutcome } from '../../../shared/contract/imports.ts';
import { AppError } from '../../../shared/errors.ts';

/** Section 4.3 rule 9: no faster. */
export const pollEveryMs = 5000;
/** While the service can't be reached it is asked less and less often, down to this. */
const slowestPollMs = 60_000;
/** Section 4.3 rule 1. */
const maxRangeDays = 90;
const dayMs = 86_400_000;

export const isOpen = (job: GpsExportJob): boolean =>
  !['completed', 'failed', 'canceled'].includes(job.status);

/** Still to be waited for: under way, and not forgotten by the service. */
export const isUnderWay = (order: ExportOrder): boolean =>
  isOpen(order.job) && order.problem?.code !== 'job_not_found';

const passing: ReadonlySet<CloudCode> = new Set<CloudCode>([
  'rate_limited',
  'internal_error',
  'delegate_failed',
  'upstream_unavailable',
  'connection_lost',
  'address_unreachable',
  'tls_failed',
  'deadline_exceeded',
  'not_the_service',
  'answer_malformed',
]);

/** Whether watching on may help: a laptop without network, a service that restarts. Hard stops and 4xx do not pass. */
export function isPassing(problem: CloudProblemData): boolean {
  return passing.has(problem.code) || (problem.code === 'unknown' && problem.status >= 500);
}

/** How long until the next look, after so many in a row that failed. */
export function pollDelayMs(failures: number): number {
  return Math.min(slowestPollMs, pollEveryMs * 2 ** Math.min(failures, 10));
}

/** Midnight UTC of a calendar day; AppError for 30 February and the like. */
function dayStartMs(day: string): number {
  const ms = Date.parse(`${day}T00:00:00Z`);
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)) return ms;
  throw new AppError('invalid_input', `${day} is not a day of the calendar.`, { remedy: 'Correct the day.' });
}

/** What the service would refuse (4.3 rule 1), refused before anything is sent. AppError('invalid_input'). */
export function refuseRange(fromDay: string, toDay: string): void {
  const fromMs = dayStartMs(fromDay);
  const toMs = dayStartMs(toDay);
  if (toMs < fromMs)
    throw new AppError('invalid_input', 'The last day lies before the first.', { remedy: 'Swap the days.' });
  const rangeDays = Math.round((toMs - fromMs) / dayMs);
  if (rangeDays <= maxRangeDays) return;
  throw new AppError(
    'invalid_input',
    `An export covers at most ${maxRangeDays} days; ${rangeDays} were asked.`,
    { remedy: 'Order the range in parts.', details: { maxRangeDays, rangeDays } },
  );
}

/** A name that came from a server, as one that any file system takes and that can't lead elsewhere. */
export function safeFileName(name: string): string {
  const safe = name
    .replaceAll(/[^\p{L}\p{N} ._()-]/gu, '_')
    .replace(/^[. ]+/, '')
    .replace(/^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, '_$1')
    .slice(0, 150)
    .replace(/[. ]+$/, '');
  return safe === '' ? 'export' : safe;
}

/** What became of an archive that was imported. */
export function deliveryOf(outcome: ImportOutcome, sha256: string): ExportOrder['delivery'] {
  const source = outcome.sources[0];
  const sourceId = source?.sourceId ?? source?.duplicateOf ?? null;
  if (sourceId !== null && sourceId !== undefined) return { status: 'imported', sourceId, sha256 };
  return { status: 'failed', message: source?.error?.message ?? 'Nothing could be imported.' };
}

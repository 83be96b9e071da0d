import type { RecallJob } from '../../../shared/cloudResources.ts';
import type { Recall } from '../../../shared/contract/recalls.ts';
import type { CloudClient } from '../../cloud/client.ts';

/** Clocks of this machine and the service agree to that after the correction by the Date header. */
const clockToleranceMs = 5000;

export type JobSearch =
  | { readonly kind: 'found'; readonly job: RecallJob }
  | { readonly kind: 'none' }
  /** A job that began since then and does not say for which recording: asking again might be charged twice. */
  | { readonly kind: 'unclear'; readonly jobId: string };

/**
 * Looks whether the camera accepted a request whose answer was lost (4.1: a job exists only once the device
 * accepted). The fields of a listed job are not shown (rule 14): what is there is compared, the file's name also in
 * its link.
 */
export async function searchJob(
  client: CloudClient,
  recall: Pick<Recall, 'psn' | 'filename' | 'quality'>,
  since: { readonly askedAtMs: number; readonly knownJobIds: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<JobSearch> {
  let unclear: string | null = null;
  const options = { signal, deadlineMs: 30_000 };
  const rows = client.rows<RecallJob>('recallJobs.list', { perPage: 200 }, options);
  const skewMs = client.transport.clockSkewMs ?? 0;
  for await (const job of rows) {
    if (typeof job.jobId !== 'string' || since.knownJobIds.has(job.jobId) || job.status === 'canceled')
      continue;
    const createdAtMs = typeof job.createdAt === 'string' ? Date.parse(job.createdAt) : NaN;
    if (createdAtMs + skewMs < since.askedAtMs - clockToleranceMs) continue;
    const isOther = (field: string, wanted: string): boolean =>
      typeof job[field] === 'string' && job[field] !== wanted;
    if (
      isOther('psn', recall.psn) ||
      isOther('filename', recall.filename) ||
      isOther('quality', recall.quality)
    )
      continue;
    const link = typeof job.downloadUrl === 'string' ? job.downloadUrl : '';
    const isNamed = job.filename === recall.filename || link.includes(encodeURIComponent(recall.filename));
    if (isNamed) return { kind: 'found', job };
    if (job.filename === undefined && link === '') unclear ??= job.jobId;
  }
  return unclear === null ? { kind: 'none' } : { kind: 'unclear', jobId: unclear };
}

import { operations, type OperationInput, type OperationName } from './operations.ts';

/** What a call that was answered well cost of the month's volume allowances. */
export interface Spending {
  readonly bucket: 'transfer_bytes' | 'export_job';
  readonly amount: number;
  readonly subject: string | null;
}

const megabyte = 2 ** 20;
/** Counted for a recall whose size the camera did not report, and for every event video (8.2). */
export const flatBytes = { sub: 8 * megabyte, main: 150 * megabyte, event: 6 * megabyte } as const;

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** What an answered call counted toward an allowance by the rules of section 8.2; null where it counted nothing. */
export function spendingOf(name: OperationName, input: OperationInput, answer: unknown): Spending | null {
  const data = ((answer as { data?: unknown } | null)?.data ?? {}) as Record<string, unknown>; // each field is checked
  if (name === 'gpsExports.create') return { bucket: 'export_job', amount: 1, subject: text(data.jobId) };
  if (operations[name].costsBytes !== true) return null;
  if (name === 'events.video')
    return { bucket: 'transfer_bytes', amount: flatBytes.event, subject: text(input.eventId) };
  const asked = (name === 'recallJobs.create' ? input.body : input) as Record<string, unknown> | null;
  // The defaults of 4.1: the playback call plays the small stream, the job call fetches the large one.
  const quality = text(asked?.quality) ?? (name === 'recallJobs.create' ? 'main' : 'sub');
  const flat = quality === 'main' ? flatBytes.main : flatBytes.sub;
  return {
    bucket: 'transfer_bytes',
    amount: typeof data.sizeBytes === 'number' ? data.sizeBytes : flat,
    subject: text(asked?.filename),
  };
}

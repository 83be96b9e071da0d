import type { ImportOutcome } from '../../../shared/contract/imports.ts';
import type { Job, JobProgress, JobResult } from '../../../shared/contract/jobs.ts';
import { formatBytes, formatCount, formatCounted, formatDuration, type Tone } from '../../ui/index.ts';
import type { Rate } from './rate.ts';

/** What a job is called before its title. */
export const kindNames: Record<Job['kind'], string> = {
  import: 'Import',
  seal: 'Seal',
  verify: 'Verify',
  trim: 'Trim',
};

function amount(value: number, unit: JobProgress['unit']): string {
  if (unit === 'bytes') return formatBytes(value);
  return formatCounted(value, unit === 'files' ? 'file' : 'entry', unit === 'files' ? 'files' : 'entries');
}

/** "Reading · 12 MB of 76 MB · 412,000 points" */
export function progressText(progress: JobProgress): string {
  const { stage, done, total, unit, points } = progress;
  const parts = [stage.charAt(0).toUpperCase() + stage.slice(1)];
  parts.push(total === null ? amount(done, unit) : `${amount(done, unit)} of ${amount(total, unit)}`);
  if (points !== null && points > 0) parts.push(formatCounted(points, 'point'));
  return parts.join(' · ');
}

/** "2,100,000 points/s · 8 s left"; empty while it is too early to say. */
export function rateText(rate: Rate | undefined, unit: JobProgress['unit']): string {
  if (!rate) return '';
  const parts: string[] = [];
  if (rate.pointsPerSecond !== null && rate.pointsPerSecond > 0) {
    parts.push(`${formatCount(roundTwo(rate.pointsPerSecond))} points/s`);
  } else if (rate.perSecond !== null && rate.perSecond > 0 && unit === 'bytes') {
    parts.push(`${formatBytes(rate.perSecond)}/s`);
  }
  if (rate.leftMs !== null) parts.push(`${formatDuration(rate.leftMs)} left`);
  return parts.join(' · ');
}

/** A rate to two digits: more would flicker. */
function roundTwo(value: number): number {
  return value < 100 ? Math.round(value) : Number(value.toPrecision(2));
}

/** Done share of 0 to 1; null while the end is unknown. */
export function shareOf(progress: JobProgress): number | null {
  if (progress.total === null || progress.total <= 0) return null;
  return Math.min(1, progress.done / progress.total);
}

export interface Summary {
  readonly tone: Tone;
  readonly text: string;
}

/** How the files of an import fared. */
export function importCounts(outcome: ImportOutcome) {
  const of = (status: 'imported' | 'duplicate' | 'failed') =>
    outcome.sources.filter((source) => source.status === status);
  const imported = of('imported');
  return {
    imported: imported.length,
    /** Files of video: they hold no trips. */
    clips: imported.filter(
      ({ entries, trips }) => trips === 0 && entries.some(({ format }) => format === 'mp4'),
    ).length,
    duplicate: of('duplicate').length,
    failed: of('failed').length,
    trips: imported.reduce((sum, source) => sum + source.trips, 0),
    points: imported.reduce((sum, source) => sum + source.points, 0),
    remarks: imported.reduce(
      (sum, source) =>
        sum +
        source.entries.filter((entry) => entry.status !== 'imported' || entry.skipped.length > 0).length,
      0,
    ),
  };
}

/** One line on how an import ended. */
export function importSummary(outcome: ImportOutcome): Summary {
  const counts = importCounts(outcome);
  const parts: string[] = [];
  const came: string[] = [];
  if (counts.imported > counts.clips) {
    came.push(formatCounted(counts.trips, 'trip'), formatCounted(counts.points, 'point'));
  }
  if (counts.clips > 0) came.push(formatCounted(counts.clips, 'clip'));
  if (came.length > 0) parts.push(`${came.join(', ')} imported`);
  if (counts.remarks > 0) parts.push('some rows or files were skipped');
  if (counts.duplicate > 0) parts.push(`${formatCounted(counts.duplicate, 'file')} imported before`);
  if (counts.failed > 0) parts.push(`${formatCounted(counts.failed, 'file')} not imported`);
  const tone = counts.failed > 0 ? 'bad' : counts.remarks > 0 ? 'warn' : counts.imported > 0 ? 'ok' : 'quiet';
  return { tone, text: parts.join('; ') || 'Nothing to import' };
}

function resultSummary(result: JobResult): Summary {
  switch (result.kind) {
    case 'import':
      return importSummary(result.outcome);
    case 'seal':
      return {
        tone: 'ok',
        text: `${formatCounted(result.sealed.files, 'file')} sealed, ${formatBytes(result.sealed.sizeBytes)}`,
      };
    case 'verify': {
      const failed = result.report.checks.filter((check) => !check.ok).length;
      return result.report.ok
        ? { tone: 'ok', text: 'Unchanged since sealed' }
        : { tone: 'bad', text: `Verification failed: ${formatCounted(failed, 'check')} not passed` };
    }
    case 'trim':
      return { tone: 'ok', text: 'Cut without loss, kept with its recipe' };
  }
}

/** One line on how a job ended; null while it runs. A failure is told by its error, not here. */
export function endSummary(job: Job): Summary | null {
  switch (job.state.status) {
    case 'running':
    case 'failed':
      return null;
    case 'done':
      return resultSummary(job.state.result);
    case 'canceled':
      return { tone: 'quiet', text: 'Canceled; nothing of it was kept' };
    case 'interrupted':
      return {
        tone: 'warn',
        text: 'Evidence Desk was closed while this ran; nothing of it was kept. Start it again.',
      };
  }
}

import path from 'node:path';
import type { ExportOrder } from '../../../../shared/contract/cloud.ts';
import type { ImportOutcome } from '../../../../shared/contract/imports.ts';
import { explainProblem } from '../../../../shared/cloudProblem.ts';
import { AppError } from '../../../../shared/errors.ts';
import { parseTimeMs } from '../../../../shared/time.ts';
import type { CloudUseCases } from '../../../desk/cloud.ts';
import type { Desk } from '../../../desk/desk.ts';
import { UsageError, type Arguments } from '../arguments.ts';
import { exitCodes, type CommandContext, type RunCommand } from '../command.ts';
import { expectPositionals } from '../values.ts';
import { withCloud } from '../withCloud.ts';
import { importExitCode, toImportDocument } from './import.ts';

const formats = ['csv', 'gpx', 'kml'] as const;
const packagings = ['single', 'perDevice'] as const;

/** `export-gps`: orders, waits, downloads, and with --import imports. */
export const runExportGpsCommand: RunCommand = async (context) => {
  const { args, output } = context;
  expectPositionals(args, []);
  const order = parseOrder(args);
  const { finished, file, outcome } = await withCloud(context, (cloud, desk) =>
    exportGps(context, cloud, desk, order, args.has('--import')),
  );
  const document = {
    job: finished.job,
    path: file?.path ?? null,
    sha256: file?.sha256 ?? null,
    sizeBytes: file?.sizeBytes ?? null,
    import: outcome === null ? null : toImportDocument(outcome),
  };
  output.result(document, () =>
    file === null
      ? `The export ${finished.job.jobId} holds no data: nothing was recorded in this range.\n`
      : `${file.path}\nSHA-256  ${file.sha256}\n${outcome === null ? '' : importText(outcome)}`,
  );
  if (file === null || finished.job.partial === true) return exitCodes.partial;
  return outcome === null ? exitCodes.done : importExitCode(outcome);
};

function importText({ sources }: ImportOutcome): string {
  return sources.map((s) => `${s.fileName}: ${s.status}, ${s.trips} trips, ${s.points} points\n`).join('');
}

/** The UTC day of a date or a timestamp: only it is used (specification, 4.3 rule 1). */
function parseDay(args: Arguments, option: string): string {
  const text = args.value(option);
  if (text === undefined) throw new UsageError(`${option} is missing.`);
  const ms = parseTimeMs(text);
  if (ms === null)
    throw new UsageError(`${option} is a UTC day like 2026-03-14, not ${JSON.stringify(text)}.`);
  return new Date(ms).toISOString().slice(0, 10);
}

function parseOrder(args: Arguments) {
  const format = formats.find((one) => one === args.value('--format'));
  if (format === undefined) throw new UsageError(`--format is one of ${formats.join(', ')}.`);
  const asked = args.value('--packaging');
  const packaging = packagings.find((one) => one === asked);
  if (asked !== undefined && packaging === undefined)
    throw new UsageError(`--packaging is one of ${packagings.join(', ')}.`);
  const psns = [...args.list('--psn')];
  return {
    fromDay: parseDay(args, '--from'),
    toDay: parseDay(args, '--to'),
    format,
    ...(packaging === undefined ? {} : { packaging }),
    ...(psns.length === 0 ? {} : { psns }),
  };
}

/** Orders an export and brings its archive to the data folder's `exports/`; `file` null where there is no data. */
export async function exportGps(
  context: CommandContext,
  cloud: CloudUseCases,
  desk: Desk,
  order: ReturnType<typeof parseOrder>,
  shouldImport: boolean,
): Promise<{
  finished: ExportOrder;
  file: Awaited<ReturnType<CloudUseCases['exports']['downloadTo']>> | null;
  outcome: ImportOutcome | null;
}> {
  const { output, signal } = context;
  const ordered = await cloud.exports.order(order);
  output.message(`Export ${ordered.job.jobId} is ${ordered.job.status}; waiting for it.`);
  let lastRemark = '';
  const finished = await cloud.exports.untilFinished(ordered.job.jobId, {
    signal,
    onLook({ job, problem }) {
      const { progress } = job;
      const percent = typeof progress === 'number' ? `, ${progress} %` : '';
      const remark = problem
        ? `${explainProblem(problem).what} Waiting on.`
        : `Export ${job.jobId} is ${job.status}${percent}.`;
      if (remark !== lastRemark) output.message(remark);
      lastRemark = remark;
    },
  });
  if (finished.problem) {
    const { what, todo } = explainProblem(finished.problem);
    throw new AppError('cloud_problem', what, { remedy: todo, details: { problem: finished.problem } });
  }
  if (finished.job.status !== 'completed') {
    throw new AppError('not_found', `Export ${finished.job.jobId} ended as ${finished.job.status}.`, {
      remedy: 'Order it again, or a shorter range.',
      details: { job: finished.job },
    });
  }
  if (finished.job.partial === true)
    output.message('The export is partial: some cameras or days are missing in it.');
  if (finished.job.downloadUrl === undefined) return { finished, file: null, outcome: null };
  const file = await cloud.exports.downloadTo(path.join(context.dataFolder, 'exports'), finished.job.jobId, {
    signal,
    onBytes: (done, total) =>
      output.progress({ stage: 'downloading', done, total, unit: 'bytes', points: null }),
  });
  const outcome = shouldImport
    ? await desk.importFiles([file.path], { signal, onProgress: output.progress })
    : null;
  return { finished, file, outcome };
}

import type { EntryReport, ImportedSource, ImportOutcome } from '../../../../shared/contract/imports.ts';
import type { AppErrorData } from '../../../../shared/errors.ts';
import { toRfc3339 } from '../../../../shared/time.ts';
import { inflateAhead } from '../../../desk/inflateAhead.ts';
import { UsageError } from '../arguments.ts';
import { exitCodes, type ExitCode, type RunCommand } from '../command.ts';
import { findOrCreateCase } from '../findCase.ts';
import { printable, toJsonError, thousands } from '../output.ts';

/** `import FILE...`: exit 0 when all came in (or is here already), 3 when something was left out, 1 when nothing came in. */
export const runImportCommand: RunCommand = async (context) => {
  const { args, output, signal } = context;
  const files = args.positionals;
  if (files.length === 0) throw new UsageError('FILE is missing.');
  inflateAhead(files);
  // After the line above: what it loads, it loads beside the thread's start.
  const { withDesk } = await import('../openCliDesk.ts');
  const outcome = await withDesk(context, async (desk) => {
    const name = args.value('--case');
    const caseId = name === undefined ? undefined : await findOrCreateCase(desk.client, name);
    return desk.importFiles(files, {
      signal,
      onProgress: output.progress,
      ...(caseId === undefined ? {} : { caseId }),
    });
  });
  output.endProgress();
  const code = importExitCode(outcome);
  const document = toImportDocument(outcome);
  const failed = outcome.sources.flatMap((source) =>
    source.error === null ? [] : [{ source, error: source.error }],
  );
  if (code !== exitCodes.failed || failed.length === 0) {
    output.result(document, () => outcome.sources.map(sourceText).join(''));
    return code;
  }
  // All of it failed: a failure like any other, with the report beside it.
  if (output.isJson) output.failure(naming(failed[0]!.source, failed[0]!.error), document);
  else {
    for (const { source, error } of failed) {
      output.failure(naming(source, error));
      if (source.entries.length > 0) output.message(source.entries.map(entryText).join('').trimEnd());
    }
  }
  return code;
};

/** The error says which file it is about: what is wrong inside an archive knows nothing of its name. */
function naming({ fileName }: ImportedSource, error: AppErrorData): AppErrorData {
  const message = error.message.includes(fileName) ? error.message : `${fileName}: ${error.message}`;
  return { ...error, message, details: { fileName, ...error.details } };
}

/** 0 when all came in (or is here already), 3 when something was left out, 1 when nothing came in. */
export function importExitCode({ sources }: ImportOutcome): ExitCode {
  const isHere = (source: ImportedSource): boolean => source.status !== 'failed';
  if (!sources.some(isHere)) return exitCodes.failed;
  const isWhole = (source: ImportedSource): boolean =>
    isHere(source) &&
    source.entries.every(
      (entry) => isWithoutPoints(entry) || (entry.status === 'imported' && entry.skipped.length === 0),
    );
  return sources.every(isWhole) ? exitCodes.done : exitCodes.partial;
}

/**
 * Nothing is left out without these: folders, what a Mac puts beside its files, and the file of a camera that
 * did not drive (a header and no rows).
 */
function isWithoutPoints({ name, status, format }: EntryReport): boolean {
  return (
    name.endsWith('/') || /^__MACOSX\/|(^|\/)\._/.test(name) || (status === 'skipped' && format !== null)
  );
}

/** The outcome as `--json` prints it. */
export function toImportDocument({ sources }: ImportOutcome) {
  return {
    sources: sources.map((source) => ({
      sourceId: source.sourceId,
      fileName: source.fileName,
      sha256: source.sha256,
      sizeBytes: source.sizeBytes,
      status: source.status,
      duplicateOf: source.duplicateOf,
      error: source.error === null ? null : toJsonError(source.error),
      entries: source.entries.map(toEntry),
      trips: source.trips,
      points: source.points,
      from: toRfc3339(source.fromMs),
      to: toRfc3339(source.toMs),
    })),
  };
}

function toEntry(entry: EntryReport) {
  const { name, format, status, psns, trips, points, rows, skipped, flagged, error } = entry;
  return { name, format, status, psns, trips, points, rows, skipped, flagged, error };
}

function sourceText(source: ImportedSource): string {
  const name = printable(source.fileName);
  if (source.status === 'failed') {
    return `${name}: not imported. ${printable(source.error?.message ?? '')}\n${source.entries.map(entryText).join('')}`;
  }
  if (source.status === 'duplicate') return `${name}: here already, as ${source.duplicateOf}.\n`;
  if (source.entries[0]?.format === 'mp4') {
    const start = source.fromMs === null ? 'start in UTC unknown' : `start ${toRfc3339(source.fromMs)}`;
    return `${name}: imported as ${source.sourceId}: a clip, ${start}.\n${source.entries.map(entryText).join('')}`;
  }
  const span =
    source.fromMs === null ? 'no times' : `${toRfc3339(source.fromMs)} to ${toRfc3339(source.toMs)}`;
  const counts = `${source.trips} trips, ${thousands(source.points)} points`;
  return `${name}: imported as ${source.sourceId}: ${counts}, ${span}.\n${source.entries.map(entryText).join('')}`;
}

function entryText(entry: EntryReport): string {
  const remarks = [
    ...entry.skipped.map((one) => `    left out ${one.count}: ${one.reason} (first at ${one.where})`),
    ...entry.flagged.map((one) => `    kept, but note ${one.count}: ${one.reason} (first at ${one.where})`),
  ];
  if (entry.status === 'imported' && remarks.length === 0) return '';
  const head = `  ${entry.name}: ${entry.status}${entry.error === null ? '' : `. ${entry.error}`}`;
  return `${[head, ...remarks].map(printable).join('\n')}\n`;
}

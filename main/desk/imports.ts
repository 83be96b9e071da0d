import { statSync } from 'node:fs';
import path from 'node:path';
import type { ImportedSource, ImportOutcome } from '../../shared/contract/imports.ts';
import type { Handlers } from '../../shared/contract/index.ts';
import type { JobProgress } from '../../shared/contract/jobs.ts';
import { AppError, toErrorData } from '../../shared/errors.ts';
import type { CaseId, JobId, SourceId } from '../../shared/ids.ts';
import { workerUrl } from '../cache/workerUrl.ts';
import { discardUpload, findUpload, stageFile, type StagedUpload } from '../cache/uploads.ts';
import { runImport, runImportInWorker, type ImportOptions } from '../importer/importJob.ts';
import { createClipFactsReader } from './clipFactsReader.ts';
import type { DeskDeps, JobContext } from './deps.ts';
import { expandFolders } from './importFolders.ts';

/** Reads clips too, which the importer by itself can't. */
const importThread = workerUrl(import.meta.url, 'importClipsWorker');

/** What imports use of the cases' use cases: custody and events come with them. */
export type CasesForImports = Pick<Handlers, 'cases.get' | 'cases.add'>;

export interface ImportUseCases {
  readonly handlers: Pick<Handlers, 'imports.start' | 'imports.sample'>;
  /** Host-only: files and folders of the user's by path, copied and hashed before anything reads them. */
  startFiles(paths: readonly string[], caseId: CaseId | undefined): JobId;
  /** The same inside a job that is running already (a downloaded export). */
  importPath(file: string, context: JobContext): Promise<ImportOutcome>;
}

/** A file on its way in: staged, or what became of it instead. */
type Staged = { readonly upload: StagedUpload } | { readonly failed: ImportedSource };

/**
 * Imports as jobs of the tray. One job takes any number of files; a file that can't be read is in the outcome
 * and does not keep the others out. Uploads are gone afterwards, whatever happened: what was imported is a
 * blob, what was not is still where the user has it.
 */
export function createImportUseCases(deps: DeskDeps, cases: CasesForImports): ImportUseCases {
  const { cache, jobs } = deps;

  async function importStaged(staged: readonly Staged[], context: JobContext): Promise<ImportOutcome> {
    const files = staged.flatMap((one) => ('upload' in one ? [one.upload] : []));
    if (files.length === 0) return { sources: failuresOf(staged) };
    const options = { signal: context.signal, actor: deps.actor(), onProgress: context.progress };
    const outcome =
      deps.runner === 'worker'
        ? await runImportInWorker(cache.folder, files, { ...options, worker: importThread })
        : await importHere(files, options);
    return { sources: inOrder(staged, outcome.sources) };
  }

  async function importHere(
    files: readonly StagedUpload[],
    options: Omit<ImportOptions, 'now' | 'clips'>,
  ): Promise<ImportOutcome> {
    const clips = createClipFactsReader();
    try {
      return await runImport(cache, files, { ...options, now: deps.now, clips });
    } finally {
      await clips.close();
    }
  }

  async function runJob(
    caseId: CaseId | undefined,
    context: JobContext,
    stage: () => Promise<readonly Staged[]>,
  ): Promise<ImportOutcome> {
    let staged: readonly Staged[] = [];
    try {
      staged = await stage();
      const outcome = await importStaged(staged, context);
      if (outcome.sources.some((source) => source.status === 'imported')) {
        deps.emit('library.changed', { reason: 'import' });
      }
      if (caseId !== undefined) await addToCase(caseId, outcome);
      return outcome;
    } finally {
      for (const one of staged) if ('upload' in one) discardUpload(cache.folder, one.upload.uploadId);
    }
  }

  /** Known files count: whoever drops a file on a case wants it in there, imported before or not. */
  async function addToCase(caseId: CaseId, outcome: ImportOutcome): Promise<void> {
    const ids = outcome.sources.flatMap((source) => source.sourceId ?? source.duplicateOf ?? []);
    const refs = [...new Set<SourceId>(ids)].map((sourceId) => ({ kind: 'source', sourceId }) as const);
    if (refs.length > 0) await cases['cases.add']({ caseId, refs });
  }

  /** Refuses before anything is copied when the case isn't there. */
  function requireCase(caseId: CaseId | undefined): Promise<unknown> | unknown {
    return caseId === undefined ? undefined : cases['cases.get']({ caseId });
  }

  function start(
    title: string,
    caseId: CaseId | undefined,
    stage: (context: JobContext) => Promise<readonly Staged[]>,
  ) {
    return jobs.start('import', title, async (context) => ({
      kind: 'import',
      outcome: await runJob(caseId, context, () => stage(context)),
    }));
  }

  return {
    importPath: (file, context) => runJob(undefined, context, () => stageAll(cache.folder, [file], context)),
    startFiles(paths, caseId) {
      const names = paths.map((file) => path.basename(file));
      return start(titleOf(names), caseId, async (context) => {
        await requireCase(caseId);
        return stageAll(cache.folder, expandFolders(paths), context);
      });
    },
    handlers: {
      async 'imports.start'({ uploadIds, caseId }) {
        await requireCase(caseId);
        const uploads = uploadIds.map((uploadId) => findUpload(cache.folder, uploadId));
        const title = titleOf(uploads.map((upload) => upload.fileName));
        return { jobId: start(title, caseId, async () => uploads.map((upload) => ({ upload }))) };
      },
      'imports.sample'() {
        const { samplePath } = deps;
        if (samplePath === null) {
          throw new AppError('not_found', 'This copy of Evidence Desk comes without a sample export.', {
            remedy: 'Import an export of your own fleet.',
          });
        }
        const title = path.basename(samplePath);
        return { jobId: start(title, undefined, (context) => stageAll(cache.folder, [samplePath], context)) };
      },
    },
  };
}

/** "export.zip", "export.zip and 2 more files". */
function titleOf(names: readonly string[]): string {
  const first = names[0] ?? 'nothing';
  if (names.length < 2) return first;
  return `${first} and ${names.length - 1} more ${names.length === 2 ? 'file' : 'files'}`;
}

/** Copies and hashes the files one after the other. A file that can't be read fails alone. */
async function stageAll(
  folder: string,
  paths: readonly string[],
  context: JobContext,
): Promise<readonly Staged[]> {
  const total = totalBytes(paths);
  const staged: Staged[] = [];
  let doneBefore = 0;
  const report = (done: number): void => {
    const progress: JobProgress = { stage: 'copying', done, total, unit: 'bytes', points: null };
    context.progress(progress);
  };
  try {
    for (const file of paths) {
      context.signal.throwIfAborted();
      try {
        const upload = await stageFile(folder, file, {
          signal: context.signal,
          onBytes: (bytes: number) => report(doneBefore + bytes),
        });
        doneBefore += upload.sizeBytes;
        staged.push({ upload });
      } catch (thrown) {
        if (!isOfOneFile(thrown)) throw thrown;
        staged.push({ failed: failedSource(path.basename(file), thrown) });
      }
    }
    return staged;
  } catch (thrown) {
    for (const one of staged) if ('upload' in one) discardUpload(folder, one.upload.uploadId);
    throw thrown;
  }
}

/** Null when any size is unknown: a total that is wrong misleads more than none. */
function totalBytes(paths: readonly string[]): number | null {
  try {
    return paths.reduce((sum, file) => sum + statSync(file).size, 0);
  } catch {
    return null;
  }
}

const fileCodes = [
  'file_unreadable',
  'file_vanished',
  'file_changed',
  'file_empty',
  'not_found',
  'invalid_input',
];

function isOfOneFile(thrown: unknown): thrown is AppError {
  return thrown instanceof AppError && fileCodes.includes(thrown.code);
}

function failedSource(fileName: string, thrown: AppError): ImportedSource {
  return {
    sourceId: null,
    fileName,
    sha256: null,
    sizeBytes: null,
    status: 'failed',
    duplicateOf: null,
    error: toErrorData(thrown),
    entries: [],
    trips: 0,
    points: 0,
    fromMs: null,
    toMs: null,
  };
}

function failuresOf(staged: readonly Staged[]): ImportedSource[] {
  return staged.flatMap((one) => ('failed' in one ? [one.failed] : []));
}

/** Puts what the import says of the files it got between what failed before, in the order they were given. */
function inOrder(staged: readonly Staged[], imported: readonly ImportedSource[]): ImportedSource[] {
  const rest = [...imported];
  return staged.flatMap((one) => {
    if ('failed' in one) return [one.failed];
    const next = rest.shift();
    return next ? [next] : [];
  });
}

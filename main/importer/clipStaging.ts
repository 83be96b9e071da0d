import type { ClipFacts } from '../../shared/contract/clips.ts';
import type { EntryReport, ReasonCount } from '../../shared/contract/imports.ts';
import { AppError } from '../../shared/errors.ts';
import { shownName } from './entryName.ts';

/** Reads clips for an import. Whoever starts the import supplies it: readers of video live elsewhere. */
export interface ClipFactsReader {
  /** Throws AppError unsupported_format (no clip), entry_damaged (takes too much to read), canceled, file_*. */
  readFacts(file: {
    readonly path: string;
    readonly fileName: string;
    readonly signal: AbortSignal | undefined;
  }): Promise<ClipFacts>;
}

/** A clip read into memory: its facts (null: it can't be read, and is kept as it is) and its report. */
export interface StagedClip {
  readonly facts: ClipFacts | null;
  readonly entry: EntryReport;
}

/**
 * Reads a staged file as a clip. A damaged clip is kept: it may be all the evidence that there is, and its
 * report says what is wrong. Only what is no clip at all is refused.
 */
export async function stageClip(
  file: { readonly path: string; readonly fileName: string },
  reader: ClipFactsReader | undefined,
  signal: AbortSignal | undefined,
): Promise<StagedClip> {
  if (!reader) {
    throw new AppError(
      'unsupported_format',
      `${shownName(file.fileName)} is a clip, which can't be read here.`,
    );
  }
  try {
    const { path, fileName } = file;
    const facts = await reader.readFacts({ path, fileName, signal });
    return { facts, entry: clipReport(fileName, facts) };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'entry_damaged') throw thrown;
    return {
      facts: null,
      entry: { ...emptyReport(file.fileName), status: 'partial', error: thrown.message },
    };
  }
}

function clipReport(fileName: string, facts: ClipFacts): EntryReport {
  const notes = facts.notes.map((reason): ReasonCount => ({ where: 'clip', reason, count: 1 }));
  const damage = facts.damage.map(({ message }) => message).join(' ');
  return {
    ...emptyReport(fileName),
    status: damage === '' ? 'imported' : 'partial',
    // The file is kept whole, whatever its telemetry holds: nothing of it is left out.
    flagged: [...facts.skipped, ...notes],
    error: damage === '' ? null : damage,
  };
}

function emptyReport(fileName: string): EntryReport {
  return {
    name: shownName(fileName),
    format: 'mp4',
    status: 'imported',
    psns: [],
    trips: 0,
    points: 0,
    rows: 0,
    skipped: [],
    flagged: [],
    error: null,
  };
}

import type { JobProgress } from '../../../shared/contract/jobs.ts';
import type { CloudProblemData } from '../../../shared/cloudProblem.ts';
import type { AppErrorData } from '../../../shared/errors.ts';

/** Where a command puts what it has to say: results on standard output, everything else on standard error. */
export interface Output {
  readonly isJson: boolean;
  /** The stream of results, for commands that write a document piece by piece. */
  readonly stdout: NodeJS.WritableStream;
  /** The result: the document with --json, else its text. Call once. */
  result(document: unknown, text: () => string): void;
  /** A remark for the person at the terminal; not with --quiet. */
  message(text: string): void;
  /** Redraws one line on a terminal; nothing elsewhere and with --quiet. */
  progress(progress: JobProgress): void;
  /** Takes the progress line away. */
  endProgress(): void;
  failure(error: AppErrorData, more?: Readonly<Record<string, unknown>>): void;
}

export interface OutputStreams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

const redrawMs = 100;

/** Makes the output of one run. */
export function createOutput(
  streams: OutputStreams,
  options: { readonly isJson: boolean; readonly isQuiet: boolean },
): Output {
  const { stdout, stderr } = streams;
  const showsProgress = stderr.isTTY === true && !options.isQuiet;
  let drawnAtMs = -Infinity;
  let isDrawn = false;
  const erase = (): void => {
    if (isDrawn) stderr.write('\r\x1b[K');
    isDrawn = false;
  };
  return {
    isJson: options.isJson,
    stdout,
    result(document, text) {
      erase();
      stdout.write(options.isJson ? `${JSON.stringify(document)}\n` : text());
    },
    message(text) {
      if (options.isQuiet) return;
      erase();
      stderr.write(`${text}\n`);
    },
    progress(progress) {
      if (!showsProgress || performance.now() - drawnAtMs < redrawMs) return;
      drawnAtMs = performance.now();
      isDrawn = true;
      stderr.write(`\r\x1b[K${progressText(progress).slice(0, (stderr.columns ?? 80) - 1)}`);
    },
    endProgress: erase,
    failure(error, more = {}) {
      erase();
      stderr.write(
        `${printable(error.message)}${error.remedy === undefined ? '' : ` ${printable(error.remedy)}`}\n`,
      );
      if (options.isJson) stdout.write(`${JSON.stringify({ error: toJsonError(error), ...more })}\n`);
    },
  };
}

/** An error as `--json` prints it. */
export function toJsonError(error: AppErrorData): Readonly<Record<string, unknown>> {
  const problem =
    error.code === 'cloud_problem' ? (error.details?.problem as CloudProblemData | undefined) : undefined;
  if (problem) {
    // The service's own code, request id and extension fields: scripts branch on them.
    return {
      code: problem.sentCode ?? problem.code,
      title: error.message,
      detail: problem.detail === '' ? (error.remedy ?? error.message) : problem.detail,
      status: problem.status,
      requestId: problem.requestId,
      extensions: problem.extensions,
      remedy: error.remedy,
    };
  }
  return {
    code: error.code,
    title: error.message,
    detail: error.remedy === undefined ? error.message : `${error.message} ${error.remedy}`,
    ...(error.details === undefined ? {} : { extensions: error.details }),
  };
}

/** One line about how far a job is. */
export function progressText(progress: JobProgress): string {
  const { stage, done, total, unit, points } = progress;
  const amount = unit === 'bytes' ? megabytes(done) : `${done} ${unit}`;
  const share =
    total === null || total === 0 ? '' : ` (${Math.min(100, Math.floor((done / total) * 100))} %)`;
  return `${stage}: ${amount}${share}${points === null ? '' : `, ${thousands(points)} points`}`;
}

/** 1234567 as 1,234,567. Not by toLocaleString: loading the locale's data costs 12 ms at the end of every import. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * Text from a file made harmless for a terminal: control characters (escape sequences among them) and marks
 * that turn the writing direction are shown as \u escapes.
 */
export function printable(text: string): string {
  return text.replace(
    // eslint-disable-next-line no-control-regex -- control characters are what this is about
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Rows in columns of equal width; numbers to the right. An absent value is a dash. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cells = rows.map((row) => row.map((value) => (value === null ? '-' : printable(String(value)))));
  const widths = head.map((title, c) => Math.max(title.length, ...cells.map((row) => row[c]!.length)));
  const isNumber = head.map((_, c) => rows.some((row) => typeof row[c] === 'number'));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, c) => (isNumber[c] ? cell.padStart(widths[c]!) : cell.padEnd(widths[c]!)))
      .join('  ')
      .trimEnd();
  return `${[head, ...cells].map(line).join('\n')}\n`;
}

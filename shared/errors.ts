/**
 * Every foreseen failure of the product. Anything else is a bug: logged by the host, shown as `internal`.
 * Codes are stable: the command line prints them and front ends branch on them, never on a message.
 */
export const errorCodes = [
  'invalid_input',
  'not_found',
  'already_exists',
  'canceled',
  'internal',
  // files and folders
  'file_unreadable',
  'file_vanished',
  'file_changed',
  'file_empty',
  'unsupported_format',
  'disk_full',
  'no_permission',
  'out_exists',
  // the evidence cache
  'cache_locked',
  'cache_newer',
  'cache_corrupt',
  'blob_missing',
  'blob_changed',
  // archives and readers
  'archive_refused',
  'archive_damaged',
  'archive_encrypted',
  'archive_too_large',
  'nothing_imported',
  'entry_damaged',
  'entry_unsupported',
  'reader_refused',
  // evidence
  'case_empty',
  'seal_key_unavailable',
  'verification_failed',
  // the cloud: `details.problem` is the CloudProblemData
  'cloud_problem',
  'no_account',
  // recalls
  'over_budget',
  'reason_needed',
  // hosts
  'unauthorized',
  'ability_missing',
  'connection_lost',
  'busy',
  'unsupported_runtime',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** What crosses a transport: no stack, no path of the machine beyond what the message must name. */
export interface AppErrorData {
  readonly code: ErrorCode;
  /** One sentence: what happened. */
  readonly message: string;
  /** What to do now; absent when there is nothing to do. */
  readonly remedy?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A foreseen failure. `remedy` says what the user can do; `details` are for machines and the "details" fold. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly remedy: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  constructor(
    code: ErrorCode,
    message: string,
    options: { remedy?: string; details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.remedy = options.remedy;
    this.details = options.details;
  }

  toData(): AppErrorData {
    return {
      code: this.code,
      message: this.message,
      ...(this.remedy === undefined ? {} : { remedy: this.remedy }),
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: AppErrorData };

/** Turns anything thrown into what a front end may see; a bug's own text stays on the host's side. */
export function toErrorData(thrown: unknown): AppErrorData {
  if (thrown instanceof AppError) return thrown.toData();
  return {
    code: 'internal',
    message: 'Something went wrong inside Evidence Desk.',
    remedy:
      'Try again. If it happens again, report it with what the program wrote to its standard error output.',
  };
}

/** Rebuilds the error on the far side of a transport. */
export function fromErrorData(data: AppErrorData): AppError {
  return new AppError(data.code, data.message, {
    ...(data.remedy === undefined ? {} : { remedy: data.remedy }),
    ...(data.details === undefined ? {} : { details: data.details }),
  });
}

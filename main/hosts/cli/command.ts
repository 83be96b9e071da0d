import type { Arguments, OptionKind } from './arguments.ts';
import type { Output } from './output.ts';

/** Exit codes of the command line. */
export const exitCodes = { done: 0, failed: 1, usage: 2, partial: 3, notVerified: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What a running command is given. */
export interface CommandContext {
  readonly args: Arguments;
  readonly output: Output;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
  readonly dataFolder: string;
}

export type RunCommand = (context: CommandContext) => Promise<ExitCode>;

/** A command as the table of commands knows it; its code is loaded only when it runs. */
export interface Command {
  readonly usage: string;
  readonly does: string;
  readonly options: Readonly<Record<string, OptionKind>>;
  /** Lines of help beyond the first. */
  readonly details?: readonly string[];
  load(): Promise<RunCommand>;
}

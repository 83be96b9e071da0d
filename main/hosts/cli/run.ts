import path from 'node:path';
import { AppError, toErrorData } from '../../../shared/errors.ts';
import { parseArguments, UsageError } from './arguments.ts';
import { exitCodes, type ExitCode } from './command.ts';
import { commands, commonOptions, helpText } from './commandTable.ts';
import { createOutput, type OutputStreams } from './output.ts';

export interface CliHost extends OutputStreams {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Calls `handle` when the user presses Ctrl+C; returns the function that stops listening. */
  onInterrupt(handle: () => void): () => void;
}

/** Runs one command line (without the program's own name) and returns its exit code. Never rejects. */
export async function runCli(tokens: readonly string[], host: CliHost): Promise<ExitCode> {
  // Known before the arguments are: a wrong command line with --json is answered in JSON too.
  const plain = tokens.includes('--') ? tokens.slice(0, tokens.indexOf('--')) : tokens;
  const output = createOutput(host, {
    isJson: plain.includes('--json'),
    isQuiet: plain.includes('--quiet'),
  });
  const controller = new AbortController();
  try {
    return await runTokens(tokens, host, output, controller);
  } catch (thrown) {
    if (thrown instanceof UsageError) {
      const usage = 'Run "evidence-desk --help" to see the commands.';
      output.failure({ code: 'invalid_input', message: thrown.message, remedy: usage });
      return exitCodes.usage;
    }
    if (!(thrown instanceof AppError)) host.stderr.write(`${String((thrown as Error)?.stack ?? thrown)}\n`);
    output.failure(toErrorData(thrown));
    return exitCodes.failed;
  }
}

async function runTokens(
  tokens: readonly string[],
  host: CliHost,
  output: ReturnType<typeof createOutput>,
  controller: AbortController,
): Promise<ExitCode> {
  const { name, rest } = splitCommand(tokens);
  if (name === '--version' || name === '-v') {
    const { appVersion } = await import('./appFiles.ts');
    const version = appVersion();
    output.result({ version }, () => `${version}\n`);
    return exitCodes.done;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    const about = rest.find((token) => Object.hasOwn(commands, token));
    host.stdout.write(helpText(about));
    return exitCodes.done;
  }
  if (name === undefined) {
    host.stderr.write(helpText());
    throw new UsageError('No command is given.');
  }
  if (!Object.hasOwn(commands, name)) throw new UsageError(`Unknown command ${JSON.stringify(name)}.`);
  const command = commands[name]!;
  const args = parseArguments(rest, { ...command.options, ...commonOptions });
  if (args.has('--help') || args.has('-h')) {
    host.stdout.write(helpText(name));
    return exitCodes.done;
  }

  const dataFolder = await chooseDataFolder(args.value('--data-dir'), host.environment);
  // Before anything loads the database driver, which an older Node would not survive.
  const { checkRuntime } = await import('../../desk/runtime.ts');
  const unsupported = checkRuntime();
  if (unsupported) throw unsupported;
  const run = await command.load();
  const stop = host.onInterrupt(() => {
    output.message('Stopping; press Ctrl+C again to leave at once.');
    controller.abort(new AppError('canceled', 'Canceled. Nothing was left behind.'));
  });
  try {
    return await run({ args, output, signal: controller.signal, dataFolder });
  } catch (thrown) {
    // Options are checked where they are used; say how the command goes, not only what is wrong.
    if (thrown instanceof UsageError) throw new UsageError(`${thrown.message} Usage: ${command.usage}`);
    throw thrown;
  } finally {
    stop();
    output.endProgress();
  }
}

/** The command is the first word; common options may stand before it. */
function splitCommand(tokens: readonly string[]): { name: string | undefined; rest: string[] } {
  const before: string[] = [];
  let i = 0;
  for (; i < tokens.length; i++) {
    const token = tokens[i]!;
    const option = token.split('=', 1)[0]!;
    if (!Object.hasOwn(commonOptions, option) || option === '--help' || option === '-h') break;
    before.push(token);
    if (option === '--data-dir' && !token.includes('=') && i + 1 < tokens.length) before.push(tokens[++i]!);
  }
  return { name: tokens[i], rest: [...before, ...tokens.slice(i + 1)] };
}

async function chooseDataFolder(
  given: string | undefined,
  environment: CliHost['environment'],
): Promise<string> {
  if (given !== undefined) return path.resolve(given);
  const { defaultDataFolder } = await import('../../desk/folders.ts');
  const os = await import('node:os');
  return defaultDataFolder({ environment, platform: process.platform, homeFolder: os.homedir() });
}

import path from 'node:path';
import { AppError } from '../../../../shared/errors.ts';
import type { BrowserHost } from '../../browser/serve.ts';
import { UsageError } from '../arguments.ts';
import { appFolder, appVersion, samplePath } from '../appFiles.ts';
import { exitCodes, type CommandContext, type RunCommand } from '../command.ts';
import { expectPositionals } from '../values.ts';

/** `serve`: the browser host, until Ctrl+C. Prints its address, which works once, as the only line. */
export const runServeCommand: RunCommand = async (context) => {
  const { args, output, signal } = context;
  expectPositionals(args, []);
  const port = parsePort(args.value('--port'));
  const host = await openHost(context, port);
  output.result({ address: host.address }, () => `${host.address}\n`);
  try {
    const stopped = new Promise<null>((resolve) => {
      if (signal.aborted) resolve(null);
      signal.addEventListener('abort', () => resolve(null), { once: true });
    });
    const crash = await Promise.race([stopped, host.crashed]);
    if (crash !== null) throw crash;
  } finally {
    await host.close();
  }
  return exitCodes.done;
};

/** Opens the host; with --set-aside-damaged, a damaged cache is renamed first and a fresh one begun. */
async function openHost(context: CommandContext, port: number | undefined): Promise<BrowserHost> {
  const { args, output, dataFolder } = context;
  const { serveBrowser } = await import('../../browser/serve.ts');
  const open = (): Promise<BrowserHost> =>
    serveBrowser({
      dataFolder,
      rendererFolder: path.join(appFolder(), 'dist', 'renderer'),
      appVersion: appVersion(),
      samplePath: samplePath(),
      isDemo: args.has('--demo'),
      ...(port === undefined ? {} : { port }),
    });
  try {
    return await open();
  } catch (thrown) {
    const isDamaged = thrown instanceof AppError && thrown.code === 'cache_corrupt';
    if (!isDamaged || !args.has('--set-aside-damaged')) throw thrown;
    const { setAsideCorruptCache } = await import('../../../desk/damagedCache.ts');
    output.message(`The damaged cache is kept as ${setAsideCorruptCache(dataFolder)}; a fresh one is begun.`);
    return open();
  }
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new UsageError('--port is a number from 1 to 65535, or 0 for any free one.');
  return port === 0 ? undefined : port;
}

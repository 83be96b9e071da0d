import path from 'node:path';
import { UsageError } from '../arguments.ts';
import { appFolder, appVersion, samplePath } from '../appFiles.ts';
import { exitCodes, type RunCommand } from '../command.ts';
import { expectPositionals } from '../values.ts';

/** `serve`: the browser host, until Ctrl+C. Prints its address, which works once, as the only line. */
export const runServeCommand: RunCommand = async (context) => {
  const { args, output, signal } = context;
  expectPositionals(args, []);
  const port = parsePort(args.value('--port'));
  const { serveBrowser } = await import('../../browser/serve.ts');
  const host = await serveBrowser({
    dataFolder: context.dataFolder,
    rendererFolder: path.join(appFolder(), 'dist', 'renderer'),
    appVersion: appVersion(),
    samplePath: samplePath(),
    isDemo: args.has('--demo'),
    ...(port === undefined ? {} : { port }),
  });
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

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new UsageError('--port is a number from 1 to 65535.');
  return port;
}

import { runCli } from './run.ts';

// A reader that has seen enough (`track … | head`) is no failure.
process.stdout.on('error', (thrown: NodeJS.ErrnoException) => {
  if (thrown.code === 'EPIPE') process.exit(0);
  throw thrown;
});

process.exitCode = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  onInterrupt(handle) {
    let times = 0;
    const listener = (): void => {
      times++;
      // The first asks for a clean end; whoever asks again does not want to wait for it.
      if (times > 1) process.exit(130);
      handle();
    };
    process.on('SIGINT', listener);
    process.on('SIGTERM', listener);
    return () => {
      process.off('SIGINT', listener);
      process.off('SIGTERM', listener);
    };
  },
});

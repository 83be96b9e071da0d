import { median, runOrFail } from './measure.ts';

/** Milliseconds of whole processes. */
export interface StartupResult {
  /** An empty Node program: the floor. */
  readonly nodeMs: number;
  readonly versionMs: number;
  /** The same through `npm run -s cli --`, with npm's own start. */
  readonly npmVersionMs: number;
  /** `trips --json`: opens the big cache, lists every trip, closes it. */
  readonly listTripsMs: number;
  readonly trips: number;
}

/** Times the command line from nothing, in turns. */
export async function benchStartup(cli: string, dataFolder: string, rounds: number): Promise<StartupResult> {
  const times = { node: [] as number[], version: [] as number[], npm: [] as number[], list: [] as number[] };
  let trips = 0;
  for (let round = 0; round < rounds; round++) {
    times.node.push((await runOrFail(process.execPath, ['-e', '0'])).seconds);
    times.version.push((await runOrFail(process.execPath, [cli, '--version'])).seconds);
    times.npm.push((await runOrFail('npm', ['run', '-s', 'cli', '--', '--version'])).seconds);
    const listed = await runOrFail(process.execPath, [cli, 'trips', '--json', '--data-dir', dataFolder]);
    times.list.push(listed.seconds);
    trips = (JSON.parse(listed.stdout) as { trips: unknown[] }).trips.length; // our own command's document
  }
  const ms = (seconds: readonly number[]): number => median(seconds) * 1000;
  return {
    nodeMs: ms(times.node),
    versionMs: ms(times.version),
    npmVersionMs: ms(times.npm),
    listTripsMs: ms(times.list),
    trips,
  };
}

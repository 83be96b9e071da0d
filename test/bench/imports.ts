import fs from 'node:fs';
import path from 'node:path';
import { checkImport } from './checkImport.ts';
import { formats, type Format, type MadeExport } from './exportFiles.ts';
import { isInstalled, median, runOrFail, runProgram, sizeOf, type Run } from './measure.ts';

/** A way to get the points of an export into a database. */
interface Contestant {
  readonly name: string;
  readonly format: Format;
  readonly program: string;
  /** Arguments for a fresh place to write to. */
  args(made: MadeExport, target: string): string[];
  /** Asks the result how many points it holds. */
  count(target: string, made: MadeExport): Promise<number>;
  sizes(target: string): { databaseBytes: number; blobBytes: number };
}

export interface ImportResult {
  readonly name: string;
  readonly format: Format;
  readonly points: number;
  readonly isProduct: boolean;
  readonly command: string;
  readonly seconds: number;
  readonly pointsPerSecond: number;
  readonly peakBytes: number | null;
  readonly databaseBytes: number;
  readonly blobBytes: number;
}

const asFile = (target: string): { databaseBytes: number; blobBytes: number } => ({
  databaseBytes: sizeOf(target),
  blobBytes: 0,
});

async function countBySql(target: string, sql: string): Promise<number> {
  if (!isInstalled('sqlite3')) return NaN; // only a check of the peer; named as missing elsewhere
  return Number((await runOrFail('sqlite3', [target, sql])).stdout.trim());
}

function peersOf(format: Format): Contestant[] {
  const sqlite: Pick<Contestant, 'format' | 'sizes'> = { format, sizes: asFile };
  const ogr = (name: string, args: (input: string, target: string) => string[], sql: string): Contestant => ({
    ...sqlite,
    name,
    program: 'ogr2ogr',
    args: (made, target) => args(made.files[format], target),
    count: (target) => countBySql(target, sql),
  });
  if (format === 'csv') {
    return [
      ogr(
        'ogr2ogr CSV to SQLite',
        (input, target) => [
          '-f',
          'SQLite',
          target,
          input,
          '-oo',
          'X_POSSIBLE_NAMES=lng',
          '-oo',
          'Y_POSSIBLE_NAMES=lat',
          '-oo',
          'AUTODETECT_TYPE=YES',
        ],
        'SELECT count(*) FROM export',
      ),
      {
        ...sqlite,
        name: 'sqlite3 .import CSV',
        program: 'sqlite3',
        args: (made, target) => [target, '.mode csv', `.import "${made.files.csv}" points`],
        count: (target) => countBySql(target, 'SELECT count(*) FROM points'),
      },
    ];
  }
  if (format === 'gpx') {
    return [
      ogr(
        'ogr2ogr GPX track_points to SQLite',
        (input, target) => ['-f', 'SQLite', target, input, 'track_points'],
        'SELECT count(*) FROM track_points',
      ),
    ];
  }
  return [
    // Lines, one a row: the number of trips is what it can be asked for.
    ogr(
      'ogr2ogr KML lines to SQLite',
      (input, target) => ['-f', 'SQLite', target, input],
      'SELECT count(*) FROM drives',
    ),
  ];
}

function product(format: Format, cli: string): Contestant {
  return {
    name: `Evidence Desk, ${format.toUpperCase()} zip`,
    format,
    program: process.execPath,
    args: (made, target) => [cli, 'import', made.zips[format], '--data-dir', target, '--json', '--quiet'],
    async count(target, made) {
      checkImport(target, made, format);
      return made.points;
    },
    sizes: (target) => {
      const blobBytes = sizeOf(path.join(target, 'blobs'));
      return { databaseBytes: sizeOf(path.join(target, 'cache.sqlite')), blobBytes };
    },
  };
}

/**
 * Times the import of one made export by product and peers, in turns, the product `rounds` and each peer
 * `peerRounds` times (no more than that); each run is a whole
 * process that writes to a fresh place. The product's result is checked against the generator every time.
 */
export async function benchImports(
  made: MadeExport,
  options: {
    readonly cli: string;
    readonly rounds: number;
    readonly peerRounds: number;
    readonly folder: string;
    readonly log: (line: string) => void;
  },
): Promise<{ readonly results: ImportResult[]; readonly missing: string[] }> {
  const results: ImportResult[] = [];
  const missing = new Set<string>();
  for (const format of formats) {
    const contestants = [...peersOf(format), product(format, options.cli)].filter((one) => {
      if (one.program === process.execPath || isInstalled(one.program)) return true;
      missing.add(`${one.program} (${one.name})`);
      return false;
    });
    const runs = new Map<Contestant, { run: Run; databaseBytes: number; blobBytes: number }[]>();
    for (let round = 0; round < options.rounds; round++) {
      for (const one of contestants) {
        if (one.program !== process.execPath && round >= options.peerRounds) continue;
        const target = path.join(options.folder, one.program === process.execPath ? 'data' : 'peer.sqlite');
        fs.rmSync(target, { recursive: true, force: true });
        const run = await runProgram(one.program, one.args(made, target));
        if (run.exitCode !== 0) {
          throw new Error(`${one.name} ended with ${run.exitCode}:\n${run.stderr || run.stdout}`);
        }
        const counted = await one.count(target, made);
        const expected = format === 'kml' && one.program === 'ogr2ogr' ? made.trips : made.points;
        if (!Number.isNaN(counted) && counted !== expected) {
          throw new Error(`${one.name} holds ${counted} rows, not ${expected}`);
        }
        runs.set(one, [...(runs.get(one) ?? []), { run, ...one.sizes(target) }]);
        options.log(`${one.name}, ${made.points} points, round ${round + 1}: ${run.seconds.toFixed(2)} s`);
        fs.rmSync(target, { recursive: true, force: true });
      }
    }
    for (const [one, all] of runs) {
      const seconds = median(all.map(({ run }) => run.seconds));
      const peaks = all.flatMap(({ run }) => run.peakBytes ?? []);
      results.push({
        name: one.name,
        format,
        points: made.points,
        isProduct: one.program === process.execPath,
        command: [path.basename(one.program), ...one.args(made, 'OUT')].map(shortened).join(' '),
        seconds,
        pointsPerSecond: made.points / seconds,
        peakBytes: peaks.length === 0 ? null : Math.max(...peaks),
        databaseBytes: median(all.map((r) => r.databaseBytes)),
        blobBytes: median(all.map((r) => r.blobBytes)),
      });
    }
  }
  return { results, missing: [...missing] };
}

/** File names without this machine's folders. */
function shortened(argument: string): string {
  const plain = argument.replace(/(["' ]|^)\/\S*\/(dist\/main\/)?/g, '$1$2');
  return plain.includes(' ') ? `'${plain}'` : plain;
}

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeExport } from './exportFiles.ts';
import { benchImports, type ImportResult } from './imports.ts';
import { isInstalled, runOrFail, runProgram } from './measure.ts';
import { benchQueries, type QueryResult } from './queries.ts';
import { targetTable, toMarkdown, type BenchResult } from './report.ts';
import { benchLargeClip, benchReviewDay, type DayResult, type LargeClipResult } from './review.ts';
import { benchScrub, type ScrubResult } from './scrub.ts';
import { benchSealing, type SealResult } from './sealing.ts';
import { makeStoredZip } from './storedZip.ts';
import { benchStartup, type StartupResult } from './startup.ts';
import { benchWindow, type WindowResult } from './window.ts';

export interface BenchOptions {
  /** Points of the exports, smallest first. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly parts: readonly string[];
  /** The built command line. */
  readonly cli: string;
  readonly chromiumPath: string | null;
  readonly hasWindow: boolean;
  readonly machine: string;
  readonly command: string;
  /** Where the report goes; null prints it only. */
  readonly reportFile: string | null;
}

export const benchParts = ['imports', 'queries', 'startup', 'sealing', 'window', 'review'] as const;

const log = (line: string): void => console.error(`  ${line}`);

async function versionsOf(): Promise<{ versions: string[]; missing: string[] }> {
  const versions: string[] = [];
  const missing: string[] = [];
  const peers = [
    ['ogr2ogr', ['--version'], 'gdal-bin'],
    ['sqlite3', ['--version'], 'sqlite3'],
    ['openssl', ['version'], 'openssl'],
    ['unzip', ['-v'], 'unzip'],
    ['ffmpeg', ['-version'], 'ffmpeg'],
  ] as const;
  for (const [program, args, debianPackage] of peers) {
    if (!isInstalled(program)) {
      missing.push(`${program} (Debian ${debianPackage})`);
      continue;
    }
    const line = (await runProgram(program, args)).stdout.split('\n')[0]!.trim();
    const version = /\d+(\.\d+)+/.exec(line)?.[0] ?? 'of unknown version';
    versions.push(`${program} ${version}`);
  }
  return { versions, missing };
}

/** Runs the asked parts, writes the report, and returns it. Everything is made in a temporary folder of its own. */
export async function runBench(options: BenchOptions): Promise<BenchResult> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'evidence-desk-bench-'));
  const has = (part: (typeof benchParts)[number]): boolean => options.parts.includes(part);
  const { cli, rounds } = options;
  const { versions, missing } = await versionsOf();
  const imports: ImportResult[] = [];
  const seals: SealResult[] = [];
  let queries: QueryResult | null = null;
  let startup: StartupResult | null = null;
  let window: WindowResult | null = null;
  let largeClip: LargeClipResult | null = null;
  let reviewDay: DayResult | null = null;
  let scrub: ScrubResult | null = null;
  try {
    const importInto = async (zip: string, dataFolder: string): Promise<void> => {
      await runOrFail(process.execPath, [cli, 'import', zip, '--data-dir', dataFolder, '--quiet']);
    };
    if (has('imports')) {
      for (const points of options.sizes) {
        const place = path.join(folder, `export-${points}`);
        log(`making ${points} points as CSV, GPX and KML`);
        const made = await makeExport(place, { points });
        // Minutes of peers tell nothing new at a larger size: there it is about the product's memory.
        const isFirst = points === options.sizes[0];
        const turns = isFirst
          ? { rounds, peerRounds: rounds }
          : { rounds: Math.min(rounds, 2), peerRounds: 1 };
        imports.push(...(await benchImports(made, { cli, ...turns, folder, log })).results);
        fs.rmSync(place, { recursive: true, force: true });
      }
    }

    const points = options.sizes[0]!;
    const made = await makeExport(path.join(folder, 'export'), { points }, ['csv']);
    // Trips of a minute and a half: ten thousand in a million points.
    const many = await makeExport(path.join(folder, 'many'), { points, tripPoints: 100 }, ['csv']);
    const manyFolder = path.join(folder, 'data-many');
    if (has('queries')) {
      log('questions of the window');
      const dataFolder = path.join(folder, 'data-queries');
      await importInto(made.zips.csv, dataFolder);
      queries = await benchQueries(dataFolder, rounds);
    }
    if (has('startup') || has('window')) await importInto(many.zips.csv, manyFolder);
    if (has('startup')) {
      log('start of the command line');
      startup = await benchStartup(cli, manyFolder, Math.max(rounds, 5));
    }
    if (has('sealing')) {
      log('sealing');
      const stored = await makeStoredZip(folder, made.files.csv, 5);
      for (const [kind, original] of [
        ['originals', stored],
        ['whole', made.zips.csv],
      ] as const) {
        const dataFolder = path.join(folder, `data-${kind}`);
        await importInto(original, dataFolder);
        seals.push(await benchSealing({ cli, dataFolder, original, folder, rounds, kind }));
      }
    }
    if (has('window') && options.hasWindow && options.chromiumPath !== null) {
      log('the window in Chromium');
      window = await benchWindow({
        cli,
        chromiumPath: options.chromiumPath,
        bigFolder: manyFolder,
        bigTrips: many.trips,
        zip: made.zips.csv,
        zipPoints: made.points,
        freshFolder: path.join(folder, 'data-fresh'),
        rounds,
      });
    }
    if (has('review')) {
      log('telemetry of a large clip');
      largeClip = await benchLargeClip(folder, rounds);
      if (options.hasWindow && options.chromiumPath !== null) {
        log('a day of telemetry in the window');
        reviewDay = await benchReviewDay({ cli, chromiumPath: options.chromiumPath, folder });
        log('scrubbing two 1080p clips');
        scrub = await benchScrub({ cli, chromiumPath: options.chromiumPath, folder });
      }
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }

  const result: BenchResult = {
    machine: options.machine,
    date: new Date().toISOString().slice(0, 10),
    command: options.command,
    rounds,
    versions,
    missing,
    imports,
    queries,
    startup,
    seals,
    largeClip,
    window,
    reviewDay,
    scrub,
    windowNote:
      options.chromiumPath === null
        ? 'Not measured: no Chromium is installed here.'
        : 'Not measured in this run.',
  };
  console.log(`\n${targetTable(result)}\n`);
  if (missing.length > 0) console.log(`Peers that are not installed: ${missing.join(', ')}\n`);
  if (options.reportFile !== null) {
    fs.mkdirSync(path.dirname(options.reportFile), { recursive: true });
    fs.writeFileSync(options.reportFile, toMarkdown(result));
  }
  return result;
}

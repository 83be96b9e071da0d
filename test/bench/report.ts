import type { ImportResult } from './imports.ts';
import type { QueryResult } from './queries.ts';
import type { DayResult, LargeClipResult } from './review.ts';
import type { ScrubResult } from './scrub.ts';
import type { SealResult } from './sealing.ts';
import type { StartupResult } from './startup.ts';
import type { WindowResult } from './window.ts';

/** All that one run of the bench found out. Parts that were left out are null, and the report says so. */
export interface BenchResult {
  readonly machine: string;
  readonly date: string;
  readonly command: string;
  readonly rounds: number;
  readonly versions: readonly string[];
  readonly missing: readonly string[];
  readonly imports: readonly ImportResult[];
  readonly queries: QueryResult | null;
  readonly startup: StartupResult | null;
  readonly seals: readonly SealResult[];
  readonly largeClip: LargeClipResult | null;
  readonly window: WindowResult | null;
  readonly reviewDay: DayResult | null;
  /** Null too where ffmpeg is not installed. */
  readonly scrub: ScrubResult | null;
  readonly windowNote: string;
}

/** A measured figure beside its bar (must) and its goal (wanted). */
interface Target {
  readonly what: string;
  readonly measured: number | null;
  readonly bar: number;
  readonly goal: number;
  readonly unit: string;
  readonly isMoreBetter: boolean;
}

const million = 1_000_000;

function figure(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)}${unit === 'x' ? 'x' : ` ${unit}`}`;
}

function megabytes(bytes: number | null): string {
  return bytes === null ? 'not measured' : `${(bytes / million).toFixed(1)} MB`;
}

function sizesOf(result: BenchResult): number[] {
  return [...new Set(result.imports.map((one) => one.points))].sort((a, b) => a - b);
}

/** The bars and goals of the product, with what was measured in this run. */
export function targetsOf(result: BenchResult): Target[] {
  const targets: Target[] = [];
  const sizes = sizesOf(result);
  const first = sizes[0];
  const last = sizes.at(-1);
  const productOf = (format: string, points: number | undefined): ImportResult | undefined =>
    result.imports.find((one) => one.isProduct && one.format === format && one.points === points);
  const bars = [
    ['csv', 'ogr2ogr', 6, 8],
    ['csv', 'sqlite3', 3, 4],
    ['gpx', 'ogr2ogr', 12, 20],
    ['kml', 'ogr2ogr', 1, 2],
  ] as const;
  for (const points of sizes) {
    for (const [format, program, bar, goal] of bars) {
      const ours = productOf(format, points);
      const peer = result.imports.find(
        (one) =>
          !one.isProduct && one.format === format && one.points === points && one.name.startsWith(program),
      );
      if (!ours || !peer) continue;
      targets.push({
        what: `${format.toUpperCase()} zip, ${points.toLocaleString('en-US')} points, against ${peer.name}`,
        measured: ours.pointsPerSecond / peer.pointsPerSecond,
        bar,
        goal,
        unit: 'x',
        isMoreBetter: true,
      });
    }
  }
  for (const format of ['csv', 'gpx', 'kml']) {
    const small = productOf(format, first);
    const large = productOf(format, last);
    if (!small || !large) continue;
    const add = (what: string, measured: number | null, bar: number, goal: number, unit: string): void => {
      targets.push({ what, measured, bar, goal, unit, isMoreBetter: false });
    };
    const name = format.toUpperCase();
    add(
      `peak memory, ${name}, largest size`,
      large.peakBytes === null ? null : large.peakBytes / million,
      300,
      200,
      'MB',
    );
    if (small !== large && small.peakBytes !== null && large.peakBytes !== null) {
      add(
        `more memory for ${large.points / small.points} times the points, ${name}`,
        (large.peakBytes / small.peakBytes - 1) * 100,
        20,
        10,
        '%',
      );
    }
    add(`cache per million points, ${name}`, (large.databaseBytes / large.points) * 1, 25, 15, 'MB');
  }
  for (const seal of result.seals) {
    targets.push({
      what: `sealing ${seal.what}, against cp + openssl dgst -sha256`,
      measured: seal.peerSeconds === null ? null : seal.peerSeconds / seal.sealSeconds,
      bar: 0.6,
      goal: 0.9,
      unit: 'x',
      isMoreBetter: true,
    });
  }
  if (result.window) {
    const w = result.window;
    const add = (what: string, measured: number, bar: number, goal: number): void => {
      targets.push({ what, measured, bar, goal, unit: 'ms', isMoreBetter: false });
    };
    add(
      `first useful screen, ${w.firstScreenTrips.toLocaleString('en-US')} trips in the cache`,
      w.firstScreenMs,
      1500,
      700,
    );
    add('map with every trip selected, time of a frame, median', w.frameMedianMs, 33, 16.7);
    add('longest block of the window during an import', w.longestBlockMs, 50, 16);
  }
  const review = (what: string, measured: number, bar: number, goal: number): void => {
    targets.push({ what, measured, bar, goal, unit: 'ms', isMoreBetter: false });
  };
  if (result.largeClip) review('telemetry of a clip of 1 GB', result.largeClip.firstMs, 1000, 300);
  if (result.scrub)
    review('scrubbing two 1080p clips, movement to pictures, median', result.scrub.medianMs, 150, 100);
  if (result.reviewDay) {
    // Frames come in whole turns of the screen: what is measured beyond a tenth of a millisecond is the clock's.
    const frameMs = Math.round(result.reviewDay.frameMedianMs * 10) / 10;
    review('a day of telemetry zoomed and moved, time of a frame, median', frameMs, 16.7, 16.7);
  }
  return targets;
}

function verdict(target: Target): string {
  if (target.measured === null || Number.isNaN(target.measured)) return 'not measured';
  const reaches = (limit: number): boolean =>
    target.isMoreBetter ? target.measured! >= limit : target.measured! <= limit;
  return reaches(target.goal) ? 'goal' : reaches(target.bar) ? 'bar' : 'MISSED';
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, c) => Math.max(title.length, 3, ...rows.map((row) => row[c]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, c) => cell.padEnd(widths[c]!)).join(' | ')} |`;
  return [line(head), `| ${widths.map((w) => '-'.repeat(w)).join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** The table of ratios. */
export function targetTable(result: BenchResult): string {
  return markdownTable(
    ['what', 'measured', 'bar', 'goal', 'reached'],
    targetsOf(result).map((target) => [
      target.what,
      target.measured === null ? 'not measured' : figure(target.measured, target.unit),
      figure(target.bar, target.unit),
      figure(target.goal, target.unit),
      verdict(target),
    ]),
  );
}

/** Review: clips, their telemetry, and charts. */
function reviewParts({ largeClip, reviewDay, scrub }: BenchResult): string[] {
  if (!largeClip && !reviewDay && !scrub) return [];
  const parts = ['## Review'];
  if (largeClip) {
    const { sizeBytes, bytesRead, positions, gSamples, firstMs, medianMs } = largeClip;
    parts.push(
      `A clip of ${megabytes(sizeBytes)} with ${positions.toLocaleString('en-US')} positions and ${gSamples.toLocaleString('en-US')} G samples, its media data a hole in the file; all samples are counted after each reading.`,
      markdownTable(
        ['telemetry of a large clip', 'value'],
        [
          ['first reading, with the start of the thread', `${firstMs.toFixed(0)} ms`],
          ['later readings, median', `${medianMs.toFixed(1)} ms`],
          ['bytes read of the file', bytesRead.toLocaleString('en-US')],
        ],
      ),
    );
  }
  if (reviewDay) {
    const { clips, positions, gSamples, firstDrawnMs, allDrawnMs, frames, frameMedianMs, frame95Ms } =
      reviewDay;
    parts.push(
      `A day without a break in the built window (as above): ${clips.toLocaleString('en-US')} clips, ${positions.toLocaleString('en-US')} positions, ${gSamples.toLocaleString('en-US')} G samples, read from the originals; then zoomed between a day and a minute and moved.`,
      markdownTable(
        ['a day of telemetry', 'ms'],
        [
          ['opening the scene to the first chart', firstDrawnMs.toFixed(0)],
          ['opening the scene to all of its telemetry, first time', allDrawnMs.toFixed(0)],
          [`frame while zooming and moving, median of ${frames}`, frameMedianMs.toFixed(1)],
          ['the same, 95th percentile', frame95Ms.toFixed(1)],
        ],
      ),
    );
  }
  if (scrub) {
    parts.push(
      `Two clips of ${scrub.frameSize} at 30 frames and ${scrub.megabitsPerSecond.toFixed(1)} Mbit/s side by side, a key frame each second, decoded without a GPU: the chart is dragged through twenty seconds of them in three, and clicked here and there. An answer is when both pictures are within a frame of what was asked for, or in the drag beyond it.`,
      markdownTable(
        ['scrubbing two 1080p clips', 'ms'],
        [
          [`movement of the pointer to both pictures, median of ${scrub.moves}`, scrub.medianMs.toFixed(0)],
          ['the same, 95th percentile', scrub.ms95.toFixed(0)],
          [`click elsewhere to both pictures, median of ${scrub.jumps}`, scrub.jumpMedianMs.toFixed(0)],
        ],
      ),
    );
  } else if (reviewDay)
    parts.push('Scrubbing was not measured: ffmpeg, which draws its clips, is not installed.');
  return parts;
}

/** docs/performance.md. */
export function toMarkdown(result: BenchResult): string {
  const imports = markdownTable(
    ['import', 'points', 'seconds', 'points/s', 'peak memory', 'database', 'original kept'],
    result.imports.map((one) => [
      one.name,
      one.points.toLocaleString('en-US'),
      one.seconds.toFixed(2),
      Math.round(one.pointsPerSecond).toLocaleString('en-US'),
      megabytes(one.peakBytes),
      megabytes(one.databaseBytes),
      one.blobBytes === 0 ? '-' : megabytes(one.blobBytes),
    ]),
  );
  const commands = [...new Set(result.imports.map((one) => one.command))]
    .map((one) => `    ${one}`)
    .join('\n');
  const parts = [
    '# Performance',
    '<!-- Written by `npm run bench`; do not edit. -->',
    `Measured on ${result.date} on ${result.machine} with \`${result.command}\` (${result.versions.join(', ')}). ` +
      `Product and peers ran in turns, ${result.rounds === 1 ? 'once' : `${result.rounds} times`} each${sizesOf(result).length > 1 ? ' at the smallest size, peers once beyond' : ''}; times are medians of whole processes, peak memory is the highest. ` +
      'Absolute times do not travel between machines; ratios of one run do.',
    result.missing.length === 0
      ? ''
      : `Peers that are not installed here and so were not measured: ${result.missing.join(', ')}.`,
    '## Against bars and goals',
    targetTable(result),
    '## Imports',
    'The product reads the zip, copies it into the cache, hashes it, checks every row, packs the points, keeps the report and commits ' +
      'with `synchronous=FULL`. The peers read the bare, unzipped file and write a table (for KML: one line a trip) without any of that. ' +
      "After every run of the product the number of trips and points and a checksum over all times, coordinates, headings and speeds, to the digit, are compared with the generator's.",
    imports,
    'Commands (OUT is a fresh place):',
    commands,
  ];
  if (result.queries) {
    const q = result.queries;
    parts.push(
      '## Questions of the window',
      `Asked of the core in one process, with ${q.points.toLocaleString('en-US')} points in ${q.trips.toLocaleString('en-US')} trips; medians.`,
      markdownTable(
        ['question', 'ms'],
        [
          ['open the cache', q.openMs.toFixed(0)],
          ['list every trip', q.listMs.toFixed(1)],
          ['who passed here (circle of 50 m), median of 20 places', q.nearMedianMs.toFixed(1)],
          ['who passed here, slowest of them', q.nearLongestMs.toFixed(1)],
          [
            `lines of every trip at level ${q.fitLevel} (${q.lineVertices.toLocaleString('en-US')} vertices), first time`,
            q.linesFirstMs.toFixed(0),
          ],
          ['the same, kept', q.linesCachedMs.toFixed(0)],
          ['speed and heading of every trip over time, 2,000 steps', q.seriesMs.toFixed(0)],
        ],
      ),
    );
  }
  if (result.startup) {
    const s = result.startup;
    parts.push(
      '## Start of the command line',
      markdownTable(
        ['process', 'ms'],
        [
          ['`node -e 0`, the floor', s.nodeMs.toFixed(0)],
          ['`node dist/main/cli.js --version`', s.versionMs.toFixed(0)],
          ['`npm run -s cli -- --version`', s.npmVersionMs.toFixed(0)],
          [`\`trips --json\` with ${s.trips.toLocaleString('en-US')} trips`, s.listTripsMs.toFixed(0)],
        ],
      ),
    );
  }
  if (result.seals.length > 0) {
    parts.push(
      '## Sealing',
      'A package is written, read back and verified from disk, and synced; the peer copies the same bytes with `cp` and hashes the copy with `openssl dgst -sha256`, without a sync.',
      markdownTable(
        ['sealed', 'bytes', 'files', 'package', 'seconds', 'cp + openssl', 'peak memory'],
        result.seals.map((one) => [
          one.what,
          megabytes(one.bytes),
          one.files.toLocaleString('en-US'),
          megabytes(one.packageBytes),
          one.sealSeconds.toFixed(2),
          one.peerSeconds === null ? 'missing' : one.peerSeconds.toFixed(2),
          megabytes(one.peakBytes),
        ]),
      ),
    );
  }
  parts.push('## The window');
  if (result.window) {
    const w = result.window;
    parts.push(
      'The built window in Chromium (no GPU, 1280x800) over the browser host, the browser already running.',
      markdownTable(
        ['what', 'ms'],
        [
          [
            `start of the host to the first row of the table, ${w.firstScreenTrips.toLocaleString('en-US')} trips`,
            w.firstScreenMs.toFixed(0),
          ],
          [
            `frame while dragging and zooming the map with every trip, median of ${w.frames}`,
            w.frameMedianMs.toFixed(1),
          ],
          ['the same, 95th percentile', w.frame95Ms.toFixed(1)],
          [
            `longest block of the main thread while ${w.importPoints.toLocaleString('en-US')} points were imported`,
            w.longestBlockMs.toFixed(0),
          ],
        ],
      ),
    );
  } else parts.push(result.windowNote);
  parts.push(...reviewParts(result));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

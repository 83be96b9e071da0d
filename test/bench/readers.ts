/**
 * How fast the readers alone are: `node test/bench/readers.ts [points] [rounds]`. Makes an export in memory, once
 * as CSV, GPX and KML, reads each in pieces of 64 KiB into a sink that packs real chunks, and prints the medians.
 * The `general` rows are the same files with the quick paths switched off.
 */
import { PointColumns, chunkPoints, encodeChunk } from '../../main/cache/trackCodec.ts';
import { createCsvReader } from '../../main/importer/csvReader.ts';
import { createGpxReader } from '../../main/importer/gpxReader.ts';
import { createKmlReader } from '../../main/importer/kmlReader.ts';
import type { TrackBuilder, TrackReader, TrackSink } from '../../main/importer/reader.ts';
import { makeExport } from '../importer/corpus/exportFiles.ts';

const pieceBytes = 64 << 10;
const wantedPoints = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 5);

/** Packs and counts; the tracks of an export come one after the other, so one set of columns serves all. */
class CountingSink implements TrackSink {
  points = 0;
  bytes = 0;
  tracks = 0;
  private readonly columns = new PointColumns(chunkPoints);

  beginTrack(): TrackBuilder {
    this.filled();
    this.tracks++;
    return { columns: this.columns, filled: () => this.filled() };
  }

  amendTrack(): void {}

  filled(): void {
    if (this.columns.count === 0) return;
    this.points += this.columns.count;
    this.bytes += encodeChunk(this.columns).length;
    this.columns.clear();
  }
}

type Create = (
  sink: TrackSink,
  context: { psn: null; cameraName: null },
  options: { isQuick: boolean },
) => TrackReader;
const formats: readonly [string, Create][] = [
  ['csv', createCsvReader],
  ['gpx', createGpxReader],
  ['kml', createKmlReader],
];

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const files = makeExport({ points: wantedPoints, cameras: 10, pointsPerTrip: 600, seed: 7 });
console.log(
  `${wantedPoints} points, pieces of ${pieceBytes >> 10} KiB, median of ${rounds}, Node ${process.version}`,
);
for (const [format, create] of formats) {
  const data = files[format as keyof typeof files];
  for (const isQuick of [true, false]) {
    const wall: number[] = [];
    const cpu: number[] = [];
    let line = '';
    for (let round = 0; round < rounds; round++) {
      const sink = new CountingSink();
      const startedCpu = process.cpuUsage().user;
      const started = performance.now();
      const reader = create(sink, { psn: null, cameraName: null }, { isQuick });
      for (let at = 0; at < data.length; at += pieceBytes) reader.push(data.subarray(at, at + pieceBytes));
      reader.end();
      sink.filled();
      wall.push(sink.points / (performance.now() - started) / 1000);
      cpu.push(sink.points / (process.cpuUsage().user - startedCpu));
      if (sink.points !== wantedPoints || reader.report.rows !== wantedPoints) {
        throw new Error(`${format}: ${sink.points} of ${wantedPoints} points`);
      }
      line = `${(data.length / 1e6).toFixed(0)} MB in, ${(sink.bytes / 1e6).toFixed(1)} MB packed, ${sink.tracks} trips`;
    }
    const rate = `${median(wall).toFixed(2)} M points/s (best ${Math.max(...wall).toFixed(2)})`;
    const perCpu = `${median(cpu).toFixed(2)} M per CPU second`;
    console.log(`${format} ${isQuick ? 'quick  ' : 'general'} ${rate}, ${perCpu}; ${line}`);
  }
}

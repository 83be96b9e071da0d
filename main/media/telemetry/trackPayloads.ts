import type { ClipBytes } from './byteSource.ts';
import type { Track } from './movie.ts';

/** One sample of a telemetry track with its place on the clip's time. */
export interface Payload {
  readonly bytes: Buffer;
  readonly startMs: number;
  readonly lengthMs: number;
  /** For messages, from 1. */
  readonly number: number;
}

const mostSamples = 2_000_000;
const longestSampleBytes = 1024 * 1024;
const longestRunBytes = 4 * 1024 * 1024;

/** The samples of a telemetry track. What lies between them, the pictures, is not read. */
export function* payloadsOf(bytes: ClipBytes, track: Track): Generator<Payload> {
  const { timescale, table } = track;
  if (timescale === 0) return;
  let number = 0;
  for (const run of table.runs(mostSamples)) {
    let from = 0;
    let runOffset = run.offset;
    while (from < run.sizesBytes.length) {
      // As many neighbours as fit into one read.
      let to = from;
      let length = 0;
      while (to < run.sizesBytes.length && (to === from || length + run.sizesBytes[to]! <= longestRunBytes))
        length += run.sizesBytes[to++]!;
      const isReadable = length <= longestRunBytes;
      const together = isReadable ? bytes.read(runOffset, length) : Buffer.alloc(0);
      let at = 0;
      for (let i = from; i < to; i++) {
        const size = run.sizesBytes[i]!;
        number++;
        const sample = together.subarray(at, at + size);
        at += size;
        if (size === 0 || size > longestSampleBytes || sample.length < size) continue;
        yield {
          bytes: sample,
          startMs: (run.startTicks[i]! * 1000) / timescale,
          lengthMs: (run.ticks[i]! * 1000) / timescale,
          number,
        };
      }
      runOffset += length;
      from = to;
    }
  }
}

import type { SampleRun, SampleTable } from '../telemetry/sampleTable.ts';

/** More than 18 hours of pictures at 30 a second. */
const mostFrames = 2_000_000;

/**
 * Samples of a track in the order of decoding, as columns: nearly a million of them in 8 hours. Times are ticks of
 * the track; `shownTicks` is when a sample is shown, before any edit list.
 */
export interface Samples {
  readonly count: number;
  readonly offset: Float64Array;
  readonly sizeBytes: Uint32Array;
  readonly startTicks: Float64Array;
  readonly ticks: Uint32Array;
  readonly shownTicks: Float64Array;
  readonly isKey: Uint8Array;
  /** Which of the track's sample entries describes it, from 1. */
  readonly description: Uint32Array;
}

/** The samples that the tables name completely: place, size and time. Nothing is allocated by a stated count alone. */
export function samplesOf(table: SampleTable): Samples {
  const shown = table.shownTicks(mostFrames);
  const marks = table.keyMarks(shown.length);
  const columns = new Columns(shown.length);
  for (const run of table.runs(shown.length)) columns.addRun(run, () => true);
  const { count } = columns;
  return { ...columns.done(), shownTicks: shown.subarray(0, count), isKey: marks.subarray(0, count) };
}

/** Uncompressed sound has a sample for each of its 48,000 values a second. */
const mostSoundSamples = 100_000_000;
const mostKeptSoundSamples = 4_000_000;

/**
 * Samples of sound that are heard in [fromTicks, toTicks), and one before them, which a decoder needs to begin
 * cleanly. Null where there are none, or too many to be kept in memory.
 */
export function soundBetween(table: SampleTable, fromTicks: number, toTicks: number): Samples | null {
  let first = -1;
  let last = -1;
  let index = 0;
  for (const run of table.runs(mostSoundSamples)) {
    for (let i = 0; i < run.startTicks.length; i++, index++) {
      const start = run.startTicks[i]!;
      if (start >= toTicks) break;
      if (start + run.ticks[i]! <= fromTicks) continue;
      if (first < 0) first = Math.max(0, index - 1);
      last = index;
    }
  }
  const count = last - first + 1;
  if (first < 0 || count > mostKeptSoundSamples) return null;
  const columns = new Columns(count);
  index = 0;
  for (const run of table.runs(last + 1)) columns.addRun(run, () => index++ >= first);
  const kept = columns.done();
  return { ...kept, shownTicks: kept.startTicks, isKey: new Uint8Array(kept.count).fill(1) };
}

class Columns {
  count = 0;
  private readonly offset: Float64Array;
  private readonly sizeBytes: Uint32Array;
  private readonly startTicks: Float64Array;
  private readonly ticks: Uint32Array;
  private readonly description: Uint32Array;

  constructor(room: number) {
    this.offset = new Float64Array(room);
    this.sizeBytes = new Uint32Array(room);
    this.startTicks = new Float64Array(room);
    this.ticks = new Uint32Array(room);
    this.description = new Uint32Array(room);
  }
  addRun(run: SampleRun, isKept: () => boolean): void {
    let at = run.offset;
    for (let i = 0; i < run.sizesBytes.length; i++) {
      const size = run.sizesBytes[i]!;
      if (isKept() && this.count < this.offset.length) {
        this.offset[this.count] = at;
        this.sizeBytes[this.count] = size;
        this.startTicks[this.count] = run.startTicks[i]!;
        this.ticks[this.count] = run.ticks[i]!;
        this.description[this.count] = run.description;
        this.count++;
      }
      at += size;
    }
  }
  done(): Omit<Samples, 'shownTicks' | 'isKey'> {
    const { count } = this;
    return {
      count,
      offset: this.offset.subarray(0, count),
      sizeBytes: this.sizeBytes.subarray(0, count),
      startTicks: this.startTicks.subarray(0, count),
      ticks: this.ticks.subarray(0, count),
      description: this.description.subarray(0, count),
    };
  }
}

/** A part of samples, without copying them. */
export function sliceOf(samples: Samples, first: number, count: number): Samples {
  const end = first + count;
  return {
    count,
    offset: samples.offset.subarray(first, end),
    sizeBytes: samples.sizeBytes.subarray(first, end),
    startTicks: samples.startTicks.subarray(first, end),
    ticks: samples.ticks.subarray(first, end),
    shownTicks: samples.shownTicks.subarray(first, end),
    isKey: samples.isKey.subarray(first, end),
    description: samples.description.subarray(first, end),
  };
}

export function bytesOf(samples: Samples): number {
  return samples.sizeBytes.reduce((sum, size) => sum + size, 0);
}

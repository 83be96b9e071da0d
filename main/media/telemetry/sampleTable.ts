import { findChild } from './boxes.ts';

/** Where the samples of a run lie: they follow one another from `offset` on. */
export interface SampleRun {
  readonly offset: number;
  /** Which of the track's sample entries describes them, from 1. */
  readonly description: number;
  readonly sizesBytes: readonly number[];
  /** Start and length of each sample in the track's ticks. */
  readonly startTicks: readonly number[];
  readonly ticks: readonly number[];
}

/**
 * The sample table of a track (`stbl`), read in place: counts are as the file states them and are never
 * trusted for allocating or for loops; only entries that are really there count.
 */
export class SampleTable {
  readonly samples: number;
  readonly durationTicks: number;
  /** Shortest and longest frame of the track, the last one aside (encoders end on a whim). */
  readonly shortestTicks: number;
  readonly longestTicks: number;
  /** Null: every sample is a sync sample. */
  readonly keySamples: number | null;
  /** Counts in the tables contradict each other or what is there. */
  readonly isInconsistent: boolean;
  private readonly shifts: Entries;
  private readonly keys: Entries | null;
  private readonly sizes: Entries;
  private readonly uniformBytes: number;
  private readonly times: Entries;
  private readonly chunkRuns: Entries;
  private readonly offsets: Entries;

  constructor(stbl: Buffer) {
    const stsz = findChild(stbl, 'stsz');
    const isStated = stsz !== null && stsz.length >= 12;
    this.uniformBytes = isStated ? stsz.readUInt32BE(4) : 0;
    const stated = isStated ? stsz.readUInt32BE(8) : 0;
    this.sizes = new Entries(stsz, 12, 4, stated);
    this.samples = this.uniformBytes > 0 ? stated : this.sizes.count;
    this.times = Entries.of(findChild(stbl, 'stts'), 8);
    this.chunkRuns = Entries.of(findChild(stbl, 'stsc'), 12);
    const co64 = findChild(stbl, 'co64');
    this.offsets = co64 ? Entries.of(co64, 8) : Entries.of(findChild(stbl, 'stco'), 4);
    const stss = findChild(stbl, 'stss');
    this.keys = stss && Entries.of(stss, 4);
    this.keySamples = this.keys && Math.min(this.keys.count, this.samples);
    this.shifts = Entries.of(findChild(stbl, 'ctts'), 8);

    let timed = 0;
    let ticks = 0;
    let shortest = Infinity;
    let longest = 0;
    for (let i = 0; i < this.times.count; i++) {
      const count = this.times.u32(i, 0);
      const delta = this.times.u32(i, 4);
      timed += count;
      ticks += count * delta;
      const isLastFrame = i === this.times.count - 1 && count === 1 && i > 0;
      if (count === 0 || isLastFrame) continue;
      shortest = Math.min(shortest, delta);
      longest = Math.max(longest, delta);
    }
    this.durationTicks = ticks;
    this.shortestTicks = Number.isFinite(shortest) ? shortest : 0;
    this.longestTicks = longest;
    this.isInconsistent =
      timed !== this.samples ||
      (this.samples > 0 && (this.offsets.count === 0 || this.chunkRuns.count === 0)) ||
      this.sizes.isShort(this.uniformBytes > 0) ||
      [this.times, this.chunkRuns, this.offsets].some((one) => one.isShort(false));
  }

  /** The furthest place at which a chunk starts; 0 without chunks. */
  get lastChunkOffset(): number {
    let last = 0;
    for (let i = 0; i < this.offsets.count; i++) last = Math.max(last, this.offsetOf(i));
    return last;
  }

  /** Places and times of at most `most` samples, chunk by chunk. */
  *runs(most: number): Generator<SampleRun> {
    let sample = 0;
    let timeEntry = 0;
    let leftInEntry = this.times.count > 0 ? this.times.u32(0, 0) : 0;
    let tick = 0;
    for (let run = 0; run < this.chunkRuns.count; run++) {
      const firstChunk = this.chunkRuns.u32(run, 0) - 1;
      const nextChunk =
        run + 1 < this.chunkRuns.count ? this.chunkRuns.u32(run + 1, 0) - 1 : this.offsets.count;
      const perChunk = this.chunkRuns.u32(run, 4);
      const description = this.chunkRuns.u32(run, 8);
      if (firstChunk < 0) return;
      for (let chunk = firstChunk; chunk < Math.min(nextChunk, this.offsets.count); chunk++) {
        const sizesBytes: number[] = [];
        const startTicks: number[] = [];
        const ticks: number[] = [];
        for (let i = 0; i < perChunk && sample < Math.min(this.samples, most); i++, sample++) {
          while (leftInEntry === 0 && timeEntry + 1 < this.times.count)
            leftInEntry = this.times.u32(++timeEntry, 0);
          const delta = this.times.count > 0 ? this.times.u32(timeEntry, 4) : 0;
          if (leftInEntry > 0) leftInEntry--;
          sizesBytes.push(this.uniformBytes > 0 ? this.uniformBytes : this.sizes.u32(sample, 0));
          startTicks.push(tick);
          ticks.push(delta);
          tick += delta;
        }
        if (sizesBytes.length === 0) return;
        yield { offset: this.offsetOf(chunk), description, sizesBytes, startTicks, ticks };
      }
    }
  }

  /** When each sample is shown, in the track's ticks and in the order of decoding; at most `most` samples. */
  shownTicks(most: number): Float64Array {
    const count = Math.min(this.samples, most);
    const shown = new Float64Array(count);
    let sample = 0;
    let tick = 0;
    for (let i = 0; i < this.times.count && sample < count; i++) {
      const delta = this.times.u32(i, 4);
      for (let left = this.times.u32(i, 0); left > 0 && sample < count; left--) {
        shown[sample++] = tick;
        tick += delta;
      }
    }
    const timed = sample;
    sample = 0;
    for (let i = 0; i < this.shifts.count && sample < timed; i++) {
      const shift = this.shifts.u32(i, 4) | 0; // signed in version 1; nobody shifts by 2^31 in version 0
      for (let left = this.shifts.u32(i, 0); left > 0 && sample < timed; left--) shown[sample++]! += shift;
    }
    return shown.subarray(0, timed);
  }

  /** 1 for each sample, in the order of decoding, at which a decoder can begin. */
  keyMarks(count: number): Uint8Array {
    if (this.keys === null) return new Uint8Array(count).fill(1);
    const marks = new Uint8Array(count);
    for (let i = 0; i < this.keys.count; i++) {
      const sample = this.keys.u32(i, 0) - 1;
      if (sample >= 0 && sample < count) marks[sample] = 1;
    }
    return marks;
  }

  private offsetOf(chunk: number): number {
    return this.offsets.entryBytes === 8
      ? this.offsets.u32(chunk, 0) * 2 ** 32 + this.offsets.u32(chunk, 4)
      : this.offsets.u32(chunk, 0);
  }
}

/** A table of equal entries inside a box: as many as are stated and there. */
class Entries {
  readonly count: number;
  readonly entryBytes: number;
  private readonly stated: number;
  private readonly payload: Buffer;
  private readonly start: number;

  constructor(payload: Buffer | null, start: number, entryBytes: number, stated: number) {
    this.payload = payload ?? Buffer.alloc(0);
    this.start = start;
    this.entryBytes = entryBytes;
    this.stated = stated;
    const there = Math.floor((this.payload.length - start) / entryBytes);
    this.count = Math.max(0, Math.min(stated, there));
  }
  /** A full box with a u32 count in front of its entries. */
  static of(payload: Buffer | null, entryBytes: number): Entries {
    const stated = payload !== null && payload.length >= 8 ? payload.readUInt32BE(4) : 0;
    return new Entries(payload, 8, entryBytes, stated);
  }
  isShort(isExpectedEmpty: boolean): boolean {
    return !isExpectedEmpty && this.count < this.stated;
  }
  u32(index: number, offset: number): number {
    return this.payload.readUInt32BE(this.start + index * this.entryBytes + offset);
  }
}

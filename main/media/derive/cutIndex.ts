import { findChild } from '../telemetry/boxes.ts';
import { readDuration } from '../telemetry/movie.ts';
import { box, entryBox, fullBox, u32, u64 } from './boxWriter.ts';
import type { CutTrack } from './cutPlan.ts';
import type { Samples } from './cutSamples.ts';

/** A track to be written: its samples, and the payload of the original's `trak` that describes them. */
export interface TrackToWrite extends CutTrack {
  readonly trak: Buffer;
}

/** Samples of one track that lie behind one another in the new file. */
export interface Chunk {
  readonly track: number;
  readonly first: number;
  readonly count: number;
  readonly sizeBytes: number;
  /** Where they are needed, seconds from the start of the cut. */
  readonly atS: number;
}

/** How much of a track is read before another track has its turn. */
const chunkS = 0.5;

/** The order in which samples are written: both tracks side by side, as a player needs them. */
export function layChunks(tracks: readonly CutTrack[]): readonly Chunk[] {
  const chunks: Chunk[] = [];
  tracks.forEach(({ samples, timescale, shownFromTicks, delayS }, track) => {
    for (let first = 0; first < samples.count;) {
      const start = samples.startTicks[first]!;
      let end = first + 1;
      let sizeBytes = samples.sizeBytes[first]!;
      while (
        end < samples.count &&
        samples.startTicks[end]! - start < chunkS * timescale &&
        samples.description[end] === samples.description[first]
      )
        sizeBytes += samples.sizeBytes[end++]!;
      const atS = delayS + (start - shownFromTicks) / timescale;
      chunks.push({ track, first, count: end - first, sizeBytes, atS });
      first = end;
    }
  });
  return chunks.sort((a, b) => a.atS - b.atS || a.track - b.track);
}

/**
 * `moov` of the cut: the original's descriptions of tracks and samples as they are, its clock to the tick, new
 * tables. `offsets` are where the chunks lie in the new file; the size of the result does not depend on them.
 */
export function movieBox(
  movieHeader: Buffer | null,
  tracks: readonly TrackToWrite[],
  chunks: readonly Chunk[],
  offsets: readonly number[],
  isLarge: boolean,
): Buffer {
  // The movie counts in ticks of the pictures, so that their length is exact.
  const timescale = tracks[0]!.timescale;
  const lengths = tracks.map((track) => Math.round((lengthS(track) + track.delayS) * timescale));
  const durationTicks = Math.max(...lengths);
  return box(
    'moov',
    mvhd(movieHeader, timescale, durationTicks, tracks.length),
    ...tracks.map((track, index) => {
      const own = chunks.flatMap((chunk, i) => (chunk.track === index ? [{ chunk, at: offsets[i]! }] : []));
      return trakBox(track, index + 1, timescale, lengths[index]!, own, isLarge);
    }),
  );
}

const lengthS = (track: CutTrack): number => (track.shownToTicks - track.shownFromTicks) / track.timescale;

/** Times of creation and change of a header box, as the original has them; zeros where it has none. */
function creation(header: Buffer | null): Buffer {
  if (header?.[0] === 1 && header.length >= 20) {
    const times = [header.readBigUInt64BE(4), header.readBigUInt64BE(12)];
    // Version 0 holds 32 bits: until 2040.
    if (times.every((time) => time <= 0xffff_ffffn)) return u32(...times.map(Number));
  } else if (header && header.length >= 12) return Buffer.from(header.subarray(4, 12));
  return u32(0, 0);
}

const isLong = (ticks: number): boolean => ticks > 0xffff_ffff;
const longCreation = (header: Buffer | null): Buffer => {
  const short = creation(header);
  return Buffer.concat([u32(0), short.subarray(0, 4), u32(0), short.subarray(4)]);
};

function mvhd(header: Buffer | null, timescale: number, durationTicks: number, tracks: number): Buffer {
  const matrix = Buffer.concat([u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0), u32(0x4000_0000)]);
  // Rate and volume 1, reserved, no turn, reserved, the next free track.
  const rest = [u32(0x10000, 0x0100_0000, 0, 0), matrix, u32(0, 0, 0, 0, 0, 0), u32(tracks + 1)];
  return isLong(durationTicks)
    ? fullBox('mvhd', 1, 0, longCreation(header), u32(timescale), u64(durationTicks), ...rest)
    : fullBox('mvhd', 0, 0, creation(header), u32(timescale, durationTicks), ...rest);
}

function trakBox(
  track: TrackToWrite,
  id: number,
  movieTimescale: number,
  lengthTicks: number,
  chunks: readonly { chunk: Chunk; at: number }[],
  isLarge: boolean,
): Buffer {
  const { trak, samples } = track;
  const media = findChild(trak, 'mdia')!; // readTrack has looked
  const information = findChild(media, 'minf')!; // as above
  const tables = findChild(information, 'stbl')!; // as above
  const copied = (parent: Buffer, type: string): Buffer | null => {
    const payload = findChild(parent, type);
    return payload && box(type, payload);
  };
  const description = copied(tables, 'stsd');
  const shift = shiftOf(samples);
  return box(
    'trak',
    tkhd(findChild(trak, 'tkhd'), id, lengthTicks),
    edits(track, movieTimescale, shift),
    box(
      'mdia',
      mdhd(findChild(media, 'mdhd'), track),
      copied(media, 'hdlr'),
      box(
        'minf',
        ...['vmhd', 'smhd', 'nmhd'].map((type) => copied(information, type)),
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        box(
          'stbl',
          description,
          timesBox(samples),
          shiftsBox(samples, shift),
          keysBox(samples),
          sizesBox(samples),
          chunksBox(samples, chunks),
          entryBox(isLarge ? 'co64' : 'stco', 0, chunks.length, isLarge ? 8 : 4, (bytes, at, i) => {
            if (isLarge) bytes.writeBigUInt64BE(BigInt(chunks[i]!.at), at);
            else bytes.writeUInt32BE(chunks[i]!.at, at);
          }),
        ),
      ),
    ),
  );
}

/** As in the original but for its number and length: size and turn of the picture, layer, volume. */
function tkhd(header: Buffer | null, id: number, lengthTicks: number): Buffer {
  const rest = header && header.length >= 60 ? header.subarray(header.length - 60) : Buffer.alloc(60);
  // Enabled and in the movie, whatever the original said: what is cut is to be seen.
  return isLong(lengthTicks)
    ? fullBox('tkhd', 1, 3, longCreation(header), u32(id, 0), u64(lengthTicks), rest)
    : fullBox('tkhd', 0, 3, creation(header), u32(id, 0, lengthTicks), rest);
}

function mdhd(header: Buffer | null, { samples, timescale }: TrackToWrite): Buffer {
  const last = samples.count - 1;
  const ticks = samples.startTicks[last]! + samples.ticks[last]! - samples.startTicks[0]!;
  const isKnown = header !== null && readDuration(header, 12, 20) !== null;
  const language = isKnown ? header.subarray(header.length - 4) : u32(0x55c4_0000); // "und"
  return isLong(ticks)
    ? fullBox('mdhd', 1, 0, longCreation(header), u32(timescale), u64(ticks), language)
    : fullBox('mdhd', 0, 0, creation(header), u32(timescale, ticks), language);
}

/** Ticks by which shown times lie behind those of decoding in the new file: never negative for the first sample. */
function shiftOf(samples: Samples): number {
  return Math.max(0, samples.startTicks[0]! - samples.shownTicks[0]!);
}

/** Begins at the first frame that is shown; what lies before it is decoded only. */
function edits(track: TrackToWrite, movieTimescale: number, shift: number): Buffer {
  const { samples, shownFromTicks, shownToTicks, timescale, delayS } = track;
  const toMovie = (ticks: number): number => Math.round((ticks * movieTimescale) / timescale);
  const begin = shownFromTicks - samples.startTicks[0]! + shift;
  const list: [duration: number, mediaTicks: number][] = [[toMovie(shownToTicks - shownFromTicks), begin]];
  const delay = Math.round(delayS * movieTimescale);
  if (delay > 0) list.unshift([delay, -1]);
  const isWide = list.some(([duration, at]) => isLong(duration) || at > 0x7fff_ffff);
  return box(
    'edts',
    entryBox('elst', isWide ? 1 : 0, list.length, isWide ? 20 : 12, (bytes, at, i) => {
      const [duration, mediaTicks] = list[i]!;
      if (isWide) {
        bytes.writeBigUInt64BE(BigInt(duration), at);
        bytes.writeBigInt64BE(BigInt(mediaTicks), at + 8);
      } else {
        bytes.writeUInt32BE(duration, at);
        bytes.writeInt32BE(mediaTicks, at + 4);
      }
      bytes.writeUInt32BE(0x10000, at + (isWide ? 16 : 8));
    }),
  );
}

/** Runs of equal values as [count, value] pairs. */
function runsOf(count: number, valueAt: (index: number) => number): readonly [number, number][] {
  const runs: [number, number][] = [];
  for (let i = 0; i < count; i++) {
    const value = valueAt(i);
    const last = runs.at(-1);
    if (last && last[1] === value) last[0]++;
    else runs.push([1, value]);
  }
  return runs;
}

function timesBox(samples: Samples): Buffer {
  const runs = runsOf(samples.count, (i) => samples.ticks[i]!);
  return entryBox('stts', 0, runs.length, 8, (bytes, at, i) => {
    bytes.writeUInt32BE(runs[i]![0], at);
    bytes.writeUInt32BE(runs[i]![1], at + 4);
  });
}

/** Null where every sample is shown when it is decoded. */
function shiftsBox(samples: Samples, shift: number): Buffer | null {
  const runs = runsOf(samples.count, (i) => samples.shownTicks[i]! - samples.startTicks[i]! + shift);
  if (runs.every(([, value]) => value === 0)) return null;
  const isSigned = runs.some(([, value]) => value < 0);
  return entryBox('ctts', isSigned ? 1 : 0, runs.length, 8, (bytes, at, i) => {
    bytes.writeUInt32BE(runs[i]![0], at);
    bytes.writeInt32BE(runs[i]![1], at + 4);
  });
}

/** Null where a decoder can begin at every sample: that is what a missing table means. */
function keysBox(samples: Samples): Buffer | null {
  const keys: number[] = [];
  for (let i = 0; i < samples.count; i++) if (samples.isKey[i] === 1) keys.push(i + 1);
  if (keys.length === samples.count) return null;
  return entryBox('stss', 0, keys.length, 4, (bytes, at, i) => bytes.writeUInt32BE(keys[i]!, at));
}

function sizesBox(samples: Samples): Buffer {
  const first = samples.sizeBytes[0]!;
  if (first > 0 && samples.sizeBytes.every((size) => size === first))
    return fullBox('stsz', 0, 0, u32(first, samples.count));
  const sizes = Buffer.alloc(samples.count * 4);
  samples.sizeBytes.forEach((size, i) => sizes.writeUInt32BE(size, i * 4));
  return fullBox('stsz', 0, 0, u32(0, samples.count), sizes);
}

function chunksBox(samples: Samples, chunks: readonly { chunk: Chunk }[]): Buffer {
  const described = chunks.map(({ chunk }) => [chunk.count, samples.description[chunk.first]!] as const);
  const runs: [firstChunk: number, count: number, description: number][] = [];
  described.forEach(([count, description], i) => {
    const last = runs.at(-1);
    if (!last || last[1] !== count || last[2] !== description) runs.push([i + 1, count, description]);
  });
  return entryBox('stsc', 0, runs.length, 12, (bytes, at, i) => {
    runs[i]!.forEach((value, field) => bytes.writeUInt32BE(value, at + field * 4));
  });
}

import { AppError } from '../../shared/errors.ts';
import { chunkPoints, columnCount, decodeChunk, packChunk, PointColumns } from '../cache/trackCodec.ts';
import { timesMsOf } from '../cache/trackColumns.ts';
import { ColumnPool, smallestBuffers, type ColumnBuffers } from './columnPool.ts';
import { ReaderRefusal, type TrackBuilder, type TrackIdentity, type TrackSink } from './reader.ts';
import type { StagingTape } from './stagingTape.ts';
import { toMeasured, TrackMeasure, type Extent } from './trackMeasure.ts';

/** A packed chunk on the tape. */
export interface StagedChunk {
  readonly position: number;
  readonly length: number;
  readonly points: number;
  readonly extent: Extent;
}

/** A finished track: what its row in `trip` will say, and its chunks in order. */
export interface StagedTrack {
  readonly identity: TrackIdentity;
  readonly points: number;
  readonly hasPointTimes: boolean;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly distanceM: number;
  readonly maxSpeedKmh: number | null;
  readonly extent: Extent;
  readonly chunks: readonly StagedChunk[];
  /** Its times ran backwards and its points were put in order; null: they were, but it is too long for that. */
  readonly wasSorted: boolean | null;
}

/** Open buffers together; beyond, the largest are packed early. */
const openLimitBytes = 48 * 1024 * 1024;
/** A track up to this many points is put in order or packed anew in memory (108 MB); a longer one stays as read. */
const reworkLimitPoints = 2_000_000;
/** More tracks in one file than any fleet drives in 90 days; bounds the memory of a hostile file. */
const trackLimit = 500_000;
/** Tracks that began last and keep their buffers open. */
const recentTracks = 128;
/** So many tracks that went on after they were set aside prove that tracks interleave. */
const reopenLimit = 64;

/** Columns that borrow their buffers from the pool of the file and give them back. */
class OpenColumns extends PointColumns {
  private readonly tracks: StagedTracks;
  private readonly track: OpenTrack;
  private buffers: ColumnBuffers | null = null;
  constructor(tracks: StagedTracks, track: OpenTrack) {
    super(0);
    this.tracks = tracks;
    this.track = track;
  }

  override grow(): void {
    const before = this.buffers;
    const after = this.tracks.pool.take(before === null ? smallestBuffers : before.capacity * 4);
    if (before !== null) {
      for (let c = 0; c < columnCount; c++) {
        after.values[c]!.set(before.values[c]!.subarray(0, this.count));
        after.decimals[c]!.set(before.decimals[c]!.subarray(0, this.count));
      }
    }
    // The pool's own arrays: a copy for each of thousands of tracks adds up.
    this.values = after.values;
    this.decimals = after.decimals;
    const heldBefore = this.heldBytes;
    this.capacity = after.capacity;
    this.buffers = after;
    if (before !== null) this.tracks.pool.give(before);
    this.tracks.noteHeld(this.track, this.heldBytes - heldBefore);
  }

  /** Gives the buffers back; they come again with the next point. */
  release(): void {
    if (this.buffers !== null) this.tracks.pool.give(this.buffers);
    this.buffers = null;
    this.dropColumns();
  }
}

/** Of tracks that have none yet; never written to. */
const noChunks: StagedChunk[] = [];

class OpenTrack implements TrackBuilder {
  identity: TrackIdentity;
  readonly measure = new TrackMeasure();
  /** Packed before its end, because newer tracks had begun. */
  wasSetAside = false;
  readonly columns: OpenColumns;
  chunks: StagedChunk[] = noChunks;
  private readonly tracks: StagedTracks;
  constructor(tracks: StagedTracks, identity: TrackIdentity) {
    this.tracks = tracks;
    this.identity = identity;
    this.columns = new OpenColumns(tracks, this);
  }

  filled(): void {
    this.tracks.pack(this);
  }
}

/**
 * Where the reader of one file puts its tracks. Memory is bounded however many tracks interleave: buffers grow
 * with need and are packed when full; when all together exceed 48 MB, the largest are packed early.
 */
export class StagedTracks implements TrackSink {
  private readonly tape: StagingTape;
  private readonly openLimit: number;
  private readonly tracks: OpenTrack[] = [];
  private readonly holding = new Set<OpenTrack>();
  private heldBytes = 0;
  private readonly startOfTape: number;
  readonly pool = new ColumnPool();
  /** Place in `tracks` of the oldest one that is not set aside yet. */
  private oldest = 0;
  private reopened = 0;

  constructor(tape: StagingTape, openLimit = openLimitBytes) {
    this.tape = tape;
    this.openLimit = openLimit;
    this.startOfTape = tape.end;
  }

  beginTrack(identity: TrackIdentity): TrackBuilder {
    if (this.tracks.length >= trackLimit) {
      throw new ReaderRefusal(`trip ${trackLimit + 1}`, `more than ${trackLimit} trips in one file`);
    }
    const track = new OpenTrack(this, identity);
    this.tracks.push(track);
    if (this.reopened < reopenLimit && this.tracks.length - this.oldest > recentTracks) this.setAsideOldest();
    return track;
  }

  amendTrack(builder: TrackBuilder, identity: TrackIdentity): void {
    if (!(builder instanceof OpenTrack)) throw new AppError('internal', 'a track of another sink');
    builder.identity = identity;
  }

  /** Called by the columns of `track` as they grow: the moment when the others' buffers may have to go. */
  noteHeld(track: OpenTrack, bytes: number): void {
    this.heldBytes += bytes;
    this.holding.add(track);
    if (track.wasSetAside) {
      track.wasSetAside = false;
      this.reopened++;
    }
    if (this.heldBytes > this.openLimit) this.packLargest(track);
  }

  /** Packs the largest buffers away, but never those of the track that is being filled. */
  private packLargest(current: OpenTrack): void {
    const largest = [...this.holding].sort((a, b) => b.columns.heldBytes - a.columns.heldBytes);
    for (const track of largest) {
      if (this.heldBytes <= this.openLimit / 2) break;
      if (track === current) continue;
      this.pack(track);
      this.release(track);
    }
  }

  /**
   * Exports list one trip after the other: one that began long ago has most likely ended, so its buffers go to
   * the next. Where that turns out wrong too often (trips that interleave by time), it stops.
   */
  private setAsideOldest(): void {
    const track = this.tracks[this.oldest++]!;
    this.pack(track);
    this.release(track);
    track.wasSetAside = true;
  }

  /** Packs what a track holds. */
  pack(track: OpenTrack): void {
    const { columns } = track;
    if (columns.count === 0) return;
    const measured = toMeasured(columns, track.identity.speedUnit);
    for (let from = 0; from < columns.count; from += chunkPoints) {
      const to = Math.min(from + chunkPoints, columns.count);
      const chunk = this.write(columns, from, to, track.measure.add(measured, from, to));
      // Most tracks have one chunk only; an array that grows makes room for sixteen more.
      if (track.chunks.length === 0) track.chunks = [chunk];
      else track.chunks.push(chunk);
    }
    columns.clear();
  }

  /** Ends the file: every track with points, in the order in which they began. */
  finish(): StagedTrack[] {
    const finished: StagedTrack[] = [];
    for (const track of this.tracks) {
      this.pack(track);
      this.release(track);
      if (track.measure.points > 0) finished.push(this.finishTrack(track));
    }
    this.tracks.length = 0;
    this.oldest = 0;
    return finished;
  }

  /** Forgets the whole file. */
  discard(): void {
    this.tracks.length = 0;
    this.holding.clear();
    this.heldBytes = 0;
    this.tape.cutTo(this.startOfTape);
  }

  private release(track: OpenTrack): void {
    this.heldBytes -= track.columns.heldBytes;
    track.columns.release();
    this.holding.delete(track);
  }

  private write(columns: PointColumns, from: number, to: number, extent: Extent): StagedChunk {
    const data = packChunk(columns, from, to);
    return { position: this.tape.append(data), length: data.length, points: to - from, extent };
  }

  private finishTrack(track: OpenTrack): StagedTrack {
    const { identity } = track;
    let { measure } = track;
    let distance = measure.distanceM;
    let wasSorted: boolean | null = false;
    const isScattered = track.chunks.length > 2 * Math.ceil(measure.points / chunkPoints);
    if (measure.isBackward || measure.needsAllTimes || isScattered) {
      if (measure.points <= reworkLimitPoints) {
        const wasBackward = measure.isBackward;
        let points = this.readBack(track);
        if (wasBackward) points = inTimeOrder(points);
        const measured = toMeasured(points, identity.speedUnit);
        if (wasBackward || isScattered) {
          measure = new TrackMeasure();
          track.chunks = [];
          for (let from = 0; from < points.count; from += chunkPoints) {
            const to = Math.min(from + chunkPoints, points.count);
            track.chunks.push(this.write(points, from, to, measure.add(measured, from, to)));
          }
        }
        distance = measure.distanceWithin(measured);
        wasSorted = wasBackward;
      } else if (measure.isBackward) wasSorted = null;
    }
    const hasPointTimes = measure.startedAtMs !== null;
    const startedAtMs = hasPointTimes ? measure.startedAtMs : identity.beginMs;
    const endedAtMs = hasPointTimes ? measure.endedAtMs : identity.endMs;
    const { west, south, east, north, maxSpeedKmh, points } = measure;
    const extent: Extent = { fromMs: startedAtMs, toMs: endedAtMs, west, south, east, north };
    return {
      identity,
      points,
      hasPointTimes,
      startedAtMs,
      endedAtMs,
      distanceM: distance,
      maxSpeedKmh,
      extent,
      chunks: track.chunks,
      wasSorted,
    };
  }

  private readBack(track: OpenTrack): PointColumns {
    const points = new PointColumns(track.measure.points);
    for (const chunk of track.chunks) decodeChunk(this.tape.read(chunk.position, chunk.length), points);
    return points;
  }
}

/** The same points by time; equal times keep their order, and a point without a time stays behind the one before it. */
function inTimeOrder(points: PointColumns): PointColumns {
  const keys = timesMsOf(points);
  for (let i = 1; i < keys.length; i++) if (Number.isNaN(keys[i]!)) keys[i] = keys[i - 1]!;
  const order = Uint32Array.from(keys, (_, i) => i).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
  const sorted = new PointColumns(Math.max(1, points.count));
  sorted.count = points.count;
  points.values.forEach((values, c) => {
    const decimals = points.decimals[c]!;
    for (let i = 0; i < points.count; i++) {
      const from = order[i]!;
      sorted.values[c]![i] = values[from]!;
      sorted.decimals[c]![i] = decimals[from]!;
      const literal = points.literals.size === 0 ? undefined : points.literalAt(c, from);
      if (literal !== undefined) sorted.setLiteral(c, i, literal);
    }
  });
  return sorted;
}

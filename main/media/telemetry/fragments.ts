import { findChild, walkBuffer, type BoxWalk } from './boxes.ts';
import { ReadBudgetExceeded, type ClipBytes } from './byteSource.ts';
import { mostFrames } from './frames.ts';
import { videoRates, type Movie, type Track } from './movie.ts';

/** The frames of a track that are described beside the media (`moof`), in the order of decoding. */
export interface FragmentFrames {
  /** When each frame is shown, ticks of the track. */
  readonly shownTicks: readonly number[];
  /** 1 where a decoder can begin. */
  readonly keyMarks: readonly number[];
  readonly durationTicks: number;
  /** Shortest and longest frame, the last one aside. */
  readonly shortestTicks: number;
  readonly longestTicks: number;
  /** A fragment claims more than the file can hold, or can't be read. */
  readonly isDamaged: boolean;
}

/** A fragment describes some seconds of frames, 16 bytes each. */
const longestFragmentBytes = 4 * 1024 * 1024;
/** ISO 14496-12: which fields follow in `tfhd` and `trun`. */
const has = { base: 0x1, description: 0x2, duration: 0x8, size: 0x10, flags: 0x20 } as const;
const run = {
  offset: 0x1,
  firstFlags: 0x4,
  duration: 0x100,
  size: 0x200,
  flags: 0x400,
  shift: 0x800,
} as const;
const isNoSyncSample = 0x10000;

interface Defaults {
  readonly duration: number;
  readonly flags: number;
}

/**
 * The movie with the frames of its fragments: their number, rate, key frames and length, where a fragmented file's
 * index has none. The media itself is not read.
 */
export function withFragments(movie: Movie, bytes: ClipBytes, walk: BoxWalk): Movie {
  const track = movie.tracks.find(({ handler }) => handler === 'vide');
  if (movie.fragmentDefaults === null || !track || !movie.video || track.timescale === 0) return movie;
  const fragments = readFragments(bytes, walk, movie.fragmentDefaults, track);
  if (fragments.shownTicks.length === 0)
    return { ...movie, isDamaged: movie.isDamaged || fragments.isDamaged };
  const frames = fragments.shownTicks.length;
  const durationS = fragments.durationTicks / track.timescale;
  return {
    ...movie,
    fragments,
    isDamaged: movie.isDamaged || fragments.isDamaged,
    durationS: durationS > 0 ? durationS : movie.durationS,
    video: {
      ...movie.video,
      ...videoRates(frames, durationS, fragments.shortestTicks, fragments.longestTicks),
      frames,
      keyFrames: fragments.keyMarks.reduce((sum, mark) => sum + mark, 0),
    },
  };
}

function readFragments(bytes: ClipBytes, walk: BoxWalk, mvex: Buffer, track: Track): FragmentFrames {
  const collected = new Collected(bytes.sizeBytes, track);
  const defaults = trackDefaults(mvex, track.id);
  try {
    for (const box of walk.boxes) {
      if (box.type !== 'moof') continue;
      if (box.isOverrun || box.end - box.offset > longestFragmentBytes) {
        collected.isDamaged = true;
        continue;
      }
      const moof = bytes.read(box.offset + box.headerBytes, box.end - box.offset - box.headerBytes);
      const children = walkBuffer(moof, 0, moof.length);
      if (children.end !== 'complete') collected.isDamaged = true;
      for (const child of children.boxes)
        if (child.type === 'traf')
          readTrackFragment(moof.subarray(child.offset + child.headerBytes, child.end), track.id, defaults, collected); // prettier-ignore
    }
  } catch (thrown) {
    if (!(thrown instanceof ReadBudgetExceeded)) throw thrown;
    collected.isDamaged = true;
  }
  return collected;
}

/** `trex` of the track. */
function trackDefaults(mvex: Buffer, trackId: number): Defaults {
  for (const box of walkBuffer(mvex, 0, mvex.length).boxes) {
    const trex = mvex.subarray(box.offset + box.headerBytes, box.end);
    if (box.type === 'trex' && trex.length >= 24 && trex.readUInt32BE(4) === trackId)
      return { duration: trex.readUInt32BE(12), flags: trex.readUInt32BE(20) };
  }
  return { duration: 0, flags: 0 };
}

function readTrackFragment(traf: Buffer, trackId: number, defaults: Defaults, into: Collected): void {
  const header = findChild(traf, 'tfhd');
  if (!header || header.length < 8) {
    into.isDamaged = true;
    return;
  }
  if (header.readUInt32BE(4) !== trackId) return;
  const fields = header.readUIntBE(1, 3);
  let at = 8 + ((fields & has.base) !== 0 ? 8 : 0) + ((fields & has.description) !== 0 ? 4 : 0);
  const next = (field: number): number | null => {
    if ((fields & field) === 0) return null;
    at += 4;
    return at <= header.length ? header.readUInt32BE(at - 4) : null;
  };
  const duration = next(has.duration) ?? defaults.duration;
  next(has.size);
  const flags = next(has.flags) ?? defaults.flags;
  const start = findChild(traf, 'tfdt');
  if (start && start.length >= 8)
    into.tick =
      start[0] === 1 && start.length >= 12 ? Number(start.readBigUInt64BE(4)) : start.readUInt32BE(4);
  for (const box of walkBuffer(traf, 0, traf.length).boxes)
    if (box.type === 'trun')
      readRun(traf.subarray(box.offset + box.headerBytes, box.end), { duration, flags }, into);
}

function readRun(trun: Buffer, defaults: Defaults, into: Collected): void {
  if (trun.length < 8) {
    into.isDamaged = true;
    return;
  }
  const fields = trun.readUIntBE(1, 3);
  const stated = trun.readUInt32BE(4);
  const firstFlagsAt = 8 + ((fields & run.offset) !== 0 ? 4 : 0);
  const hasFirst = (fields & run.firstFlags) !== 0 && trun.length >= firstFlagsAt + 4;
  const start = firstFlagsAt + ((fields & run.firstFlags) !== 0 ? 4 : 0);
  const columns = [run.duration, run.size, run.flags, run.shift].filter((field) => (fields & field) !== 0);
  const entryBytes = columns.length * 4;
  // Counts are never trusted: entries must be there, and every frame has a byte at least.
  const there = entryBytes === 0 ? into.room : Math.max(0, Math.floor((trun.length - start) / entryBytes));
  const count = Math.min(stated, there, into.room);
  if (count < stated) into.isDamaged = true;
  if (count < stated && entryBytes === 0) return;
  for (let i = 0; i < count; i++) {
    const value = (field: number): number | null => {
      const column = columns.indexOf(field as (typeof columns)[number]);
      return column < 0 ? null : trun.readUInt32BE(start + i * entryBytes + column * 4);
    };
    const first = i === 0 && hasFirst ? trun.readUInt32BE(firstFlagsAt) : null;
    const flags = first ?? value(run.flags) ?? defaults.flags;
    into.add(value(run.duration) ?? defaults.duration, (value(run.shift) ?? 0) | 0, (flags & isNoSyncSample) === 0); // prettier-ignore
  }
}

/** Frames as they come, with the running decoding time; those that the index itself names come first. */
class Collected implements FragmentFrames {
  readonly shownTicks: number[] = [];
  readonly keyMarks: number[] = [];
  durationTicks = 0;
  shortestTicks = 0;
  longestTicks = 0;
  isDamaged = false;
  tick = 0;
  private lastTicks: number | null = null;
  private readonly most: number;

  constructor(fileBytes: number, { table }: Track) {
    this.most = Math.min(mostFrames, fileBytes);
    const shown = table.shownTicks(this.most);
    const marks = table.keyMarks(shown.length);
    for (let i = 0; i < shown.length; i++) {
      this.shownTicks.push(shown[i]!);
      this.keyMarks.push(marks[i]!);
    }
    this.tick = table.durationTicks;
    this.durationTicks = table.durationTicks;
    if (shown.length > 0) [this.shortestTicks, this.longestTicks] = [table.shortestTicks, table.longestTicks];
  }
  get room(): number {
    return this.most - this.shownTicks.length;
  }
  add(ticks: number, shift: number, isKey: boolean): void {
    this.shownTicks.push(this.tick + shift);
    this.keyMarks.push(isKey ? 1 : 0);
    this.tick += ticks;
    this.durationTicks += ticks;
    if (this.lastTicks !== null) {
      const isFirst = this.longestTicks === 0;
      this.shortestTicks = isFirst ? this.lastTicks : Math.min(this.shortestTicks, this.lastTicks);
      this.longestTicks = Math.max(this.longestTicks, this.lastTicks);
    }
    this.lastTicks = ticks;
  }
}

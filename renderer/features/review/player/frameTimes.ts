import type { ClipFrames } from '../../../../shared/contract/clips.ts';
import type { ReviewSegment } from '../../../../shared/contract/review.ts';
import type { ClipId } from '../../../../shared/ids.ts';
import type { Host } from '../../../app/client/index.ts';

/**
 * When each picture of a clip is shown, seconds on the clip. `isExact`: read from the file's index; otherwise a constant
 * rate is assumed, and frame numbers are not told.
 */
export interface FrameTimes {
  readonly count: number;
  readonly isExact: boolean;
  /** Start of a frame; the end of the clip for `count`. */
  startS(index: number): number;
  /** The frame that is shown at a second; the first or last one outside of the clip. */
  indexAt(clipS: number): number;
}

/**
 * Scene times are UTC milliseconds in doubles, which are exact to a quarter of a microsecond; players report
 * microseconds. A frame counts as reached this much earlier.
 */
const toleranceS = 0.0005;
/** Where a file does not even tell its rate. */
const assumedFps = 25;

/** Frame times of an index; `durationS` ends the last frame. Null for an index without frames. */
export function toFrameTimes(timesS: Float64Array, durationS: number): FrameTimes | null {
  const count = timesS.length;
  if (count === 0) return null;
  const lastS = timesS[count - 1]!;
  const beforeS = timesS[count - 2] ?? lastS - 1 / assumedFps;
  const endS = durationS > lastS ? durationS : lastS + (lastS - beforeS);
  return {
    count,
    isExact: true,
    startS: (index) => (index >= count ? endS : timesS[Math.max(0, index)]!),
    indexAt(clipS) {
      let from = 0;
      let to = count;
      while (from < to) {
        const middle = (from + to) >> 1;
        if (timesS[middle]! <= clipS + toleranceS) from = middle + 1;
        else to = middle;
      }
      return Math.max(0, from - 1);
    },
  };
}

/** Frames at a constant rate, for a clip whose index can't be read. */
export function constantFrameTimes(fps: number | null, durationS: number): FrameTimes {
  const rate = fps !== null && fps > 0 ? fps : assumedFps;
  const count = Math.max(1, Math.round(durationS * rate));
  return {
    count,
    isExact: false,
    startS: (index) => Math.max(0, index) / rate,
    indexAt: (clipS) => Math.min(count - 1, Math.max(0, Math.floor((clipS + toleranceS) * rate))),
  };
}

/** The middle of a frame: a seek to it shows this frame whichever way a player rounds. */
export function middleOfFrame(times: FrameTimes, index: number): number {
  return (times.startS(index) + times.startS(index + 1)) / 2;
}

export interface FrameIndexes {
  /** What is known now; starts reading where nothing is. */
  now(segment: ReviewSegment, clipId: ClipId): FrameTimes;
  /** Waits for the file's index. Never fails: the constant rate stands in where it can't be read. */
  read(segment: ReviewSegment, clipId: ClipId): Promise<FrameTimes>;
}

/** Clips whose index is kept: 8 h at 30 frames a second are 7 MB. */
const indexesKept = 24;
const byHost = new WeakMap<Host, FrameIndexes>();

/** Frame indexes of a host's clips, each read once and lazily (`clips.frames`). */
export function frameIndexesOf(host: Host): FrameIndexes {
  const made = byHost.get(host) ?? createFrameIndexes(host);
  byHost.set(host, made);
  return made;
}

function createFrameIndexes(host: Host): FrameIndexes {
  interface Kept {
    times: FrameTimes | null;
    readonly reading: Promise<ClipFrames | null>;
  }
  const kept = new Map<ClipId, Kept>();
  const fallback = ({ video, durationS }: ReviewSegment) => constantFrameTimes(video?.fps ?? null, durationS);
  function entryOf(segment: ReviewSegment, clipId: ClipId): Kept {
    const known = kept.get(clipId);
    if (known) {
      // Latest last, so that the one that goes is the one that was not used for longest.
      kept.delete(clipId);
      kept.set(clipId, known);
      return known;
    }
    const entry: Kept = {
      times: null,
      reading: host.client.invoke('clips.frames', { clipId }).then(
        (frames) => {
          entry.times = frames && toFrameTimes(frames.timesS, segment.durationS);
          return frames;
        },
        () => {
          // Asked again the next time: the core may be back then.
          kept.delete(clipId);
          return null;
        },
      ),
    };
    kept.set(clipId, entry);
    for (const oldest of kept.keys()) {
      if (kept.size <= indexesKept) break;
      kept.delete(oldest);
    }
    return entry;
  }
  return {
    now: (segment, clipId) => entryOf(segment, clipId).times ?? fallback(segment),
    async read(segment, clipId) {
      const entry = entryOf(segment, clipId);
      await entry.reading;
      return entry.times ?? fallback(segment);
    },
  };
}

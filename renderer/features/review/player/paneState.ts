import type {
  OnCardRecording,
  ReviewChannel,
  ReviewScene,
  ReviewSegment,
} from '../../../../shared/contract/review.ts';
import type { ClipId } from '../../../../shared/ids.ts';

/** Why a clip, or a part of it, has no picture here. */
export type PictureProblem =
  /** No video track; the sound plays along. */
  | { readonly kind: 'sound-only' }
  /** The file can't be read as a video at all. */
  | { readonly kind: 'unreadable' }
  /** No decoder for it in this window. */
  | { readonly kind: 'no-decoder'; readonly isSaidToBeSupported: boolean }
  /** What follows is damaged or was never written. */
  | {
      readonly kind: 'ends-early';
      /** Playing came up to here, seconds; infinite: not tried. */
      readonly playedToS: number;
      /** A frame sought at this second or later did not come; infinite: not tried. */
      readonly nothingFromS: number;
    }
  /** The decoder gave up in a file of which no byte is known to be missing: other places of it are still tried. */
  | {
      readonly kind: 'decoder-fails';
      /** False: another quality than the scene's own file, whose state the scene does not tell. */
      readonly isFileKnown: boolean;
      /** Playing came up to here, seconds; infinite: it did not fail. */
      readonly playedToS: number;
      /** Frames that were sought and did not come, seconds. */
      readonly soughtS: readonly number[];
      readonly frameS: number;
    }
  /** The core could not be asked for it. */
  | { readonly kind: 'host' }
  /** The original is not in the cache any more. */
  | { readonly kind: 'missing' };

/** A clip of which some pictures can be shown. */
export type BrokenPictures = PictureProblem & { readonly kind: 'ends-early' | 'decoder-fails' };

/** The problem where it is one of some pictures alone. Pure. */
export const brokenPictures = (problem: PictureProblem | null | undefined): BrokenPictures | null =>
  problem?.kind === 'ends-early' || problem?.kind === 'decoder-fails' ? problem : null;

/** The first second of the clip from which no picture came. Pure. */
export const brokenFromS = (problem: BrokenPictures): number =>
  problem.kind === 'ends-early'
    ? Math.min(problem.playedToS, problem.nothingFromS)
    : Math.min(problem.playedToS, ...problem.soughtS);

/** What stands in a pane. */
export type PaneView =
  | { readonly kind: 'picture' }
  /** Nothing was recorded, or it is not here: from when to when; null: since or until for ever. */
  | {
      readonly kind: 'gap';
      readonly fromMs: number | null;
      readonly toMs: number | null;
      readonly onCard: readonly OnCardRecording[];
    }
  | { readonly kind: 'problem'; readonly problem: PictureProblem };

export interface PaneState {
  readonly view: PaneView;
  /** What it wants to show; null in a gap. */
  readonly segment: ReviewSegment | null;
  /** The file in use: the segment's own or another quality of it. */
  readonly clipId: ClipId | null;
  /** It shows what the clock asks for. */
  readonly isSettled: boolean;
  /** The picture is late: say so. */
  readonly isLoading: boolean;
  /** The clip in use has pictures, and places without any: it is damaged, or the decoder gives up there. */
  readonly brokenAt: BrokenPictures | null;
}

/** The gap of a channel around a scene time, with what the card has of it. Pure. */
export function gapAt(
  scene: ReviewScene,
  channel: ReviewChannel,
  sceneMs: number,
): PaneView & { kind: 'gap' } {
  const before = channel.segments.findLast(({ endMs }) => endMs <= sceneMs);
  const after = channel.segments.find(({ startMs }) => startMs > sceneMs);
  const fromMs = before?.endMs ?? null;
  const toMs = after?.startMs ?? null;
  const onCard = scene.onCard.filter(
    (recording) =>
      recording.psn === channel.psn &&
      (recording.directionCode === null || recording.directionCode === channel.directionCode) &&
      recording.startMs <= sceneMs &&
      recording.endMs > sceneMs,
  );
  return { kind: 'gap', fromMs, toMs, onCard };
}

const soundOnly: PictureProblem = { kind: 'sound-only' };
const unreadable: PictureProblem = { kind: 'unreadable' };

/** A problem that is known before the file is tried. Null: try it. Pure. */
export function knownProblem(segment: ReviewSegment): PictureProblem | null {
  if (segment.video) return null;
  return segment.hasAudio ? soundOnly : unreadable;
}

/** Damage that takes pictures away; only with it is the file to blame for those that don't come (bytes behind its end do not). */
const takesPictures = new Set(['truncated', 'damaged-index', 'no-frames']);
/** Where the decoder failed while playing, it is tried again after that much of the clip. */
const tryAgainS = 1;
/** Of files that don't tell their frame rate. */
const assumedFrameS = 1 / 25;

/**
 * What it means that pictures stop: the file ends early where its facts say that bytes are missing, else the decoder
 * fails. `isOwnFile`: the file is the segment's own, of which `damage` speaks. Pure.
 */
export function stoppedPictures(
  segment: ReviewSegment,
  isOwnFile: boolean,
  at: { readonly playedToS: number; readonly nothingFromS: number },
): BrokenPictures {
  if (isOwnFile && segment.damage.some(({ code }) => takesPictures.has(code)))
    return { kind: 'ends-early', ...at };
  return {
    kind: 'decoder-fails',
    isFileKnown: isOwnFile,
    playedToS: at.playedToS,
    soughtS: Number.isFinite(at.nothingFromS) ? [at.nothingFromS] : [],
    frameS: segment.video?.fps ? 1 / segment.video.fps : assumedFrameS,
  };
}

/**
 * Whether a problem leaves no picture at a second of the clip. Frames behind the place where playing failed are still
 * tried one by one: decoders give up some frames early, and each may matter. Pure.
 */
export function isWithoutPicture(problem: PictureProblem, clipS: number, isPlaying: boolean): boolean {
  if (problem.kind === 'decoder-fails') {
    const { playedToS, soughtS, frameS } = problem;
    if (!isPlaying) return soughtS.some((atS) => Math.abs(clipS - atS) < frameS);
    return (
      (clipS > playedToS && clipS < playedToS + tryAgainS) ||
      soughtS.some((atS) => clipS > atS - frameS && clipS < atS + tryAgainS)
    );
  }
  if (problem.kind !== 'ends-early') return true;
  return clipS >= problem.nothingFromS || (isPlaying && clipS > problem.playedToS);
}

/** What is known of a clip with broken pictures after another failure of it. Pure. */
export function mergedProblem(before: PictureProblem | undefined, next: PictureProblem): PictureProblem {
  if (before?.kind === 'decoder-fails' && next.kind === 'decoder-fails') {
    return {
      ...next,
      playedToS: Number.isFinite(next.playedToS) ? next.playedToS : before.playedToS,
      soughtS: [...new Set([...before.soughtS, ...next.soughtS])],
    };
  }
  if (before?.kind !== 'ends-early') return next;
  // A file of which pictures were seen can be decoded, whatever the element says at its end.
  if (next.kind !== 'ends-early')
    return next.kind === 'no-decoder' || next.kind === 'unreadable' ? before : next;
  return {
    kind: 'ends-early',
    playedToS: Math.min(before.playedToS, next.playedToS),
    nothingFromS: Math.min(before.nothingFromS, next.nothingFromS),
  };
}

/**
 * What a failure of the video element means. `reply`: status of asking the core for the file, null when there was no
 * answer. `shownS`: the last picture that was shown of it; `soughtS`: the frame that was wanted, null while playing. Pure.
 */
export function problemOf(
  segment: ReviewSegment,
  failure: {
    readonly isDecodeError: boolean;
    readonly atS: number;
    readonly shownS: number | null;
    readonly soughtS: number | null;
    /** It is the segment's own file, not another quality of it. */
    readonly isOwnFile: boolean;
  },
  reply: number | null,
  isSaidToBeSupported: boolean,
): PictureProblem {
  if (reply === 404 || reply === 410) return { kind: 'missing' };
  if (reply === null || reply >= 400) return { kind: 'host' };
  const { isDecodeError, atS, shownS, soughtS, isOwnFile } = failure;
  const isCutShort = segment.damage.some(({ code }) => code === 'truncated' || code === 'damaged-index');
  if (isDecodeError || (isCutShort && shownS !== null)) {
    return stoppedPictures(segment, isOwnFile, {
      playedToS: soughtS === null ? Math.max(shownS ?? 0, atS) : Infinity,
      nothingFromS: soughtS ?? Infinity,
    });
  }
  if (segment.damage.some(({ code }) => code === 'no-moov' || code === 'no-frames')) return unreadable;
  return { kind: 'no-decoder', isSaidToBeSupported };
}

/** Whether two views look the same: nothing is drawn anew then. Pure. */
export function isSameView(a: PaneView, b: PaneView): boolean {
  if (a.kind === 'gap' && b.kind === 'gap') {
    return (
      a.fromMs === b.fromMs &&
      a.toMs === b.toMs &&
      a.onCard.length === b.onCard.length &&
      a.onCard.every((recording, i) => recording === b.onCard[i])
    );
  }
  if (a.kind === 'problem' && b.kind === 'problem') return a.problem === b.problem;
  return a.kind === b.kind;
}

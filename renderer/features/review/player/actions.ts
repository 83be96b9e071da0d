import type { ReviewSegment } from '../../../../shared/contract/review.ts';
import { notifyInfo } from '../../../ui/index.ts';
import { peakG } from '../charts/peakG.ts';
import { toClipS, toSceneMs, type Review } from '../model.ts';
import { frameIndexesOf } from './frameTimes.ts';
import { gapStarts, markTimes, nextOf, shownSegment } from './jumps.ts';
import { fastestRate } from './masterClock.ts';
import { allSettled } from './panes.ts';

export type Direction = 1 | -1;

/** What buttons and keys of the transport do. */
export interface PlayerActions {
  togglePlay(): void;
  /** J and L: plays in this direction; again in the same direction: twice as fast. */
  shuttle(direction: Direction): void;
  stop(): void;
  /** The next or previous frame of the leading pane by its real frame times; resolves when all panes show theirs. */
  stepFrame(direction: Direction, isRepeat?: boolean): Promise<void>;
  jumpBy(ms: number): void;
  toStart(): void;
  toEnd(): void;
  toPeakG(): void;
  toMark(direction: Direction): void;
  toGap(direction: Direction): void;
  /** The next slower or faster of the speeds offered. */
  changeSpeed(direction: Direction): void;
  setIn(): void;
  setOut(): void;
  toggleLoop(): void;
  bookmark(): void;
  still(channelId?: string): void;
  toggleEnlarged(channelId: string): void;
}

/** Speeds that are offered; any between 0.1 and 8 is possible. */
export const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8] as const;
/** A frame that is not there after this keeps nobody from stepping on. */
const longestStepMs = 1500;
/** Steps that wait at most; key repeat adds none while one is under way. */
const mostWaiting = 8;

const actionsByReview = new WeakMap<Review, PlayerActions>();

/** One set for a review: buttons and keys share what is under way. */
export function actionsOf(review: Review): PlayerActions {
  const made = actionsByReview.get(review) ?? createActions(review);
  actionsByReview.set(review, made);
  return made;
}

/** The pane that frames are counted by: the enlarged one, else the first with a picture at this time. */
export function leadingChannel(review: Pick<Review, 'store'>, sceneMs: number): string | null {
  const { scene, shown, enlarged } = review.store.getState();
  const order = enlarged === null ? shown : [enlarged, ...shown];
  const hasPicture = (channelId: string) => {
    const channel = scene.channels.find((one) => one.channelId === channelId);
    return channel !== undefined && (shownSegment(scene, channel.segments, sceneMs)?.video ?? null) !== null;
  };
  return order.find(hasPicture) ?? order[0] ?? null;
}

function createActions(review: Review): PlayerActions {
  const { clock, store, host } = review;
  const indexes = frameIndexesOf(host);
  let stepping: Promise<void> | null = null;
  let waiting = 0;

  async function stepOnce(direction: Direction): Promise<void> {
    const nowMs = clock.nowMs();
    const { scene, chosenClip } = store.getState();
    const channelId = leadingChannel(review, nowMs);
    const segments = scene.channels.find((one) => one.channelId === channelId)?.segments ?? [];
    const timesOf = (segment: ReviewSegment) =>
      indexes.read(segment, chosenClip.get(segment.clipId) ?? segment.clipId);
    const here = shownSegment(scene, segments, nowMs);
    if (here) {
      const times = await timesOf(here);
      const next = times.indexAt(toClipS(here, nowMs)) + direction;
      const nextMs = toSceneMs(here, times.startS(next));
      if (next >= 0 && next < times.count && nextMs < here.endMs) {
        clock.seek(nextMs);
        return allSettled(review, longestStepMs);
      }
    }
    const other =
      direction > 0
        ? segments.find(({ startMs }) => startMs > nowMs)
        : segments.findLast(({ endMs }) => endMs <= (here?.startMs ?? nowMs));
    if (!other) return;
    if (direction > 0) clock.seek(other.startMs);
    else {
      const times = await timesOf(other);
      clock.seek(toSceneMs(other, times.startS(times.count - 1)));
    }
    return allSettled(review, longestStepMs);
  }
  function jump(ms: number | null, nothing: string): void {
    if (ms === null) notifyInfo('Nowhere to go', nothing);
    else clock.seek(ms);
  }

  return {
    togglePlay() {
      const { isPlaying, rate } = clock.state.getState();
      if (isPlaying) return clock.pause();
      if (rate < 0) clock.setRate(-rate);
      clock.play();
    },
    shuttle(direction) {
      const { isPlaying, rate } = clock.state.getState();
      const goesOn = isPlaying && Math.sign(rate) === direction;
      const size = goesOn ? Math.min(fastestRate, Math.abs(rate) * 2) : direction > 0 && rate > 0 ? rate : 1;
      clock.setRate(direction * size);
      clock.play();
    },
    stop() {
      clock.pause();
      const { rate } = clock.state.getState();
      // What the shuttle sped up is over; a slow speed was chosen and stays.
      if (rate < 0 || rate > 1) clock.setRate(1);
    },
    stepFrame(direction, isRepeat = false) {
      clock.pause();
      if (stepping && (isRepeat || waiting >= mostWaiting)) return stepping;
      waiting += 1;
      const mine: Promise<void> = (stepping ?? Promise.resolve())
        .then(() => stepOnce(direction))
        .finally(() => {
          waiting -= 1;
          if (stepping === mine) stepping = null;
        });
      stepping = mine;
      return mine;
    },
    jumpBy: (ms) => clock.seek(clock.nowMs() + ms),
    toStart: () => clock.seek(store.getState().scene.fromMs),
    toEnd: () => clock.seek(store.getState().scene.toMs),
    toPeakG() {
      const { telemetry } = review.telemetry.getState();
      jump(
        peakG(review)?.timeMs ?? null,
        telemetry.status === 'loading'
          ? 'The G-sensor samples are still being read.'
          : 'No clip of this scene has G-sensor samples.',
      );
    },
    toMark(direction) {
      const times = markTimes(store.getState().scene, review.marks.getState().marks);
      const which = direction > 0 ? 'after' : 'before';
      jump(nextOf(times, clock.nowMs(), direction), `There is no mark and no event ${which} this moment.`);
    },
    toGap(direction) {
      const { scene, shown } = store.getState();
      const which = direction > 0 ? 'after' : 'before';
      jump(
        nextOf(gapStarts(scene, shown), clock.nowMs(), direction),
        `No gap begins ${which} this moment in the views shown.`,
      );
    },
    changeSpeed(direction) {
      const size = Math.abs(clock.state.getState().rate);
      const next =
        direction > 0 ? speeds.find((speed) => speed > size) : speeds.findLast((speed) => speed < size);
      if (next !== undefined) clock.setRate(next);
    },
    setIn: () => store.setState({ inMs: clock.nowMs() }),
    setOut: () => store.setState({ outMs: clock.nowMs() }),
    toggleLoop() {
      if (clock.state.getState().loop) return clock.setLoop(null);
      const { inMs, outMs } = store.getState();
      if (inMs === null || outMs === null || outMs <= inMs) {
        notifyInfo('No loop', 'Set an in point (I) and, after it, an out point (O) first.');
        return;
      }
      clock.setLoop({ fromMs: inMs, toMs: outMs });
    },
    bookmark: () => void review.marks.bookmark(),
    still(channelId) {
      const chosen = channelId ?? leadingChannel(review, clock.nowMs());
      if (chosen !== null) void review.marks.still(chosen, { withStamp: false });
    },
    toggleEnlarged(channelId) {
      store.setState({ enlarged: store.getState().enlarged === channelId ? null : channelId });
    },
  };
}

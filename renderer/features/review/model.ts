import type { StoreApi } from 'zustand/vanilla';
import type { Derived } from '../../../shared/contract/derived.ts';
import type { Mark } from '../../../shared/contract/marks.ts';
import type { ReviewScene, ReviewSegment } from '../../../shared/contract/review.ts';
import type { CaseId, ClipId, DerivedId, TripId } from '../../../shared/ids.ts';
import type { Host } from '../../app/client/index.ts';
import type { Loadable } from '../../ui/index.ts';

/** A stretch of the scene's time, ms; see ReviewScene.timebase. */
export interface SceneSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The scene's only running time. Videos, charts and map follow it; nothing else counts time. */
export interface MasterClock {
  /** Scene ms of this very moment, within the scene's span. */
  nowMs(): number;
  readonly state: StoreApi<MasterClockState>;
  play(): void;
  pause(): void;
  /** Stops at the scene's ends. `isScrubbing`: more seeks follow at once, only the last picture counts. */
  seek(sceneMs: number, options?: { readonly isScrubbing?: boolean }): void;
  /** 0.1 to 8; below zero (-0.1 to -8) time runs backwards and the videos follow by seeking. */
  setRate(rate: number): void;
  /** Plays this stretch over and over; null: to the end. */
  setLoop(span: SceneSpan | null): void;
  /** Called once for every drawn frame while playing, and once after every seek. Returns the end of it. */
  onTick(listener: (sceneMs: number) => void): () => void;
  /**
   * Time stands still until the returned function is called, or for `longestHoldMs` at most: for a video that is not
   * ready to follow. What the user asked for (`isPlaying`) stays.
   */
  hold(): () => void;
}
export interface MasterClockState {
  readonly isPlaying: boolean;
  /** Playing was asked for, and time stands still because a video is not ready. */
  readonly isHeld: boolean;
  readonly rate: number;
  readonly loop: SceneSpan | null;
}

/** What a pane shows right now, as the browser reported it. */
export interface ShownFrame {
  readonly channelId: string;
  readonly clipId: ClipId;
  /** Presentation time of the picture on screen, seconds on the clip. */
  readonly clipS: number;
  /** The same on the scene's time. */
  readonly sceneMs: number;
  /** Counted from 0 in order of presentation; null while the clip's frame index is not read. */
  readonly frameIndex: number | null;
}

export type ReviewZone = 'utc' | 'local' | 'vehicle';

export interface ReviewState {
  readonly scene: ReviewScene;
  readonly zone: ReviewZone;
  /** What the charts and lanes show. */
  readonly view: SceneSpan;
  /** In and out point; either may be missing. */
  readonly inMs: number | null;
  readonly outMs: number | null;
  /** Channels with a pane, left to right, at most four. */
  readonly shown: readonly string[];
  /** The pane that fills the player; null: side by side. */
  readonly enlarged: string | null;
  /** Other qualities that the user chose, by the segment's own clip. */
  readonly chosenClip: ReadonlyMap<ClipId, ClipId>;
  /** By channel; empty where a pane shows no picture now. */
  readonly frames: ReadonlyMap<string, ShownFrame>;
  /** Largest minus smallest scene time of the pictures on screen, ms; null with fewer than two. */
  readonly stepMs: number | null;
  /** The case that marks, stills and trims go to. */
  readonly caseId: CaseId | null;
}

/** Positions and G values of the scene's vehicle on the scene's time, in order of time. NaN is absent. */
export interface SceneTelemetry {
  /** Whose camera they come from. */
  readonly psn: string | null;
  readonly gps: {
    readonly timesMs: Float64Array;
    readonly latDeg: Float64Array;
    readonly lngDeg: Float64Array;
    /** As recorded by the camera. */
    readonly speedKmh: Float64Array;
    readonly headingDeg: Float64Array;
    readonly altitudeM: Float64Array;
    /** From positions (shared/geometry.ts), a line of its own and never mixed with the recorded one. */
    readonly computedSpeedKmh: Float64Array;
  } | null;
  readonly gSensor: {
    readonly timesMs: Float64Array;
    readonly axisNames: readonly [string, string, string];
    /** Camera frame, gravity included. */
    readonly axesG: readonly [Float64Array, Float64Array, Float64Array];
  } | null;
  /** Stretches of clips with GPS times but without a fix. */
  readonly noFix: readonly SceneSpan[];
  /** Where the samples come from, for the label: clip files, or the service's metadata. */
  readonly origin: 'clip' | 'metadata';
}
export interface TelemetryState {
  readonly telemetry: Loadable<SceneTelemetry>;
  /** Clips read so far of those with telemetry. */
  readonly read: number;
  readonly total: number;
  /** Which of the two sources is in use where both are here. */
  readonly origin: 'clip' | 'metadata';
  readonly canChoose: boolean;
  /** Clips whose telemetry could not be read; they leave gaps. */
  readonly failures?: readonly { readonly fileName: string; readonly error: unknown }[];
}
export interface TelemetryStore extends Pick<
  StoreApi<TelemetryState>,
  'getState' | 'subscribe' | 'getInitialState'
> {
  choose(origin: 'clip' | 'metadata'): void;
  /** The sample at or before a scene time, and none further than `maxAgeMs` back; null without one. */
  gpsIndexAt(sceneMs: number, maxAgeMs?: number): number | null;
}

/** One step that can be undone, with words for the button ("Undo: bookmark"). */
export interface UndoStep {
  readonly label: string;
  undo(): Promise<void>;
  redo(): Promise<void>;
}
export interface UndoStack {
  readonly state: StoreApi<{
    readonly undo: string | null;
    readonly redo: string | null;
    readonly isBusy: boolean;
  }>;
  /** A step that was just done. */
  push(step: UndoStep): void;
  undo(): Promise<void>;
  redo(): Promise<void>;
}

/** One clip's part of a trim that is asked about. Times are seconds on the clip. */
export interface TrimPart {
  readonly clipId: ClipId;
  readonly fileName: string;
  readonly askedS: { readonly from: number; readonly to: number };
  /** Where a lossless cut would begin and end; null: the clip has no readable index and can't be cut. */
  readonly actual: {
    readonly fromS: number;
    readonly toS: number;
    readonly frames: number;
    readonly approximateBytes: number;
  } | null;
  /** Scene time of a second of this clip. */
  readonly sceneMsOf: (clipS: number) => number;
}
/** What the trim dialogue asks before anything is cut. */
export interface TrimQuestion {
  readonly channelName: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly parts: Loadable<readonly TrimPart[]>;
  confirm(): Promise<void>;
  cancel(): void;
}

export interface MarkState {
  readonly marks: readonly Mark[];
  readonly derived: readonly Derived[];
  readonly error: unknown;
  /** Stills and trims that are in the chosen case (ReviewState.caseId); absent or empty without one. */
  readonly inCase?: ReadonlySet<DerivedId>;
  /** The trim dialogue is open with this; absent or null: closed. */
  readonly trimQuestion?: TrimQuestion | null;
}
export interface MarkStore extends Pick<StoreApi<MarkState>, 'getState' | 'subscribe' | 'getInitialState'> {
  /** A bookmark at the clock's time. */
  bookmark(): Promise<void>;
  /** A range mark of in and out. */
  keepRange(): Promise<void>;
  /** A still of a pane's picture as it is now. `withStamp` also keeps a stamped copy. */
  still(channelId: string, options: { readonly withStamp: boolean }): Promise<void>;
  /** Asks (MarkState.trimQuestion), then cuts a channel's clips between in and out without loss. */
  trim(channelId: string): Promise<void>;
}

/** Pictures of the panes, for stills and thumbnails: drawn from the decoded frame at full size. */
export interface PictureSource {
  /** Null where the pane shows no picture. */
  capture(channelId: string): Promise<{
    readonly frame: ShownFrame;
    readonly png: Blob;
    readonly widthPx: number;
    readonly heightPx: number;
  } | null>;
}

/** One open scene with everything that moves in it. Lives until another is opened. */
export interface Review {
  readonly host: Host;
  readonly clock: MasterClock;
  readonly store: StoreApi<ReviewState>;
  readonly telemetry: TelemetryStore;
  readonly marks: MarkStore;
  readonly undo: UndoStack;
  /** Set by the player while it is on screen. */
  pictures: PictureSource | null;
  /** Opens the scene anew after a clock changed; keeps time, view and panes. */
  reload(): Promise<void>;
  /** Tracks of other cameras that are drawn, and those hidden by the user. */
  readonly hiddenTracks: StoreApi<{ readonly tripIds: ReadonlySet<TripId> }>;
  close(): void;
}

/** The segment of a channel at a scene time; null in a gap. `segments` are in order, without overlaps. */
export function segmentAt(segments: readonly ReviewSegment[], sceneMs: number): ReviewSegment | null {
  let from = 0;
  let to = segments.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (segments[middle]!.startMs <= sceneMs) from = middle + 1;
    else to = middle;
  }
  const found = segments[from - 1];
  return found && sceneMs < found.endMs ? found : null;
}

/** Seconds on the clip of a scene time (ReviewSegment). */
export const toClipS = (segment: ReviewSegment, sceneMs: number): number =>
  (sceneMs - segment.startMs) / (1000 * segment.rate);

/** Scene time of a second on the clip. */
export const toSceneMs = (segment: ReviewSegment, clipS: number): number =>
  segment.startMs + clipS * 1000 * segment.rate;

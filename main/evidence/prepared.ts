import type { SourceClock } from '../../shared/contract/review.ts';
import type { ClipId, DerivedId } from '../../shared/ids.ts';

/** A text that lies ready in a file of its own, outside the blobs. */
export interface PreparedFile {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Where a stream of a clip has samples: ms from the clip's start, in order, its gaps taken out. */
export interface PreparedStream {
  readonly samples: number;
  readonly spans: readonly { readonly fromMs: number; readonly toMs: number }[];
}

/** What only a reader of videos can tell of a clip. Null: the clip has no such part, or can't be read. */
export interface PreparedClip {
  readonly clipId: ClipId;
  readonly telemetry: PreparedFile | null;
  readonly positions: PreparedStream | null;
  readonly gSensor: PreparedStream | null;
}

/**
 * What the clips of a case say, made before sealing by who may read videos (main/desk/sealClips.ts): this room
 * knows files and hashes, not pictures. Plain data: it crosses to the seal's thread.
 */
export interface PreparedEvidence {
  /** The clocks in use: of each clip, and of telemetry and trips that were moved by hand. */
  readonly clocks: readonly SourceClock[];
  /** Null in a preview: every clip would have to be read for it. */
  readonly telemetry: {
    readonly clips: readonly PreparedClip[];
    /** Of every trim: the telemetry of what it holds; null where its clip has none. */
    readonly slices: readonly { readonly derivedId: DerivedId; readonly file: PreparedFile | null }[];
  } | null;
}

/** A case without clips needs no more. */
export const nothingPrepared: PreparedEvidence = {
  clocks: [],
  telemetry: { clips: [], slices: [] },
};

import { z } from 'zod';
import type { CaseId, ClipId, DerivedId, JobId, UploadId } from '../ids.ts';
import { idSchema, output, request } from './define.ts';

/** How a derived file came to be (evidence-package.md, derived/): enough to make it again. Goes beside it as JSON. */
export interface Recipe {
  readonly schemaVersion: 1;
  readonly kind: DerivedKind;
  readonly source: {
    readonly clipId: ClipId;
    readonly fileName: string;
    readonly sha256: string;
  };
  /** Seconds on the clip. For a still: the time of the frame that was asked for. */
  readonly requestedS: { readonly from: number; readonly to: number };
  /** What it holds: presentation times of the first and the end of the last frame (for a still, of its frame). */
  readonly actualS: { readonly from: number; readonly to: number };
  /** The frame of a still, counted from 0 in order of presentation; null for trims and where the index is unreadable. */
  readonly frameIndex: number | null;
  /** Of `actualS`, by the clock in use; null unknown. */
  readonly startUtcMs: number | null;
  readonly endUtcMs: number | null;
  readonly uncertaintyMs: number | null;
  /** How that clock was found, one sentence. */
  readonly clockHow: string | null;
  readonly tool: { readonly name: string; readonly version: string };
  readonly output: {
    readonly fileName: string;
    readonly sha256: string;
    readonly sizeBytes: number;
    readonly widthPx: number | null;
    readonly heightPx: number | null;
  };
  /** What the derived file lacks of the original, one sentence each. */
  readonly lost: readonly string[];
  /** Text burned into the picture; null for none. */
  readonly stamp: string | null;
}

/** `stamped-still`: a copy of a still with a text burned in; `trim`: a lossless cut at key frames. */
export type DerivedKind = 'still' | 'stamped-still' | 'trim';

/** A file made from a clip. Its bytes are `media/derived/<derivedId>`. */
export interface Derived {
  readonly derivedId: DerivedId;
  readonly clipId: ClipId;
  readonly kind: DerivedKind;
  readonly fileName: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly caseId: CaseId | null;
  readonly actor: string;
  readonly madeAtMs: number;
  readonly recipe: Recipe;
}

const derivedId = idSchema<DerivedId>();
const clipId = idSchema<ClipId>();
const caseId = idSchema<CaseId>();
const seconds = z.number().finite().min(0);

export const derivedRequests = {
  /** Newest first; those taken away are left out. */
  'derived.list': request(
    z.object({ caseId: caseId.nullable().optional(), clipId: clipId.optional() }).strict(),
    output<readonly Derived[]>(),
  ),
  /**
   * Keeps a picture that the window drew of a frame: a PNG of the video's full size (`invalid_input` otherwise), handed
   * over as an upload. `frameS` is the presentation time that the player reported. With a case it becomes an exhibit.
   */
  'derived.still': request(
    z
      .object({
        clipId,
        frameS: seconds,
        uploadId: idSchema<UploadId>(),
        caseId: caseId.nullable(),
        /** The text that was burned in; null: the picture is as decoded. */
        stamp: z.string().max(500).nullable(),
      })
      .strict(),
    output<Derived>(),
  ),
  /** Where a lossless cut would really begin and end; null where the clip has no readable index. */
  'derived.trimPreview': request(
    z.object({ clipId, fromS: seconds, toS: seconds }).strict(),
    output<{
      readonly fromS: number;
      readonly toS: number;
      readonly frames: number;
      readonly approximateBytes: number;
    } | null>(),
  ),
  /** Cuts without loss, beginning at the key frame at or before `fromS`. A job of kind `trim`; result `{derivedId}`. */
  'derived.trim': request(
    z.object({ clipId, fromS: seconds, toS: seconds, caseId: caseId.nullable() }).strict(),
    output<{ readonly jobId: JobId }>(),
  ),
  /** Takes it away (from its case too); `derived.restore` brings it back. */
  'derived.remove': request(z.object({ derivedId }).strict(), output<null>()),
  'derived.restore': request(z.object({ derivedId }).strict(), output<Derived>()),
  /** The same telemetry that goes into a package beside a clip: CSV text with units in its header. */
  'derived.telemetryCsv': request(
    z.object({ clipId, fromS: seconds.optional(), toS: seconds.optional() }).strict(),
    output<string | null>(),
  ),
} as const;

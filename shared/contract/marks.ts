import { z } from 'zod';
import type { CaseId, ClipId, MarkId } from '../ids.ts';
import { idSchema, output, request } from './define.ts';

/** Where on a clip a mark was made: it holds even when the clip's clock is set anew. */
export interface MarkAnchor {
  readonly clipId: ClipId;
  /** Presentation time of the frame that was shown, seconds on the clip. */
  readonly clipS: number;
}

/** A bookmark (an instant) or a range (in and out) with words. */
export interface Mark {
  readonly markId: MarkId;
  /** Null: belongs to no case. */
  readonly caseId: CaseId | null;
  readonly kind: 'bookmark' | 'range';
  /** UTC ms at the time of marking; null where no clock was known. */
  readonly fromMs: number | null;
  /** For ranges; null for bookmarks. */
  readonly toMs: number | null;
  /** ± ms of `fromMs` when it was made; null unknown. */
  readonly uncertaintyMs: number | null;
  readonly from: MarkAnchor | null;
  readonly to: MarkAnchor | null;
  readonly title: string;
  readonly note: string;
  readonly tags: readonly string[];
  readonly actor: string;
  readonly madeAtMs: number;
  readonly editedAtMs: number | null;
}

const markId = idSchema<MarkId>();
const caseId = idSchema<CaseId>();
const anchor = z.object({ clipId: idSchema<ClipId>(), clipS: z.number().finite().min(0) }).strict();
const words = {
  title: z.string().trim().max(200),
  note: z.string().max(100_000),
  tags: z.array(z.string().trim().min(1).max(60)).max(50),
};
const place = {
  fromMs: z.number().finite().nullable(),
  toMs: z.number().finite().nullable(),
  uncertaintyMs: z.number().finite().min(0).nullable(),
  from: anchor.nullable(),
  to: anchor.nullable(),
};

export const markRequests = {
  /** By time. Without `caseId`: all; with null: those of no case. Those taken away are left out. */
  'marks.list': request(
    z
      .object({
        caseId: caseId.nullable().optional(),
        clipIds: z.array(idSchema<ClipId>()).max(5000).optional(),
        fromMs: z.number().finite().optional(),
        toMs: z.number().finite().optional(),
      })
      .strict(),
    output<readonly Mark[]>(),
  ),
  /** `invalid_input` for a range that ends before it begins, or a mark with neither time nor anchor. */
  'marks.add': request(
    z.object({ caseId: caseId.nullable(), kind: z.enum(['bookmark', 'range']), ...place, ...words }).strict(),
    output<Mark>(),
  ),
  'marks.edit': request(
    z
      .object({
        markId,
        caseId: caseId.nullable().optional(),
        title: words.title.optional(),
        note: words.note.optional(),
        tags: words.tags.optional(),
        fromMs: place.fromMs.optional(),
        toMs: place.toMs.optional(),
        from: place.from.optional(),
        to: place.to.optional(),
      })
      .strict(),
    output<Mark>(),
  ),
  /** Takes it away; `marks.restore` brings it back as it was. */
  'marks.remove': request(z.object({ markId }).strict(), output<null>()),
  'marks.restore': request(z.object({ markId }).strict(), output<Mark>()),
} as const;

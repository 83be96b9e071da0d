import { z } from 'zod';
import type { CaseId, ClipId, DerivedId, ExhibitId, NoteId, SourceId, TripId } from '../ids.ts';
import type { TimeRange } from '../track.ts';
import type { ExhibitRef } from './exhibitRef.ts';
import { event, idSchema, nothing, output, request } from './define.ts';

export type { ExhibitRef } from './exhibitRef.ts';

export interface Exhibit {
  readonly exhibitId: ExhibitId;
  readonly ref: ExhibitRef;
  /** What to call it in lists: camera and start of a trip, file name of a source, a clip or a derived file. */
  readonly title: string;
  readonly sha256: string;
  readonly addedAtMs: number;
}

export interface Note {
  readonly noteId: NoteId;
  readonly text: string;
  readonly writtenAtMs: number;
  readonly editedAtMs: number | null;
}

export interface CaseSummary {
  readonly caseId: CaseId;
  readonly name: string;
  readonly createdAtMs: number;
  readonly exhibits: number;
  readonly notes: number;
  readonly range: TimeRange;
  readonly packages: number;
}

export interface CaseFile extends CaseSummary {
  readonly exhibitList: readonly Exhibit[];
  readonly noteList: readonly Note[];
}

/** One link of the chain: `hash` is SHA-256 over the entry without `hash` in RFC 8785 JSON, `prev` the hash before. */
export interface CustodyEntry {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string; readonly sha256: string | null };
  readonly detail: Readonly<Record<string, unknown>>;
  readonly prev: string | null;
  readonly hash: string;
}

const name = z.string().trim().min(1).max(200);
const text = z.string().trim().min(1).max(100_000);
const caseId = idSchema<CaseId>();
const exhibitRef = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('trip'), tripId: idSchema<TripId>() }).strict(),
  z.object({ kind: z.literal('source'), sourceId: idSchema<SourceId>() }).strict(),
  z.object({ kind: z.literal('clip'), clipId: idSchema<ClipId>() }).strict(),
  z.object({ kind: z.literal('derived'), derivedId: idSchema<DerivedId>() }).strict(),
]);
const bound = z.number().finite().nullable();

export const caseRequests = {
  'cases.list': request(nothing, output<readonly CaseSummary[]>()),
  'cases.get': request(z.object({ caseId }).strict(), output<CaseFile>()),
  /** Fails with `already_exists` when a case has the name (letter case aside). */
  'cases.create': request(z.object({ name }).strict(), output<CaseFile>()),
  'cases.rename': request(z.object({ caseId, name }).strict(), output<CaseFile>()),
  /** Adding what is there already changes nothing. */
  'cases.add': request(
    z.object({ caseId, refs: z.array(exhibitRef).min(1).max(10_000) }).strict(),
    output<CaseFile>(),
  ),
  'cases.removeExhibit': request(
    z.object({ caseId, exhibitId: idSchema<ExhibitId>() }).strict(),
    output<CaseFile>(),
  ),
  'cases.setRange': request(z.object({ caseId, fromMs: bound, toMs: bound }).strict(), output<CaseFile>()),
  'cases.addNote': request(z.object({ caseId, text }).strict(), output<CaseFile>()),
  'cases.editNote': request(
    z.object({ caseId, noteId: idSchema<NoteId>(), text }).strict(),
    output<CaseFile>(),
  ),
  'cases.removeNote': request(z.object({ caseId, noteId: idSchema<NoteId>() }).strict(), output<CaseFile>()),
  /** Takes the case away; its exhibits stay in the library, its custody entries stay for ever. */
  'cases.remove': request(z.object({ caseId }).strict(), output<null>()),
  /** Custody entries that concern the case (or all, without one), oldest first. */
  'custody.list': request(
    z
      .object({
        caseId: caseId.optional(),
        afterSeq: z.number().int().min(0).optional(),
        limit: z.number().int().min(1).max(10_000).optional(),
      })
      .strict(),
    output<{
      readonly entries: readonly CustodyEntry[];
      readonly total: number;
      readonly isChainWhole: boolean;
    }>(),
  ),
} as const;

export const caseEvents = {
  'cases.changed': event<{ readonly caseId: CaseId | null }>(),
} as const;

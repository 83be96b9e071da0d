import type { ClipId, DerivedId, SourceId, TripId } from '../ids.ts';

export type ExhibitRef =
  | { readonly kind: 'trip'; readonly tripId: TripId }
  | { readonly kind: 'source'; readonly sourceId: SourceId }
  | { readonly kind: 'clip'; readonly clipId: ClipId }
  /** A still or a trim; the clip that it was made from is an exhibit of its own, or is left out and said so. */
  | { readonly kind: 'derived'; readonly derivedId: DerivedId };

/** The id inside a reference, whatever its kind. */
export function refIdOf(ref: ExhibitRef): TripId | SourceId | ClipId | DerivedId {
  switch (ref.kind) {
    case 'trip':
      return ref.tripId;
    case 'source':
      return ref.sourceId;
    case 'clip':
      return ref.clipId;
    case 'derived':
      return ref.derivedId;
  }
}

/** The reference of a kind with an id, as stores keep them: the reverse of `refIdOf`. */
export function toExhibitRef(kind: string, id: string): ExhibitRef {
  // The brands have no runtime form; whoever wrote the id made it from one.
  if (kind === 'trip') return { kind, tripId: id as TripId };
  if (kind === 'clip') return { kind, clipId: id as ClipId };
  if (kind === 'derived') return { kind, derivedId: id as DerivedId };
  return { kind: 'source', sourceId: id as SourceId };
}

/** Identifiers that cannot be mixed up: a TripId is not accepted where a SourceId is asked for. */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type SourceId = Branded<'SourceId'>;
/** One video file in the cache. */
export type ClipId = Branded<'ClipId'>;
export type TripId = Branded<'TripId'>;
export type CaseId = Branded<'CaseId'>;
export type ExhibitId = Branded<'ExhibitId'>;
export type NoteId = Branded<'NoteId'>;
/** A bookmark or a range that a reviewer marked. */
export type MarkId = Branded<'MarkId'>;
/** A still or a trim made from a clip. */
export type DerivedId = Branded<'DerivedId'>;
export type JobId = Branded<'JobId'>;
export type AccountId = Branded<'AccountId'>;
export type RecallId = Branded<'RecallId'>;
export type PackageId = Branded<'PackageId'>;
/** A file that a front end handed to the host and that lies, hashed, in the cache's `partial/` folder. */
export type UploadId = Branded<'UploadId'>;

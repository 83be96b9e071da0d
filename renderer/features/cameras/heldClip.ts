import type { ClipId, SourceId } from '../../../shared/ids.ts';

/** A clip in the cache, and its source, are kept under the beginning of its file's hash. */
export function clipIdOf(sha256: string): ClipId {
  return `clip_${sha256.slice(0, 16)}` as ClipId; // the brand has no runtime form
}
export function sourceIdOf(sha256: string): SourceId {
  return `src_${sha256.slice(0, 16)}` as SourceId; // the brand has no runtime form
}

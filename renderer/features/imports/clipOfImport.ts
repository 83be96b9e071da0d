import type { ImportedSource } from '../../../shared/contract/imports.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { clipIdOf } from '../cameras/heldClip.ts';

/** The clip that a file of an import is, in the library now or before; none for tracks and refused files. Pure. */
export function clipOfImport(source: ImportedSource): readonly ClipId[] {
  if (source.sha256 === null || source.status === 'failed') return [];
  const isClip = source.entries.some(({ format }) => format === 'mp4') && source.trips === 0;
  // A duplicate is not read again: its name has to tell.
  const isKnownClip = source.status === 'duplicate' && /\.(mp4|mov)$/i.test(source.fileName);
  return isClip || isKnownClip ? [clipIdOf(source.sha256)] : [];
}

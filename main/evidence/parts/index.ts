import { clipParts, derivedParts } from './clipParts.ts';
import { clockPart } from './clockPart.ts';
import { custodyParts } from './custodyParts.ts';
import { evidencePart } from './evidencePart.ts';
import { originalParts } from './originalParts.ts';
import type { PackagePart, PartContext, PartMaker } from './part.ts';
import { toolsPart } from './toolsPart.ts';
import { trackParts } from './trackParts.ts';

/** Everything that a package is made of. A new kind of content joins here and nowhere else. */
const partMakers: readonly PartMaker[] = [
  evidencePart,
  custodyParts,
  clockPart,
  toolsPart,
  trackParts,
  clipParts,
  derivedParts,
  originalParts,
];

/** The payload of a package, in the order of paths: the same facts give the same list. */
export function partsOf(context: PartContext): readonly PackagePart[] {
  const parts = partMakers.flatMap((make) => make(context));
  return parts.sort((a, b) => (a.path < b.path ? -1 : 1));
}

import type { SealedClip } from '../clipFacts.ts';
import { kindName, type SealedDerived } from '../derivedFacts.ts';
import type { PreparedFile } from '../prepared.ts';
import { jsonPart, textFilePart, type PackagePart, type PartMaker } from './part.ts';

/** clips/: recalled and imported clips, bit for bit; telemetry/: what is embedded in them, as CSV. */
export const clipParts: PartMaker = ({ facts }) => facts.clips.flatMap(partsOfClip);

function partsOfClip({ clip, path, blobPath, telemetry }: SealedClip): readonly PackagePart[] {
  const parts: PackagePart[] = [];
  if (path !== null) {
    parts.push({
      path,
      why: `the clip "${clip.fileName}" as it was received, bit for bit`,
      sizeBytes: clip.sizeBytes,
      content: {
        kind: 'original',
        blobPath,
        sha256: clip.sha256,
        sizeBytes: clip.sizeBytes,
        fileName: clip.fileName,
      },
    });
  }
  if (telemetry) parts.push(csvPart(telemetry, `GPS and G-sensor samples inside "${clip.fileName}"`));
  return parts;
}

/** snapshots/ and derived/: stills and trims, each with its recipe beside it. */
export const derivedParts: PartMaker = ({ facts }) => facts.derived.flatMap(partsOfDerived);

function partsOfDerived({
  derived,
  path,
  recipePath,
  blobPath,
  slice,
}: SealedDerived): readonly PackagePart[] {
  const { recipe, sha256, sizeBytes, fileName } = derived;
  const parts: PackagePart[] = [
    {
      path,
      why: `${kindName(derived)} from "${recipe.source.fileName}"`,
      sizeBytes,
      content: { kind: 'original', blobPath, sha256, sizeBytes, fileName },
    },
    jsonPart(recipePath, `how ${fileName} was made, and from what`, recipe),
  ];
  if (slice) parts.push(csvPart(slice, `GPS and G-sensor samples of what ${fileName} holds`));
  return parts;
}

function csvPart(
  { path, file }: { readonly path: string; readonly file: PreparedFile | null },
  why: string,
): PackagePart {
  if (file) return textFilePart(path, why, file);
  // A preview says what there will be; nobody seals from it.
  const pieces = (): never => {
    throw new Error(`${path} is not prepared`);
  };
  return { path, why, sizeBytes: null, content: { kind: 'text', pieces, mostBytes: 0 } };
}

import type { ClipId } from '../../../shared/ids.ts';
import type { ListedNamesake } from '../../cache/cardRepository.ts';

/** A clip that is surely the recording of a camera's card. */
export interface NameMatch {
  readonly clipId: ClipId;
  readonly sha256: string;
  readonly fileName: string;
  readonly mainName: string;
  readonly psn: string;
  /** True: the card's listing states the file's very length; null: it states none. */
  readonly sizeAgrees: true | null;
  readonly seenAtMs: number;
}

/**
 * Which clips that were copied by hand are recordings of which camera: those whose name stands in the listing of one
 * card alone, and whose length is not another than the listing says. Names are wall-clock seconds, which cameras of a
 * fleet share: a name on two cards decides nothing, and the clip stays of unknown camera.
 */
export function matchByName(namesakes: readonly ListedNamesake[]): readonly NameMatch[] {
  const byClip = new Map<ClipId, ListedNamesake[]>();
  for (const one of namesakes) byClip.set(one.clipId, [...(byClip.get(one.clipId) ?? []), one]);
  return [...byClip.values()].flatMap((listed): NameMatch[] => {
    const [first] = listed;
    if (!first || listed.some(({ psn }) => psn !== first.psn)) return [];
    const sizes = listed.flatMap(({ listedBytes }) =>
      listedBytes !== null && listedBytes > 0 ? listedBytes : [],
    );
    if (sizes.length > 0 && !sizes.includes(first.sizeBytes)) return [];
    const { clipId, sha256, fileName, mainName, psn } = first;
    const seenAtMs = Math.max(...listed.map((one) => one.seenAtMs));
    return [
      { clipId, sha256, fileName, mainName, psn, sizeAgrees: sizes.length > 0 ? true : null, seenAtMs },
    ];
  });
}

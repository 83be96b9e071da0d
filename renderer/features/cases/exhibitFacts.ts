import type { CaseFile } from '../../../shared/contract/cases.ts';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { Clip } from '../../../shared/contract/clips.ts';
import type { Derived } from '../../../shared/contract/derived.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { formatBytes, formatDuration } from '../../ui/index.ts';

/** Beyond this many, one list of all clips costs less than asking for each. */
const singlesLimit = 40;

/** The clips with these ids that are in the library. */
export async function readClips(client: DeskClient, clipIds: readonly ClipId[]): Promise<readonly Clip[]> {
  if (clipIds.length <= singlesLimit) {
    return Promise.all(clipIds.map((clipId) => client.invoke('clips.get', { clipId })));
  }
  const wanted = new Set(clipIds);
  return (await client.invoke('clips.list', {})).filter((clip) => wanted.has(clip.clipId));
}

/** What lists say of an exhibit beside its title. */
export interface ExhibitFacts {
  readonly text: string;
  /** Where Review shows it. */
  readonly moment: { readonly clipId: ClipId; readonly atMs: number | null };
  /** Media path of a picture of it; null without one. */
  readonly picture: string | null;
}

/** Facts of the clips, stills and trims of a case, by the id of each. */
export async function readExhibitFacts(
  client: DeskClient,
  file: CaseFile,
): Promise<ReadonlyMap<string, ExhibitFacts>> {
  const refs = file.exhibitList.map(({ ref }) => ref);
  const clipIds = refs.flatMap((ref) => (ref.kind === 'clip' ? [ref.clipId] : []));
  const hasDerived = refs.some((ref) => ref.kind === 'derived');
  const [clips, derived, names] = await Promise.all([
    readClips(client, clipIds),
    hasDerived ? client.invoke('derived.list', { caseId: file.caseId }) : [],
    clipIds.length > 0 ? readCameraNames(client) : new Map<string, string>(),
  ]);
  return new Map<string, ExhibitFacts>([
    ...clips.map((clip) => [clip.clipId, factsOfClip(clip, names)] as const),
    ...derived.map((one) => [one.derivedId, factsOfDerived(one)] as const),
  ]);
}

/** What people call the cameras whose tracks are in the library, by serial. */
export async function readCameraNames(client: DeskClient): Promise<ReadonlyMap<string, string>> {
  const cameras = await client.invoke('cameras.list', {});
  return new Map(
    cameras.flatMap(({ psn, name }) => (psn === null || name === null ? [] : [[psn, name] as const])),
  );
}

function factsOfClip(clip: Clip, names: ReadonlyMap<string, string>): ExhibitFacts {
  const name = names.get(clip.psn ?? '');
  const text = name === undefined ? clipText(clip) : `${name} · ${clipText(clip)}`;
  return { text, moment: { clipId: clip.clipId, atMs: null }, picture: null };
}

function factsOfDerived(derived: Derived): ExhibitFacts {
  return {
    text: derivedText(derived),
    moment: { clipId: derived.clipId, atMs: derived.recipe.startUtcMs },
    picture: pictureOf(derived),
  };
}

/** "20260314_173209_EF.mp4 · 1 min · low resolution · 4.2 MB" */
export function clipText(clip: Clip): string {
  const quality = { main: 'full resolution', sub: 'low resolution', live: 'live view' };
  return [
    clip.fileName,
    ...(clip.durationS === null ? [] : [formatDuration(clip.durationS * 1000)]),
    ...(clip.quality === null ? [] : [quality[clip.quality]]),
    formatBytes(clip.sizeBytes),
    ...(clip.startUtcMs === null ? ['time unknown'] : []),
  ].join(' · ');
}

/** "Still at 12.345 s · 1920 × 1080 · 2.1 MB": its name says of which clip. */
export function derivedText({ kind, recipe, sizeBytes }: Derived): string {
  const { actualS, output } = recipe;
  const from = actualS.from.toFixed(3);
  const what = {
    still: `Still at ${from} s`,
    'stamped-still': `Stamped copy of a still at ${from} s`,
    trim: `Trim, ${from} s to ${actualS.to.toFixed(3)} s`,
  }[kind];
  const isSized = output.widthPx !== null && output.heightPx !== null;
  return [what, ...(isSized ? [`${output.widthPx} × ${output.heightPx}`] : []), formatBytes(sizeBytes)].join(
    ' · ',
  );
}

/** A still is its own picture. */
export function pictureOf({ kind, derivedId }: Derived): string | null {
  return kind === 'trim' ? null : `media/derived/${derivedId}`;
}

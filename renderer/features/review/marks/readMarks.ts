import type { Derived } from '../../../../shared/contract/derived.ts';
import type { Mark } from '../../../../shared/contract/marks.ts';
import type { ReviewScene } from '../../../../shared/contract/review.ts';
import type { CaseId, DerivedId } from '../../../../shared/ids.ts';
import type { Host } from '../../../app/client/index.ts';
import { clipIdsOf } from './anchors.ts';

/** Clip ids that one request takes (marks.list). */
const mostClips = 5000;

/** Marks on the scene's clips, and those without a clip that fall into its time. */
export async function readMarks({ client }: Host, scene: ReviewScene): Promise<readonly Mark[]> {
  const clipIds = clipIdsOf(scene);
  const reads: Promise<readonly Mark[]>[] = [];
  for (let at = 0; at < clipIds.length; at += mostClips) {
    reads.push(client.invoke('marks.list', { clipIds: clipIds.slice(at, at + mostClips) }));
  }
  if (scene.timebase === 'utc') {
    const inTime = client.invoke('marks.list', { fromMs: scene.fromMs, toMs: scene.toMs });
    reads.push(inTime.then((marks) => marks.filter(({ from, to }) => from === null && to === null)));
  }
  const byId = new Map((await Promise.all(reads)).flat().map((mark) => [mark.markId, mark]));
  return [...byId.values()];
}

/** Stills and trims of the scene's clips, whatever their case. Rejects with AppError. */
export async function readDerived({ client }: Host, scene: ReviewScene): Promise<readonly Derived[]> {
  const clips = new Set(clipIdsOf(scene));
  if (clips.size === 0) return [];
  const all = await client.invoke('derived.list', {});
  return all.filter(({ clipId }) => clips.has(clipId));
}

/** Stills and trims that were made for a case or put into it later; empty without one. Rejects with AppError. */
export async function readInCase({ client }: Host, caseId: CaseId | null): Promise<ReadonlySet<DerivedId>> {
  if (caseId === null) return new Set();
  return new Set((await client.invoke('derived.list', { caseId })).map(({ derivedId }) => derivedId));
}

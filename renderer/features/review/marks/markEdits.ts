import type { Derived } from '../../../../shared/contract/derived.ts';
import type { Mark } from '../../../../shared/contract/marks.ts';
import type { CaseId } from '../../../../shared/ids.ts';
import type { Review } from '../model.ts';
import { frameOf, clockOfClip, anchorAt } from './anchors.ts';

type EditDeps = Pick<Review, 'host' | 'undo'>;

const derivedNames = { still: 'still', 'stamped-still': 'stamped still', trim: 'trim' } as const;
const nameOf = (mark: Pick<Mark, 'kind' | 'title'>) => (mark.title === '' ? mark.kind : `“${mark.title}”`);

/** Words of a mark; what is left out stays. Rejects with AppError. Can be undone. */
export async function editWords(
  { host, undo }: EditDeps,
  mark: Mark,
  patch: { readonly title?: string; readonly note?: string; readonly tags?: readonly string[] },
): Promise<void> {
  const { markId } = mark;
  const { title, note, tags } = patch;
  const next = {
    ...(title === undefined ? {} : { title }),
    ...(note === undefined ? {} : { note }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
  };
  const before = {
    ...(title === undefined ? {} : { title: mark.title }),
    ...(note === undefined ? {} : { note: mark.note }),
    ...(tags === undefined ? {} : { tags: [...mark.tags] }),
  };
  const what = title !== undefined ? 'title' : note !== undefined ? 'note' : 'tags';
  await host.client.invoke('marks.edit', { markId, ...next });
  undo.push({
    label: `${what} of ${nameOf(mark)}`,
    undo: async () => void (await host.client.invoke('marks.edit', { markId, ...before })),
    redo: async () => void (await host.client.invoke('marks.edit', { markId, ...next })),
  });
}

/** Puts a bookmark, or one end of a range, at the clock's time. Rejects with AppError. Can be undone. */
export async function moveToNow(
  review: Pick<Review, 'host' | 'undo' | 'clock' | 'store'>,
  mark: Mark,
  end: 'from' | 'to',
): Promise<void> {
  const { host, undo } = review;
  const next = placeNow(review);
  const { markId } = mark;
  const patch = (ms: number | null, anchor: Mark['from']) =>
    end === 'from' ? { fromMs: ms, from: anchor } : { toMs: ms, to: anchor };
  const to = patch(next.ms, next.anchor);
  const back = end === 'from' ? patch(mark.fromMs, mark.from) : patch(mark.toMs, mark.to);
  await host.client.invoke('marks.edit', { markId, ...to });
  undo.push({
    label: `time of ${nameOf(mark)}`,
    undo: async () => void (await host.client.invoke('marks.edit', { markId, ...back })),
    redo: async () => void (await host.client.invoke('marks.edit', { markId, ...to })),
  });
}

/** Puts a mark into a case, or into none. Rejects with AppError. Can be undone. */
export async function moveToCase({ host, undo }: EditDeps, mark: Mark, caseId: CaseId | null): Promise<void> {
  const { markId } = mark;
  const before = mark.caseId;
  await host.client.invoke('marks.edit', { markId, caseId });
  undo.push({
    label: `case of ${nameOf(mark)}`,
    undo: async () => void (await host.client.invoke('marks.edit', { markId, caseId: before })),
    redo: async () => void (await host.client.invoke('marks.edit', { markId, caseId })),
  });
}

/** Puts a still or a trim into a case as an exhibit. Rejects with AppError. Can be undone. */
export async function addToCase({ host, undo }: EditDeps, derived: Derived, caseId: CaseId): Promise<void> {
  const { client } = host;
  const { derivedId, kind } = derived;
  const add = async () => {
    const file = await client.invoke('cases.add', { caseId, refs: [{ kind: 'derived', derivedId }] });
    return file.exhibitList.find(({ ref }) => ref.kind === 'derived' && ref.derivedId === derivedId);
  };
  let exhibit = await add();
  undo.push({
    label: `case of a ${derivedNames[kind]}`,
    async undo() {
      if (exhibit) await client.invoke('cases.removeExhibit', { caseId, exhibitId: exhibit.exhibitId });
    },
    async redo() {
      exhibit = await add();
    },
  });
}

/** Takes a mark away. Rejects with AppError. Can be undone, so nothing is asked. */
export async function removeMark({ host, undo }: EditDeps, mark: Mark): Promise<void> {
  const { markId } = mark;
  await host.client.invoke('marks.remove', { markId });
  undo.push({
    label: `removing ${nameOf(mark)}`,
    undo: async () => void (await host.client.invoke('marks.restore', { markId })),
    redo: async () => void (await host.client.invoke('marks.remove', { markId })),
  });
}

/** Takes a still or a trim away, from its case too. Rejects with AppError. Can be undone. */
export async function removeDerived({ host, undo }: EditDeps, derived: Derived): Promise<void> {
  const { derivedId, kind } = derived;
  await host.client.invoke('derived.remove', { derivedId });
  undo.push({
    label: `removing a ${derivedNames[kind]}`,
    undo: async () => void (await host.client.invoke('derived.restore', { derivedId })),
    redo: async () => void (await host.client.invoke('derived.remove', { derivedId })),
  });
}

/** Undo of files that were just made: taken away together, brought back together. */
export function pushMade(
  { host, undo }: EditDeps,
  label: string,
  made: readonly Pick<Derived, 'derivedId'>[],
): void {
  const each = async (name: 'derived.remove' | 'derived.restore') => {
    for (const { derivedId } of made) await host.client.invoke(name, { derivedId });
  };
  undo.push({ label, undo: () => each('derived.remove'), redo: () => each('derived.restore') });
}

/** The clock's time as a mark keeps it: UTC where known, and the frame on screen. */
export function placeNow({ clock, store }: Pick<Review, 'clock' | 'store'>): {
  readonly ms: number | null;
  readonly anchor: Mark['from'];
  readonly uncertaintyMs: number | null;
} {
  const state = store.getState();
  const nowMs = Math.round(clock.nowMs());
  const frame = frameOf(state, nowMs);
  const anchor = frame ? { clipId: frame.clipId, clipS: frame.clipS } : anchorAt(state, nowMs);
  return {
    ms: state.scene.timebase === 'utc' ? nowMs : null,
    anchor,
    uncertaintyMs: anchor ? (clockOfClip(state.scene, anchor.clipId)?.uncertaintyMs ?? null) : null,
  };
}

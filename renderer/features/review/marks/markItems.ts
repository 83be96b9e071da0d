import type { Derived } from '../../../../shared/contract/derived.ts';
import type { Mark } from '../../../../shared/contract/marks.ts';
import type { ReviewScene } from '../../../../shared/contract/review.ts';
import type { MarkState } from '../model.ts';
import { sceneMsOf } from './anchors.ts';

/** A line of the marks list. Times are scene ms by the clock in use; null: the clip is not in the scene, or unknown. */
export type MarkItem =
  | {
      readonly kind: 'bookmark' | 'range';
      readonly id: string;
      readonly fromMs: number | null;
      readonly toMs: number | null;
      readonly mark: Mark;
    }
  | {
      readonly kind: 'still' | 'stamped-still' | 'trim';
      readonly id: string;
      readonly fromMs: number | null;
      /** End of a trim; null for stills. */
      readonly toMs: number | null;
      readonly derived: Derived;
    };

/** A mark as charts draw it. */
export interface ChartMark {
  readonly id: string;
  readonly kind: MarkItem['kind'];
  /** Scene ms. */
  readonly fromMs: number;
  /** End of a range or a trim; null for an instant. */
  readonly toMs: number | null;
  readonly label: string;
}

/** UTC of a mark counts only in a scene whose times are UTC. */
const ifUtc = (scene: ReviewScene, utcMs: number | null) => (scene.timebase === 'utc' ? utcMs : null);

function itemOfMark(scene: ReviewScene, mark: Mark): MarkItem {
  // The anchor comes first: it holds when the clip's clock is set anew.
  const fromMs = (mark.from && sceneMsOf(scene, mark.from)) ?? ifUtc(scene, mark.fromMs);
  const toMs = (mark.to && sceneMsOf(scene, mark.to)) ?? ifUtc(scene, mark.toMs);
  return { kind: mark.kind, id: mark.markId, fromMs, toMs, mark };
}

function itemOfDerived(scene: ReviewScene, derived: Derived): MarkItem {
  const { actualS, startUtcMs, endUtcMs } = derived.recipe;
  const { clipId, kind } = derived;
  const fromMs = sceneMsOf(scene, { clipId, clipS: actualS.from }) ?? ifUtc(scene, startUtcMs);
  const toMs =
    kind === 'trim' ? (sceneMsOf(scene, { clipId, clipS: actualS.to }) ?? ifUtc(scene, endUtcMs)) : null;
  return { kind, id: derived.derivedId, fromMs, toMs, derived };
}

const makers = new WeakMap<
  readonly Mark[],
  { derived: readonly Derived[]; scene: ReviewScene; items: readonly MarkItem[] }
>();

/** Marks, stills and trims in order of time; those of unknown time last. The same array for the same state. */
export function markItems(
  state: Pick<MarkState, 'marks' | 'derived'>,
  scene: ReviewScene,
): readonly MarkItem[] {
  const known = makers.get(state.marks);
  if (known && known.derived === state.derived && known.scene === scene) return known.items;
  const items = [
    ...state.marks.map((mark) => itemOfMark(scene, mark)),
    ...state.derived.map((derived) => itemOfDerived(scene, derived)),
  ].sort((a, b) => (a.fromMs ?? Infinity) - (b.fromMs ?? Infinity) || a.id.localeCompare(b.id));
  makers.set(state.marks, { derived: state.derived, scene, items });
  return items;
}

const kindNames: Record<MarkItem['kind'], string> = {
  bookmark: 'Bookmark',
  range: 'Range',
  still: 'Still',
  'stamped-still': 'Stamped still',
  trim: 'Trim',
};

/** "Bookmark", "Stamped still" */
export const kindName = (kind: MarkItem['kind']): string => kindNames[kind];

/** What an item is called: its title, else what it is. */
export function itemTitle(item: MarkItem): string {
  if ('mark' in item && item.mark.title !== '') return item.mark.title;
  return kindNames[item.kind];
}

const charted = new WeakMap<readonly MarkItem[], readonly ChartMark[]>();

/** Markers for the charts' time axis, in order of time. The same array for the same state. */
export function marksForChart(
  state: Pick<MarkState, 'marks' | 'derived'>,
  scene: ReviewScene,
): readonly ChartMark[] {
  const items = markItems(state, scene);
  const known = charted.get(items);
  if (known) return known;
  const marks = items.flatMap((item) =>
    item.fromMs === null
      ? []
      : [{ id: item.id, kind: item.kind, fromMs: item.fromMs, toMs: item.toMs, label: itemTitle(item) }],
  );
  charted.set(items, marks);
  return marks;
}

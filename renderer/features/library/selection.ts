import type { TripId } from '../../../shared/ids.ts';

/** Which rows are chosen, from where a range is extended, and which row has the keyboard. */
export interface Selection {
  readonly ids: ReadonlySet<TripId>;
  readonly anchor: TripId | null;
  readonly focus: TripId | null;
}
export const emptySelection: Selection = { ids: new Set(), anchor: null, focus: null };

/** Only this row. */
export function selectOne(id: TripId): Selection {
  return { ids: new Set([id]), anchor: id, focus: id };
}

/** This row joins or leaves the selection. */
export function toggleOne(selection: Selection, id: TripId): Selection {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id, focus: id };
}

/** All rows from the anchor to this one, in the order shown; `isAdding` keeps what is chosen elsewhere. */
export function selectRange(
  selection: Selection,
  rows: readonly TripId[],
  id: TripId,
  isAdding = false,
): Selection {
  const anchorAt = selection.anchor === null ? -1 : rows.indexOf(selection.anchor);
  const at = rows.indexOf(id);
  if (at < 0) return selection;
  if (anchorAt < 0) return isAdding ? toggleOne(selection, id) : selectOne(id);
  const range = rows.slice(Math.min(at, anchorAt), Math.max(at, anchorAt) + 1);
  return {
    ids: new Set(isAdding ? [...selection.ids, ...range] : range),
    anchor: selection.anchor,
    focus: id,
  };
}

export function selectAll(selection: Selection, rows: readonly TripId[]): Selection {
  return {
    ids: new Set(rows),
    anchor: selection.anchor ?? rows[0] ?? null,
    focus: selection.focus ?? rows[0] ?? null,
  };
}

/** The row that the keyboard goes to: `step` rows on, staying within the list. */
export function moveFocus(selection: Selection, rows: readonly TripId[], step: number): TripId | null {
  if (rows.length === 0) return null;
  const at = selection.focus === null ? -1 : rows.indexOf(selection.focus);
  if (at < 0) return (step >= 0 ? rows[0] : rows.at(-1)) ?? null;
  return rows[Math.max(0, Math.min(rows.length - 1, at + step))] ?? null;
}

/** Drops rows that are no longer in the library. */
export function keepExisting(selection: Selection, exists: (id: TripId) => boolean): Selection {
  const ids = new Set([...selection.ids].filter(exists));
  const kept = (id: TripId | null) => (id !== null && exists(id) ? id : null);
  return { ids, anchor: kept(selection.anchor), focus: kept(selection.focus) };
}

/** One track being read: where its points go, and what its order of time says about the next one. */
import {
  ABSENT,
  ALTITUDE,
  HEADING,
  LAT,
  LITERAL,
  LNG,
  POW10,
  SPEED,
  TIME,
  chunkPoints,
  columnCount,
} from '../cache/trackCodec.ts';
import type { PointColumns } from '../cache/trackCodec.ts';
import type { TimeSlot } from './dateTime.ts';
import type { DecimalSlot } from './decimal.ts';
import type { TrackBuilder, TrackIdentity } from './reader.ts';

/** One point on its way into columns: a scaled integer, decimals and perhaps a literal for each column. */
export class PointDraft {
  readonly values = new Float64Array(columnCount);
  readonly decimals = new Uint8Array(columnCount).fill(ABSENT);
  readonly literals: (string | null)[] = new Array<string | null>(columnCount).fill(null);

  clear(): void {
    this.values.fill(0);
    this.decimals.fill(ABSENT);
    this.literals.fill(null);
  }

  setTime(slot: TimeSlot): void {
    this.values[TIME] = slot.value;
    this.decimals[TIME] = slot.decimals;
    this.literals[TIME] = null;
  }

  set(column: number, slot: DecimalSlot): void {
    this.values[column] = slot.value;
    this.decimals[column] = slot.decimals;
    this.literals[column] = slot.literal;
  }

  setAbsent(column: number): void {
    this.values[column] = 0;
    this.decimals[column] = ABSENT;
    this.literals[column] = null;
  }

  /** The number as a double; NaN where absent. */
  numberAt(column: number): number {
    const decimals = this.decimals[column]!;
    if (decimals === ABSENT) return NaN;
    if (decimals === LITERAL) return Number(this.literals[column]);
    return this.values[column]! / POW10[decimals]!;
  }

  /** Takes over point `index` of columns. */
  copyFrom(columns: PointColumns, index: number): void {
    for (let c = 0; c < columnCount; c++) {
      this.values[c] = columns.values[c]![index]!;
      this.decimals[c] = columns.decimals[c]![index]!;
      this.literals[c] = this.decimals[c] === LITERAL ? (columns.literalAt(c, index) ?? null) : null;
    }
  }

  private equalsAt(columns: PointColumns, index: number): boolean {
    for (let c = 0; c < columnCount; c++) {
      const decimals = this.decimals[c]!;
      if (decimals !== columns.decimals[c]![index]) return false;
      if (decimals === ABSENT) continue;
      if (decimals === LITERAL) {
        if (this.literals[c] !== columns.literalAt(c, index)) return false;
      } else if (this.values[c] !== columns.values[c]![index]) return false;
    }
    return true;
  }

  /** Index of an equal point at or after `likely`, else anywhere (latest first); -1 where there is none. */
  findIn(columns: PointColumns, likely: number, budget: SearchBudget): number {
    if (likely < columns.count && this.equalsAt(columns, likely)) return likely;
    for (let i = columns.count - 1; i >= 0 && budget.left > 0; i--) {
      budget.left--;
      if (this.equalsAt(columns, i)) return i;
    }
    return -1;
  }
}

/** Bounds the search for repeats in a file made to be slow: comparisons left for the whole file. */
export interface SearchBudget {
  left: number;
}
export const searchBudget = 200_000_000;

export const ORDER_FORWARD = 0;
export const ORDER_SAME_TIME = 1;
export const ORDER_BACKWARD = 2;
export const ORDER_REPEAT = 3;

export class TrackCursor {
  readonly builder: TrackBuilder;
  readonly columns: PointColumns;
  identity: TrackIdentity;
  /** Latest time kept, in seconds; -Infinity before the first. */
  latestSeconds = -Infinity;
  private earliestSeconds = Infinity;
  /** The last point when the sink took the points away: values, then decimals. There are thousands of these. */
  private last: number[] | null = null;
  private lastLiterals: readonly (string | null)[] | null = null;
  private likely = 0;

  constructor(builder: TrackBuilder, identity: TrackIdentity) {
    this.builder = builder;
    this.columns = builder.columns;
    this.identity = identity;
  }

  /**
   * How the draft stands to the points before it. ORDER_REPEAT: equal to the last point, or, when time repeats
   * or runs backwards, to one of the points of the track that are not packed away yet (up to 4,096).
   */
  orderOf(draft: PointDraft, budget: SearchBudget): number {
    const seconds = draft.numberAt(TIME);
    if (!(seconds <= this.latestSeconds)) return ORDER_FORWARD;
    if (this.columns.count > 0 && seconds >= this.earliestSeconds) {
      const found = draft.findIn(this.columns, this.likely, budget);
      if (found >= 0) {
        // Repeats come in runs: an upload that was sent twice.
        this.likely = found + 1;
        return ORDER_REPEAT;
      }
    }
    if (this.last !== null && this.isLast(draft, this.last)) return ORDER_REPEAT;
    return seconds === this.latestSeconds ? ORDER_SAME_TIME : ORDER_BACKWARD;
  }

  /** Adds the draft as the track's next point. */
  keep(draft: PointDraft): void {
    const { columns } = this;
    const { values, decimals, literals } = draft;
    const index = columns.add(
      values[TIME]!,
      decimals[TIME]!,
      values[LAT]!,
      decimals[LAT]!,
      values[LNG]!,
      decimals[LNG]!,
      values[HEADING]!,
      decimals[HEADING]!,
      values[SPEED]!,
      decimals[SPEED]!,
      values[ALTITUDE]!,
      decimals[ALTITUDE]!,
    );
    for (let c = 0; c < columnCount; c++) {
      if (decimals[c] === LITERAL) columns.setLiteral(c, index, literals[c]!);
    }
    const seconds = draft.numberAt(TIME);
    if (seconds > this.latestSeconds) this.latestSeconds = seconds;
    if (seconds < this.earliestSeconds) this.earliestSeconds = seconds;
    if (columns.count >= chunkPoints) this.packAway();
  }

  /** Hands full columns to the sink, remembering the last point for the comparison with the next. */
  packAway(): void {
    this.remember();
    this.builder.filled();
    this.likely = 0;
  }

  /** Call before another track is filled: the sink may pack this one's points away to save memory. */
  remember(): void {
    const { columns } = this;
    const index = columns.count - 1;
    if (index < 0) return;
    const last = (this.last ??= new Array<number>(2 * columnCount).fill(0.5)); // an array of doubles from the start
    this.lastLiterals = null;
    for (let c = 0; c < columnCount; c++) {
      last[c] = columns.values[c]![index]!;
      last[columnCount + c] = columns.decimals[c]![index]!;
      if (last[columnCount + c] !== LITERAL) continue;
      this.lastLiterals ??= Array.from(
        { length: columnCount },
        (_, k) => columns.literalAt(k, index) ?? null,
      );
    }
  }

  /** Same numbers with the same digits? */
  private isLast(draft: PointDraft, last: readonly number[]): boolean {
    for (let c = 0; c < columnCount; c++) {
      const decimals = draft.decimals[c]!;
      if (decimals !== last[columnCount + c]) return false;
      if (decimals === ABSENT) continue;
      if (decimals === LITERAL ? draft.literals[c] !== this.lastLiterals?.[c] : draft.values[c] !== last[c]) {
        return false;
      }
    }
    return true;
  }
}

import type { EntryReport, ReasonCount } from '../../../shared/contract/imports.ts';

export interface ReportTotals {
  readonly rows: number;
  readonly points: number;
  /** Rows that were met and not kept: rows - points, so that the sum always holds as it was recorded. */
  readonly skipped: number;
  readonly flagged: number;
}

const sum = (reasons: readonly ReasonCount[]) => reasons.reduce((total, reason) => total + reason.count, 0);

/** Sums over the entries of a source. */
export function totalsOf(entries: readonly EntryReport[]): ReportTotals {
  let rows = 0;
  let points = 0;
  let flagged = 0;
  for (const entry of entries) {
    rows += entry.rows;
    points += entry.points;
    flagged += sum(entry.flagged);
  }
  return { rows, points, skipped: rows - points, flagged };
}

/** True when there is something to read in the entry beyond its counts. */
export function hasRemarks(entry: EntryReport): boolean {
  return (
    entry.status !== 'imported' ||
    entry.skipped.length > 0 ||
    entry.flagged.length > 0 ||
    entry.error !== null
  );
}

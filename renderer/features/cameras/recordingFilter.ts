import type { CardFilters, ClipQuality, RecordingRow } from '../../../shared/contract/cards.ts';

/** What the list is narrowed to. Times are the camera's wall clock. */
export interface RecordingFilter {
  /** A type as decoded; `unknown` with a letter is `unknown:Z`. Null: all. */
  readonly type: string | null;
  readonly direction: string | null;
  readonly stream: ClipQuality | null;
  /** `YYYY-MM-DDTHH:MM:SS`, inclusive. */
  readonly from: string | null;
  readonly to: string | null;
}

export const noFilter: RecordingFilter = { type: null, direction: null, stream: null, from: null, to: null };

export function isFiltering(filter: RecordingFilter): boolean {
  return Object.values(filter).some((value) => value !== null);
}

/** The key by which rows of one kind are filtered and laned together. */
export function typeKey({ type, typeCode }: Pick<RecordingRow, 'type' | 'typeCode'>): string {
  const word = type ?? 'unknown';
  return word === 'unknown' ? `unknown:${typeCode ?? ''}` : word;
}

/**
 * Whether a camera of the recording has the stream, on the card or here. A stated size of 0 says that it has not; no
 * stated size says nothing, and hides nothing.
 */
export function hasStream({ parts }: RecordingRow, stream: ClipQuality): boolean {
  return parts.some((part) =>
    stream === 'sub' ? part.sub !== null : part.main.heldSha256 !== null || part.raw.mainSizeBytes !== 0,
  );
}

/** What is held of the list locally; nothing is asked of anyone. Rows keep all their parts. */
export function filterRows(rows: readonly RecordingRow[], filter: RecordingFilter): readonly RecordingRow[] {
  if (!isFiltering(filter)) return rows;
  const { type, direction, stream, from, to } = filter;
  return rows.filter((row) => {
    if (type !== null && typeKey(row) !== type) return false;
    if (direction !== null && !row.parts.some((part) => (part.direction ?? part.directionCode) === direction))
      return false;
    if (stream !== null && !hasStream(row, stream)) return false;
    if (from !== null && (row.recordedAtLocal === null || row.recordedAtLocal < from)) return false;
    return to === null || (row.recordedAtLocal !== null && row.recordedAtLocal <= to);
  });
}

/** The same as the service is asked for it; the letter of an unknown type is not its to filter by. */
export function toCardFilters(filter: RecordingFilter): CardFilters {
  const { type, direction, stream, from, to } = filter;
  return {
    ...(type === null ? {} : { type: type.startsWith('unknown:') ? 'unknown' : type }),
    ...(direction === null ? {} : { direction }),
    ...(stream === null ? {} : { stream }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
}

/** A typed "2026-03-14 17:30" (seconds may be missing; with `isEnd` a bare day is its last second); null: no time. */
export function parseWallClock(text: string, isEnd = false): string | null {
  const match = /^\s*(\d{4})-(\d{2})-(\d{2})(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?\s*$/.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second] = match;
  const time =
    hour === undefined
      ? isEnd
        ? '23:59:59'
        : '00:00:00'
      : `${hour.padStart(2, '0')}:${minute}:${second ?? (isEnd ? '59' : '00')}`;
  const local = `${year}-${month}-${day}T${time}`;
  const ms = Date.parse(`${local}Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== local ? null : local;
}

export interface Choice {
  readonly value: string;
  readonly count: number;
  readonly row: RecordingRow;
}

/** The types that are there, most frequent first. */
export function typesOf(rows: readonly RecordingRow[]): readonly Choice[] {
  const found = new Map<string, { count: number; row: RecordingRow }>();
  for (const row of rows) {
    const key = typeKey(row);
    const known = found.get(key);
    if (known) known.count += 1;
    else found.set(key, { count: 1, row });
  }
  return [...found]
    .map(([value, { count, row }]) => ({ value, count, row }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

/** The cameras (front, option, a letter) that are there. */
export function directionsOf(rows: readonly RecordingRow[]): readonly string[] {
  const found = new Set<string>();
  for (const { parts } of rows) {
    for (const part of parts) {
      const key = part.direction ?? part.directionCode;
      if (key !== null) found.add(key);
    }
  }
  return [...found].sort();
}

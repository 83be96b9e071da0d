/** Section 4.7: both pagination styles. */
import { createHmac } from 'node:crypto';
import type { Call } from '../simulation.ts';
import { integerParameter } from './parameters.ts';
import { Problem } from './problem.ts';

export interface OffsetLimits {
  readonly defaultPerPage: number;
  readonly maxPerPage: number;
}
export const usualOffset: OffsetLimits = { defaultPerPage: 20, maxPerPage: 100 };
/** The SD file list and the recall-job list. */
export const mediaOffset: OffsetLimits = { defaultPerPage: 50, maxPerPage: 200 };

export function readOffset(call: Call, limits: OffsetLimits): { page: number; perPage: number } {
  return {
    page: integerParameter(call, 'page', { default: 1, min: 1, max: 1_000_000 }),
    perPage: integerParameter(call, 'perPage', {
      default: limits.defaultPerPage,
      min: 1,
      max: limits.maxPerPage,
    }),
  };
}

export function offsetPage<T>(rows: readonly T[], { page, perPage }: { page: number; perPage: number }) {
  return {
    rows: rows.slice((page - 1) * perPage, page * perPage),
    pagination: { page, perPage, total: rows.length, totalPages: Math.ceil(rows.length / perPage) },
  };
}

/** Where a row stands in its endpoint's order: a number (usually a time), then an id that breaks ties. */
export type RowKey = readonly [number, string];

interface CursorState {
  readonly route: string;
  readonly key: RowKey | null;
  /** True when the page before this one was an injected empty page. */
  readonly wasEmpty?: boolean;
}

const seal = (text: string): string =>
  createHmac('sha256', 'cursors are opaque').update(text).digest('base64url').slice(0, 12);

function encodeCursor(state: CursorState): string {
  const text = Buffer.from(JSON.stringify(state)).toString('base64url');
  return `${text}.${seal(text)}`;
}

/** Opaque, and accepted only by the endpoint that issued it. */
function decodeCursor(call: Call, cursor: string): CursorState {
  const [text = '', seal_ = ''] = cursor.split('.');
  const refuse = (): Problem =>
    new Problem('invalid_cursor', { detail: 'The cursor is corrupted or was issued by another endpoint.' });
  if (text === '' || seal_ !== seal(text)) throw refuse();
  const state = JSON.parse(Buffer.from(text, 'base64url').toString()) as CursorState;
  if (state.route !== call.route) throw refuse();
  return state;
}

export interface CursorOptions<T> {
  readonly keyOf: (row: T) => RowKey;
  readonly order: 'ascending' | 'descending';
  readonly defaultLimit?: number;
  readonly maxLimit?: number;
  /**
   * Applied after `limit` rows were read, the way a merged store filters: a page may then hold fewer rows
   * than `limit`, or none, while `hasMore` is true (section 4.6).
   */
  readonly keep?: (row: T) => boolean;
  /** Feeds always return a `nextCursor`, also at the tail. */
  readonly isFeed?: boolean;
}

function isBefore(one: RowKey, other: RowKey, order: 'ascending' | 'descending'): boolean {
  const difference = one[0] - other[0] || (one[1] < other[1] ? -1 : one[1] > other[1] ? 1 : 0);
  return order === 'ascending' ? difference < 0 : difference > 0;
}

export function cursorPage<T>(call: Call, rows: readonly T[], options: CursorOptions<T>) {
  const limit = integerParameter(call, 'limit', {
    default: options.defaultLimit ?? 50,
    min: 1,
    max: options.maxLimit ?? 200,
  });
  const after = call.query.get('after');
  const state: CursorState = after === null ? { route: call.route, key: null } : decodeCursor(call, after);
  const sorted = [...rows].sort((one, other) =>
    isBefore(options.keyOf(one), options.keyOf(other), options.order) ? -1 : 1,
  );
  const startKey = state.key;
  const rest =
    startKey === null
      ? sorted
      : sorted.filter((row) => isBefore(startKey, options.keyOf(row), options.order));
  if (call.simulation.modes.isEmptyPages && state.wasEmpty !== true && rest.length > 0) {
    const nextCursor = encodeCursor({ ...state, wasEmpty: true });
    return { rows: [] as T[], pagination: { nextCursor, hasMore: true } };
  }
  const read = rest.slice(0, limit);
  const hasMore = rest.length > read.length;
  const last = read[read.length - 1];
  const nextKey = last === undefined ? startKey : options.keyOf(last);
  const keep = options.keep;
  return {
    rows: keep ? read.filter((row) => keep(row)) : read,
    pagination: {
      nextCursor:
        hasMore || options.isFeed === true ? encodeCursor({ route: call.route, key: nextKey }) : null,
      hasMore,
    },
  };
}

/** A feed's cursor at its tail, for `start=latest`. */
export function tailCursor(call: Call, key: RowKey | null): string {
  return encodeCursor({ route: call.route, key });
}

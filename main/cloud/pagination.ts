import { operations, type OperationInput, type OperationName } from './operations.ts';
import { CloudProblem } from './problem.ts';
import type { CallOptions, CloudAnswer } from './transport.ts';

type Row = Readonly<Record<string, unknown>>;
type Call = (name: OperationName, input: OperationInput, options: CallOptions) => Promise<CloudAnswer>;

/** One page's new rows; `page` counts from 1 over the whole walk. */
export interface Page {
  readonly rows: readonly Row[];
  readonly page: number;
  readonly total: number | null;
  /** Cursor to go on from later (feeds); null where the server gave none. */
  readonly nextCursor: string | null;
}

/** How often a walk may begin anew before the list is called unreadable. */
const maxRestarts = 3;

function malformed(name: OperationName, detail: string): CloudProblem {
  return new CloudProblem({
    code: 'answer_malformed',
    sentCode: null,
    status: 200,
    title: 'Unreadable list',
    detail,
    requestId: null,
    operation: name,
    extensions: {},
  });
}

function readList(name: OperationName, answer: CloudAnswer): { rows: Row[]; pagination: Row | null } {
  const body = answer.body as { data?: unknown; pagination?: unknown } | null; // checked right below
  if (typeof body !== 'object' || body === null || !Array.isArray(body.data)) {
    throw malformed(name, 'the answer holds no list');
  }
  const pagination =
    typeof body.pagination === 'object' && body.pagination !== null ? (body.pagination as Row) : null;
  return { rows: body.data as Row[], pagination }; // rows are shown as they are; each use reads its own fields
}

function keyOf(name: OperationName, row: Row): string | null {
  const key = operations[name].rowKey;
  const value = key === undefined ? undefined : row[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** Which rows were given already: by the operation's key, or, where the specification shows none, by content. */
class GivenRows {
  private readonly keys = new Set<string>();
  /** Rows without a key may be equal and yet two: they are counted, and only a walk begun anew repeats them. */
  private given = new Map<string, number>();
  private repeated = new Map<string, number>();
  private readonly name: OperationName;

  constructor(name: OperationName) {
    this.name = name;
  }

  /** The walk begins anew: what it showed so far will come once more. */
  restart(): void {
    this.repeated = new Map(this.given);
  }

  isNew(row: Row): boolean {
    const key = keyOf(this.name, row);
    if (key !== null) {
      if (this.keys.has(key)) return false;
      this.keys.add(key);
      return true;
    }
    const content = JSON.stringify(row);
    const left = this.repeated.get(content) ?? 0;
    if (left > 0) {
      this.repeated.set(content, left - 1);
      return false;
    }
    this.given.set(content, (this.given.get(content) ?? 0) + 1);
    return true;
  }
}

/** Whole pages unless the caller wants smaller ones: every page costs a call of the month's. */
function withPageSize(name: OperationName, input: OperationInput): OperationInput {
  const { pagination, maxPageSize } = operations[name];
  if (pagination === 'cursor') return { limit: maxPageSize ?? 200, ...input };
  return { perPage: maxPageSize ?? 100, ...input };
}

/**
 * All pages of a list (specification, 4.7), each row once. Cursor lists end only on `hasMore: false`: short and
 * empty pages in between are normal. `invalid_cursor` starts over and leaves out what was given already. Offset
 * lists whose total moves under the walk are walked again until it holds still (a row that slid over a page's edge
 * would be lost otherwise).
 */
export async function* walkPages(
  call: Call,
  name: OperationName,
  input: OperationInput = {},
  options: CallOptions = {},
): AsyncGenerator<Page, void, undefined> {
  const style = operations[name].pagination;
  if (style === 'cursor') yield* walkCursor(call, name, withPageSize(name, input), options);
  else if (style === 'offset') yield* walkOffset(call, name, withPageSize(name, input), options);
  else {
    const { rows } = readList(name, await call(name, input, options));
    yield { rows, page: 1, total: rows.length, nextCursor: null };
  }
}

async function* walkCursor(
  call: Call,
  name: OperationName,
  input: OperationInput,
  options: CallOptions,
): AsyncGenerator<Page, void, undefined> {
  const given = new GivenRows(name);
  let after = typeof input.after === 'string' ? input.after : undefined;
  // A cursor of the caller's own can't be made good: from the first page would come what the caller has long had.
  const first = after;
  let restarts = 0;
  for (let page = 1; ; page++) {
    let answer: CloudAnswer;
    try {
      answer = await call(name, { ...input, after }, options);
    } catch (thrown) {
      const isLost = thrown instanceof CloudProblem && thrown.code === 'invalid_cursor' && after !== first;
      if (!isLost || restarts++ >= maxRestarts) throw thrown;
      after = first;
      given.restart();
      continue;
    }
    const { rows, pagination } = readList(name, answer);
    const nextCursor = typeof pagination?.nextCursor === 'string' ? pagination.nextCursor : null;
    yield { rows: rows.filter((row) => given.isNew(row)), page, total: null, nextCursor };
    if (pagination === null || pagination.hasMore === false) return;
    if (nextCursor === null) throw malformed(name, 'there is more, but no cursor to it');
    if (nextCursor === after) throw malformed(name, 'the cursor does not move on');
    after = nextCursor;
  }
}

async function* walkOffset(
  call: Call,
  name: OperationName,
  input: OperationInput,
  options: CallOptions,
): AsyncGenerator<Page, void, undefined> {
  const given = new GivenRows(name);
  let served = 0;
  for (let walk = 0; walk <= maxRestarts; walk++) {
    let firstTotal: number | null = null;
    let isStill = true;
    for (let page = 1; ; page++) {
      const { rows, pagination } = readList(name, await call(name, { ...input, page }, options));
      const total = typeof pagination?.total === 'number' ? pagination.total : null;
      const totalPages = typeof pagination?.totalPages === 'number' ? pagination.totalPages : null;
      firstTotal ??= total;
      if (total !== firstTotal) isStill = false;
      const fresh = rows.filter((row) => given.isNew(row));
      yield { rows: fresh, page: ++served, total, nextCursor: null };
      // Past the end pages are empty. Without totals (left out) they end the walk, and so does a server that gives
      // the same page whatever is asked.
      const isPastEnd = rows.length === 0 || (totalPages === null && fresh.length === 0);
      const isLast = pagination === null || isPastEnd || (totalPages !== null && page >= totalPages);
      if (isLast) break;
    }
    if (isStill) return;
  }
}

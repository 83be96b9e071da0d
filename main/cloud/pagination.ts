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

/** Tells rows apart by the operation's key, or by their whole content where the specification shows no key. */
function createSeen(name: OperationName): (row: Row) => boolean {
  const key = operations[name].rowKey;
  const seen = new Set<string>();
  return (row) => {
    const id =
      key !== undefined && (typeof row[key] === 'string' || typeof row[key] === 'number')
        ? `k${row[key]}`
        : JSON.stringify(row);
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  };
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
  if (style === 'cursor') yield* walkCursor(call, name, input, options);
  else if (style === 'offset') yield* walkOffset(call, name, input, options);
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
  const isNew = createSeen(name);
  let after = typeof input.after === 'string' ? input.after : undefined;
  let restarts = 0;
  for (let page = 1; ; page++) {
    let answer: CloudAnswer;
    try {
      answer = await call(name, { ...input, after }, options);
    } catch (thrown) {
      const isLost =
        thrown instanceof CloudProblem && thrown.code === 'invalid_cursor' && after !== undefined;
      if (!isLost || restarts++ >= maxRestarts) throw thrown;
      after = undefined;
      continue;
    }
    const { rows, pagination } = readList(name, answer);
    const nextCursor = typeof pagination?.nextCursor === 'string' ? pagination.nextCursor : null;
    yield { rows: rows.filter(isNew), page, total: null, nextCursor };
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
  const isNew = createSeen(name);
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
      yield { rows: rows.filter(isNew), page: ++served, total, nextCursor: null };
      // Without totals (an optional field left out) a short walk ends at the first empty page.
      const isLast = pagination === null || (totalPages === null ? rows.length === 0 : page >= totalPages);
      if (isLast) break;
    }
    if (isStill) return;
  }
}

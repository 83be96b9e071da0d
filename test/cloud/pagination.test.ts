import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperationInput, OperationName } from '../../main/cloud/operations.ts';
import { walkPages } from '../../main/cloud/pagination.ts';
import { CloudProblem } from '../../main/cloud/problem.ts';
import type { CloudAnswer } from '../../main/cloud/transport.ts';

const ok = (body: unknown): CloudAnswer => ({
  status: 200,
  requestId: null,
  contentType: 'application/json',
  body,
});
const lostCursor = () =>
  new CloudProblem({
    code: 'invalid_cursor',
    sentCode: null,
    status: 400,
    title: '',
    detail: '',
    requestId: null,
    operation: 'x',
    extensions: {},
  });

type Call = (name: OperationName, input: OperationInput) => Promise<CloudAnswer>;
async function collect(call: Call, name: OperationName, input: OperationInput = {}): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const page of walkPages(call, name, input)) rows.push(...page.rows);
  return rows;
}

describe('cursor lists', () => {
  /** Serves rows in pages of the given sizes (0 is an empty page in between); may lose cursors. */
  function server(
    rows: readonly unknown[],
    sizes: readonly number[],
    losesAt: Set<number> = new Set(),
  ): Call {
    let calls = 0;
    return async (_, { after }) => {
      if (losesAt.has(calls++) && after !== undefined) throw lostCursor();
      const [start, index] =
        typeof after === 'string' ? (after.split('/').map(Number) as [number, number]) : [0, 0];
      const size = sizes[index] ?? 5;
      const end = Math.min(rows.length, start + size);
      const hasMore = end < rows.length;
      return ok({
        data: rows.slice(start, end),
        pagination: { hasMore, nextCursor: hasMore ? `${end}/${index + 1}` : null },
      });
    };
  }
  const events = (n: number) => Array.from({ length: n }, (_, i) => ({ eventId: `e${i}` }));

  it('gives every row once, over short and empty pages and lost cursors', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 30 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 3 }),
        async (n, sizes, loses) => {
          expect(await collect(server(events(n), sizes, new Set(loses)), 'events.list')).toEqual(events(n));
        },
      ),
    );
  });

  it('does not end at an empty page while there is more', async () => {
    expect(await collect(server(events(3), [0, 0, 1, 0, 2]), 'events.list')).toHaveLength(3);
  });

  it('keeps rows apart that the specification gives no key', async () => {
    const rows = [{ a: 1 }, { a: 2 }, { a: 3 }];
    expect(await collect(server(rows, [1, 1, 1]), 'auditLogs.list')).toEqual(rows);
  });

  it('keeps rows that are alike and have no key, and does not double them when the walk begins anew', async () => {
    const rows = [{ a: 1 }, { a: 1 }, { a: 2 }, { a: 1 }, { a: 2 }];
    expect(await collect(server(rows, [1, 1, 1, 1, 1]), 'geofenceAlerts.list')).toEqual(rows);
    const lost = server(rows, [1, 1, 1, 1, 1], new Set([3]));
    expect(await collect(lost, 'geofenceAlerts.list')).toEqual(rows);
  });

  it('does not answer a lost cursor of the caller’s own with the whole list', async () => {
    const call: Call = async (_, { after }) => {
      if (after === 'mine') throw lostCursor();
      return ok({ data: events(9), pagination: { hasMore: false, nextCursor: null } });
    };
    await expect(collect(call, 'events.feed', { after: 'mine' })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  it('asks for the largest page there is, unless told otherwise', async () => {
    const asked: unknown[] = [];
    const call: Call = async (_, { limit, perPage }) => {
      asked.push(limit ?? perPage);
      return ok({ data: [], pagination: { hasMore: false, nextCursor: null, total: 0, totalPages: 0 } });
    };
    for (const name of ['events.list', 'fleet.locationsFeed', 'devices.list', 'sdFiles.list'] as const)
      await collect(call, name);
    await collect(call, 'events.list', { limit: 3 });
    expect(asked).toEqual([200, 500, 100, 200, 3]);
  });

  it('says so instead of turning in circles when the cursor does not move, or is missing', async () => {
    const stuck: Call = async () => ok({ data: [], pagination: { hasMore: true, nextCursor: 'same' } });
    await expect(collect(stuck, 'events.list')).rejects.toMatchObject({ code: 'answer_malformed' });
    const missing: Call = async () => ok({ data: [], pagination: { hasMore: true, nextCursor: null } });
    await expect(collect(missing, 'events.list')).rejects.toMatchObject({ code: 'answer_malformed' });
    const none: Call = async () => ok({ message: 'hello' });
    await expect(collect(none, 'events.list')).rejects.toMatchObject({ code: 'answer_malformed' });
  });

  it('gives up when the server loses every cursor', async () => {
    const always: Call = async (_, { after }) => {
      if (after !== undefined) throw lostCursor();
      return ok({ data: events(1), pagination: { hasMore: true, nextCursor: 'c' } });
    };
    await expect(collect(always, 'events.list')).rejects.toMatchObject({ code: 'invalid_cursor' });
  });
});

describe('offset lists', () => {
  const page = (rows: readonly unknown[], p: number, perPage: number) =>
    ok({
      data: rows.slice((p - 1) * perPage, p * perPage),
      pagination: { page: p, perPage, total: rows.length, totalPages: Math.ceil(rows.length / perPage) },
    });

  it('finds rows that slide over a page edge while the list shrinks or grows', async () => {
    for (const change of ['shrinks', 'grows'] as const) {
      let rows = Array.from({ length: 10 }, (_, i) => ({ psn: `P${i}` }));
      let calls = 0;
      const call: Call = async (_, { page: p }) => {
        if (calls++ === 1) rows = change === 'shrinks' ? rows.slice(1) : [{ psn: 'new' }, ...rows];
        return page(rows, Number(p), 4);
      };
      const found = (await collect(call, 'devices.list')).map((row) => (row as { psn: string }).psn);
      expect(new Set(found).size).toBe(found.length);
      for (const row of rows) expect(found).toContain(row.psn);
    }
  });

  it('ends with a server that gives the same page whatever is asked, or promises pages without end', async () => {
    const same: Call = async () => ok({ data: [{ psn: 'P1' }], pagination: {} });
    expect(await collect(same, 'devices.list')).toEqual([{ psn: 'P1' }]);
    const endless: Call = async (_, { page: p }) =>
      ok({ data: Number(p) < 3 ? [{ psn: `P${p}` }] : [], pagination: { total: 1e9, totalPages: 1e9 } });
    expect(await collect(endless, 'devices.list')).toHaveLength(2);
  });

  it('ends without totals at the first empty page, and takes a list without pagination as whole', async () => {
    const bare: Call = async (_, { page: p }) =>
      ok({ data: Number(p) <= 2 ? [{ psn: `P${p}` }] : [], pagination: {} });
    expect(await collect(bare, 'devices.list')).toHaveLength(2);
    const whole: Call = async () => ok({ data: [{ groupId: 'grp_1' }] });
    expect(await collect(whole, 'groups.list')).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { allPages, setUp } from './testing.ts';

const cursorPaths = [
  '/v1/events',
  '/v1/events/feed',
  '/v1/fleet/locations',
  '/v1/fleet/locations/feed',
  '/v1/devices/FD1E26000002/trips',
  '/v1/gps/export-jobs',
  '/v1/geofence-alerts',
  '/v1/reports/driving',
  '/v1/audit-logs',
  '/v1/api-logs',
];
const offsetPaths = [
  ['/v1/devices', 20, 100],
  ['/v1/geofences', 20, 100],
  ['/v1/webhooks', 20, 100],
  ['/v1/devices/FD1E26000002/sd-files', 50, 200],
  ['/v1/media/recall-jobs', 50, 200],
] as const;

describe('pagination', async () => {
  const { simulator, enterprise } = await setUp();

  it.each(cursorPaths)('pages %s by cursor, with a maximum page size', async (path) => {
    const max = path === '/v1/fleet/locations/feed' ? 500 : 200;
    const { body } = await enterprise.get(`${path}?limit=${max}`);
    expect(Object.keys(body.pagination).sort()).toEqual(['hasMore', 'nextCursor']);
    for (const limit of [String(max + 1), '0', '-1', 'x', '1.5']) {
      const refused = await enterprise.get(`${path}?limit=${limit}`);
      expect(refused.status).toBe(400);
      expect(refused.body.code).toBe('invalid_parameter');
    }
  });

  it.each(offsetPaths)(
    'pages %s by offset, %i a page by default and %i at most',
    async (path, byDefault, max) => {
      const { body } = await enterprise.get(path);
      expect(body.pagination).toMatchObject({ page: 1, perPage: byDefault });
      expect((await enterprise.get(`${path}?perPage=${max}`)).status).toBe(200);
      for (const query of [`perPage=${max + 1}`, 'perPage=0', 'page=0', 'page=x']) {
        expect((await enterprise.get(`${path}?${query}`)).body.code).toBe('invalid_parameter');
      }
    },
  );

  it('visits every row once over all pages of a cursor list and over all pages of an offset list', async () => {
    const whole = await allPages(enterprise, '/v1/events?limit=200');
    const small = await allPages(enterprise, '/v1/events?limit=37');
    expect(small.rows.map((row) => row.eventId)).toEqual(whole.rows.map((row) => row.eventId));
    const first = await enterprise.get('/v1/devices?perPage=7');
    expect(first.body.pagination).toEqual({ page: 1, perPage: 7, total: 20, totalPages: 3 });
    const psns = [];
    for (const page of [1, 2, 3, 4]) {
      psns.push(
        ...(await enterprise.get(`/v1/devices?perPage=7&page=${page}`)).body.data.map(
          (row: { psn: string }) => row.psn,
        ),
      );
    }
    expect(new Set(psns).size).toBe(20);
    expect(psns).toHaveLength(20);
  });

  it('gives a null cursor on the last page of a list that is no feed', async () => {
    const { body } = await enterprise.get('/v1/fleet/locations');
    expect(body.pagination).toEqual({ nextCursor: null, hasMore: false });
  });

  it('refuses a corrupted cursor and a cursor of another endpoint', async () => {
    const { body } = await enterprise.get('/v1/events?limit=5');
    const cursor = body.pagination.nextCursor;
    for (const path of [
      `/v1/events/feed?after=${cursor}`,
      `/v1/events?after=${cursor}x`,
      '/v1/events?after=garbage',
      '/v1/events?after=',
    ]) {
      const refused = await enterprise.get(path);
      expect(refused.status).toBe(400);
      expect(refused.body.code).toBe('invalid_cursor');
    }
  });

  it('gives short and empty pages with hasMore true where two stores are merged', async () => {
    const filtered = await allPages(enterprise, '/v1/events?limit=10&type=driving_impact');
    const counts = new Set<number>();
    let after = '';
    for (let page = 0; page < 30; page += 1) {
      const { body } = await enterprise.get(`/v1/events?limit=10&type=driving_impact${after}`);
      if (body.pagination.hasMore) counts.add(body.data.length);
      after = `&after=${body.pagination.nextCursor}`;
    }
    expect(counts.has(0)).toBe(true);
    expect(filtered.rows.length).toBeGreaterThan(0);
    expect(filtered.rows.every((row) => row.type === 'driving_impact')).toBe(true);
  });

  it('inserts empty pages everywhere when a test asks for them, without losing a row', async () => {
    const plain = await allPages(enterprise, '/v1/reports/driving?limit=5');
    simulator.control.setModes({ isEmptyPages: true });
    const gapped = await allPages(enterprise, '/v1/reports/driving?limit=5');
    simulator.control.setModes({ isEmptyPages: false });
    expect(gapped.rows).toEqual(plain.rows);
    expect(gapped.pages).toBe(plain.pages * 2);
  });

  it('returns the full set without a pagination object from an endpoint that is not listed', async () => {
    const { body } = await enterprise.get('/v1/groups');
    expect(body).not.toHaveProperty('pagination');
    expect(body.data).toHaveLength(3);
  });
});

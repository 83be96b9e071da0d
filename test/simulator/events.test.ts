import { describe, expect, it } from 'vitest';
import { allPages, minuteMs, setUp, type Json } from './testing.ts';

describe('events', async () => {
  const { simulator, enterprise, pro } = await setUp();
  const { control, story } = simulator;
  const all = (await allPages(enterprise, '/v1/events?limit=200')).rows;
  const byType = (type: string): Json[] => all.filter((event) => event.type === type);

  it('has events of every kind, and none for normal and parking recordings', () => {
    const types = new Set(all.map((event) => event.type));
    expect(types.size).toBe(18);
    expect(types.has('speed_limit')).toBe(true);
    expect(types.has('normal')).toBe(false);
    expect(types.has('parking')).toBe(false);
  });

  it('includes the collision, uploaded a little after it happened, with both channels', () => {
    const crash = byType('driving_impact').find(
      (event) => event.psn === story.collision.psn && event.location !== null,
    );
    const delayMs = Date.parse(crash?.occurredAt) - Date.parse(story.collision.impactAt);
    expect(delayMs).toBeGreaterThan(0);
    expect(delayMs).toBeLessThan(36 * minuteMs);
    expect(crash).toMatchObject({
      channels: ['front', 'option'],
      hasVideo: true,
      speedLimit: null,
      entitlement: 'covered',
    });
  });

  it('gives speed_limit events their object, no channels, no video, and other events a null one', () => {
    for (const event of byType('speed_limit')) {
      expect(event).toMatchObject({ channels: [], hasVideo: false, thumbnailUrl: null });
      const limit = event.speedLimit;
      expect(limit.overKmh).toBeCloseTo(event.speedKmh - limit.limitKmh, 1);
      expect(Date.parse(limit.peakAt)).toBeGreaterThanOrEqual(Date.parse(event.occurredAt) - 1000);
      expect(limit).toMatchObject({
        country: 'US',
        schoolZone: expect.any(Boolean),
        roadName: expect.any(String),
      });
    }
    expect(byType('overspeed').every((event) => event.speedLimit === null && event.hasVideo)).toBe(true);
  });

  it('filters by type list, psn, group, time and entitlement; both kinds come when type is left out', async () => {
    const read = async (query: string) => (await allPages(enterprise, `/v1/events?limit=200&${query}`)).rows;
    expect(new Set((await read('type=speed_limit')).map((event) => event.type))).toEqual(
      new Set(['speed_limit']),
    );
    expect(new Set((await read('type=manual,drowsy')).map((event) => event.type))).toEqual(
      new Set(['manual', 'drowsy']),
    );
    expect((await read(`psn=${story.ordinaryPsn}`)).every((event) => event.psn === story.ordinaryPsn)).toBe(
      true,
    );
    expect((await read('groupId=grp_south')).every((event) => event.groupId === 'grp_south')).toBe(true);
    expect((await read('entitlement=over_limit')).every((event) => event.psn === story.overLimitPsn)).toBe(
      true,
    );
    const from = '2026-03-10T00:00:00Z';
    const recent = await read(`from=${from}`);
    expect(recent.length).toBe(all.filter((event) => event.occurredAt >= '2026-03-10T00:00:00').length);
    expect((await enterprise.get('/v1/events?type=impact')).body.allowed).toContain('driving_impact');
    expect((await enterprise.get('/v1/events?psn=NOPE')).body.code).toBe('not_found');
    expect((await enterprise.get('/v1/events?from=2026-03-10')).body.code).toBe('invalid_parameter');
  });

  it('reads one event, and answers event_not_found for another organisation', async () => {
    const [event] = all;
    expect((await enterprise.get(`/v1/events/${event.eventId}`)).body.data.type).toBe(event.type);
    expect((await pro.get(`/v1/events/${event.eventId}`)).body.code).toBe('event_not_found');
  });

  it('issues a video link for five minutes and counts a flat 6 MB each time', async () => {
    const used = async () => (await enterprise.get('/v1/usage')).body.data.volumeQuotas[0].used;
    const event = byType('harsh_braking')[0];
    const before = await used();
    const first = (await enterprise.get(`/v1/events/${event.eventId}/video`)).body.data;
    await enterprise.get(`/v1/events/${event.eventId}/video?channel=front`);
    expect(await used()).toBe(before + 2 * 6 * 2 ** 20);
    expect((await fetch(first.url)).headers.get('content-type')).toBe('video/mp4');
    await control.advance(5 * minuteMs);
    expect((await fetch(first.url)).status).toBe(403);
  });

  it('answers video_not_available when the channel is missing, always for speed_limit', async () => {
    const violation = byType('speed_limit')[0];
    for (const kind of ['video', 'thumbnail']) {
      expect((await enterprise.get(`/v1/events/${violation.eventId}/${kind}`)).body.code).toBe(
        'video_not_available',
      );
    }
    const oneCamera = all.find((event) => event.hasVideo && event.channels.length === 1);
    expect((await enterprise.get(`/v1/events/${oneCamera?.eventId}/video?channel=option`)).body.code).toBe(
      'video_not_available',
    );
  });

  it('locks the video of an over-limit camera before any quota, but not its thumbnail', async () => {
    const locked = all.find((event) => event.psn === story.overLimitPsn && event.hasVideo);
    control.setUsage('enterprise', { transferBytesLeft: 0 });
    expect((await enterprise.get(`/v1/events/${locked?.eventId}/video`)).body.code).toBe(
      'camera_limit_exceeded',
    );
    expect((await enterprise.get(`/v1/events/${byType('manual')[0]?.eventId}/video`)).body.code).toBe(
      'quota_exceeded',
    );
    const { data } = (await enterprise.get(`/v1/events/${locked?.eventId}/thumbnail`)).body;
    expect((await fetch(data.url)).headers.get('content-type')).toBe('image/jpeg');
  });
});

describe('event feed', async () => {
  const { simulator, enterprise } = await setUp({ startAt: '2026-03-12T18:00:00Z' });
  const { control } = simulator;

  it('starts at the oldest event, ascends, and always has a cursor', async () => {
    const { body } = await enterprise.get('/v1/events/feed?limit=50');
    const times = body.data.map((event: Json) => event.occurredAt);
    expect(times).toEqual([...times].sort());
    const listed = (await allPages(enterprise, '/v1/events?limit=200')).rows;
    const fed = (await allPages(enterprise, '/v1/events/feed?limit=200')).rows;
    expect(new Set(fed.map((event) => event.eventId))).toEqual(new Set(listed.map((event) => event.eventId)));
    const tail = await enterprise.get(
      `/v1/events/feed?after=${body.pagination.nextCursor}&limit=200&type=manual`,
    );
    expect(tail.body.pagination.nextCursor).not.toBeNull();
  });

  it('gives no rows and a cursor at the tail for start=latest, and every later event once from there', async () => {
    const { body } = await enterprise.get('/v1/events/feed?start=latest');
    expect(body.data).toEqual([]);
    expect(body.pagination).toMatchObject({ hasMore: false, nextCursor: expect.any(String) });
    const known = new Set(
      (await allPages(enterprise, '/v1/events?limit=200')).rows.map((event) => event.eventId),
    );
    const seen: string[] = [];
    let cursor = body.pagination.nextCursor;
    for (let step = 0; step < 180; step += 1) {
      await control.advance(4 * minuteMs);
      const page = (await enterprise.get(`/v1/events/feed?limit=200&after=${cursor}`)).body;
      seen.push(...page.data.map((event: Json) => event.eventId));
      cursor = page.pagination.nextCursor;
    }
    const now = (await allPages(enterprise, '/v1/events?limit=200')).rows.map((event) => event.eventId);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(20);
    expect(new Set(seen)).toEqual(new Set(now.filter((id) => !known.has(id))));
  });
});

describe('the tail of the event feed', () => {
  it('never moves past a violation that is still under way', async () => {
    const { enterprise, simulator } = await setUp();
    const ordinary = (event: Json) =>
      ![simulator.story.collision.psn, simulator.story.offlinePsn].includes(event.psn);
    const known = (await allPages(enterprise, '/v1/events?limit=200')).rows.filter(ordinary);
    const overtakes = (violation: Json) => (event: Json) =>
      event.type !== 'speed_limit' &&
      Date.parse(event.occurredAt) > Date.parse(violation.occurredAt) &&
      Date.parse(event.occurredAt) < Date.parse(violation.speedLimit.endedAt);
    const violation = known.find((event) => event.type === 'speed_limit' && known.some(overtakes(event)));
    const overtaking = known.find(overtakes(violation));
    const startAt = new Date(Date.parse(overtaking?.occurredAt) + 1).toISOString();
    const during = await setUp({ startAt });
    const { nextCursor } = (await during.enterprise.get('/v1/events/feed?start=latest')).body.pagination;
    await during.simulator.control.advance(10 * minuteMs);
    const { rows } = await allPages(during.enterprise, `/v1/events/feed?limit=200&after=${nextCursor}`);
    const ids = rows.map((event) => event.eventId);
    expect(ids).toContain(violation?.eventId);
    expect(ids).toContain(overtaking?.eventId);
  });
});

describe('safety statistics', async () => {
  const { enterprise } = await setUp();
  const stats = async (query = '') => (await enterprise.get(`/v1/safety-events/stats?${query}`)).body;

  it('counts both kinds of event and has no type filter', async () => {
    const { rows } = await allPages(enterprise, '/v1/events?limit=200');
    const { data, cameras } = await stats('type=manual');
    expect(data.kpi.totalEvents).toBe(rows.length);
    expect(data.byType.find((row: Json) => row.type === 'speed_limit').count).toBeGreaterThan(0);
    expect(data.byHour.reduce((sum: number, row: Json) => sum + row.count, 0)).toBe(rows.length);
    expect(data.topDevices.length).toBe(10);
    expect(cameras.limit).toBe(16);
  });

  it('groups hours in UTC by default or in an IANA zone, and refuses offsets', async () => {
    expect((await stats()).data.hourTz).toBe('UTC');
    const chicago = (await stats('tz=America/Chicago')).data;
    expect(chicago.hourTz).toBe('America/Chicago');
    expect(chicago.byHour).not.toEqual((await stats()).data.byHour);
    for (const tz of ['%2B09:00', '-05:00', 'UTC%2B9', 'Mars/Base', '']) {
      expect((await stats(`tz=${tz}`)).code).toBe('invalid_parameter');
    }
  });

  it('answers query_timeout for a range it cannot finish, unless scoped by a group', async () => {
    const range = 'from=2024-01-01T00:00:00Z&to=2026-03-14T00:00:00Z';
    expect(await stats(range)).toMatchObject({ code: 'query_timeout', status: 504 });
    expect((await stats(`${range}&groupId=grp_north`)).data.kpi.totalEvents).toBeGreaterThan(0);
  });
});

import { describe, expect, it } from 'vitest';
import { allPages, clientFor, dayMs, setUp, type Json } from './testing.ts';

describe('trips, locations and reports', async () => {
  const { simulator, enterprise } = await setUp({ startAt: '2026-03-12T22:30:00Z' });
  const { control, story } = simulator;
  const trips = (await allPages(enterprise, `/v1/devices/${story.ordinaryPsn}/trips?limit=10`)).rows;

  it('lists trips newest first with coordinates as latitude and longitude, an unfinished one without end', async () => {
    expect(trips.length).toBeGreaterThan(30);
    expect(trips.map((trip) => trip.startedAt)).toEqual(
      trips
        .map((trip) => trip.startedAt)
        .sort()
        .reverse(),
    );
    expect(Object.keys(trips[5]?.startLocation)).toEqual(['latitude', 'longitude']);
    const driving = (await enterprise.get('/v1/devices?status=driving')).body.data as Json[];
    expect(driving.length).toBeGreaterThan(0);
    const current = (await enterprise.get(`/v1/devices/${driving[0].psn}/trips?limit=1`)).body.data[0];
    expect(current).toMatchObject({ endedAt: null, endLocation: null });
  });

  it('refuses from later than to, and has no trips for a Wi-Fi-only camera', async () => {
    const path = `/v1/devices/${story.ordinaryPsn}/trips`;
    expect(
      (await enterprise.get(`${path}?from=2026-03-12T00:00:00Z&to=2026-03-11T00:00:00Z`)).body.code,
    ).toBe('invalid_parameter');
    expect((await enterprise.get(`/v1/devices/${story.wifiPsn}/trips`)).body.data).toEqual([]);
    expect((await enterprise.get('/v1/devices/NOPE/trips')).body.code).toBe('device_not_found');
  });

  it('has plausible motion: no jumps, no impossible speed, speed equal to distance over time', async () => {
    const metres = (one: Json, other: Json) =>
      Math.hypot(
        (other.latitude - one.latitude) * 111_132,
        (other.longitude - one.longitude) * 111_132 * Math.cos((41.88 * Math.PI) / 180),
      );
    for (const trip of trips.slice(0, 12)) {
      const { points } = (await enterprise.get(`/v1/trips/${trip.tripId}/track`)).body.data;
      let length = 0;
      for (const [index, point] of points.entries()) {
        const next = points[index + 1];
        if (!next) continue;
        const seconds = (Date.parse(next.at) - Date.parse(point.at)) / 1000;
        expect(metres(point, next) / seconds).toBeLessThan(30);
        length += metres(point, next);
      }
      if (trip.endedAt !== null) expect(length / 1000 / trip.distanceKm).toBeGreaterThan(0.9);
      expect(trip.maxSpeedKmh).toBeLessThan(100);
    }
    expect((await enterprise.get('/v1/trips/trip_FD1E26000002_1_1/track')).body.code).toBe('trip_not_found');
  });

  it('locates cloud cameras, reads the position feed forward, and summarises covered cameras by default', async () => {
    const { body } = await enterprise.get('/v1/fleet/locations');
    expect(body.data).toHaveLength(17);
    const feed = await enterprise.get('/v1/fleet/locations/feed');
    expect(feed.body.data).toHaveLength(100);
    expect(feed.body.data.map((row: Json) => row.at)).toEqual(
      feed.body.data.map((row: Json) => row.at).sort(),
    );
    const latest = await enterprise.get('/v1/fleet/locations/feed?start=latest');
    expect(latest.body.data).toEqual([]);
    expect((await enterprise.get('/v1/fleet/summary')).body.data.totalDevices).toBe(16);
    expect((await enterprise.get('/v1/fleet/summary?entitlement=all')).body.data.totalDevices).toBe(17);
  });

  it('ranks drivers over inclusive UTC days, seven by default and 92 at most', async () => {
    const ranking = await enterprise.get('/v1/reports/driving');
    expect(ranking.body.data).toHaveLength(16);
    expect(ranking.body.cameras.overLimit).toBe(1);
    expect((await enterprise.get('/v1/reports/driving?entitlement=all')).body.data).toHaveLength(17);
    const same = await enterprise.get('/v1/reports/driving?from=2026-03-06&to=2026-03-12T23:00:00Z');
    expect(same.body.data).toEqual(ranking.body.data);
    expect((await enterprise.get('/v1/reports/driving?from=2025-12-11&to=2026-03-12')).status).toBe(200);
    for (const query of [
      'from=2025-12-10&to=2026-03-12',
      'from=2026-03-12&to=2026-03-11',
      'from=12.3.',
      'to=2026-02-30',
    ]) {
      expect((await enterprise.get(`/v1/reports/driving?${query}`)).body.code).toBe('invalid_parameter');
    }
  });

  it('counts eleven detected types, at least as many as were uploaded, and none of the others', async () => {
    const rows = (await enterprise.get('/v1/reports/driving?from=2026-03-01&to=2026-03-10&entitlement=all'))
      .body.data as Json[];
    expect(Object.keys(rows[0].counts)).toHaveLength(11);
    for (const name of ['manual', 'seatbelt', 'speed_limit', 'geofence_enter'])
      expect(rows[0].counts).not.toHaveProperty(name);
    const events = (
      await allPages(enterprise, '/v1/events?limit=200&from=2026-03-01T00:00:00Z&to=2026-03-11T00:00:00Z')
    ).rows;
    const detected = rows.reduce((sum, row) => sum + row.counts.harsh_braking, 0);
    const uploaded = events.filter((event) => event.type === 'harsh_braking').length;
    expect(detected).toBeGreaterThan(uploaded);
  });

  it('reports one day of one device, yesterday by default, also over the limit, and takes no range', async () => {
    const path = `/v1/reports/driving/${story.overLimitPsn}`;
    expect((await enterprise.get(path)).body.data.date).toBe('2026-03-11');
    expect((await enterprise.get(`${path}?date=2026-03-02`)).body.data.date).toBe('2026-03-02');
    for (const query of ['from=2026-03-02', 'to=2026-03-02', 'date=2026-03-02T00:00:00Z', 'date=x']) {
      expect((await enterprise.get(`${path}?${query}`)).body.code).toBe('invalid_parameter');
    }
  });

  it('counts the devices of groups, and shows a pinned key its own groups', async () => {
    const { data } = (await enterprise.get('/v1/groups')).body;
    expect(data.map((group: Json) => [group.groupId, group.deviceCount])).toEqual([
      ['grp_north', 8],
      ['grp_south', 7],
      ['grp_empty', 0],
    ]);
    const pinned = clientFor(
      simulator,
      control.createKey({ organisation: 'enterprise', label: 'p', groupIds: ['grp_north'] }),
    );
    expect((await pinned.get('/v1/groups')).body.data).toHaveLength(1);
    expect((await pinned.get('/v1/fleet/locations')).body.data).toHaveLength(8);
  });
});

describe('geofences', async () => {
  const { simulator, enterprise, sandbox } = await setUp();
  const { control, story } = simulator;
  const corners = [
    { latitude: 1, longitude: 1 },
    { latitude: 1, longitude: 2 },
    { latitude: 2, longitude: 2 },
    { latitude: 2, longitude: 1 },
  ];
  const ring = [...corners, corners[0]].map((corner) => [corner?.longitude, corner?.latitude]);
  const create = async (shape: unknown, fields: Record<string, unknown> = {}) =>
    enterprise.post('/v1/geofences', { name: 'Fence', shape, ...fields });

  it('takes the read form and the GeoJSON form of each shape', async () => {
    const shapes = [
      [{ type: 'circle', center: corners[0], radiusM: 50 }, 'circle'],
      [{ type: 'Point', coordinates: [1, 1], radiusM: 50 }, 'circle'],
      [{ type: 'rectangle', points: corners }, 'rectangle'],
      [{ type: 'polygon', points: corners }, 'polygon'],
      [{ type: 'Polygon', coordinates: [ring] }, 'polygon'],
      [{ type: 'polyline', points: corners }, 'polyline'],
      [{ type: 'LineString', coordinates: ring }, 'polyline'],
    ] as const;
    for (const [shape, type] of shapes) {
      const { status, body } = await create(shape);
      expect([status, body.data.shape.type]).toEqual([201, type]);
      expect(body.data.style).toEqual({ color: '#6B2FD9', opacity: 0.24 });
      expect((await enterprise.get(`/v1/geofences/${body.data.geofenceId}`)).body.data).toEqual(body.data);
    }
  });

  it('refuses bad shapes and styles', async () => {
    for (const shape of [
      undefined,
      { type: 'circle', center: corners[0], radiusM: 0 },
      { type: 'rectangle', points: corners.slice(0, 3) },
      { type: 'rectangle', points: [...corners, { latitude: 3, longitude: 3 }] },
      { type: 'Polygon', coordinates: [ring, ring] },
      { type: 'polygon', points: [{ latitude: 91, longitude: 0 }, ...corners] },
      { type: 'star' },
    ]) {
      expect((await create(shape)).body).toMatchObject({ code: 'invalid_field', status: 422 });
    }
    const good = { type: 'rectangle', points: corners };
    for (const style of [{ color: 'red' }, { opacity: 1.1 }])
      expect((await create(good, { style })).status).toBe(422);
    expect((await create(good, { devices: ['NOPE'] })).body).toMatchObject({
      code: 'unknown_psn',
      psns: ['NOPE'],
    });
  });

  it('applies style per property, merges recordingEvents by key, and replaces devices wholesale', async () => {
    const fields = { style: { color: '#112233' }, devices: [story.ordinaryPsn, 'FD1E26000003'] };
    const created = (await create({ type: 'rectangle', points: corners }, fields)).body.data;
    expect(created.style).toEqual({ color: '#112233', opacity: 0.24 });
    const path = `/v1/geofences/${created.geofenceId}`;
    const updated = (
      await enterprise.put(path, {
        style: { opacity: 0.5 },
        recordingEvents: { pass: true },
        devices: ['FD1E26000004'],
      })
    ).body.data;
    expect(updated.style).toEqual({ color: '#112233', opacity: 0.5 });
    expect(updated.recordingEvents).toEqual({ enter: true, exit: true, pass: true, speed: false });
    expect(updated.devices).toEqual(['FD1E26000004']);
    expect(updated.shape).toEqual(created.shape);
  });

  it('answers geofence_unsupported_shape to an update without shape of a fence it cannot express', async () => {
    expect((await enterprise.put('/v1/geofences/gf_legacy', { name: 'x' })).body).toMatchObject({
      code: 'geofence_unsupported_shape',
      status: 409,
    });
    expect(
      (await enterprise.put('/v1/geofences/gf_legacy', { shape: { type: 'rectangle', points: corners } }))
        .status,
    ).toBe(200);
  });

  it('deletes a fence, and forgets what a sandbox key wrote after 24 hours', async () => {
    const { geofenceId } = (await create({ type: 'rectangle', points: corners })).body.data;
    expect((await enterprise.delete(`/v1/geofences/${geofenceId}`)).status).toBe(204);
    expect((await enterprise.get(`/v1/geofences/${geofenceId}`)).body.code).toBe('geofence_not_found');
    const before = (await sandbox.get('/v1/geofences')).body.pagination.total;
    await sandbox.post('/v1/geofences', { name: 'Mine', shape: { type: 'rectangle', points: corners } });
    expect((await sandbox.get('/v1/geofences')).body.pagination.total).toBe(before + 1);
    await control.advance(dayMs);
    expect((await sandbox.get('/v1/geofences')).body.pagination.total).toBe(before);
  });

  it('lists alerts of vehicles that cross a fence, newest first', async () => {
    const { rows } = await allPages(enterprise, '/v1/geofence-alerts?limit=50');
    expect(rows.length).toBeGreaterThan(10);
    expect(new Set(rows.map((row) => row.type))).toEqual(new Set(['geofence_enter', 'geofence_exit']));
    expect(rows.map((row) => row.occurredAt)).toEqual(
      rows
        .map((row) => row.occurredAt)
        .sort()
        .reverse(),
    );
  });
});

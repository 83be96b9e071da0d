import { describe, expect, it } from 'vitest';
import { clientFor, setUp } from './testing.ts';

describe('devices and seats', async () => {
  const { simulator, enterprise, pro, sandbox } = await setUp();
  const { control, story } = simulator;

  it('lists twenty cameras of which some are Wi-Fi only, offline, over the limit, without card or unsupported', async () => {
    const { body } = await enterprise.get('/v1/devices?perPage=100');
    expect(body.data).toHaveLength(20);
    expect(body.cameras).toEqual({ limit: 16, registered: 17, overLimit: 1 });
    expect(body.data.filter((row: { category: string }) => row.category === 'wifi')).toHaveLength(3);
    expect(new Set(Object.values(story).filter((value) => typeof value === 'string')).size).toBe(6);
  });

  it('is the same for the same seed and differs for another', async () => {
    const twin = await setUp({ seed: 1 });
    const other = await setUp({ seed: 2 });
    const read = async (client: typeof enterprise) => (await client.get('/v1/events?limit=50')).body.data;
    const withoutLinks = (rows: { thumbnailUrl: unknown }[]) =>
      rows.map((row) => ({ ...row, thumbnailUrl: null }));
    expect(withoutLinks(await read(twin.enterprise))).toEqual(withoutLinks(await read(enterprise)));
    expect(withoutLinks(await read(other.enterprise))).not.toEqual(withoutLinks(await read(enterprise)));
  });

  it('ranks cloud cameras by registration, newest first, and gives Wi-Fi cameras no seat', async () => {
    const { data } = (await enterprise.get('/v1/devices?perPage=100')).body;
    const cloud = data.filter((row: { category: string }) => row.category === 'cloud');
    const byAge = [...cloud].sort((one, other) => (one.registeredAt < other.registeredAt ? 1 : -1));
    expect(byAge.map((row) => row.cameraPosition)).toEqual(byAge.map((_, index) => index + 1));
    expect(byAge.map((row) => row.entitlement)).toEqual(
      byAge.map((_, index) => (index < 16 ? 'covered' : 'over_limit')),
    );
    expect(data.find((row: { psn: string }) => row.psn === story.wifiPsn).cameraPosition).toBeNull();
  });

  it('adds requiredCameraLimit to the detail of an over-limit camera only', async () => {
    expect((await enterprise.get(`/v1/devices/${story.overLimitPsn}`)).body.data.requiredCameraLimit).toBe(
      17,
    );
    expect((await enterprise.get(`/v1/devices/${story.ordinaryPsn}`)).body.data).not.toHaveProperty(
      'requiredCameraLimit',
    );
  });

  it('filters by status, category, entitlement, group and words, and refuses other values with the allowed ones', async () => {
    const count = async (query: string) =>
      (await enterprise.get(`/v1/devices?perPage=100&${query}`)).body.data.length;
    expect(await count('category=cloud')).toBe(17);
    expect(await count('status=offline')).toBe(4);
    expect(await count('entitlement=over_limit')).toBe(1);
    expect(await count('entitlement=covered')).toBe(19);
    expect(await count('groupId=grp_south')).toBe(7);
    expect(await count('q=truck')).toBe(3);
    expect(await count(`q=${story.wifiPsn.toLowerCase()}`)).toBe(1);
    const { body } = await enterprise.get('/v1/devices?status=moving');
    expect(body).toMatchObject({ code: 'invalid_parameter', allowed: ['driving', 'parked', 'offline'] });
    expect((await enterprise.get('/v1/devices?category=lte')).body.allowed).toEqual(['cloud', 'wifi']);
  });

  it('checks a groupId for form, then for the key, then for existence, and lists an empty group as empty', async () => {
    const pinned = clientFor(
      simulator,
      control.createKey({ organisation: 'enterprise', label: 'north', groupIds: ['grp_north', 'grp_gone'] }),
    );
    expect((await pinned.get('/v1/devices?groupId=north')).body.code).toBe('invalid_parameter');
    expect((await pinned.get('/v1/devices?groupId=grp_south')).body.code).toBe('group_not_allowed');
    expect((await pinned.get('/v1/devices?groupId=grp_gone')).body.code).toBe('group_not_found');
    const empty = await enterprise.get('/v1/devices?groupId=grp_empty');
    expect(empty.status).toBe(200);
    expect(empty.body.data).toEqual([]);
  });

  it('hides cameras outside the groups of a pinned key as if they did not exist', async () => {
    const pinned = clientFor(
      simulator,
      control.createKey({ organisation: 'enterprise', label: 'south', groupIds: ['grp_south'] }),
    );
    const { body } = await pinned.get('/v1/devices?perPage=100');
    expect(body.data).toHaveLength(7);
    expect((await pinned.get(`/v1/devices/${story.collision.psn}`)).body.code).toBe('device_not_found');
    expect((await pro.get(`/v1/devices/${story.collision.psn}`)).body.code).toBe('device_not_found');
  });

  it('reads battery and firmware of an over-limit camera', async () => {
    expect((await enterprise.get(`/v1/devices/${story.overLimitPsn}/battery`)).status).toBe(200);
    expect((await enterprise.get(`/v1/devices/${story.overLimitPsn}/firmware`)).status).toBe(200);
  });

  it('updates a name and vehicle fields, but not the tag', async () => {
    const path = `/v1/devices/${story.ordinaryPsn}`;
    const updated = await enterprise.put(path, { name: 'Renamed', vehicle: { plate: 'NEW 1', year: 2024 } });
    expect(updated.body.data).toMatchObject({
      name: 'Renamed',
      vehicle: { plate: 'NEW 1', year: 2024, tag: 'enterprise' },
    });
    expect((await enterprise.put(path, { vehicle: { tag: 'x' } })).body.code).toBe('invalid_field');
    expect((await enterprise.put(path, { name: '' })).status).toBe(422);
  });

  it('registers a batch with per-row failures, all or nothing as to seats', async () => {
    const devices = [
      { psn: 'NEW000001', name: 'One' },
      { psn: 'NEW000002' },
      { psn: 7 },
      { psn: 'NEW000001' },
      { psn: story.ordinaryPsn },
      { psn: 'BAD000001' },
      { psn: 'STRANGE01' },
    ];
    const refused = await pro.post('/v1/devices', { devices });
    expect(refused.body).toMatchObject({
      code: 'camera_limit_exceeded',
      cameraLimit: 8,
      registeredCameras: 7,
      requiredCameraLimit: 9,
      psns: ['NEW000001', 'NEW000002'],
      remainingSeats: 1,
    });
    expect(refused.headers.get('retry-after')).toBeNull();
    expect((await pro.get('/v1/devices')).body.data).toHaveLength(8);
    control.setPlan('pro', { cameraLimit: 20, isImmediate: true });
    const { body } = await pro.post('/v1/devices', { devices });
    expect(body.data.registered.map((row: { psn: string }) => row.psn)).toEqual(['NEW000001', 'NEW000002']);
    expect(body.data.failed.map((row: { code: string }) => row.code)).toEqual([
      'invalid_psn',
      'duplicated',
      'unknown_psn',
      'blacklisted',
      'unknown_psn',
    ]);
    expect((await pro.get('/v1/devices')).body.data[0]).toMatchObject({
      psn: 'NEW000002',
      cameraPosition: 2,
    });
  });

  it('never locks a seat for a sandbox key', async () => {
    const { body } = await sandbox.get('/v1/devices');
    expect(body.data.every((row: { entitlement: string }) => row.entitlement === 'covered')).toBe(true);
    expect(body.cameras.overLimit).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { hourMs, minuteMs, setUp, type Json } from './testing.ts';

describe('SD card', async () => {
  const { simulator, enterprise } = await setUp();
  const { control, story } = simulator;
  const psn = story.collision.psn;
  const card = `/v1/devices/${psn}/sd-files`;
  const front = `${card}/${story.collision.frontFilename}`;

  it('lists hundreds of recordings with the decoded fields of section 2.1', async () => {
    const { body } = await enterprise.get(`${card}?perPage=200`);
    expect(body.pagination.total).toBeGreaterThan(300);
    for (const row of body.data as Json[]) {
      expect(row.filename).toMatch(/^\d{8}_\d{6}_[A-Z][FO]\.mp4$/);
      expect(row.recordedAtLocal).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
      expect(row.filename.replace('_', 'T').slice(0, 15)).toBe(row.recordedAtLocal.replaceAll(/[-:]/g, ''));
      expect(row.filename.slice(16, 18)).toBe(row.typeCode + row.directionCode);
      expect(row.direction).toBe(row.directionCode === 'F' ? 'front' : 'option');
      expect(row.stream).toBe('main');
      expect(row.mainSizeBytes).toBeGreaterThan(0);
    }
  });

  it('has recordings of every documented type somewhere in the fleet, and unknown letters kept as unknown', async () => {
    const seen = new Map<string, Set<string>>();
    for (let index = 1; index <= 13; index += 1) {
      const path = `/v1/devices/FD1E260000${String(index).padStart(2, '0')}/sd-files?perPage=200`;
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const { body } = await enterprise.get(`${path}&page=${page}`);
        pages = body.pagination.totalPages;
        for (const row of body.data as Json[])
          seen.set(row.type, (seen.get(row.type) ?? new Set()).add(row.typeCode));
      }
    }
    const { allowed } = (await enterprise.get(`${card}?type=none`)).body;
    expect([...seen.keys()].sort()).toEqual([...allowed].sort());
    expect([...(seen.get('unknown') ?? [])]).toEqual(['Z']);
  });

  it('filters by type, direction, stream and time', async () => {
    const impacts = (await enterprise.get(`${card}?type=driving_impact`)).body.data as Json[];
    expect(impacts.map((row) => row.filename)).toContain(story.collision.frontFilename);
    expect(impacts.map((row) => row.filename)).toContain(story.collision.optionFilename);
    expect(impacts.every((row) => row.type === 'driving_impact')).toBe(true);
    const option = (await enterprise.get(`${card}?direction=option&type=driving_impact`)).body.data as Json[];
    expect(option.every((row) => row.direction === 'option')).toBe(true);
    const sub = (await enterprise.get(`${card}?stream=sub&type=driving_impact`)).body.data as Json[];
    expect(sub[0].stream).toBe('sub');
    const moment = impacts[0].recordedAtLocal;
    const byLocal = (await enterprise.get(`${card}?from=${moment}&to=${moment}`)).body.data as Json[];
    expect(byLocal.length).toBeGreaterThan(0);
    expect(byLocal.every((row) => row.recordedAtLocal === moment)).toBe(true);
    const utc = new Date(Date.parse(story.collision.impactAt) - 10_000).toISOString();
    const byUtc = (await enterprise.get(`${card}?from=${utc}&to=${utc}`)).body.data as Json[];
    expect(byUtc.map((row) => row.filename)).toContain(story.collision.frontFilename);
  });

  it('answers 400 with the accepted values to a type, direction, stream or include outside the enum, also retired ones', async () => {
    for (const query of ['type=event', 'type=impact', 'type=automatic', 'type=timelapse', 'type=']) {
      const { status, body } = await enterprise.get(`${card}?${query}`);
      expect(status).toBe(400);
      expect(body.code).toBe('invalid_parameter');
      expect(body.allowed).toEqual(expect.arrayContaining(['driving_impact', 'parking_impact']));
    }
    expect((await enterprise.get(`${card}?direction=rear`)).body.allowed).toEqual(['front', 'option']);
    expect((await enterprise.get(`${card}?stream=third`)).body.allowed).toEqual(['main', 'sub']);
    const { body } = await enterprise.get(`${front}/metadata?include=gps,everything`);
    expect(body).toMatchObject({ code: 'invalid_parameter', allowed: ['thumbnail', 'gps', 'gsensor'] });
  });

  it('returns the requested parts of the metadata: a JPEG, a GPS track in UTC, G-sensor samples', async () => {
    const whole = (await enterprise.get(`${front}/metadata`)).body.data;
    expect(Buffer.from(whole.thumbnail, 'base64').subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    expect(whole.gps[0]).toMatchObject({
      latitude: expect.any(Number),
      speedKmh: expect.any(Number),
      heading: expect.any(Number),
    });
    expect(Date.parse(whole.gps[0].at)).toBeLessThan(Date.parse(story.collision.impactAt));
    const gpsOnly = (await enterprise.get(`${front}/metadata?include=gps`)).body.data;
    expect(gpsOnly).toHaveProperty('gps');
    expect(gpsOnly).not.toHaveProperty('thumbnail');
  });

  it('returns null for a part without samples', async () => {
    const { body } = await enterprise.get(`${card}?type=parking&perPage=1`);
    const { data } = (await enterprise.get(`${card}/${body.data[0].filename}/metadata?include=gps`)).body;
    expect(data.gps).toBeNull();
  });

  it('shows the collision as a G-sensor peak at the impact, and a vehicle that stands still afterwards', async () => {
    const { data } = (await enterprise.get(`${front}/metadata`)).body;
    const strength = (sample: Json) =>
      Math.hypot(sample.verticalG - 1, sample.lateralG, sample.longitudinalG);
    const peak = (data.gsensor as Json[]).reduce((one, other) =>
      strength(other) > strength(one) ? other : one,
    );
    expect(strength(peak)).toBeGreaterThan(4);
    expect(Math.abs(peak.offsetMs - 10_000)).toBeLessThan(250);
    expect(peak.longitudinalG).toBeLessThan(-3);
    const impactMs = Date.parse(story.collision.impactAt);
    const speeds = (data.gps as Json[]).map((sample) => ({
      sinceMs: Date.parse(sample.at) - impactMs,
      speedKmh: sample.speedKmh,
    }));
    expect(speeds.find((sample) => sample.sinceMs === -2000)?.speedKmh).toBeGreaterThan(40);
    expect(speeds.filter((sample) => sample.sinceMs >= 1000).every((sample) => sample.speedKmh === 0)).toBe(
      true,
    );
  });

  it('answers file_not_found for a recording that is not on the card, and invalid_field for a name that cannot be one', async () => {
    expect((await enterprise.get(`${card}/20200101_000000_NF.mp4/metadata`)).body.code).toBe(
      'file_not_found',
    );
    for (const name of ['20200101_000000_NFS.mp4', 'clip.mp4', '20200101_000000_NF.avi', '%E0%A4%A', '%00']) {
      const { status, body } = await enterprise.get(`${card}/${name}/metadata`);
      expect([status, body.code]).toEqual([422, 'invalid_field']);
    }
  });

  it('deletes one recording for good', async () => {
    const path = `/v1/devices/${story.ordinaryPsn}/sd-files`;
    const { body } = await enterprise.get(`${path}?perPage=2`);
    const [first, second] = body.data as Json[];
    expect((await enterprise.delete(`${path}/${first.filename}`)).status).toBe(204);
    expect((await enterprise.delete(`${path}/${first.filename}`)).body.code).toBe('file_not_found');
    const after = (await enterprise.get(`${path}?perPage=2`)).body;
    expect(after.pagination.total).toBe(body.pagination.total - 1);
    expect(after.data[0].filename).toBe(second.filename);
  });

  it('overwrites old continuous recordings as time passes and keeps event clips longer', async () => {
    const path = `/v1/devices/${story.overLimitPsn.replace('17', '03')}/sd-files`;
    const older = (await enterprise.get(`${path}?perPage=200&type=normal`)).body;
    const later = await setUp({ startAt: new Date(control.now() + 96 * hourMs).toISOString() });
    const { body } = await later.enterprise.get(`${path}?perPage=200&type=normal`);
    expect(body.data.map((row: Json) => row.filename)).not.toContain(older.data[0].filename);
  });

  it('has cards with more than ten thousand recordings in the large-card scenario', async () => {
    const large = await setUp({ scenario: 'large-card' });
    const { body } = await large.enterprise.get(`/v1/devices/${story.ordinaryPsn}/sd-files`);
    expect(body.pagination.total).toBeGreaterThan(10_000);
  });
});

describe('device checks and states', async () => {
  const { simulator, enterprise } = await setUp();
  const { control, story } = simulator;
  const files = (psn: string) => `/v1/devices/${psn}/sd-files`;

  it('refuses in the order device_not_found, cloud_only, unsupported_device, camera_limit_exceeded', async () => {
    expect((await enterprise.get(files('NOPE'))).body.code).toBe('device_not_found');
    expect((await enterprise.get(files(story.wifiPsn))).body).toMatchObject({
      code: 'cloud_only',
      psn: story.wifiPsn,
      category: 'wifi',
    });
    control.setPlan('enterprise', { cameraLimit: 1, isImmediate: true });
    expect((await enterprise.get(files(story.unsupportedPsn))).body).toMatchObject({
      code: 'unsupported_device',
      psn: story.unsupportedPsn,
      model: 'DR-200',
    });
    expect((await enterprise.get(files(story.noCardPsn))).body).toMatchObject({
      code: 'camera_limit_exceeded',
      cameraLimit: 1,
      registeredCameras: 17,
      requiredCameraLimit: 15,
      psn: story.noCardPsn,
      cameraPosition: 15,
    });
    control.setPlan('enterprise', { cameraLimit: 16, isImmediate: true });
  });

  it('locks every device-contacting route of an over-limit camera before the device is contacted', async () => {
    const base = files(story.overLimitPsn);
    const name = '20260101_000000_NF.mp4';
    control.clearLog();
    const answers = [
      await enterprise.get(base),
      await enterprise.get(`${base}/${name}/metadata`),
      await enterprise.get(`${base}/${name}/video`),
      await enterprise.delete(`${base}/${name}`),
      await enterprise.post('/v1/media/recall-jobs', { psn: story.overLimitPsn, filename: name }),
      await enterprise.post(`/v1/devices/${story.overLimitPsn}/reboot`),
    ];
    expect(answers.map((answer) => answer.body.code)).toEqual(new Array(6).fill('camera_limit_exceeded'));
    expect(control.counters()['deviceContacts']).toEqual({});
  });

  it('answers device_offline, sd_card_absent and command_timeout as the device is', async () => {
    expect((await enterprise.get(files(story.offlinePsn))).body.code).toBe('device_offline');
    expect((await enterprise.get(files(story.noCardPsn))).body.code).toBe('sd_card_absent');
    control.setDevice({ psn: story.ordinaryPsn, isUnresponsive: true });
    const { status, body } = await enterprise.get(files(story.ordinaryPsn));
    expect([status, body.code, body.psn]).toEqual([504, 'command_timeout', story.ordinaryPsn]);
    control.setDevice({ psn: story.ordinaryPsn, isUnresponsive: false });
  });

  it('answers device_busy with Retry-After 5 on every device-contacting endpoint, and queues nothing', async () => {
    const name = story.collision.frontFilename;
    const base = files(story.collision.psn);
    control.setDevice({ psn: story.collision.psn, busyForSeconds: 60 });
    const answers = [
      await enterprise.get(base),
      await enterprise.get(`${base}/${name}/metadata`),
      await enterprise.get(`${base}/${name}/video`),
      await enterprise.delete(`${base}/${name}`),
      await enterprise.post('/v1/media/recall-jobs', { psn: story.collision.psn, filename: name }),
      await enterprise.post(`/v1/devices/${story.collision.psn}/reboot`),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body.code, answer.body.psn]).toEqual([
        409,
        'device_busy',
        story.collision.psn,
      ]);
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    expect((await enterprise.get('/v1/media/recall-jobs')).body.data).toEqual([]);
    await control.advance(minuteMs);
    expect((await enterprise.get(base)).status).toBe(200);
  });

  it('reboots a wedged camera, which drops the stuck transfer and is away for a short while', async () => {
    const psn = story.ordinaryPsn;
    control.setDevice({ psn, isWedged: true });
    expect((await enterprise.get(files(psn))).body.code).toBe('device_busy');
    expect((await enterprise.post(`/v1/devices/${psn}/reboot`)).status).toBe(202);
    expect((await enterprise.get(files(psn))).body.code).toBe('device_offline');
    await control.advance(minuteMs);
    expect((await enterprise.get(files(psn))).status).toBe(200);
  });

  it('counts device contacts and their overlaps', async () => {
    control.clearLog();
    const psn = story.ordinaryPsn;
    await enterprise.get(files(psn));
    expect(control.counters()['deviceContacts']).toMatchObject({ [psn]: { count: 1, overlaps: 0 } });
    const slow = await setUp({ deviceLatencyMs: 40 });
    await Promise.all([slow.enterprise.get(files(psn)), slow.enterprise.get(files(psn))]);
    expect(slow.simulator.control.counters()['deviceContacts']).toMatchObject({
      [psn]: { count: 2, overlaps: 1 },
    });
  });
});

import { inflateRawSync, crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { allPages, clientFor, minuteMs, secondMs, setUp, type Client, type Json } from './testing.ts';

/** A reader of its own, so that the writer is not judged by itself. */
function readZip(bytes: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    const dataAt = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = inflateRawSync(bytes.subarray(dataAt, dataAt + bytes.readUInt32LE(at + 20)));
    expect(crc32(content)).toBe(bytes.readUInt32LE(at + 16));
    expect(content.length).toBe(bytes.readUInt32LE(at + 24));
    files.set(name, content.toString('utf8'));
    at += 46 + nameLength;
  }
  return files;
}

const range = { from: '2026-03-12T23:59:59Z', to: '2026-03-13T00:00:00Z' };

describe('GPS export jobs', async () => {
  const { simulator, enterprise, pro, standard } = await setUp();
  const { control, story } = simulator;
  const path = '/v1/gps/export-jobs';
  const exportFiles = async (order: Record<string, unknown>, client: Client = enterprise) => {
    const created = (await client.post(path, { ...range, format: 'csv', ...order })).body.data;
    await control.advance(minuteMs);
    const job = (await client.get(`${path}/${created.jobId}`)).body.data;
    const response = await fetch(job.downloadUrl);
    return { created, job, files: readZip(Buffer.from(await response.arrayBuffer())) };
  };

  it('goes from queued over running, with a progress up to 95, to completed with exactly 100', async () => {
    const created = await enterprise.post(path, { ...range, format: 'csv', psns: [story.ordinaryPsn] });
    expect(created.body.data).toMatchObject({ status: 'queued', jobId: expect.stringMatching(/^gpsexp_/) });
    expect(created.body.data.estimatedPoints).toBeGreaterThan(0);
    const states = [];
    for (let second = 0; second < 14; second += 1) {
      const { data } = (await enterprise.get(`${path}/${created.body.data.jobId}`)).body;
      states.push([data.status, data.progress, 'downloadUrl' in data, 'completedAt' in data]);
      await control.advance(secondMs);
    }
    expect(states[0]).toEqual(['queued', 0, false, false]);
    expect(
      states.filter(([status]) => status === 'running').every(([, progress]) => Number(progress) <= 95),
    ).toBe(true);
    expect(states[13]).toEqual(['completed', 100, true, true]);
  });

  it('covers whole UTC days with one CSV row per point, as many as estimated, in the fixed columns', async () => {
    const { created, job, files } = await exportFiles({ psns: [story.ordinaryPsn] });
    expect([...files.keys()]).toEqual(['export.csv']);
    const [header, ...rows] = (files.get('export.csv') ?? '').trimEnd().split('\n');
    expect(header).toBe('psn,carName,datetime,lat,lng,drive_no,heading,speedKmh');
    expect(rows).toHaveLength(created.estimatedPoints);
    expect(rows.length).toBeGreaterThan(300);
    expect(rows[0]).toMatch(
      /^FD1E26000002,Van 08,2026-03-12T\d\d:\d\d:\d\dZ,41\.\d{6},-87\.\d{6},\d+,\d{1,3},\d+\.\d$/,
    );
    const days = new Set(rows.map((row) => row.split(',')[2]?.slice(0, 10)));
    expect([...days]).toEqual(['2026-03-12', '2026-03-13']);
    expect([job.from, job.to]).toEqual(['2026-03-12T00:00:00Z', '2026-03-13T00:00:00Z']);
  });

  it('cuts a trip that runs over midnight UTC at the day', async () => {
    const day = (text: string) => text.slice(0, 10);
    let night: Json;
    for (let index = 2; index <= 13 && !night; index += 1) {
      const psn = `FD1E260000${String(index).padStart(2, '0')}`;
      const { rows } = await allPages(
        enterprise,
        `/v1/devices/${psn}/trips?limit=200&from=2026-01-15T00:00:00Z`,
      );
      night = rows.find((trip) => trip.endedAt !== null && day(trip.startedAt) !== day(trip.endedAt));
    }
    const rowsOn = async (at: string) => {
      const { files } = await exportFiles({ psns: [night.psn], from: at, to: at });
      return (files.get('export.csv') ?? '')
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((row) => row.split(','));
    };
    for (const at of [night.startedAt, night.endedAt]) {
      const rows = await rowsOn(at);
      expect(rows.every((row) => day(row[2] ?? '') === day(at))).toBe(true);
      expect(rows.some((row) => Number(row[5]) === night.driveNo)).toBe(true);
    }
  });

  it('names one file per device by default when there are several, quotes names, and honours an explicit packaging', async () => {
    const psns = ['FD1E26000006', 'FD1E26000007', 'FD1E26000009'];
    const several = (await exportFiles({ psns })).files;
    expect([...several.keys()]).toEqual([
      'camera-Truck 22 - crane-FD1E26000006.csv',
      'camera-Truck 23, "Big Blue"-FD1E26000007.csv',
      'camera-Автолавка 4-FD1E26000009.csv',
    ]);
    expect(several.get('camera-Truck 23, "Big Blue"-FD1E26000007.csv')).toContain(
      'FD1E26000007,"Truck 23, ""Big Blue""",',
    );
    expect([...(await exportFiles({ psns, packaging: 'single' })).files.keys()]).toEqual(['export.csv']);
    expect([
      ...(await exportFiles({ psns: psns.slice(0, 1), packaging: 'perDevice' })).files.size.toString(),
    ]).toEqual(['1']);
  });

  it('leaves the speed empty where the device reported none, which is not the same as 0', async () => {
    const { files } = await exportFiles({ psns: [story.ordinaryPsn], from: '2026-02-20T00:00:00Z' });
    const speeds = (files.get('export.csv') ?? '')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((row) => row.split(',')[7]);
    expect(speeds).toContain('');
    expect(speeds).toContain('0.0');
  });

  it('writes GPX 1.1 with a track per trip, speed in m/s in the Garmin extension, and none without speed', async () => {
    const order = { psns: [story.ordinaryPsn], from: '2026-02-20T00:00:00Z' };
    const csv = (await exportFiles(order)).files.get('export.csv') ?? '';
    const gpx = (await exportFiles({ ...order, format: 'gpx' })).files.get('export.gpx') ?? '';
    const drives = new Set(
      csv
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((row) => row.split(',')[5]),
    );
    expect(gpx).toContain('version="1.1"');
    expect(gpx.match(/<trk>/g)).toHaveLength(drives.size);
    const points = gpx.match(/<trkpt .*<\/trkpt>/g) ?? [];
    expect(points).toHaveLength(csv.trimEnd().split('\n').length - 1);
    expect(points.every((point) => /<time>[^<]+Z<\/time>/.test(point))).toBe(true);
    expect(points.filter((point) => !point.includes('<extensions>')).length).toBe(csv.match(/,\n/g)?.length);
    const rows = csv.trimEnd().split('\n').slice(1);
    const moving = rows.findIndex((row) => Number(row.split(',')[7]) > 10);
    const speedMps = (Number(rows[moving]?.split(',')[7]) / 3.6).toFixed(2);
    expect(points[moving]).toContain(`<gpxtpx:speed>${speedMps}</gpxtpx:speed>`);
  });

  it('writes KML 2.2 with a Placemark and LineString per trip and no speed', async () => {
    const { files } = await exportFiles({ psns: [story.ordinaryPsn], format: 'kml' });
    const kml = files.get('export.kml') ?? '';
    expect(kml).toContain('http://www.opengis.net/kml/2.2');
    expect(kml.match(/<Placemark>/g)?.length).toBe(kml.match(/<LineString>/g)?.length);
    expect(kml).not.toMatch(/speed/i);
  });

  it('exports every cloud device when psns is left out, over-limit ones too', async () => {
    const { files } = await exportFiles({});
    expect(files.size).toBe(17);
    expect([...files.keys()].some((name) => name.includes(story.overLimitPsn))).toBe(true);
  });

  it('refuses more than 90 days, before any quota is charged', async () => {
    const used = async () => (await enterprise.get('/v1/usage')).body.data.volumeQuotas[1].used;
    const before = await used();
    const wide = await enterprise.post(path, {
      from: '2025-12-01T00:00:00Z',
      to: '2026-03-02T00:00:00Z',
      format: 'csv',
    });
    expect(wide.body).toMatchObject({ code: 'invalid_field', status: 422, maxRangeDays: 90, rangeDays: 91 });
    expect(await used()).toBe(before);
    const fits = await enterprise.post(path, {
      from: '2025-12-01T23:59:59Z',
      to: '2026-03-01T00:00:00Z',
      format: 'csv',
      psns: [story.ordinaryPsn],
    });
    expect(fits.body.data.status).toBe('queued');
    await control.advance(minuteMs);
  });

  it('refuses bad fields, Wi-Fi-only cameras and PSNs out of scope', async () => {
    for (const order of [
      { from: '2026-03-12' },
      { to: 'x' },
      { format: 'xml' },
      { packaging: 'zip' },
      { psns: 'all' },
      { psns: [] },
    ]) {
      expect((await enterprise.post(path, { ...range, format: 'csv', ...order })).body.code).toBe(
        'invalid_field',
      );
    }
    const wifi = await enterprise.post(path, {
      ...range,
      format: 'csv',
      psns: [story.wifiPsn, story.ordinaryPsn],
    });
    expect(wifi.body).toMatchObject({ code: 'cloud_only', psns: [story.wifiPsn], category: 'wifi' });
    const unknown = await enterprise.post(path, {
      ...range,
      format: 'csv',
      psns: ['NOPE', story.ordinaryPsn],
    });
    expect(unknown.body).toMatchObject({ code: 'unknown_psn', psns: ['NOPE'] });
    const empty = clientFor(
      simulator,
      control.createKey({ organisation: 'enterprise', label: 'empty', groupIds: ['grp_empty'] }),
    );
    expect((await empty.post(path, { ...range, format: 'csv' })).body.code).toBe('no_scoped_devices');
  });

  it('runs one job at a time: the allowance of the tier first, then export_in_progress', async () => {
    const order = { ...range, format: 'csv', psns: [story.ordinaryPsn] };
    const active = (await enterprise.post(path, order)).body.data;
    expect((await enterprise.post(path, order)).body).toMatchObject({
      code: 'export_in_progress',
      activeJobId: active.jobId,
      activeStatus: 'queued',
    });
    await pro.post(path, { ...range, format: 'csv' });
    expect((await pro.post(path, { ...range, format: 'csv' })).body).toMatchObject({
      code: 'concurrency_limit_exceeded',
      limit: 1,
      active: 1,
    });
    expect((await standard.post(path, { ...range, format: 'csv' })).body.code).toBe('insufficient_scope');
    await control.advance(minuteMs);
  });

  it('answers concurrency_limit_exceeded where the tier allows none', async () => {
    control.setPlan('pro', { tier: 'starter', cameraLimit: 1 });
    expect((await pro.post(path, { ...range, format: 'csv' })).body).toMatchObject({
      code: 'concurrency_limit_exceeded',
      limit: 0,
      active: 0,
    });
    control.setPlan('pro', { tier: 'pro', cameraLimit: 8, isImmediate: true });
  });

  it('charges one of 50 jobs per camera and month, and answers quota_exceeded beyond', async () => {
    control.setUsage('enterprise', { exportJobsLeft: 0 });
    expect((await enterprise.post(path, { ...range, format: 'csv' })).body).toMatchObject({
      code: 'quota_exceeded',
      status: 403,
      bucket: 'export_job',
      limit: 800,
      used: 800,
    });
    control.setUsage('enterprise', { exportJobsLeft: 100 });
  });

  it('cancels a job that is under way, and refuses to cancel a completed one', async () => {
    const order = { ...range, format: 'csv', psns: [story.ordinaryPsn] };
    const canceled = (await enterprise.post(path, order)).body.data;
    expect((await enterprise.delete(`${path}/${canceled.jobId}`)).body.data.status).toBe('canceled');
    await control.advance(minuteMs);
    expect((await enterprise.get(`${path}/${canceled.jobId}`)).body.data.status).toBe('canceled');
    const completed = (await enterprise.post(path, order)).body.data;
    await control.advance(minuteMs);
    const refused = await enterprise.delete(`${path}/${completed.jobId}`);
    expect(refused.body).toMatchObject({
      code: 'job_already_completed',
      status: 409,
      jobId: completed.jobId,
    });
    expect((await enterprise.get(`${path}/gpsexp_none`)).body.code).toBe('job_not_found');
  });

  it('omits the download when there is no data, and lists failed and partial jobs as such', async () => {
    const run = async (outcome: 'empty' | 'failed' | 'partial') => {
      control.setNextExport(outcome);
      const psns = [story.ordinaryPsn, 'FD1E26000003'];
      const { jobId } = (await enterprise.post(path, { ...range, format: 'csv', psns })).body.data;
      await control.advance(minuteMs);
      return (await enterprise.get(`${path}/${jobId}`)).body.data;
    };
    const empty = await run('empty');
    expect(empty).toMatchObject({ status: 'completed', progress: 100, estimatedPoints: 0 });
    expect(empty).not.toHaveProperty('downloadUrl');
    expect((await run('failed')).status).toBe('failed');
    expect(await run('partial')).toMatchObject({ status: 'completed', partial: true });
  });

  it('lists jobs newest first with their expiry, filtered by status, and forgets expired ones', async () => {
    const { rows } = await allPages(enterprise, `${path}?limit=3`);
    const times = rows.map((row) => row.createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(rows.every((row) => Date.parse(row.expiresAt) > control.now())).toBe(true);
    const failed = (await enterprise.get(`${path}?status=failed`)).body.data as Json[];
    expect(failed.map((job) => job.status)).toEqual(['failed']);
    expect((await enterprise.get(`${path}?status=done`)).body.code).toBe('invalid_parameter');
    await control.advance(8 * 24 * 60 * minuteMs);
    expect((await enterprise.get(path)).body.data).toEqual([]);
  });

  it('makes the link anew on every lookup, valid for 3600 seconds', async () => {
    const { job } = await exportFiles({ psns: [story.ordinaryPsn] });
    expect(job.downloadUrlExpiresIn).toBe(3600);
    await control.advance(3600 * secondMs);
    expect((await fetch(job.downloadUrl)).status).toBe(403);
    const again = (await enterprise.get(`${path}/${job.jobId}`)).body.data;
    expect((await fetch(again.downloadUrl)).status).toBe(200);
  });
});

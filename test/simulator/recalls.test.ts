import { describe, expect, it } from 'vitest';
import { clientFor, dayMs, hourMs, minuteMs, setUp, type Client, type Json } from './testing.ts';

const megabyte = 2 ** 20;
const gigabyte = 2 ** 30;

async function transferQuota(client: Client): Promise<{ limit: number; used: number }> {
  const { limit, used } = (await client.get('/v1/usage')).body.data.volumeQuotas[0];
  return { limit, used };
}

describe('playback and recall jobs', async () => {
  const { simulator, enterprise, pro, sandbox } = await setUp();
  const { control, story } = simulator;
  const psn = story.collision.psn;
  const filename = story.collision.frontFilename;
  const video = `/v1/devices/${psn}/sd-files/${filename}/video`;

  it('plays a clip: sub by default, a job behind the link, 200 before the transfer is done', async () => {
    const { status, body } = await enterprise.get(video);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      quality: 'sub',
      receivedBytes: 0,
      jobId: expect.stringMatching(/^mrcl_/),
    });
    expect(Date.parse(body.data.expiresAt) - control.now()).toBe(hourMs);
    const job = (await enterprise.get(`/v1/media/recall-jobs/${body.data.jobId}`)).body.data;
    expect(job).toMatchObject({
      status: 'ready',
      downloadUrl: body.data.url,
      sizeBytes: body.data.sizeBytes,
      receivedBytes: 0,
    });
    await control.advance(minuteMs);
    const later = (await enterprise.get(`/v1/media/recall-jobs/${body.data.jobId}`)).body.data;
    expect(later).toMatchObject({ status: 'ready', receivedBytes: job.sizeBytes });
  });

  it('creates a job with 201, main by default, the size as the listing says', async () => {
    const { body: list } = await enterprise.get(`/v1/devices/${psn}/sd-files?type=driving_impact`);
    const row = list.data.find((candidate: Json) => candidate.filename === filename);
    const { status, body } = await enterprise.post('/v1/media/recall-jobs', { psn, filename });
    expect(status).toBe(201);
    expect(Object.keys(body.data).sort()).toEqual([
      'downloadUrl',
      'expiresAt',
      'jobId',
      'sizeBytes',
      'status',
    ]);
    expect(body.data.sizeBytes).toBe(row.mainSizeBytes);
    await control.advance(minuteMs);
  });

  it('reads a job without contacting the device', async () => {
    const { body } = await enterprise.get('/v1/media/recall-jobs');
    control.clearLog();
    await enterprise.get(`/v1/media/recall-jobs/${body.data[0].jobId}`);
    await enterprise.get('/v1/media/recall-jobs');
    expect(control.counters()['deviceContacts']).toEqual({});
  });

  it('lists the jobs of seven days, newest first, including those of the playback call', async () => {
    const { body } = await enterprise.get('/v1/media/recall-jobs');
    expect(body.data.map((job: Json) => job.quality)).toEqual(['main', 'sub']);
    const brief = await setUp();
    const { data } = (await brief.enterprise.get(video)).body;
    await brief.simulator.control.advance(7 * dayMs);
    expect((await brief.enterprise.get(`/v1/media/recall-jobs/${data.jobId}`)).status).toBe(200);
    await brief.simulator.control.advance(1);
    expect((await brief.enterprise.get(`/v1/media/recall-jobs/${data.jobId}`)).body.code).toBe(
      'job_not_found',
    );
    expect((await brief.enterprise.get('/v1/media/recall-jobs')).body.data).toEqual([]);
  });

  it('refuses names and qualities the way each call does', async () => {
    for (const name of ['20260313_173158_EFS.mp4', 'x', '%ZZ']) {
      const answer = await enterprise.get(`/v1/devices/${psn}/sd-files/${name}/video`);
      expect([answer.status, answer.body.code]).toEqual([422, 'invalid_field']);
    }
    for (const name of ['20260313_173158_EFS.mp4', 'x', 7, undefined]) {
      const answer = await enterprise.post('/v1/media/recall-jobs', { psn, filename: name });
      expect([answer.status, answer.body.code]).toEqual([422, 'invalid_field']);
    }
    expect((await enterprise.get(`${video}?quality=best`)).body).toMatchObject({
      code: 'invalid_parameter',
      allowed: ['main', 'sub'],
    });
    expect(
      (await enterprise.post('/v1/media/recall-jobs', { psn, filename, quality: 'best' })).body,
    ).toMatchObject({
      code: 'invalid_field',
      allowed: ['main', 'sub'],
    });
    expect((await enterprise.post('/v1/media/recall-jobs', { filename })).body.code).toBe('invalid_field');
  });

  it('answers file_not_found for a well-formed name the card does not hold, without spending allowance', async () => {
    const before = await transferQuota(enterprise);
    const answer = await enterprise.post('/v1/media/recall-jobs', {
      psn,
      filename: '20200101_000000_NF.mp4',
    });
    expect([answer.status, answer.body.code]).toEqual([404, 'file_not_found']);
    expect(await transferQuota(enterprise)).toEqual(before);
  });

  it('creates no job when the transfer cannot start', async () => {
    const before = (await enterprise.get('/v1/media/recall-jobs')).body.pagination.total;
    const answer = await enterprise.post('/v1/media/recall-jobs', { psn: story.offlinePsn, filename });
    expect(answer.body.code).toBe('device_offline');
    expect((await enterprise.get('/v1/media/recall-jobs')).body.pagination.total).toBe(before);
  });

  it('answers job_not_found to another organisation', async () => {
    const { body } = await enterprise.get('/v1/media/recall-jobs');
    expect((await pro.get(`/v1/media/recall-jobs/${body.data[0].jobId}`)).body.code).toBe('job_not_found');
  });

  it('gives a null receivedBytes to a sandbox key', async () => {
    const device = (await sandbox.get('/v1/devices')).body.data[0].psn;
    const row = (await sandbox.get(`/v1/devices/${device}/sd-files?perPage=1`)).body.data[0];
    const { data } = (await sandbox.get(`/v1/devices/${device}/sd-files/${row.filename}/video`)).body;
    expect(data.receivedBytes).toBeNull();
    expect((await sandbox.get(`/v1/media/recall-jobs/${data.jobId}`)).body.data.receivedBytes).toBeNull();
    await control.advance(dayMs + 1);
    expect((await sandbox.get(`/v1/media/recall-jobs/${data.jobId}`)).body.code).toBe('job_not_found');
  });

  it('leaves receivedBytes out, and null in the link, when the probe does not answer', async () => {
    control.setModes({ isProbeDead: true });
    const { data } = (await enterprise.get(video)).body;
    expect(data.receivedBytes).toBeNull();
    expect((await enterprise.get(`/v1/media/recall-jobs/${data.jobId}`)).body.data).not.toHaveProperty(
      'receivedBytes',
    );
    control.setModes({ isProbeDead: false });
  });
});

describe('device transfer lock and cancelling', async () => {
  const { simulator, enterprise } = await setUp({ scenario: 'nominal' });
  const { control, story } = simulator;
  const psn = story.collision.psn;
  const recall = async (name: string, quality = 'main') =>
    (await enterprise.post('/v1/media/recall-jobs', { psn, filename: name, quality })).body;

  it('is busy while a transfer runs, also for a repeat of the same file, and free after the last byte', async () => {
    const { data } = await recall(story.collision.frontFilename);
    expect(data.sizeBytes).toBeGreaterThanOrEqual(100_000_000);
    expect((await enterprise.get(`/v1/devices/${psn}/sd-files`)).body.code).toBe('device_busy');
    expect((await recall(story.collision.frontFilename)).code).toBe('device_busy');
    await control.advance(30_000);
    const half = (await enterprise.get(`/v1/media/recall-jobs/${data.jobId}`)).body.data.receivedBytes;
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(data.sizeBytes);
    await control.advance(5 * minuteMs);
    expect((await enterprise.get(`/v1/devices/${psn}/sd-files`)).status).toBe(200);
  });

  it('cancels by aborting whatever the device uploads, marks the job, and does nothing the second time', async () => {
    const first = (await recall(story.collision.frontFilename, 'sub')).data;
    await control.advance(minuteMs);
    const second = (await recall(story.collision.optionFilename)).data;
    control.clearLog();
    const canceled = (await enterprise.delete(`/v1/media/recall-jobs/${first.jobId}`)).body.data;
    expect(canceled.status).toBe('canceled');
    expect((await enterprise.get(`/v1/devices/${psn}/sd-files?perPage=1`)).status).toBe(200);
    await control.advance(minuteMs);
    expect((await enterprise.get(`/v1/media/recall-jobs/${second.jobId}`)).body.data).toMatchObject({
      status: 'ready',
      receivedBytes: 0,
    });
    expect((await enterprise.delete(`/v1/media/recall-jobs/${first.jobId}`)).body.data.status).toBe(
      'canceled',
    );
    expect(control.counters()['deviceContacts']).toMatchObject({ [psn]: { kinds: ['abort', 'sd-list'] } });
  });

  it('marks a job canceled although the device cannot be reached', async () => {
    const { data } = await recall(story.collision.optionFilename);
    control.setDevice({ psn, offlineForSeconds: 600 });
    expect((await enterprise.delete(`/v1/media/recall-jobs/${data.jobId}`)).body.data.status).toBe(
      'canceled',
    );
    control.setDevice({ psn, offlineForSeconds: 0 });
  });

  it('stays ready after the upload completed', async () => {
    const { data } = await recall(story.collision.optionFilename, 'sub');
    await control.advance(dayMs);
    expect((await enterprise.get(`/v1/media/recall-jobs/${data.jobId}`)).body.data.status).toBe('ready');
  });
});

describe('transfer allowance', async () => {
  const { simulator, enterprise, standard, pro } = await setUp({ scenario: 'nominal' });
  const { control, story } = simulator;
  const psn = story.collision.psn;
  const filename = story.collision.frontFilename;
  const recall = (quality: 'main' | 'sub', name = filename) =>
    enterprise.post('/v1/media/recall-jobs', { psn, filename: name, quality });

  it('is the plan gigabytes of 2^30 bytes times the cameras', async () => {
    expect((await transferQuota(enterprise)).limit).toBe(16 * 18 * gigabyte);
    expect((await transferQuota(pro)).limit).toBe(8 * 10 * gigabyte);
    const { limit } = (await standard.get('/v1/usage')).body.data.volumeQuotas[0];
    expect(limit).toBe(Math.floor(5 * 5.6 * gigabyte));
  });

  it('is checked against the flat estimate before the device is contacted, and creates no job', async () => {
    control.setUsage('enterprise', { transferBytesLeft: 150 * megabyte - 1 });
    control.clearLog();
    const { status, body } = await recall('main');
    expect(status).toBe(403);
    expect(body).toMatchObject({
      code: 'quota_exceeded',
      bucket: 'transfer_bytes',
      limit: 16 * 18 * gigabyte,
    });
    expect(body.used).toBe(16 * 18 * gigabyte - 150 * megabyte + 1);
    expect(body.detail).toContain('288 GB');
    expect(control.counters()['deviceContacts']).toEqual({});
    expect((await enterprise.get('/v1/media/recall-jobs')).body.data).toEqual([]);
  });

  it('allows exactly enough, and records the reported size once the transfer started', async () => {
    control.setUsage('enterprise', { transferBytesLeft: 150 * megabyte });
    const before = (await transferQuota(enterprise)).used;
    const { data } = (await recall('main')).body;
    expect((await transferQuota(enterprise)).used).toBe(before + data.sizeBytes);
    await control.advance(5 * minuteMs);
  });

  it('is checked against the last reported size of the file from then on', async () => {
    const size = (await enterprise.get('/v1/media/recall-jobs')).body.data[0].sizeBytes;
    control.setUsage('enterprise', { transferBytesLeft: size - 1 });
    expect((await recall('main')).body.code).toBe('quota_exceeded');
    control.setUsage('enterprise', { transferBytesLeft: size });
    expect((await recall('main')).status).toBe(201);
    expect((await recall('main')).body.code).toBe('quota_exceeded');
    await control.advance(5 * minuteMs);
  });

  it('counts a repeat within 48 hours in full although the copy is reused and the device does not upload', async () => {
    control.setUsage('enterprise', { transferBytesLeft: gigabyte });
    const before = (await transferQuota(enterprise)).used;
    control.clearLog();
    const one = (await recall('main')).body.data;
    const two = (await recall('main')).body.data;
    expect(two.jobId).not.toBe(one.jobId);
    expect(two.downloadUrl).not.toBe(one.downloadUrl);
    expect((await transferQuota(enterprise)).used).toBe(before + 2 * one.sizeBytes);
    expect((await enterprise.get(`/v1/media/recall-jobs/${two.jobId}`)).body.data.receivedBytes).toBe(
      one.sizeBytes,
    );
    expect(control.counters()['deviceContacts']).toMatchObject({ [psn]: { count: 2 } });
    expect(control.counters()['recalls']).toEqual({ [`${psn}/${filename}/main`]: 2 });
    control.setDevice({ psn, offlineForSeconds: 60 });
    expect((await recall('main')).body.code).toBe('device_offline');
    await control.advance(minuteMs);
  });

  it('uploads anew once the copy is a day old', async () => {
    await control.advance(dayMs + 5 * minuteMs);
    const { data } = (await recall('main')).body;
    expect((await enterprise.get(`/v1/media/recall-jobs/${data.jobId}`)).body.data.receivedBytes).toBe(0);
    await control.advance(5 * minuteMs);
  });

  it('counts the flat figures when the device reports no size', async () => {
    control.setModes({ isNullSizes: true });
    control.setUsage('enterprise', { transferBytesLeft: gigabyte });
    const before = (await transferQuota(enterprise)).used;
    const { body } = await enterprise.get(
      `/v1/devices/${psn}/sd-files/${story.collision.optionFilename}/video`,
    );
    expect(body.data.sizeBytes).toBeNull();
    await control.advance(minuteMs);
    expect((await recall('main', story.collision.optionFilename)).body.data.sizeBytes).toBeNull();
    expect((await transferQuota(enterprise)).used).toBe(before + 8 * megabyte + 150 * megabyte);
    control.setModes({ isNullSizes: false });
    await control.advance(5 * minuteMs);
  });

  it('counts nothing for listings, metadata, job status and thumbnails', async () => {
    const before = await transferQuota(enterprise);
    await enterprise.get(`/v1/devices/${psn}/sd-files`);
    await enterprise.get(`/v1/devices/${psn}/sd-files/${filename}/metadata`);
    await enterprise.get('/v1/media/recall-jobs');
    expect(await transferQuota(enterprise)).toEqual(before);
  });

  it('starts anew with the month', async () => {
    control.setUsage('enterprise', { transferBytesLeft: 0 });
    expect((await recall('sub')).body.code).toBe('quota_exceeded');
    await control.advance(Date.parse('2026-04-01T00:00:00Z') - control.now());
    expect(await transferQuota(enterprise)).toMatchObject({ used: 0 });
  });

  it('is zero below standard, even for a key whose scopes still follow the old plan', async () => {
    control.setPlan('pro', { tier: 'starter', cameraLimit: 1 });
    const device = 'FD2E26000002';
    const row = (await pro.get(`/v1/devices/${device}/sd-files?perPage=1`)).body.data[0];
    const { body } = await pro.get(`/v1/devices/${device}/sd-files/${row.filename}/video`);
    expect(body).toMatchObject({ code: 'quota_exceeded', limit: 0 });
  });

  it('audits recalls, also those a device refused, but nothing of a sandbox key', async () => {
    const { body } = await enterprise.get('/v1/audit-logs?category=video&limit=200');
    const creations = (body.data as Json[]).filter((entry) => entry.eventType === 'video.recall_create');
    expect(new Set(creations.map((entry) => entry.status))).toEqual(new Set(['start', 'fail']));
    const key = control.createKey({ organisation: 'sandbox', label: 'auditor' });
    await clientFor(simulator, key).get(`/v1/devices/FD6E26000001/sd-files`);
    expect((await clientFor(simulator, key).get('/v1/audit-logs')).body.data).toEqual([]);
  });
});

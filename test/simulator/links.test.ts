import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs, setUp } from './testing.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('presigned links', async () => {
  const { simulator, enterprise } = await setUp();
  const { control, story, keys } = simulator;
  const recall = async (quality = 'sub') => {
    const body = { psn: story.collision.psn, filename: story.collision.frontFilename, quality };
    return (await enterprise.post('/v1/media/recall-jobs', body)).body.data;
  };
  const fetchBytes = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers });
    return {
      status: response.status,
      headers: response.headers,
      bytes: new Uint8Array(await response.arrayBuffer()),
    };
  };

  it('serves exactly the reported bytes without a key', async () => {
    const job = await recall();
    await control.advance(minuteMs);
    const whole = await fetchBytes(job.downloadUrl);
    expect(whole.status).toBe(200);
    expect(whole.bytes.length).toBe(job.sizeBytes);
    expect(whole.headers.get('content-length')).toBe(String(job.sizeBytes));
    expect(job.downloadUrl).not.toContain('/v1/');
  });

  it('refuses a request that carries an Authorization header and records the violation', async () => {
    const job = await recall();
    const answer = await fetchBytes(job.downloadUrl, { Authorization: `Bearer ${keys.enterprise}` });
    expect(answer.status).toBe(400);
    expect(control.counters()['linkRequestsWithKey']).toBe(1);
  });

  it('answers byte ranges with 206, past the end with 416, and a stale If-Range with the whole file', async () => {
    const job = await recall();
    const whole = await fetchBytes(job.downloadUrl);
    const etag = whole.headers.get('etag') ?? '';
    const middle = await fetchBytes(job.downloadUrl, { Range: 'bytes=1000-1999', 'If-Range': etag });
    expect(middle.status).toBe(206);
    expect(middle.headers.get('content-range')).toBe(`bytes 1000-1999/${job.sizeBytes}`);
    expect(sha256(middle.bytes)).toBe(sha256(whole.bytes.subarray(1000, 2000)));
    const rest = await fetchBytes(job.downloadUrl, { Range: `bytes=${job.sizeBytes - 10}-` });
    expect(rest.bytes).toEqual(whole.bytes.subarray(job.sizeBytes - 10));
    expect((await fetchBytes(job.downloadUrl, { Range: 'bytes=-10' })).bytes).toEqual(rest.bytes);
    expect((await fetchBytes(job.downloadUrl, { Range: `bytes=${job.sizeBytes}-` })).status).toBe(416);
    const stale = await fetchBytes(job.downloadUrl, { Range: 'bytes=1000-1999', 'If-Range': '"other"' });
    expect([stale.status, stale.bytes.length]).toEqual([200, job.sizeBytes]);
  });

  it('expires after about an hour, and a changed link is refused', async () => {
    const job = await recall();
    expect((await fetchBytes(`${job.downloadUrl}0`)).status).toBe(403);
    expect((await fetchBytes(job.downloadUrl.replace('EF.mp4', 'EO.mp4'))).status).toBe(403);
    await control.advance(hourMs - 1);
    expect((await fetchBytes(job.downloadUrl)).status).toBe(200);
    await control.advance(1);
    const expired = await fetchBytes(job.downloadUrl);
    expect(expired.status).toBe(403);
    expect(new TextDecoder().decode(expired.bytes)).toContain('RequestExpired');
  });

  it('carries no expiry in the link when the service has none to tell, and the copy is gone after a day', async () => {
    control.setModes({ isNullExpiry: true });
    const { data } = (
      await enterprise.get(
        `/v1/devices/${story.collision.psn}/sd-files/${story.collision.frontFilename}/video`,
      )
    ).body;
    expect(data.expiresAt).toBeNull();
    await control.advance(2 * hourMs);
    expect((await fetchBytes(data.url)).status).toBe(200);
    await control.advance(dayMs);
    expect((await fetchBytes(data.url)).status).toBe(404);
    control.setModes({ isNullExpiry: false });
  });

  it('streams while the upload is still running', async () => {
    const job = await recall('main');
    const response = await fetch(job.downloadUrl);
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    const first = reader?.read();
    await control.advance(10);
    const chunk = (await first)?.value ?? new Uint8Array();
    expect(chunk.length).toBeGreaterThan(0);
    expect(chunk.length).toBeLessThan(job.sizeBytes);
    await control.advance(secondMs);
    let received = chunk.length;
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      received += next.value.length;
    expect(received).toBe(job.sizeBytes);
  });

  it('breaks the stream off when the upload is canceled', async () => {
    const other = { psn: story.collision.psn, filename: story.collision.optionFilename, quality: 'main' };
    const job = (await enterprise.post('/v1/media/recall-jobs', other)).body.data;
    const download = fetchBytes(job.downloadUrl);
    await control.advance(10);
    await enterprise.delete(`/v1/media/recall-jobs/${job.jobId}`);
    await Promise.all([expect(download).rejects.toThrow(), control.advance(10)]);
  });
});

describe('faults on links', async () => {
  const { simulator, enterprise } = await setUp();
  const { control, story } = simulator;
  const body = { psn: story.collision.psn, filename: story.collision.frontFilename, quality: 'sub' };
  const job = (await enterprise.post('/v1/media/recall-jobs', body)).body.data;
  await control.advance(minuteMs);
  const once = (effect: Parameters<typeof control.addFault>[0]['effect']) =>
    control.addFault({ match: { surface: 'link' }, times: 1, effect });

  it('drops the connection after a number of bytes, and the rest can be fetched by range', async () => {
    const whole = new Uint8Array(await (await fetch(job.downloadUrl)).arrayBuffer());
    for (const bytes of [0, 1, 4096, job.sizeBytes - 1]) {
      once({ kind: 'drop', bytes });
      const parts: Uint8Array[] = [];
      await expect(
        (async () => {
          const response = await fetch(job.downloadUrl);
          for await (const part of response.body ?? []) parts.push(part);
        })(),
      ).rejects.toThrow();
      const got = Buffer.concat(parts);
      expect(got.length).toBe(bytes);
      const rest = await fetch(job.downloadUrl, { headers: { Range: `bytes=${got.length}-` } });
      expect(rest.status).toBe(206);
      expect(sha256(Buffer.concat([got, new Uint8Array(await rest.arrayBuffer())]))).toBe(sha256(whole));
    }
  });

  it('ignores Range, lies about a range, changes the ETag, serves a wrong length, expires, loops', async () => {
    const range = { headers: { Range: 'bytes=100-199' } };
    once({ kind: 'ignoreRange' });
    const ignored = await fetch(job.downloadUrl, range);
    expect([ignored.status, (await ignored.arrayBuffer()).byteLength]).toEqual([200, job.sizeBytes]);
    once({ kind: 'wrongRange' });
    expect((await fetch(job.downloadUrl, range)).headers.get('content-range')).toBe(
      `bytes 1100-1199/${job.sizeBytes}`,
    );
    once({ kind: 'changedEtag' });
    const etag = (await fetch(job.downloadUrl)).headers.get('etag');
    expect((await fetch(job.downloadUrl)).headers.get('etag')).not.toBe(etag);
    for (const deltaBytes of [-1000, 1000]) {
      once({ kind: 'wrongLength', deltaBytes });
      expect((await (await fetch(job.downloadUrl)).arrayBuffer()).byteLength).toBe(
        job.sizeBytes + deltaBytes,
      );
    }
    once({ kind: 'expired' });
    expect((await fetch(job.downloadUrl)).status).toBe(403);
    once({ kind: 'redirectLoop' });
    const redirect = await fetch(job.downloadUrl, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      302,
      job.downloadUrl.replace(simulator.baseUrl, ''),
    ]);
  });
});

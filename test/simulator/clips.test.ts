import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { minuteMs, setUp, type Json } from './testing.ts';

interface Box {
  readonly type: string;
  readonly start: number;
  readonly bytes: Buffer;
}

function boxes(bytes: Buffer, from = 0, to = bytes.length): Box[] {
  const found: Box[] = [];
  for (let at = from; at + 8 <= to;) {
    const size = bytes.readUInt32BE(at);
    if (size < 8) break;
    found.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      start: at,
      bytes: bytes.subarray(at + 8, at + size),
    });
    at += size;
  }
  return found;
}

function childOf(parent: Buffer | undefined, ...types: string[]): Buffer | undefined {
  return types.reduce<Buffer | undefined>(
    (bytes, type) => bytes && boxes(bytes).find((box) => box.type === type)?.bytes,
    parent,
  );
}

describe('clips', async () => {
  const { simulator, enterprise } = await setUp();
  const { control, story } = simulator;
  const fetchClip = async (filename: string, quality: string) => {
    const body = { psn: story.collision.psn, filename, quality };
    const job = (await enterprise.post('/v1/media/recall-jobs', body)).body.data;
    await control.advance(5 * minuteMs);
    const bytes = Buffer.from(await (await fetch(job.downloadUrl)).arrayBuffer());
    expect(bytes.length).toBe(job.sizeBytes);
    return bytes;
  };
  const front = await fetchClip(story.collision.frontFilename, 'main');
  const telemetry = boxes(front).find((box) => box.type === 'free')?.bytes ?? Buffer.alloc(0);
  const part = (type: string): Buffer =>
    boxes(telemetry).find((box) => box.type === type)?.bytes ?? Buffer.alloc(0);

  it('are H.264 MP4 files whose sample table still points at the picture data', () => {
    const top = boxes(front).map((box) => box.type);
    expect(top.slice(0, 3)).toEqual(['ftyp', 'free', 'moov']);
    expect(top[top.length - 1]).toBe('free');
    const table = childOf(
      boxes(front).find((box) => box.type === 'moov')?.bytes,
      'trak',
      'mdia',
      'minf',
      'stbl',
    );
    expect(childOf(table, 'stsd')?.toString('latin1')).toContain('avc1');
    const media = boxes(front).find((box) => box.type === 'mdat');
    const offsets = childOf(table, 'stco');
    expect(offsets?.readUInt32BE(8)).toBe((media?.start ?? 0) + 8);
    // 70 s at 30 frames a second.
    expect(childOf(table, 'stsz')?.readUInt32BE(8)).toBe(2100);
  });

  it('carry the boxes of the camera family in a free box with zero padding', () => {
    expect(boxes(telemetry).map((box) => box.type)).toEqual(['cprt', 'sttm', 'ptnm', 'thum', 'gps ', '3gf ']);
    expect(part('ptnm').toString('latin1', 4)).toBe(`${story.collision.frontFilename}\0`);
    const thumbnail = part('thum');
    expect(thumbnail.readUInt32BE(0)).toBe(thumbnail.length - 4);
    const localMs = Number(part('sttm').readBigUInt64BE(0));
    const impactLocalMs = Date.parse(story.collision.impactAt) - 6 * 3_600_000;
    // Chicago is on daylight-saving time in the week of the collision.
    expect(localMs).toBe(impactLocalMs + 3_600_000 - 10_000);
    expect(front.indexOf(Buffer.from('3gf '))).toBeGreaterThan(0);
  });

  it('carry checked NMEA sentences at one a second, prefixed with the local wall clock', () => {
    const lines = part('gps ')
      .toString('latin1')
      .split('\n')
      .filter((line) => line.startsWith('['));
    expect(lines).toHaveLength(70);
    for (const line of lines) {
      const match = /^\[(\d{13})\]\$(GPRMC,.*)\*([0-9A-F]{2})$/.exec(line);
      let checksum = 0;
      for (const character of match?.[2] ?? '') checksum ^= character.charCodeAt(0);
      expect(match?.[3]).toBe(checksum.toString(16).toUpperCase().padStart(2, '0'));
      const fields = match?.[2]?.split(',') ?? [];
      const [, time, status, latitude] = fields;
      expect([status, latitude?.slice(0, 2)]).toEqual(['A', '41']);
      const utc = Date.parse(`2026-03-13T${time?.slice(0, 2)}:${time?.slice(2, 4)}:${time?.slice(4, 6)}Z`);
      expect(Math.round((Number(match?.[1]) - utc) / 900_000)).toBe(-20);
    }
  });

  it('carry about nine G-sensor records a second with gravity on the vertical axis and a peak at the impact', () => {
    const bytes = part('3gf ');
    const samples: { ms: number; g: number; longitudinal: number }[] = [];
    for (let at = 0; bytes.readUInt32BE(at) !== 0xffffffff; at += 10) {
      const [vertical, lateral, longitudinal] = [4, 6, 8].map(
        (offset) => bytes.readInt16BE(at + offset) / 128,
      );
      samples.push({
        ms: bytes.readUInt32BE(at),
        g: Math.hypot(vertical ?? 0, lateral ?? 0, longitudinal ?? 0),
        longitudinal: longitudinal ?? 0,
      });
    }
    expect(samples.length / 70).toBeGreaterThan(8);
    expect(samples.length / 70).toBeLessThan(10);
    const calm = samples.filter((sample) => sample.ms < 8000).map((sample) => sample.g);
    expect(calm.reduce((sum, g) => sum + g, 0) / calm.length).toBeCloseTo(1.04, 1);
    const peak = samples.reduce((one, other) => (other.g > one.g ? other : one));
    expect(peak.g).toBeGreaterThan(4);
    expect(Math.abs(peak.ms - 10_000)).toBeLessThan(250);
    expect(peak.longitudinal).toBeLessThan(-3);
  });

  it('agree with the metadata call and with the exported trip', async () => {
    const card = `/v1/devices/${story.collision.psn}/sd-files/${story.collision.frontFilename}`;
    const { gps } = (await enterprise.get(`${card}/metadata?include=gps`)).body.data;
    const { points } = (await enterprise.get(`/v1/trips/${story.collision.tripId}/track`)).body.data;
    const atSameTime = gps.flatMap((sample: Json) =>
      points
        .filter((point: Json) => Date.parse(point.at) === Date.parse(sample.at))
        .map((point: Json) => [point.latitude, point.longitude, sample.latitude, sample.longitude]),
    );
    expect(atSameTime.length).toBeGreaterThan(2);
    for (const [latitude, longitude, ...sample] of atSameTime) expect([latitude, longitude]).toEqual(sample);
  });

  it('differ between front and option and between main and sub, and stay under 3 MB in the repository', async () => {
    const option = await fetchClip(story.collision.optionFilename, 'main');
    const sub = await fetchClip(story.collision.frontFilename, 'sub');
    expect(option.equals(front)).toBe(false);
    expect(sub.length).toBeLessThan(front.length);
    const folder = path.join(import.meta.dirname, 'clips');
    const total = readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
    expect(total).toBeLessThan(3_000_000);
  });

  it('have nominal sizes by padding when a scenario says so, served to the last byte', async () => {
    const nominal = await setUp({ nominalSizes: { main: 5_000_000, sub: 200_000 } });
    const { data } = (
      await nominal.enterprise.post('/v1/media/recall-jobs', {
        psn: story.collision.psn,
        filename: story.collision.frontFilename,
      })
    ).body;
    expect(data.sizeBytes).toBeGreaterThanOrEqual(5_000_000);
    await nominal.simulator.control.advance(minuteMs);
    const bytes = Buffer.from(await (await fetch(data.downloadUrl)).arrayBuffer());
    expect(bytes.length).toBe(data.sizeBytes);
    const top = boxes(bytes);
    expect(top.map((box) => box.type)).toEqual(['ftyp', 'free', 'moov', 'free', 'mdat', 'free']);
    expect(top[5]?.bytes.length).toBeGreaterThan(4_000_000);
  });
});

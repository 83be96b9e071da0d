import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readClipHere } from '../../../main/media/telemetry/clipReading.ts';
import {
  avcConfig,
  box,
  clip,
  ClipFolder,
  fileType,
  largeBox,
  motionRecord,
  movie,
  movieHeader,
  rmc,
  track,
  u32,
  u64,
  vendorFree,
  videoEntry,
} from './clipWriter.ts';

const files = new ClipFolder();
afterAll(() => files.remove());
const read = (...parts: Buffer[]) => readClipHere(files.write(Buffer.concat(parts)));
const codes = (...parts: Buffer[]) => read(...parts).facts.damage.map(({ code }) => code);
const mdat = box('mdat', Buffer.alloc(64));
const fixtures = path.join(import.meta.dirname, '../../simulator/clips');

describe('the video of a clip', () => {
  it.each(['main', 'sub'])('is described for a real encoder’s file (%s)', (stream) => {
    const { facts } = readClipHere(path.join(fixtures, `collision-front-${stream}.mp4`));
    expect(facts).toMatchObject({
      durationS: 70,
      video: {
        width: 320,
        height: 180,
        fps: 30,
        isConstantRate: true,
        frames: 2100,
        keyFrames: 70,
        isH265: false,
      },
      hasAudio: false,
      damage: [],
      telemetryFormat: null,
    });
    expect(facts.video?.codec).toMatch(/^avc1\.[0-9a-f]{6}$/);
    expect(facts.bytesRead).toBeLessThan(20_000);
  });

  const videoOf = (options: Parameters<typeof track>[0]) => read(fileType, movie(track(options)), mdat).facts;

  it('has a constant rate also where the timescale can only come near it, and for a last frame of another length', () => {
    expect(videoOf({ times: [[30, 1001]] }).video).toMatchObject({ fps: 29.97, isConstantRate: true });
    const third = [1, 33] as const;
    const thirds = Array.from({ length: 20 }, () => [third, third, [1, 34] as const]).flat();
    expect(videoOf({ timescale: 1000, times: thirds }).video).toMatchObject({ isConstantRate: true });
    expect(videoOf({ times: [[29, 1000], [1, 4000]] }).video).toMatchObject({ isConstantRate: true }); // prettier-ignore
  });

  it('has a varying rate where frames differ', () => {
    const facts = videoOf({ times: [[10, 1000], [10, 2000]] }); // prettier-ignore
    expect(facts).toMatchObject({ durationS: 1, video: { fps: 20, isConstantRate: false, frames: 20 } });
  });

  it('counts key frames; without a table every frame is one', () => {
    expect(videoOf({ keyFrames: [1, 11, 21] }).video?.keyFrames).toBe(3);
    expect(videoOf({ keyFrames: null }).video?.keyFrames).toBe(30);
  });

  it('names H.265 with profile, tier and level, and flags it', () => {
    // Main profile, compatible with 1 and 2, main tier, level 4.0 (ISO 14496-15 annex E: hvc1.1.6.L120.90).
    const config = box(
      'hvcC',
      Buffer.from([1, 0x01, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 120, 0xf0, 0, 0xfc]),
    );
    for (const format of ['hvc1', 'hev1']) {
      const { video } = videoOf({ entry: videoEntry(format, 2560, 1440, config) });
      expect(video).toMatchObject({
        codec: `${format}.1.6.L120.90`,
        isH265: true,
        width: 2560,
        height: 1440,
      });
    }
  });

  it('lasts for hours as well as for seconds', () => {
    const facts = videoOf({
      timescale: 90_000,
      times: [[864_000, 3000]],
      sizesBytes: Array<number>(864_000).fill(1),
    });
    expect(facts).toMatchObject({ durationS: 28_800, video: { fps: 30, frames: 864_000 }, damage: [] });
  });

  it('is found in 64-bit boxes and behind unknown ones', () => {
    const { facts } = read(
      fileType,
      box('xyz9', Buffer.alloc(9)),
      largeBox('mdat', Buffer.alloc(90)),
      largeBox('moov', movieHeader(), track()),
    );
    expect(facts).toMatchObject({ durationS: 1, damage: [] });
  });

  it('of a fragmented file without fragments has the stated duration, and no frames', () => {
    const moov = box(
      'moov',
      movieHeader(1000, 0),
      box('mvex', box('mehd', u32(0), u32(12_500))),
      track({ times: [], sizesBytes: [] }),
    );
    expect(read(fileType, moov, box('moof'), mdat).facts).toMatchObject({
      isFragmented: true,
      durationS: 12.5,
      damage: [{ code: 'no-frames' }],
    });
  });
});

describe('a damaged clip', () => {
  it('without an index says so, and keeps its telemetry', () => {
    const gps = vendorFree(box('3gf ', motionRecord(0, 128, 0, 0)));
    const { facts } = read(fileType, gps, Buffer.concat([u32(0), Buffer.from('mdat'), Buffer.alloc(100)]));
    expect(facts).toMatchObject({
      video: null,
      durationS: null,
      damage: [{ code: 'no-moov' }],
      gSensor: { samples: 1 },
    });
  });

  it('cut short anywhere is said to be, and never throws', () => {
    const whole = clip(vendorFree(box('gps ', `[1]`), box('3gf ', motionRecord(0, 128, 0, 0))));
    for (let length = 8; length < whole.length; length++) {
      const { facts } = read(whole.subarray(0, length));
      expect(facts.damage.length, `${length} bytes`).toBeGreaterThan(0);
    }
    expect(read(whole).facts.damage).toEqual([]);
  });

  it('whose index comes first and points beyond the end is cut short', () => {
    expect(codes(fileType, movie(track({ chunkOffsets: [5_000_000] })), mdat)).toEqual(['truncated']);
  });

  it('with sound only, without frames, with bytes of something else behind', () => {
    const sound = track({ handler: 'soun', format: 'mp4a', entry: box('mp4a', Buffer.alloc(28)) });
    expect(read(fileType, movie(sound), mdat).facts).toMatchObject({
      hasAudio: true,
      video: null,
      damage: [{ code: 'no-video' }],
    });
    expect(codes(fileType, movie(track({ times: [], sizesBytes: [], chunkOffsets: [] })), mdat)).toEqual([
      'no-frames',
    ]);
    expect(codes(fileType, movie(track()), mdat, Buffer.alloc(40, 0xff))).toEqual(['foreign-bytes']);
  });

  it('of no bytes, of no clip, of no file is refused with its reason', () => {
    expect(() => read(Buffer.alloc(0))).toThrow(expect.objectContaining({ code: 'file_empty' }));
    expect(() => read(Buffer.from('psn,carName,datetime'))).toThrow(
      expect.objectContaining({ code: 'unsupported_format' }),
    );
    expect(() => read(Buffer.from([0, 0]))).toThrow(expect.objectContaining({ code: 'unsupported_format' }));
    expect(() => readClipHere(path.join(files.folder, 'missing.mp4'))).toThrow(
      expect.objectContaining({ code: 'file_vanished' }),
    );
    expect(() => readClipHere(files.folder)).toThrow(expect.objectContaining({ code: 'file_unreadable' }));
  });
});

describe('hostile boxes', () => {
  const stbl = (...tables: Buffer[]) =>
    track({ stbl: box('stbl', box('stsd', u32(0), u32(1), videoEntry('avc1', 8, 8, avcConfig)), ...tables) });

  it('with counts of billions are neither believed nor followed', () => {
    const huge = u32(0xffff_ffff);
    const lies = [
      stbl(box('stts', u32(0), huge, u32(1), u32(1)), box('stsz', u32(0), u32(0), huge, u32(9))),
      stbl(box('stts', u32(0), u32(1), huge, huge), box('stsz', u32(0), u32(1), huge)),
      stbl(box('stsc', u32(0), huge), box('stco', u32(0), huge), box('stss', u32(0), huge)),
    ];
    for (const lie of lies) expect(codes(fileType, movie(lie), mdat)).toContain('damaged-index');
  });

  it('of a telemetry track that claims four billion samples end', () => {
    const stblBox = box(
      'stbl',
      box('stsd', u32(0), u32(1), box('camm', Buffer.alloc(8))),
      box('stts', u32(0), u32(1), u32(0xffff_ffff), u32(1)),
      box('stsz', u32(0), u32(12), u32(0xffff_ffff)),
      box('stsc', u32(0), u32(1), u32(1), u32(0xffff_ffff), u32(1)),
      box('stco', u32(0), u32(2), u32(0), u32(0)),
    );
    const { facts } = read(fileType, movie(track(), track({ handler: 'camm', stbl: stblBox })), mdat);
    expect(facts.bytesRead).toBeLessThan(250_000_000);
    expect(facts.video?.frames).toBe(30);
  });

  it('inside themselves 10,000 deep, of size 0, 1, 7, negative, and 2^63 end', () => {
    let nested = box('trak');
    for (let i = 0; i < 10_000; i++) nested = i % 2 === 0 ? Buffer.concat([u32(nested.length + 8), Buffer.from('moov'), nested]) : Buffer.concat([u32(nested.length + 8), Buffer.from('trak'), nested]); // prettier-ignore
    expect(codes(fileType, nested, mdat).length).toBeGreaterThan(0);
    for (const size of [2, 7, 0x8000_0000, 0xffff_ffff])
      expect(codes(fileType, Buffer.concat([u32(size), Buffer.from('moov'), Buffer.alloc(40)]))).not.toEqual(
        [],
      );
    for (const size of [0n, 15n, 2n ** 63n, 2n ** 64n - 1n])
      expect(
        codes(fileType, Buffer.concat([u32(1), Buffer.from('mdat'), u64(size), Buffer.alloc(40)])),
      ).not.toEqual([]);
  });

  it('as hundreds of thousands of tiny ones are given up', () => {
    const many = Buffer.alloc(8 * 300_000);
    for (let at = 0; at < many.length; at += 8) {
      many.writeUInt32BE(8, at);
      many.write('free', at + 4, 'latin1');
    }
    expect(codes(fileType, many, movie(track()))).toContain('foreign-bytes');
  });
});

describe('how much is read', () => {
  it('of a clip of 1 GB is its index and its telemetry, wherever they stand', () => {
    const lines = Array.from(
      { length: 3600 },
      (_, i) =>
        `[${1_800_000_000_000 + i * 1000}]${rmc(1_800_000_000_000 + i * 1000, { latDeg: 1, lngDeg: 2 })}`,
    );
    const records = Array.from({ length: 32_400 }, (_, i) => motionRecord(i * 111, 130, 1, 2));
    const telemetry = vendorFree(box('gps ', lines.join('\n\n')), box('3gf ', ...records));
    const giga = 1024 ** 3;
    for (const order of ['first', 'last']) {
      const file = files.write(Buffer.alloc(0), `sparse-${order}.mp4`);
      const head = order === 'first' ? Buffer.concat([fileType, telemetry, movie(track())]) : fileType;
      const descriptor = fs.openSync(file, 'w');
      fs.writeSync(descriptor, head, 0, head.length, 0);
      fs.writeSync(descriptor, Buffer.concat([u32(1), Buffer.from('mdat'), u64(giga)]), 0, 16, head.length);
      const tail = order === 'first' ? box('free') : Buffer.concat([movie(track()), telemetry]);
      fs.writeSync(descriptor, tail, 0, tail.length, head.length + giga);
      fs.closeSync(descriptor);
      // Counted by the system's call as well, place by place.
      const reads = vi.spyOn(fs, 'readSync');
      const { facts } = readClipHere(file);
      const calls: readonly (readonly unknown[])[] = reads.mock.calls;
      const ranges = calls.map(([, , , length, at]) => ({
        at: Number(at),
        length: Number(length),
      }));
      reads.mockRestore();
      expect(ranges.reduce((sum, { length }) => sum + length, 0)).toBe(facts.bytesRead);
      const mediaFrom = head.length + 16;
      const mediaTo = head.length + giga;
      expect(ranges.filter(({ at, length }) => at < mediaTo && at + length > mediaFrom)).toEqual([]);
      expect(facts).toMatchObject({
        damage: [],
        gps: { samples: 3600 },
        gSensor: { samples: 32_400 },
        video: { frames: 30 },
      });
      expect(facts.sizeBytes).toBeGreaterThan(giga);
      expect(facts.bytesRead).toBeLessThan(2 * 1024 * 1024);
      fs.rmSync(file);
    }
  });

  it('of padding after the parts is nothing', () => {
    const { facts } = read(
      fileType,
      vendorFree(box('3gf ', motionRecord(0, 1, 1, 1))),
      movie(track()),
      box('free', Buffer.alloc(5_000_000)),
    );
    expect(facts.bytesRead).toBeLessThan(5000);
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { readClipHere } from '../../../main/media/telemetry/clipReading.ts';
import { box, clip, ClipFolder, fileType, movieHeader, movie, track, u16, u32 } from './clipWriter.ts';

const files = new ClipFolder();
afterAll(() => files.remove());
const start = Date.UTC(2026, 2, 14, 22, 32, 10);
const f32le = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};
const f64le = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
const i32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

/** A clip whose blocks follow `moov`; the index holds their places. */
function withBlocks(blocks: readonly Buffer[], name: string, shift = 0) {
  const index = (at: number): Buffer => {
    let offset = at;
    const entries = blocks.map((block) => {
      const entry = Buffer.concat([u32(offset + shift), u32(block.length)]);
      offset += block.length;
      return entry;
    });
    return box('gps ', u32(0x101), u32(blocks.length), ...entries);
  };
  const moovOf = (at: number): Buffer => box('moov', movieHeader(), index(at), track());
  const blocksAt = fileType.length + moovOf(0).length;
  const bytes = Buffer.concat([fileType, moovOf(blocksAt), ...blocks, box('mdat', Buffer.alloc(32))]);
  return readClipHere(files.write(bytes, name));
}

describe('Novatek', () => {
  interface Block {
    at: number;
    layout: 'A' | 'B';
    signature?: string;
    lat?: number;
    lng?: number;
  }
  /** 48° 6.5' and 11° 30.25', 20 knots, course 270. */
  function block({ at, layout, signature = 'ANE\0', lat = 4806.5, lng = 1130.25 }: Block): Buffer {
    const bytes = Buffer.alloc(0x80);
    bytes.writeUInt32BE(bytes.length, 0);
    bytes.write('freeGPS ', 4, 'latin1');
    const date = new Date(at);
    const time = layout === 'B' ? 0x10 : 0x30;
    [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), date.getUTCFullYear() - 2000, date.getUTCMonth() + 1, date.getUTCDate()].forEach((part, i) => bytes.writeUInt32LE(part, time + i * 4)); // prettier-ignore
    bytes.write(signature, layout === 'B' ? 0x28 : 0x48, 'latin1');
    [lat, lng, 20, 270].forEach((value, i) =>
      bytes.writeFloatLE(value, (layout === 'B' ? 0x2c : 0x4c) + i * 4),
    );
    if (layout === 'B') [256, -128, 64].forEach((value, i) => bytes.writeInt32LE(value, 0x3c + i * 4));
    return bytes;
  }
  const name = '20260314_173210_NF.mp4';

  it.each(['A', 'B'] as const)('layout %s gives positions, and its zone by the name', (layout) => {
    const blocks = [0, 1, 2].map((i) => block({ at: start + i * 1000, layout }));
    const { facts, gSensor } = withBlocks(blocks, name);
    expect(facts).toMatchObject({
      telemetryFormat: 'novatek',
      clock: { startUtcMs: start, utcOffsetMin: -300, source: 'novatek+name' },
      gps: { samples: 3, first: { utcMs: start, headingDeg: 270 } },
      skipped: [],
    });
    expect(facts.gps!.first!.latDeg).toBeCloseTo(48 + 6.5 / 60, 5);
    expect(facts.gps!.first!.lngDeg).toBeCloseTo(11 + 30.25 / 60, 5);
    expect(facts.gps!.first!.speedKmh).toBeCloseTo(37.04, 5);
    if (layout === 'B') expect(gSensor!.axesG.map((axis) => axis[0])).toEqual([1, -0.5, 0.25]);
    else expect(gSensor).toBeNull();
  });

  it('has south and west', () => {
    const { facts } = withBlocks([block({ at: start, layout: 'B', signature: 'ASW\0' })], name);
    expect(facts.gps!.first!.latDeg).toBeLessThan(0);
    expect(facts.gps!.first!.lngDeg).toBeLessThan(0);
  });

  it('stays of unknown UTC when its time equals the camera’s clock', () => {
    const local = Date.UTC(2026, 2, 14, 17, 32, 10);
    const { facts, gps } = withBlocks([block({ at: local, layout: 'B' })], name);
    expect(facts).toMatchObject({
      clock: { startUtcMs: null, utcOffsetMin: null, source: null },
      gps: { samples: 1 },
    });
    expect([...gps!.cameraLocalMs]).toEqual([local]);
  });

  it('of an unknown layout is said to be unsupported; the video stays', () => {
    const unknown = Buffer.concat([u32(0x60), Buffer.from('freeGPS '), Buffer.alloc(0x54, 0x7a)]);
    const { facts } = withBlocks([unknown], name);
    expect(facts).toMatchObject({ telemetryFormat: null, gps: null, video: { frames: 30 }, damage: [] });
    expect(facts.notes.join()).toMatch(/Unsupported telemetry/);
  });

  it('with places that point elsewhere, or angles that can not be, loses those blocks only', () => {
    expect(withBlocks([block({ at: start, layout: 'B' })], name, 3).facts.gps).toBeNull();
    const blocks = [block({ at: start, layout: 'B' }), block({ at: start, layout: 'B', lat: 9960 }), block({ at: start, layout: 'B', lng: NaN })]; // prettier-ignore
    const { facts } = withBlocks(blocks, name);
    expect(facts).toMatchObject({ gps: { samples: 1 }, skipped: [{ count: 2 }] });
  });
});

/** A clip with a telemetry track of those samples, one a second. */
function withTrack(format: string, samples: readonly Buffer[], name = 'a.mp4') {
  const sizesBytes = samples.map((sample) => sample.length);
  const moovOf = (at: number): Buffer =>
    movie(
      track(),
      track({
        handler: 'meta',
        timescale: 1000,
        times: [[samples.length, 1000]],
        entry: box(format, Buffer.alloc(8)),
        sizesBytes,
        chunkOffsets: [at],
      }),
    );
  const at = fileType.length + moovOf(0).length + 8;
  return readClipHere(files.write(Buffer.concat([fileType, moovOf(at), box('mdat', ...samples)]), name));
}

describe('GoPro GPMF', () => {
  const item = (key: string, type: string, struct: number, repeat: number, data: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(key),
      Buffer.from(type, 'latin1'),
      Buffer.from([struct]),
      u16(repeat),
      data,
      Buffer.alloc((4 - (data.length % 4)) % 4),
    ]);
  const nest = (key: string, ...items: Buffer[]): Buffer => {
    const data = Buffer.concat(items);
    return item(key, '\0', 1, data.length, data);
  };
  const accl = nest('STRM', item('SCAL', 's', 2, 1, u16(418)), item('ACCL', 's', 6, 2, Buffer.concat([u16(4099), u16(0), u16(0), u16(0), u16(4099), u16(0)]))); // prettier-ignore
  const gps5 = (fixValue: number, second: number): Buffer =>
    nest(
      'DEVC',
      nest(
        'STRM',
        item('GPSF', 'L', 4, 1, u32(fixValue)),
        item('GPSU', 'U', 16, 1, Buffer.from(`2603142232${10 + second}.500`)),
        item('SCAL', 'l', 4, 5, Buffer.concat([10_000_000, 10_000_000, 1000, 1000, 100].map(i32))),
        item('GPS5', 'l', 20, 2, Buffer.concat([415_000_000, -872_500_000, 180_500, 10_000, 1000, 415_001_000, -872_500_000, 180_500, 10_000, 1000].map(i32))), // prettier-ignore
      ),
      accl,
    );

  it('GPS5 and ACCL are divided by their scale and spread over the payload', () => {
    const { facts, gps, gSensor } = withTrack('gpmd', [gps5(3, 0), gps5(3, 1)], '20260314_173210_NF.mp4');
    expect(facts).toMatchObject({
      telemetryFormat: 'gopro',
      gps: { samples: 4, first: { utcMs: start + 500, latDeg: 41.5, lngDeg: -87.25, speedKmh: 36 } },
      gSensor: { samples: 4 },
      clock: { startUtcMs: start + 500, utcOffsetMin: -300, source: 'gopro' },
      skipped: [],
    });
    expect([...gps!.clipMs]).toEqual([0, 500, 1000, 1500]);
    expect(gSensor!.axesG[0][0]).toBeCloseTo(1, 3);
    expect(gSensor!.axisNames).toEqual(['x', 'y', 'z']);
  });

  it('without a lock gives times and no places', () => {
    expect(withTrack('gpmd', [gps5(0, 0)]).facts.gps).toMatchObject({ samples: 0, withoutFix: 2 });
  });

  it('GPS9 has its own date and time', () => {
    const days = Math.round((Date.UTC(2026, 2, 14) - Date.UTC(2000, 0, 1)) / 86_400_000);
    const values = Buffer.concat([...[415_000_000, -872_500_000, 180_500, 10_000, 1000, days, 81_130_250].map(i32), u16(500), u16(3)]); // prettier-ignore
    const scale = Buffer.concat([10_000_000, 10_000_000, 1000, 1000, 100, 1, 1000, 100, 1].map(i32));
    const payload = nest('DEVC', nest('STRM', item('TYPE', 'c', 9, 1, Buffer.from('lllllllSS')), item('SCAL', 'l', 4, 9, scale), item('GPS9', '?', 32, 1, values))); // prettier-ignore
    expect(withTrack('gpmd', [payload]).facts.gps).toMatchObject({ samples: 1, first: { utcMs: start + 250, latDeg: 41.5 } }); // prettier-ignore
  });

  it('that does not begin with a device is not read', () => {
    const { facts } = withTrack('gpmd', [nest('STRM', accl)]);
    expect(facts).toMatchObject({ gps: null, gSensor: null, skipped: [{ count: 1 }], video: { frames: 30 } });
  });
});

describe('CAMM', () => {
  const packet = (type: number, ...data: Buffer[]): Buffer =>
    Buffer.concat([Buffer.from([0, 0, type, 0]), ...data]);
  const i32le = (value: number): Buffer => Buffer.from(i32(value)).reverse();
  const gpsSeconds = (start - Date.UTC(1980, 0, 6)) / 1000 + 18;

  it('types 5 and 6 are positions, 3 is acceleration, others are passed over', () => {
    const samples = [
      packet(
        6,
        f64le(gpsSeconds),
        i32le(3),
        f64le(41.5),
        f64le(-87.25),
        f32le(180),
        f32le(1),
        f32le(1),
        f32le(0),
        f32le(10),
        f32le(0),
        f32le(1),
      ),
      packet(3, f32le(9.80665), f32le(0), f32le(0)),
      packet(5, f64le(41.6), f64le(-87.35), f64le(181)),
      packet(2, f32le(0), f32le(0), f32le(0)),
      packet(0, Buffer.alloc(12)),
      packet(5, f64le(NaN), f64le(0), f64le(0)),
      packet(9, Buffer.alloc(12)),
    ];
    const { facts, gps, gSensor } = withTrack('camm', samples);
    expect(facts).toMatchObject({
      telemetryFormat: 'camm',
      gps: { samples: 2, first: { utcMs: start, latDeg: 41.5, lngDeg: -87.25, speedKmh: 36, headingDeg: 0 } },
      clock: { startUtcMs: start, source: 'camm', utcOffsetMin: null },
    });
    expect(facts.skipped.map(({ count }) => count)).toEqual([1, 1]);
    expect([...gps!.clipMs]).toEqual([0, 2000]);
    expect([...gSensor!.axesG[0]]).toEqual([expect.closeTo(1, 5)]);
  });

  it('without a fix has a time and no place', () => {
    const sample = packet(6, f64le(gpsSeconds), i32le(0), Buffer.alloc(44));
    expect(withTrack('camm', [sample]).facts.gps).toMatchObject({ samples: 0, withoutFix: 1 });
  });
});

it('finds no telemetry in a clip of another maker, and keeps the clip', () => {
  expect(readClipHere(files.write(clip(box('uuid', Buffer.alloc(64))))).facts).toMatchObject({
    telemetryFormat: null,
    gps: null,
    gSensor: null,
    damage: [],
    notes: [],
  });
});

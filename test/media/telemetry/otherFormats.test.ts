import { afterAll, describe, expect, it } from 'vitest';
import { readClipHere } from '../../../main/media/telemetry/clipReading.ts';
import { box, clip, ClipFolder, fileType, movieHeader, track, u16, u32 } from './clipWriter.ts';
import { cammPacket, f32le, f64le, gpmfItem, gpmfNest, gpsSeconds, i32, i32le, novatekBlock, novatekClip, trackClip } from './telemetryWriter.ts'; // prettier-ignore

const files = new ClipFolder();
afterAll(() => files.remove());
const start = Date.UTC(2026, 2, 14, 22, 32, 10);
const withBlocks = (blocks: readonly Buffer[], name: string, shift?: number) =>
  readClipHere(files.write(novatekClip(blocks, shift), name));
const withTrack = (format: string, samples: readonly Buffer[], name?: string) =>
  readClipHere(files.write(trackClip(format, samples), name));

describe('Novatek', () => {
  const name = '20260314_173210_NF.mp4';

  it.each(['A', 'B'] as const)('layout %s gives positions, and its zone by the name', (layout) => {
    const blocks = [0, 1, 2].map((i) => novatekBlock({ at: start + i * 1000, layout }));
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
    const { facts } = withBlocks([novatekBlock({ at: start, layout: 'B', signature: 'ASW\0' })], name);
    expect(facts.gps!.first!.latDeg).toBeLessThan(0);
    expect(facts.gps!.first!.lngDeg).toBeLessThan(0);
  });

  it('stays of unknown UTC when its time equals the camera’s clock', () => {
    const local = Date.UTC(2026, 2, 14, 17, 32, 10);
    const { facts, gps } = withBlocks([novatekBlock({ at: local, layout: 'B' })], name);
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
    expect(withBlocks([novatekBlock({ at: start, layout: 'B' })], name, 3).facts.gps).toBeNull();
    const blocks = [novatekBlock({ at: start, layout: 'B' }), novatekBlock({ at: start, layout: 'B', lat: 9960 }), novatekBlock({ at: start, layout: 'B', lng: NaN })]; // prettier-ignore
    const { facts } = withBlocks(blocks, name);
    expect(facts).toMatchObject({ gps: { samples: 1 }, skipped: [{ count: 2 }] });
  });
});

describe('GoPro GPMF', () => {
  const accl = gpmfNest('STRM', gpmfItem('SCAL', 's', 2, 1, u16(418)), gpmfItem('ACCL', 's', 6, 2, Buffer.concat([u16(4099), u16(0), u16(0), u16(0), u16(4099), u16(0)]))); // prettier-ignore
  const gps5 = (fixValue: number, second: number): Buffer =>
    gpmfNest(
      'DEVC',
      gpmfNest(
        'STRM',
        gpmfItem('GPSF', 'L', 4, 1, u32(fixValue)),
        gpmfItem('GPSU', 'U', 16, 1, Buffer.from(`2603142232${10 + second}.500`)),
        gpmfItem('SCAL', 'l', 4, 5, Buffer.concat([10_000_000, 10_000_000, 1000, 1000, 100].map(i32))),
        gpmfItem('GPS5', 'l', 20, 2, Buffer.concat([415_000_000, -872_500_000, 180_500, 10_000, 1000, 415_001_000, -872_500_000, 180_500, 10_000, 1000].map(i32))), // prettier-ignore
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
    const payload = gpmfNest('DEVC', gpmfNest('STRM', gpmfItem('TYPE', 'c', 9, 1, Buffer.from('lllllllSS')), gpmfItem('SCAL', 'l', 4, 9, scale), gpmfItem('GPS9', '?', 32, 1, values))); // prettier-ignore
    expect(withTrack('gpmd', [payload]).facts.gps).toMatchObject({ samples: 1, first: { utcMs: start + 250, latDeg: 41.5 } }); // prettier-ignore
  });

  it('that does not begin with a device is not read', () => {
    const { facts } = withTrack('gpmd', [gpmfNest('STRM', accl)]);
    expect(facts).toMatchObject({ gps: null, gSensor: null, skipped: [{ count: 1 }], video: { frames: 30 } });
  });
});

describe('CAMM', () => {
  it('types 5 and 6 are positions, 3 is acceleration, others are passed over', () => {
    const samples = [
      cammPacket(
        6,
        f64le(gpsSeconds(start)),
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
      cammPacket(3, f32le(9.80665), f32le(0), f32le(0)),
      cammPacket(5, f64le(41.6), f64le(-87.35), f64le(181)),
      cammPacket(2, f32le(0), f32le(0), f32le(0)),
      cammPacket(0, Buffer.alloc(12)),
      cammPacket(5, f64le(NaN), f64le(0), f64le(0)),
      cammPacket(9, Buffer.alloc(12)),
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
    const sample = cammPacket(6, f64le(gpsSeconds(start)), i32le(0), Buffer.alloc(44));
    expect(withTrack('camm', [sample]).facts.gps).toMatchObject({ samples: 0, withoutFix: 1 });
  });
});

it('says of a telemetry track that is written in fragments that it is not read', () => {
  const empty = track({ handler: 'meta', times: [], sizesBytes: [], chunkOffsets: [], entry: box('camm', Buffer.alloc(8)) }); // prettier-ignore
  const index = box('moov', movieHeader(), box('mvex'), track(), empty);
  const { facts } = readClipHere(
    files.write(Buffer.concat([fileType, index, box('mdat', Buffer.alloc(32))])),
  );
  expect(facts).toMatchObject({ telemetryFormat: 'camm', gps: null, gSensor: null, video: { frames: 30 } });
  expect(facts.notes).toEqual(['Unsupported telemetry: its telemetry track is written in fragments.']);
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

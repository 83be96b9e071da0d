import { afterAll, describe, expect, it } from 'vitest';
import { readClipHere } from '../../../main/media/telemetry/clipReading.ts';
import {
  box,
  clip,
  ClipFolder,
  fileType,
  motionRecord,
  movie,
  rmc,
  sentence,
  track,
  u32,
  u64,
  vendorFree,
} from './clipWriter.ts';

const files = new ClipFolder();
afterAll(() => files.remove());
const read = (bytes: Buffer, name?: string) => readClipHere(files.write(bytes, name));
const gpsOf = (text: string | Buffer) => read(clip(vendorFree(box('gps ', text))));
const fix = { latDeg: 41.5, lngDeg: -87.25, knots: 10, headingDeg: 90 };
const utc = Date.UTC(2026, 2, 14, 22, 32, 10);
const local = utc - 5 * 3_600_000;

describe('the vendor’s free box', () => {
  const children = [
    box('cprt', 'Maker;SD-7;1.014;English;\0garbage after the end'),
    box('sttm', u64(local)),
    box('ptnm', Buffer.from([9, 8, 7, 6]), '20260314_173210_EF.mp4\0'),
    box('thum', u32(4), Buffer.from([0xff, 0xd8, 0xff, 0xd9]), 'more than the picture'),
    box('gps ', `[${local + 1000}]${rmc(utc + 1000, fix)}\n\n\0\0\0`),
    box('3gf ', motionRecord(0, 128, 0, 0), Buffer.alloc(20, 0xff)),
  ];

  it.each([
    [
      'between ftyp and moov',
      Buffer.concat([fileType, vendorFree(...children), movie(track()), box('mdat')]),
    ],
    ['after mdat', Buffer.concat([fileType, box('mdat'), movie(track()), vendorFree(...children)])],
    [
      'in several boxes, empty and foreign ones among them',
      Buffer.concat([
        fileType,
        box('free'),
        vendorFree(...children.slice(0, 3)),
        box('free', 'not a box at all'),
        movie(track()),
        box('mdat'),
        vendorFree(...children.slice(3)),
      ]),
    ],
    [
      'with parts in another order and unknown ones between',
      clip(vendorFree(...children.toReversed().flatMap((child) => [box('mgzn', 'unknown'), child]))),
    ],
    [
      'as the last box, with the size that means "to the end"',
      Buffer.concat([fileType, movie(track()), box('mdat'), u32(0), Buffer.from('free'), ...children]),
    ],
  ])('is read %s', (_, bytes) => {
    const { facts, thumbnail, gSensor } = read(bytes);
    expect(facts).toMatchObject({
      telemetryFormat: 'free-box',
      makerText: 'Maker;SD-7;1.014;English;',
      originalName: '20260314_173210_EF.mp4',
      recordedAtLocal: '2026-03-14T17:32:10',
      hasThumbnail: true,
      clock: { startUtcMs: utc, utcOffsetMin: -300, source: 'rmc+sttm' },
      gps: {
        samples: 1,
        withoutFix: 0,
        first: { utcMs: utc + 1000, latDeg: 41.5, lngDeg: -87.25, headingDeg: 90 },
      },
      gSensor: { samples: 1, peakG: 1 },
      damage: [],
      skipped: [],
    });
    expect(facts.gps?.first?.speedKmh).toBeCloseTo(18.52, 9);
    expect([...thumbnail!]).toEqual([0xff, 0xd8, 0xff, 0xd9]);
    expect(gSensor?.axisNames).toEqual(['vertical', 'lateral', 'longitudinal']);
  });

  it('keeps a JSON text of the maker as it stands', () => {
    expect(read(clip(vendorFree(box('cprt', '{"model":"SD-7"}\0')))).facts.makerText).toBe(
      '{"model":"SD-7"}',
    );
  });

  it('finds the name by its pattern wherever it stands, and takes no other text for one', () => {
    const named = (payload: string) => read(clip(vendorFree(box('ptnm', payload)))).facts.originalName;
    expect(named('\0\0\0\x0120260314_173210_NFS.mp4\0')).toBe('20260314_173210_NFS.mp4');
    expect(named('20260314_173210_NO.MP4')).toBe('20260314_173210_NO.MP4');
    expect(named('\0\0\0\x01clip.mp4\0')).toBeNull();
    expect(named('\0\0\0\x0120261399_173210_NF.mp4\0')).toBeNull();
  });

  it('says nothing of telemetry where there is none', () => {
    expect(read(clip(box('free', Buffer.alloc(500)))).facts).toMatchObject({
      telemetryFormat: null,
      gps: null,
      gSensor: null,
      skipped: [],
      notes: [],
    });
  });

  it('reads a part that is cut short as far as it goes, and says so', () => {
    const text = `[${local}]${rmc(utc, fix)}\n`;
    const short = Buffer.concat([u32(5000), Buffer.from('gps '), Buffer.from(text)]);
    const { facts } = read(clip(box('free', short)));
    expect(facts.gps?.samples).toBe(1);
    expect(facts.skipped).toEqual([
      expect.objectContaining({ reason: 'a gps part that is cut short', count: 1 }),
    ]);
  });

  it.each([0, 1, 7])('does not follow a part with a size of %i', (size) => {
    const { facts } = read(clip(box('free', u32(size), 'gps ', Buffer.alloc(40))));
    expect(facts.skipped[0]?.reason).toBe("a gps part with a size that can't be");
  });
});

describe('gps lines', () => {
  const line = (at: number, talker?: string): string => `[${local + at}]${rmc(utc + at, fix, talker)}`;

  it.each([
    ['a blank line', '\n\n'],
    ['one newline', '\n'],
    ['CR LF', '\r\n'],
    ['nothing: glued', ''],
  ])('are separated by %s', (_, separator) => {
    const { facts } = gpsOf([0, 1000, 2000].map((at) => line(at)).join(separator));
    expect(facts).toMatchObject({ gps: { samples: 3 }, skipped: [] });
  });

  it('may be none at all, as while parked: a part that is there and empty', () => {
    for (const payload of ['', '\0\0\0\0', '\n\n\0']) {
      expect(gpsOf(payload).facts).toMatchObject({
        telemetryFormat: 'free-box',
        gps: { samples: 0, withoutFix: 0, first: null, last: null },
        clock: { startUtcMs: null, utcOffsetMin: null, source: null },
        skipped: [],
      });
    }
  });

  it('without a fix are times and no points, and set no clock', () => {
    const text = [0, 1000].map((at) => `[${local + at}]${rmc(utc + at, null)}`).join('\n\n');
    const { facts, gps } = gpsOf(text);
    expect(facts).toMatchObject({
      gps: { samples: 0, withoutFix: 2, first: null },
      clock: { startUtcMs: null, utcOffsetMin: null, source: null },
      skipped: [],
    });
    expect([...gps!.utcMs]).toEqual([utc, utc + 1000]);
    expect([...gps!.latDeg]).toEqual([NaN, NaN]);
  });

  const good = line(9000);
  const body = rmc(utc, fix);
  it.each([
    ['a wrong checksum', `[${local}]${body.slice(0, -2)}00`, 'a line with a wrong checksum'],
    ['a line cut short', `[${local}]${body.slice(0, 30)}`, 'a line that is cut short'],
    ['a line cut inside its checksum', `[${local}]${body.slice(0, -1)}`, 'a line that is cut short'],
    ['a bare time', `[${local}]`, 'a line with a time and nothing else'],
    [
      'bytes that are not ASCII',
      `[${local}]${body.replace('GPRMC', 'GP\xffMC')}`,
      'a line with bytes that are not text',
    ],
    ['noise between lines', '\x80\x81 noise', 'bytes that belong to no line'],
    ['a time with too few digits', `[12345]`, 'bytes that belong to no line'],
    [
      'a position out of range',
      `[${local}]${sentence('GPRMC,223210.000,A,9100.00000,N,08715.00000,W,1,2,140326,,,A')}`,
      'a line whose position can not be read or is out of range',
    ],
    [
      '60 minutes of arc',
      `[${local}]${sentence('GPRMC,223210.000,A,4160.00000,N,08715.00000,W,1,2,140326,,,A')}`,
      'a line whose position can not be read or is out of range',
    ],
    [
      'a fix without a position',
      `[${local}]${sentence('GPRMC,223210.000,A,,,,,,,140326,,,A')}`,
      'a line whose position can not be read or is out of range',
    ],
    [
      'a position of 0/0',
      `[${local}]${sentence('GPRMC,223210.000,A,0000.0,N,00000.0,E,1,2,140326,,,A')}`,
      'a position of 0/0',
    ],
  ])('with %s are left out and counted, and the others stay', (_, bad, reason) => {
    const { facts } = gpsOf(Buffer.from(`${bad}\n${bad}\n${good}\n`, 'latin1'));
    expect(facts.gps?.samples).toBe(1);
    expect(facts.skipped).toContainEqual(expect.objectContaining({ reason, count: 2 }));
  });

  it('cut short by the next one glued to it cost only themselves', () => {
    const { facts } = gpsOf(`[${local}]${body.slice(0, 25)}${good}`);
    expect(facts).toMatchObject({
      gps: { samples: 1 },
      skipped: [{ reason: 'a line that is cut short', count: 1 }],
    });
  });

  it('of any constellation are read, and of two for the same second one is taken', () => {
    expect(gpsOf(`${line(0, 'GN')}\n${line(1000, 'BD')}`).facts.gps?.samples).toBe(2);
    expect(
      gpsOf(`${line(0, 'GP')}\n${line(0, 'GN')}\n${line(1000, 'GP')}\n${line(1000, 'GN')}`).facts.gps
        ?.samples,
    ).toBe(2);
  });

  it('take altitude from GGA, and unknown sentences are passed over', () => {
    const text = [
      line(0),
      `[${local + 1}]${sentence('GPGGA,223210.000,4130.0,N,08715.0,W,1,8,1.0,180.5,M,,,,')}`,
      `[${local + 2}]${sentence('GPGSV,1,1,0')}`,
    ].join('\n');
    const { facts, gps } = gpsOf(text);
    expect(facts).toMatchObject({ gps: { samples: 1 }, skipped: [] });
    expect(gps?.altitudeM[0]).toBe(180.5);
  });

  it('keep an empty speed and course absent, never 0', () => {
    const { facts } = gpsOf(`[${local}]${rmc(utc, { latDeg: 1, lngDeg: 2 })}`);
    expect(facts.gps?.first).toMatchObject({ speedKmh: null, headingDeg: null });
  });

  it('without RMC go by GGA or GLL, with speed and course of VTG', () => {
    const vtg = sentence('GPVTG,45.0,T,,M,10.0,N,18.5,K,A');
    const gga = `[${local}]${sentence('GPGGA,223210.000,4130.0,N,08715.0,W,1,8,1.0,180.5,M,,,,')}\n[${local}]${vtg}`;
    const gll = `[${local}]${vtg}\n[${local}]${sentence('GPGLL,4130.0,N,08715.0,W,223210.000,A')}`;
    for (const text of [gga, gll]) {
      expect(gpsOf(text).facts).toMatchObject({
        gps: {
          samples: 1,
          first: { utcMs: null, latDeg: 41.5, lngDeg: -87.25, speedKmh: 18.5, headingDeg: 45 },
        },
        clock: { utcOffsetMin: -300, source: 'gga' },
      });
    }
    expect(gpsOf(`[${local}]${vtg}`).facts.gps).toMatchObject({ samples: 0, withoutFix: 1 });
  });
});

describe('3gf records', () => {
  const sensorOf = (...payload: Buffer[]) => read(clip(vendorFree(box('3gf ', ...payload))));

  it('are vertical, lateral and longitudinal at 128 counts to 1 g, signed', () => {
    const { gSensor, facts } = sensorOf(
      motionRecord(20, 131, -64, 256),
      motionRecord(130, 0, 32_767, -32_768),
    );
    expect([...gSensor!.clipMs]).toEqual([20, 130]);
    expect(gSensor!.axesG.map((axis) => [...axis])).toEqual([
      [131 / 128, 0],
      [-0.5, 32_767 / 128],
      [2, -256],
    ]);
    expect(facts.gSensor).toMatchObject({ samples: 2, rateHz: 9.09, peakOffsetMs: 130, peakUtcMs: null });
  });

  it('end at a time of FFFFFFFF, whatever follows', () => {
    const { facts } = sensorOf(
      motionRecord(0, 128, 0, 0),
      motionRecord(0xffff_ffff, 5, 5, 5),
      motionRecord(100, 999, 0, 0),
    );
    expect(facts).toMatchObject({ gSensor: { samples: 1 }, skipped: [] });
  });

  it('end with the part; a record that is cut short is left out, and padding is none', () => {
    expect(sensorOf(motionRecord(0, 128, 0, 0), Buffer.from([0, 0, 0, 9, 0])).facts).toMatchObject({
      gSensor: { samples: 1 },
      skipped: [{ reason: 'a G-sensor record that is cut short', count: 1 }],
    });
    expect(sensorOf(motionRecord(0, 128, 0, 0), Buffer.alloc(3, 0xff)).facts.skipped).toEqual([]);
    expect(sensorOf(Buffer.alloc(0)).facts.gSensor).toMatchObject({ samples: 0, peakG: null, rateHz: null });
  });
});

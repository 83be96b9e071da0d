/**
 * The edges that formats.md section 2 names for Novatek, GoPro and CAMM, and section 3 for boxes, byte for byte.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { readClipHere } from '../../../main/media/telemetry/clipReading.ts';
import { box, ClipFolder, fileType, movie, track } from './clipWriter.ts';
import { novatekClip, trackClip } from './telemetryWriter.ts';

const files = new ClipFolder();
afterAll(() => files.remove());
const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(/\s/g, ''), 'hex');
const number = (value: number): number | null => (Number.isNaN(value) ? null : Math.round(value * 1e5) / 1e5);

/** All that is read: [place on the clip ms, UTC, latitude, longitude, km/h] and [ms, the three axes in g]. */
function known(bytes: Buffer) {
  const { facts, gps, gSensor } = readClipHere(files.write(bytes));
  expect(facts.video?.frames).toBe(30); // the video stays, whatever the telemetry is
  return {
    format: facts.telemetryFormat,
    gps: gps && [...gps.clipMs].map((ms, i) => [ms, Number.isNaN(gps.utcMs[i]) ? null : new Date(gps.utcMs[i]!).toISOString(), number(gps.latDeg[i]!), number(gps.lngDeg[i]!), number(gps.speedKmh[i]!)]), // prettier-ignore
    g: gSensor && [...gSensor.clipMs].map((ms, i) => [ms, ...gSensor.axesG.map((axis) => number(axis[i]!))]),
    skipped: facts.skipped.map(({ reason, count }) => [reason, count]),
    notes: facts.notes.filter((note) => note.startsWith('Unsupported')),
  };
}

describe('Novatek', () => {
  /** 22:32:10, 2026-03-14; 48° 7.5' N, 11° 30.25' E, 20 knots, 270°; 1, -0.5 and 0.25 g. */
  const layoutB = (signature: string): Buffer =>
    hex(
      `00000060 6672656547505320 00000000
       16000000 20000000 0a000000 1a000000 03000000 0e000000
       ${signature} 003c9645 00488d44 0000a041 00008743
       00010000 80ffffff 40000000 ${'00'.repeat(0x60 - 0x48)}`,
    );
  const layoutA = (signature: string): Buffer =>
    hex(
      `00000070 6672656547505320 00000000 ${'00'.repeat(0x20)}
       16000000 20000000 0a000000 1a000000 03000000 0e000000
       ${signature} 003c9645 00488d44 0000a041 00008743 ${'00'.repeat(0x70 - 0x5c)}`,
    );
  const row = (lat: number, lng: number) => [0, '2026-03-14T22:32:10.000Z', lat, lng, 37.04];
  const g = [[0, 1, -0.5, 0.25]];
  const unknown = { format: null, gps: null, g: null, notes: ['Unsupported telemetry: its GPS blocks are of an unknown layout.'] }; // prettier-ignore

  it.each([
    ['layout B, A N E', layoutB('414e4500'), { gps: [row(48.125, 11.50417)], g }],
    ['layout B, A S W', layoutB('41535700'), { gps: [row(-48.125, -11.50417)], g }],
    ['layout B, A N W', layoutB('414e5700'), { gps: [row(48.125, -11.50417)], g }],
    ['layout A, A N E: without acceleration', layoutA('414e4500'), { gps: [row(48.125, 11.50417)], g: null }],
    ['layout A, A S E', layoutA('41534500'), { gps: [row(-48.125, 11.50417)], g: null }],
    ['layout B, V: no fix, no point', layoutB('56000000'), { gps: [], g }],
    ['layout A, V', layoutA('564e4500'), { gps: [], g: null }],
    ['a signature without its NUL', layoutB('414e4541'), { ...unknown, skipped: [['a GPS block of an unknown layout', 1]] }], // prettier-ignore
    ['a signature with another hemisphere', layoutB('415a4500'), { ...unknown, skipped: [['a GPS block of an unknown layout', 1]] }], // prettier-ignore
    ['a block of another mark', Buffer.concat([hex('00000060'), Buffer.from('skipGPS '), Buffer.alloc(0x54, 1)]), { ...unknown, skipped: [['a GPS block that is not where the index says', 1]] }], // prettier-ignore
  ])('%s', (_, block, expected) => {
    expect(known(novatekClip([block]))).toEqual({ format: 'novatek', skipped: [], notes: [], ...expected });
  });
});

describe('GoPro', () => {
  const scal1 = '5343414c 73020001 000a0000'; // SCAL: one i16, 10
  const accl = '4143434c 73060001 0062 ff9e 0000 0000'; // ACCL: 98, -98, 0, padded
  const stream = (...items: string[]): string => nest('5354524d', items.join(''));
  const nest = (key: string, data: string): string => {
    const length = hex(data).length;
    return `${key} 0001 ${length.toString(16).padStart(4, '0')} ${data}`;
  };
  const device = (data: string): string => nest('44455643', data);
  const gps5 = (scale: string): string =>
    stream(
      '47505346 4c040001 00000003', // GPSF: 3
      '47505355 55100001', Buffer.from('260314223210.500').toString('hex'), // GPSU
      scale,
      '47505335 6c140001 0000a21c fffeab30 00000000 00000064 00000000', // GPS5: 41500, -87248, 0, 100, 0
    ); // prettier-ignore
  const scal5 = '5343414c 6c040005 000003e8 000003e8 00000001 0000000a 00000001'; // 1000, 1000, 1, 10, 1
  const none = { gps: null, g: null, skipped: [] };
  const place = [[0, '2026-03-14T22:32:10.500Z', 41.5, -87.248, 36]];
  const g = [[0, number(9.8 / 9.80665), number(-9.8 / 9.80665), 0]];

  it.each([
    ['GPS5 and ACCL divided by SCAL', device(gps5(scal5) + stream(scal1, accl)), { gps: place, g }],
    ['GPS5 without SCAL', device(gps5('')), { ...none, skipped: [['GPS5 values without their scale', 1]] }],
    ['SCAL of 0', device(gps5('5343414c 6c040005 000003e8 00000000 00000001 0000000a 00000001')), { ...none, skipped: [['GPS5 values without their scale', 1]] }], // prettier-ignore
    ['ACCL without SCAL', device(stream(accl)), none],
    ['a first key that is not DEVC', stream(scal1, accl), { ...none, skipped: [['a GPMF payload that does not begin with a device', 1]] }], // prettier-ignore
    ['a length beyond the payload', '44455643 0001ffff 00000000', none],
    ['a key that is no text', '01020304 00010000', { ...none, skipped: [['a GPMF payload that does not begin with a device', 1]] }], // prettier-ignore
  ])('%s', (_, payload, expected) => {
    expect(known(trackClip('gpmd', [hex(payload)]))).toEqual({
      format: 'gopro',
      skipped: [],
      notes: [],
      ...expected,
    });
  });
});

describe('CAMM', () => {
  /** Total sizes of types 0 to 7, as formats.md section 2 has them. */
  const sizes = [16, 12, 16, 16, 16, 28, 60, 16];
  const position = '0000000000c04440 0000000000d055c0 0000000000006940'; // 41.5, -87.25, 200

  it.each(sizes.map((size, type) => [type, size]))(
    'type %i has %i bytes; a byte less is counted, and more is borne',
    (type, size) => {
      const packet = Buffer.alloc(size);
      packet.writeUInt16LE(type, 2);
      if (type === 5) hex(position).copy(packet, 4);
      const skipped = (bytes: Buffer) => known(trackClip('camm', [bytes])).skipped;
      expect(skipped(packet)).toEqual([]);
      expect(skipped(Buffer.concat([packet, Buffer.alloc(4)]))).toEqual([]);
      expect(skipped(packet.subarray(0, size - 1))).toEqual([['a CAMM packet of an unknown type or length', 1]]); // prettier-ignore
    },
  );

  it.each([
    ['3: acceleration', `0000 0300 0ae81c41 0ae81cc1 00000000`, { g: [[0, 1, -1, 0]] }],
    ['5: a position', `0000 0500 ${position}`, { gps: [[0, null, 41.5, -87.25, null]] }],
    // GPS time 1457562748 s, fix 3D, the position, altitude, accuracies, 3 m/s east, 4 m/s north
    ['6: a position with time and velocity', '0000 0600 0000001f29b8d541 03000000 0000000000c04440 0000000000d055c0 00004843 0000803f 0000803f 00004040 00008040 00000000 0000803f', { gps: [[0, '2026-03-14T22:32:10.000Z', 41.5, -87.25, 18]] }], // prettier-ignore
    ['6 without a fix', '0000 0600 0000001f29b8d541 00000000' + '00'.repeat(44), { gps: [[0, '2026-03-14T22:32:10.000Z', null, null, null]] }], // prettier-ignore
    ['8: unknown', '0000 0800 00000000 00000000 00000000', { skipped: [['a CAMM packet of an unknown type or length', 1]] }], // prettier-ignore
  ])('%s', (_, packet, expected) => {
    expect(known(trackClip('camm', [hex(packet)]))).toEqual({
      format: 'camm',
      gps: null,
      g: null,
      skipped: [],
      notes: [],
      ...expected,
    });
  });
});

describe('boxes', () => {
  const damageOf = (...parts: Buffer[]): string[] => {
    try {
      return readClipHere(files.write(Buffer.concat(parts))).facts.damage.map(({ code }) => code);
    } catch (thrown) {
      return [(thrown as { code: string }).code];
    }
  };
  const index = movie(track());
  const media = box('mdat', Buffer.alloc(16));
  const inLarge = Buffer.concat([hex('00000001 6d6f6f76'), Buffer.alloc(8), index.subarray(8)]);
  inLarge.writeBigUInt64BE(BigInt(inLarge.length), 8);

  it.each<readonly [edge: string, parts: readonly Buffer[], damage: readonly string[]]>([
    ['index last, in a 64-bit box', [fileType, media, inLarge], []],
    ['media with size 0: to the end', [fileType, index, hex('00000000 6d646174 00')], []],
    ['media that overruns', [fileType, index, hex('00000100 6d646174 00')], ['truncated']],
    ['a 64-bit size of 2^63', [fileType, index, hex('00000001 6d646174 8000000000000000 00')], ['truncated']],
    ['a 64-bit size smaller than its head', [fileType, index, media, hex('00000001 66726565 000000000000000f 00')], ['foreign-bytes']], // prettier-ignore
    ['a size of 7', [fileType, index, media, hex('00000007 66726565 00')], ['foreign-bytes']],
    ['a negative size', [fileType, index, hex('ffffffff 6d646174 00')], ['truncated']],
    ['a type that is no text', [fileType, index, media, hex('00000008 00010203')], ['foreign-bytes']],
    ['two indexes: the first counts', [fileType, index, media, movie()], []],
    ['no index', [fileType, media], ['no-moov']],
    ['an index in an index', [fileType, box('moov', index), media], ['damaged-index', 'no-video']],
    ['random bytes', [hex('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c')], ['unsupported_format']],
    ['no bytes', [], ['file_empty']],
  ])('%s', (_, parts, damage) => {
    expect(damageOf(...parts)).toEqual(damage);
  });

  it('says of two indexes that there are two', () => {
    const { facts } = readClipHere(files.write(Buffer.concat([fileType, index, media, movie()])));
    expect(facts.notes).toEqual([expect.stringMatching(/holds 2 indexes .* the first is used/)]);
  });
});

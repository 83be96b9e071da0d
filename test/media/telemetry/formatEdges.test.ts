/**
 * Every edge that formats.md section 2 names for the vendor's `free` boxes, byte for byte: the payloads below are
 * written out, checksums and all, and each is compared with all that is read from it.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { readClipHere } from '../../../main/media/telemetry/clipReading.ts';
import { box, ClipFolder, fileType, movie, track } from './clipWriter.ts';

const files = new ClipFolder();
afterAll(() => files.remove());

const text = (latin1: string): Buffer => Buffer.from(latin1, 'latin1');
const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(/\s/g, ''), 'hex');
const picture = box('mdat', text('no picture'));

/** 14 March 2026, 17:32:10 on a camera at UTC-5. Times below count from here. */
const utc = 1_773_527_530_000;
const sttm = hex('00000010 7374746d 0000019ced67d190');
const rmc0 = '$GPRMC,223210.00,A,4130.0000,N,08715.0000,W,10.0,90.0,140326,,,A*4B';
const rmc1 = '$GPRMC,223211.00,A,4130.0060,N,08715.0000,W,10.0,91.0,140326,,,A*4D';
const rmc2WithoutFix = '$GPRMC,223212.00,V,,,,,,,140326,,,N*7D';
const rmc3Standing = '$GNRMC,223213.00,A,4130.0120,N,08715.0000,W,0.0,,140326,,,A*73';
const rmc7 = '$GPRMC,223217.00,A,4130.0000,N,08715.0000,W,10.0,90.0,140326,,,A*4C';
const gga0 = '$GPGGA,223210.00,4130.0000,N,08715.0000,W,1,08,1.0,180.5,M,-33.0,M,,*5B';
const gll0 = '$GPGLL,4130.0000,N,08715.0000,W,223210.00,A,A*76';
const vtg = '$GPVTG,90.0,T,,M,10.0,N,18.52,K,A*0B';
/** Camera time, milliseconds after 17:32:10. */
const at = (ms: number): string => `[${1_773_509_530_000 + ms}]`;
const gps = (lines: string): Buffer => box('gps ', text(lines));

interface Known {
  readonly maker?: string;
  readonly named?: string;
  readonly thumbnail?: string;
  /** [place on the clip ms, UTC ms from `utc`, latitude, longitude, km/h, course] */
  readonly gps?: readonly (readonly (number | null)[])[];
  /** [ms, vertical, lateral, longitudinal] in g */
  readonly g?: readonly (readonly number[])[];
  /** [start ms from `utc`, offset min, source, uncertainty ms] */
  readonly clock?: readonly [number, number, string, number];
  readonly skipped?: Readonly<Record<string, number>>;
}

/** All that is read, with what is absent left out. */
function known(bytes: Buffer, name = 'clip.mp4'): Known {
  const { facts, gps: rows, gSensor, thumbnail } = readClipHere(files.write(bytes, name));
  const { clock, skipped } = facts;
  const number = (value: number): number | null =>
    Number.isNaN(value) ? null : Math.round(value * 1e6) / 1e6;
  return {
    ...(facts.makerText === null ? {} : { maker: facts.makerText }),
    ...(facts.originalName === null ? {} : { named: facts.originalName }),
    ...(thumbnail ? { thumbnail: Buffer.from(thumbnail).toString('hex') } : {}),
    ...(rows
      ? {
          gps: [...rows.clipMs].map((_, i) =>
            [rows.clipMs[i]!, rows.utcMs[i]! - utc, rows.latDeg[i]!, rows.lngDeg[i]!, rows.speedKmh[i]!, rows.headingDeg[i]!].map(number) ) /* prettier-ignore */,
        }
      : {}),
    ...(gSensor
      ? { g: [...gSensor.clipMs].map((ms, i) => [ms, ...gSensor.axesG.map((axis) => axis[i]!)]) }
      : {}),
    ...(clock.startUtcMs === null
      ? {}
      : { clock: [clock.startUtcMs - utc, clock.utcOffsetMin!, clock.source!, clock.uncertaintyMs!] }),
    ...(skipped.length === 0 ? {} : { skipped: Object.fromEntries(skipped.map((one) => [one.reason, one.count])) }), // prettier-ignore
  };
}
const clipWith = (...parts: Buffer[]): Buffer =>
  Buffer.concat([fileType, box('free', ...parts, Buffer.alloc(16)), movie(track()), picture]);

const first = [0, 0, 41.5, -87.25, 18.52, 90];
const second = [1000, 1000, 41.5001, -87.25, 18.52, 91];
const clock = [0, -300, 'rmc+sttm', 1000] as const;
const truncated = 'a line that is cut short';

describe('every edge of the free box', () => {
  it.each<readonly [edge: string, parts: readonly Buffer[], expected: Known]>([
    // cprt
    ['cprt as text, ended by NUL', [hex('00000015 63707274 56656e646f723b4d3b312e30 00')], { maker: 'Vendor;M;1.0' }], // prettier-ignore
    ['cprt with the bytes behind its NUL', [box('cprt', 'Vendor;M\0old text')], { maker: 'Vendor;M' }],
    ['cprt without a NUL', [box('cprt', 'Vendor;M;1.0')], { maker: 'Vendor;M;1.0' }],
    ['cprt as JSON', [box('cprt', '{"model":"M","lines":[1]}\0')], { maker: '{"model":"M","lines":[1]}' }],
    ['cprt of several lines, CR LF', [box('cprt', 'Vendor\r\nM\r\n\0')], { maker: 'Vendor\r\nM\r\n' }],
    ['cprt in UTF-8', [box('cprt', hex('4bc3b66c6e00'))], { maker: 'Köln' }],
    ['cprt in Latin-1', [box('cprt', hex('4bf66c6e00'))], { maker: 'Köln' }],
    ['cprt that is empty', [box('cprt', '\0\0')], {}],
    // sttm, ptnm, thum
    ['sttm in local time', [sttm, gps(`${at(0)}${rmc0}\n`)], { gps: [first], clock }],
    [
      'sttm cut short',
      [box('sttm', hex('0000019c'))],
      { skipped: { 'a start time that no clock shows': 1 } },
    ],
    ['ptnm behind 4 unknown bytes', [box('ptnm', hex('ff00817f'), '20260314_173210_EF.mp4\0')], { named: '20260314_173210_EF.mp4' }], // prettier-ignore
    ['ptnm at another place', [box('ptnm', hex('0001'), '20260314_173210_EF.mp4')], { named: '20260314_173210_EF.mp4' }], // prettier-ignore
    ['ptnm without a name of that pattern', [box('ptnm', hex('00000001'), 'MOV_0001.mp4\0')], {}],
    ['thum: length and picture', [box('thum', hex('00000004 ffd8ffd9'), 'rest')], { thumbnail: 'ffd8ffd9' }],
    ['thum with a length beyond its end', [box('thum', hex('ffffffff ffd8ffd9'))], { thumbnail: 'ffd8ffd9' }],
    ['thum that is no JPEG', [box('thum', hex('00000004 89504e47'))], { skipped: { 'a thumbnail that is no JPEG picture': 1 } }], // prettier-ignore
    // gps
    ['gps lines separated by a blank line', [sttm, gps(`${at(0)}${rmc0}\n\n${at(1000)}${rmc1}\n\n`)], { gps: [first, second], clock }], // prettier-ignore
    ['gps lines separated by one newline', [sttm, gps(`${at(0)}${rmc0}\n${at(1000)}${rmc1}\n`)], { gps: [first, second], clock }], // prettier-ignore
    ['gps padded with NUL', [sttm, gps(`${at(0)}${rmc0}\n\0\0\0\0\0`)], { gps: [first], clock }],
    ['gps that is empty, as while parked', [sttm, gps('')], { gps: [] }],
    ['gps of NUL alone', [sttm, gps('\0\0\0\0')], { gps: [] }],
    ['RMC with status V: a time, no point', [sttm, gps(`${at(0)}${rmc0}\n${at(2000)}${rmc2WithoutFix}`)], { gps: [first, [2000, 2000, null, null, null, null]], clock }], // prettier-ignore
    ['RMC with V alone: no clock', [sttm, gps(`${at(2000)}${rmc2WithoutFix}`)], { gps: [[2000, 2000, null, null, null, null]] }], // prettier-ignore
    ['RMC of a standing car: speed 0, no course', [sttm, gps(`${at(3000)}${rmc3Standing}`)], { gps: [[3000, 3000, 41.5002, -87.25, 0, null]], clock }], // prettier-ignore
    ['GGA without RMC: time of day only', [sttm, gps(`${at(0)}${gga0}`)], { gps: [[0, null, 41.5, -87.25, null, null]], clock: [0, -300, 'gga+sttm', 1000] }], // prettier-ignore
    ['GLL without RMC and GGA', [sttm, gps(`${at(0)}${gll0}`)], { gps: [[0, null, 41.5, -87.25, null, null]], clock: [0, -300, 'gga+sttm', 1000] }], // prettier-ignore
    ['VTG beside GGA: speed and course', [sttm, gps(`${at(0)}${gga0}\n${at(0)}${vtg}`)], { gps: [[0, null, 41.5, -87.25, 18.52, 90]], clock: [0, -300, 'gga+sttm', 1000] }], // prettier-ignore
    ['VTG alone: no time, no point', [sttm, gps(`${at(0)}${vtg}`)], { gps: [[0, null, null, null, 18.52, 90]] }], // prettier-ignore
    ['a bad checksum', [sttm, gps(`${at(0)}${rmc0}\n${at(1000)}${rmc1.slice(0, -1)}E`)], { gps: [first], clock, skipped: { 'a line with a wrong checksum': 1 } }], // prettier-ignore
    ['glued lines', [sttm, gps(`${at(0)}${rmc0}${at(1000)}${rmc1}`)], { gps: [first, second], clock }],
    ['a truncated line', [sttm, gps(`${at(0)}${rmc0}\n${at(1000)}${rmc1.slice(0, 40)}\n`)], { gps: [first], clock, skipped: { [truncated]: 1 } }], // prettier-ignore
    ['a truncated line with the next one glued to it', [sttm, gps(`${at(0)}${rmc0.slice(0, 33)}${at(1000)}${rmc1}`)], { gps: [second], clock, skipped: { [truncated]: 1 } }], // prettier-ignore
    ['bytes that are not ASCII in a line', [sttm, gps(`${at(0)}${rmc0.replace('N', '\xce')}\n${at(1000)}${rmc1}`)], { gps: [second], clock, skipped: { 'a line with bytes that are not text': 1 } }], // prettier-ignore
    ['bytes that are not ASCII between lines', [sttm, gps(`${at(0)}${rmc0}\n\xff\xfe\n${at(1000)}${rmc1}`)], { gps: [first, second], clock, skipped: { 'bytes that belong to no line': 1 } }], // prettier-ignore
    ['a bare [ms] line', [sttm, gps(`${at(0)}\n\n${at(1000)}${rmc1}\n\n`)], { gps: [second], clock, skipped: { 'a line with a time and nothing else': 1 } }], // prettier-ignore
    ['a line without [ms]', [sttm, gps(`${rmc0}\n${rmc1}`)], { gps: [first, second], clock }],
    // 3gf
    ['3gf: vertical, lateral, longitudinal, 128 to 1 g', [box('3gf ', hex('00000000 0083 ffc0 0100  0000006e 8000 7fff 0000'))], { g: [[0, 131 / 128, -0.5, 2], [110, -256, 32_767 / 128, 0]] }], // prettier-ignore
    ['3gf ended by FFFFFFFF', [box('3gf ', hex('00000000 0080 0000 0000  ffffffff 0001 0002 0003  0000006e 0080 0000 0000'))], { g: [[0, 1, 0, 0]] }], // prettier-ignore
    ['3gf padded with FF', [box('3gf ', hex('00000000 0080 0000 0000'), Buffer.alloc(23, 0xff))], { g: [[0, 1, 0, 0]] }], // prettier-ignore
    ['3gf with a partial last record', [box('3gf ', hex('00000000 0080 0000 0000  0000006e 0080'))], { g: [[0, 1, 0, 0]], skipped: { 'a G-sensor record that is cut short': 1 } }], // prettier-ignore
    ['3gf that is empty', [box('3gf ')], { g: [] }],
    // several clocks
    ['3gf zero 7.4 s before the first gps line: each stays where its own clock puts it', [sttm, box('3gf ', hex('00000000 0080 0000 0000')), gps(`${at(7400)}${rmc7}`)], { g: [[0, 1, 0, 0]], gps: [[7400, 7000, 41.5, -87.25, 18.52, 90]], clock }], // prettier-ignore
    // the box itself
    ['zero padding ends it', [sttm, Buffer.alloc(8), gps(`${at(0)}${rmc0}`)], {}],
    ['an unknown child is passed over', [box('abcd', hex('00ff')), sttm, gps(`${at(0)}${rmc0}`)], { gps: [first], clock }], // prettier-ignore
    ['a child that overruns', [sttm, hex('00010000 67707320'), text(`${at(0)}${rmc0}\n`)], { gps: [first], clock, skipped: { 'a gps part that is cut short': 1 } }], // prettier-ignore
    ['a child of size 0', [hex('00000000 33676620'), hex('00000000 0080 0000 0000')], { skipped: { "a 3gf part with a size that can't be": 1 } }], // prettier-ignore
    ['the first of two equal children counts', [box('cprt', 'one'), box('cprt', 'two')], { maker: 'one' }],
  ])('%s', (_, parts, expected) => {
    expect(known(clipWith(...parts))).toEqual(expected);
  });

  const lines = gps(`${at(0)}${rmc0}\n`);
  const record = box('3gf ', hex('00000000 0080 0000 0000'));
  const whole = { gps: [first], g: [[0, 1, 0, 0]], clock };
  it.each<readonly [edge: string, boxes: readonly Buffer[]]>([
    ['between ftyp and mdat', [fileType, box('free', sttm, lines, record), picture, movie(track())]],
    ['between ftyp and moov', [fileType, box('free', sttm, lines, record), movie(track()), picture]],
    ['at the end', [fileType, movie(track()), picture, box('free', record, lines, sttm)]],
    ['several, any order', [fileType, box('free', record), movie(track()), box('free'), picture, box('free', lines), box('free', sttm)]], // prettier-ignore
    ['with a 64-bit size', [fileType, hex('00000001 66726565 000000000000008d'), sttm, lines, record, movie(track()), picture]], // prettier-ignore
    ['of size 0: to the end', [fileType, movie(track()), picture, hex('00000000 66726565'), sttm, lines, record]], // prettier-ignore
    ['overrunning the file', [fileType, movie(track()), picture, hex('7fffffff 66726565'), sttm, lines, record]], // prettier-ignore
  ])('free boxes %s', (_, boxes) => {
    expect(known(Buffer.concat(boxes))).toEqual(whole);
  });
});

describe('clocks that do not coincide', () => {
  it('the offset is rounded to 15 minutes, and the spread is the uncertainty', () => {
    const spread = gps(`${at(400)}${rmc0}\n${at(1700)}${rmc1}\n${at(6900)}${rmc3Standing}`);
    // The camera is 0.4, 0.7 and 3.9 s behind each line's moment: 3.5 s from the least to the most.
    expect(known(clipWith(sttm, spread))).toMatchObject({ clock: [0, -300, 'rmc+sttm', 3500] });
  });

  it('a name 7.4 s from the start that the camera wrote is an uncertainty of 7.4 s', () => {
    const bytes = clipWith(hex('00000010 7374746d 0000019ced67ee78'), gps(`${at(7400)}${rmc7}`));
    expect(known(bytes, '20260314_173210_NF.mp4').clock).toEqual([7400, -300, 'rmc+sttm', 7400]);
    expect(readClipHere(files.write(bytes, '20260314_173210_NF.mp4')).facts.notes.join()).toMatch(
      /more than 2 seconds apart/,
    );
  });

  it('without a start of the camera’s own the name is good for 2 s, and no name for 10 s', () => {
    const bytes = clipWith(gps(`${at(0)}${rmc0}`));
    expect(known(bytes, '20260314_173210_NF.mp4').clock).toEqual([0, -300, 'rmc+name', 2000]);
    expect(known(bytes).clock).toEqual([0, -300, 'rmc', 10_000]);
  });
});

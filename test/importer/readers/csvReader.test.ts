import { describe, expect, it } from 'vitest';
import { createCsvReader } from '../../../main/importer/csvReader.ts';
import type { ReaderContext } from '../../../main/importer/reader.ts';
import { flagReasons, refusals, skipReasons } from '../../../main/importer/reasons.ts';
import { allPoints, collect, noContext } from './collect.ts';
import type { Collected } from './collect.ts';

const header = 'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh';
const read = (
  text: string | Uint8Array,
  context: ReaderContext = noContext,
  pieces?: readonly number[],
): Collected => collect((sink) => createCsvReader(sink, context), text, pieces);
/** A file with one row. */
const row = (line: string, head = header): Collected => read(`${head}\r\n${line}\r\n`);
const withPlace = (lat: string, lng: string): Collected =>
  row(`P1,Van,2025-03-03T05:00:00Z,${lat},${lng},1,90,12.0`);
const withSpeed = (speed: string): Collected => row(`P1,Van,2025-03-03T05:00:00Z,52.1,4.3,1,90,${speed}`);

const expectSkipped = (result: Collected, reason: string, where = 'line 2'): void => {
  expect(result.skipped).toEqual([{ where, reason, count: 1 }]);
  expect(result.points).toBe(0);
  expect(result.rows).toBe(1);
  expect(result.tracks).toEqual([]);
};
const expectFlagged = (result: Collected, reason: string, where = 'line 2'): void => {
  expect(result.flagged).toEqual([{ where, reason, count: 1 }]);
  expect(result.skipped).toEqual([]);
  expect(result.points).toBe(1);
};
const time0 = '1740978000';

describe('columns', () => {
  it('reads the export as it is written, digit for digit', () => {
    const result = row('P1,"Van 01, North",2025-03-03T05:00:00Z,52.016180,4.300000,7,237,0.0');
    expect(result).toEqual({
      tracks: [
        {
          identity: {
            psn: 'P1',
            cameraName: 'Van 01, North',
            driveNo: 7,
            name: null,
            speedUnit: 'kmh',
            beginMs: null,
            endMs: null,
          },
          points: [[time0, '52.016180', '4.300000', '237', '0.0', null]],
        },
      ],
      rows: 1,
      points: 1,
      skipped: [],
      flagged: [],
      refusal: null,
    });
  });
  it('finds columns by name in any order, whatever their case and the blanks around them', () => {
    const result = row('12.5,x,4.3,2025-03-03T05:00:00Z,52.1', ' SPEEDKMH ,extra,Lng,DateTime,LAT');
    expect(allPoints(result)).toEqual([[time0, '52.1', '4.3', null, '12.5', null]]);
    expect(result.flagged).toEqual([{ where: 'line 1', reason: flagReasons.ignoredColumn, count: 1 }]);
  });
  it('reads older files without a speed column as without speed, not as standing still', () => {
    const result = row('P1,Van,2025-03-03T05:00:00Z,52.1,4.3,1,90', header.replace(',speedKmh', ''));
    expect(allPoints(result)).toEqual([[time0, '52.1', '4.3', '90', null, null]]);
    expect(result.flagged).toEqual([]);
  });
  it('keeps an empty speed apart from 0', () => {
    expect(allPoints(withSpeed(''))[0]![4]).toBeNull();
    expect(allPoints(withSpeed('0'))[0]![4]).toBe('0');
  });
  it('takes the serial and name of the archive where the file has none', () => {
    const context = { psn: 'CTX', cameraName: 'Lorry' };
    const result = read('datetime,lat,lng\n2025-03-03T05:00:00Z,52.1,4.3\n', context);
    expect(result.tracks[0]!.identity).toMatchObject({ psn: 'CTX', cameraName: 'Lorry', driveNo: null });
    const own = read('psn,datetime,lat,lng\nP9,2025-03-03T05:00:00Z,52.1,4.3\n', context);
    expect(own.tracks[0]!.identity.psn).toBe('P9');
  });
  it.each([
    ['datetime,lat', `${refusals.csvNoColumn} lng`],
    ['lat,lng', `${refusals.csvNoColumn} datetime`],
    ['datetime,lng,x', `${refusals.csvNoColumn} lat`],
    ['datetime,lat,lng,LAT', `${refusals.csvTwiceColumn} lat`],
    ['datetime,lat,lng,psn,"psn"', `${refusals.csvTwiceColumn} psn`],
  ])('refuses the header %s', (head, message) => {
    expect(read(`${head}\n`).refusal).toEqual({ where: 'line 1', message });
  });
  it('refuses a header with more than 1,000 columns, an unreadable one and an empty file', () => {
    const many = `datetime,lat,lng,${Array.from({ length: 998 }, (_, i) => `c${i}`).join()}\n`;
    expect(read(many).refusal?.message).toBe(refusals.csvTooManyColumns);
    expect(read('datetime,"lat"x,lng\n').refusal?.message).toBe(refusals.csvBadHeader);
    expect(read(Buffer.from([0x61, 0xff, 0x0a])).refusal?.message).toBe(refusals.csvBadHeader);
    expect(read('').refusal).toEqual({ where: 'byte 0', message: refusals.emptyFile });
    expect(read('\ufeff').refusal?.message).toContain(refusals.csvNoColumn);
  });
  it('reads a file with a header only as zero rows', () => {
    expect(read(`${header}\r\n`)).toMatchObject({ rows: 0, points: 0, refusal: null });
    expect(read(header)).toMatchObject({ rows: 0, points: 0, refusal: null });
  });
});

describe('text', () => {
  const two = `P1,Van,2025-03-03T05:00:00Z,52.1,4.3,1,90,1.0`;
  const three = `P1,Van,2025-03-03T05:00:01Z,52.2,4.3,1,91,2.0`;
  it.each([
    ['CRLF', '\r\n'],
    ['LF', '\n'],
    ['CR', '\r'],
  ])('reads line ends of %s', (_, end) => {
    const result = read([header, two, three, ''].join(end));
    expect(allPoints(result)).toHaveLength(2);
    expect(result).toMatchObject({ skipped: [], flagged: [] });
  });
  it('reads line ends in a mixture and still counts lines', () => {
    const result = read(`${header}\r${two}\n${three}\r\nbad\r\nbad\r`);
    expect(result.points).toBe(2);
    expect(result.skipped).toEqual([{ where: 'line 4', reason: skipReasons.tooFewFields, count: 2 }]);
  });
  it('reads quoted fields with delimiters, line ends and doubled quotes', () => {
    const result = read(
      `${header}\n"P""1","Van\r\n""Nord"", 2","2025-03-03T05:00:00Z","52.1","4.3","1","90","12"\nbad\n`,
    );
    expect(result.tracks[0]!.identity).toMatchObject({
      psn: 'P"1',
      cameraName: 'Van\r\n"Nord", 2',
      driveNo: 1,
    });
    expect(result.skipped).toEqual([{ where: 'line 4', reason: skipReasons.tooFewFields, count: 1 }]);
  });
  it('passes over a UTF-8 byte order mark', () => {
    expect(read(`\ufeff${header}\n${two}\n`)).toMatchObject({ points: 1, flagged: [] });
  });
  it.each([true, false])('reads UTF-16 by its byte order mark (big-endian: %s)', (isBigEndian) => {
    const bytes = Buffer.from(`\ufeff${header}\n${two.replace('Van', 'Vän 🚚')}\n`, 'utf16le');
    if (isBigEndian) bytes.swap16();
    for (const pieces of [[bytes.length], [1], [3]]) {
      const result = read(bytes, noContext, pieces);
      expect(result.tracks[0]!.identity.cameraName).toBe('Vän 🚚');
      expect(result.flagged).toEqual([{ where: 'line 1', reason: flagReasons.utf16, count: 1 }]);
    }
  });
  it('skips the row in which UTF-16 is broken', () => {
    const bytes = Buffer.from(`\ufeff${header}\n${two}\n${three.replace('Van', '\ud800')}\n`, 'utf16le');
    expect(read(bytes)).toMatchObject({
      points: 1,
      skipped: [{ where: 'line 3', reason: skipReasons.notUtf8 }],
    });
  });
  it('reads ; as delimiter, and there a decimal comma exactly', () => {
    const result = row(two.replaceAll(',', ';').replace('52.1', '52,100'), header.replaceAll(',', ';'));
    expect(allPoints(result)[0]![1]).toBe('52.100');
    expect(result.flagged.map((flag) => flag.reason).sort()).toEqual(
      [flagReasons.semicolons, flagReasons.decimalComma].sort(),
    );
    const quoted = row(two.replaceAll(',', ';'), header.replaceAll(',', ';').replace('psn', '"psn"'));
    expect(quoted.points).toBe(1);
    expect(
      row(two.replaceAll(',', ';').replace('52.1', '1.052,1'), header.replaceAll(',', ';')).skipped[0]!
        .reason,
    ).toBe(skipReasons.latitudeNotANumber);
  });
  it('does not take a decimal comma in a file that is delimited by commas', () => {
    expectSkipped(withPlace('"52,1"', '4.3'), skipReasons.latitudeNotANumber);
  });
  it('counts empty lines as remarks, not as rows', () => {
    const result = read(`\n${header}\n\n${two}\n\r\n`);
    expect(result).toMatchObject({ rows: 1, points: 1 });
    expect(result.flagged).toEqual([{ where: 'line 1', reason: flagReasons.emptyLine, count: 3 }]);
  });
  it('keeps a last line without line end and says so', () => {
    expectFlagged(read(`${header}\n${two}`), flagReasons.noLastLineEnd);
    expectFlagged(read(`${header}\n${two.replace('1.0', '"1.0"')}`), flagReasons.noLastLineEnd);
  });
  it('skips ragged rows, NUL bytes and bytes that are not UTF-8', () => {
    expectSkipped(row('P1,Van,2025-03-03T05:00:00Z,52.1'), skipReasons.tooFewFields);
    expectSkipped(row(`${two},more`), skipReasons.tooManyFields);
    expectSkipped(row(two.replace('Van', 'V\0n')), skipReasons.nulByte);
    const bytes = Buffer.from(`${header}\n${two}\n`);
    bytes[bytes.indexOf('Van')] = 0xe9;
    expectSkipped(read(bytes), skipReasons.notUtf8);
  });
  it('skips a camera name or serial beyond all measure', () => {
    expectSkipped(row(two.replace('Van', 'x'.repeat(1001))), skipReasons.textTooLong);
    expectSkipped(row(two.replace('P1', 'x'.repeat(1001))), skipReasons.textTooLong);
  });
  it('a stray quote costs its line, not the rest of the file', () => {
    const open = read(`${header}\n${two.replace('Van', '"Van')}\n${three}\n`);
    expect(open).toMatchObject({
      points: 1,
      skipped: [{ where: 'line 2', reason: skipReasons.quoteNotClosed, count: 1 }],
    });
    const inner = read(`${header}\n${two.replace('Van', 'V"n')}\n${three}\n`);
    expect(inner).toMatchObject({
      points: 1,
      skipped: [{ where: 'line 2', reason: skipReasons.strayQuote, count: 1 }],
    });
    const closed = read(`${header}\n${two.replace('Van', '"Van')}\n${three.replace('Van', '"Van"')}\n`);
    expect(closed).toMatchObject({
      points: 1,
      skipped: [{ where: 'line 2', reason: skipReasons.strayQuote }],
    });
  });
  it('keeps a field of 64 KiB in a column that is ignored and skips a longer one', () => {
    const long = (size: number, quote: string): Collected =>
      read(`datetime,lat,lng,note\n2025-03-03T05:00:00Z,1.5,2,${quote}${'x'.repeat(size)}${quote}\nbad\n`);
    for (const quote of ['', '"']) {
      expect(long(65_536, quote)).toMatchObject({ points: 1, rows: 2 });
      expect(long(65_537, quote).skipped).toContainEqual({
        where: 'line 2',
        reason: skipReasons.fieldTooLong,
        count: 1,
      });
      expect(long(65_537, quote)).toMatchObject({ points: 0, rows: 2 });
    }
  });
  it('skips a line of more than 1 MiB and reads on behind it', () => {
    const cells = `${'x'.repeat(60_000)},`.repeat(18);
    const result = read(`${header}\n${cells}\n${two}\n`);
    expect(result).toMatchObject({
      points: 1,
      skipped: [{ where: 'line 2', reason: skipReasons.lineTooLong }],
    });
  });
});

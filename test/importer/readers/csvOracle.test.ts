import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalText } from '../../../main/cache/trackCodec.ts';
import { CsvRowScanner, ROW_OK } from '../../../main/importer/csvRows.ts';
import { createCsvReader } from '../../../main/importer/csvReader.ts';
import { allPoints, collect, noContext } from './collect.ts';

/** Our rows and fields; null at the first fault. */
function split(text: string): string[][] | null {
  const bytes = Buffer.from(text);
  const scanner = new CsvRowScanner(0x2c, 20);
  const rows: string[][] = [];
  for (let at = 0; at < bytes.length;) {
    if (scanner.scan(bytes, at, bytes.length, true) !== ROW_OK) return null;
    const fields = Array.from({ length: scanner.fieldCount }, (_, i) => {
      const field = bytes.toString('utf8', at + scanner.starts[i]!, at + scanner.ends[i]!);
      return scanner.quoting[i] === 2 ? field.replaceAll('""', '"') : field;
    });
    rows.push(fields);
    at += scanner.length;
    if (bytes[at - 1] === 0x0d && bytes[at] === 0x0a) at++;
    scanner.reset();
  }
  return rows;
}

function oracle(text: string): string[][] | null {
  try {
    return parse(text, { relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'], bom: false });
  } catch {
    return null;
  }
}

describe('rows and fields', () => {
  it('are split as csv-parse splits them, faults included', () => {
    const piece = fc.constantFrom(
      'a',
      'bc',
      ',',
      ',',
      '"',
      '""',
      '"a"',
      '"b,c"',
      '"d\r\ne"',
      '\r\n',
      '\n',
      '\r',
      ' ',
      'é',
      '1.5',
    );
    let faults = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const text = pieces.join('');
        const expected = oracle(text);
        if (expected === null) faults++;
        expect(split(text)).toEqual(expected);
      }),
      { numRuns: 5000 },
    );
    expect(faults).toBeGreaterThan(500);
  });
});

describe('what is written comes back', () => {
  const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const decimal = (min: number, max: number): fc.Arbitrary<string> =>
    fc
      .tuple(
        fc.integer({ min, max: max - 1 }),
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.integer({ min: 0, max: 9 }),
      )
      .map(([whole, fraction, digits]) =>
        digits === 0 ? String(whole) : `${whole}.${String(fraction).padStart(9, '0').slice(0, digits)}`,
      )
      .filter((text) => !/^-?0(\.0*)?$/.test(text));
  const row = fc.record({
    seconds: fc.integer({ min: 1, max: 30 }),
    digits: fc.integer({ min: 0, max: 6 }),
    fraction: fc.integer({ min: 0, max: 999_999 }),
    lat: decimal(-89, 90),
    lng: decimal(-179, 180),
    heading: fc.option(decimal(0, 359), { nil: null }),
    speed: fc.option(decimal(0, 399), { nil: null }),
  });
  const name = fc
    .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
    .filter((text) => !text.includes('\0'));
  it('to the digit, for any camera name and any mixture of digits', () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 40 }),
        name,
        fc.constantFrom('\r\n', '\n', '\r'),
        fc.integer({ min: 1, max: 700 }),
        (rows, carName, end, piece) => {
          let seconds = 1_740_978_000;
          const expected: (string | null)[][] = [];
          const lines = ['psn,carName,datetime,lat,lng,drive_no,heading,speedKmh'];
          for (const one of rows) {
            seconds += one.seconds;
            const scaled = Math.floor(one.fraction / 10 ** (6 - one.digits));
            const fraction = one.digits === 0 ? '' : `.${String(scaled).padStart(one.digits, '0')}`;
            const time = `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction}Z`;
            lines.push(
              ['P1', quoted(carName), time, one.lat, one.lng, '1', one.heading ?? '', one.speed ?? ''].join(),
            );
            expected.push([
              decimalText(seconds * 10 ** one.digits + scaled, one.digits),
              one.lat,
              one.lng,
              one.heading,
              one.speed,
              null,
            ]);
          }
          const bytes = Buffer.from(lines.map((line) => line + end).join(''));
          const result = collect((sink) => createCsvReader(sink, noContext), bytes, [piece]);
          expect(result.skipped).toEqual([]);
          expect(allPoints(result)).toEqual(expected);
          expect(result.tracks[0]!.identity.cameraName).toBe(carName.trim() === '' ? null : carName.trim());
        },
      ),
      { numRuns: 300 },
    );
  });
});

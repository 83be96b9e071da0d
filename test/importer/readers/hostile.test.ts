import { describe, expect, it } from 'vitest';
import { createCsvReader } from '../../../main/importer/csvReader.ts';
import { createGpxReader } from '../../../main/importer/gpxReader.ts';
import { createKmlReader } from '../../../main/importer/kmlReader.ts';
import { ReaderRefusal } from '../../../main/importer/reader.ts';
import type { TrackReader } from '../../../main/importer/reader.ts';
import { flagReasons, refusals, skipReasons } from '../../../main/importer/reasons.ts';
import { CollectingSink, noContext } from './collect.ts';
import { readAs } from './formats.ts';

const mebibyte = 1 << 20;

/** Pushes until the reader refuses or `times` are over; returns the refusal and the bytes pushed by then. */
function pushMany(
  reader: TrackReader,
  piece: Uint8Array,
  times: number,
): { refusal: string | null; pushed: number } {
  for (let i = 0; i < times; i++) {
    try {
      reader.push(piece);
    } catch (thrown) {
      if (!(thrown instanceof ReaderRefusal)) throw thrown;
      return { refusal: thrown.message, pushed: (i + 1) * piece.length };
    }
  }
  return { refusal: null, pushed: times * piece.length };
}

/** Growth of all memory of the process while `work` runs, in bytes; whatever garbage is left counts too. */
function growthDuring(work: () => void): number {
  const before = process.memoryUsage();
  work();
  const after = process.memoryUsage();
  return after.heapUsed + after.external - before.heapUsed - before.external;
}

describe('hostile XML', () => {
  it.each([createGpxReader, createKmlReader])(
    'that expands entities is refused before anything expands',
    (create) => {
      const laughs = Array.from(
        { length: 9 },
        (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`,
      ).join('');
      const text = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">${laughs}]><x>&l9;</x>`;
      const reader = create(new CollectingSink(), noContext);
      expect(pushMany(reader, Buffer.from(text), 1).refusal).toBe(refusals.xmlDoctype);
      // And it stays refused.
      expect(() => reader.push(Buffer.from('x'))).toThrow(ReaderRefusal);
      expect(() => reader.end()).toThrow(ReaderRefusal);
    },
  );
  it.each(['file:///etc/passwd', 'http://example.com/x.dtd'])('that refers to %s is refused', (address) => {
    const text = `<!DOCTYPE gpx [<!ENTITY x SYSTEM "${address}">]><gpx>&x;</gpx>`;
    expect(readAs('gpx', text).refusal?.message).toBe(refusals.xmlDoctype);
    expect(readAs('gpx', `<!DOCTYPE gpx SYSTEM "${address}"><gpx/>`).refusal?.message).toBe(
      refusals.xmlDoctype,
    );
  });
  it('nested 10,000 deep is refused at depth 65', () => {
    const text = `<gpx>\n${'<a>'.repeat(10_000)}`;
    expect(readAs('gpx', text).refusal).toEqual({ where: 'line 2', message: refusals.xmlTooDeep });
  });
  it.each([
    ['an attribute', '<gpx creator="'],
    ['a comment', '<gpx><!--'],
    ['an instruction', '<gpx><?x '],
    ['a name', '<gpx><'],
  ])('with 100 MB in %s is refused after 1 MiB, holding no more', (_, start) => {
    for (const size of [64, 64 << 10]) {
      const reader = createGpxReader(new CollectingSink(), noContext);
      reader.push(Buffer.from(start));
      const piece = new Uint8Array(size).fill(0x61);
      const { refusal, pushed } = pushMany(reader, piece, (100 * mebibyte) / size);
      expect(refusal).toBe(refusals.xmlTokenTooLong);
      expect(pushed).toBeLessThanOrEqual(mebibyte + 2 * size);
    }
  });
  it('with 256 MiB of text or CDATA is read without growing', () => {
    for (const start of ['<gpx>', '<gpx><trk><name>', '<gpx><![CDATA[', '<gpx><trk><name><![CDATA[']) {
      const reader = createGpxReader(new CollectingSink(), noContext);
      reader.push(Buffer.from(start));
      const piece = new Uint8Array(mebibyte).fill(0x61);
      const growth = growthDuring(() => expect(pushMany(reader, piece, 256).refusal).toBeNull());
      expect(growth).toBeLessThan(48 * mebibyte);
    }
  });
  it('with a coordinate of 64 MiB is skipped as one', () => {
    const reader = createKmlReader(new CollectingSink(), noContext);
    reader.push(Buffer.from('<kml><Placemark><LineString><coordinates>'));
    pushMany(reader, new Uint8Array(mebibyte).fill(0x31), 64);
    reader.push(Buffer.from(' 4,52</coordinates></LineString></Placemark></kml>'));
    reader.end();
    expect(reader.report.skipped.list()).toEqual([
      { where: 'coordinate 1, line 1', reason: skipReasons.badCoordinate, count: 1 },
    ]);
    expect(reader.points).toBe(1);
  });
});

describe('hostile CSV', () => {
  const header = 'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh\n';
  const good = 'P1,Van,2025-03-03T05:00:00Z,52.1,4.3,1,90,1.0\n';
  it.each([
    ['plain', 'x', skipReasons.lineTooLong],
    ['of commas', ',', skipReasons.lineTooLong],
    ['of quotes', '"', skipReasons.fieldTooLong],
    ['of NUL bytes', '\0', skipReasons.lineTooLong],
  ])('with a line of 1 GiB, %s, goes on behind it without growing', (_, character, reason) => {
    const reader = createCsvReader(new CollectingSink(), noContext);
    reader.push(Buffer.from(header + good));
    const piece = new Uint8Array(mebibyte).fill(character.charCodeAt(0));
    const growth = growthDuring(() => pushMany(reader, piece, 1024));
    expect(growth).toBeLessThan(48 * mebibyte);
    reader.push(Buffer.from(`\n${good.replace(':00Z', ':01Z')}`));
    reader.end();
    expect(reader.points).toBe(2);
    expect(reader.report.skipped.list()).toEqual([{ where: 'line 3', reason, count: 1 }]);
  });
  it('with a header of 1 GiB is refused early', () => {
    const reader = createCsvReader(new CollectingSink(), noContext);
    const { refusal, pushed } = pushMany(reader, new Uint8Array(mebibyte).fill(0x61), 1024);
    expect(refusal).toBe(refusals.csvBadHeader);
    expect(pushed).toBeLessThan(3 * mebibyte);
  });
  it('with a quote left open in every row, or rarely, loses one line for each', () => {
    const often = readAs('csv', header + 'a,"b""c\n'.repeat(50_000) + good, [64 << 10]);
    expect(often).toMatchObject({ rows: 50_001, points: 1 });
    const far = `"open\n${'ragged\n'.repeat(10_000)}`;
    const rarely = readAs('csv', header + far.repeat(20) + good, [64 << 10]);
    expect(rarely).toMatchObject({ rows: 20 * 10_001 + 1, points: 1 });
  });
  it('with rows in reverse or in zigzag order is read in bounded time', () => {
    const time = (second: number): string => new Date(1_740_978_000_000 + second * 1000).toISOString();
    const row = (second: number): string => `P1,Van,${time(second)},52.1,4.3,1,90,${second}\n`;
    const reverse = Array.from({ length: 20_000 }, (_, i) => row(20_000 - i)).join('');
    expect(readAs('csv', header + reverse)).toMatchObject({ points: 20_000 });
    const zigzag = Array.from({ length: 20_000 }, (_, i) => row(i % 2 === 0 ? i : 20_000 - i)).join('');
    const result = readAs('csv', header + zigzag);
    expect(result.points).toBe(20_000);
    expect(result.flagged.map((flag) => flag.reason)).toContain(flagReasons.outOfOrder);
  });
  it('with more than 100,000 trips is refused', () => {
    const rows = Array.from({ length: 100_001 }, (_, i) => good.replace(',1,90', `,${i},90`)).join('');
    expect(readAs('csv', header + rows).refusal).toEqual({
      where: 'line 100002',
      message: refusals.tooManyTrips,
    });
  });
});

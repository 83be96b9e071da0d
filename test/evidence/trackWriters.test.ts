import fs from 'node:fs';
import path from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { ABSENT, decodeChunk, encodeChunk, LITERAL, PointColumns } from '../../main/cache/trackCodec.ts';
import { createTripRepository } from '../../main/cache/tripRepository.ts';
import {
  csvText,
  kmhToMetresPerSecond,
  metresPerSecondToKmh,
  timeTextAt,
  xmlText,
} from '../../main/evidence/trackText.ts';
import {
  trackFormats,
  writeTrack,
  type TrackFormat,
  type WrittenTrip,
} from '../../main/evidence/trackWriters.ts';
import { openWorld } from './support.ts';

const trip: WrittenTrip = {
  tripId: 'trip_1',
  psn: 'P1',
  cameraName: 'Van 7',
  driveNo: 3,
  name: null,
  speedUnit: 'kmh',
  hasPointTimes: true,
  startedAtMs: null,
  endedAtMs: null,
};

/** Points from texts: [time in seconds, lat, lng, heading, speed, altitude]; null is absent. */
function pointsOf(rows: readonly (readonly (string | null)[])[]): PointColumns {
  const points = new PointColumns(4);
  for (const row of rows) {
    const index = points.add(0, ABSENT, 0, ABSENT, 0, ABSENT, 0, ABSENT, 0, ABSENT, 0, ABSENT);
    row.forEach((text, column) => {
      if (text === null) return;
      const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
      const scaled = match ? Number(`${match[1]}${match[2]}${match[3] ?? ''}`) : NaN;
      if (match && Number.isSafeInteger(scaled) && !(scaled === 0 && match[1])) {
        points.values[column]![index] = scaled;
        points.decimals[column]![index] = (match[3] ?? '').length;
      } else {
        points.decimals[column]![index] = LITERAL;
        points.setLiteral(column, index, text);
      }
    });
  }
  return decodeChunk(encodeChunk(points)); // as they come out of the cache
}

const written = (
  format: TrackFormat,
  rows: Parameters<typeof pointsOf>[0],
  about: Partial<WrittenTrip> = {},
): string => [...writeTrack(format, { ...trip, ...about }, () => [pointsOf(rows)])].join('');

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}
/** Reads XML strictly (saxes refuses what is not well-formed, undeclared prefixes too). */
function parseXml(text: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const top: Element = { name: '', attributes: {}, text: '', children: [] };
  const stack = [top];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    const attributes = Object.fromEntries(Object.values(tag.attributes).map((one) => [one.name, one.value]));
    const element = { name: tag.local, attributes, text: '', children: [] };
    stack.at(-1)!.children.push(element);
    stack.push(element);
  });
  parser.on('text', (piece) => void (stack.at(-1)!.text += piece));
  parser.on('closetag', () => void stack.pop());
  parser.write(text).close();
  return top.children[0]!;
}
const all = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);

const rows = [
  ['1772438400', '52.100000', '4.3', '0', '0', null],
  ['1772438401.5', '52.10', '-4.30', null, null, '12.50'],
  ['1772438402.250', '-0.000001', '180', '359.9', '50.3', null],
] as const;

describe('a written track', () => {
  it('as CSV has the digits of the source, empty for absent and 0 for 0', () => {
    expect(written('csv', rows)).toBe(
      [
        'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh',
        'P1,Van 7,2026-03-02T08:00:00Z,52.100000,4.3,3,0,0',
        'P1,Van 7,2026-03-02T08:00:01.5Z,52.10,-4.30,3,,',
        'P1,Van 7,2026-03-02T08:00:02.250Z,-0.000001,180,3,359.9,50.3',
        '',
      ].join('\r\n'),
    );
  });

  it('of a source in metres per second has its exact km/h', () => {
    const speeds = [null, '0', '12.5', '13.97', '0.1', '33.333333333333333333'].map(
      (speed, i) => [String(i), '1', '1', null, speed, null] as const,
    );
    const lines = written('csv', speeds, { speedUnit: 'ms' }).trimEnd().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',').at(-1))).toEqual([
      '',
      '0.0',
      '45.0',
      '50.292',
      '0.36',
      '119.9999999999999999988',
    ]);
  });

  it('as GPX 1.1 is well-formed, in the order of the schema, absent where absent', () => {
    const gpx = parseXml(written('gpx', rows));
    expect(gpx.attributes).toMatchObject({ version: '1.1', xmlns: 'http://www.topografix.com/GPX/1/1' });
    expect(all(gpx, 'trk')).toHaveLength(1);
    const points = all(gpx, 'trkpt');
    expect(points.map((point) => [point.attributes.lat, point.attributes.lon])).toEqual([
      ['52.100000', '4.3'],
      ['52.10', '-4.30'],
      ['-0.000001', '-180'],
    ]);
    expect(points.map((point) => point.children.map((child) => child.name))).toEqual([
      ['time', 'extensions'],
      ['ele', 'time'],
      ['time', 'extensions'],
    ]);
    expect(all(points[0]!, 'TrackPointExtension')[0]!.children.map((one) => [one.name, one.text])).toEqual([
      ['speed', '0'],
      ['course', '0'],
    ]);
    expect(Number(all(points[2]!, 'speed')[0]!.text) * 3.6).toBeCloseTo(50.3, 4);
  });

  it('as GPX keeps the digits of a source in metres per second', () => {
    const gpx = parseXml(written('gpx', [['0', '1', '1', null, '13.970', null]], { speedUnit: 'ms' }));
    expect(all(gpx, 'speed')[0]!.text).toBe('13.970');
  });

  it('as KML is a gx:Track when every point has a time, else a line with no times invented', () => {
    const timed = parseXml(written('kml', rows));
    expect(all(timed, 'when').map((one) => one.text)[1]).toBe('2026-03-02T08:00:01.5Z');
    expect(all(timed, 'coord').map((one) => one.text)).toEqual([
      '4.3 52.100000',
      '-4.30 52.10 12.50',
      '180 -0.000001',
    ]);
    const shape = rows.map(([, ...rest]) => [null, ...rest]);
    const line = parseXml(written('kml', shape, { hasPointTimes: false, startedAtMs: 0, endedAtMs: 1000 }));
    expect(all(line, 'when')).toEqual([]);
    expect(all(line, 'coordinates')[0]!.text.trim().split('\n')[1]).toBe('-4.30,52.10,12.50');
    expect(all(line, 'begin')[0]!.text).toBe('1970-01-01T00:00:00.000Z');
  });

  it('as GeoJSON and JSON parses, with null for absent', () => {
    const feature = JSON.parse(written('geojson', rows));
    expect(feature.geometry).toEqual({
      type: 'LineString',
      coordinates: [
        [4.3, 52.1],
        [-4.3, 52.1, 12.5],
        [180, -0.000001],
      ],
    });
    expect(feature.properties).toMatchObject({ datum: 'WGS 84', speedsKmh: [0, null, 50.3] });
    expect(feature.properties.times).toHaveLength(3);
    expect(JSON.parse(written('geojson', rows.slice(0, 1))).geometry.type).toBe('Point');
    expect(JSON.parse(written('geojson', [])).geometry).toBeNull();
    const text = written('json', rows);
    expect(text).toContain('"lat":52.100000,');
    expect(JSON.parse(text)).toMatchObject({
      tripId: 'trip_1',
      psn: 'P1',
      points: [
        { t: '2026-03-02T08:00:00Z', lat: 52.1, lng: 4.3, headingDeg: 0, speedKmh: 0 },
        { headingDeg: null, speedKmh: null },
        { speedKmh: 50.3 },
      ],
    });
  });

  it('is cut to a half-open range; points whose time is unknown are outside any range', () => {
    const timeless = [...rows, [null, '1', '1', null, null, null]];
    const cut = (fromMs: number | null, toMs: number | null, about: Partial<WrittenTrip> = {}): number =>
      JSON.parse(
        [...writeTrack('json', { ...trip, ...about }, () => [pointsOf(timeless)], { fromMs, toMs })].join(''),
      ).points.length;
    const at = 1_772_438_400_000;
    expect(cut(null, null)).toBe(4);
    expect(cut(at, at + 1500)).toBe(1);
    expect(cut(at, at + 1501)).toBe(2);
    expect(cut(at + 1500, null)).toBe(2);
    expect(cut(null, at)).toBe(0);
    expect(cut(at, at + 1, { hasPointTimes: false })).toBe(4);
  });

  it('is well-formed whatever the names and numbers are', () => {
    const name = fc.option(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(']]>', '<!--', '&amp;', '\u0000\uD800')),
    );
    const number = fc.option(fc.tuple(fc.integer({ min: -179_999, max: 179_999 }), fc.nat(6)), { nil: null });
    const point = fc.tuple(number, number, number, number, number, number);
    fc.assert(
      fc.property(name, name, name, fc.array(point, { maxLength: 5 }), (psn, cameraName, title, points) => {
        const about = { psn, cameraName, name: title };
        const texts = points.map((columns) =>
          columns.map((one, c) =>
            one === null ? (c === 1 || c === 2 ? '0' : null) : (one[0] / 1e4).toFixed(one[1]),
          ),
        );
        for (const format of trackFormats) {
          const text = written(format, texts, about);
          if (format === 'gpx' || format === 'kml') parseXml(text);
          else if (format === 'csv') {
            const records = parseCsv(text, { record_delimiter: '\r\n' }) as string[][];
            expect(records).toHaveLength(points.length + 1);
            for (const record of records.slice(1)) expect(record).toHaveLength(8);
          } else JSON.parse(text);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a speed', () => {
  it('in km/h comes back from its m/s to its last digit', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.nat(6), (scaled, decimals) => {
        const text = (scaled / 10 ** decimals).toFixed(decimals);
        const back = metresPerSecondToKmh(kmhToMetresPerSecond(text)!)!;
        expect(Number(back).toFixed(decimals)).toBe(text);
      }),
    );
  });
});

describe('a time', () => {
  it('is written with the fraction digits of its source, before 1970 too', () => {
    const text = (seconds: string): string | null =>
      timeTextAt(pointsOf([[seconds, '1', '1', null, null, null]]), 0);
    expect(text('0')).toBe('1970-01-01T00:00:00Z');
    expect(text('-0.5')).toBe('1969-12-31T23:59:59.5Z');
    expect(text('1772438400.100')).toBe('2026-03-02T08:00:00.100Z');
    expect(text('1772438400.123456789012')).toBe('2026-03-02T08:00:00.123456789012Z');
    expect(text('-1.25')).toBe('1969-12-31T23:59:58.75Z');
  });
});

describe('text that spreadsheets or XML readers would run', () => {
  it('is disarmed in CSV and reads back as itself behind the apostrophe', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r', '\n']) {
      const [[cell]] = parseCsv(csvText(`${start}1+1`)) as [[string]];
      expect(cell).toBe(`'${start}1+1`);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [[cell]] = parseCsv(`${csvText(text)},x`, { record_delimiter: '\r\n' }) as [[string]];
        expect(cell).toBe(/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text);
        expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
    );
  });

  it('is escaped in XML', () => {
    expect(xmlText('<a href="&">\u0007\uFFFE')).toBe('&lt;a href=&quot;&amp;&quot;&gt;\uFFFD\uFFFD');
  });
});

describe('what went in', () => {
  it('comes out: an imported CSV, written and imported again, is the same to the digit', async () => {
    const world = openWorld();
    try {
      const lines = [
        'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh',
        'P1,"Van, ""7""",2026-03-02T08:00:00Z,52.100000,4.300000,3,0,0',
        'P1,"Van, ""7""",2026-03-02T08:00:01.250Z,52.1,4.30,3,,',
        'P1,"Van, ""7""",2026-03-02T08:00:02Z,52.12345678901,-4.3,3,90.5,50.3',
        '',
      ].join('\r\n');
      const file = path.join(world.folder, 'in.csv');
      fs.writeFileSync(file, lines);
      const trips = createTripRepository(world.cache.db);
      const written = async (format: TrackFormat, name: string): Promise<string> => {
        const [tripId] = world.tripIds(await world.importFile(path.join(world.folder, name)));
        const [stored] = trips.stored([tripId!]);
        return [...writeTrack(format, stored!, () => trips.chunksOf(tripId!))].join('');
      };
      expect(await written('csv', 'in.csv')).toBe(lines);
      for (const format of ['gpx', 'kml'] as const) {
        const [tripId] = world.tripIds(`src_none` as never).concat(trips.list({}).map((one) => one.tripId));
        const [stored] = trips.stored([tripId!]);
        const text = [...writeTrack(format, stored!, () => trips.chunksOf(tripId!))].join('');
        fs.writeFileSync(path.join(world.folder, `camera-Van-P1.${format}`), text);
        const again = (await written('csv', `camera-Van-P1.${format}`))
          .split('\r\n')
          .map((line) => line.split(','));
        const columns = (text: string) =>
          text
            .split('\r\n')
            .slice(1, -1)
            .map((line) => line.split(',').slice(-6, -3));
        expect(again.slice(1, -1).map((line) => line.slice(-6, -3))).toEqual(columns(lines));
      }
    } finally {
      world.close();
    }
  });
});

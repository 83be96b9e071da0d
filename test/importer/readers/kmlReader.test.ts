import { describe, expect, it } from 'vitest';
import { createKmlReader } from '../../../main/importer/kmlReader.ts';
import type { ReaderContext } from '../../../main/importer/reader.ts';
import { flagReasons, refusals, skipReasons } from '../../../main/importer/reasons.ts';
import { allPoints, collect, noContext } from './collect.ts';
import type { Collected } from './collect.ts';

const read = (text: string, context: ReaderContext = noContext): Collected =>
  collect((sink) => createKmlReader(sink, context), text);
const kml = (body: string): Collected =>
  read(
    `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>\n${body}\n</Document></kml>`,
  );
const line = (coordinates: string, head = '', tail = ''): Collected =>
  kml(
    `<Placemark>${head}<LineString><coordinates>${coordinates}</coordinates></LineString>${tail}</Placemark>`,
  );
const gxTrack = (body: string): Collected => kml(`<Placemark><gx:Track>\n${body}\n</gx:Track></Placemark>`);
const places = (result: Collected): unknown[] =>
  allPoints(result).map(([, lat, lng, , , alt]) => [lng, lat, alt]);
const when = (second: number): string => `<when>2025-03-03T05:00:0${second}Z</when>`;

describe('lines', () => {
  it('are read as longitude, latitude and altitude, shape only', () => {
    const result = line('\n4.30,52.100,0\n-4.3,52.2,-1.5 5,53 ');
    expect(places(result)).toEqual([
      ['4.30', '52.100', '0'],
      ['-4.3', '52.2', '-1.5'],
      ['5', '53', null],
    ]);
    expect(allPoints(result)[0]![0]).toBeNull();
    expect(result.flagged).toEqual([{ where: 'line 2', reason: flagReasons.noPointTime, count: 3 }]);
    expect(result).toMatchObject({ rows: 3, points: 3, skipped: [] });
  });
  it('know name, serial, trip number and time span wherever they stand', () => {
    const span =
      '<TimeSpan><begin>2025-03-03T05:00:00Z</begin><end>2025-03-03T06:00:00.5+01:00</end></TimeSpan>';
    const data =
      '<ExtendedData><Data name="PSN"><displayName>x</displayName><value> P1 </value></Data><SchemaData><SimpleData name="drive_no">12</SimpleData></SchemaData></ExtendedData>';
    const expected = {
      name: 'Drive',
      psn: 'P1',
      driveNo: 12,
      beginMs: Date.UTC(2025, 2, 3, 5),
      endMs: Date.UTC(2025, 2, 3, 5, 0, 0, 500),
    };
    for (const result of [
      line('4,52', `<name>Drive</name>${span}${data}`),
      line('4,52', '', `${data}${span}<name>Drive</name>`),
    ]) {
      expect(result.tracks[0]!.identity).toMatchObject(expected);
    }
    const context = { psn: 'CTX', cameraName: 'Lorry' };
    const named = read(
      `<kml><Placemark>${data}<LineString><coordinates>4,52</coordinates></LineString></Placemark></kml>`,
      context,
    );
    expect(named.tracks[0]!.identity).toMatchObject(context);
  });
  it('take a TimeStamp as both ends, a date as its start, and say what they cannot read', () => {
    const stamp = line('4,52', '<TimeStamp><when>2025-03-03T05:00:00</when></TimeStamp>');
    expect(stamp.tracks[0]!.identity).toMatchObject({
      beginMs: Date.UTC(2025, 2, 3, 5),
      endMs: Date.UTC(2025, 2, 3, 5),
    });
    expect(stamp.flagged.map((flag) => flag.reason)).toContain(flagReasons.noZone);
    const span = line('4,52', '<TimeSpan><begin>2025-03-03</begin><end>soon</end></TimeSpan>');
    expect(span.tracks[0]!.identity).toMatchObject({ beginMs: Date.UTC(2025, 2, 3), endMs: null });
    expect(span.flagged.map((flag) => flag.reason)).toEqual(
      expect.arrayContaining([flagReasons.dateOnly, flagReasons.spanNotATime]),
    );
  });
  it('of a MultiGeometry and of nested folders are a trip each', () => {
    const one = (lng: number): string => `<LineString><coordinates>${lng},52</coordinates></LineString>`;
    const result = kml(
      `<Folder><Folder><Placemark><MultiGeometry>${one(1)}<MultiGeometry>${one(2)}</MultiGeometry></MultiGeometry><name>N</name></Placemark></Folder>` +
        `<Placemark>${one(3)}</Placemark></Folder>`,
    );
    expect(result.tracks.map((track) => [track.identity.name, track.points.length])).toEqual([
      ['N', 1],
      ['N', 1],
      [null, 1],
    ]);
  });
  it.each([
    ['4', skipReasons.badCoordinate],
    ['4,52,0,1', skipReasons.badCoordinate],
    [`4,52,${'0'.repeat(300)}`, skipReasons.badCoordinate],
    ['x,52', skipReasons.longitudeNotANumber],
    ['4,', skipReasons.noLatitude],
    [',52', skipReasons.noLongitude],
    ['181,52', skipReasons.longitudeOutOfRange],
    ['4,-90.1', skipReasons.latitudeOutOfRange],
    ['0,0,0', skipReasons.nullIsland],
  ])('skip the coordinate %s with its place', (coordinate, reason) => {
    const result = line(`4,52\n5,53\n${coordinate}\n6,54`);
    expect(result.skipped).toEqual([{ where: 'coordinate 3, line 4', reason, count: 1 }]);
    expect(result).toMatchObject({ rows: 4, points: 3 });
  });
  it('keep a coordinate whose altitude is no number without it', () => {
    const result = line('4,52,high');
    expect(places(result)).toEqual([['4', '52', null]]);
    expect(result.flagged.map((flag) => flag.reason)).toContain(flagReasons.altitudeNotANumber);
  });
  it('are read through CDATA, references and comments', () => {
    expect(places(line('4,5<!-- x -->2<![CDATA[ 5,53]]>&#32;6,&#53;4'))).toEqual([
      ['4', '52', null],
      ['5', '53', null],
      ['6', '54', null],
    ]);
  });
  it('without a single good coordinate begin no trip', () => {
    const result = line('x');
    expect(result).toMatchObject({ tracks: [], rows: 1, points: 0 });
    expect(result.flagged).toEqual([{ where: 'line 2', reason: flagReasons.trackWithoutPoints, count: 1 }]);
  });
  it('are all that is read: points and polygons are counted', () => {
    const result = kml(
      '<Placemark><Point><coordinates>4,52</coordinates></Point></Placemark>' +
        '<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>4,52 5,52 5,53</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>',
    );
    expect(result).toMatchObject({ rows: 0, tracks: [] });
    expect(result.flagged).toEqual([
      { where: 'line 2', reason: flagReasons.placemarkPoint, count: 1 },
      { where: 'line 2', reason: flagReasons.polygon, count: 1 },
    ]);
  });
});

describe('gx:Track', () => {
  const coords = '<gx:coord>4.10 52.1 3</gx:coord><gx:coord> 4.2  52.2 </gx:coord>';
  const angles = '<gx:angles>90.5 0 0</gx:angles><gx:angles></gx:angles>';
  const expected = [
    ['1740978001', '52.1', '4.10', '90.5', null, '3'],
    ['1740978002', '52.2', '4.2', null, null, null],
  ];
  it.each([
    ['times first', when(1) + when(2) + coords + angles],
    ['coordinates first', coords + angles + when(1) + when(2)],
    [
      'alternating',
      `${when(1)}<gx:coord>4.10 52.1 3</gx:coord><gx:angles>90.5 0 0</gx:angles>${when(2)}<gx:coord>4.2 52.2</gx:coord>`,
    ],
  ])('puts times, coordinates and angles together by their order: %s', (_, body) => {
    const result = gxTrack(body);
    expect(allPoints(result)).toEqual(expected);
    expect(result).toMatchObject({ rows: 2, skipped: [], flagged: [] });
  });
  it('skips what has no usable time or place and keeps the others in step', () => {
    const result = gxTrack(
      `<when>x</when>${when(2)}${when(3)}${when(4)}<when/>${when(6)}` +
        '<gx:coord>4 51</gx:coord><gx:coord>4 52</gx:coord><gx:coord/><gx:coord>4 54</gx:coord><gx:coord>4 55</gx:coord>',
    );
    expect(allPoints(result).map(([time, lat]) => [time?.slice(-1), lat])).toEqual([
      ['2', '52'],
      ['4', '54'],
      [undefined, '55'],
    ]);
    expect(result.rows).toBe(5);
    expect(result.skipped).toEqual([
      { where: 'gx:coord 3, line 3', reason: skipReasons.badCoordinate, count: 1 },
      { where: 'gx:coord 1, gx:Track of line 2', reason: skipReasons.notATime, count: 1 },
    ]);
    expect(result.flagged.map((flag) => flag.reason).sort()).toEqual(
      [flagReasons.noPointTime, flagReasons.whenWithoutCoordinate].sort(),
    );
  });
  it('is a trip each in a gx:MultiTrack', () => {
    const one = (second: number): string => `<gx:Track>${when(second)}<gx:coord>4 52 0</gx:coord></gx:Track>`;
    const result = kml(`<Placemark><gx:MultiTrack>${one(1)}${one(2)}</gx:MultiTrack></Placemark>`);
    expect(result.tracks).toHaveLength(2);
  });
  it('keeps every time of a track too long to wait for its end', () => {
    const count = 500_100;
    const start = Date.UTC(2025, 2, 3);
    const times = Array.from(
      { length: count },
      (_, i) => `<when>${new Date(start + i * 1000).toISOString()}</when>`,
    );
    const places = Array.from(
      { length: count },
      (_, i) => `<gx:coord>4 52.${String(i).padStart(6, '0')}</gx:coord>`,
    );
    const result = gxTrack(times.join('\n') + places.join('\n') + '<gx:angles>1 2 3</gx:angles>');
    const points = allPoints(result);
    expect(points).toHaveLength(count);
    expect(points.at(-1)).toEqual([
      `${start / 1000 + count - 1}.000`,
      `52.${count - 1}`,
      '4',
      null,
      null,
      null,
    ]);
    expect(result.flagged).toMatchObject([{ reason: flagReasons.anglesNotKept, count: 1 }]);
  });
});

describe('files', () => {
  it('of older namespaces or none are read; other documents are refused', () => {
    const body = '<Placemark><LineString><coordinates>4,52</coordinates></LineString></Placemark>';
    for (const open of ['<kml>', '<kml xmlns="http://earth.google.com/kml/2.1">']) {
      expect(read(`${open}${body}</kml>`).points).toBe(1);
    }
    expect(read('<gpx/>').refusal).toEqual({ where: 'line 1', message: `${refusals.notKml}: <gpx>` });
    expect(read('<kml xmlns="urn:x"/>').refusal?.message).toContain(refusals.notKml);
  });
});

import { describe, expect, it } from 'vitest';
import { createGpxReader } from '../../../main/importer/gpxReader.ts';
import type { ReaderContext } from '../../../main/importer/reader.ts';
import { flagReasons, refusals, skipReasons } from '../../../main/importer/reasons.ts';
import { allPoints, collect, noContext } from './collect.ts';
import type { Collected } from './collect.ts';

const read = (text: string, context: ReaderContext = noContext): Collected =>
  collect((sink) => createGpxReader(sink, context), text);
const root = '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">';
const gpx = (body: string, open = root): Collected => read(`${open}\n${body}\n</gpx>`);
const track = (points: string, head = ''): Collected =>
  gpx(`<trk>${head}<trkseg>\n${points}\n</trkseg></trk>`);
const time0 = '<time>2025-03-03T05:00:00Z</time>';
const seconds0 = '1740978000';
const point = (inner: string): Collected => track(`<trkpt lat="52.10" lon="4.3">${inner}</trkpt>`);
const flags = (result: Collected): string[] => result.flagged.map((flag) => flag.reason);

describe('points', () => {
  it('are read with time, elevation and GPX 1.0 speed and course, in m/s, digit for digit', () => {
    const result = gpx(
      `<trk><trkseg><trkpt lon='4.30' lat='52.100'><ele>-3.50</ele>${time0}<course>90.5</course><speed>0.00</speed></trkpt></trkseg></trk>`,
      '<gpx version="1.0" xmlns="http://www.topografix.com/GPX/1/0">',
    );
    expect(allPoints(result)).toEqual([[seconds0, '52.100', '4.30', '90.5', '0.00', '-3.50']]);
    expect(result.tracks[0]!.identity.speedUnit).toBe('ms');
    expect(result).toMatchObject({ rows: 1, points: 1, skipped: [], flagged: [], refusal: null });
  });
  it.each(['v1', 'v2'])(
    'have speed and course from TrackPointExtension %s by namespace, any prefix',
    (version) => {
      const result = read(
        `<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1" xmlns:x="http://www.garmin.com/xmlschemas/TrackPointExtension/${version}">` +
          `<g:trk><g:trkseg><g:trkpt lat="52.1" lon="4.3"><g:extensions><x:TrackPointExtension><x:speed>12.34</x:speed>` +
          '<x:hr>80</x:hr><x:course>7</x:course></x:TrackPointExtension></g:extensions></g:trkpt></g:trkseg></g:trk></g:gpx>',
      );
      expect(allPoints(result)).toEqual([[null, '52.1', '4.3', '7', '12.34', null]]);
    },
  );
  it('do not take speed from a foreign namespace', () => {
    const result = point(
      `${time0}<extensions><x:TrackPointExtension xmlns:x="urn:other"><x:speed>1</x:speed></x:TrackPointExtension></extensions>`,
    );
    expect(allPoints(result)[0]![4]).toBeNull();
  });
  it('without extensions have no speed, which is not 0', () => {
    expect(allPoints(point(time0))).toEqual([[seconds0, '52.10', '4.3', null, null, null]]);
    expect(allPoints(point(`${time0}<speed/><course> </course><ele></ele>`))[0]!.slice(3)).toEqual([
      null,
      null,
      null,
    ]);
  });
  it('without time are kept as shape only', () => {
    for (const inner of ['', '<time/>', '<time> </time>']) {
      const result = point(inner);
      expect(result).toMatchObject({ points: 1, rows: 1 });
      expect(result.flagged).toEqual([
        { where: 'trkpt 1, line 3', reason: flagReasons.noPointTime, count: 1 },
      ]);
    }
  });
  it.each([
    ['lat="91" lon="4"', '', skipReasons.latitudeOutOfRange],
    ['lat="52" lon="181"', '', skipReasons.longitudeOutOfRange],
    ['lat="NaN" lon="4"', '', skipReasons.latitudeNotANumber],
    ['lat="52"', '', skipReasons.noLongitude],
    ['lon="4"', '', skipReasons.noLatitude],
    ['lat="0" lon="0.0"', '', skipReasons.nullIsland],
    ['lat="52" lon="4"', '<time>noon</time>', skipReasons.notATime],
    ['lat="52" lon="4"', '<time>2025-02-30T00:00:00Z</time>', skipReasons.impossibleTime],
    ['lat="52" lon="4"', '<time>2016-12-31T23:59:60Z</time>', skipReasons.leapSecond],
  ])('with %s %s are skipped with their place', (attributes, inner, reason) => {
    const good = `<trkpt lat="52.1" lon="4.3">${time0}</trkpt>`;
    const result = track(`${good}\n<trkpt ${attributes}>${inner}</trkpt>`);
    expect(result.skipped).toEqual([{ where: 'trkpt 2, line 4', reason, count: 1 }]);
    expect(result).toMatchObject({ rows: 2, points: 1 });
  });
  it.each([
    ['<speed>-1</speed>', flagReasons.speedNegative],
    ['<speed>111.2</speed>', flagReasons.speedHigh],
    ['<speed>fast</speed>', flagReasons.speedNotANumber],
    ['<course>360</course>', flagReasons.heading360],
    ['<course>361</course>', flagReasons.headingOutOfRange],
    ['<course>N</course>', flagReasons.headingNotANumber],
    ['<ele>high</ele>', flagReasons.altitudeNotANumber],
    ['<speed>1</speed><speed>2</speed>', flagReasons.repeatedElement],
    ['<ele>1e1</ele>', flagReasons.exponent],
  ])('with %s are kept with a remark', (inner, reason) => {
    expect(flags(point(time0 + inner))).toEqual([reason]);
  });
  it('take the first of two values and read references and CDATA', () => {
    const result = track(
      `<trkpt lat="&#53;2.1" lon="4.3"><time><![CDATA[2025-03-03T05]]>:00:00&#90;</time><speed>1<!-- x -->0</speed><speed>2</speed></trkpt>`,
    );
    expect(allPoints(result)).toEqual([[seconds0, '52.1', '4.3', null, '10', null]]);
  });
  it('are flagged out of order and skipped as repeats, per track', () => {
    const at = (second: number): string =>
      `<trkpt lat="52.1" lon="4.3"><time>2025-03-03T05:00:0${second}Z</time></trkpt>`;
    const result = track([at(5), at(5), at(3), at(6), at(5)].join('\n'));
    expect(result.skipped).toEqual([{ where: 'trkpt 2, line 4', reason: skipReasons.duplicate, count: 2 }]);
    expect(result.flagged).toEqual([{ where: 'trkpt 3, line 5', reason: flagReasons.outOfOrder, count: 1 }]);
  });
});

describe('tracks', () => {
  it('are one trip each, with name, number and serial wherever they stand', () => {
    const p = `<trkpt lat="52.1" lon="4.3">${time0}</trkpt>`;
    const result = gpx(
      `<trk><name> A &amp;\n B </name><src>BB007F123457</src><number>7</number><trkseg>${p}</trkseg></trk>` +
        `<trk><trkseg>${p}</trkseg><name>late</name><src>a Garmin receiver</src></trk>` +
        `<trk><extensions><x:psn xmlns:x="urn:x">P-9</x:psn></extensions><trkseg>${p}</trkseg></trk>`,
    );
    expect(result.tracks.map(({ identity }) => [identity.name, identity.psn, identity.driveNo])).toEqual([
      ['A & B', 'BB007F123457', 7],
      ['late', null, null],
      [null, 'P-9', null],
    ]);
    const named = read(`${root}<trk><src>BB007F123457</src><trkseg>${p}</trkseg></trk></gpx>`, {
      psn: 'CTX',
      cameraName: 'Lorry',
    });
    expect(named.tracks[0]!.identity).toMatchObject({ psn: 'CTX', cameraName: 'Lorry' });
  });
  it('go on over segments, of which it is told', () => {
    const p = (second: number): string =>
      `<trkpt lat="52.1" lon="4.3"><time>2025-03-03T05:00:0${second}Z</time></trkpt>`;
    const result = gpx(`<trk><trkseg>${p(1)}</trkseg>\n<trkseg>${p(2)}</trkseg></trk>`);
    expect(result.tracks).toHaveLength(1);
    expect(result.flagged).toEqual([{ where: 'line 3', reason: flagReasons.segmentBreak, count: 1 }]);
  });
  it('without points are told of and begin no trip', () => {
    const result = gpx('<trk><trkseg/></trk>\n<trk/>');
    expect(result.tracks).toEqual([]);
    expect(result.flagged).toEqual([{ where: 'line 2', reason: flagReasons.trackWithoutPoints, count: 2 }]);
  });
  it('cut a name beyond all measure, never inside a character', () => {
    const result = track(`<trkpt lat="1" lon="2">${time0}</trkpt>`, `<name>x${'é'.repeat(600)}</name>`);
    expect(result.tracks[0]!.identity.name).toBe(`x${'é'.repeat(499)}`);
    expect(flags(result)).toEqual([flagReasons.nameCut]);
  });
  it('leave waypoints and routes aside, counted', () => {
    const result = gpx(
      '<wpt lat="1" lon="2"><name>x</name></wpt><wpt lat="1" lon="2"/>\n<rte><rtept lat="1" lon="2"/><rtept lat="3" lon="4"><time>x</time></rtept></rte>',
    );
    expect(result.flagged).toEqual([
      { where: 'line 2', reason: flagReasons.waypoint, count: 2 },
      { where: 'line 3', reason: flagReasons.routePoint, count: 2 },
      { where: 'line 3', reason: flagReasons.route, count: 1 },
    ]);
    expect(result).toMatchObject({ rows: 0, points: 0, tracks: [] });
  });
});

describe('files', () => {
  it('without a namespace are read; other documents are refused', () => {
    expect(gpx(`<trk><trkseg><trkpt lat="1" lon="2">${time0}</trkpt></trkseg></trk>`, '<gpx>').points).toBe(
      1,
    );
    expect(read('<kml/>').refusal).toEqual({ where: 'line 1', message: `${refusals.notGpx}: <kml>` });
    expect(read('\n<gpx xmlns="urn:x"/>').refusal?.where).toBe('line 2');
    expect(read('').refusal?.message).toBe(refusals.emptyFile);
  });
  it('with more than 100,000 tracks are refused', () => {
    const result = gpx('<trk/>'.repeat(100_001));
    expect(result.refusal?.message).toBe(refusals.tooManyTrips);
  });
});

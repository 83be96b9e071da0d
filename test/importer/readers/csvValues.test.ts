import { describe, expect, it } from 'vitest';
import { createCsvReader } from '../../../main/importer/csvReader.ts';
import { flagReasons, skipReasons } from '../../../main/importer/reasons.ts';
import { allPoints, collect, noContext } from './collect.ts';
import type { Collected } from './collect.ts';

const header = 'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh';
const rows = (...lines: string[]): Collected =>
  collect((sink) => createCsvReader(sink, noContext), [header, ...lines, ''].join('\r\n'));
const withTime = (time: string): Collected => rows(`P1,Van,${time},52.1,4.3,1,90,12.0`);
const withPlace = (lat: string, lng: string): Collected =>
  rows(`P1,Van,2025-03-03T05:00:00Z,${lat},${lng},1,90,12.0`);
const withHeading = (heading: string): Collected =>
  rows(`P1,Van,2025-03-03T05:00:00Z,52.1,4.3,1,${heading},12.0`);
const withSpeed = (speed: string): Collected => rows(`P1,Van,2025-03-03T05:00:00Z,52.1,4.3,1,90,${speed}`);
const expectSkipped = (result: Collected, reason: string): void => {
  expect(result.skipped).toEqual([{ where: 'line 2', reason, count: 1 }]);
  expect(result).toMatchObject({ points: 0, rows: 1, tracks: [] });
};
const flagsOf = (result: Collected): string[] => {
  expect(result).toMatchObject({ points: 1, skipped: [] });
  return result.flagged.map((flag) => flag.reason);
};
const timeOf = (result: Collected): string | null => allPoints(result)[0]![0]!;

describe('times', () => {
  it.each([
    ['2025-03-03T05:00:00Z', '1740978000'],
    ['2025-03-03 05:00:00Z', '1740978000'],
    ['2025-03-03t05:00:00z', '1740978000'],
    ['2025-03-03T07:00:00+02:00', '1740978000'],
    ['2025-03-03T00:30:00-0430', '1740978000'],
    ['2025-03-03T06:00:00+01', '1740978000'],
    ['2025-03-03T05:00:00.5Z', '1740978000.5'],
    ['2025-03-03T05:00:00.500Z', '1740978000.500'],
    ['2025-03-03T05:00:00.123456Z', '1740978000.123456'],
    ['2024-02-29T00:00:00Z', '1709164800'],
  ])('reads %s', (text, seconds) => {
    const result = withTime(text);
    expect(timeOf(result)).toBe(seconds);
    expect(flagsOf(result)).toEqual([]);
  });
  it.each([
    ['2025-03-03T05:00:00', '1740978000', flagReasons.noZone],
    ['2025-03-02T24:00:00Z', '1740960000', flagReasons.hour24],
    ['2025-03-03T05:00:00.1234565Z', '1740978000.123457', flagReasons.timeRounded],
    ['2025-03-03T05:00:00.9999999Z', '1740978001.000000', flagReasons.timeRounded],
    ['1970-01-01T00:00:00Z', '0', flagReasons.earlyYear],
    ['1969-12-31T23:59:59.5Z', '-0.5', flagReasons.earlyYear],
    ['2036-02-07T06:28:16Z', '2085978496', flagReasons.lateYear],
    ['2199-12-31T23:59:59.999999Z', '7258118399.999999', flagReasons.lateYear],
  ])('keeps %s with a remark', (text, seconds, reason) => {
    const result = withTime(text);
    expect(timeOf(result)).toBe(seconds);
    expect(flagsOf(result)).toEqual([reason]);
  });
  it.each([
    ['', skipReasons.noTime],
    ['yesterday', skipReasons.notATime],
    ['1740978000', skipReasons.notATime],
    ['2025-03-03', skipReasons.notATime],
    ['2025-03-03T05:00Z', skipReasons.notATime],
    ['2025-3-3T05:00:00Z', skipReasons.notATime],
    ['2025-03-03T05:00:00.Z', skipReasons.notATime],
    ['2025-03-03T05:00:00X', skipReasons.notATime],
    ['2025-03-03T05:00:00+25:00', skipReasons.notATime],
    ['2025-02-30T05:00:00Z', skipReasons.impossibleTime],
    ['2025-02-29T05:00:00Z', skipReasons.impossibleTime],
    ['2025-13-01T05:00:00Z', skipReasons.impossibleTime],
    ['2025-03-03T25:00:00Z', skipReasons.impossibleTime],
    ['2025-03-03T24:00:01Z', skipReasons.impossibleTime],
    ['2025-03-03T05:60:00Z', skipReasons.impossibleTime],
    ['2025-03-03T05:00:61Z', skipReasons.impossibleTime],
    ['2016-12-31T23:59:60Z', skipReasons.leapSecond],
    ['0001-01-01T00:00:00Z', skipReasons.yearOutOfRange],
    ['2200-01-01T00:00:00Z', skipReasons.yearOutOfRange],
  ])('skips the time "%s"', (text, reason) => expectSkipped(withTime(text), reason));
});

describe('positions', () => {
  it.each([
    ['52.016180', '4.300000'],
    ['-90', '180.000'],
    ['0', '4.3'],
    ['52.0161803988749', '-179.99999999'],
    ['52.01618039887498948482', '4.30000000000000000001'],
    ['0.0000000000000000000001', '-0.0'],
    ['-0.5', '12'],
  ])('gives back %s, %s to the digit', (lat, lng) => {
    const result = withPlace(lat, lng);
    expect(allPoints(result)[0]!.slice(1, 3)).toEqual([lat, lng]);
    expect(flagsOf(result)).toEqual([]);
  });
  it.each([
    ['1e-7', '1.5E1', '0.0000001', '15'],
    ['+5.2e+1', '-0.43e1', '52', '-4.3'],
  ])('reads the exponents of %s, %s as plain numbers and says so', (lat, lng, plainLat, plainLng) => {
    const result = withPlace(lat, lng);
    expect(allPoints(result)[0]!.slice(1, 3)).toEqual([plainLat, plainLng]);
    expect(flagsOf(result)).toEqual([flagReasons.exponent]);
  });
  it('reads numbers without a leading or trailing digit, with a plus or blanks', () => {
    expect(allPoints(withPlace(' +.5', '4. '))[0]!.slice(1, 3)).toEqual(['0.5', '4']);
  });
  it.each([
    ['', '4.3', skipReasons.noLatitude],
    ['52.1', ' ', skipReasons.noLongitude],
    ['NaN', '4.3', skipReasons.latitudeNotANumber],
    ['52.1', 'nan', skipReasons.longitudeNotANumber],
    ['Infinity', '4.3', skipReasons.latitudeNotANumber],
    ['1e999', '4.3', skipReasons.latitudeNotANumber],
    ['0x10', '4.3', skipReasons.latitudeNotANumber],
    ['52.1.2', '4.3', skipReasons.latitudeNotANumber],
    ['5 2', '4.3', skipReasons.latitudeNotANumber],
    ['.', '4.3', skipReasons.latitudeNotANumber],
    ['1e', '4.3', skipReasons.latitudeNotANumber],
    ['--1', '4.3', skipReasons.latitudeNotANumber],
    ['1'.repeat(65), '4.3', skipReasons.latitudeNotANumber],
    ['90.000001', '4.3', skipReasons.latitudeOutOfRange],
    ['52.1', '-180.1', skipReasons.longitudeOutOfRange],
    ['52.1', '1e60', skipReasons.longitudeOutOfRange],
    ['90.0000000000000000001e3', '4.3', skipReasons.latitudeOutOfRange],
    ['0', '0', skipReasons.nullIsland],
    ['0.000000', '-0.0', skipReasons.nullIsland],
  ])('skips the position "%s", "%s"', (lat, lng, reason) => expectSkipped(withPlace(lat, lng), reason));
});

describe('speed, heading and trip number', () => {
  it.each([
    ['-0.1', flagReasons.speedNegative],
    ['400.1', flagReasons.speedHigh],
  ])('keeps the speed %s with a remark', (speed, reason) => {
    expect(allPoints(withSpeed(speed))[0]![4]).toBe(speed);
    expect(flagsOf(withSpeed(speed))).toEqual([reason]);
  });
  it('keeps 400 and 359.9 without one', () => {
    expect(flagsOf(withSpeed('400'))).toEqual([]);
    expect(flagsOf(withHeading('359.9'))).toEqual([]);
  });
  it.each([
    ['360', flagReasons.heading360],
    ['-1', flagReasons.headingOutOfRange],
    ['360.5', flagReasons.headingOutOfRange],
  ])('keeps the heading %s with a remark', (heading, reason) => {
    expect(allPoints(withHeading(heading))[0]![3]).toBe(heading);
    expect(flagsOf(withHeading(heading))).toEqual([reason]);
  });
  it.each(['NaN', 'Infinity', '1e999', '0x10', 'fast'])(
    'keeps a point whose speed or heading is %s without it',
    (text) => {
      expect(allPoints(withSpeed(text))[0]).toEqual(['1740978000', '52.1', '4.3', '90', null, null]);
      expect(flagsOf(withSpeed(text))).toEqual([flagReasons.speedNotANumber]);
      expect(allPoints(withHeading(text))[0]).toEqual(['1740978000', '52.1', '4.3', null, '12.0', null]);
      expect(flagsOf(withHeading(text))).toEqual([flagReasons.headingNotANumber]);
    },
  );
  it('reads an altitude column', () => {
    const result = collect(
      (sink) => createCsvReader(sink, noContext),
      'datetime,lat,lng,altitudeM\n2025-03-03T05:00:00Z,52.1,4.3,-3.50\n2025-03-03T05:00:01Z,52.1,4.3,high\n',
    );
    expect(allPoints(result).map((point) => point[5])).toEqual(['-3.50', null]);
    expect(result.flagged).toEqual([{ where: 'line 3', reason: flagReasons.altitudeNotANumber, count: 1 }]);
  });
  it('skips a trip number that is not a whole number', () => {
    for (const text of ['1.5', 'one', '1e3', '1'.repeat(16)]) {
      expectSkipped(
        rows(`P1,Van,2025-03-03T05:00:00Z,52.1,4.3,${text},90,1`),
        skipReasons.driveNoNotAnInteger,
      );
    }
  });
});

describe('trips', () => {
  const at = (second: number, trip: string, speed = '1'): string =>
    `P1,Van,2025-03-03T05:00:${String(second).padStart(2, '0')}Z,52.1,4.3,${trip},90,${speed}`;
  it('keeps trips apart that interleave, and rows of no trip', () => {
    const result = rows(at(1, '1'), at(1, '2'), at(2, '1'), at(2, ''), at(2, '02'));
    expect(result.tracks.map(({ identity, points }) => [identity.driveNo, points.length])).toEqual([
      [1, 2],
      [2, 2],
      [null, 1],
    ]);
  });
  it('keeps rows out of order and the same time twice, with remarks', () => {
    const result = rows(at(5, '1'), at(3, '1'), at(5, '1', '2'), at(6, '1'));
    expect(result.points).toBe(4);
    expect(result.flagged).toEqual([
      { where: 'line 3', reason: flagReasons.outOfOrder, count: 1 },
      { where: 'line 4', reason: flagReasons.sameTime, count: 1 },
    ]);
    expect(allPoints(result).map((point) => point[0]!.slice(-1))).toEqual(['5', '3', '5', '6']);
  });
  it('skips exact repeats of a row, one by one and as a block that was sent twice', () => {
    const block = [1, 2, 3, 4].map((second) => at(second, '1'));
    const result = rows(...block, block[3]!, at(9, '2'), ...block, at(5, '1'));
    expect(result.points).toBe(6);
    expect(result.skipped).toEqual([{ where: 'line 6', reason: skipReasons.duplicate, count: 5 }]);
    expect(result.flagged).toEqual([]);
  });
  it('skips a repeat of the last row also where the chunk before is packed away', () => {
    const lines = Array.from({ length: 4096 }, (_, i) => {
      const minute = String(Math.floor(i / 60) % 60).padStart(2, '0');
      const hour = String(5 + Math.floor(i / 3600)).padStart(2, '0');
      return `P1,Van,2025-03-03T${hour}:${minute}:${String(i % 60).padStart(2, '0')}Z,52.1,4.3,1,90,1`;
    });
    const result = rows(...lines, lines.at(-1)!);
    expect(result).toMatchObject({ points: 4096, rows: 4097, skipped: [{ reason: skipReasons.duplicate }] });
  });
  it('takes rows that differ only in digits as different', () => {
    const result = rows(at(1, '1', '2'), at(1, '1', '2.0'));
    expect(result).toMatchObject({ points: 2, flagged: [{ reason: flagReasons.sameTime }] });
  });
});

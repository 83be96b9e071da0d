import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClipGpsColumns, ClipTelemetry } from '../../../shared/contract/clips.ts';
import {
  clipTelemetryCsv,
  type CsvClock,
  type TelemetryCsvInput,
} from '../../../main/media/derive/telemetryCsv.ts';

const clock: CsvClock = {
  origin: 'clip-gps',
  how: 'From 12 GPS times in the clip, corrected by 0 s.',
  startUtcMs: Date.UTC(2026, 2, 14, 16, 32, 9),
  utcOffsetMin: 60,
  uncertaintyMs: 1000,
  rate: 1,
  driftNote: null,
  manual: null,
};
const unknown: CsvClock = {
  ...clock,
  origin: 'unknown',
  how: '',
  startUtcMs: null,
  uncertaintyMs: null,
  utcOffsetMin: null,
};

function gpsOf(rows: readonly Partial<Record<keyof ClipGpsColumns, number>>[]): ClipGpsColumns {
  const column = (name: keyof ClipGpsColumns): Float64Array =>
    Float64Array.from(rows, (row) => row[name] ?? NaN);
  return {
    clipMs: column('clipMs'),
    utcMs: column('utcMs'),
    cameraLocalMs: column('cameraLocalMs'),
    latDeg: column('latDeg'),
    lngDeg: column('lngDeg'),
    speedKmh: column('speedKmh'),
    headingDeg: column('headingDeg'),
    altitudeM: column('altitudeM'),
  };
}
const gSensorOf = (rows: readonly (readonly [number, number, number, number])[]) => ({
  clipMs: Float64Array.from(rows, (row) => row[0]),
  axisNames: ['vertical', 'lateral', 'longitudinal'] as const,
  axesG: [
    Float64Array.from(rows, (row) => row[1]),
    Float64Array.from(rows, (row) => row[2]),
    Float64Array.from(rows, (row) => row[3]),
  ] as const,
});

const telemetry: ClipTelemetry = {
  gps: gpsOf([
    {
      clipMs: 0,
      utcMs: clock.startUtcMs! + 40,
      cameraLocalMs: clock.startUtcMs! + 3_600_000,
      latDeg: 52.1,
      lngDeg: -0.00000001,
      speedKmh: 0,
      headingDeg: 90,
    },
    { clipMs: 1000, utcMs: clock.startUtcMs! + 1040 },
  ]),
  gSensor: gSensorOf([
    [110, 1.0078125, 0, -0.5],
    [220, 1, -0.0078125, 0],
  ]),
};
const base: TelemetryCsvInput = {
  fileName: '20260314_173209_EF.mp4',
  sha256: 'ab'.repeat(32),
  telemetry,
  clock,
};

/** The statement by what it says, and the rows by the header. */
function read(input: TelemetryCsvInput) {
  const text = [...clipTelemetryCsv(input)!].join('');
  const isSaid = (line: string): boolean => line.startsWith('# ');
  const all = text.split('\r\n');
  const said = parse(all.filter(isSaid).join('\r\n')) as [string, string][];
  const rows = parse(all.filter((line) => !isSaid(line)).join('\r\n'), { columns: true }) as Record<
    string,
    string
  >[];
  return { text, said: Object.fromEntries(said.map(([what, value]) => [what.slice(2), value])), rows };
}

describe('telemetry as CSV', () => {
  it('has both kinds of samples in order of time, with units, and nothing where nothing was recorded', () => {
    const { rows, said, text } = read(base);
    expect(rows.map((row) => [row.sample, row.clip_time_s])).toEqual([
      ['gps', '0'],
      ['g-sensor', '0.11'],
      ['g-sensor', '0.22'],
      ['gps', '1'],
    ]);
    expect(rows[0]).toEqual({
      sample: 'gps',
      clip_time_s: '0',
      utc: '2026-03-14T16:32:09.000Z',
      gps_utc: '2026-03-14T16:32:09.040Z',
      camera_local_time: '2026-03-14T17:32:09.000',
      latitude_deg: '52.1',
      longitude_deg: '-0.00000001',
      speed_kmh: '0',
      heading_deg: '90',
      altitude_m: '',
      vertical_g: '',
      lateral_g: '',
      longitudinal_g: '',
    });
    expect(rows[1]).toMatchObject({
      utc: '2026-03-14T16:32:09.110Z',
      gps_utc: '',
      latitude_deg: '',
      speed_kmh: '',
      vertical_g: '1.0078125',
      lateral_g: '0',
      longitudinal_g: '-0.5',
    });
    // A receiver without a fix: a time, no place, no speed.
    expect(rows[3]).toMatchObject({
      gps_utc: '2026-03-14T16:32:10.040Z',
      latitude_deg: '',
      longitude_deg: '',
      speed_kmh: '',
    });
    expect(said).toMatchObject({
      'telemetry of': '20260314_173209_EF.mp4',
      'sha256 of that file': 'ab'.repeat(32),
      clock: clock.how,
      'clock start': 'the first frame was at 2026-03-14T16:32:09Z',
      'clock uncertainty': '1 s to either side',
      'camera clock minus UTC': '60 min',
    });
    expect(text).toContain('WGS 84');
    expect(text).toContain('gravity included');
  });

  it('leaves UTC empty where no clock is known', () => {
    const { rows, said } = read({ ...base, clock: unknown });
    expect(rows.map((row) => row.utc)).toEqual(['', '', '', '']);
    expect(rows[0]!.gps_utc).not.toBe('');
    expect(said.clock).toContain('unknown');
    expect(said['clock uncertainty']).toBe('unknown');
  });

  it('takes drift and what a user set into account, and says so', () => {
    const manual = { shiftMs: -500, reason: '=cmd|"x"', actor: 'R. Chen', setAtMs: 0 };
    const { rows, said } = read({
      ...base,
      clock: { ...clock, rate: 1.5, driftNote: 'The other camera ran longer.', manual },
    });
    expect(rows.map((row) => row.utc!.slice(17))).toEqual(['09.000Z', '09.165Z', '09.330Z', '10.500Z']);
    expect(said['clock rate']).toContain('The other camera ran longer.');
    expect(said['clock of the clip set by hand']).toBe(
      'moved by -0.5 s by R. Chen at 1970-01-01T00:00:00Z: =cmd|"x"',
    );
  });

  it('gives a slice by the time on the pictures, telemetry moved with its own clock included', () => {
    const times = (input: TelemetryCsvInput): string[] => read(input).rows.map((row) => row.clip_time_s!);
    expect(times({ ...base, fromS: 0.11, toS: 0.22 })).toEqual(['0.11']);
    expect(times({ ...base, fromS: 0.2 })).toEqual(['0.22', '1']);
    const manual = { shiftMs: 100, reason: 'Seen on the pictures', actor: 'R. Chen', setAtMs: 0 };
    const telemetryClock = { ...clock, how: 'Moved by hand.', startUtcMs: clock.startUtcMs! + 100, manual };
    const moved = { ...base, telemetryClock, fromS: 0.2, toS: 0.3 };
    expect(times(moved)).toEqual(['0.11']);
    expect(read(moved).rows[0]!.utc).toBe('2026-03-14T16:32:09.210Z');
    // How UTC was found stays said beside it.
    expect(read(moved).said).toMatchObject({
      clock: clock.how,
      'clock start': 'the first frame was at 2026-03-14T16:32:09Z',
      'telemetry on the clip': 'Moved by hand.',
    });
    expect(read(moved).said.slice).toBe('from 0.2 s to 0.3 s of the clip');
  });

  it('is null without telemetry, and whole with one kind of it', () => {
    expect(clipTelemetryCsv({ ...base, telemetry: { gps: null, gSensor: null } })).toBeNull();
    const gpsOnly = read({ ...base, telemetry: { ...telemetry, gSensor: null } });
    expect(Object.keys(gpsOnly.rows[0]!)).not.toContain('vertical_g');
    expect(gpsOnly.rows).toHaveLength(2);
    expect(read({ ...base, telemetry: { ...telemetry, gps: null } }).rows).toHaveLength(2);
  });

  it('is safe in a spreadsheet, whatever a file is called', () => {
    for (const fileName of ['=HYPERLINK("x").mp4', '+1.mp4', '@a,b.mp4', '-1\r\n=2.mp4']) {
      const { said } = read({ ...base, fileName });
      expect(said['telemetry of']).toBe(`'${fileName.replace(/\s+/g, ' ')}`);
    }
  });

  it('keeps every row once, in order, whatever the times', () => {
    const time = fc.oneof(fc.double({ min: -1e6, max: 1e9, noNaN: true }), fc.constant(NaN));
    fc.assert(
      fc.property(fc.array(time), fc.array(time), (gpsTimes, gTimes) => {
        const { rows } = read({
          ...base,
          telemetry: {
            gps: gpsOf(gpsTimes.map((clipMs) => ({ clipMs, latDeg: 1 }))),
            gSensor: gSensorOf(gTimes.map((ms) => [ms, 1, 1, 1])),
          },
        });
        expect(rows.filter((row) => row.sample === 'gps')).toHaveLength(gpsTimes.length);
        expect(rows.filter((row) => row.sample === 'g-sensor')).toHaveLength(gTimes.length);
        const known = rows.map((row) => row.clip_time_s!).filter((text) => text !== '');
        expect(known).toHaveLength([...gpsTimes, ...gTimes].filter((t) => !Number.isNaN(t)).length);
        expect(known.map(Number)).toEqual(known.map(Number).sort((a, b) => a - b));
        expect(known.join()).not.toContain('e');
      }),
      { numRuns: 100 },
    );
  });
});

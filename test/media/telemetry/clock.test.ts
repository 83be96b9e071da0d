import { afterAll, describe, expect, it } from 'vitest';
import { parseClipName } from '../../../main/media/telemetry/clipName.ts';
import { readClipHere } from '../../../main/media/telemetry/clipReading.ts';
import { box, clip, ClipFolder, rmc, sentence, u64, vendorFree } from './clipWriter.ts';

const files = new ClipFolder();
afterAll(() => files.remove());
const minuteMs = 60_000;
const fix = { latDeg: 10, lngDeg: 20, knots: 1, headingDeg: 2 };

const nameAt = (localMs: number): string => {
  const text = new Date(localMs).toISOString();
  return `${text.slice(0, 10).replaceAll('-', '')}_${text.slice(11, 19).replaceAll(':', '')}_NF.mp4`;
};

interface Recorded {
  startMs: number;
  offsetMin: number;
  /** How far the camera's clock is ahead. */
  aheadMs?: number;
  lagMs?: number;
  sttm?: boolean;
  name?: string;
  lines?: number;
  hasFix?: (i: number) => boolean;
  prefix?: boolean;
}

/** A clip as a camera with that clock would record it. */
function recorded(options: Recorded) {
  const { startMs, offsetMin, aheadMs = 0, lagMs = 300, lines = 20, hasFix = () => true } = options;
  const cameraMs = (utcMs: number): number => utcMs + offsetMin * minuteMs + aheadMs;
  const text = Array.from({ length: lines }, (_, i) => {
    const utcMs = Math.ceil(startMs / 1000) * 1000 + i * 1000;
    const prefix = options.prefix === false ? '' : `[${cameraMs(utcMs) + lagMs}]`;
    return `${prefix}${rmc(utcMs, hasFix(i) ? fix : null)}`;
  }).join('\n\n');
  const start = options.sttm === false ? [] : [box('sttm', u64(cameraMs(startMs)))];
  const name = options.name ?? nameAt(cameraMs(startMs));
  return readClipHere(files.write(clip(vendorFree(...start, box('gps ', text))), name)).facts;
}

const start = Date.UTC(2026, 2, 14, 12, 0, 0);
/** Every offset in use, the 30 and 45-minute ones among them. */
const zones = [
  -720, -660, -600, -570, -540, -480, -420, -360, -300, -240, -210, -180, -150, -120, -60, 0, 60, 120, 180,
  210, 240, 270, 300, 330, 345, 360, 390, 420, 480, 525, 540, 570, 600, 630, 660, 720, 765, 780, 825, 840,
];

describe('the offset of a camera’s clock', () => {
  it.each(zones)('is found for UTC %i min, at noon and just before and after midnight UTC', (offsetMin) => {
    for (const startMs of [start, Date.UTC(2025, 11, 31, 23, 59, 50, 250), Date.UTC(2024, 1, 29, 0, 0, 5)]) {
      for (const how of [{}, { sttm: false, name: undefined }]) {
        const facts = recorded({ startMs, offsetMin, ...(how.sttm === false ? { sttm: false } : {}) });
        expect(facts.clock.utcOffsetMin).toBe(offsetMin);
        const exact = how.sttm === false ? Math.floor(startMs / 1000) * 1000 : startMs;
        expect(facts.clock.startUtcMs).toBe(exact);
      }
    }
  });

  it('changes with daylight saving: the hour that comes twice is told apart', () => {
    // New York, 2 November 2025: 01:30 local comes at 05:30 UTC (-4 h) and again at 06:30 UTC (-5 h).
    const first = recorded({ startMs: Date.UTC(2025, 10, 2, 5, 30), offsetMin: -240 });
    const second = recorded({ startMs: Date.UTC(2025, 10, 2, 6, 30), offsetMin: -300 });
    expect(first.recordedAtLocal).toBe('2025-11-02T01:30:00');
    expect(second.recordedAtLocal).toBe('2025-11-02T01:30:00');
    expect([first.clock.utcOffsetMin, second.clock.utcOffsetMin]).toEqual([-240, -300]);
    expect(second.clock.startUtcMs! - first.clock.startUtcMs!).toBe(3_600_000);
  });

  /** The zone's offset in minutes as the platform's calendar has it. */
  function offsetOf(zone: string, utcMs: number): number {
    const name = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
      .formatToParts(utcMs)
      .find(({ type }) => type === 'timeZoneName')!.value;
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? ['', '+', '0', '0'];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  }

  it.each([
    ['America/New_York', Date.UTC(2026, 2, 8, 7), -300, -240],
    ['America/New_York', Date.UTC(2026, 10, 1, 6), -240, -300],
    ['America/St_Johns', Date.UTC(2026, 2, 8, 5, 30), -210, -150],
    ['Europe/Berlin', Date.UTC(2026, 2, 29, 1), 60, 120],
    ['Europe/London', Date.UTC(2026, 9, 25, 1), 60, 0],
    ['Asia/Tehran', Date.UTC(2021, 8, 21, 19, 30), 270, 210], // at midnight there
    ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 15), 660, 630], // by half an hour
    ['Australia/Adelaide', Date.UTC(2026, 9, 3, 16, 30), 570, 630],
    ['Pacific/Chatham', Date.UTC(2026, 8, 26, 14), 765, 825],
    ['Pacific/Apia', Date.UTC(2011, 11, 30, 10), -600, 840], // 30 December 2011 was left out
    ['Asia/Kathmandu', Date.UTC(2026, 0, 1), 345, 345],
    ['Etc/GMT+12', Date.UTC(2026, 0, 1), -720, -720],
    ['Pacific/Kiritimati', Date.UTC(2026, 0, 1), 840, 840],
  ])('of %s is the calendar’s on both sides of a change', (zone, changeMs, before, after) => {
    for (const [startMs, offsetMin] of [
      [changeMs - 60_000, before],
      [changeMs, after],
      [changeMs + 1000, after],
    ] as const) {
      // prettier-ignore
      expect(offsetOf(zone, startMs)).toBe(offsetMin);
      expect(recorded({ startMs, offsetMin }).clock).toMatchObject({ utcOffsetMin: offsetMin, startUtcMs: startMs }); // prettier-ignore
    }
  });

  it('that changes in the middle of a clip counts as it was at the start, and is said', () => {
    const startLocal = start - 300 * minuteMs;
    const lines = Array.from({ length: 20 }, (_, i) => {
      const offset = i < 8 ? -300 : -240;
      return `[${start + i * 1000 + offset * minuteMs}]${rmc(start + i * 1000, fix)}`;
    });
    const bytes = clip(vendorFree(box('sttm', u64(startLocal)), box('gps ', lines.join('\n'))));
    const { facts, gps } = readClipHere(files.write(bytes));
    expect(facts.clock).toMatchObject({ utcOffsetMin: -300, startUtcMs: start });
    expect(facts.notes.join()).toMatch(/changing amounts/);
    expect([...gps!.clipMs]).toEqual(lines.map((_, i) => i * 1000));
  });

  it('is unknown without a fix, without GPS lines, and without anything of the camera’s clock', () => {
    const unknown = { startUtcMs: null, utcOffsetMin: null, source: null, uncertaintyMs: null };
    expect(recorded({ startMs: start, offsetMin: 60, hasFix: () => false }).clock).toMatchObject(unknown);
    expect(recorded({ startMs: start, offsetMin: 60, lines: 0 }).clock).toMatchObject(unknown);
    expect(
      recorded({ startMs: start, offsetMin: 60, sttm: false, name: 'a.mp4', prefix: false }).clock,
    ).toMatchObject(unknown);
  });

  it('is found when the fix comes late, and from the start alone when lines carry no camera time', () => {
    expect(
      recorded({ startMs: start, offsetMin: 345, lines: 60, hasFix: (i) => i > 55 }).clock,
    ).toMatchObject({ utcOffsetMin: 345, startUtcMs: start });
    expect(recorded({ startMs: start, offsetMin: -570, prefix: false }).clock).toMatchObject({
      utcOffsetMin: -570,
      startUtcMs: start,
    });
  });
});

describe('the start of a clip in UTC', () => {
  it('names what it rests on', () => {
    const of = (options: Partial<Recorded>) =>
      recorded({ startMs: start, offsetMin: 60, ...options }).clock.source;
    expect(of({})).toBe('rmc+sttm');
    expect(of({ sttm: false })).toBe('rmc+name');
    expect(of({ sttm: false, name: 'evidence.mp4' })).toBe('rmc');
  });

  it('is corrected where the camera’s clock is wrong, and says how far', () => {
    const facts = recorded({ startMs: start, offsetMin: 60, aheadMs: 75_000, lagMs: 0 });
    expect(facts.clock).toMatchObject({ utcOffsetMin: 60, startUtcMs: start, cameraAheadMs: 75_000 });
    expect(facts.notes.join()).toMatch(/75\.0 s ahead/);
  });

  it('is never claimed closer than a second, and the spread widens it', () => {
    expect(recorded({ startMs: start, offsetMin: 60 }).clock.uncertaintyMs).toBe(1000);
    const lines = [0, 1, 2].map((i) => `[${start + i * 1000 + i * 3000}]${rmc(start + i * 1000, fix)}`);
    const facts = readClipHere(
      files.write(clip(vendorFree(box('sttm', u64(start)), box('gps ', lines.join('\n'))))),
    ).facts;
    expect(facts.clock).toMatchObject({ spreadMs: 6000, uncertaintyMs: 6000, utcOffsetMin: 0 });
  });

  it('is known from GPS where the camera’s clock was never set; its zone is not', () => {
    const facts = recorded({ startMs: start, offsetMin: 0, aheadMs: Date.UTC(2015, 0, 1) - start, lagMs: 0 });
    expect(facts.clock).toMatchObject({ utcOffsetMin: null, startUtcMs: start });
    expect(facts.recordedAtLocal).toBe('2015-01-01T00:00:00');
    expect(facts.notes.join()).toMatch(/was not set/);
  });

  it('does not trust a receiver whose date lies before 2010 (weeks counted wrong)', () => {
    expect(recorded({ startMs: Date.UTC(2006, 6, 1), offsetMin: 60 }).clock).toMatchObject({
      startUtcMs: null,
    });
  });

  it('goes by the clip’s inner start when the file was given another camera’s name', () => {
    const facts = recorded({ startMs: start, offsetMin: 60, name: '20200101_000000_NF.mp4' });
    expect(facts.clock).toMatchObject({ startUtcMs: start, utcOffsetMin: 60, source: 'rmc+sttm' });
    expect(facts.notes.join()).toMatch(/2 seconds apart/);
  });
});

describe('a time of day without a date', () => {
  const gga = (localMs: number, time: string, lng: string) =>
    readClipHere(
      files.write(
        clip(
          vendorFree(
            box('sttm', u64(localMs)),
            box('gps ', `[${localMs}]${sentence(`GPGGA,${time},1000.0,N,${lng},1,8,1.0,1.0,M,,,,`)}`),
          ),
        ),
      ),
    ).facts.clock;
  const noon = Date.UTC(2026, 0, 10, 12);

  it('gives the zone, over midnight too', () => {
    expect(gga(noon, '110000', '01500.0,E').utcOffsetMin).toBe(60);
    expect(gga(noon - 11.5 * 3_600_000, '230000', '01500.0,E')).toMatchObject({
      utcOffsetMin: 90,
      startUtcMs: Date.UTC(2026, 0, 9, 23),
    });
  });

  it('tells New Zealand from its opposite by the longitude, and stays unknown at the bent date line', () => {
    expect(gga(noon, '230000', '17500.0,E').utcOffsetMin).toBe(780);
    expect(gga(noon, '230000', '14500.0,W').utcOffsetMin).toBe(-660);
    expect(gga(noon, '230000', '17500.0,W')).toMatchObject({ utcOffsetMin: null, startUtcMs: null });
  });
});

describe('a clip’s name', () => {
  it('gives time, type and camera by position; a third letter is the stream', () => {
    expect(parseClipName('20260314_173210_EF.mp4')).toEqual({
      mainName: '20260314_173210_EF.mp4',
      recordedAtLocal: '2026-03-14T17:32:10',
      localMs: Date.UTC(2026, 2, 14, 17, 32, 10),
      typeCode: 'E',
      type: 'driving_impact',
      directionCode: 'F',
      direction: 'front',
      stream: 'main',
    });
    expect(parseClipName('20260314_173210_FOS.mp4')).toMatchObject({
      type: 'undetected',
      direction: 'option',
      stream: 'sub',
      mainName: '20260314_173210_FO.mp4',
    });
    expect(parseClipName('20260314_173210_IIL.MP4')).toMatchObject({
      type: 'parking_impact',
      direction: 'interior',
      stream: 'live',
    });
    expect(parseClipName('20260314_173210_OR.mp4')).toMatchObject({ type: 'overspeed', direction: 'rear' });
    expect(parseClipName('20260314_173210_NFX.mp4')).toMatchObject({ stream: null });
  });

  it('takes any letters, and copies’ names', () => {
    expect(parseClipName('20260314_173210_ZQ.mp4')).toMatchObject({
      typeCode: 'Z',
      type: 'unknown',
      directionCode: 'Q',
      direction: 'unknown',
    });
    expect(parseClipName('Van 12 20260314_173210_NF (1).mp4')).toMatchObject({ typeCode: 'N' });
    expect(parseClipName('20260314_173210_nf.mp4')).toMatchObject({ typeCode: 'N', directionCode: 'F' });
  });

  it.each([
    '20260230_120000_NF.mp4',
    '20260314_240000_NF.mp4',
    '20260314_1732_NF.mp4',
    '120260314_173210_NF.mp4',
    '20260314_173210_NFSX.mp4',
    'clip.mp4',
    '',
  ])('is no camera’s: %s', (name) => {
    expect(parseClipName(name)).toBeNull();
  });
});

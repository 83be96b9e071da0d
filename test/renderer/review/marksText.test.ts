import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatElapsed,
  formatMoment,
  formatMomentTime,
  formatShift,
  formatUncertainty,
  momentInputText,
  momentZone,
  offsetName,
  parseMoment,
  type MomentZone,
} from '../../../renderer/features/review/marks/momentText.ts';
import { layoutStamp, stampPieces } from '../../../renderer/features/review/marks/stamp.ts';
import { frame, scene, sourceClock, startMs } from './aReview.ts';

const zones: readonly MomentZone[] = [
  { kind: 'zone', zone: 'UTC' },
  { kind: 'zone', zone: 'Europe/Amsterdam' },
  { kind: 'zone', zone: 'Asia/Kathmandu' },
  { kind: 'zone', zone: 'Australia/Lord_Howe' },
  { kind: 'zone', zone: 'America/St_Johns' },
  { kind: 'offset', offsetMin: 60 },
  { kind: 'offset', offsetMin: -210 },
  { kind: 'offset', offsetMin: 825 },
];
const instant = fc.integer({ min: Date.UTC(2001, 0, 1), max: Date.UTC(2060, 0, 1) });

describe('times of the scene as text', () => {
  it('writes the time of day to the millisecond, with its zone', () => {
    const at = startMs + 9_733;
    expect(formatMoment(at, { kind: 'zone', zone: 'UTC' })).toBe('14 Mar 2026 16:32:09.733 UTC');
    expect(formatMoment(at, { kind: 'zone', zone: 'Europe/Amsterdam' })).toBe('14 Mar 2026 17:32:09.733 CET');
    expect(formatMoment(at, { kind: 'offset', offsetMin: 60 })).toBe('14 Mar 2026 17:32:09.733 UTC+1');
    expect(formatMomentTime(startMs, { kind: 'zone', zone: 'UTC' })).toBe('16:32:00.000');
    expect(formatMoment(12_345, { kind: 'elapsed' })).toBe('0:12.345 from the start');
  });

  it('reads back every moment that it writes, in every zone, also where clocks are put back', () => {
    fc.assert(
      fc.property(instant, fc.constantFrom(...zones), (ms, zone) => {
        expect(parseMoment(momentInputText(ms, zone), zone, ms)).toBe(ms);
      }),
      { numRuns: 2000 },
    );
    // The hour that Amsterdam has twice: each half is told by what is near.
    const amsterdam: MomentZone = { kind: 'zone', zone: 'Europe/Amsterdam' };
    for (const ms of [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)]) {
      expect(parseMoment('02:30', amsterdam, ms)).toBe(ms);
    }
  });

  it('takes a time of day for the nearest one, over midnight too', () => {
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: -11 * 3_600_000, max: 11 * 3_600_000 }),
        fc.constantFrom(...zones.filter((zone) => zone.kind === 'offset')),
        (ms, away, zone) => {
          expect(parseMoment(formatMomentTime(ms, zone), zone, ms + away)).toBe(ms);
        },
      ),
    );
  });

  it('reads time since the start where no clock is known', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e8, max: 1e8 }), (ms) => {
        expect(parseMoment(formatElapsed(ms), { kind: 'elapsed' }, 0)).toBe(ms === 0 ? 0 : ms);
      }),
    );
  });

  it.each(['', 'noon', '25:00:00', '12:60', '12:00:61', '2026-02-30 12:00:00', '12:00.5', '12:00:00.1234'])(
    'refuses “%s”',
    (text) => expect(parseMoment(text, { kind: 'zone', zone: 'UTC' }, startMs)).toBeNull(),
  );

  it('asks for a date where there is nothing to be near', () => {
    const utc: MomentZone = { kind: 'zone', zone: 'UTC' };
    expect(parseMoment('16:32:00', utc, null)).toBeNull();
    expect(parseMoment('2026-03-14 16:32:00', utc, null)).toBe(startMs);
  });

  it('never passes off UTC as the vehicle’s zone', () => {
    expect(momentZone({ timebase: 'utc', utcOffsetMin: null }, 'vehicle', 'UTC')).toEqual({
      kind: 'zone',
      zone: 'UTC',
    });
    expect(momentZone({ timebase: 'elapsed', utcOffsetMin: 60 }, 'utc', 'UTC')).toEqual({ kind: 'elapsed' });
    expect([offsetName(60), offsetName(-210), offsetName(0)]).toEqual(['UTC+1', 'UTC−3:30', 'UTC']);
  });

  it('says differences and uncertainties with sign and unit', () => {
    expect([1234, -40, 0, 7_384_500, 90_000_000].map(formatShift)).toEqual([
      '+1.234 s',
      '−0.040 s',
      '0 s',
      '+2 h 3 min 4.500 s',
      '+1 d 1 h',
    ]);
    expect([null, 200, 1500].map(formatUncertainty)).toEqual(['± unknown', '± 200 ms', '± 1.5 s']);
  });
});

describe('the stamp', () => {
  it('names camera, file, UTC with uncertainty, the vehicle’s time, and the frame', () => {
    expect(stampPieces(scene(), frame(), 'Asia/Tokyo')).toEqual([
      'Van 07 · front',
      '20260314_173200_EF.mp4',
      '14 Mar 2026 16:32:10.000 UTC ± 1.5 s',
      '14 Mar 2026 17:32:10.000 UTC+1 (vehicle)',
      'frame 300, 10.000 s into the clip',
    ]);
    expect(stampPieces(scene({ utcOffsetMin: null }), frame(), 'Asia/Tokyo')[3]).toBe(
      '15 Mar 2026 01:32:10.000 UTC+9 (this computer)',
    );
  });

  it('makes up no time where the clock is unknown', () => {
    const unknown = scene({
      timebase: 'elapsed',
      clocks: [sourceClock({ startUtcMs: null, origin: 'unknown' })],
    });
    const pieces = stampPieces(unknown, frame({ frameIndex: null }), 'UTC');
    expect(pieces).toEqual([
      'Van 07 · front',
      '20260314_173200_EF.mp4',
      'time of day unknown',
      '10.000 s into the clip',
    ]);
  });

  it('fits any picture, leaves no letter out, and covers less of larger ones', () => {
    const measure = (text: string, fontPx: number) => text.length * fontPx * 0.6;
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[A-Za-z0-9_.]{1,30}( [A-Za-z0-9_.]{1,30}){0,5}$/), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.integer({ min: 120, max: 4000 }),
        fc.integer({ min: 90, max: 2200 }),
        (pieces, widthPx, heightPx) => {
          const layout = layoutStamp(pieces, widthPx, heightPx, measure);
          for (const line of layout.lines) {
            expect(measure(line, layout.fontPx)).toBeLessThanOrEqual(widthPx - 2 * layout.paddingPx);
          }
          const letters = (texts: readonly string[]) => texts.join('').replace(/[ ·]/g, '');
          expect(letters(layout.lines)).toBe(letters(pieces));
        },
      ),
    );
    const pieces = stampPieces(scene(), frame(), 'UTC');
    expect(layoutStamp(pieces, 1920, 1080, measure).barHeightPx).toBeLessThan(1080 / 8);
    expect(layoutStamp(pieces, 320, 180, measure).barHeightPx).toBeLessThan(180 / 2);
  });
});

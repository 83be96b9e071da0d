import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, fromInputText, isZone, toInputText, zoneName } from '../../../renderer/ui/time.ts';

const zones = [
  'UTC',
  'Europe/Amsterdam',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
];

describe('times with their zone', () => {
  it('always says the zone', () => {
    const utcMs = Date.UTC(2026, 2, 14, 16, 2, 11);
    expect(formatInstant(utcMs, 'Europe/Amsterdam')).toBe('14 Mar 2026, 17:02:11 CET');
    expect(formatInstant(utcMs, 'UTC')).toBe('14 Mar 2026, 16:02:11 UTC');
    expect(zoneName(Date.UTC(2026, 6, 1), 'Europe/Amsterdam')).toBe('CEST');
  });

  it('reads back what it writes, in every zone, to the second, outside the repeated hour', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2000, 0, 1) / 1000, max: Date.UTC(2035, 0, 1) / 1000 }),
        (zone, utcSeconds) => {
          const text = toInputText(utcSeconds * 1000, zone);
          const back = fromInputText(text, zone);
          // The same wall clock may stand for two instants when clocks are put back; the text must agree.
          expect(back).not.toBeNull();
          expect(toInputText(back ?? 0, zone)).toBe(text);
        },
      ),
    );
  });

  it('takes the first of an hour that occurs twice, and moves a skipped time on', () => {
    expect(fromInputText('2026-10-25 02:30:00', 'Europe/Amsterdam')).toBe(Date.UTC(2026, 9, 25, 0, 30));
    expect(fromInputText('2026-03-29 02:30:00', 'Europe/Amsterdam')).toBe(Date.UTC(2026, 2, 29, 1, 30));
  });

  it('accepts a T, missing seconds or a bare date, and refuses what is no date', () => {
    const utcMs = Date.UTC(2026, 2, 14, 16, 2);
    expect(fromInputText('2026-03-14T16:02', 'UTC')).toBe(utcMs);
    expect(fromInputText(' 2026-03-14  16:02:00 ', 'UTC')).toBe(utcMs);
    expect(fromInputText('2026-03-14', 'UTC')).toBe(Date.UTC(2026, 2, 14));
    for (const text of [
      '',
      'yesterday',
      '2026-02-30 10:00',
      '2026-13-01',
      '2026-03-14 24:00',
      '2026-03-14 10:61',
    ]) {
      expect(fromInputText(text, 'UTC'), text).toBeNull();
    }
  });

  it('knows a zone from a typing error', () => {
    expect(isZone('Europe/Amsterdam')).toBe(true);
    expect(isZone('Europe/Amsterdm')).toBe(false);
  });
});

describe('a zone without letters', () => {
  it('is written as an offset of UTC, as in Review', () => {
    const at = Date.UTC(2026, 2, 14, 16, 32, 5);
    expect(formatInstant(at, 'Asia/Kathmandu')).toMatch(/UTC\+5:45$/);
    expect(formatInstant(at, 'America/Sao_Paulo')).toMatch(/UTC−3$/);
    expect(zoneName(at, 'Asia/Kathmandu')).toBe('UTC+5:45');
    // London's winter time has a name of its own.
    expect(zoneName(Date.UTC(2026, 0, 1), 'Europe/London')).toBe('GMT');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTimeMs, toRfc3339 } from '../../shared/time.ts';

describe('times as text', () => {
  it('are RFC 3339 in UTC, with milliseconds only where there are some', () => {
    expect(toRfc3339(Date.UTC(2025, 2, 3, 5))).toBe('2025-03-03T05:00:00Z');
    expect(toRfc3339(Date.UTC(2025, 2, 3, 5) + 250)).toBe('2025-03-03T05:00:00.250Z');
    expect(toRfc3339(null)).toBeNull();
    expect(toRfc3339(NaN)).toBeNull();
    expect(toRfc3339(9e15)).toBeNull();
  });

  it('come back as they went', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (ms) => {
        expect(parseTimeMs(toRfc3339(ms)!)).toBe(ms);
      }),
    );
  });

  it('are read with an offset, without seconds, and as a bare date', () => {
    expect(parseTimeMs('2025-03-03T06:30:00+01:30')).toBe(Date.UTC(2025, 2, 3, 5));
    expect(parseTimeMs('2025-03-03T05:00Z')).toBe(Date.UTC(2025, 2, 3, 5));
    expect(parseTimeMs('2025-03-03')).toBe(Date.UTC(2025, 2, 3));
    expect(parseTimeMs(' 2025-03-03T05:00:00.5z ')).toBe(Date.UTC(2025, 2, 3, 5) + 500);
  });

  it.each([
    '2025-03-03T05:00:00', // no zone: guessing would move evidence by hours
    '2025-02-30',
    '2025-13-01',
    '2025-03-03T24:00:00Z',
    '2025-03-03T05:61Z',
    '2025-03-03T05:00:00+25:00',
    'yesterday',
    '',
    '1741000000',
  ])('are refused when they are none: %s', (text) => {
    expect(parseTimeMs(text)).toBeNull();
  });
});

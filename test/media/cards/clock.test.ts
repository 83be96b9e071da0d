import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deriveClock,
  parseLocal,
  segmentAt,
  toLocalText,
  type OffsetSample,
} from '../../../main/media/cards/clock.ts';
import { findMoment } from '../../../main/media/cards/moment.ts';
import { matches, oldestContinuousMs, toRows } from '../../../main/media/cards/rows.ts';

const minuteMs = 60_000;
const at = (text: string): number => Date.parse(`${text}Z`);
/** A clip recorded at a UTC instant by a camera whose clock is so far from UTC; its GPS found itself after `lateMs`. */
const clip = (utc: string, offsetMinutes: number, lateMs = 0): OffsetSample => ({
  localMs: at(utc) + offsetMinutes * minuteMs,
  firstGpsMs: at(utc) + lateMs,
});
const gpsOf = (samples: readonly OffsetSample[]) =>
  deriveClock('P1', samples, 0, null).segments.filter((segment) => segment.source === 'gps');

describe('the true time of a card', () => {
  it('is unknown without a clip with GPS', () => {
    const clock = deriveClock('P1', [], 3, null);
    expect(clock).toMatchObject({ segments: [], clips: { used: 0, withoutGps: 3 } });
    expect(segmentAt(clock, at('2026-03-14T12:00:00'))).toBeNull();
  });

  it('is the median of the clips, rounded to 15 minutes, with the spread as its uncertainty', () => {
    const [segment] = gpsOf([
      clip('2026-03-14T12:00:00', 345),
      clip('2026-03-14T13:00:00', 345, 2000),
      clip('2026-03-14T14:00:00', 345, 7400),
    ]);
    expect(segment).toMatchObject({ offsetMinutes: 345, uncertaintyMs: 7400, clips: 3 });
  });

  it('follows a change to daylight saving time inside a listing, and does not guess in between', () => {
    const clock = deriveClock(
      'P1',
      [
        clip('2026-03-07T12:00:00', -360),
        clip('2026-03-08T06:00:00', -360),
        clip('2026-03-08T12:00:00', -300),
        clip('2026-03-14T12:00:00', -300),
      ],
      0,
      null,
    );
    expect(segmentAt(clock, at('2026-03-07T23:00:00'))?.offsetMinutes).toBe(-360);
    expect(segmentAt(clock, at('2026-03-10T23:00:00'))?.offsetMinutes).toBe(-300);
    expect(segmentAt(clock, at('2026-03-08T03:30:00'))).toBeNull();
    expect(segmentAt(clock, at('2026-03-01T00:00:00'))).toMatchObject({
      offsetMinutes: -360,
      source: 'extrapolated',
    });
    expect(segmentAt(clock, at('2026-03-20T00:00:00'))).toMatchObject({
      offsetMinutes: -300,
      source: 'extrapolated',
    });
  });

  it('is unknown in the hour that a clock set back shows twice', () => {
    const clock = deriveClock(
      'P1',
      [
        clip('2026-10-25T00:10:00', 120),
        clip('2026-10-25T00:50:00', 120),
        clip('2026-10-25T01:20:00', 60),
        clip('2026-10-25T03:00:00', 60),
      ],
      0,
      null,
    );
    expect(segmentAt(clock, at('2026-10-25T02:30:00'))).toBeNull();
    expect(segmentAt(clock, at('2026-10-25T03:30:00'))?.offsetMinutes).toBe(60);
  });

  it('leaves out a clip that contradicts both its neighbours, and one that is nowhere near a quarter of an hour', () => {
    const clock = deriveClock(
      'P1',
      [
        clip('2026-03-14T10:00:00', 60),
        clip('2026-03-14T11:00:00', 600),
        clip('2026-03-14T12:00:00', 60),
        { localMs: at('2026-03-14T14:00:00') + 7 * minuteMs, firstGpsMs: at('2026-03-14T13:00:00') },
      ],
      0,
      null,
    );
    expect(clock.clips).toMatchObject({ used: 2, leftOut: 2 });
    expect(clock.segments.map((segment) => segment.offsetMinutes)).toEqual([60, 60, 60]);
  });

  it('finds any offset of a quarter of an hour whatever the order of the clips and the delay of their GPS', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -48, max: 56 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 5_000_000 }), fc.integer({ min: -3000, max: 120_000 })), { minLength: 1, maxLength: 20 }), // prettier-ignore
        (quarters, clips) => {
          const samples = clips.map(([second, lateMs]) => {
            const utcMs = at('2026-01-01T00:00:00') + second * 1000;
            return { localMs: utcMs + quarters * 15 * minuteMs, firstGpsMs: utcMs + lateMs };
          });
          const clock = deriveClock('P1', samples, 0, null);
          return samples.every(({ localMs }) => segmentAt(clock, localMs)?.offsetMinutes === quarters * 15);
        },
      ),
    );
  });

  it('takes an offset set by hand over everything', () => {
    const manual = { offsetMinutes: 330, reason: 'compared with a radio clock', actor: 'A', setAtMs: 0 };
    const clock = deriveClock('P1', [clip('2026-03-14T12:00:00', 60)], 0, manual);
    expect(segmentAt(clock, at('2026-03-14T12:00:00'))).toMatchObject({
      offsetMinutes: 330,
      source: 'manual',
    });
  });

  it('reads the camera’s wall clock only in its own form', () => {
    expect(parseLocal('2026-02-30T00:00:00')).toBeNull();
    expect(parseLocal('2026-03-14T17:32:08Z')).toBeNull();
    expect(toLocalText(parseLocal('2026-03-14T17:32:08')!)).toBe('2026-03-14T17:32:08');
  });
});

describe('rows of a card', () => {
  const row = (filename: string, more: Record<string, unknown> = {}) => ({
    filename,
    type: 'normal',
    ...more,
  });
  const context = { clock: deriveClock('P1', [clip('2026-03-14T12:00:00', 60)], 0, null), held: new Map<string, string>(), oldestLocalMs: null }; // prettier-ignore

  it('are front and option together, each type apart, names of other forms never dropped', () => {
    const rows = toRows(
      [
        row('20260314_130000_NO.mp4', { direction: 'option', mainSizeBytes: 5, subSizeBytes: 0 }),
        row('20260314_130000_NF.mp4', { direction: 'front', mainSizeBytes: 7 }),
        row('20260314_130000_EF.mp4', { direction: 'front', type: 'driving_impact' }),
        row('strange.bin', { type: 'unknown', typeCode: 'Z' }),
      ],
      context,
    );
    expect(rows.map((one) => one.parts.map((part) => part.filename))).toEqual([
      ['20260314_130000_EF.mp4'],
      ['20260314_130000_NF.mp4', '20260314_130000_NO.mp4'],
      ['strange.bin'],
    ]);
    const [front, option] = rows[1]!.parts;
    expect(option!.sub).toBeNull();
    expect(front!.sub).toEqual({ sizeBytes: null, heldSha256: null });
    expect(rows[1]).toMatchObject({ startUtcMs: at('2026-03-14T12:00:00'), offsetMinutes: 60 });
    expect(rows[2]).toMatchObject({ recordedAtLocal: null, startUtcMs: null, typeCode: 'Z' });
  });

  it('say about how long they live only where that can be said', () => {
    const all = [row('20260314_130000_NF.mp4'), row('20260314_090000_NF.mp4'), row('20260314_080000_EF.mp4', { type: 'manual' })]; // prettier-ignore
    const rows = toRows(all, { ...context, oldestLocalMs: oldestContinuousMs(all) });
    expect(rows.map((one) => one.livesAboutMs)).toEqual([4 * 60 * minuteMs, 0, null]);
  });

  it('are filtered here as the service filters them', () => {
    const recording = row('20260314_130000_NF.mp4', { direction: 'front', subSizeBytes: 0 });
    expect(matches(recording, { from: '2026-03-14T13:00:00', to: '2026-03-14T13:00:00' })).toBe(true);
    expect(matches(recording, { from: '2026-03-14T13:00:01' })).toBe(false);
    expect(matches(recording, { stream: 'sub' })).toBe(false);
    expect(matches(recording, { type: 'manual' })).toBe(false);
  });

  it('are found by a moment: what covers it first, events before continuous recording, what may cover it after', () => {
    const recordings = [
      row('20260314_130000_NF.mp4', { direction: 'front' }),
      row('20260314_130020_NF.mp4', { direction: 'front' }),
      row('20260314_130015_EF.mp4', { direction: 'front', type: 'driving_impact' }),
    ];
    const find = (utc: string) =>
      findMoment(recordings, { ...context, utcMs: at(utc) }).map(({ row: one, fit }) => [
        one.parts[0]!.filename,
        fit,
      ]);
    expect(find('2026-03-14T12:00:20')).toEqual([
      ['20260314_130015_EF.mp4', 'covers'],
      ['20260314_130020_NF.mp4', 'covers'],
      ['20260314_130000_NF.mp4', 'near'],
    ]);
    expect(find('2026-03-14T15:00:00')).toEqual([]);
  });
});

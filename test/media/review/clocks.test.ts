import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountId, ClipId } from '../../../shared/ids.ts';
import { createCardRepository } from '../../../main/cache/cardRepository.ts';
import { createClockRepository } from '../../../main/cache/clockRepository.ts';
import { takeMetadata } from '../../../main/media/cards/metadata.ts';
import { createClipClocks } from '../../../main/media/review/clipClocks.ts';
import { resolveClocks } from '../../../main/media/review/resolveClocks.ts';
import { aReviewCache, nameAt, type ReviewCache } from './aReviewCache.ts';

let cache: ReviewCache;
beforeEach(() => {
  cache = aReviewCache();
});
afterEach(() => cache.close());

const account = 'acc_test' as AccountId; // the brand has no runtime form
const startMs = Date.UTC(2026, 2, 14, 22, 32, 10);
const offsetMin = -300;
const localMs = startMs + offsetMin * 60_000;
const minuteMs = 60_000;
const of = (clipId: ClipId) => createClipClocks(cache).of(clipId);

/** Keeps metadata as the service gives it: `gps` are UTC milliseconds, one position each. */
function keepMetadata(psn: string, filename: string, gps: readonly number[], fetchedAtMs = 1): void {
  const data = {
    gps: gps.map((ms) => ({ at: new Date(ms).toISOString(), latitude: 52, longitude: 4, speedKmh: 10 })),
  };
  const { stored, firstGpsMs } = takeMetadata(filename, data, fetchedAtMs);
  createCardRepository(cache.cache.db).keepMetadata(account, psn, stored, firstGpsMs);
}
const eachSecond = (fromMs: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => fromMs + i * 1000);

describe('the clock of a clip', () => {
  it('is its own GPS where that tells, and says so', () => {
    const [clip] = cache.add({ name: nameAt(localMs, 'EF'), startMs });
    expect(of(clip!)).toMatchObject({
      origin: 'clip-gps',
      startUtcMs: startMs,
      utcOffsetMin: offsetMin,
      uncertaintyMs: 1000,
      spreadMs: 120,
      rate: 1,
      driftNote: null,
      manual: null,
      how: "From 60 GPS times in the clip against the camera's own start time in it.",
    });
  });

  it('is unknown where nothing tells: never a guessed zone', () => {
    const [handImported] = cache.add({ name: nameAt(localMs, 'PF'), psn: null });
    expect(of(handImported!)).toMatchObject({
      origin: 'unknown',
      startUtcMs: null,
      utcOffsetMin: null,
      uncertaintyMs: null,
    });
  });

  it('comes from the service’s GPS of the same recording, with the zone rounded to quarters of an hour', () => {
    for (const [offset, psn] of [
      [-720, 'A'],
      [-210, 'B'],
      [345, 'C'],
      [840, 'D'],
    ] as const) {
      const name = nameAt(startMs + offset * 60_000, 'NF');
      const [clip] = cache.add({ name, psn });
      keepMetadata(psn, name, eachSecond(startMs + 400, 59));
      expect(of(clip!)).toMatchObject({
        origin: 'metadata-gps',
        startUtcMs: startMs,
        utcOffsetMin: offset,
        uncertaintyMs: 2000,
      });
    }
  });

  it('is corrected by the service’s GPS only where that covers the whole clip', () => {
    const name = nameAt(localMs + 30_000, 'NF');
    const late = nameAt(localMs + 10 * minuteMs, 'NF');
    const [whole, part] = cache.add({ name }, { name: late });
    keepMetadata('P1', name, eachSecond(startMs, 60));
    keepMetadata('P1', late, eachSecond(startMs + 10 * minuteMs + 40_000, 20));
    expect(of(whole!)).toMatchObject({ startUtcMs: startMs, how: expect.stringContaining('30.0 s ahead') });
    // A late first fix says nothing of the camera's clock; how late it was is the uncertainty.
    expect(of(part!)).toMatchObject({ startUtcMs: startMs + 10 * minuteMs, uncertaintyMs: 40_000 });
  });

  it('keeps both sources: the own GPS in use, the service’s named beside it', () => {
    const name = nameAt(localMs, 'EF');
    const [clip] = cache.add({ name, startMs });
    keepMetadata('P1', name, eachSecond(startMs + 250, 60));
    expect(of(clip!)).toMatchObject({ origin: 'clip-gps', how: expect.stringContaining('+0.250 s') });
  });

  it('is that of the other lens of the same recording, also a second later by its name', () => {
    const [front, option, sub] = cache.add(
      { name: nameAt(localMs, 'EF'), startMs: startMs + 300 },
      { name: nameAt(localMs + 1000, 'EO') },
      { name: nameAt(localMs, 'EF').replace('EF', 'EFS') },
    );
    expect(of(option!)).toMatchObject({ origin: 'partner', startUtcMs: startMs + 1300, uncertaintyMs: 1000 });
    expect(of(sub!)).toMatchObject({ origin: 'partner', startUtcMs: startMs + 300 });
    expect(of(front!)).toMatchObject({ origin: 'clip-gps' });
  });

  it('gives up a poor own clock for a partner’s that is known twice as well', () => {
    const [, option] = cache.add(
      { name: nameAt(localMs, 'EF'), startMs },
      { name: nameAt(localMs, 'EO'), startMs: startMs + 7000, uncertaintyMs: 10_000, source: 'rmc' },
    );
    expect(of(option!)).toMatchObject({ origin: 'partner', startUtcMs: startMs });
  });

  it('never pairs hand-imported clips of two vehicles that recorded in the same second', () => {
    const [, far, , twin] = cache.add(
      { name: nameAt(localMs, 'EF'), psn: null, startMs, bbox: [4, 52, 4.01, 52.01] },
      { name: nameAt(localMs, 'EO'), psn: null, bbox: [9, 48, 9.01, 48.01] },
      { name: nameAt(localMs + minuteMs, 'NF'), psn: null, startMs: startMs + minuteMs },
      { name: nameAt(localMs + minuteMs, 'NO'), psn: null },
      { name: nameAt(localMs + minuteMs, 'NO'), psn: null },
    );
    expect(of(far!).origin).not.toBe('partner');
    expect(of(twin!).origin).not.toBe('partner');
  });

  it('reaches clips without GPS along recordings without a break, from the nearest one, and no further', () => {
    const clips = Array.from({ length: 6 }, (_, i) => ({
      name: nameAt(localMs + i * minuteMs, 'NF'),
      ...(i === 1 ? { startMs: startMs + minuteMs } : {}),
    }));
    const [before, , after, , , last] = cache.add(...clips);
    const [afterBreak] = cache.add({ name: nameAt(localMs + 6 * minuteMs + 10_000, 'NF') });
    expect(of(before!)).toMatchObject({ origin: 'neighbour', startUtcMs: startMs, utcOffsetMin: offsetMin });
    expect(of(after!)).toMatchObject({ origin: 'neighbour', startUtcMs: startMs + 2 * minuteMs });
    expect(of(last!).startUtcMs).toBe(startMs + 5 * minuteMs);
    expect(of(last!).uncertaintyMs).toBeGreaterThan(of(after!).uncertaintyMs!);
    // Over a break, the wall clock and the camera's offset of that day still tell.
    expect(of(afterBreak!)).toMatchObject({
      origin: 'card',
      startUtcMs: startMs + 6 * minuteMs + 10_000,
      how: expect.stringContaining('found from 1 of its recordings'),
    });
  });

  it('does not stretch a camera’s offset over weeks: zones and daylight saving change', () => {
    const later = localMs + 20 * 24 * 60 * minuteMs;
    const [, clip] = cache.add({ name: nameAt(localMs, 'NF'), startMs }, { name: nameAt(later, 'PF') });
    expect(of(clip!)).toMatchObject({ origin: 'unknown', startUtcMs: null });
  });

  it('falls back on the card’s clock where the camera is known, and there alone', () => {
    const cards = createCardRepository(cache.cache.db);
    cards.setManualClock(account, 'P1', { offsetMinutes: 330, reason: 'r', actor: 'a', setAtMs: 1 });
    const [clip, handImported] = cache.add(
      { name: nameAt(startMs + 330 * 60_000, 'PF') },
      { name: nameAt(startMs + 330 * 60_000, 'PF'), psn: null },
    );
    expect(of(clip!)).toMatchObject({
      origin: 'card',
      startUtcMs: startMs,
      utcOffsetMin: 330,
      uncertaintyMs: 1000,
      how: expect.stringContaining('set by hand'),
    });
    expect(of(handImported!).startUtcMs).toBeNull();
  });
});

it('states how a lens drifted against the other one of its recording, whichever is asked for', () => {
  const [front, option] = cache.add(
    { name: nameAt(localMs, 'NF'), startMs },
    { name: nameAt(localMs, 'NO'), startMs, durationS: 59.88 },
  );
  expect(of(option!)).toMatchObject({
    rate: 60 / 59.88,
    driftNote: expect.stringContaining('0.20 % slower'),
  });
  expect(of(front!)).toMatchObject({ rate: 1, driftNote: null });
});

describe('a clock set by hand', () => {
  const set = (clipId: ClipId, shiftMs: number | null, startUtcMs: number | null): void =>
    createClockRepository(cache.cache.db).set(
      { kind: 'clip', clipId },
      { shiftMs, startUtcMs, reason: 'by the traffic light', actor: 'Ann', setAtMs: 5 },
    );

  it('moves what was found and keeps saying what that was', () => {
    const [clip] = cache.add({ name: nameAt(localMs, 'EF'), startMs });
    set(clip!, -1250, null);
    expect(of(clip!)).toMatchObject({
      origin: 'clip-gps',
      startUtcMs: startMs - 1250,
      uncertaintyMs: 1000,
      manual: { shiftMs: -1250, reason: 'by the traffic light', actor: 'Ann', setAtMs: 5 },
      how: expect.stringContaining('Shifted by −1.250 s by hand by Ann'),
    });
  });

  it('gives a start to a clip of unknown clock, and through it to its other lens and what follows', () => {
    const [front, option, next] = cache.add(
      { name: nameAt(localMs, 'NF'), psn: null },
      { name: nameAt(localMs, 'NO'), psn: null },
      { name: nameAt(localMs + minuteMs, 'NF'), psn: null },
    );
    set(front!, null, startMs + 450);
    expect(of(front!)).toMatchObject({
      origin: 'manual',
      startUtcMs: startMs + 450,
      utcOffsetMin: offsetMin,
      uncertaintyMs: null,
      manual: { shiftMs: null },
    });
    expect(of(option!)).toMatchObject({ origin: 'partner', startUtcMs: startMs + 450, uncertaintyMs: null });
    expect(of(next!)).toMatchObject({ origin: 'neighbour', startUtcMs: startMs + 450 + minuteMs });
  });

  it('leaves a lens that knows its own time alone', () => {
    const [front, option] = cache.add(
      { name: nameAt(localMs, 'EF'), startMs },
      { name: nameAt(localMs, 'EO'), startMs: startMs + 40 },
    );
    set(front!, 5000, null);
    expect(of(option!)).toMatchObject({ origin: 'clip-gps', startUtcMs: startMs + 40 });
  });
});

it('finds the same clocks in whatever order clips are looked at', () => {
  const made = fc.record({
    offsetS: fc.integer({ min: 0, max: 12 }).map((i) => i * 20),
    second: fc.integer({ min: 0, max: 2 }),
    letters: fc.constantFrom('NF', 'NO', 'EF', 'NFS'),
    psn: fc.constantFrom('P1', null),
    isTimed: fc.boolean(),
    uncertaintyMs: fc.constantFrom(1000, 9000),
  });
  const sources = { metadataOf: () => null, cardOf: () => null, settingOf: () => null };
  fc.assert(
    fc.property(
      fc.array(made, { minLength: 1, maxLength: 15 }),
      fc.infiniteStream(fc.nat()),
      (list, random) => {
        const other = aReviewCache();
        try {
          const ids = other.add(
            ...list.map(({ offsetS, second, letters, psn, isTimed, uncertaintyMs }) => {
              const ms = (offsetS + second) * 1000;
              const timed = isTimed ? { startMs: startMs + ms, uncertaintyMs } : {};
              return { name: nameAt(localMs + ms, letters), psn, durationS: 20, ...timed };
            }),
          );
          const clips = other.clips.details(ids);
          const keys = new Map(clips.map((clip) => [clip, random.next().value as number])); // it never ends
          const shuffled = [...clips].sort((a, b) => keys.get(a)! - keys.get(b)!);
          const one = resolveClocks(clips, sources);
          const two = resolveClocks(shuffled, sources);
          for (const id of ids) expect(two.get(id)).toEqual(one.get(id));
          for (const clip of clips) {
            const clock = one.get(clip.clipId)!;
            // Nothing is made up: without a clip that knows its time, none does.
            if (list.every(({ isTimed }) => !isTimed)) expect(clock.startUtcMs).toBeNull();
            if (clip.startUtcMs !== null) expect(clock.startUtcMs).not.toBeNull();
          }
        } finally {
          other.close();
        }
      },
    ),
    { numRuns: 60 },
  );
});

it('answers for many clips at once as for each alone, and leaves out those that are gone', () => {
  const ids = cache.add(
    ...Array.from({ length: 30 }, (_, i) => ({
      name: nameAt(localMs + i * minuteMs, i % 3 === 0 ? 'NO' : 'NF'),
      ...(i % 7 === 0 ? { startMs: startMs + i * minuteMs } : {}),
    })),
  );
  const many = createClipClocks(cache).ofMany([...ids, 'clip_gone' as ClipId]); // the brand has no runtime form
  expect(many.size).toBe(ids.length);
  for (const id of ids) expect(many.get(id)).toEqual(of(id));
  expect(() => of('clip_gone' as ClipId)).toThrow(expect.objectContaining({ code: 'not_found' }));
});

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReviewScene, SceneRequest } from '../../../shared/contract/review.ts';
import type { AccountId, CaseId, ClipId, DerivedId, ExhibitId } from '../../../shared/ids.ts';
import { createCardRepository } from '../../../main/cache/cardRepository.ts';
import { createCaseRepository } from '../../../main/cache/caseRepository.ts';
import { createClockRepository } from '../../../main/cache/clockRepository.ts';
import { createReviewLibrary } from '../../../main/media/review/library.ts';
import { momentsOf } from '../../../main/media/review/moments.ts';
import { openScene } from '../../../main/media/review/scene.ts';
import { aReviewCache, nameAt, type MadeClip, type ReviewCache } from './aReviewCache.ts';

let cache: ReviewCache;
beforeEach(() => {
  cache = aReviewCache();
});
afterEach(() => cache.close());

const startMs = Date.UTC(2026, 2, 14, 22, 32, 10);
const zoneMs = -300 * 60_000;
const minuteMs = 60_000;
const account = 'acc_test' as AccountId; // the brand has no runtime form
const open = (request: SceneRequest): ReviewScene => openScene(createReviewLibrary(cache), request);
const all = (clipIds: readonly ClipId[]): SceneRequest => ({ kind: 'clips', clipIds: [...clipIds] });

/** A clip that knows its time; `letters` are type and lens. */
const at = (ms: number, letters: string, more: Partial<MadeClip> = {}): MadeClip => ({
  name: nameAt(ms + zoneMs, letters),
  startMs: ms,
  ...more,
});
const drive = (minutes: number, letters = ['NF', 'NO'], more: Partial<MadeClip> = {}): MadeClip[] =>
  Array.from({ length: minutes }, (_, i) =>
    letters.map((one) => at(startMs + i * minuteMs, one, more)),
  ).flat();
const lengths = (scene: ReviewScene): [string, number][] =>
  scene.channels.map((one) => [one.channelId, one.segments.length]);

describe('channels', () => {
  it('are one for each lens, front first, joined over clips without a break', () => {
    const scene = open(all(cache.add(...drive(5))));
    expect(lengths(scene)).toEqual([
      ['P1/F', 5],
      ['P1/O', 5],
    ]);
    expect(scene).toMatchObject({
      timebase: 'utc',
      fromMs: startMs,
      toMs: startMs + 5 * minuteMs,
      utcOffsetMin: -300,
    });
    const [front] = scene.channels;
    expect(front).toMatchObject({ psn: 'P1', direction: 'front', directionCode: 'F' });
    expect(front!.segments.map((one) => one.joinsPrevious)).toEqual([false, true, true, true, true]);
    expect(scene.notes).toEqual([]);
  });

  it('hold main and sub of one recording as one segment, main first as long as it can be shown', () => {
    const sub = at(startMs, 'EF', { name: nameAt(startMs + zoneMs, 'EFS') });
    const [mainId, subId] = cache.add(at(startMs, 'EF'), sub);
    const [segment, ...rest] = open({ kind: 'clip', clipId: subId! }).channels[0]!.segments;
    expect(rest).toEqual([]);
    expect(segment).toMatchObject({
      clipId: mainId,
      quality: 'main',
      alternatives: [{ clipId: subId, quality: 'sub' }],
    });

    const other = startMs + 3_600_000;
    const damage = [{ code: 'no-moov', message: 'cut' }] as const;
    const [, readable] = cache.add(
      at(other, 'EF', { damage, durationS: null }),
      at(other, 'EF', { name: nameAt(other + zoneMs, 'EFS') }),
    );
    expect(open({ kind: 'clip', clipId: readable! }).channels[0]!.segments[0]).toMatchObject({
      clipId: readable,
      quality: 'sub',
      alternatives: [{ quality: 'main' }],
    });
  });

  it('correct a lens whose clock drifted against the other one, and say so', () => {
    const [, option] = cache.add(at(startMs, 'NF'), at(startMs, 'NO', { durationS: 60.12 }));
    const scene = open(all([option!, ...cache.clips.list({}).map((one) => one.clipId)]));
    const segment = scene.channels[1]!.segments[0]!;
    expect(segment.rate).toBeCloseTo(60 / 60.12, 9);
    expect(segment.endMs - segment.startMs).toBeCloseTo(minuteMs, 6);
    const clock = scene.clocks.find((one) => one.subject.kind === 'clip' && one.subject.clipId === option);
    expect(clock?.rate).toBe(segment.rate);
    expect(clock?.driftNote).toMatch(/60\.120 s.*60\.000 s.*drifted apart.*0\.20 % faster/);
    expect(scene.notes.join()).toMatch(/1 clip is shown slightly faster/);
  });

  it('tell from when on a file that was cut short holds no pictures', () => {
    const damage = [{ code: 'truncated', message: 'cut' }] as const;
    const cut = at(startMs, 'NF', { damage, picturesEndS: 41.5 });
    const whole = at(startMs + minuteMs, 'NF', { picturesEndS: 60 });
    const scene = open(all(cache.add(cut, whole)));
    const [first, second] = scene.channels[0]!.segments;
    expect(first).toMatchObject({ endMs: startMs + minuteMs, picturesEndMs: startMs + 41_500, damage });
    expect(second).not.toHaveProperty('picturesEndMs');
    expect(scene.notes).toEqual([
      `Cut short, pictures are missing at the end: ${cut.name} (the last 18.5 s).`,
    ]);
  });

  it('do not stretch a clip that was cut short or that is damaged', () => {
    for (const [i, more] of [
      { durationS: 57 },
      { durationS: 59.9, damage: [{ code: 'truncated', message: 'cut' }] as const },
    ].entries()) {
      const ms = startMs + i * 3_600_000;
      const scene = open(all(cache.add(at(ms, 'NF'), at(ms, 'NO', more))));
      for (const { segments } of scene.channels) expect(segments[0]!.rate).toBe(1);
      expect(scene.channels[1]!.segments[0]!.endMs).toBeCloseTo(ms + more.durationS * 1000, 6);
    }
  });

  it('cut small overlaps, and put recordings that overlap for long side by side', () => {
    const scene = open(
      all(
        cache.add(
          at(startMs, 'NF'),
          at(startMs + 57_000, 'NF'),
          at(startMs + 70_000, 'EF', { durationS: 20 }),
        ),
      ),
    );
    expect(lengths(scene)).toEqual([
      ['P1/F', 2],
      ['P1/F/2', 1],
    ]);
    const [first, second] = scene.channels[0]!.segments;
    expect(first).toMatchObject({ endMs: second!.startMs, durationS: 60 });
    expect(scene.notes).toEqual([
      expect.stringMatching(/1 overlapping end of a recording is not shown, up to 3\.0 s/),
      expect.stringMatching(/channels of their own/),
    ]);
  });

  it('show a clip without a readable length for as long as its partner, or until the next one', () => {
    const damage = [{ code: 'no-moov', message: 'never finished' }] as const;
    const scene = open(
      all(
        cache.add(
          at(startMs, 'NF', { durationS: null, damage }),
          at(startMs, 'NO', { durationS: 30 }),
          at(startMs + minuteMs, 'NF', { durationS: null, damage }),
          at(startMs + minuteMs + 20_000, 'NF'),
        ),
      ),
    );
    expect(scene.channels[0]!.segments.map(({ startMs: from, endMs }) => endMs - from)).toEqual([
      30_000, 20_000, 60_000,
    ]);
    expect(scene.channels[0]!.segments[0]).toMatchObject({ video: null, durationS: 0, damage });
  });

  it('start together, as the camera’s own clock says, however GPS was read', () => {
    // By sttm, the option lens began 40 ms later; GPS differs by chance.
    const scene = open(all(cache.add(at(startMs, 'NF'), at(startMs, 'NO', { startMs: startMs + 40 }))));
    const [front, option] = scene.channels.map((one) => one.segments[0]!.startMs);
    expect(option! - front!).toBe(40);
    const later = startMs + 3_600_000;
    const byName = { source: 'rmc+name' } as const;
    const other = open(
      all(cache.add(at(later, 'NF', byName), at(later, 'NO', { ...byName, startMs: later + 900 }))),
    );
    const [left, right] = other.channels.map((one) => one.segments[0]!.startMs);
    expect(right).toBe(left);
  });

  it('do not believe a length that no recording has', () => {
    const [clip] = cache.add(at(startMs, 'NF', { durationS: 1e12 }));
    const scene = open({ kind: 'clip', clipId: clip! });
    expect(scene.toMs).toBe(startMs + minuteMs);
    expect(scene.channels[0]!.segments[0]).toMatchObject({
      durationS: 0,
      damage: [{ message: 'Its index states a length that no recording has.' }],
    });
  });

  it('keep a clip of eight hours whole', () => {
    const [clip] = cache.add(at(startMs, 'NF', { durationS: 8 * 3600 }));
    const scene = open({ kind: 'clip', clipId: clip! });
    expect(scene).toMatchObject({ fromMs: startMs, toMs: startMs + 8 * 3_600_000 });
  });

  it('show a file that can’t be read where its name says that it belongs', () => {
    const [, broken] = cache.add(at(startMs, 'NF'), at(startMs, 'NO', { isUnreadable: true }));
    const scene = open({ kind: 'clip', clipId: broken! });
    expect(lengths(scene)).toEqual([
      ['P1/F', 1],
      ['P1/O', 1],
    ]);
    expect(scene.channels[1]!.segments[0]).toMatchObject({
      startMs,
      endMs: startMs + minuteMs,
      video: null,
      damage: [{ message: 'The file can’t be read as a clip.' }],
    });
  });

  it('never overlap and stay in order, whatever clips there are', () => {
    const made = fc.record({
      offsetS: fc.integer({ min: 0, max: 600 }),
      letters: fc.constantFrom('NF', 'NO', 'EF', 'EO', 'PR', 'NFS'),
      durationS: fc.option(fc.integer({ min: 1, max: 90 }), { freq: 8 }),
      psn: fc.constantFrom('P1', 'P2', null),
    });
    fc.assert(
      fc.property(fc.array(made, { minLength: 1, maxLength: 25 }), (clips) => {
        const other = aReviewCache();
        try {
          const ids = other.add(
            ...clips.map(({ offsetS, letters, durationS, psn }) =>
              at(startMs + offsetS * 1000, letters, { durationS, psn }),
            ),
          );
          const scene = openScene(createReviewLibrary(other), all(ids));
          const shown = new Set<ClipId>();
          expect(new Set(scene.channels.map((one) => one.channelId)).size).toBe(scene.channels.length);
          for (const { segments } of scene.channels)
            segments.forEach((one, i) => {
              expect(one.endMs).toBeGreaterThan(one.startMs);
              expect(one.startMs).toBeGreaterThanOrEqual(scene.fromMs);
              expect(one.endMs).toBeLessThanOrEqual(scene.toMs);
              if (i > 0) expect(one.startMs).toBeGreaterThanOrEqual(segments[i - 1]!.endMs);
              for (const { clipId } of [one, ...one.alternatives]) shown.add(clipId);
            });
          // Nothing vanishes without a word.
          const isTold = scene.notes.some((note) => note.startsWith('Not shown'));
          expect(shown.size === ids.length || isTold).toBe(true);
          expect(scene.focusMs).toBeGreaterThanOrEqual(scene.fromMs);
          expect(scene.focusMs).toBeLessThanOrEqual(scene.toMs);
        } finally {
          other.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('a scene of a clip', () => {
  it('takes along the other lens and what was recorded without a break, and begins at the event', () => {
    const ids = cache.add(
      ...drive(3),
      at(startMs + 3 * minuteMs, 'EF', { durationS: 30, peakOffsetMs: 12_000 }),
      at(startMs + 3 * minuteMs, 'EO', { durationS: 30 }),
      at(startMs + 3 * minuteMs + 30_000, 'NF'),
      at(startMs + 10 * minuteMs, 'NF'),
      at(startMs, 'NF', { psn: 'P2' }),
    );
    const scene = open({ kind: 'clip', clipId: ids[6]! });
    expect(lengths(scene)).toEqual([
      ['P1/F', 5],
      ['P1/O', 4],
    ]);
    expect(scene.focusMs).toBe(startMs + 3 * minuteMs + 12_000);
    expect(scene.title).toContain('EF.mp4');
  });

  it('goes two hours to either side and says where it goes on', () => {
    const ids = cache.add(...drive(300, ['NF']));
    const scene = open({ kind: 'clip', clipId: ids[150]! });
    expect(scene.channels[0]!.segments.length).toBeLessThan(250);
    expect(scene.notes.join()).toMatch(/more than two hours/);
  });

  it('counts from the start of the first clip while no clock is known, and gives no time of day', () => {
    const ids = cache.add(
      { name: nameAt(startMs, 'PF'), psn: null },
      { name: nameAt(startMs, 'PO'), psn: null },
      { name: nameAt(startMs + minuteMs, 'PF'), psn: null },
    );
    const scene = open({ kind: 'clip', clipId: ids[2]! });
    expect(scene).toMatchObject({
      timebase: 'elapsed',
      fromMs: 0,
      toMs: 2 * minuteMs,
      focusMs: minuteMs,
      utcOffsetMin: null,
      tracks: [],
      onCard: [],
      nearby: [],
    });
    expect(scene.clocks.filter((one) => one.subject.kind === 'clip').map((one) => one.startUtcMs)).toEqual([
      null,
      null,
      null,
    ]);
    createClockRepository(cache.cache.db).set(
      { kind: 'clip', clipId: ids[0]! },
      { shiftMs: null, startUtcMs: startMs, reason: 'r', actor: 'a', setAtMs: 1 },
    );
    expect(open({ kind: 'clip', clipId: ids[2]! })).toMatchObject({ timebase: 'utc', fromMs: startMs });
  });

  it('says that a clip is not there', () => {
    expect(() => open({ kind: 'clip', clipId: 'clip_gone' as ClipId })).toThrow(
      expect.objectContaining({ code: 'not_found', remedy: expect.any(String) }),
    );
  });

  it('leaves out clips of unknown time among known ones, names them, and keeps their clocks to be set', () => {
    const ids = cache.add(at(startMs, 'NF'), { name: nameAt(startMs, 'PF'), psn: 'P9' });
    const scene = open(all(ids));
    expect(lengths(scene)).toEqual([['P1/F', 1]]);
    expect(scene.notes.join()).toContain('PF.mp4');
    expect(scene.clocks.map((one) => one.subject)).toContainEqual({ kind: 'clip', clipId: ids[1] });
  });
});

describe('what lies around a scene', () => {
  const box = (lng: number) => [lng, 52, lng + 0.001, 52.001] as const;

  it('are clips of other cameras of the same time: near ones first, then those of unknown place, not far ones', () => {
    const [own] = cache.add(
      at(startMs, 'NF', { bbox: box(4) }),
      at(startMs + 10_000, 'NF', { psn: 'far', bbox: box(5) }),
      at(startMs + 10_000, 'NF', { psn: 'blind' }),
      at(startMs + 10_000, 'NF', { psn: 'near', bbox: box(4.005) }),
      at(startMs + 10_000, 'NO', { psn: 'here', bbox: box(4) }),
      at(startMs + 3_600_000, 'NF', { psn: 'later', bbox: box(4) }),
    );
    const { nearby } = open({ kind: 'clip', clipId: own! });
    expect(nearby.map((one) => [one.psn, one.direction])).toEqual([
      ['here', 'option'],
      ['near', 'front'],
      ['blind', 'front'],
    ]);
    expect(nearby.map((one) => one.distanceM)).toEqual([0, expect.any(Number), null]);
    expect(nearby[1]!.distanceM).toBeGreaterThan(200);
    expect(nearby[1]!.distanceM).toBeLessThan(300);
  });

  it('are recordings on the card that are not held, by the card’s clock', () => {
    const cards = createCardRepository(cache.cache.db);
    const names = [0, 1, 2, 3].flatMap((i) =>
      ['NF', 'NO'].map((one) => nameAt(startMs + zoneMs + i * minuteMs, one)),
    );
    cards.keepRecordings(account, 'P1', names.map((filename) => ({ filename })), 77); // prettier-ignore
    const [own] = cache.add(...drive(2, ['NF']));
    // The clips that are here tell the offset of the card that they came from.
    const { onCard } = open({ kind: 'clip', clipId: own! });
    expect(onCard.map((one) => [one.filename, one.startMs, one.endMs])).toEqual([
      [names[1], startMs, startMs + minuteMs],
      [names[3], startMs + minuteMs, startMs + 2 * minuteMs],
    ]);
    expect(onCard[0]).toMatchObject({
      psn: 'P1',
      directionCode: 'O',
      typeCode: 'N',
      uncertaintyMs: 1000,
      listedAtMs: 77,
    });
    // What was set by hand for the card goes first.
    cards.setManualClock(account, 'P1', { offsetMinutes: 0, reason: 'r', actor: 'a', setAtMs: 1 });
    expect(open({ kind: 'clip', clipId: own! }).onCard).toEqual([]);
  });

  it('are no recordings of a card whose offset nobody knows', () => {
    const cards = createCardRepository(cache.cache.db);
    cards.keepRecordings(account, 'P1', [{ filename: nameAt(startMs + zoneMs, 'NO') }], 77);
    const [own] = cache.add({ name: nameAt(startMs + zoneMs, 'NF') });
    createClockRepository(cache.cache.db).set(
      { kind: 'clip', clipId: own! },
      { shiftMs: null, startUtcMs: startMs, reason: 'r', actor: 'a', setAtMs: 1 },
    );
    expect(open({ kind: 'clip', clipId: own! })).toMatchObject({ timebase: 'utc', onCard: [] });
  });
});

describe('scenes by other ways', () => {
  it('of a moment: the camera’s clips around it', () => {
    cache.add(...drive(90), at(startMs, 'NF', { psn: 'P2' }));
    const atMs = startMs + 45 * minuteMs + 5000;
    const scene = open({ kind: 'moment', psn: 'P1', atMs });
    expect(scene.focusMs).toBe(atMs);
    expect(scene.channels.map((one) => one.psn)).toEqual(['P1', 'P1']);
    expect(scene.channels[0]!.segments.length).toBeGreaterThan(58);
    expect(scene.channels[0]!.segments.length).toBeLessThan(63);
    expect(() => open({ kind: 'moment', psn: 'P1', atMs: atMs + 864e5 })).toThrow(
      expect.objectContaining({ code: 'not_found', remedy: expect.stringContaining('card') }),
    );
  });

  it('of a place: every camera that was in the circle in that time', () => {
    const here = [4, 52, 4.001, 52.001] as const;
    cache.add(
      at(startMs, 'NF', { bbox: here }),
      at(startMs + minuteMs, 'NF', { bbox: [4.1, 52, 4.101, 52.001] }),
      at(startMs + 30_000, 'NF', { psn: 'P2', bbox: here }),
      at(startMs + 30_000, 'NF', { psn: 'P3', bbox: [5, 52, 5.001, 52.001] }),
      at(startMs + 40_000, 'NF', { psn: null, bbox: here }),
    );
    const place = {
      kind: 'place',
      circle: { latDeg: 52.0005, lngDeg: 4.0005, radiusM: 100 },
      fromMs: startMs - minuteMs,
      toMs: startMs + 10 * minuteMs,
    } as const;
    const scene = open(place);
    expect(lengths(scene)).toEqual([
      ['P1/F', 2],
      ['P2/F', 1],
      ['?/F', 1],
    ]);
    expect(scene.focusMs).toBe(startMs);
    expect(() => open({ ...place, circle: { latDeg: 0, lngDeg: 0, radiusM: 10 } })).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });

  it('of a case: its clips in its range', () => {
    const ids = cache.add(...drive(4, ['NF']));
    const cases = createCaseRepository(cache.cache.db);
    const caseId = 'case_1' as CaseId; // the brands have no runtime form
    cases.create(caseId, 'Collision', 1);
    expect(() => open({ kind: 'case', caseId })).toThrow(expect.objectContaining({ code: 'not_found' }));
    ids.forEach((clipId, i) => {
      const { sourceId } = cache.clips.get(clipId);
      // Both ways to hold a clip, and one of them twice.
      const refs = i % 2 === 0 ? [{ kind: 'source', sourceId } as const] : [];
      for (const [j, ref] of [...refs, { kind: 'clip', clipId } as const].entries())
        cases.addExhibit(caseId, `exhibit_${i}_${j}` as ExhibitId, ref, 1);
    });
    expect(lengths(open({ kind: 'case', caseId }))).toEqual([['P1/F', 4]]);
    // A still or a trim brings the clip that it was made from.
    const [cut] = cache.add(at(startMs, 'NF', { psn: 'P2' }));
    cache.cache.db
      .prepare(
        `INSERT INTO derived (derived_id, clip_id, kind, file_name, sha256, size_bytes, recipe, actor, made_at_ms)
         VALUES ('derived_1', ?, 'trim', 'cut.mp4', 'ab', 1, '{}', 'Ann', 1)`,
      )
      .run(cut!);
    const derivedId = 'derived_1' as DerivedId; // as above
    cases.addExhibit(caseId, 'exhibit_cut' as ExhibitId, { kind: 'derived', derivedId }, 2);
    expect(lengths(open({ kind: 'case', caseId }))).toEqual([
      ['P1/F', 4],
      ['P2/F', 1],
    ]);
    cases.removeExhibit(caseId, 'exhibit_cut' as ExhibitId);
    cases.setRange(caseId, { fromMs: startMs + 70_000, toMs: startMs + 100_000 });
    const scene = open({ kind: 'case', caseId });
    expect(scene).toMatchObject({ title: 'Collision', caseId, focusMs: startMs + 70_000 });
    expect(scene.channels[0]!.segments.map((one) => one.startMs)).toEqual([startMs + minuteMs]);
    expect(scene.notes).toEqual(['3 clips of the case lie outside its time range.']);
  });
});

describe('moments that can be opened', () => {
  it('are recordings with their lenses, newest first, those of unknown clock last', () => {
    cache.add(
      ...drive(3),
      { name: nameAt(startMs, 'PF'), psn: null },
      at(startMs + 30_000, 'NF', { psn: 'P2' }),
    );
    const library = createReviewLibrary(cache);
    expect(momentsOf(library, {}).map((one) => [one.psn, one.startMs, one.directions])).toEqual([
      ['P1', startMs + 2 * minuteMs, ['front', 'option']],
      ['P1', startMs + minuteMs, ['front', 'option']],
      ['P2', startMs + 30_000, ['front']],
      ['P1', startMs, ['front', 'option']],
      [null, null, ['front']],
    ]);
    expect(momentsOf(library, { limit: 1 })).toHaveLength(1);
    expect(momentsOf(library, { psns: [null] }).map((one) => one.psn)).toEqual([null]);
    expect(momentsOf(library, { fromMs: startMs + 65_000, toMs: startMs + 70_000 }).map((one) => one.psn)).toEqual(['P1', 'P2']); // prettier-ignore
  });
});

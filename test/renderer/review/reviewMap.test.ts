import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measure, metresText } from '../../../renderer/features/review/reviewMap/distances.ts';
import { ownPlaceAt } from '../../../renderer/features/review/reviewMap/ownPlace.ts';
import { passagesOf } from '../../../renderer/features/review/reviewMap/passages.ts';
import {
  cropLines,
  headingBetween,
  longestAgeMs,
  longestStepMs,
  placeAt,
  toTrail,
  trailId,
  vehiclesAt,
} from '../../../renderer/features/review/reviewMap/positions.ts';
import { ownVehicles, vehiclesOf } from '../../../renderer/features/review/reviewMap/vehicles.ts';
import type { TrackLines } from '../../../shared/contract/trips.ts';
import type { ReviewTrack } from '../../../shared/contract/review.ts';
import type { SourceId, TripId } from '../../../shared/ids.ts';

/** Positions on the equator; `null` is a row without a fix. */
function placesOf(samples: readonly (readonly [timeMs: number, lngDeg: number | null])[]) {
  const column = (pick: (sample: (typeof samples)[number]) => number) => Float64Array.from(samples, pick);
  return {
    timesMs: column(([timeMs]) => timeMs),
    latDeg: column(([, lng]) => (lng === null ? NaN : 0)),
    lngDeg: column(([, lng]) => lng ?? NaN),
    headingDeg: column(() => 90),
    speedKmh: column(() => 36),
    altitudeM: column(() => NaN),
    computedSpeedKmh: column(() => NaN),
  };
}

function linesOf(
  trips: Record<string, readonly (readonly [timeMs: number, lngDeg: number, isGap?: 1])[]>,
): TrackLines {
  const all = Object.values(trips).flat();
  let sum = 0;
  return {
    level: 20,
    tripIds: Object.keys(trips) as TripId[],
    offsets: Uint32Array.from([0, ...Object.values(trips).map((points) => (sum += points.length))]),
    latDeg: new Float64Array(all.length),
    lngDeg: Float64Array.from(all, ([, lng]) => lng),
    timesMs: Float64Array.from(all, ([timeMs]) => timeMs),
    speedKmh: new Float32Array(all.length).fill(36),
    headingDeg: new Float32Array(all.length).fill(90),
    isGap: Uint8Array.from(all, ([, , isGap]) => isGap ?? 0),
  };
}

describe('the vehicle on the map', () => {
  const places = placesOf([
    [1000, 4],
    [2000, 5],
    [3000, null],
    [4000, 6],
    [30_000, 7],
  ]);
  it('is drawn between samples a short step apart', () => {
    expect(placeAt(places, 1000)).toMatchObject({ lngDeg: 4, index: 0, isBetween: false });
    expect(placeAt(places, 1250)).toMatchObject({ lngDeg: 4.25, index: 0, isBetween: true });
  });
  it('is nowhere before the first sample, without a fix, and in a gap', () => {
    expect(placeAt(places, 999)).toBeNull();
    expect(placeAt(places, 3500)).toBeNull();
    expect(placeAt(places, 15_000)).toBeNull();
    expect(placeAt(places, 30_000 + longestAgeMs + 1)).toBeNull();
  });
  it('stays at a sample for a little while when no other follows', () => {
    // After 2 s comes a row without a fix: no place between them is known.
    expect(placeAt(places, 2900)).toMatchObject({ lngDeg: 5, isBetween: false });
    expect(placeAt(places, 30_000 + longestAgeMs)).toMatchObject({ lngDeg: 7 });
  });
  it('never stands outside its two samples, nor further from the clock than they are', () => {
    const steps = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 9000 }), fc.double({ min: -60, max: 60, noNaN: true })),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(steps, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        let at = 0;
        const given = placesOf(list.map(([step, lng]) => [(at += step), lng] as const));
        const sceneMs = share * (at + 3000);
        const place = placeAt(given, sceneMs);
        if (!place) return;
        const before = given.timesMs[place.index]!;
        expect(before).toBeLessThanOrEqual(sceneMs);
        const next = given.timesMs[place.index + 1] ?? Infinity;
        expect(next).toBeGreaterThan(sceneMs);
        const ends = [given.lngDeg[place.index]!, place.isBetween ? given.lngDeg[place.index + 1]! : NaN];
        if (place.isBetween) {
          expect(next - before).toBeLessThanOrEqual(longestStepMs);
          expect(place.lngDeg).toBeGreaterThanOrEqual(Math.min(...ends) - 1e-9);
          expect(place.lngDeg).toBeLessThanOrEqual(Math.max(...ends) + 1e-9);
        } else expect(place.lngDeg).toBeCloseTo(ends[0]!, 9);
      }),
    );
  });
  it('goes the short way over the 180th meridian, and turns the short way over north', () => {
    const over = placesOf([
      [0, 179.5],
      [1000, -179.5],
    ]);
    expect(Math.abs(placeAt(over, 500)?.lngDeg ?? 0)).toBeCloseTo(180, 9);
    expect(headingBetween(350, 10, 0.5)).toBeCloseTo(0, 9);
    expect(headingBetween(NaN, 10, 0.5)).toBe(10);
    expect(headingBetween(NaN, NaN, 0.5)).toBeNull();
  });
});

describe('the trail', () => {
  it('leaves rows without a fix out and draws nothing across them', () => {
    const trail = toTrail(
      placesOf([
        [0, 1],
        [1000, 2],
        [2000, null],
        [3000, 3],
        [40_000, 4],
      ]),
    );
    expect([...trail.sampleOf]).toEqual([0, 1, 3, 4]);
    expect([...trail.lines.isGap]).toEqual([0, 0, 1, 1]);
    expect([...trail.lines.timesMs]).toEqual([0, 1000, 3000, 40_000]);
  });
});

describe('other vehicles', () => {
  const lines = linesOf({
    fast: [
      [0, 1],
      [1000, 2],
      [2000, 3],
    ],
    slow: [
      [0, 10],
      [60_000, 11],
      [600_000, 12, 1],
    ],
  });
  it('stand at the clock’s time; between far points at the last one, told apart; in a gap nowhere', () => {
    expect(vehiclesAt(lines, 500)).toMatchObject([
      { tripId: 'fast', isOld: false, place: { lngDeg: 1.5 } },
      { tripId: 'slow', isOld: false, place: { lngDeg: 10 } },
    ]);
    expect(vehiclesAt(lines, 30_000)).toMatchObject([
      { tripId: 'slow', isOld: true, place: { lngDeg: 10, isBetween: false } },
    ]);
    expect(vehiclesAt(lines, 300_000)).toEqual([]);
  });
  it('are cut to the scene, moved by their clocks, and hidden by the user', () => {
    const shifts = new Map([
      ['fast', 10_000],
      ['slow', 0],
    ] as [TripId, number][]);
    const cut = cropLines(lines, shifts, 10_500, 70_000, () => false);
    expect(cut.tripIds).toEqual(['fast', 'slow']);
    expect([...cut.timesMs]).toEqual([11_000, 12_000, 60_000]);
    expect([...cut.offsets]).toEqual([0, 2, 3]);
    expect(cropLines(lines, shifts, 0, 1e6, (tripId) => tripId === 'slow').tripIds).toEqual(['fast']);
    // A track that is not in the scene has no place on its time.
    expect(cropLines(lines, new Map(), 0, 1e6, () => false).tripIds).toEqual([]);
  });
  it('are one entry for each camera, the scene’s own first', () => {
    const track = (patch: Partial<ReviewTrack>): ReviewTrack => ({
      tripId: 't' as TripId,
      sourceId: 's1' as SourceId,
      fileName: 'a.gpx',
      psn: null,
      cameraName: null,
      isOwn: false,
      fromMs: 0,
      toMs: 1,
      shiftMs: 0,
      bbox: [0, 0, 1, 1],
      ...patch,
    });
    const numbers = new Map([
      ['P2', 4],
      ['P9', 7],
    ]);
    const tracks = [
      track({ tripId: 'a' as TripId }),
      track({ tripId: 'b' as TripId, psn: 'P2', cameraName: 'Van 2' }),
      track({ tripId: 'c' as TripId, psn: 'P9', isOwn: true }),
      track({ tripId: 'd' as TripId, psn: 'P2', cameraName: 'Van 2' }),
    ];
    const vehicles = vehiclesOf({ tracks }, numbers);
    expect(vehicles.map(({ label, tracks, colorIndex }) => [label, tracks.length, colorIndex])).toEqual([
      ['P9', 1, 7],
      ['a.gpx', 1, -1],
      ['Van 2', 2, 4],
    ]);
  });
});

describe('the scene’s own vehicle', () => {
  const clips = placesOf([
    [10_000, 1],
    [11_000, 2],
    [12_000, null],
  ]);
  const tracks = linesOf({
    own: [
      [0, 50],
      [1000, 51],
      [12_000, 62],
      [13_000, 63],
    ],
    other: [
      [0, 70],
      [1000, 71],
    ],
  });
  const isOwn = (tripId: TripId) => tripId === 'own';
  it('is where its clips say; where they say nothing, on its imported track; else nowhere', () => {
    expect(ownPlaceAt(clips, tracks, isOwn, 10_500)).toMatchObject({
      place: { lngDeg: 1.5 },
      reading: { tripId: trailId, timeMs: 10_000 },
    });
    // Without a fix in the clip, and before it.
    expect(ownPlaceAt(clips, tracks, isOwn, 12_500)).toMatchObject({
      place: { lngDeg: 62.5 },
      reading: { tripId: 'own', timeMs: 12_000, speedKmh: 36 },
    });
    expect(ownPlaceAt(clips, tracks, isOwn, 500)?.reading.tripId).toBe('own');
    expect(ownPlaceAt(clips, tracks, isOwn, 5000)).toBeNull();
    expect(ownPlaceAt(null, tracks, () => false, 500)).toBeNull();
  });
  it('without clips is the only one there is; among several nobody says which', () => {
    const one = { key: 'a', label: 'Van 2', colorIndex: 0, isOwn: false, tracks: [] };
    expect(ownVehicles([one], false)).toEqual([one]);
    expect(ownVehicles([one], true)).toEqual([]);
    expect(ownVehicles([one, { ...one, key: 'b' }], false)).toEqual([]);
    const own = { ...one, key: 'c', isOwn: true };
    expect(ownVehicles([one, own], false)).toEqual([own]);
  });
});

describe('time of passage', () => {
  const metre = 1 / 111_319.49;
  const circle = { latDeg: 0, lngDeg: 0, radiusM: 15 };
  it('is where the line between samples comes nearest', () => {
    const passages = passagesOf(
      placesOf([
        [0, -40 * metre],
        [1000, -10 * metre],
        [2000, 20 * metre],
        [3000, 50 * metre],
      ]),
      circle,
    );
    expect(passages).toHaveLength(1);
    expect(passages[0]?.closestMs).toBeCloseTo(1333.3, 0);
    expect(passages[0]?.closestM).toBeLessThan(0.01);
    expect(passages[0]?.isInterpolated).toBe(true);
  });
  it('counts each passage, and says nothing across a gap or without a fix', () => {
    const there = -30 * metre;
    const back = 30 * metre;
    const twice = placesOf([
      [0, there],
      [1000, 0],
      [2000, back],
      [3000, 0],
      [4000, there],
    ]);
    expect(passagesOf(twice, circle).map(({ closestMs }) => closestMs)).toEqual([1000, 3000]);
    expect(passagesOf(placesOf([[0, there], [20_000, back]]), circle)).toEqual([]); // prettier-ignore
    expect(passagesOf(placesOf([[0, there], [500, null], [1000, back]]), circle)).toEqual([]); // prettier-ignore
  });
});

describe('the distance tool', () => {
  it('measures each leg on the ellipsoid', () => {
    const { legsM, totalM } = measure([
      { latDeg: 0, lngDeg: 0 },
      { latDeg: 0, lngDeg: 1 },
      { latDeg: 0, lngDeg: 361 },
    ]);
    expect(legsM[0]).toBeCloseTo(111_319.5, 0);
    expect(legsM[1]).toBeCloseTo(0, 6);
    expect(totalM).toBeCloseTo(legsM[0]!, 6);
    expect(measure([{ latDeg: 0, lngDeg: 0 }]).totalM).toBe(0);
  });
  it('says metres as finely as they can be pointed at', () => {
    expect([3.14159, 99.94, 250.4, 12_345].map(metresText)).toEqual(['3.1 m', '99.9 m', '250 m', '12.35 km']);
  });
});

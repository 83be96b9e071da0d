import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bboxesOverlap,
  createGroundCircle,
  distanceM,
  isInBbox,
  metresPerDegree,
  splitBbox,
  wrapLongitude,
} from '../../shared/geometry.ts';

/** The geodesic on WGS 84 by Vincenty's iteration: another road to the same number. */
function vincentyM(latA: number, lngA: number, latB: number, lngB: number): number {
  const [a, f] = [6_378_137, 1 / 298.257223563];
  const b = a * (1 - f);
  const radians = Math.PI / 180;
  const u1 = Math.atan((1 - f) * Math.tan(latA * radians));
  const u2 = Math.atan((1 - f) * Math.tan(latB * radians));
  const difference = (lngB - lngA) * radians;
  let lambda = difference;
  for (let round = 0; round < 200; round++) {
    const sinSigma = Math.hypot(
      Math.cos(u2) * Math.sin(lambda),
      Math.cos(u1) * Math.sin(u2) - Math.sin(u1) * Math.cos(u2) * Math.cos(lambda),
    );
    if (sinSigma === 0) return 0;
    const cosSigma = Math.sin(u1) * Math.sin(u2) + Math.cos(u1) * Math.cos(u2) * Math.cos(lambda);
    const sigma = Math.atan2(sinSigma, cosSigma);
    const sinAlpha = (Math.cos(u1) * Math.cos(u2) * Math.sin(lambda)) / sinSigma;
    const cos2Alpha = 1 - sinAlpha ** 2;
    const cos2M = cos2Alpha === 0 ? 0 : cosSigma - (2 * Math.sin(u1) * Math.sin(u2)) / cos2Alpha;
    const c = (f / 16) * cos2Alpha * (4 + f * (4 - 3 * cos2Alpha));
    const before = lambda;
    lambda =
      difference +
      (1 - c) * f * sinAlpha * (sigma + c * sinSigma * (cos2M + c * cosSigma * (2 * cos2M ** 2 - 1)));
    if (Math.abs(lambda - before) > 1e-13 && round < 199) continue;
    const square = (cos2Alpha * (a * a - b * b)) / (b * b);
    const k1 = 1 + (square / 16384) * (4096 + square * (-768 + square * (320 - 175 * square)));
    const k2 = (square / 1024) * (256 + square * (-128 + square * (74 - 47 * square)));
    const deltaSigma =
      k2 *
      sinSigma *
      (cos2M +
        (k2 / 4) *
          (cosSigma * (2 * cos2M ** 2 - 1) -
            (k2 / 6) * cos2M * (4 * sinSigma ** 2 - 3) * (4 * cos2M ** 2 - 3)));
    return b * k1 * (sigma - deltaSigma);
  }
  return NaN;
}

describe('distances', () => {
  it('agree with the ellipsoid where its lengths are known', () => {
    expect(distanceM(0, 0, 0, 1)).toBeCloseTo(111_319.491, 0); // a degree of the equator: 2 pi a / 360
    expect(distanceM(0, 0, 1, 0)).toBeCloseTo(110_574.389, 0); // the first degree of a meridian
    expect(distanceM(89, 10, 90, 10)).toBeCloseTo(111_693.865, 0); // the last
    expect(distanceM(52, 4, 52, 4)).toBe(0);
  });

  it.each([
    { up: 0.09, lengthM: 10_000, errorM: 0.001 },
    { up: 0.9, lengthM: 100_000, errorM: 1 },
    { up: 9, lengthM: 1_000_000, errorM: 100 },
  ])('are as near to the geodesic as is stated, up to about $lengthM m', ({ up, errorM }) => {
    const step = fc.double({ min: -up, max: up, noNaN: true });
    fc.assert(
      fc.property(
        fc.double({ min: -80, max: 80, noNaN: true }),
        fc.double({ min: -170, max: 170, noNaN: true }),
        step,
        step,
        (lat, lng, north, east) => {
          const there = [lat + north, lng + east] as const;
          const error = Math.abs(distanceM(lat, lng, ...there) - vincentyM(lat, lng, ...there));
          expect(error).toBeLessThan(errorM);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('do not notice the 180th meridian or a pole', () => {
    expect(distanceM(10, 179.999, 10, -179.999)).toBeCloseTo(distanceM(10, 0, 10, 0.002), 6);
    expect(distanceM(89.999, 0, 89.999, 180)).toBeCloseTo(2 * distanceM(89.999, 0, 90, 0), 3);
  });
});

describe('metres in a degree', () => {
  it('are those of short distances, at every latitude', () => {
    fc.assert(
      fc.property(fc.double({ min: -89.5, max: 89.5, noNaN: true }), (lat) => {
        const eastAt = (at: number): number => distanceM(at, -0.005, at, 0.005) * 100;
        const { north, east, eastSlope } = metresPerDegree(lat);
        expect(north / (distanceM(lat - 0.005, 0, lat + 0.005, 0) * 100)).toBeCloseTo(1, 8);
        expect(east / eastAt(lat)).toBeCloseTo(1, 8);
        expect(eastSlope).toBeCloseTo((eastAt(lat + 0.01) - eastAt(lat - 0.01)) / 0.02, 2);
      }),
    );
  });
});

describe('boxes', () => {
  it('that cross the 180th meridian hold both of its sides', () => {
    expect(splitBbox([170, -10, -170, 10])).toEqual([
      [170, -10, 180, 10],
      [-180, -10, -170, 10],
    ]);
    expect(isInBbox([170, -10, -170, 10], 0, 175)).toBe(true);
    expect(isInBbox([170, -10, -170, 10], 0, -175)).toBe(true);
    expect(isInBbox([170, -10, -170, 10], 0, 0)).toBe(false);
    expect(bboxesOverlap([170, -10, -170, 10], [-175, 0, -160, 5])).toBe(true);
    expect(bboxesOverlap([170, -10, -170, 10], [0, 0, 160, 5])).toBe(false);
  });

  it('wraps longitudes into one turn', () => {
    expect([190, -190, 540, 0, 180].map(wrapLongitude)).toEqual([-170, 170, -180, 0, -180]);
  });
});

describe('a circle on the ground', () => {
  const anywhere = fc.record({
    latDeg: fc.double({ min: -90, max: 90, noNaN: true }),
    lngDeg: fc.double({ min: -180, max: 180, noNaN: true }),
    radiusM: fc.double({ min: 1, max: 500_000, noNaN: true }),
  });

  it('has boxes around every point that it contains, anywhere on earth', () => {
    fc.assert(
      fc.property(
        anywhere,
        fc.double({ min: 0, max: 6.28 }),
        fc.double({ min: 0, max: 1 }),
        (circle, angle, share) => {
          const ground = createGroundCircle(circle);
          // A point somewhere near the circle; only those inside make a claim.
          const reach = (circle.radiusM / 111_000) * share;
          const lat = Math.max(-90, Math.min(90, circle.latDeg + reach * Math.cos(angle)));
          const lng = wrapLongitude(
            circle.lngDeg +
              (reach * Math.sin(angle)) / Math.max(Math.cos((circle.latDeg * Math.PI) / 180), 0.001),
          );
          const isInside = ground.distanceM(lat, lng) <= circle.radiusM;
          expect(ground.contains(lat, lng)).toBe(isInside);
          if (!isInside) return;
          expect(ground.boxes.some((box) => isInBbox(box, lat, lng))).toBe(true);
          expect(ground.mayTouch(lat, lng, lat, lng)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('finds the nearest point of a line as well as trying a thousand points on it does', () => {
    fc.assert(
      fc.property(
        fc.record({
          lat: fc.double({ min: -89.9, max: 89.9, noNaN: true }),
          lng: fc.double({ min: -180, max: 180, noNaN: true }),
        }),
        fc.array(fc.double({ min: -0.01, max: 0.01, noNaN: true }), { minLength: 4, maxLength: 4 }),
        (centre, [a, b, c, d]) => {
          const ground = createGroundCircle({ latDeg: centre.lat, lngDeg: centre.lng, radiusM: 10 });
          const from = [centre.lat + a!, centre.lng + b!] as const;
          const to = [centre.lat + c!, centre.lng + d!] as const;
          const nearest = ground.approach(...from, ...to);
          let best = Infinity;
          for (let i = 0; i <= 1000; i++) {
            const f = i / 1000;
            const lat = from[0] + (to[0] - from[0]) * f;
            best = Math.min(best, ground.distanceM(lat, from[1] + (to[1] - from[1]) * f));
          }
          // Lines straight on the map and straight on the ground differ by centimetres over 2 km, more at the poles.
          const tolerance = Math.abs(centre.lat) > 80 ? 10 : 2.5;
          expect(Math.abs(nearest.distanceM - best)).toBeLessThan(tolerance);
          expect(nearest.distanceM).toBeCloseTo(ground.distanceM(nearest.latDeg, nearest.lngDeg), 3);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('measures to the ground, not to the straight line below it, also between far points', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -85, max: 85, noNaN: true }),
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
        (lat, [a, b, c, d]) => {
          const ground = createGroundCircle({ latDeg: lat, lngDeg: 10, radiusM: 10 });
          const nearest = ground.approach(lat + a!, 10 + b!, lat + c!, 10 + d!);
          expect(nearest.distanceM).toBeCloseTo(ground.distanceM(nearest.latDeg, nearest.lngDeg), 3);
        },
      ),
    );
  });

  it('over a pole spans all longitudes', () => {
    const ground = createGroundCircle({ latDeg: 89.9999, lngDeg: 0, radiusM: 1000 });
    expect(ground.boxes).toEqual([[-180, expect.any(Number), 180, 90]]);
    expect(ground.contains(89.9999, 180)).toBe(true);
  });

  it('over the 180th meridian has a box on each side', () => {
    const ground = createGroundCircle({ latDeg: 0, lngDeg: 180, radiusM: 1000 });
    expect(ground.boxes).toHaveLength(2);
    expect(ground.contains(0, 179.995)).toBe(true);
    expect(ground.contains(0, -179.995)).toBe(true);
    expect(ground.mayTouch(0, 179.98, 0, -179.98)).toBe(true);
    expect(ground.approach(0, 179.98, 0, -179.98).distanceM).toBeLessThan(0.01);
  });
});

import type { Bbox } from './track.ts';

/**
 * Distances and circles on the WGS 84 ellipsoid, without special cases at the poles or the 180th meridian:
 * positions become points in space (earth-centred metres), the straight line between two of them is measured,
 * and the line is bent to the arc of a sphere of the local radius. Against the geodesic the error is under
 * 1 mm up to 10 km, under 1 m up to 100 km and under 0.01 % up to 1,000 km; a sphere alone would be 0.5 % off.
 */
const equatorRadiusM = 6_378_137;
const poleRadiusM = 6_356_752.314245;
const eccentricitySquared = 1 - (poleRadiusM * poleRadiusM) / (equatorRadiusM * equatorRadiusM);
const meanRadiusM = 6_371_008.8;
const radiansPerDegree = Math.PI / 180;

/** A position as metres from the centre of the earth. */
export interface SpacePoint {
  x: number;
  y: number;
  z: number;
}

/** Writes the earth-centred position of a point on the ellipsoid into `into`. */
export function toSpacePoint(latDeg: number, lngDeg: number, into: SpacePoint): SpacePoint {
  const lat = latDeg * radiansPerDegree;
  const lng = lngDeg * radiansPerDegree;
  const sinLat = Math.sin(lat);
  const cosLat = Math.cos(lat);
  const normal = equatorRadiusM / Math.sqrt(1 - eccentricitySquared * sinLat * sinLat);
  into.x = normal * cosLat * Math.cos(lng);
  into.y = normal * cosLat * Math.sin(lng);
  into.z = normal * (1 - eccentricitySquared) * sinLat;
  return into;
}

/** Length along the surface that belongs to a straight line of `chordM` metres through the earth. */
export function arcOfChordM(chordM: number): number {
  const half = chordM / (2 * meanRadiusM);
  return half >= 1 ? Math.PI * meanRadiusM : 2 * meanRadiusM * Math.asin(half);
}

/** Straight line through the earth under an arc of `arcM` metres; the inverse of `arcOfChordM`. */
export function chordOfArcM(arcM: number): number {
  return 2 * meanRadiusM * Math.sin(Math.min(arcM / (2 * meanRadiusM), Math.PI / 2));
}

/** Metres along the surface between two positions in degrees. */
export function distanceM(latA: number, lngA: number, latB: number, lngB: number): number {
  const a = toSpacePoint(latA, lngA, { x: 0, y: 0, z: 0 });
  const b = toSpacePoint(latB, lngB, { x: 0, y: 0, z: 0 });
  return arcOfChordM(Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z));
}

/**
 * Metres in one degree to the north and to the east at a latitude (radii of curvature of the ellipsoid), and how the
 * latter changes with each degree of latitude. For steps of a few kilometres, many times as fast as `distanceM`.
 */
export function metresPerDegree(latDeg: number): { north: number; east: number; eastSlope: number } {
  const sinLat = Math.sin(latDeg * radiansPerDegree);
  const cosLat = Math.cos(latDeg * radiansPerDegree);
  const bulge = 1 - eccentricitySquared * sinLat * sinLat;
  const normal = equatorRadiusM / Math.sqrt(bulge);
  const north = ((normal * (1 - eccentricitySquared)) / bulge) * radiansPerDegree;
  return { north, east: normal * cosLat * radiansPerDegree, eastSlope: -north * sinLat * radiansPerDegree };
}

/** Degrees brought into [-180, 180). */
export function wrapLongitude(lngDeg: number): number {
  if (lngDeg >= -180 && lngDeg < 180) return lngDeg;
  return ((((lngDeg + 180) % 360) + 360) % 360) - 180;
}

/** A box that may cross the 180th meridian (west > east), as one or two boxes that do not. */
export function splitBbox([west, south, east, north]: Bbox): readonly Bbox[] {
  if (west <= east) return [[west, south, east, north]];
  return [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
}

/** Whether a position lies in the box, edges included. The box may cross the 180th meridian. */
export function isInBbox([west, south, east, north]: Bbox, latDeg: number, lngDeg: number): boolean {
  if (latDeg < south || latDeg > north) return false;
  return west <= east ? lngDeg >= west && lngDeg <= east : lngDeg >= west || lngDeg <= east;
}

/** Whether two boxes share a point; either may cross the 180th meridian. */
export function bboxesOverlap(a: Bbox, b: Bbox): boolean {
  return splitBbox(a).some((p) =>
    splitBbox(b).some((q) => p[0] <= q[2] && q[0] <= p[2] && p[1] <= q[3] && q[1] <= p[3]),
  );
}

/** Where a line comes nearest to a circle's centre. `fraction` runs from 0 (its start) to 1 (its end). */
export interface Approach {
  fraction: number;
  distanceM: number;
  latDeg: number;
  lngDeg: number;
}

/** A circle on the ground, ready for many questions. */
export interface GroundCircle {
  /** Boxes that hold the circle, none crossing the 180th meridian. A circle over a pole spans all longitudes. */
  readonly boxes: readonly Bbox[];
  /** Surface distance from the centre. */
  distanceM(latDeg: number, lngDeg: number): number;
  contains(latDeg: number, lngDeg: number): boolean;
  /**
   * False when the line between the two positions surely stays outside; cheap, so that most points of a track
   * cost a few comparisons.
   */
  mayTouch(latA: number, lngA: number, latB: number, lngB: number): boolean;
  /** Nearest point of the straight line between two positions (raised to the surface) to the centre. */
  approach(latA: number, lngA: number, latB: number, lngB: number): Approach;
}

/** Prepares a circle. Radii up to a quarter of the earth; accuracy as stated at the top of this file. */
export function createGroundCircle(circle: {
  readonly latDeg: number;
  readonly lngDeg: number;
  readonly radiusM: number;
}): GroundCircle {
  const centre = toSpacePoint(circle.latDeg, circle.lngDeg, { x: 0, y: 0, z: 0 });
  const radiusChordM = chordOfArcM(circle.radiusM);
  // A degree of latitude is at least 110,574 m; the margin covers the sagitta of long lines and rounding.
  const latReach = (circle.radiusM / 110_574) * 1.001 + 1e-7;
  const south = circle.latDeg - latReach;
  const north = circle.latDeg + latReach;
  const isPolar = south <= -90 || north >= 90;
  // The widest longitude of a circle on a sphere: asin(sin r / cos lat), with the same margin.
  const ratio =
    Math.sin(latReach * radiansPerDegree) / Math.max(Math.cos(circle.latDeg * radiansPerDegree), 1e-12);
  const lngReach = isPolar || ratio >= 1 ? 180 : (Math.asin(ratio) / radiansPerDegree) * 1.001 + 1e-7;
  const spansAll = lngReach >= 180;
  const boxes: readonly Bbox[] = spansAll
    ? [[-180, Math.max(south, -90), 180, Math.min(north, 90)]]
    : splitBbox([
        wrapLongitude(circle.lngDeg - lngReach),
        Math.max(south, -90),
        wrapLongitude(circle.lngDeg + lngReach),
        Math.min(north, 90),
      ]);
  const a: SpacePoint = { x: 0, y: 0, z: 0 };
  const b: SpacePoint = { x: 0, y: 0, z: 0 };
  const chordTo = (p: SpacePoint): number => Math.hypot(p.x - centre.x, p.y - centre.y, p.z - centre.z);

  return {
    boxes,
    distanceM: (latDeg, lngDeg) => arcOfChordM(chordTo(toSpacePoint(latDeg, lngDeg, a))),
    contains(latDeg, lngDeg) {
      if (latDeg < south || latDeg > north) return false;
      if (!spansAll && Math.abs(wrapLongitude(lngDeg - circle.lngDeg)) > lngReach) return false;
      return chordTo(toSpacePoint(latDeg, lngDeg, a)) <= radiusChordM;
    },
    mayTouch(latA, lngA, latB, lngB) {
      if ((latA < south && latB < south) || (latA > north && latB > north)) return false;
      if (spansAll) return true;
      const fromA = wrapLongitude(lngA - circle.lngDeg);
      const fromB = wrapLongitude(lngB - circle.lngDeg);
      return !((fromA < -lngReach && fromB < -lngReach) || (fromA > lngReach && fromB > lngReach));
    },
    approach(latA, lngA, latB, lngB) {
      toSpacePoint(latA, lngA, a);
      toSpacePoint(latB, lngB, b);
      const dx = b.x - a.x;
      const dy = b.y - a.y;
      const dz = b.z - a.z;
      const lengthSquared = dx * dx + dy * dy + dz * dz;
      const along = (centre.x - a.x) * dx + (centre.y - a.y) * dy + (centre.z - a.z) * dz;
      const fraction = lengthSquared === 0 ? 0 : Math.min(1, Math.max(0, along / lengthSquared));
      if (fraction === 0) return { fraction, distanceM: arcOfChordM(chordTo(a)), latDeg: latA, lngDeg: lngA };
      if (fraction === 1) return { fraction, distanceM: arcOfChordM(chordTo(b)), latDeg: latB, lngDeg: lngB };
      const foot = { x: a.x + dx * fraction, y: a.y + dy * fraction, z: a.z + dz * fraction };
      // The straight line runs below ground: raise its point to the surface before measuring.
      const across = Math.hypot(foot.x, foot.y);
      const depth = Math.hypot(across / equatorRadiusM, foot.z / poleRadiusM);
      if (depth > 0) {
        foot.x /= depth;
        foot.y /= depth;
        foot.z /= depth;
      }
      return {
        fraction,
        distanceM: arcOfChordM(chordTo(foot)),
        latDeg: Math.atan2(foot.z, (1 - eccentricitySquared) * Math.hypot(foot.x, foot.y)) / radiansPerDegree,
        lngDeg: Math.atan2(foot.y, foot.x) / radiansPerDegree,
      };
    },
  };
}

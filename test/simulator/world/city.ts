/**
 * The streets: a grid of eighth-of-a-mile blocks aligned to the compass, as in Chicago, whose real grid it is
 * anchored on. Positions are metres east (x) and north (y) of the anchor until they leave this file.
 */
import type { Random } from '../random.ts';

export const cityZone = 'America/Chicago';
const anchor = { latitude: 41.8819, longitude: -87.6878 };
const metresPerDegreeLatitude = 111_132;
const metresPerDegreeLongitude = metresPerDegreeLatitude * Math.cos((anchor.latitude * Math.PI) / 180);
export const blockM = 201.17;
/** Streets end here: westwards the city limits, eastwards the lake shore. */
const bounds = { west: -24, east: 18, south: -30, north: 30 };
const turnRadiusM = 10;

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

export interface RouteVertex {
  readonly x: number;
  readonly y: number;
  /** Highest sensible speed here, m/s. */
  readonly limitMps: number;
  /** True at the middle of a crossing, where a vehicle may have to stop. */
  readonly isCrossing: boolean;
}

export function toPosition(x: number, y: number): Position {
  return {
    latitude: anchor.latitude + y / metresPerDegreeLatitude,
    longitude: anchor.longitude + x / metresPerDegreeLongitude,
  };
}

export function distanceM(one: Position, other: Position): number {
  const north = (other.latitude - one.latitude) * metresPerDegreeLatitude;
  const east = (other.longitude - one.longitude) * metresPerDegreeLongitude;
  return Math.hypot(north, east);
}

const streetsAcross = [
  'Halsted St',
  'Ashland Ave',
  'Western Ave',
  'California Ave',
  'Kedzie Ave',
  'Pulaski Rd',
];
const streetsAlong = ['Madison St', 'Chicago Ave', 'Division St', 'North Ave', 'Roosevelt Rd', 'Cermak Rd'];

/** A plausible road name for a place; only its determinism matters. */
export function roadNameAt(position: Position): string {
  const column = Math.abs(Math.round((position.longitude - anchor.longitude) * 100));
  const row = Math.abs(Math.round((position.latitude - anchor.latitude) * 100));
  const names = (column + row) % 2 === 0 ? streetsAcross : streetsAlong;
  return names[(column + row) % names.length] ?? 'Madison St';
}

/** Every fourth street (half a mile) is an arterial road with a higher speed limit. */
function isArterial(index: number): boolean {
  return index % 4 === 0;
}

interface Heading {
  readonly x: number;
  readonly y: number;
}
const headings: readonly Heading[] = [
  { x: 0, y: 1 },
  { x: 1, y: 0 },
  { x: 0, y: -1 },
  { x: -1, y: 0 },
];

function isInside(column: number, row: number): boolean {
  return column >= bounds.west && column <= bounds.east && row >= bounds.south && row <= bounds.north;
}

/**
 * Drives a random but sensible way from a crossing: straight for some blocks, then left or right, now and
 * then along a boulevard that bends over to the next parallel street. Ends on a crossing.
 */
export function createRoute(random: Random, start: { column: number; row: number }, legCount: number) {
  const vertices: RouteVertex[] = [];
  let { column, row } = start;
  let headingIndex = random.integer(0, 3);
  const add = (x: number, y: number, limitMps: number, isCrossing = false): void => {
    vertices.push({ x, y, limitMps, isCrossing });
  };
  add(column * blockM, row * blockM, 3);
  for (let leg = 0; leg < legCount; leg += 1) {
    let blocks = random.integer(3, 7);
    let heading = headings[headingIndex] ?? { x: 0, y: 1 };
    for (let attempt = 0; attempt < 4; attempt += 1) {
      if (isInside(column + heading.x * blocks, row + heading.y * blocks)) break;
      headingIndex = (headingIndex + (attempt === 0 ? 2 : 1)) % 4;
      heading = headings[headingIndex] ?? heading;
      blocks = 3;
    }
    const isMain = isArterial(heading.x === 0 ? column : row);
    const cruiseMps = (isMain ? 14 : 11) + random.between(-1, 1.2);
    const bend = blocks >= 4 && random.chance(0.3) ? 1 : 0;
    const side = { x: heading.y, y: -heading.x };
    const isBendPossible =
      bend === 1 && isInside(column + side.x + heading.x * blocks, row + side.y + heading.y * blocks);
    for (let block = 0; block < blocks; block += 1) {
      for (let step = 0; step < 20; step += 1) {
        const along = (block + step / 20) * blockM;
        if (along < turnRadiusM + 3 && leg > 0) continue;
        const progress = along / (blocks * blockM);
        const shift = isBendPossible ? blockM * progress * progress * (3 - 2 * progress) : 0;
        add(
          column * blockM + heading.x * along + side.x * shift,
          row * blockM + heading.y * along + side.y * shift,
          isBendPossible ? Math.min(cruiseMps, 12) : cruiseMps,
          step === 0 && block > 0 && !isBendPossible,
        );
      }
    }
    column += heading.x * blocks + (isBendPossible ? side.x : 0);
    row += heading.y * blocks + (isBendPossible ? side.y : 0);
    if (leg === legCount - 1) {
      add(column * blockM, row * blockM, 0);
      break;
    }
    const turn = random.chance(0.5) ? 1 : 3;
    const nextIndex = (headingIndex + turn) % 4;
    const next = headings[nextIndex] ?? heading;
    // Vertices too near the corner go: a few centimetres between two headings would be a jolt of many g.
    // A quarter circle around the corner, so that headings and lateral acceleration change smoothly.
    while (vertices.length > 1) {
      const last = vertices[vertices.length - 1];
      if (!last || Math.hypot(last.x - column * blockM, last.y - row * blockM) >= turnRadiusM + 3) break;
      vertices.pop();
    }
    for (let step = 0; step <= 6; step += 1) {
      const angle = (step / 6) * (Math.PI / 2);
      const back = turnRadiusM * (1 - Math.sin(angle));
      const out = turnRadiusM * (1 - Math.cos(angle));
      add(
        column * blockM - heading.x * back + next.x * out,
        row * blockM - heading.y * back + next.y * out,
        5.5,
        false,
      );
    }
    headingIndex = nextIndex;
  }
  return { vertices, end: { column, row } };
}

import type { Bbox } from '../../../shared/track.ts';
import type { BasemapLabel } from './basemapData.ts';
import { distanceM, toLatDeg, toLngDeg, wrapLngDeg } from './projection.ts';

/** Grid lines of a view: the step, and the lines' degrees (longitudes unwrapped). */
export interface Grid {
  readonly stepDeg: number;
  readonly latDeg: readonly number[];
  readonly lngDeg: readonly number[];
}

/** Round steps of 1, 2 and 5; the finest is about ten metres. */
const stepsDeg = [10, 5, 2, 1]
  .flatMap((step) => [step])
  .concat([0.1, 0.01, 0.001, 0.0001].flatMap((unit) => [5 * unit, 2 * unit, unit]));

/**
 * Lines of latitude and longitude at a round step, as narrow as it goes with `leastPx` between two of either kind.
 * `bounds` in unwrapped degrees. Pure.
 */
export function gridOf(bounds: Bbox, widthPx: number, heightPx: number, leastPx: number): Grid {
  const [west, south, east, north] = bounds;
  const pxPerDeg = Math.min(widthPx / (east - west), heightPx / (north - south));
  const stepDeg = stepsDeg.findLast((step) => step * pxPerDeg >= leastPx) ?? stepsDeg[0] ?? 10;
  const between = (from: number, to: number) => {
    const lines: number[] = [];
    for (let i = Math.ceil(from / stepDeg); i * stepDeg <= to; i++) lines.push(roundTo(i * stepDeg, stepDeg));
    return lines;
  };
  return { stepDeg, latDeg: between(Math.max(-85, south), Math.min(85, north)), lngDeg: between(west, east) };
}

const decimalsOf = (stepDeg: number) => Math.max(0, Math.ceil(-Math.log10(stepDeg) - 1e-9));
const roundTo = (value: number, stepDeg: number) => Number(value.toFixed(decimalsOf(stepDeg)));

/** "52.09° N" with as many digits as the grid's step needs. */
export function latText(latDeg: number, stepDeg: number): string {
  return `${Math.abs(latDeg).toFixed(decimalsOf(stepDeg))}°${latDeg === 0 ? '' : latDeg > 0 ? ' N' : ' S'}`;
}
/** "5.12° E"; longitudes beyond the 180th meridian are wrapped. */
export function lngText(lngDeg: number, stepDeg: number): string {
  const wrapped = roundTo(wrapLngDeg(lngDeg), stepDeg);
  const isPlain = wrapped === 0 || Math.abs(wrapped) === 180;
  return `${Math.abs(wrapped).toFixed(decimalsOf(stepDeg))}°${isPlain ? '' : wrapped > 0 ? ' E' : ' W'}`;
}

/** What a cell of the grid measures on the ground in the middle of the view: "341 × 556 m", east by north. Pure. */
export function cellText(stepDeg: number, latDeg: number): string {
  const eastM = distanceM(latDeg, 0, latDeg, stepDeg);
  const northM = distanceM(latDeg - stepDeg / 2, 0, latDeg + stepDeg / 2, 0);
  const isFar = Math.max(eastM, northM) >= 2000;
  const text = (metres: number) => (isFar ? (metres / 1000).toFixed(1) : String(Math.round(metres)));
  return `${text(eastM)} × ${text(northM)} ${isFar ? 'km' : 'm'}`;
}

/** A place out of view: how far and in which direction (radians clockwise from north) from the middle. */
export interface Signpost {
  readonly name: string;
  readonly distanceM: number;
  readonly angle: number;
}

const farthestSignM = 60_000;
const leastTurn = Math.PI / 4;

/** The nearest places around a view, at most `most`, each in a direction of its own. Pure. */
export function signposts(labels: readonly BasemapLabel[], bounds: Bbox, most: number): Signpost[] {
  const [west, south, east, north] = bounds;
  const latDeg = (south + north) / 2;
  const lngDeg = (west + east) / 2;
  const around: Signpost[] = [];
  for (const label of labels) {
    if (label.kind !== 'place') continue;
    const lat = toLatDeg(label.y);
    const dLng = wrapLngDeg(toLngDeg(label.x) - lngDeg);
    const isInView = lat >= south && lat <= north && dLng >= west - lngDeg && dLng <= east - lngDeg;
    const metres = distanceM(latDeg, lngDeg, lat, lngDeg + dLng);
    if (isInView || metres > farthestSignM) continue;
    const angle = Math.atan2(dLng * Math.cos((latDeg * Math.PI) / 180), lat - latDeg);
    around.push({ name: label.name, distanceM: metres, angle });
  }
  around.sort((a, b) => a.distanceM - b.distanceM);
  const chosen: Signpost[] = [];
  for (const sign of around) {
    if (chosen.length >= most) break;
    const isApart = chosen.every((other) => {
      const turn = Math.abs(sign.angle - other.angle) % (2 * Math.PI);
      return Math.min(turn, 2 * Math.PI - turn) >= leastTurn;
    });
    if (isApart) chosen.push(sign);
  }
  return chosen;
}

/** "Utrecht 3 km": the places' own positions are no better than a kilometre. */
export function signText({ name, distanceM: metres }: Signpost): string {
  return `${name} ${Math.max(1, Math.round(metres / 1000))} km`;
}

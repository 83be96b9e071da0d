/**
 * The classes in which the map colours speeds. Shared, because simplified lines keep the vertices at which the class
 * changes: colours are only as true as those vertices. Whoever changes the limits raises the layout version of the
 * kept lines (main/desk/tracks/lineCodec.ts).
 */

/** Lower bounds of the classes, km/h. */
export const speedClassesKmh: readonly number[] = [0, 10, 30, 50, 70, 90, 110, 130];

/** Class of a speed; -1 for "no speed recorded" (NaN). */
export function speedClass(speedKmh: number): number {
  if (Number.isNaN(speedKmh)) return -1;
  let index = 0;
  while (index + 1 < speedClassesKmh.length && speedKmh >= speedClassesKmh[index + 1]!) index++;
  return index;
}

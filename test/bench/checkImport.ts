import { openCacheConnection } from '../../main/cache/openCache.ts';
import { HEADING, LAT, LNG, SPEED, TIME, type PointColumns } from '../../main/cache/trackCodec.ts';
import { createTripRepository } from '../../main/cache/tripRepository.ts';
import { combineDigests, tripDigest, type Format, type MadeExport } from './exportFiles.ts';

/** Scaled integers of a column; refuses a value that came back with other digits than were written. */
function integers(points: PointColumns, column: number, decimals: number): Float64Array {
  const out = new Float64Array(points.count);
  for (let i = 0; i < points.count; i++) {
    if (points.decimals[column]![i] !== decimals) {
      throw new Error(`point ${i} came back as ${points.textAt(column, i)}, not with ${decimals} decimals`);
    }
    out[i] = points.values[column]![i]!;
  }
  return out;
}

/**
 * Compares every point of a cache with what the generator made: number of trips and points, and a checksum over
 * times, coordinates, headings and speeds to the digit. Throws when anything differs: a fast import of wrong
 * data is not a result.
 */
export function checkImport(folder: string, made: MadeExport, format: Format): void {
  const cache = openCacheConnection(folder, 'read');
  try {
    const trips = createTripRepository(cache.db);
    const digests: string[] = [];
    let points = 0;
    for (const trip of trips.list({})) {
      const columns = trips.columnsOf(trip.tripId);
      points += columns.count;
      const place = [integers(columns, LAT, 6), integers(columns, LNG, 6)];
      digests.push(
        tripDigest(
          format === 'kml'
            ? place
            : [
                integers(columns, TIME, 0),
                ...place,
                integers(columns, HEADING, 0),
                integers(columns, SPEED, format === 'csv' ? 1 : 2),
              ],
        ),
      );
    }
    if (digests.length !== made.trips || points !== made.points) {
      throw new Error(
        `${format}: ${digests.length} trips and ${points} points came out of ${made.trips} and ${made.points}`,
      );
    }
    if (combineDigests(digests) !== made.checksums[format]) {
      throw new Error(`${format}: the checksum of all points is another than the generator's`);
    }
  } finally {
    cache.close();
  }
}

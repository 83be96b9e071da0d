/** The three readers by name, for tests that hold for all of them. */
import { createCsvReader } from '../../../main/importer/csvReader.ts';
import { createGpxReader } from '../../../main/importer/gpxReader.ts';
import { createKmlReader } from '../../../main/importer/kmlReader.ts';
import type { Format } from '../corpus/oddFiles.ts';
import { collect, noContext } from './collect.ts';
import type { Collected } from './collect.ts';

const create = { csv: createCsvReader, gpx: createGpxReader, kml: createKmlReader };
export const formats: readonly Format[] = ['csv', 'gpx', 'kml'];

export function readAs(
  format: Format,
  bytes: Uint8Array | string,
  pieces?: readonly number[],
  isQuick = true,
): Collected {
  return collect((sink) => create[format](sink, noContext, { isQuick }), bytes, pieces);
}

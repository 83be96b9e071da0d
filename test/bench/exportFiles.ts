import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { generateTrips, type GeneratedTrip, type GenerateOptions } from './generate.ts';

export const formats = ['csv', 'gpx', 'kml'] as const;
export type Format = (typeof formats)[number];

/** What was made, and what has to come out of an import of it. */
export interface MadeExport {
  readonly points: number;
  readonly trips: number;
  /** The bare file, as the peers read it. */
  readonly files: Readonly<Record<Format, string>>;
  /** The same file inside a zip, as the product gets it. */
  readonly zips: Readonly<Record<Format, string>>;
  readonly checksums: Readonly<Record<Format, string>>;
}

/** A digest of a trip's points that does not depend on the order of trips: see `combineDigests`. */
export function tripDigest(columns: readonly (Int32Array | Int16Array | Float64Array)[]): string {
  const hash = createHash('sha256');
  for (const column of columns) hash.update(Float64Array.from(column));
  return hash.digest('hex');
}

/** One checksum for all trips, whatever their order. */
export function combineDigests(digests: readonly string[]): string {
  const hash: Hash = createHash('sha256');
  for (const digest of [...digests].sort()) hash.update(digest);
  return hash.digest('hex');
}

/** The columns by which a format's points are compared: integers of the digits that the format writes. */
export function comparedColumns(
  trip: GeneratedTrip,
  format: Format,
): (Int32Array | Int16Array | Float64Array)[] {
  if (format === 'kml') return [trip.latE6, trip.lngE6];
  const seconds = Float64Array.from({ length: trip.count }, (_, i) => trip.startedAtS + i);
  const speed = format === 'csv' ? trip.speedE1 : trip.speedMsE2;
  return [seconds, trip.latE6, trip.lngE6, trip.headingDeg, speed];
}

/** Text of an integer with a fixed number of decimals, without going through a rounding. */
function fixed(value: number, decimals: number): string {
  const digits = String(Math.abs(value)).padStart(decimals + 1, '0');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const heads: Readonly<Record<Format, string>> = {
  csv: 'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh\r\n',
  gpx:
    '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="bench" xmlns="http://www.topografix.com/GPX/1/1" ' +
    'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">\n',
  kml: '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n<name>Drives</name>\n',
};
const tails: Readonly<Record<Format, string>> = { csv: '', gpx: '</gpx>\n', kml: '</Document>\n</kml>\n' };

/** A trip as the format writes it (specification 4.3 rules 7 and 8). */
function tripText(trip: GeneratedTrip, format: Format): string {
  const { psn, cameraName, driveNo, count } = trip;
  const name = `${cameraName} drive ${driveNo}`;
  const timeText = (second: number): string => new Date(second * 1000).toISOString().replace('.000', '');
  const lines: string[] = [];
  if (format === 'csv') {
    const quoted = cameraName.includes(',') ? `"${cameraName}"` : cameraName;
    for (let i = 0; i < count; i++) {
      lines.push(
        `${psn},${quoted},${timeText(trip.startedAtS + i)},${fixed(trip.latE6[i]!, 6)},${fixed(trip.lngE6[i]!, 6)},` +
          `${driveNo},${trip.headingDeg[i]},${fixed(trip.speedE1[i]!, 1)}\r\n`,
      );
    }
  } else if (format === 'gpx') {
    lines.push(`<trk><name>${name}</name><src>${psn}</src><trkseg>\n`);
    for (let i = 0; i < count; i++) {
      lines.push(
        `<trkpt lat="${fixed(trip.latE6[i]!, 6)}" lon="${fixed(trip.lngE6[i]!, 6)}"><time>${timeText(trip.startedAtS + i)}</time>` +
          `<extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>${fixed(trip.speedMsE2[i]!, 2)}</gpxtpx:speed>` +
          `<gpxtpx:course>${trip.headingDeg[i]}</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>\n`,
      );
    }
    lines.push('</trkseg></trk>\n');
  } else {
    lines.push(
      `<Placemark><name>${name}</name><TimeSpan><begin>${timeText(trip.startedAtS)}</begin>` +
        `<end>${timeText(trip.startedAtS + count - 1)}</end></TimeSpan><ExtendedData><Data name="psn"><value>${psn}</value></Data>` +
        '</ExtendedData><LineString><tessellate>1</tessellate><coordinates>\n',
    );
    for (let i = 0; i < count; i++) lines.push(`${fixed(trip.lngE6[i]!, 6)},${fixed(trip.latE6[i]!, 6)},0\n`);
    lines.push('</coordinates></LineString></Placemark>\n');
  }
  return lines.join('');
}

/**
 * Writes the same points as CSV, GPX and KML (or only those formats that are wanted), bare and zipped as an
 * export is.
 */
export async function makeExport(
  folder: string,
  options: GenerateOptions,
  wanted: readonly Format[] = formats,
): Promise<MadeExport> {
  fs.mkdirSync(folder, { recursive: true });
  const files = {} as Record<Format, string>; // filled below, one key after the other
  const zips = {} as Record<Format, string>;
  const digests: Record<Format, string[]> = { csv: [], gpx: [], kml: [] };
  const streams = wanted.map((format) => {
    files[format] = path.join(folder, `export.${format}`);
    const stream = fs.createWriteStream(files[format], { highWaterMark: 1 << 20 });
    stream.write(heads[format]);
    return { format, stream };
  });
  let trips = 0;
  let points = 0;
  for (const trip of generateTrips(options)) {
    trips++;
    points += trip.count;
    for (const { format, stream } of streams) {
      digests[format].push(tripDigest(comparedColumns(trip, format)));
      if (!stream.write(tripText(trip, format))) await once(stream, 'drain');
    }
  }
  for (const { format, stream } of streams) {
    stream.end(tails[format]);
    await once(stream, 'finish');
  }
  for (const format of wanted) {
    zips[format] = path.join(folder, `${format}-export.zip`);
    const zip = new yazl.ZipFile();
    zip.addFile(files[format], `export.${format}`);
    zip.end();
    await pipeline(zip.outputStream, fs.createWriteStream(zips[format]));
  }
  const checksums = {
    csv: combineDigests(digests.csv),
    gpx: combineDigests(digests.gpx),
    kml: combineDigests(digests.kml),
  };
  return { points, trips, files, zips, checksums };
}

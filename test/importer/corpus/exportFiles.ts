/** An export of made-up drives as CSV, GPX and KML with the same points, as the cloud writes them. */
import { SeededRandom } from './random.ts';

export interface ExportSize {
  readonly points: number;
  readonly cameras: number;
  readonly pointsPerTrip: number;
  readonly seed: number;
}

export interface ExportFiles {
  readonly csv: Buffer;
  readonly gpx: Buffer;
  readonly kml: Buffer;
}

const startMs = Date.UTC(2025, 2, 3, 5);
const gpxHead =
  '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="made" xmlns="http://www.topografix.com/GPX/1/1" ' +
  'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">\n';
const kmlHead =
  '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n<name>Drives</name>\n';

/** Same input, same bytes. */
export function makeExport(size: ExportSize): ExportFiles {
  const random = new SeededRandom(size.seed);
  const csv: string[] = ['psn,carName,datetime,lat,lng,drive_no,heading,speedKmh\r\n'];
  const gpx: string[] = [gpxHead];
  const kml: string[] = [kmlHead];
  let left = size.points;
  for (let trip = 0; left > 0; trip++) {
    const count = Math.min(left, Math.ceil(size.pointsPerTrip * (0.5 + random.next())));
    left -= count;
    writeTrip(random, trip, trip % size.cameras, count, { csv, gpx, kml });
  }
  gpx.push('</gpx>\n');
  kml.push('</Document>\n</kml>\n');
  return { csv: joined(csv), gpx: joined(gpx), kml: joined(kml) };
}

/** Buffers instead of one string: strings end at 512 MB. */
function joined(parts: readonly string[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

function writeTrip(
  random: SeededRandom,
  trip: number,
  camera: number,
  count: number,
  out: { csv: string[]; gpx: string[]; kml: string[] },
): void {
  const psn = `BB${String(camera).padStart(2, '0')}7F${String((camera * 7919 + 123457) % 1_000_000).padStart(6, '0')}`;
  const car = camera % 5 === 0 ? `Van ${camera + 1}, North` : `Van ${camera + 1}`;
  const quotedCar = car.includes(',') ? `"${car}"` : car;
  const startSeconds = startMs / 1000 + trip * 2000;
  const time = (i: number): string => new Date((startSeconds + i) * 1000).toISOString().replace('.000Z', 'Z');
  const name = `${car} drive ${trip + 1}`;
  let [lat, lng, heading, speed, target] = [
    52 + camera * 0.11,
    4.3 + camera * 0.17,
    random.next() * 360,
    0,
    50,
  ];
  const [csv, gpx, kml]: [string[], string[], string[]] = [[], [], []];
  gpx.push(`<trk><name>${name}</name><src>${psn}</src><trkseg>\n`);
  kml.push(
    `<Placemark><name>${name}</name><TimeSpan><begin>${time(0)}</begin><end>${time(count - 1)}</end></TimeSpan>` +
      `<ExtendedData><Data name="psn"><value>${psn}</value></Data></ExtendedData>` +
      '<LineString><tessellate>1</tessellate><coordinates>\n',
  );
  for (let i = 0; i < count; i++) {
    if (random.next() < 0.01) target = random.pick([0, 30, 50, 50, 80, 100, 120]);
    speed = Math.max(0, speed + Math.max(-9, Math.min(6, target - speed)) * 0.35 + random.next() - 0.5);
    if (speed > 1) {
      heading = (heading + (random.next() - 0.5) * 8 + 360) % 360;
      const distanceDeg = speed / 3.6 / 111_320;
      lat += distanceDeg * Math.cos((heading * Math.PI) / 180);
      lng += (distanceDeg * Math.sin((heading * Math.PI) / 180)) / Math.cos((lat * Math.PI) / 180);
    }
    const [t, la, ln, h] = [time(i), lat.toFixed(6), lng.toFixed(6), String(Math.floor(heading))];
    csv.push(`${psn},${quotedCar},${t},${la},${ln},${trip + 1},${h},${speed.toFixed(1)}\r\n`);
    gpx.push(
      `<trkpt lat="${la}" lon="${ln}"><time>${t}</time><extensions><gpxtpx:TrackPointExtension>` +
        `<gpxtpx:speed>${(speed / 3.6).toFixed(2)}</gpxtpx:speed><gpxtpx:course>${h}</gpxtpx:course>` +
        '</gpxtpx:TrackPointExtension></extensions></trkpt>\n',
    );
    kml.push(`${ln},${la},0\n`);
  }
  gpx.push('</trkseg></trk>\n');
  kml.push('</coordinates></LineString></Placemark>\n');
  out.csv.push(csv.join(''));
  out.gpx.push(gpx.join(''));
  out.kml.push(kml.join(''));
}

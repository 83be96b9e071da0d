import { ALTITUDE, HEADING, LAT, LNG, SPEED, type PointColumns } from '../cache/trackCodec.ts';
import {
  csvText,
  jsonTextAt,
  kmhToMetresPerSecond,
  metresPerSecondToKmh,
  plainTextAt,
  remembered,
  timeMsAt,
  timeTextAt,
  xmlText,
} from './trackText.ts';

/** What a written track says about itself. `psn` and `cameraName` are those in force (assigned before recorded). */
export interface WrittenTrip {
  readonly tripId: string;
  readonly psn: string | null;
  readonly cameraName: string | null;
  readonly driveNo: number | null;
  readonly name: string | null;
  readonly speedUnit: 'kmh' | 'ms';
  readonly hasPointTimes: boolean;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
}

/** The points of a trip in order, chunk by chunk; called once for each pass over them. */
export type PointSource = () => Iterable<PointColumns>;

/**
 * UTC milliseconds, half-open. Of a trip with times, points outside the range and points without a time are
 * left out; a trip without any times can't be cut and is written whole.
 */
export interface CutRange {
  readonly fromMs: number | null;
  readonly toMs: number | null;
}
export const noCut: CutRange = { fromMs: null, toMs: null };

export const trackFormats = ['json', 'csv', 'gpx', 'kml', 'geojson'] as const;
export type TrackFormat = (typeof trackFormats)[number];

/** Writes a trip in any of the formats, in pieces of text that are small whatever the length of the trip. */
export function writeTrack(
  format: TrackFormat,
  trip: WrittenTrip,
  points: PointSource,
  range: CutRange = noCut,
): Generator<string> {
  switch (format) {
    case 'csv':
      return writeTrackCsv(trip, points, range);
    case 'gpx':
      return writeTrackGpx(trip, points, range);
    case 'kml':
      return writeTrackKml(trip, points, range);
    case 'geojson':
      return writeTrackGeoJson(trip, points, range);
    case 'json':
      return writeTrackJson(trip, points, range);
  }
}

/** Whether a point is inside the cut. */
export function createCut(
  trip: Pick<WrittenTrip, 'hasPointTimes'>,
  range: CutRange,
): (points: PointColumns, index: number) => boolean {
  const { fromMs, toMs } = range;
  if (!trip.hasPointTimes || (fromMs === null && toMs === null)) return () => true;
  const from = fromMs ?? -Infinity;
  const to = toMs ?? Infinity;
  return (points, index) => {
    const time = timeMsAt(points, index); // NaN compares false: a point without time is outside
    return time >= from && time < to;
  };
}

/** Speed in km/h in the source's digits (km/h sources) or exactly converted (m/s sources); null where absent. */
function createKmhText(trip: WrittenTrip): (points: PointColumns, index: number) => string | null {
  if (trip.speedUnit === 'kmh') return (points, index) => points.textAt(SPEED, index);
  const convert = remembered(metresPerSecondToKmh);
  return (points, index) => {
    const text = points.textAt(SPEED, index);
    return text === null ? null : convert(text);
  };
}

/** The export's own columns (specification 4.3 rule 7), numbers to the digit, absent as empty, CRLF lines. */
export function* writeTrackCsv(trip: WrittenTrip, points: PointSource, range: CutRange): Generator<string> {
  yield 'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh\r\n';
  const isInside = createCut(trip, range);
  const kmhText = createKmhText(trip);
  const head = `${csvText(trip.psn ?? '')},${csvText(trip.cameraName ?? '')},`;
  const drive = trip.driveNo === null ? '' : String(trip.driveNo);
  for (const chunk of points()) {
    let text = '';
    for (let i = 0; i < chunk.count; i++) {
      if (!isInside(chunk, i)) continue;
      const lat = chunk.textAt(LAT, i) ?? '';
      const lng = chunk.textAt(LNG, i) ?? '';
      const heading = chunk.textAt(HEADING, i) ?? '';
      text += `${head}${timeTextAt(chunk, i) ?? ''},${lat},${lng},${drive},${heading},${kmhText(chunk, i) ?? ''}\r\n`;
    }
    yield text;
  }
}

const gpxOpen =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<gpx version="1.1" creator="Evidence Desk" xmlns="http://www.topografix.com/GPX/1/1"' +
  ' xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">\n';

/** GPX 1.1: one trk; speed (m/s) and course in Garmin's TrackPointExtension v2, left out where absent. */
export function* writeTrackGpx(trip: WrittenTrip, points: PointSource, range: CutRange): Generator<string> {
  yield `${gpxOpen}<trk>\n<name>${xmlText(titleOf(trip))}</name>\n`;
  if (trip.psn !== null) yield `<src>${xmlText(trip.psn)}</src>\n`;
  if (isGpxNumber(trip.driveNo)) yield `<number>${trip.driveNo}</number>\n`;
  yield '<trkseg>\n';
  const isInside = createCut(trip, range);
  const toMs = trip.speedUnit === 'kmh' ? remembered(kmhToMetresPerSecond) : (text: string) => text;
  for (const chunk of points()) {
    let text = '';
    for (let i = 0; i < chunk.count; i++) {
      if (!isInside(chunk, i)) continue;
      text += `<trkpt lat="${plainTextAt(chunk, LAT, i)}" lon="${gpxLongitude(chunk, i)}">`;
      const altitude = plainTextAt(chunk, ALTITUDE, i);
      if (altitude !== null) text += `<ele>${altitude}</ele>`;
      const time = timeTextAt(chunk, i);
      if (time !== null) text += `<time>${time}</time>`;
      const speedSource = plainTextAt(chunk, SPEED, i);
      const speed = speedSource === null ? null : toMs(speedSource);
      const degrees = chunk.numberAt(HEADING, i);
      const hasCourse = degrees >= 0 && degrees <= 360; // the schema knows no other; the CSV keeps all
      if (speed !== null || hasCourse) {
        text += '<extensions><gpxtpx:TrackPointExtension>';
        if (speed !== null) text += `<gpxtpx:speed>${speed}</gpxtpx:speed>`;
        if (hasCourse) text += `<gpxtpx:course>${plainTextAt(chunk, HEADING, i)}</gpxtpx:course>`;
        text += '</gpxtpx:TrackPointExtension></extensions>';
      }
      text += '</trkpt>\n';
    }
    yield text;
  }
  yield '</trkseg>\n</trk>\n</gpx>\n';
}

function isGpxNumber(driveNo: number | null): boolean {
  return driveNo !== null && Number.isSafeInteger(driveNo) && driveNo >= 0; // xsd:nonNegativeInteger
}

/** The schema's longitudes end before 180: the meridian is written from its other side. */
function gpxLongitude(points: PointColumns, index: number): string {
  const text = plainTextAt(points, LNG, index) ?? '';
  return points.numberAt(LNG, index) === 180 ? `-${text}` : text;
}

const kmlOpen =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">\n<Document>\n';

/**
 * KML 2.2: a gx:Track where every point written has a time, else a LineString. An absent altitude is left out,
 * never written as 0. Speeds and headings are in the CSV and GPX.
 */
export function* writeTrackKml(trip: WrittenTrip, points: PointSource, range: CutRange): Generator<string> {
  const isInside = createCut(trip, range);
  const title = xmlText(titleOf(trip));
  yield `${kmlOpen}<name>${title}</name>\n<Placemark>\n<name>${title}</name>\n`;
  if (trip.hasPointTimes && everyTimed(points, isInside)) {
    yield '<gx:Track>\n<altitudeMode>clampToGround</altitudeMode>\n';
    yield* eachPoint(points, isInside, (chunk, i) => `<when>${timeTextAt(chunk, i)}</when>\n`);
    yield* eachPoint(points, isInside, (chunk, i) => `<gx:coord>${kmlPosition(chunk, i, ' ')}</gx:coord>\n`);
    yield '</gx:Track>\n';
  } else {
    yield kmlTimeSpan(trip);
    yield '<LineString>\n<tessellate>1</tessellate>\n<coordinates>\n';
    yield* eachPoint(points, isInside, (chunk, i) => `${kmlPosition(chunk, i, ',')}\n`);
    yield '</coordinates>\n</LineString>\n';
  }
  yield '</Placemark>\n</Document>\n</kml>\n';
}

function everyTimed(points: PointSource, isInside: ReturnType<typeof createCut>): boolean {
  for (const chunk of points()) {
    for (let i = 0; i < chunk.count; i++) {
      if (isInside(chunk, i) && Number.isNaN(timeMsAt(chunk, i))) return false;
    }
  }
  return true;
}

function* eachPoint(
  points: PointSource,
  isInside: ReturnType<typeof createCut>,
  write: (chunk: PointColumns, index: number) => string,
): Generator<string> {
  for (const chunk of points()) {
    let text = '';
    for (let i = 0; i < chunk.count; i++) if (isInside(chunk, i)) text += write(chunk, i);
    yield text;
  }
}

function kmlPosition(points: PointColumns, index: number, separator: string): string {
  const altitude = plainTextAt(points, ALTITUDE, index);
  const flat = `${plainTextAt(points, LNG, index)}${separator}${plainTextAt(points, LAT, index)}`;
  return altitude === null ? flat : `${flat}${separator}${altitude}`;
}

function kmlTimeSpan(trip: WrittenTrip): string {
  if (trip.startedAtMs === null && trip.endedAtMs === null) return '';
  const begin = trip.startedAtMs === null ? '' : `<begin>${new Date(trip.startedAtMs).toISOString()}</begin>`;
  const end = trip.endedAtMs === null ? '' : `<end>${new Date(trip.endedAtMs).toISOString()}</end>`;
  return `<TimeSpan>${begin}${end}</TimeSpan>\n`;
}

/** RFC 7946: a Feature with a LineString (a Point when there is one point, null when none). Times beside it. */
export function* writeTrackGeoJson(
  trip: WrittenTrip,
  points: PointSource,
  range: CutRange,
): Generator<string> {
  const isInside = createCut(trip, range);
  let count = 0;
  for (const chunk of points()) for (let i = 0; i < chunk.count; i++) if (isInside(chunk, i)) count++;
  const kmhText = createKmhText(trip);
  yield `{"type":"Feature","id":${JSON.stringify(trip.tripId)},"geometry":`;
  if (count === 0) yield 'null';
  else {
    yield count === 1 ? '{"type":"Point","coordinates":' : '{"type":"LineString","coordinates":[\n';
    yield* jsonItems(points, isInside, (chunk, i) => {
      const altitude = jsonTextAt(chunk, ALTITUDE, i);
      const flat = `[${jsonTextAt(chunk, LNG, i)},${jsonTextAt(chunk, LAT, i)}`;
      return altitude === 'null' ? `${flat}]` : `${flat},${altitude}]`;
    });
    yield count === 1 ? '}' : ']}';
  }
  const { tripId, psn, cameraName, driveNo, name } = trip;
  const facts = JSON.stringify({ tripId, psn, cameraName, driveNo, name, datum: 'WGS 84' });
  yield `,\n"properties":${facts.slice(0, -1)},"times":[\n`;
  yield* jsonItems(points, isInside, (chunk, i) => jsonString(timeTextAt(chunk, i)));
  yield '],"headingsDeg":[\n';
  yield* jsonItems(points, isInside, (chunk, i) => jsonTextAt(chunk, HEADING, i));
  yield '],"speedsKmh":[\n';
  yield* jsonItems(points, isInside, (chunk, i) => jsonSpeed(chunk, i, kmhText));
  yield ']}}\n';
}

/** The command line's own form (`track --format json`): null where absent. */
export function* writeTrackJson(trip: WrittenTrip, points: PointSource, range: CutRange): Generator<string> {
  const isInside = createCut(trip, range);
  const kmhText = createKmhText(trip);
  yield `{"tripId":${JSON.stringify(trip.tripId)},"psn":${JSON.stringify(trip.psn)},"points":[\n`;
  yield* jsonItems(
    points,
    isInside,
    (chunk, i) =>
      `{"t":${jsonString(timeTextAt(chunk, i))},"lat":${jsonTextAt(chunk, LAT, i)},` +
      `"lng":${jsonTextAt(chunk, LNG, i)},"headingDeg":${jsonTextAt(chunk, HEADING, i)},` +
      `"speedKmh":${jsonSpeed(chunk, i, kmhText)}}`,
  );
  yield ']}\n';
}

function* jsonItems(
  points: PointSource,
  isInside: ReturnType<typeof createCut>,
  write: (chunk: PointColumns, index: number) => string,
): Generator<string> {
  let isFirst = true;
  for (const chunk of points()) {
    let text = '';
    for (let i = 0; i < chunk.count; i++) {
      if (!isInside(chunk, i)) continue;
      text += isFirst ? write(chunk, i) : `,\n${write(chunk, i)}`;
      isFirst = false;
    }
    yield text;
  }
}

function jsonString(text: string | null): string {
  return text === null ? 'null' : `"${text}"`; // times hold nothing to escape
}

function jsonSpeed(points: PointColumns, index: number, kmhText: ReturnType<typeof createKmhText>): string {
  const text = kmhText(points, index);
  if (text === null) return 'null';
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? text : jsonTextAt(points, SPEED, index);
}

/** What to call a trip: its own title, else its camera and trip number. */
export function titleOf(trip: WrittenTrip): string {
  if (trip.name !== null && trip.name !== '') return trip.name;
  const camera = trip.cameraName ?? trip.psn ?? 'Unknown camera';
  return trip.driveNo === null ? camera : `${camera}, trip ${trip.driveNo}`;
}

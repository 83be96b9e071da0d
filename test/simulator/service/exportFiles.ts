/** The files of a GPS export, exactly as section 4.3 rules 6 to 8. */
import type { Camera, Simulation } from '../simulation.ts';
import { dayMs, toTimestamp } from '../world/localTime.ts';
import type { TrackPoint } from '../world/trips.ts';
import { writeZip } from './zip.ts';

export interface ExportTrack {
  readonly camera: Camera;
  readonly driveNo: number;
  readonly points: readonly TrackPoint[];
}

export interface ExportRange {
  readonly fromDay: number;
  readonly toDay: number;
  /** Nothing newer than the job: what `estimatedPoints` promised is what the archive holds. */
  readonly untilMs: number;
}

/** Whole UTC days: a trip over midnight is cut there. */
export function exportTracks(
  simulation: Simulation,
  cameras: readonly Camera[],
  range: ExportRange,
): ExportTrack[] {
  const fromMs = range.fromDay * dayMs;
  const toMs = (range.toDay + 1) * dayMs - 1;
  const tracks: ExportTrack[] = [];
  for (const camera of cameras) {
    for (const trip of simulation.tripBook.between(camera.vehicle, fromMs, toMs, range.untilMs)) {
      const points = simulation.tripBook
        .points(camera.vehicle, trip, Math.min(toMs, range.untilMs))
        .filter((point) => point.tMs >= fromMs);
      if (points.length > 0) tracks.push({ camera, driveNo: trip.driveNo, points });
    }
  }
  return tracks;
}

function csvText(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function toCsv(tracks: readonly ExportTrack[], isAdditive: boolean): string {
  const lines = [`psn,carName,datetime,lat,lng,drive_no,heading,speedKmh${isAdditive ? ',satellites' : ''}`];
  for (const { camera, driveNo, points } of tracks) {
    const start = `${camera.psn},${csvText(camera.name)}`;
    for (const point of points) {
      const speed = point.speedKmh === null ? '' : point.speedKmh.toFixed(1);
      lines.push(
        `${start},${toTimestamp(point.tMs)},${point.latitude.toFixed(6)},${point.longitude.toFixed(6)},` +
          `${driveNo},${point.headingDeg},${speed}${isAdditive ? ',9' : ''}`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

function xmlText(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function toGpx(tracks: readonly ExportTrack[]): string {
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<gpx version="1.1" creator="Fleet Dashcam Cloud" xmlns="http://www.topografix.com/GPX/1/1" ' +
      'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">\n',
  ];
  for (const { camera, driveNo, points } of tracks) {
    parts.push(`<trk><name>${xmlText(camera.name)} #${driveNo}</name><trkseg>\n`);
    for (const point of points) {
      const speed =
        point.speedKmh === null
          ? ''
          : `<extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>${(point.speedKmh / 3.6).toFixed(2)}</gpxtpx:speed>` +
            '</gpxtpx:TrackPointExtension></extensions>';
      parts.push(
        `<trkpt lat="${point.latitude.toFixed(6)}" lon="${point.longitude.toFixed(6)}">` +
          `<time>${toTimestamp(point.tMs)}</time>${speed}</trkpt>\n`,
      );
    }
    parts.push('</trkseg></trk>\n');
  }
  parts.push('</gpx>\n');
  return parts.join('');
}

function toKml(tracks: readonly ExportTrack[]): string {
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>\n',
  ];
  for (const { camera, driveNo, points } of tracks) {
    const coordinates = points
      .map((point) => `${point.longitude.toFixed(6)},${point.latitude.toFixed(6)}`)
      .join(' ');
    parts.push(
      `<Placemark><name>${xmlText(camera.name)} #${driveNo}</name>` +
        `<LineString><coordinates>${coordinates}</coordinates></LineString></Placemark>\n`,
    );
  }
  parts.push('</Document></kml>\n');
  return parts.join('');
}

export interface ArchiveOrder {
  readonly cameras: readonly Camera[];
  readonly format: 'gpx' | 'csv' | 'kml';
  readonly packaging: 'single' | 'perDevice';
  readonly range: ExportRange;
  readonly isAdditive: boolean;
}

/** null when there is nothing to export: the job then has no download (section 2.7). */
export function buildArchive(simulation: Simulation, order: ArchiveOrder): Buffer | null {
  const write = (tracks: readonly ExportTrack[]): Buffer => {
    if (order.format === 'csv') return Buffer.from(toCsv(tracks, order.isAdditive));
    return Buffer.from(order.format === 'gpx' ? toGpx(tracks) : toKml(tracks));
  };
  const byCamera = order.cameras.map((camera) => ({
    camera,
    tracks: exportTracks(simulation, [camera], order.range),
  }));
  if (byCamera.every(({ tracks }) => tracks.length === 0)) return null;
  const entries =
    order.packaging === 'single'
      ? [{ name: `export.${order.format}`, content: write(byCamera.flatMap(({ tracks }) => tracks)) }]
      : byCamera.map(({ camera, tracks }) => ({
          // A name may hold anything; only what would make a folder is replaced.
          name: `camera-${camera.name.replace(/[\\/]/g, '_')}-${camera.psn}.${order.format}`,
          content: write(tracks),
        }));
  return writeZip(entries, order.range.untilMs);
}

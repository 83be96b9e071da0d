import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

const startMs = Date.UTC(2026, 2, 14, 16, 0, 0);

/** Rows of one trip as the API's CSV states them: one point a second, driving east from `lng`. */
export function csvRows(psn: string, carName: string, driveNo: number, points: number, lng = 4.89): string[] {
  return Array.from({ length: points }, (_, index) => {
    const time = new Date(startMs + driveNo * 3_600_000 + index * 1000).toISOString().replace('.000Z', 'Z');
    const speed = index % 10 === 0 ? '' : (30 + (index % 20)).toFixed(1);
    return `${psn},${carName},${time},52.370${index % 10},${(lng + index * 0.0001).toFixed(6)},${driveNo},90,${speed}`;
  });
}

export const csvHeader = 'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh';

/** A zip of named texts, packed as the cloud packs its exports. */
export async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(text), name, { mtime: new Date(startMs) });
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** A completed per-device export of two cameras, with two rows that can't be kept. */
export function smallExport(): Promise<Buffer> {
  return zipOf({
    'camera-Van 12-P12.csv': [
      csvHeader,
      ...csvRows('P12', 'Van 12', 1, 60),
      ...csvRows('P12', 'Van 12', 2, 60),
      'P12,Van 12,2026-03-14T20:00:00Z,0,0,2,0,0',
      'P12,Van 12,not a time,52.1,4.3,2,0,0',
    ].join('\n'),
    'camera-Van 7-P7.csv': [csvHeader, ...csvRows('P7', 'Van 7', 5, 80, 4.95)].join('\n'),
  });
}

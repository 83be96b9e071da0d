/** The header of an export's CSV: which column holds what. Formats section 4: by name, any order, any extras. */
import { ReaderRefusal } from './reader.ts';
import { refusals } from './reasons.ts';

export const csvFields = [
  'psn',
  'cameraName',
  'time',
  'lat',
  'lng',
  'driveNo',
  'heading',
  'speed',
  'altitude',
] as const;
export type CsvField = (typeof csvFields)[number];

// Lower-cased, trimmed names. The first of each is the export's own; the others are what people rename it to.
const names: Readonly<Record<string, CsvField>> = {
  psn: 'psn',
  carname: 'cameraName',
  datetime: 'time',
  lat: 'lat',
  latitude: 'lat',
  lng: 'lng',
  lon: 'lng',
  longitude: 'lng',
  drive_no: 'driveNo',
  heading: 'heading',
  speedkmh: 'speed',
  altitudem: 'altitude',
};
const required: readonly [CsvField, string][] = [
  ['time', 'datetime'],
  ['lat', 'lat'],
  ['lng', 'lng'],
];

/** Column index of each field, -1 where the file has none. */
export interface CsvColumns {
  readonly index: Readonly<Record<CsvField, number>>;
  readonly count: number;
  /** Names of columns that are not kept. */
  readonly ignored: readonly string[];
}

/** Finds the columns. Throws ReaderRefusal where one that is needed is missing or stands twice. */
export function parseCsvHeader(headerNames: readonly string[], line: number): CsvColumns {
  const index: Record<CsvField, number> = {
    psn: -1,
    cameraName: -1,
    time: -1,
    lat: -1,
    lng: -1,
    driveNo: -1,
    heading: -1,
    speed: -1,
    altitude: -1,
  };
  const ignored: string[] = [];
  const where = `line ${line}`;
  headerNames.forEach((name, column) => {
    const key = name.trim().toLowerCase();
    const field = Object.hasOwn(names, key) ? names[key] : undefined;
    if (field === undefined) ignored.push(name.trim());
    else if (index[field] >= 0) throw new ReaderRefusal(where, `${refusals.csvTwiceColumn} ${key}`);
    else index[field] = column;
  });
  for (const [field, name] of required) {
    if (index[field] < 0) throw new ReaderRefusal(where, `${refusals.csvNoColumn} ${name}`);
  }
  return { index, count: headerNames.length, ignored };
}

/** Does the file look like an export's CSV in this delimiter? */
export function hasRequiredColumns(headerNames: readonly string[]): boolean {
  const present = new Set(headerNames.map((name) => names[name.trim().toLowerCase()]));
  return required.every(([field]) => present.has(field));
}

/** The export's own layout, in its own order, with nothing more: the one that the quick path reads. */
export function isPlainLayout(columns: CsvColumns): boolean {
  const { index, count } = columns;
  return (
    index.psn === 0 &&
    index.cameraName === 1 &&
    index.time === 2 &&
    index.lat === 3 &&
    index.lng === 4 &&
    index.driveNo === 5 &&
    index.heading === 6 &&
    ((count === 8 && index.speed === 7) || count === 7)
  );
}

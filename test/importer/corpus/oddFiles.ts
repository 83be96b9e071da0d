/** Small files with every oddity that the readers know, for tests that cut, mutate and compare them. */
import { makeExport } from './exportFiles.ts';
import { SeededRandom } from './random.ts';

export type Format = 'csv' | 'gpx' | 'kml';

const csvHeads = [
  'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh',
  'psn,carName,datetime,lat,lng,drive_no,heading',
  'speedKmh,heading,lng,lat,datetime,drive_no,psn,note,carName',
];
const oddFields: Readonly<Record<string, readonly string[]>> = {
  psn: ['P1', 'P1', 'P1', 'P2', '', '"P""3"', ' P1 '],
  carName: ['Van', 'Van', '"Van 1, North"', '"a\r\nb"', '', 'Vän 😀', 'x"y', '"open'],
  datetime: [
    '',
    'noon',
    '2025-02-30T00:00:00Z',
    '2025-03-03 05:00:07',
    '2025-03-03T05:00:00.25Z',
    '2025-03-03T24:00:00Z',
    '2025-03-03T06:00:03+01:00',
    '1970-01-01T00:00:00Z',
    '2025-03-03T05:00:05.1234567Z',
    '2025-03-03T05:00:06.123456Z',
  ],
  lat: [
    '',
    '91',
    '0',
    '-0.0',
    'NaN',
    '52.0161803988749894848',
    '1e1',
    '-52.5',
    '52',
    '.5',
    '9e99',
    '52.123456789',
    '52.1234567891',
    '90',
    '90.0000001',
  ],
  lng: [
    '',
    '181',
    '0',
    '-0',
    'Infinity',
    '4.30000000000000000001',
    '0x10',
    '-179.9999',
    '+4.3',
    '180',
    '180.5',
  ],
  drive_no: ['1', '1', '2', '', '01', 'x', '1.5', '-1'],
  heading: ['', '360', '359.99', '-1', 'N', '90.123456789012345678', '400', '0', '12.50'],
  speedKmh: ['', '0', '0.0', '400', '400.1', '-5', 'fast', '12.345678', '1e1'],
  note: ['', 'x', '"a ""quoted"" note"', '"line\nbreak"'],
};

/** Rows mostly plain and in order, each field odd with the given chance; line ends mixed. */
export function oddCsv(seed: number, rows = 60, oddness = 0.06): Buffer {
  const random = new SeededRandom(seed);
  const head = csvHeads[random.below(10) < 6 ? 0 : random.below(csvHeads.length)]!;
  const end = random.pick(['\r\n', '\n']);
  const lines: string[] = [];
  let second = 0;
  for (let i = 0; i < rows; i++) {
    if (random.next() > 0.05) second++;
    const plain: Record<string, string> = {
      psn: 'P1',
      carName: 'Van',
      datetime: new Date(Date.UTC(2025, 2, 3, 5) + second * 1000).toISOString().replace('.000', ''),
      lat: (52 + random.next()).toFixed(6),
      lng: (4 + random.next()).toFixed(random.below(8)),
      drive_no: '1',
      heading: String(random.below(360)),
      speedKmh: (random.next() * 100).toFixed(1),
      note: '',
    };
    const fields = head
      .split(',')
      .map((name) => (random.next() < oddness ? random.pick(oddFields[name]!) : plain[name]!));
    const line = random.next() < 0.03 ? random.pick(['', 'ragged', `${fields.join()},more`]) : fields.join();
    lines.push(line);
    if (random.next() < 0.04) lines.push(line);
  }
  const body = lines
    .map((line) => line + (random.next() < 0.05 ? random.pick(['\r', '\n', '\r\n']) : end))
    .join('');
  return Buffer.from(
    `${random.next() < 0.2 ? '\ufeff' : ''}${head}${end}${random.next() < 0.2 ? body.trimEnd() : body}`,
  );
}

/** Tracks of points that are mostly alike. */
export function oddGpx(seed: number, points = 40, oddness = 0.1): Buffer {
  const random = new SeededRandom(seed);
  const gap = random.pick(['', '\n', '\r\n    ']);
  const parts = [
    `<?xml version="1.0"?>${gap}<gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">${gap}<wpt lat="1" lon="2"/>${gap}<trk><name>a &amp; b</name><trkseg>${gap}`,
  ];
  const hasElevation = random.next() < 0.5;
  const hasExtension = random.next() < 0.7;
  const hasCount = random.next() < 0.4;
  let second = 0;
  for (let i = 0; i < points; i++) {
    if (random.next() > 0.05) second++;
    const odd = (values: readonly string[], plain: string): string =>
      random.next() < oddness / 4 ? random.pick(values) : plain;
    const time = new Date(Date.UTC(2025, 2, 3, 5) + second * 1000).toISOString();
    const lat = odd(oddFields.lat!, (52 + random.next()).toFixed(6));
    const lon = odd(oddFields.lng!, (random.next() - 0.5).toFixed(6));
    const inner = [
      hasElevation ? `<ele>${odd(['', 'x', '-0', '1e1'], (random.next() * 100).toFixed(1))}</ele>` : '',
      `<time>${odd(
        oddFields.datetime!.filter((text) => !/["&<]/.test(text)),
        time,
      )}</time>`,
      hasCount ? `<sat>${odd(['&#57;', '<![CDATA[7]]>', '', 'äö'], String(random.below(12)))}</sat>` : '',
      hasExtension
        ? `<extensions><x:TrackPointExtension><x:speed>${odd(oddFields.speedKmh!, (random.next() * 30).toFixed(2))}</x:speed>${gap}<x:course>${odd(oddFields.heading!, String(random.below(360)))}</x:course></x:TrackPointExtension></extensions>`
        : '',
      random.next() < oddness / 5
        ? random.pick(['<!-- x -->', '<speed>3</speed>', '<?pi?>', '<hdop>1</hdop>'])
        : '',
    ];
    parts.push(`<trkpt lat="${lat.replaceAll('"', '')}" lon="${lon}">${inner.join(gap)}</trkpt>${gap}`);
    if (random.next() < 0.03) parts.push(`</trkseg>${gap}<trkseg>`);
    if (random.next() < 0.02) parts.push('</trkseg></trk><trk><src>BB007F123457</src><trkseg>');
  }
  parts.push(`</trkseg></trk>${gap}</gpx>${gap}`);
  return Buffer.from(parts.join(''));
}

/** Lines and a gx:Track. */
export function oddKml(seed: number, points = 60, oddness = 0.06): Buffer {
  const random = new SeededRandom(seed);
  const parts = [
    '<?xml version="1.0"?>\n<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>\n',
  ];
  const oddTuples = [
    '',
    'x',
    '4,',
    '0,0',
    '181,52',
    '4,52,high',
    '4,5<!-- -->2',
    '4,5&#50;',
    '<![CDATA[4,52]]>',
    '-0.0,52',
    '4.30000000000000000001,52',
    '4, 52',
    '1e1,52',
    '4,52,1,1',
  ];
  for (let line = 0; line < 3; line++) {
    parts.push(`<Placemark><name>n${line}</name><LineString><coordinates>`);
    for (let i = 0; i < points / 3; i++) {
      const plain = `${(4 + random.next()).toFixed(6)},${(52 + random.next()).toFixed(random.below(8))}${random.pick(['', ',0', ',12.5'])}`;
      parts.push(
        (random.next() < oddness ? random.pick(oddTuples) : plain) + random.pick(['\n', ' ', '\r\n  ']),
      );
    }
    parts.push(
      '</coordinates></LineString><TimeSpan><begin>2025-03-03T05:00:00Z</begin></TimeSpan></Placemark>\n',
    );
  }
  parts.push('<Placemark><gx:Track>');
  for (let i = 0; i < 5; i++)
    parts.push(`<when>2025-03-03T05:00:0${random.below(9)}Z</when><gx:coord>${4 + i} 52 ${i}</gx:coord>`);
  parts.push('</gx:Track></Placemark></Document></kml>\n');
  return Buffer.from(parts.join(''));
}

export function oddFile(format: Format, seed: number, points = 50): Buffer {
  return (format === 'csv' ? oddCsv : format === 'gpx' ? oddGpx : oddKml)(seed, points);
}

/** One small real-looking export in each format. */
export const plainFiles = makeExport({ points: 24, cameras: 2, pointsPerTrip: 12, seed: 3 });

const snippets = [
  '"',
  ',',
  '\r',
  '\n',
  '\0',
  '<',
  '>',
  '&',
  ';',
  ']]>',
  '/',
  '-',
  '.',
  '0',
  '9'.repeat(20),
  '\ufeff',
  '<!--',
  '<![CDATA[',
  '<a>',
  '</trkpt>',
  'e',
  '\xff',
];

/** A file with one to four injuries: bytes flipped, cut out, doubled or put in. */
export function mutated(source: Buffer, random: SeededRandom): Buffer {
  let bytes = source;
  for (let injuries = 1 + random.below(4); injuries > 0 && bytes.length > 0; injuries--) {
    const at = random.below(bytes.length);
    const length = 1 + random.below(random.next() < 0.2 ? 200 : 4);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    switch (random.below(5)) {
      case 0: {
        bytes = Buffer.from(bytes);
        bytes[at] = random.below(256);
        break;
      }
      case 1:
        bytes = Buffer.concat([before, after.subarray(length)]);
        break;
      case 2:
        bytes = Buffer.concat([before, after.subarray(0, length), after]);
        break;
      case 3:
        bytes = Buffer.concat([before, Buffer.from(random.pick(snippets), 'latin1'), after]);
        break;
      default:
        bytes = random.next() < 0.3 ? before : bytes;
    }
  }
  return bytes;
}

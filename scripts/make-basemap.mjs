// Makes assets/basemap/ from the npm package world-atlas (Natural Earth, public domain) and scripts/basemap-*.
// Run by hand when either changes: node scripts/make-basemap.mjs. The outcome is committed and is the same every time. (lakes.json there is written by hand.)
import fs from 'node:fs';
import path from 'node:path';
import { feature, mergeArcs, meshArcs } from 'topojson-client';
import { root } from './runtime.mjs';

const outFolder = path.join(root, 'assets', 'basemap');
const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const atlas = (level) => readJson(path.join(root, 'node_modules', 'world-atlas', `countries-${level}.json`));

/** Bytes of numbers, 7 bits each, lowest first; signed ones zigzag. Read by renderer/features/map/basemapData.ts. */
class Output {
  bytes = [];
  unsigned(value) {
    let left = value;
    while (left >= 128) {
      this.bytes.push((left % 128) + 128);
      left = Math.floor(left / 128);
    }
    this.bytes.push(left);
  }
  signed(value) {
    this.unsigned(value >= 0 ? value * 2 : -value * 2 - 1);
  }
}

/** Land as one outline (no seams between countries), borders once each. */
function packOutlines(topology) {
  const countries = topology.objects.countries;
  const head = Buffer.alloc(36);
  head.write('EDB1', 0, 'latin1');
  const { scale, translate } = topology.transform;
  [...scale, ...translate].forEach((value, i) => head.writeDoubleLE(value, 4 + i * 8));
  const output = new Output();
  output.unsigned(topology.arcs.length);
  output.unsigned(topology.arcs.reduce((sum, arc) => sum + arc.length, 0));
  for (const arc of topology.arcs) {
    output.unsigned(arc.length);
    for (const [dx, dy] of arc) {
      output.signed(dx);
      output.signed(dy);
    }
  }
  const land = mergeArcs(topology, countries.geometries);
  output.unsigned(land.arcs.length);
  for (const polygon of land.arcs) {
    output.unsigned(polygon.length);
    for (const ring of polygon) {
      output.unsigned(ring.length);
      for (const arc of ring) output.signed(arc);
    }
  }
  const borders = meshArcs(topology, countries, (a, b) => a !== b).arcs.flat();
  output.unsigned(borders.length);
  for (const arc of borders) output.signed(arc);
  return Buffer.concat([head, Buffer.from(output.bytes)]);
}

/** A ring whose longitudes run on over the 180th meridian instead of jumping. */
function unwrap(ring) {
  let previous = ring[0][0];
  return ring.map(([lng, lat]) => {
    previous = lng + 360 * Math.round((previous - lng) / 360);
    return [previous, lat];
  });
}

/** Area and centroid of a ring of [lng, lat], in squeezed degrees: good enough to place a name. */
function ringCentre(jumping) {
  const ring = unwrap(jumping);
  let [area, x, y] = [0, 0, 0];
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const cross = ring[j][0] * ring[i][1] - ring[i][0] * ring[j][1];
    area += cross / 2;
    x += (ring[j][0] + ring[i][0]) * cross;
    y += (ring[j][1] + ring[i][1]) * cross;
  }
  const centre = [x / (6 * area), y / (6 * area)];
  return { area: Math.abs(area) * Math.cos((centre[1] * Math.PI) / 180), centre };
}

const round = (value) => Math.round(value * 100) / 100;

/** A name for each country in the middle of its largest part; larger countries are named from farther away. */
function countryLabels(topology, moved) {
  const rows = [];
  for (const { properties, geometry } of feature(topology, topology.objects.countries).features) {
    if (!geometry) continue;
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    const largest = polygons.map(([outer]) => ringCentre(outer)).sort((a, b) => b.area - a.area)[0];
    const rank = [150, 40, 12, 3, 0.5].findIndex((least) => largest.area >= least);
    const [lng, lat] = moved[properties.name] ?? largest.centre;
    const wrapped = ((((lng + 180) % 360) + 360) % 360) - 180;
    rows.push([properties.name, round(wrapped), round(lat), rank < 0 ? 5 : rank]);
  }
  return rows.sort((a, b) => a[3] - b[3] || (a[0] < b[0] ? -1 : 1));
}

fs.mkdirSync(outFolder, { recursive: true });
const levels = { '110m': atlas('110m'), '50m': atlas('50m'), '10m': atlas('10m') };
for (const [level, topology] of Object.entries(levels)) {
  const file = path.join(outFolder, `outlines-${level}.bin`);
  const bytes = packOutlines(topology);
  fs.writeFileSync(file, bytes);
  console.log(path.basename(file), bytes.length);
}
const names = readJson(path.join(root, 'scripts', 'basemap-names.json'));
const places = fs
  .readFileSync(path.join(root, 'scripts', 'basemap-places.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [name, latitude, longitude, rank] = line.split(',');
    return [name, Number(longitude), Number(latitude), Number(rank)];
  });
const labels = {
  country: countryLabels(levels['50m'], names.countryLabelPlaces),
  place: places,
  lake: names.lake,
  sea: names.sea,
};
// One row a line: a change of one name is a change of one line.
const text = `{${Object.entries(labels)
  .map(
    ([kind, rows]) => `\n${JSON.stringify(kind)}:[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`,
  )
  .join(',')}\n}\n`;
fs.writeFileSync(path.join(outFolder, 'labels.json'), text);
console.log('labels.json', text.length);

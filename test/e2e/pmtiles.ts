/**
 * Writes PMTiles archives (specification version 3) with vector tiles, from the specifications alone: independent of
 * the libraries that read them in the app.
 */
import zlib from 'node:zlib';

export type Degrees = readonly [lng: number, lat: number];
export interface MapFeature {
  readonly kind: 'point' | 'line' | 'polygon';
  /** A polygon's last corner is not its first again. */
  readonly at: readonly Degrees[];
  readonly properties: Readonly<Record<string, string | number>>;
}
/** Features by layer of the tile schema. */
export type MapLayers = Readonly<Record<string, readonly MapFeature[]>>;

export interface ArchiveOptions {
  readonly layers: MapLayers;
  /** Tiles are written where this box is: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number];
  readonly maxZoom: number;
  /** Tiles that each level has at most, around the middle of the box. */
  readonly mostTilesAcross?: number;
  readonly compression?: 'none' | 'gzip';
  /** Two directories below the root, as large archives have them, instead of one root that holds all. */
  readonly hasLeaves?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  while (value >= 128) {
    bytes.push((value % 128) | 128);
    value = Math.floor(value / 128);
  }
  bytes.push(value);
  return bytes;
}
const zigzag = (value: number) => (value < 0 ? -value * 2 - 1 : value * 2);
/** A protobuf field of bytes. */
const field = (number: number, bytes: readonly number[]): number[] => [
  ...varint(number * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
];
const numberField = (number: number, value: number): number[] => [...varint(number * 8), ...varint(value)];
const text = (value: string): number[] => [...Buffer.from(value)];

const extent = 4096;
const geometryTypes = { point: 1, line: 2, polygon: 3 } as const;

function tilePosition([lng, lat]: Degrees, zoom: number): [number, number] {
  const sine = Math.sin((lat * Math.PI) / 180);
  const scale = 2 ** zoom;
  return [((lng + 180) / 360) * scale, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * scale];
}

/** Commands of the vector tile specification 2.1, section 4.3. */
function geometry({ kind, at }: MapFeature, zoom: number, x: number, y: number): number[] {
  const points = at.map((one) => {
    const [px, py] = tilePosition(one, zoom);
    // Far outside of the tile only the direction matters; a real tiler would clip.
    const clamp = (value: number) => Math.round(Math.max(-20, Math.min(20, value)) * extent);
    return [clamp(px - x), clamp(py - y)] as const;
  });
  const out: number[] = [];
  let [penX, penY] = [0, 0];
  points.forEach(([px, py], i) => {
    if (i === 0) out.push(...varint(8 + 1));
    if (i === 1) out.push(...varint((points.length - 1) * 8 + 2));
    out.push(...varint(zigzag(px - penX)), ...varint(zigzag(py - penY)));
    [penX, penY] = [px, py];
  });
  if (kind === 'polygon') out.push(8 + 7);
  return out;
}

function vectorTile(layers: MapLayers, zoom: number, x: number, y: number): Buffer {
  const out: number[] = [];
  for (const [name, features] of Object.entries(layers)) {
    const keys: string[] = [];
    const values: (string | number)[] = [];
    const indexIn = <T>(list: T[], value: T) => {
      if (!list.includes(value)) list.push(value);
      return list.indexOf(value);
    };
    const written = features.map((feature) => {
      const tags = Object.entries(feature.properties).flatMap(([key, value]) => [
        ...varint(indexIn(keys, key)),
        ...varint(indexIn(values, value)),
      ]);
      return field(2, [
        ...field(2, tags),
        ...numberField(3, geometryTypes[feature.kind]),
        ...field(4, geometry(feature, zoom, x, y)),
      ]);
    });
    out.push(
      ...field(3, [
        ...numberField(15, 2),
        ...field(1, text(name)),
        ...written.flat(),
        ...keys.flatMap((key) => field(3, text(key))),
        ...values.flatMap((value) =>
          field(4, typeof value === 'string' ? field(1, text(value)) : numberField(5, value)),
        ),
        ...numberField(5, extent),
      ]),
    );
  }
  return Buffer.from(out);
}

/** Position of a tile in the order of the archive: levels one after the other, each along a Hilbert curve. */
function tileId(zoom: number, x: number, y: number): number {
  let id = 0;
  for (let level = 0; level < zoom; level++) id += 4 ** level;
  for (let side = 2 ** (zoom - 1); side >= 1; side /= 2) {
    const right = Math.floor(x / side) % 2;
    const lower = Math.floor(y / side) % 2;
    id += side * side * ((3 * right) ^ lower);
    if (lower === 0) {
      if (right === 1) {
        x = side - 1 - (x % side);
        y = side - 1 - (y % side);
      }
      [x, y] = [y % side, x % side];
    }
    x %= side;
    y %= side;
  }
  return id;
}

interface Entry {
  readonly id: number;
  readonly offset: number;
  readonly length: number;
  readonly run: number;
}

/** A directory: all steps of ids, then all runs, lengths and offsets. */
function directoryOf(entries: readonly Entry[]): Buffer {
  return Buffer.from([
    ...varint(entries.length),
    ...entries.flatMap(({ id }, i) => varint(id - (entries[i - 1]?.id ?? 0))),
    ...entries.flatMap(({ run }) => varint(run)),
    ...entries.flatMap(({ length }) => varint(length)),
    // 0: right after the entry before; else the offset plus one.
    ...entries.flatMap(({ offset }, i) => varint(i === 0 ? offset + 1 : 0)),
  ]);
}

/** An archive of vector tiles, one after the other. */
export function writePmtiles(options: ArchiveOptions): Buffer {
  const { layers, bounds, maxZoom, mostTilesAcross = 3, compression = 'gzip' } = options;
  const pack = (bytes: Buffer) => (compression === 'gzip' ? zlib.gzipSync(bytes) : bytes);
  const tiles: { id: number; bytes: Buffer }[] = [];
  for (let zoom = 0; zoom <= maxZoom; zoom++) {
    const [west, north] = tilePosition([bounds[0], bounds[3]], zoom);
    const [east, south] = tilePosition([bounds[2], bounds[1]], zoom);
    const range = (from: number, to: number) => {
      const [first, last] = [Math.floor(from), Math.floor(to)];
      const middle = Math.floor((first + last) / 2);
      const reach = Math.floor(mostTilesAcross / 2);
      return [Math.max(first, middle - reach), Math.min(last, middle + reach)] as const;
    };
    const [fromX, toX] = range(west, east);
    const [fromY, toY] = range(north, south);
    for (let x = fromX; x <= toX; x++) {
      for (let y = fromY; y <= toY; y++) {
        tiles.push({ id: tileId(zoom, x, y), bytes: pack(vectorTile(layers, zoom, x, y)) });
      }
    }
  }
  tiles.sort((a, b) => a.id - b.id);
  let offset = 0;
  const offsets = tiles.map(({ bytes }) => {
    const at = offset;
    offset += bytes.length;
    return at;
  });
  const entries = tiles.map(({ id, bytes }, i) => ({
    id,
    offset: offsets[i] ?? 0,
    length: bytes.length,
    run: 1,
  }));
  let leaves = Buffer.alloc(0);
  let root = pack(directoryOf(entries));
  if (options.hasLeaves) {
    const half = Math.ceil(entries.length / 2);
    const parts = [entries.slice(0, half), entries.slice(half)].map((part) => pack(directoryOf(part)));
    leaves = Buffer.concat(parts);
    root = pack(
      directoryOf(
        parts.map((bytes, i) => ({
          id: entries[i * half]?.id ?? 0,
          offset: i === 0 ? 0 : (parts[0]?.length ?? 0),
          length: bytes.length,
          run: 0, // a directory, not a tile
        })),
      ),
    );
  }
  const metadata = pack(Buffer.from(JSON.stringify(options.metadata ?? {})));
  const header = Buffer.alloc(127);
  header.write('PMTiles', 'latin1');
  header[7] = 3;
  const rootAt = header.length;
  const metadataAt = rootAt + root.length;
  const leavesAt = metadataAt + metadata.length;
  const tilesAt = leavesAt + leaves.length;
  const sections = [
    [rootAt, root.length],
    [metadataAt, metadata.length],
    [leavesAt, leaves.length],
    [tilesAt, offset],
    [tiles.length, tiles.length],
    [tiles.length, 0],
  ];
  sections.flat().forEach((value, i) => {
    if (i < 11) header.writeBigUInt64LE(BigInt(value), 8 + i * 8);
  });
  header[96] = 1; // clustered
  header[97] = compression === 'gzip' ? 2 : 1;
  header[98] = header[97];
  header[99] = 1; // vector tiles
  header[100] = 0;
  header[101] = maxZoom;
  bounds.forEach((degrees, i) => header.writeInt32LE(Math.round(degrees * 1e7), 102 + i * 4));
  header[118] = Math.min(10, maxZoom);
  header.writeInt32LE(Math.round(((bounds[0] + bounds[2]) / 2) * 1e7), 119);
  header.writeInt32LE(Math.round(((bounds[1] + bounds[3]) / 2) * 1e7), 123);
  return Buffer.concat([header, root, metadata, leaves, ...tiles.map(({ bytes }) => bytes)]);
}

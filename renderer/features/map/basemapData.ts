import { toWorldX, toWorldY } from './projection.ts';

/**
 * The bundled outline map of one level of detail, ready to draw: arcs as world coordinates in one array, cut into
 * blocks with boxes; land as rings of arcs (~i is arc i backwards); borders as arcs.
 */
export interface BasemapOutlines {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Arc i owns points arcOffsets[i] .. arcOffsets[i + 1] - 1. */
  readonly arcOffsets: Uint32Array;
  /** Arc i owns blocks blockOffsets[i] .. ; a block reaches from blockFirst to blockLast, both included. */
  readonly blockOffsets: Uint32Array;
  readonly blockFirst: Uint32Array;
  readonly blockLast: Uint32Array;
  readonly blockBoxes: Float64Array;
  readonly polygons: readonly (readonly Int32Array[])[];
  readonly polygonBoxes: Float64Array;
  readonly borders: Int32Array;
}

const magic = 0x31_42_44_45; // "EDB1", see scripts/make-basemap.mjs
const blockSize = 48;

/** Reads a file made by scripts/make-basemap.mjs. Throws on anything else. Pure. */
export function decodeOutlines(bytes: ArrayBuffer): BasemapOutlines {
  const view = new DataView(bytes);
  if (view.byteLength < 36 || view.getUint32(0, true) !== magic) throw new Error('not a basemap file');
  const [scaleX, scaleY, west, south] = [4, 12, 20, 28].map((at) => view.getFloat64(at, true));
  const input = new Uint8Array(bytes);
  let at = 36;
  const unsigned = (): number => {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = input[at++];
      if (byte === undefined) throw new Error('the basemap file is cut off');
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  };
  const signed = (): number => {
    const value = unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const arcCount = unsigned();
  const pointCount = unsigned();
  const x = new Float32Array(pointCount);
  const y = new Float32Array(pointCount);
  const arcOffsets = new Uint32Array(arcCount + 1);
  const blockOffsets = new Uint32Array(arcCount + 1);
  const first: number[] = [];
  const last: number[] = [];
  let point = 0;
  for (let arc = 0; arc < arcCount; arc++) {
    arcOffsets[arc] = point;
    const from = point;
    let stepX = 0;
    let stepY = 0;
    for (let left = unsigned(); left > 0; left--, point++) {
      stepX += signed();
      stepY += signed();
      x[point] = toWorldX(stepX * (scaleX ?? 0) + (west ?? 0));
      y[point] = toWorldY(stepY * (scaleY ?? 0) + (south ?? 0));
    }
    blockOffsets[arc] = first.length;
    for (let start = from; start < point - 1 || start === from; start += blockSize) {
      first.push(start);
      last.push(Math.min(start + blockSize, point - 1));
    }
  }
  arcOffsets[arcCount] = point;
  blockOffsets[arcCount] = first.length;
  const blockBoxes = new Float64Array(first.length * 4);
  first.forEach((from, block) => {
    let [w, n, e, s] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = from; i <= (last[block] ?? from); i++) {
      w = Math.min(w, x[i] ?? 0);
      e = Math.max(e, x[i] ?? 0);
      n = Math.min(n, y[i] ?? 0);
      s = Math.max(s, y[i] ?? 0);
    }
    blockBoxes.set([w, n, e, s], block * 4);
  });
  const polygons: Int32Array[][] = [];
  for (let count = unsigned(); count > 0; count--) {
    const rings: Int32Array[] = [];
    for (let left = unsigned(); left > 0; left--) rings.push(Int32Array.from({ length: unsigned() }, signed));
    polygons.push(rings);
  }
  const borders = Int32Array.from({ length: unsigned() }, signed);
  const polygonBoxes = new Float64Array(polygons.length * 4);
  polygons.forEach((rings, polygon) => {
    let [w, n, e, s] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const arc of rings[0] ?? []) {
      const index = arc < 0 ? ~arc : arc;
      for (let block = blockOffsets[index] ?? 0; block < (blockOffsets[index + 1] ?? 0); block++) {
        w = Math.min(w, blockBoxes[block * 4] ?? w);
        n = Math.min(n, blockBoxes[block * 4 + 1] ?? n);
        e = Math.max(e, blockBoxes[block * 4 + 2] ?? e);
        s = Math.max(s, blockBoxes[block * 4 + 3] ?? s);
      }
    }
    polygonBoxes.set([w, n, e, s], polygon * 4);
  });
  return {
    x,
    y,
    arcOffsets,
    blockOffsets,
    blockFirst: Uint32Array.from(first),
    blockLast: Uint32Array.from(last),
    blockBoxes,
    polygons,
    polygonBoxes,
    borders,
  };
}

/** A name on the map. `rank` 0 (largest) to 5: from which zoom on it is shown. */
export interface BasemapLabel {
  readonly kind: 'country' | 'place' | 'lake' | 'sea';
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly rank: number;
}

type LabelRows = Readonly<
  Record<BasemapLabel['kind'], readonly (readonly [string, number, number, number])[]>
>;

/** Labels from labels.json: rows of name, longitude, latitude, rank by kind. Pure. */
export function decodeLabels(rows: LabelRows): BasemapLabel[] {
  const labels: BasemapLabel[] = [];
  for (const kind of ['sea', 'country', 'lake', 'place'] as const) {
    for (const [name, lng, lat, rank] of rows[kind] ?? []) {
      labels.push({ kind, name, x: toWorldX(lng), y: toWorldY(lat), rank });
    }
  }
  return labels.sort((a, b) => a.rank - b.rank);
}

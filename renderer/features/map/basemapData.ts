import { toWorldX, toWorldY } from './projection.ts';

/** A closed outline: arcs in order (~i is arc i backwards), each shifted by whole worlds so that the line runs on. */
export interface BasemapRing {
  readonly arcs: Int32Array;
  readonly shifts: Int8Array;
  /** 0, or ±1 for an outline around a pole: it ends one world beside its start. */
  readonly turn: number;
}

/**
 * The bundled outline map of one level of detail, ready to draw: arcs as world coordinates in one array, cut into
 * blocks with boxes; land as rings of arcs; borders as arcs. Arcs that cross the 180th meridian are unwrapped.
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
  readonly polygons: readonly (readonly BasemapRing[])[];
  readonly polygonBoxes: Float64Array;
  readonly borders: Int32Array;
}

const magic = 0x31_42_44_45; // "EDB1", see scripts/make-basemap.mjs
const blockSize = 48;
/** World y below which nothing is looked at; land around the south pole reaches there. */
export const southernEnd = 1.5;

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
      const wrapped = toWorldX(stepX * (scaleX ?? 0) + (west ?? 0));
      x[point] = point === from ? wrapped : wrapped + Math.round((x[point - 1] ?? 0) - wrapped);
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
  const firstX = (arc: number) => x[(arc < 0 ? (arcOffsets[~arc + 1] ?? 0) - 1 : arcOffsets[arc]) ?? 0] ?? 0;
  const lastX = (arc: number) => firstX(~arc);
  /** Places each arc so that it starts where the one before ended. */
  function toRing(arcs: Int32Array): BasemapRing {
    const shifts = new Int8Array(arcs.length);
    for (let i = 1; i < arcs.length; i++) {
      const end = lastX(arcs[i - 1] ?? 0) + (shifts[i - 1] ?? 0);
      shifts[i] = Math.round(end - firstX(arcs[i] ?? 0));
    }
    const last = arcs.length - 1;
    const turn = Math.round(lastX(arcs[last] ?? 0) + (shifts[last] ?? 0) - firstX(arcs[0] ?? 0));
    return { arcs, shifts, turn };
  }
  const polygons: BasemapRing[][] = [];
  for (let count = unsigned(); count > 0; count--) {
    const rings: BasemapRing[] = [];
    for (let left = unsigned(); left > 0; left--) {
      rings.push(toRing(Int32Array.from({ length: unsigned() }, signed)));
    }
    polygons.push(rings);
  }
  const borders = Int32Array.from({ length: unsigned() }, signed);
  const polygonBoxes = new Float64Array(polygons.length * 4);
  polygons.forEach((rings, polygon) => {
    let [w, n, e, s] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const ring of rings) {
      ring.arcs.forEach((arc, i) => {
        const index = arc < 0 ? ~arc : arc;
        const shift = ring.shifts[i] ?? 0;
        for (let block = blockOffsets[index] ?? 0; block < (blockOffsets[index + 1] ?? 0); block++) {
          w = Math.min(w, (blockBoxes[block * 4] ?? w) + shift);
          n = Math.min(n, blockBoxes[block * 4 + 1] ?? n);
          e = Math.max(e, (blockBoxes[block * 4 + 2] ?? e) + shift);
          s = Math.max(s, blockBoxes[block * 4 + 3] ?? s);
        }
      });
      if (ring.turn !== 0) s = southernEnd; // the land around the pole is filled down to there
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

export type LabelRows = Readonly<
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

/** A lake's shore in world coordinates: x, y, x, y, ... */
export interface BasemapLake {
  readonly shore: Float64Array;
  readonly box: Float64Array;
}

/** Lakes from lakes.json: rings of [longitude, latitude]. Pure. */
export function decodeLakes(rings: readonly (readonly (readonly [number, number])[])[]): BasemapLake[] {
  return rings.map((ring) => {
    const shore = Float64Array.from(ring.flatMap(([lng, lat]) => [toWorldX(lng), toWorldY(lat)]));
    const xs = ring.map(([lng]) => toWorldX(lng));
    const ys = ring.map(([, lat]) => toWorldY(lat));
    return {
      shore,
      box: Float64Array.of(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)),
    };
  });
}

import { decodeChunk, encodeChunk, PointColumns } from '../../cache/trackCodec.ts';
import { unneeded } from './simplify.ts';

/** Raised with every change of the bytes and of which vertices are in them: older lines are computed again. */
const layoutVersion = 2;
const headerBytes = 5;
const gapBit = 0x80;

/**
 * A trip's vertices up to one level: `marks[i]` is the coarsest level that needs vertex i (see `levelOf`) with
 * a flag where the line to it is a gap (`isGapMark`); `points` are the recorded points themselves.
 */
export interface PackedLine {
  readonly marks: Uint8Array;
  readonly points: PointColumns;
}

export const levelOf = (mark: number): number => mark & ~gapBit;
export const isGapMark = (mark: number): boolean => (mark & gapBit) !== 0;

// Used again for every line.
const kept = new PointColumns(1024);
let marks = new Uint8Array(4096);

/** Takes the needed points out of a whole track and packs them: version, count (u32 LE), marks, a track chunk. */
export function encodeLine(points: PointColumns, levels: Uint8Array, isBreak: Uint8Array): Uint8Array {
  kept.clear();
  if (marks.length < points.count) marks = new Uint8Array(points.count * 2);
  for (let i = 0; i < points.count; i++) {
    if (levels[i] === unneeded) continue;
    marks[kept.count] = levels[i]! | (isBreak[i] === 1 ? gapBit : 0);
    copyPoint(points, i, kept);
  }
  const chunk = encodeChunk(kept);
  const out = new Uint8Array(headerBytes + kept.count + chunk.length);
  out[0] = layoutVersion;
  new DataView(out.buffer).setUint32(1, kept.count, true);
  out.set(marks.subarray(0, kept.count), headerBytes);
  out.set(chunk, headerBytes + kept.count);
  return out;
}

/** Unpacks a line; null for bytes of another version or damaged ones, which the caller computes anew. */
export function decodeLine(data: Uint8Array, into: PointColumns): PackedLine | null {
  if (data.length < headerBytes || data[0] !== layoutVersion) return null;
  const count = new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(1, true);
  into.clear();
  try {
    decodeChunk(data.subarray(headerBytes + count), into);
  } catch {
    return null;
  }
  if (into.count !== count) return null;
  return { marks: data.subarray(headerBytes, headerBytes + count), points: into };
}

function copyPoint(from: PointColumns, index: number, to: PointColumns): void {
  const v = from.values;
  const d = from.decimals;
  const at = to.add(
    v[0]![index]!,
    d[0]![index]!,
    v[1]![index]!,
    d[1]![index]!,
    v[2]![index]!,
    d[2]![index]!,
    v[3]![index]!,
    d[3]![index]!,
    v[4]![index]!,
    d[4]![index]!,
    v[5]![index]!,
    d[5]![index]!,
  );
  if (from.literals.size === 0) return;
  for (let c = 0; c < v.length; c++) {
    const text = from.literalAt(c, index);
    if (text !== undefined) to.setLiteral(c, at, text);
  }
}

import type { ClipBytes } from './byteSource.ts';
import { emptyRow, GSensorRows, isPlace, type GpsRow, type SkipCounts } from './columns.ts';

export interface NovatekReading {
  readonly rows: readonly GpsRow[];
  readonly gSensor: GSensorRows;
  /** Blocks of a layout that is known, with or without a fix. */
  readonly known: number;
}

/** Fields of a block, as byte offsets from its size dword; little-endian (formats.md section 2). */
interface Layout {
  readonly signature: number;
  readonly time: number;
  readonly floats: number;
  readonly acceleration: number | null;
}
const layouts: readonly Layout[] = [
  { signature: 0x28, time: 0x10, floats: 0x2c, acceleration: 0x3c },
  { signature: 0x48, time: 0x30, floats: 0x4c, acceleration: null },
];
/** All known fields lie in here. */
const blockBytes = 0x60;
/** A block a second for two days. */
const mostBlocks = 172_800;
const countsPerG = 256;
const knotKmh = 1.852;

/**
 * `moov/gps `: an index of blocks, one about every second, each with its own signature. `utcMs` is what the
 * block states, which may be local time (see clockOfNovatek). Null: no block of it is of a known layout.
 */
export function readNovatek(bytes: ClipBytes, index: Buffer, skips: SkipCounts): NovatekReading | null {
  if (index.length < 8) return null;
  const count = Math.min(index.readUInt32BE(4), Math.floor((index.length - 8) / 8), mostBlocks);
  const rows: GpsRow[] = [];
  const gSensor = new GSensorRows();
  let known = 0;
  for (let i = 0; i < count; i++) {
    const offset = index.readUInt32BE(8 + i * 8);
    const sizeBytes = index.readUInt32BE(12 + i * 8);
    const where = `gps block ${i + 1}`;
    if (offset === 0 && sizeBytes === 0) continue; // not yet used
    const block = bytes.read(offset, Math.min(sizeBytes, blockBytes));
    if (block.length < 16 || block.toString('latin1', 4, 12) !== 'freeGPS ') {
      skips.add(where, 'a GPS block that is not where the index says');
      continue;
    }
    const clipMs = i * 1000;
    const layout = layouts.find((one) => isSigned(block, one.signature));
    if (!layout) {
      // Without a fix the signature is a V or nothing.
      const unfixed = layouts.find((one) => block[one.signature] === 0x56);
      if (unfixed) readAcceleration(block, unfixed, clipMs, gSensor);
      if (unfixed || layouts.every((one) => isBlank(block, one.signature))) known++;
      else skips.add(where, 'a GPS block of an unknown layout');
      continue;
    }
    known++;
    const row = readBlock(block, layout, clipMs);
    if (row) rows.push(row);
    else skips.add(where, 'a GPS block with a time or place that can not be');
    readAcceleration(block, layout, clipMs, gSensor);
  }
  return known === 0 ? null : { rows, gSensor, known };
}

/** Three zeros are of a camera without a sensor: at rest it would measure gravity. */
function readAcceleration(block: Buffer, layout: Layout, clipMs: number, gSensor: GSensorRows): void {
  const { acceleration } = layout;
  if (acceleration === null || block.length < acceleration + 12) return;
  const axis = (n: number): number => block.readInt32LE(acceleration + n * 4) / countsPerG;
  if (axis(0) !== 0 || axis(1) !== 0 || axis(2) !== 0) gSensor.push(clipMs, axis(0), axis(1), axis(2));
}

function isSigned(block: Buffer, at: number): boolean {
  return block.length >= at + 4 && /^A[NS][EW]\0$/.test(block.toString('latin1', at, at + 4));
}

function isBlank(block: Buffer, at: number): boolean {
  return block.length >= at + 4 && block.readUInt32LE(at) === 0;
}

function readBlock(block: Buffer, layout: Layout, clipMs: number): GpsRow | null {
  if (block.length < layout.floats + 16) return null;
  const part = (n: number): number => block.readUInt32LE(layout.time + n * 4);
  const [hour, minute, second, year, month, day] = [part(0), part(1), part(2), part(3), part(4), part(5)];
  if (hour > 23 || minute > 59 || second > 60 || year > 99 || month < 1 || month > 12 || day < 1) return null;
  const midnight = Date.UTC(2000 + year, month - 1, day);
  if (new Date(midnight).getUTCDate() !== day) return null;
  const float = (n: number): number => block.readFloatLE(layout.floats + n * 4);
  const latDeg = degrees(float(0)) * (block[layout.signature + 1] === 0x53 ? -1 : 1);
  const lngDeg = degrees(float(1)) * (block[layout.signature + 2] === 0x57 ? -1 : 1);
  if (!isPlace(latDeg, lngDeg)) return null;
  const knots = float(2);
  const course = float(3);
  return {
    ...emptyRow(),
    clipMs,
    utcMs: midnight + ((hour * 60 + minute) * 60 + second) * 1000,
    latDeg,
    lngDeg,
    speedKmh: knots >= 0 && knots < 1000 ? knots * knotKmh : NaN,
    headingDeg: course >= 0 && course <= 360 ? course % 360 : NaN,
  };
}

/** DDMM.mmmm as a 32-bit float, which makes 60 of 59.9999 minutes. NaN for what is no angle. */
function degrees(value: number): number {
  if (!(value >= 0 && value < 18_100)) return NaN;
  const whole = Math.floor(value / 100);
  const minutes = value - whole * 100;
  return minutes <= 60 ? whole + minutes / 60 : NaN;
}

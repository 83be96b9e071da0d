/**
 * Writes Novatek, GoPro and CAMM telemetry for the tests, from formats.md and the formats' public descriptions
 * alone: it shares no code with the readers.
 */
import { box, fileType, movie, movieHeader, track, u16, u32 } from './clipWriter.ts';

const written = (size: number, write: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(size);
  write(bytes);
  return bytes;
};
export const f32le = (value: number): Buffer => written(4, (bytes) => bytes.writeFloatLE(value));
export const f64le = (value: number): Buffer => written(8, (bytes) => bytes.writeDoubleLE(value));
export const i32le = (value: number): Buffer => written(4, (bytes) => bytes.writeInt32LE(value));
export const i32 = (value: number): Buffer => written(4, (bytes) => bytes.writeInt32BE(value));
export const i16 = (value: number): Buffer => written(2, (bytes) => bytes.writeInt16BE(value));

/** A clip whose Novatek blocks follow `moov`; the index in there holds their places, `shift` bytes off. */
export function novatekClip(blocks: readonly Buffer[], shift = 0): Buffer {
  const index = (at: number): Buffer => {
    let offset = at;
    const entries = blocks.map((block) => {
      const entry = Buffer.concat([u32(offset + shift), u32(block.length)]);
      offset += block.length;
      return entry;
    });
    return box('gps ', u32(0x101), u32(blocks.length), ...entries);
  };
  const moovOf = (at: number): Buffer => box('moov', movieHeader(), index(at), track());
  const blocksAt = fileType.length + moovOf(0).length;
  return Buffer.concat([fileType, moovOf(blocksAt), ...blocks, box('mdat', Buffer.alloc(32))]);
}

export interface NovatekBlock {
  readonly at: number;
  readonly layout: 'A' | 'B';
  readonly signature?: string;
  /** DDMM.mmmm as a number. */
  readonly lat?: number;
  readonly lng?: number;
  readonly knots?: number;
  readonly course?: number;
  /** Counts, 256 to 1 g; layout B. */
  readonly counts?: readonly [number, number, number];
}

/** Without more said: 48° 6.5', 11° 30.25', 20 knots, course 270. */
export function novatekBlock(block: NovatekBlock): Buffer {
  const { at, layout, signature = 'ANE\0', lat = 4806.5, lng = 1130.25, knots = 20, course = 270 } = block;
  const { counts = [256, -128, 64] } = block;
  const bytes = Buffer.alloc(0x80);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.write('freeGPS ', 4, 'latin1');
  const date = new Date(at);
  const [time, signed, floats] = layout === 'B' ? [0x10, 0x28, 0x2c] : [0x30, 0x48, 0x4c];
  const parts = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), date.getUTCFullYear() - 2000, date.getUTCMonth() + 1, date.getUTCDate()]; // prettier-ignore
  parts.forEach((part, i) => bytes.writeUInt32LE(part, time + i * 4));
  bytes.write(signature, signed, 'latin1');
  [lat, lng, knots, course].forEach((value, i) => bytes.writeFloatLE(value, floats + i * 4));
  if (layout === 'B') counts.forEach((value, i) => bytes.writeInt32LE(value, 0x3c + i * 4));
  return bytes;
}

/** A clip with a telemetry track of those samples, one a second. */
export function trackClip(format: string, samples: readonly Buffer[]): Buffer {
  const sizesBytes = samples.map((sample) => sample.length);
  const moovOf = (at: number): Buffer =>
    movie(
      track(),
      track({
        handler: 'meta',
        timescale: 1000,
        times: [[samples.length, 1000]],
        entry: box(format, Buffer.alloc(8)),
        sizesBytes,
        chunkOffsets: [at],
      }),
    );
  const at = fileType.length + moovOf(0).length + 8;
  return Buffer.concat([fileType, moovOf(at), box('mdat', ...samples)]);
}

/** One key-length-value item of GPMF, padded to 4 bytes. */
export function gpmfItem(key: string, type: string, struct: number, repeat: number, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(key),
    Buffer.from(type, 'latin1'),
    Buffer.from([struct]),
    u16(repeat),
    data,
    Buffer.alloc((4 - (data.length % 4)) % 4),
  ]);
}
/** An item that holds others. */
export function gpmfNest(key: string, ...items: readonly Buffer[]): Buffer {
  const data = Buffer.concat(items);
  return gpmfItem(key, '\0', 1, data.length, data);
}

/** A CAMM packet: u16 reserved, u16 type, little-endian. */
export const cammPacket = (type: number, ...data: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([0, 0, type, 0]), ...data]);

/** GPS seconds, which count 18 leap seconds since 2017. */
export const gpsSeconds = (utcMs: number): number => (utcMs - Date.UTC(1980, 0, 6)) / 1000 + 18;

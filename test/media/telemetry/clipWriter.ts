/**
 * Writes clips for the tests, from formats.md and ISO 14496-12 alone: it shares no code with the reader, so that
 * a misreading can't be in both.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const u16 = (value: number): Buffer => Buffer.from([(value >> 8) & 255, value & 255]);
export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
export const u64 = (value: number | bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};

/** A box with a 32-bit size. */
export function box(type: string, ...payload: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(
    payload.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  );
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}
/** The same with a 64-bit size. */
export function largeBox(type: string, ...payload: Buffer[]): Buffer {
  const body = Buffer.concat(payload);
  return Buffer.concat([u32(1), Buffer.from(type, 'latin1'), u64(body.length + 16), body]);
}

export interface TrackOptions {
  readonly handler?: string;
  readonly timescale?: number;
  /** [count, delta] pairs of stts. */
  readonly times?: readonly (readonly [number, number])[];
  readonly format?: string;
  readonly entry?: Buffer;
  readonly sizesBytes?: readonly number[];
  readonly chunkOffsets?: readonly number[];
  readonly samplesPerChunk?: number;
  readonly keyFrames?: readonly number[] | null;
  readonly width?: number;
  readonly height?: number;
  readonly stbl?: Buffer;
  /** [count, offset] pairs of ctts. */
  readonly shifts?: readonly (readonly [number, number])[];
  /** [duration in the movie, media time] pairs of elst. */
  readonly edits?: readonly (readonly [number, number])[];
}

/** A visual sample entry with its decoder configuration. */
export function videoEntry(format: string, width: number, height: number, config: Buffer): Buffer {
  return box(
    format,
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(width),
    u16(height),
    u32(0x480000),
    u32(0x480000),
    Buffer.alloc(4),
    u16(1),
    Buffer.alloc(32),
    u16(24),
    u16(0xffff),
    config,
  );
}

export const avcConfig = box('avcC', Buffer.from([1, 0x64, 0x00, 0x1f, 0xff, 0xe0, 0]));

export function track(options: TrackOptions = {}): Buffer {
  const { handler = 'vide', timescale = 30_000, times = [[30, 1000]], width = 1920, height = 1080 } = options;
  const samples = times.reduce((sum, [count]) => sum + count, 0);
  const sizes = options.sizesBytes ?? Array<number>(samples).fill(100);
  const offsets = options.chunkOffsets ?? [0];
  const entry = options.entry ?? videoEntry(options.format ?? 'avc1', width, height, avcConfig);
  const stbl =
    options.stbl ??
    box(
      'stbl',
      box('stsd', u32(0), u32(1), entry),
      box('stts', u32(0), u32(times.length), ...times.flatMap(([count, delta]) => [u32(count), u32(delta)])),
      ...(options.keyFrames === null
        ? []
        : [
            box(
              'stss',
              u32(0),
              u32((options.keyFrames ?? [1]).length),
              ...(options.keyFrames ?? [1]).map(u32),
            ),
          ]),
      ...(options.shifts
        ? [
            box(
              'ctts',
              u32(0x0100_0000),
              u32(options.shifts.length),
              ...options.shifts.flatMap(([count, by]) => [u32(count), u32(by)]),
            ),
          ]
        : []),
      box('stsz', u32(0), u32(0), u32(sizes.length), Buffer.concat(sizes.map(u32))),
      box('stsc', u32(0), u32(1), u32(1), u32(options.samplesPerChunk ?? Math.max(1, sizes.length)), u32(1)),
      box('stco', u32(0), u32(offsets.length), ...offsets.map(u32)),
    );
  const duration = times.reduce((sum, [count, delta]) => sum + count * delta, 0);
  return box(
    'trak',
    box(
      'tkhd',
      u32(3),
      Buffer.alloc(8),
      u32(1),
      Buffer.alloc(4),
      u32(0),
      Buffer.alloc(52),
      u32(width * 65_536),
      u32(height * 65_536),
    ),
    ...(options.edits
      ? [
          box(
            'edts',
            box(
              'elst',
              u32(0),
              u32(options.edits.length),
              ...options.edits.flatMap(([duration, at]) => [u32(duration), u32(at), u32(0x10000)]),
            ),
          ),
        ]
      : []),
    box(
      'mdia',
      box('mdhd', u32(0), Buffer.alloc(8), u32(timescale), u32(duration), Buffer.alloc(4)),
      box('hdlr', u32(0), u32(0), handler, Buffer.alloc(13)),
      box('minf', stbl),
    ),
  );
}

export const movieHeader = (timescale = 1000, duration = 1000): Buffer =>
  box('mvhd', u32(0), Buffer.alloc(8), u32(timescale), u32(duration), Buffer.alloc(80));

export const fileType = box('ftyp', 'isom', u32(512), 'isomavc1');
export const movie = (...tracks: Buffer[]): Buffer => box('moov', movieHeader(), ...tracks);

/** A whole small clip: `ftyp`, the given boxes, `moov` with one H.264 track, `mdat`. */
export const clip = (...between: Buffer[]): Buffer =>
  Buffer.concat([fileType, ...between, movie(track()), box('mdat', Buffer.alloc(64, 0xaa))]);

/** The vendor's `free` box: ordinary boxes, then zeros. */
export const vendorFree = (...children: Buffer[]): Buffer => box('free', ...children, Buffer.alloc(64));

/** `$...*hh` around the text. */
export function sentence(text: string): string {
  let checksum = 0;
  for (const character of text) checksum ^= character.charCodeAt(0);
  return `$${text}*${checksum.toString(16).padStart(2, '0').toUpperCase()}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
/** Degrees as DDMM.mmmmm (width 2) or DDDMM.mmmmm (3), by whole hundred-thousandths of a minute. */
export function nmeaAngle(degrees: number, width: number): string {
  const units = Math.round(Math.abs(degrees) * 60 * 100_000);
  const minutes = units % 6_000_000;
  const whole = (units - minutes) / 6_000_000;
  const text = String(minutes).padStart(7, '0');
  return `${String(whole).padStart(width, '0')}${text.slice(0, 2)}.${text.slice(2)}`;
}

export interface Fix {
  readonly latDeg: number;
  readonly lngDeg: number;
  readonly knots?: number;
  readonly headingDeg?: number;
}

export function rmc(utcMs: number, fix: Fix | null, talker = 'GP'): string {
  const at = new Date(utcMs);
  const time = `${two(at.getUTCHours())}${two(at.getUTCMinutes())}${two(at.getUTCSeconds())}.${String(at.getUTCMilliseconds()).padStart(3, '0')}`;
  const date = `${two(at.getUTCDate())}${two(at.getUTCMonth() + 1)}${two(at.getUTCFullYear() % 100)}`;
  const place = fix
    ? `A,${nmeaAngle(fix.latDeg, 2)},${fix.latDeg < 0 ? 'S' : 'N'},${nmeaAngle(fix.lngDeg, 3)},${fix.lngDeg < 0 ? 'W' : 'E'},${fix.knots ?? ''},${fix.headingDeg ?? ''}`
    : 'V,,,,,,';
  return sentence(`${talker}RMC,${time},${place},${date},,,${fix ? 'A' : 'N'}`);
}

/** One record of `3gf `, in counts. */
export function motionRecord(ms: number, vertical: number, lateral: number, longitudinal: number): Buffer {
  const bytes = Buffer.alloc(10);
  bytes.writeUInt32BE(ms >>> 0, 0);
  bytes.writeInt16BE(vertical, 4);
  bytes.writeInt16BE(lateral, 6);
  bytes.writeInt16BE(longitudinal, 8);
  return bytes;
}

/** A folder for files of a test. */
export class ClipFolder {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clips-'));
  private count = 0;
  write(bytes: Buffer, name = `clip-${++this.count}.mp4`): string {
    const file = path.join(this.folder, name);
    fs.writeFileSync(file, bytes);
    return file;
  }
  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Text encodings, turned into UTF-8 on the way in, so that every reader has one encoding to deal with. */

/** A byte that occurs in no UTF-8 text: stands for input that means nothing, so that readers refuse it in place. */
const invalid = 0xff;

/** Turns pushed bytes of some encoding into UTF-8; may keep a few bytes back until the next call. */
export interface Transcoder {
  push(chunk: Uint8Array): Uint8Array;
  /** What was kept back at the end of the file. */
  end(): Uint8Array;
}

/** UTF-16; an unpaired surrogate or a half unit becomes a byte that is not UTF-8. */
export class Utf16Transcoder implements Transcoder {
  private readonly isBigEndian: boolean;
  private half = -1;
  private lead = -1;

  constructor(isBigEndian: boolean) {
    this.isBigEndian = isBigEndian;
  }

  push(chunk: Uint8Array): Uint8Array {
    // A unit becomes at most 3 bytes; a pair of units 4; one kept-back surrogate may come out as 1.
    const out = new Uint8Array((chunk.length >> 1) * 3 + 8);
    let at = 0;
    for (let i = 0; i < chunk.length; i++) {
      if (this.half < 0) {
        this.half = chunk[i]!;
        continue;
      }
      const unit = this.isBigEndian ? (this.half << 8) | chunk[i]! : (chunk[i]! << 8) | this.half;
      this.half = -1;
      if (this.lead >= 0) {
        if (unit >= 0xdc00 && unit <= 0xdfff) {
          const point = 0x10000 + ((this.lead - 0xd800) << 10) + (unit - 0xdc00);
          this.lead = -1;
          out[at++] = 0xf0 | (point >> 18);
          out[at++] = 0x80 | ((point >> 12) & 0x3f);
          out[at++] = 0x80 | ((point >> 6) & 0x3f);
          out[at++] = 0x80 | (point & 0x3f);
          continue;
        }
        this.lead = -1;
        out[at++] = invalid;
      }
      if (unit >= 0xd800 && unit <= 0xdbff) this.lead = unit;
      else if (unit >= 0xdc00 && unit <= 0xdfff) out[at++] = invalid;
      else at = putUtf8(out, at, unit);
    }
    return out.subarray(0, at);
  }

  end(): Uint8Array {
    const isBroken = this.half >= 0 || this.lead >= 0;
    return isBroken ? Uint8Array.of(invalid) : new Uint8Array(0);
  }
}

/** A table of 256 code points; -1 becomes a byte that is not UTF-8. */
export class SingleByteTranscoder implements Transcoder {
  private readonly table: Int32Array;

  constructor(table: Int32Array) {
    this.table = table;
  }

  push(chunk: Uint8Array): Uint8Array {
    const out = new Uint8Array(chunk.length * 3);
    let at = 0;
    for (let i = 0; i < chunk.length; i++) {
      const point = this.table[chunk[i]!]!;
      if (point < 0) out[at++] = invalid;
      else at = putUtf8(out, at, point);
    }
    return out.subarray(0, at);
  }

  end(): Uint8Array {
    return new Uint8Array(0);
  }
}

/** Writes a code point below 0x10000 and returns the place after it. */
function putUtf8(out: Uint8Array, at: number, point: number): number {
  if (point < 0x80) out[at++] = point;
  else if (point < 0x800) {
    out[at++] = 0xc0 | (point >> 6);
    out[at++] = 0x80 | (point & 0x3f);
  } else {
    out[at++] = 0xe0 | (point >> 12);
    out[at++] = 0x80 | ((point >> 6) & 0x3f);
    out[at++] = 0x80 | (point & 0x3f);
  }
  return at;
}

function tableOf(pointOf: (byte: number) => number): Int32Array {
  return Int32Array.from({ length: 256 }, (_, byte) => pointOf(byte));
}

// Bytes 0x80 to 0x9f of windows-1252; -1 is undefined there.
const windows1252High = [
  0x20ac, -1, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, -1,
  0x017d, -1, -1, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
  0x0153, -1, 0x017e, 0x0178,
];

/** A transcoder for the name of a single-byte encoding that we know; null for others. */
export function singleByteTranscoder(name: string): Transcoder | null {
  switch (name.toLowerCase()) {
    case 'us-ascii':
    case 'ascii':
      return new SingleByteTranscoder(tableOf((byte) => (byte < 0x80 ? byte : -1)));
    case 'iso-8859-1':
    case 'iso8859-1':
    case 'latin1':
      return new SingleByteTranscoder(tableOf((byte) => byte));
    case 'windows-1252':
    case 'cp1252':
      return new SingleByteTranscoder(
        tableOf((byte) => (byte >= 0x80 && byte < 0xa0 ? windows1252High[byte - 0x80]! : byte)),
      );
    default:
      return null;
  }
}

/**
 * Length (1 to 4) of the UTF-8 sequence at `at`; 0 where it is not valid (overlong, surrogate, beyond U+10FFFF);
 * -1 where it could be valid but [at, to) ends inside it.
 */
export function utf8Length(bytes: Uint8Array, at: number, to: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + 1 < to) {
    const second = bytes[at + 1]!;
    const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) return 0;
  }
  for (let k = 2; k < length && at + k < to; k++) if ((bytes[at + k]! & 0xc0) !== 0x80) return 0;
  return at + length > to ? -1 : length;
}

/** Whether bytes [from, to) are whole, valid UTF-8. */
export function isUtf8(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to;) {
    if (bytes[at]! < 0x80) {
      at++;
      continue;
    }
    const length = utf8Length(bytes, at, to);
    if (length <= 0) return false;
    at += length;
  }
  return true;
}

/** A view of the same memory with Node's fast text functions. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Bytes [from, to), known to be UTF-8, as text. */
export function utf8Text(bytes: Uint8Array, from: number, to: number): string {
  return asBuffer(bytes).toString('utf8', from, to);
}

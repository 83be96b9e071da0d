/**
 * The text of a KML `coordinates` element: tuples `longitude,latitude[,altitude]` between white space, of any
 * number, cut anywhere. Plain tuples are read in place; all others are collected and read by the general rules.
 */
import { ABSENT, ALTITUDE, HEADING, LAT, LNG, POW10, SPEED, TIME, chunkPoints } from '../cache/trackCodec.ts';
import { newPlainResult, readPlainNumber } from './plainBytes.ts';
import type { TrackCursor } from './trackCursor.ts';

const maxTupleBytes = 256;
/** No plain tuple with the white space after it is longer; nearer to the end the general way is taken. */
const maxPlainTuple = 96;

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Takes one tuple that is not plain; `tail` bytes of the piece at hand come after it. */
export type TupleHandler = (bytes: Uint8Array, length: number, lineFeedsAfter: () => number) => void;

export class KmlCoordinates {
  /** Read by the quick way. */
  points = 0;
  /** Line feeds passed by `quick` since last asked. */
  lines = 0;
  isQuick = true;
  private readonly takeTuple: TupleHandler;
  private readonly cursorOf: () => TrackCursor | null;
  private readonly held = new Uint8Array(maxTupleBytes + 1);
  private heldLength = 0;
  private readonly result = newPlainResult();

  constructor(takeTuple: TupleHandler, cursorOf: () => TrackCursor | null) {
    this.takeTuple = takeTuple;
    this.cursorOf = cursorOf;
  }

  /** Tuples straight from the tokenizer's bytes; see QuickPath. */
  quick(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    // The tuple that the end of the chunk before cut, and the first of a line, which begins its track, go the
    // general way, if they are all plain characters.
    if (this.heldLength > 0 || this.cursorOf() === null) {
      let lines = 0;
      if (this.heldLength === 0) {
        while (at < to && isSpace(bytes[at]!)) if (bytes[at++] === 0x0a) lines++;
      }
      let end = at;
      while (end < to && isTupleByte(bytes[end]!)) end++;
      if (end === to || !isSpace(bytes[end]!)) return from;
      this.lines += lines;
      this.hold(bytes, at, end);
      this.finish(() => -this.lines);
      at = end;
    }
    return this.readPlain(bytes, at, to);
  }

  /** A piece of the text by way of the tokenizer. */
  text(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    while (at < to) {
      if (isSpace(bytes[at]!)) {
        if (this.heldLength > 0) this.finish(() => countLineFeeds(bytes, at, to));
        at++;
        continue;
      }
      if (this.heldLength === 0 && this.isQuick) {
        const { lines } = this;
        const next = this.readPlain(bytes, at, to);
        // The tokenizer has counted these lines already.
        this.lines = lines;
        if (next > at) {
          at = next;
          continue;
        }
      }
      const start = at;
      while (at < to && !isSpace(bytes[at]!)) at++;
      this.hold(bytes, start, at);
    }
  }

  /** The element has ended. */
  end(): void {
    if (this.heldLength > 0) this.finish(() => 0);
  }

  private hold(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to && this.heldLength <= maxTupleBytes; at++) {
      this.held[this.heldLength++] = bytes[at]!;
    }
  }

  private finish(lineFeedsAfter: () => number): void {
    this.takeTuple(this.held, this.heldLength, lineFeedsAfter);
    this.heldLength = 0;
  }

  private readPlain(bytes: Uint8Array, start: number, to: number): number {
    const limit = to - maxPlainTuple;
    if (start > limit) return start;
    const { result } = this;
    const cursor = this.cursorOf();
    // The first point of a line goes the general way, which begins the track.
    if (cursor === null) return start;
    const { columns } = cursor;
    let at = start;
    let lines = 0;
    let kept = 0;
    let isPlain = true;
    while (isPlain && at <= limit) {
      if (columns.count === columns.capacity) columns.grow();
      const room = Math.min(columns.capacity, chunkPoints);
      const { values, decimals } = columns;
      const lngs = values[LNG]!;
      const lats = values[LAT]!;
      const altitudes = values[ALTITUDE]!;
      const lngDecimals = decimals[LNG]!;
      const latDecimals = decimals[LAT]!;
      const altitudeDecimals = decimals[ALTITUDE]!;
      const first = columns.count;
      let count = first;
      while (count < room) {
        isPlain = false;
        let newLines = 0;
        let p = at;
        for (let byte = bytes[p]!; isSpace(byte) && p < limit; byte = bytes[++p]!) {
          if (byte === 0x0a) newLines++;
        }
        if (p >= limit) break;
        p = readPlainNumber(bytes, p, result);
        if (p < 0 || bytes[p] !== 0x2c) break;
        const lng = result[0]!;
        const lngDigits = result[1]!;
        p = readPlainNumber(bytes, p + 1, result);
        if (p < 0) break;
        const lat = result[0]!;
        const latDigits = result[1]!;
        let altitude = 0;
        let altitudeDigits = ABSENT;
        if (bytes[p] === 0x2c) {
          p = readPlainNumber(bytes, p + 1, result);
          if (p < 0) break;
          altitude = result[0]!;
          altitudeDigits = result[1]!;
        }
        // The white space stays for the next turn, so that the tuple is known to be whole.
        // Other markup than an end tag may be a comment inside the tuple.
        if (!isSpace(bytes[p]!) && !(bytes[p] === 0x3c && bytes[p + 1] === 0x2f)) break;
        if (!(Math.abs(lng) <= 180 * POW10[lngDigits]!) || !(Math.abs(lat) <= 90 * POW10[latDigits]!)) break;
        if (lat === 0 && lng === 0) break;
        lngs[count] = lng;
        lngDecimals[count] = lngDigits;
        lats[count] = lat;
        latDecimals[count] = latDigits;
        altitudes[count] = altitude;
        altitudeDecimals[count] = altitudeDigits;
        count++;
        lines += newLines;
        at = p;
        isPlain = true;
      }
      for (const column of [TIME, HEADING, SPEED]) {
        values[column]!.fill(0, first, count);
        decimals[column]!.fill(ABSENT, first, count);
      }
      kept += count - first;
      columns.count = count;
      if (count >= chunkPoints) cursor.packAway();
    }
    this.points += kept;
    this.lines += lines;
    return at;
  }
}

/** Digits, signs, points and commas: what can neither end the text nor need the tokenizer's eye. */
function isTupleByte(byte: number): boolean {
  return byte >= 0x2b && byte <= 0x39 && byte !== 0x2f;
}

function countLineFeeds(bytes: Uint8Array, from: number, to: number): number {
  let lineFeeds = 0;
  for (let at = from; at < to; at++) if (bytes[at] === 0x0a) lineFeeds++;
  return lineFeeds;
}

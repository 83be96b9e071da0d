/**
 * The quick path for rows in the export's own layout. It reads a row only when every byte is as expected of a
 * plain row that goes on with the trip of the row before; anything else is left, unread, to the general path
 * (csvReader.ts), which decides all rules. Measured: about five times as fast as the general path.
 */
import { ABSENT, ALTITUDE, HEADING, LAT, LNG, POW10, SPEED, TIME, chunkPoints } from '../cache/trackCodec.ts';
import type { CsvRowScanner } from './csvRows.ts';
import { daysSince1970 } from './dateTime.ts';
import type { TrackCursor } from './trackCursor.ts';

const maxPrefix = 160;
/** No plain row is longer: a prefix and numbers of bounded length. Rows nearer to the end go the general way. */
const maxPlainRow = maxPrefix + 128;
const dateLength = 11;
/**
 * Rows in one call of the innermost function. A call that went on for a whole file would be compiled in its midst,
 * by the engine's guess of how it ends, and thrown away at its end.
 */
const rowsAtOnce = 256;

export class CsvPlainRows {
  points = 0;
  private readonly hasSpeed: boolean;
  /** Bytes that every row of the trip begins with: psn, carName and the date up to `T`. */
  private readonly prefix = new Uint8Array(maxPrefix);
  private readonly expected = new DataView(this.prefix.buffer);
  private prefixLength = 0;
  private midnight = 0;
  private driveNo = 0;
  private cursor: TrackCursor | null = null;
  private lines = 0;

  constructor(hasSpeed: boolean) {
    this.hasSpeed = hasSpeed;
  }

  get isArmed(): boolean {
    return this.prefixLength > 0;
  }

  /** Lines read since the last call. */
  takeLines(): number {
    const { lines } = this;
    this.lines = 0;
    return lines;
  }

  /** The general path has just kept this row: rows that begin like it go on with the same trip on the same day. */
  learn(bytes: Uint8Array, row: number, scanner: CsvRowScanner, cursor: TrackCursor, driveNo: number | null) {
    this.prefixLength = 0;
    const date = row + scanner.starts[2]!;
    const length = date + dateLength - row;
    // A quoted date, an empty trip number, a name over several lines or text that needs care: not plain.
    if (length > maxPrefix || driveNo === null || driveNo < 0 || driveNo > 999_999_999) return;
    if (scanner.quoting[2] !== 0 || scanner.innerBreaks > 0) return;
    for (const at of [0, 1, 2, 3, 5, 6, 8, 9]) {
      const byte = bytes[date + at]!;
      if (byte < 0x30 || byte > 0x39) return;
    }
    if (bytes[date + 4] !== 0x2d || bytes[date + 7] !== 0x2d || bytes[date + 10] !== 0x54) return;
    const digit = (at: number): number => bytes[date + at]! - 0x30;
    const year = digit(0) * 1000 + digit(1) * 100 + digit(2) * 10 + digit(3);
    // Years with a remark (pointRules.ts) are the general path's.
    if (year < 2005 || year > 2035) return;
    this.midnight = daysSince1970(year, digit(5) * 10 + digit(6), digit(8) * 10 + digit(9)) * 86400;
    this.prefix.set(bytes.subarray(row, row + length));
    this.prefixLength = length;
    this.driveNo = driveNo;
    this.cursor = cursor;
  }

  /** Reads plain rows from `at` on; returns where the first row begins that it leaves to the general path. */
  read(bytes: Uint8Array, at: number, to: number): number {
    const cursor = this.cursor!;
    const { columns } = cursor;
    const limit = to - maxPlainRow;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let isPlain = true;
    while (isPlain && at <= limit) {
      // The sink takes the content away, and may exchange the arrays, only inside packAway.
      if (columns.count === columns.capacity) columns.grow();
      const before = columns.count;
      const room = Math.min(columns.capacity, chunkPoints, before + rowsAtOnce);
      at = this.readRows(bytes, view, at, limit, room);
      const { count } = columns;
      isPlain = count === room;
      this.points += count - before;
      this.lines += count - before;
      if (count >= chunkPoints) cursor.packAway();
    }
    return at;
  }

  /** Reads until `room` is filled, `limit` is passed or a row is not plain; returns where it stopped. */
  private readRows(bytes: Uint8Array, view: DataView, at: number, limit: number, room: number): number {
    const cursor = this.cursor!;
    const { columns } = cursor;
    const { expected, prefixLength, midnight, driveNo, hasSpeed } = this;
    const lastWord = prefixLength - 4;
    const ending = expected.getInt32(lastWord, true);
    const times = columns.values[TIME]!;
    const timeDecimals = columns.decimals[TIME]!;
    const lats = columns.values[LAT]!;
    const latDecimals = columns.decimals[LAT]!;
    const lngs = columns.values[LNG]!;
    const lngDecimals = columns.decimals[LNG]!;
    const headings = columns.values[HEADING]!;
    const headingDecimals = columns.decimals[HEADING]!;
    const speeds = columns.values[SPEED]!;
    const speedDecimals = columns.decimals[SPEED]!;
    const altitudeDecimals = columns.decimals[ALTITUDE]!;
    let latest = cursor.latestSeconds;
    let count = columns.count;
    row: while (count < room && at <= limit) {
      let p = at;
      // Four bytes at a time: the prefix is a third of a row. The last four overlap: a loop for the bytes left over
      // would not run for every trip, and code compiled before it first ran is thrown away when it does.
      if (view.getInt32(p + lastWord, true) !== ending) break;
      for (let k = 0; k < lastWord; k += 4) {
        if (view.getInt32(p + k, true) !== expected.getInt32(k, true)) break row;
      }
      p += prefixLength;

      // HH:MM:SS[.f]Z,
      const h1 = bytes[p]! - 48;
      const h2 = bytes[p + 1]! - 48;
      const m1 = bytes[p + 3]! - 48;
      const m2 = bytes[p + 4]! - 48;
      const s1 = bytes[p + 6]! - 48;
      const s2 = bytes[p + 7]! - 48;
      if (h1 >>> 0 > 2 || h2 >>> 0 > 9 || m1 >>> 0 > 5 || m2 >>> 0 > 9 || s1 >>> 0 > 5 || s2 >>> 0 > 9) break;
      if (bytes[p + 2] !== 0x3a || bytes[p + 5] !== 0x3a) break;
      const hour = h1 * 10 + h2;
      if (hour > 23) break;
      let time = midnight + hour * 3600 + (m1 * 10 + m2) * 60 + s1 * 10 + s2;
      let seconds = time;
      let decimals = 0;
      p += 8;
      if (bytes[p] === 0x2e) {
        let fraction = 0;
        const first = ++p;
        for (;;) {
          const d = bytes[p]! - 48;
          if (d >>> 0 > 9) break;
          fraction = fraction * 10 + d;
          p++;
          if (p - first > 6) break row;
        }
        decimals = p - first;
        if (decimals === 0) break;
        time = time * POW10[decimals]! + fraction;
        seconds = time / POW10[decimals]!;
      }
      if (bytes[p] !== 0x5a || bytes[p + 1] !== 0x2c || !(seconds > latest)) break;
      p += 2;

      // lat,
      let isNegative = bytes[p] === 0x2d;
      if (isNegative) p++;
      let whole = bytes[p]! - 48;
      if (whole >>> 0 > 9) break;
      p++;
      let d = bytes[p]! - 48;
      if (d >>> 0 <= 9) {
        whole = whole * 10 + d;
        p++;
      }
      let lat = whole;
      let latDigits = 0;
      if (bytes[p] === 0x2e) {
        let fraction = 0;
        const first = ++p;
        for (;;) {
          d = bytes[p]! - 48;
          if (d >>> 0 > 9) break;
          fraction = fraction * 10 + d;
          p++;
          if (p - first > 9) break row;
        }
        latDigits = p - first;
        if (latDigits === 0) break;
        const scale = POW10[latDigits]!;
        lat = whole * scale + fraction;
        if (lat > 90 * scale) break;
      } else if (lat > 90) break;
      // Zero goes the general way: 0/0 and -0 have rules of their own.
      if (lat === 0 || bytes[p] !== 0x2c) break;
      if (isNegative) lat = -lat;
      p++;

      // lng,
      isNegative = bytes[p] === 0x2d;
      if (isNegative) p++;
      whole = bytes[p]! - 48;
      if (whole >>> 0 > 9) break;
      p++;
      d = bytes[p]! - 48;
      if (d >>> 0 <= 9) {
        whole = whole * 10 + d;
        p++;
        d = bytes[p]! - 48;
        if (d >>> 0 <= 9) {
          whole = whole * 10 + d;
          p++;
        }
      }
      let lng = whole;
      let lngDigits = 0;
      if (bytes[p] === 0x2e) {
        let fraction = 0;
        const first = ++p;
        for (;;) {
          d = bytes[p]! - 48;
          if (d >>> 0 > 9) break;
          fraction = fraction * 10 + d;
          p++;
          if (p - first > 9) break row;
        }
        lngDigits = p - first;
        if (lngDigits === 0) break;
        const scale = POW10[lngDigits]!;
        lng = whole * scale + fraction;
        if (lng > 180 * scale) break;
      } else if (lng > 180) break;
      if (lng === 0 || bytes[p] !== 0x2c) break;
      if (isNegative) lng = -lng;
      p++;

      // drive_no,
      let drive = 0;
      const firstDigit = p;
      for (;;) {
        d = bytes[p]! - 48;
        if (d >>> 0 > 9) break;
        drive = drive * 10 + d;
        p++;
        if (p - firstDigit > 9) break row;
      }
      if (p === firstDigit || drive !== driveNo || bytes[p] !== 0x2c) break;
      p++;

      // heading, empty or below 360
      let heading = 0;
      let headingDigits = ABSENT;
      d = bytes[p]! - 48;
      if (d >>> 0 <= 9) {
        const first = p;
        do {
          heading = heading * 10 + d;
          d = bytes[++p]! - 48;
          if (p - first > 6) break row;
        } while (d >>> 0 <= 9);
        headingDigits = 0;
        if (bytes[p] === 0x2e) {
          const point = ++p;
          for (;;) {
            d = bytes[p]! - 48;
            if (d >>> 0 > 9) break;
            heading = heading * 10 + d;
            p++;
            if (p - first > 12) break row;
          }
          headingDigits = p - point;
          if (headingDigits === 0) break;
        }
        if (heading >= 360 * POW10[headingDigits]!) break;
      }

      // speed, empty or up to 400
      let speed = 0;
      let speedDigits = ABSENT;
      if (hasSpeed) {
        if (bytes[p] !== 0x2c) break;
        p++;
        d = bytes[p]! - 48;
        if (d >>> 0 <= 9) {
          const first = p;
          do {
            speed = speed * 10 + d;
            d = bytes[++p]! - 48;
            if (p - first > 6) break row;
          } while (d >>> 0 <= 9);
          speedDigits = 0;
          if (bytes[p] === 0x2e) {
            const point = ++p;
            for (;;) {
              d = bytes[p]! - 48;
              if (d >>> 0 > 9) break;
              speed = speed * 10 + d;
              p++;
              if (p - first > 12) break row;
            }
            speedDigits = p - point;
            if (speedDigits === 0) break;
          }
          if (speed > 400 * POW10[speedDigits]!) break;
        }
      }
      if (bytes[p] === 0x0d) p++;
      if (bytes[p] !== 0x0a) break;

      times[count] = time;
      timeDecimals[count] = decimals;
      lats[count] = lat;
      latDecimals[count] = latDigits;
      lngs[count] = lng;
      lngDecimals[count] = lngDigits;
      headings[count] = heading;
      headingDecimals[count] = headingDigits;
      speeds[count] = speed;
      speedDecimals[count] = speedDigits;
      altitudeDecimals[count] = ABSENT;
      latest = seconds;
      count++;
      at = p + 1;
    }
    columns.count = count;
    cursor.latestSeconds = latest;
    return at;
  }
}

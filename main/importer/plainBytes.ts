/**
 * The plainest forms of numbers and times, for the quick paths. Both functions say -1 to anything that is not
 * exactly that form; the general parsers (decimal.ts, dateTime.ts) then decide.
 */
import { POW10 } from '../cache/trackCodec.ts';
import { daysSince1970, isCalendarDay } from './dateTime.ts';

/** Results: [0] scaled value, [1] decimals. A typed array, because a number in an object would be boxed. */
export type PlainResult = Float64Array;

export function newPlainResult(): PlainResult {
  return new Float64Array(3);
}

/**
 * [-] 1 to 6 digits [. 1 to 9 digits] at `at`. Returns the place after it, or -1 (also for minus zero). Reads at
 * most 18 bytes, which must be there.
 */
export function readPlainNumber(bytes: Uint8Array, at: number, out: PlainResult): number {
  let p = at;
  const isNegative = bytes[p] === 0x2d;
  if (isNegative) p++;
  let digit = bytes[p]! - 48;
  if (digit >>> 0 > 9) return -1;
  let value = 0;
  const first = p;
  do {
    value = value * 10 + digit;
    digit = bytes[++p]! - 48;
  } while (digit >>> 0 <= 9 && p - first < 6);
  let decimals = 0;
  if (bytes[p] === 0x2e) {
    const point = ++p;
    let fraction = 0;
    for (;;) {
      digit = bytes[p]! - 48;
      if (digit >>> 0 > 9) break;
      if (p - point === 9) return -1;
      fraction = fraction * 10 + digit;
      p++;
    }
    decimals = p - point;
    if (decimals === 0) return -1;
    value = value * POW10[decimals]! + fraction;
  } else if (digit >>> 0 <= 9) return -1;
  if (isNegative) {
    if (value === 0) return -1;
    value = -value;
  }
  out[0] = value;
  out[1] = decimals;
  return p;
}

const dateLength = 10;

/** Reads YYYY-MM-DDTHH:MM:SS[.f]Z, remembering the day, which seldom changes. */
export class PlainTimes {
  private readonly date = new Uint8Array(dateLength);
  private midnight = 0;

  /**
   * The time at `at`: out[0] scaled, out[1] decimals, out[2] seconds. Returns the place after `Z`, or -1; also
   * for years that call for a remark. Reads at most 28 bytes, which must be there.
   */
  read(bytes: Uint8Array, at: number, out: PlainResult): number {
    const { date } = this;
    let k = dateLength - 1;
    // From the back: the day changes before the month and year do.
    while (k >= 0 && bytes[at + k] === date[k]) k--;
    if (k >= 0 && !this.learn(bytes, at)) return -1;
    const h1 = bytes[at + 11]! - 48;
    const h2 = bytes[at + 12]! - 48;
    const m1 = bytes[at + 14]! - 48;
    const m2 = bytes[at + 15]! - 48;
    const s1 = bytes[at + 17]! - 48;
    const s2 = bytes[at + 18]! - 48;
    if (
      bytes[at + 10] !== 0x54 ||
      bytes[at + 13] !== 0x3a ||
      bytes[at + 16] !== 0x3a ||
      h1 >>> 0 > 2 ||
      h2 >>> 0 > 9 ||
      m1 >>> 0 > 5 ||
      m2 >>> 0 > 9 ||
      s1 >>> 0 > 5 ||
      s2 >>> 0 > 9
    ) {
      return -1;
    }
    const hour = h1 * 10 + h2;
    if (hour > 23) return -1;
    const seconds = this.midnight + hour * 3600 + (m1 * 10 + m2) * 60 + s1 * 10 + s2;
    let p = at + 19;
    if (bytes[p] === 0x5a) {
      out[0] = seconds;
      out[1] = 0;
      out[2] = seconds;
      return p + 1;
    }
    if (bytes[p] !== 0x2e) return -1;
    const point = ++p;
    let fraction = 0;
    for (;;) {
      const digit = bytes[p]! - 48;
      if (digit >>> 0 > 9) break;
      if (p - point === 6) return -1;
      fraction = fraction * 10 + digit;
      p++;
    }
    if (p === point || bytes[p] !== 0x5a) return -1;
    const scale = POW10[p - point]!;
    out[0] = seconds * scale + fraction;
    out[1] = p - point;
    out[2] = out[0] / scale;
    return p + 1;
  }

  private learn(bytes: Uint8Array, at: number): boolean {
    this.date.fill(0);
    if (bytes[at + 4] !== 0x2d || bytes[at + 7] !== 0x2d) return false;
    let number = 0;
    for (let k = 0; k < dateLength; k++) {
      if (k === 4 || k === 7) continue;
      const digit = bytes[at + k]! - 48;
      if (digit >>> 0 > 9) return false;
      number = number * 10 + digit;
    }
    const year = Math.floor(number / 10_000);
    const month = Math.floor(number / 100) % 100;
    const day = number % 100;
    if (year < 2005 || year > 2035 || !isCalendarDay(year, month, day)) return false;
    this.midnight = daysSince1970(year, month, day) * 86400;
    this.date.set(bytes.subarray(at, at + dateLength));
    return true;
  }
}

/**
 * Decimal numbers read from bytes without losing a digit: a scaled integer with its count of decimals, or the
 * text itself where a double could not carry it.
 */
import { ABSENT, LITERAL } from '../cache/trackCodec.ts';

/** Where `parseDecimal` leaves its result; reused from number to number, so that none is allocated. */
export class DecimalSlot {
  /** The number times 10 ** decimals; 0 where absent or literal. */
  value = 0;
  /** Digits after the point, 0 to 22; ABSENT or LITERAL. */
  decimals = ABSENT;
  /** Plain decimal text, where decimals is LITERAL. */
  literal: string | null = null;
  /** The source used an exponent. */
  hasExponent = false;
  /** The source used the decimal comma. */
  hasComma = false;

  clear(): void {
    this.value = 0;
    this.decimals = ABSENT;
    this.literal = null;
    this.hasExponent = false;
    this.hasComma = false;
  }
}

export const DECIMAL_OK = 0;
export const DECIMAL_EMPTY = 1;
/** Not a plain decimal number: NaN, Infinity, 0x10, 1e999, words, more than 64 characters. */
export const DECIMAL_FAULT = 2;

const maxTextLength = 64;
const maxExponent = 64;
/** More significant digits than this are not sure to survive a double. */
const maxDigits = 15;

/** Space, tab, carriage return, line feed. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}

/**
 * Reads bytes [from, to) as one decimal number (blanks around it allowed) into `slot`. Grammar:
 * [+-] digits [. digits] [e [+-] digits], at least one digit; `commaAllowed` also takes a comma as the point.
 */
export function parseDecimal(
  bytes: Uint8Array,
  from: number,
  to: number,
  slot: DecimalSlot,
  commaAllowed = false,
): number {
  slot.clear();
  while (from < to && isBlank(bytes[from]!)) from++;
  while (to > from && isBlank(bytes[to - 1]!)) to--;
  if (from === to) return DECIMAL_EMPTY;
  if (to - from > maxTextLength) return DECIMAL_FAULT;
  let at = from;
  let isNegative = false;
  const sign = bytes[at]!;
  if (sign === 0x2d || sign === 0x2b) {
    isNegative = sign === 0x2d;
    at++;
  }
  let value = 0;
  let digits = 0;
  let significant = 0;
  let decimals = 0;
  let isAfterPoint = false;
  for (; at < to; at++) {
    const byte = bytes[at]!;
    const digit = byte - 0x30;
    if (digit >= 0 && digit <= 9) {
      digits++;
      if (significant > 0 || digit > 0) significant++;
      value = value * 10 + digit;
      if (isAfterPoint) decimals++;
    } else if ((byte === 0x2e || (byte === 0x2c && commaAllowed)) && !isAfterPoint) {
      isAfterPoint = true;
      slot.hasComma = byte === 0x2c;
    } else break;
  }
  if (digits === 0) return DECIMAL_FAULT;
  let exponent = 0;
  const mantissaEnd = at;
  if (at < to) {
    const byte = bytes[at]!;
    if (byte !== 0x65 && byte !== 0x45) return DECIMAL_FAULT;
    const read = readExponent(bytes, at + 1, to);
    if (read === null) return DECIMAL_FAULT;
    exponent = read;
    slot.hasExponent = true;
  }
  decimals -= exponent;
  if (significant <= maxDigits && decimals >= 0 && decimals <= 22) {
    slot.value = isNegative ? -value : value;
    slot.decimals = decimals;
    return DECIMAL_OK;
  }
  slot.decimals = LITERAL;
  slot.literal = plainText(bytes, isNegative, from, mantissaEnd, decimals);
  return DECIMAL_OK;
}

function readExponent(bytes: Uint8Array, at: number, to: number): number | null {
  let isNegative = false;
  if (at < to && (bytes[at] === 0x2d || bytes[at] === 0x2b)) {
    isNegative = bytes[at] === 0x2d;
    at++;
  }
  if (at === to) return null;
  let exponent = 0;
  for (; at < to; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) return null;
    exponent = exponent * 10 + digit;
    if (exponent > maxExponent) return null;
  }
  return isNegative ? -exponent : exponent;
}

/** The digits of bytes [from, to) with `decimals` of them after the point (negative: zeros are added). */
function plainText(
  bytes: Uint8Array,
  isNegative: boolean,
  from: number,
  to: number,
  decimals: number,
): string {
  let digits = '';
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x30 && byte <= 0x39) digits += String.fromCharCode(byte);
  }
  if (decimals < 0) {
    digits += '0'.repeat(-decimals);
    decimals = 0;
  }
  digits = digits.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/^0+(?=\d)/, '');
  return `${isNegative ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
}

/** Dates and times read from bytes as UTC seconds since 1970, with the fraction's digits as the source wrote them. */
import { ABSENT, POW10 } from '../cache/trackCodec.ts';
import { isBlank } from './decimal.ts';

/** Where `parseDateTime` leaves its result; reused. */
export class TimeSlot {
  /** UTC seconds since 1970 times 10 ** decimals. */
  value = 0;
  /** Digits of the second's fraction, 0 to 6; ABSENT: no time. */
  decimals = ABSENT;
  year = 0;
  hasZone = true;
  isHour24 = false;
  isRounded = false;

  clear(): void {
    this.value = 0;
    this.decimals = ABSENT;
    this.year = 0;
    this.hasZone = true;
    this.isHour24 = false;
    this.isRounded = false;
  }
}

export const TIME_OK = 0;
export const TIME_EMPTY = 1;
/** Not of the form YYYY-MM-DDTHH:MM:SS[.fraction][Z or offset]. */
export const TIME_FAULT = 2;
/** 30 February, hour 25, second 61. */
export const TIME_IMPOSSIBLE = 3;
export const TIME_LEAP_SECOND = 4;
/** Outside 1900 to 2199: microseconds of it would not fit a double. */
export const TIME_YEAR = 5;

const maxFractionDigits = 6;
const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days from 1970-01-01 to a date of the proleptic Gregorian calendar. */
export function daysSince1970(year: number, month: number, day: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

/** Is there such a day? */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= daysOfMonth[month - 1]! + (month === 2 && isLeapYear ? 1 : 0);
}

/** Two digits at `at`, or -1. */
function pair(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - 0x30;
  const ones = bytes[at + 1]! - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

/**
 * Reads bytes [from, to) as a date and time into `slot`: `T`, `t` or a space between date and time, a fraction
 * after `.` or `,`, then Z, an offset (+02:00, +0200, +02) or nothing (hasZone false, taken as UTC).
 * Returns TIME_OK or what is wrong.
 */
export function parseDateTime(bytes: Uint8Array, from: number, to: number, slot: TimeSlot): number {
  slot.clear();
  while (from < to && isBlank(bytes[from]!)) from++;
  while (to > from && isBlank(bytes[to - 1]!)) to--;
  if (from === to) return TIME_EMPTY;
  if (to - from < 19 || to - from > 64) return TIME_FAULT;
  const century = pair(bytes, from);
  const yearOfCentury = pair(bytes, from + 2);
  const month = pair(bytes, from + 5);
  const day = pair(bytes, from + 8);
  const hour = pair(bytes, from + 11);
  const minute = pair(bytes, from + 14);
  const second = pair(bytes, from + 17);
  const between = bytes[from + 10]!;
  if (
    (century | yearOfCentury | month | day | hour | minute | second) < 0 ||
    bytes[from + 4] !== 0x2d ||
    bytes[from + 7] !== 0x2d ||
    (between !== 0x54 && between !== 0x74 && between !== 0x20) ||
    bytes[from + 13] !== 0x3a ||
    bytes[from + 16] !== 0x3a
  ) {
    return TIME_FAULT;
  }
  let at = from + 19;
  let fraction = 0;
  let decimals = 0;
  let isBeyond = false;
  let roundsUp = false;
  if (at < to && (bytes[at] === 0x2e || bytes[at] === 0x2c)) {
    const first = ++at;
    for (; at < to; at++) {
      const digit = bytes[at]! - 0x30;
      if (digit < 0 || digit > 9) break;
      if (decimals < maxFractionDigits) {
        fraction = fraction * 10 + digit;
        decimals++;
      } else {
        if (at - first === maxFractionDigits) roundsUp = digit >= 5;
        if (digit > 0) isBeyond = true;
      }
    }
    if (at === first) return TIME_FAULT;
  }
  let offsetSeconds = 0;
  let hasZone = true;
  if (at === to) hasZone = false;
  else if (at + 1 === to && (bytes[at] === 0x5a || bytes[at] === 0x7a)) offsetSeconds = 0;
  else {
    const offset = readOffset(bytes, at, to);
    if (offset === null) return TIME_FAULT;
    offsetSeconds = offset;
  }
  const year = century * 100 + yearOfCentury;
  if (!isCalendarDay(year, month, day) || minute > 59) return TIME_IMPOSSIBLE;
  if (hour > 23 && !(hour === 24 && minute === 0 && second === 0 && fraction === 0 && !isBeyond)) {
    return TIME_IMPOSSIBLE;
  }
  if (second > 59) return second === 60 ? TIME_LEAP_SECOND : TIME_IMPOSSIBLE;
  if (year < 1900 || year > 2199) return TIME_YEAR;
  const seconds =
    daysSince1970(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offsetSeconds;
  slot.value = seconds * POW10[decimals]! + fraction + (roundsUp ? 1 : 0);
  slot.decimals = decimals;
  slot.year = year;
  slot.hasZone = hasZone;
  slot.isHour24 = hour === 24;
  slot.isRounded = isBeyond;
  return TIME_OK;
}

/** Seconds east of UTC from +HH:MM, +HHMM or +HH. */
function readOffset(bytes: Uint8Array, at: number, to: number): number | null {
  const sign = bytes[at];
  if (sign !== 0x2b && sign !== 0x2d) return null;
  const length = to - at;
  if (length !== 3 && length !== 5 && length !== 6) return null;
  if (length === 6 && bytes[at + 3] !== 0x3a) return null;
  const hours = pair(bytes, at + 1);
  const minutes = length === 3 ? 0 : pair(bytes, length === 6 ? at + 4 : at + 3);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return null;
  return (hours * 3600 + minutes * 60) * (sign === 0x2d ? -1 : 1);
}

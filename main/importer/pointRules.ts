/**
 * The rules for one point, shared by all readers: what is skipped, what is kept with a remark. Each returns the
 * reason to skip, or null, and leaves remarks.
 */
import { HEADING, LAT, LNG, SPEED } from '../cache/trackCodec.ts';
import {
  TIME_EMPTY,
  TIME_FAULT,
  TIME_IMPOSSIBLE,
  TIME_LEAP_SECOND,
  TIME_OK,
  parseDateTime,
} from './dateTime.ts';
import type { TimeSlot } from './dateTime.ts';
import { DECIMAL_EMPTY, DECIMAL_FAULT, DECIMAL_OK, parseDecimal } from './decimal.ts';
import type { DecimalSlot } from './decimal.ts';
import { flagReasons, skipReasons } from './reasons.ts';
import type { PointDraft } from './trackCursor.ts';

/** Remarks on the point at hand; they count only if it is kept. */
export type Remarks = string[];

/** Below this year a camera's clock had not been set; from `lateYear` on it wrapped around. */
const earlyYear = 2005;
const lateYear = 2036;

export class PointRules {
  readonly draft: PointDraft;
  readonly remarks: Remarks = [];
  /** km/h in the unit of the file: 400 or 400 / 3.6. */
  private readonly speedLimit: number;
  private readonly commaAllowed: boolean;
  private readonly number: DecimalSlot;
  readonly time: TimeSlot;

  constructor(
    draft: PointDraft,
    number: DecimalSlot,
    time: TimeSlot,
    speedLimit: number,
    commaAllowed: boolean,
  ) {
    this.draft = draft;
    this.number = number;
    this.time = time;
    this.speedLimit = speedLimit;
    this.commaAllowed = commaAllowed;
  }

  begin(): void {
    this.draft.clear();
    this.remarks.length = 0;
  }

  /** The time in bytes [from, to); an empty one is `noTime`, which some formats allow. */
  takeTime(bytes: Uint8Array, from: number, to: number): string | null {
    const { time, remarks } = this;
    const outcome = parseDateTime(bytes, from, to, time);
    if (outcome === TIME_EMPTY) return skipReasons.noTime;
    if (outcome === TIME_FAULT) return skipReasons.notATime;
    if (outcome === TIME_IMPOSSIBLE) return skipReasons.impossibleTime;
    if (outcome === TIME_LEAP_SECOND) return skipReasons.leapSecond;
    if (outcome !== TIME_OK) return skipReasons.yearOutOfRange;
    if (!time.hasZone) remarks.push(flagReasons.noZone);
    if (time.isHour24) remarks.push(flagReasons.hour24);
    if (time.isRounded) remarks.push(flagReasons.timeRounded);
    if (time.year < earlyYear) remarks.push(flagReasons.earlyYear);
    else if (time.year >= lateYear) remarks.push(flagReasons.lateYear);
    this.draft.setTime(time);
    return null;
  }

  takeLatitude(bytes: Uint8Array, from: number, to: number): string | null {
    const outcome = this.takeNumber(LAT, bytes, from, to);
    if (outcome === DECIMAL_EMPTY) return skipReasons.noLatitude;
    if (outcome === DECIMAL_FAULT) return skipReasons.latitudeNotANumber;
    return Math.abs(this.draft.numberAt(LAT)) <= 90 ? null : skipReasons.latitudeOutOfRange;
  }

  takeLongitude(bytes: Uint8Array, from: number, to: number): string | null {
    const outcome = this.takeNumber(LNG, bytes, from, to);
    if (outcome === DECIMAL_EMPTY) return skipReasons.noLongitude;
    if (outcome === DECIMAL_FAULT) return skipReasons.longitudeNotANumber;
    return Math.abs(this.draft.numberAt(LNG)) <= 180 ? null : skipReasons.longitudeOutOfRange;
  }

  /** After both coordinates. */
  checkPosition(): string | null {
    return this.draft.numberAt(LAT) === 0 && this.draft.numberAt(LNG) === 0 ? skipReasons.nullIsland : null;
  }

  takeHeading(bytes: Uint8Array, from: number, to: number): void {
    const outcome = this.takeNumber(HEADING, bytes, from, to);
    if (outcome === DECIMAL_FAULT) this.remarks.push(flagReasons.headingNotANumber);
    if (outcome !== DECIMAL_OK) return;
    const heading = this.draft.numberAt(HEADING);
    if (heading === 360) this.remarks.push(flagReasons.heading360);
    else if (heading < 0 || heading > 360) this.remarks.push(flagReasons.headingOutOfRange);
  }

  takeSpeed(bytes: Uint8Array, from: number, to: number): void {
    const outcome = this.takeNumber(SPEED, bytes, from, to);
    if (outcome === DECIMAL_FAULT) this.remarks.push(flagReasons.speedNotANumber);
    if (outcome !== DECIMAL_OK) return;
    const speed = this.draft.numberAt(SPEED);
    if (speed < 0) this.remarks.push(flagReasons.speedNegative);
    else if (speed > this.speedLimit) this.remarks.push(flagReasons.speedHigh);
  }

  takeAltitude(column: number, bytes: Uint8Array, from: number, to: number): void {
    if (this.takeNumber(column, bytes, from, to) === DECIMAL_FAULT) {
      this.remarks.push(flagReasons.altitudeNotANumber);
    }
  }

  private takeNumber(column: number, bytes: Uint8Array, from: number, to: number): number {
    const { number } = this;
    const outcome = parseDecimal(bytes, from, to, number, this.commaAllowed);
    if (outcome !== DECIMAL_OK) {
      this.draft.setAbsent(column);
      return outcome;
    }
    if (number.hasExponent) this.remarks.push(flagReasons.exponent);
    if (number.hasComma) this.remarks.push(flagReasons.decimalComma);
    this.draft.set(column, number);
    return DECIMAL_OK;
  }
}

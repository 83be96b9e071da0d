/**
 * The quick path for GPX. A recorder writes all its points alike; after the tokenizer has read one, its markup
 * is a template of literal bytes with slots for the values. A following point that matches byte for byte is as
 * well-formed as the first was, and means the same, because it stands in the same trkseg. Any other byte leaves
 * the point, unread, to the tokenizer.
 */
import { ABSENT, ALTITUDE, HEADING, LAT, LNG, POW10, SPEED, TIME, chunkPoints } from '../cache/trackCodec.ts';
import { PlainTimes, newPlainResult, readPlainNumber } from './plainBytes.ts';
import type { TrackCursor } from './trackCursor.ts';

export const SLOT_TEXT = -1;
/** A value's place in the point just read: `column` of trackCodec, or SLOT_TEXT for text that is not kept. */
export interface TemplateSlot {
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

const maxSlots = 32;
const maxLiteralBytes = 8192;
const maxSlotBytes = 40;
/** m/s; above it a speed has a remark, which the general path makes. */
const speedLimit = 400 / 3.6;

// 1: may stand in a slot of text: ASCII that means nothing to XML.
const isSafeText = new Uint8Array(256);
for (let byte = 0x20; byte < 0x7f; byte++) isSafeText[byte] = 1;
for (const byte of [0x3c, 0x26, 0x5d]) isSafeText[byte] = 0;

export class GpxTemplate {
  points = 0;
  lines = 0;
  private columns: Int32Array = new Int32Array(0);
  private literals: Uint8Array = new Uint8Array(0);
  private expected: DataView = new DataView(new ArrayBuffer(0));
  /** literals[ends[k - 1], ends[k]) stands before slot k; the last one after all slots. */
  private ends: Int32Array = new Int32Array(0);
  private lineFeeds = 0;
  private hasTime = false;
  private reach = 0;
  private readonly times = new PlainTimes();
  private readonly result = newPlainResult();

  get isLearned(): boolean {
    return this.reach > 0;
  }

  forget(): void {
    this.reach = 0;
  }

  /** Takes bytes [from, to) of a kept point, with its slots in their order, as the template. */
  learn(bytes: Uint8Array, from: number, to: number, slots: readonly TemplateSlot[]): void {
    this.forget();
    if (slots.length > maxSlots || to - from > maxLiteralBytes) return;
    const seen = new Set<number>();
    const literals: number[] = [];
    const ends: number[] = [];
    const columns: number[] = [];
    let at = from;
    for (const slot of slots) {
      // Twice the same value has a remark; an unsafe text would never match.
      if (slot.column !== SLOT_TEXT && seen.has(slot.column)) return;
      seen.add(slot.column);
      for (let k = at; k < slot.from; k++) literals.push(bytes[k]!);
      ends.push(literals.length);
      columns.push(slot.column);
      at = slot.to;
    }
    for (let k = at; k < to; k++) literals.push(bytes[k]!);
    ends.push(literals.length);
    if (!seen.has(LAT) || !seen.has(LNG)) return;
    this.literals = Uint8Array.from(literals);
    this.expected = new DataView(this.literals.buffer);
    this.ends = Int32Array.from(ends);
    this.columns = Int32Array.from(columns);
    this.lineFeeds = literals.filter((byte) => byte === 0x0a).length;
    this.hasTime = seen.has(TIME);
    this.reach = literals.length + slots.length * maxSlotBytes + 64;
  }

  /** Reads points from `at` on into the cursor; returns where the first byte is that it leaves. */
  read(bytes: Uint8Array, at: number, to: number, cursor: TrackCursor): number {
    const { literals, ends, columns: slotColumns, result, times, hasTime } = this;
    const { columns } = cursor;
    const slotCount = slotColumns.length;
    const limit = to - this.reach;
    // Points without time carry a remark each.
    if (!hasTime || at > limit) return at;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { expected } = this;
    let kept = 0;
    let lines = 0;
    let latest = cursor.latestSeconds;
    // Columns that the template has no slot for.
    const isAbsent = [HEADING, SPEED, ALTITUDE].filter((column) => !slotColumns.includes(column));
    point: while (at <= limit) {
      let p = at;
      let newLines = this.lineFeeds;
      for (let byte = bytes[p]!; byte === 0x0a || byte === 0x20 || byte === 0x0d || byte === 0x09;) {
        if (byte === 0x0a) newLines++;
        byte = bytes[++p]!;
        if (p > limit) break point;
      }
      // At the first byte that differs from a point's beginning, this is done.
      if (columns.count === columns.capacity) columns.grow();
      const index = columns.count;
      const { values, decimals } = columns;
      let seconds = 0;
      let literal = 0;
      for (let slot = 0; slot < slotCount; slot++) {
        const end = ends[slot]!;
        // Four bytes at a time: two thirds of a GPX file are markup.
        for (; literal + 4 <= end; literal += 4, p += 4) {
          if (view.getInt32(p, true) !== expected.getInt32(literal, true)) break point;
        }
        while (literal < end) {
          if (bytes[p] !== literals[literal]) break point;
          p++;
          literal++;
        }
        const column = slotColumns[slot]!;
        if (column === TIME) {
          p = times.read(bytes, p, result);
          if (p < 0) break point;
          seconds = result[2]!;
          if (!(seconds > latest)) break point;
        } else if (column >= 0) {
          p = readPlainNumber(bytes, p, result);
          if (p < 0) break point;
          const number = result[0]! / POW10[result[1]!]!;
          if (column === LAT) {
            if (number > 90 || number < -90 || number === 0) break point;
          } else if (column === LNG) {
            if (number > 180 || number < -180) break point;
          } else if (column === HEADING) {
            if (number < 0 || number >= 360) break point;
          } else if (column === SPEED && (number < 0 || number > speedLimit)) break point;
        } else {
          const start = p;
          while (isSafeText[bytes[p]!] === 1) if (++p - start > maxSlotBytes) break point;
          continue;
        }
        values[column]![index] = result[0]!;
        decimals[column]![index] = result[1]!;
      }
      const end = literals.length;
      for (; literal + 4 <= end; literal += 4, p += 4) {
        if (view.getInt32(p, true) !== expected.getInt32(literal, true)) break point;
      }
      while (literal < end) {
        if (bytes[p] !== literals[literal]) break point;
        p++;
        literal++;
      }
      for (let k = 0; k < isAbsent.length; k++) {
        values[isAbsent[k]!]![index] = 0;
        decimals[isAbsent[k]!]![index] = ABSENT;
      }
      columns.count = index + 1;
      latest = seconds;
      kept++;
      lines += newLines;
      at = p;
      if (index + 1 >= chunkPoints) cursor.packAway();
    }
    cursor.latestSeconds = latest;
    this.points += kept;
    this.lines += lines;
    return at;
  }
}

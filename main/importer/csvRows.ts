/**
 * Splits CSV into rows and fields (RFC 4180, with CR, LF and CRLF as line ends in any mixture), resumable at
 * every byte. Fields are byte ranges relative to the row's start, so that nothing is copied.
 *
 * A row with a fault of quoting ends at its first line end and reading goes on behind it: one stray quote costs
 * one line, not the rest of the file.
 */
export const ROW_OK = 0;
/** The bytes end inside the row; call again with the same start and more bytes. */
export const ROW_INCOMPLETE = 1;
export const ROW_STRAY_QUOTE = 2;
export const ROW_FIELD_TOO_LONG = 3;
export const ROW_TOO_LONG = 4;
export const ROW_OPEN_QUOTE = 5;

export const maxFieldBytes = 64 << 10;
export const maxRowBytes = 1 << 20;

const BARE = 0;
const QUOTED = 1;
const QUOTE_SEEN = 2;

export class CsvRowScanner {
  readonly delimiter: number;
  /** Starts and ends of fields, relative to the row's start; without the quotes. Beyond `capacity` only counted. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** 1: quoted; 2: quoted and holds doubled quotes. */
  readonly quoting: Uint8Array;
  private readonly capacity: number;
  fieldCount = 0;
  /** Bytes of the row with its line end; of CRLF only the CR: the caller passes over the LF. */
  length = 0;
  /** Line breaks within the row's quoted fields. */
  innerBreaks = 0;
  hasLineEnd = false;
  hasNul = false;
  hasHighByte = false;
  /** Behind the first line end inside the row (where reading goes on after a fault), or -1. */
  firstBreak = -1;
  private at = 0;
  private state = BARE;
  private fieldStart = 0;
  private isFresh = true;
  private isInnerCr = false;
  /** The field under way was quoted; and its quote is closed, its range known. */
  private isQuotedField = false;
  private isClosed = false;

  constructor(delimiter: number, capacity: number) {
    this.delimiter = delimiter;
    this.capacity = capacity;
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.quoting = new Uint8Array(capacity);
  }

  /** Forgets the row under way. */
  reset(): void {
    this.fieldCount = 0;
    this.length = 0;
    this.innerBreaks = 0;
    this.hasLineEnd = false;
    this.hasNul = false;
    this.hasHighByte = false;
    this.firstBreak = -1;
    this.at = 0;
    this.state = BARE;
    this.fieldStart = 0;
    this.isFresh = true;
    this.isInnerCr = false;
    this.isQuotedField = false;
    this.isClosed = false;
  }

  /** Scans the row that starts at `row`. `isLast`: no more bytes will come after `to`. */
  scan(bytes: Uint8Array, row: number, to: number, isLast: boolean): number {
    const { delimiter } = this;
    let at = row + this.at;
    let state = this.state;
    for (; at < to; at++) {
      const byte = bytes[at]!;
      if (state === BARE) {
        if (byte > 0x2c && byte !== delimiter) {
          if (byte >= 0x80) this.hasHighByte = true;
          this.isFresh = false;
        } else if (byte === delimiter) {
          if (!this.endField(at - row)) return this.fault(ROW_FIELD_TOO_LONG, at, row, state);
        } else if (byte === 0x0a || byte === 0x0d) {
          if (!this.endField(at - row)) return this.fault(ROW_FIELD_TOO_LONG, at, row, state);
          this.hasLineEnd = true;
          this.length = at + 1 - row;
          return ROW_OK;
        } else if (byte === 0x22) {
          if (!this.isFresh) return this.fault(ROW_STRAY_QUOTE, at, row, state);
          state = QUOTED;
          this.fieldStart = at + 1 - row;
          this.mark(1);
        } else {
          if (byte === 0) this.hasNul = true;
          this.isFresh = false;
        }
      } else if (state === QUOTED) {
        if (byte === 0x22) state = QUOTE_SEEN;
        else if (byte === 0x0a || byte === 0x0d) {
          if (!(byte === 0x0a && this.isInnerCr)) this.innerBreaks++;
          if (this.firstBreak < 0) this.firstBreak = at + 1 - row;
          else if (byte === 0x0a && this.isInnerCr && this.firstBreak === at - row) this.firstBreak++;
        } else if (byte === 0) this.hasNul = true;
        else if (byte >= 0x80) this.hasHighByte = true;
        this.isInnerCr = byte === 0x0d;
        if (at - row - this.fieldStart > maxFieldBytes) {
          return this.fault(ROW_FIELD_TOO_LONG, at, row, state);
        }
      } else if (byte === 0x22) {
        state = QUOTED;
        this.mark(2);
      } else if (byte === delimiter || byte === 0x0a || byte === 0x0d) {
        // The closing quote is the byte before: end the field there and let the plain branch see this byte.
        this.closeQuoted(at - 1 - row);
        state = BARE;
        at--;
      } else return this.fault(ROW_STRAY_QUOTE, at, row, state);
      if (at - row >= maxRowBytes) return this.fault(ROW_TOO_LONG, at, row, state);
    }
    this.at = at - row;
    this.state = state;
    if (!isLast) return ROW_INCOMPLETE;
    this.length = at - row;
    if (state === QUOTED) return ROW_OPEN_QUOTE;
    if (state === QUOTE_SEEN) this.closeQuoted(at - 1 - row);
    return this.endField(at - row) ? ROW_OK : ROW_FIELD_TOO_LONG;
  }

  private fault(code: number, at: number, row: number, state: number): number {
    this.at = at - row;
    this.state = state;
    return code;
  }

  /** How far the scan got, for the bound on reading bytes twice. */
  get scanned(): number {
    return this.at;
  }

  private mark(quoting: number): void {
    if (this.fieldCount < this.capacity) this.quoting[this.fieldCount] = quoting;
    this.isFresh = false;
    this.isQuotedField = true;
  }

  private closeQuoted(end: number): void {
    if (this.fieldCount < this.capacity) {
      this.starts[this.fieldCount] = this.fieldStart;
      this.ends[this.fieldCount] = end;
    }
    this.isClosed = true;
  }

  /** Ends the field before the delimiter or line end at `end`; false where it is too long. */
  private endField(end: number): boolean {
    const field = this.fieldCount++;
    if (this.isClosed) this.isClosed = false;
    else {
      if (end - this.fieldStart > maxFieldBytes) return false;
      if (field < this.capacity) {
        this.starts[field] = this.fieldStart;
        this.ends[field] = end;
      }
    }
    if (field < this.capacity && !this.isQuotedField) this.quoting[field] = 0;
    this.isQuotedField = false;
    this.fieldStart = end + 1;
    this.isFresh = true;
    return true;
  }
}

/**
 * CSV of a GPS export (formats section 4): `psn,carName,datetime,lat,lng,drive_no,heading,speedKmh`, by header
 * name. One trip per (psn, drive_no); trips may interleave. What becomes of odd input: docs/import-rules.md.
 */
import { ALTITUDE } from '../cache/trackCodec.ts';
import { Carry } from './carry.ts';
import { hasRequiredColumns, isPlainLayout, parseCsvHeader } from './csvHeader.ts';
import type { CsvColumns } from './csvHeader.ts';
import { CsvPlainRows } from './csvPlainRows.ts';
import {
  CsvRowScanner,
  ROW_INCOMPLETE,
  ROW_OK,
  ROW_OPEN_QUOTE,
  ROW_STRAY_QUOTE,
  ROW_TOO_LONG,
} from './csvRows.ts';
import { TimeSlot } from './dateTime.ts';
import { DecimalSlot } from './decimal.ts';
import { Utf16Transcoder, isUtf8, utf8Text } from './encoding.ts';
import type { Transcoder } from './encoding.ts';
import { PointRules } from './pointRules.ts';
import { ReaderRefusal, ReasonTally } from './reader.ts';
import type { ReadReport, ReaderContext, TrackIdentity, TrackReader, TrackSink } from './reader.ts';
import { flagReasons, refusals, skipReasons } from './reasons.ts';
import {
  ORDER_BACKWARD,
  ORDER_FORWARD,
  ORDER_REPEAT,
  ORDER_SAME_TIME,
  PointDraft,
  TrackCursor,
  searchBudget,
} from './trackCursor.ts';

const comma = 0x2c;
const semicolon = 0x3b;
const maxColumns = 1000;
const maxTextBytes = 1000;
const maxTrips = 100_000;

export interface CsvReaderOptions {
  /** false: every row takes the general path; tests hold both paths to each other. */
  readonly isQuick?: boolean;
}

/** A reader for one CSV file. Refuses (ReaderRefusal) a file without a usable header. */
export function createCsvReader(
  sink: TrackSink,
  context: ReaderContext,
  options: CsvReaderOptions = {},
): TrackReader {
  return new CsvReader(sink, context, options.isQuick ?? true);
}

class CsvReader implements TrackReader {
  private readonly sink: TrackSink;
  private readonly context: ReaderContext;
  private readonly isQuick: boolean;
  private readonly carry = new Carry();
  private readonly skipped = new ReasonTally();
  private readonly flagged = new ReasonTally();
  private readonly draft = new PointDraft();
  private readonly number = new DecimalSlot();
  private readonly budget = { left: searchBudget };
  private readonly tracks = new Map<string, TrackCursor>();
  private transcoder: Transcoder | null = null;
  /** Up to three first bytes, until the byte order mark is known. */
  private opening: Uint8Array | null = new Uint8Array(0);
  private scanner = new CsvRowScanner(comma, maxColumns + 1);
  private columns: CsvColumns | null = null;
  private rules: PointRules;
  private quick: CsvPlainRows | null = null;
  private line = 1;
  private generalPoints = 0;
  private isAfterCr = false;
  private isSkippingLine = false;
  private hasBytes = false;
  private refusal: ReaderRefusal | null = null;
  private cursor: TrackCursor | null = null;
  private cursorPsn: string | null = null;
  private cursorDriveNo: number | null = null;

  constructor(sink: TrackSink, context: ReaderContext, isQuick: boolean) {
    this.sink = sink;
    this.context = context;
    this.isQuick = isQuick;
    this.rules = new PointRules(this.draft, this.number, new TimeSlot(), 400, false);
  }

  get points(): number {
    return this.generalPoints + (this.quick?.points ?? 0);
  }

  get report(): ReadReport {
    return { rows: this.points + this.skipped.total, skipped: this.skipped, flagged: this.flagged };
  }

  push(chunk: Uint8Array): void {
    this.guard(() => this.take(chunk));
  }

  end(): void {
    this.guard(() => {
      if (this.opening !== null) this.open(this.opening, true);
      if (this.transcoder) this.read(this.transcoder.end(), false);
      this.read(new Uint8Array(0), true);
      if (!this.hasBytes) throw new ReaderRefusal('byte 0', refusals.emptyFile);
      if (this.columns === null)
        throw new ReaderRefusal(`line ${this.line}`, `${refusals.csvNoColumn} datetime`);
    });
  }

  /** A refused file stays refused. */
  private guard(work: () => void): void {
    if (this.refusal) throw this.refusal;
    try {
      work();
    } catch (thrown) {
      if (thrown instanceof ReaderRefusal) this.refusal = thrown;
      throw thrown;
    }
  }

  private take(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.hasBytes = true;
    if (this.opening === null) this.read(this.transcoder ? this.transcoder.push(chunk) : chunk, false);
    else {
      const opening = new Uint8Array(this.opening.length + chunk.length);
      opening.set(this.opening);
      opening.set(chunk, this.opening.length);
      this.open(opening, false);
    }
  }

  /** Looks for a byte order mark and reads what follows it. */
  private open(bytes: Uint8Array, isLast: boolean): void {
    this.opening = bytes;
    if (bytes.length < 3 && !isLast) return;
    this.opening = null;
    let skip = 0;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) skip = 3;
    else if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
      skip = 2;
      this.transcoder = new Utf16Transcoder(bytes[0] === 0xfe);
      this.flagged.add('line 1', flagReasons.utf16);
    }
    this.take(bytes.subarray(skip));
  }

  private read(chunk: Uint8Array, isLast: boolean): void {
    const { carry } = this;
    carry.add(chunk);
    const { bytes, to } = carry;
    let at = carry.from;
    for (;;) {
      if (this.isAfterCr && at < to) {
        this.isAfterCr = false;
        if (bytes[at] === 0x0a) at++;
      }
      if (this.isSkippingLine) {
        while (at < to && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++;
        if (at === to) break;
        this.isSkippingLine = false;
        this.isAfterCr = bytes[at] === 0x0d;
        this.line++;
        at++;
        continue;
      }
      if (this.quick && this.quick.isArmed && this.scanner.scanned === 0) {
        at = this.quick.read(bytes, at, to);
        this.line += this.quick.takeLines();
      }
      if (at === to) break;
      const outcome = this.scanner.scan(bytes, at, to, isLast);
      if (outcome === ROW_INCOMPLETE) break;
      at = this.endRow(outcome, bytes, at);
    }
    carry.keepFrom(at);
  }

  /** Deals with a row that the scanner is done with, whole or faulty; returns where reading goes on. */
  private endRow(outcome: number, bytes: Uint8Array, row: number): number {
    const { scanner } = this;
    if (outcome === ROW_OK) {
      if (this.columns === null) this.readHeader(bytes, row);
      else {
        if (!scanner.hasLineEnd) this.flagged.add(`line ${this.line}`, flagReasons.noLastLineEnd);
        this.readRow(bytes, row);
      }
      this.line += scanner.innerBreaks + 1;
      const next = row + scanner.length;
      this.isAfterCr = scanner.hasLineEnd && bytes[next - 1] === 0x0d;
      scanner.reset();
      return next;
    }
    if (this.columns === null) {
      // "a";"b" looks like a stray quote as long as the comma is taken for the delimiter.
      if (scanner.delimiter === comma) {
        this.scanner = new CsvRowScanner(semicolon, maxColumns + 1);
        return row;
      }
      throw new ReaderRefusal(`line ${this.line}`, refusals.csvBadHeader);
    }
    this.skip(faultReason(outcome));
    const { firstBreak } = scanner;
    const reached = row + scanner.scanned;
    scanner.reset();
    if (firstBreak < 0) {
      this.isSkippingLine = true;
      return reached;
    }
    // Bytes are read twice here, but never often: the next open quote ends the search for this one's end.
    this.line++;
    this.isAfterCr = bytes[row + firstBreak - 1] === 0x0d;
    return row + firstBreak;
  }

  private skip(reason: string): void {
    this.skipped.add(`line ${this.line}`, reason);
  }

  private readHeader(bytes: Uint8Array, row: number): void {
    const where = `line ${this.line}`;
    const { scanner } = this;
    // Leading empty lines are passed over, as everywhere.
    if (scanner.length <= 1 && scanner.hasLineEnd) {
      this.flagged.add(where, flagReasons.emptyLine);
      return;
    }
    const names = this.headerNames(bytes, row, scanner, where);
    if (scanner.delimiter === comma && !hasRequiredColumns(names)) {
      const other = new CsvRowScanner(semicolon, maxColumns + 1);
      if (other.scan(bytes, row, row + scanner.length, true) === ROW_OK) {
        const otherNames = this.headerNames(bytes, row, other, where);
        if (hasRequiredColumns(otherNames)) return this.useHeader(otherNames, other, where);
      }
    }
    this.useHeader(names, scanner, where);
  }

  private useHeader(names: readonly string[], { delimiter, fieldCount }: CsvRowScanner, where: string): void {
    if (fieldCount > maxColumns) throw new ReaderRefusal(where, refusals.csvTooManyColumns);
    this.columns = parseCsvHeader(names, this.line);
    if (delimiter === semicolon) this.flagged.add(where, flagReasons.semicolons);
    if (this.columns.ignored.length > 0) {
      this.flagged.add(where, flagReasons.ignoredColumn, this.columns.ignored.length);
    }
    this.scanner = new CsvRowScanner(delimiter, this.columns.count);
    this.rules = new PointRules(this.draft, this.number, new TimeSlot(), 400, delimiter === semicolon);
    if (this.isQuick && delimiter === comma && isPlainLayout(this.columns)) {
      this.quick = new CsvPlainRows(this.columns.index.speed >= 0);
    }
  }

  private headerNames(bytes: Uint8Array, row: number, scanner: CsvRowScanner, where: string): string[] {
    const names: string[] = [];
    for (let column = 0; column < Math.min(scanner.fieldCount, maxColumns); column++) {
      const from = row + scanner.starts[column]!;
      const to = row + scanner.ends[column]!;
      if (!isUtf8(bytes, from, to)) throw new ReaderRefusal(where, refusals.csvBadHeader);
      names.push(utf8Text(bytes, from, to));
    }
    return names;
  }

  private readRow(bytes: Uint8Array, row: number): void {
    const { scanner } = this;
    const columns = this.columns!;
    if (scanner.fieldCount === 1 && scanner.quoting[0] === 0 && scanner.ends[0] === 0) {
      this.flagged.add(`line ${this.line}`, flagReasons.emptyLine);
      return;
    }
    const reason = this.readPoint(bytes, row, columns);
    if (reason !== null) {
      this.skip(reason);
      return;
    }
    this.generalPoints++;
    const { remarks } = this.rules;
    for (let i = 0; i < remarks.length; i++) this.flagged.add(`line ${this.line}`, remarks[i]!);
    if (this.quick) this.quick.learn(bytes, row, scanner, this.cursor!, this.cursorDriveNo);
  }

  /** Reads and keeps the row's point; or the reason why not. */
  private readPoint(bytes: Uint8Array, row: number, columns: CsvColumns): string | null {
    const { scanner, rules } = this;
    const { index } = columns;
    if (scanner.hasNul) return skipReasons.nulByte;
    if (scanner.hasHighByte && !isUtf8(bytes, row, row + scanner.length)) return skipReasons.notUtf8;
    if (scanner.fieldCount < columns.count) return skipReasons.tooFewFields;
    if (scanner.fieldCount > columns.count) return skipReasons.tooManyFields;
    const { starts, ends } = scanner;
    rules.begin();
    let reason =
      rules.takeTime(bytes, row + starts[index.time]!, row + ends[index.time]!) ??
      rules.takeLatitude(bytes, row + starts[index.lat]!, row + ends[index.lat]!) ??
      rules.takeLongitude(bytes, row + starts[index.lng]!, row + ends[index.lng]!) ??
      rules.checkPosition();
    if (reason !== null) return reason;
    if (index.heading >= 0)
      rules.takeHeading(bytes, row + starts[index.heading]!, row + ends[index.heading]!);
    if (index.speed >= 0) rules.takeSpeed(bytes, row + starts[index.speed]!, row + ends[index.speed]!);
    if (index.altitude >= 0) {
      rules.takeAltitude(ALTITUDE, bytes, row + starts[index.altitude]!, row + ends[index.altitude]!);
    }
    reason = this.findTrack(bytes, row, columns);
    if (reason !== null) return reason;
    const cursor = this.cursor!;
    const order = cursor.orderOf(this.draft, this.budget);
    if (order !== ORDER_FORWARD) {
      if (this.budget.left <= 0) rules.remarks.push(flagReasons.noDuplicateSearch);
      if (order === ORDER_REPEAT) return skipReasons.duplicate;
      if (order === ORDER_BACKWARD) rules.remarks.push(flagReasons.outOfOrder);
      if (order === ORDER_SAME_TIME) rules.remarks.push(flagReasons.sameTime);
    }
    cursor.keep(this.draft);
    return null;
  }

  /** Makes the row's track the current one. */
  private findTrack(bytes: Uint8Array, row: number, columns: CsvColumns): string | null {
    const { index } = columns;
    let driveNo: number | null = null;
    if (index.driveNo >= 0) {
      const text = this.textAt(bytes, row, index.driveNo)?.trim();
      if (text === undefined || !/^([+-]?\d{1,15})?$/.test(text)) return skipReasons.driveNoNotAnInteger;
      // `+ 0` because -0 and 0 are the same trip.
      if (text !== '') driveNo = Number(text) + 0;
    }
    let psn = this.context.psn;
    if (index.psn >= 0) {
      const text = this.textAt(bytes, row, index.psn);
      if (text === null) return skipReasons.textTooLong;
      if (text.trim() !== '') psn = text.trim();
    }
    if (this.cursor && psn === this.cursorPsn && driveNo === this.cursorDriveNo) return null;
    let cameraName = this.context.cameraName;
    if (index.cameraName >= 0) {
      const text = this.textAt(bytes, row, index.cameraName);
      if (text === null) return skipReasons.textTooLong;
      if (text.trim() !== '') cameraName = text.trim();
    }
    this.cursor?.remember();
    this.cursor = this.trackOf({
      psn,
      cameraName,
      driveNo,
      name: null,
      speedUnit: 'kmh',
      beginMs: null,
      endMs: null,
    });
    this.cursorPsn = psn;
    this.cursorDriveNo = driveNo;
    return null;
  }

  private trackOf(identity: TrackIdentity): TrackCursor {
    const key = `${identity.driveNo ?? ''}/${identity.psn ?? '\0'}`;
    const known = this.tracks.get(key);
    if (known) return known;
    if (this.tracks.size >= maxTrips) throw new ReaderRefusal(`line ${this.line}`, refusals.tooManyTrips);
    const cursor = new TrackCursor(this.sink.beginTrack(identity), identity);
    this.tracks.set(key, cursor);
    return cursor;
  }

  /** A field's text without its quotes; null where it is longer than names may be. */
  private textAt(bytes: Uint8Array, row: number, column: number): string | null {
    const { scanner } = this;
    const from = row + scanner.starts[column]!;
    const to = row + scanner.ends[column]!;
    if (to - from > maxTextBytes) return null;
    const text = utf8Text(bytes, from, to);
    return scanner.quoting[column] === 2 ? text.replaceAll('""', '"') : text;
  }
}

function faultReason(outcome: number): string {
  if (outcome === ROW_STRAY_QUOTE) return skipReasons.strayQuote;
  if (outcome === ROW_TOO_LONG) return skipReasons.lineTooLong;
  return outcome === ROW_OPEN_QUOTE ? skipReasons.quoteNotClosed : skipReasons.fieldTooLong;
}

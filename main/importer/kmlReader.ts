/**
 * KML 2.2 (formats section 4): one trip per LineString or gx:Track. Lines have no times: shape only. What
 * becomes of odd input: docs/import-rules.md.
 */
import { ABSENT, ALTITUDE, HEADING, LITERAL, POW10, TIME } from '../cache/trackCodec.ts';
import { TIME_OK, TimeSlot, parseDateTime } from './dateTime.ts';
import { DecimalSlot, isBlank } from './decimal.ts';
import { FieldText } from './fieldText.ts';
import { KmlCoordinates } from './kmlCoordinates.ts';
import * as kind from './kmlElements.ts';
import { kindOfKmlElement, kmlNamespace } from './kmlElements.ts';
import { GxTrack } from './kmlGxTrack.ts';
import { PointRules } from './pointRules.ts';
import { ReaderRefusal, ReasonTally } from './reader.ts';
import type { ReadReport, ReaderContext, TrackIdentity, TrackReader, TrackSink } from './reader.ts';
import { flagReasons, refusals, skipReasons } from './reasons.ts';
import {
  ORDER_BACKWARD,
  ORDER_REPEAT,
  ORDER_SAME_TIME,
  PointDraft,
  TrackCursor,
  searchBudget,
} from './trackCursor.ts';
import { XmlReader } from './xmlReader.ts';
import type { XmlStartTag } from './xmlStartTag.ts';
import type { XmlElement, XmlHandler } from './xmlTokenizer.ts';
import { elementText } from './xmlNames.ts';

const maxTracks = 100_000;
const maxTupleBytes = 256;

export interface KmlReaderOptions {
  /** false: every coordinate takes the general path; tests hold both paths to each other. */
  readonly isQuick?: boolean;
}

/** A reader for one KML file. Refuses (ReaderRefusal) what is not well-formed XML or not KML. */
export function createKmlReader(
  sink: TrackSink,
  context: ReaderContext,
  options: KmlReaderOptions = {},
): TrackReader {
  const handler = new KmlHandler(sink, context);
  const reader = new XmlReader(handler, handler);
  handler.attach(reader, options.isQuick ?? true);
  return reader;
}

class KmlHandler implements XmlHandler {
  readonly skipped = new ReasonTally();
  readonly flagged = new ReasonTally();
  private readonly sink: TrackSink;
  private readonly context: ReaderContext;
  private reader!: XmlReader;
  private isQuick = true;
  private readonly kinds = new Uint8Array(66);
  private depth = 0;
  private readonly field = new FieldText();
  private readonly draft = new PointDraft();
  private readonly number = new DecimalSlot();
  private readonly time = new TimeSlot();
  private readonly rules = new PointRules(this.draft, this.number, this.time, 400, false);
  private readonly budget = { left: searchBudget };
  private generalPoints = 0;
  private generalTuples = 0;
  private trackCount = 0;
  // The placemark under way.
  private tracks: TrackCursor[] = [];
  private name: string | null = null;
  private psn: string | null = null;
  private driveNo: number | null = null;
  private beginMs: number | null = null;
  private endMs: number | null = null;
  private dataName = '';
  // The line or gx:Track under way.
  private cursor: TrackCursor | null = null;
  private gxTrack: GxTrack | null = null;
  private geometryLine = 0;
  private pointsBefore = 0;
  private readonly coordinates = new KmlCoordinates(
    (bytes, length, lineFeedsAfter) => this.takeTuple(bytes, length, lineFeedsAfter),
    () => this.cursor,
  );

  constructor(sink: TrackSink, context: ReaderContext) {
    this.sink = sink;
    this.context = context;
  }

  attach(reader: XmlReader, isQuick: boolean): void {
    this.reader = reader;
    this.isQuick = isQuick;
    this.coordinates.isQuick = isQuick;
  }

  get points(): number {
    return this.generalPoints + this.coordinates.points;
  }

  get report(): ReadReport {
    return { rows: this.points + this.skipped.total, skipped: this.skipped, flagged: this.flagged };
  }

  private readonly quick = (bytes: Uint8Array, at: number, to: number): number => {
    const { coordinates } = this;
    const next = coordinates.quick(bytes, at, to);
    this.reader.tokenizer.line += coordinates.lines;
    coordinates.lines = 0;
    return next;
  };

  startElement(element: XmlElement, tag: XmlStartTag): void {
    const { tokenizer } = this.reader;
    const parent = this.kinds[this.depth]!;
    if (this.depth === 0 && (element.name.local !== 'kml' || !kmlNamespace.test(element.namespace))) {
      throw new ReaderRefusal(`line ${tokenizer.line}`, `${refusals.notKml}: ${elementText(element)}`);
    }
    const own = this.depth === 0 ? kind.ROOT : kindOfKmlElement(parent, element);
    this.kinds[++this.depth] = own;
    tokenizer.quick = this.isQuick && own === kind.COORDINATES ? this.quick : null;
    if (own >= kind.FIELD) this.field.clear();
    const where = `line ${tokenizer.line}`;
    switch (own) {
      case kind.PLACEMARK:
        this.startPlacemark();
        break;
      case kind.LINE:
        this.startGeometry();
        break;
      case kind.GX_TRACK:
        this.startGeometry();
        this.gxTrack = new GxTrack(tokenizer.line, this.draft, (draft, number, fault) =>
          this.keepGxPoint(draft, number, fault),
        );
        break;
      case kind.FIELD_SIMPLE:
      case kind.DATA: {
        const attribute = tag.find('name');
        this.dataName = attribute ? tag.valueOf(attribute).trim().toLowerCase() : '';
        break;
      }
      case kind.IGNORED_POINT:
        this.flagged.add(where, flagReasons.placemarkPoint);
        break;
      case kind.IGNORED_POLYGON:
        this.flagged.add(where, flagReasons.polygon);
        break;
    }
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    const own = this.kinds[this.depth]!;
    if (own === kind.COORDINATES) this.coordinates.text(bytes, from, to);
    else if (own >= kind.FIELD) this.field.add(bytes, from, to);
  }

  endElement(): void {
    const { tokenizer } = this.reader;
    const own = this.kinds[this.depth]!;
    if (own >= kind.FIELD) this.endField(own);
    else if (own === kind.COORDINATES) this.coordinates.end();
    else if (own === kind.LINE) this.endGeometry();
    else if (own === kind.GX_TRACK) this.endGxTrack();
    else if (own === kind.PLACEMARK) this.endPlacemark();
    this.depth--;
    tokenizer.quick =
      this.isQuick && this.depth > 0 && this.kinds[this.depth] === kind.COORDINATES ? this.quick : null;
  }

  private startPlacemark(): void {
    this.tracks = [];
    this.name = null;
    this.psn = null;
    this.driveNo = null;
    this.beginMs = null;
    this.endMs = null;
  }

  private identity(): TrackIdentity {
    return {
      psn: this.context.psn ?? this.psn,
      cameraName: this.context.cameraName,
      driveNo: this.driveNo,
      name: this.name,
      speedUnit: 'kmh',
      beginMs: this.beginMs,
      endMs: this.endMs,
    };
  }

  /** Name, serial and time span may stand behind the line: its tracks learn them now. */
  private endPlacemark(): void {
    for (const track of this.tracks) this.sink.amendTrack(track.builder, this.identity());
    this.tracks = [];
  }

  private startGeometry(): void {
    if (++this.trackCount > maxTracks) {
      throw new ReaderRefusal(`line ${this.reader.tokenizer.line}`, refusals.tooManyTrips);
    }
    this.cursor = null;
    this.pointsBefore = this.points;
    this.geometryLine = this.reader.tokenizer.line;
  }

  private endGeometry(): void {
    const where = `line ${this.geometryLine}`;
    const kept = this.points - this.pointsBefore;
    if (kept === 0) this.flagged.add(where, flagReasons.trackWithoutPoints);
    else if (this.gxTrack === null) this.flagged.add(where, flagReasons.noPointTime, kept);
    this.gxTrack = null;
    this.cursor = null;
  }

  private endGxTrack(): void {
    const { gxTrack } = this;
    if (gxTrack) {
      const where = `line ${gxTrack.line}`;
      gxTrack.handOn();
      if (gxTrack.timesLeft > 0)
        this.flagged.add(where, flagReasons.whenWithoutCoordinate, gxTrack.timesLeft);
      if (gxTrack.headingsLost > 0) this.flagged.add(where, flagReasons.anglesNotKept, gxTrack.headingsLost);
    }
    this.endGeometry();
  }

  /** Keeps the draft as the next point of the geometry, or says why not. Begins the track with its first point. */
  private keep(where: string): void {
    const { draft, rules } = this;
    if (this.cursor === null) {
      const identity = this.identity();
      this.cursor = new TrackCursor(this.sink.beginTrack(identity), identity);
      this.tracks.push(this.cursor);
    }
    const order = this.cursor.orderOf(draft, this.budget);
    if (order === ORDER_REPEAT) {
      this.skipped.add(where, skipReasons.duplicate);
      return;
    }
    if (order === ORDER_BACKWARD) rules.remarks.push(flagReasons.outOfOrder);
    if (order === ORDER_SAME_TIME) rules.remarks.push(flagReasons.sameTime);
    if (this.budget.left <= 0) rules.remarks.push(flagReasons.noDuplicateSearch);
    this.cursor.keep(draft);
    this.generalPoints++;
    for (const remark of rules.remarks) this.flagged.add(where, remark);
  }

  /** One `longitude,latitude[,altitude]` into the draft; or the reason why not. */
  private readTuple(bytes: Uint8Array, length: number, separator: number): string | null {
    const { rules } = this;
    rules.begin();
    if (length > maxTupleBytes) return skipReasons.badCoordinate;
    const ends: number[] = [];
    for (let at = 0; at < length; at++) if (bytes[at] === separator) ends.push(at);
    if (ends.length < 1 || ends.length > 2) return skipReasons.badCoordinate;
    const afterLat = ends[1] ?? length;
    const reason =
      rules.takeLongitude(bytes, 0, ends[0]!) ??
      rules.takeLatitude(bytes, ends[0]! + 1, afterLat) ??
      rules.checkPosition();
    if (reason === null && ends.length === 2) rules.takeAltitude(ALTITUDE, bytes, afterLat + 1, length);
    return reason;
  }

  private takeTuple(bytes: Uint8Array, length: number, lineFeedsAfter: () => number): void {
    const number = ++this.generalTuples + this.coordinates.points;
    const reason = this.readTuple(bytes, length, 0x2c);
    // The place costs a search: only where it is needed.
    const where =
      reason === null && this.rules.remarks.length === 0
        ? ''
        : `coordinate ${number}, line ${this.reader.tokenizer.line - lineFeedsAfter()}`;
    if (reason !== null) this.skipped.add(where, reason);
    else this.keep(where);
  }

  private keepGxPoint(draft: PointDraft, number: number, fault: string | null): void {
    const where = `gx:coord ${number}, gx:Track of line ${this.gxTrack!.line}`;
    this.rules.remarks.length = 0;
    if (fault !== null) {
      this.skipped.add(where, fault);
      return;
    }
    if (draft.decimals[TIME] === ABSENT) this.rules.remarks.push(flagReasons.noPointTime);
    this.keep(where);
  }

  private endField(own: number): void {
    const { field, rules } = this;
    const where = `line ${this.reader.tokenizer.line}`;
    const { bytes, length } = field;
    switch (own) {
      case kind.FIELD_NAME:
        if (field.isCut) this.flagged.add(where, flagReasons.nameCut);
        this.name ??= field.toName();
        return;
      case kind.FIELD_BEGIN:
        this.beginMs ??= this.readSpan(where);
        return;
      case kind.FIELD_END:
        this.endMs ??= this.readSpan(where);
        return;
      case kind.FIELD_STAMP:
        this.beginMs ??= this.readSpan(where);
        this.endMs ??= this.beginMs;
        return;
      case kind.FIELD_VALUE:
      case kind.FIELD_SIMPLE:
        this.takeData(field.toName());
        return;
      case kind.FIELD_WHEN: {
        rules.begin();
        const reason = rules.takeTime(bytes, 0, length);
        const isKept =
          reason === null
            ? this.gxTrack!.addTime(this.time.value, this.time.decimals)
            : reason === skipReasons.noTime
              ? this.gxTrack!.addTime(0, ABSENT)
              : this.gxTrack!.addFaultyTime(reason);
        if (!isKept) throw new ReaderRefusal(where, refusals.tooManyTimes);
        break;
      }
      case kind.FIELD_ANGLES: {
        rules.begin();
        let end = 0;
        while (end < length && !isBlank(bytes[end]!)) end++;
        rules.takeHeading(bytes, 0, end);
        const decimals = this.draft.decimals[HEADING]!;
        // Headings of more digits than a double carries do not occur; none is better than a wrong one.
        this.gxTrack!.addHeading(this.draft.values[HEADING]!, decimals === LITERAL ? ABSENT : decimals);
        break;
      }
      case kind.FIELD_COORD: {
        const reason = this.readTuple(bytes, trimBlanks(field), 0x20);
        if (reason === null) this.gxTrack!.addCoordinate();
        else this.skipped.add(`gx:coord ${this.gxTrack!.passCoordinate()}, ${where}`, reason);
        break;
      }
    }
    for (const remark of rules.remarks) this.flagged.add(where, remark);
  }

  private takeData(text: string | null): void {
    if (text === null) return;
    if (this.dataName === 'psn') this.psn ??= text;
    else if (/^drive_?no$/.test(this.dataName) && /^\d{1,15}$/.test(text)) this.driveNo ??= Number(text);
  }

  /** A begin, end or stamp in UTC ms; null with a remark where it is neither a time nor a date. */
  private readSpan(where: string): number | null {
    const { field, time } = this;
    const text = field.toName();
    if (text === null) return null;
    const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
    const bytes = Buffer.from(isDate ? `${text}T00:00:00Z` : text);
    if (parseDateTime(bytes, 0, bytes.length, time) !== TIME_OK) {
      this.flagged.add(where, flagReasons.spanNotATime);
      return null;
    }
    if (isDate) this.flagged.add(where, flagReasons.dateOnly);
    else if (!time.hasZone) this.flagged.add(where, flagReasons.noZone);
    return (time.value / POW10[time.decimals]!) * 1000;
  }
}

/** Makes white space inside the text single spaces, without any around it; returns the new length. */
function trimBlanks(field: FieldText): number {
  const { bytes } = field;
  let to = 0;
  for (let at = 0; at < field.length; at++) {
    if (!isBlank(bytes[at]!)) bytes[to++] = bytes[at]!;
    else if (to > 0 && bytes[to - 1] !== 0x20) bytes[to++] = 0x20;
  }
  while (to > 0 && bytes[to - 1] === 0x20) to--;
  return to;
}

/**
 * GPX 1.0 and 1.1 (formats section 4): one trip per trk. Speeds stay in m/s as the file has them. What becomes of
 * odd input: docs/import-rules.md.
 */
import { ALTITUDE, HEADING, LAT, LNG, SPEED, TIME } from '../cache/trackCodec.ts';
import { TimeSlot } from './dateTime.ts';
import { DecimalSlot } from './decimal.ts';
import { FieldText } from './fieldText.ts';
import { GpxTemplate, SLOT_TEXT } from './gpxTemplate.ts';
import type { TemplateSlot } from './gpxTemplate.ts';
import { PointRules } from './pointRules.ts';
import { ReaderRefusal, ReasonTally } from './reader.ts';
import type { ReadReport, ReaderContext, TrackReader, TrackSink } from './reader.ts';
import { flagReasons, refusals, skipReasons } from './reasons.ts';
import { looksLikePsn } from './psnHint.ts';
import {
  ORDER_BACKWARD,
  ORDER_REPEAT,
  ORDER_SAME_TIME,
  PointDraft,
  TrackCursor,
  searchBudget,
} from './trackCursor.ts';
import { XmlReader } from './xmlReader.ts';
import type { XmlAttribute, XmlStartTag } from './xmlStartTag.ts';
import type { XmlElement, XmlHandler } from './xmlTokenizer.ts';
import { elementText } from './xmlNames.ts';

const gpxNamespaces = new Set([
  'http://www.topografix.com/GPX/1/1',
  'http://www.topografix.com/GPX/1/0',
  // Files without a namespace are common; with a foreign one they are something else.
  '',
]);
const extensionNamespaces = new Set([
  'http://www.garmin.com/xmlschemas/TrackPointExtension/v1',
  'http://www.garmin.com/xmlschemas/TrackPointExtension/v2',
]);
const maxTracks = 100_000;

// What an open element is to us.
const OTHER = 0;
const ROOT = 1;
const TRACK = 2;
const SEGMENT = 3;
const POINT = 4;
const EXTENSIONS = 5;
const POINT_EXTENSION = 6;
const TRACK_EXTENSIONS = 7;
const ROUTE = 8;
// Elements whose text we want.
const FIELD = 16;
const FIELD_NAME = FIELD;
const FIELD_SOURCE = FIELD + 1;
const FIELD_NUMBER = FIELD + 2;
const FIELD_PSN = FIELD + 3;
const FIELD_TIME = FIELD + 4;
const FIELD_ELEVATION = FIELD + 5;
const FIELD_SPEED = FIELD + 6;
const FIELD_COURSE = FIELD + 7;

export interface GpxReaderOptions {
  /** false: every point goes through the tokenizer; tests hold both paths to each other. */
  readonly isQuick?: boolean;
}

/** A reader for one GPX file. Refuses (ReaderRefusal) what is not well-formed XML or not GPX. */
export function createGpxReader(
  sink: TrackSink,
  context: ReaderContext,
  options: GpxReaderOptions = {},
): TrackReader {
  const handler = new GpxHandler(sink, context);
  const reader = new XmlReader(handler, handler);
  handler.attach(reader, options.isQuick ?? true);
  return reader;
}

class GpxHandler implements XmlHandler {
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
  private readonly rules = new PointRules(this.draft, new DecimalSlot(), new TimeSlot(), 400 / 3.6, false);
  private readonly budget = { left: searchBudget };
  private generalPoints = 0;
  private trackCount = 0;
  // The track under way.
  private cursor: TrackCursor | null = null;
  private name: string | null = null;
  private source: string | null = null;
  private psn: string | null = null;
  private driveNo: number | null = null;
  private segments = 0;
  private trackLine = 0;
  // The point under way.
  private pointNumber = 0;
  private pointLine = 0;
  private reason: string | null = null;
  private seen = 0;
  // Its places, for the template.
  private readonly template = new GpxTemplate();
  private slots: TemplateSlot[] = [];
  private pointFrom = 0;
  private pointTurn = -1;
  private leafFrom = -1;

  constructor(sink: TrackSink, context: ReaderContext) {
    this.sink = sink;
    this.context = context;
  }

  attach(reader: XmlReader, isQuick: boolean): void {
    this.reader = reader;
    this.isQuick = isQuick;
  }

  get points(): number {
    return this.generalPoints + this.template.points;
  }

  get report(): ReadReport {
    return { rows: this.points + this.skipped.total, skipped: this.skipped, flagged: this.flagged };
  }

  private readonly quick = (bytes: Uint8Array, at: number, to: number): number => {
    const { template } = this;
    const before = template.points;
    const next = template.read(bytes, at, to, this.cursor!);
    this.pointNumber += template.points - before;
    this.reader.tokenizer.line += template.lines;
    template.lines = 0;
    return next;
  };

  startElement(element: XmlElement, tag: XmlStartTag): void {
    const parent = this.kinds[this.depth]!;
    const kind = this.depth === 0 ? this.kindOfRoot(element) : this.kindOf(parent, element);
    this.kinds[++this.depth] = kind;
    const { tokenizer } = this.reader;
    tokenizer.quick = null;
    this.leafFrom = tokenizer.tokenTo;
    if (kind >= FIELD) {
      this.field.clear();
    } else if (kind === POINT) this.startPoint(tag);
    else if (kind === TRACK) this.startTrack();
    else if (kind === SEGMENT) {
      this.template.forget();
      if (++this.segments > 1) this.flagged.add(`line ${tokenizer.line}`, flagReasons.segmentBreak);
    } else if (kind === OTHER) this.countOther(parent, element);
    else if (kind === ROUTE) this.flagged.add(`line ${tokenizer.line}`, flagReasons.route);
  }

  private kindOfRoot(element: XmlElement): number {
    if (element.name.local !== 'gpx' || !gpxNamespaces.has(element.namespace)) {
      throw new ReaderRefusal(
        `line ${this.reader.tokenizer.line}`,
        `${refusals.notGpx}: ${elementText(element)}`,
      );
    }
    return ROOT;
  }

  private kindOf(parent: number, element: XmlElement): number {
    const { local } = element.name;
    const isGpx = gpxNamespaces.has(element.namespace);
    switch (parent) {
      case ROOT:
        return isGpx && local === 'trk' ? TRACK : isGpx && local === 'rte' ? ROUTE : OTHER;
      case TRACK:
        if (!isGpx) return OTHER;
        if (local === 'trkseg') return SEGMENT;
        if (local === 'name') return FIELD_NAME;
        if (local === 'src') return FIELD_SOURCE;
        if (local === 'number') return FIELD_NUMBER;
        return local === 'extensions' ? TRACK_EXTENSIONS : OTHER;
      case TRACK_EXTENSIONS:
        return local === 'psn' ? FIELD_PSN : OTHER;
      case SEGMENT:
        return isGpx && local === 'trkpt' ? POINT : OTHER;
      case POINT:
        if (!isGpx) return OTHER;
        if (local === 'time') return FIELD_TIME;
        if (local === 'ele') return FIELD_ELEVATION;
        // GPX 1.0's own; files that call themselves 1.1 have them too.
        if (local === 'speed') return FIELD_SPEED;
        if (local === 'course') return FIELD_COURSE;
        return local === 'extensions' ? EXTENSIONS : OTHER;
      case EXTENSIONS:
        return local === 'TrackPointExtension' && extensionNamespaces.has(element.namespace)
          ? POINT_EXTENSION
          : OTHER;
      case POINT_EXTENSION:
        if (!extensionNamespaces.has(element.namespace)) return OTHER;
        return local === 'speed' ? FIELD_SPEED : local === 'course' ? FIELD_COURSE : OTHER;
      default:
        return OTHER;
    }
  }

  private countOther(parent: number, element: XmlElement): void {
    const where = `line ${this.reader.tokenizer.line}`;
    if (parent === ROOT && element.name.local === 'wpt') this.flagged.add(where, flagReasons.waypoint);
    else if (parent === ROUTE && element.name.local === 'rtept')
      this.flagged.add(where, flagReasons.routePoint);
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    if (this.kinds[this.depth]! >= FIELD) this.field.add(bytes, from, to);
  }

  endElement(): void {
    const kind = this.kinds[this.depth]!;
    const { tokenizer } = this.reader;
    if (kind >= FIELD) this.endField(kind);
    if (this.pointTurn === tokenizer.turn && this.leafFrom >= 0 && kind !== POINT) this.addSlot(kind);
    this.leafFrom = -1;
    this.depth--;
    if (kind === POINT) this.endPoint();
    else if (kind === TRACK) this.endTrack();
    else if (kind === SEGMENT) this.template.forget();
    tokenizer.quick =
      this.isQuick && this.kinds[this.depth] === SEGMENT && this.depth > 0 && this.template.isLearned
        ? this.quick
        : null;
  }

  private startTrack(): void {
    if (++this.trackCount > maxTracks) {
      throw new ReaderRefusal(`line ${this.reader.tokenizer.line}`, refusals.tooManyTrips);
    }
    this.cursor = null;
    this.name = null;
    this.source = null;
    this.psn = null;
    this.driveNo = null;
    this.segments = 0;
    this.trackLine = this.reader.tokenizer.line;
  }

  private identity() {
    const hint = this.psn ?? (this.source !== null && looksLikePsn(this.source) ? this.source : null);
    return {
      psn: this.context.psn ?? hint,
      cameraName: this.context.cameraName,
      driveNo: this.driveNo,
      name: this.name,
      speedUnit: 'ms',
      beginMs: null,
      endMs: null,
    } as const;
  }

  private endTrack(): void {
    if (this.cursor === null) this.flagged.add(`line ${this.trackLine}`, flagReasons.trackWithoutPoints);
    else this.sink.amendTrack(this.cursor.builder, this.identity());
    this.cursor = null;
  }

  private startPoint(tag: XmlStartTag): void {
    const { tokenizer } = this.reader;
    this.pointNumber++;
    this.pointLine = tokenizer.line;
    this.seen = 0;
    this.slots = [];
    this.pointFrom = tokenizer.tokenFrom;
    this.pointTurn = tokenizer.turn;
    this.rules.begin();
    const lat = tag.find('lat');
    const lon = tag.find('lon');
    this.reason =
      this.takeAttribute(tag, lat, LAT) ?? this.takeAttribute(tag, lon, LNG) ?? this.rules.checkPosition();
    if (this.reason === null) {
      const ordered =
        lat!.from < lon!.from
          ? ([
              [lat!, LAT],
              [lon!, LNG],
            ] as const)
          : ([
              [lon!, LNG],
              [lat!, LAT],
            ] as const);
      for (const [attribute, column] of ordered) {
        this.slots.push({ column, from: attribute.from, to: attribute.to });
        // A template's slot has no references in it.
        if (attribute.hasReference) this.pointTurn = -1;
      }
    }
  }

  private takeAttribute(tag: XmlStartTag, attribute: XmlAttribute | null, column: number): string | null {
    let bytes = tag.bytes;
    let from = 0;
    let to = 0;
    if (attribute?.hasReference) {
      bytes = Buffer.from(tag.valueOf(attribute));
      to = bytes.length;
    } else if (attribute) {
      from = attribute.from;
      to = attribute.to;
    }
    return column === LAT
      ? this.rules.takeLatitude(bytes, from, to)
      : this.rules.takeLongitude(bytes, from, to);
  }

  /** A leaf element inside the point has ended: its text is a slot of the template. */
  private addSlot(kind: number): void {
    const to = this.reader.tokenizer.tokenFrom;
    const from = this.leafFrom;
    if (to <= from) return;
    const column =
      kind === FIELD_TIME
        ? TIME
        : kind === FIELD_ELEVATION
          ? ALTITUDE
          : kind === FIELD_SPEED
            ? SPEED
            : kind === FIELD_COURSE
              ? HEADING
              : SLOT_TEXT;
    this.slots.push({ column, from, to });
  }

  private endField(kind: number): void {
    const { field, rules } = this;
    const { bytes } = field;
    // A cut value is no number or time any more.
    const length = field.isCut ? 1000 : field.length;
    if (kind >= FIELD_TIME) {
      const bit = 1 << (kind - FIELD_TIME);
      if ((this.seen & bit) !== 0) {
        rules.remarks.push(flagReasons.repeatedElement);
        return;
      }
      this.seen |= bit;
    } else if (field.isCut) this.flagged.add(`line ${this.reader.tokenizer.line}`, flagReasons.nameCut);
    switch (kind) {
      case FIELD_NAME:
        this.name ??= field.toName();
        return;
      case FIELD_SOURCE:
        this.source ??= field.toName();
        return;
      case FIELD_PSN:
        this.psn ??= field.toName();
        return;
      case FIELD_NUMBER: {
        const text = field.toName();
        if (text !== null && /^\d{1,15}$/.test(text)) this.driveNo ??= Number(text);
        return;
      }
      case FIELD_TIME: {
        if (this.reason !== null) return;
        const reason = rules.takeTime(bytes, 0, length);
        // An empty time is as good as none: shape only.
        if (reason !== skipReasons.noTime) this.reason = reason;
        return;
      }
      case FIELD_ELEVATION:
        return rules.takeAltitude(ALTITUDE, bytes, 0, length);
      case FIELD_SPEED:
        return rules.takeSpeed(bytes, 0, length);
      case FIELD_COURSE:
        return rules.takeHeading(bytes, 0, length);
    }
  }

  private endPoint(): void {
    const where = `trkpt ${this.pointNumber}, line ${this.pointLine}`;
    const { tokenizer } = this.reader;
    const { draft, rules } = this;
    if (this.reason !== null) {
      this.skipped.add(where, this.reason);
      return;
    }
    const hasTime = !Number.isNaN(draft.numberAt(TIME));
    if (!hasTime) rules.remarks.push(flagReasons.noPointTime);
    this.cursor ??= new TrackCursor(this.sink.beginTrack(this.identity()), this.identity());
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
    if (this.isQuick && this.pointTurn === tokenizer.turn && hasTime) {
      this.template.learn(tokenizer.bytes, this.pointFrom, tokenizer.tokenTo, this.slots);
    }
  }
}

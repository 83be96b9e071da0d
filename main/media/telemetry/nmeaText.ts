import { emptyRow, type GpsRow, type SkipCounts } from './columns.ts';
import { readSentence, type Sentence } from './nmeaSentence.ts';

/** One GPS time as the text gives it; `timeOfDayMs` where there is a time but no date. */
export interface NmeaRow extends GpsRow {
  readonly hasFix: boolean;
  readonly timeOfDayMs: number;
}

export interface NmeaReading {
  readonly rows: readonly NmeaRow[];
  /** `rmc` gives date and time, `gga` (GGA or GLL) a time of day. */
  readonly kind: 'rmc' | 'gga' | 'vtg' | null;
}

interface Line {
  readonly cameraLocalMs: number;
  readonly sentence: Sentence;
}

/** A `[13 digits]` prefix, a stray `[`, or a sentence up to the next line, prefix or sentence (lines get glued). */
const tokens = /\[(\d{13})\]|\[[^\r\n\0$[]*|\$([^\r\n\0$[]*)/g;

/**
 * `gps `: NMEA text, NUL-padded, each line with the camera's wall clock in front as if it were epoch
 * milliseconds (formats.md section 2). What can't be used is counted in `skips` and left out. Without RMC it
 * goes by GGA or GLL, without those by VTG.
 */
export function readNmeaText(payload: Buffer, skips: SkipCounts): NmeaReading {
  const lines = readLines(payload.toString('latin1'), skips);
  const of = (kind: Sentence['kind']): boolean => lines.some(({ sentence }) => sentence.kind === kind);
  const main: Sentence['kind'] | null = of('RMC')
    ? 'RMC'
    : of('GGA')
      ? 'GGA'
      : of('GLL')
        ? 'GLL'
        : of('VTG')
          ? 'VTG'
          : null;
  if (main === null) return { rows: [], kind: null };
  const kind = main === 'RMC' ? 'rmc' : main === 'VTG' ? 'vtg' : 'gga';
  return { rows: joinLines(lines, main), kind };
}

function readLines(text: string, skips: SkipCounts): Line[] {
  const lines: Line[] = [];
  let pendingMs = NaN;
  let pendingEnd = 0;
  let readTo = 0;
  const dropPending = (): void => {
    if (!Number.isNaN(pendingMs))
      skips.add(`gps byte ${pendingEnd - 15}`, 'a line with a time and nothing else');
    pendingMs = NaN;
  };
  const noteBetween = (from: number, to: number): void => {
    if (from >= to) return;
    const strays = linesWithText(text, from, to);
    if (strays > 0) skips.add(`gps byte ${from}`, 'bytes that belong to no line', strays);
  };
  for (const match of text.matchAll(tokens)) {
    const at = match.index;
    noteBetween(readTo, at);
    readTo = at + match[0].length;
    if (match[1] !== undefined) {
      dropPending();
      pendingMs = Number(match[1]);
      pendingEnd = readTo;
      continue;
    }
    if (match[2] === undefined) {
      skips.add(`gps byte ${at}`, 'bytes that belong to no line');
      continue;
    }
    // A time belongs to the sentence on its own line only.
    if (!Number.isNaN(pendingMs) && /[^ \t]/.test(text.slice(pendingEnd, at))) dropPending();
    const sentence = readSentence(match[2]);
    if (typeof sentence === 'string') skips.add(`gps byte ${at}`, sentence);
    else if (sentence !== null) lines.push({ cameraLocalMs: pendingMs, sentence });
    pendingMs = NaN;
  }
  dropPending();
  noteBetween(readTo, text.length);
  return lines;
}

/** How many lines hold more than blanks. By hand: a pattern for it takes hours on megabytes of blanks. */
function linesWithText(text: string, from: number, to: number): number {
  let lines = 0;
  let isCounted = false;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x0a || code === 0x0d || code === 0) isCounted = false;
    else if (!isCounted && code !== 0x20 && code !== 0x09) {
      isCounted = true;
      lines++;
    }
  }
  return lines;
}

/** One row for each sentence of the main kind, completed from its neighbours of the same moment. */
function joinLines(lines: readonly Line[], main: Sentence['kind']): NmeaRow[] {
  const rows: NmeaRow[] = [];
  let last: { row: NmeaRow; sentence: Sentence } | null = null;
  const early: Line[] = []; // sentences before the main one of their moment
  for (const line of lines) {
    const { sentence, cameraLocalMs } = line;
    if (sentence.kind !== main) {
      if (last && isSameMoment(last, line)) complete(last.row, sentence);
      else early.push(line);
      continue;
    }
    const timeMs = Number.isNaN(sentence.timeOfDayMs) ? NaN : sentence.dayMs + sentence.timeOfDayMs;
    // The same second from two constellations is one row.
    if (
      last &&
      last.sentence.talker !== sentence.talker &&
      last.sentence.timeOfDayMs === sentence.timeOfDayMs
    ) {
      early.length = 0;
      continue;
    }
    const row: NmeaRow = {
      ...emptyRow(),
      cameraLocalMs,
      utcMs: timeMs,
      latDeg: sentence.latDeg,
      lngDeg: sentence.lngDeg,
      speedKmh: sentence.speedKmh,
      headingDeg: sentence.headingDeg,
      altitudeM: sentence.altitudeM,
      hasFix: sentence.hasFix,
      timeOfDayMs: sentence.timeOfDayMs,
    };
    last = { row, sentence };
    for (const one of early) if (isSameMoment(last, one)) complete(row, one.sentence);
    early.length = 0;
    rows.push(row);
  }
  return rows;
}

function isSameMoment(of: { row: NmeaRow; sentence: Sentence }, line: Line): boolean {
  const { sentence } = line;
  if (!Number.isNaN(sentence.timeOfDayMs)) return sentence.timeOfDayMs === of.sentence.timeOfDayMs;
  return Math.abs(line.cameraLocalMs - of.row.cameraLocalMs) < 500;
}

function complete(row: NmeaRow, from: Sentence): void {
  if (!row.hasFix) return;
  if (Number.isNaN(row.altitudeM)) row.altitudeM = from.altitudeM;
  if (Number.isNaN(row.speedKmh)) row.speedKmh = from.speedKmh;
  if (Number.isNaN(row.headingDeg)) row.headingDeg = from.headingDeg;
}

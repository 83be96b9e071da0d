/** What one checked NMEA sentence says. NaN is absent. Times of day are milliseconds since midnight UTC. */
export interface Sentence {
  readonly kind: 'RMC' | 'GGA' | 'GLL' | 'VTG';
  readonly talker: string;
  readonly hasFix: boolean;
  readonly timeOfDayMs: number;
  /** Midnight UTC of the date; only RMC has one. */
  readonly dayMs: number;
  readonly latDeg: number;
  readonly lngDeg: number;
  readonly speedKmh: number;
  readonly headingDeg: number;
  readonly altitudeM: number;
}

const knotKmh = 1.852;

/**
 * Reads the text between `$` and the line's end. Returns the sentence, null for a correct one of a kind that
 * says nothing here, or the reason why it can't be used.
 */
export function readSentence(text: string): Sentence | null | string {
  const star = text.indexOf('*');
  if (star < 0) return 'a line that is cut short';
  const stated = /^[0-9A-Fa-f]{2}/.exec(text.slice(star + 1))?.[0];
  if (stated === undefined) return 'a line that is cut short';
  let checksum = 0;
  for (let i = 0; i < star; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7e || code < 0x20) return 'a line with bytes that are not text';
    checksum ^= code;
  }
  if (Number.parseInt(stated, 16) !== checksum) return 'a line with a wrong checksum';
  const fields = text.slice(0, star).split(',');
  const address = /^([A-Z]{2})(RMC|GGA|GLL|VTG)$/.exec(fields[0]!);
  if (!address) return null;
  const [, talker, kind] = address;
  const read = { RMC: readRmc, GGA: readGga, GLL: readGll, VTG: readVtg }[kind as Sentence['kind']]; // the pattern says so
  return read(talker!, fields);
}

function readRmc(talker: string, fields: readonly string[]): Sentence | string {
  if (fields.length < 10) return 'a line that is cut short';
  const hasFix = fields[2] === 'A';
  const sentence: Sentence = {
    ...nothingSaid('RMC', talker),
    hasFix,
    timeOfDayMs: timeOfDay(fields[1]),
    dayMs: dayOf(fields[9]),
    ...(hasFix
      ? {
          latDeg: angle(fields[3], fields[4], 'N', 'S', 90),
          lngDeg: angle(fields[5], fields[6], 'E', 'W', 180),
          speedKmh: number(fields[7]) * knotKmh,
          headingDeg: heading(fields[8]),
        }
      : {}),
  };
  return checked(sentence);
}

function readGga(talker: string, fields: readonly string[]): Sentence | string {
  if (fields.length < 7) return 'a line that is cut short';
  const hasFix = /^[1-9]$/.test(fields[6]!);
  return checked({
    ...nothingSaid('GGA', talker),
    hasFix,
    timeOfDayMs: timeOfDay(fields[1]),
    ...(hasFix
      ? {
          latDeg: angle(fields[2], fields[3], 'N', 'S', 90),
          lngDeg: angle(fields[4], fields[5], 'E', 'W', 180),
          altitudeM: number(fields[9]),
        }
      : {}),
  });
}

function readGll(talker: string, fields: readonly string[]): Sentence | string {
  if (fields.length < 7) return 'a line that is cut short';
  const hasFix = fields[6] === 'A';
  return checked({
    ...nothingSaid('GLL', talker),
    hasFix,
    timeOfDayMs: timeOfDay(fields[5]),
    ...(hasFix
      ? {
          latDeg: angle(fields[1], fields[2], 'N', 'S', 90),
          lngDeg: angle(fields[3], fields[4], 'E', 'W', 180),
        }
      : {}),
  });
}

function readVtg(talker: string, fields: readonly string[]): Sentence | string {
  if (fields.length < 6) return 'a line that is cut short';
  const kmh = number(fields[7]);
  return {
    ...nothingSaid('VTG', talker),
    headingDeg: heading(fields[1]),
    speedKmh: Number.isNaN(kmh) ? number(fields[5]) * knotKmh : kmh,
  };
}

function nothingSaid(kind: Sentence['kind'], talker: string): Sentence {
  return {
    kind,
    talker,
    hasFix: false,
    timeOfDayMs: NaN,
    dayMs: NaN,
    latDeg: NaN,
    lngDeg: NaN,
    speedKmh: NaN,
    headingDeg: NaN,
    altitudeM: NaN,
  };
}

function checked(sentence: Sentence): Sentence | string {
  const { hasFix, latDeg, lngDeg } = sentence;
  if (hasFix && (Number.isNaN(latDeg) || Number.isNaN(lngDeg)))
    return 'a line whose position can not be read or is out of range';
  if (hasFix && latDeg === 0 && lngDeg === 0) return 'a position of 0/0';
  return sentence;
}

function number(text: string | undefined): number {
  return text !== undefined && /^-?\d+(\.\d*)?$/.test(text) ? Number(text) : NaN;
}

function heading(text: string | undefined): number {
  const degrees = number(text);
  return degrees >= 0 && degrees <= 360 ? degrees % 360 : NaN;
}

/** `hhmmss` with any fraction. */
function timeOfDay(text: string | undefined): number {
  const match = /^(\d{2})(\d{2})(\d{2})(\.\d*)?$/.exec(text ?? '');
  if (!match) return NaN;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (hour > 23 || minute > 59 || second > 60) return NaN; // 60: a leap second
  const fractionMs = match[4] === undefined || match[4] === '.' ? 0 : Math.round(Number(match[4]) * 1000);
  return ((hour * 60 + minute) * 60 + second) * 1000 + fractionMs;
}

/** `ddmmyy`; 80 to 99 are of the last century. NaN for days that are not in the calendar. */
function dayOf(text: string | undefined): number {
  const match = /^(\d{2})(\d{2})(\d{2})$/.exec(text ?? '');
  if (!match) return NaN;
  const [day, month, year] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const ms = Date.UTC(year >= 80 ? 1900 + year : 2000 + year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCDate() === day && date.getUTCMonth() === month - 1 ? ms : NaN;
}

/** `DDMM.mmmm` or `DDDMM.mmmm` with its hemisphere, in degrees. */
function angle(
  text: string | undefined,
  side: string | undefined,
  positive: string,
  negative: string,
  most: number,
): number {
  const match = /^(\d{1,3})(\d{2}(?:\.\d*)?)$/.exec(text ?? '');
  if (!match || (side !== positive && side !== negative)) return NaN;
  const minutes = Number(match[2]);
  if (minutes >= 60) return NaN;
  const degrees = Number(match[1]) + minutes / 60;
  if (degrees > most) return NaN;
  return side === negative ? -degrees : degrees;
}

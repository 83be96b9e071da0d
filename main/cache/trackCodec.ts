/**
 * The packed form of a trip's points: six columns (time, latitude, longitude, heading, speed, altitude) of
 * exact decimal numbers, as the source wrote them. 52.100000 comes back as 52.100000, an absent speed as
 * absent. See docs/decisions/0001-packed-tracks.md for why and for the layout.
 */

/** Column order inside a chunk. */
export const columnNames = ['time', 'lat', 'lng', 'heading', 'speed', 'altitude'] as const;
export type ColumnName = (typeof columnNames)[number];
export const columnCount = columnNames.length;
export const TIME = 0;
export const LAT = 1;
export const LNG = 2;
export const HEADING = 3;
export const SPEED = 4;
export const ALTITUDE = 5;

/** `decimals` of a value that is not there. */
export const ABSENT = 255;
/** `decimals` of a value that does not fit a safe integer: its source text is kept in `literals`. */
export const LITERAL = 254;
/** Points in one chunk: enough to compress well, small enough to unpack for one hover. */
export const chunkPoints = 4096;

const noValues = new Float64Array(0);
const noDecimals = new Uint8Array(0);
/** The columns of tracks without room: one pair for all of them, never written to. */
const emptyColumns = {
  values: Array.from({ length: columnCount }, () => noValues),
  decimals: Array.from({ length: columnCount }, () => noDecimals),
} as const;
const noLiterals: ReadonlyMap<number, string> = new Map();

/**
 * Growable columns of exact numbers. values[c][i] / 10 ** decimals[c][i] is the number; time is in seconds
 * since 1970 (scaled by its own decimals); speed is in the unit of the trip. `literals` holds, by
 * `column * 2 ** 32 + index`, the text of numbers with more digits than a double can carry.
 */
export class PointColumns {
  count = 0;
  capacity: number;
  /** Exchanged by `grow`, as is `decimals`. */
  values: readonly Float64Array[];
  decimals: readonly Uint8Array[];
  /** Made with the first literal: there are thousands of tracks, and hardly ever one. */
  private ownLiterals: Map<number, string> | null = null;

  constructor(capacity = 64) {
    this.capacity = capacity;
    this.values = emptyColumns.values;
    this.decimals = emptyColumns.decimals;
    if (capacity === 0) return;
    this.values = Array.from({ length: columnCount }, () => new Float64Array(capacity));
    this.decimals = Array.from({ length: columnCount }, () => new Uint8Array(capacity).fill(ABSENT));
  }

  get literals(): ReadonlyMap<number, string> {
    return this.ownLiterals ?? noLiterals;
  }

  /** Lets go of all columns, which are then empty and have no room. */
  protected dropColumns(): void {
    this.capacity = 0;
    this.values = emptyColumns.values;
    this.decimals = emptyColumns.decimals;
    this.clear();
  }

  /** Bytes held, for the reader's memory budget. */
  get heldBytes(): number {
    return this.capacity * columnCount * 9;
  }

  /** Adds a point and returns its index. Each number is given as scaled integer and decimals (ABSENT: none). */
  add(
    time: number,
    timeDecimals: number,
    lat: number,
    latDecimals: number,
    lng: number,
    lngDecimals: number,
    heading: number,
    headingDecimals: number,
    speed: number,
    speedDecimals: number,
    altitude: number,
    altitudeDecimals: number,
  ): number {
    const i = this.count;
    if (i === this.capacity) this.grow();
    const { values, decimals } = this;
    values[TIME]![i] = time;
    decimals[TIME]![i] = timeDecimals;
    values[LAT]![i] = lat;
    decimals[LAT]![i] = latDecimals;
    values[LNG]![i] = lng;
    decimals[LNG]![i] = lngDecimals;
    values[HEADING]![i] = heading;
    decimals[HEADING]![i] = headingDecimals;
    values[SPEED]![i] = speed;
    decimals[SPEED]![i] = speedDecimals;
    values[ALTITUDE]![i] = altitude;
    decimals[ALTITUDE]![i] = altitudeDecimals;
    this.count = i + 1;
    return i;
  }

  /** Keeps the source text of a number too long for a double; its `decimals` must be LITERAL. */
  setLiteral(column: number, index: number, text: string): void {
    this.ownLiterals ??= new Map();
    this.ownLiterals.set(column * 2 ** 32 + index, text);
  }

  literalAt(column: number, index: number): string | undefined {
    return this.ownLiterals?.get(column * 2 ** 32 + index);
  }

  /** The number as a double; NaN where absent. */
  numberAt(column: number, index: number): number {
    const decimals = this.decimals[column]![index]!;
    if (decimals === ABSENT) return NaN;
    if (decimals === LITERAL) return Number(this.literalAt(column, index));
    // Division by an exact power of ten is correctly rounded, so this is the double nearest to the text.
    return this.values[column]![index]! / POW10[decimals]!;
  }

  /** The number with the digits of the source; null where absent. */
  textAt(column: number, index: number): string | null {
    const decimals = this.decimals[column]![index]!;
    if (decimals === ABSENT) return null;
    if (decimals === LITERAL) return this.literalAt(column, index) ?? null;
    return decimalText(this.values[column]![index]!, decimals);
  }

  clear(): void {
    this.count = 0;
    this.ownLiterals = null;
  }

  /** Doubles the room. */
  grow(): void {
    const capacity = (this.capacity *= 2);
    this.values = this.values.map((before) => {
      const values = new Float64Array(capacity);
      values.set(before);
      return values;
    });
    this.decimals = this.decimals.map((before) => {
      const decimals = new Uint8Array(capacity).fill(ABSENT);
      decimals.set(before);
      return decimals;
    });
  }
}

/** Powers of ten that are exact doubles. */
export const POW10: readonly number[] = Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));

/** `scaled / 10 ** decimals` in plain decimal notation with exactly `decimals` digits after the point. */
export function decimalText(scaled: number, decimals: number): string {
  const isNegative = scaled < 0 || Object.is(scaled, -0);
  const digits = String(Math.abs(scaled)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${isNegative ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
}

// Column modes. A column whose every value is absent costs one byte.
const MODE_ABSENT = 0;
const MODE_UNIFORM = 1; // one `decimals` for all, none absent
const MODE_MIXED = 2; // a `decimals` byte for each value, then the values of those present
const MODE_TEXT = 3; // a length byte and the text for each value; some value is LITERAL or -0

const layoutVersion = 1;
const maxChunkPoints = 1 << 20;

let scratch = new Uint8Array(1 << 16);

/**
 * Packs points [from, to) of the columns. Values are second-order (time) or first-order differences as varints;
 * a column with text, or with differences too large for a double, is written as text. Throws RangeError on more
 * than 1,048,576 points, or a literal that is not ASCII or longer than 254 characters.
 */
export function encodeChunk(points: PointColumns, from = 0, to = points.count): Buffer {
  return Buffer.from(packChunk(points, from, to));
}

/** encodeChunk without a copy: what it returns is good until the next call. */
export function packChunk(points: PointColumns, from: number, to: number): Uint8Array {
  if (to - from > maxChunkPoints) throw new RangeError('too many points for one chunk');
  let at = 0;
  makeRoom(at, 16);
  scratch[at++] = layoutVersion;
  at = writeVarint(scratch, at, to - from);
  for (let c = 0; c < columnCount; c++) {
    // A varint of a safe integer is at most 8 bytes; one byte for decimals, two for the mode.
    makeRoom(at, 2 + (to - from) * 9);
    at = encodeColumn(points, c, from, to, at);
  }
  return scratch.subarray(0, at);
}

/** Grows `scratch` so that `size` bytes fit from `at` on, keeping what is before. */
function makeRoom(at: number, size: number): void {
  if (scratch.length >= at + size) return;
  const larger = new Uint8Array((at + size) * 2);
  larger.set(scratch.subarray(0, at));
  scratch = larger;
}

function encodeColumn(points: PointColumns, c: number, from: number, to: number, start: number): number {
  let at = start;
  const decimals = points.decimals[c]!;
  const first = to > from ? decimals[from]! : ABSENT;
  let isUniform = true;
  for (let i = from + 1; i < to; i++) {
    if (decimals[i] !== first) {
      isUniform = false;
      break;
    }
  }
  if (isUniform && first === ABSENT) {
    scratch[at++] = MODE_ABSENT;
    return at;
  }
  if (isUniform ? first === LITERAL : decimals.subarray(from, to).includes(LITERAL)) {
    return encodeTexts(points, c, from, to, start);
  }
  scratch[at++] = isUniform ? MODE_UNIFORM : MODE_MIXED;
  if (isUniform) {
    scratch[at++] = first;
    at = writeDifferences(points.values[c]!, from, to, c === TIME, at);
  } else {
    scratch.set(decimals.subarray(from, to), at);
    at += to - from;
    // Those that are there, side by side: absence is in the decimals.
    const present = roomForPresent(to - from);
    const values = points.values[c]!;
    let count = 0;
    for (let i = from; i < to; i++) {
      if (decimals[i] !== ABSENT) present[count++] = values[i]!;
    }
    at = writeDifferences(present, 0, count, c === TIME, at);
  }
  return at < 0 ? encodeTexts(points, c, from, to, start) : at;
}

let presentValues = new Float64Array(chunkPoints);

function roomForPresent(count: number): Float64Array {
  if (presentValues.length < count) presentValues = new Float64Array(count);
  return presentValues;
}

/** Differences (`isSecond`: of differences) as zigzag varints; -1 where only text can carry the values. */
function writeDifferences(
  values: Float64Array,
  from: number,
  to: number,
  isSecond: boolean,
  start: number,
): number {
  const out = scratch;
  let at = start;
  let previous = 0;
  let previousDelta = 0;
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    // Minus zero has a sign that a difference loses.
    if (value === 0 && 1 / value < 0) return -1;
    const delta = value - previous;
    previous = value;
    let coded = delta;
    if (isSecond) {
      coded = delta - previousDelta;
      previousDelta = delta;
    }
    const small = coded | 0;
    if (small === coded && small >= -0x100000 && small < 0x100000) {
      const zigzag = (small << 1) ^ (small >> 31);
      if (zigzag < 0x80) out[at++] = zigzag;
      else if (zigzag < 0x4000) {
        out[at] = (zigzag & 0x7f) | 0x80;
        out[at + 1] = zigzag >>> 7;
        at += 2;
      } else {
        out[at] = (zigzag & 0x7f) | 0x80;
        out[at + 1] = ((zigzag >>> 7) & 0x7f) | 0x80;
        out[at + 2] = zigzag >>> 14;
        at += 3;
      }
      continue;
    }
    // Zigzag by arithmetic: 32-bit operators would cut large deltas.
    const zigzag = coded >= 0 ? coded * 2 : coded * -2 - 1;
    // Times whose number of decimals changes from point to point can differ by more than a double holds.
    if (!(zigzag <= Number.MAX_SAFE_INTEGER)) return -1;
    at = writeVarint(out, at, zigzag);
  }
  return at;
}

function encodeTexts(points: PointColumns, c: number, from: number, to: number, at: number): number {
  const texts: (string | null)[] = [];
  let size = 1;
  for (let i = from; i < to; i++) {
    const text = points.textAt(c, i);
    if (text !== null && (text.length > 254 || !isAscii(text))) {
      throw new RangeError('a number of more than 254 digits');
    }
    texts.push(text);
    size += 1 + (text?.length ?? 0);
  }
  makeRoom(at, size);
  const out = scratch;
  out[at++] = MODE_TEXT;
  for (const text of texts) {
    out[at++] = text === null ? 255 : text.length;
    for (let k = 0; text !== null && k < text.length; k++) out[at++] = text.charCodeAt(k);
  }
  return at;
}

function isAscii(text: string): boolean {
  for (let k = 0; k < text.length; k++) if (text.charCodeAt(k) > 0x7f) return false;
  return true;
}

function writeVarint(out: Uint8Array, at: number, value: number): number {
  while (value >= 0x80) {
    out[at++] = (value % 128) | 0x80;
    value = Math.floor(value / 128);
  }
  out[at++] = value;
  return at;
}

/** Unpacks a chunk, appending to `into` when given. Throws RangeError on bytes that no encoder wrote. */
export function decodeChunk(
  data: Uint8Array,
  into: PointColumns = new PointColumns(chunkPoints),
): PointColumns {
  let at = 0;
  const fail = (): never => {
    throw new RangeError('a track chunk is damaged');
  };
  const readVarint = (): number => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = data[at++];
      if (byte === undefined || scale > 2 ** 56) return fail();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  };
  if (data[at++] !== layoutVersion) fail();
  const count = readVarint();
  if (count > maxChunkPoints) fail();
  const base = into.count;
  while (into.capacity < base + count) into.grow();
  into.count = base + count;
  for (let c = 0; c < columnCount; c++) {
    const values = into.values[c]!;
    const decimals = into.decimals[c]!;
    const mode = data[at++];
    if (mode === MODE_ABSENT) {
      decimals.fill(ABSENT, base, base + count);
      continue;
    }
    if (mode === MODE_TEXT) {
      for (let i = base; i < base + count; i++) {
        const length = data[at++];
        if (length === undefined) fail();
        if (length === 255) {
          decimals[i] = ABSENT;
          continue;
        }
        let text = '';
        for (let k = 0; k < length!; k++) text += String.fromCharCode(data[at++] ?? fail());
        placeText(into, c, i, text);
      }
      continue;
    }
    if (mode === MODE_UNIFORM) {
      const uniform = data[at++] ?? fail();
      if (uniform >= POW10.length) fail();
      decimals.fill(uniform, base, base + count);
    } else if (mode === MODE_MIXED) {
      if (at + count > data.length) fail();
      for (let i = base; i < base + count; i++) {
        const one = data[at++]!;
        if (one >= POW10.length && one !== ABSENT) fail();
        decimals[i] = one;
      }
    } else fail();
    let previous = 0;
    let delta = 0;
    for (let i = base; i < base + count; i++) {
      if (decimals[i] === ABSENT) continue;
      const byte = data[at];
      let zigzag: number;
      if (byte !== undefined && byte < 0x80) {
        zigzag = byte;
        at++;
      } else zigzag = readVarint();
      const coded = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      if (c === TIME) delta += coded;
      else delta = coded;
      previous += delta;
      values[i] = previous;
    }
  }
  if (at !== data.length) fail();
  return into;
}

/** Puts a number given as text: scaled where that gives back the same text, as a literal otherwise. */
function placeText(into: PointColumns, c: number, index: number, text: string): void {
  const point = text.indexOf('.');
  const digits = point < 0 ? 0 : text.length - point - 1;
  if (digits < POW10.length) {
    const scaled = Number(text.replace('.', ''));
    if (Number.isSafeInteger(scaled) && decimalText(scaled, digits) === text) {
      into.values[c]![index] = scaled;
      into.decimals[c]![index] = digits;
      return;
    }
  }
  into.values[c]![index] = 0;
  into.decimals[c]![index] = LITERAL;
  into.setLiteral(c, index, text);
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ABSENT,
  LITERAL,
  PointColumns,
  TIME,
  columnCount,
  decimalText,
  decodeChunk,
  encodeChunk,
} from '../../main/cache/trackCodec.ts';

/** One number of one column, as readers make them. */
type Cell = { value: number; decimals: number; literal?: string };

const absent: Cell = { value: 0, decimals: ABSENT };
const scaledCell = fc
  .record({
    value: fc.oneof(
      fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      fc.maxSafeInteger().map((n) => n % 1e15),
      fc.constant(-0),
      fc.constant(0),
    ),
    decimals: fc.integer({ min: 0, max: 22 }),
  })
  .map((cell): Cell => cell);
const literalCell = fc
  .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^[1-9][0-9]{16,40}$/), fc.integer({ min: 1, max: 16 }))
  .map(([sign, digits, point]): Cell => {
    return {
      value: 0,
      decimals: LITERAL,
      literal: `${sign}${digits.slice(0, point)}.${digits.slice(point)}`,
    };
  });
/** UTC seconds of the years 1900 to 2199 with up to six decimals. */
const timeCell = fc
  .record({
    seconds: fc.integer({ min: -2_208_988_800, max: 7_258_118_399 }),
    decimals: fc.integer({ min: 0, max: 6 }),
    fraction: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  })
  .map(({ seconds, decimals, fraction }): Cell => {
    const scale = 10 ** decimals;
    return { value: seconds * scale + Math.floor(fraction * scale), decimals };
  });
const cell = fc.oneof(scaledCell, fc.constant(absent), { arbitrary: literalCell, weight: 1 });
const uniformCell = fc.record({ value: fc.integer(), decimals: fc.constant(6) }).map((one): Cell => one);
const rows = fc.oneof(
  fc.array(fc.tuple(fc.oneof(timeCell, fc.constant(absent)), cell, cell, cell, cell, cell), {
    maxLength: 40,
  }),
  fc.array(fc.tuple(timeCell, uniformCell, uniformCell, scaledCell, cell, fc.constant(absent)), {
    maxLength: 40,
  }),
);

function columnsOf(points: readonly (readonly Cell[])[]): PointColumns {
  const columns = new PointColumns(1);
  for (const point of points) {
    const [time, lat, lng, heading, speed, altitude] = point as [Cell, Cell, Cell, Cell, Cell, Cell];
    const index = columns.add(
      time.value,
      time.decimals,
      lat.value,
      lat.decimals,
      lng.value,
      lng.decimals,
      heading.value,
      heading.decimals,
      speed.value,
      speed.decimals,
      altitude.value,
      altitude.decimals,
    );
    point.forEach((one, c) => one.literal !== undefined && columns.setLiteral(c, index, one.literal));
  }
  return columns;
}
const textsOf = (columns: PointColumns): (string | null)[][] =>
  Array.from({ length: columns.count }, (_, i) =>
    Array.from({ length: columnCount }, (_, c) => columns.textAt(c, i)),
  );

describe('packed chunks', () => {
  it('give back every number to the digit, absent as absent, -0 as -0', () => {
    fc.assert(
      fc.property(rows, (points) => {
        const columns = columnsOf(points);
        const unpacked = decodeChunk(encodeChunk(columns));
        expect(textsOf(unpacked)).toEqual(textsOf(columns));
        for (let i = 0; i < columns.count; i++) {
          for (let c = 0; c < columnCount; c++) {
            expect(unpacked.numberAt(c, i)).toBe(columns.numberAt(c, i));
          }
        }
      }),
      { numRuns: 500 },
    );
  });
  it('can be packed from any stretch and unpacked one behind the other', () => {
    fc.assert(
      fc.property(rows, fc.nat(), (points, cut) => {
        const columns = columnsOf(points);
        const middle = columns.count === 0 ? 0 : cut % columns.count;
        const into = decodeChunk(encodeChunk(columns, 0, middle), new PointColumns(1));
        decodeChunk(encodeChunk(columns, middle, columns.count), into);
        expect(textsOf(into)).toEqual(textsOf(columns));
      }),
    );
  });
  it('hold times whose decimals change from point to point, at the far ends of the calendar', () => {
    const cells = [7_258_118_399_999_999, -2_208_988_800_000_000, 7_258_118_399_999_999].map((value) => ({
      value,
      decimals: 6,
    }));
    const points = [cells[0]!, { value: 5, decimals: 0 }, cells[1]!, cells[2]!].map((time) => [
      time,
      ...Array.from({ length: 5 }, () => absent),
    ]);
    const columns = columnsOf(points);
    expect(textsOf(decodeChunk(encodeChunk(columns))).map((point) => point[TIME])).toEqual([
      '7258118399.999999',
      '5',
      '-2208988800.000000',
      '7258118399.999999',
    ]);
  });
  it('hold a chunk of which every number is text', () => {
    const literal: Cell = { value: 0, decimals: LITERAL, literal: `1.${'7'.repeat(250)}` };
    const columns = columnsOf(
      Array.from({ length: 3000 }, () => Array.from({ length: columnCount }, () => literal)),
    );
    const unpacked = decodeChunk(encodeChunk(columns));
    expect(unpacked.count).toBe(3000);
    expect(unpacked.textAt(5, 2999)).toBe(literal.literal);
  });
  it('refuse a literal that the layout cannot hold', () => {
    for (const text of ['1'.repeat(255), '١٢٣']) {
      const literal: Cell = { value: 0, decimals: LITERAL, literal: text };
      const columns = columnsOf([[absent, literal, absent, absent, absent, absent]]);
      expect(() => encodeChunk(columns)).toThrow(RangeError);
    }
  });
  it('refuse damaged bytes with RangeError and nothing else, and never hang', () => {
    fc.assert(
      fc.property(rows, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.nat(), (points, at, byte, cut) => {
        const data = encodeChunk(columnsOf(points));
        const damaged = Buffer.from(data);
        damaged[at % damaged.length] = byte;
        for (const bytes of [damaged, data.subarray(0, cut % data.length)]) {
          try {
            decodeChunk(bytes);
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(RangeError);
          }
        }
      }),
    );
    expect(() => decodeChunk(new Uint8Array(0))).toThrow(RangeError);
    expect(() => decodeChunk(Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0))).toThrow(RangeError);
  });
  it('refuse a count that no chunk has', () => {
    expect(() => decodeChunk(Uint8Array.of(1, 0xff, 0xff, 0xff, 0x7f))).toThrow(RangeError);
  });
});

describe('decimalText', () => {
  it.each([
    [0, 0, '0'],
    [-0, 2, '-0.00'],
    [5, 3, '0.005'],
    [-52016180, 6, '-52.016180'],
    [123, 0, '123'],
  ])('%d with %d decimals is %s', (scaled, decimals, text) => {
    expect(decimalText(scaled, decimals)).toBe(text);
  });
});

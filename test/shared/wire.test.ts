import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage } from '../../shared/contract/wire.ts';

const arrays = fc.oneof(
  fc.float64Array(),
  fc.float32Array(),
  fc.uint8Array(),
  fc.uint16Array(),
  fc.uint32Array(),
  fc.int32Array(),
);
const messages = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
    arrays,
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'v', 'p', 'constructor')), tie('value')),
  ),
})).value;

describe('the wire format', () => {
  it('gives back any plain data with typed arrays anywhere in it', () => {
    fc.assert(
      fc.property(messages, (message) => {
        expect(decodeMessage(encodeMessage(message))).toEqual(message);
      }),
    );
  });

  it('keeps absent readings absent: NaN in columns and outside them, and minus zero', () => {
    const got = decodeMessage(
      encodeMessage({ speedKmh: Float32Array.of(0, NaN, 12.5), one: NaN, two: -0, far: -Infinity }),
    ) as { speedKmh: Float32Array; one: number; two: number; far: number };
    expect([...got.speedKmh]).toEqual([0, NaN, 12.5]);
    expect(got.one).toBeNaN();
    expect(Object.is(got.two, -0)).toBe(true);
    expect(got.far).toBe(-Infinity);
  });

  it('carries only the part of a buffer that a view shows', () => {
    const view = new Float64Array(1000).fill(2, 1, 3).subarray(1, 3);
    const bytes = encodeMessage(view);
    expect(decodeMessage(bytes)).toEqual(new Float64Array([2, 2]));
    expect(bytes.byteLength).toBeLessThan(100);
  });

  it('reads a message that starts at any byte of a larger buffer', () => {
    const message = encodeMessage({ latDeg: Float64Array.of(52.1, NaN) });
    for (let offset = 0; offset < 9; offset += 1) {
      const larger = new Uint8Array(message.byteLength + offset + 5);
      larger.set(message, offset);
      const got = decodeMessage(larger.subarray(offset, offset + message.byteLength));
      expect(got).toEqual({ latDeg: Float64Array.of(52.1, NaN) });
    }
  });

  it('does not copy columns: they are views on what was received', () => {
    const message = encodeMessage({ latDeg: new Float64Array(1000) });
    const got = decodeMessage(message) as { latDeg: Float64Array };
    expect(got.latDeg.buffer).toBe(message.buffer);
  });

  it('leaves the sender’s own data as it was', () => {
    const value = { list: [1, NaN, { a: Uint8Array.of(1) }], keep: { b: 1 } };
    encodeMessage(value);
    expect(value).toEqual({ list: [1, NaN, { a: Uint8Array.of(1) }], keep: { b: 1 } });
  });

  it('drops what is undefined, as JSON does', () => {
    expect(decodeMessage(encodeMessage({ a: undefined, b: 1 }))).toEqual({ b: 1 });
  });

  it.each([
    ['a function', () => 1],
    ['a map', new Map()],
    ['a bigint', 1n],
    ['a date', new Date(0)],
    ['64-bit integers', new BigInt64Array(1)],
  ])('refuses %s instead of sending something else', (_name, value) => {
    expect(() => encodeMessage({ value })).toThrow(TypeError);
  });

  it('refuses a message cut at any byte', () => {
    const message = encodeMessage({ a: Float64Array.of(1, 2, 3), b: 'text', c: NaN });
    for (let length = 0; length < message.byteLength; length += 1) {
      expect(() => decodeMessage(message.slice(0, length)), `cut at ${length}`).toThrow();
    }
  });

  it('survives arbitrary bytes without hanging or reaching outside of them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeMessage(bytes);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Error);
        }
      }),
    );
  });
});

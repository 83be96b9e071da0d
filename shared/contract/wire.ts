/**
 * How a message crosses a byte transport (loopback HTTP, worker to host): JSON, with everything that JSON
 * would lose lifted out of it. Typed arrays travel as raw bytes, 8-aligned, and are views on the received
 * buffer: a million points cost no parsing and no copy. NaN, Infinity and -0 outside arrays survive as well.
 *
 * Layout: u32 length of the JSON text · JSON text (UTF-8) · zeros up to a multiple of 8 · arrays, each padded
 * to 8. The JSON text is `{ v: value with nulls in place, p: patches }`. Both ends are on one machine, so
 * arrays keep the machine's byte order (little-endian on everything that Electron and Node 24 run on).
 */
const arrayTypes = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
} as const;
type ArrayName = keyof typeof arrayTypes;
type WireArray = InstanceType<(typeof arrayTypes)[ArrayName]>;

const numbers = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity, '-0': -0 } as const;
type NumberName = keyof typeof numbers;

type Path = readonly (string | number)[];
/** Where a lifted value belongs: an array (name, byte offset in the body, element count) or a number's name. */
type Patch = readonly [Path, ArrayName, number, number] | readonly [Path, NumberName];

export const wireContentType = 'application/x-evidence-desk';

const align = (bytes: number): number => (bytes + 7) & ~7;

function arrayNameOf(value: ArrayBufferView): ArrayName {
  // Buffer is a Uint8Array by another name.
  if (value instanceof Uint8Array) return 'Uint8Array';
  const name = value.constructor.name;
  if (Object.hasOwn(arrayTypes, name)) return name as ArrayName; // just looked up
  throw new TypeError(`A message can't carry a ${name}.`);
}

/** Most values need nothing; telling so early spares their paths from being built. */
function isJsonAsIs(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

class Lifter {
  readonly patches: Patch[] = [];
  readonly arrays: ArrayBufferView[] = [];
  bodyBytes = 0;
  /** Where the walk is now; copied only for what is lifted (copying it everywhere was half of the time). */
  private readonly path: (string | number)[] = [];

  /** The value itself where nothing in it needs lifting, else a copy with nulls in the lifted places. */
  lift(value: unknown): unknown {
    if (isJsonAsIs(value)) return value;
    if (typeof value === 'number') {
      this.patches.push([[...this.path], Object.is(value, -0) ? '-0' : (String(value) as NumberName)]); // one of four
      return null;
    }
    if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
      throw new TypeError(`A message can't carry a ${typeof value} (at ${this.path.join('.')}).`);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (ArrayBuffer.isView(value)) return this.liftArray(value);
    if (Array.isArray(value)) return this.liftList(value);
    if (!isPlain(value))
      throw new TypeError(`A message carries plain data only (at ${this.path.join('.')}).`);
    return this.liftObject(value);
  }

  private liftAt(key: string | number, value: unknown): unknown {
    this.path.push(key);
    const lifted = this.lift(value);
    this.path.pop();
    return lifted;
  }

  private liftArray(view: ArrayBufferView): null {
    const name = arrayNameOf(view);
    const count = view.byteLength / arrayTypes[name].BYTES_PER_ELEMENT;
    this.patches.push([[...this.path], name, this.bodyBytes, count]);
    this.arrays.push(view);
    this.bodyBytes += align(view.byteLength);
    return null;
  }

  private liftList(list: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | null = null;
    for (let i = 0; i < list.length; i += 1) {
      if (isJsonAsIs(list[i])) continue;
      const lifted = this.liftAt(i, list[i]);
      if (lifted === list[i]) continue;
      copy ??= [...list];
      copy[i] = lifted;
    }
    return copy ?? list;
  }

  private liftObject(object: object): object {
    let copy: object | null = null;
    for (const key of Object.keys(object)) {
      const item: unknown = Reflect.get(object, key);
      if (isJsonAsIs(item)) continue;
      const lifted = this.liftAt(key, item);
      if (lifted === item) continue;
      copy ??= { ...object };
      // defineProperty, not assignment: a key named __proto__ is data here.
      Object.defineProperty(copy, key, {
        value: lifted,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return copy ?? object;
  }
}

/**
 * Encodes plain data with typed arrays anywhere in it. `undefined` is dropped as JSON drops it. Throws
 * TypeError for what is not data (functions, class instances, bigint).
 */
export function encodeMessage(value: unknown): Uint8Array<ArrayBuffer> {
  const lifter = new Lifter();
  const lifted = lifter.lift(value);
  const text = new TextEncoder().encode(JSON.stringify({ v: lifted, p: lifter.patches }));
  const bodyAt = align(4 + text.byteLength);
  const bytes = new Uint8Array(bodyAt + lifter.bodyBytes);
  new DataView(bytes.buffer).setUint32(0, text.byteLength, true);
  bytes.set(text, 4);
  let at = bodyAt;
  for (const view of lifter.arrays) {
    bytes.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), at);
    at += align(view.byteLength);
  }
  return bytes;
}

function viewOf(
  buffer: ArrayBuffer,
  bodyAt: number,
  name: ArrayName,
  offset: number,
  count: number,
): WireArray {
  const type = arrayTypes[name];
  const end = bodyAt + offset + count * type.BYTES_PER_ELEMENT;
  if (!(offset >= 0) || !(count >= 0) || offset % 8 !== 0 || !(end <= buffer.byteLength)) {
    throw new RangeError('The message is cut short or damaged.');
  }
  return new type(buffer, bodyAt + offset, count);
}

function put(root: { v: unknown }, path: Path, value: unknown): void {
  let target: unknown = root;
  let key: string | number = 'v';
  for (const next of path) {
    target = typeof target === 'object' && target !== null ? Reflect.get(target, key) : undefined;
    key = next;
  }
  if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) {
    throw new RangeError('The message is cut short or damaged.');
  }
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * The reverse of encodeMessage. Typed arrays are views on `bytes` (or on one copy of them where they don't
 * start at a multiple of 8). Throws RangeError or SyntaxError for bytes that encodeMessage did not write.
 */
export function decodeMessage(bytes: Uint8Array): unknown {
  const isUsable = bytes.byteOffset % 8 === 0 && bytes.buffer instanceof ArrayBuffer;
  const whole = isUsable ? bytes : new Uint8Array(bytes);
  const buffer = whole.buffer as ArrayBuffer; // a copy just made, or tested above
  const start = whole.byteOffset;
  if (whole.byteLength < 4) throw new RangeError('The message is cut short or damaged.');
  const textBytes = new DataView(buffer, start, 4).getUint32(0, true);
  if (4 + textBytes > whole.byteLength) throw new RangeError('The message is cut short or damaged.');
  const text = new TextDecoder('utf-8', { fatal: true }).decode(whole.subarray(4, 4 + textBytes));
  const message = JSON.parse(text) as { v: unknown; p: readonly Patch[] }; // patches are checked one by one
  const bodyAt = start + align(4 + textBytes);
  for (const [path, name, offset, count] of message.p) {
    if (Object.hasOwn(numbers, name)) put(message, path, numbers[name as NumberName]);
    else if (Object.hasOwn(arrayTypes, name)) {
      put(message, path, viewOf(buffer, bodyAt, name as ArrayName, offset ?? -1, count ?? -1));
    } else throw new RangeError('The message is cut short or damaged.');
  }
  return message.v;
}

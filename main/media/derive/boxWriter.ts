/** Big-endian fields and boxes of ISO 14496-12. */
export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32BE(value >>> 0, i * 4));
  return bytes;
}

/** A signed or unsigned 64-bit field. */
export function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

/** A box with a 32-bit size: nothing that is built in memory comes near its limit. */
export function box(type: string, ...payload: readonly (Buffer | null)[]): Buffer {
  const parts = payload.filter((part) => part !== null);
  const sizeBytes = parts.reduce((sum, part) => sum + part.length, 8);
  return Buffer.concat([u32(sizeBytes), Buffer.from(type, 'latin1'), ...parts], sizeBytes);
}

/** A full box: version and flags in front. */
export function fullBox(type: string, version: number, flags: number, ...payload: readonly Buffer[]): Buffer {
  return box(type, u32(version * 0x100_0000 + flags), ...payload);
}

/** Entries of equal width behind their count, filled without an object for each. */
export function entryBox(
  type: string,
  version: number,
  count: number,
  entryBytes: number,
  fill: (bytes: Buffer, at: number, index: number) => void,
): Buffer {
  const entries = Buffer.alloc(4 + count * entryBytes);
  entries.writeUInt32BE(count, 0);
  for (let i = 0; i < count; i++) fill(entries, 4 + i * entryBytes, i);
  return fullBox(type, version, 0, entries);
}

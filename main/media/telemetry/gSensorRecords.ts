import type { SkipCounts } from './columns.ts';
import { GSensorRows } from './columns.ts';

const recordBytes = 10;
const countsPerG = 128;
const endMark = 0xffff_ffff;

/**
 * `3gf `: records of u32BE milliseconds since the start, then i16BE vertical, lateral, longitudinal at 128
 * counts to 1 g (formats.md section 2). `FFFFFFFF` as time ends the data; a record that is cut short is left
 * out. Times are kept as they stand.
 */
export function readGSensorRecords(payload: Buffer, skips: SkipCounts): GSensorRows {
  const rows = new GSensorRows(Math.floor(payload.length / recordBytes));
  let at = 0;
  for (; at + recordBytes <= payload.length; at += recordBytes) {
    const clipMs = payload.readUInt32BE(at);
    if (clipMs === endMark) return rows;
    rows.push(
      clipMs,
      payload.readInt16BE(at + 4) / countsPerG,
      payload.readInt16BE(at + 6) / countsPerG,
      payload.readInt16BE(at + 8) / countsPerG,
    );
  }
  const rest = payload.subarray(at);
  if (rest.length > 0 && !rest.every((byte) => byte === 0xff))
    skips.add(`3gf byte ${at}`, 'a G-sensor record that is cut short');
  return rows;
}

/** A minimal zip writer: deflated entries, UTF-8 names, one central directory; ZIP64 is not needed here. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
}

/** Bit 11: names are UTF-8. */
const utf8Flag = 0x0800;
const deflated = 8;

function toDosTime(atMs: number): { time: number; date: number } {
  const date = new Date(atMs);
  return {
    time: (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    date: ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
  };
}

export function writeZip(entries: readonly ZipEntry[], modifiedAtMs: number): Buffer {
  const { time, date } = toDosTime(modifiedAtMs);
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name, 'utf8');
    const packed = deflateRawSync(entry.content);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(utf8Flag, 2);
    shared.writeUInt16LE(deflated, 4);
    shared.writeUInt16LE(time, 6);
    shared.writeUInt16LE(date, 8);
    shared.writeUInt32LE(crc32(entry.content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(entry.content.length, 18);
    shared.writeUInt16LE(name.length, 22);
    files.push(Buffer.from('PK\x03\x04', 'latin1'), shared, name, packed);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, central, name);
    offset += 4 + shared.length + name.length + packed.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, directoryBytes, end]);
}

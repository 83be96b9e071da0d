import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EntryData } from '../../main/importer/archive.ts';
import { EntryDamage } from '../../main/importer/entryBytes.ts';
import { createEntryInflater, startInflatingAhead } from '../../main/importer/inflateThread.ts';
import { csvOf, openTestCache } from './importing.ts';
import { rawZip } from './rawZip.ts';

let folder: string;
let descriptors: number[];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inflate-'));
  descriptors = [];
});
afterEach(() => {
  for (const descriptor of descriptors) fs.closeSync(descriptor);
  fs.rmSync(folder, { recursive: true, force: true });
});

/** An entry of a file that holds it alone, behind a few bytes of something else. */
function entryOf(data: Buffer, change: Partial<EntryData> & { packed?: Buffer } = {}): [number, EntryData] {
  const { packed = deflateRawSync(data), ...rest } = change;
  const file = path.join(folder, `entry-${descriptors.length}`);
  fs.writeFileSync(file, Buffer.concat([Buffer.from('before'), packed, Buffer.from('behind')]));
  const descriptor = fs.openSync(file, 'r');
  descriptors.push(descriptor);
  const entry = { start: 6, packedBytes: packed.length, sizeBytes: data.length, crc32: crc32(data) };
  return [descriptor, { ...entry, isDeflated: true, ...rest }];
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<{ whole: Buffer; pieces: Buffer[] }> {
  const pieces: Buffer[] = [];
  for await (const piece of bytes) pieces.push(Buffer.from(piece)); // a copy: the piece is gone with the next
  return { whole: Buffer.concat(pieces), pieces };
}

const lines = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, i) => `${i},${'x'.repeat(i % 97)}\n`).join(''));

describe('an entry inflated in a thread', () => {
  it('gives its bytes in order, in whole lines', async () => {
    const data = lines(100_000);
    const inflater = createEntryInflater();
    try {
      const { whole, pieces } = await collect(inflater.bytes(...entryOf(data), () => {}));
      expect(whole.equals(data)).toBe(true);
      expect(pieces.length).toBeGreaterThan(16);
      expect(pieces.every((piece) => piece.at(-1) === 0x0a)).toBe(true);
    } finally {
      inflater.close();
    }
  });

  it('gives bytes without line ends, lines longer than a piece and stored entries just as well', async () => {
    const noise = Buffer.concat([
      randomBytes(700_000).map((byte) => byte || 1),
      lines(50_000),
      randomBytes(1_700_000),
    ]);
    const plain = Buffer.concat([
      Buffer.alloc(3_000_000, 'a'),
      Buffer.from('\n'),
      Buffer.alloc(500_000, 'b'),
    ]);
    const inflater = createEntryInflater();
    try {
      for (const data of [noise, plain]) {
        for (const change of [{}, { packed: data, isDeflated: false }]) {
          const { whole } = await collect(inflater.bytes(...entryOf(data, change), () => {}));
          expect(whole.equals(data)).toBe(true);
        }
      }
    } finally {
      inflater.close();
    }
  });

  it('says how far in the file it is, up to its end', async () => {
    const [descriptor, entry] = entryOf(randomBytes(3_000_000));
    const positions: number[] = [];
    const inflater = createEntryInflater();
    await collect(inflater.bytes(descriptor, entry, (position) => positions.push(position)));
    inflater.close();
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(positions.at(-1)).toBeLessThanOrEqual(entry.start + entry.packedBytes);
    expect(positions.at(-1)).toBeGreaterThan(entry.packedBytes / 2);
  });

  it('is refused when its checksum, its size or its packed bytes are other than declared; the next is read', async () => {
    const data = lines(80_000);
    const packed = deflateRawSync(data);
    const broken = Buffer.from(packed);
    broken.fill(0xff, packed.length >> 1, (packed.length >> 1) + 64);
    const inflater = createEntryInflater();
    try {
      for (const change of [
        { crc32: crc32(data) ^ 1 },
        { sizeBytes: data.length - 1 },
        { sizeBytes: data.length + 1 },
        { packed: broken },
        { packed: packed.subarray(0, packed.length - 5) },
        { packedBytes: packed.length + 5000 },
      ]) {
        await expect(collect(inflater.bytes(...entryOf(data, change), () => {}))).rejects.toThrow(
          EntryDamage,
        );
      }
      const { whole } = await collect(inflater.bytes(...entryOf(data), () => {}));
      expect(whole.equals(data)).toBe(true);
    } finally {
      inflater.close();
    }
  });

  it('may be left in its midst, again and again, and lets go of the file', async () => {
    const data = lines(150_000);
    startInflatingAhead();
    const inflater = createEntryInflater();
    try {
      for (const wanted of [1, 3, 9, 30]) {
        let got = 0;
        for await (const piece of inflater.bytes(...entryOf(data), () => {})) {
          expect(piece.length).toBeGreaterThan(0);
          if (++got === wanted) break;
        }
      }
      const { whole } = await collect(inflater.bytes(...entryOf(data), () => {}));
      expect(whole.equals(data)).toBe(true);
    } finally {
      inflater.close();
    }
  });
});

describe('an import of large entries', () => {
  it('keeps every point of the sound ones and nothing of a damaged one', async () => {
    const test = openTestCache();
    try {
      const sound = csvOf(40_000, 'P1', 1);
      const zip = rawZip([
        { name: 'export-a.csv', data: sound },
        { name: 'export-b.csv', data: csvOf(40_000, 'P2', 2), central: { crc32: 1 }, local: { crc32: 1 } },
        { name: 'export-c.csv', data: csvOf(50_000, 'P3', 3) },
      ]);
      const source = await test.importBytes('export.zip', zip);
      expect(source).toMatchObject({ status: 'imported', trips: 2, points: 90_000 });
      expect(source.entries.map((entry) => entry.status)).toEqual(['imported', 'failed', 'imported']);
      expect(source.entries[1]?.error).toContain('checksum');
    } finally {
      test.close();
    }
  });

  it('stops on cancel and leaves nothing', async () => {
    const test = openTestCache();
    try {
      const zip = rawZip([{ name: 'export.csv', data: csvOf(150_000) }]);
      const cancel = new AbortController();
      const running = test.importBytes('export.zip', zip, {
        signal: cancel.signal,
        onProgress: ({ points }) => {
          if ((points ?? 0) > 0) cancel.abort();
        },
      });
      await expect(running).rejects.toMatchObject({ code: 'canceled' });
      expect(test.cache.db.prepare('SELECT count(*) AS n FROM trip').get()).toEqual({ n: 0 });
    } finally {
      test.close();
    }
  });
});

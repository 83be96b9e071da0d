import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { createClipReader } from '../../../main/media/telemetry/clipReader.ts';
import { avcConfig, box, clip, ClipFolder, fileType, motionRecord, movie, movieHeader, rmc, track, u32, vendorFree, videoEntry } from './clipWriter.ts'; // prettier-ignore
import type { Readings } from './readingProcess.ts';

const files = new ClipFolder();
afterAll(() => files.remove());

/** Reads in a process of its own under the product's limits (2 s of computing for a clip), and measures it. */
async function readings(...args: readonly string[]): Promise<Readings> {
  const script = path.join(import.meta.dirname, 'readingProcess.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  return JSON.parse(stdout) as Readings; // as readingProcess.ts prints it
}
const mostMb = 256;
const firstSeed = 1;
const count = 10_000;

it(`survives ${count} damaged files (seeds from ${firstSeed} on) without a crash, a hang, or memory over ${mostMb} MB`, async () => {
  const { outcomes, wrongSeeds, peakMb } = await readings('mutations', `${firstSeed}`, `${count}`);
  console.log(`seeds ${firstSeed} to ${firstSeed + count - 1}: ${JSON.stringify(outcomes)}, ${Math.round(peakMb)} MB`); // prettier-ignore
  expect(wrongSeeds).toEqual([]);
  // Not one of them needed to be cut off (entry_damaged): files of this size are read or refused at once.
  expect(Object.keys(outcomes).sort()).toEqual(['damaged', 'unsupported_format', 'whole']);
  expect(Object.values(outcomes).reduce((a, b) => a + b)).toBe(count);
  expect(outcomes['whole']).toBeGreaterThan(count / 20);
  expect(outcomes['damaged']).toBeGreaterThan(count / 20);
  expect(peakMb).toBeLessThan(mostMb);
}, 600_000);

const mega = 1024 * 1024;
const start = 1_800_000_000_000;
/** As many lines as fill a `gps ` part of that many bytes. */
function manyLines(bytes: number): string {
  const line = (i: number): string => `[${start + i * 1000}]${rmc(start + i * 1000, { latDeg: 1 + i * 1e-5, lngDeg: 2, knots: 3, headingDeg: 4 })}\n`; // prettier-ignore
  return Array.from({ length: Math.floor(bytes / line(0).length) }, (_, i) => line(i)).join('');
}
/** Tables that claim 2^32 - 1 entries of everything. */
const claims = u32(0xffff_ffff);
const lyingTables = track({
  stbl: box(
    'stbl',
    box('stsd', u32(0), u32(1), videoEntry('avc1', 8, 8, avcConfig)),
    ...['stts', 'ctts', 'stsc', 'stco', 'stss'].map((type) => box(type, u32(0), claims, claims, claims)),
    box('stsz', u32(0), u32(1), claims),
  ),
});
const trackOfNothing = box('trak', box('mdia', box('mdhd', Buffer.alloc(30)), box('hdlr', Buffer.alloc(30)), box('minf', box('stbl', ...Array<Buffer>(100).fill(box('free')))))); // prettier-ignore

describe('a file made to exhaust its reader', () => {
  const everything = (): Buffer =>
    Buffer.concat([
      fileType,
      vendorFree(
        box('thum', u32(4 * mega), Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(4 * mega)),
        box('gps ', manyLines(11.9 * mega)),
        box('3gf ', Buffer.alloc(12_400_000, motionRecord(5, 128, 1, 2))),
      ),
      box('moov', movieHeader(), track(), box('udta', Buffer.alloc(31 * mega))),
      box('mdat', Buffer.alloc(8)),
    ]);
  it.each([
    ['every part as long as it may be', everything, 'whole'],
    ['megabytes of blanks for GPS lines', () => clip(vendorFree(box('gps ', Buffer.alloc(11 * mega, 0x20)))), 'whole'], // prettier-ignore
    ['megabytes of brackets for GPS lines', () => clip(vendorFree(box('gps ', Buffer.alloc(11 * mega, 0x5b)))), 'whole'], // prettier-ignore
    ['tables that claim four billion entries', () => Buffer.concat([fileType, movie(lyingTables), box('mdat')]), 'damaged'], // prettier-ignore
    ['19,000 tracks', () => Buffer.concat([fileType, movie(...Array<Buffer>(19_000).fill(trackOfNothing)), box('mdat')]), 'damaged'], // prettier-ignore
    ['4,000,000 boxes in its index', () => Buffer.concat([fileType, movie(track(), Buffer.alloc(32_000_000, box('free'))), box('mdat')]), 'damaged'], // prettier-ignore
  ])('by %s ends within the limits', async (_, make, outcome) => {
    const { outcomes, baseMb, peakMb } = await readings('file', files.write(make(), 'exhausting.mp4'));
    // A machine much slower than ours may cut it off instead: that is what the limit is for.
    expect([outcome, 'entry_damaged']).toContain(Object.keys(outcomes)[0]);
    expect(peakMb - baseMb).toBeLessThan(mostMb);
  });

  it('is cut off by the limit of computing, in words, and the next one is read', async () => {
    const reader = createClipReader({ computingMs: 250, timeoutMs: 600_000 });
    const long = files.write(everything(), 'long.mp4');
    const cut = expect(reader.read(long)).rejects.toMatchObject({
      code: 'entry_damaged',
      message: 'long.mp4 takes too long or too much memory to read: it is damaged.',
    });
    const next = reader.read(files.write(clip()));
    await cut;
    expect((await next).facts.damage).toEqual([]);
    await reader.close();
  });
});

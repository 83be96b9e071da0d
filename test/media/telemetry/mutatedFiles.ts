/** Damaged clips by seed, for mutations.test.ts. */
import fs from 'node:fs';
import path from 'node:path';
import { box, fileType, motionRecord, movie, movieHeader, rmc, track, u32, u64, vendorFree } from './clipWriter.ts'; // prettier-ignore

/** Mulberry32: the same files on every machine. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const start = 1_800_000_000_000;
const lines = Array.from(
  { length: 15 },
  (_, i) =>
    `[${start + i * 1000}]${rmc(start + i * 1000, { latDeg: 1, lngDeg: 2, knots: 3, headingDeg: 4 })}`,
);
const vendor = vendorFree(
  box('cprt', 'Maker\0'),
  box('sttm', u64(start)),
  box('ptnm', '\0\0\0\x0120270115_080000_NF.mp4\0'),
  box('thum', u32(4), Buffer.from([0xff, 0xd8, 0xff, 0xd9])),
  box('gps ', lines.join('\n\n')),
  box(
    '3gf ',
    ...Array.from({ length: 60 }, (_, i) => motionRecord(i * 110, 128, i, -i)),
    Buffer.alloc(20, 0xff),
  ),
);
const metaTrack = (format: string, sample: Buffer): Buffer =>
  track({ handler: 'meta', timescale: 1000, times: [[4, 1000]], entry: box(format, Buffer.alloc(8)), sizesBytes: Array<number>(4).fill(sample.length / 4), chunkOffsets: [fileType.length + 8] }); // prettier-ignore
const camm = Buffer.concat(
  [0, 1, 2, 3].map(() => Buffer.concat([Buffer.from([0, 0, 5, 0]), Buffer.alloc(24, 0x3f)])),
);
const gpmf = Buffer.concat([0, 1, 2, 3].map(() => Buffer.concat([Buffer.from('DEVC\0\x01\0\x14STRM\0\x01\0\x0cACCLs\x06\0\x01'), Buffer.alloc(8)]))); // prettier-ignore
const novatek = Buffer.concat([
  u32(0x60),
  Buffer.from('freeGPS '),
  Buffer.alloc(0x1c),
  Buffer.from('ANE\0'),
  Buffer.alloc(0x34, 0x40),
]);

/** One of each kind; positions of the last three lie right behind `ftyp`. */
const bases: readonly Buffer[] = [
  Buffer.concat([
    fileType,
    vendor,
    movie(track(), track({ handler: 'soun', format: 'mp4a' })),
    box('mdat', Buffer.alloc(32)),
  ]),
  Buffer.concat([fileType, box('mdat', camm), movie(track(), metaTrack('camm', camm))]),
  Buffer.concat([fileType, box('mdat', gpmf), movie(track(), metaTrack('gpmd', gpmf))]),
  Buffer.concat([
    fileType,
    novatek,
    box(
      'moov',
      movieHeader(),
      box('gps ', u32(0), u32(2), u32(fileType.length), u32(0x60), u32(fileType.length), u32(0x60)),
      track(),
    ),
    box('mdat'),
  ]),
  fs
    .readFileSync(path.join(import.meta.dirname, '../../simulator/clips/parking-front-sub.mp4'))
    .subarray(0, 12_000),
  fs.readFileSync(path.join(import.meta.dirname, '../derive/fixtures/fragmented.mp4')),
];
const extremes = [0, 1, 7, 8, 9, 16, 0x7f, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff];

/** The damaged file of a seed: one of the kinds with one to six changes. */
export function mutated(seed: number): Buffer {
  const random = randomOf(seed);
  let bytes = Buffer.from(bases[seed % bases.length]!);
  for (let changes = 1 + random(6); changes > 0; changes--) {
    if (bytes.length < 16) bytes = Buffer.concat([bytes, Buffer.alloc(16)]);
    const at = random(bytes.length - 8);
    switch (random(7)) {
      case 0:
        bytes[at] = random(256);
        break;
      case 1:
        bytes.writeUInt32BE(extremes[random(extremes.length)]!, at);
        break;
      case 2:
        bytes.writeUInt32BE(random(bytes.length * 2), at);
        break;
      case 3:
        bytes = bytes.subarray(0, Math.max(8, at));
        break;
      case 4: {
        const piece = bytes.subarray(at, at + random(400));
        bytes = Buffer.concat([bytes.subarray(0, at), piece, piece, bytes.subarray(at)]);
        break;
      }
      case 5:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random(60))]);
        break;
      default: {
        // Right on the size of some box, which is where it hurts.
        const boxes = [
          ...bytes
            .toString('latin1')
            .matchAll(
              /ftyp|free|moov|trak|mdia|minf|stbl|st[a-z]{2}|co64|gps |3gf |sttm|ptnm|thum|cprt|DEVC|STRM|camm|gpmd|moof|traf|tfhd|tfdt|trun|trex/g,
            ),
        ];
        const chosen = boxes[random(boxes.length)];
        if (chosen && chosen.index >= 4)
          bytes.writeUInt32BE(extremes[random(extremes.length)]!, chosen.index - 4);
      }
    }
  }
  return bytes;
}

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDeriver, type Deriver } from '../../../main/media/derive/deriver.ts';
import { AppError } from '../../../shared/errors.ts';
import { ClipFolder } from '../telemetry/clipWriter.ts';

const files = new ClipFolder();
const open: Deriver[] = [];
afterAll(async () => {
  await Promise.all(open.map((deriver) => deriver.close()));
  files.remove();
});
const aDeriver = (timeoutMs?: number): Deriver => {
  const deriver = createDeriver(timeoutMs === undefined ? {} : { timeoutMs });
  open.push(deriver);
  return deriver;
};
const fixture = (name: string): string => path.join(import.meta.dirname, 'fixtures', `${name}.mp4`);
const clip = { path: fixture('bframes'), fileName: 'a.mp4' };
const outPath = (): string => path.join(files.folder, `out-${Math.random()}.mp4`);

describe('deriving in threads', () => {
  it('answers as cutting here does, errors and progress too', async () => {
    const deriver = aDeriver();
    const stages = new Set<string>();
    const out = outPath();
    const result = await deriver.cut(clip, {
      fromS: 1.5,
      toS: 2,
      outPath: out,
      onProgress: ({ stage, doneBytes, totalBytes }) => {
        expect(doneBytes).toBeLessThanOrEqual(totalBytes);
        stages.add(stage);
      },
    });
    expect(result).toMatchObject({ fromS: 1, sizeBytes: fs.statSync(out).size });
    expect(stages).toContain('cutting');
    expect(await deriver.preview(clip, { fromS: 1.5, toS: 2 })).toMatchObject({ fromS: 1, toS: result.toS });
    expect((await deriver.shape(clip)).sizes).toEqual([{ width: 160, height: 120 }]);
    // A file that is there is never written over.
    await expect(deriver.cut(clip, { fromS: 0, toS: 1, outPath: out })).rejects.toThrow(/EEXIST/);
    const fragmented = { path: fixture('fragmented'), fileName: 'f.mp4' };
    await expect(deriver.cut(fragmented, { fromS: 0, toS: 1, outPath: outPath() })).rejects.toMatchObject({
      code: 'unsupported_format',
    });
  });

  it('stops on cancel, before and while it cuts, and after closing cuts no more', async () => {
    const deriver = aDeriver();
    const canceled = { code: 'canceled' };
    const early = new AbortController();
    early.abort();
    await expect(
      deriver.cut(clip, { fromS: 0, toS: 4, outPath: outPath(), signal: early.signal }),
    ).rejects.toMatchObject(canceled);
    const during = new AbortController();
    await expect(
      deriver.cut(clip, {
        fromS: 0,
        toS: 4,
        outPath: outPath(),
        signal: during.signal,
        onProgress: () => during.abort(),
      }),
    ).rejects.toMatchObject(canceled);
    expect(await deriver.preview(clip, { fromS: 0, toS: 1 })).not.toBeNull();
    await deriver.close();
    await expect(deriver.preview(clip, { fromS: 0, toS: 1 })).rejects.toMatchObject(canceled);
    await expect(deriver.cut(clip, { fromS: 0, toS: 1, outPath: outPath() })).rejects.toMatchObject(canceled);
  });
});

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

const bases = ['bframes', 'vfr', 'opengop'].map((name) => fs.readFileSync(fixture(name)));
const extremes = [0, 1, 2, 7, 8, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff];
const tables = /moov|mvhd|trak|tkhd|edts|elst|mdia|mdhd|minf|stbl|stsd|stts|ctts|stss|stsz|stsc|stco|dref/g;

/** Damage where cuts look: in the boxes of the index, on their sizes, counts and first entries. */
function mutated(seed: number): Buffer {
  const random = randomOf(seed);
  let bytes: Buffer = Buffer.from(bases[seed % bases.length]!);
  const boxes = [...bytes.toString('latin1').matchAll(tables)].map(({ index }) => index);
  for (let changes = 1 + random(4); changes > 0; changes--) {
    const at = boxes[random(boxes.length)]!;
    const place = Math.min(bytes.length - 4, Math.max(0, at - 4 + 4 * random(12)));
    if (random(12) === 0) bytes = bytes.subarray(0, Math.max(64, place));
    else if (random(2) === 0) bytes.writeUInt32BE(extremes[random(extremes.length)]!, place);
    else bytes[place + random(4)] = random(256);
  }
  return bytes;
}

/** All with EVIDENCE_DESK_ALL_MUTATIONS=1; a part of them with every change. */
const count = process.env.EVIDENCE_DESK_ALL_MUTATIONS === '1' ? 5000 : 500;

it(
  `survives ${count} damaged files without a crash, a hang or a cut that differs`,
  { timeout: 600_000 },
  async () => {
    /** A hang of 2 s ends the thread and comes back as `entry_damaged`; so does a heap beyond its limit. */
    const deriver = aDeriver(2000);
    const outcomes = new Map<string, number>();
    for (let seed = 1; seed <= count; seed++) {
      const damagedClip = { path: files.write(mutated(seed), 'mutated.mp4'), fileName: 'mutated.mp4' };
      let outcome: string;
      try {
        const shape = await deriver.shape(damagedClip);
        const preview = await deriver.preview(damagedClip, { fromS: 1.3, toS: 2.1 });
        outcome = preview === null ? 'unreadable' : 'planned';
        expect(shape.sizes.length).toBeLessThanOrEqual(2);
        // A thread for each cut takes its time: one in ten.
        if (seed % 10 === 0 && preview !== null) {
          const out = outPath();
          // What comes out was compared with the original, sample by sample.
          const { sizeBytes } = await deriver.cut(damagedClip, { fromS: 1.3, toS: 2.1, outPath: out });
          expect(sizeBytes).toBe(fs.statSync(out).size);
          outcome = 'cut';
        }
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw new Error(`seed ${seed}`, { cause: thrown });
        outcome = thrown.code;
      }
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    const known = ['planned', 'cut', 'unreadable', 'entry_damaged', 'unsupported_format'];
    expect([...outcomes.keys()].filter((outcome) => !known.includes(outcome))).toEqual([]);
    expect(outcomes.get('planned')).toBeGreaterThan(count / 5);
    expect(outcomes.get('cut')).toBeGreaterThan(count / 50);
  },
);

/** `clip FILE.mp4` and `import` on clips in every state: a sentence that says which, and the exit code for it. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { avcConfig, box, clip, fileType, largeBox, motionRecord, movie, movieHeader, rmc, track, u32, u64, vendorFree, videoEntry } from '../../media/telemetry/clipWriter.ts'; // prettier-ignore
import { CliBench } from './runProcess.ts';

const bench = new CliBench();
afterAll(() => bench.remove());

const media = box('mdat', Buffer.alloc(64));
const hvcc = box('hvcC', Buffer.from([1, 0x01, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 120, 0xf0, 0, 0xfc]));
const claims = u32(0xffff_ffff);
const lying = track({
  stbl: box(
    'stbl',
    box('stsd', u32(0), claims, videoEntry('avc1', 8, 8, avcConfig)),
    box('stts', u32(0), claims, u32(1), u32(1)),
    box('stsz', u32(0), u32(1), claims),
    ...['stsc', 'stco', 'stss', 'ctts'].map((type) => box(type, u32(0), claims)),
  ),
});
const hugeRun = Buffer.concat([
  fileType,
  box(
    'moov',
    movieHeader(1000, 0),
    box('mvex', box('trex', u32(0), u32(1), u32(1), u32(40), u32(1), u32(0))),
  ),
  box('moof', box('traf', box('tfhd', u32(0), u32(1)), box('trun', u32(0), claims))),
  box('free', Buffer.alloc(76)),
]);
let nested = box('trak');
for (let depth = 0; depth < 10_000; depth++)
  nested = Buffer.concat([u32(nested.length + 8), Buffer.from(depth % 2 === 1 ? 'moov' : 'trak'), nested]);
const sound = track({ handler: 'soun', format: 'mp4a', entry: box('mp4a', Buffer.alloc(28)) });
const hours = track({ timescale: 90_000, times: [[864_000, 3000]], stbl: box(
  'stbl',
  box('stsd', u32(0), u32(1), videoEntry('avc1', 1920, 1080, avcConfig)),
  box('stts', u32(0), u32(1), u32(864_000), u32(3000)),
  box('stsz', u32(0), u32(0), u32(864_000), Buffer.alloc(864_000 * 4, u32(1))),
  box('stsc', u32(0), u32(1), u32(1), u32(864_000), u32(1)),
  box('stco', u32(0), u32(1), u32(0)),
) }); // prettier-ignore
const gSensor = vendorFree(box('3gf ', motionRecord(0, 128, 0, 0)));

interface State {
  readonly name: string;
  readonly bytes: Buffer;
  /** 0 whole, 1 says nothing, 3 in part. */
  readonly exit: 0 | 1 | 3;
  readonly says: RegExp;
  readonly imports: 'imported' | 'partial' | 'failed';
}
const states: readonly State[] = [
  { name: 'whole.mp4', bytes: clip(), exit: 0, says: /^$/, imports: 'imported' },
  { name: 'truncated.mp4', bytes: clip().subarray(0, -20), exit: 3, says: /cut short: 20 bytes of its "mdat" part are missing/, imports: 'partial' },
  { name: 'truncated-index.mp4', bytes: Buffer.concat([fileType, media, movie(track())]).subarray(0, -200), exit: 3, says: /cut short: 200 bytes of its "moov"/, imports: 'partial' },
  { name: 'damaged.mp4', bytes: Buffer.concat([fileType, movie(lying), media]), exit: 3, says: /index \("moov"\) is damaged/, imports: 'partial' },
  { name: 'no-index.mp4', bytes: Buffer.concat([fileType, media]), exit: 1, says: /no index .* never finished/, imports: 'partial' },
  { name: 'no-index-but-sensor.mp4', bytes: Buffer.concat([fileType, gSensor, media]), exit: 3, says: /no index .* never finished/, imports: 'partial' },
  { name: 'h265.mp4', bytes: Buffer.concat([fileType, movie(track({ entry: videoEntry('hvc1', 1920, 1080, hvcc) })), media]), exit: 0, says: /H\.265 video: it plays only where/, imports: 'imported' },
  { name: 'sound-only.mp4', bytes: Buffer.concat([fileType, movie(sound), media]), exit: 0, says: /holds no pictures/, imports: 'partial' },
  { name: 'no-frames.mp4', bytes: Buffer.concat([fileType, movie(track({ times: [], sizesBytes: [], chunkOffsets: [] })), media]), exit: 0, says: /video track holds no frames/, imports: 'partial' },
  { name: 'eight-hours.mp4', bytes: Buffer.concat([fileType, movie(hours), media]), exit: 0, says: /^$/, imports: 'imported' },
  { name: 'empty.mp4', bytes: Buffer.alloc(0), exit: 1, says: /empty\.mp4 is empty/, imports: 'failed' },
  { name: 'text.mp4', bytes: Buffer.from('psn,carName,datetime\n'.repeat(30)), exit: 1, says: /is not an MP4 clip/, imports: 'failed' },
  { name: 'zeros.mp4', bytes: Buffer.alloc(4096), exit: 1, says: /is not an MP4 clip/, imports: 'failed' },
  { name: 'three-bytes.mp4', bytes: Buffer.alloc(3), exit: 1, says: /is not an MP4 clip/, imports: 'failed' },
  { name: 'huge-run.mp4', bytes: hugeRun, exit: 1, says: /holds no pictures/, imports: 'partial' },
  { name: 'nested.mp4', bytes: Buffer.concat([fileType, nested, media]), exit: 1, says: /index \("moov"\) is damaged/, imports: 'partial' },
  { name: 'negative-size.mp4', bytes: Buffer.concat([fileType, u32(0xffff_fff0), Buffer.from('moov'), track()]), exit: 3, says: /cut short/, imports: 'partial' },
  { name: 'size-beyond-all.mp4', bytes: Buffer.concat([fileType, u32(1), Buffer.from('moov'), u64(2n ** 63n + 5n), track()]), exit: 3, says: /"moov" part is said to be longer than any file/, imports: 'partial' },
  { name: 'index-last-64.mp4', bytes: Buffer.concat([fileType, media, largeBox('moov', movieHeader(), track())]), exit: 0, says: /^$/, imports: 'imported' },
  { name: 'two-indexes.mp4', bytes: Buffer.concat([fileType, movie(track()), media, movie(track())]), exit: 0, says: /holds 2 indexes/, imports: 'imported' },
]; // prettier-ignore

describe('clips in every state', () => {
  it.each(states)('clip $name ends with $exit and says why', async ({ name, bytes, exit, says }) => {
    fs.mkdirSync(bench.file('card'), { recursive: true });
    fs.writeFileSync(bench.file(`card/${name}`), bytes);
    const ran = await bench.run('clip', bench.file(`card/${name}`), '--json');
    const error = ran.json<{ error?: { detail: string } }>().error;
    expect([ran.code, error ? error.detail : ran.stderr.trim()]).toEqual([exit, expect.stringMatching(says)]);
    expect(error === undefined).toBe(exit !== 1);
  });

  it('the file of 312 bytes whose fragment claims four billion frames is one of them', () => {
    expect(hugeRun.length).toBe(312);
  });

  it('import keeps all but what is no clip, and says the same of each', async () => {
    const ran = await bench.run('import', bench.file('card'), '--json');
    expect(ran.code).toBe(3);
    interface Source {
      readonly fileName: string;
      readonly status: string;
      readonly error: { readonly detail: string } | null;
      readonly entries: readonly { readonly status: string; readonly error: string | null }[];
    }
    const { sources } = ran.json<{ sources: readonly Source[] }>();
    for (const { name, says, exit, imports } of states) {
      const { status, error, entries } = sources.find(({ fileName }) => fileName === name)!;
      expect([name, status === 'failed' ? status : entries[0]!.status]).toEqual([name, imports]);
      if (imports === 'partial') expect(entries[0]!.error).toMatch(says);
      if (imports === 'failed') expect([exit, error?.detail ?? '']).toEqual([1, expect.stringMatching(/empty|not an MP4/)]); // prettier-ignore
    }
  });

  it('a clip without a fix has no time in UTC, and says so', async () => {
    const parked = vendorFree(
      box('sttm', u64(1_773_509_530_000)),
      box('gps ', `[1773509532000]${rmc(1_773_527_532_000, null)}`),
      box('3gf ', motionRecord(0, 128, 0, 0)),
    );
    fs.writeFileSync(bench.file('20260314_173210_PF.mp4'), clip(parked));
    const json = await bench.run('clip', bench.file('20260314_173210_PF.mp4'), '--json');
    expect(json.json()).toMatchObject({
      recordedAtLocal: '2026-03-14T17:32:10',
      startUtc: null,
      utcOffsetMin: null,
      clockSource: null,
      gps: { samples: 0, first: null, last: null },
      gSensor: { samples: 1, peakG: 1, peakAt: null },
    });
    const text = await bench.run('clip', bench.file('20260314_173210_PF.mp4'));
    expect(text.stdout).toMatch(/Start in UTC\s+unknown/);
  });

  it.runIf(process.platform !== 'win32')(
    'a folder, a pipe and a link to nothing are refused at once',
    async () => {
      execFileSync('mkfifo', [bench.file('pipe.mp4')]);
      fs.symlinkSync(bench.file('nowhere.mp4'), bench.file('link.mp4'));
      for (const [file, code] of [
        [bench.folder, 'file_unreadable'],
        [bench.file('pipe.mp4'), 'file_unreadable'],
        [bench.file('link.mp4'), 'file_vanished'],
      ] as const) {
        // prettier-ignore
        const ran = await bench.run('clip', file, '--json');
        expect([ran.code, ran.json<{ error: { code: string } }>().error.code]).toEqual([1, code]);
      }
    },
  );
});

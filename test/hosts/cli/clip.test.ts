import fs from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { box, clip, fileType, motionRecord, rmc, u64, vendorFree } from '../../media/telemetry/clipWriter.ts';
import { CliBench } from './runProcess.ts';

const bench = new CliBench();
afterAll(() => bench.remove());
const start = Date.UTC(2026, 2, 14, 22, 32, 10);
const local = start - 5 * 3_600_000;
const write = (name: string, bytes: Buffer | string): string => {
  fs.writeFileSync(bench.file(name), bytes);
  return bench.file(name);
};
const whole = clip(
  vendorFree(
    box('sttm', u64(local)),
    box(
      'gps ',
      [0, 1]
        .map(
          (i) =>
            `[${local + i * 1000}]${rmc(start + i * 1000, { latDeg: 41.5, lngDeg: -87.25, knots: 10, headingDeg: 90 })}`,
        )
        .join('\n\n'),
    ),
    box('3gf ', motionRecord(0, 128, 0, 0), motionRecord(100, 128, 256, 0)),
  ),
);

describe('clip FILE.mp4', () => {
  it('answers with what is inside, and makes no data folder', async () => {
    const ran = await bench.run('clip', write('20260314_173210_EF.mp4', whole), '--json');
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.json()).toEqual({
      filename: '20260314_173210_EF.mp4',
      recordedAtLocal: '2026-03-14T17:32:10',
      type: 'driving_impact',
      typeCode: 'E',
      direction: 'front',
      directionCode: 'F',
      durationS: 1,
      video: { codec: 'avc1.64001f', width: 1920, height: 1080, fps: 30 },
      startUtc: '2026-03-14T22:32:10Z',
      utcOffsetMin: -300,
      clockSource: 'rmc+sttm',
      gps: {
        samples: 2,
        first: { t: '2026-03-14T22:32:10Z', lat: 41.5, lng: -87.25, headingDeg: 90, speedKmh: 18.52 },
        last: { t: '2026-03-14T22:32:11Z', lat: 41.5, lng: -87.25, headingDeg: 90, speedKmh: 18.52 },
      },
      gSensor: { samples: 2, rateHz: 10, peakG: 2.236, peakAt: '2026-03-14T22:32:10.100Z' },
    });
    expect(fs.existsSync(bench.dataFolder)).toBe(false);
    const text = await bench.run('clip', bench.file('20260314_173210_EF.mp4'));
    expect(text.stdout).toMatch(/2026-03-14T22:32:10Z, within 1 s \(camera at UTC-05:00; by rmc\+sttm\)/);
  });

  it('says null where something is absent', async () => {
    const ran = await bench.run('clip', write('holiday.mp4', clip()), '--json');
    expect(ran.code).toBe(0);
    expect(ran.json()).toEqual({
      filename: 'holiday.mp4',
      recordedAtLocal: null,
      type: null,
      typeCode: null,
      direction: null,
      directionCode: null,
      durationS: 1,
      video: { codec: 'avc1.64001f', width: 1920, height: 1080, fps: 30 },
      startUtc: null,
      utcOffsetMin: null,
      clockSource: null,
      gps: null,
      gSensor: null,
    });
  });

  it('ends with 3 for a damaged clip of which something could be read, and 1 with the reason for the rest', async () => {
    const partial = await bench.run('clip', write('cut.mp4', whole.subarray(0, whole.length - 10)), '--json');
    expect([partial.code, partial.json()['durationS']]).toEqual([3, 1]);
    expect(partial.stderr).toMatch(/cut short: 10 bytes/);
    const refusals = [
      [write('text.mp4', 'no clip'), 'unsupported_format'],
      [write('empty.mp4', ''), 'file_empty'],
      [write('no-index.mp4', Buffer.concat([fileType, box('mdat', Buffer.alloc(9))])), 'entry_damaged'],
      [bench.file('missing.mp4'), 'file_vanished'],
      [bench.folder, 'file_unreadable'],
    ] as const;
    for (const [file, code] of refusals) {
      const ran = await bench.run('clip', file, '--json');
      expect([ran.code, ran.json()['error']]).toMatchObject([1, { code }]);
    }
    expect((await bench.run('clip')).code).toBe(2);
  });
});

it('import takes clips and folders of them', async () => {
  fs.mkdirSync(bench.file('card'));
  write('card/20260314_173210_NF.mp4', whole);
  write('card/20260314_173230_NF.mp4', clip());
  write('card/notes.txt', 'not for us');
  const ran = await bench.run('import', bench.file('card'), '--json');
  expect(ran.code).toBe(0);
  expect(ran.json<{ sources: object[] }>().sources).toMatchObject([
    {
      fileName: '20260314_173210_NF.mp4',
      status: 'imported',
      from: '2026-03-14T22:32:10Z',
      entries: [{ format: 'mp4', status: 'imported' }],
    },
    { fileName: '20260314_173230_NF.mp4', status: 'imported', from: null },
  ]);
  const again = await bench.run('import', bench.file('card'), '--json');
  expect([
    again.code,
    ...again.json<{ sources: { status: string }[] }>().sources.map(({ status }) => status),
  ]).toEqual([0, 'duplicate', 'duplicate']);
});

import { afterAll, describe, expect, it } from 'vitest';
import { createClipReader, readClip } from '../../../main/media/telemetry/clipReader.ts';
import { box, clip, ClipFolder, motionRecord, rmc, u64, vendorFree } from './clipWriter.ts';

const files = new ClipFolder();
afterAll(() => files.remove());
const telemetry = vendorFree(
  box('sttm', u64(1_800_000_000_000)),
  box('gps ', `[1800000000000]${rmc(1_800_000_000_000, { latDeg: 1, lngDeg: 2 })}`),
  box('3gf ', motionRecord(0, 128, 0, 0)),
);

describe('reading clips in a thread of its own', () => {
  it('gives facts, telemetry and errors as reading here does', async () => {
    const reader = createClipReader();
    const file = files.write(clip(telemetry));
    const { facts, gps, gSensor } = await reader.read(file);
    expect(facts).toMatchObject({ gps: { samples: 1 }, clock: { utcOffsetMin: 0 } });
    expect(gps?.latDeg).toBeInstanceOf(Float64Array);
    expect(gSensor?.axesG[0][0]).toBe(1);
    expect((await reader.read(file, { wantsColumns: false })).gps).toBeNull();
    await expect(reader.read(files.write(Buffer.from('no clip at all')))).rejects.toMatchObject({
      code: 'unsupported_format',
    });
    await expect(reader.read(`${file}.missing`)).rejects.toMatchObject({ code: 'file_vanished' });
    await expect(reader.read(files.folder)).rejects.toMatchObject({ code: 'file_unreadable' });
    await reader.close();
    expect(await readClip(file)).toMatchObject({ gps: { samples: 1 } });
  });

  it('ends a file that takes too long by the clock on the wall, a slow disk say', async () => {
    const reader = createClipReader({ timeoutMs: 20, computingMs: 600_000 });
    // Half a million lines, of which a reader takes as many as any clip needs.
    const line = `[1800000000000]${rmc(1_800_000_000_000, { latDeg: 1, lngDeg: 2 })}`;
    const endless = files.write(clip(vendorFree(box('gps ', line.repeat(500_000)))));
    await expect(reader.read(endless)).rejects.toMatchObject({ code: 'entry_damaged' });
    await reader.close();
  });

  it('stops on cancel, and after closing reads no more', async () => {
    const reader = createClipReader();
    const file = files.write(clip(telemetry));
    const cancel = new AbortController();
    const canceled = expect(reader.read(file, { signal: cancel.signal })).rejects.toMatchObject({
      code: 'canceled',
    });
    cancel.abort();
    await canceled;
    expect((await reader.read(file)).facts.sizeBytes).toBeGreaterThan(0);
    await reader.close();
    await expect(reader.read(file)).rejects.toMatchObject({ code: 'canceled' });
  });
});

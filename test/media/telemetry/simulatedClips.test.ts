import { afterAll, describe, expect, it } from 'vitest';
import { readClipHere } from '../../../main/media/telemetry/clipReading.ts';
import { minuteMs, setUp } from '../../simulator/testing.ts';
import { ClipFolder } from './clipWriter.ts';

const files = new ClipFolder();
afterAll(() => files.remove());

describe('clips of the simulated fleet', async () => {
  const { simulator, enterprise } = await setUp();
  const { control, story } = simulator;
  const { psn, frontFilename } = story.collision;

  /** The clip as the media server serves it, and what the service says of it by itself (specification 2.2). */
  async function recalled(filename: string, quality: string) {
    const job = (await enterprise.post('/v1/media/recall-jobs', { psn, filename, quality })).body.data;
    await control.advance(5 * minuteMs);
    const bytes = Buffer.from(await (await fetch(job.downloadUrl)).arrayBuffer());
    const metadata = (await enterprise.get(`/v1/devices/${psn}/sd-files/${filename}/metadata`)).body.data;
    return { reading: readClipHere(files.write(bytes, filename)), metadata };
  }

  it.each(['main', 'sub'])('are read right: the collision, %s', async (quality) => {
    const { reading, metadata } = await recalled(frontFilename, quality);
    const { facts, gps, gSensor, thumbnail } = reading;
    const impactMs = Date.parse(story.collision.impactAt);
    expect(facts).toMatchObject({
      telemetryFormat: 'free-box',
      originalName: frontFilename,
      durationS: 70,
      clock: { startUtcMs: impactMs - 10_000, utcOffsetMin: -300, source: 'rmc+sttm' },
      gps: { samples: 70, withoutFix: 0 },
      skipped: [],
      notes: [],
      damage: [],
    });
    expect(facts.name).toMatchObject({ type: 'driving_impact', direction: 'front' });
    expect(facts.gSensor!.peakG).toBeGreaterThan(2);
    expect(Math.abs(facts.gSensor!.peakUtcMs! - impactMs)).toBeLessThan(150);
    expect(Buffer.from(thumbnail!).toString('base64')).toBe(metadata.thumbnail);

    expect([...gps!.utcMs]).toEqual(metadata.gps.map((sample: { at: string }) => Date.parse(sample.at)));
    for (const [i, sample] of metadata.gps.entries()) {
      expect(gps!.latDeg[i]).toBeCloseTo(sample.latitude, 6);
      expect(gps!.lngDeg[i]).toBeCloseTo(sample.longitude, 6);
      expect(gps!.speedKmh[i]).toBeCloseTo(sample.speedKmh, 2);
      expect(gps!.headingDeg[i]).toBeCloseTo(sample.heading, 1);
      // Lines come up to a second after their moment; the picture's clock is the camera's.
      expect(Math.abs(gps!.clipMs[i]! - (gps!.utcMs[i]! - facts.clock.startUtcMs!))).toBeLessThan(1000);
    }
    expect([...gSensor!.clipMs]).toEqual(
      metadata.gsensor.map((sample: { offsetMs: number }) => sample.offsetMs),
    );
    for (const [i, sample] of metadata.gsensor.entries()) {
      const { verticalG, lateralG, longitudinalG } = sample;
      [verticalG, lateralG, longitudinalG].forEach((value: number, axis) =>
        expect(Math.abs(gSensor!.axesG[axis as 0 | 1 | 2][i]! - value)).toBeLessThan(0.005),
      );
    }
  });
});

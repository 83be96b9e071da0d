import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReviewScene, SceneRequest } from '../../shared/contract/review.ts';
import type { AccountId, ClipId, TripId } from '../../shared/ids.ts';
import { createCardRepository } from '../../main/cache/cardRepository.ts';
import { createClipRepository } from '../../main/cache/clipRepository.ts';
import { openCacheConnection } from '../../main/cache/openCache.ts';
import type { Desk } from '../../main/desk/desk.ts';
import { takeMetadata } from '../../main/media/cards/metadata.ts';
import { box, clip, motionRecord, rmc, u64, vendorFree } from '../media/telemetry/clipWriter.ts';
import { aDesk, aFile, aPlace, type Place } from './aDesk.ts';

let place: Place;
let desk: Desk & { bugs: unknown[] };
beforeEach(async () => {
  place = aPlace();
  desk = await aDesk(place);
});
afterEach(async () => {
  expect(desk.bugs).toEqual([]);
  await desk.close();
  place.remove();
});

const start = Date.UTC(2026, 2, 14, 22, 32, 10);
const zoneMs = -5 * 3_600_000;
const account = 'acc_test' as AccountId; // the brand has no runtime form

/** A clip of a second with a position at its first and half a second later, and a bump at 330 ms. */
function bytesOf(startMs: number, latDeg = 52, lngDeg = 4): Buffer {
  const line = (ms: number): string => `[${ms + zoneMs}]${rmc(ms, { latDeg, lngDeg, knots: 10 })}\n`;
  return clip(
    vendorFree(
      box('sttm', u64(startMs + zoneMs)),
      box('gps ', line(startMs) + line(startMs + 500)),
      box('3gf ', motionRecord(0, 128, 0, 0), motionRecord(330, 128, 400, 0), motionRecord(440, 128, 0, 0)),
    ),
  );
}
const named = (ms: number, letters: string): string => {
  const iso = new Date(ms + zoneMs).toISOString();
  return `${iso.slice(0, 10).replaceAll('-', '')}_${iso.slice(11, 19).replaceAll(':', '')}_${letters}.mp4`;
};
/** Imports a clip as its camera's. */
async function imported(
  letters: string,
  startMs = start,
  psn: string | null = 'P1',
  bytes = bytesOf(startMs),
) {
  const name = named(startMs, letters);
  const tagged = Buffer.concat([bytes, box('free', letters + startMs + psn)]);
  const [source] = (await desk.importFiles([aFile(place, name, tagged)])).sources;
  const clips = await desk.client.invoke('clips.list', {});
  const { clipId } = clips.find((one) => one.sourceId === source!.sourceId)!;
  if (psn !== null) connected((db) => createClipRepository(db).saveCamera(clipId, psn, null));
  return clipId;
}
function connected<T>(work: (db: ReturnType<typeof openCacheConnection>['db']) => T): T {
  const connection = openCacheConnection(place.dataFolder, 'write');
  try {
    return work(connection.db);
  } finally {
    connection.close();
  }
}
/** A track of a minute, a position each second, at one place. */
async function track(psn: string, at: { fromMs: number; latDeg?: number; lngDeg?: number }): Promise<TripId> {
  const { fromMs, latDeg = 52, lngDeg = 4 } = at;
  const rows = Array.from({ length: 60 }, (_, i) => {
    const time = new Date(fromMs + i * 1000).toISOString();
    return `${psn},Van ${psn},${time},${latDeg},${lngDeg},1,90,${36 + i}`;
  });
  const csv = `psn,carName,datetime,lat,lng,drive_no,heading,speedKmh\n${rows.join('\n')}\n`;
  const [source] = (await desk.importFiles([aFile(place, `track-${psn}-${fromMs}.csv`, csv)])).sources;
  const trips = await desk.client.invoke('trips.list', { sourceId: source!.sourceId! });
  return trips[0]!.tripId;
}
const custody = async () => (await desk.client.invoke('custody.list', {})).entries;
const startOf = (scene: ReviewScene, clipId: ClipId): number | undefined =>
  scene.channels.flatMap((one) => one.segments).find((one) => one.clipId === clipId)?.startMs;

describe('a scene', () => {
  it('of a clip that was just imported shows both lenses, their clocks and telemetry', async () => {
    const front = await imported('EF');
    const option = await imported('EO');
    const scene = await desk.client.invoke('review.scene', { kind: 'clip', clipId: front });
    expect(scene.channels.map(({ direction, segments }) => [direction, segments[0]!.clipId])).toEqual([
      ['front', front],
      ['option', option],
    ]);
    expect(scene).toMatchObject({ timebase: 'utc', fromMs: start, toMs: start + 1000, focusMs: start + 330 });
    expect(scene.channels[0]!.segments[0]).toMatchObject({
      hasGps: true,
      hasGSensor: true,
      hasMetadata: false,
      video: { codec: 'avc1.64001f', isH265: false, width: 1920 },
      damage: [],
    });
    expect(scene.clocks.map(({ subject, origin }) => [subject.kind, origin])).toEqual([
      ['clip', 'clip-gps'],
      ['telemetry', 'clip-gps'],
      ['clip', 'clip-gps'],
      ['telemetry', 'clip-gps'],
    ]);
    expect(scene.clocks[0]).toMatchObject({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      startUtcMs: start,
    });
  });

  it('of a trip has its camera’s clips, its own track and those of others at the time, moved as set', async () => {
    const front = await imported('NF', start + 10_000);
    const own = await track('P1', { fromMs: start });
    const other = await track('P2', { fromMs: start + 30_000, latDeg: 52.001 });
    await track('P3', { fromMs: start + 600_000 });
    const scene = await desk.client.invoke('review.scene', {
      kind: 'trip',
      tripId: own,
      atMs: start + 10_500,
    });
    expect(scene).toMatchObject({
      title: 'Van P1, trip 1, 2026-03-14 22:32:10 UTC',
      fromMs: start,
      toMs: start + 59_000,
      focusMs: start + 10_500,
    });
    expect(startOf(scene, front)).toBe(start + 10_000);
    expect(scene.tracks.map(({ tripId, isOwn }) => [tripId, isOwn])).toEqual([
      [own, true],
      [other, false],
    ]);
    expect(scene.channels[0]!.cameraName).toBe('Van P1');
    const clock = await desk.client.invoke('review.shiftClock', {
      subject: { kind: 'trip', tripId: other },
      shiftMs: -5000,
      reason: 'its export says so',
    });
    expect(clock).toMatchObject({ origin: 'stated', startUtcMs: start + 25_000, manual: { shiftMs: -5000 } });
    const again = await desk.client.invoke('review.scene', { kind: 'trip', tripId: own });
    expect(again.tracks[1]).toMatchObject({ fromMs: start + 25_000, shiftMs: -5000 });
    expect(again.focusMs).toBe(start);
  });

  it('knows the track of a clip of unknown camera by where both were at the same time', async () => {
    const clipId = await imported('NF', start + 10_000, null);
    const own = await track('P1', { fromMs: start });
    const beside = await track('P2', { fromMs: start, latDeg: 52.01 });
    const scene = await desk.client.invoke('review.scene', { kind: 'clip', clipId });
    expect(Object.fromEntries(scene.tracks.map(({ tripId, isOwn }) => [tripId, isOwn]))).toEqual({
      [own]: true,
      [beside]: false,
    });
  });

  it('of nothing says what to do', async () => {
    const requests: readonly SceneRequest[] = [
      { kind: 'trip', tripId: 'trip_gone' as TripId },
      { kind: 'clips', clipIds: ['clip_gone' as ClipId] },
      { kind: 'moment', psn: null, atMs: 1e300 },
      { kind: 'place', circle: { latDeg: 1, lngDeg: 1, radiusM: 5 }, fromMs: 0, toMs: 1 },
    ];
    for (const request of requests) {
      await expect(desk.client.invoke('review.scene', request)).rejects.toMatchObject({
        code: 'not_found',
        remedy: expect.any(String),
      });
    }
  });
});

describe('clocks set by hand', () => {
  it('move the clip in its scenes, are in custody with reason and both states, and can be taken back', async () => {
    const clipId = await imported('EF');
    const subject = { kind: 'clip', clipId } as const;
    const heard: unknown[] = [];
    desk.client.on('review.clockChanged', (change) => heard.push(change));
    const set = await desk.client.invoke('review.shiftClock', {
      subject,
      shiftMs: 1500,
      reason: 'the traffic light',
    });
    expect(set).toMatchObject({ origin: 'clip-gps', startUtcMs: start + 1500, manual: { shiftMs: 1500 } });
    const scene = await desk.client.invoke('review.scene', { kind: 'clip', clipId });
    expect(startOf(scene, clipId)).toBe(start + 1500);
    // What was found, and the file, are as they were.
    expect(await desk.client.invoke('clips.get', { clipId })).toMatchObject({ startUtcMs: start });
    const back = await desk.client.invoke('review.resetClock', { subject, reason: 'wrong light' });
    expect(back).toMatchObject({ startUtcMs: start, manual: null });
    // Nothing is set any more: nothing to record.
    await desk.client.invoke('review.resetClock', { subject, reason: 'again' });
    expect(heard).toEqual([{ subject }, { subject }]);
    const iso = (ms: number): string => new Date(ms).toISOString();
    expect((await custody()).filter(({ action }) => action.startsWith('clock.'))).toMatchObject([
      {
        action: 'clock.set',
        subject: { kind: 'clip', id: clipId, sha256: scene.clocks[0]!.sha256 },
        detail: {
          found: 'clip-gps',
          before: { shiftMs: null, setStart: null, start: iso(start) },
          after: { shiftMs: 1500, setStart: null, start: iso(start + 1500) },
          reason: 'the traffic light',
        },
      },
      {
        action: 'clock.reset',
        detail: {
          before: { shiftMs: 1500 },
          after: { shiftMs: null, start: iso(start) },
          reason: 'wrong light',
        },
      },
    ]);
    expect((await desk.client.invoke('custody.list', {})).isChainWhole).toBe(true);
  });

  it('give a clip of unknown clock its time; only then can it be moved', async () => {
    const bytes = clip(vendorFree(box('cprt', 'Maker\0')));
    const clipId = await imported('PF', start, null, bytes);
    const subject = { kind: 'clip', clipId } as const;
    expect(await desk.client.invoke('review.scene', { kind: 'clip', clipId })).toMatchObject({
      timebase: 'elapsed',
    });
    await expect(
      desk.client.invoke('review.shiftClock', { subject, shiftMs: 5, reason: 'r' }),
    ).rejects.toMatchObject({ code: 'invalid_input', remedy: expect.any(String) });
    const clock = await desk.client.invoke('review.setClipStart', {
      clipId,
      startUtcMs: start,
      reason: 'a church clock',
    });
    expect(clock).toMatchObject({
      origin: 'manual',
      startUtcMs: start,
      utcOffsetMin: -300,
      uncertaintyMs: null,
    });
    expect(await desk.client.invoke('review.scene', { kind: 'clip', clipId })).toMatchObject({
      timebase: 'utc',
      fromMs: start,
      utcOffsetMin: -300,
    });
    await expect(
      desk.client.invoke('review.setClipStart', { clipId, startUtcMs: 1e300, reason: 'r' }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await custody()).filter(({ action }) => action === 'clock.set')).toHaveLength(1);
  });

  it('refuse sources that are not there, without a trace', async () => {
    const clipId = await imported('PF', start, null, clip(vendorFree(box('cprt', 'Maker\0'))));
    for (const subject of [
      { kind: 'telemetry', clipId },
      { kind: 'metadata', clipId },
      { kind: 'clip', clipId: 'clip_gone' as ClipId },
      { kind: 'trip', tripId: 'trip_gone' as TripId },
    ] as const)
      await expect(
        desk.client.invoke('review.shiftClock', { subject, shiftMs: 5, reason: 'r' }),
      ).rejects.toMatchObject({ code: 'not_found' });
    expect((await custody()).filter(({ action }) => action.startsWith('clock.'))).toEqual([]);
  });
});

describe('metadata of the service', () => {
  it('is a second source of the same clip, placed by the clock in use and moved as set', async () => {
    const clipId = await imported('EF');
    expect(await desk.client.invoke('review.metadata', { clipId })).toBeNull();
    connected((db) => {
      const samples = [0, 1].map((i) => ({
        at: new Date(start + 250 + i * 1000).toISOString(),
        latitude: 52 + i,
        longitude: 4,
        speedKmh: 20,
      }));
      const gsensor = [{ offsetMs: 40, verticalG: 1, lateralG: 0.5, longitudinalG: -2 }];
      const { stored, firstGpsMs } = takeMetadata(named(start, 'EF'), { gps: samples, gsensor }, 99);
      createCardRepository(db).keepMetadata(account, 'P1', stored, firstGpsMs);
    });
    const told = await desk.client.invoke('review.metadata', { clipId });
    expect(told).toMatchObject({ fetchedAtMs: 99 });
    expect([...told!.gps!.clipMs]).toEqual([250, 1250]);
    expect([...told!.gps!.utcMs]).toEqual([start + 250, start + 1250]);
    expect([...told!.gps!.latDeg]).toEqual([52, 53]);
    expect([...told!.gps!.headingDeg, ...told!.gps!.altitudeM]).toEqual([NaN, NaN, NaN, NaN]);
    expect(told!.gSensor!.axisNames).toEqual(['vertical', 'lateral', 'longitudinal']);
    expect([...told!.gSensor!.clipMs]).toEqual([40]);
    expect(told!.gSensor!.axesG[2]).toEqual(Float64Array.of(-2));

    const subject = { kind: 'metadata', clipId } as const;
    const clock = await desk.client.invoke('review.shiftClock', { subject, shiftMs: 100, reason: 'r' });
    expect(clock).toMatchObject({ subject, origin: 'stated', sha256: null, startUtcMs: start + 350 });
    await desk.client.invoke('review.shiftClock', {
      subject: { kind: 'clip', clipId },
      shiftMs: -50,
      reason: 'r',
    });
    const moved = await desk.client.invoke('review.metadata', { clipId });
    expect([...moved!.gps!.clipMs]).toEqual([400, 1400]);
    expect([...moved!.gSensor!.clipMs]).toEqual([140]);
    const scene = await desk.client.invoke('review.scene', { kind: 'clip', clipId });
    expect(scene.channels[0]!.segments[0]!.hasMetadata).toBe(true);
    expect(scene.clocks.map((one) => one.subject.kind)).toEqual(['clip', 'telemetry', 'metadata']);
    expect(scene.clocks[0]!.how).toContain("The service's GPS of the same recording begins");
  });
});

it('lists what can be opened, by camera and time', async () => {
  await imported('NF');
  await imported('NO');
  await imported('NF', start + 60_000, 'P2');
  const moments = await desk.client.invoke('review.moments', {});
  expect(moments.map(({ psn, startMs, endMs, directions }) => [psn, startMs, endMs, directions])).toEqual([
    ['P2', start + 60_000, start + 61_000, ['front']],
    ['P1', start, start + 1000, ['front', 'option']],
  ]);
  expect(
    await desk.client.invoke('review.moments', { psns: ['P1'], fromMs: start, toMs: start + 10 }),
  ).toHaveLength(1);
});

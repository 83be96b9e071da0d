import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coverageLanes,
  eventStarts,
  spanAt,
  stretchesOf,
} from '../../../renderer/features/review/charts/coverage.ts';
import { markerNear, markersOf } from '../../../renderer/features/review/charts/markers.ts';
import {
  mergeSamples,
  mergeTelemetry,
  speedFromPositions,
} from '../../../renderer/features/review/charts/mergeTelemetry.ts';
import { joinTracks, planOwnTracks } from '../../../renderer/features/review/charts/ownTrack.ts';
import { toChunk } from '../../../renderer/features/review/charts/telemetryChunk.ts';
import { planTelemetry } from '../../../renderer/features/review/charts/telemetryPlan.ts';
import { createTelemetryStore } from '../../../renderer/features/review/charts/telemetryStore.ts';
import type { SceneTelemetry } from '../../../renderer/features/review/model.ts';
import type { ClipGpsColumns, ClipGSensorColumns, ClipTelemetry } from '../../../shared/contract/clips.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ClipId, MarkId, SourceId, TripId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { channel, scene, segment, sourceClock, startMs } from './aReview.ts';

const clip = (name: string) => name as ClipId;
/** Lets answers that are under way come in. */
async function settle(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
}

/** A position each second; `at` may leave out the fix. */
function gpsOf(
  clipMs: readonly number[],
  at: (i: number) => Partial<Record<keyof ClipGpsColumns, number>> = () => ({}),
): ClipGpsColumns {
  const column = (name: keyof ClipGpsColumns, usual: (i: number) => number) =>
    Float64Array.from(clipMs, (_, i) => at(i)[name] ?? usual(i));
  return {
    clipMs: Float64Array.from(clipMs),
    utcMs: column('utcMs', () => NaN),
    cameraLocalMs: column('cameraLocalMs', () => NaN),
    latDeg: column('latDeg', (i) => 52 + i * 1e-4),
    lngDeg: column('lngDeg', () => 4.3),
    speedKmh: column('speedKmh', () => 40),
    headingDeg: column('headingDeg', () => 0),
    altitudeM: column('altitudeM', () => NaN),
  };
}
const gOf = (clipMs: readonly number[], g: (i: number) => number = () => 0): ClipGSensorColumns => ({
  clipMs: Float64Array.from(clipMs),
  axisNames: ['vertical', 'lateral', 'longitudinal'],
  axesG: [
    Float64Array.from(clipMs, () => 1),
    Float64Array.from(clipMs, () => 0),
    Float64Array.from(clipMs, (_, i) => g(i)),
  ],
});
const seconds = (count: number) => Array.from({ length: count }, (_, i) => i * 1000);

/** Front and option of one camera: a minute each, `names` in order of time. */
const lens = (direction: string, names: readonly string[], patch: (i: number) => object = () => ({})) =>
  channel({
    channelId: direction,
    direction,
    segments: names.map((name, i) =>
      segment({
        clipId: clip(name),
        fileName: `${name}.mp4`,
        typeCode: 'N',
        startMs: startMs + i * 60_000,
        endMs: startMs + (i + 1) * 60_000,
        durationS: 60,
        joinsPrevious: i > 0,
        ...patch(i),
      }),
    ),
  });
const clipsOf = (claims: ReturnType<typeof planTelemetry>) => claims.map((claim) => claim.segment.clipId);

describe('which clips are read', () => {
  it('is one lens at a time: both carry the same samples', () => {
    const two = scene({ channels: [lens('front', ['f0', 'f1']), lens('option', ['o0', 'o1'])] });
    expect(clipsOf(planTelemetry(two, 'clip'))).toEqual(['f0', 'f1']);
  });
  it('takes the other lens where the first has none, and only its part where it goes on longer', () => {
    const front = lens('front', ['f0', 'f1'], (i) => (i === 1 ? { hasGps: false, hasGSensor: false } : {}));
    const option = lens('option', ['o0', 'o1'], (i) =>
      i === 0 ? { endMs: startMs + 70_000 } : { startMs: startMs + 70_000 },
    );
    const claims = planTelemetry(scene({ channels: [front, option] }), 'clip');
    expect(clipsOf(claims)).toEqual(['f0', 'o0', 'o1']);
    expect(claims[1]).toMatchObject({ keepFromMs: startMs + 60_000, keepToMs: Infinity });
  });
  it('leaves other cameras out, and a second that only the other lens has', () => {
    const front = lens('front', ['f0'], () => ({ endMs: startMs + 59_000 }));
    const other = { ...lens('front', ['x0']), channelId: 'x', psn: 'P99' };
    expect(
      clipsOf(planTelemetry(scene({ channels: [front, lens('option', ['o0']), other] }), 'clip')),
    ).toEqual(['f0']);
  });
});

describe("a clip's samples on the scene's time", () => {
  const claim = {
    segment: segment({ rate: 1.0002 }),
    direction: 'front',
    keepFromMs: -Infinity,
    keepToMs: Infinity,
    shiftMs: 0,
  };

  it('go through the segment, its drift, and what the user moved the telemetry by', () => {
    const { gps } = toChunk({ ...claim, shiftMs: -250 }, { gps: gpsOf([0, 10_000]), gSensor: null });
    expect([...gps.timesMs]).toEqual([startMs - 250, startMs + 10_002 - 250]);
  });
  it('leave out rows that can not be placed and those that the other lens gives, and are in order of time', () => {
    const { gps } = toChunk(
      { ...claim, keepToMs: startMs + 5000 },
      { gps: gpsOf([3000, NaN, 1000, 9000]), gSensor: null },
    );
    expect(gps.timesMs.map((ms) => Math.round(ms - startMs))).toEqual(Float64Array.from([1000, 3001]));
  });
  it('say where there was no fix', () => {
    const { noFix } = toChunk(
      { ...claim, segment: segment() },
      { gps: gpsOf(seconds(8), (i) => (i >= 3 && i < 6 ? { latDeg: NaN } : {})), gSensor: null },
    );
    expect(noFix).toEqual([{ fromMs: startMs + 3000, toMs: startMs + 6000 }]);
  });
});

describe('merging', () => {
  it('keeps every sample, in order of time, whatever overlaps', () => {
    const list = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 60 }).map((times) => {
      const timesMs = Float64Array.from(times).sort();
      return { timesMs, columns: [timesMs.map((ms) => ms * 2)] };
    });
    fc.assert(
      fc.property(fc.array(list, { maxLength: 6 }), (lists) => {
        const merged = mergeSamples(lists, 1);
        expect(merged.timesMs).toEqual(Float64Array.from(lists.flatMap((one) => [...one.timesMs])).sort());
        expect(merged.columns[0]).toEqual(merged.timesMs.map((ms) => ms * 2));
      }),
    );
  });

  it('computes speed from positions without bridging a gap or a time without a fix', () => {
    // 1e-4 degrees of latitude are 11.13 m here.
    const times = Float64Array.from([0, 1000, 2000, 3000, 20_000, 21_000]);
    const lat = Float64Array.from([52, 52.0001, NaN, 52.0003, 52.01, 52.0101]);
    const speed = speedFromPositions(times, lat, new Float64Array(6).fill(4.3));
    const kmh = 11.13 * 3.6;
    expect(speed[0]).toBeCloseTo(kmh, 1);
    expect(speed[1]).toBeCloseTo(kmh, 1);
    expect([speed[2], speed[3]]).toEqual([NaN, NaN]);
    expect(speed[4]).toBeCloseTo(kmh, 1);
    expect(speedFromPositions(Float64Array.from([5, 5]), lat.slice(0, 2), lat.slice(0, 2))).toEqual(
      Float64Array.from([NaN, NaN]),
    );
  });
});

describe('the telemetry store', () => {
  const names = Array.from({ length: 12 }, (_, i) => `f${i}`);
  const twelve = scene({
    channels: [lens('front', names)],
    toMs: startMs + 720_000,
    focusMs: startMs + 330_000,
  });
  const answer = (): ClipTelemetry => ({ gps: gpsOf(seconds(60)), gSensor: gOf(seconds(60)) });
  const valueOf = (store: ReturnType<typeof createTelemetryStore>): SceneTelemetry => {
    const { telemetry } = store.getState();
    if (telemetry.status !== 'ready') throw new Error(`telemetry is ${telemetry.status}`);
    return telemetry.value;
  };
  const rest = async () => settle(600);

  it('reads a few at once, nearest to the clock first, says how far it is, and ends with all in order', async () => {
    let open = 0;
    let most = 0;
    const host = createFakeHost({
      'clips.telemetry': async () => {
        most = Math.max(most, ++open);
        await Promise.resolve();
        open--;
        return answer();
      },
    });
    const store = createTelemetryStore(host, twelve);
    const reads: number[] = [];
    store.subscribe(({ read }) => reads.push(read));
    expect(store.getState()).toMatchObject({ telemetry: { status: 'loading' }, read: 0, total: 12 });
    await rest();
    const asked = host.asked.map(({ input }) => (input as { clipId: string }).clipId);
    expect(asked.slice(0, 3)).toEqual(['f5', expect.stringMatching(/f[46]/), expect.stringMatching(/f[46]/)]);
    expect(asked.at(-1)).toBe('f11');
    expect(most).toBeLessThanOrEqual(4);
    expect(reads.at(-1)).toBe(12);
    const { gps, gSensor } = valueOf(store);
    expect(gps?.timesMs).toHaveLength(720);
    expect(gSensor?.timesMs).toEqual(Float64Array.from({ length: 720 }, (_, i) => startMs + i * 1000));
  });

  it('copies what is there a few times, not at every clip', async () => {
    const many = scene({
      channels: [
        lens(
          'front',
          Array.from({ length: 300 }, (_, i) => `f${i}`),
        ),
      ],
    });
    const store = createTelemetryStore(createFakeHost({ 'clips.telemetry': answer }), many);
    const values = new Set<unknown>();
    store.subscribe(({ telemetry }) => telemetry.status === 'ready' && values.add(telemetry.value));
    await settle(20_000);
    expect(store.getState().read).toBe(300);
    expect(values.size).toBeGreaterThan(3);
    expect(values.size).toBeLessThan(25);
  });

  it('goes on without a clip that can not be read, names it, and fails only if none can', async () => {
    const host = createFakeHost({
      'clips.telemetry': ({ clipId }) => {
        if (clipId === clip('f3')) throw new AppError('blob_missing', 'The original is not in the cache.');
        return answer();
      },
    });
    const store = createTelemetryStore(host, twelve);
    await rest();
    expect(store.getState()).toMatchObject({ read: 12, failures: [{ fileName: 'f3.mp4' }] });
    expect(valueOf(store).gps?.timesMs).toHaveLength(660);

    const none = createTelemetryStore(createFakeHost({}), twelve);
    await rest();
    expect(none.getState().telemetry.status).toBe('failed');
  });

  it('keeps both sources and shows the one that is chosen', async () => {
    const both = scene({ channels: [lens('front', ['f0'], () => ({ hasMetadata: true }))] });
    const host = createFakeHost({
      'clips.telemetry': answer,
      'review.metadata': () => ({ gps: gpsOf([0, 500]), gSensor: null, fetchedAtMs: startMs }),
    });
    const store = createTelemetryStore(host, both);
    await rest();
    expect(store.getState()).toMatchObject({ origin: 'clip', canChoose: true });
    expect(valueOf(store).origin).toBe('clip');
    store.choose('metadata');
    await rest();
    expect(store.getState().origin).toBe('metadata');
    expect(valueOf(store)).toMatchObject({ origin: 'metadata', gSensor: null });
    const askedBefore = host.asked.length;
    store.choose('clip');
    expect(valueOf(store).gps?.timesMs).toHaveLength(60);
    expect(host.asked).toHaveLength(askedBefore);
  });

  it('applies what a user moved the telemetry by, and asks for nothing once it is closed', async () => {
    const moved = scene({
      channels: [lens('front', names)],
      clocks: [
        sourceClock({
          subject: { kind: 'telemetry', clipId: clip('f0') },
          manual: { shiftMs: 1500, reason: 'the indicator', actor: 'A', setAtMs: 0 },
        }),
      ],
    });
    const host = createFakeHost({ 'clips.telemetry': answer });
    const store = createTelemetryStore(host, moved);
    await rest();
    expect(valueOf(store).gps?.timesMs[0]).toBe(startMs + 1500);
    store.close();

    const second = createFakeHost({ 'clips.telemetry': answer });
    createTelemetryStore(second, moved).close();
    await rest();
    expect(second.asked.length).toBeLessThanOrEqual(4);
  });

  it('shows at once what was read before, when a clock was set and the scene is opened anew', async () => {
    const host = createFakeHost({ 'clips.telemetry': answer });
    createTelemetryStore(host, twelve);
    await rest();
    const [first] = twelve.channels;
    const later = first!.segments.map((one) => ({
      ...one,
      startMs: one.startMs + 700,
      endMs: one.endMs + 700,
    }));
    const again = createTelemetryStore(host, { ...twelve, channels: [{ ...first!, segments: later }] });
    expect(valueOf(again).gps?.timesMs[0]).toBe(startMs + 700);
    expect(again.getState()).toMatchObject({ read: 12, total: 12 });
    await rest();
    expect(host.asked).toHaveLength(12);
  });

  it('gives the last position at or before a time, never one too old or without a fix', async () => {
    const one = scene({ channels: [lens('front', ['f0'])] });
    const host = createFakeHost({
      'clips.telemetry': () => ({
        gps: gpsOf([0, 1000, 2000, 30_000], (i) => (i === 2 ? { latDeg: NaN } : {})),
        gSensor: null,
      }),
    });
    const store = createTelemetryStore(host, one);
    await rest();
    expect(store.gpsIndexAt(startMs - 1)).toBeNull();
    expect(store.gpsIndexAt(startMs + 999)).toBe(0);
    expect(store.gpsIndexAt(startMs + 2500)).toBe(1);
    expect(store.gpsIndexAt(startMs + 2500, 1000)).toBeNull();
    expect(store.gpsIndexAt(startMs + 29_000)).toBeNull();
  });

  it('is ready with nothing where no clip has telemetry', () => {
    const bare = scene({ channels: [lens('front', ['f0'], () => ({ hasGps: false, hasGSensor: false }))] });
    const store = createTelemetryStore(createFakeHost({}), bare);
    expect(valueOf(store)).toMatchObject({ gps: null, gSensor: null });
    expect(store.getState().total).toBe(0);
  });
});

describe('coverage', () => {
  const card = {
    psn: 'P07',
    filename: '20260314_173300_NO.mp4',
    direction: 'option',
    directionCode: 'O',
    typeCode: 'N',
    startMs: startMs + 60_000,
    endMs: startMs + 120_000,
    uncertaintyMs: null,
    listedAtMs: 0,
  };
  it('tells present, damaged, on the card, no fix and missing apart, lens by lens', () => {
    const front = lens('front', ['f0', 'f1'], (i) =>
      i === 1
        ? {
            damage: [{ code: 'truncated', message: 'It ends in the middle.' }],
            picturesEndMs: startMs + 90_000,
          }
        : {},
    );
    const telemetry = mergeTelemetry(
      [
        toChunk(
          { segment: segment(), direction: 'front', keepFromMs: -Infinity, keepToMs: Infinity, shiftMs: 0 },
          {
            gps: gpsOf([0, 1000, 2000, 3000, 40_000, 41_000], (i) => (i === 3 ? { latDeg: NaN } : {})),
            gSensor: gOf([0, 110, 220]),
          },
        ),
      ],
      'P07',
      'clip',
    );
    const lanes = coverageLanes(
      scene({ channels: [front, lens('option', ['o0'])], onCard: [card] }),
      telemetry,
      null,
    );
    expect(lanes.map(({ label, spans }) => [label, spans.map(({ state }) => state)])).toEqual([
      ['Front', ['present', 'damaged']],
      ['Option', ['present', 'on-card']],
      ['GPS', ['present', 'no-fix', 'present']],
      ['G-sensor', ['present']],
    ]);
    expect(lanes[0]?.spans[1]?.text).toContain('It ends in the middle.');
    expect(lanes[0]?.spans[1]).toMatchObject({ fromMs: startMs + 60_000, toMs: startMs + 90_000 });
    expect(lanes[2]?.spans[0]).toMatchObject({ fromMs: startMs, toMs: startMs + 3000 });
  });
  it('gives a lens that is only on the card a lane of its own, and waits for telemetry', () => {
    const lanes = coverageLanes(scene({ channels: [lens('front', ['f0'])], onCard: [card] }), null, null);
    expect(lanes.map(({ label }) => label)).toEqual(['Front', 'Option']);
  });
  it('reads what is here where the card holds the same time in another recording', () => {
    const [option] = coverageLanes(
      scene({
        channels: [lens('option', ['o0'])],
        onCard: [{ ...card, startMs: startMs - 5000, endMs: startMs + 15_000 }],
      }),
      null,
      null,
    );
    expect(option && spanAt(option, startMs + 1000)?.state).toBe('present');
    expect(option && spanAt(option, startMs - 1000)?.state).toBe('on-card');
  });
  it('ends a stretch at a gap and at an absent value', () => {
    const times = Float64Array.from([0, 1, 2, 50, 51, 52]);
    const all = Float64Array.from([1, 1, 1, 1, NaN, 1]);
    expect(stretchesOf(times, all, 10, 0)).toEqual([
      { fromMs: 0, toMs: 2 },
      { fromMs: 50, toMs: 50 },
      { fromMs: 52, toMs: 52 },
    ]);
  });
  it('names an event once, though both lenses recorded it', () => {
    const event = (direction: string) => lens(direction, [`${direction}0`], () => ({ typeCode: 'E' }));
    expect(eventStarts(scene({ channels: [event('front'), event('option')] }))).toEqual([
      { ms: startMs, word: 'impact while driving', letter: 'E' },
    ]);
  });
});

describe("the own vehicle's imported tracks", () => {
  const track = (tripId: string, patch: object = {}) => ({
    tripId: tripId as TripId,
    sourceId: 'src_t' as SourceId,
    fileName: 'export.csv',
    psn: 'P07',
    cameraName: 'Van 07',
    isOwn: true,
    fromMs: startMs,
    toMs: startMs + 60_000,
    shiftMs: 0,
    bbox: [4, 52, 5, 53] as const,
    ...patch,
  });
  it('are those of the own camera, each time once', () => {
    const tracks = [
      track('csv'),
      track('gpx'),
      track('next', { fromMs: startMs + 60_000, toMs: startMs + 90_000 }),
      track('van9', { psn: 'P09', fromMs: startMs + 200_000 }),
      track('stranger', { isOwn: false, fromMs: startMs + 300_000 }),
    ];
    const one = scene({ channels: [lens('front', ['f0'])], tracks });
    expect(planOwnTracks(one).map(({ tripId }) => tripId)).toEqual(['csv', 'next']);
    expect(planOwnTracks({ ...one, channels: [] }).map(({ tripId }) => tripId)).toEqual(['csv', 'next']);
  });
  it("lie on the scene's time by their own shift, and have a lane of their own", () => {
    const points = {
      count: 3,
      timesMs: Float64Array.from([startMs, NaN, startMs + 1000]),
      latDeg: Float64Array.from([52, 52, 52]),
      lngDeg: Float64Array.from([4, 4, 4]),
      headingDeg: Float64Array.from([1, 2, 3]),
      speedKmh: Float64Array.from([10, 20, 30]),
      altitudeM: new Float64Array(3),
    };
    const joined = joinTracks([track('csv', { shiftMs: 500 })], [points]);
    expect(joined).toMatchObject({
      timesMs: Float64Array.from([startMs + 500, startMs + 1500]),
      speedKmh: Float64Array.from([10, 30]),
      from: 'export.csv',
    });
    expect(joinTracks([], [])).toBeNull();
    const lanes = coverageLanes(scene({ channels: [lens('front', ['f0'])] }), null, joined);
    expect(lanes.map(({ label, spans }) => [label, spans.length])).toEqual([
      ['Front', 1],
      ['Track', 1],
    ]);
  });
});

describe('markers', () => {
  const mark = {
    markId: 'm1' as MarkId,
    caseId: null,
    kind: 'bookmark',
    fromMs: startMs + 1000,
    toMs: null,
    uncertaintyMs: null,
    from: { clipId: clip('f0'), clipS: 5 },
    to: null,
    title: 'Brake lights',
    note: '',
    tags: [],
    actor: '',
    madeAtMs: 0,
    editedAtMs: null,
  } as const;
  const one = scene({ channels: [lens('front', ['f0'])] });
  it('go by the frame that was marked, and by time only where its clip is not here', () => {
    expect(markersOf(one, [mark], [], [])[0]?.ms).toBe(startMs + 5000);
    const elsewhere = { ...mark, from: { clipId: clip('other'), clipS: 5 } };
    expect(markersOf(one, [elsewhere], [], [])[0]?.ms).toBe(startMs + 1000);
    expect(markersOf({ ...one, timebase: 'elapsed' }, [elsewhere], [], [])).toEqual([]);
  });
  it("are found within reach of the pointer, the user's own first", () => {
    const harsh = {
      timeMs: startMs + 5010,
      valueG: 2,
      magnitudeG: 2,
      kind: 'braking',
      axisName: 'longitudinal',
      axisG: -2,
      fromMs: 0,
      toMs: 0,
    } as const;
    const markers = markersOf(one, [mark], [harsh], []);
    expect(markerNear(markers, startMs + 5012, 10)?.kind).toBe('bookmark');
    expect(markerNear(markers, startMs + 9000, 10)).toBeNull();
  });
});

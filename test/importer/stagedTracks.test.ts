import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gapThresholdMs } from '../../shared/gaps.ts';
import { distanceM } from '../../shared/geometry.ts';
import { ABSENT, chunkPoints, decodeChunk, LITERAL, PointColumns } from '../../main/cache/trackCodec.ts';
import { speedsKmhOf, timesMsOf, latitudesOf, longitudesOf } from '../../main/cache/trackColumns.ts';
import { StagedTracks, type StagedTrack } from '../../main/importer/stagedTracks.ts';
import { StagingTape } from '../../main/importer/stagingTape.ts';
import type { TrackIdentity } from '../../main/importer/reader.ts';

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'staged-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));
let tapes = 0;
const newTape = (limitBytes?: number): StagingTape =>
  new StagingTape(path.join(root, `tape ${tapes++}`), limitBytes);

const identity = (driveNo: number, speedUnit: 'kmh' | 'ms' = 'kmh'): TrackIdentity => ({
  psn: 'P',
  cameraName: null,
  driveNo,
  name: null,
  speedUnit,
  beginMs: null,
  endMs: null,
});

interface Point {
  readonly track: number;
  /** Seconds; null is absent. */
  readonly time: number | null;
  readonly lat: number;
  readonly lng: number;
  readonly speed: number | null;
}

/** Adds the points as a reader does: whole columns are handed over, tracks interleave. */
function fill(sink: StagedTracks, points: readonly Point[], unit: 'kmh' | 'ms' = 'kmh'): StagedTrack[] {
  const builders = new Map<number, ReturnType<StagedTracks['beginTrack']>>();
  for (const { track, time, lat, lng, speed } of points) {
    let builder = builders.get(track);
    if (!builder) builders.set(track, (builder = sink.beginTrack(identity(track, unit))));
    builder.columns.add(
      time ?? 0,
      time === null ? ABSENT : 0,
      Math.round(lat * 1e6) + 0,
      6,
      Math.round(lng * 1e6) + 0,
      6,
      0,
      ABSENT,
      speed === null ? 0 : Math.round(speed * 10),
      speed === null ? ABSENT : 1,
      0,
      ABSENT,
    );
    if (builder.columns.count >= chunkPoints) builder.filled();
  }
  return sink.finish();
}

function readBack(tape: StagingTape, track: StagedTrack): PointColumns {
  const points = new PointColumns();
  for (const chunk of track.chunks) {
    const before = points.count;
    decodeChunk(tape.read(chunk.position, chunk.length), points);
    expect(points.count - before).toBe(chunk.points);
  }
  return points;
}

const texts = (points: PointColumns): (string | null)[][] =>
  Array.from({ length: points.count }, (_, i) => points.values.map((__, c) => points.textAt(c, i)));

const arbitraryPoint = (tracks: number): fc.Arbitrary<Point> =>
  fc.record({
    track: fc.nat(tracks - 1),
    time: fc.option(fc.integer({ min: 1_741_000_000, max: 1_741_000_500 }), { freq: 20 }),
    lat: fc.integer({ min: -89_900_000, max: 89_900_000 }).map((micro) => micro / 1e6),
    lng: fc.integer({ min: -180_000_000, max: 180_000_000 }).map((micro) => micro / 1e6),
    speed: fc.option(fc.nat(2000).map((tenth) => tenth / 10)),
  });

describe('staged tracks', () => {
  it('hold every point once, in order of time, whatever the interleaving and however little memory they may use', () => {
    fc.assert(
      fc.property(fc.array(arbitraryPoint(5), { minLength: 1, maxLength: 400 }), (points) => {
        const [roomy, tight] = [newTape(), newTape(100)];
        const open = 64 * 54 * 2;
        const tracks = fill(new StagedTracks(roomy), points);
        const squeezed = fill(new StagedTracks(tight, open), points);
        expect(squeezed.map(({ chunks: _, ...rest }) => rest)).toEqual(
          tracks.map(({ chunks: _, ...rest }) => rest),
        );
        for (const [i, track] of tracks.entries()) {
          const own = points.filter((point) => point.track === track.identity.driveNo);
          const read = readBack(roomy, track);
          expect(texts(readBack(tight, squeezed[i]!))).toEqual(texts(read));
          expect(track.points).toBe(own.length);
          const keys: number[] = [];
          for (const point of own) keys.push(point.time ?? keys.at(-1) ?? -Infinity);
          const sorted = own
            .map((point, at) => ({ point, key: keys[at]!, at }))
            .sort((a, b) => (a.key === b.key ? a.at - b.at : a.key - b.key));
          expect(texts(read).map((row) => row[1])).toEqual(sorted.map(({ point }) => point.lat.toFixed(6)));
        }
        roomy.close();
        tight.close();
      }),
      { numRuns: 150 },
    );
  });

  it('state what the points say: times, bounds, top speed, and the length without gaps', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryPoint(1), { minLength: 1, maxLength: 300 }),
        fc.constantFrom('kmh' as const, 'ms' as const),
        fc.constantFrom(1, 30, 0.0001),
        (raw, unit, spread) => {
          // Near and far steps, quick and slow recorders.
          const points = raw.map((point, i) => ({
            ...point,
            time:
              point.time === null
                ? null
                : 1_741_000_000 + i * Math.ceil(spread) * (1 + ((point.time * 7) % 9 === 0 ? 20 : 0)),
            lat: 50 + ((point.lat * spread) % 30),
            lng: (point.lng * spread) % 179,
          }));
          const tape = newTape();
          const [track] = fill(new StagedTracks(tape), points, unit);
          const read = readBack(tape, track!);
          const [times, lats, lngs, speeds] = [
            timesMsOf(read),
            latitudesOf(read),
            longitudesOf(read),
            speedsKmhOf(read, unit),
          ];
          const present = [...times].filter((ms) => !Number.isNaN(ms));
          const fast = [...speeds].filter((speed) => !Number.isNaN(speed));
          const threshold = gapThresholdMs(times);
          let length = 0;
          for (let i = 1; i < times.length; i++) {
            if (!(times[i]! - times[i - 1]! > threshold))
              length += distanceM(lats[i - 1]!, lngs[i - 1]!, lats[i]!, lngs[i]!);
          }
          expect(track!.distanceM).toBeCloseTo(length, length > 1e5 ? 0 : 2);
          expect(track).toMatchObject({
            startedAtMs: present.length > 0 ? Math.min(...present) : null,
            endedAtMs: present.length > 0 ? Math.max(...present) : null,
            hasPointTimes: present.length > 0,
            maxSpeedKmh: fast.length > 0 ? Math.max(...fast) : null,
          });
          expect(track!.extent).toMatchObject({
            west: Math.min(...lngs),
            east: Math.max(...lngs),
            south: Math.min(...lats),
            north: Math.max(...lats),
          });
          tape.close();
        },
      ),
      { numRuns: 200 },
    );
  });

  it('take as much memory for 1,000 interleaved trips as their limit says, and pack them into few chunks', () => {
    const tape = newTape(1_000_000);
    const limit = 4_000_000;
    const sink = new StagedTracks(tape, limit);
    const builders = Array.from({ length: 1000 }, (_, i) => sink.beginTrack(identity(i)));
    let largest = 0;
    for (let second = 0; second < 200; second++) {
      for (const [i, { columns }] of builders.entries()) {
        columns.add(
          1_741_000_000 + second,
          0,
          52_000_000 + i,
          6,
          4_000_000 + second,
          6,
          90,
          0,
          500,
          1,
          0,
          ABSENT,
        );
      }
      largest = Math.max(
        largest,
        builders.reduce((sum, { columns }) => sum + columns.heldBytes, 0),
      );
    }
    expect(largest).toBeLessThanOrEqual(limit + 64 * 54);
    const tracks = sink.finish();
    expect(tracks).toHaveLength(1000);
    for (const [i, track] of tracks.entries()) {
      expect([track.points, track.chunks.length]).toEqual([200, 1]);
      if (i % 500 === 0)
        expect(texts(readBack(tape, track)).map((row) => row[0])).toEqual(
          Array.from({ length: 200 }, (_, s) => String(1_741_000_000 + s)),
        );
    }
    tape.close();
    expect(fs.readdirSync(root)).toEqual([]);
  });

  it('leave no open buffers behind trips that ended', () => {
    const sink = new StagedTracks(newTape());
    const all = Array.from({ length: 1000 }, (_, i) => {
      const builder = sink.beginTrack(identity(i));
      for (let s = 0; s < 600; s++)
        builder.columns.add(1_741_000_000 + s, 0, 52, 0, 4, 0, 0, ABSENT, 0, ABSENT, 0, ABSENT);
      return builder;
    });
    expect(all.filter(({ columns }) => columns.capacity > 0).length).toBeLessThan(150);
    expect(sink.finish().every((track) => track.points === 600)).toBe(true);
  });

  it('forget a refused file, down to the tape', () => {
    const tape = newTape(100);
    const kept = fill(new StagedTracks(tape), [{ track: 0, time: 1, lat: 1, lng: 2, speed: 3 }]);
    const end = tape.end;
    const refused = new StagedTracks(tape);
    const builder = refused.beginTrack(identity(9));
    for (let i = 0; i < 100; i++) builder.columns.add(i, 0, i, 0, i, 0, 0, ABSENT, 0, ABSENT, 0, ABSENT);
    builder.filled();
    expect(tape.end).toBeGreaterThan(end);
    refused.discard();
    expect(tape.end).toBe(end);
    const after = fill(new StagedTracks(tape), [{ track: 0, time: 5, lat: 6, lng: 7, speed: null }]);
    expect(texts(readBack(tape, kept[0]!))).toEqual([['1', '1.000000', '2.000000', null, '3.0', null]]);
    expect(texts(readBack(tape, after[0]!))).toEqual([['5', '6.000000', '7.000000', null, null, null]]);
    tape.close();
  });

  it('keep numbers longer than a double with their points when these are put in order', () => {
    const tape = newTape();
    const sink = new StagedTracks(tape);
    const { columns } = sink.beginTrack(identity(0));
    for (const time of [9, 5, 7]) {
      const at = columns.add(time, 0, 0, LITERAL, 4, 0, 0, ABSENT, 0, ABSENT, 0, ABSENT);
      columns.setLiteral(1, at, `52.0000000000000000000${time}`);
    }
    const [track] = sink.finish();
    expect(track!.wasSorted).toBe(true);
    expect(texts(readBack(tape, track!)).map((row) => row[1])).toEqual(
      [5, 7, 9].map((time) => `52.0000000000000000000${time}`),
    );
  });

  it('drop tracks without points, and keep the times that a track states for itself', () => {
    const sink = new StagedTracks(newTape());
    sink.beginTrack(identity(0));
    const builder = sink.beginTrack(identity(1));
    builder.columns.add(0, ABSENT, 52, 0, 4, 0, 0, ABSENT, 0, ABSENT, 0, ABSENT);
    sink.amendTrack(builder, { ...identity(1), name: 'Shape', beginMs: 1000, endMs: 2000 });
    expect(sink.finish()).toMatchObject([
      { identity: { name: 'Shape' }, hasPointTimes: false, startedAtMs: 1000, endedAtMs: 2000, points: 1 },
    ]);
  });
});
